/*
 * Who changed what: one row a change through the API, added after it was made and
 * never altered; and what operators set of the configuration.
 */
#ifndef TC_PORTS_STORE_CHANGES_H
#define TC_PORTS_STORE_CHANGES_H

#include "ports/store.h"

struct tc_change_row {
    struct tc_str id;     /* sorts by time */
    int64_t at;
    struct tc_str principal_kind, principal_id;
    struct tc_str resource, object, action; /* "agent", its id, "update" */
    int64_t version;      /* that came of it; 0: it has none */
    struct tc_str before, after; /* JSON text without secrets; empty: there was, there is nothing */
};

struct tc_store_changes_filter {
    struct tc_str resource, object, principal_id, action; /* empty: any */
    struct tc_str without[2]; /* resources that are left out; empty: none */
    int64_t from, to; /* at ≥ from, at < to; 0: open */
};

struct tc_store_changes_ops {
    /* Inserts the row as it is. */
    enum tc_err (*add)(struct tc_cx *cx, struct tc_store *self, const struct tc_change_row *row);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_change_row *ret_row);
    /* Newest first unless page->descending is false, before and after left empty. sort: at
     * only. search looks in resource, object, action and principal. */
    enum tc_err (*page)(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_changes_filter *filter, struct tc_change_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total);
    /* The last change of each of n objects of a resource, in their order, before and after
     * left empty; a row without id where there is none. */
    enum tc_err (*latest)(struct tc_cx *cx, struct tc_store *self, struct tc_str resource, const struct tc_str *objects,
                          size_t n, struct tc_change_row **ret_rows);
    /* Removes rows older than `before`; how many. */
    enum tc_err (*prune)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
};

struct tc_setting_row {
    struct tc_str id;
    struct tc_str value; /* JSON text; empty: taken back, the default stands */
    int64_t version;     /* 1 at first */
    int64_t updated_at;
};

struct tc_store_settings_ops {
    /* By id. */
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_setting_row **ret_rows, size_t *ret_n);
    /* row->version is the stored one, 0 when none is stored, and is counted up.
     * TC_E_STORE_CONFLICT. */
    enum tc_err (*put)(struct tc_cx *cx, struct tc_store *self, const struct tc_setting_row *row);
};

#endif
