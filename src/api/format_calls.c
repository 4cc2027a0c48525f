/*
 * The calls of an assistant's message, answered in the shape of its provider. The shape
 * is the models' (the port); here is what governs the calls: the view and the pipeline.
 *
 * Once a call has run its result is never lost: what goes wrong behind it is told in the
 * place of a result.
 */
#include "api/formats.h"
#include "runtime/beside.h"
#include "runtime/said.h"

enum { CALL_ID_MAX = 256 };

struct answered {
    const struct tc_item *item;
    const struct tc_json *arguments;
    bool beside;          /* may run beside its neighbours */

    /* what came of it */
    bool settled;         /* the rest holds */
    struct tc_str call_id, tool_id, error_code;
    struct tc_part part;  /* the result */
};

struct calling {
    struct tc_api_call *call;
    struct tc_model_caps caps;
    struct tc_str snapshot;
    struct answered *calls; size_t n;
};

/* What stands in the place of a result, from the failure recorded last. */
static enum tc_err answer_failure(struct tc_cx *cx, struct answered *answered)
{
    struct tc_error failure = cx->err;

    answered->error_code = tc_str_of(tc_err_info(failure.code)->name);
    answered->part = (struct tc_part){.kind = TC_PART_RESULT, .is_error = true};
    answered->part.text = failure.hint.n ? tc_arena_printf(cx->arena, "%.*s\n%.*s", TC_STR_ARG(failure.message),
                                                           TC_STR_ARG(failure.hint))
                                         : failure.message;
    if (!answered->part.text.p)
        return tc_fail_memory(cx);
    tc_fail_clear(cx);
    return TC_OK;
}

/* The tools are looked up once for all calls: the message was made from one list. */
static enum tc_err prepare(struct tc_cx *cx, const struct tc_run_offer *offer, struct answered *answered)
{
    const struct tc_item *item = answered->item;
    size_t at = tc_run_offer_find(offer, item->name);
    bool is_known = at != SIZE_MAX;

    answered->beside = is_known && !item->cut && tc_beside_bears(offer->view->tools[at].tool);
    return tc_said_arguments(cx, item, is_known ? &offer->projections[at] : NULL, &answered->arguments);
}

static enum tc_err collect(struct tc_cx *cx, const struct tc_model_reply *reply, struct calling *c)
{
    struct tc_view_key key = {.agent = c->call->agent, .client = true};
    struct tc_run_offer *offer;
    const struct tc_view *view;
    enum tc_err e;

    c->calls = TC_ARENA_NEW_N(cx->arena, struct answered, reply->n + 1);
    if (!c->calls)
        return tc_fail_memory(cx);
    e = tc_view_borrow(cx, c->call->runtime->views, &key, &view);
    if (!e)
        e = tc_run_offers_borrow(cx, c->call->runtime->offers, view, c->caps.schema, &offer);
    for (size_t i = 0; i < reply->n && !e; i++)
        if (reply->items[i].kind == TC_ITEM_CALL) {
            c->calls[c->n] = (struct answered){.item = &reply->items[i]};
            e = prepare(cx, offer, &c->calls[c->n++]);
        }
    return e;
}

static enum tc_err run_call(struct tc_cx *cx, const struct calling *c, struct answered *answered)
{
    const struct tc_item *item = answered->item;
    struct tc_invocation invocation = {.surface = "rest", .principal = *c->call->principal, .agent = c->call->agent};
    struct tc_call_request request = {.name = item->name, .arguments = answered->arguments, .snapshot = c->snapshot};
    struct tc_call_result result;
    struct tc_error cut;
    enum tc_err e;

    if (item->id.n <= CALL_ID_MAX)
        request.call_id = item->id;
    if (item->cut) {
        tc_fail(cx, TC_E_TOOL_OUTPUT_LIMIT, "The output limit cut this call short; nothing ran.");
        tc_fail_hint(cx, "Send it again in smaller pieces.");
        cut = cx->err;
        request.refusal = &cut;
        tc_fail_clear(cx);
    }
    e = tc_pipeline_call(cx, c->call->runtime, &invocation, &request, &result);
    if (e)
        return e;
    answered->call_id = result.call_id;
    answered->tool_id = result.tool_id;
    answered->error_code = result.error_code;
    return tc_said_result(cx, &result, &answered->part);
}

