/*
 * The loop of a run: turns until it has spoken, finished, or cannot go on. How it may end
 * depends on its stage. The memory of a turn goes with the turn.
 */
#include "base/clock.h"
#include "runtime/approvals.h"
#include "runtime/compact.h"
#include "runtime/run_impl.h"
#include "runtime/run_input.h"
#include "runtime/run_settle.h"
#include "runtime/workspaces.h"

#define DRIFT_PATH "output/direct_output.md"
#define PREVIOUS_PATH "output/previous_output.md"

enum { END_AGAIN_MS = 1000, END_AGAIN_MS_MAX = 60 * 1000 };

static bool text_ends(const struct tc_run *run)
{
    return run->stage & (TC_SCENE_PLAIN | TC_SCENE_SESSION);
}

enum tc_err tc_run_set_status(struct tc_cx *cx, struct tc_run *run, const char *status)
{
    if (tc_str_is(run->row.status, status))
        return TC_OK;
    run->row.status = tc_str_of(status);
    run->row.updated_at = tc_clock_wall_ms(cx->clock);
    tc_run_journal_row(&run->journal, &run->row);
    return tc_run_journal_add(cx, &run->journal, "status_changed",
                              tc_arena_printf(cx->arena, "{\"status\":\"%s\"}", status));
}

enum tc_err tc_run_note(struct tc_cx *cx, struct tc_run *run, struct tc_str text)
{
    struct tc_tape_write write = {.kind = TC_TAPE_NOTE};
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "text", text);
    tc_jsonw_end(&draft.w);
    write.json = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    return write.json.p ? tc_run_journal_keep(cx, &run->journal, &write, 1) : tc_fail_memory(cx);
}

/* --- text where a call is due --- */

static struct tc_str name_of(const struct tc_run *run, const char *id)
{
    const struct tc_view_tool *tool = tc_view_find_id(run->view, tc_str_of(id));

    return tool ? tool->name : TC_STR("");
}

/* What would have ended the work, by the names that the model knows. */
static struct tc_str way_out(struct tc_cx *cx, const struct tc_run *run)
{
    struct tc_str commit = name_of(run, "builtin:workspace.commit"), finish = name_of(run, "builtin:workspace.finish"),
                  done = name_of(run, "builtin:task.return");

    if (run->stage == TC_SCENE_CHILD && done.n)
        return tc_arena_printf(cx->arena, "Call %.*s with what you have found.", TC_STR_ARG(done));
    if (run->stage == TC_SCENE_CHAT_FOREGROUND && !run->committed && commit.n)
        return tc_arena_printf(cx->arena, "Publish the text with %.*s%s%.*s.", TC_STR_ARG(commit),
                               finish.n ? ", then call " : "", TC_STR_ARG(finish));
    if (finish.n)
        return tc_arena_printf(cx->arena, "When the work is done, call %.*s.", TC_STR_ARG(finish));
    return TC_STR("Go on with the tools that are offered.");
}

/* A file of the runtime's own; *ret_saved false: the workspace does not take it. */
static enum tc_err save(struct tc_cx *cx, struct tc_run *run, struct tc_str path, struct tc_str text, bool *ret_saved)
{
    struct tc_workspace_service *service;
    enum tc_err e = tc_workspaces_open(cx, run->runtime->workspaces, &run->invocation, run->view->agent, &service);

    if (!e)
        e = tc_workspace_put(cx, service->workspace, path, text);
    *ret_saved = !e;
    if (e == TC_E_WS_QUOTA || e == TC_E_WS_UNAVAILABLE) {
        tc_fail_clear(cx);
        e = TC_OK;
    }
    return e;
}

static enum tc_err drift(struct tc_cx *cx, struct tc_run *run, struct tc_str text)
{
    struct tc_run_draft draft;
    struct tc_str way = way_out(cx, run), reminder;
    bool saved;
    enum tc_err e;

