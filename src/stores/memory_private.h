/*
 * What the files of the store in memory share: its tables, and the table of
 * operations that each aggregate's file defines.
 */
#ifndef TC_STORES_MEMORY_PRIVATE_H
#define TC_STORES_MEMORY_PRIVATE_H

#include "ports/store.h"
#include "stores/table.h"

struct tc_tape_entry;

struct tc_memory {
    struct tc_store base;
    struct tc_table tools;       /* by name */
    struct tc_table agents;      /* by id; documents */
    struct tc_table toolsets;    /* by id; documents */
    struct tc_table names;       /* by agent, style, tool */
    struct tc_table names_index; /* by agent, style, name */
    struct tc_table servers;     /* by name */
    struct tc_table definitions; /* by server, name */
    struct tc_table tokens;      /* by id */
    struct tc_table secrets;     /* by name */
    struct tc_table grants;      /* by server, identity */
    struct tc_table grant_clients; /* by server, issuer */
    struct tc_table audit;       /* by id */
    struct tc_table results;     /* by id */
    struct tc_table snapshots;   /* by hash; documents */
    struct tc_table approvals;   /* by id */
    struct tc_table channels;    /* by id */
    struct tc_table tapes;       /* by id */
    struct tc_table tape_entries; /* by tape, number */
    struct tc_table runs;        /* by id */
    struct tc_table run_events;  /* by run, number */
    struct tc_table changes;     /* by id */
    struct tc_table settings;    /* by id */
    int64_t last_tool;           /* row id given last */
};

static inline struct tc_memory *tc_memory_of(struct tc_store *store)
{
    return (struct tc_memory *)store;
}

/* Rows of a tape and of a run as they are kept: those of the port, which come first,
 * with whose they are. */
extern const struct tc_row_type tc_memory_tape_entry, tc_memory_run_event;

/* Rows to be added: what can fail of it is done by then. */
struct tc_memory_append {
    void **copies; /* NULL: there are none */
    size_t n;
};
/* Entries behind `last`, append->n of them; as the port's append fails. */
enum tc_err tc_memory_tape_prepare(struct tc_cx *cx, struct tc_memory *memory, struct tc_str id, int64_t last,
                                   const struct tc_tape_entry *entries, struct tc_memory_append *append);
void tc_memory_tape_add(struct tc_memory *memory, struct tc_str id, struct tc_tape_entry *entries,
                        const struct tc_memory_append *append);

/* Copies the row and puts the copy into the table, in place of the one with its
 * key. TC_E_NO_MEMORY leaves the table as it was. */
enum tc_err tc_memory_put(struct tc_cx *cx, struct tc_table *table, const void *row);
/* Copies the whole table into the arena. */
enum tc_err tc_memory_all(struct tc_cx *cx, const struct tc_table *table, void *ret_rows, size_t *ret_n);
/* One row into the arena. */
enum tc_err tc_memory_get(struct tc_cx *cx, const struct tc_table *table, const void *row, void *ret_row);
/* The part of n sorted rows that the page shows, into the arena. */
enum tc_err tc_memory_page(struct tc_cx *cx, const struct tc_row_type *type, void **rows, size_t n,
                           const struct tc_store_page *page, void *ret_rows, size_t *ret_n);
/* True when nothing is wanted, or this. */
static inline bool tc_memory_is_or_any(struct tc_str value, struct tc_str wanted)
{
    return wanted.n == 0 || tc_str_eq(value, wanted);
}
/* True when the text holds the search, whatever the case of ASCII letters. */
bool tc_memory_search(struct tc_str text, struct tc_str search);

extern const struct tc_store_tools_ops tc_memory_tools;
extern const struct tc_store_agents_ops tc_memory_agents;
extern const struct tc_store_toolsets_ops tc_memory_toolsets;
extern const struct tc_store_servers_ops tc_memory_servers;
extern const struct tc_store_names_ops tc_memory_names;
extern const struct tc_store_tokens_ops tc_memory_tokens;
extern const struct tc_store_secrets_ops tc_memory_secrets;
extern const struct tc_store_grants_ops tc_memory_grants;
extern const struct tc_store_audit_ops tc_memory_audit;
extern const struct tc_store_results_ops tc_memory_results;
extern const struct tc_store_approvals_ops tc_memory_approvals;
extern const struct tc_store_channels_ops tc_memory_channels;
extern const struct tc_store_tapes_ops tc_memory_tapes;
extern const struct tc_store_runs_ops tc_memory_runs;
extern const struct tc_store_changes_ops tc_memory_changes;
extern const struct tc_store_settings_ops tc_memory_settings;

#endif
