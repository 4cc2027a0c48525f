#include "schema/metaschema.h"
struct tc_str tc_metaschema_find(struct tc_str uri) { (void)uri; return tc_str_n(NULL, 0); }
