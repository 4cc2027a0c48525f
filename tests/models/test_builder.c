/*
 * The builder of replies. Names of tests that begin with a row and its number are the
 * cases of malformed streams that servers are known to send.
 */
#include "models/builder.h"

#include <stdlib.h>

#include "base/mem.h"
#include "support/test.h"

/* What the sink heard: "t:" text, "r:" reasoning, "c:" call, each with a newline. */
struct built {
    struct test_cx test;
    struct tc_model_sink sink;
    struct tc_reply_builder *builder;
    struct tc_buf heard;
};

static void hear(struct built *b, const char *kind, struct tc_str text)
{
    tc_buf_printf(&b->heard, "%s:%.*s\n", kind, TC_STR_ARG(text));
}

static void on_text(void *arg, struct tc_str delta)
{
    hear(arg, "t", delta);
}

static void on_reasoning(void *arg, struct tc_str delta)
{
    hear(arg, "r", delta);
}

static void on_call(void *arg, struct tc_str name)
{
    hear(arg, "c", name);
}

static void begin(struct built *b)
{
    test_cx_init(&b->test);
    tc_buf_init(&b->heard, 1 << 20);
    b->sink = (struct tc_model_sink){on_text, on_reasoning, on_call, b};
    assert_int_equal(tc_builder_create(&b->test.cx, &b->sink, &b->builder), TC_OK);
}

static void end(struct built *b)
{
    tc_builder_destroy(b->builder);
    tc_buf_finish(&b->heard);
    test_cx_finish(&b->test);
}

static void text(struct built *b, const char *delta)
{
    assert_int_equal(tc_builder_text(&b->test.cx, b->builder, tc_str_of(delta)), TC_OK);
}

/* NULL arguments: none. */
static enum tc_err piece(struct built *b, int64_t index, const char *id, const char *name, const char *arguments)
{
    struct tc_call_piece p = {.index = index, .id = tc_str_of(id), .name = tc_str_of(name),
                              .arguments = tc_str_of(arguments)};

    return tc_builder_call(&b->test.cx, b->builder, &p);
}

static void call(struct built *b, int64_t index, const char *id, const char *name, const char *arguments)
{
    assert_int_equal(piece(b, index, id, name, arguments), TC_OK);
}

static struct tc_model_reply reply(struct built *b, enum tc_finish finish)
{
    struct tc_model_reply r;

    assert_int_equal(tc_builder_end(&b->test.cx, b->builder, finish, TC_STR("word")), TC_OK);
    assert_int_equal(tc_builder_reply(&b->test.cx, b->builder, 0, &r), TC_OK);
    return r;
}

static void assert_call(const struct tc_item *item, const char *id, const char *name, const char *arguments)
{
    assert_int_equal(item->kind, TC_ITEM_CALL);
    assert_str(item->id, id);
    assert_str(item->name, name);
    if (arguments)
        assert_str(item->arguments, arguments);
    else
        assert_null(item->arguments.p);
}

void test_builder__text_is_joined_and_heard_in_pieces(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    assert_false(tc_builder_begun(b.builder));
    text(&b, "Good ");
    text(&b, "");
    text(&b, "day.");
    assert_true(tc_builder_begun(b.builder));
    assert_false(tc_builder_ended(b.builder));
    r = reply(&b, TC_FINISH_STOP);
    assert_true(tc_builder_ended(b.builder));
    assert_int_equal(r.n, 1);
    assert_int_equal(r.items[0].kind, TC_ITEM_TEXT);
    assert_str(r.items[0].text, "Good day.");
    assert_str(r.finish_text, "word");
    assert_int_equal(r.usage.input, -1);
    assert_str(tc_buf_get(&b.heard), "t:Good \nt:day.\n");
    end(&b);
}

void test_builder__items_keep_their_order(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    tc_builder_reasoning(b.builder, TC_STR("hm"));
    assert_int_equal(tc_builder_opaque(&b.test.cx, b.builder, TC_STR("{\"a\":1}")), TC_OK);
    text(&b, "one");
    call(&b, 0, "x", "read", "{}");
    text(&b, "two");
    tc_builder_break(b.builder);
    text(&b, "three");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 5);
    assert_str(r.items[0].opaque, "{\"a\":1}");
    assert_str(r.items[1].text, "one");
    assert_call(&r.items[2], "x", "read", "{}");
    assert_str(r.items[3].text, "two");
    assert_str(r.items[4].text, "three");
    assert_str(tc_buf_get(&b.heard), "r:hm\nt:one\nc:read\nt:two\nt:three\n");
    end(&b);
}

