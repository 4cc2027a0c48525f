/*
 * A running job is owned by its task, one that has ended by the table.
 */
#include "mcp/server/jobs.h"

#include "base/clock.h"
#include "mcp/server/parked_state.h"

enum {
    JOBS_MAX = 1024,
    PER_TOKEN_MAX = 64,
    TTL_MS = 60 * 60 * 1000, /* from the making on */
    POLL_MS = 1000,
    MESSAGE_MAX = 64 * 1024
};

static bool is_mine(const struct tc_parked *job, const struct tc_dialog *d)
{
    return tc_str_eq(job->principal.id, d->principal->id) && tc_str_eq(job->dialog.agent, d->agent);
}

static bool is_over(const struct tc_parked *job)
{
    return job->job.outcome || job->job.cancelled;
}

static const char *status_of(const struct tc_parked *job)
{
    if (job->job.cancelled)
        return "cancelled";
    if (job->job.outcome)
        return tc_json_get_c(tc_json_doc_root(job->job.outcome), "result") ? "completed" : "failed";
    return job->rounds ? "input_required" : "working";
}

/* --- becoming one --- */

/* Somebody waits for it who would take a job instead. */
static bool can_become(const struct tc_parked *parked)
{
    return parked->outlet.feed && !parked->job.id[0] &&
           (parked->dialog.envelope.abilities & TC_ABILITY_TASKS) && tc_str_is(parked->rpc.method, "tools/call");
}

/* Those that are over keep their place until their time has come. */
static bool has_room(const struct tc_parking *parking, struct tc_str principal)
{
    struct tc_str key;
    void *value;
    size_t own = 0;

    for (size_t at = 0; tc_map_next(&parking->by_job, &at, &key, &value);)
        own += tc_str_eq(((struct tc_parked *)value)->principal.id, principal);
    return own < PER_TOKEN_MAX && parking->by_job.n < JOBS_MAX;
}

enum tc_err tc_jobs_check_room(struct tc_cx *cx, const struct tc_parking *parking, struct tc_str principal)
{
    if (has_room(parking, principal))
        return TC_OK;
    tc_fail(cx, TC_E_BUSY, "There are too many tasks of yours.");
    return tc_fail_hint(cx, "Wait until one of them is forgotten, or call without a task.");
}

static void write_created(struct tc_jsonw *w, const struct tc_parked *job)
{
    bool metadata = tc_dialog_is_metadata(&job->dialog);

    tc_jsonw_object(w);
    if (metadata) {
        tc_jsonw_kcstr(w, "resultType", "task");
        tc_jobs_write(w, job, false);
        tc_jsonw_key(w, "_meta");
        tc_jsonw_raw(w, tc_dialog_server_meta());
    } else {
        tc_jsonw_key(w, "task");
        tc_jsonw_object(w);
        tc_jobs_write(w, job, false);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

bool tc_jobs_promote(struct tc_parked *parked, int64_t now_ms)
{
    struct tc_parking *parking = parked->parking;
    struct tc_buf buf;
    struct tc_jsonw w;

    if (!has_room(parking, parked->principal.id))
        return false;
    tc_rand_handle(parked->job.id);
    if (!tc_map_put(&parking->by_job, tc_str_of(parked->job.id), parked)) {
        parked->job.id[0] = '\0';
        return false;
    }
    parked->job.created_ms = parked->job.updated_ms = now_ms;
    tc_buf_init(&buf, MESSAGE_MAX);
    tc_rpc_open_result(&w, &buf, parked->id);
    write_created(&w, parked);
    tc_jsonw_end(&w);
    tc_parked_hand_over(parked, tc_buf_get(&buf), 200);
    tc_buf_finish(&buf);
    return true;
}

/* --- the end --- */

void tc_jobs_end(struct tc_parked *parked, struct tc_str answer, int64_t now_ms)
{
    struct tc_json_limits limits = {.max_bytes = answer.n + 1};
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    if (tc_json_parse(&cx, answer, &limits, &parked->job.outcome)) {
        parked->job.outcome = NULL; /* there is no memory for it: its client hears that it is gone */
        parked->job.cancelled = true;
    }
    tc_arena_finish(&arena);
    parked->job.updated_ms = now_ms;
    parked->task = NULL;
    tc_event_set(&parked->job.ended);
}

static void forget(struct tc_parking *parking, struct tc_parked *job)
{
    tc_map_remove(&parking->by_job, tc_str_of(job->job.id));
    tc_parked_destroy(job);
}

void tc_jobs_finish(struct tc_parking *parking)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&parking->by_job, &at, &key, &value);)
        tc_parked_destroy(value);
    tc_map_finish(&parking->by_job);
}

