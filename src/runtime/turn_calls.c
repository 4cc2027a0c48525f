/*
 * Each call goes through the pipeline with the contract of its turn. Results reach the
 * tape even when the run is being cancelled: what happened is not lost.
 */
#include "runtime/turn_calls.h"

#include "base/clock.h"
#include "base/rand.h"
#include "runtime/approvals.h"
#include "runtime/arguments.h"
#include "runtime/beside.h"
#include "runtime/said.h"
#include "runtime/turn_record.h"

enum { ID_MAX = 64, TEXT_MAX = 64 * 1024 * 1024 };

/* --- preparing --- */

static bool is_fit_id(struct tc_str id)
{
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'))
            return false;
    }
    return id.n > 0 && id.n <= ID_MAX;
}

/* The provider's id when it is fit and new, so that its cache of the prefix holds; else
 * nine letters and digits, which every provider takes. */
static enum tc_err give_id(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *call)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    char nine[9];

    call->id = call->item->id;
    while (!is_fit_id(call->id) || tc_map_get(&run->call_ids, call->id)) {
        for (size_t i = 0; i < sizeof nine; i++)
            nine[i] = digits[tc_rand_below(62)];
        call->id = tc_arena_dup(cx->arena, tc_str_n(nine, sizeof nine));
        if (!call->id.p)
            return tc_fail_memory(cx);
    }
    return tc_map_put(&run->call_ids, call->id, run) ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err read_arguments(struct tc_cx *cx, const struct tc_run *run, struct tc_turn_call *call)
{
    const struct tc_schema_projection *projection =
        call->tool ? &run->offer->projections[call->tool - run->view->tools] : NULL;
    enum tc_err e = tc_said_arguments(cx, call->item, projection, &call->wire);

    if (!e)
        e = tc_arguments_read(cx, call->wire, &call->object);
    if (e != TC_E_TOOL_INVALID_ARGUMENTS)
        return e;
    tc_fail_clear(cx); /* the pipeline will say so */
    call->object = NULL;
    return TC_OK;
}

/* Calls that end the run, or its task. */
static bool is_completion(const struct tc_turn_call *call)
{
    struct tc_str id = call->tool ? call->tool->tool->id : TC_STR("");

    if (tc_str_is(id, "builtin:workspace.commit"))
        return tc_json_bool(tc_json_get_c(call->object, "finish"), false);
    return tc_str_is(id, "builtin:workspace.finish") || tc_str_is(id, "builtin:task.return");
}

/* The refusal is noted, not returned. */
static void refuse(struct tc_cx *cx, struct tc_turn_call *call, enum tc_err code, const char *message, const char *hint)
{
    tc_fail(cx, code, "%s", message);
    tc_fail_hint(cx, "%s", hint);
    call->refusal = cx->err;
    tc_fail_clear(cx);
}

static void look_at(struct tc_cx *cx, struct tc_turn_call *call, bool cut, bool last)
{
    if (cut)
        refuse(cx, call, TC_E_TOOL_OUTPUT_LIMIT, "The output limit cut this call short; nothing ran.",
               "Send it again in smaller pieces.");
    else if (!last && is_completion(call))
        refuse(cx, call, TC_E_AGENT_TOOL_AFTER_FINISH,
               "A call that ends the work has to be the last call of its turn; it was not run.",
               "Look at the results of the other calls, then call it alone.");
    call->parallel = call->tool && tc_beside_bears(call->tool->tool);
}

