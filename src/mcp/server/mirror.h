/*
 * Header fields that mirror a message of the metadata era, so that those on the
 * way can route without reading bodies. Here they are only held against the body,
 * which alone decides. Pure.
 */
#ifndef TC_MCP_SERVER_MIRROR_H
#define TC_MCP_SERVER_MIRROR_H

#include "http/header.h"
#include "mcp/codec/rpc.h"

/* MCP-Protocol-Version, Mcp-Method and, where the method has a subject, Mcp-Name
 * are there once and say what the request says. TC_E_MCP_HEADER. */
enum tc_err tc_mirror_check(struct tc_cx *cx, struct tc_header_list headers, const struct tc_rpc *request,
                            struct tc_str version);
/* The fields Mcp-Param-… that the tool's input schema asks for (x-mcp-header) say
 * what the arguments say. TC_E_MCP_HEADER. */
enum tc_err tc_mirror_check_arguments(struct tc_cx *cx, struct tc_header_list headers, const struct tc_json *schema,
                                      const struct tc_json *arguments);
/* A value as it was meant: "=?base64?…?=" is decoded, into the arena. False for one
 * that cannot be decoded, and without memory. */
bool tc_mirror_decode(struct tc_cx *cx, struct tc_str value, struct tc_str *ret);

#endif
