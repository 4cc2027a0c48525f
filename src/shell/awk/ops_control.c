/*
 * Instructions that decide what is done next, and calls.
 */
#include <math.h>

#include "base/mem.h"
#include "shell/awk/ops.h"
#include "shell/awk/vm.h"

const struct awk_ins *tc_awk_op_jump(struct awk_vm *vm, const struct awk_ins *ins)
{
    (void)vm;
    return ins + ins->a;
}

const struct awk_ins *tc_awk_op_loop(struct awk_vm *vm, const struct awk_ins *ins)
{
    return tc_awk_tick(vm) ? ins + ins->a : NULL;
}

static bool pop_truth(struct awk_vm *vm)
{
    struct awk_value *top = --vm->top;
    bool truth = tc_awk_truth(top);

    tc_awk_clear(&vm->heap, top);
    return truth;
}

const struct awk_ins *tc_awk_op_jump_false(struct awk_vm *vm, const struct awk_ins *ins)
{
    return pop_truth(vm) ? ins + 1 : ins + ins->a;
}

const struct awk_ins *tc_awk_op_jump_true(struct awk_vm *vm, const struct awk_ins *ins)
{
    return pop_truth(vm) ? ins + ins->a : ins + 1;
}

const struct awk_ins *tc_awk_op_jump_unless(struct awk_vm *vm, const struct awk_ins *ins)
{
    bool holds = tc_awk_holds(vm, ins->op, vm->top - 2, vm->top - 1);

    tc_awk_drop(vm);
    tc_awk_drop(vm);
    return holds ? ins + 1 : ins + ins->a;
}

/* A case is equal when both are numbers of one value or strings of one text. */
const struct awk_ins *tc_awk_op_case(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *label = vm->top - 1, *value = vm->top - 2;
    bool same;

    tc_awk_settle(value);
    if (label->type == AWK_NUMBER)
        same = (value->type == AWK_NUMBER || value->type == AWK_STRNUM) && value->num == label->num;
    else
        same = tc_awk_has_string(value) && value->type != AWK_STRNUM &&
               tc_str_eq(tc_awk_string_text(value->str), tc_awk_string_text(label->str));
    tc_awk_drop(vm);
    if (!same)
        return ins + 1;
    tc_awk_drop(vm);
    return ins + ins->a;
}

const struct awk_ins *tc_awk_op_case_match(struct awk_vm *vm, const struct awk_ins *ins)
{
    if (!tc_awk_search(vm, ins->regex, tc_awk_str(vm, vm->top - 1), 0, NULL, 0))
        return ins + 1;
    tc_awk_drop(vm);
    return ins + ins->a;
}

const struct awk_ins *tc_awk_op_range(struct awk_vm *vm, const struct awk_ins *ins)
{
    return vm->ranges[ins->n] ? ins + ins->a : ins + 1;
}

const struct awk_ins *tc_awk_op_range_set(struct awk_vm *vm, const struct awk_ins *ins)
{
    vm->ranges[ins->n] = ins->op;
    return ins + 1;
}

/* --- for (key in array) --- */

static struct awk_loop *new_loop(struct awk_vm *vm, size_t n)
{
    struct awk_loop *loop;

    if (vm->n_loops == vm->loops_size) {
        int size = vm->loops_size ? 2 * vm->loops_size : 8;
        struct awk_loop *grown = tc_mem_realloc(vm->loops, (size_t)size * sizeof(*grown));

        if (!grown) {
            tc_awk_no_memory(vm);
            return NULL;
        }
        vm->loops = grown;
        vm->loops_size = size;
    }
    loop = &vm->loops[vm->n_loops];
    *loop = (struct awk_loop){.n = n, .keys = tc_mem_zalloc(n + 1, sizeof(*loop->keys))};
    if (!loop->keys) {
        tc_awk_no_memory(vm);
        return NULL;
    }
    vm->n_loops++;
    return loop;
}

const struct awk_ins *tc_awk_op_for_in(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top - 1);
    struct awk_loop *loop;

    if (!array)
        return NULL;
    loop = new_loop(vm, array->n);
    if (!loop || !tc_awk_sorted_list(vm, array, loop->keys))
        return NULL;
    if (ins->place == AWK_ON_STACK)
        tc_awk_drop(vm);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_for_in_next(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_loop *loop = &vm->loops[vm->n_loops - 1];
    struct awk_value *key;

    if (loop->at == loop->n)
        return ins + ins->a;
    key = &loop->keys[loop->at++];
    tc_awk_to_string(&vm->heap, key, vm->convfmt);
    tc_awk_push(vm, *key);
    key->type = AWK_UNSET;
    return ins + 1;
}

void tc_awk_end_loops(struct awk_vm *vm, int n)
{
    while (vm->n_loops > n) {
        struct awk_loop *loop = &vm->loops[--vm->n_loops];

        while (loop->at < loop->n)
            tc_awk_clear(&vm->heap, &loop->keys[loop->at++]);
        tc_mem_free(loop->keys);
    }
}

const struct awk_ins *tc_awk_op_for_in_end(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_end_loops(vm, vm->n_loops - 1);
    return ins + 1;
}

