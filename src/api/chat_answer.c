/*
 * The answer to a chat completion from a run's journal: the text of all its replies, as
 * one message or in chunks.
 */
#include "api/chat_answer.h"

#include "api/stream.h"

enum { TEXT_MAX = 64 * 1024 * 1024 };

static void write_head(struct tc_jsonw *w, const struct tc_chat_answer *a, const char *object)
{
    tc_jsonw_kstr(w, "id", a->id);
    tc_jsonw_kcstr(w, "object", object);
    tc_jsonw_kint(w, "created", a->created / 1000);
    tc_jsonw_kstr(w, "model", a->call->agent);
}

static void write_usage(struct tc_jsonw *w, const struct tc_json *usage)
{
    int64_t input = 0, output = 0;

    tc_json_int(tc_json_get_c(usage, "input"), &input);
    tc_json_int(tc_json_get_c(usage, "output"), &output);
    tc_jsonw_key(w, "usage");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "prompt_tokens", input);
    tc_jsonw_kint(w, "completion_tokens", output);
    tc_jsonw_kint(w, "total_tokens", input + output);
    tc_jsonw_end(w);
}

static enum tc_err send(struct tc_cx *cx, struct tc_chat_answer *a, struct tc_buf *json)
{
    const struct tc_sse_event event = {.data = tc_buf_get(json), .retry_ms = -1};
    enum tc_err e = json->failed ? tc_fail_memory(cx) : tc_api_stream_send(cx, a->call, &event);

    tc_buf_finish(json);
    return e;
}

/* role, text and finish are left out when p is NULL. */
static enum tc_err send_chunk(struct tc_cx *cx, struct tc_chat_answer *a, struct tc_str role, struct tc_str text,
                              struct tc_str finish)
{
    struct tc_buf json;
    struct tc_jsonw w;

    tc_buf_init(&json, TEXT_MAX);
    tc_jsonw_init(&w, &json);
    tc_jsonw_object(&w);
    write_head(&w, a, "chat.completion.chunk");
    tc_jsonw_key(&w, "choices");
    tc_jsonw_array(&w);
    tc_jsonw_object(&w);
    tc_jsonw_kint(&w, "index", 0);
    tc_jsonw_key(&w, "delta");
    tc_jsonw_object(&w);
    if (role.p)
        tc_jsonw_kstr(&w, "role", role);
    if (text.p)
        tc_jsonw_kstr(&w, "content", text);
    tc_jsonw_end(&w);
    tc_jsonw_kstr(&w, "finish_reason", finish);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    return send(cx, a, &json);
}

static const struct tc_str nothing = {NULL, 0};

static enum tc_err add_text(struct tc_cx *cx, struct tc_chat_answer *a, struct tc_str text)
{
    if (a->streams)
        return send_chunk(cx, a, nothing, text, nothing);
    tc_buf_str(&a->text, text);
    return a->text.failed ? tc_fail_memory(cx) : TC_OK;
}

/* Texts of several replies are paragraphs of one. */
static enum tc_err add_piece(struct tc_cx *cx, struct tc_chat_answer *a, struct tc_str piece, bool first)
{
    enum tc_err e = first && a->begun ? add_text(cx, a, TC_STR("\n\n")) : TC_OK;

    a->begun = true;
    return e ? e : add_text(cx, a, piece);
}

/* A reply's text comes whole when it is stored, and before that in deltas, of which the
 * last ones may be missing. */
static enum tc_err take_text(struct tc_cx *cx, struct tc_chat_answer *a, const struct tc_json *data, bool is_delta)
{
    struct tc_str text = tc_json_str(tc_json_get_c(data, "text"));
    size_t heard = a->heard;

    if (is_delta) {
        if (!a->streams || text.n == 0)
            return TC_OK;
        a->heard += text.n;
        return add_piece(cx, a, text, heard == 0);
    }
    a->heard = 0;
    return heard < text.n ? add_piece(cx, a, tc_str_from(text, heard), heard == 0) : TC_OK;
}

static enum tc_err take_event(struct tc_cx *cx, struct tc_chat_answer *a, const struct tc_run_event *event)
{
    bool is_delta = tc_str_is(event->type, "text_delta"), is_reply = tc_str_is(event->type, "model_reply");
    const struct tc_json *data;
    enum tc_err e;

    if (tc_str_is(event->type, "model_retry"))
        a->heard = 0; /* it is said anew */
    if (!is_delta && !is_reply && !tc_str_is(event->type, "text"))
        return TC_OK;
    e = tc_json_parse_root(cx, event->json, NULL, &data);
    if (e)
        return e;
    if (!is_reply)
        return take_text(cx, a, data, is_delta);
    a->cut = tc_str_is(tc_json_str(tc_json_get_c(data, "finish")), "length");
    return TC_OK;
}

/* Until the run has ended. */
static enum tc_err listen(struct tc_cx *cx, struct tc_runs *runs, struct tc_chat_answer *a, struct tc_str id)
{
    struct tc_run_watch *watch;
    bool more = true;
    enum tc_err e = tc_runs_watch(cx, runs, id, 0, &watch);

