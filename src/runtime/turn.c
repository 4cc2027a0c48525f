/*
 * One model turn: what it is asked, what it answers, what of that goes on the tape.
 */
#include "base/base64.h"
#include "base/clock.h"
#include "runtime/markup.h"
#include "runtime/run_impl.h"
#include "runtime/turn_calls.h"
#include "runtime/turn_record.h"
#include "runtime/workspaces.h"

enum { IMAGE_MAX = 16 * 1024 * 1024, MESSAGE_MAX = 64 * 1024 * 1024 };

/* --- the request --- */

static enum tc_err load_image(struct tc_cx *cx, void *arg, struct tc_str path, struct tc_str *ret_base64)
{
    struct tc_run *run = arg;
    struct tc_workspace_service *service;
    struct tc_workspace_file file;
    enum tc_err e =
        tc_workspaces_open(cx, run->runtime->workspaces, &run->invocation, run->view->agent, &service);

    if (!e)
        e = tc_workspace_load(cx, service->workspace, path, IMAGE_MAX, &file);
    if (e == TC_E_NO_MEMORY || e == TC_E_CANCELED || e == TC_E_SHUTDOWN || e == TC_E_TIMEOUT)
        return e;
    *ret_base64 = tc_str_n(NULL, 0);
    if (e) { /* it is gone: a line says so */
        run->lost = path;
        tc_fail_clear(cx);
        return TC_OK;
    }
    *ret_base64 = tc_base64_encode(cx->arena, TC_BASE64_STANDARD, file.bytes);
    return ret_base64->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err names_out(struct tc_cx *cx, void *arg, struct tc_str name, const struct tc_json *object,
                             const struct tc_json **ret_object)
{
    const struct tc_run_offer *offer = ((struct tc_run *)arg)->offer;
    size_t at = tc_run_offer_find(offer, name);

    *ret_object = object;
    return at == SIZE_MAX ? TC_OK : tc_schema_names_out(cx, &offer->projections[at], object, ret_object);
}

/* What is loaded, in the order of loading. */
static enum tc_err find_loaded(struct tc_cx *cx, const struct tc_tape *tape, struct tc_str **ret, size_t *ret_n)
{
    size_t max = 0, n = 0;
    struct tc_str *loaded;

    for (size_t i = 0; i < tape->n; i++)
        if (tape->items[i].kind == TC_TAPE_LOADED)
            max += tc_json_count(tc_json_get_c(tape->items[i].body, "tools"));
    loaded = TC_ARENA_NEW_N(cx->arena, struct tc_str, max + 1);
    if (!loaded)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < tape->n; i++) {
        struct tc_json_iter it = tc_json_iter(
            tape->items[i].kind == TC_TAPE_LOADED ? tc_json_get_c(tape->items[i].body, "tools") : NULL);
        const struct tc_json *id;
        if (tape->items[i].kind == TC_TAPE_LOADED && tc_json_bool(tc_json_get_c(tape->items[i].body, "cleared"), false))
            n = 0;
        while (tc_json_next(&it, NULL, &id))
            loaded[n++] = tc_json_str(id);
    }
    *ret = loaded;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_turn_offer(struct tc_cx *cx, struct tc_run *run, struct tc_discovery_turn *ret)
{
    struct tc_str *loaded;
    size_t n;
    enum tc_err e = find_loaded(cx, &run->tape, &loaded, &n);

    return e ? e : tc_discovery_turn(cx, run->view, &run->model.caps, loaded, n, ret);
}

static enum tc_err pick_tools(struct tc_cx *cx, const struct tc_run *run, const struct tc_discovery_turn *turn,
                              struct tc_model_request *request)
{
    const struct tc_run_offer *offer = run->offer;
    struct tc_model_tool *tools;

    if (!turn->offered) {
        request->tools = offer->tools;
        request->tools_n = offer->n;
        return TC_OK;
    }
    tools = TC_ARENA_NEW_N(cx->arena, struct tc_model_tool, offer->n + 1);
    if (!tools)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < offer->n; i++) {
        if (!turn->offered[i])
            continue;
        tools[request->tools_n] = offer->tools[i];
        tools[request->tools_n++].deferred = turn->deferred && turn->deferred[i];
    }
    request->tools = tools;
    return TC_OK;
}

/* Messages of the window. What was made of it for the last turn stands; a window that was
 * opened again is taken from its beginning. */
static enum tc_err make_messages(struct tc_cx *cx, struct tc_run *run, struct tc_model_request *request)
{
    const struct tc_transcript_options options = {
        .provider = run->model.provider,
        .model = run->model.model.name,
        .caps = &run->model.caps,
        .image = load_image,
        .arguments = names_out,
        .arg = run,
    };
    struct tc_tape *tape = &run->tape;
    struct tc_message *messages;
    enum tc_err e;

