/*
 * Expressions to instructions. What is common has instructions of its own: $n, sums
 * in elements, `s = s text`, conditions that compare.
 */
#include "shell/awk/compile.h"

/* Special variables whose writing has consequences. */
static bool is_watched(const struct awk_node *var)
{
    return !var->local && var->slot <= AWK_V_FPAT;
}

static bool is_small_index(const struct awk_node *index)
{
    return index->kind == AWK_N_NUMBER && index->num >= 0 && index->num < 1000000 &&
           index->num == (double)(int)index->num;
}

void tc_awk_compile_key(struct awk_compiler *c, const struct awk_node *key)
{
    int n = 0;

    if (key->kind != AWK_N_JOIN) {
        tc_awk_compile_value(c, key);
        return;
    }
    for (const struct awk_node *part = key->a; part; part = part->next, n++)
        tc_awk_compile_value(c, part);
    tc_awk_emit(c, tc_awk_op_join, 1 - n);
    tc_awk_last(c)->a = n;
}

void tc_awk_compile_array(struct awk_compiler *c, const struct awk_node *array, uint8_t *ret_place, int *ret_slot)
{
    uint8_t place;
    int slot;

    *ret_slot = array->slot;
    if (array->kind == AWK_N_VAR) {
        *ret_place = array->local ? AWK_IN_LOCAL : AWK_IN_GLOBAL;
        return;
    }
    *ret_place = AWK_ON_STACK;
    tc_awk_compile_array(c, array->a, &place, &slot);
    if (place != AWK_ON_STACK) {
        tc_awk_emit(c, tc_awk_op_array, 1);
        tc_awk_last(c)->a = slot;
        tc_awk_last(c)->place = place;
    }
    tc_awk_compile_key(c, array->b);
    tc_awk_emit(c, tc_awk_op_subarray, -1);
}

/* An instruction on an element; its key, and the array when it must be, are on the stack. */
static void emit_on_array(struct awk_compiler *c, awk_op *run, int change, uint8_t place, int slot)
{
    tc_awk_emit(c, run, change - (place == AWK_ON_STACK));
    tc_awk_last(c)->place = place;
    tc_awk_last(c)->a = slot;
}

void tc_awk_compile_element(struct awk_compiler *c, const struct awk_node *node, bool any)
{
    uint8_t place;
    int slot;

    tc_awk_compile_array(c, node->a, &place, &slot);
    tc_awk_compile_key(c, node->b);
    emit_on_array(c, tc_awk_op_element, 0, place, slot);
    tc_awk_last(c)->op = any;
}

static void variable(struct awk_compiler *c, const struct awk_node *node)
{
    bool special = tc_awk_is_kept_special(node);

    tc_awk_emit(c, node->local ? tc_awk_op_local : special ? tc_awk_op_special : tc_awk_op_global, 1);
    tc_awk_last(c)->a = node->slot;
}

static void field(struct awk_compiler *c, const struct awk_node *node)
{
    const struct awk_node *index = tc_awk_strip(node->a);

    if (is_small_index(index)) {
        tc_awk_emit(c, tc_awk_op_field_at, 1);
        tc_awk_last(c)->n = (int64_t)index->num;
        return;
    }
    tc_awk_compile_value(c, index);
    tc_awk_emit(c, tc_awk_op_field, 0);
}

/* A value that is only computed with. */
static void number(struct awk_compiler *c, const struct awk_node *node)
{
    node = tc_awk_strip(node);
    if (node->kind == AWK_N_FIELD && is_small_index(tc_awk_strip(node->a))) {
        tc_awk_emit(c, tc_awk_op_field_number, 1);
        tc_awk_last(c)->n = (int64_t)tc_awk_strip(node->a)->num;
        return;
    }
    tc_awk_compile_value(c, node);
}

/* --- assignments --- */

