/*
 * For a program with a loop of its own: tools, calls and results in the shapes of its
 * provider. All of it is what the provider writes and reads anyway, taken out of whole
 * requests and put into whole answers. Pure.
 */
#ifndef TC_MODELS_OUTSIDE_H
#define TC_MODELS_OUTSIDE_H

#include "toolcrib/provider.h"

/* The list of tools of a request: a JSON array. */
enum tc_err tc_outside_tools(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *caps,
                             const struct tc_model_tool *tools, size_t n, struct tc_str *ret_json);
/* Name of the protocol that a message of an assistant is of, judged by its form; NULL: of none. */
const char *tc_outside_protocol(const struct tc_json *message);
/* What it says: a message, the whole answer that has it, or the list of its items.
 * TC_E_HTTP_BAD_REQUEST where it is neither. */
enum tc_err tc_outside_read(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_json *message,
                            struct tc_model_reply *ret_reply);
/* The messages that answer the calls of a reply: a JSON array of what stands behind the
 * assistant's message. results: one a call, in their order; of each text, is_error and
 * images count. */
enum tc_err tc_outside_answer(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *caps,
                              const struct tc_model_reply *reply, const struct tc_part *results,
                              struct tc_str *ret_json);

#endif
