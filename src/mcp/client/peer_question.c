/*
 * What a server asks: whether this side is alive, and questions to the caller of
 * one of its uses. In the era of the handshake each is a request, answered by a
 * task of its own; in the other they come as input requests of a result.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "mcp/client/peer_state.h"
#include "mcp/client/peer_turn.h"
#include "mcp/codec/clean.h"

enum {
    OPEN_MAX = 32, /* questions of a server that are being answered; those beyond are refused */
    HEARD_MAX = 512, /* … and dropped when it does not wait for that either */
    ASKED_MAX = 200, /* during one use */
    SLOW_MS = 100, /* to who goes on asking */
    ANSWER_MAX = 64 << 20
};

struct question {
    struct tc_peer_job job;
    struct tc_peer_use *use; /* NULL: nobody is asked */
    struct tc_str id; /* of the request, JSON text, in text */
    struct tc_json_doc *doc; /* holds method and params */
    struct tc_str method;
    const struct tc_json *params;
    bool suspect;
    const char *refusal; /* why nobody is asked; NULL: somebody is, or there is nobody */
    bool slow; /* it is refused at leisure */
    char text[];
};

/* --- answering one --- */

static bool is(const struct question *question, const char *method)
{
    return tc_str_is(question->method, method);
}

static enum tc_err put_to_caller(struct tc_cx *cx, const struct question *question, struct tc_question *asked)
{
    enum tc_err code = TC_OK;

    *asked = (struct tc_question){.method = question->method, .params = question->params};
    if (question->suspect && asked->params)
        code = tc_mcp_clean(cx, asked->params, &asked->params);
    if (code == TC_OK)
        code = tc_caller_ask(cx, question->use ? question->use->caller : NULL, asked, 1);
    return code;
}

/* Nothing came of it. An elicitation has an answer for that. */
static void write_failure(struct tc_buf *text, const struct question *question, const struct tc_cx *cx)
{
    if (is(question, "elicitation/create"))
        tc_rpc_write_result(text, question->id, TC_STR("{\"action\":\"cancel\"}"));
    else
        tc_rpc_write_error(text, question->id, -32603,
                           cx->err.message.n ? cx->err.message : TC_STR("The question was not answered."), TC_STR(""));
}

static void write_answer(struct tc_buf *text, const struct question *question, const struct tc_question *asked)
{
    struct tc_jsonw w;

    if (!asked->result) {
        tc_rpc_write_error(text, question->id, asked->rpc_code ? asked->rpc_code : -32603, asked->message, TC_STR(""));
        return;
    }
    tc_rpc_open_result(&w, text, question->id);
    tc_jsonw_value(&w, asked->result);
    tc_jsonw_end(&w);
}

static void compose(struct tc_cx *cx, struct tc_buf *text, const struct question *question)
{
    struct tc_question asked;

    if (question->refusal)
        tc_rpc_write_error(text, question->id, -32603, tc_str_of(question->refusal), TC_STR(""));
    else if (is(question, "ping"))
        tc_rpc_write_result(text, question->id, TC_STR("{}"));
    else if (is(question, "roots/list") && !question->use)
        tc_rpc_write_result(text, question->id, TC_STR("{\"roots\":[]}"));
    else if (put_to_caller(cx, question, &asked) == TC_OK)
        write_answer(text, question, &asked);
    else
        write_failure(text, question, cx);
}

static void answer(struct tc_cx *cx, struct tc_peer_job *job)
{
    struct question *question = (struct question *)job;
    struct tc_link *link = job->peer->link;
    struct tc_buf text;

    tc_buf_init(&text, ANSWER_MAX);
    if (question->slow)
        tc_task_sleep(cx, SLOW_MS);
    compose(cx, &text, question);
    if (!text.failed) {
        tc_task_shield(cx); /* also who was cancelled leaves no question open */
        link->ops->answer(cx, link, tc_buf_get(&text));
        tc_task_unshield(cx);
    }
    tc_buf_finish(&text);
}

static void drop(struct tc_peer_job *job)
{
    struct question *question = (struct question *)job;

    tc_json_doc_unref(question->doc);
    job->peer->questions--;
    if (question->use && --question->use->open == 0)
        tc_event_set(&question->use->answered);
}

/* --- taking one --- */

static void refuse(struct question *question, const char *sentence)
{
    question->use = NULL;
    question->refusal = sentence;
}

/* Who is to be asked. Where there is doubt nobody is, and there is to be none the
 * next time. */
static void assign(struct tc_peer *peer, struct question *question, const struct tc_link_message *message)
{
    question->use = tc_peer_use_of(peer, message);
    peer->roots_asked |= is(question, "roots/list");
    if (peer->questions > OPEN_MAX) {
        refuse(question, "Too many questions are open.");
    } else if (!question->use && peer->uses && !is(question, "ping")) {
        peer->one_by_one = true;
        refuse(question, "It cannot be told whose call this belongs to. From now on calls of those who can be "
                         "asked run one at a time: call again.");
    } else if (question->use && ++question->use->asked > ASKED_MAX) {
        refuse(question, "Too many questions were asked during one call.");
        question->slow = true;
    }
}

