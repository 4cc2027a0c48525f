/*
 * Requests to models and streams of theirs as texts, for the tests of providers.
 *
 * A request as JSON: {system, tools: [{name, description, schema, deferred}], choice:
 * "none" | "required" | {tool}, serial, stream, maxOutput, extra, messages: [{user: […]} |
 * {assistant: […]}]} with parts {text, signature?}, {image: [mime, base64]},
 * {call: {id, name, arguments}, signature?}, {result: {id, name, text, error, images}},
 * {opaque: …}. Members that are left out are empty.
 */
#ifndef TESTS_SUPPORT_MODEL_H
#define TESTS_SUPPORT_MODEL_H

#include "toolcrib/provider.h"

/* Everything in cx->arena; aborts on a text of another form. caps are borrowed. */
void test_model_request(struct tc_cx *cx, const struct tc_json *json, const struct tc_model_caps *caps,
                        struct tc_model_request *ret_request);
/* What the provider writes for that request; by_caps may be NULL: its own. Fails the test when it fails. */
struct tc_str test_model_body(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *by_caps,
                              const char *request);

/* Feeds the bytes of an answer in small pieces, "event: …\ndata: …\n\n" or a whole document,
 * through the reader of the driver, and shows the reply, one line an item and one for the end:
 *   text "…" [signature]
 *   call ID NAME ARGUMENTS [object] [cut] [signature]
 *   opaque …
 *   FINISH "word" usage INPUT OUTPUT CACHED WRITTEN REASONING MODEL ID
 * or "error CODE: message". Each line that was heard of reasoning comes first: "heard …". */
struct tc_str test_model_reply(struct tc_cx *cx, const struct tc_provider *provider, const char *bytes);

/* The same, compared with what is expected. */
void test_model_writes(const struct tc_provider *provider, const struct tc_model_caps *by_caps, const char *request,
                       const char *expected);
void test_model_reads(const struct tc_provider *provider, const char *bytes, const char *expected);

#endif
