/*
 * Events about a model, model_request, model_reply and text, and about its calls.
 */
#include "runtime/turn_record.h"

#include "base/hash.h"
#include "base/utf8.h"

const char *tc_turn_finish_name(enum tc_finish finish)
{
    static const char *const names[] = {"stop", "calls", "length", "filter", "pause", "malformed", "context", "other"};

    return names[finish];
}

static void begin(struct tc_run_draft *draft, const struct tc_run *run, bool summary)
{
    tc_run_draft_begin(draft);
    tc_jsonw_kint(&draft->w, "turn", run->row.steps);
    if (summary)
        tc_jsonw_kbool(&draft->w, "summary", true);
}

/* The hash is for a replay, which compares it with that of the bytes it makes. */
enum tc_err tc_turn_record_request(struct tc_cx *cx, struct tc_run *run, const struct tc_model_target *target,
                                   const struct tc_model_request *request, bool summary)
{
    struct tc_models *models = run->runtime->models;
    char hex[TC_HASH_HEX_SIZE];
    struct tc_run_draft draft;
    struct tc_str body;
    enum tc_err e = models->ops->body(cx, models, target, request, &body);

    if (e)
        return e;
    tc_hash_sha256_hex(body, hex);
    begin(&draft, run, summary);
    tc_jsonw_kint(&draft.w, "bytes", (int64_t)body.n);
    tc_jsonw_kcstr(&draft.w, "hash", hex);
    tc_jsonw_kint(&draft.w, "offered", (int64_t)request->tools_n);
    tc_jsonw_kint(&draft.w, "entry", run->tape.last);
    e = tc_run_draft_end(cx, &run->journal, "model_request", &draft);
    return e ? e : tc_run_journal_flush(cx, &run->journal);
}

void tc_turn_write_usage(struct tc_jsonw *w, const struct tc_usage *usage)
{
    tc_jsonw_key(w, "usage");
    tc_jsonw_object(w);
    if (usage->input >= 0)
        tc_jsonw_kint(w, "input", usage->input);
    if (usage->output >= 0)
        tc_jsonw_kint(w, "output", usage->output);
    if (usage->cached > 0)
        tc_jsonw_kint(w, "cached", usage->cached);
    if (usage->cache_written > 0)
        tc_jsonw_kint(w, "cacheWritten", usage->cache_written);
    if (usage->reasoning > 0)
        tc_jsonw_kint(w, "reasoning", usage->reasoning);
    tc_jsonw_end(w);
}

static void count(struct tc_usage *sum, const struct tc_usage *usage)
{
    int64_t *to[] = {&sum->input, &sum->output, &sum->cached, &sum->cache_written, &sum->reasoning};
    const int64_t from[] = {usage->input, usage->output, usage->cached, usage->cache_written, usage->reasoning};

    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if (from[i] > 0)
            *to[i] += from[i];
}

enum tc_err tc_turn_record_reply(struct tc_cx *cx, struct tc_run *run, const struct tc_model_reply *reply, int64_t ms,
                                 bool summary)
{
    struct tc_run_draft draft;

    count(&run->usage, &reply->usage);
    begin(&draft, run, summary);
    tc_jsonw_kcstr(&draft.w, "finish", tc_turn_finish_name(reply->finish));
    tc_jsonw_kopt(&draft.w, "finishText", reply->finish_text);
    tc_jsonw_kopt(&draft.w, "model", reply->model);
    tc_turn_write_usage(&draft.w, &reply->usage);
    tc_jsonw_kint(&draft.w, "ms", ms);
    return tc_run_draft_end(cx, &run->journal, "model_reply", &draft);
}

enum tc_err tc_turn_record_no_summary(struct tc_cx *cx, struct tc_run *run, int64_t ms)
{
    struct tc_run_draft draft;

    begin(&draft, run, true);
    tc_jsonw_kcstr(&draft.w, "errorCode", tc_err_info(cx->err.code)->name);
    tc_jsonw_kopt(&draft.w, "message", cx->err.message);
    tc_jsonw_kint(&draft.w, "ms", ms);
    return tc_run_draft_end(cx, &run->journal, "model_reply", &draft);
}

enum tc_err tc_turn_record_text(struct tc_cx *cx, struct tc_run *run, struct tc_str text)
{
    struct tc_run_draft draft;

    if (text.n == 0)
        return TC_OK;
    begin(&draft, run, false);
    tc_jsonw_kstr(&draft.w, "text", text);
    return tc_run_draft_end(cx, &run->journal, "text", &draft);
}

/* --- calls --- */

static void write_call(struct tc_jsonw *w, const struct tc_turn_call *call)
{
    tc_jsonw_kstr(w, "callId", call->id);
    if (call->tool)
        tc_jsonw_kstr(w, "toolId", call->tool->tool->id);
    tc_jsonw_kstr(w, "name", tc_utf8_head(call->item->name, TC_GATE_ECHO));
}

enum tc_err tc_turn_record_call(struct tc_cx *cx, const struct tc_turn_call *call, const char *type)
{
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    write_call(&draft.w, call);
    return tc_run_draft_end(cx, &call->run->journal, type, &draft);
}

enum tc_err tc_turn_record_call_end(struct tc_cx *cx, const struct tc_turn_call *call, int64_t ms)
{
    const struct tc_call_result *result = &call->result;
    /* without a fault of its own it was never started: one before it ended the run */
    enum tc_err fault = call->fault ? call->fault : TC_E_AGENT_TOOL_NOT_STARTED;
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    write_call(&draft.w, call);
    tc_jsonw_kbool(&draft.w, "isError", !call->settled || result->is_error);
    if (call->settled)
        tc_jsonw_kopt(&draft.w, "errorCode", result->error_code);
    else
        tc_jsonw_kcstr(&draft.w, "errorCode", tc_err_info(fault)->name);
    if (call->settled && result->is_error)
        tc_jsonw_kstr(&draft.w, "message", tc_utf8_head(call->text, 500));
    tc_jsonw_kint(&draft.w, "ms", ms);
    tc_jsonw_kopt(&draft.w, "audit", result->audit_id);
    tc_jsonw_key(&draft.w, "resources");
    tc_jsonw_array(&draft.w);
    for (size_t i = 0; i < result->resources_n; i++)
        tc_jsonw_str(&draft.w, result->resources[i]);
    tc_jsonw_end(&draft.w);
    return tc_run_draft_end(cx, &call->run->journal,
                            call->settled && !result->is_error ? "tool_call_completed" : "tool_call_failed", &draft);
}
