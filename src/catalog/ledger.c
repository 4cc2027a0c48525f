/*
 * The ledger of call names: pairs sorted by ToolId for walks beside a catalog,
 * and a table by name. A pair is one block that lives as long as the ledger;
 * nothing is ever taken out.
 */
#include "base/mem.h"
#include "catalog/names.h"

void tc_names_finish(struct tc_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        tc_mem_free(names->by_id[i]);
    tc_mem_free(names->by_id);
    tc_map_finish(&names->by_name);
    *names = (struct tc_names){0};
}

static size_t lower_bound(const struct tc_names *names, size_t low, size_t high, struct tc_str id)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tc_str_cmp(names->by_id[middle]->id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t tc_names_seek(const struct tc_names *names, size_t from, struct tc_str id)
{
    size_t low = from, step = 1;

    while (low < names->n && tc_str_cmp(names->by_id[low]->id, id) < 0) {
        from = low + 1;
        low += step;
        step *= 2;
    }
    return lower_bound(names, from, low < names->n ? low : names->n, id);
}

static struct tc_name *create_pair(struct tc_str id, struct tc_str name)
{
    struct tc_name *pair = tc_mem_alloc(sizeof *pair + id.n + name.n);
    char *text = (char *)(pair + 1);

    if (!pair)
        return NULL;
    memcpy(text, id.p, id.n);
    memcpy(text + id.n, name.p, name.n);
    pair->id = tc_str_n(text, id.n);
    pair->name = tc_str_n(text + id.n, name.n);
    return pair;
}

static bool make_room(struct tc_names *names)
{
    size_t cap = names->cap ? names->cap * 2 : 16;
    struct tc_name **by_id;

    if (names->n < names->cap)
        return true;
    by_id = tc_mem_realloc(names->by_id, cap * sizeof *by_id);
    if (!by_id)
        return false;
    names->by_id = by_id;
    names->cap = cap;
    return true;
}

enum tc_err tc_names_add(struct tc_cx *cx, struct tc_names *names, struct tc_str id, struct tc_str name)
{
    bool last = names->n == 0 || tc_str_cmp(names->by_id[names->n - 1]->id, id) < 0;
    size_t at = last ? names->n : lower_bound(names, 0, names->n, id);
    struct tc_name *owner = tc_map_get(&names->by_name, name), *pair;

    if (at < names->n && tc_str_eq(names->by_id[at]->id, id)) {
        if (tc_str_eq(names->by_id[at]->name, name))
            return TC_OK;
        return tc_fail(cx, TC_E_STORE_CONFLICT, "The tool %.*s has the call name \"%.*s\" already.", TC_STR_ARG(id),
                       TC_STR_ARG(names->by_id[at]->name));
    }
    if (owner)
        return tc_fail(cx, TC_E_STORE_CONFLICT, "The call name \"%.*s\" belongs to %.*s.", TC_STR_ARG(name),
                       TC_STR_ARG(owner->id));
    pair = make_room(names) ? create_pair(id, name) : NULL;
    if (!pair || !tc_map_put(&names->by_name, name, pair)) {
        tc_mem_free(pair);
        return tc_fail_memory(cx);
    }
    memmove(names->by_id + at + 1, names->by_id + at, (names->n - at) * sizeof *names->by_id);
    names->by_id[at] = pair;
    names->n++;
    return TC_OK;
}

struct tc_str tc_names_get(const struct tc_names *names, struct tc_str id)
{
    size_t at = lower_bound(names, 0, names->n, id);

    return at < names->n && tc_str_eq(names->by_id[at]->id, id) ? names->by_id[at]->name : TC_STR("");
}

struct tc_str tc_names_owner(const struct tc_names *names, struct tc_str name)
{
    const struct tc_name *pair = tc_map_get(&names->by_name, name);

    return pair ? pair->id : TC_STR("");
}