void tc_peer_hear_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_link_message *message)
{
    const struct tc_rpc *rpc = &message->rpc;
    struct question *question = NULL;

    if (peer->questions < HEARD_MAX)
        question = tc_mem_zalloc(1, sizeof *question + rpc->id.n);
    if (!question)
        return;
    question->job.run = answer;
    question->job.drop = drop;
    memcpy(question->text, rpc->id.p, rpc->id.n);
    question->id = tc_str_n(question->text, rpc->id.n);
    question->doc = tc_json_doc_ref(message->doc);
    question->method = rpc->method;
    question->params = rpc->params;
    question->suspect = message->suspect;
    peer->questions++;
    assign(peer, question, message);
    if (question->use && question->use->open++ == 0)
        tc_event_clear(&question->use->answered);
    tc_peer_spawn(cx, peer, "mcp-question", &question->job);
}

/* --- ends --- */

void tc_peer_withdraw(struct tc_peer *peer, struct tc_str id)
{
    for (struct tc_peer_job *job = peer->jobs; job; job = job->next) {
        if (job->run == answer && tc_str_eq(((struct question *)job)->id, id))
            tc_task_cancel(job->task, TC_E_CANCELED);
    }
}

void tc_peer_cancel_questions(struct tc_peer *peer, const struct tc_peer_use *use)
{
    for (struct tc_peer_job *job = peer->jobs; job; job = job->next) {
        if (job->run == answer && ((struct question *)job)->use == use)
            tc_task_cancel(job->task, TC_E_CANCELED);
    }
}

/* --- input requests --- */

static enum tc_err write_responses(struct tc_cx *cx, const struct tc_question *questions, size_t n,
                                   struct tc_str *ret_responses)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, ANSWER_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_key_str(&w, questions[i].key);
        tc_jsonw_value(&w, questions[i].result);
    }
    tc_jsonw_end(&w);
    *ret_responses = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_responses->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err ask_in_time(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_question *questions, size_t n)
{
    int64_t deadline = tc_task_deadline_set(cx, turn->until_us);
    enum tc_err code = tc_caller_ask(cx, turn->use.caller, questions, n);

    tc_task_deadline_restore(cx, deadline);
    if (code == TC_E_TIMEOUT)
        return tc_fail(cx, TC_E_TIMEOUT, "The server asked for input, which did not come in time.");
    for (size_t i = 0; i < n && code == TC_OK; i++) {
        if (!questions[i].result)
            code = tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The server asks for %.*s, which cannot be had: %.*s",
                           TC_STR_ARG(questions[i].method), TC_STR_ARG(questions[i].message));
    }
    return code;
}

/* A task asks until it is answered, under the same key. */
static bool is_new(struct tc_peer_turn *turn, struct tc_str key)
{
    for (size_t i = 0; i < turn->answered_n; i++) {
        if (tc_str_eq(turn->answered[i], key))
            return false;
    }
    if (turn->answered_n < ASKED_MAX)
        turn->answered[turn->answered_n++] = key;
    return true;
}

static enum tc_err collect(struct tc_cx *cx, struct tc_peer_turn *turn, const struct tc_json *requests,
                           struct tc_question *questions, size_t *n)
{
    bool task = turn->use.task.n > 0;
    struct tc_json_iter it;
    const struct tc_json *request;
    struct tc_str key;

    if (task && !turn->answered)
        turn->answered = TC_ARENA_NEW_N(cx->arena, struct tc_str, ASKED_MAX);
    if (task && !turn->answered)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(requests); tc_json_next(&it, &key, &request);) {
        key = tc_arena_dup(cx->arena, key);
        if (!key.p)
            return tc_fail_memory(cx);
        if (!task || is_new(turn, key))
            questions[(*n)++] = (struct tc_question){.key = key,
                                                     .method = tc_json_str(tc_json_get_c(request, "method")),
                                                     .params = tc_json_get_c(request, "params")};
    }
    return TC_OK;
}

enum tc_err tc_peer_answer(struct tc_cx *cx, struct tc_peer_turn *turn, const struct tc_json *requests,
                           struct tc_str *ret_responses)
{
    struct tc_question *questions = TC_ARENA_NEW_N(cx->arena, struct tc_question, tc_json_count(requests) + 1);
    size_t n = 0;
    enum tc_err code = questions ? collect(cx, turn, requests, questions, &n) : tc_fail_memory(cx);

    if (code != TC_OK)
        return code;
    turn->use.asked += n;
    if (turn->use.asked > ASKED_MAX)
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The server asks for more than %d inputs during one call.",
                       ASKED_MAX);
    if (n == 0 && turn->use.task.n) {
        *ret_responses = tc_str_n("", 0);
        return TC_OK;
    }
    code = ask_in_time(cx, turn, questions, n);
    return code == TC_OK ? write_responses(cx, questions, n, ret_responses) : code;
}
