/*
 * Queries from any bytes, for routes with parameters of each kind: one is taken or refused
 * as a bad request, and what was taken stays taken when an empty part is put in.
 */
#include <stdlib.h>

#include "api/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tc_api_param params[] = {
    {"id", true, "Which one", NULL},
    {"limit", false, "How many", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}"},
    {"deep", false, "All of it", TC_API_BOOLEAN},
    {"order", false, "Which way", "{\"enum\":[\"asc\",\"desc\"]}"},
    {0}};
static const struct tc_api_param any[] = {{.name = "*"}, {"id", true, "Which one", NULL}, {0}};
static const struct tc_api_route routes[] = {
    {{"GET", "/x"}, .access = TC_API_VIEWER, .query = params},
    {{"GET", "/x"}, .access = TC_API_VIEWER, .query = any},
    {{"GET", "/x"}, .access = TC_API_AGENT},
};

static enum tc_err check(struct tc_cx *cx, const struct tc_api_route *route, struct tc_str query)
{
    struct tc_schema *schema;
    enum tc_err e;

    tc_fail_clear(cx);
    if (tc_api_query_compile(cx, route, &schema))
        abort();
    e = tc_api_query_check(cx, route, schema, query);
    tc_schema_unref(schema);
    if (e && (e != TC_E_HTTP_BAD_REQUEST || !cx->err.message.n))
        abort();
    return e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str query = tc_str_n((const char *)data, size), more;
    struct tc_arena arena;
    struct tc_buf buf;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    tc_buf_init(&buf, SIZE_MAX / 2);
    tc_buf_char(&buf, '&');
    tc_buf_str(&buf, query);
    tc_buf_cstr(&buf, "&&");
    more = tc_buf_get(&buf);
    for (size_t i = 0; !buf.failed && i < sizeof routes / sizeof *routes; i++)
        if (check(&cx, &routes[i], query) != check(&cx, &routes[i], more))
            abort();
    tc_buf_finish(&buf);
    tc_arena_finish(&arena);
    return 0;
}
