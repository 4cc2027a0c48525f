/*
 * One row of the audit as the API shows it: an object, or a line of CSV.
 */
#ifndef TC_API_AUDIT_ROW_H
#define TC_API_AUDIT_ROW_H

#include "api/api.h"
#include "ports/store_audit.h"

/* With what was asked and what ran where the caller may see it. */
void tc_audit_row_write(struct tc_cx *cx, const struct tc_api_call *call, struct tc_jsonw *w,
                        const struct tc_audit_row *row);

/* By RFC 4180; where a cell begins as a formula of a spreadsheet does, an apostrophe
 * stands before it. */
void tc_audit_row_csv_head(struct tc_buf *to);
void tc_audit_row_csv(struct tc_buf *to, const struct tc_audit_row *row, bool bodies);

#endif
