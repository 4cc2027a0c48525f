/*
 * The sorting: a stable merge sort by the first key, then of each run of lines that
 * are equal in it by the next one. So a key of a line is looked for once, and only
 * where it matters.
 */
#include "shell/sort/sort.h"

enum { SHORT_RUN = 8, TICK_EVERY = 1024 };

static void count(struct sort_work *work)
{
    if (++work->compared % TICK_EVERY == 0 && !tc_cmd_tick(work->c, TICK_EVERY / 8))
        work->stopped = true;
}

static int compare(struct sort_work *work, const struct sort_key *key, const struct sort_item *a,
                   const struct sort_item *b)
{
    const struct sort_line *x, *y;
    int result;

    count(work);
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    if (a->exact && b->exact)
        return 0;
    x = &work->lines[a->line];
    y = &work->lines[b->line];
    result = tc_sort_compare_key(work->order, key, tc_str_n(x->key, x->key_n), tc_str_n(y->key, y->key_n));
    return key->reverse ? -result : result;
}

/* Two neighbours, each in order, become one. */
static void merge(struct sort_work *work, const struct sort_key *key, struct sort_item *items, size_t first, size_t n)
{
    struct sort_item *spare = work->spare;
    size_t i = 0, j = first, k = 0;

    if (compare(work, key, &items[first - 1], &items[first]) <= 0)
        return; /* in order already */
    memcpy(spare, items, first * sizeof *items);
    while (i < first && j < n)
        items[k++] = compare(work, key, &spare[i], &items[j]) <= 0 ? spare[i++] : items[j++];
    memcpy(&items[k], &spare[i], (first - i) * sizeof *items);
}

static void sort_by(struct sort_work *work, const struct sort_key *key, struct sort_item *items, size_t n)
{
    for (size_t from = 0; from < n; from += SHORT_RUN) { /* by insertion */
        size_t to = from + SHORT_RUN < n ? from + SHORT_RUN : n;

        for (size_t i = from + 1; i < to; i++) {
            struct sort_item item = items[i];
            size_t j = i;

            for (; j > from && compare(work, key, &items[j - 1], &item) > 0; j--)
                items[j] = items[j - 1];
            items[j] = item;
        }
    }
    for (size_t width = SHORT_RUN; width < n && !work->stopped; width *= 2)
        for (size_t from = 0; from + width < n && !work->stopped; from += 2 * width)
            merge(work, key, &items[from], width, from + 2 * width < n ? 2 * width : n - from);
}

/* Items that are equal in all keys before this one. */
static void sort_range(struct sort_work *work, const struct sort_key *key, struct sort_item *items, size_t n)
{
    tc_sort_prefix(work, key, items, n);
    sort_by(work, key, items, n);
    for (size_t from = 0, to; from < n && !work->stopped; from = to) {
        for (to = from + 1; to < n && compare(work, key, &items[to - 1], &items[to]) == 0; to++)
            ;
        if (to - from > 1 && key->next)
            sort_range(work, key->next, &items[from], to - from);
        for (size_t i = from + 1; i < to && !key->next; i++)
            items[i].repeated = true;
    }
}

void tc_sort_items(struct sort_work *work)
{
    sort_range(work, work->order->keys, work->items, work->n);
}

/* With prefixes of the first key: by all keys. */
static int compare_whole(struct sort_work *work, const struct sort_item *a, const struct sort_item *b)
{
    count(work);
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    return tc_sort_compare(work, &work->lines[a->line], &work->lines[b->line]);
}

/* The least of the heads, of equal ones the first file's. */
bool tc_sort_merge(struct sort_work *work, const size_t *starts, size_t n)
{
    size_t *heads = TC_ARENA_NEW_N(work->c->arena, size_t, n);

    if (!heads)
        return tc_cmd_fail_memory(work->c), false;
    memcpy(heads, starts, n * sizeof *heads);
    tc_sort_prefix(work, work->order->keys, work->items, work->n);
    for (size_t k = 0; k < work->n && !work->stopped; k++) {
        size_t best = SIZE_MAX;

        for (size_t i = 0; i < n; i++) {
            bool more = heads[i] < (i + 1 < n ? starts[i + 1] : work->n);

            if (more && (best == SIZE_MAX || compare_whole(work, &work->items[heads[best]],
                                                                   &work->items[heads[i]]) > 0))
                best = i;
        }
        work->spare[k] = work->items[heads[best]++];
        if (k)
            work->spare[k].repeated = compare_whole(work, &work->spare[k - 1], &work->spare[k]) == 0;
    }
    memcpy(work->items, work->spare, work->n * sizeof *work->items);
    return true;
}
