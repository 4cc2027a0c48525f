/*
 * Sets of characters. What is named is kept as ranges of code points; of a class
 * such as [:alpha:] only the ASCII part is, and beyond ASCII it is kept as the kinds
 * of characters that it has, since tables of a thousand ranges would make each
 * pattern with such a class dear. A byte that belongs to no well-formed UTF-8
 * sequence is a character too: BYTES plus its value, so that only who names it has
 * it; a complement never does.
 *
 * A set is built by additions in any order, then tidied: ranges sorted, disjoint,
 * no two adjacent. Its memory is an arena's. Without memory it is marked as failed
 * and further additions do nothing.
 */
#ifndef TC_REGEX_SET_H
#define TC_REGEX_SET_H

#include "base/ctype.h"
#include "toolcrib/arena.h"

enum { TC_REGEX_LAST = 0x10ffff, TC_REGEX_BYTES = 0x110000, TC_REGEX_END = 0x110100 };

/* All that the POSIX classes tell apart beyond ASCII. */
enum tc_regex_kind {
    TC_REGEX_KIND_OTHER,
    TC_REGEX_KIND_LETTER, /* neither lower nor upper case */
    TC_REGEX_KIND_LOWER,
    TC_REGEX_KIND_UPPER,
    TC_REGEX_KIND_TITLE, /* lower and upper case in one */
    TC_REGEX_KIND_PUNCT,
    TC_REGEX_KIND_BLANK,
    TC_REGEX_KIND_CNTRL,
    TC_REGEX_KIND_SEPARATOR, /* of lines and paragraphs */
    TC_REGEX_KINDS
};

struct tc_regex_range {
    uint32_t first, last;
};

struct tc_regex_set {
    struct tc_regex_range *ranges;
    uint32_t n, cap;
    uint16_t kinds; /* a bit a kind */
    bool negated;   /* all characters but those */
    bool untidy, failed;
};

void tc_regex_set_add(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last);
void tc_regex_set_add_class(struct tc_arena *arena, struct tc_regex_set *set, enum tc_ctype type);
/* Letters, digits and the underscore. */
void tc_regex_set_add_word(struct tc_arena *arena, struct tc_regex_set *set);
/* Adds what differs by case alone from a character between first and last. */
void tc_regex_set_add_cases(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last);
void tc_regex_set_tidy(struct tc_regex_set *set);
/* Of two tidy sets. */
bool tc_regex_set_same(const struct tc_regex_set *a, const struct tc_regex_set *b);

/* The kind of a character beyond ASCII. */
enum tc_regex_kind tc_regex_set_kind(uint32_t c);
/* The kinds that make up a class. */
uint16_t tc_regex_set_kinds(enum tc_ctype type);

#endif
