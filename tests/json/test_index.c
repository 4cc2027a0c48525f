#include "support/test.h"

#include "base/clock.h"
#include "toolcrib/json.h"

/* {"k0":0,…} of n members, those from `again` on once more with other values. */
static struct tc_json_doc *object_of(struct test_cx *t, int n, int again)
{
    struct tc_json_doc *doc = NULL;
    struct tc_buf buf;

    tc_buf_init(&buf, 64 * 1024 * 1024);
    tc_buf_char(&buf, '{');
    for (int i = 0; i < n; i++)
        tc_buf_printf(&buf, "%s\"k%d\":[%d]", i ? "," : "", i, i);
    for (int i = again; i < n; i++)
        tc_buf_printf(&buf, ",\"k%d\":{\"v\":%d}", i, -i);
    tc_buf_char(&buf, '}');
    assert_int_equal(tc_json_parse(&t->cx, tc_buf_get(&buf), NULL, &doc), TC_OK);
    tc_buf_finish(&buf);
    return doc;
}

static void check(struct test_cx *t, int n, int again)
{
    struct tc_json_doc *doc = object_of(t, n, again);
    const struct tc_json *root = tc_json_doc_root(doc), *v;
    struct tc_json_iter it;
    struct tc_str key;
    size_t seen = 0;

    assert_int_equal(tc_json_count(root), n);
    for (int i = 0; i < n; i++) {
        int64_t value;

        v = tc_json_get(root, tc_arena_printf(&t->arena, "k%d", i));
        v = i < again ? tc_json_at(v, 0) : tc_json_get_c(v, "v");
        assert_true(tc_json_int(v, &value));
        assert_int_equal(value, i < again ? i : -i);
    }
    assert_null(tc_json_get_c(root, "k"));
    assert_null(tc_json_get(root, tc_arena_printf(&t->arena, "k%d", n)));
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &v);)
        seen++;
    assert_int_equal(seen, n);
    if (again < n)
        assert_str(tc_json_doc_duplicate(doc), tc_arena_printf(&t->arena, "k%d", again).p);
    else
        assert_null(tc_json_doc_duplicate(doc).p);
    tc_json_doc_unref(doc);
}

void test_index__finds_every_member_around_the_threshold(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (int n = 0; n < 70; n++) {
        check(&t, n, n);
        check(&t, n, 0);
        check(&t, n, n / 2);
        check(&t, n, n - 1 > 0 ? n - 1 : 0);
    }
    test_cx_finish(&t);
}

void test_index__large_objects_inside_each_other(void **state)
{
    struct test_cx t;
    struct tc_buf buf;
    const struct tc_json *root, *v;
    struct tc_json_doc *doc;
    (void)state;

    test_cx_init(&t);
    tc_buf_init(&buf, 1024 * 1024);
    for (int level = 0; level < 20; level++) {
        tc_buf_cstr(&buf, "{\"a\":0,\"a\":1");
        for (int i = 0; i < 20; i++)
            tc_buf_printf(&buf, ",\"x%d\":%d", i, level);
        tc_buf_cstr(&buf, ",\"in\":");
    }
    tc_buf_cstr(&buf, "\"core\"");
    for (int level = 0; level < 20; level++)
        tc_buf_cstr(&buf, ",\"a\":2,\"x3\":null}");
    assert_int_equal(tc_json_parse(&t.cx, tc_buf_get(&buf), NULL, &doc), TC_OK);
    root = v = tc_json_doc_root(doc);
    for (int level = 0; level < 20; level++) {
        int64_t n;

        assert_int_equal(tc_json_count(v), 22);
        assert_true(tc_json_int(tc_json_get_c(v, "x19"), &n) && n == level);
        assert_true(tc_json_int(tc_json_get_c(v, "a"), &n) && n == 2);
        assert_true(tc_json_is(tc_json_get_c(v, "x3"), TC_JSON_NULL));
        v = tc_json_get_c(v, "in");
    }
    assert_str(tc_json_str(v), "core");
    assert_str(tc_json_doc_duplicate(doc), "a");
    assert_true(tc_json_equal(root, root));
    tc_json_doc_unref(doc);
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

/* Linear lookup or duplicate search would take some minutes. */
void test_index__two_hundred_thousand_members_are_not_quadratic(void **state)
{
    struct test_cx t;
    int64_t start;
    (void)state;

    test_cx_init(&t);
    start = tc_clock_mono_us(&tc_clock_system);
    check(&t, 200000, 100000);
    assert_true(tc_clock_mono_us(&tc_clock_system) - start < 20000000);
    test_cx_finish(&t);
}
