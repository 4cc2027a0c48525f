/*
 * Open addressing with linear probing, at most half full. The first word is the
 * mask, the slots follow; 0 is an empty slot, since no key is its own object.
 */
#include "json/index.h"

#include "base/hash.h"
#include "json/node.h"

static uint32_t slots_for(uint32_t members)
{
    uint32_t slots = 2 * TC_INDEX_FROM;

    while (slots / 2 < members)
        slots *= 2;
    return slots;
}

size_t tc_index_size(uint32_t members)
{
    return (((size_t)slots_for(members) + 1) * sizeof(uint32_t) + sizeof(struct tc_json) - 1) / sizeof(struct tc_json);
}

/* The slot that holds the key, or the empty one where it belongs. */
static uint32_t *slot_of(const struct tc_json *object, uint32_t *table, struct tc_str key)
{
    uint32_t mask = table[0], at = (uint32_t)tc_hash_table(key) & mask;
    uint32_t *slots = table + 1;

    while (slots[at] && !tc_str_eq(tc_node_text(object + slots[at]), key))
        at = (at + 1) & mask;
    return &slots[at];
}

const struct tc_json *tc_index_build(struct tc_json *object, struct tc_json *table)
{
    const struct tc_json *end = object + object->u.box.span, *repeated = NULL;
    uint32_t slots = slots_for(object->n);
    uint32_t *words = (uint32_t *)table;

    object->u.box.index = (uint32_t)(table - object);
    memset(words, 0, ((size_t)slots + 1) * sizeof *words);
    words[0] = slots - 1;
    for (const struct tc_json *key = object + 1; key < end; key = tc_node_next_key(key)) {
        uint32_t *slot;

        if (key->flags & TC_NODE_LOST)
            continue;
        slot = slot_of(object, words, tc_node_text(key));
        if (*slot) {
            object[*slot].flags |= TC_NODE_LOST;
            object->n--;
            repeated = repeated ? repeated : key;
        }
        *slot = (uint32_t)(key - object);
    }
    return repeated;
}

const struct tc_json *tc_index_find(const struct tc_json *object, struct tc_str key)
{
    /* slot_of writes nothing; building needs its result writable */
    uint32_t offset = *slot_of(object, (uint32_t *)(object + object->u.box.index), key);

    return offset ? object + offset : NULL;
}