/* Pushes what an instruction on it needs: an index, a key, an array. */
static void place(struct awk_compiler *c, const struct awk_node *lvalue)
{
    uint8_t where;
    int slot;

    if (lvalue->kind == AWK_N_FIELD)
        tc_awk_compile_value(c, lvalue->a);
    if (lvalue->kind != AWK_N_ELEMENT)
        return;
    tc_awk_compile_array(c, lvalue->a, &where, &slot);
    tc_awk_compile_key(c, lvalue->b);
}

struct lvalue_ops {
    awk_op *global, *local, *special, *field, *element;
};
static const struct lvalue_ops set_ops = {tc_awk_op_global_set, tc_awk_op_local_set, tc_awk_op_special_set,
                                          tc_awk_op_field_set, tc_awk_op_element_set};
static const struct lvalue_ops change_ops = {tc_awk_op_global_change, tc_awk_op_local_change,
                                             tc_awk_op_special_change, tc_awk_op_field_change,
                                             tc_awk_op_element_change};
static const struct lvalue_ops step_ops = {tc_awk_op_global_step, tc_awk_op_local_step, tc_awk_op_special_step,
                                           tc_awk_op_field_step, tc_awk_op_element_step};

/* The instruction of `ops` for this kind of place; values: how many stand below what place() pushed. */
static void emit_on(struct awk_compiler *c, const struct lvalue_ops *ops, const struct awk_node *lvalue, int values,
                    bool drop)
{
    int change = (drop ? 0 : 1) - values;
    bool nested = lvalue->kind == AWK_N_ELEMENT && lvalue->a->kind != AWK_N_VAR;

    if (lvalue->kind == AWK_N_FIELD) {
        tc_awk_emit(c, ops->field, change - 1);
    } else if (lvalue->kind == AWK_N_ELEMENT) {
        emit_on_array(c, ops->element, change - 1,
                      nested ? AWK_ON_STACK : lvalue->a->local ? AWK_IN_LOCAL : AWK_IN_GLOBAL, lvalue->a->slot);
    } else {
        tc_awk_emit(c, lvalue->local ? ops->local : is_watched(lvalue) ? ops->special : ops->global, change);
        tc_awk_last(c)->a = lvalue->slot;
        tc_awk_last(c)->place = lvalue->local ? AWK_IN_LOCAL : AWK_IN_GLOBAL;
    }
    tc_awk_last(c)->drop = drop;
}

void tc_awk_compile_store(struct awk_compiler *c, const struct awk_node *lvalue, bool drop)
{
    place(c, lvalue);
    emit_on(c, &set_ops, lvalue, 1, drop);
}

static bool same_variable(const struct awk_node *a, const struct awk_node *b)
{
    return a->kind == AWK_N_VAR && b->kind == AWK_N_VAR && a->slot == b->slot && a->local == b->local;
}

static void assign(struct awk_compiler *c, const struct awk_node *node, bool drop)
{
    const struct awk_node *to = node->a, *value = tc_awk_strip(node->b);
    int n = 0;

    if (drop && to->kind == AWK_N_VAR && !is_watched(to) && value->kind == AWK_N_CONCAT &&
        same_variable(to, value->a)) { /* s = s text */
        for (const struct awk_node *part = value->a->next; part; part = part->next, n++)
            tc_awk_compile_value(c, part);
        if (n > 1) {
            tc_awk_emit(c, tc_awk_op_concat, 1 - n);
            tc_awk_last(c)->a = n;
        }
        tc_awk_emit(c, tc_awk_op_append, -1);
        tc_awk_last(c)->a = to->slot;
        tc_awk_last(c)->place = to->local ? AWK_IN_LOCAL : AWK_IN_GLOBAL;
        return;
    }
    tc_awk_compile_value(c, node->b); /* before the subscripts, as gawk does */
    tc_awk_compile_store(c, to, drop);
}

static void change(struct awk_compiler *c, const struct awk_node *node, bool drop)
{
    number(c, node->b);
    place(c, node->a);
    emit_on(c, &change_ops, node->a, 1, drop);
    tc_awk_last(c)->op = (uint8_t)node->op;
}

