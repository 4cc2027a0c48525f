/*
 * Figures of runs from counts.
 */
#include "stores/run_sum.h"

#include <stdlib.h>

#define LAST_TIME INT64_C(253402300800000)

static const char *const words[TC_RUN_STATUSES] = {
    [TC_RUN_RUNNING] = "running",     [TC_RUN_WAITING] = "waiting",     [TC_RUN_COMPLETED] = "completed",
    [TC_RUN_FAILED] = "failed",       [TC_RUN_CANCELLED] = "cancelled", [TC_RUN_INTERRUPTED] = "interrupted",
    [TC_RUN_PARTIAL_SUCCESS] = "partial_success",
};

enum tc_err tc_run_sum_check(struct tc_cx *cx, const struct tc_run_sums_query *query)
{
    if (query->from <= 0 || query->to <= query->from || query->to > LAST_TIME) {
        tc_fail(cx, TC_E_USAGE, "A span begins after 1970 and ends later, before the year 10000.");
        return tc_fail_field(cx, TC_STR("/from"));
    }
    if (query->limit < 0 || query->limit > TC_RUN_GROUPS_MAX) {
        tc_fail(cx, TC_E_USAGE, "The limit is 0 to 20000.");
        return tc_fail_field(cx, TC_STR("/limit"));
    }
    return TC_OK;
}

struct tc_run_sums_query tc_run_sum_before(const struct tc_run_sums_query *query)
{
    return (struct tc_run_sums_query){.from = 2 * query->from - query->to, .to = query->from};
}

static void add(struct tc_run_figures *figures, const struct tc_run_sum_row *row)
{
    figures->runs += row->runs;
    for (int i = 0; i < TC_RUN_STATUSES; i++)
        if (tc_str_is(row->status, words[i]))
            figures->by_status[i] += row->runs;
}

static int by_runs(const void *a, const void *b)
{
    const struct tc_run_group *x = a, *y = b;

    if (x->figures.runs != y->figures.runs)
        return x->figures.runs > y->figures.runs ? -1 : 1;
    return tc_str_cmp(x->agent, y->agent);
}

enum tc_err tc_run_sum(struct tc_cx *cx, const struct tc_run_sum_row *rows, size_t n, int64_t limit,
                       struct tc_run_sums *ret_sums)
{
    struct tc_run_group *groups = TC_ARENA_NEW_N(cx->arena, struct tc_run_group, n + 1);
    struct tc_run_sums sums = {.groups = groups};
    size_t groups_n = 0;

    if (!groups)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !tc_str_eq(rows[i].agent, rows[i - 1].agent))
            groups[groups_n++].agent = rows[i].agent;
        add(&sums.totals, &rows[i]);
        add(&groups[groups_n - 1].figures, &rows[i]);
    }
    qsort(groups, groups_n, sizeof *groups, by_runs);
    sums.groups_total = (int64_t)groups_n;
    sums.groups_n = (int64_t)groups_n < limit ? groups_n : (size_t)limit;
    *ret_sums = sums;
    return TC_OK;
}