enum tc_err tc_turn_calls_prepare(struct tc_cx *cx, struct tc_run *run, const struct tc_model_reply *reply,
                                  struct tc_turn_call **ret_calls, size_t *ret_n)
{
    struct tc_turn_call *calls = TC_ARENA_NEW_N(cx->arena, struct tc_turn_call, reply->n + 1);
    bool cut = reply->finish == TC_FINISH_LENGTH;
    size_t n = 0;
    enum tc_err e = calls ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; i < reply->n && !e; i++) {
        const struct tc_item *item = &reply->items[i];
        if (item->kind != TC_ITEM_CALL)
            continue;
        calls[n] = (struct tc_turn_call){.run = run, .item = item, .tool = tc_view_find(run->view, item->name)};
        e = give_id(cx, run, &calls[n]);
        if (!e)
            e = read_arguments(cx, run, &calls[n]);
        n++;
    }
    /* what the limit cut was the last thing said, whether or not it reads well */
    for (size_t i = 0; i < n && !e; i++)
        look_at(cx, &calls[i], calls[i].item->cut || (cut && calls[i].item == &reply->items[reply->n - 1]), i == n - 1);
    if (e)
        return e;
    *ret_calls = calls;
    *ret_n = n;
    return TC_OK;
}

void tc_turn_call_write(struct tc_jsonw *w, const struct tc_turn_call *call)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", call->id);
    if (!tc_str_eq(call->item->id, call->id))
        tc_jsonw_kopt(w, "providerId", call->item->id);
    tc_jsonw_kstr(w, "name", call->item->name);
    if (call->tool)
        tc_jsonw_kstr(w, "toolId", call->tool->tool->id);
    tc_jsonw_key(w, "arguments");
    if (call->object)
        tc_jsonw_value(w, call->object);
    else
        tc_jsonw_raw(w, TC_STR("{}"));
    if (!call->object)
        tc_jsonw_kopt(w, "raw", call->item->arguments);
    tc_jsonw_kopt(w, "opaque", call->item->opaque);
    tc_jsonw_end(w);
}

/* --- one call --- */

static enum tc_err guard(struct tc_cx *cx, void *arg, const struct tc_descriptor *tool, const struct tc_json *arguments)
{
    struct tc_turn_call *call = arg;

    call->counted = arguments;
    return tc_guards_check(cx, &call->run->guards, tool, arguments);
}

static enum tc_err remember(struct tc_cx *cx, struct tc_turn_call *call)
{
    const struct tc_descriptor *tool = call->tool ? call->tool->tool : NULL;
    bool changed;

    if (!tool || !call->counted || tc_str_is(call->result.error_code, "agent.same_call"))
        return TC_OK;
    changed = tool->builtin ? call->result.effect != TC_EFFECT_NONE
                            : !(tool->flags & TC_TOOL_READ_ONLY) && !call->result.is_error;
    return tc_guards_answered(cx, &call->run->guards, tool, call->counted, call->text, changed);
}

static enum tc_err tell_approval(struct tc_cx *cx, struct tc_run *run, const struct tc_approval_row *row)
{
    struct tc_run_draft draft;
    enum tc_err e;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "id", row->id);
    tc_jsonw_kcstr(&draft.w, "kind", "approval");
    tc_jsonw_kstr(&draft.w, "callId", row->call_id);
    tc_jsonw_kstr(&draft.w, "toolId", row->tool_id);
    tc_jsonw_kstr(&draft.w, "name", row->call_name);
    if (row->arguments.n) {
        tc_jsonw_key(&draft.w, "arguments");
        tc_jsonw_raw(&draft.w, row->arguments);
    }
    tc_jsonw_kstr(&draft.w, "choices", row->choices);
    tc_jsonw_kstr(&draft.w, "channels", row->channels);
    tc_jsonw_kint(&draft.w, "until", row->until);
    e = tc_run_draft_end(cx, &run->journal, "question_asked", &draft);
    return e ? e : tc_run_journal_flush(cx, &run->journal);
}

static const char *outcome_of(const struct tc_approval_row *row)
{
    static const char *const outcomes[][2] = {
        {"approved", "answered"}, {"denied", "declined"}, {"expired", "timeout"}};

    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (tc_str_is(row->state, outcomes[i][0]))
            return outcomes[i][1];
    return "withdrawn";
}

enum tc_err tc_run_approval_asked(struct tc_cx *cx, void *arg, const struct tc_approval_row *row)
{
    struct tc_run *run = arg;
    enum tc_err told, e;

