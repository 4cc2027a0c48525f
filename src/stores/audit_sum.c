/*
 * Tallies, and the order of the times.
 */
#include "stores/audit_sum.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

enum { NONE = UINT32_MAX, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FIRST_ROOM = 1024 };
#define LAST_TIME INT64_C(253402300800000)

static enum tc_err fail_field(struct tc_cx *cx, const char *sentence, struct tc_str field)
{
    tc_fail(cx, TC_E_USAGE, "%s", sentence);
    return tc_fail_field(cx, field);
}

enum tc_err tc_audit_sum_check(struct tc_cx *cx, const struct tc_audit_sums_query *query)
{
    const struct tc_store_audit_filter *filter = query->filter;

    if (filter->from <= 0 || filter->to <= filter->from || filter->to > LAST_TIME)
        return fail_field(cx, "A span begins after 1970 and ends later, before the year 10000.", TC_STR("/from"));
    if (query->buckets < 0 || query->buckets > TC_AUDIT_BUCKETS_MAX)
        return fail_field(cx, "A span has 0 to 200 parts.", TC_STR("/buckets"));
    if (query->limit < 1 || query->limit > TC_AUDIT_GROUPS_MAX)
        return fail_field(cx, "The limit is 1 to 20000.", TC_STR("/limit"));
    return TC_OK;
}

struct tc_store_audit_filter tc_audit_sum_before(const struct tc_store_audit_filter *filter)
{
    struct tc_store_audit_filter before = *filter;

    before.to = filter->from;
    before.from = 2 * filter->from - filter->to;
    if (before.from < 1)
        before.from = 1;
    return before;
}

static void tally_init(struct tc_audit_sum_tally *tally)
{
    *tally = (struct tc_audit_sum_tally){.p50_us = -1, .p95_us = -1};
}

void tc_audit_sum_init(struct tc_audit_sum *sum, struct tc_cx *cx, const struct tc_audit_sums_query *query)
{
    memset(sum, 0, sizeof *sum);
    sum->cx = cx;
    sum->query = query;
    sum->stride = 1;
    tally_init(&sum->whole);
    for (int64_t i = 0; i < query->buckets; i++)
        tally_init(&sum->parts[i]);
}

void tc_audit_sum_finish(struct tc_audit_sum *sum)
{
    tc_mem_free(sum->slots);
    tc_mem_free(sum->groups);
    tc_mem_free(sum->samples);
}

/* --- calls --- */

static void count(struct tc_audit_sum_tally *tally, const struct tc_audit_call *call)
{
    tally->calls++;
    tally->errors += call->outcome == TC_AUDIT_ERROR;
    tally->refused += call->outcome == TC_AUDIT_REFUSED;
    tally->unknown += call->outcome == TC_AUDIT_UNKNOWN;
    tally->open += call->outcome == TC_AUDIT_OPEN;
    tally->repaired += call->repaired;
}

/* The key's slot, or the free one where it belongs. */
static struct tc_audit_sum_slot *slot_of(const struct tc_audit_sum *sum, struct tc_str key, uint64_t hash)
{
    for (size_t i = hash & (sum->slots_n - 1);; i = (i + 1) & (sum->slots_n - 1)) {
        struct tc_audit_sum_slot *slot = &sum->slots[i];

        if (!slot->number ||
            (slot->hash == hash >> 32 && tc_str_eq(sum->groups[slot->number - 1].key, key)))
            return slot;
    }
}

/* Twice the room, and the slots anew. */
static bool grow_groups(struct tc_audit_sum *sum)
{
    size_t room = sum->groups_room ? 2 * sum->groups_room : FIRST_ROOM;
    struct tc_audit_sum_group *groups = tc_mem_realloc(sum->groups, room * sizeof *groups);
    struct tc_audit_sum_slot *slots;

    if (!groups)
        return false;
    sum->groups = groups;
    slots = tc_mem_zalloc(2 * room, sizeof *slots);
    if (!slots)
        return false;
    tc_mem_free(sum->slots);
    sum->slots = slots;
    sum->slots_n = 2 * room;
    sum->groups_room = room;
    for (size_t i = 0; i < sum->groups_n; i++) {
        uint64_t hash = tc_hash_table(groups[i].key);

        *slot_of(sum, groups[i].key, hash) =
            (struct tc_audit_sum_slot){.hash = (uint32_t)(hash >> 32), .number = (uint32_t)(i + 1)};
    }
    return true;
}

static enum tc_err add_group(struct tc_audit_sum *sum, struct tc_str key, uint64_t hash, uint32_t *ret_group)
{
    struct tc_str copy = tc_arena_dup(sum->cx->arena, key);
    size_t n = sum->groups_n;

    if (n == TC_AUDIT_SUM_GROUPS)
        return tc_fail(sum->cx, TC_E_LIMIT, "The calls of the span are of too many kinds.");
    if (!copy.p || (n == sum->groups_room && !grow_groups(sum)))
        return tc_fail_memory(sum->cx);
    *slot_of(sum, copy, hash) =
        (struct tc_audit_sum_slot){.hash = (uint32_t)(hash >> 32), .number = (uint32_t)(n + 1)};
    tally_init(&sum->groups[n].tally);
    sum->groups[n].key = copy;
    sum->groups_n++;
    *ret_group = (uint32_t)n;
    return TC_OK;
}

