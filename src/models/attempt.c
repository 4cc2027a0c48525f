/*
 * One try: what it heard before it failed is void. Waiting has three limits: until the
 * answer begins, between two pieces, and for keep-alives without a word of the model.
 */
#include "models/attempt.h"

#include "base/clock.h"
#include "models/answer.h"
#include "models/fault.h"

enum {
    SILENT_TIMES = 5,     /* the first limit, with keep-alives alone */
    ANSWER_TIMES = 60,    /* the second limit, for all of an answer */
    AFTER_END_MS = 2000,  /* for usage behind the end of the answer */
    ERROR_MS = 10 * 1000, /* for all of the body of an error */
    ERROR_MAX = 64 * 1024,
};

/* --- reading --- */

enum tc_err tc_attempt_failed(struct tc_cx *cx, enum tc_err err, enum tc_err otherwise)
{
    enum tc_err ended = tc_task_check(cx);
    struct tc_str why = cx->err.message;

    if (ended || err == TC_E_CANCELED || err == TC_E_SHUTDOWN)
        return ended ? ended : err;
    switch (err) {
    case TC_E_TIMEOUT:
        return tc_fail(cx, TC_E_MODEL_TIMEOUT, "%.*s", 0, "");
    case TC_E_LIMIT:
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "%.*s", TC_STR_ARG(why));
    case TC_E_HTTP_UPSTREAM:
        return tc_fail(cx, otherwise, "%.*s", TC_STR_ARG(why));
    default:
        return err;
    }
}

static int64_t now_ms(struct tc_cx *cx)
{
    return tc_clock_mono_us(cx->clock) / 1000;
}

/* How long the next piece may take. */
static int64_t patience(const struct tc_attempt *attempt, const struct tc_answer *answer)
{
    if (tc_builder_ended(answer->builder))
        return AFTER_END_MS;
    return answer->events ? attempt->idle_ms : attempt->first_ms;
}

static enum tc_err read_answer(struct tc_cx *cx, const struct tc_attempt *attempt, struct tc_client_stream *stream,
                               struct tc_answer *answer)
{
    int64_t began = now_ms(cx), heard = began;
    struct tc_str bytes;

    while (!answer->done) {
        size_t events = answer->events;
        enum tc_err err = tc_client_read(cx, stream, patience(attempt, answer), &bytes);

        if (err == TC_E_CLOSED)
            break;
        if (err && !tc_task_check(cx) && tc_builder_ended(answer->builder))
            break; /* all is there but perhaps the usage */
        if (err)
            return tc_attempt_failed(cx, err, TC_E_MODEL_BROKEN);
        err = tc_answer_feed(cx, answer, bytes);
        if (err)
            return err;
        if (answer->events > events || answer->kind == TC_ANSWER_WHOLE)
            heard = now_ms(cx);
        else if (now_ms(cx) - heard > attempt->first_ms * SILENT_TIMES)
            return tc_fail(cx, TC_E_MODEL_TIMEOUT, "It sent nothing but signs of life");
        if (!answer->done && now_ms(cx) - began > attempt->idle_ms * ANSWER_TIMES)
            return tc_fail(cx, TC_E_MODEL_TIMEOUT, "Its answer came without end");
    }
    tc_fail_clear(cx);
    return tc_answer_end(cx, answer);
}

static enum tc_err read_reply(struct tc_cx *cx, const struct tc_attempt *attempt, struct tc_client_stream *stream,
                              struct tc_str content_type, struct tc_model_reply *ret_reply)
{
    struct tc_reply_builder *builder;
    struct tc_answer answer;
    struct tc_model_reply reply;
    enum tc_err err = tc_builder_create(cx, attempt->sink, &builder);

    if (err)
        return err;
    tc_answer_init(&answer, attempt->provider, builder, content_type);
    err = read_answer(cx, attempt, stream, &answer);
    if (!err)
        err = tc_builder_reply(cx, builder, attempt->max_output, &reply);
    tc_answer_finish(&answer);
    tc_builder_destroy(builder);
    if (err)
        return err;
    if (reply.n == 0 && reply.usage.output <= 0 && (reply.finish == TC_FINISH_STOP || reply.finish == TC_FINISH_OTHER))
        return tc_fail(cx, TC_E_MODEL_EMPTY, "%.*s", 0, "");
    *ret_reply = reply;
    return TC_OK;
}

/* --- errors --- */

/* What came of the body of an error; cut rather than waited for. */
static enum tc_err read_error_body(struct tc_cx *cx, struct tc_client_stream *stream, struct tc_str *ret_body)
{
    int64_t until = now_ms(cx) + ERROR_MS, left = ERROR_MS;
    struct tc_str bytes;
    struct tc_buf body;
    enum tc_err err = TC_OK;

    tc_buf_init(&body, ERROR_MAX);
    for (; !err && body.n < ERROR_MAX && left > 0; left = until - now_ms(cx)) {
        err = tc_client_read(cx, stream, left, &bytes);
        if (!err)
            tc_buf_add(&body, bytes.p, bytes.n < ERROR_MAX - body.n ? bytes.n : ERROR_MAX - body.n);
    }
    *ret_body = tc_buf_dup(&body, cx->arena);
    tc_buf_finish(&body);
    err = tc_task_check(cx);
    if (err)
        return err;
    return ret_body->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err read_error(struct tc_cx *cx, struct tc_attempt *attempt, struct tc_client_stream *stream,
                              const struct tc_client_response *head)
{
    const struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    const struct tc_json *json = NULL;
    struct tc_fault fault;
    struct tc_str body;
    enum tc_err err = read_error_body(cx, stream, &body);

    if (err)
        return err;
    attempt->status = head->status;
    attempt->advice = tc_retry_read(head->headers, tc_clock_wall_ms(cx->clock));
    if (tc_json_parse_root(cx, body, &limits, &json)) /* a page of a proxy, say */
        json = NULL;
    err = tc_fault_read(cx, head->status, json, &fault);
    if (err)
        return err;
    if (fault.wait_ms > attempt->advice.wait_ms)
        attempt->advice.wait_ms = fault.wait_ms;
    return tc_fail(cx, fault.code, "%.*s", TC_STR_ARG(fault.said));
}

/* --- all of it --- */

enum tc_err tc_attempt_make(struct tc_cx *cx, struct tc_attempt *attempt, struct tc_model_reply *ret_reply)
{
    struct tc_client_stream *stream;
    struct tc_client_response head;
    enum tc_err err;

    attempt->status = 0;
    attempt->advice = (struct tc_retry_advice){.wait_ms = -1};
    err = tc_client_open(cx, attempt->client, &attempt->http, &head, &stream);
    if (err)
        return tc_attempt_failed(cx, err, TC_E_MODEL_UNREACHABLE);
    if (head.status < 200 || head.status >= 300)
        err = read_error(cx, attempt, stream, &head);
    else
        err = read_reply(cx, attempt, stream, tc_header_get(head.headers, TC_STR("content-type")), ret_reply);
    tc_client_close(stream);
    return err;
}
