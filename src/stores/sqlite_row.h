/*
 * Tables whose rows have an id, which is the first column: adding a row, and getting one.
 */
#ifndef TC_STORES_SQLITE_ROW_H
#define TC_STORES_SQLITE_ROW_H

#include "stores/sqlite_private.h"

struct tc_sqlite_table {
    const char *noun; /* of a row, for people: "change" */
    const struct tc_row_type *type;
    const char *insert; /* all columns in their order */
    const char *select; /* the same, "… WHERE id = ?" */
};

/* TC_E_STORE_EXISTS. */
PARKS enum tc_err tc_sqlite_row_add(struct tc_cx *cx, struct tc_store *store, const struct tc_sqlite_table *table,
                                    const void *row);
/* TC_E_STORE_NOT_FOUND; ret_row is a struct of the type. */
PARKS enum tc_err tc_sqlite_row_get(struct tc_cx *cx, struct tc_store *store, const struct tc_sqlite_table *table,
                                    struct tc_str id, void *ret_row);
/* Both as parts of an operation. */
enum tc_err tc_sqlite_row_insert(struct tc_cx *cx, struct tc_db *db, const struct tc_sqlite_table *table,
                                 const void *row);
enum tc_err tc_sqlite_row_select(struct tc_cx *cx, struct tc_db *db, const struct tc_sqlite_table *table,
                                 struct tc_str id, void *ret_row);

#endif
