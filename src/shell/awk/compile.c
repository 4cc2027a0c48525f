/*
 * Statements, rules and functions to instructions.
 */
#include "shell/awk/compile.h"

#include "base/mem.h"

static void statement(struct awk_compiler *c, const struct awk_node *node);

int tc_awk_emit(struct awk_compiler *c, awk_op *run, int change)
{
    struct awk_code *code = c->code;

    if (code->n == code->cap) {
        size_t cap = code->cap ? 2 * code->cap : 256;
        struct awk_ins *grown = cap > AWK_CODE_MAX ? NULL : tc_mem_realloc(code->ins, cap * sizeof(*grown));

        if (!grown) { /* the last one is written over: nothing of this is run */
            c->failed = true;
            tc_awk_no_memory(c->vm);
            return (int)code->n - 1;
        }
        code->ins = grown;
        code->cap = cap;
    }
    c->depth += change;
    if (c->depth > c->deepest)
        c->deepest = c->depth;
    code->ins[code->n] = (struct awk_ins){.run = run, .line = c->line, .source = c->source};
    return (int)code->n++;
}

struct awk_ins *tc_awk_last(struct awk_compiler *c)
{
    return &c->code->ins[c->code->n - 1];
}

int tc_awk_emit_jump(struct awk_compiler *c, awk_op *run, int change)
{
    return tc_awk_emit(c, run, change);
}

void tc_awk_patch(struct awk_compiler *c, int jump)
{
    c->code->ins[jump].a = (int)c->code->n - jump;
}

void tc_awk_emit_back(struct awk_compiler *c, int to)
{
    int from = tc_awk_emit(c, tc_awk_op_loop, 0);

    c->code->ins[from].a = to - from;
}

static void add_exit(struct awk_compiler *c, int **list, int *n, int *size, int jump)
{
    if (*n == *size) {
        int cap = *size ? 2 * *size : 8;
        int *grown = tc_mem_realloc(*list, (size_t)cap * sizeof(**list));

        if (!grown) {
            c->failed = true;
            tc_awk_no_memory(c->vm);
            return;
        }
        *list = grown;
        *size = cap;
    }
    (*list)[(*n)++] = jump;
}

static void begin_exits(struct awk_compiler *c, struct awk_exits *exits, bool is_switch)
{
    *exits = (struct awk_exits){.outer = c->exits, .is_switch = is_switch};
    c->exits = exits;
}

static void patch_continues(struct awk_compiler *c)
{
    for (int i = 0; i < c->exits->n_continues; i++)
        tc_awk_patch(c, c->exits->continues[i]);
}

static void end_exits(struct awk_compiler *c)
{
    for (int i = 0; i < c->exits->n_breaks; i++)
        tc_awk_patch(c, c->exits->breaks[i]);
    tc_mem_free(c->exits->breaks);
    tc_mem_free(c->exits->continues);
    c->exits = c->exits->outer;
}

static void leave(struct awk_compiler *c, bool again)
{
    struct awk_exits *exits = c->exits;
    int jump = tc_awk_emit_jump(c, tc_awk_op_jump, 0);

    while (again && exits->is_switch)
        exits = exits->outer;
    if (again)
        add_exit(c, &exits->continues, &exits->n_continues, &exits->continues_size, jump);
    else
        add_exit(c, &exits->breaks, &exits->n_breaks, &exits->breaks_size, jump);
}

static void print(struct awk_compiler *c, const struct awk_node *node)
{
    int n = 0;

    if (node->kind == AWK_N_PRINT && !node->a && !node->op) {
        tc_awk_emit(c, tc_awk_op_print_record, 0);
        return;
    }
    if (!node->a) { /* print > "file" */
        tc_awk_emit(c, tc_awk_op_field_at, 1);
        tc_awk_last(c)->n = 0;
        n = 1;
    }
    for (const struct awk_node *arg = node->a; arg; arg = arg->next, n++)
        tc_awk_compile_value(c, arg);
    if (node->op)
        tc_awk_compile_value(c, node->b);
    tc_awk_emit(c, node->kind == AWK_N_PRINT ? tc_awk_op_print : tc_awk_op_printf, -n - (node->op != 0));
    tc_awk_last(c)->a = n;
    tc_awk_last(c)->op = (uint8_t)node->op;
}

static void branch(struct awk_compiler *c, const struct awk_node *node)
{
    int otherwise = tc_awk_compile_condition(c, node->a), done;

    statement(c, node->b);
    if (!node->c) {
        tc_awk_patch(c, otherwise);
        return;
    }
    done = tc_awk_emit_jump(c, tc_awk_op_jump, 0);
    tc_awk_patch(c, otherwise);
    statement(c, node->c);
    tc_awk_patch(c, done);
}

static void while_loop(struct awk_compiler *c, const struct awk_node *node)
{
    struct awk_exits exits;
    int top = (int)c->code->n, out;

    begin_exits(c, &exits, false);
    out = tc_awk_compile_condition(c, node->a);
    statement(c, node->b);
    patch_continues(c);
    tc_awk_emit_back(c, top);
    tc_awk_patch(c, out);
    end_exits(c);
}

