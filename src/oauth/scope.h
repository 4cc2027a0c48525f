/*
 * Scopes: sets of words in one string, separated by blanks (RFC 6749 section 3.3).
 * Pure.
 */
#ifndef TC_OAUTH_SCOPE_H
#define TC_OAUTH_SCOPE_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

bool tc_scope_has(struct tc_str scope, struct tc_str word);
/* True when each word of `part` is in `whole`. */
bool tc_scope_covers(struct tc_str whole, struct tc_str part);
/* Words of a, then those of b that are not in it, each once; in the arena.
 * Characters that no scope has end a word. */
enum tc_err tc_scope_join(struct tc_cx *cx, struct tc_str a, struct tc_str b, struct tc_str *ret_scope);
/* Without that word. */
enum tc_err tc_scope_without(struct tc_cx *cx, struct tc_str scope, struct tc_str word, struct tc_str *ret_scope);
/* The strings of an array as one scope, in the arena. */
enum tc_err tc_scope_of(struct tc_cx *cx, const struct tc_json *array, struct tc_str *ret_scope);

#endif
