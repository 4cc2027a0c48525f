#include "support/test.h"

#include "base/mem.h"
#include "runtime/arguments.h"
#include "support/tools.h"
#include "toolcrib/jsonw.h"

struct fixture {
    struct test_cx test;
    struct tc_cx *cx;
    const struct tc_json *input;
    struct tc_schema *schema;
};

static void start(struct fixture *f, const char *schema)
{
    test_cx_init(&f->test);
    f->cx = &f->test.cx;
    f->schema = NULL;
    if (schema) {
        assert_int_equal(tc_json_parse_root(f->cx, test_quotes(&f->test, schema), NULL, &f->input), TC_OK);
        assert_int_equal(tc_schema_compile(f->cx, f->input, NULL, &f->schema), TC_OK);
    }
}

static void end(struct fixture *f)
{
    tc_schema_unref(f->schema);
    test_cx_finish(&f->test);
}

static const struct tc_json *json_of(struct fixture *f, const char *text)
{
    const struct tc_json *root;

    assert_int_equal(tc_json_parse_root(f->cx, tc_str_of(text), NULL, &root), TC_OK);
    return root;
}

static void reads_as(struct fixture *f, const char *wire, const char *object)
{
    const struct tc_json *read;

    assert_int_equal(tc_arguments_read(f->cx, wire ? json_of(f, wire) : NULL, &read), TC_OK);
    assert_str(tc_json_text(&f->test.arena, read), object);
}

static void is_refused(struct fixture *f, const char *wire, const char *message)
{
    const struct tc_json *read = NULL;

    assert_int_equal(tc_arguments_read(f->cx, json_of(f, wire), &read), TC_E_TOOL_INVALID_ARGUMENTS);
    assert_null(read);
    assert_str(f->cx->err.message, message);
    assert_true(tc_str_ends(f->cx->err.hint, TC_STR("Send the arguments as one complete JSON object.")));
}

/* The text as a JSON string. */
static const struct tc_json *said(struct fixture *f, const char *text)
{
    const struct tc_json *wire;
    struct tc_buf quoted;
    struct tc_jsonw w;

    tc_buf_init(&quoted, 4096);
    tc_jsonw_init(&w, &quoted);
    tc_jsonw_str(&w, tc_str_of(text));
    assert_int_equal(tc_json_parse_root(f->cx, tc_buf_get(&quoted), NULL, &wire), TC_OK);
    tc_buf_finish(&quoted);
    return wire;
}

/* What the hint says before its last sentence. */
static void has_fault(struct fixture *f, const char *text, const char *fault)
{
    const struct tc_json *read = NULL;
    struct tc_str hint;

    assert_int_equal(tc_arguments_read(f->cx, said(f, text), &read), TC_E_TOOL_INVALID_ARGUMENTS);
    assert_null(read);
    hint = tc_arena_printf(&f->test.arena, "%s Send the arguments as one complete JSON object.", fault);
    assert_str(f->cx->err.hint, hint.p);
}

void test_arguments__every_wire_form_of_an_object(void **state)
{
    struct fixture f;
    (void)state;

    start(&f, NULL);
    reads_as(&f, "{\"a\": 1.0}", "{\"a\":1.0}");
    reads_as(&f, "\"{\\\"a\\\": 1}\"", "{\"a\":1}");
    reads_as(&f, "\" {} \"", "{}");
    reads_as(&f, NULL, "{}");
    reads_as(&f, "null", "{}");
    reads_as(&f, "\"\"", "{}");
    reads_as(&f, "\"null\"", "{}");
    reads_as(&f, "\"{}\"", "{}");
    reads_as(&f, "{}", "{}");
    end(&f);
}

void test_arguments__all_else_is_refused_with_its_beginning(void **state)
{
    struct fixture f;
    (void)state;

    start(&f, NULL);
    is_refused(&f, "[{}]", "The arguments are not an object but an array; nothing ran. They begin with: [{}]");
    is_refused(&f, "0", "The arguments are not an object but a number; nothing ran. They begin with: 0");
    is_refused(&f, "false", "The arguments are not an object but a boolean; nothing ran. They begin with: false");
    is_refused(&f, "\"[]\"", "The arguments are not an object but an array; nothing ran. They begin with: []");
    is_refused(&f, "\"\\\"{}\\\"\"",
               "The arguments are not an object but a string in a string; nothing ran. They begin with: \"{}\"");
    is_refused(
        &f, "\"{\\\"a\\\"\"",
        "The arguments are not an object but text that is no complete JSON; nothing ran. They begin with: {\"a\"");
    is_refused(
        &f, "\"{} {}\"",
        "The arguments are not an object but text that is no complete JSON; nothing ran. They begin with: {} {}");
    end(&f);
}