static void do_loop(struct awk_compiler *c, const struct awk_node *node)
{
    struct awk_exits exits;
    int top = (int)c->code->n, out;

    begin_exits(c, &exits, false);
    statement(c, node->b);
    patch_continues(c);
    out = tc_awk_compile_condition(c, node->a);
    tc_awk_emit_back(c, top);
    tc_awk_patch(c, out);
    end_exits(c);
}

static void for_loop(struct awk_compiler *c, const struct awk_node *node)
{
    struct awk_exits exits;
    int top, out = -1;

    if (node->a)
        statement(c, node->a);
    top = (int)c->code->n;
    begin_exits(c, &exits, false);
    if (node->b)
        out = tc_awk_compile_condition(c, node->b);
    statement(c, node->d);
    patch_continues(c);
    if (node->c)
        statement(c, node->c);
    tc_awk_emit_back(c, top);
    if (out >= 0)
        tc_awk_patch(c, out);
    end_exits(c);
}

static void for_in_loop(struct awk_compiler *c, const struct awk_node *node)
{
    struct awk_exits exits;
    uint8_t place;
    int slot, top, out;

    tc_awk_compile_array(c, node->b, &place, &slot);
    tc_awk_emit(c, tc_awk_op_for_in, place == AWK_ON_STACK ? -1 : 0);
    tc_awk_last(c)->place = place;
    tc_awk_last(c)->a = slot;
    begin_exits(c, &exits, false);
    top = (int)c->code->n;
    out = tc_awk_emit_jump(c, tc_awk_op_for_in_next, 1);
    tc_awk_compile_store(c, node->a, true);
    statement(c, node->d);
    patch_continues(c);
    tc_awk_emit_back(c, top);
    tc_awk_patch(c, out);
    end_exits(c);
    tc_awk_emit(c, tc_awk_op_for_in_end, 0);
}

static int case_test(struct awk_compiler *c, const struct awk_node *label)
{
    int jump;

    if (label->kind == AWK_N_REGEX || label->kind == AWK_N_TYPED) {
        jump = tc_awk_emit_jump(c, tc_awk_op_case_match, 0);
        tc_awk_last(c)->regex = tc_awk_compile_regex(c, label);
        return jump;
    }
    tc_awk_compile_value(c, label);
    return tc_awk_emit_jump(c, tc_awk_op_case, -1);
}

static void switch_statement(struct awk_compiler *c, const struct awk_node *node)
{
    struct awk_exits exits;
    int *jumps, n = 0, out, otherwise = -1;

    for (const struct awk_node *label = node->b; label; label = label->next)
        n++;
    jumps = tc_mem_alloc((size_t)(n + 1) * sizeof(*jumps));
    if (!jumps) {
        c->failed = true;
        tc_awk_no_memory(c->vm);
        return;
    }
    tc_awk_compile_value(c, node->a);
    n = 0;
    for (const struct awk_node *label = node->b; label; label = label->next, n++)
        jumps[n] = label->a ? case_test(c, label->a) : -1;
    tc_awk_emit(c, tc_awk_op_pop, -1);
    out = tc_awk_emit_jump(c, tc_awk_op_jump, 0);
    begin_exits(c, &exits, true);
    n = 0;
    for (const struct awk_node *label = node->b; label; label = label->next, n++) {
        if (jumps[n] >= 0)
            tc_awk_patch(c, jumps[n]);
        else
            otherwise = (int)c->code->n;
        statement(c, label->b);
    }
    if (otherwise >= 0)
        c->code->ins[out].a = otherwise - out;
    else
        tc_awk_patch(c, out);
    end_exits(c);
    tc_mem_free(jumps);
}

static void delete(struct awk_compiler *c, const struct awk_node *node)
{
    const struct awk_node *what = node->a, *array = what->kind == AWK_N_ELEMENT ? what->a : what;
    uint8_t place;
    int slot;

    tc_awk_compile_array(c, array, &place, &slot);
    if (what->kind == AWK_N_ELEMENT) {
        tc_awk_compile_key(c, what->b);
        tc_awk_emit(c, tc_awk_op_delete, -1 - (place == AWK_ON_STACK));
    } else {
        tc_awk_emit(c, tc_awk_op_delete_all, -(place == AWK_ON_STACK));
    }
    tc_awk_last(c)->place = place;
    tc_awk_last(c)->a = slot;
}

static void finish_with(struct awk_compiler *c, const struct awk_node *node)
{
    if (node->a) {
        tc_awk_compile_value(c, node->a);
    } else {
        tc_awk_emit(c, tc_awk_op_string, 1);
        tc_awk_last(c)->str = NULL;
    }
    tc_awk_emit(c, node->kind == AWK_N_EXIT ? tc_awk_op_exit : tc_awk_op_return, -1);
    tc_awk_last(c)->op = node->a != NULL;
}

