/*
 * What bc assigns to: variables, elements of arrays and scale, ibase, obase and last.
 */
#include "shell/cmds/bc_run.h"

#include "base/mem.h"

static struct bc_num **element(struct bc *bc, struct bc_array *array, int64_t index)
{
    struct bc_num **grown;
    size_t n;

    if (index < 0 || index >= BC_ARRAY_MAX) {
        tc_bc_error(bc, "Array subscript out of bounds");
        return NULL;
    }
    if ((size_t)index >= array->n) {
        n = 2 * (size_t)index + 16;
        grown = tc_mem_realloc(array->items, n * sizeof(*grown));
        if (!grown) {
            tc_bc_checked(bc, NULL);
            return NULL;
        }
        memset(grown + array->n, 0, (n - array->n) * sizeof(*grown));
        array->items = grown;
        array->n = n;
    }
    return &array->items[index];
}

static struct bc_num *get_special(struct bc *bc, int which)
{
    switch (which) {
    case BC_SCALE:
        return tc_bc_checked(bc, tc_bc_int((int64_t)bc->scale));
    case BC_IBASE:
        return tc_bc_checked(bc, tc_bc_int(bc->ibase));
    case BC_OBASE:
        return tc_bc_checked(bc, tc_bc_int(bc->obase));
    default:
        return tc_bc_ref(bc->last ? bc->last : bc->zero);
    }
}

/* A base within its bounds. */
static int64_t bounded(struct bc *bc, int64_t n, int64_t most, const char *small, const char *large)
{
    if (n >= 2 && n <= most)
        return n;
    tc_bc_warn(bc, n < 2 ? small : large);
    return n < 2 ? 2 : most;
}

void tc_bc_set_special(struct bc *bc, int which, struct bc_num *value)
{
    int64_t n = tc_bc_to_int(value);

    switch (which) {
    case BC_SCALE:
        if (n < 0)
            tc_bc_warn(bc, "negative scale, set to 0");
        bc->scale = n < 0 ? 0 : n > 1000000 ? 1000000 : (size_t)n;
        break;
    case BC_IBASE:
        bc->ibase = (int)bounded(bc, n, 16, "ibase too small, set to 2", "ibase too large, set to 16");
        break;
    case BC_OBASE:
        bc->obase = (int)bounded(bc, n, 1000000000, "obase too small, set to 2", "obase too large");
        break;
    default:
        tc_bc_unref(bc->last);
        bc->last = tc_bc_ref(value);
    }
}

/* Where a variable or element is kept; NULL after a fault. */
static struct bc_num **place(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *index;
    int64_t n;

    if (node->kind == BC_VAR)
        return &node->var->value;
    index = tc_bc_eval(bc, node->a);
    n = tc_bc_to_int(index);
    tc_bc_unref(index);
    return element(bc, node->array, n);
}

struct bc_num *tc_bc_value(struct bc *bc, const struct bc_node *node)
{
    struct bc_num **at;

    if (node->kind == BC_SPECIAL)
        return get_special(bc, node->op);
    at = place(bc, node);
    return tc_bc_ref(at && *at ? *at : bc->zero);
}

/* value is consumed; the result is a reference to it. */
static struct bc_num *set(struct bc *bc, const struct bc_node *node, struct bc_num *value)
{
    struct bc_num **at;

    if (bc->stop)
        return value;
    if (node->kind == BC_SPECIAL) {
        tc_bc_set_special(bc, node->op, value);
        return value;
    }
    at = place(bc, node);
    if (at) {
        tc_bc_unref(*at);
        *at = tc_bc_ref(value);
    }
    return value;
}

struct bc_num *tc_bc_assign(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *value = tc_bc_eval(bc, node->b), *before, *sum;

    if (!node->op)
        return set(bc, node->a, value);
    before = tc_bc_value(bc, node->a);
    sum = tc_bc_compute(bc, node->op, before, value);
    tc_bc_unref(before);
    tc_bc_unref(value);
    return set(bc, node->a, sum);
}

struct bc_num *tc_bc_step(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *before = tc_bc_value(bc, node->a);
    struct bc_num *after = tc_bc_compute(bc, node->op == BC_INCR ? '+' : '-', before, bc->one);

    after = set(bc, node->a, after);
    tc_bc_unref(node->prefix ? before : after);
    return node->prefix ? after : before;
}
