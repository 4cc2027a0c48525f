/*
 * Ids differ, so the order is the same each time.
 */
#include "api/sort.h"

#include <stdlib.h>

struct order {
    tc_api_rank_fn *rank;
    struct tc_str by;
    int sign;
};

static int in_order(const void *a, const void *b, void *arg)
{
    const struct order *order = arg;
    struct tc_api_rank left = order->rank(*(const void *const *)a, order->by),
                       right = order->rank(*(const void *const *)b, order->by);
    int differs = left.number < right.number ? -1 : left.number > right.number;

    if (!differs)
        differs = tc_str_cmp(left.text, right.text);
    if (!differs)
        differs = tc_str_cmp(left.id, right.id);
    return differs * order->sign;
}

void tc_api_sort(void *rows, size_t n, tc_api_rank_fn *rank, const struct tc_store_page *page)
{
    struct order order = {rank, page->sort, page->descending ? -1 : 1};

    qsort_r(rows, n, sizeof(void *), in_order, &order);
}
