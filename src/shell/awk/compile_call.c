/*
 * Calls of functions, of awk's own and of the program, and getline, to instructions.
 */
#include "shell/awk/compile.h"

static void argument(struct awk_compiler *c, const struct awk_node *node)
{
    if (node->kind == AWK_N_VAR && !tc_awk_is_kept_special(node)) {
        tc_awk_emit(c, node->local ? tc_awk_op_pass_local : tc_awk_op_pass_global, 1);
        tc_awk_last(c)->a = node->slot;
    } else if (node->kind == AWK_N_ELEMENT) {
        tc_awk_compile_element(c, node, true);
    } else {
        tc_awk_compile_value(c, node);
    }
}

void tc_awk_compile_call(struct awk_compiler *c, const struct awk_node *node)
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

void tc_awk_compile_regex_constant(struct awk_compiler *c, const struct awk_node *node)
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
        if (tc_awk_strip(node)->kind == AWK_N_REGEX)
            tc_awk_compile_regex_constant(c, tc_awk_strip(node));
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
        if (tc_awk_strip(node)->kind == AWK_N_FIELD) {
            tc_awk_compile_value(c, tc_awk_strip(node)->a);
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
    last = tc_awk_strip(last);
    return last->kind == AWK_N_VAR || last->kind == AWK_N_FIELD || last->kind == AWK_N_ELEMENT ? last : NULL;
}

/* The text that getline, sub or gsub left is assigned. */
static void assign_line(struct awk_compiler *c, const struct awk_node *to)
{
    int none = tc_awk_emit_jump(c, tc_awk_op_if_line, 1);

    tc_awk_compile_store(c, to, true);
    tc_awk_patch(c, none);
}

void tc_awk_compile_builtin(struct awk_compiler *c, const struct awk_node *node)
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

void tc_awk_compile_getline(struct awk_compiler *c, const struct awk_node *node)
{
    if (node->b)
        tc_awk_compile_value(c, node->b);
    tc_awk_emit(c, tc_awk_op_getline, node->b ? 0 : 1);
    tc_awk_last(c)->op = (uint8_t)node->op;
    tc_awk_last(c)->prefix = node->a != NULL;
    if (node->a)
        assign_line(c, node->a);
}
