/*
 * One round of questions: an event on the stream of the call, and a wait. Answers
 * are handed over as text, because the task that brings them ends.
 */
#include "api/asking.h"

#include "base/rand.h"
#include "http/sse.h"

enum { ASK_MS = 10 * 60 * 1000, EVENT_MAX = 512 * 1024 * 1024, ANSWERS_MAX = 16 * 1024 * 1024 };

struct tc_question_round {
    struct tc_question_round *prev, *next;
    const struct tc_principal *principal;
    char id[TC_RAND_UUID_SIZE];
    size_t n;
    struct tc_event answered;
    struct tc_buf answers; /* JSON text of the array */
};

/* --- the stream --- */

static enum tc_err write_event(struct tc_cx *cx, struct tc_asker *asker, const char *type, struct tc_str data)
{
    struct tc_exchange_reply reply = {.status = 200, .content_type = TC_STR("text/event-stream")};
    struct tc_sse_event event = {.type = tc_str_of(type), .data = data, .retry_ms = -1};
    struct tc_buf text;
    enum tc_err e = tc_lock_take(cx, &asker->writing, -1);

    if (e)
        return e;
    tc_buf_init(&text, EVENT_MAX);
    tc_sse_write(&text, &event);
    if (text.failed)
        e = tc_fail_memory(cx);
    if (!e && !tc_exchange_replied(asker->exchange))
        e = tc_exchange_stream_begin(cx, asker->exchange, &reply);
    if (!e)
        e = tc_exchange_stream_write(cx, asker->exchange, tc_buf_get(&text));
    tc_buf_finish(&text);
    tc_lock_give(&asker->writing);
    return e;
}

bool tc_asker_streams(const struct tc_asker *asker)
{
    return tc_exchange_replied(asker->exchange);
}

void tc_asker_end(struct tc_cx *cx, struct tc_asker *asker, struct tc_str result)
{
    enum tc_err e = write_event(cx, asker, result.n ? "result" : "error",
                                result.n ? result : tc_exchange_error_text(cx));

    if (!e)
        tc_exchange_stream_end(cx, asker->exchange);
}

/* --- questions --- */

static enum tc_err put_questions(struct tc_cx *cx, struct tc_asker *asker, const struct tc_question_round *round,
                                 const struct tc_question *questions)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, ANSWERS_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "id", round->id);
    tc_jsonw_key(&w, "questions");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < round->n; i++) {
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "method", questions[i].method);
        if (questions[i].params)
            tc_jsonw_kvalue(&w, "params", questions[i].params);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    e = buf.failed ? tc_fail(cx, TC_E_LIMIT, "The questions are too large.")
                   : write_event(cx, asker, "questions", tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return e;
}

static enum tc_err read_answers(struct tc_cx *cx, struct tc_str text, struct tc_question *questions, size_t n)
{
    const struct tc_json *answers, *error;
    int64_t code;
    /* the text of a round ends with it: the arena keeps a copy */
    enum tc_err e = tc_json_parse_root(cx, text, NULL, &answers);

    for (size_t i = 0; !e && i < n; i++) {
        const struct tc_json *answer = tc_json_at(answers, i);

        questions[i].result = tc_json_get_c(answer, "result");
        error = tc_json_get_c(answer, "error");
        questions[i].rpc_code = tc_json_int(tc_json_get_c(error, "code"), &code) ? (int)code : -32603;
        questions[i].message = tc_json_str(tc_json_get_c(error, "message"));
    }
    return e;
}

static void add(struct tc_open_rounds *rounds, struct tc_question_round *round)
{
    round->next = rounds->first;
    if (round->next)
        round->next->prev = round;
    rounds->first = round;
}

static void take_out(struct tc_open_rounds *rounds, struct tc_question_round *round)
{
    if (round->next)
        round->next->prev = round->prev;
    if (round->prev)
        round->prev->next = round->next;
    else
        rounds->first = round->next;
}

static enum tc_err ask(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    struct tc_asker *asker = (struct tc_asker *)self;
    struct tc_question_round round = {.principal = asker->principal, .n = n};
    enum tc_err e;

    tc_rand_uuid(round.id);
    tc_buf_init(&round.answers, ANSWERS_MAX);
    add(asker->rounds, &round); /* before the event: the answer may come at once */
    e = put_questions(cx, asker, &round, questions);
    if (!e)
        e = tc_task_wait(cx, &round.answered, ASK_MS);
    take_out(asker->rounds, &round);
    if (!e)
        e = read_answers(cx, tc_buf_get(&round.answers), questions, n);
    tc_buf_finish(&round.answers);
    return e;
}

enum tc_err tc_open_rounds_answer(struct tc_cx *cx, struct tc_open_rounds *rounds, const struct tc_principal *principal,
                                  struct tc_str id, const struct tc_json *answers)
{
    struct tc_question_round *round = rounds->first;

    while (round && (!tc_str_eq(tc_str_of(round->id), id) || !tc_str_eq(round->principal->id, principal->id)))
        round = round->next;
    if (!round || round->answered.set)
        return tc_fail(cx, TC_E_QUESTION_CLOSED, "No question \"%.*s\" waits for your answer.", TC_STR_ARG(id));
    if (tc_json_count(answers) != round->n) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "There are %zu questions, not %zu.", round->n, tc_json_count(answers));
        return tc_fail_field(cx, TC_STR("/answers"));
    }
    tc_buf_str(&round->answers, tc_json_text(cx->arena, answers));
    if (round->answers.failed)
        return tc_fail_memory(cx);
    tc_event_set(&round->answered);
    return TC_OK;
}

void tc_asker_init(struct tc_asker *asker, struct tc_exchange *exchange, struct tc_open_rounds *rounds,
                   const struct tc_principal *principal, const struct tc_json *kinds)
{
    static const struct tc_caller_ops ops = {.ask = ask};
    struct tc_json_iter it = tc_json_iter(kinds);
    const struct tc_json *kind;

    *asker = (struct tc_asker){
        .caller = {.ops = &ops}, .exchange = exchange, .rounds = rounds, .principal = principal};
    while (tc_json_next(&it, NULL, &kind))
        asker->caller.abilities |= tc_str_is(tc_json_str(kind), "url") ? TC_ABILITY_URL : TC_ABILITY_FORM;
}
