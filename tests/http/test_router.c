#include "http/router.h"
#include "support/test.h"

#include "base/percent.h"

struct row {
    struct tc_route route;
    int scope;
};

static const struct row rows[] = {
    {{"GET", "/"}, 1},
    {{"GET", "/v1/tools"}, 2},
    {{"POST", "/v1/tools/call"}, 3},
    {{"GET", "/v1/runs/{id}"}, 4},
    {{"DELETE", "/v1/runs/{id}"}, 5},
    {{"POST", "/v1/runs/{id}/answer"}, 6},
    {{"GET", "/v1/runs/latest"}, 7},
    {{"POST", "/v1/runs/latest"}, 8},
    {{"GET", "/assets/{path*}"}, 9},
    {{"GET", "/{a}/x/{b}"}, 10},
};

struct fixture {
    struct test_cx test;
    struct tc_router router;
    struct tc_router_match match;
};

static void setup(struct fixture *f)
{
    test_cx_init(&f->test);
    tc_router_init(&f->router);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(tc_router_add(&f->test.cx, &f->router, &rows[i].route), TC_OK);
}

static void teardown(struct fixture *f)
{
    tc_router_finish(&f->router);
    test_cx_finish(&f->test);
}

/* The scope of the row that serves it, or 0. */
static int match(struct fixture *f, const char *method, const char *path)
{
    if (tc_router_match(&f->test.cx, &f->router, tc_str_of(method), tc_str_of(path), &f->match))
        return 0;
    return ((const struct row *)f->match.route)->scope;
}

void test_router__finds_the_row_and_its_parameters(void **state)
{
    struct fixture f;

    (void)state;
    setup(&f);
    assert_int_equal(match(&f, "GET", "/"), 1);
    assert_int_equal(match(&f, "GET", "/v1/tools"), 2);
    assert_int_equal(match(&f, "HEAD", "/v1/tools"), 2);
    assert_int_equal(match(&f, "GET", "/v1/runs/a%2Fb%20c"), 4);
    assert_str(tc_router_param(&f.match, TC_STR("id")), "a/b c");
    assert_null(tc_router_param(&f.match, TC_STR("ID")).p);
    assert_int_equal(match(&f, "DELETE", "/v1/runs/7"), 5);
    assert_int_equal(match(&f, "POST", "/v1/runs/7/answer"), 6);
    assert_int_equal(match(&f, "GET", "/assets/js/a.js"), 9);
    assert_str(tc_router_param(&f.match, TC_STR("path")), "js/a.js");
    assert_int_equal(match(&f, "GET", "/1/x/2"), 10);
    assert_str(tc_router_param(&f.match, TC_STR("a")), "1");
    assert_str(tc_router_param(&f.match, TC_STR("b")), "2");
    teardown(&f);
}

void test_router__literal_path_stands_over_a_name(void **state)
{
    struct fixture f;

    (void)state;
    setup(&f);
    assert_int_equal(match(&f, "GET", "/v1/runs/latest"), 7);
    assert_int_equal(f.match.params, 0);
    assert_int_equal(match(&f, "GET", "/v1/runs/l%61test"), 7);
    assert_int_equal(match(&f, "DELETE", "/v1/runs/latest"), 5);
    assert_int_equal(match(&f, "GET", "/v%31/tools"), 2);
    teardown(&f);
}

void test_router__tells_unknown_path_from_unknown_method(void **state)
{
    static const char *const unknown[] = {"/x",          "/v1/tools/", "/v1//tools", "/v1/runs/", "/v1/runs",
                                          "/v1/runs/7/", "/assets",    "/assets/",   "*",         "",
                                          "/V1/tools",   "//x/2",      "/v1%2Ftools"};
    struct fixture f;

    (void)state;
    setup(&f);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (match(&f, "GET", unknown[i]))
            fail_msg("%s was found", unknown[i]);
        assert_int_equal(f.test.cx.err.code, TC_E_HTTP_NOT_FOUND);
    }
    assert_int_equal(match(&f, "PUT", "/v1/runs/latest"), 0);
    assert_int_equal(f.test.cx.err.code, TC_E_HTTP_METHOD);
    assert_str(f.match.allow, "GET, HEAD, POST, DELETE");
    assert_int_equal(match(&f, "HEAD", "/v1/tools/call"), 0);
    assert_str(f.match.allow, "POST");
    teardown(&f);
}

void test_router__refuses_routes_that_are_malformed_or_there_twice(void **state)
{
    static const struct tc_route wrong[] = {
        {"GET", "x"},          {"GET", "/{}"},       {"GET", "/{*}"},      {"GET", "/{a*}/b"},
        {"GET", "/a{b}"},      {"GET", "/{a}b"},     {"GET", "/v1/tools"}, {"DELETE", "/v1/runs/{id}"},
        {"GET", "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}"},
    };
    struct fixture f;

    (void)state;
    setup(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(tc_router_add(&f.test.cx, &f.router, &wrong[i]), TC_E_INTERNAL);
    teardown(&f);
}

void test_router__query_values_are_decoded(void **state)
{
    struct test_cx test;
    struct tc_str query = TC_STR("a=1&b=x%20y+z&&c&d=&a=2&%65=%C3%A4&f=100%&g=a=b");

    (void)state;
    test_cx_init(&test);
    assert_str(tc_percent_query(&test.arena, query, TC_STR("a")), "1");
    assert_str(tc_percent_query(&test.arena, query, TC_STR("b")), "x y z");
    assert_non_null(tc_percent_query(&test.arena, query, TC_STR("c")).p);
    assert_str(tc_percent_query(&test.arena, query, TC_STR("d")), "");
    assert_str(tc_percent_query(&test.arena, query, TC_STR("e")), "\xC3\xA4");
    assert_str(tc_percent_query(&test.arena, query, TC_STR("f")), "100%");
    assert_str(tc_percent_query(&test.arena, query, TC_STR("g")), "a=b");
    assert_null(tc_percent_query(&test.arena, query, TC_STR("h")).p);
    assert_null(tc_percent_query(&test.arena, TC_STR(""), TC_STR("a")).p);
    test_cx_finish(&test);
}

void test_router__percent_encoding_round_trips(void **state)
{
    struct test_cx test;
    struct tc_buf buf;
    char all[256];

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 4096);
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    tc_percent_encode(&buf, tc_str_n(all, 256));
    assert_true(tc_str_eq(tc_percent_decode(&test.arena, tc_buf_get(&buf)), tc_str_n(all, 256)));
    tc_buf_clear(&buf);
    tc_percent_encode(&buf, TC_STR("a-._~Z9/ \xFF"));
    assert_str(tc_buf_get(&buf), "a-._~Z9%2F%20%FF");
    assert_str(tc_percent_decode(&test.arena, TC_STR("%4a%4A%4%")), "JJ%4%");
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}
