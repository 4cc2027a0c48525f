/*
 * A list of messages with a mark where writing stands. A kept stream forgets its
 * oldest written ones when they are too many, any other forgets them at once.
 */
#include "mcp/server/feed.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "http/sse.h"

enum {
    KEPT_MAX = 256 * 1024,           /* bytes of written messages that stay */
    WAITING_MAX = 2 * 1024 * 1024,   /* bytes of unwritten ones, but for what must arrive */
    ANSWER_MAX = 256 * 1024 * 1024,  /* of all together, as text */
    KEEP_ALIVE_MS = 15 * 1000,
    PATIENCE_MS = 5 * 1000,          /* until an answer that is not there becomes events */
    TURN_MS = 4 * 60 * 1000,         /* of one connection */
    RETRY_MS = 1000                  /* after which a client comes back */
};

struct tc_feed_message {
    struct tc_feed_message *next;
    uint64_t seq;
    size_t n;
    char text[];
};

enum tc_err tc_feed_create(struct tc_cx *cx, uint32_t number, struct tc_feed **ret_feed)
{
    struct tc_feed *feed = tc_mem_zalloc(1, sizeof *feed);

    if (!feed)
        return tc_fail_memory(cx);
    feed->refs = 1;
    feed->number = number;
    *ret_feed = feed;
    return TC_OK;
}

struct tc_feed *tc_feed_ref(struct tc_feed *feed)
{
    feed->refs++;
    return feed;
}

static void drop_first(struct tc_feed *feed)
{
    struct tc_feed_message *message = feed->first;

    feed->first = message->next;
    if (!feed->first)
        feed->last = NULL;
    feed->bytes -= message->n;
    tc_mem_free(message);
}

void tc_feed_unref(struct tc_feed *feed)
{
    if (!feed || --feed->refs > 0)
        return;
    while (feed->first)
        drop_first(feed);
    tc_mem_free(feed);
}

static void forget_written(struct tc_feed *feed)
{
    size_t keep = feed->number ? KEPT_MAX : 0;

    while (feed->first && feed->first != feed->unsent && feed->bytes > keep)
        drop_first(feed);
}

static bool waits_already(const struct tc_feed *feed, struct tc_str text)
{
    for (const struct tc_feed_message *m = feed->unsent; m; m = m->next)
        if (tc_str_eq(tc_str_n(m->text, m->n), text))
            return true;
    return false;
}

bool tc_feed_push(struct tc_feed *feed, struct tc_str text, enum tc_feed_need need)
{
    struct tc_feed_message *message;

    forget_written(feed);
    if (feed->closed || (need != TC_FEED_MUST && feed->bytes + text.n > WAITING_MAX) ||
        (need == TC_FEED_ONCE && waits_already(feed, text)))
        return false;
    message = tc_mem_alloc(sizeof *message + text.n);
    if (!message)
        return false;
    *message = (struct tc_feed_message){.seq = ++feed->seq, .n = text.n};
    memcpy(message->text, text.p, text.n);
    *(feed->last ? &feed->last->next : &feed->first) = message;
    feed->last = message;
    if (!feed->unsent)
        feed->unsent = message;
    feed->bytes += text.n;
    tc_event_set(&feed->wake);
    return true;
}

void tc_feed_close(struct tc_feed *feed)
{
    feed->closed = true;
    tc_event_set(&feed->wake);
}

bool tc_feed_pending(const struct tc_feed *feed)
{
    return feed->unsent != NULL;
}

bool tc_feed_parse_id(struct tc_str id, uint32_t *ret_number, uint64_t *ret_seq)
{
    int64_t number, seq;
    struct tc_str first;

    if (id.n > TC_FEED_ID_MAX || !tc_str_split(&id, '-', &first) || !id.p || !tc_str_int(first, &number) ||
        !tc_str_int(id, &seq) || number < 1 || number > UINT32_MAX || seq < 0)
        return false;
    *ret_number = (uint32_t)number;
    *ret_seq = (uint64_t)seq;
    return true;
}

void tc_feed_rewind(struct tc_feed *feed, uint64_t seq)
{
    feed->unsent = feed->first;
    while (feed->unsent && feed->unsent->seq <= seq)
        feed->unsent = feed->unsent->next;
}

/* --- writing --- */

unsigned tc_feed_take(struct tc_feed *feed)
{
    tc_event_set(&feed->wake);
    return ++feed->readers;
}

static void add_event(struct tc_buf *to, const struct tc_feed *feed, struct tc_str data, uint64_t seq,
                      int64_t retry_ms)
{
    char id[TC_FEED_ID_MAX];
    struct tc_sse_event event = {.type = TC_STR("message"), .data = data, .retry_ms = retry_ms};

    if (feed->number) {
        snprintf(id, sizeof id, "%u-%llu", feed->number, (unsigned long long)seq);
        event.id = tc_str_of(id);
    }
    if (data.n == 0)
        event.type = TC_STR("");
    tc_sse_write(to, &event);
}

