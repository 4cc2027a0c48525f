/*
 * The table of what runs: an entry from the start of a run until its task has ended.
 * Nothing of it is the truth about a run; that is its row, tape and journal.
 */
#include "runtime/runs.h"

#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "runtime/approvals.h"
#include "runtime/run_replay.h"
#include "runtime/run_row.h"

struct tc_runs {
    struct tc_runtime *runtime;
    struct tc_map active;   /* id → struct tc_run */
    struct tc_map resuming; /* ids of runs that are being put together again */
    struct tc_event closing;
    struct tc_task_group tasks;
};

/* A run acts for whoever started it, and no longer than that may. A token that expires is
 * noticed before the next request or call: here it counts as it stood at the start. */
static void on_revoked(void *arg)
{
    struct tc_runs *runs = arg;
    const struct tc_access *access = runs->runtime->access;
    struct tc_str id;
    void *value;

    for (size_t at = 0; tc_map_next(&runs->active, &at, &id, &value);) {
        struct tc_run *run = value;
        if (!run->task || tc_access_holds(access, &run->request.principal, run->started_at))
            continue;
        run->revoked = true;
        tc_task_cancel(run->task, TC_E_CANCELED);
    }
}

enum tc_err tc_runs_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_runs **ret_runs)
{
    struct tc_runs *runs = tc_mem_zalloc(1, sizeof *runs);
    int64_t left;
    enum tc_err e;

    if (!runs)
        return tc_fail_memory(cx);
    runs->runtime = runtime;
    tc_task_group_init(&runs->tasks, runtime->loop);
    e = runtime->store->runs->close_open(cx, runtime->store, tc_clock_wall_ms(cx->clock), &left);
    if (e) {
        tc_mem_free(runs);
        return e;
    }
    tc_access_watch(runtime->access, on_revoked, runs);
    *ret_runs = runs;
    return TC_OK;
}

void tc_runs_destroy(struct tc_cx *cx, struct tc_runs *runs)
{
    if (!runs)
        return;
    tc_access_unwatch(runs->runtime->access, runs);
    tc_task_shield(cx);
    tc_event_set(&runs->closing);
    tc_task_group_cancel(&runs->tasks, TC_E_SHUTDOWN);
    tc_task_join(cx, &runs->tasks);
    tc_task_unshield(cx);
    tc_map_finish(&runs->active);
    tc_map_finish(&runs->resuming);
    tc_mem_free(runs);
}

/* --- starting and ending --- */

/* Its task begins; the reference goes with it. */
static enum tc_err launch(struct tc_cx *cx, struct tc_runs *runs, struct tc_run *run)
{
    enum tc_err e = TC_OK;

    run->owner = runs;
    run->closing = &runs->closing;
    if (!tc_map_put(&runs->active, run->row.id, run))
        e = tc_fail_memory(cx);
    if (!e)
        e = tc_task_spawn_ref(cx, runs->runtime->loop, &runs->tasks, "run", tc_run_task, run, &run->task);
    tc_pulse_beat(&runs->runtime->pulse, TC_PULSE_RUNS);
    if (!e)
        return TC_OK;
    tc_map_remove(&runs->active, run->row.id);
    tc_run_start_undo(cx, run);
    tc_run_unref(run);
    return e;
}

void tc_run_over(struct tc_run *run)
{
    run->task = NULL;
    tc_map_remove(&run->owner->active, run->row.id);
    tc_run_journal_end(&run->journal);
    tc_event_set(&run->ended);
    tc_pulse_beat(&run->runtime->pulse, TC_PULSE_RUNS);
    tc_run_unref(run);
}

enum tc_err tc_runs_start(struct tc_cx *cx, struct tc_runs *runs, const struct tc_run_request *request,
                          struct tc_str *ret_id)
{
    struct tc_run *run;
    struct tc_str id;
    enum tc_err e = tc_run_start_new(cx, runs->runtime, runs->runtime->offers, request, &run);

    if (e)
        return e;
    id = tc_arena_dup(cx->arena, run->row.id);
    e = launch(cx, runs, run);
    if (!e && !id.p)
        return tc_fail_memory(cx);
    if (!e)
        *ret_id = id;
    return e;
}

static enum tc_err again(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, const struct tc_run_again *how)
{
    struct tc_run *run;
    enum tc_err e;

    if (tc_map_get(&runs->active, id) || tc_map_get(&runs->resuming, id))
        return tc_fail(cx, TC_E_RUN_ACTIVE, "This run is active.");
    if (!tc_map_put(&runs->resuming, id, runs))
        return tc_fail_memory(cx);
    e = tc_run_start_again(cx, runs->runtime, runs->runtime->offers, id, how, &run);
    if (!e)
        e = launch(cx, runs, run);
    tc_map_remove(&runs->resuming, id);
    return e;
}

enum tc_err tc_runs_resume(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, bool accept_unknown)
{
    return again(cx, runs, id, &(struct tc_run_again){.accept_unknown = accept_unknown});
}

enum tc_err tc_runs_revise(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, struct tc_str text)
{
    return again(cx, runs, id, &(struct tc_run_again){.accept_unknown = true, .text = text.p ? text : TC_STR("")});
}

enum tc_err tc_runs_cancel(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id)
{
    struct tc_run *run = tc_map_get(&runs->active, id);
    struct tc_run_row row;

    if (!run)
        return tc_run_row_get(cx, runs->runtime, id, &row);
    run->cancelled = true;
    if (run->task)
        tc_task_cancel(run->task, TC_E_CANCELED);
    return TC_OK;
}

enum tc_err tc_runs_wait(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, struct tc_run_row *ret_row)
{
    struct tc_run *run = tc_map_get(&runs->active, id);
    enum tc_err e = TC_OK;

