#include "mcp/client/inbox.h"

#include "support/test.h"

struct seen {
    struct tc_buf text;
};

static void on_message(void *arg, struct tc_cx *cx, const struct tc_inbox_message *message)
{
    struct seen *seen = arg;

    (void)cx;
    assert_non_null(message->doc);
    tc_buf_printf(&seen->text, "[%d %.*s", (int)message->rpc.kind, TC_STR_ARG(message->rpc.id));
    tc_buf_str(&seen->text, message->rpc.method);
    tc_buf_cstr(&seen->text, message->suspect ? " ?]" : "]");
}

static void on_other(void *arg, struct tc_cx *cx, const struct tc_sse_event *event)
{
    struct seen *seen = arg;

    (void)cx;
    tc_buf_printf(&seen->text, "<%.*s %.*s>", TC_STR_ARG(event->type), TC_STR_ARG(event->data));
}

/* Feeds the text piece by piece. */
static void feed(struct test_cx *t, struct tc_inbox *inbox, struct seen *seen, bool streams, const char *text,
                 size_t step)
{
    const struct tc_inbox_events events = {.message = on_message, .other = on_other, .arg = seen};
    struct tc_str rest = tc_str_of(text);

    tc_buf_init(&seen->text, 1 << 16);
    tc_inbox_init(inbox, streams, 100, &events);
    for (; rest.n; rest = tc_str_from(rest, step)) {
        struct tc_str piece = tc_str_n(rest.p, rest.n < step ? rest.n : step);

        if (!tc_inbox_feed(&t->cx, inbox, piece))
            break;
    }
    tc_inbox_end(&t->cx, inbox);
}

void test_inbox__reads_the_same_however_it_is_cut(void **state)
{
    static const char text[] = "id: 1\ndata:\n\nretry: 7\nid: 2\n"
                               "data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n"
                               "event: endpoint\ndata: /here\n\nevent: message\ndata: [{\"jsonrpc\":\"2.0\",\ndata: "
                               "\"id\":\"x\",\"method\":\"b\"},{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":1}]\n\n"
                               "data: {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":1,\"error\":{}}\n\n"
                               "data: {\"level\":1}\n\n"
                               "data: {\"jsonrpc\":\"2.0\",\"method\":\"c\\u0000\"}\n\ndata: {\"unfinished";
    (void)state;

    for (size_t step = 1; step < sizeof text; step += step < 8 ? 1 : 37) {
        struct test_cx t;
        struct tc_inbox inbox;
        struct seen seen;

        test_cx_init(&t);
        feed(&t, &inbox, &seen, true, text, step);
        assert_true(tc_str_eq(tc_buf_get(&seen.text),
                              TC_STR("[2 a]<endpoint /here>[1 \"x\"b][3 3][0 4][2 c\0 ?]")));
        assert_str(tc_inbox_last_id(&inbox), "2");
        assert_int_equal(tc_inbox_retry_ms(&inbox), 7);
        assert_int_equal(inbox.messages, 5);
        assert_int_equal(inbox.skipped, 1);
        assert_str(tc_str_n(inbox.shown, inbox.shown_n), "{\"level\":1}");
        assert_null(inbox.fault);
        tc_inbox_finish(&inbox);
        tc_buf_finish(&seen.text);
        test_cx_finish(&t);
    }
}

static void one_text(const char *text, const char *messages, const char *trouble, const char *fault)
{
    struct test_cx t;
    struct tc_inbox inbox;
    struct seen seen;

    test_cx_init(&t);
    feed(&t, &inbox, &seen, false, text, 9);
    assert_str(tc_buf_get(&seen.text), messages);
    assert_str(tc_str_of(inbox.trouble), trouble);
    assert_str(tc_str_of(inbox.fault), fault);
    tc_inbox_finish(&inbox);
    tc_buf_finish(&seen.text);
    test_cx_finish(&t);
}

void test_inbox__reads_one_text(void **state)
{
    (void)state;
    one_text(" {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", "[3 1]", "", "");
    one_text("", "", "", "");
    one_text("\n", "", "", "");
    one_text("{\"jsonrpc\"", "", "is no valid JSON", "");
    one_text("[]", "", "", "");
    one_text("[[]]", "", "is an empty batch", "");
    one_text("[[1]]", "", "is a batch in a batch", "");
    one_text("\"text\"", "", "is no object", "");
    one_text("{\"jsonrpc\":\"2.0\"}", "", "has neither method, result nor error", "");
    one_text("[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},7]", "[3 1]", "is no object", "");
    one_text("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0123456789012345678901234567890123456789012345678901234567890"
             "0123456789\"}",
             "", "", "is longer than allowed");
}

void test_inbox__bounds_one_event_and_not_their_number(void **state)
{
    struct test_cx t;
    struct tc_inbox inbox;
    struct seen seen;
    char line[200];
    (void)state;

    test_cx_init(&t);
    memset(line, 'x', sizeof line);
    feed(&t, &inbox, &seen, true, "data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n", 100);
    for (int i = 0; i < 100; i++)
        assert_true(tc_inbox_feed(&t.cx, &inbox, TC_STR("data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n")));
    assert_int_equal(inbox.messages, 101);
    assert_int_equal(t.arena.used, 0); /* nothing piles up */
    assert_false(tc_inbox_feed(&t.cx, &inbox, tc_str_n(line, sizeof line)));
    assert_false(tc_inbox_feed(&t.cx, &inbox, TC_STR("\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n")));
    assert_str(tc_str_of(inbox.fault), "is longer than allowed");
    assert_int_equal(inbox.messages, 101);
    tc_inbox_finish(&inbox);
    tc_buf_finish(&seen.text);
    test_cx_finish(&t);
}
