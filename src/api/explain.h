/*
 * What an agent may use now, and why not the rest.
 */
#ifndef TC_API_EXPLAIN_H
#define TC_API_EXPLAIN_H

#include "api/api.h"

/* GET /admin/tool/explain: ?agent=, ?style=, ?for=run, ?answers= */
PARKS enum tc_err tc_api_explain(struct tc_cx *cx, struct tc_api_call *call);

#endif
