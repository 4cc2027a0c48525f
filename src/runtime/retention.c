/*
 * Order matters: calls go before the snapshots that they name.
 */
#include "runtime/retention.h"

#include "base/clock.h"
#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "ports/store_changes.h"
#include "ports/store_runs.h"
#include "ports/store_tapes.h"
#include "runtime/servers.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

typedef enum tc_err prune_fn(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before);

static enum tc_err prune_calls(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n;

    return runtime->store->audit->prune(cx, runtime->store, before, &n);
}

static enum tc_err prune_results(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n;

    return runtime->store->results->prune(cx, runtime->store, before, &n);
}

/* A view puts its snapshot again once an hour while it is in use, so one that was
 * put before the last day belongs to no call on its way. */
static enum tc_err prune_snapshots(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n, yesterday = tc_clock_wall_ms(cx->clock) - DAY_MS;

    return runtime->store->results->prune_snapshots(cx, runtime->store, before < yesterday ? before : yesterday, &n);
}

static enum tc_err prune_approvals(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n;

    return runtime->store->approvals->prune(cx, runtime->store, before, &n);
}

static enum tc_err prune_changes(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n;

    return runtime->store->changes->prune(cx, runtime->store, before, &n);
}

static enum tc_err prune_runs(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n;

    return runtime->store->runs->prune(cx, runtime->store, before, &n);
}

/* Sessions stay: they are somebody's. */
static enum tc_err prune_tapes(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    int64_t n;

    return runtime->store->tapes->prune(cx, runtime->store, before, &n);
}

static enum tc_err prune_definitions(struct tc_cx *cx, struct tc_runtime *runtime, int64_t before)
{
    return tc_servers_prune(cx, runtime->servers, before);
}

enum tc_err tc_retention_run(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_retention *retention)
{
    int64_t now = tc_clock_wall_ms(cx->clock), old = now - retention->audit_days * DAY_MS;
    const struct {
        prune_fn *fn;
        int64_t before;
    } parts[] = {
        {prune_calls, old},
        {prune_results, now - retention->results_days * DAY_MS},
        {prune_runs, now - retention->journal_days * DAY_MS},
        {prune_tapes, now - retention->journal_days * DAY_MS},
        {prune_snapshots, old},
        {prune_approvals, old},
        {prune_changes, old},
        {prune_definitions, old},
    };
    struct tc_error fault = {0};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].fn(cx, runtime, parts[i].before) && !fault.code)
            fault = cx->err;
    cx->err = fault;
    return fault.code;
}