    if (run) {
        run->refs++;
        e = tc_task_wait(cx, &run->ended, -1);
        tc_run_unref(run);
    }
    return e ? e : tc_run_row_get(cx, runs->runtime, id, ret_row);
}

struct tc_runs_counts tc_runs_counts(const struct tc_runs *runs)
{
    struct tc_runs_counts counts = {0};
    struct tc_str id;
    void *value;

    for (size_t at = 0; runs && tc_map_next(&runs->active, &at, &id, &value);) {
        counts.live++;
        counts.waiting += ((const struct tc_run *)value)->waiting > 0;
    }
    return counts;
}

/* --- answering --- */

static enum tc_err closed(struct tc_cx *cx)
{
    return tc_fail(cx, TC_E_QUESTION_CLOSED, "This question does not wait for an answer any more.");
}

/* An option by its number is one that there is. */
static enum tc_err check_option(struct tc_cx *cx, const struct tc_run_question *question, const struct tc_json *answer)
{
    const struct tc_json *asked;
    struct tc_str text;
    int64_t number;
    size_t n;
    enum tc_err e;

    if (!tc_json_int(tc_json_get_c(answer, "option"), &number))
        return TC_OK;
    text = tc_arena_printf(cx->arena, "{%.*s}", TC_STR_ARG(question->members));
    e = text.p ? tc_json_parse_root(cx, text, NULL, &asked) : tc_fail_memory(cx);
    if (e)
        return e;
    n = tc_json_count(tc_json_get_c(asked, "options"));
    return number >= 1 && (uint64_t)number <= n
               ? TC_OK
               : tc_fail(cx, TC_E_USAGE, "The question has no option %lld; there are %zu.", (long long)number, n);
}

static enum tc_err answer_own(struct tc_cx *cx, struct tc_run_question *question, const struct tc_json *answer)
{
    struct tc_str text = tc_json_text(cx->arena, answer);
    enum tc_err e = text.p ? TC_OK : tc_fail_memory(cx);

    if (question->answer)
        return closed(cx);
    if (!e)
        e = check_option(cx, question, answer);
    if (!e)
        e = tc_json_parse(cx, text, NULL, &question->answer);
    if (!e)
        tc_event_set(&question->answered);
    return e;
}

static bool is_caller(const struct tc_run *run, const struct tc_principal *who)
{
    return tc_str_eq(who->kind, run->request.principal.kind) && tc_str_eq(who->id, run->request.principal.id);
}

static enum tc_err answer_approval(struct tc_cx *cx, struct tc_run *run, const struct tc_run_answer *answer)
{
    const struct tc_principal *who = answer->principal;
    bool declined = tc_json_bool(tc_json_get_c(answer->answer, "declined"), false);
    const struct tc_approvals_answer said = {
        .id = answer->question,
        .choice = declined ? TC_STR("no") : tc_json_str(tc_json_get_c(answer->answer, "choice")),
        .comment = tc_json_str(tc_json_get_c(answer->answer, "comment")),
        .channel = is_caller(run, who) || who->role < TC_ROLE_OPERATOR ? TC_STR("caller") : TC_STR("operator"),
        .principal = who,
    };
    struct tc_approval_row row;
    enum tc_err e = tc_approvals_answer(cx, run->runtime->approvals, &said, &row);

    if (e == TC_E_APPROVAL_NOT_FOUND || e == TC_E_APPROVAL_CLOSED)
        return closed(cx);
    return e;
}

enum tc_err tc_runs_answer(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, const struct tc_run_answer *answer)
{
    struct tc_run *run = tc_map_get(&runs->active, id);
    struct tc_run_row row;
    enum tc_err e;

    if (!run) {
        e = tc_run_row_get(cx, runs->runtime, id, &row);
        return e ? e : closed(cx);
    }
    if (!tc_json_is(answer->answer, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_USAGE, "An answer is an object.");
    for (struct tc_run_question *q = run->questions; q; q = q->next)
        if (tc_str_eq(q->id, answer->question))
            return answer_own(cx, q, answer->answer);
    run->refs++;
    e = answer_approval(cx, run, answer);
    tc_run_unref(run);
    return e;
}

/* --- watching --- */

static void release_run(void *run)
{
    tc_run_unref(run);
}

enum tc_err tc_runs_watch(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, int64_t after,
                          struct tc_run_watch **ret_watch)
{
    struct tc_run *run = tc_map_get(&runs->active, id);
    struct tc_run_watch *watch;
    struct tc_run_row row;
    enum tc_err e = run ? TC_OK : tc_run_row_get(cx, runs->runtime, id, &row);

    if (e)
        return e;
    run = tc_map_get(&runs->active, id); /* reading the row has parked */
    watch = tc_mem_zalloc(1, sizeof *watch);
    if (!watch)
        return tc_fail_memory(cx);
    watch->store = runs->runtime->store;
    watch->after = after;
    tc_arena_init(&watch->arena, 0);
    tc_buf_init(&watch->deltas.text, TC_RUN_JOURNAL_DELTAS);
    watch->id = tc_arena_dup(&watch->arena, id);
    if (!watch->id.p) {
        tc_run_watch_close(watch);
        return tc_fail_memory(cx);
    }
    if (run) {
        run->refs++;
        watch->release = release_run;
        watch->arg = run;
        tc_run_journal_watch(&run->journal, watch);
    }
    *ret_watch = watch;
    return TC_OK;
}

enum tc_err tc_runs_replay(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, struct tc_run_replay *ret)
{
    return tc_run_replay(cx, runs->runtime, runs->runtime->offers, id, ret);
}
