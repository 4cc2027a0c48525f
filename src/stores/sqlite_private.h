/*
 * What the files of the SQLite store share: running an operation on the right
 * connection, and the table of operations that each aggregate's file defines.
 */
#ifndef TC_STORES_SQLITE_PRIVATE_H
#define TC_STORES_SQLITE_PRIVATE_H

#include "ports/store.h"
#include "stores/query.h"
#include "stores/writer.h"

/* On a connection for reading. What fn puts into its cx->arena lives in the
 * caller's from then on. */
PARKS enum tc_err tc_sqlite_read(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg);
/* In the writer; when fn fails, what it changed is taken back. */
PARKS enum tc_err tc_sqlite_write(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg);
/* The same for an fn that has nothing to do with what is noted: steps of runs are many, and
 * the calls that are noted meanwhile are moved together. */
PARKS enum tc_err tc_sqlite_write_aside(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg);
/* The same as write for an fn that changes rows with one statement only. */
PARKS enum tc_err tc_sqlite_write_one(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg);

/* As tc_writer_notes. */
struct tc_notes *tc_sqlite_notes(struct tc_store *store);
/* As tc_sqlite_read, with all that was noted before in the database. */
PARKS enum tc_err tc_sqlite_read_noted(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg);

/* Removes rows in portions until none is left that the statement finds; its one
 * parameter is `before`. */
PARKS enum tc_err tc_sqlite_prune(struct tc_cx *cx, struct tc_store *store, const char *sql, int64_t before,
                                  int64_t *ret_n);

extern const struct tc_store_tools_ops tc_sqlite_tools;
extern const struct tc_store_agents_ops tc_sqlite_agents;
extern const struct tc_store_toolsets_ops tc_sqlite_toolsets;
extern const struct tc_store_servers_ops tc_sqlite_servers;
extern const struct tc_store_names_ops tc_sqlite_names;
extern const struct tc_store_tokens_ops tc_sqlite_tokens;
extern const struct tc_store_secrets_ops tc_sqlite_secrets;
extern const struct tc_store_grants_ops tc_sqlite_grants;
extern const struct tc_store_audit_ops tc_sqlite_audit;
extern const struct tc_store_results_ops tc_sqlite_results;
extern const struct tc_store_approvals_ops tc_sqlite_approvals;
extern const struct tc_store_channels_ops tc_sqlite_channels;
extern const struct tc_store_tapes_ops tc_sqlite_tapes;
extern const struct tc_store_runs_ops tc_sqlite_runs;
extern const struct tc_store_changes_ops tc_sqlite_changes;
extern const struct tc_store_settings_ops tc_sqlite_settings;

/* Puts the records of calls into the database. */
enum tc_err tc_sqlite_audit_apply(struct tc_cx *cx, struct tc_db *db, struct tc_str records);

#endif