    if (e)
        return e;
    while (!e && more) {
        struct tc_arena arena;
        struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        struct tc_run_event *events;
        size_t n = 0;
        tc_arena_init(&arena, 0);
        e = tc_run_watch_next(&one, watch, TC_API_STREAM_IDLE_MS, &events, &n);
        more = e || n > 0;
        if (e == TC_E_TIMEOUT && tc_task_check(&one) == TC_OK)
            e = a->streams ? tc_api_stream_idle(&one, a->call) : TC_OK;
        for (size_t i = 0; !e && i < n; i++)
            e = take_event(&one, a, &events[i]);
        if (e)
            tc_fail(cx, e, "%.*s", TC_STR_ARG(one.err.message));
        tc_arena_finish(&arena);
    }
    tc_run_watch_close(watch);
    return e;
}

/* What a run that did not succeed is to its client. */
static enum tc_err outcome(struct tc_cx *cx, const struct tc_run_row *row)
{
    enum tc_err code = tc_err_find(row->error_code);

    if (tc_str_is(row->status, "completed") || tc_str_is(row->status, "partial_success"))
        return TC_OK;
    if (tc_str_is(row->status, "cancelled"))
        return tc_fail(cx, TC_E_CANCELED, "The run was cancelled.");
    return tc_fail(cx, code ? code : TC_E_INTERNAL, "%.*s", TC_STR_ARG(row->error_message));
}

static void write_whole(struct tc_chat_answer *a, const struct tc_json *usage)
{
    struct tc_jsonw *w = a->call->out;

    tc_jsonw_object(w);
    write_head(w, a, "chat.completion");
    tc_jsonw_key(w, "choices");
    tc_jsonw_array(w);
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "index", 0);
    tc_jsonw_key(w, "message");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "role", "assistant");
    tc_jsonw_kstr(w, "content", tc_buf_get(&a->text));
    tc_jsonw_kstr(w, "refusal", nothing);
    tc_jsonw_end(w);
    tc_jsonw_kstr(w, "logprobs", nothing);
    tc_jsonw_kcstr(w, "finish_reason", a->cut ? "length" : "stop");
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    write_usage(w, usage);
    tc_jsonw_end(w);
}

static enum tc_err send_usage(struct tc_cx *cx, struct tc_chat_answer *a, const struct tc_json *usage)
{
    struct tc_buf json;
    struct tc_jsonw w;

    tc_buf_init(&json, TEXT_MAX);
    tc_jsonw_init(&w, &json);
    tc_jsonw_object(&w);
    write_head(&w, a, "chat.completion.chunk");
    tc_jsonw_key(&w, "choices");
    tc_jsonw_array(&w);
    tc_jsonw_end(&w);
    write_usage(&w, usage);
    tc_jsonw_end(&w);
    return send(cx, a, &json);
}

static enum tc_err read_usage(struct tc_cx *cx, const struct tc_run_row *row, const struct tc_json **ret_usage)
{
    return tc_json_parse_root(cx, row->usage.n ? row->usage : TC_STR("{}"), NULL, ret_usage);
}

static void send_error(struct tc_cx *cx, struct tc_chat_answer *a)
{
    const struct tc_sse_event event = {.data = tc_exchange_error_text(cx), .retry_ms = -1};

    tc_api_stream_send(cx, a->call, &event);
}

static void stream(struct tc_cx *cx, struct tc_runs *runs, struct tc_chat_answer *a, struct tc_str id)
{
    static const struct tc_sse_event done = {.data = {"[DONE]", 6}, .retry_ms = -1};
    const struct tc_json *options = tc_json_get_c(a->call->body, "stream_options"), *usage;
    struct tc_run_row row;
    enum tc_err e = tc_api_stream_begin(cx, a->call);

    if (!e)
        e = send_chunk(cx, a, TC_STR("assistant"), TC_STR(""), nothing);
    if (!e)
        e = listen(cx, runs, a, id);
    if (!e)
        e = tc_runs_wait(cx, runs, id, &row);
    if (!e)
        e = outcome(cx, &row);
    if (!e)
        e = send_chunk(cx, a, nothing, nothing, a->cut ? TC_STR("length") : TC_STR("stop"));
    if (!e && tc_json_bool(tc_json_get_c(options, "include_usage"), false)) {
        e = read_usage(cx, &row, &usage);
        if (!e)
            e = send_usage(cx, a, usage);
    }
    if (e)
        send_error(cx, a);
    else
        tc_api_stream_send(cx, a->call, &done);
    tc_api_stream_end(cx, a->call);
}

static enum tc_err whole(struct tc_cx *cx, struct tc_runs *runs, struct tc_chat_answer *a, struct tc_str id)
{
    const struct tc_json *usage;
    struct tc_run_row row;
    enum tc_err e = listen(cx, runs, a, id);

    if (!e)
        e = tc_runs_wait(cx, runs, id, &row);
    if (!e)
        e = outcome(cx, &row);
    if (!e)
        e = read_usage(cx, &row, &usage);
    if (!e)
        write_whole(a, usage);
    return e;
}

enum tc_err tc_chat_answer(struct tc_cx *cx, struct tc_chat_answer *a, struct tc_runs *runs, struct tc_str id)
{
    enum tc_err e = TC_OK;

    tc_buf_init(&a->text, TEXT_MAX);
    if (a->streams)
        stream(cx, runs, a, id);
    else
        e = whole(cx, runs, a, id);
    tc_buf_finish(&a->text);
    return e;
}
