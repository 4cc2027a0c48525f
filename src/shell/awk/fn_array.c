/*
 * Order of arrays: asort, asorti and PROCINFO["sorted_in"].
 */
#include "base/mem.h"
#include "shell/awk/functions.h"

struct item {
    struct awk_value key;   /* a string, or a number for whole ones */
    struct awk_value value; /* a copy: who compares may change the array */
};

typedef int comparison(struct awk_vm *vm, struct item *a, struct item *b);

struct order {
    struct awk_vm *vm;
    comparison *compare;
    bool down;
    int function; /* -1, or the one that compares */
};

static int by_index_text(struct awk_vm *vm, struct item *a, struct item *b)
{
    tc_awk_to_string(&vm->heap, &a->key, vm->convfmt);
    tc_awk_to_string(&vm->heap, &b->key, vm->convfmt);
    return tc_str_cmp(tc_awk_string_text(a->key.str), tc_awk_string_text(b->key.str));
}

static int sign(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int by_index_number(struct awk_vm *vm, struct item *a, struct item *b)
{
    int order = sign(tc_awk_to_number(&a->key), tc_awk_to_number(&b->key));

    return order ? order : by_index_text(vm, a, b);
}

/* Arrays are behind all else. */
static bool arrays_differ(const struct item *a, const struct item *b, int *ret_order)
{
    bool a_array = a->value.type == AWK_ARRAY, b_array = b->value.type == AWK_ARRAY;

    *ret_order = a_array - b_array;
    return a_array || b_array;
}

static int texts(struct awk_vm *vm, struct item *a, struct item *b)
{
    struct awk_value left = tc_awk_copy(&a->value), right = tc_awk_copy(&b->value);
    int order = tc_str_cmp(tc_awk_str(vm, &left), tc_awk_str(vm, &right));

    tc_awk_clear(&vm->heap, &left);
    tc_awk_clear(&vm->heap, &right);
    return order;
}

/* Equal values stay as they were listed. */
static int by_value_text(struct awk_vm *vm, struct item *a, struct item *b)
{
    int order;

    return arrays_differ(a, b, &order) ? order : texts(vm, a, b);
}

static int by_value_number(struct awk_vm *vm, struct item *a, struct item *b)
{
    int order;

    if (arrays_differ(a, b, &order))
        return order;
    order = sign(tc_awk_to_number(&a->value), tc_awk_to_number(&b->value));
    return order ? order : by_value_text(vm, a, b);
}

/* Numbers before strings before arrays. */
static int by_value_type(struct awk_vm *vm, struct item *a, struct item *b)
{
    bool a_text, b_text;
    int order;

    if (arrays_differ(a, b, &order))
        return order;
    tc_awk_settle(&a->value);
    tc_awk_settle(&b->value);
    a_text = a->value.type == AWK_STRING || a->value.type == AWK_REGEX;
    b_text = b->value.type == AWK_STRING || b->value.type == AWK_REGEX;
    if (a_text != b_text)
        return a_text - b_text;
    return a_text ? texts(vm, a, b) : sign(tc_awk_to_number(&a->value), tc_awk_to_number(&b->value));
}

static const struct {
    const char *name;
    comparison *compare;
} orders[] = {
    {"@ind_str", by_index_text}, {"@ind_num", by_index_number}, {"@val_type", by_value_type},
    {"@val_str", by_value_text}, {"@val_num", by_value_number},
};

/* The order that a name says; without one for "@unsorted". False after a fatal error. */
static bool find_order(struct awk_vm *vm, struct tc_str name, struct order *order)
{
    intptr_t slot;

    *order = (struct order){.vm = vm, .function = -1};
    if (tc_str_is(name, "@unsorted") || name.n == 0)
        return true;
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        struct tc_str prefix = tc_str_of(orders[i].name), rest;

        if (!tc_str_starts(name, prefix))
            continue;
        rest = tc_str_from(name, prefix.n);
        order->compare = orders[i].compare;
        order->down = tc_str_is(rest, "_desc");
        if (order->down || tc_str_is(rest, "_asc"))
            return true;
    }
    slot = (intptr_t)tc_map_get(&vm->program->function_slots, name);
    if (!slot) {
        tc_awk_fatal(vm, "sort comparison function `%.*s' is not defined", TC_STR_ARG(name));
        return false;
    }
    order->function = (int)slot - 1;
    order->compare = NULL;
    return true;
}

static int compare(const struct order *order, struct item *a, struct item *b)
{
    struct awk_vm *vm = order->vm;
    struct awk_value args[4], result;
    double num;
    int difference;

    if (vm->heap.stop)
        return 0;
    if (order->function < 0) {
        difference = order->compare(vm, a, b);
        return order->down ? -difference : difference;
    }
    tc_awk_to_string(&vm->heap, &a->key, vm->convfmt);
    tc_awk_to_string(&vm->heap, &b->key, vm->convfmt);
    args[0] = tc_awk_copy(&a->key);
    args[1] = tc_awk_copy(&a->value);
    args[2] = tc_awk_copy(&b->key);
    args[3] = tc_awk_copy(&b->value);
    result = tc_awk_call(vm, order->function, args, 4);
    num = tc_awk_to_number(&result);
    tc_awk_clear(&vm->heap, &result);
    return num < 0 ? -1 : num > 0;
}

