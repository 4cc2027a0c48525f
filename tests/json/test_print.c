#include "support/test.h"

#include "toolcrib/json.h"

static const struct tc_json *parse(struct test_cx *t, struct tc_str text)
{
    const struct tc_json *root = NULL;

    assert_int_equal(tc_json_parse_root(&t->cx, text, NULL, &root), TC_OK);
    return root;
}

static struct tc_str canonical(struct test_cx *t, const struct tc_json *v)
{
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 1024 * 1024);
    assert_int_equal(tc_json_print_canonical(&t->cx, &buf, v), TC_OK);
    text = tc_buf_dup(&buf, &t->arena);
    tc_buf_finish(&buf);
    return text;
}

void test_print__compact_keeps_order_lexemes_and_characters(void **state)
{
    struct test_cx t;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    v = parse(
        &t, TC_STR("{ \"z\" : 1.10 , \"a\" : [ 1E2 , -0 , 18446744073709551617 ] , \"\\u00e9\\/\" : { } , \"e\":[] }"));
    assert_str(tc_json_text(&t.arena, v), "{\"z\":1.10,\"a\":[1E2,-0,18446744073709551617],\"\xc3\xa9/\":{},\"e\":[]}");
    assert_str(tc_json_text(&t.arena, tc_json_get_c(v, "a")), "[1E2,-0,18446744073709551617]");
    assert_str(tc_json_text(&t.arena, tc_json_get_c(v, "z")), "1.10");
    assert_str(tc_json_text(&t.arena, NULL), "null");
    v = parse(&t, TC_STR("[null,true,false,[[]],[{}],{\"a\":{\"b\":{\"c\":[1,[2],3]}}},\"\"]"));
    assert_str(tc_json_text(&t.arena, v), "[null,true,false,[[]],[{}],{\"a\":{\"b\":{\"c\":[1,[2],3]}}},\"\"]");
    test_cx_finish(&t);
}

void test_print__escapes_what_must_be_and_nothing_else(void **state)
{
    struct test_cx t;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    v = parse(
        &t,
        TC_STR(
            "\"\\u0022\\u005c\\u002f\\u0008\\u000c\\u000A\\u000d\\u0009\\u0000\\u001F\\u007f\\u2028\\ud83d\\ude00\""));
    assert_str(tc_json_text(&t.arena, v), "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\xe2\x80\xa8\xf0\x9f\x98\x80\"");
    test_cx_finish(&t);
}

/* All bytes at all offsets, through decoding and escaping and back. */
void test_print__escapes_at_every_offset(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (unsigned c = 0; c < 0x80; c++) {
        for (int before = 0; before < 40; before++) {
            struct tc_str in =
                tc_arena_printf(&t.arena, "\"%.*s\\u%04x%.*s\"", before, "........................................", c,
                                before / 2, "____________________");
            struct tc_str out = tc_json_text(&t.arena, parse(&t, in)), again = tc_json_text(&t.arena, parse(&t, out));

            assert_true(tc_str_eq(out, again));
            assert_true(out.n == (size_t)before + (size_t)before / 2 + 2 +
                                     (c == '"' || c == '\\' || (c >= 8 && c <= 13 && c != 11) ? 2
                                      : c < 0x20                                              ? 6
                                                                                              : 1));
        }
        tc_arena_reset(&t.arena);
    }
    test_cx_finish(&t);
}

void test_print__pretty_indents_by_two(void **state)
{
    struct test_cx t;
    struct tc_buf buf;
    (void)state;

    test_cx_init(&t);
    tc_buf_init(&buf, 1024);
    tc_json_print_pretty(&buf, parse(&t, TC_STR("{\"a\":[1,{\"b\":\"\\n\"},[]],\"x\":0,\"c\":{},\"x\":true}")));
    assert_str(
        tc_buf_get(&buf),
        "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"\\n\"\n    },\n    []\n  ],\n  \"c\": {},\n  \"x\": true\n}");
    tc_buf_clear(&buf);
    tc_json_print_pretty(&buf, parse(&t, TC_STR("7")));
    tc_json_print_pretty(&buf, NULL);
    assert_str(tc_buf_get(&buf), "7null");
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

void test_print__canonical_sorts_keys_by_their_bytes(void **state)
{
    struct test_cx t;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    v = parse(&t, TC_STR(" {\"b\":1.0,\"a\":{\"z\":[{\"d\":1,\"c\":2},3],\"\":0},\"\\u00e9\":1,\"B\":2,"
                         "\"ab\":3,\"a\\u0000\":4,\"b\":5} "));
    assert_str(canonical(&t, v), "{\"B\":2,\"a\":{\"\":0,\"z\":[{\"c\":2,\"d\":1},3]},\"a\\u0000\":4,"
                                 "\"ab\":3,\"b\":5,\"\xc3\xa9\":1}");
    assert_str(canonical(&t, parse(&t, TC_STR("[[],{},\"\\t\",1E0]"))), "[[],{},\"\\t\",1E0]");
    assert_str(canonical(&t, NULL), "null");
    test_cx_finish(&t);
}

void test_print__a_text_of_just_the_maximum_fits(void **state)
{
    static const char *const texts[] = {"{\"a\":[1,\"\\n\\u0001\",true,{}],\"b\":\"plain\",\"c\":-12.5}", "[[[[]]]]",
                                        "\"\\\"\"", "0", "[null,false]"};
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct tc_json *v = parse(&t, tc_str_of(texts[i]));

        for (size_t max = 1; max <= strlen(texts[i]) + 1; max++) {
            struct tc_buf buf;

            tc_buf_init(&buf, max);
            tc_json_print(&buf, v);
            assert_int_equal(buf.failed, max < strlen(texts[i]));
            if (!buf.failed)
                assert_str(tc_buf_get(&buf), texts[i]);
            tc_buf_finish(&buf);
            assert_int_equal(tc_json_print_canonical(&t.cx, &buf, v), max < strlen(texts[i]) ? TC_E_NO_MEMORY : TC_OK);
            tc_buf_finish(&buf);
        }
    }
    test_cx_finish(&t);
}

void test_print__appends_and_leaves_a_failed_buffer_alone(void **state)
{
    struct test_cx t;
    struct tc_buf buf;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    tc_buf_init(&buf, 12);
    v = parse(&t, TC_STR("[\"abc\"]"));
    tc_buf_cstr(&buf, "x=");
    tc_json_print(&buf, v);
    assert_str(tc_buf_get(&buf), "x=[\"abc\"]");
    tc_json_print(&buf, v);
    assert_true(buf.failed);
    tc_json_print(&buf, v);
    tc_json_print_pretty(&buf, v);
    assert_int_equal(tc_json_print_canonical(&t.cx, &buf, v), TC_E_NO_MEMORY);
    assert_true(buf.failed && buf.n == 0);
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}
