/*
 * Questions whether a call may run (spec 10): one row a question, from the moment
 * it is asked. The first answer that is stored stands; whoever comes later,
 * another person or the end of the time, gets TC_E_STORE_CONFLICT.
 */
#ifndef TC_PORTS_STORE_APPROVALS_H
#define TC_PORTS_STORE_APPROVALS_H

#include "ports/store.h"

struct tc_approval_row {
    struct tc_str id;         /* sorts by time */
    int64_t at, until;        /* asked; when no answer becomes a no */
    struct tc_str state;      /* waiting, approved, denied, expired, withdrawn */
    struct tc_str agent, run, invocation, call_id, audit_id, surface;
    struct tc_str principal_kind, principal_id; /* who called */
    struct tc_str tool_id, call_name;
    struct tc_str definition; /* hash of the tool's definition */
    struct tc_str digest;     /* keyed hash of ToolId, canonical arguments and definition: what is approved */
    struct tc_str arguments;  /* canonical, redacted */
    struct tc_str channels, choices; /* words with commas between */
    struct tc_str choice;     /* of the answer: once, run, always, no; empty: none */
    struct tc_str comment;    /* for who called; may be empty */
    struct tc_str channel;    /* by which the answer came; empty: none */
    struct tc_str by_kind, by_id;
    int64_t answered_at;
};

struct tc_store_approvals_filter {
    struct tc_str state, agent, tool_id, call_id; /* empty: any */
};

struct tc_store_approvals_ops {
    /* Inserts the row as it is. */
    enum tc_err (*add)(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row);
    /* Sets state, choice, comment, channel, by_kind, by_id and answered_at of row->id
     * while that waits; TC_E_STORE_CONFLICT when it no longer does. */
    enum tc_err (*settle)(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_approval_row *ret_row);
    /* Newest first unless page->descending is false. sort: at only. search looks in
     * tool id, call name, agent, call id. */
    enum tc_err (*page)(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_approvals_filter *filter, struct tc_approval_row **ret_rows,
                        size_t *ret_n, int64_t *ret_total);
    /* Removes rows older than `before` that do not wait; how many. */
    enum tc_err (*prune)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
};

#endif