/* The server of a ToolId "mcp/<uuid>:name"; empty for others. */
static struct tc_str server_of(struct tc_str tool)
{
    static const struct tc_str head = TC_STR_INIT("mcp/");
    size_t colon = tc_str_chr(tool, ':');

    if (!tc_str_starts(tool, head) || colon == SIZE_MAX)
        return TC_STR("");
    return tc_str_n(tool.p + head.n, colon - head.n);
}

static enum tc_err find_group(struct tc_audit_sum *sum, const struct tc_audit_call *call, uint32_t *ret_group)
{
    struct tc_str key = sum->query->by == TC_AUDIT_BY_SERVER ? server_of(call->key) : call->key;
    const struct tc_audit_sum_slot *slot;
    uint64_t hash;

    *ret_group = NONE;
    if (sum->query->by == TC_AUDIT_BY_NONE || !key.n)
        return TC_OK;
    hash = tc_hash_table(key);
    slot = sum->slots_n ? slot_of(sum, key, hash) : NULL;
    if (!slot || !slot->number)
        return add_group(sum, key, hash, ret_group);
    *ret_group = slot->number - 1;
    return TC_OK;
}

/* Every second one goes. */
static void thin(struct tc_audit_sum *sum)
{
    for (size_t i = 1; 2 * i < sum->samples_n; i++)
        sum->samples[i] = sum->samples[2 * i];
    sum->samples_n = (sum->samples_n + 1) / 2;
    sum->stride *= 2;
}

static bool keep_sample(struct tc_audit_sum *sum, struct tc_audit_sum_sample sample)
{
    if (sum->skipped + 1 < sum->stride) {
        sum->skipped++;
        return true;
    }
    sum->skipped = 0;
    if (sum->samples_n == TC_AUDIT_SUM_SAMPLES)
        thin(sum);
    if (sum->samples_n == sum->samples_room) {
        size_t room = sum->samples_room ? 2 * sum->samples_room : FIRST_ROOM;
        struct tc_audit_sum_sample *samples = tc_mem_realloc(sum->samples, room * sizeof *samples);

        if (!samples)
            return false;
        sum->samples = samples;
        sum->samples_room = room;
    }
    sum->samples[sum->samples_n++] = sample;
    return true;
}

static uint32_t part_of(const struct tc_audit_sum *sum, int64_t at)
{
    const struct tc_store_audit_filter *filter = sum->query->filter;
    int64_t span = filter->to - filter->from;

    return sum->query->buckets ? (uint32_t)((at - filter->from) * sum->query->buckets / span) : NONE;
}

enum tc_err tc_audit_sum_add(struct tc_audit_sum *sum, const struct tc_audit_call *call)
{
    uint32_t part = part_of(sum, call->at), group;
    enum tc_err err = find_group(sum, call, &group);

    if (err)
        return err;
    count(&sum->whole, call);
    if (part != NONE)
        count(&sum->parts[part], call);
    if (group != NONE)
        count(&sum->groups[group].tally, call);
    if (call->outcome != TC_AUDIT_OK && call->outcome != TC_AUDIT_ERROR)
        return TC_OK;
    return keep_sample(sum, (struct tc_audit_sum_sample){call->exec_us, part, group}) ? TC_OK
                                                                                      : tc_fail_memory(sum->cx);
}

/* --- percentiles --- */

/* By digits from the last one on, each time from one half of `room` into the other. */
static const struct tc_audit_sum_sample *sort(struct tc_audit_sum_sample *from, struct tc_audit_sum_sample *to,
                                              size_t n, uint64_t max)
{
    for (int shift = 0; shift < 63 && max >> shift; shift += DIGIT_BITS) {
        struct tc_audit_sum_sample *other = from;
        uint32_t places[DIGITS] = {0};
        uint32_t next = 0;

        for (size_t i = 0; i < n; i++)
            places[(uint64_t)from[i].us >> shift & (DIGITS - 1)]++;
        for (size_t i = 0; i < DIGITS; i++) {
            uint32_t here = places[i];

            places[i] = next;
            next += here;
        }
        for (size_t i = 0; i < n; i++)
            to[places[(uint64_t)from[i].us >> shift & (DIGITS - 1)]++] = from[i];
        from = to;
        to = other;
    }
    return from;
}

static void pass(struct tc_audit_sum_tally *tally, int64_t us)
{
    uint64_t n = tally->samples;

    tally->passed++;
    if (tally->passed == (n * 50 + 99) / 100)
        tally->p50_us = us;
    if (tally->passed == (n * 95 + 99) / 100)
        tally->p95_us = us;
}

