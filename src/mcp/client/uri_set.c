/*
 * A list: it is as long as the subscriptions to one server.
 */
#include "mcp/client/uri_set.h"

#include <string.h>

#include "base/mem.h"

static size_t find(const struct tc_uri_set *set, struct tc_str uri)
{
    size_t i = 0;

    while (i < set->n && !tc_str_eq(set->items[i], uri))
        i++;
    return i;
}

bool tc_uri_set_has(const struct tc_uri_set *set, struct tc_str uri)
{
    return find(set, uri) < set->n;
}

static bool make_room(struct tc_uri_set *set)
{
    size_t cap = set->cap ? set->cap * 2 : 8;
    struct tc_str *items;

    if (set->n < set->cap)
        return true;
    items = tc_mem_zalloc(cap, sizeof *items);
    if (!items)
        return false;
    if (set->n)
        memcpy(items, set->items, set->n * sizeof *items);
    tc_mem_free(set->items);
    set->items = items;
    set->cap = cap;
    return true;
}

bool tc_uri_set_add(struct tc_uri_set *set, struct tc_str uri)
{
    char *copy;

    if (tc_uri_set_has(set, uri))
        return true;
    if (set->n == TC_URI_SET_MAX || uri.n > TC_URI_SET_BYTES_MAX || !make_room(set))
        return false;
    copy = tc_mem_alloc(uri.n + 1);
    if (!copy)
        return false;
    memcpy(copy, uri.p, uri.n);
    set->items[set->n++] = tc_str_n(copy, uri.n);
    return true;
}

void tc_uri_set_remove(struct tc_uri_set *set, struct tc_str uri)
{
    size_t at = find(set, uri);

    if (at == set->n)
        return;
    tc_mem_free((char *)set->items[at].p);
    memmove(&set->items[at], &set->items[at + 1], (set->n - at - 1) * sizeof *set->items);
    set->n--;
}

void tc_uri_set_finish(struct tc_uri_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        tc_mem_free((char *)set->items[i].p);
    tc_mem_free(set->items);
    *set = (struct tc_uri_set){0};
}
