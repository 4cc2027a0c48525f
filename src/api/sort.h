/*
 * The order of a page whose rows are all in memory.
 */
#ifndef TC_API_SORT_H
#define TC_API_SORT_H

#include "ports/store.h"

/* What a row is ordered by: first the number, then the text, then the id. */
struct tc_api_rank {
    int64_t number;
    struct tc_str text, id;
};
/* Of a row, by the column that the page names; empty: by id alone. */
typedef struct tc_api_rank tc_api_rank_fn(const void *row, struct tc_str by);

/* Sorts an array of pointers to rows as the page asks. */
void tc_api_sort(void *rows, size_t n, tc_api_rank_fn *rank, const struct tc_store_page *page);

#endif