void test_builder__opaque_objects_come_in_pieces(void **state)
{
    struct built b;
    struct tc_cx *cx = &b.test.cx;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    assert_int_equal(tc_builder_opaque_set(cx, b.builder, 3, TC_STR("type"), TC_STR("\"thinking\"")), TC_OK);
    assert_int_equal(tc_builder_opaque_append(cx, b.builder, 3, TC_STR("thinking"), TC_STR("I \"say")), TC_OK);
    assert_int_equal(tc_builder_opaque_append(cx, b.builder, 4, TC_STR("data"), TC_STR("")), TC_OK);
    assert_int_equal(tc_builder_opaque_append(cx, b.builder, 3, TC_STR("thinking"), TC_STR("\" so")), TC_OK);
    assert_int_equal(tc_builder_opaque_set(cx, b.builder, 3, TC_STR("n"), TC_STR("1")), TC_OK);
    assert_int_equal(tc_builder_opaque_set(cx, b.builder, 3, TC_STR("n"), TC_STR("2")), TC_OK);
    r = reply(&b, TC_FINISH_STOP);
    assert_int_equal(r.n, 2);
    assert_str(r.items[0].opaque, "{\"type\":\"thinking\",\"thinking\":\"I \\\"say\\\" so\",\"n\":2}");
    assert_str(r.items[1].opaque, "{\"data\":\"\"}");
    end(&b);
}

void test_builder__members_of_opaque_objects_may_be_json_in_pieces(void **state)
{
    struct built b;
    struct tc_cx *cx = &b.test.cx;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    assert_false(tc_builder_is_opaque(b.builder, 0));
    assert_int_equal(tc_builder_opaque_set(cx, b.builder, 0, TC_STR("input"), TC_STR("{}")), TC_OK);
    assert_true(tc_builder_is_opaque(b.builder, 0));
    assert_int_equal(tc_builder_opaque_piece(cx, b.builder, 0, TC_STR("input"), TC_STR("")), TC_OK);
    assert_int_equal(tc_builder_opaque_piece(cx, b.builder, 0, TC_STR("input"), TC_STR("{\"q\":")), TC_OK);
    assert_int_equal(tc_builder_opaque_piece(cx, b.builder, 0, TC_STR("input"), TC_STR("[1]}")), TC_OK);
    assert_int_equal(tc_builder_opaque_set(cx, b.builder, 1, TC_STR("input"), TC_STR("{\"a\":1}")), TC_OK);
    assert_int_equal(tc_builder_opaque_piece(cx, b.builder, 1, TC_STR("input"), TC_STR("")), TC_OK);
    assert_int_equal(tc_builder_opaque_piece(cx, b.builder, 2, TC_STR("input"), TC_STR("{\"cut\":\"")), TC_OK);
    r = reply(&b, TC_FINISH_STOP);
    assert_int_equal(r.n, 3);
    assert_str(r.items[0].opaque, "{\"input\":{\"q\":[1]}}");
    assert_str(r.items[1].opaque, "{\"input\":{\"a\":1}}");
    assert_str(r.items[2].opaque, "{\"input\":{}}");
    end(&b);
}

void test_builder__an_index_may_be_an_opaque_object_s_and_then_a_call_s(void **state)
{
    struct built b;
    struct tc_cx *cx = &b.test.cx;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    assert_int_equal(tc_builder_opaque_begin(cx, b.builder, 0), TC_OK);
    assert_int_equal(tc_builder_opaque_append(cx, b.builder, 0, TC_STR("a"), TC_STR("1")), TC_OK);
    assert_true(tc_builder_is_opaque(b.builder, 0));
    call(&b, 0, "x", "read", "");
    assert_false(tc_builder_is_opaque(b.builder, 0));
    assert_int_equal(tc_builder_opaque_begin(cx, b.builder, 0), TC_OK);
    assert_true(tc_builder_is_opaque(b.builder, 0));
    assert_int_equal(tc_builder_opaque_append(cx, b.builder, 0, TC_STR("a"), TC_STR("2")), TC_OK);
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 3);
    assert_str(r.items[0].opaque, "{\"a\":\"1\"}");
    assert_str(r.items[2].opaque, "{\"a\":\"2\"}");
    end(&b);
}

