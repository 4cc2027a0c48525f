/*
 * What the tapes in SQLite and the steps of runs share: rows and entries of a tape, inside
 * an operation on a connection.
 */
#ifndef TC_STORES_SQLITE_ENTRIES_H
#define TC_STORES_SQLITE_ENTRIES_H

#include "ports/store_tapes.h"
#include "stores/sqlite_private.h"

enum tc_err tc_sqlite_tape_get(struct tc_cx *cx, struct tc_db *db, struct tc_str id, struct tc_tape_row *ret_row);
/* The last anchor up to entry `upto`, 0 when there is none. */
enum tc_err tc_sqlite_tape_anchor(struct tc_cx *cx, struct tc_db *db, struct tc_str id, int64_t upto,
                                  int64_t *ret_anchor);

/* Entries behind `last`; their numbers are not filled in. */
struct tc_sqlite_append {
    struct tc_str id;
    int64_t last;
    const struct tc_tape_entry *entries;
    size_t n;
};
/* In several statements. arg: struct tc_sqlite_append. */
enum tc_err tc_sqlite_tape_add(struct tc_cx *cx, struct tc_db *db, void *arg);

/* The run becomes the active one; run empty: none is. */
struct tc_sqlite_claim {
    struct tc_str id, run;
};
/* arg: struct tc_sqlite_claim. */
enum tc_err tc_sqlite_tape_claim(struct tc_cx *cx, struct tc_db *db, void *arg);

/* Of the port. */
PARKS enum tc_err tc_sqlite_tape_append(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t last,
                                        struct tc_tape_entry *entries, size_t n);
PARKS enum tc_err tc_sqlite_tape_entries(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t from,
                                         int64_t to, int64_t limit, struct tc_tape_entry **ret_entries, size_t *ret_n);

#endif
