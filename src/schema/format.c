#include "schema/format.h"
unsigned tc_format_find(struct tc_str name, enum tc_schema_draft draft) { (void)name; (void)draft; return 0; }
bool tc_format_check(unsigned format, struct tc_str text) { (void)format; (void)text; return true; }
