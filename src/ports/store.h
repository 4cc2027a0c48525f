/*
 * The store: one port an aggregate over one connection. Each port is a const
 * table of operations; every operation PARKS, takes the store as `self`, puts
 * what it returns into cx->arena, and fails with TC_E_STORE_FAILED (disk,
 * driver), TC_E_STORE_NOT_FOUND, TC_E_STORE_EXISTS or TC_E_STORE_CONFLICT (the
 * version is not the stored one). All members MUST be there.
 *
 * One contract suite (tests/contract) runs on every implementation. A write that
 * has returned is committed; how durable that is, is `store.sync`. A write of a
 * cancelled task is done all the same, a read fails.
 * Times are Unix milliseconds; 0 means never.
 */
#ifndef TC_PORTS_STORE_H
#define TC_PORTS_STORE_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_store;
struct tc_store_tools_ops;
struct tc_store_agents_ops;
struct tc_store_toolsets_ops;
struct tc_store_servers_ops;
struct tc_store_names_ops;
struct tc_store_tokens_ops;
struct tc_store_secrets_ops;
struct tc_store_grants_ops;
struct tc_store_audit_ops;
struct tc_store_approvals_ops;
struct tc_store_results_ops;
struct tc_store_channels_ops;
struct tc_store_tapes_ops;
struct tc_store_runs_ops;
struct tc_store_changes_ops;
struct tc_store_settings_ops;

struct tc_store {
    const char *driver; /* "sqlite", "memory", … */
    const struct tc_store_tools_ops *tools;
    const struct tc_store_agents_ops *agents;
    const struct tc_store_toolsets_ops *toolsets;
    const struct tc_store_servers_ops *servers;
    const struct tc_store_names_ops *names;
    const struct tc_store_tokens_ops *tokens;
    const struct tc_store_secrets_ops *secrets;
    const struct tc_store_grants_ops *grants;
    const struct tc_store_audit_ops *audit;
    const struct tc_store_results_ops *results;
    const struct tc_store_approvals_ops *approvals;
    const struct tc_store_channels_ops *channels;
    const struct tc_store_tapes_ops *tapes;
    const struct tc_store_runs_ops *runs;
    const struct tc_store_changes_ops *changes;
    const struct tc_store_settings_ops *settings;
    /* Finishes what is queued and frees. Parks; no operation may be under way. */
    void (*close)(struct tc_cx *cx, struct tc_store *self);
};

/* One page of a listing. size ≤ 200; page from 1. sort NULL: the port's default. */
struct tc_store_page {
    int64_t page, size;
    struct tc_str search; /* part of a name or text, any case; empty: all */
    struct tc_str sort;   /* a column that the port names, else TC_E_USAGE */
    bool descending;
    int64_t bytes;        /* a page ends with the row by which its texts have so many; 0: with its last row. Only
                           * where uncounted is set, and of the audit */
    bool uncounted;       /* how many there are in all is not asked for: the total may be -1 */
};

#endif
