/*
 * Keeps secrets out of the record (spec 6): values of properties marked
 * writeOnly, `format: password` or x-secret, and of keys that look like
 * credentials, are stored as a keyed hash. Pure. Everything lives in cx->arena.
 */
#ifndef TC_RUNTIME_REDACT_H
#define TC_RUNTIME_REDACT_H

#include "toolcrib/buf.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_redact_list {
    struct tc_str *items;
    size_t n, cap;
};

enum { TC_REDACT_SECRETS_MAX = 256 };

struct tc_redaction {
    struct tc_str key;             /* of the hash */
    struct tc_redact_list names;   /* of properties that a schema marks, wherever in it */
    struct tc_redact_list secrets; /* values found, the longest first, each once */
    bool found;                    /* the last walk met a secret */
    bool too_many;                 /* more than can be looked for: texts are left out as a whole */
};

void tc_redact_init(struct tc_redaction *redaction, struct tc_str key);
/* Takes over which properties the schema marks. NULL is fine. */
enum tc_err tc_redact_schema(struct tc_cx *cx, struct tc_redaction *redaction, const struct tc_json *input_schema);
/* Collects the secret values of arguments. */
enum tc_err tc_redact_collect(struct tc_cx *cx, struct tc_redaction *redaction, const struct tc_json *arguments);
/* The same; *ret_json is the object or array with its secret values replaced by
 * "hmac-sha256:<hex>", compact, its members as they came. */
enum tc_err tc_redact_value(struct tc_cx *cx, struct tc_redaction *redaction, const struct tc_json *arguments,
                            struct tc_str *ret_json);
/* `json`, which is `value` with its secrets replaced, in canonical form: itself when the
 * members of value came in order. */
enum tc_err tc_redact_canonical(struct tc_cx *cx, const struct tc_json *value, struct tc_str json,
                                struct tc_str *ret_json);
/* Text that should have been JSON: collects what follows the key of a secret, whole or
 * broken off, in strings inside of strings too, and replaces it. */
enum tc_err tc_redact_raw(struct tc_cx *cx, struct tc_redaction *redaction, struct tc_str text,
                          struct tc_str *ret_text);
/* Collects from strings of arguments that encode an object or array: for a call
 * that was refused, where no repair opened them. */
enum tc_err tc_redact_encoded(struct tc_cx *cx, struct tc_redaction *redaction, const struct tc_json *arguments);
/* Any text with each collected value of at least 4 bytes replaced, plain and as
 * JSON escapes it, also where the text breaks off within one. Returns the text
 * itself when nothing was found. */
enum tc_err tc_redact_text(struct tc_cx *cx, const struct tc_redaction *redaction, struct tc_str text,
                           struct tc_str *ret_text);
/* The same for JSON text, which stays JSON: in strings and keys, and whole numbers. */
enum tc_err tc_redact_json(struct tc_cx *cx, const struct tc_redaction *redaction, struct tc_str json,
                           struct tc_str *ret_json);
/* True for password, api_key, accessToken, Authorization and their like. */
bool tc_redact_key(struct tc_str key);

/* --- between the files of this module --- */

enum { TC_REDACT_TEXT_MAX = 256 * 1024 * 1024 };

enum tc_err tc_redact_add(struct tc_cx *cx, struct tc_redaction *redaction, struct tc_str secret);
/* Marked by the schema, or looks like a credential. */
bool tc_redact_is_secret(const struct tc_redaction *redaction, struct tc_str key);
/* "hmac-sha256:<hex>" in the arena. */
enum tc_err tc_redact_hash(struct tc_cx *cx, const struct tc_redaction *redaction, struct tc_str secret,
                           struct tc_str *ret_text);

#endif
