/*
 * What goes into the record of a call: no secret, however it was wrapped.
 */
#include "support/test.h"

#include "base/mem.h"
#include "runtime/redact.h"

#define SECRET "hunter2 \"quoted\" é"

static const char schema_text[] =
    "{'type':'object','properties':{'user':{'type':'string'},'pin':{'format':'password'},'mark':{'writeOnly':true},"
    "'ref':{'$ref':'#/$defs/hidden'},'any':{'anyOf':[{'type':'null'},{'x-secret':true}]},"
    "'list':{'type':'array','items':{'writeOnly':true}},"
    "'deep':{'type':'object','properties':{'inner':{'format':'password'}}}},'$defs':{'hidden':{'x-secret':true}}}";

struct fixture {
    struct test_cx test;
    struct tc_cx *cx;
    struct tc_redaction r;
};

/* JSON written with ' for ". */
static const struct tc_json *json_of(struct fixture *f, const char *text)
{
    char *copy = tc_arena_cstr(&f->test.arena, tc_str_of(text));
    const struct tc_json *root;

    assert_non_null(copy);
    for (char *at = copy; *at; at++)
        if (*at == '\'')
            *at = '"';
    assert_int_equal(tc_json_parse_root(f->cx, tc_str_of(copy), NULL, &root), TC_OK);
    return root;
}

static void start(struct fixture *f)
{
    test_cx_init(&f->test);
    f->cx = &f->test.cx;
    tc_redact_init(&f->r, TC_STR("0123456789abcdef"));
    assert_int_equal(tc_redact_schema(f->cx, &f->r, json_of(f, schema_text)), TC_OK);
}

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static struct tc_str value_of(struct fixture *f, const char *json)
{
    struct tc_str text;

    assert_int_equal(tc_redact_value(f->cx, &f->r, json_of(f, json), &text), TC_OK);
    return text;
}

static struct tc_str raw_of(struct fixture *f, struct tc_str text)
{
    assert_int_equal(tc_redact_raw(f->cx, &f->r, text, &text), TC_OK);
    return text;
}

