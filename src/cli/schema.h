/*
 * What the verbs of `toolcrib schema` share: options, and faults as JSON.
 */
#ifndef TC_CLI_SCHEMA_H
#define TC_CLI_SCHEMA_H

#include "cli/cli.h"
#include "toolcrib/jsonw.h"
#include "toolcrib/schema.h"

enum { TC_CLI_FAULTS_MAX = 5 };

/* "valid" and "errors" of the object being written. */
enum tc_err tc_cli_write_verdict(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_schema *schema,
                                 const struct tc_json *instance, bool *ret_valid);
/* One request a line from standard input, one answer a line; see the details of
 * the command. */
PARKS enum tc_err tc_cli_schema_batch(struct tc_cx *cx, struct tc_cli *cli, const struct tc_schema_options *options);

#endif
