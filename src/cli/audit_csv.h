/*
 * Audit rows as lines of CSV (RFC 4180). Pure.
 */
#ifndef TC_CLI_AUDIT_CSV_H
#define TC_CLI_AUDIT_CSV_H

#include "toolcrib/buf.h"
#include "toolcrib/json.h"

void tc_cli_audit_csv_head(struct tc_buf *to);
/* One row as the API gives it. */
void tc_cli_audit_csv_row(struct tc_buf *to, struct tc_arena *arena, const struct tc_json *row);

#endif
