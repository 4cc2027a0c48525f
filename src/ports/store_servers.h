/*
 * MCP servers and what is known of their tools. A removed server keeps its row,
 * so that adding its name again takes its UUID, names and permissions.
 */
#ifndef TC_PORTS_STORE_SERVERS_H
#define TC_PORTS_STORE_SERVERS_H

#include "ports/store.h"

struct tc_server_row {
    struct tc_str uuid;     /* canonical, lower case */
    struct tc_str name;     /* [a-z0-9-]{1,32}, unique, immutable */
    struct tc_str label;
    struct tc_str config;   /* JSON text: command, args, env, cwd, url, headers, include, exclude, … */
    struct tc_str settings; /* JSON text: permission, newTools, onChange, tools{name: permission}, limits */
    struct tc_str source;   /* "operator" or "config" */
    struct tc_str found;    /* JSON text: how it was reached and spoken to last; empty: not known */
    bool paused, removed;
    int64_t version;
    int64_t created_at, updated_at;
};

/* One tool of a server, by native name. */
struct tc_definition_row {
    struct tc_str server, name;
    struct tc_str entry;         /* JSON text of the tools/list entry seen last */
    struct tc_str definition;    /* its hash */
    struct tc_str approved;      /* hash that is approved; empty: none yet */
    struct tc_str approved_entry; /* what was approved, for the diff; may be empty */
    struct tc_str permission;    /* "allow", "ask", "off", or empty: the server's */
    bool absent;                 /* not in the last list */
    int64_t seen_at;
};

struct tc_store_servers_ops {
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_server_row **ret_rows, size_t *ret_n);
    /* Inserts by uuid (version 0), or updates when row->version is the stored one
     * (0: any) and counts it up. TC_E_STORE_EXISTS when another server has the name,
     * TC_E_STORE_CONFLICT also for another name than the stored one. */
    enum tc_err (*put)(struct tc_cx *cx, struct tc_store *self, const struct tc_server_row *row, int64_t now);
    /* Sets `found` alone; the row's version stays. TC_E_STORE_NOT_FOUND. */
    enum tc_err (*put_found)(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, struct tc_str found);
    enum tc_err (*definitions)(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid,
                               struct tc_definition_row **ret_rows, size_t *ret_n);
    /* Inserts or replaces by (server, name), one transaction. TC_E_STORE_NOT_FOUND
     * when a server is not stored. */
    enum tc_err (*put_definitions)(struct tc_cx *cx, struct tc_store *self, const struct tc_definition_row *rows,
                                   size_t n);
    /* Removes absent definitions of that server that were seen last before `before`;
     * how many. */
    enum tc_err (*prune_definitions)(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, int64_t before,
                                     int64_t *ret_n);
};

#endif