static void step(struct awk_compiler *c, const struct awk_node *node, bool drop)
{
    place(c, node->a);
    emit_on(c, &step_ops, node->a, 0, drop);
    tc_awk_last(c)->op = (uint8_t)node->op;
    tc_awk_last(c)->prefix = node->prefix;
}

/* --- operators --- */

static void binary(struct awk_compiler *c, const struct awk_node *node)
{
    awk_op *run = node->op == AWK_T_PLUS      ? tc_awk_op_add
                  : node->op == AWK_T_MINUS   ? tc_awk_op_sub
                  : node->op == AWK_T_STAR    ? tc_awk_op_mul
                  : node->op == AWK_T_SLASH   ? tc_awk_op_div
                  : node->op == AWK_T_PERCENT ? tc_awk_op_mod
                                              : tc_awk_op_pow;

    number(c, node->a);
    number(c, node->b);
    tc_awk_emit(c, run, -1);
}

static void unary(struct awk_compiler *c, const struct awk_node *node)
{
    tc_awk_compile_value(c, node->a);
    tc_awk_emit(c, node->kind == AWK_N_NOT     ? tc_awk_op_not
                   : node->kind == AWK_N_MINUS ? tc_awk_op_minus
                                               : tc_awk_op_plus, 0);
}

static void match(struct awk_compiler *c, const struct awk_node *node)
{
    const struct awk_node *pattern = tc_awk_strip(node->b);

    tc_awk_compile_value(c, node->a);
    if (pattern->kind == AWK_N_REGEX) {
        tc_awk_emit(c, tc_awk_op_match_constant, 0);
        tc_awk_last(c)->regex = tc_awk_compile_regex(c, pattern);
    } else {
        tc_awk_compile_value(c, pattern);
        tc_awk_emit(c, tc_awk_op_match, -1);
    }
    tc_awk_last(c)->op = node->op == AWK_T_NOMATCH;
}

static void choice(struct awk_compiler *c, const struct awk_node *node)
{
    int otherwise = tc_awk_compile_condition(c, node->a), done;

    tc_awk_compile_value(c, node->b);
    done = tc_awk_emit_jump(c, tc_awk_op_jump, 0);
    tc_awk_patch(c, otherwise);
    c->depth--;
    tc_awk_compile_value(c, node->c);
    tc_awk_patch(c, done);
}

static void push_number(struct awk_compiler *c, double num)
{
    tc_awk_emit(c, tc_awk_op_number, 1);
    tc_awk_last(c)->num = num;
}

/* && and ||: the second is not evaluated when the first decides. */
static void logical(struct awk_compiler *c, const struct awk_node *node)
{
    bool or = node->kind == AWK_N_OR;
    int decided, done;

    tc_awk_compile_value(c, node->a);
    decided = tc_awk_emit_jump(c, or ? tc_awk_op_jump_true : tc_awk_op_jump_false, -1);
    tc_awk_compile_value(c, node->b);
    tc_awk_emit(c, tc_awk_op_truth, 0);
    done = tc_awk_emit_jump(c, tc_awk_op_jump, 0);
    tc_awk_patch(c, decided);
    c->depth--;
    push_number(c, or);
    tc_awk_patch(c, done);
}

static void membership(struct awk_compiler *c, const struct awk_node *node)
{
    uint8_t place;
    int slot;

    tc_awk_compile_array(c, node->b, &place, &slot);
    tc_awk_compile_key(c, node->a);
    emit_on_array(c, tc_awk_op_in, 0, place, slot);
}

static void concat(struct awk_compiler *c, const struct awk_node *node)
{
    int n = 0;

    for (const struct awk_node *part = node->a; part; part = part->next, n++)
        tc_awk_compile_value(c, part);
    tc_awk_emit(c, tc_awk_op_concat, 1 - n);
    tc_awk_last(c)->a = n;
}

