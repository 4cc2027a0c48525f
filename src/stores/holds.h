/*
 * holds(search, text, …) in SQL: 1 when one of the texts has the search in it, whatever
 * the case of ASCII letters. NULL has nothing in it.
 */
#ifndef TC_STORES_HOLDS_H
#define TC_STORES_HOLDS_H

#include "stores/db.h"

/* Makes it known to the connection. TC_E_NO_MEMORY */
enum tc_err tc_holds_add(struct tc_cx *cx, struct tc_db *db);

#endif