    if (tape->shown == 0)
        tc_transcript_finish(&run->transcript);
    e = tc_transcript_take(cx, &run->transcript, &options, tape->items + tape->shown, tape->n - tape->shown);
    tape->shown = e ? 0 : tape->n;
    if (!e)
        e = tc_transcript_show(cx, &run->transcript, &options, &messages, &request->messages_n);
    if (!e)
        request->messages = messages;
    return e;
}

enum tc_err tc_turn_request(struct tc_cx *cx, struct tc_run *run, struct tc_model_request *ret_request)
{
    struct tc_model_request request = {
        .model = run->model.model.name,
        .caps = &run->model.caps,
        .system = run->system,
        .stream = true,
        .max_output = run->model.max_output,
        .extra = run->model.extra,
    };
    struct tc_discovery_turn turn;
    enum tc_err e;

    run->lost = tc_str_n(NULL, 0);
    e = make_messages(cx, run, &request);
    if (!e)
        e = tc_turn_offer(cx, run, &turn);
    if (!e)
        e = pick_tools(cx, run, &turn, &request);
    if (e)
        return e;
    request.choice = request.tools_n ? TC_CHOICE_AUTO : TC_CHOICE_NONE;
    run->offered = turn.offered;
    run->choice = request.choice;
    *ret_request = request;
    return TC_OK;
}

/* --- while it answers --- */

struct hearing {
    struct tc_run *run;
    struct tc_cx *cx;
};

static void hear_text(void *arg, struct tc_str delta)
{
    tc_run_journal_delta(&((struct hearing *)arg)->run->journal, delta);
}

/* Whoever waits is told at once. A fault of the store shows with the next event. */
static void hear_retry(void *arg, const struct tc_model_trouble *trouble)
{
    struct hearing *h = arg;
    struct tc_error fault = h->cx->err;
    struct tc_run_draft draft;

    tc_run_journal_void(&h->run->journal);
    tc_run_draft_begin(&draft);
    tc_jsonw_kcstr(&draft.w, "code", tc_err_info(trouble->code)->name);
    tc_jsonw_kstr(&draft.w, "message", trouble->message);
    tc_jsonw_kint(&draft.w, "tried", trouble->tried);
    tc_jsonw_kint(&draft.w, "waitMs", trouble->wait_ms);
    if (!tc_run_draft_end(h->cx, &h->run->journal, "model_retry", &draft))
        tc_run_journal_flush(h->cx, &h->run->journal);
    h->cx->err = fault;
}

static enum tc_err ask(struct tc_cx *cx, struct tc_run *run, const struct tc_model_target *target,
                       const struct tc_model_request *request, struct tc_model_reply *ret_reply)
{
    struct tc_models *models = run->runtime->models;
    struct hearing hearing = {.run = run, .cx = cx};
    const struct tc_model_watch watch = {
        .sink = {.text = hear_text, .arg = &hearing},
        .retrying = hear_retry,
    };

    run->journal.turn = run->row.steps;
    return models->ops->turn(cx, models, target, request, &watch, ret_reply);
}

/* --- the answer --- */

static enum tc_err text_of(struct tc_cx *cx, const struct tc_model_reply *reply, struct tc_str *ret)
{
    struct tc_buf buf;

    tc_buf_init(&buf, MESSAGE_MAX);
    for (size_t i = 0; i < reply->n; i++)
        if (reply->items[i].kind == TC_ITEM_TEXT)
            tc_buf_str(&buf, reply->items[i].text);
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static void write_item(struct tc_jsonw *w, const struct tc_item *item, const struct tc_turn_call *call)
{
    if (item->kind == TC_ITEM_TEXT && item->text.n == 0 && item->opaque.n == 0)
        return;
    tc_jsonw_object(w);
    if (item->kind == TC_ITEM_TEXT)
        tc_jsonw_kstr(w, "text", item->text);
    if (item->kind == TC_ITEM_CALL) {
        tc_jsonw_key(w, "call");
        tc_turn_call_write(w, call);
    } else {
        tc_jsonw_kopt(w, "opaque", item->opaque);
    }
    tc_jsonw_end(w);
}

/* The assistant's message, with the ids that its calls have here. */
static enum tc_err keep_reply(struct tc_cx *cx, struct tc_run *run, const struct tc_model_reply *reply,
                              const struct tc_turn_call *calls)
{
    struct tc_tape_write write = {.kind = TC_TAPE_MESSAGE};
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, MESSAGE_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "role", "assistant");
    tc_jsonw_key(&w, "parts");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < reply->n; i++)
        write_item(&w, &reply->items[i], reply->items[i].kind == TC_ITEM_CALL ? calls++ : NULL);
    tc_jsonw_end(&w);
    tc_jsonw_key(&w, "model");
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "provider", run->model.provider);
    tc_jsonw_kstr(&w, "model", run->model.model.name);
    tc_jsonw_end(&w);
    tc_jsonw_kcstr(&w, "finish", tc_turn_finish_name(reply->finish));
    tc_turn_write_usage(&w, &reply->usage);
    tc_jsonw_end(&w);
    write.json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return write.json.p ? tc_run_journal_keep(cx, &run->journal, &write, 1) : tc_fail_memory(cx);
}

