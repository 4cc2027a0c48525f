#include "support/test.h"

#include "base/mem.h"
#include "runtime/redact.h"
#include "support/tools.h"

struct fixture {
    struct test_cx test;
    struct tc_cx *cx;
    struct tc_redaction r;
};

/* With the secrets of these arguments; double quotes written as single ones. */
static void start(struct fixture *f, const char *arguments)
{
    const struct tc_json *root;

    test_cx_init(&f->test);
    f->cx = &f->test.cx;
    tc_redact_init(&f->r, TC_STR("key"));
    assert_int_equal(tc_json_parse_root(f->cx, test_quotes(&f->test, arguments), NULL, &root), TC_OK);
    assert_int_equal(tc_redact_collect(f->cx, &f->r, root), TC_OK);
}

static void end(struct fixture *f)
{
    test_cx_finish(&f->test);
}

static const struct tc_json *redacted(struct fixture *f, struct tc_str json)
{
    const struct tc_json *root;

    assert_int_equal(tc_redact_json(f->cx, &f->r, json, &json), TC_OK);
    assert_int_equal(tc_json_parse_root(f->cx, json, NULL, &root), TC_OK);
    return root;
}

static bool is_mark(const struct tc_json *v)
{
    return tc_json_is(v, TC_JSON_STRING) && tc_str_starts(tc_json_str(v), TC_STR("hmac-sha256:")) &&
           tc_json_str(v).n == 12 + 32;
}

void test_redact_json__numbers_become_strings(void **state)
{
    const struct tc_json *root;
    struct fixture f;
    (void)state;

    start(&f, "{'secret':123456,'pwd':true}");
    root = redacted(&f, TC_STR("{\"n\":123456,\"m\":1234567,\"t\":\"pin 123456.\",\"b\":true}"));
    assert_true(is_mark(tc_json_get_c(root, "n")));
    assert_str(tc_json_str(tc_json_get_c(root, "m")), "1234567");
    assert_true(tc_str_find(tc_json_str(tc_json_get_c(root, "t")), TC_STR("123456")) == SIZE_MAX);
    assert_true(tc_json_bool(tc_json_get_c(root, "b"), false)); /* a boolean tells nothing */
    end(&f);
}

void test_redact_json__words_of_the_format_stay(void **state)
{
    const struct tc_json *root;
    struct fixture f;
    (void)state;

    start(&f, "{'password':'content','secret':'text','token':'other'}");
    root = redacted(&f, TC_STR("{\"content\":[{\"type\":\"x\",\"text\":\"the content\"}],\"other\":1}"));
    root = tc_json_at(tc_json_get_c(root, "content"), 0);
    assert_str(tc_json_str(tc_json_get_c(root, "type")), "x");
    assert_true(tc_str_starts(tc_json_str(tc_json_get_c(root, "text")), TC_STR("the hmac-sha256:")));
    root = redacted(&f, TC_STR("{\"other\":1}"));
    assert_null(tc_json_get_c(root, "other")); /* a key can be the secret */
    assert_int_equal(tc_json_count(root), 1);
    end(&f);
}

void test_redact_json__what_holds_none_is_the_same_text(void **state)
{
    struct tc_str json = TC_STR("{ \"a\" : [1.50] }"), out;
    struct fixture f;
    (void)state;

    start(&f, "{'password':'hunter2'}");
    assert_int_equal(tc_redact_json(f.cx, &f.r, json, &out), TC_OK);
    assert_ptr_equal(out.p, json.p);
    end(&f);
    start(&f, "{}");
    assert_int_equal(tc_redact_json(f.cx, &f.r, TC_STR("no JSON"), &out), TC_OK); /* nothing to look for */
    assert_str(out, "no JSON");
    end(&f);
}

void test_redact_json__every_way_of_escaping(void **state)
{
    static const char *const forms[] = {"\"grün\\\"x 😀\"", "\"gr\\u00fcn\\\"x \\ud83d\\ude00\"",
                                        "\"{\\\"p\\\": \\\"grün\\\\\\\"x 😀\\\"}\"",
                                        "\"{\\\"p\\\": \\\"gr\\\\u00fcn\\\\\\\"x \\\\ud83d\\\\ude00\\\"}\""};
    struct fixture f;
    (void)state;

    start(&f, "{'password':'grün\\'x 😀'}");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tc_str text = tc_json_str(redacted(&f, tc_str_of(forms[i])));
        assert_true(tc_str_find(text, TC_STR("hmac-sha256:")) != SIZE_MAX);
        assert_true(tc_str_find(text, TC_STR("x ")) == SIZE_MAX);
    }
    end(&f);
}

void test_redact_json__too_many_secrets_leave_no_text(void **state)
{
    const struct tc_json *root;
    struct fixture f;
    struct tc_buf buf;
    struct tc_str text;
    (void)state;

    start(&f, "{}");
    tc_buf_init(&buf, 64 * 1024);
    tc_buf_cstr(&buf, "{\"secrets\":[");
    for (int i = 0; i <= TC_REDACT_SECRETS_MAX; i++)
        tc_buf_printf(&buf, "%s\"value-%d\",\"value-%d\"", i ? "," : "", i, i);
    tc_buf_cstr(&buf, "]}");
    assert_int_equal(tc_json_parse_root(f.cx, tc_buf_dup(&buf, f.cx->arena), NULL, &root), TC_OK);
    tc_buf_finish(&buf);
    assert_int_equal(tc_redact_collect(f.cx, &f.r, root), TC_OK);
    assert_true(f.r.too_many);
    assert_int_equal(f.r.secrets.n, TC_REDACT_SECRETS_MAX);
    assert_int_equal(tc_redact_text(f.cx, &f.r, TC_STR("the last is value-256"), &text), TC_OK);
    assert_str(text, "hmac-sha256:too many secrets");
    root = redacted(&f, TC_STR("{\"content\":[{\"type\":\"text\",\"text\":\"value-256\"}],\"isError\":false}"));
    assert_str(tc_json_str(tc_json_get_c(tc_json_at(tc_json_get_c(root, "content"), 0), "text")),
               "hmac-sha256:too many secrets");
    assert_false(tc_json_bool(tc_json_get_c(root, "isError"), true));
    end(&f);
}

void test_redact_json__a_failure_writes_nothing(void **state)
{
    static const char json[] = "{\"k\":[\"hunter2\",7],\"hunter2\":{\"a\":\"x\"}}";
    struct fixture f;
    enum tc_err e = TC_E_NO_MEMORY;
    struct tc_str out;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (size_t nth = 1; e; nth++) {
        start(&f, "{'password':'hunter2'}");
        out = TC_STR("untouched");
        tc_mem_fail_at(nth, false);
        e = tc_redact_json(f.cx, &f.r, tc_str_of(json), &out);
        tc_mem_fail_at(0, false);
        assert_true(e == TC_OK || e == TC_E_NO_MEMORY);
        assert_true(!e || tc_str_is(out, "untouched"));
        end(&f);
    }
}
