/*
 * Adding up calls for the figures of a span: what both implementations of the audit port
 * do with the rows that pass. Percentiles come from one pass over the times in order,
 * which serves the whole, each part of the span and each group at once.
 *
 * Of more than TC_AUDIT_SUM_SAMPLES times every second is left out, then three of four,
 * and so on; what is counted stays exact.
 */
#ifndef TC_STORES_AUDIT_SUM_H
#define TC_STORES_AUDIT_SUM_H

#include "ports/store_audit_sums.h"

enum { TC_AUDIT_SUM_SAMPLES = 1 << 20, TC_AUDIT_SUM_GROUPS = 1 << 20 };

struct tc_audit_call {
    int64_t at, exec_us;
    enum tc_audit_outcome outcome;
    bool repaired;
    struct tc_str key; /* by server: the ToolId; empty: of no group */
};

struct tc_audit_sum_tally {
    uint32_t calls, errors, refused, repaired, unknown, open;
    uint32_t samples, passed;
    int64_t p50_us, p95_us;
};

/* One line of a cache: ten thousand of them are looked up for each call in turn. */
struct tc_audit_sum_group {
    struct tc_audit_sum_tally tally;
    struct tc_str key;
};

/* Where a group is, by the hash of its key. */
struct tc_audit_sum_slot {
    uint32_t hash;   /* its upper half */
    uint32_t number; /* of the group, from 1; 0: free */
};

struct tc_audit_sum_sample {
    int64_t us;
    uint32_t part, group; /* numbers, or none */
};

struct tc_audit_sum {
    struct tc_cx *cx;                        /* keys of groups and what is returned are in its arena */
    const struct tc_audit_sums_query *query;
    struct tc_audit_sum_tally whole, parts[TC_AUDIT_BUCKETS_MAX];
    struct tc_audit_sum_slot *slots;         /* more than half of them free; a power of two */
    size_t slots_n;
    struct tc_audit_sum_group *groups;
    size_t groups_n, groups_room;
    struct tc_audit_sum_sample *samples;
    size_t samples_n, samples_room;
    size_t stride, skipped;                  /* one of so many times is kept; left out since the last */
};

/* TC_E_USAGE with the field at fault. */
enum tc_err tc_audit_sum_check(struct tc_cx *cx, const struct tc_audit_sums_query *query);
/* The filter of the span before. */
struct tc_store_audit_filter tc_audit_sum_before(const struct tc_store_audit_filter *filter);

void tc_audit_sum_init(struct tc_audit_sum *sum, struct tc_cx *cx, const struct tc_audit_sums_query *query);
void tc_audit_sum_finish(struct tc_audit_sum *sum);
/* The call is in the span. TC_E_LIMIT: more than TC_AUDIT_SUM_GROUPS groups. */
enum tc_err tc_audit_sum_add(struct tc_audit_sum *sum, const struct tc_audit_call *call);
/* All but `previous`. */
enum tc_err tc_audit_sum_end(struct tc_audit_sum *sum, struct tc_audit_sums *ret_sums);

#endif
