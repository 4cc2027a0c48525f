#include "schema/program.h"
enum tc_err tc_schema_faults(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                             size_t max, struct tc_schema_fault **ret_faults, size_t *ret_n)
{ bool valid; enum tc_err err = tc_schema_validate(cx, schema, instance, &valid); (void)max; *ret_faults = NULL; *ret_n = !err && !valid; return err; }
