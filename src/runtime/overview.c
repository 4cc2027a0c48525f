/*
 * Counting, and sharing what was counted. All of it is in memory.
 */
#include "runtime/overview.h"

#include "base/clock.h"

/* Those of the code, of sources and of the operator, each once. */
static size_t count_toolsets(const struct tc_runtime *runtime)
{
    const struct tc_catalog *catalog = tc_registry_get(runtime->registry).catalog;
    size_t n = catalog->toolsets_n + tc_agents_toolsets(runtime->agents)->n;

    for (size_t i = 0; i < tc_toolset_builtin_n; i++)
        n += tc_catalog_toolset(catalog, tc_str_of(tc_toolset_builtin[i].name)) == SIZE_MAX;
    return n;
}

const struct tc_overview *tc_overview_get(struct tc_cx *cx, struct tc_runtime *runtime)
{
    struct tc_overview *o = runtime->overview;

    if (o->made_us && o->beats == runtime->pulse.beats)
        return o;
    *o = (struct tc_overview){
        .beats = runtime->pulse.beats,
        .made_us = tc_clock_mono_us(cx->clock),
        .tools = tc_registry_get(runtime->registry).catalog->n,
        .toolsets = count_toolsets(runtime),
        .agents = tc_agents_count(runtime->agents),
        .channels = tc_channels_count(runtime->channels),
        .tokens = tc_access_count(runtime->access, tc_clock_wall_ms(cx->clock)),
        .approvals = tc_approvals_counts(runtime->approvals),
        .servers = tc_servers_counts(runtime->servers),
        .runs = tc_runs_counts(runtime->runs),
    };
    memcpy(o->revisions, runtime->pulse.revisions, sizeof o->revisions);
    return o;
}

enum tc_err tc_overview_next(struct tc_cx *cx, struct tc_runtime *runtime, uint64_t *at, int64_t timeout_ms,
                             const struct tc_overview **ret_overview)
{
    int64_t due_us;
    enum tc_err e = tc_pulse_wait(cx, &runtime->pulse, *at, timeout_ms);

    due_us = runtime->overview->made_us + (int64_t)TC_OVERVIEW_EVERY_MS * 1000 - tc_clock_mono_us(cx->clock);
    if (!e && due_us > 0)
        e = tc_task_sleep(cx, (due_us + 999) / 1000);
    if (e)
        return e;
    *ret_overview = tc_overview_get(cx, runtime);
    *at = (*ret_overview)->beats;
    return TC_OK;
}