/* By merging, from the bottom: stable, and no recursion. */
static bool sort(const struct order *order, struct item *items, size_t n)
{
    struct item *other = tc_mem_alloc((n + 1) * sizeof(*other)), *from = items, *to = other, *swap;

    if (!other) {
        tc_awk_no_memory(order->vm);
        return false;
    }
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n, high = low + 2 * width < n ? low + 2 * width : n;
            size_t a = low, b = middle;

            for (size_t i = low; i < high; i++)
                to[i] = a < middle && (b == high || compare(order, &from[a], &from[b]) <= 0) ? from[a++] : from[b++];
            if (!tc_awk_tick(order->vm))
                break;
        }
        if (order->vm->heap.stop) /* half merged, but each item must stay once */
            break;
        swap = from, from = to, to = swap;
    }
    if (from != items)
        memcpy(items, from, n * sizeof(*items));
    tc_mem_free(other);
    return !order->vm->heap.stop;
}

/* The elements of an array in an order; the caller clears the keys and frees. NULL when stopped. */
static struct item *sorted(struct awk_vm *vm, struct awk_array *array, const struct order *order)
{
    size_t n = array->n;
    struct awk_value *keys = tc_mem_zalloc(n + 1, sizeof(*keys)), **values = tc_mem_zalloc(n + 1, sizeof(*values));
    struct item *items = tc_mem_zalloc(n + 1, sizeof(*items));

    if (!keys || !values || !items) {
        tc_awk_no_memory(vm);
        tc_mem_free(items);
        items = NULL;
    } else {
        tc_awk_array_list(array, keys, values);
        for (size_t i = 0; i < n; i++)
            items[i] = (struct item){keys[i], tc_awk_copy(values[i])};
        if (order->compare || order->function >= 0)
            sort(order, items, n);
    }
    tc_mem_free(keys);
    tc_mem_free(values);
    return items;
}

static void free_items(struct awk_vm *vm, struct item *items, size_t n)
{
    for (size_t i = 0; items && i < n; i++) {
        tc_awk_clear(&vm->heap, &items[i].key);
        tc_awk_clear(&vm->heap, &items[i].value);
    }
    tc_mem_free(items);
}

/* PROCINFO["sorted_in"], NULL when it is not set. */
static struct awk_value *sorted_in(struct awk_vm *vm)
{
    struct awk_value *info = &vm->globals[AWK_V_PROCINFO];
    struct awk_key key = {.text = TC_STR("sorted_in")};

    return info->type == AWK_ARRAY ? tc_awk_array_find(info->array, &key) : NULL;
}

bool tc_awk_sorted_list(struct awk_vm *vm, struct awk_array *array, struct awk_value *keys)
{
    struct awk_value *how = sorted_in(vm), name;
    struct order order = {.vm = vm, .function = -1};
    struct item *items;
    size_t n = array->n;
    bool ok;

    if (!how || how->type >= AWK_ARRAY) {
        tc_awk_array_list(array, keys, NULL);
        return true;
    }
    name = tc_awk_copy(how);
    ok = find_order(vm, tc_awk_str(vm, &name), &order);
    tc_awk_clear(&vm->heap, &name);
    items = ok ? sorted(vm, array, &order) : NULL;
    for (size_t i = 0; items && i < n; i++)
        keys[i] = tc_awk_copy(&items[i].key);
    free_items(vm, items, n);
    return items && !vm->heap.stop;
}

/* Fills `to` with 1 … n; what the items point to may be in the same array, so values are copied first. */
static void fill(struct awk_vm *vm, struct awk_array *to, struct item *items, size_t n, bool indices)
{
    struct awk_value *values = tc_mem_alloc((n + 1) * sizeof(*values));

    if (!values) {
        tc_awk_no_memory(vm);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (indices)
            tc_awk_to_string(&vm->heap, &items[i].key, vm->convfmt);
        values[i] = tc_awk_copy(indices ? &items[i].key : &items[i].value);
    }
    tc_awk_array_clear(&vm->heap, to);
    for (size_t i = 0; i < n; i++) {
        struct awk_value index = tc_awk_number((double)i + 1), *element;
        struct awk_key key = tc_awk_key_of(&index);

        element = tc_awk_array_at(&vm->heap, to, &key);
        if (element)
            *element = values[i];
        else
            tc_awk_clear(&vm->heap, &values[i]);
    }
    tc_mem_free(values);
}

static void sort_function(struct awk_vm *vm, struct awk_value *args, int n, bool indices, struct awk_value *ret)
{
    struct awk_array *from = args[0].array, *to = n > 1 ? args[1].array : from;
    struct order order;
    struct item *items;
    size_t count = from->n;

    if (!find_order(vm, n > 2 ? tc_awk_str(vm, &args[2]) : indices ? TC_STR("@ind_str_asc") : TC_STR("@val_type_asc"),
                    &order))
        return;
    items = sorted(vm, from, &order);
    if (items && !vm->heap.stop)
        fill(vm, to, items, count, indices);
    free_items(vm, items, count);
    *ret = tc_awk_number((double)count);
}

void tc_awk_fn_asort(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    sort_function(vm, args, n, false, ret);
}

void tc_awk_fn_asorti(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    sort_function(vm, args, n, true, ret);
}