static bool keep_text(struct tc_arena *keep, struct tc_str *text)
{
    *text = tc_arena_dup(keep, *text);
    return text->p != NULL;
}

static bool keep_answer(struct tc_arena *keep, struct answered *answered)
{
    struct tc_part *part = &answered->part;
    struct tc_image_data *images = TC_ARENA_NEW_N(keep, struct tc_image_data, part->images_n + 1);
    bool kept = images && keep_text(keep, &answered->call_id) && keep_text(keep, &answered->tool_id) &&
                keep_text(keep, &answered->error_code) && keep_text(keep, &part->text);

    for (size_t i = 0; i < part->images_n && kept; i++) {
        images[i] = part->images[i];
        kept = keep_text(keep, &images[i].mime) && keep_text(keep, &images[i].base64);
    }
    part->images = images;
    return kept;
}

/* A fault of ours ends it; what the model can mend is a result. */
static enum tc_err answer_call(struct tc_cx *cx, void *arg, size_t i, struct tc_arena *keep)
{
    struct calling *c = arg;
    struct answered *answered = &c->calls[i];
    enum tc_err e = run_call(cx, c, answered);

    if (e == TC_E_MODEL_UNKNOWN_TOOL_CALL)
        e = answer_failure(cx, answered);
    if (!e && keep != cx->arena && !keep_answer(keep, answered))
        e = tc_fail_memory(cx);
    answered->settled = !e;
    return e;
}

static bool may_run_beside(void *arg, size_t i)
{
    const struct calling *c = arg;

    return c->calls[i].beside;
}

/* With nothing run a fault is the answer; behind a call that ran it is told where a result
 * would stand, for each call that has none. */
static enum tc_err run_calls(struct tc_cx *cx, struct calling *c)
{
    const struct tc_beside beside = {c->call->runtime, "call of a program", answer_call, may_run_beside, c};
    enum tc_err e = tc_beside_run(cx, &beside, c->n), told = TC_OK;
    struct tc_error fault = cx->err;
    size_t settled = 0;

    for (size_t i = 0; i < c->n; i++)
        settled += c->calls[i].settled;
    if (!e || settled == 0)
        return e;
    for (size_t i = 0; i < c->n && !told; i++)
        if (!c->calls[i].settled) {
            cx->err = fault;
            told = answer_failure(cx, &c->calls[i]);
        }
    return told;
}

static enum tc_err write_answer(struct tc_cx *cx, const struct calling *c, struct tc_str provider,
                                const struct tc_model_reply *reply)
{
    struct tc_models *models = c->call->runtime->models;
    struct tc_jsonw *w = c->call->out;
    struct tc_part *results = TC_ARENA_NEW_N(cx->arena, struct tc_part, c->n + 1);
    struct tc_str messages;
    enum tc_err e;

    if (!results)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < c->n; i++)
        results[i] = c->calls[i].part;
    e = models->ops->answer(cx, models, provider, reply, results, &messages);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "format", provider);
    tc_jsonw_key(w, "messages");
    tc_jsonw_raw(w, messages);
    tc_jsonw_key(w, "calls");
    tc_jsonw_array(w);
    for (size_t i = 0; i < c->n; i++) {
        const struct answered *one = &c->calls[i];
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "callId", one->call_id.n ? one->call_id : one->item->id);
        tc_jsonw_kstr(w, "toolId", one->tool_id.n ? one->tool_id : TC_STR(""));
        tc_jsonw_kstr(w, "name", one->item->name);
        tc_jsonw_kbool(w, "isError", one->part.is_error);
        tc_jsonw_kopt(w, "errorCode", one->error_code);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

enum tc_err tc_api_format_calls(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_models *models = call->runtime->models;
    struct tc_str provider = tc_api_query(cx, call, "format");
    struct calling c = {.call = call, .snapshot = tc_api_query(cx, call, "snapshot")};
    struct tc_model_reply reply;
    enum tc_err e = provider.n || !models ? tc_api_format_caps(cx, call, provider, &c.caps) : TC_OK;

    if (!e)
        e = models->ops->read(cx, models, provider, call->body, &provider, &reply);
    if (!e)
        e = tc_api_format_caps(cx, call, provider, &c.caps);
    if (!e)
        e = collect(cx, &reply, &c);
    if (!e)
        e = run_calls(cx, &c);
    return e ? e : write_answer(cx, &c, provider, &reply);
}
