/*
 * JSON-RPC 2.0 as MCP uses it: what a parsed message is, and the text of the
 * messages that are sent. Pure; framing (lines, HTTP bodies, SSE) and waiting
 * are the transports' business.
 *
 * Ids are kept as their JSON text, so that a number or string goes back exactly
 * as it came. Nodes are borrowed from the message.
 */
#ifndef TC_MCP_CODEC_RPC_H
#define TC_MCP_CODEC_RPC_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"
#include "toolcrib/jsonw.h"

enum tc_rpc_kind {
    TC_RPC_INVALID,      /* fault says why; id when there was a usable one */
    TC_RPC_REQUEST,      /* id, method, params */
    TC_RPC_NOTIFICATION, /* method, params */
    TC_RPC_RESULT,       /* id, result */
    TC_RPC_ERROR,        /* id (empty: the other side could not tell), code, message, data */
    TC_RPC_BATCH         /* an array: read each item; revision 2025-03-26 only */
};

enum { TC_RPC_ID_MAX = 1024 }; /* bytes of an id's text */

struct tc_rpc {
    enum tc_rpc_kind kind;
    struct tc_str id;             /* JSON text; empty: none */
    struct tc_str method;
    const struct tc_json *params; /* an object or array, or NULL */
    const struct tc_json *result; /* any value */
    int code;                     /* 0 when it was no number in range */
    struct tc_str message;
    const struct tc_json *data;
    const char *fault;            /* a plain clause without subject: "has no method" */
};

/* Classifies a message. Tolerant where the meaning is plain: "params": null is
 * absent, "error": null beside a result and "result": null beside an error are
 * overlooked. Fails without memory only. */
enum tc_err tc_rpc_read(struct tc_cx *cx, const struct tc_json *message, struct tc_rpc *ret_rpc);

/* One message without line end. An empty id makes a notification; params and
 * data are JSON text and left out when empty. */
void tc_rpc_write_request(struct tc_buf *buf, struct tc_str id, const char *method, struct tc_str params);
void tc_rpc_write_result(struct tc_buf *buf, struct tc_str id, struct tc_str result);
/* An empty id is left out: of MCP's schemas none knows an id that is null. */
void tc_rpc_write_error(struct tc_buf *buf, struct tc_str id, int code, struct tc_str message, struct tc_str data);

/* The same with params or result written by the caller: one value, then
 * tc_jsonw_end(w). */
void tc_rpc_open_request(struct tc_jsonw *w, struct tc_buf *buf, struct tc_str id, const char *method);
void tc_rpc_open_result(struct tc_jsonw *w, struct tc_buf *buf, struct tc_str id);

#endif
