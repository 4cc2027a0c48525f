/*
 * Keeps secrets out of the record (spec 6): values of properties marked
 * writeOnly, `format: password` or x-secret, and of keys that look like
 * credentials, are stored as a keyed hash. Pure.
 */
#ifndef TC_RUNTIME_REDACT_H
#define TC_RUNTIME_REDACT_H

#include "toolcrib/buf.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_redaction {
    struct tc_str key;       /* of the hash */
    struct tc_str *secrets;  /* values found, as they may stand in other texts */
    size_t n, cap;
};

void tc_redact_init(struct tc_redaction *redaction, struct tc_str key);
/* Collects the secret values of one argument object. input_schema may be NULL. */
enum tc_err tc_redact_collect(struct tc_cx *cx, struct tc_redaction *redaction, const struct tc_json *input_schema,
                              const struct tc_json *arguments);
/* Appends the object with its secret values replaced by "hmac-sha256:<hex>";
 * canonical sorts the keys. */
enum tc_err tc_redact_object(struct tc_cx *cx, struct tc_redaction *redaction, const struct tc_json *input_schema,
                             const struct tc_json *arguments, struct tc_str *ret_json);
/* Any text with each collected value of at least 4 bytes replaced, in its plain and its
 * JSON-escaped form; and, for text that is no JSON, what follows a key that looks
 * like a credential. Returns the text itself when nothing was found. */
enum tc_err tc_redact_text(struct tc_cx *cx, const struct tc_redaction *redaction, struct tc_str text,
                           struct tc_str *ret_text);
enum tc_err tc_redact_raw(struct tc_cx *cx, const struct tc_redaction *redaction, struct tc_str text,
                          struct tc_str *ret_text);
/* True for password, api_key, accessToken, Authorization and their like. */
bool tc_redact_key(struct tc_str key);

#endif
