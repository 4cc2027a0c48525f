/*
 * One entry a question in the session's table, in the memory of the one who asks;
 * what was answered is kept as text until that task runs again.
 */
#include "mcp/server/asks.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/rand.h"
#include "mcp/codec/page.h"
#include "mcp/server/outlet.h"

enum {
    ASKED_MAX = 64,             /* open questions of a session */
    ANSWER_MS = 10 * 60 * 1000, /* a person may have to think */
    ANSWER_BYTES = 16 * 1024 * 1024,
    REQUEST_MAX = 16 * 1024 * 1024
};

struct tc_ask {
    struct tc_event *answered; /* of the round */
    struct tc_buf text;        /* the result */
    bool done, refused;        /* refused: code and message of an error */
    int code;
    char id[24];
};

void tc_asks_answer(struct tc_session *session, const struct tc_rpc *rpc)
{
    struct tc_ask *ask = rpc->id.n ? tc_map_get(&session->asked, rpc->id) : NULL;

    if (!ask || ask->done)
        return;
    ask->done = true;
    ask->refused = rpc->kind == TC_RPC_ERROR;
    ask->code = rpc->code;
    if (ask->refused)
        tc_buf_str(&ask->text, rpc->message);
    else
        tc_json_print(&ask->text, rpc->result);
    tc_event_set(ask->answered);
}

static void write_request(struct tc_buf *buf, const struct tc_ask *ask, const struct tc_question *question,
                          const struct tc_mcp_revision *revision)
{
    char page[TC_RAND_UUID_SIZE];
    struct tc_jsonw w;

    tc_rand_uuid(page);
    tc_jsonw_init(&w, buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "jsonrpc", "2.0");
    tc_jsonw_key(&w, "id");
    tc_jsonw_raw(&w, tc_str_of(ask->id));
    tc_jsonw_kstr(&w, "method", question->method);
    if (question->params) {
        tc_jsonw_key(&w, "params");
        tc_mcp_page_write(&w, question->params, revision, tc_str_of(page));
    }
    tc_jsonw_end(&w);
}

static enum tc_err put_one(struct tc_cx *cx, struct tc_outlet *outlet, const struct tc_question *question,
                           struct tc_ask *ask)
{
    struct tc_session *session = outlet->session;
    struct tc_buf buf;
    bool ok;

    if (session->asked.n >= ASKED_MAX)
        return tc_fail(cx, TC_E_BUSY, "The client has %d questions to answer already.", ASKED_MAX);
    snprintf(ask->id, sizeof ask->id, "%lld", (long long)++session->last_ask);
    if (!tc_map_put(&session->asked, tc_str_of(ask->id), ask))
        return tc_fail_memory(cx);
    tc_buf_init(&buf, REQUEST_MAX);
    write_request(&buf, ask, question, outlet->revision);
    ok = !buf.failed && tc_outlet_open(outlet) && tc_feed_push(outlet->feed, tc_buf_get(&buf), TC_FEED_MUST);
    tc_buf_finish(&buf);
    return ok ? TC_OK : tc_fail(cx, TC_E_CLOSED, "The question could not be put to the client.");
}

/* The client need not go on thinking. */
static void take_back(struct tc_outlet *outlet, const struct tc_ask *ask)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, 4096);
    tc_rpc_open_request(&w, &buf, TC_STR(""), "notifications/cancelled");
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "requestId");
    tc_jsonw_raw(&w, tc_str_of(ask->id));
    tc_jsonw_kcstr(&w, "reason", "The call that asked has ended.");
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (!buf.failed && outlet->feed)
        tc_feed_push(outlet->feed, tc_buf_get(&buf), TC_FEED_MAY);
    tc_buf_finish(&buf);
}

static enum tc_err wait_all(struct tc_cx *cx, const struct tc_ask *asks, size_t n, struct tc_event *answered)
{
    int64_t until = tc_clock_mono_us(cx->clock) + (int64_t)ANSWER_MS * 1000, left;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e;) {
        if (asks[i].done) {
            i++;
            continue;
        }
        left = (until - tc_clock_mono_us(cx->clock)) / 1000;
        tc_event_clear(answered);
        e = left > 0 ? tc_task_wait(cx, answered, left)
                     : tc_fail(cx, TC_E_TIMEOUT, "The client did not answer in time.");
    }
    return e;
}

static enum tc_err take_answer(struct tc_cx *cx, const struct tc_ask *ask, struct tc_question *question)
{
    struct tc_json_limits limits = {.max_bytes = ANSWER_BYTES};
    struct tc_str text = tc_buf_dup(&ask->text, cx->arena);

    if (!text.p)
        return tc_fail_memory(cx);
    if (!ask->refused)
        return tc_json_parse_root(cx, text, &limits, &question->result);
    question->result = NULL;
    question->rpc_code = ask->code ? ask->code : -32603;
    question->message = text;
    return TC_OK;
}

enum tc_err tc_asks_put(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    struct tc_outlet *outlet = (struct tc_outlet *)self;
    struct tc_ask *asks = TC_ARENA_NEW_N(cx->arena, struct tc_ask, n + 1);
    struct tc_event answered = {0};
    enum tc_err e = asks ? TC_OK : tc_fail_memory(cx);
    size_t put = 0;

    for (; put < n && !e; put++) {
        asks[put].answered = &answered;
        tc_buf_init(&asks[put].text, ANSWER_BYTES);
        e = put_one(cx, outlet, &questions[put], &asks[put]);
    }
    if (!e)
        e = wait_all(cx, asks, n, &answered);
    for (size_t i = 0; i < put; i++) {
        if (asks[i].id[0])
            tc_map_remove(&outlet->session->asked, tc_str_of(asks[i].id));
        if (!asks[i].done && asks[i].id[0])
            take_back(outlet, &asks[i]);
        else if (!e)
            e = take_answer(cx, &asks[i], &questions[i]);
        tc_buf_finish(&asks[i].text);
    }
    return e;
}
