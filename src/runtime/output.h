/*
 * Structured content of a server's result against the output schema that its tool
 * declares. What came stays as it is: who reads it is told what does not fit, and
 * so is the record.
 */
#ifndef TC_RUNTIME_OUTPUT_H
#define TC_RUNTIME_OUTPUT_H

#include "catalog/descriptor.h"

/* *ret_result is `result` itself when all is well: it fits, the tool declares no
 * schema, or it is an error, which no schema binds. Else it is the result with one
 * text more that says what does not fit, and *ret_code TC_E_MCP_OUTPUT. Fails
 * without memory only. */
enum tc_err tc_output_check(struct tc_cx *cx, const struct tc_descriptor *tool, const struct tc_json *result,
                            const struct tc_json **ret_result, enum tc_err *ret_code);

#endif
