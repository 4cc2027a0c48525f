/*
 * The table of waiting requests.
 */
#include "mcp/client/pending.h"

#include "base/mem.h"

enum { FIRST = 16 };

static size_t slot_of(const struct tc_pendings *pendings, int64_t id)
{
    return (size_t)id & (pendings->cap - 1);
}

/* Doubling keeps ids apart that were apart before. */
static bool grow(struct tc_pendings *pendings)
{
    struct tc_pendings grown = *pendings;

    grown.cap = pendings->cap ? pendings->cap * 2 : FIRST;
    grown.slots = tc_mem_zalloc(grown.cap, sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < pendings->cap; i++) {
        if (pendings->slots[i])
            grown.slots[slot_of(&grown, pendings->slots[i]->id)] = pendings->slots[i];
    }
    tc_mem_free(pendings->slots);
    *pendings = grown;
    return true;
}

bool tc_pendings_add(struct tc_pendings *pendings, struct tc_pending *pending)
{
    /* Half full at most, so that a free slot is near. */
    if (pendings->n >= pendings->cap / 2 && !grow(pendings))
        return false;
    do
        pending->id = ++pendings->last_id;
    while (pendings->slots[slot_of(pendings, pending->id)]);
    pendings->slots[slot_of(pendings, pending->id)] = pending;
    pendings->n++;
    pendings->standing += pending->standing;
    return true;
}

struct tc_pending *tc_pendings_find(const struct tc_pendings *pendings, int64_t id)
{
    struct tc_pending *pending = pendings->cap && id > 0 ? pendings->slots[slot_of(pendings, id)] : NULL;

    return pending && pending->id == id ? pending : NULL;
}

void tc_pendings_remove(struct tc_pendings *pendings, struct tc_pending *pending)
{
    if (tc_pendings_find(pendings, pending->id) != pending)
        return;
    pendings->slots[slot_of(pendings, pending->id)] = NULL;
    pendings->n--;
    pendings->standing -= pending->standing;
}

struct tc_pending *tc_pendings_only(const struct tc_pendings *pendings)
{
    for (size_t i = 0; pendings->n - pendings->standing == 1 && i < pendings->cap; i++) {
        if (pendings->slots[i] && !pendings->slots[i]->standing)
            return pendings->slots[i];
    }
    return NULL;
}

struct tc_pending *tc_pendings_pop(struct tc_pendings *pendings)
{
    struct tc_pending *pending;

    for (size_t i = 0; i < pendings->cap; i++) {
        pending = pendings->slots[i];
        if (!pending)
            continue;
        tc_pendings_remove(pendings, pending);
        return pending;
    }
    return NULL;
}

void tc_pendings_shift(struct tc_pendings *pendings, uint64_t at, size_t by)
{
    for (size_t i = 0; i < pendings->cap; i++) {
        if (!pendings->slots[i] || pendings->slots[i]->start < at)
            continue;
        pendings->slots[i]->start -= by;
        pendings->slots[i]->end -= by;
    }
}

void tc_pendings_finish(struct tc_pendings *pendings)
{
    tc_mem_free(pendings->slots);
    *pendings = (struct tc_pendings){0};
}
