/*
 * Adding up runs: what both implementations of the port do with how many runs of an agent
 * have a status.
 */
#ifndef TC_STORES_RUN_SUM_H
#define TC_STORES_RUN_SUM_H

#include "ports/store_runs.h"

struct tc_run_sum_row {
    struct tc_str agent, status;
    int64_t runs;
};

/* TC_E_USAGE with the field at fault. */
enum tc_err tc_run_sum_check(struct tc_cx *cx, const struct tc_run_sums_query *query);
/* The span before. */
struct tc_run_sums_query tc_run_sum_before(const struct tc_run_sums_query *query);
/* Rows of one agent stand together. Agents are borrowed. All but `previous` and `live`. */
enum tc_err tc_run_sum(struct tc_cx *cx, const struct tc_run_sum_row *rows, size_t n, int64_t limit,
                       struct tc_run_sums *ret_sums);

#endif
