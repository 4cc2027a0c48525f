/*
 * What the writers of requests share: members that a channel sets itself, images as
 * data URIs, and the words with which images of results reach a model whose protocol
 * has no place for them in a result; and the two forms that keys and lists have.
 */
#ifndef TC_MODELS_BODY_H
#define TC_MODELS_BODY_H

#include "toolcrib/jsonw.h"
#include "toolcrib/provider.h"

/* Writes the key of a member, or returns false where the channel sets it itself. */
bool tc_body_key(struct tc_jsonw *w, const struct tc_model_request *request, const char *key);
/* The members of an object that the channel sets, behind all others; but one, or NULL. */
void tc_body_extra(struct tc_jsonw *w, const struct tc_json *extra, const char *but);
/* One string: data:image/png;base64,… */
void tc_body_data_uri(struct tc_jsonw *w, const struct tc_image_data *image);

/* The text of a result; it says so where its images stand behind all results of the turn, and,
 * in a protocol that has no other place for that, that it is an error. One string. */
void tc_body_result_text(struct tc_jsonw *w, const struct tc_model_request *request, const struct tc_part *result,
                         bool errors_in_text);
/* What stands before the i-th of them there; call counts the calls of the turn from 1. */
void tc_body_image_label(struct tc_jsonw *w, const struct tc_part *result, size_t call, size_t i);

/* Leading parts of a message that are results. */
size_t tc_body_results(const struct tc_message *message);
/* The signature of a part as JSON, or NULL; and of the n-th call of a message, which may be NULL. */
enum tc_err tc_body_signature(struct tc_cx *cx, const struct tc_part *part, const struct tc_json **ret_signature);
enum tc_err tc_body_call_signature(struct tc_cx *cx, const struct tc_message *calls, size_t n,
                                   const struct tc_json **ret_signature);
/* The header of a bearer's key; none without a key. */
enum tc_err tc_body_bearer(struct tc_cx *cx, struct tc_str key, struct tc_model_wire *ret_wire);
/* A string member of each item of a list. */
enum tc_err tc_body_names(struct tc_cx *cx, const struct tc_json *list, const char *key, struct tc_str **ret_names,
                          size_t *ret_n);
/* How a request that was written ends: TC_OK, or why the buffer failed. */
enum tc_err tc_body_end(struct tc_cx *cx, const struct tc_buf *to);

#endif
