/*
 * What stands behind the '?' of a request, by the parameters that its route names.
 */
#ifndef TC_API_QUERY_H
#define TC_API_QUERY_H

#include "api/api.h"
#include "toolcrib/schema.h"

/* The parameters of a route by index, those of its kind of access included; NULL past the
 * last. */
const struct tc_api_param *tc_api_param_at(const struct tc_api_route *route, size_t i);
/* The schema of all of them as one object; NULL in *ret_schema: whatever stands there is fine. */
enum tc_err tc_api_query_compile(struct tc_cx *cx, const struct tc_api_route *route, struct tc_schema **ret_schema);
/* TC_E_HTTP_BAD_REQUEST for what the route does not name, a value that does not fit its
 * schema, one that is missing or given twice. An empty value is none. */
enum tc_err tc_api_query_check(struct tc_cx *cx, const struct tc_api_route *route, const struct tc_schema *schema,
                               struct tc_str query);
/* Puts a body's or a query's faults into one error: `what` does not fit. */
enum tc_err tc_api_unfit(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *value,
                         const char *what);

#endif