/* Those that have taken long become jobs; when the next one will have. */
static int64_t promote_due(struct tc_parking *parking, const struct tc_clock *clock)
{
    int64_t now_us = tc_clock_mono_us(clock), next_us = INT64_MAX;
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&parking->by_state, &at, &key, &value);) {
        struct tc_parked *parked = value;
        int64_t due_us = parked->since_us + (int64_t)TC_JOBS_PATIENCE_MS * 1000;
        if (!can_become(parked))
            continue;
        if (due_us <= now_us)
            tc_jobs_promote(parked, tc_clock_wall_ms(clock));
        else if (due_us < next_us)
            next_us = due_us;
    }
    return next_us;
}

static void forget_old(struct tc_parking *parking, int64_t now_ms)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&parking->by_job, &at, &key, &value);) {
        struct tc_parked *job = value;
        if (!job->task && job->job.waiting == 0 && now_ms - job->job.created_ms > TTL_MS)
            forget(parking, job);
    }
}

int64_t tc_jobs_tend(struct tc_parking *parking, const struct tc_clock *clock)
{
    int64_t next_us = promote_due(parking, clock);

    forget_old(parking, tc_clock_wall_ms(clock));
    return next_us;
}

void tc_jobs_cancel(struct tc_parked *job, int64_t now_ms)
{
    if (is_over(job))
        return;
    job->job.cancelled = true;
    job->job.updated_ms = now_ms;
    tc_task_cancel(job->task, TC_E_CANCELED);
}

/* --- looking --- */

enum tc_err tc_jobs_find(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *params,
                         struct tc_parked **ret)
{
    struct tc_str id = tc_json_str(tc_json_get_c(params, "taskId"));
    struct tc_parked *job = d->parking ? tc_map_get(&d->parking->by_job, id) : NULL;

    if (!job || !is_mine(job, d))
        return tc_fail(cx, TC_E_RPC_PARAMS, "There is no task \"%.*s\" of yours.", TC_STR_ARG(id));
    *ret = job;
    return TC_OK;
}

enum tc_err tc_jobs_wait(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *params,
                         struct tc_parked **ret)
{
    struct tc_parked *job;
    enum tc_err e = tc_jobs_find(cx, d, params, &job);

    if (e)
        return e;
    job->job.waiting++; /* it is not forgotten meanwhile */
    while (!e && job->task)
        e = tc_task_wait(cx, &job->job.ended, -1);
    job->job.waiting--;
    *ret = job;
    return e;
}

static void write_time(struct tc_jsonw *w, const char *key, int64_t ms)
{
    char text[TC_CLOCK_ISO_SIZE];

    tc_clock_iso(ms, text);
    tc_jsonw_kcstr(w, key, text);
}

void tc_jobs_write(struct tc_jsonw *w, const struct tc_parked *job, bool details)
{
    bool metadata = tc_dialog_is_metadata(&job->dialog);
    const struct tc_json *outcome = tc_jobs_outcome(job), *result = tc_json_get_c(outcome, "result");

    tc_jsonw_kcstr(w, "taskId", job->job.id);
    tc_jsonw_kcstr(w, "status", status_of(job));
    write_time(w, "createdAt", job->job.created_ms);
    write_time(w, "lastUpdatedAt", job->job.updated_ms);
    tc_jsonw_kint(w, metadata ? "ttlMs" : "ttl", TTL_MS);
    tc_jsonw_kint(w, metadata ? "pollIntervalMs" : "pollInterval", POLL_MS);
    if (!details)
        return;
    if (result && !job->job.cancelled)
        tc_jsonw_kvalue(w, "result", result);
    else if (outcome && !job->job.cancelled)
        tc_jsonw_kvalue(w, "error", tc_json_get_c(outcome, "error"));
    if (job->rounds && !is_over(job)) {
        tc_jsonw_key(w, "inputRequests");
        tc_parked_write_questions(w, job);
    }
}

void tc_jobs_write_all(struct tc_jsonw *w, const struct tc_dialog *d)
{
    struct tc_str key;
    void *value;

    tc_jsonw_array(w);
    for (size_t at = 0; d->parking && tc_map_next(&d->parking->by_job, &at, &key, &value);) {
        if (!is_mine(value, d))
            continue;
        tc_jsonw_object(w);
        tc_jobs_write(w, value, false);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

const struct tc_json *tc_jobs_outcome(const struct tc_parked *job)
{
    return job->job.outcome ? tc_json_doc_root(job->job.outcome) : NULL;
}
