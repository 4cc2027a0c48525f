/*
 * The description of the API, made from the rows of all resources.
 */
#ifndef TC_API_OPENAPI_H
#define TC_API_OPENAPI_H

#include "api/api.h"
#include "toolcrib/schema.h"

/* The document of OpenAPI 3.1 as one value. */
enum tc_err tc_openapi_write(struct tc_cx *cx, struct tc_jsonw *w);
/* Compiles the text of a schema that may name components. */
enum tc_err tc_openapi_compile(struct tc_cx *cx, const char *schema, struct tc_schema **ret_schema);

#endif