    if (!tc_str_is(row->state, "waiting"))
        return tc_run_over_with(cx, run, row->id, outcome_of(row));
    told = tell_approval(cx, run, row);
    e = tc_run_waits(cx, run, true);
    return told ? told : e;
}

/* Through the pipeline; the result is in cx->arena. A fault is the run's. What is noted of
 * its end is stored at once while others run on, else with what comes next. */
static enum tc_err run_call(struct tc_cx *cx, struct tc_turn_call *call)
{
    struct tc_run *run = call->run;
    const struct tc_call_guard same_call = {guard, call};
    const struct tc_call_request request = {
        .name = call->item->name,
        .arguments = call->wire,
        .call_id = call->id,
        .turn = call->contract,
        .round = run->row.steps,
        .refusal = call->refusal.code ? &call->refusal : NULL,
        .guard = &same_call,
    };
    int64_t began = tc_clock_mono_us(cx->clock);
    struct tc_error fault;
    struct tc_part said = {.text = TC_STR("")};
    enum tc_err e = tc_turn_record_call(cx, call, "tool_call_started");

    run->calls_running++;
    if (!e)
        e = tc_run_journal_flush(cx, &run->journal);
    if (!e)
        e = tc_pipeline_call(cx, run->runtime, &run->invocation, &request, &call->result);
    if (!e && tc_str_is(call->result.error_code, "mcp.call_outcome_unknown"))
        e = tc_fail(cx, TC_E_MCP_OUTCOME_UNKNOWN, "It is not known whether the call %.*s of \"%.*s\" took effect.",
                    TC_STR_ARG(call->id), TC_STR_ARG(call->item->name));
    if (!e)
        e = tc_said_result(cx, &call->result, &said);
    call->text = said.text;
    if (!e)
        e = remember(cx, call);
    fault = cx->err;
    call->settled = !e;
    call->fault = e;
    run->failed_call |= e || call->result.is_error;
    run->calls_running--;
    tc_task_shield(cx);
    if (tc_turn_record_call_end(cx, call, (tc_clock_mono_us(cx->clock) - began) / 1000) ||
        (run->calls_running && tc_run_journal_flush(cx, &run->journal)))
        tc_fail_clear(cx); /* the record of the call is in the audit */
    tc_task_unshield(cx);
    if (e)
        cx->err = fault;
    return e;
}

/* One of those that tc_beside_run makes. */
static enum tc_err run_one(struct tc_cx *cx, void *arg, size_t i, struct tc_arena *keep)
{
    struct tc_turn_call *call = (struct tc_turn_call *)arg + i;
    enum tc_err e = run_call(cx, call);

    if (e || keep == cx->arena)
        return e;
    call->text = tc_arena_dup(keep, call->text);
    if (call->text.p && tc_beside_keep_result(keep, &call->result))
        return TC_OK;
    call->settled = false;
    call->fault = TC_E_NO_MEMORY;
    return tc_fail_memory(cx);
}

static bool may_run_beside(void *arg, size_t i)
{
    const struct tc_turn_call *call = (const struct tc_turn_call *)arg + i;

    return call->parallel && !call->refusal.code;
}

/* --- all of them --- */

static enum tc_err tell_requested(struct tc_cx *cx, const struct tc_turn_call *calls, size_t n)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e; i++)
        e = tc_turn_record_call(cx, &calls[i], "tool_call_requested");
    return e;
}

struct tc_str tc_turn_result_entry(struct tc_cx *cx, const struct tc_turn_call *call, struct tc_str name)
{
    const struct tc_call_result *result = &call->result;
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str json;

