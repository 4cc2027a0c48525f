/*
 * Pages of a table: conditions that are there only when asked for, so that an
 * index serves those that are, the rows of the page and how many match in all,
 * both of one moment.
 */
#ifndef TC_STORES_LISTING_H
#define TC_STORES_LISTING_H

#include "stores/query.h"

enum { TC_LISTING_CONDITIONS = 32 };

struct tc_listing_condition {
    const char *sql; /* with one ? for the value, such as "agent = ?" */
    bool is_text;
    struct tc_str text;
    int64_t number;
};

struct tc_listing {
    const char *table, *columns; /* columns in the order of the row type */
    const struct tc_row_type *type;
    const char *order; /* "at DESC, id DESC" */
    const struct tc_store_page *page; /* NULL: for tc_listing_select alone */
    struct tc_listing_condition conditions[TC_LISTING_CONDITIONS];
    size_t n;
};

/* Adds a condition; an empty text adds none. sql is a literal. */
void tc_listing_text(struct tc_listing *listing, const char *sql, struct tc_str text);
void tc_listing_int(struct tc_listing *listing, const char *sql, int64_t number);
/* Rows that hold the page's search, if there is one: sql is "holds(?, a, b)" (holds.h). */
void tc_listing_search(struct tc_listing *listing, const char *sql);
/* Begins "SELECT columns FROM table WHERE conditions", in no order. */
void tc_listing_select(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing);
/* ret_rows points to a pointer to rows of the type. */
enum tc_err tc_listing_run(struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing, void *ret_rows,
                           size_t *ret_n, int64_t *ret_total);

#endif