static void pass_all(struct tc_audit_sum *sum, const struct tc_audit_sum_sample *sorted)
{
    for (size_t i = 0; i < sum->samples_n; i++) {
        const struct tc_audit_sum_sample *sample = &sorted[i];

        pass(&sum->whole, sample->us);
        if (sample->part != NONE)
            pass(&sum->parts[sample->part], sample->us);
        if (sample->group != NONE)
            pass(&sum->groups[sample->group].tally, sample->us);
    }
}

static enum tc_err find_percentiles(struct tc_audit_sum *sum)
{
    struct tc_audit_sum_sample *room;
    int64_t max = 0;

    if (!sum->samples_n)
        return TC_OK;
    room = tc_mem_alloc(sum->samples_n * sizeof *room);
    if (!room)
        return tc_fail_memory(sum->cx);
    for (size_t i = 0; i < sum->samples_n; i++) {
        struct tc_audit_sum_sample *sample = &sum->samples[i];

        if (sample->us < 0)
            sample->us = 0;
        if (sample->us > max)
            max = sample->us;
        sum->whole.samples++;
        if (sample->part != NONE)
            sum->parts[sample->part].samples++;
        if (sample->group != NONE)
            sum->groups[sample->group].tally.samples++;
    }
    pass_all(sum, sort(sum->samples, room, sum->samples_n, (uint64_t)max));
    tc_mem_free(room);
    return TC_OK;
}

/* --- what is returned --- */

static struct tc_audit_figures figures_of(const struct tc_audit_sum_tally *tally)
{
    return (struct tc_audit_figures){
        .calls = tally->calls,
        .errors = tally->errors,
        .refused = tally->refused,
        .repaired = tally->repaired,
        .unknown = tally->unknown,
        .open = tally->open,
        .p50_us = tally->p50_us,
        .p95_us = tally->p95_us,
    };
}

static int by_calls(const void *a, const void *b)
{
    const struct tc_audit_group *x = a, *y = b;

    if (x->figures.calls != y->figures.calls)
        return x->figures.calls > y->figures.calls ? -1 : 1;
    return tc_str_cmp(x->key, y->key);
}

/* In a heap, whose first is the last of those kept, in place of it, unless it comes behind it. */
static void keep_group(struct tc_audit_group *heap, size_t n, const struct tc_audit_group *group)
{
    size_t at = 0, next;

    if (by_calls(group, &heap[0]) > 0)
        return;
    for (; (next = 2 * at + 1) < n; at = next) {
        if (next + 1 < n && by_calls(&heap[next + 1], &heap[next]) > 0)
            next++;
        if (by_calls(&heap[next], group) < 0)
            break;
        heap[at] = heap[next];
    }
    heap[at] = *group;
}

static int by_calls_backwards(const void *a, const void *b)
{
    return by_calls(b, a);
}

/* Those with most calls: of ten thousand a page shows a few. */
static enum tc_err list_groups(struct tc_audit_sum *sum, struct tc_audit_sums *ret)
{
    size_t n = (int64_t)sum->groups_n < sum->query->limit ? sum->groups_n : (size_t)sum->query->limit;
    struct tc_audit_group *groups = TC_ARENA_NEW_N(sum->cx->arena, struct tc_audit_group, n + 1);

    if (!groups)
        return tc_fail_memory(sum->cx);
    for (size_t i = 0; i < sum->groups_n; i++) {
        const struct tc_audit_group group = {sum->groups[i].key, figures_of(&sum->groups[i].tally)};
        if (i < n)
            groups[i] = group;
        if (i + 1 == n)
            qsort(groups, n, sizeof *groups, by_calls_backwards);
        if (i >= n)
            keep_group(groups, n, &group);
    }
    qsort(groups, n, sizeof *groups, by_calls);
    ret->groups = groups;
    ret->groups_n = n;
    ret->groups_total = (int64_t)sum->groups_n;
    return TC_OK;
}

/* The first time that part_of counts to it. */
static int64_t begin_of(const struct tc_audit_sum *sum, int64_t part)
{
    const struct tc_store_audit_filter *filter = sum->query->filter;
    int64_t n = sum->query->buckets;

    return filter->from + (part * (filter->to - filter->from) + n - 1) / n;
}

static enum tc_err list_parts(struct tc_audit_sum *sum, struct tc_audit_sums *ret)
{
    size_t n = (size_t)sum->query->buckets;

    ret->series = TC_ARENA_NEW_N(sum->cx->arena, struct tc_audit_part, n + 1);
    if (!ret->series)
        return tc_fail_memory(sum->cx);
    for (size_t i = 0; i < n; i++)
        ret->series[i] = (struct tc_audit_part){begin_of(sum, (int64_t)i), figures_of(&sum->parts[i])};
    ret->series_n = n;
    return TC_OK;
}

enum tc_err tc_audit_sum_end(struct tc_audit_sum *sum, struct tc_audit_sums *ret_sums)
{
    enum tc_err err = find_percentiles(sum);

    *ret_sums = (struct tc_audit_sums){.totals = figures_of(&sum->whole)};
    if (!err)
        err = list_parts(sum, ret_sums);
    return err ? err : list_groups(sum, ret_sums);
}