    if (run->drifts >= TC_RUN_DRIFTS)
        return tc_fail(cx, TC_E_MODEL_TOOL_CALL_REQUIRED,
                       "The model answered with text %d times where it had to call a tool.", run->drifts + 1);
    e = tc_run_journal_flush(cx, &run->journal); /* what is saved was said */
    if (!e)
        e = save(cx, run, TC_STR(DRIFT_PATH), text, &saved);
    if (e)
        return e;
    run->drifts++;
    tc_run_draft_begin(&draft);
    tc_jsonw_kint(&draft.w, "attempt", run->drifts);
    tc_jsonw_kint(&draft.w, "max", TC_RUN_DRIFTS);
    if (saved)
        tc_jsonw_kcstr(&draft.w, "path", DRIFT_PATH);
    e = tc_run_draft_end(cx, &run->journal, "drift_recovery_attempted", &draft);
    if (e)
        return e;
    reminder = tc_arena_printf(cx->arena, "Text alone does not end this work.%s %.*s",
                               saved ? " Yours was saved as " DRIFT_PATH "." : "", TC_STR_ARG(way));
    return way.p && reminder.p ? tc_run_note(cx, run, reminder) : tc_fail_memory(cx);
}

/* --- answers that are none --- */

static enum tc_err again(struct tc_cx *cx, struct tc_run *run, enum tc_turn_end end)
{
    if (run->asked_again && end == TC_TURN_EMPTY)
        return tc_fail(cx, TC_E_MODEL_EMPTY, "The model answered with nothing, twice.");
    if (run->asked_again)
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "The model's calls could not be read, twice.");
    run->asked_again = true;
    if (end == TC_TURN_EMPTY)
        return TC_OK;
    if (end == TC_TURN_WRITTEN)
        return tc_run_note(cx, run, TC_STR("Your last answer held a call that was written as text, and nothing ran. "
                                           "Make it as a call of the tool. What is only to be shown stands in a code "
                                           "fence."));
    return tc_run_note(cx, run, TC_STR("Your last call could not be read, and nothing ran. Make it again, with "
                                       "arguments that are one valid JSON object."));
}

static enum tc_err pause_again(struct tc_cx *cx, struct tc_run *run)
{
    if (++run->pauses <= TC_RUN_PAUSES)
        return TC_OK;
    return tc_fail(cx, TC_E_MODEL_PROTOCOL, "The model paused %d times one after another.", run->pauses);
}

static enum tc_err make_room(struct tc_cx *cx, struct tc_run *run)
{
    enum tc_err e;

    if (run->compacted) {
        tc_fail(cx, TC_E_MODEL_CONTEXT, "The conversation does not fit the model's window, even when it is summed up.");
        return tc_fail_hint(cx, "Start a new session, or use a model with a larger window.");
    }
    run->compacted = true;
    e = tc_compact_run(cx, run);
    if (e != TC_E_TAPE_TOO_SHORT)
        return e;
    return tc_fail(cx, TC_E_MODEL_CONTEXT, "What was asked is more than the model's window holds.");
}

/* --- turns --- */

static enum tc_err go_on(struct tc_cx *cx, struct tc_run *run, enum tc_turn_end end, struct tc_str text, bool *ret_done)
{
    switch (end) {
    case TC_TURN_CALLED:
        run->asked_again = run->compacted = false;
        run->pauses = 0;
        *ret_done = run->finished;
        return TC_OK;
    case TC_TURN_SPOKE:
        run->asked_again = run->compacted = false;
        run->pauses = 0;
        *ret_done = text_ends(run);
        return *ret_done ? TC_OK : drift(cx, run, text);
    case TC_TURN_PAUSED:
        return pause_again(cx, run);
    case TC_TURN_FULL:
        return make_room(cx, run);
    default:
        return again(cx, run, end);
    }
}

static enum tc_err turn(struct tc_cx *cx, struct tc_run *run, bool *ret_done)
{
    int64_t max = run->model.max_steps;
    enum tc_turn_end end = TC_TURN_FULL;
    struct tc_str text = TC_STR("");
    enum tc_err e = tc_task_check(cx);

    if (!e)
        e = tc_access_require(cx, run->runtime->access, &run->request.principal);
    if (!e && max > 0 && run->row.steps - run->before >= max) {
        tc_fail(cx, TC_E_AGENT_MAX_STEPS, "The run has taken %lld turns, which is its limit.", (long long)max);
        return tc_fail_hint(cx, "Raise guards.maxSteps of the agent and resume it, or go on with another run.");
    }
    if (!e)
        e = tc_compact_when_due(cx, run);
    if (!e)
        e = tc_turn_play(cx, run, &end, &text);
    if (e == TC_E_MODEL_CONTEXT && !run->compacted) {
        tc_fail_clear(cx);
        end = TC_TURN_FULL;
        e = TC_OK;
    }
    return e ? e : go_on(cx, run, end, text, ret_done);
}

