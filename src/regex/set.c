/*
 * Building sets of characters. Most additions come in order, since tables are
 * sorted; a set that is a few such runs is tidied by merging them.
 */
#include "regex/set.h"

#include <stdlib.h>

enum { RUNS_MAX = 8 };

static bool grow(struct tc_arena *arena, struct tc_regex_set *set)
{
    uint32_t cap = set->cap ? set->cap * 2 : 8;
    struct tc_regex_range *ranges = tc_arena_alloc(arena, cap * sizeof *ranges);

    if (!ranges) {
        set->failed = true;
        return false;
    }
    if (set->n)
        memcpy(ranges, set->ranges, set->n * sizeof *ranges);
    set->ranges = ranges;
    set->cap = cap;
    return true;
}

void tc_regex_set_add(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last)
{
    struct tc_regex_range *before = set->n ? &set->ranges[set->n - 1] : NULL;

    if (set->failed)
        return;
    if (before && first >= before->first && first <= before->last + 1) {
        before->last = last > before->last ? last : before->last;
        return;
    }
    if (set->n == set->cap && !grow(arena, set))
        return;
    set->untidy |= set->n && first < set->ranges[set->n - 1].first;
    set->ranges[set->n++] = (struct tc_regex_range){first, last};
}

void tc_regex_set_add_class(struct tc_arena *arena, struct tc_regex_set *set, enum tc_ctype type)
{
    struct tc_ctype_table tables[TC_CTYPE_TABLES_MAX];

    tc_ctype_tables(type, tables);
    for (size_t t = 0; t < TC_CTYPE_TABLES_MAX && tables[t].runs; t++) {
        for (size_t i = 0; i < tables[t].n; i++) {
            const struct tc_ctype_run *run = &tables[t].runs[i];
            if (run->step == 1)
                tc_regex_set_add(arena, set, run->first, run->last);
            else
                for (uint32_t c = run->first; c <= run->last; c += run->step)
                    tc_regex_set_add(arena, set, c, c);
        }
    }
}

static void add_cases_of(struct tc_arena *arena, struct tc_regex_set *set, uint32_t c)
{
    uint32_t others[TC_CTYPE_CASES_MAX];
    size_t n = tc_ctype_cases(c, others);

    for (size_t i = 0; i < n; i++)
        tc_regex_set_add(arena, set, others[i], others[i]);
}

void tc_regex_set_add_cases(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last)
{
    last = last > TC_REGEX_LAST ? TC_REGEX_LAST : last;
    for (uint32_t c = first; c <= last && !set->failed; c++)
        if (tc_ctype_to_upper(c) != c || tc_ctype_to_lower(c) != c)
            add_cases_of(arena, set, c);
}

static int by_first(const void *a, const void *b)
{
    const struct tc_regex_range *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

/* The end of the run that begins at `from`. */
static uint32_t run_end(const struct tc_regex_set *set, uint32_t from)
{
    uint32_t i = from + 1;

    while (i < set->n && set->ranges[i].first >= set->ranges[i - 1].first)
        i++;
    return i;
}

/* Merges the first run with the second, until there is one; false when there are
 * too many for that, or no memory for it. */
static bool merge_runs(struct tc_arena *arena, struct tc_regex_set *set)
{
    struct tc_regex_range *out = NULL;
    uint32_t middle, end;

    for (unsigned runs = 0; (middle = run_end(set, 0)) < set->n; runs++) {
        uint32_t i = 0, k = middle, n = 0;
        if (!out)
            out = tc_arena_alloc(arena, set->n * sizeof *out);
        if (!out || runs == RUNS_MAX)
            return false;
        end = run_end(set, middle);
        while (i < middle || k < end)
            out[n++] = k == end || (i < middle && set->ranges[i].first <= set->ranges[k].first) ? set->ranges[i++]
                                                                                                 : set->ranges[k++];
        memcpy(set->ranges, out, n * sizeof *out);
    }
    return true;
}

void tc_regex_set_tidy(struct tc_arena *arena, struct tc_regex_set *set)
{
    uint32_t n = 0;

    if (!set->untidy || set->failed)
        return;
    if (!merge_runs(arena, set))
        qsort(set->ranges, set->n, sizeof *set->ranges, by_first);
    for (uint32_t i = 1; i < set->n; i++) {
        struct tc_regex_range *last = &set->ranges[n], range = set->ranges[i];
        if (range.first > last->last + 1)
            set->ranges[++n] = range;
        else if (range.last > last->last)
            last->last = range.last;
    }
    set->n = n + 1;
    set->untidy = false;
}

void tc_regex_set_negate(struct tc_arena *arena, struct tc_regex_set *set)
{
    struct tc_regex_set out = {.n = 0};
    uint32_t next = 0;

    tc_regex_set_tidy(arena, set);
    for (uint32_t i = 0; i < set->n && set->ranges[i].first <= TC_REGEX_LAST; i++) {
        if (set->ranges[i].first > next)
            tc_regex_set_add(arena, &out, next, set->ranges[i].first - 1);
        next = set->ranges[i].last + 1;
    }
    if (next <= TC_REGEX_LAST)
        tc_regex_set_add(arena, &out, next, TC_REGEX_LAST);
    out.failed |= set->failed;
    *set = out;
}

void tc_regex_set_remove(struct tc_arena *arena, struct tc_regex_set *set, uint32_t c)
{
    struct tc_regex_set out = {.failed = set->failed};

    for (uint32_t i = 0; i < set->n; i++) {
        struct tc_regex_range range = set->ranges[i];
        if (c < range.first || c > range.last) {
            tc_regex_set_add(arena, &out, range.first, range.last);
            continue;
        }
        if (c > range.first)
            tc_regex_set_add(arena, &out, range.first, c - 1);
        if (c < range.last)
            tc_regex_set_add(arena, &out, c + 1, range.last);
    }
    *set = out;
}
