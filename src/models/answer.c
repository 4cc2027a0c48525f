/*
 * Events are parsed one by one and forgotten; a document is kept until it is whole.
 * What a server cuts in the middle of a character is joined before it is parsed, since
 * both readers work on bytes.
 */
#include "models/answer.h"

#include "models/fault.h"

void tc_answer_init(struct tc_answer *answer, const struct tc_provider *provider, struct tc_reply_builder *builder,
                    struct tc_str content_type)
{
    struct tc_str type = content_type;

    tc_str_split(&type, ';', &content_type);
    content_type = tc_str_trim(content_type);
    *answer = (struct tc_answer){.provider = provider, .builder = builder};
    if (tc_str_eq_nocase(content_type, TC_STR("text/event-stream")))
        answer->kind = TC_ANSWER_STREAM;
    else if (tc_str_eq_nocase(content_type, TC_STR("application/json")))
        answer->kind = TC_ANSWER_WHOLE;
    tc_sse_init(&answer->sse, TC_ANSWER_EVENT_MAX);
    tc_buf_init(&answer->whole, TC_ANSWER_WHOLE_MAX);
}

void tc_answer_finish(struct tc_answer *answer)
{
    tc_sse_finish(&answer->sse);
    tc_buf_finish(&answer->whole);
}

static enum tc_err too_large(struct tc_cx *cx, int bytes)
{
    return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "The model's answer is over %d MiB.", bytes / 1024 / 1024);
}

static enum tc_err parse(struct tc_cx *cx, struct tc_str text, struct tc_json_doc **ret_doc)
{
    const struct tc_json_limits limits = {.max_bytes = TC_ANSWER_WHOLE_MAX, .flags = TC_JSON_KEEP};
    enum tc_err err = tc_json_parse(cx, text, &limits, ret_doc);
    struct tc_str why = cx->err.message;

    if (!err || err == TC_E_NO_MEMORY)
        return err;
    return tc_fail(cx, TC_E_MODEL_PROTOCOL, "%.*s", TC_STR_ARG(why));
}

/* An error may stand in any answer, also behind status 200 and in the middle of a stream. */
static bool is_error(const struct tc_json *data)
{
    const struct tc_json *error = tc_json_get_c(data, "error");

    return tc_json_is(error, TC_JSON_OBJECT) || tc_json_str(error).n > 0;
}

static enum tc_err take_event(struct tc_cx *cx, struct tc_answer *answer, const struct tc_sse_event *event)
{
    struct tc_str text = tc_str_trim(event->data);
    const struct tc_json *data;
    struct tc_json_doc *doc;
    enum tc_err err;

    if (text.n == 0)
        return TC_OK;
    if (tc_str_is(text, "[DONE]")) {
        answer->done = true;
        return TC_OK;
    }
    err = parse(cx, text, &doc);
    if (err)
        return err;
    data = tc_json_doc_root(doc);
    answer->events++;
    if (!tc_json_is(data, TC_JSON_OBJECT))
        err = tc_fail(cx, TC_E_MODEL_PROTOCOL, "An event holds %s.", tc_json_type_name(tc_json_type(data)));
    else if (is_error(data))
        err = tc_fault_fail(cx, data);
    else
        err = answer->provider->event(cx, answer->builder, event->type, data);
    tc_json_doc_unref(doc);
    return err;
}

static enum tc_err feed_stream(struct tc_cx *cx, struct tc_answer *answer, struct tc_str bytes)
{
    struct tc_sse_event event;
    enum tc_sse_status status = TC_SSE_EVENT;
    enum tc_err err = TC_OK;

    while (!err && !answer->done && (status = tc_sse_feed(&answer->sse, &bytes, &event)) == TC_SSE_EVENT)
        err = take_event(cx, answer, &event);
    if (!err && status == TC_SSE_TOO_LARGE)
        return too_large(cx, TC_ANSWER_EVENT_MAX);
    return err;
}

static enum tc_err feed_whole(struct tc_cx *cx, struct tc_answer *answer, struct tc_str bytes)
{
    if (bytes.n > TC_ANSWER_WHOLE_MAX - answer->whole.n)
        return too_large(cx, TC_ANSWER_WHOLE_MAX);
    tc_buf_str(&answer->whole, bytes);
    return answer->whole.failed ? tc_fail_memory(cx) : TC_OK;
}

/* Servers that leave the type out or say text/plain. */
static enum tc_err guess(struct tc_cx *cx, struct tc_answer *answer, struct tc_str bytes)
{
    struct tc_str text = tc_str_trim(bytes);

    if (text.n == 0)
        return TC_OK;
    if (strchr("{[", text.p[0]))
        answer->kind = TC_ANSWER_WHOLE;
    else if (strchr("deir:", text.p[0])) /* data, event, id, retry, a comment */
        answer->kind = TC_ANSWER_STREAM;
    else
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "It is neither JSON nor a stream of events");
    return TC_OK;
}

enum tc_err tc_answer_feed(struct tc_cx *cx, struct tc_answer *answer, struct tc_str bytes)
{
    enum tc_err err = TC_OK;

    if (answer->kind == TC_ANSWER_UNKNOWN)
        err = guess(cx, answer, bytes);
    if (err || answer->kind == TC_ANSWER_UNKNOWN)
        return err;
    return answer->kind == TC_ANSWER_STREAM ? feed_stream(cx, answer, bytes) : feed_whole(cx, answer, bytes);
}

static enum tc_err end_whole(struct tc_cx *cx, struct tc_answer *answer)
{
    struct tc_json_doc *doc;
    enum tc_err err = parse(cx, tc_buf_get(&answer->whole), &doc);
    const struct tc_json *body;

    if (err)
        return err;
    body = tc_json_doc_root(doc);
    if (is_error(body) || is_error(tc_json_at(body, 0)))
        err = tc_fault_fail(cx, body);
    else
        err = answer->provider->whole(cx, answer->builder, body);
    tc_json_doc_unref(doc);
    return err;
}

enum tc_err tc_answer_end(struct tc_cx *cx, struct tc_answer *answer)
{
    enum tc_err err = TC_OK;

    if (answer->kind == TC_ANSWER_WHOLE)
        err = end_whole(cx, answer);
    else if (!answer->done && !tc_builder_ended(answer->builder))
        return tc_fail(cx, TC_E_MODEL_BROKEN, "It ended in the middle");
    if (!err && !tc_builder_ended(answer->builder))
        err = tc_builder_end(cx, answer->builder, TC_FINISH_STOP, TC_STR(""));
    return err;
}