void test_arguments__rows_10_20_22_23_24_the_hint_names_the_fault(void **state)
{
    struct fixture f;
    (void)state;

    start(&f, NULL);
    has_fault(&f, "\"{\\\"a\\\": 1}\"", "They were encoded twice, and are decoded once.");
    has_fault(&f, "[{\"a\": 1}]", "Give each parameter its name.");
    has_fault(&f, "```json\n{\"a\": 1}\n```", "They stand in a code fence, which is not taken off.");
    has_fault(&f, "{\"a\": 1}</tool_call>",
              "The JSON text is wrong at byte 8: expected nothing after the value, found '<'.");
    has_fault(&f, "{\"a\": 1}]", "The JSON text is wrong at byte 8: expected nothing after the value, found ']'. Look "
                                 "for a comma too much, or something left out, before it.");
    has_fault(&f, "{\"a\": 1} I hope this helps.",
              "The JSON text is wrong at byte 9: expected nothing after the value, found 'I'.");
    has_fault(&f, "{\"a\": 1,}", "The JSON text is wrong at byte 8: expected a key in double quotes, found '}'. Look "
                                 "for a comma too much, or something left out, before it.");
    has_fault(&f, "{'a': 1}", "The JSON text is wrong at byte 1: expected a key in double quotes, found a single "
                              "quote. JSON strings and keys stand in double quotes.");
    has_fault(&f, "{\"a\": None}", "The JSON text is wrong at byte 6: expected a value, found 'N'. JSON writes null, "
                                   "not None.");
    has_fault(&f, "{\"a\": True}", "The JSON text is wrong at byte 6: expected a value, found 'T'. JSON writes true, "
                                   "false and null in lower case.");
    has_fault(&f, "{\"code\": \"print(\"hi\")\"}",
              "The JSON text is wrong at byte 17: expected ',' or '}' after a member, found 'h'.");
    has_fault(&f, "{\"path\": \"C:\\users\"}",
              "The JSON text is wrong at byte 14: expected four hexadecimal digits after \\u, found 's'.");
    has_fault(&f, "{\"a\": [1, 2", "The JSON text is wrong at byte 11: expected ',' or ']' after an item, found the "
                                   "end of the text. The text seems to be cut off.");
    end(&f);
}

static void reads_text(struct fixture *f, const char *text, const char *object)
{
    const struct tc_json *read;

    assert_int_equal(tc_arguments_read(f->cx, said(f, text), &read), TC_OK);
    assert_str(tc_json_text(&f->test.arena, read), object);
}

void test_arguments__row_25_control_characters_in_strings_are_themselves(void **state)
{
    struct fixture f;
    (void)state;

    start(&f, NULL);
    reads_text(&f, "{\n\"code\": \"if a:\n\tb()\r\n\"\n}", "{\"code\":\"if a:\\n\\tb()\\r\\n\"}");
    reads_text(&f, "{\"a\nb\": \"say \\\"x\ny\\\"\"}", "{\"a\\nb\":\"say \\\"x\\ny\\\"\"}");
    reads_text(&f, "{\"a\": \"\\\\\n\"}", "{\"a\":\"\\\\\\n\"}");
    /* behind a backslash it could mean two things */
    has_fault(&f, "{\"a\": \"b\\\nc\"}", "The JSON text is wrong at byte 9: expected one of \" \\ / b f n r t u after "
                                         "a backslash, found byte 0x0a.");
    /* and what is wrong besides is told as of the text that came */
    has_fault(&f, "{\"a\": \"\n\", b}", "The JSON text is wrong at byte 7: expected an escape in place of a control "
                                       "character, found byte 0x0a.");
    end(&f);
}

void test_arguments__row_21_a_fence_in_a_string_is_text(void **state)
{
    struct fixture f;
    (void)state;

    start(&f, NULL);
    reads_text(&f, "{\"text\": \"```js\\nlet a;\\n```\"}", "{\"text\":\"```js\\nlet a;\\n```\"}");
    reads_text(&f, "{\"text\": \"\n```\nlet a;\n```\"}", "{\"text\":\"\\n```\\nlet a;\\n```\"}");
    end(&f);
}

void test_arguments__the_echo_ends_after_200_characters(void **state)
{
    struct fixture f;
    const struct tc_json *read;
    struct tc_buf wire;
    (void)state;

    start(&f, NULL);
    tc_buf_init(&wire, 4096);
    tc_buf_char(&wire, '"');
    for (int i = 0; i < 201; i++)
        tc_buf_cstr(&wire, "é");
    tc_buf_char(&wire, '"');
    assert_int_equal(tc_arguments_read(f.cx, json_of(&f, tc_arena_cstr(&f.test.arena, tc_buf_get(&wire))), &read),
                     TC_E_TOOL_INVALID_ARGUMENTS);
    tc_buf_finish(&wire);
    assert_true(tc_str_ends(f.cx->err.message, TC_STR("é…")));
    /* 200 characters of two bytes and the mark of three */
    assert_int_equal(f.cx->err.message.n - tc_str_find(f.cx->err.message, TC_STR("é")), 403);
    end(&f);
}

#define SCHEMA                                                                                                        \
    "{'type':'object','additionalProperties':false,'required':['n'],'properties':{'n':{'type':'integer'},"           \
    "'list':{'type':'array'},'opt':{'type':'string'}}}"

static enum tc_err check(struct fixture *f, const char *object, bool repair, struct tc_arguments_checked *ret)
{
    struct tc_arguments_rules rules = {f->schema, f->input, TC_STR("number=n items=list"), repair};

