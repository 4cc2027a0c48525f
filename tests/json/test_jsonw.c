#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "toolcrib/jsonw.h"

void test_jsonw__writes_members_and_items_with_their_commas(void **state)
{
    struct test_cx t;
    struct tc_buf buf;
    struct tc_jsonw w;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    tc_buf_init(&buf, 4096);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "name", TC_STR("a\"b"));
    tc_jsonw_kcstr(&w, "none", NULL);
    tc_jsonw_kint(&w, "min", INT64_MIN);
    tc_jsonw_kint(&w, "max", INT64_MAX);
    tc_jsonw_kint(&w, "zero", 0);
    tc_jsonw_kbool(&w, "yes", true);
    tc_jsonw_kopt(&w, "left out", TC_STR(""));
    tc_jsonw_kopt(&w, "kept", TC_STR("k"));
    tc_jsonw_key(&w, "list");
    tc_jsonw_array(&w);
    tc_jsonw_array(&w);
    tc_jsonw_end(&w);
    tc_jsonw_object(&w);
    tc_jsonw_end(&w);
    tc_jsonw_null(&w);
    tc_jsonw_bool(&w, false);
    tc_jsonw_printf(&w, "%d\t%s", 7, "x");
    tc_jsonw_raw(&w, TC_STR("[1, 2]"));
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("{\"in\":[1.0]}"), NULL, &v), TC_OK);
    tc_jsonw_value(&w, v);
    tc_jsonw_value(&w, NULL);
    tc_jsonw_cstr(&w, "end");
    tc_jsonw_end(&w);
    tc_jsonw_kvalue(&w, "copy", tc_json_get_c(v, "in"));
    tc_jsonw_key_str(&w, TC_STR("k\0y"));
    tc_jsonw_str(&w, tc_str_n(NULL, 0));
    tc_jsonw_end(&w);
    assert_str(tc_buf_get(&buf),
               "{\"name\":\"a\\\"b\",\"none\":null,\"min\":-9223372036854775808,\"max\":9223372036854775807,\"zero\":0,"
               "\"yes\":true,\"kept\":\"k\",\"list\":[[],{},null,false,\"7\\tx\",[1, 2],{\"in\":[1.0]},null,\"end\"],"
               "\"copy\":[1.0],\"k\\u0000y\":null}");
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

static struct tc_str string_of(struct test_cx *t, struct tc_str s)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;

    tc_buf_init(&buf, 4096);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_str(&w, s);
    text = tc_buf_dup(&buf, &t->arena);
    tc_buf_finish(&buf);
    return text;
}

#define FILLER "abcdefghijklmnopqrstuvwxyz0123456789+-*/"

void test_jsonw__strings_are_escaped_and_made_valid(void **state)
{
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    assert_str(string_of(&t, TC_STR("")), "\"\"");
    assert_str(string_of(&t, TC_STR("\"\\/\b\f\n\r\t\0\x1f\x7f\xe4\xb8\xad")),
               "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\xe4\xb8\xad\"");
    assert_str(string_of(&t, TC_STR("\xff")), "\"\xef\xbf\xbd\"");
    assert_str(string_of(&t, TC_STR("a\n\xe4\xb8z\"\xed\xa0\x80")),
               "\"a\\n\xef\xbf\xbd\xef\xbf\xbdz\\\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    test_cx_finish(&t);
}

/* Wherever in a string a byte stands that is not just copied. */
void test_jsonw__each_byte_of_a_string_is_looked_at(void **state)
{
    static const struct {
        const char *byte, *written;
    } cases[] = {{"\"", "\\\""}, {"\\", "\\\\"}, {"\n", "\\n"}, {"\x1f", "\\u001f"}, {"\xff", "\xef\xbf\xbd"}};
    struct test_cx t;
    (void)state;

    test_cx_init(&t);
    for (size_t n = 0; n < 40; n++) {
        for (size_t before = 0; before <= n; before++) {
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                int after = (int)(n - before);
                struct tc_str in = tc_arena_printf(&t.arena, "%.*s%s%.*s", (int)before, FILLER, cases[i].byte, after,
                                                   FILLER);
                struct tc_str out = tc_arena_printf(&t.arena, "\"%.*s%s%.*s\"", (int)before, FILLER, cases[i].written,
                                                    after, FILLER);

                assert_str(string_of(&t, in), out.p);
            }
        }
    }
    test_cx_finish(&t);
}