void test_builder__tells_which_calls_there_are(void **state)
{
    struct built b;

    (void)state;
    begin(&b);
    text(&b, "t");
    call(&b, 0, "a", "f", "{}");
    assert_true(tc_builder_has_call(b.builder, TC_STR("a")));
    assert_false(tc_builder_has_call(b.builder, TC_STR("b")));
    assert_false(tc_builder_has_call(b.builder, TC_STR("")));
    end(&b);
}

void test_builder__a_signature_seals_its_text(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    text(&b, "a");
    assert_int_equal(tc_builder_text_signature(&b.test.cx, b.builder, TC_STR("\"s1\"")), TC_OK);
    text(&b, "b");
    call(&b, 0, "", "f", "{}");
    assert_int_equal(tc_builder_text_signature(&b.test.cx, b.builder, TC_STR("\"s2\"")), TC_OK);
    r = reply(&b, TC_FINISH_STOP);
    assert_int_equal(r.n, 4);
    assert_str(r.items[0].opaque, "\"s1\"");
    assert_str(r.items[1].text, "b");
    assert_int_equal(r.items[1].opaque.n, 0);
    assert_str(r.items[3].text, "");
    assert_str(r.items[3].opaque, "\"s2\"");
    end(&b);
}

void test_builder__arguments_come_in_fragments_by_index(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "");
    call(&b, 0, "", "", "{\"p\":");
    call(&b, 1, "b", "write", "{\"q\"");
    call(&b, 0, "", "", "\"}\"}");
    call(&b, 1, "", "", ":2}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 2);
    assert_call(&r.items[0], "a", "read", "{\"p\":\"}\"}");
    assert_call(&r.items[1], "b", "write", "{\"q\":2}");
    assert_false(r.items[0].cut || r.items[1].cut || r.items[0].is_object);
    end(&b);
}

void test_builder__whole_arguments_replace_fragments(void **state)
{
    struct built b;
    struct tc_call_piece p = {.index = 2, .arguments = TC_STR("{\"a\":1}"), .whole = true};
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 2, "a", "read", "{\"a\":");
    assert_int_equal(tc_builder_call(&b.test.cx, b.builder, &p), TC_OK);
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 1);
    assert_call(&r.items[0], "a", "read", "{\"a\":1}");
    assert_false(r.items[0].cut);
    end(&b);
}

void test_builder__arguments_may_be_values(void **state)
{
    static const struct {
        const char *json, *arguments;
        bool object;
    } cases[] = {
        {"{\"a\": 1.50}", "{\"a\":1.50}", true},
        {"\"{\\\"a\\\":1}\"", "{\"a\":1}", false},
        {"\"\"", "", false},
        {"null", NULL, false},
        {"[1]", "[1]", true},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct built b;
        struct tc_call_piece p = {.index = 0, .name = TC_STR("f")};
        const struct tc_json *value;
        struct tc_model_reply r;

        begin(&b);
        assert_int_equal(tc_json_parse_root(&b.test.cx, tc_str_of(cases[i].json), NULL, &value), TC_OK);
        assert_int_equal(tc_builder_piece_arguments(&b.test.cx, &p, value), TC_OK);
        assert_int_equal(tc_builder_call(&b.test.cx, b.builder, &p), TC_OK);
        r = reply(&b, TC_FINISH_CALLS);
        assert_call(&r.items[0], "", "f", cases[i].arguments);
        assert_int_equal(r.items[0].is_object, cases[i].object);
        end(&b);
    }
}

void test_builder__row_2_no_fragment_is_no_arguments(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "now", NULL);
    call(&b, 1, "b", "then", "");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 2);
    assert_call(&r.items[0], "a", "now", NULL);
    assert_call(&r.items[1], "b", "then", "");
    assert_false(r.items[1].cut);
    assert_str(tc_buf_get(&b.heard), "c:now\nc:then\n");
    end(&b);
}