static void loop_statement(struct awk_compiler *c, const struct awk_node *node)
{
    switch (node->kind) {
    case AWK_N_WHILE:
        while_loop(c, node);
        break;
    case AWK_N_DO:
        do_loop(c, node);
        break;
    case AWK_N_FOR:
        for_loop(c, node);
        break;
    default:
        for_in_loop(c, node);
    }
}

static void statement(struct awk_compiler *c, const struct awk_node *node)
{
    c->line = node->line;
    c->source = node->source;
    switch (node->kind) {
    case AWK_N_BLOCK:
        for (const struct awk_node *child = node->a; child; child = child->next)
            statement(c, child);
        break;
    case AWK_N_EXPR:
        tc_awk_compile_effect(c, node->a);
        break;
    case AWK_N_PRINT:
    case AWK_N_PRINTF:
        print(c, node);
        break;
    case AWK_N_IF:
        branch(c, node);
        break;
    case AWK_N_BREAK:
    case AWK_N_CONTINUE:
        leave(c, node->kind == AWK_N_CONTINUE);
        break;
    case AWK_N_NEXT:
        tc_awk_emit(c, tc_awk_op_next, 0);
        break;
    case AWK_N_NEXTFILE:
        tc_awk_emit(c, tc_awk_op_next_file, 0);
        break;
    case AWK_N_EXIT:
    case AWK_N_RETURN:
        finish_with(c, node);
        break;
    case AWK_N_DELETE:
        delete(c, node);
        break;
    case AWK_N_SWITCH:
        switch_statement(c, node);
        break;
    default:
        loop_statement(c, node);
    }
}

/* from, until { … }: active from the one to the other. */
static int range_pattern(struct awk_compiler *c, const struct awk_rule *rule)
{
    int which = c->code->ranges++, active, skip, on;

    active = tc_awk_emit_jump(c, tc_awk_op_range, 0);
    tc_awk_last(c)->n = which;
    skip = tc_awk_compile_condition(c, rule->pattern);
    tc_awk_emit(c, tc_awk_op_range_set, 0);
    tc_awk_last(c)->n = which;
    tc_awk_last(c)->op = 1;
    tc_awk_patch(c, active);
    on = tc_awk_compile_condition(c, rule->until);
    tc_awk_emit(c, tc_awk_op_range_set, 0);
    tc_awk_last(c)->n = which;
    tc_awk_patch(c, on);
    return skip;
}

static void rule_code(struct awk_compiler *c, const struct awk_rule *rule)
{
    int skip = -1;

    c->line = rule->line;
    c->source = rule->source;
    if (rule->until)
        skip = range_pattern(c, rule);
    else if (rule->pattern)
        skip = tc_awk_compile_condition(c, rule->pattern);
    if (rule->body)
        statement(c, rule->body);
    else
        tc_awk_emit(c, tc_awk_op_print_record, 0);
    if (skip >= 0)
        tc_awk_patch(c, skip);
}

/* All rules of one kind, in their order; -1 when there is none. */
static int rules_code(struct awk_compiler *c, int when)
{
    int from = -1;

    for (const struct awk_rule *rule = c->program->rules; rule; rule = rule->next) {
        if ((int)rule->when != when)
            continue;
        if (from < 0)
            from = (int)c->code->n;
        rule_code(c, rule);
    }
    if (from >= 0)
        tc_awk_emit(c, tc_awk_op_end, 0);
    return from;
}

static void function_code(struct awk_compiler *c, struct awk_function *function)
{
    c->depth = c->deepest = 0;
    function->entry = (int)c->code->n;
    statement(c, function->body);
    tc_awk_emit(c, tc_awk_op_string, 1);
    tc_awk_last(c)->str = NULL;
    tc_awk_emit(c, tc_awk_op_return, -1);
    function->stack = c->deepest + 2;
}

bool tc_awk_compile(struct awk_vm *vm, struct awk_program *program, struct awk_code *code)
{
    struct awk_compiler c = {.vm = vm, .program = program, .code = code};

    code->begin = rules_code(&c, AWK_BEGIN);
    code->main = rules_code(&c, AWK_MAIN);
    code->end = rules_code(&c, AWK_END);
    code->beginfile = rules_code(&c, AWK_BEGINFILE);
    code->endfile = rules_code(&c, AWK_ENDFILE);
    code->stack = c.deepest + 2;
    for (int i = 0; i < program->n_functions && !c.failed; i++)
        function_code(&c, program->functions[i]);
    return !c.failed && !vm->heap.stop;
}

void tc_awk_code_finish(struct awk_heap *heap, struct awk_code *code)
{
    for (size_t i = 0; i < code->n; i++)
        if ((code->ins[i].run == tc_awk_op_string || code->ins[i].run == tc_awk_op_typed) && code->ins[i].str)
            tc_awk_string_unref(heap, code->ins[i].str);
    tc_mem_free(code->ins);
    code->ins = NULL;
    code->n = code->cap = 0;
}
