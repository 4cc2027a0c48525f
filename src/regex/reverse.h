/*
 * The backward automaton, bound to the end of a match. A state is the set of all
 * instructions from which the end can be reached over the text between; so it
 * tells where a match may begin, and which ways a walk through the program may
 * take to come out at that end.
 */
#ifndef TC_REGEX_REVERSE_H
#define TC_REGEX_REVERSE_H

#include "regex/cache.h"
#include "regex/captures.h"
#include "regex/program.h"

struct tc_regex_reverse {
    const struct tc_regex_program *program;
    struct tc_regex_cache cache;
    uint32_t words;         /* of a set */
    uint32_t *heads, *from; /* from[heads[i]] to from[heads[i + 1] - 1] lead to instruction i */
    uint32_t *set, *stack;  /* under construction */
    int32_t starts[16];     /* rows of the end of a match by what is before and behind it */
    uint32_t *trail;        /* rows by offset in a segment */
    size_t segment;         /* bytes a segment */
    uint32_t *passed;       /* by instruction: at which step of a walk */
    uint32_t *parent;       /* by instruction: while a way is looked for */
    uint32_t step;
    size_t work;
};

/* False without memory. The program has no back-references. */
bool tc_regex_reverse_init(struct tc_regex_reverse *reverse, const struct tc_regex_program *program);
/* A zeroed struct is fine. */
void tc_regex_reverse_finish(struct tc_regex_reverse *reverse);

/* Where the longest match that ends at `end` begins, at or behind `from`; one ends
 * there. SIZE_MAX when the budget is spent. */
size_t tc_regex_reverse_start(struct tc_regex_reverse *reverse, struct tc_str subject, size_t from, size_t end);
/* The bounds of groups in a match, groups.c. False when the budget is spent. */
bool tc_regex_reverse_groups(struct tc_regex_reverse *reverse, struct tc_str subject, struct tc_regex_match match,
                             struct tc_regex_captures *captures);

/* --- between the files --- */

struct tc_regex_back {
    struct tc_regex_reverse *reverse;
    struct tc_str subject;
    size_t floor, at; /* what is before the floor is looked at, not entered */
    int32_t row; /* of the set at this position; 0: nothing leads from here to the end */
};

/* Stands at the end of a match. False when the budget is spent. */
bool tc_regex_reverse_begin(struct tc_regex_back *back, struct tc_regex_reverse *reverse, struct tc_str subject,
                            struct tc_regex_match span);
/* Moves one character back. False when the budget is spent. */
bool tc_regex_reverse_step(struct tc_regex_back *back);
/* Empties the cache when it is full: all rows but the present one are void. False
 * when the budget is spent. */
bool tc_regex_reverse_make_room(struct tc_regex_back *back);
/* The row of a set that is given as bits; negative without memory. */
int32_t tc_regex_reverse_row(struct tc_regex_reverse *reverse, const uint32_t *set);

/* Is the instruction in the set of a row? */
static inline bool tc_regex_reverse_has(const struct tc_regex_reverse *reverse, int32_t row, uint32_t pc)
{
    return tc_regex_cache_key(&reverse->cache, row)[pc / 32] >> pc % 32 & 1;
}

#endif
