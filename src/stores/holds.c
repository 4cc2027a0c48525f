/*
 * A list's search looks into several columns of many rows: joining and lowering them
 * first, as SQL's own words would have it, costs four times as much.
 */
#include "stores/holds.h"

#include <sqlite3.h>

static struct tc_str text_of(sqlite3_value *value)
{
    const void *p = sqlite3_value_blob(value); /* first: it may change how many bytes there are */

    return tc_str_n(p, (size_t)sqlite3_value_bytes(value));
}

static void holds(sqlite3_context *context, int n, sqlite3_value **values)
{
    struct tc_str search = n ? text_of(values[0]) : TC_STR("");
    bool found = false;

    for (int i = 1; i < n && !found; i++)
        found = sqlite3_value_type(values[i]) != SQLITE_NULL &&
                tc_str_find_nocase(text_of(values[i]), search) != SIZE_MAX;
    sqlite3_result_int(context, found);
}

enum tc_err tc_holds_add(struct tc_cx *cx, struct tc_db *db)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;

    if (sqlite3_create_function_v2(db->handle, "holds", -1, flags, NULL, holds, NULL, NULL, NULL) != SQLITE_OK)
        return tc_db_fail(cx, db);
    return TC_OK;
}