void test_builder__row_6_null_fragments_and_empty_ids_are_nothing(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{\"p\"");
    call(&b, 0, "", "", NULL);
    call(&b, 0, "", "", ":1}");
    call(&b, 0, "", "", NULL);
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 1);
    assert_call(&r.items[0], "a", "read", "{\"p\":1}");
    end(&b);
}

void test_builder__row_62_calls_without_ids(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, -1, "", "read", "{\"p\":1}");
    call(&b, -1, "", "read", "{\"p\":2}");
    call(&b, -1, "", "list", "{}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 3);
    assert_call(&r.items[0], "", "read", "{\"p\":1}");
    assert_call(&r.items[1], "", "read", "{\"p\":2}");
    assert_call(&r.items[2], "", "list", "{}");
    end(&b);
}

void test_builder__row_63_without_index_an_id_begins_a_call(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, -1, "a", "read", "");
    call(&b, -1, "", "", "{\"p\":");
    call(&b, -1, "", "", "1}");
    call(&b, -1, "b", "read", "");
    call(&b, -1, "", "", "{}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 2);
    assert_call(&r.items[0], "a", "read", "{\"p\":1}");
    assert_call(&r.items[1], "b", "read", "{}");
    end(&b);
}

void test_builder__row_64_all_indexes_0_and_other_ids(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{\"p\":1}");
    call(&b, 0, "b", "read", "{\"p\":2}");
    call(&b, 0, "c", "list", NULL);
    call(&b, 0, "d", "list", "{");
    call(&b, 0, "", "", "}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 4);
    assert_call(&r.items[0], "a", "read", "{\"p\":1}");
    assert_call(&r.items[1], "b", "read", "{\"p\":2}");
    assert_call(&r.items[2], "c", "list", NULL);
    assert_call(&r.items[3], "d", "list", "{}");
    end(&b);
}

void test_builder__all_indexes_0_and_no_ids(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "", "read", "{\"p\":1}");
    call(&b, 0, "", "read", "{\"p\":2}");
    call(&b, 0, "", "list", "{}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 3);
    assert_call(&r.items[1], "", "read", "{\"p\":2}");
    assert_call(&r.items[2], "", "list", "{}");
    end(&b);
}

void test_builder__row_58_one_id_for_all_calls(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "x", "read", "");
    call(&b, 0, "", "", "{\"p\":1}");
    call(&b, 1, "x", "read", "");
    call(&b, 1, "", "", "{\"p\":2}");
    call(&b, 2, "x", "list", NULL);
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 3);
    assert_call(&r.items[0], "x", "read", "{\"p\":1}");
    assert_call(&r.items[1], "x", "read", "{\"p\":2}");
    assert_call(&r.items[2], "x", "list", NULL);
    end(&b);
}

void test_builder__one_id_and_index_0_for_all_calls(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "x", "read", "{\"p\":1}");
    call(&b, 0, "x", "read", "{\"p\":2}");
    call(&b, 0, "x", "read", "");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 2);
    assert_call(&r.items[0], "x", "read", "{\"p\":1}");
    assert_call(&r.items[1], "x", "read", "{\"p\":2}");
    end(&b);
}

void test_builder__row_65_an_index_that_changes_inside_a_call(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{\"p\":1}");
    call(&b, 1, "b", "write", "{\"q\":");
    call(&b, 2, "", "", "\"x");
    call(&b, 2, "", "", "y\"");
    call(&b, 0, "", "", "}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 2);
    assert_call(&r.items[0], "a", "read", "{\"p\":1}");
    assert_call(&r.items[1], "b", "write", "{\"q\":\"xy\"}");
    end(&b);
}

void test_builder__row_65_an_index_that_could_be_two_calls_is_refused(void **state)
{
    struct built b;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{\"p\":");
    call(&b, 1, "b", "write", "{\"q\":");
    assert_int_equal(piece(&b, 2, "", "", "1}"), TC_E_MODEL_PROTOCOL);
    assert_str(b.test.cx.err.message, "The server sent arguments under index 2, and two calls could be meant.");
    end(&b);
}

void test_builder__an_id_under_a_moved_index_is_the_same_call(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{\"p\":");
    call(&b, 3, "a", "read", "1");
    call(&b, 4, "a", "", "}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 1);
    assert_call(&r.items[0], "a", "read", "{\"p\":1}");
    end(&b);
}

void test_builder__row_66_a_name_behind_the_arguments(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "", "{\"p\":");
    call(&b, 0, "", "", "1}");
    assert_int_equal(b.heard.n, 0);
    call(&b, 0, "", "read", NULL);
    assert_str(tc_buf_get(&b.heard), "c:read\n");
    call(&b, 1, "", "", "{}");
    call(&b, 1, "b", "list", "");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 2);
    assert_call(&r.items[0], "a", "read", "{\"p\":1}");
    assert_call(&r.items[1], "b", "list", "{}");
    end(&b);
}