/* --- the turn --- */

/* What there is before any call is looked at: the finish reason comes first. */
static enum tc_err judge(struct tc_cx *cx, const struct tc_model_reply *reply, struct tc_str text, size_t calls,
                         enum tc_turn_end *ret)
{
    *ret = calls ? TC_TURN_CALLED : text.n ? TC_TURN_SPOKE : TC_TURN_EMPTY;
    switch (reply->finish) {
    case TC_FINISH_FILTER:
        tc_fail(cx, TC_E_MODEL_FILTERED, "The model's answer was held back by a filter%s%.*s.",
                reply->finish_text.n ? ": " : "", TC_STR_ARG(reply->finish_text));
        return tc_fail_hint(cx, "Say it in other words, or use another model.");
    case TC_FINISH_MALFORMED:
        *ret = TC_TURN_MALFORMED;
        return TC_OK;
    case TC_FINISH_CONTEXT:
        *ret = calls || text.n ? *ret : TC_TURN_FULL;
        return TC_OK;
    case TC_FINISH_PAUSE:
        *ret = calls ? TC_TURN_CALLED : TC_TURN_PAUSED;
        return TC_OK;
    default:
        return TC_OK;
    }
}

/* A call that is written as text is none: once the model is told, and what it wrote is not
 * kept, since it would write so again. A copy beside real calls is left out. */
static enum tc_err look_at_text(struct tc_cx *cx, const struct tc_run *run, const struct tc_model_request *request,
                                struct tc_model_reply *reply, enum tc_turn_end *ret_end)
{
    struct tc_markup_call call;

    for (size_t i = 0; i < reply->n; i++) {
        struct tc_item *item = &reply->items[i];
        if (item->kind != TC_ITEM_TEXT || !tc_markup_find_call(item->text, request->tools, request->tools_n, &call))
            continue;
        if (*ret_end == TC_TURN_SPOKE && !run->asked_again)
            *ret_end = TC_TURN_WRITTEN;
        if (*ret_end == TC_TURN_CALLED && !item->opaque.n)
            item->text = tc_markup_without_calls(cx->arena, item->text, request->tools, request->tools_n);
        if (!item->text.p)
            return tc_fail_memory(cx);
    }
    return TC_OK;
}

static enum tc_err take_reply(struct tc_cx *cx, struct tc_run *run, const struct tc_model_reply *reply,
                              enum tc_turn_end *ret_end)
{
    struct tc_turn_call *calls;
    size_t n;
    enum tc_err e;

    if (*ret_end == TC_TURN_FULL)
        return TC_OK;
    if (*ret_end == TC_TURN_EMPTY || *ret_end == TC_TURN_MALFORMED || *ret_end == TC_TURN_WRITTEN)
        return TC_OK; /* it is asked again: nothing of it is kept */
    e = tc_turn_calls_prepare(cx, run, reply, &calls, &n);
    if (!e)
        e = keep_reply(cx, run, reply, calls);
    if (!e && n)
        e = tc_turn_calls_run(cx, run, calls, n);
    return e;
}

enum tc_err tc_turn_play(struct tc_cx *cx, struct tc_run *run, enum tc_turn_end *ret_end, struct tc_str *ret_text)
{
    struct tc_model_target target;
    struct tc_model_request request;
    struct tc_model_reply reply;
    struct tc_str text;
    size_t calls = 0;
    int64_t began;
    enum tc_err e = tc_turn_request(cx, run, &request), judged;
    struct tc_error fault;

    run->row.steps++;
    if (!e)
        e = tc_channels_target(cx, run->runtime->channels, &run->model, &target);
    if (!e)
        e = tc_turn_record_request(cx, run, &target, &request, false);
    began = tc_clock_mono_us(cx->clock);
    if (!e)
        e = ask(cx, run, &target, &request, &reply);
    if (!e)
        e = text_of(cx, &reply, &text);
    if (e)
        return e;
    run->reported = reply.usage.input > 0 ? reply.usage.input + (reply.usage.output > 0 ? reply.usage.output : 0) : 0;
    run->estimated = run->tape.tokens;
    for (size_t i = 0; i < reply.n; i++)
        calls += reply.items[i].kind == TC_ITEM_CALL;
    judged = judge(cx, &reply, text, calls, ret_end);
    fault = cx->err;
    e = tc_turn_record_reply(cx, run, &reply, (tc_clock_mono_us(cx->clock) - began) / 1000, false);
    if (!e)
        e = tc_turn_record_text(cx, run, text);
    if (!e && !judged)
        e = look_at_text(cx, run, &request, &reply, ret_end);
    if (!e && !judged)
        e = take_reply(cx, run, &reply, ret_end);
    if (!e && judged)
        cx->err = fault;
    *ret_text = text;
    return e ? e : judged;
}
