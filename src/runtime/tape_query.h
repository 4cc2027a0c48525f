/*
 * Looking something up on a tape: entries by number, time, kind, words, and by the
 * anchor that they stand behind.
 */
#ifndef TC_RUNTIME_TAPE_QUERY_H
#define TC_RUNTIME_TAPE_QUERY_H

#include "ports/store_tapes.h"

struct tc_tape_query {
    int64_t from, to;            /* numbers of entries; 0: the first, the last */
    int64_t since, until;        /* milliseconds since 1970; 0: any time */
    const struct tc_json *kinds; /* an array of their names; NULL: all */
    struct tc_str text;          /* in a string of the entry, whatever the case of ASCII letters */
    struct tc_str anchor;        /* those behind the last anchor of that name, up to the next anchor */
    int64_t limit;               /* > 0 */
    bool newest;                 /* the last ones instead of the first ones, in order all the same */
};

/* TC_E_STORE_NOT_FOUND: no such tape; TC_E_TAPE_NO_ANCHOR. */
PARKS enum tc_err tc_tape_query(struct tc_cx *cx, struct tc_store *store, struct tc_str id,
                                const struct tc_tape_query *query, struct tc_tape_entry **ret_entries, size_t *ret_n);

#endif
