/*
 * Plain text that each match of an expression contains: memmem finds it faster than
 * an automaton finds anything.
 */
#ifndef TC_REGEX_LITERAL_H
#define TC_REGEX_LITERAL_H

#include "regex/ast.h"

struct tc_regex_literal {
    struct tc_str required; /* in each match; empty when there is none */
    struct tc_str prefix;   /* each match begins with it; empty when there is none */
    bool exact;             /* the prefix is all there is to match */
    bool anchored;          /* a match begins where the subject begins */
};

/* False without memory. */
bool tc_regex_literal_find(struct tc_arena *arena, const struct tc_regex_node *root,
                           struct tc_regex_literal *ret_literal);

#endif
