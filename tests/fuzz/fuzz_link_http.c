/*
 * What an HTTP server may send to a link: cut anywhere it gives the same messages,
 * within the maximum, and nothing of it stays behind.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "http/reference.h"
#include "mcp/client/inbox.h"

enum { MAX = 512 };

static void on_message(void *arg, struct tc_cx *cx, const struct tc_inbox_message *message)
{
    struct tc_buf *text = arg;

    (void)cx;
    tc_buf_printf(text, "%d %d %zu:", (int)message->rpc.kind, (int)message->suspect, message->rpc.id.n);
    tc_buf_str(text, message->rpc.id);
    tc_buf_str(text, message->rpc.method);
    if (message->rpc.params)
        tc_json_print(text, message->rpc.params);
    if (message->rpc.result)
        tc_json_print(text, message->rpc.result);
    tc_buf_char(text, '\n');
}

static void on_other(void *arg, struct tc_cx *cx, const struct tc_sse_event *event)
{
    (void)cx;
    tc_buf_str(arg, event->type);
    tc_buf_str(arg, event->data);
}

static void read_all(struct tc_cx *cx, struct tc_str raw, bool streams, size_t step, struct tc_buf *text)
{
    const struct tc_inbox_events events = {.message = on_message, .other = on_other, .arg = text};
    struct tc_inbox inbox;

    tc_inbox_init(&inbox, streams, MAX, &events);
    for (; raw.n; raw = tc_str_from(raw, step)) {
        size_t n = raw.n < step ? raw.n : step;
        char *copy = malloc(n);

        memcpy(copy, raw.p, n);
        tc_inbox_feed(cx, &inbox, tc_str_n(copy, n));
        free(copy);
    }
    tc_inbox_end(cx, &inbox);
    tc_buf_printf(text, "%zu %zu %s %s", inbox.messages, inbox.skipped, inbox.fault ? inbox.fault : "",
                  inbox.trouble ? inbox.trouble : "");
    tc_buf_str(text, tc_inbox_last_id(&inbox));
    tc_inbox_finish(&inbox);
}

/* What an event or a Location names never leaves the origin unseen. */
static void resolve(struct tc_cx *cx, struct tc_str raw)
{
    static const char base[] = "https://h:8/a/b?q";
    struct tc_url here, there;
    struct tc_str text;

    tc_url_parse(tc_str_of(base), &here);
    text = tc_reference_resolve(cx->arena, &here, raw);
    if (text.p && (!tc_url_parse(text, &there) || tc_str_chr(text, '\n') != SIZE_MAX))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_buf text[2];
    struct tc_str raw;

    if (size < 2)
        return 0;
    raw = tc_str_n((const char *)data + 1, size - 1);
    tc_arena_init(&arena, 0);
    tc_buf_init(&text[0], 1 << 24);
    tc_buf_init(&text[1], 1 << 24);
    read_all(&cx, raw, data[0] & 1, raw.n, &text[0]);
    read_all(&cx, raw, data[0] & 1, 1u + (data[0] >> 1) % 16, &text[1]);
    if (!tc_str_eq(tc_buf_get(&text[0]), tc_buf_get(&text[1])))
        abort();
    resolve(&cx, raw);
    tc_buf_finish(&text[0]);
    tc_buf_finish(&text[1]);
    tc_arena_finish(&arena);
    return 0;
}