static enum tc_err turns(struct tc_cx *cx, struct tc_run *run)
{
    bool done = false;
    enum tc_err e = TC_OK;

    while (!e && !done) {
        struct tc_arena arena;
        struct tc_cx of_turn = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        tc_arena_init(&arena, TC_RUN_TURN_BYTES);
        e = turn(&of_turn, run, &done);
        if (e)
            tc_fail_from(cx, &of_turn);
        tc_arena_finish(&arena);
    }
    return e;
}

/* --- beginning and end --- */

static const char *status_of(const struct tc_run *run, enum tc_err e)
{
    if (!e)
        return "completed";
    if (e == TC_E_CANCELED || e == TC_E_AUTH_ENDED)
        return "cancelled";
    if (run->cancelled) /* also where a call's outcome is not known for that */
        return "cancelled";
    if (e == TC_E_SHUTDOWN)
        return "interrupted";
    return run->committed ? "partial_success" : "failed";
}

static struct tc_str usage_text(struct tc_run *run)
{
    const struct tc_usage *u = &run->usage;

    return tc_arena_printf(&run->arena,
                           "{\"input\":%lld,\"output\":%lld,\"cached\":%lld,\"cacheWritten\":%lld,\"reasoning\":%lld}",
                           (long long)u->input, (long long)u->output, (long long)u->cached,
                           (long long)u->cache_written, (long long)u->reasoning);
}

enum tc_err tc_run_note_end(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_run_draft draft;
    enum tc_err e;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "status", run->row.status);
    tc_jsonw_kopt(&draft.w, "errorCode", run->row.error_code);
    tc_jsonw_kopt(&draft.w, "message", run->row.error_message);
    tc_jsonw_kopt(&draft.w, "hint", run->hint);
    e = tc_run_draft_end(cx, &run->journal, "run_ended", &draft);
    if (e)
        return e;
    tc_run_journal_row(&run->journal, &run->row);
    tc_run_journal_let_go(&run->journal);
    return TC_OK;
}

static enum tc_err put_error(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_tape_write write = {.kind = TC_TAPE_ERROR};
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "code", run->row.error_code);
    tc_jsonw_kstr(&draft.w, "message", run->row.error_message);
    tc_jsonw_end(&draft.w);
    write.json = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    return write.json.p ? tc_run_journal_keep(cx, &run->journal, &write, 1) : tc_fail_memory(cx);
}

static enum tc_err put_end(struct tc_cx *cx, struct tc_run *run, bool *noted)
{
    enum tc_err e = *noted ? TC_OK : tc_run_note_end(cx, run);

    *noted |= !e;
    if (!e)
        e = tc_run_journal_flush(cx, &run->journal);
    if (e == TC_E_STORE_CONFLICT) { /* that step will never be taken */
        tc_run_journal_drop(&run->journal);
        *noted = false;
    }
    return e;
}

/* A run is over when its row says so. A store that does not take that is asked again, and
 * meanwhile the run is active still; the end of the process leaves it to the next start. */
static void record_end(struct tc_cx *cx, struct tc_run *run)
{
    bool last = false, noted = false;
    enum tc_err e = put_end(cx, run, &noted);

    for (int64_t ms = END_AGAIN_MS; e && e != TC_E_STORE_NOT_FOUND && !last; ms = ms < END_AGAIN_MS_MAX ? 2 * ms : ms) {
        tc_fail_clear(cx);
        last = tc_task_wait(cx, run->closing, ms) != TC_E_TIMEOUT;
        e = put_end(cx, run, &noted);
    }
}

/* One that was ended since its token was says so, and what that has left unknown. */
static enum tc_err explain(struct tc_cx *cx, const struct tc_run *run, enum tc_err e)
{
    struct tc_error fault = cx->err;
    struct tc_str both;

    if (!e || !run->revoked || !tc_access_require(cx, run->runtime->access, &run->request.principal))
        return e;
    if (fault.code != TC_E_MCP_OUTCOME_UNKNOWN)
        return TC_E_AUTH_ENDED;
    both = tc_arena_printf(cx->arena, "%.*s %.*s", TC_STR_ARG(cx->err.message), TC_STR_ARG(fault.message));
    cx->err.message = both.p ? both : cx->err.message;
    return TC_E_AUTH_ENDED;
}

