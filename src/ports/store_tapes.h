/*
 * Tapes: the append-only record of what a model may see again (spec 1, 10). An entry
 * is never changed. Numbers of entries rise by one from 1.
 */
#ifndef TC_PORTS_STORE_TAPES_H
#define TC_PORTS_STORE_TAPES_H

#include "ports/store.h"

struct tc_tape_row {
    struct tc_str id;
    struct tc_str name;        /* of a session: unique among the agent's; empty: a tape of a run alone */
    struct tc_str agent;
    struct tc_str owner;       /* token that made it; empty: an operator's */
    struct tc_str parent;      /* tape that it was forked from; may be empty */
    int64_t parent_seq;        /* last entry that it shares with that; its own go on from there */
    int64_t last;              /* number of the last entry */
    int64_t anchor;            /* number of the last anchor; 0: none */
    struct tc_str run;         /* the run that is active on it; may be empty */
    int64_t created_at, updated_at;
};

struct tc_tape_entry {
    int64_t seq, at;
    struct tc_str kind;        /* see runtime/tape.h */
    struct tc_str run;
    struct tc_str json;        /* an object */
};

struct tc_tape_filter {
    struct tc_str agent, owner; /* empty: any */
    bool sessions;              /* only those with a name */
};

struct tc_store_tapes_ops {
    /* TC_E_STORE_EXISTS: that id, or that name of that agent. last and anchor are found
     * out: 0, or of a fork what parent_seq makes them. TC_E_STORE_NOT_FOUND: no such
     * parent; TC_E_STORE_CONFLICT: it has no entry parent_seq. */
    enum tc_err (*create)(struct tc_cx *cx, struct tc_store *self, const struct tc_tape_row *row);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_tape_row *ret_row);
    enum tc_err (*find)(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str name,
                        struct tc_tape_row *ret_row);
    /* Sorted by "updatedAt", which is the default, or "createdAt"; searched by name and id. */
    enum tc_err (*page)(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_tape_filter *filter, struct tc_tape_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total);
    /* All or none, as entries last + 1 and on; `last` must be the stored one
     * (TC_E_STORE_CONFLICT). Their seq is filled in. An entry of kind "anchor" moves the
     * row's anchor, the time of the last one is its updated_at. n > 0 */
    enum tc_err (*append)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t last,
                          struct tc_tape_entry *entries, size_t n);
    /* Entries from..to in order, those shared with parents included, at most `limit`
     * (> 0) of them. */
    enum tc_err (*entries)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t from, int64_t to,
                           int64_t limit, struct tc_tape_entry **ret_entries, size_t *ret_n);
    /* The run becomes the active one if none is (or is it already); empty frees it.
     * TC_E_STORE_CONFLICT when another one is. */
    enum tc_err (*claim)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str run);
    /* With its entries. TC_E_STORE_CONFLICT while a run is active on it or another one is
     * forked from it. */
    enum tc_err (*remove)(struct tc_cx *cx, struct tc_store *self, struct tc_str id);
    /* Removes what `remove` would, of tapes without a name and with updated_at before
     * `before`; how many. */
    enum tc_err (*prune)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
};

#endif
