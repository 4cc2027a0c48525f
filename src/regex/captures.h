/*
 * The bounds of groups along a path through the program, by the rules of GNU's
 * matcher: a group in a repetition that matched nothing after it had matched takes
 * itself and the groups in it back to what they were.
 */
#ifndef TC_REGEX_CAPTURES_H
#define TC_REGEX_CAPTURES_H

#include "regex/program.h"

struct tc_regex_captures {
    struct tc_regex_match *now, *kept; /* by group; [0] is not used */
    size_t n;                          /* groups and the whole */
};

static inline void tc_regex_captures_clear(struct tc_regex_captures *captures)
{
    for (size_t i = 0; i < captures->n; i++)
        captures->now[i] = captures->kept[i] = (struct tc_regex_match){SIZE_MAX, SIZE_MAX};
}

static inline void tc_regex_captures_open(struct tc_regex_captures *captures, unsigned group, size_t at)
{
    captures->now[group] = (struct tc_regex_match){at, SIZE_MAX};
}

static inline void tc_regex_captures_close(struct tc_regex_captures *captures, unsigned group, bool optional,
                                           size_t at)
{
    struct tc_regex_match *now = &captures->now[group];

    if (now->start < at) {
        now->end = at;
        memcpy(captures->kept, captures->now, captures->n * sizeof *captures->now);
    } else if (optional && captures->kept[group].start != SIZE_MAX) {
        memcpy(captures->now, captures->kept, captures->n * sizeof *captures->now);
    } else {
        now->end = at;
    }
}

#endif
