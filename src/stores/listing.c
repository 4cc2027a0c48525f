/*
 * Composing and running the two statements of a page.
 */
#include "stores/listing.h"

#include <assert.h>
#include <inttypes.h>

#include "toolcrib/buf.h"

enum { SQL_MAX = 8192 };

static void add(struct tc_listing *listing, struct tc_listing_condition condition)
{
    assert(listing->n < TC_LISTING_CONDITIONS);
    listing->conditions[listing->n++] = condition;
}

void tc_listing_text(struct tc_listing *listing, const char *sql, struct tc_str text)
{
    if (text.n)
        add(listing, (struct tc_listing_condition){.sql = sql, .is_text = true, .text = text});
}

void tc_listing_int(struct tc_listing *listing, const char *sql, int64_t number)
{
    add(listing, (struct tc_listing_condition){.sql = sql, .number = number});
}

void tc_listing_search(struct tc_listing *listing, const char *sql)
{
    tc_listing_text(listing, sql, listing->page->search);
}

/* " FROM table WHERE a AND b" */
static void compose(struct tc_buf *sql, const struct tc_listing *listing)
{
    tc_buf_printf(sql, " FROM %s", listing->table);
    for (size_t i = 0; i < listing->n; i++)
        tc_buf_printf(sql, " %s %s", i ? "AND" : "WHERE", listing->conditions[i].sql);
}

static void start(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing,
                  const struct tc_buf *sql)
{
    tc_query_start_once(query, cx, db, tc_buf_get(sql));
    if (sql->failed)
        query->err = tc_fail_memory(cx);
    for (size_t i = 0; i < listing->n; i++) {
        const struct tc_listing_condition *condition = &listing->conditions[i];

        if (condition->is_text)
            tc_query_text(query, condition->text);
        else
            tc_query_int(query, condition->number);
    }
}

void tc_listing_select(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing)
{
    struct tc_buf sql;

    tc_buf_init(&sql, SQL_MAX);
    tc_buf_printf(&sql, "SELECT %s", listing->columns);
    compose(&sql, listing);
    start(query, cx, db, listing, &sql);
    tc_buf_finish(&sql);
}

/* A page that is not full, and not behind the last, tells how many there are. */
static bool is_counted(const struct tc_store_page *page, size_t n, int64_t *ret_total)
{
    int64_t before = (page->page - 1) * page->size;

    if (page->uncounted)
        *ret_total = -1;
    else if ((int64_t)n < page->size && (n || page->page == 1))
        *ret_total = before + (int64_t)n;
    else
        return false;
    return true;
}

static enum tc_err count_rows(struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing, int64_t *ret_total)
{
    struct tc_listing count = *listing;
    struct tc_query query;

    count.columns = "count(*)";
    tc_listing_select(&query, cx, db, &count);
    if (tc_query_next(&query))
        *ret_total = tc_query_read_int(&query);
    return tc_query_end(&query);
}

static enum tc_err read_rows(struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing, void *ret_rows,
                             size_t *ret_n)
{
    const struct tc_store_page *page = listing->page;
    struct tc_query query;
    struct tc_buf sql;
    enum tc_err err;

    tc_buf_init(&sql, SQL_MAX);
    tc_buf_printf(&sql, "SELECT %s", listing->columns);
    compose(&sql, listing);
    tc_buf_printf(&sql, " ORDER BY %s LIMIT %" PRId64 " OFFSET %" PRId64, listing->order, page->size,
                  (page->page - 1) * page->size);
    start(&query, cx, db, listing, &sql);
    query.bytes = (size_t)page->bytes;
    err = tc_query_rows(&query, listing->type, ret_rows, ret_n);
    tc_buf_finish(&sql);
    return err;
}

enum tc_err tc_listing_run(struct tc_cx *cx, struct tc_db *db, const struct tc_listing *listing, void *ret_rows,
                           size_t *ret_n, int64_t *ret_total)
{
    struct tc_query end;
    enum tc_err err = tc_db_exec(cx, db, "BEGIN");

    if (err)
        return err;
    err = read_rows(cx, db, listing, ret_rows, ret_n);
    if (!err && !is_counted(listing->page, *ret_n, ret_total))
        err = count_rows(cx, db, listing, ret_total);
    tc_query_start(&end, cx, db, "COMMIT");
    if (tc_query_run(&end, NULL) && !err)
        err = cx->err.code;
    return err;
}
