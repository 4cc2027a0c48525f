/*
 * Expressions to instructions. What is common has instructions of its own: $n, sums
 * in elements, `s = s text`, conditions that compare.
 */
#include "shell/awk/compile.h"

static const struct awk_node *strip(const struct awk_node *node)
{
    while (node->kind == AWK_N_GROUP)
        node = node->a;
    return node;
}

static bool is_kept_special(const struct awk_node *var)
{
    return !var->local && var->slot <= AWK_V_FNR;
}

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

static void element(struct awk_compiler *c, const struct awk_node *node, bool any)
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
    tc_awk_emit(c, node->local ? tc_awk_op_local : is_kept_special(node) ? tc_awk_op_special : tc_awk_op_global, 1);
    tc_awk_last(c)->a = node->slot;
}

static void field(struct awk_compiler *c, const struct awk_node *node)
{
    const struct awk_node *index = strip(node->a);

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
    node = strip(node);
    if (node->kind == AWK_N_FIELD && is_small_index(strip(node->a))) {
        tc_awk_emit(c, tc_awk_op_field_number, 1);
        tc_awk_last(c)->n = (int64_t)strip(node->a)->num;
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
    const struct awk_node *to = node->a, *value = strip(node->b);
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

/* --- calls --- */

static void argument(struct awk_compiler *c, const struct awk_node *node)
{
    if (node->kind == AWK_N_VAR && !is_kept_special(node)) {
        tc_awk_emit(c, node->local ? tc_awk_op_pass_local : tc_awk_op_pass_global, 1);
        tc_awk_last(c)->a = node->slot;
    } else if (node->kind == AWK_N_ELEMENT) {
        element(c, node, true);
    } else {
        tc_awk_compile_value(c, node);
    }
}

static void call(struct awk_compiler *c, const struct awk_node *node)
{
    const struct awk_function *function;

    for (const struct awk_node *arg = node->a; arg; arg = arg->next)
        argument(c, arg);
    if (node->kind == AWK_N_INDIRECT) {
        tc_awk_compile_value(c, node->b);
        tc_awk_emit(c, tc_awk_op_indirect, -node->n);
    } else {
        function = c->program->functions[node->slot];
        if (node->n > function->params)
            tc_cmd_printf(c->vm->call->err,
                          "%s: %s:%u: warning: function `%.*s' called with more arguments than declared\n",
                          c->vm->call->argv[0], c->program->sources[node->source].name, node->line,
                          TC_STR_ARG(function->name));
        tc_awk_emit(c, tc_awk_op_call, 1 - node->n);
        tc_awk_last(c)->a = node->slot;
    }
    tc_awk_last(c)->n = node->n;
}

/* A fault in it is one of the program, so it is compiled at once. */
struct awk_regex *tc_awk_compile_regex(struct awk_compiler *c, const struct awk_node *node)
{
    struct awk_vm *vm = c->vm;
    struct awk_regex *regex = tc_awk_regex_constant(vm, node->text);
    struct tc_str why;

    if (!regex || c->failed)
        return regex;
    if (tc_regex_compile(vm->call->cx, node->text, TC_REGEX_AWK, 0, &regex->forms[0])) {
        why = vm->call->cx->err.message;
        tc_cmd_printf(vm->call->err, "%s: %s:%u: error: %.*s: /%.*s/\n", vm->call->argv[0],
                      c->program->sources[node->source].name, node->line, TC_STR_ARG(why), TC_STR_ARG(node->text));
        tc_fail_clear(vm->call->cx);
        regex->forms[0] = NULL;
        c->failed = true;
        vm->status = 1;
    }
    tc_awk_regex_warn(vm, c->program->sources[node->source].name, node->line, node->text);
    return regex;
}

static void regex_constant(struct awk_compiler *c, const struct awk_node *node)
{
    tc_awk_emit(c, tc_awk_op_typed, 1);
    tc_awk_last(c)->str = tc_awk_string_of(&c->vm->heap, node->text);
}

static void array_argument(struct awk_compiler *c, const struct awk_node *node)
{
    uint8_t place;
    int slot;

    if (node->kind != AWK_N_VAR && node->kind != AWK_N_ELEMENT) {
        tc_cmd_printf(c->vm->call->err, "%s: %s:%u: fatal: an argument is not an array\n", c->vm->call->argv[0],
                      c->program->sources[node->source].name, node->line);
        c->failed = true;
        return;
    }
    tc_awk_compile_array(c, node, &place, &slot);
    if (place == AWK_ON_STACK)
        return;
    tc_awk_emit(c, tc_awk_op_array, 1);
    tc_awk_last(c)->a = slot;
    tc_awk_last(c)->place = place;
}

static void builtin_argument(struct awk_compiler *c, const struct awk_node *node, enum awk_argument how)
{
    switch (how) {
    case AWK_ARG_REGEX:
        if (strip(node)->kind == AWK_N_REGEX)
            regex_constant(c, strip(node));
        else
            tc_awk_compile_value(c, node);
        break;
    case AWK_ARG_ARRAY:
        array_argument(c, node);
        break;
    case AWK_ARG_ANY:
        argument(c, node);
        break;
    case AWK_ARG_LVALUE:
        if (strip(node)->kind == AWK_N_FIELD) {
            tc_awk_compile_value(c, strip(node)->a);
            tc_awk_emit(c, tc_awk_op_field, 0);
            tc_awk_last(c)->prefix = true;
            break;
        }
        /* fall through */
    default:
        tc_awk_compile_value(c, node);
    }
}

/* Whether the last argument of sub or gsub can be assigned to; else it is only looked at. */
static const struct awk_node *substituted(const struct awk_node *node)
{
    const struct awk_node *last = node->a;

    if (!tc_awk_builtin_substitutes(node->builtin) || node->n < 3)
        return NULL;
    while (last->next)
        last = last->next;
    last = strip(last);
    return last->kind == AWK_N_VAR || last->kind == AWK_N_FIELD || last->kind == AWK_N_ELEMENT ? last : NULL;
}

/* The text that getline, sub or gsub left is assigned. */
static void assign_line(struct awk_compiler *c, const struct awk_node *to)
{
    int none = tc_awk_emit_jump(c, tc_awk_op_if_line, 1);

    tc_awk_compile_store(c, to, true);
    tc_awk_patch(c, none);
}

static void builtin(struct awk_compiler *c, const struct awk_node *node)
{
    const struct awk_node *to = substituted(node), *arg = node->a;

    for (int i = 0; arg; arg = arg->next, i++)
        builtin_argument(c, arg, node->builtin->args[i < 4 ? i : 3]);
    tc_awk_emit(c, tc_awk_op_builtin, 1 - node->n);
    tc_awk_last(c)->builtin = node->builtin;
    tc_awk_last(c)->a = node->n;
    if (to)
        assign_line(c, to);
}

static void getline(struct awk_compiler *c, const struct awk_node *node)
{
    if (node->b)
        tc_awk_compile_value(c, node->b);
    tc_awk_emit(c, tc_awk_op_getline, node->b ? 0 : 1);
    tc_awk_last(c)->op = (uint8_t)node->op;
    tc_awk_last(c)->prefix = node->a != NULL;
    if (node->a)
        assign_line(c, node->a);
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
    const struct awk_node *pattern = strip(node->b);

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
        regex_constant(c, node);
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
        tc_awk_compile_value(c, strip(node));
        break;
    case AWK_N_VAR:
        variable(c, node);
        break;
    case AWK_N_FIELD:
        field(c, node);
        break;
    case AWK_N_ELEMENT:
        element(c, node, false);
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
        call(c, node);
        break;
    case AWK_N_BUILTIN:
        builtin(c, node);
        break;
    case AWK_N_GETLINE:
        getline(c, node);
        break;
    default:
        operation(c, node);
    }
}

void tc_awk_compile_effect(struct awk_compiler *c, const struct awk_node *node)
{
    c->line = node->line;
    c->source = node->source;
    node = strip(node);
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

    node = strip(node);
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
