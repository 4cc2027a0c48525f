#include "http/sse.h"
#include "support/test.h"

#include <stdio.h>

/* Reads `raw` in pieces of `step` bytes into "type|data|id|retry;" a piece. */
static void read_as_text(struct tc_str raw, size_t step, char *text, size_t size)
{
    struct tc_sse sse;
    struct tc_sse_event e;
    size_t n = 0;

    tc_sse_init(&sse, 64);
    *text = '\0';
    for (size_t at = 0; at < raw.n; at += step) {
        struct tc_str in = tc_str_n(raw.p + at, raw.n - at < step ? raw.n - at : step);
        enum tc_sse_status status;

        while ((status = tc_sse_feed(&sse, &in, &e)) == TC_SSE_EVENT)
            n += (size_t)snprintf(text + n, size - n, "%.*s|%.*s|%.*s|%lld;", TC_STR_ARG(e.type), TC_STR_ARG(e.data),
                                  TC_STR_ARG(e.id), (long long)e.retry_ms);
        if (status == TC_SSE_TOO_LARGE) {
            snprintf(text + n, size - n, "too large");
            break;
        }
        assert_int_equal(in.n, 0);
    }
    tc_sse_finish(&sse);
}

struct stream {
    struct tc_str raw;
    const char *text;
};

static const struct stream streams[] = {
    {TC_STR_INIT("data: a\n\n"), "|a||-1;"},
    {TC_STR_INIT("data:a\r\rdata:b\r\n\r\n"), "|a||-1;|b||-1;"},
    {TC_STR_INIT("data: a\r\ndata: b\ndata:  c\r\n\r\n"), "|a\nb\n c||-1;"},
    {TC_STR_INIT("\xEF\xBB\xBF""data: a\n\n"), "|a||-1;"},
    {TC_STR_INIT("\xEF\xBB\xBF\xEF\xBB\xBF""data: a\n\n"), ""},
    {TC_STR_INIT("\xEF\xBB""data: a\n\ndata: b\n\n"), "|b||-1;"},
    {TC_STR_INIT(": hello\n\n:\n\ndata\n\n"), "|||-1;"},
    {TC_STR_INIT("data:\n\ndata\ndata\n\n"), "|||-1;|\n||-1;"},
    {TC_STR_INIT("event: ping\n\ndata: x\n\n"), "|x||-1;"},
    {TC_STR_INIT("event: ping\ndata: x\n\ndata: y\n\n"), "ping|x||-1;|y||-1;"},
    {TC_STR_INIT("id: 7\ndata: x\n\ndata: y\n\nid\ndata: z\n\n"), "|x|7|-1;|y|7|-1;|z||-1;"},
    {TC_STR_INIT("id: 7\n\ndata: x\n\n"), "|x|7|-1;"},
    {TC_STR_INIT("id: 7\ndata: x\n\nid: a\0b\ndata: y\n\n"), "|x|7|-1;|y|7|-1;"},
    {TC_STR_INIT("retry: 250\n\nretry: 2s\nretry:-1\ndata: x\n\n"), "|x||250;"},
    {TC_STR_INIT("Data: a\nfoo: b\n data: c\n\ndata: d\n\n"), "|d||-1;"},
    {TC_STR_INIT("data: unfinished\n"), ""},
    {TC_STR_INIT("data: {\"a\":1}\n\n\n\n\n"), "|{\"a\":1}||-1;"},
    {TC_STR_INIT("data: 0123456789012345678901234567890123456789012345678901234567\n\ndata: b\n\n"),
     "|0123456789012345678901234567890123456789012345678901234567||-1;|b||-1;"},
    {TC_STR_INIT("data: 01234567890123456789012345678901234567890123456789012345678901234567890\n\ndata: b\n\n"),
     "too large"},
    {TC_STR_INIT("data: 0123456789012345678901234567890123456789\ndata: 0123456789012345678901234567890123456789\n\n"),
     "too large"},
};

void test_sse__reads_the_same_events_however_they_are_cut(void **state)
{
    char text[512];

    (void)state;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        for (size_t step = 1; step <= streams[i].raw.n; step++) {
            read_as_text(streams[i].raw, step, text, sizeof text);
            assert_string_equal(text, streams[i].text);
        }
}

void test_sse__what_is_written_reads_back(void **state)
{
    const struct tc_sse_event events[] = {
        {TC_STR("message"), TC_STR("one"), TC_STR("1"), -1},
        {TC_STR(""), TC_STR("two\nlines"), TC_STR(""), 500},
        {TC_STR(""), TC_STR(""), TC_STR("3"), -1},
        {TC_STR("x"), TC_STR("\n"), TC_STR("4"), -1},
    };
    char text[512];
    struct tc_buf buf;

    (void)state;
    tc_buf_init(&buf, 4096);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        tc_sse_write(&buf, &events[i]);
        tc_sse_comment(&buf, TC_STR("still here"));
    }
    read_as_text(tc_buf_get(&buf), buf.n, text, sizeof text);
    assert_string_equal(text, "message|one|1|-1;|two\nlines||500;||3|500;x|\n|4|500;");
    tc_buf_finish(&buf);
}

void test_sse__writer_lets_no_value_end_its_line(void **state)
{
    const struct tc_sse_event event = {TC_STR("a\ndata: forged"), TC_STR("x\r\ny\rz\n"), TC_STR("1\n2"), -1};
    struct tc_buf buf;

    (void)state;
    tc_buf_init(&buf, 4096);
    tc_sse_write(&buf, &event);
    assert_str(tc_buf_get(&buf), "data: x\ndata: y\ndata: z\ndata: \n\n");
    tc_buf_clear(&buf);
    tc_sse_comment(&buf, TC_STR("a\n\ndata: forged"));
    assert_str(tc_buf_get(&buf), ": \n\n");
    tc_buf_finish(&buf);
}

/* A stream that is given up is gone on with behind the last event that was read. */
void test_sse__the_id_of_an_event_that_is_too_long_is_not_taken(void **state)
{
    static const char raw[] = "id: 1\ndata: a\n\nid: 2\n"
                              "data: 0123456789012345678901234567890123456789012345678901234567890123456789\n\n";
    (void)state;

    for (size_t step = 1; step <= sizeof raw - 1; step++) {
        enum tc_sse_status status = TC_SSE_MORE;
        struct tc_sse_event event;
        struct tc_sse sse;

        tc_sse_init(&sse, 64);
        for (size_t at = 0; status != TC_SSE_TOO_LARGE; at += step) {
            struct tc_str in = tc_str_n(raw + at, sizeof raw - 1 - at < step ? sizeof raw - 1 - at : step);
            assert_true(at < sizeof raw - 1);
            while ((status = tc_sse_feed(&sse, &in, &event)) == TC_SSE_EVENT)
                continue;
        }
        assert_str(tc_buf_get(&sse.id), "1");
        tc_sse_finish(&sse);
    }
}
