/*
 * What stands behind the '?' is checked as a body is.
 */
#include "api/query.h"
#include "support/test.h"

static const struct tc_api_param params[] = {
    {"id", true, "Which one", NULL},
    {"limit", false, "How many", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}"},
    {"deep", false, "All of it", TC_API_BOOLEAN},
    {"order", false, "Which way", "{\"enum\":[\"asc\",\"desc\"]}"},
    {0}};
static const struct tc_api_route closed = {{"GET", "/x"}, .access = TC_API_VIEWER, .query = params};
static const struct tc_api_param any[] = {{.name = "*"}, {"id", true, "Which one", NULL}, {0}};
static const struct tc_api_route open_to_all = {{"GET", "/x"}, .access = TC_API_VIEWER, .query = any};
static const struct tc_api_route none = {{"GET", "/x"}, .access = TC_API_VIEWER};
static const struct tc_api_route of_agents = {{"GET", "/x"}, .access = TC_API_AGENT};

static struct tc_str refused(struct test_cx *test, const struct tc_api_route *route, const char *query)
{
    struct tc_schema *schema;
    enum tc_err e;

    tc_fail_clear(&test->cx);
    assert_int_equal(tc_api_query_compile(&test->cx, route, &schema), TC_OK);
    e = tc_api_query_check(&test->cx, route, schema, tc_str_of(query));
    tc_schema_unref(schema);
    if (e)
        assert_int_equal(e, TC_E_HTTP_BAD_REQUEST);
    return e ? test->cx.err.message : TC_STR("");
}

static void takes(struct test_cx *test, const struct tc_api_route *route, const char *query)
{
    struct tc_str message = refused(test, route, query);

    if (message.n)
        fail_msg("?%s: %.*s", query, TC_STR_ARG(message));
}

static void refuses(struct test_cx *test, const struct tc_api_route *route, const char *query, const char *part)
{
    struct tc_str message = refused(test, route, query);

    if (tc_str_find(message, tc_str_of(part)) == SIZE_MAX)
        fail_msg("?%s: \"%.*s\" does not say %s", query, TC_STR_ARG(message), part);
}

void test_query__values_fit_what_the_route_names(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    takes(&test, &closed, "id=a");
    takes(&test, &closed, "id=7&limit=7&deep=true&order=asc");
    takes(&test, &closed, "&id=a%20b&&limit=&");
    refuses(&test, &closed, "limit=7", "id");
    refuses(&test, &closed, "id=", "id");
    refuses(&test, &closed, "id=a&limit=10", "/limit");
    refuses(&test, &closed, "id=a&limit=seven", "/limit");
    refuses(&test, &closed, "id=a&deep=1", "/deep");
    refuses(&test, &closed, "id=a&order=up", "/order");
    refuses(&test, &closed, "id=a&id=b", "?id= is given twice");
    test_cx_finish(&test);
}

void test_query__what_is_not_named_is_refused_with_what_is_nearest(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    refuses(&test, &closed, "id=a&limt=7", "Did you mean \"limit\"?");
    refuses(&test, &closed, "id=a&limt=", "Did you mean \"limit\"?");
    refuses(&test, &none, "id=a", "id");
    takes(&test, &none, "");
    takes(&test, &open_to_all, "id=a&more=b&more=c");
    refuses(&test, &open_to_all, "more=b", "id");
    takes(&test, &of_agents, "agent=a");
    refuses(&test, &of_agents, "agnet=a", "agent");
    test_cx_finish(&test);
}

void test_query__any_bytes_are_read(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    takes(&test, &closed, "id=%ff%00%zz+%");
    refuses(&test, &closed, "id=a&%ff=1", "The query does not fit");
    refuses(&test, &closed, "id=a&%ff=1&%fe=2", "The query does not fit");
    test_cx_finish(&test);
}
