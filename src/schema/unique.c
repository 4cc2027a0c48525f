/*
 * uniqueItems: pairs for a few items, a hash table for more.
 */
#include "base/mem.h"
#include "schema/check.h"
#include "schema/walk.h"

enum { PAIRS_MAX = 12 };

struct slot {
    const struct tc_json *item;
    uint32_t hash, index;
};

/* Charged by size, so that equal-looking large items end the budget. */
static bool equal(struct tc_walk *walk, const struct tc_json *a, const struct tc_json *b)
{
    return tc_walk_charge(walk, tc_node_span(a)) && a->type == b->type && tc_json_equal(a, b);
}

static bool pairs(struct tc_walk *walk, const struct tc_json *array, uint32_t *ret_first, uint32_t *ret_second)
{
    const struct tc_json *end = array + array->u.box.span;
    uint32_t i = 0;

    for (const struct tc_json *a = array + 1; a < end; a += tc_node_span(a), i++) {
        uint32_t j = i + 1;
        for (const struct tc_json *b = a + tc_node_span(a); b < end; b += tc_node_span(b), j++) {
            if (!equal(walk, a, b))
                continue;
            *ret_first = i;
            *ret_second = j;
            return false;
        }
    }
    return !walk->err;
}

static bool table(struct tc_walk *walk, const struct tc_json *array, struct slot *slots, uint32_t mask,
                  uint32_t found[2])
{
    const struct tc_json *item = array + 1;

    for (uint32_t i = 0; i < array->n && tc_walk_charge(walk, tc_node_span(item)); i++, item += tc_node_span(item)) {
        uint32_t hash = (uint32_t)tc_check_hash(walk->schema->seed, item), at = hash & mask;
        for (; slots[at].item; at = (at + 1) & mask) {
            if (slots[at].hash != hash || !equal(walk, slots[at].item, item))
                continue;
            found[0] = slots[at].index;
            found[1] = i;
            return false;
        }
        slots[at] = (struct slot){item, hash, i};
    }
    return !walk->err;
}

bool tc_walk_unique(struct tc_walk *walk, const struct tc_json *array, uint32_t *ret_first, uint32_t *ret_second)
{
    uint32_t cap = 32, found[2] = {0, 0};
    struct slot *slots;
    bool unique;

    if (array->n <= PAIRS_MAX)
        return pairs(walk, array, ret_first, ret_second);
    while (cap < array->n * 2)
        cap *= 2;
    slots = tc_mem_zalloc(cap, sizeof *slots);
    if (!slots) {
        walk->err = TC_E_NO_MEMORY;
        return false;
    }
    unique = table(walk, array, slots, cap - 1, found);
    tc_mem_free(slots);
    *ret_first = found[0];
    *ret_second = found[1];
    return unique;
}
