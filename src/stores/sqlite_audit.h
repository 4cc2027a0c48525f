/*
 * What the two files of the audit in SQLite share: sqlite_audit.c writes it and has the
 * table of operations, sqlite_audit_list.c has lists and figures.
 */
#ifndef TC_STORES_SQLITE_AUDIT_H
#define TC_STORES_SQLITE_AUDIT_H

#include "ports/store_audit.h"
#include "stores/sqlite_private.h"

#define TC_SQLITE_AUDIT_COLUMNS                                                                                        \
    "id, at, state, surface, principal_kind, principal_id, as_admin, agent, run, invocation, call_id, tool_id, "       \
    "call_name, snapshot, raw, canonical, repair, gate, arguments, schema, permission, approval, wait_us, exec_us, "   \
    "total_us, result_id, is_error, error_code, result_bytes, effect"

/* Of tc_store_audit_ops. */
PARKS enum tc_err tc_sqlite_audit_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                                       const struct tc_store_audit_filter *filter, struct tc_audit_row **ret_rows,
                                       size_t *ret_n, int64_t *ret_total);
PARKS enum tc_err tc_sqlite_audit_sums(struct tc_cx *cx, struct tc_store *self,
                                       const struct tc_audit_sums_query *query, struct tc_audit_sums *ret_sums);

#endif