void test_redact__knows_keys_that_look_like_credentials(void **state)
{
    static const char *const yes[] = {"password", "apiKey", "api_key", "X-Api-Key", "accessToken", "Authorization",
                                      "client_secret", "db.password", "token"};
    static const char *const no[] = {"max_tokens", "tokenizer", "keyboard", "primary_key", "author", "passage", ""};
    (void)state;

    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(tc_redact_key(tc_str_of(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(tc_redact_key(tc_str_of(no[i])));
}

void test_redact__hashes_what_the_schema_marks_wherever_it_stands(void **state)
{
    static const char *const secret[] = {
        "'pin':'hunter22'",       "'mark':'hunter22'",           "'ref':'hunter22'",   "'any':'hunter22'",
        "'list':['hunter22']",    "'deep':{'inner':'hunter22'}", "'pin':['hunter22']", "'pin':{'a':{'b':'hunter22'}}",
        "'password':['hunter22']"};
    struct fixture f;
    (void)state;

    start(&f);
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++) {
        struct tc_str text = tc_arena_printf(&f.test.arena, "{'user':'ann',%s}", secret[i]);
        text = value_of(&f, text.p);
        assert_false(holds(text, "hunter22"));
        assert_true(holds(text, "\"user\":\"ann\""));
        assert_true(holds(text, "hmac-sha256:"));
    }
    assert_str(value_of(&f, "{'user':'ann','pin':null,'n':1.50}"), "{\"user\":\"ann\",\"pin\":null,\"n\":1.50}");
    test_cx_finish(&f.test);
}

void test_redact__same_value_same_hash(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    assert_str(value_of(&f, "{'pin':'a'}"), value_of(&f, "{'pin':'a'}").p);
    assert_false(tc_str_eq(value_of(&f, "{'pin':'a'}"), value_of(&f, "{'pin':'b'}")));
    test_cx_finish(&f.test);
}

void test_redact__replaces_collected_values_in_any_text(void **state)
{
    struct fixture f;
    struct tc_str text;
    (void)state;

    start(&f);
    assert_int_equal(tc_redact_add(f.cx, &f.r, tc_str_of("abcd")), TC_OK);
    assert_int_equal(tc_redact_add(f.cx, &f.r, tc_str_of("abcd-and-more")), TC_OK);
    assert_int_equal(tc_redact_add(f.cx, &f.r, tc_str_of(SECRET)), TC_OK);
    assert_int_equal(tc_redact_add(f.cx, &f.r, tc_str_of("abc")), TC_OK);
    assert_int_equal(tc_redact_text(f.cx, &f.r,
                                    tc_str_of("1 abcd-and-more 2 abcd 3 " SECRET " 4 hunter2 \\\"quoted\\\" é 5 "
                                              "hunter2 \\\\\\\"quoted\\\\\\\" é 6 abcd-and-mo… 7 abc 8 hunter2 \"quo"),
                                    &text),
                     TC_OK);
    assert_false(holds(text, "and-m"));
    assert_false(holds(text, "hunter2"));
    assert_false(holds(text, "abcd"));
    assert_true(holds(text, "… 7 abc 8 "));
    assert_int_equal(tc_redact_text(f.cx, &f.r, tc_str_of("hunter1 \"quoted\" abce"), &text), TC_OK);
    assert_str(text, "hunter1 \"quoted\" abce");
    test_cx_finish(&f.test);
}

void test_redact__cuts_values_out_of_text_that_is_no_json(void **state)
{
    static const char *const texts[] = {
        "{\"user\":\"ann\",\"pin\":\"hunter22\"",
        "{\"user\":\"ann\", \"pin\" : \"hunter22",
        "{\"user\":\"ann\",\"password\":\"a\\\"hunter22\",}",
        "{user: ann, pin: hunter22}",
        "{'user':'ann','pin':'hunter22'}",
        "user=ann\npassword=hunter22\n",
        "{\"user\":\"ann\",\"pin\":[\"hunter22\"],",
        "{\"user\":\"ann\",\"deep\":{\"inner\":{\"x\":\"hunter22\"",
        "\"{\\\"user\\\":\\\"ann\\\",\\\"pin\\\":\\\"hunter22\\\"}\"",
        "\"{\\\"user\\\":\\\"ann\\\",\\\"pin\\\":\\\"hunter22",
        "[{\"user\":\"ann\"},{\"api_key\":\"hunter22\"}]",
        "{\"user\":\"ann\",\"pin\":hunter22}",
        "Authorization: Bearer hunter22\nann",
    };
    struct fixture f;
    (void)state;

    start(&f);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct tc_str text = raw_of(&f, tc_str_of(texts[i])), echo;
        assert_false(holds(text, "hunter22"));
        assert_true(holds(text, "ann"));
        /* and it is known from here on: the sentence that quotes the text is clean too */
        assert_int_equal(tc_redact_text(f.cx, &f.r, tc_str_of(texts[i]), &echo), TC_OK);
        assert_false(holds(echo, "hunter22"));
        tc_redact_init(&f.r, TC_STR("0123456789abcdef"));
        assert_int_equal(tc_redact_schema(f.cx, &f.r, json_of(&f, schema_text)), TC_OK);
    }
    assert_str(raw_of(&f, tc_str_of("hello: world, \"pin\":null, a=b:")), "hello: world, \"pin\":null, a=b:");
    assert_str(raw_of(&f, tc_str_of("")), "");
    assert_str(raw_of(&f, tc_str_of("\"pin\":")), "\"pin\":");
    test_cx_finish(&f.test);
}

void test_redact__opens_strings_that_encode_objects(void **state)
{
    struct fixture f;
    struct tc_str text;
    (void)state;

    start(&f);
    assert_int_equal(tc_redact_encoded(f.cx, &f.r, json_of(&f, "{\"a\":[\" {\\\"api_key\\\":\\\"hunter22\\\"}\"],"
                                                                    "\"b\":\"{broken\"}")),
                     TC_OK);
    assert_int_equal(tc_redact_text(f.cx, &f.r, tc_str_of("x hunter22 y"), &text), TC_OK);
    assert_false(holds(text, "hunter22"));
    test_cx_finish(&f.test);
}

void test_redact__survives_want_of_memory(void **state)
{
    struct fixture f;
    enum tc_err e;
    size_t nth = 0;
    (void)state;

    if (!tc_mem_fail_at(0, false)) {
        print_message("not run: built without fault counters\n");
        return;
    }
    do {
        struct tc_str text;
        start(&f);
        tc_mem_fail_at(++nth, true);
        e = tc_redact_raw(f.cx, &f.r, tc_str_of("{\"pin\":\"hunter22\",\"x\":\"{}\"}"), &text);
        tc_mem_fail_at(0, false);
        assert_true(e == TC_OK || e == TC_E_NO_MEMORY);
        test_cx_finish(&f.test);
    } while (e);
    assert_true(nth > 1);
}

static void canonical(struct fixture *f, const char *value, const char *json, const char *expected)
{
    const struct tc_json *root;
    struct tc_str text = tc_str_of(json), got;

    assert_int_equal(tc_json_parse_root(&f->test.cx, tc_str_of(value), NULL, &root), TC_OK);
    assert_int_equal(tc_redact_canonical(&f->test.cx, root, text, &got), TC_OK);
    assert_str(got, expected);
}

void test_redact__canonical_text_has_its_keys_in_order(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    canonical(&f, "{\"a\":1,\"b\":[{\"c\":2,\"d\":3}]}", "{\"a\":\"x\",\"b\":[{\"c\":2,\"d\":3}]}",
              "{\"a\":\"x\",\"b\":[{\"c\":2,\"d\":3}]}");
    canonical(&f, "{\"a\":1,\"b\":[{\"d\":2,\"c\":3}]}", "{\"a\":1,\"b\":[{\"d\":\"x\",\"c\":3}]}",
              "{\"a\":1,\"b\":[{\"c\":3,\"d\":\"x\"}]}");
    canonical(&f, "{\"b\":1.50,\"a\":0}", "{\"b\":1.50,\"a\":0}", "{\"a\":0,\"b\":1.50}");
    test_cx_finish(&f.test);
}