void test_builder__a_name_in_fragments_and_a_name_repeated(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read_", NULL);
    call(&b, 0, "", "file", NULL);
    call(&b, 0, "", "", "{\"p\":");
    call(&b, 0, "a", "read_file", "1");
    call(&b, 0, "a", "read_file", "}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.n, 1);
    assert_call(&r.items[0], "a", "read_file", "{\"p\":1}");
    assert_str(tc_buf_get(&b.heard), "c:read_file\n");
    end(&b);
}

void test_builder__row_15_open_arguments_are_cut_whatever_the_reason(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{}");
    call(&b, 1, "b", "write", "{\"t\":\"a\\\"}");
    r = reply(&b, TC_FINISH_CALLS);
    assert_int_equal(r.finish, TC_FINISH_CALLS);
    assert_false(r.items[0].cut);
    assert_true(r.items[1].cut);
    end(&b);
}

void test_builder__row_15_all_tokens_used_is_a_cut(void **state)
{
    struct built b;
    struct tc_usage usage = tc_builder_usage_none;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "write", "{\"path\":\"x\"}");
    usage.output = 100;
    tc_builder_usage(b.builder, &usage);
    assert_int_equal(tc_builder_end(&b.test.cx, b.builder, TC_FINISH_CALLS, TC_STR("tool_calls")), TC_OK);
    assert_int_equal(tc_builder_reply(&b.test.cx, b.builder, 101, &r), TC_OK);
    assert_int_equal(r.finish, TC_FINISH_CALLS);
    assert_int_equal(tc_builder_reply(&b.test.cx, b.builder, 100, &r), TC_OK);
    assert_int_equal(r.finish, TC_FINISH_LENGTH);
    assert_true(r.items[0].cut);
    end(&b);
}

void test_builder__row_17_at_the_limit_what_stands_last_is_cut(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    call(&b, 0, "a", "read", "{}");
    call(&b, 1, "b", "write", "{\"path\":\"x\"}");
    r = reply(&b, TC_FINISH_LENGTH);
    assert_false(r.items[0].cut);
    assert_true(r.items[1].cut);
    text(&b, "more");
    r = reply(&b, TC_FINISH_LENGTH);
    assert_false(r.items[1].cut);
    end(&b);
}

void test_builder__the_end_agrees_with_the_items(void **state)
{
    struct built b;

    (void)state;
    begin(&b);
    assert_int_equal(reply(&b, TC_FINISH_STOP).finish, TC_FINISH_STOP);
    assert_int_equal(reply(&b, TC_FINISH_CALLS).finish, TC_FINISH_MALFORMED);
    text(&b, "x");
    assert_int_equal(reply(&b, TC_FINISH_CALLS).finish, TC_FINISH_STOP);
    call(&b, 0, "a", "read", "{}");
    assert_int_equal(reply(&b, TC_FINISH_STOP).finish, TC_FINISH_CALLS);
    assert_int_equal(reply(&b, TC_FINISH_FILTER).finish, TC_FINISH_FILTER);
    end(&b);
}

void test_builder__usage_and_origin_keep_what_was_told_last(void **state)
{
    struct built b;
    struct tc_usage usage = {.input = 10, .output = -1, .cached = 4, .cache_written = -1, .reasoning = -1};
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    tc_builder_usage(b.builder, &usage);
    usage = tc_builder_usage_none;
    usage.output = 7;
    tc_builder_usage(b.builder, &usage);
    assert_int_equal(tc_builder_origin(&b.test.cx, b.builder, TC_STR("m1"), TC_STR("id1")), TC_OK);
    assert_int_equal(tc_builder_origin(&b.test.cx, b.builder, TC_STR("m2"), TC_STR("")), TC_OK);
    r = reply(&b, TC_FINISH_STOP);
    assert_int_equal(r.usage.input, 10);
    assert_int_equal(r.usage.output, 7);
    assert_int_equal(r.usage.cached, 4);
    assert_int_equal(r.usage.reasoning, -1);
    assert_str(r.model, "m2");
    assert_str(r.id, "id1");
    end(&b);
}

