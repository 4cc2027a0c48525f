#include "support/test.h"

#include "toolcrib/json.h"

static const struct tc_json *parse(struct test_cx *t, const char *text)
{
    const struct tc_json *root = NULL;

    assert_int_equal(tc_json_parse_root(&t->cx, tc_str_of(text), NULL, &root), TC_OK);
    return root;
}

static bool same(struct test_cx *t, const char *a, const char *b)
{
    const struct tc_json *x = parse(t, a), *y = parse(t, b);
    bool equal = tc_json_equal(x, y);

    assert_int_equal(tc_json_equal(y, x), equal);
    return equal;
}

void test_read__absent_and_other_types_read_as_nothing(void **state)
{
    struct test_cx t;
    const struct tc_json *string, *array;
    struct tc_json_iter it;
    int64_t n;
    double d;
    (void)state;

    test_cx_init(&t);
    string = parse(&t, "\"5\"");
    array = parse(&t, "[1]");
    assert_int_equal(tc_json_type(NULL), TC_JSON_NULL);
    assert_false(tc_json_is(NULL, TC_JSON_NULL));
    assert_int_equal(tc_json_count(NULL), 0);
    assert_int_equal(tc_json_count(string), 0);
    assert_int_equal(tc_json_str(NULL).n, 0);
    assert_int_equal(tc_json_str(array).n, 0);
    assert_false(tc_json_int(string, &n));
    assert_false(tc_json_int(NULL, &n));
    assert_false(tc_json_double(string, &d));
    assert_true(tc_json_bool(NULL, true));
    assert_false(tc_json_bool(string, false));
    assert_false(tc_json_bool(parse(&t, "false"), true));
    assert_true(tc_json_bool(parse(&t, "true"), false));
    assert_null(tc_json_get_c(NULL, "a"));
    assert_null(tc_json_get_c(array, "0"));
    assert_null(tc_json_at(NULL, 0));
    assert_null(tc_json_at(array, 1));
    assert_null(tc_json_at(parse(&t, "{\"a\":1}"), 0));
    it = tc_json_iter(NULL);
    assert_false(tc_json_next(&it, NULL, &array));
    it = tc_json_iter(string);
    assert_false(tc_json_next(&it, NULL, &array));
    assert_string_equal(tc_json_type_name(TC_JSON_TRUE), "boolean");
    assert_string_equal(tc_json_type_name(TC_JSON_OBJECT), "object");
    test_cx_finish(&t);
}

void test_read__walks_containers_over_nested_values(void **state)
{
    struct test_cx t;
    const struct tc_json *root, *v;
    struct tc_json_iter it;
    struct tc_str key;
    size_t n = 0;
    int64_t i;
    (void)state;

    test_cx_init(&t);
    root = parse(&t, "[[0,[0]],{\"a\":[0]},2,[]]");
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &v); n++) {
        assert_int_equal(key.n, 0);
        assert_ptr_equal(v, tc_json_at(root, n));
    }
    assert_int_equal(n, 4);
    assert_true(tc_json_int(tc_json_at(root, 2), &i) && i == 2);
    test_cx_finish(&t);
}

void test_read__pointers_follow_rfc_6901(void **state)
{
    struct test_cx t;
    const struct tc_json *root, *v;
    static const char *const absent[] = {"a",        "/x",      "/foo/2",  "/foo/-",
                                         "/foo/01",  "/foo/-1", "/foo/+1", "/foo/",
                                         "/foo/0/x", "/a~2b",   "/m~",     "/foo/18446744073709551616",
                                         "/a/b"};
    (void)state;

    test_cx_init(&t);
    root =
        parse(&t, "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"m~n\":8,\"m~\":9,\"~1\":{\"/\":[{\"k\":\"deep\"}]}}");
    assert_ptr_equal(tc_json_pointer(root, TC_STR("")), root);
    assert_str(tc_json_str(tc_json_pointer(root, TC_STR("/foo/0"))), "bar");
    assert_str(tc_json_str(tc_json_pointer(root, TC_STR("/"))), "0");
    assert_str(tc_json_str(tc_json_pointer(root, TC_STR("/a~1b"))), "1");
    assert_str(tc_json_str(tc_json_pointer(root, TC_STR("/m~0n"))), "8");
    assert_str(tc_json_str(tc_json_pointer(root, TC_STR("/m~0"))), "9");
    assert_str(tc_json_str(tc_json_pointer(root, TC_STR("/~01/~1/0/k"))), "deep");
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        v = tc_json_pointer(root, tc_str_of(absent[i]));
        if (v)
            fail_msg("%s is there", absent[i]);
    }
    assert_null(tc_json_pointer(NULL, TC_STR("/a")));
    test_cx_finish(&t);
}

void test_read__equality_is_by_value_and_without_member_order(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_true(same(&t, "[1,1.0,1e400]", "[1.0,10e-1,10e399]"));
    assert_true(same(&t, "{\"a\":1,\"b\":[{}],\"c\":null}", "{\"c\":null,\"b\":[{}],\"a\":1.0}"));
    assert_true(same(&t, "{\"a\":0,\"a\":1}", "{\"a\":1}"));
    assert_true(same(&t, "\"\\u0041\"", "\"A\""));
    assert_false(same(&t, "[1,2]", "[2,1]"));
    assert_false(same(&t, "[1]", "[1,1]"));
    assert_false(same(&t, "{\"a\":1}", "{\"b\":1}"));
    assert_false(same(&t, "{\"a\":1,\"b\":1}", "{\"a\":1,\"c\":1}"));
    assert_false(same(&t, "{\"a\":1}", "{\"a\":1,\"b\":2}"));
    assert_false(same(&t, "{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}"));
    assert_false(same(&t, "true", "false"));
    assert_false(same(&t, "null", "false"));
    assert_false(same(&t, "0", "\"0\""));
    assert_false(same(&t, "[]", "{}"));
    assert_false(same(&t, "9007199254740993", "9007199254740992"));
    assert_true(tc_json_equal(NULL, NULL));
    assert_false(tc_json_equal(NULL, parse(&t, "null")));
    test_cx_finish(&t);
}