/* --- functions --- */

static bool push_frame(struct awk_vm *vm, const struct awk_ins *back)
{
    if (vm->n_frames == vm->frames_size) {
        size_t size = vm->frames_size ? 2 * vm->frames_size : 64;
        struct awk_frame *grown = size > 2 * AWK_FRAMES_MAX ? NULL : tc_mem_realloc(vm->frames, size * sizeof(*grown));

        if (!grown) {
            tc_awk_fatal(vm, "function calls are nested too deeply");
            return false;
        }
        vm->frames = grown;
        vm->frames_size = size;
    }
    vm->frames[vm->n_frames++] = (struct awk_frame){
        .back = back, .locals = (size_t)(vm->locals - vm->stack), .function = vm->function, .loops = vm->n_loops};
    return true;
}

/* n arguments are on the stack; its other parameters are made behind them. */
const struct awk_ins *tc_awk_enter_function(struct awk_vm *vm, int slot, int n, const struct awk_ins *back)
{
    const struct awk_function *function = vm->program->functions[slot];

    if (!tc_awk_tick(vm) || !tc_awk_reserve(vm, (size_t)(function->params + function->stack)) || !push_frame(vm, back))
        return NULL;
    for (; n > function->params; n--)
        tc_awk_drop(vm);
    for (int i = n; i < function->params; i++)
        tc_awk_push(vm, (struct awk_value){.type = AWK_UNSET});
    vm->locals = vm->top - function->params;
    vm->function = slot;
    return &vm->code.ins[function->entry];
}

const struct awk_ins *tc_awk_op_call(struct awk_vm *vm, const struct awk_ins *ins)
{
    return tc_awk_enter_function(vm, ins->a, (int)ins->n, ins + 1);
}

const struct awk_ins *tc_awk_op_indirect(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value name = tc_awk_pop(vm);
    struct tc_str text = tc_awk_str(vm, &name);
    intptr_t slot = (intptr_t)tc_map_get(&vm->program->function_slots, text);

    if (!slot)
        tc_awk_fatal(vm, "function called indirectly through `%.*s' does not exist", TC_STR_ARG(text));
    tc_awk_clear(&vm->heap, &name);
    return slot ? tc_awk_enter_function(vm, (int)slot - 1, (int)ins->n, ins + 1) : NULL;
}

/* Drops the parameters of the function that runs and goes back to its caller's. */
static const struct awk_ins *leave_function(struct awk_vm *vm)
{
    struct awk_frame *frame = &vm->frames[--vm->n_frames];

    while (vm->top > vm->locals)
        tc_awk_drop(vm);
    tc_awk_end_loops(vm, frame->loops);
    vm->locals = vm->stack + frame->locals;
    vm->function = frame->function;
    return frame->back;
}

const struct awk_ins *tc_awk_op_return(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value value = tc_awk_pop(vm);
    const struct awk_ins *back = leave_function(vm);

    (void)ins;
    tc_awk_push(vm, value);
    return back;
}

/* Leaves every function of this run. */
static const struct awk_ins *unwind(struct awk_vm *vm, enum awk_flow flow)
{
    while (vm->n_frames > vm->base)
        leave_function(vm);
    vm->flow = flow;
    return NULL;
}

static const struct awk_ins *next_in_comparison(struct awk_vm *vm, const char *what)
{
    tc_awk_fatal(vm, "`%s' cannot be called from here", what);
    return NULL;
}

const struct awk_ins *tc_awk_op_next(struct awk_vm *vm, const struct awk_ins *ins)
{
    (void)ins;
    return vm->nested ? next_in_comparison(vm, "next") : unwind(vm, AWK_FLOW_NEXT);
}

const struct awk_ins *tc_awk_op_next_file(struct awk_vm *vm, const struct awk_ins *ins)
{
    (void)ins;
    return vm->nested ? next_in_comparison(vm, "nextfile") : unwind(vm, AWK_FLOW_NEXTFILE);
}

const struct awk_ins *tc_awk_op_exit(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value value = tc_awk_pop(vm);

    if (ins->op)
        vm->status = (int)tc_awk_to_number(&value) & 255;
    tc_awk_clear(&vm->heap, &value);
    vm->exited = true;
    return unwind(vm, AWK_FLOW_EXIT);
}

const struct awk_ins *tc_awk_op_end(struct awk_vm *vm, const struct awk_ins *ins)
{
    (void)ins;
    vm->flow = AWK_FLOW_END;
    return NULL;
}

const struct awk_ins *tc_awk_op_builtin(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value result = {.type = AWK_UNSET}, *args = vm->top - ins->a;
    ptrdiff_t at = args - vm->stack; /* a comparison that sorts may move the stack */

    vm->has_line = false;
    ins->builtin->run(vm, args, ins->a, &result);
    while (vm->top > vm->stack + at)
        tc_awk_drop(vm);
    tc_awk_push(vm, result);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_if_line(struct awk_vm *vm, const struct awk_ins *ins)
{
    if (!vm->has_line)
        return ins + ins->a;
    vm->has_line = false;
    tc_awk_push(vm, vm->line);
    vm->line.type = AWK_UNSET;
    return ins + 1;
}