static struct tc_str double_of(struct tc_buf *buf, double value)
{
    struct tc_jsonw w;

    tc_buf_clear(buf);
    tc_jsonw_init(&w, buf);
    tc_jsonw_double(&w, value);
    return tc_buf_get(buf);
}

void test_jsonw__doubles_are_short_and_read_back(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {100, "100"},
        {1e15, "1000000000000000"},
        {123456789012345680, "1.2345678901234568e17"},
        {1e17, "1e17"},
        {12345678901234568, "12345678901234568"},
        {1e21, "1e21"},
        {0.001, "0.001"},
        {0.000001, "0.000001"},
        {0.0000001, "1e-7"},
        {-2.5e-9, "-2.5e-9"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
        {9007199254740992, "9007199254740992"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
        {NAN, "null"},
    };
    struct tc_buf buf;
    unsigned seed = 3;
    (void)state;

    tc_buf_init(&buf, 64);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(double_of(&buf, cases[i].value), cases[i].text);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = (uint64_t)rand_r(&seed) << 42 ^ (uint64_t)rand_r(&seed) << 21 ^ (uint64_t)rand_r(&seed);
        struct tc_str text;
        struct test_cx t;
        const struct tc_json *v;
        double value, back;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        text = double_of(&buf, value);
        test_cx_init(&t);
        assert_int_equal(tc_json_parse_root(&t.cx, text, NULL, &v), TC_OK);
        assert_true(tc_json_double(v, &back));
        assert_memory_equal(&back, &value, sizeof back);
        test_cx_finish(&t);
    }
    tc_buf_finish(&buf);
}

void test_jsonw__nests_to_the_depth_that_can_be_read(void **state)
{
    struct test_cx t;
    struct tc_buf buf;
    struct tc_jsonw w;
    const struct tc_json *v;
    (void)state;

    test_cx_init(&t);
    tc_buf_init(&buf, 4096);
    tc_jsonw_init(&w, &buf);
    for (int i = 0; i < TC_JSON_DEPTH_MAX; i++) {
        if (i % 3 == 0) {
            tc_jsonw_array(&w);
        } else {
            tc_jsonw_object(&w);
            tc_jsonw_key(&w, "k");
        }
    }
    tc_jsonw_int(&w, 1);
    for (int i = 0; i < TC_JSON_DEPTH_MAX; i++)
        tc_jsonw_end(&w);
    assert_int_equal(tc_json_parse_root(&t.cx, tc_buf_get(&buf), NULL, &v), TC_OK);
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

void test_jsonw__a_failed_allocation_fails_the_buffer(void **state)
{
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (size_t n = 1;; n++) {
        struct tc_buf buf;
        struct tc_jsonw w;
        bool reached;

        tc_buf_init(&buf, 1024 * 1024);
        tc_mem_fail_at(n, false);
        tc_jsonw_init(&w, &buf);
        tc_jsonw_array(&w);
        for (int i = 0; i < 100; i++) {
            tc_jsonw_printf(&w, "%d some longer text that fills the buffer", i);
            tc_jsonw_str(&w, TC_STR("with \xff invalid bytes"));
        }
        tc_jsonw_end(&w);
        reached = tc_mem_count() >= n;
        tc_mem_fail_at(0, false);
        assert_int_equal(buf.failed, reached);
        tc_buf_finish(&buf);
        if (!reached) {
            assert_true(n > 100);
            return;
        }
    }
}