static void conclude(struct tc_cx *cx, struct tc_run *run, enum tc_err failed)
{
    enum tc_err e = explain(cx, run, failed);
    struct tc_error fault = cx->err;

    tc_task_shield(cx);
    run->row.status = tc_str_of(status_of(run, e));
    run->row.error_code = e ? tc_str_of(tc_err_info(e)->name) : TC_STR("");
    run->row.error_message = e && fault.message.p ? tc_arena_dup(&run->arena, fault.message) : TC_STR("");
    if (!run->row.error_message.p)
        run->row.error_message = TC_STR("");
    run->hint = e ? fault.hint : TC_STR("");
    run->row.usage = usage_text(run);
    if (!run->row.usage.p)
        run->row.usage = TC_STR("");
    run->row.ended_at = run->row.updated_at = tc_clock_wall_ms(cx->clock);
    if (e && e != TC_E_CANCELED && e != TC_E_SHUTDOWN)
        put_error(cx, run);
    tc_approvals_end_run(run->runtime->approvals, run->row.id);
    tc_workspaces_forget(run->runtime->workspaces, run->invocation.id);
    record_end(cx, run);
    tc_task_unshield(cx);
    tc_fail_clear(cx);
}

/* The last text that the model said; empty: none. */
static enum tc_err last_text(struct tc_cx *cx, const struct tc_run *run, struct tc_str *ret)
{
    struct tc_buf buf;

    tc_buf_init(&buf, 64 * 1024 * 1024);
    for (size_t i = run->tape.n; i > 0 && buf.n == 0; i--) {
        const struct tc_json *body = run->tape.items[i - 1].body, *part;
        struct tc_json_iter it = tc_json_iter(tc_json_get_c(body, "parts"));
        if (run->tape.items[i - 1].kind != TC_TAPE_MESSAGE ||
            !tc_str_is(tc_json_str(tc_json_get_c(body, "role")), "assistant"))
            continue;
        while (tc_json_next(&it, NULL, &part))
            tc_buf_str(&buf, tc_json_str(tc_json_get_c(part, "text")));
    }
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* What a revision starts from: the published file, or what was said. */
static enum tc_err keep_output(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_workspace_service *service;
    struct tc_workspace_file file;
    struct tc_str text;
    bool saved;
    enum tc_err e = last_text(cx, run, &text);

    if (e)
        return e;
    if (!text_ends(run)) {
        e = tc_workspaces_open(cx, run->runtime->workspaces, &run->invocation, run->view->agent, &service);
        if (!e)
            e = tc_workspace_load(cx, service->workspace, TC_STR(TC_RUN_BODY), TC_WORKSPACE_FILE_MAX, &file);
        if (e == TC_E_NO_MEMORY || tc_task_check(cx))
            return cx->err.code;
        text = e ? text : file.bytes;
        tc_fail_clear(cx);
    }
    return text.n ? save(cx, run, TC_STR(PREVIOUS_PATH), text, &saved) : TC_OK;
}

/* Whether the last thing on the tape is the model's, so that it has to be asked on. */
static bool ends_with_model(const struct tc_tape *tape)
{
    const struct tc_tape_item *said = tc_tape_find_last(tape, TC_TAPE_MESSAGE);

    for (const struct tc_tape_item *i = said; i && i < tape->items + tape->n; i++)
        if (i->kind == TC_TAPE_RESULT || i->kind == TC_TAPE_NOTE)
            return false;
    return said && tc_str_is(tc_json_str(tc_json_get_c(said->body, "role")), "assistant");
}

static enum tc_err begin(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_run_settled settled;
    enum tc_err e = TC_OK;

    if (!run->resumed) /* a resumption has settled them before it was taken on */
        e = tc_run_settle_find(cx, run, true, &settled);
    if (!e && !run->resumed)
        e = tc_run_settle_put(cx, run, &settled, NULL);
    if (!e && run->revision)
        e = keep_output(cx, run);
    if (!e)
        e = tc_run_input_put(cx, run);
    if (!e && run->resumed && ends_with_model(&run->tape))
        e = tc_run_note(cx, run, TC_STR("You were interrupted. Go on where you stopped."));
    return e;
}

void tc_run_task(struct tc_cx *cx, void *arg)
{
    struct tc_run *run = arg;
    enum tc_err e = begin(cx, run);

    if (!e)
        e = turns(cx, run);
    conclude(cx, run, e);
    tc_run_over(run);
}
