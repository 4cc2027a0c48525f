/*
 * GET /admin/audit/export: calls as a file, a row a line. Oldest first, by id: rows that
 * come meanwhile neither repeat nor hide one, and what came after the begin is not in it.
 */
#ifndef TC_API_AUDIT_EXPORT_H
#define TC_API_AUDIT_EXPORT_H

#include "api/api.h"

PARKS enum tc_err tc_audit_export(struct tc_cx *cx, struct tc_api_call *call);

#endif