    tc_buf_init(&buf, 2 * (size_t)TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "call", call->id);
    tc_jsonw_kstr(&w, "name", name);
    tc_jsonw_kopt(&w, "toolId", result->tool_id);
    tc_jsonw_kstr(&w, "text", call->text);
    tc_jsonw_kbool(&w, "isError", result->is_error);
    tc_jsonw_kopt(&w, "errorCode", result->error_code);
    if (result->images_n) {
        tc_jsonw_key(&w, "images");
        tc_jsonw_array(&w);
        for (size_t i = 0; i < result->images_n; i++) {
            tc_jsonw_object(&w);
            tc_jsonw_kstr(&w, "path", result->images[i]);
            tc_jsonw_kstr(&w, "mimeType", result->image_mimes[i]);
            tc_jsonw_end(&w);
        }
        tc_jsonw_end(&w);
    }
    tc_jsonw_kopt(&w, "result", result->result_id);
    tc_jsonw_end(&w);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return json;
}

/* Results in the order of the calls, and behind them what they changed on the tape. */
static enum tc_err keep_results(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *calls, size_t n)
{
    struct tc_tape_write *writes = TC_ARENA_NEW_N(cx->arena, struct tc_tape_write, 2 * n + 1);
    size_t written = 0;

    if (!writes)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        if (!calls[i].settled)
            continue;
        writes[written].kind = TC_TAPE_RESULT;
        writes[written].json = tc_turn_result_entry(cx, &calls[i], calls[i].item->name);
        if (!writes[written++].json.p)
            return tc_fail_memory(cx);
    }
    for (size_t i = 0; i < n; i++) {
        enum tc_effect effect = calls[i].settled ? calls[i].result.effect : TC_EFFECT_NONE;
        if (effect != TC_EFFECT_PLAN_UPDATED && effect != TC_EFFECT_TOOLS_LOADED)
            continue;
        writes[written++] = (struct tc_tape_write){effect == TC_EFFECT_PLAN_UPDATED ? TC_TAPE_PLAN : TC_TAPE_LOADED,
                                                   calls[i].result.structured};
    }
    return written ? tc_run_journal_keep(cx, &run->journal, writes, written) : TC_OK;
}

/* After they were recorded. */
static enum tc_err apply_effects(struct tc_cx *cx, struct tc_run *run, const struct tc_turn_call *calls, size_t n)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e; i++) {
        if (!calls[i].settled)
            continue;
        if (calls[i].result.effect == TC_EFFECT_RUN_FINISHED || calls[i].result.effect == TC_EFFECT_TASK_RETURNED)
            run->finished = true;
        if (calls[i].result.effect == TC_EFFECT_TOOLS_LOADED)
            e = tc_run_journal_note(cx, &run->journal, "tools_loaded", calls[i].result.structured);
    }
    return e;
}

/* Those behind the call that ended the run have an end, too. */
static enum tc_err tell_left(struct tc_cx *cx, const struct tc_turn_call *calls, size_t n)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e; i++)
        if (!calls[i].settled && !calls[i].fault)
            e = tc_turn_record_call_end(cx, &calls[i], 0);
    return e;
}

enum tc_err tc_turn_calls_run(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *calls, size_t n)
{
    const struct tc_turn contract = {
        .snapshot = tc_str_of(run->view->snapshot),
        .offered = run->offered,
        .choice = run->choice,
    };
    const struct tc_beside beside = {run->runtime, "call of a run", run_one, may_run_beside, calls};
    struct tc_error fault;
    enum tc_err e = tell_requested(cx, calls, n), kept;

    run->failed_call = false;
    for (size_t i = 0; i < n; i++)
        calls[i].contract = &contract;
    if (!e)
        e = tc_beside_run(cx, &beside, n);
    fault = cx->err;
    tc_task_shield(cx);
    kept = e ? tell_left(cx, calls, n) : TC_OK;
    if (!kept)
        kept = tc_turn_budget(cx, run, calls, n);
    if (!kept)
        kept = keep_results(cx, run, calls, n);
    if (!kept)
        kept = apply_effects(cx, run, calls, n);
    if (!kept)
        kept = tc_turn_candidate(cx, run, calls, n);
    tc_task_unshield(cx);
    if (e)
        cx->err = fault;
    return e ? e : kept;
}