    return tc_arguments_check(f->cx, &rules, json_of(f, object), ret);
}

void test_arguments__what_validates_is_not_touched(void **state)
{
    struct tc_arguments_checked checked;
    struct fixture f;
    (void)state;

    start(&f, SCHEMA);
    assert_int_equal(check(&f, "{\"n\": 1.0, \"opt\": \"5\"}", true, &checked), TC_OK);
    assert_int_equal(checked.changes_n, 0);
    assert_str(tc_json_text(&f.test.arena, checked.object), "{\"n\":1.0,\"opt\":\"5\"}");
    end(&f);
}

void test_arguments__a_repair_says_what_it_changed(void **state)
{
    struct tc_arguments_checked checked;
    struct fixture f;
    (void)state;

    start(&f, SCHEMA);
    assert_int_equal(check(&f, "{\"n\": \"5\", \"list\": \"[1]\", \"opt\": null}", true, &checked), TC_OK);
    assert_str(tc_json_text(&f.test.arena, checked.object), "{\"n\":5,\"list\":[1]}");
    assert_int_equal(checked.changes_n, 3);
    assert_str(tc_arguments_changes_text(f.cx, checked.changes, checked.changes_n),
               "[{\"path\":\"/n\",\"from\":\"5\",\"to\":5},{\"path\":\"/list\",\"from\":\"[1]\",\"to\":[1]},"
               "{\"path\":\"/opt\",\"from\":null,\"to\":null}]");
    assert_str(tc_arguments_changes_text(f.cx, NULL, 0), "[]");
    end(&f);
}

void test_arguments__without_repair_the_fault_is_told(void **state)
{
    struct tc_arguments_checked checked;
    struct fixture f;
    (void)state;

    start(&f, SCHEMA);
    assert_int_equal(check(&f, "{\"n\": \"5\"}", false, &checked), TC_E_TOOL_INVALID_ARGUMENTS);
    assert_true(tc_str_starts(f.cx->err.message, TC_STR("The arguments do not fit this tool; nothing ran.\n/n")));
    assert_str(f.cx->err.field, "/n");
    end(&f);
}

void test_arguments__an_old_name_is_answered_with_the_new_one(void **state)
{
    struct tc_arguments_checked checked;
    struct fixture f;
    (void)state;

    start(&f, SCHEMA);
    assert_int_equal(check(&f, "{\"number\": 5}", true, &checked), TC_E_TOOL_INVALID_ARGUMENTS);
    assert_str(f.cx->err.message, "The parameter \"number\" is now called \"n\"; nothing ran.");
    assert_str(f.cx->err.hint, "Call again with \"n\".");
    assert_int_equal(check(&f, "{\"n\": 5, \"items\": []}", true, &checked), TC_E_TOOL_INVALID_ARGUMENTS);
    assert_str(f.cx->err.message, "The parameter \"items\" is now called \"list\"; nothing ran.");
    /* not an old name, though it begins like one */
    assert_int_equal(check(&f, "{\"n\": 5, \"item\": []}", true, &checked), TC_E_TOOL_INVALID_ARGUMENTS);
    assert_true(tc_str_find(f.cx->err.message, TC_STR("now called")) == SIZE_MAX);
    end(&f);
}

void test_arguments__row_54_a_near_key_is_not_taken_for_the_right_one(void **state)
{
    struct tc_arguments_rules rules = {.repair = true};
    struct tc_arguments_checked checked;
    struct fixture f;
    (void)state;

    start(&f, "{'additionalProperties':false,'properties':{'-n':{'type':'integer'},'pattern':{'type':'string'}}}");
    rules.schema = f.schema;
    rules.input_schema = f.input;
    assert_int_equal(tc_arguments_check(f.cx, &rules, json_of(&f, "{\"n\":5,\"pattern\":\"x\"}"), &checked),
                     TC_E_TOOL_INVALID_ARGUMENTS);
    assert_str(f.cx->err.message,
               "The arguments do not fit this tool; nothing ran.\n/n additionalProperties: expected only the "
               "properties -n, pattern; got the unknown property \"n\". Did you mean \"-n\"?");
    end(&f);
}

void test_arguments__want_of_memory_is_no_refusal(void **state)
{
    struct tc_arguments_checked checked;
    const struct tc_json *object;
    struct fixture f;
    enum tc_err e = TC_E_NO_MEMORY;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    start(&f, SCHEMA);
    object = json_of(&f, "\"{\\\"n\\\": \\\"5\\\", \\\"opt\\\": null}\"");
    for (size_t nth = 1; e; nth++) {
        struct tc_arguments_rules rules = {f.schema, f.input, TC_STR(""), true};
        const struct tc_json *read;
        struct test_cx inner;
        test_cx_init(&inner);
        tc_mem_fail_at(nth, false);
        e = tc_arguments_read(&inner.cx, object, &read);
        if (!e)
            e = tc_arguments_check(&inner.cx, &rules, read, &checked);
        tc_mem_fail_at(0, false);
        assert_true(e == TC_OK || e == TC_E_NO_MEMORY);
        test_cx_finish(&inner);
    }
    end(&f);
}