enum tc_err tc_feed_begin(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed,
                          struct tc_str session)
{
    struct tc_header fields[] = {{TC_STR("Cache-Control"), TC_STR("no-cache")},
                                 {TC_STR("X-Accel-Buffering"), TC_STR("no")},
                                 {TC_STR("Mcp-Session-Id"), session}};
    struct tc_exchange_reply head = {.status = 200,
                                     .content_type = TC_STR("text/event-stream"),
                                     .extra = {fields, session.n ? 3 : 2}};
    struct tc_buf first;
    enum tc_err e;

    tc_buf_init(&first, 1024);
    if (feed->number && feed->primes)
        add_event(&first, feed, TC_STR(""), feed->unsent ? feed->unsent->seq - 1 : feed->seq, RETRY_MS);
    head.body = tc_buf_get(&first);
    e = first.failed ? tc_fail_memory(cx) : tc_exchange_stream_begin(cx, exchange, &head);
    tc_buf_finish(&first);
    return e;
}

/* The mark moves before the write parks: whoever takes over then goes on behind it,
 * or winds back to where its client was. */
static enum tc_err write_waiting(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed,
                                 unsigned reader)
{
    struct tc_buf out;
    enum tc_err e = TC_OK;

    tc_buf_init(&out, ANSWER_MAX + WAITING_MAX);
    while (!e && feed->unsent && feed->readers == reader) {
        for (; feed->unsent && out.n < WAITING_MAX; feed->unsent = feed->unsent->next)
            add_event(&out, feed, tc_str_n(feed->unsent->text, feed->unsent->n), feed->unsent->seq, -1);
        forget_written(feed);
        e = out.failed ? tc_fail_memory(cx) : tc_exchange_stream_write(cx, exchange, tc_buf_get(&out));
        tc_buf_clear(&out);
    }
    tc_buf_finish(&out);
    return e;
}

enum tc_err tc_feed_step(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed, unsigned reader)
{
    enum tc_err e = write_waiting(cx, exchange, feed, reader);

    if (!e && feed->readers == reader && !feed->closed) {
        tc_event_clear(&feed->wake);
        e = tc_task_wait(cx, &feed->wake, KEEP_ALIVE_MS);
        if (e == TC_E_TIMEOUT) {
            tc_fail_clear(cx);
            e = tc_exchange_stream_write(cx, exchange, TC_STR(": still here\n\n"));
        }
    }
    if (!e && feed->readers != reader)
        e = tc_fail(cx, TC_E_CLOSED, "Another connection has taken this stream over.");
    return e;
}

enum tc_err tc_feed_run(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed, unsigned reader)
{
    int64_t until = tc_clock_mono_us(cx->clock) + TURN_MS * 1000;
    bool returns = feed->number && feed->primes && !tc_exchange_peer(exchange)->is_unix;
    enum tc_err e = TC_OK;

    while (!e && !(feed->closed && !feed->unsent)) {
        e = tc_feed_step(cx, exchange, feed, reader);
        if (!e && returns && !feed->closed && tc_clock_mono_us(cx->clock) > until) {
            tc_exchange_stream_end(cx, exchange);
            tc_exchange_leave(exchange);
            return TC_OK;
        }
    }
    return e ? e : tc_exchange_stream_end(cx, exchange);
}

/* Waits until it is known how to answer. */
static enum tc_err wait_first(struct tc_cx *cx, struct tc_feed *feed, bool events)
{
    enum tc_err e = TC_OK;

    while (!e && !feed->closed && !(events && feed->unsent)) {
        tc_event_clear(&feed->wake);
        e = tc_task_wait(cx, &feed->wake, events ? PATIENCE_MS : -1);
        if (e == TC_E_TIMEOUT && events) {
            tc_fail_clear(cx);
            return TC_OK;
        }
    }
    return e;
}

enum tc_err tc_feed_answer(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_feed *feed, bool events)
{
    unsigned reader = tc_feed_take(feed);
    struct tc_exchange_reply reply = {.content_type = TC_STR("application/json")};
    enum tc_err e = wait_first(cx, feed, events);

    if (e)
        return e;
    if (feed->closed && feed->unsent && !feed->unsent->next) {
        reply.status = feed->status ? feed->status : 200;
        reply.body = tc_str_n(feed->unsent->text, feed->unsent->n);
        return tc_exchange_reply(cx, exchange, &reply);
    }
    e = tc_feed_begin(cx, exchange, feed, TC_STR(""));
    return e ? e : tc_feed_run(cx, exchange, feed, reader);
}
