#include "support/test.h"

#include "json/edit.h"

static void check(const char *object, const char *path, const char *value, const char *expected)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_str keys[4], rest = tc_str_of(path), edited;
    const struct tc_json *root = NULL;
    size_t n = 0;

    tc_arena_init(&arena, 0);
    if (object)
        assert_int_equal(tc_json_parse_root(&cx, tc_str_of(object), NULL, &root), TC_OK);
    while (n < 4 && tc_str_split(&rest, '/', &keys[n]))
        n++;
    edited = tc_json_edited(&arena, root, keys, n, tc_str_of(value));
    assert_str(edited, expected);
    tc_arena_finish(&arena);
}

void test_edit__puts_a_member_in_its_place(void **state)
{
    (void)state;
    check("{\"a\":1,\"b\":2.50,\"c\":3}", "b", "[4]", "{\"a\":1,\"b\":[4],\"c\":3}");
    check("{\"a\":1}", "b", "2", "{\"a\":1,\"b\":2}");
    check("{\"x\":{\"y\":{\"z\":1,\"k\":2}},\"w\":0}", "x/y/z", "\"new\"",
          "{\"x\":{\"y\":{\"z\":\"new\",\"k\":2}},\"w\":0}");
}

void test_edit__makes_the_objects_on_the_way(void **state)
{
    (void)state;
    check(NULL, "a", "1", "{\"a\":1}");
    check("{}", "a/b/c", "true", "{\"a\":{\"b\":{\"c\":true}}}");
    check("{\"a\":7}", "a/b", "1", "{\"a\":{\"b\":1}}");
    check("[1]", "a", "1", "{\"a\":1}");
}

void test_edit__takes_a_member_out(void **state)
{
    (void)state;
    check("{\"a\":1,\"b\":2}", "a", "", "{\"b\":2}");
    check("{\"a\":{\"b\":1}}", "a/b", "", "{\"a\":{}}");
    check("{\"c\":1}", "a/b", "", "{\"c\":1}");
    check("{\"a\":{\"c\":1}}", "a/b", "", "{\"a\":{\"c\":1}}");
}

void test_edit__merges_as_the_rfc_says(void **state)
{
    static const struct {
        const char *object, *patch, *merged;
    } rows[] = {
        {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
        {"{\"a\":\"b\",\"b\":1.0}", "{\"a\":null}", "{\"b\":1.0}"},
        {"{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"b\":null,\"d\":3}}", "{\"a\":{\"c\":2,\"d\":3}}"},
        {"{\"a\":[1]}", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}"},
        {"{}", "{\"a\":{\"b\":{\"c\":null}}}", "{\"a\":{\"b\":{}}}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tc_json *object, *patch;
        struct tc_arena arena;
        struct tc_cx cx = {.arena = &arena};
        struct tc_buf buf;
        struct tc_jsonw w;
        tc_arena_init(&arena, 0);
        tc_buf_init(&buf, 4096);
        tc_jsonw_init(&w, &buf);
        assert_int_equal(tc_json_parse_root(&cx, tc_str_of(rows[i].object), NULL, &object), TC_OK);
        assert_int_equal(tc_json_parse_root(&cx, tc_str_of(rows[i].patch), NULL, &patch), TC_OK);
        tc_json_merge(&w, object, patch);
        assert_str(tc_buf_get(&buf), rows[i].merged);
        tc_buf_finish(&buf);
        tc_arena_finish(&arena);
    }
}
