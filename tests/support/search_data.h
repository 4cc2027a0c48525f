/*
 * The public set of tools and requests that the tool search is measured with, and
 * how: recall at k is the share of the expected tools among the first k, averaged
 * over requests. Weights are tuned on one half of the requests, reported on the
 * other; which half a request is in depends on its text alone.
 */
#ifndef TESTS_SUPPORT_SEARCH_DATA_H
#define TESTS_SUPPORT_SEARCH_DATA_H

#include "catalog/catalog.h"
#include "catalog/search.h"

struct search_query {
    struct tc_str text;
    size_t *expect;      /* positions of tools */
    size_t expect_n;
    bool tuned;          /* of the half that weights were chosen with */
};

struct search_data {
    struct tc_catalog *catalog;
    struct tc_search_tool *tools; /* [catalog->n] */
    struct search_query *queries;
    size_t n;
};

/* From <dir>/tool-search, in the arena, which keeps the catalog. */
enum tc_err search_data_load(struct tc_cx *cx, const char *dir, struct search_data *ret_data);

/* Puts at most `max` positions into ret_tools, best first, and returns how many. */
typedef size_t search_ranker(void *arg, struct tc_str query, size_t max, size_t *ret_tools);

enum { SEARCH_DEPTHS = 3 };
extern const size_t search_depths[SEARCH_DEPTHS]; /* 1, 5, 10 */
struct search_recall {
    double at[SEARCH_DEPTHS];
    size_t queries;
};
struct search_recall search_data_recall(const struct search_data *data, bool tuned, search_ranker *rank, void *arg);

#endif
