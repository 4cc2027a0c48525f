/*
 * Strings and indexed arrays of variables. A string that is written again and again
 * keeps its room; one that is appended to doubles it. An indexed array is a sorted
 * vector with free room at both ends, so that queues are cheap at either.
 */
#include "shell/vars_value.h"

#include <assert.h>

#include "base/mem.h"

enum { ROOM_MIN = 24, KEEP_MAX = 4096, ITEMS_MIN = 8 };

static struct tc_sh_value *create(size_t cap)
{
    struct tc_sh_value *value;

    if (cap < ROOM_MIN)
        cap = ROOM_MIN;
    value = tc_mem_alloc(sizeof *value + cap + 1);
    if (value) {
        value->refs = 1;
        value->n = 0;
        value->cap = cap;
    }
    return value;
}

static void fill(struct tc_sh_value *value, size_t at, struct tc_str text)
{
    if (text.n)
        memmove(value->p + at, text.p, text.n);
    value->n = at + text.n;
    value->p[value->n] = '\0';
}

struct tc_sh_value *tc_sh_value_create(struct tc_str text)
{
    struct tc_sh_value *value = create(text.n);

    if (value)
        fill(value, 0, text);
    return value;
}

struct tc_sh_value *tc_sh_value_ref(struct tc_sh_value *value)
{
    if (value)
        value->refs++;
    return value;
}

void tc_sh_value_unref(struct tc_sh_value *value)
{
    if (value && --value->refs == 0)
        tc_mem_free(value);
}

bool tc_sh_value_set(struct tc_sh_value **value, struct tc_str text)
{
    struct tc_sh_value *old = *value, *made;

    if (old && old->refs == 1 && old->cap >= text.n && (old->cap <= KEEP_MAX || text.n >= old->cap / 4)) {
        fill(old, 0, text);
        return true;
    }
    made = tc_sh_value_create(text);
    if (!made)
        return false;
    tc_sh_value_unref(old);
    *value = made;
    return true;
}

bool tc_sh_value_append(struct tc_sh_value **value, struct tc_str text)
{
    struct tc_sh_value *old = *value, *made;

    if (!old)
        return tc_sh_value_set(value, text);
    if (old->refs > 1 || old->cap - old->n < text.n) {
        made = create(old->n + text.n + old->n / 2);
        if (!made)
            return false;
        fill(made, 0, tc_sh_value_str(old));
        fill(made, made->n, text);
        tc_sh_value_unref(old);
        *value = made;
        return true;
    }
    fill(old, old->n, text);
    return true;
}

struct tc_sh_indexed *tc_sh_indexed_create(void)
{
    struct tc_sh_indexed *array = tc_mem_zalloc(1, sizeof *array);

    if (array)
        array->refs = 1;
    return array;
}

struct tc_sh_indexed *tc_sh_indexed_copy(const struct tc_sh_indexed *array)
{
    struct tc_sh_indexed *copy = tc_sh_indexed_create();

    if (!copy || array->n == 0)
        return copy;
    copy->room = tc_mem_zalloc(array->n + ITEMS_MIN, sizeof *copy->room);
    if (!copy->room) {
        tc_mem_free(copy);
        return NULL;
    }
    copy->cap = array->n + ITEMS_MIN;
    copy->n = array->n;
    copy->bytes = array->bytes;
    memcpy(copy->room, tc_sh_indexed_at(array, 0), array->n * sizeof *copy->room);
    for (size_t i = 0; i < copy->n; i++)
        tc_sh_value_ref(copy->room[i].value);
    return copy;
}

void tc_sh_indexed_unref(struct tc_sh_indexed *array)
{
    if (!array || --array->refs > 0)
        return;
    for (size_t i = 0; i < array->n; i++)
        tc_sh_value_unref(tc_sh_indexed_at(array, i)->value);
    tc_mem_free(array->room);
    tc_mem_free(array);
}

bool tc_sh_indexed_find(const struct tc_sh_indexed *array, int64_t index, size_t *ret_at)
{
    const struct tc_sh_item *items = array->n ? tc_sh_indexed_at(array, 0) : NULL;
    size_t low = 0, high = array->n;

    if (array->n && index > items[array->n - 1].index) {
        *ret_at = array->n;
        return false;
    }
    if (array->n && index >= items[0].index) { /* without holes it is where one would think */
        uint64_t guess = (uint64_t)index - (uint64_t)items[0].index;
        if (guess < array->n && items[guess].index == index) {
            *ret_at = guess;
            return true;
        }
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    *ret_at = low;
    return low < array->n && items[low].index == index;
}

/* Room before and behind the elements, half of what is new on each side that needs it. */
static bool grow(struct tc_sh_indexed *array, bool front)
{
    size_t cap = array->cap < ITEMS_MIN ? ITEMS_MIN : array->n + array->n / 2 + ITEMS_MIN;
    size_t head = front ? cap - array->n : 0;
    struct tc_sh_item *room;

    room = tc_mem_alloc(cap * sizeof *room);
    if (!room)
        return false;
    if (array->n)
        memcpy(room + head, tc_sh_indexed_at(array, 0), array->n * sizeof *room);
    tc_mem_free(array->room);
    array->room = room;
    array->cap = cap;
    array->head = head;
    return true;
}

/* A hole before element `at`, by moving the shorter side. */
static bool open_hole(struct tc_sh_indexed *array, size_t at)
{
    bool front = array->n && at < array->n / 2 + (at == 0);

    if (front ? array->head == 0 : array->head + array->n == array->cap) {
        if (!grow(array, front))
            return false;
    }
    if (front) {
        array->head--;
        memmove(tc_sh_indexed_at(array, 0), tc_sh_indexed_at(array, 1), at * sizeof *array->room);
    } else if (array->n > at) {
        memmove(tc_sh_indexed_at(array, at + 1), tc_sh_indexed_at(array, at), (array->n - at) * sizeof *array->room);
    }
    array->n++;
    return true;
}

bool tc_sh_indexed_set(struct tc_sh_indexed *array, int64_t index, struct tc_str text)
{
    struct tc_sh_value *made;
    size_t at, before;

    assert(array->refs == 1);
    if (tc_sh_indexed_find(array, index, &at)) {
        struct tc_sh_item *item = tc_sh_indexed_at(array, at);
        before = item->value->n;
        if (!tc_sh_value_set(&item->value, text))
            return false;
        array->bytes += text.n - before;
        return true;
    }
    made = tc_sh_value_create(text);
    if (!made)
        return false;
    if (!open_hole(array, at)) {
        tc_sh_value_unref(made);
        return false;
    }
    *tc_sh_indexed_at(array, at) = (struct tc_sh_item){index, made};
    array->bytes += text.n;
    return true;
}

bool tc_sh_indexed_remove(struct tc_sh_indexed *array, int64_t index)
{
    size_t at;

    assert(array->refs == 1);
    if (!tc_sh_indexed_find(array, index, &at))
        return false;
    array->bytes -= tc_sh_indexed_at(array, at)->value->n;
    tc_sh_value_unref(tc_sh_indexed_at(array, at)->value);
    array->n--;
    if (at < array->n / 2) {
        memmove(tc_sh_indexed_at(array, 1), tc_sh_indexed_at(array, 0), at * sizeof *array->room);
        array->head++;
    } else if (array->n > at) {
        memmove(tc_sh_indexed_at(array, at), tc_sh_indexed_at(array, at + 1), (array->n - at) * sizeof *array->room);
    }
    return true;
}
