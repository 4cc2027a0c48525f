/*
 * A page of rows at a time, by number and by bytes, each in memory of its own, the next one
 * when the client has taken it. A stream that fails on its way is not ended, which shows to the client.
 */
#include "api/audit_export.h"

#include "api/audit_filter.h"
#include "api/audit_row.h"
#include "api/stream.h"
#include "base/clock.h"

enum { ROWS = 100, BYTES = 1024 * 1024, AFTER_MAX = 256 };

struct export {
    struct tc_api_call *call;
    struct tc_store_audit_filter filter;
    struct tc_str search;
    bool csv, bodies, more;
    struct tc_buf text;     /* of the page */
    char after[AFTER_MAX];  /* id of the last row */
};

static enum tc_err read_format(struct tc_cx *cx, struct export *export)
{
    struct tc_str format = tc_api_query(cx, export->call, "format");

    export->csv = tc_str_is(format, "csv");
    if (export->csv || !format.n || tc_str_is(format, "jsonl"))
        return TC_OK;
    tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "There is no format \"%.*s\".", TC_STR_ARG(format));
    tc_fail_hint(cx, "format is jsonl or csv.");
    return tc_fail_field(cx, TC_STR("/format"));
}

static void write_row(struct tc_cx *cx, struct export *export, const struct tc_audit_row *row)
{
    struct tc_jsonw w;

    if (export->csv) {
        tc_audit_row_csv(&export->text, row, export->bodies);
        return;
    }
    tc_jsonw_init(&w, &export->text);
    tc_audit_row_write(cx, export->call, &w, row);
    tc_buf_char(&export->text, '\n');
}

static enum tc_err read_rows(struct tc_cx *cx, struct export *export)
{
    const struct tc_store_page page = {
        .page = 1, .size = ROWS, .bytes = BYTES, .sort = TC_STR("id"), .search = export->search, .uncounted = true};
    struct tc_store *store = export->call->runtime->store;
    struct tc_audit_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e = store->audit->page(cx, store, &page, &export->filter, &rows, &n, &total);

    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        write_row(cx, export, &rows[i]);
    if (export->text.failed)
        return tc_fail_memory(cx);
    export->more = n > 0;
    if (n && rows[n - 1].id.n > sizeof export->after)
        return tc_fail(cx, TC_E_INTERNAL, "The id of a call is too long.");
    if (n) { /* outlives its page */
        memcpy(export->after, rows[n - 1].id.p, rows[n - 1].id.n);
        export->filter.after = tc_str_n(export->after, rows[n - 1].id.n);
    }
    return TC_OK;
}

/* In memory that ends with the page. */
static enum tc_err read_page(struct tc_cx *cx, struct export *export)
{
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    enum tc_err e;

    tc_arena_init(&arena, cx->arena->max);
    e = read_rows(&one, export);
    if (e)
        tc_fail_from(cx, &one);
    tc_arena_finish(&arena);
    return e;
}

static enum tc_err begin(struct tc_cx *cx, struct export *export)
{
    struct tc_header fields[] = {
        {TC_STR("Content-Disposition"),
         export->csv ? TC_STR("attachment; filename=\"calls.csv\"") : TC_STR("attachment; filename=\"calls.jsonl\"")},
        {TC_STR("Cache-Control"), TC_STR("no-store")},
        {TC_STR("X-Accel-Buffering"), TC_STR("no")},
    };
    const struct tc_exchange_reply reply = {
        .status = 200,
        .content_type = export->csv ? TC_STR("text/csv; charset=utf-8; header=present") : TC_STR("application/jsonl"),
        .extra = {fields, sizeof fields / sizeof *fields},
        .body = tc_buf_get(&export->text),
    };

    return tc_exchange_stream_begin(cx, export->call->exchange, &reply);
}

static enum tc_err run(struct tc_cx *cx, struct export *export)
{
    enum tc_err e;

    if (export->csv)
        tc_audit_row_csv_head(&export->text);
    e = read_page(cx, export); /* what fails here is answered as usual */
    if (!e)
        e = begin(cx, export);
    while (!e && export->more) {
        tc_buf_clear(&export->text);
        e = tc_api_stream_check(cx, export->call);
        if (!e)
            e = read_page(cx, export);
        if (!e)
            e = tc_exchange_stream_write(cx, export->call->exchange, tc_buf_get(&export->text));
    }
    return e ? e : tc_exchange_stream_end(cx, export->call->exchange);
}

enum tc_err tc_audit_export(struct tc_cx *cx, struct tc_api_call *call)
{
    enum { TEXT_MAX = 1024 * 1024 * 1024 };
    struct export export = {
        .call = call, .search = tc_api_query(cx, call, "search"), .bodies = tc_api_sees_bodies(call)};
    enum tc_err e = read_format(cx, &export);

    if (!e)
        e = tc_audit_filter_read(cx, call, NULL, &export.filter);
    if (e)
        return e;
    if (!export.filter.to)
        export.filter.to = tc_clock_wall_ms(cx->clock) + 1;
    tc_buf_init(&export.text, TEXT_MAX);
    e = run(cx, &export);
    tc_buf_finish(&export.text);
    return e;
}
