/*
 * Base64 (RFC 4648) in both alphabets. Writing pads the standard one only; what
 * is read must be exact: one alphabet, no white space, no stray bits at its end.
 */
#ifndef TC_BASE_BASE64_H
#define TC_BASE_BASE64_H

#include "toolcrib/buf.h"

enum tc_base64 {
    TC_BASE64_STANDARD, /* "+/", padded */
    TC_BASE64_URL /* "-_", not padded: base64url of JSON Web Tokens and PKCE */
};

/* Characters that n bytes become. */
size_t tc_base64_size(enum tc_base64 kind, size_t n);
/* Exactly as many, without a NUL. */
void tc_base64_put(enum tc_base64 kind, struct tc_str bytes, char *to);
void tc_base64_write(struct tc_buf *to, enum tc_base64 kind, struct tc_str bytes);
/* The text in the arena; p is NULL without memory. */
struct tc_str tc_base64_encode(struct tc_arena *arena, enum tc_base64 kind, struct tc_str bytes);
/* The bytes in the arena. False when the text is not of that kind, or without
 * memory: *ret_bytes then has p NULL for memory only. */
bool tc_base64_decode(struct tc_arena *arena, enum tc_base64 kind, struct tc_str text, struct tc_str *ret_bytes);

#endif
