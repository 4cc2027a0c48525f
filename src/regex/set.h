/*
 * Sets of characters as ranges of code points. A byte that belongs to no
 * well-formed UTF-8 sequence is a character too: BYTES plus its value, so that
 * only who names it has it; a complement never does.
 *
 * A set is built by additions in any order, then tidied: sorted, disjoint, with
 * no two ranges adjacent. Its memory is an arena's. Without memory it is marked
 * as failed and further additions do nothing.
 */
#ifndef TC_REGEX_SET_H
#define TC_REGEX_SET_H

#include "base/ctype.h"
#include "toolcrib/arena.h"

enum { TC_REGEX_LAST = 0x10ffff, TC_REGEX_BYTES = 0x110000, TC_REGEX_END = 0x110100 };

struct tc_regex_range {
    uint32_t first, last;
};

struct tc_regex_set {
    struct tc_regex_range *ranges;
    uint32_t n, cap;
    bool untidy, failed;
};

void tc_regex_set_add(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last);
void tc_regex_set_add_class(struct tc_arena *arena, struct tc_regex_set *set, enum tc_ctype type);
/* Adds what differs by case alone from a character between first and last. */
void tc_regex_set_add_cases(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last);
void tc_regex_set_tidy(struct tc_arena *arena, struct tc_regex_set *set);
/* Tidies first. */
void tc_regex_set_negate(struct tc_arena *arena, struct tc_regex_set *set);
/* Takes one character out of a tidy set. */
void tc_regex_set_remove(struct tc_arena *arena, struct tc_regex_set *set, uint32_t c);

#endif
