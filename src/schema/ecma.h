/*
 * Regular expressions of schemas: ECMA-262 with the `u` flag, translated to
 * PCRE2 and compiled once; immutable after that and safe for any thread.
 *
 * Accepted beyond `u`: identity escapes of ASCII punctuation, a lone ] or }, a
 * brace that is no quantifier, and a class escape as the end of a range (the
 * dash is then a character), since patterns in the wild have them. Refused
 * although ECMA-262 has it: lookbehind of variable length inside one branch.
 *
 * A match takes no heap memory in the usual case: scratch space is the caller's.
 */
#ifndef TC_SCHEMA_ECMA_H
#define TC_SCHEMA_ECMA_H

#include "toolcrib/cx.h"

struct tc_ecma;

enum { TC_ECMA_PATTERN_MAX = 4096, TC_ECMA_NEST_MAX = 50 };

enum tc_ecma_verdict { TC_ECMA_NO, TC_ECMA_YES, TC_ECMA_LIMIT /* too much backtracking, or no memory */ };

/* Space for matches of one thread of control; zero is ready for use. */
struct tc_ecma_scratch {
    _Alignas(16) char memory[640];
    size_t used;
    void *general, *data; /* PCRE2's contexts inside memory */
};

/* The caller owns *ret_regex. Error: TC_E_SCHEMA_INVALID with the reason and its offset. */
enum tc_err tc_ecma_compile(struct tc_cx *cx, struct tc_str pattern, struct tc_ecma **ret_regex);
void tc_ecma_destroy(struct tc_ecma *regex); /* NULL is fine */
/* Is it a pattern of the dialect? Nothing is compiled. */
bool tc_ecma_valid(struct tc_str pattern);

/* Does the pattern occur in subject (valid UTF-8)? */
enum tc_ecma_verdict tc_ecma_match(const struct tc_ecma *regex, struct tc_ecma_scratch *scratch,
                                     struct tc_str subject);
void tc_ecma_scratch_finish(struct tc_ecma_scratch *scratch);

/* One search for a pattern of our own in PCRE2's dialect; false without memory. */
bool tc_ecma_occurs(const char *pattern, struct tc_str subject);

#endif