void test_builder__characters_cut_in_two_are_joined(void **state)
{
    struct built b;
    struct tc_model_reply r;

    (void)state;
    begin(&b);
    text(&b, "a\xe4\xbd");
    text(&b, "\xa0\xff!");
    text(&b, "\xed\xa0\xbc");                /* U+D83C */
    text(&b, "\xed\xbd\xb8 \xed\xa0\xbc"); /* U+DF78 */
    tc_builder_reasoning(b.builder, TC_STR("\xf0\x9f\x8d"));
    tc_builder_reasoning(b.builder, TC_STR("\xb8"));
    call(&b, 0, "x", "f", "{\"a\":\"\xed\xa0\xbc");
    call(&b, 0, "", "", "\xed\xbd\xb8\xed\xbd\xb8\"}");
    r = reply(&b, TC_FINISH_STOP);
    assert_str(r.items[0].text, "a\xe4\xbd\xa0\xef\xbf\xbd!\xf0\x9f\x8d\xb8 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_str(r.items[1].arguments, "{\"a\":\"\xf0\x9f\x8d\xb8\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"}");
    assert_str(tc_buf_get(&b.heard), "t:a\nt:\xe4\xbd\xa0\xef\xbf\xbd!\nt:\xf0\x9f\x8d\xb8 \n"
                                     "r:\xf0\x9f\x8d\xb8\nc:f\n");
    end(&b);
}

void test_builder__limits(void **state)
{
    struct built b;
    size_t n = TC_BUILDER_ARGUMENTS_MAX;
    char *big = malloc(n + 1);
    int i;

    (void)state;
    assert_non_null(big);
    memset(big, ' ', n);
    big[n] = 0;
    begin(&b);
    for (i = 0; i < TC_BUILDER_CALLS_MAX; i++)
        call(&b, i, "", "f", "{}");
    assert_int_equal(piece(&b, i, "", "f", "{}"), TC_E_MODEL_TOO_LARGE);
    end(&b);

    begin(&b);
    call(&b, 0, "", "f", big);
    assert_int_equal(piece(&b, 0, "", "", "}"), TC_E_MODEL_TOO_LARGE);
    for (i = 0; i < 2; i++)
        text(&b, big);
    assert_int_equal(tc_builder_text(&b.test.cx, b.builder, tc_str_n(big, n)), TC_E_MODEL_TOO_LARGE);
    assert_str(b.test.cx.err.message, "The model's answer is over 32 MiB.");
    end(&b);
    free(big);
}

/* Every allocation fails once. */
static enum tc_err build(struct built *b)
{
    struct tc_cx *cx = &b->test.cx;
    struct tc_model_reply r;
    enum tc_err err = tc_builder_create(cx, NULL, &b->builder);

    if (!err)
        err = tc_builder_text(cx, b->builder, TC_STR("text"));
    if (!err)
        err = tc_builder_opaque_append(cx, b->builder, 1, TC_STR("m"), TC_STR("v"));
    if (!err)
        err = tc_builder_text_signature(cx, b->builder, TC_STR("\"s\""));
    if (!err)
        err = piece(b, 0, "a", "read", "{}");
    if (!err)
        err = tc_builder_origin(cx, b->builder, TC_STR("m"), TC_STR("i"));
    if (!err)
        err = tc_builder_end(cx, b->builder, TC_FINISH_STOP, TC_STR("stop"));
    if (!err)
        err = tc_builder_reply(cx, b->builder, 0, &r);
    tc_builder_destroy(b->builder);
    return err;
}

void test_builder__memory_may_be_out_at_any_point(void **state)
{
    size_t n;
    enum tc_err err;

    (void)state;
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (n = 1;; n++) {
        struct built b = {0};

        test_cx_init(&b.test);
        tc_mem_fail_at(n, false);
        err = build(&b);
        tc_mem_fail_at(0, false);
        test_cx_finish(&b.test);
        if (!err)
            break;
        assert_int_equal(err, TC_E_NO_MEMORY);
    }
    assert_true(n > 10);
}