static void constant(struct awk_compiler *c, const struct awk_node *node)
{
    if (node->kind == AWK_N_NUMBER) {
        push_number(c, node->num);
    } else if (node->kind == AWK_N_STRING) {
        tc_awk_emit(c, tc_awk_op_string, 1);
        tc_awk_last(c)->str = tc_awk_string_of(&c->vm->heap, node->text);
    } else if (node->kind == AWK_N_TYPED) {
        tc_awk_compile_regex_constant(c, node);
    } else {
        tc_awk_emit(c, tc_awk_op_match_record, 1);
        tc_awk_last(c)->regex = tc_awk_compile_regex(c, node);
    }
}

static void operation(struct awk_compiler *c, const struct awk_node *node)
{
    switch (node->kind) {
    case AWK_N_CHOICE:
        choice(c, node);
        break;
    case AWK_N_AND:
    case AWK_N_OR:
        logical(c, node);
        break;
    case AWK_N_NOT:
    case AWK_N_MINUS:
    case AWK_N_PLUS:
        unary(c, node);
        break;
    case AWK_N_IN:
        membership(c, node);
        break;
    case AWK_N_MATCH:
        match(c, node);
        break;
    case AWK_N_COMPARE:
        tc_awk_compile_value(c, node->a);
        tc_awk_compile_value(c, node->b);
        tc_awk_emit(c, tc_awk_op_compare, -1);
        tc_awk_last(c)->op = (uint8_t)node->op;
        break;
    case AWK_N_CONCAT:
        concat(c, node);
        break;
    case AWK_N_BINARY:
        binary(c, node);
        break;
    default:
        constant(c, node);
    }
}

void tc_awk_compile_value(struct awk_compiler *c, const struct awk_node *node)
{
    c->line = node->line;
    c->source = node->source;
    switch (node->kind) {
    case AWK_N_GROUP:
        tc_awk_compile_value(c, tc_awk_strip(node));
        break;
    case AWK_N_VAR:
        variable(c, node);
        break;
    case AWK_N_FIELD:
        field(c, node);
        break;
    case AWK_N_ELEMENT:
        tc_awk_compile_element(c, node, false);
        break;
    case AWK_N_ASSIGN:
        assign(c, node, false);
        break;
    case AWK_N_CHANGE:
        change(c, node, false);
        break;
    case AWK_N_STEP:
        step(c, node, false);
        break;
    case AWK_N_CALL:
    case AWK_N_INDIRECT:
        tc_awk_compile_call(c, node);
        break;
    case AWK_N_BUILTIN:
        tc_awk_compile_builtin(c, node);
        break;
    case AWK_N_GETLINE:
        tc_awk_compile_getline(c, node);
        break;
    default:
        operation(c, node);
    }
}

void tc_awk_compile_effect(struct awk_compiler *c, const struct awk_node *node)
{
    c->line = node->line;
    c->source = node->source;
    node = tc_awk_strip(node);
    if (node->kind == AWK_N_ASSIGN) {
        assign(c, node, true);
    } else if (node->kind == AWK_N_CHANGE) {
        change(c, node, true);
    } else if (node->kind == AWK_N_STEP) {
        step(c, node, true);
    } else {
        tc_awk_compile_value(c, node);
        tc_awk_emit(c, tc_awk_op_pop, -1);
    }
}

int tc_awk_compile_condition(struct awk_compiler *c, const struct awk_node *node)
{
    int jump;

    node = tc_awk_strip(node);
    if (node->kind != AWK_N_COMPARE) {
        tc_awk_compile_value(c, node);
        return tc_awk_emit_jump(c, tc_awk_op_jump_false, -1);
    }
    tc_awk_compile_value(c, node->a);
    tc_awk_compile_value(c, node->b);
    jump = tc_awk_emit_jump(c, tc_awk_op_jump_unless, -2);
    tc_awk_last(c)->op = (uint8_t)node->op;
    return jump;
}
