/*
 * Instructions that assign.
 */
#include "shell/awk/ops.h"
#include "shell/awk/vm.h"

/* Gives a variable or element its new value, which is consumed, and pushes a copy when it is wanted. */
static const struct awk_ins *put(struct awk_vm *vm, const struct awk_ins *ins, struct awk_value *slot,
                                 struct awk_value value)
{
    if (slot->type == AWK_ARRAY) {
        tc_awk_clear(&vm->heap, &value);
        tc_awk_fatal(vm, "attempt to use array `%.*s' in a scalar context", TC_STR_ARG(tc_awk_name_of(vm, ins)));
        return NULL;
    }
    if (tc_awk_has_string(slot))
        tc_awk_string_unref(&vm->heap, slot->str);
    *slot = value;
    if (!ins->drop)
        tc_awk_push(vm, tc_awk_copy(slot));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_global_set(struct awk_vm *vm, const struct awk_ins *ins)
{
    return put(vm, ins, &vm->globals[ins->a], tc_awk_pop(vm));
}

const struct awk_ins *tc_awk_op_local_set(struct awk_vm *vm, const struct awk_ins *ins)
{
    return put(vm, ins, &vm->locals[ins->a], tc_awk_pop(vm));
}

const struct awk_ins *tc_awk_op_special_set(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value value = tc_awk_pop(vm);

    if (!ins->drop)
        tc_awk_push(vm, tc_awk_copy(&value));
    tc_awk_special_set(vm, ins->a, value);
    return ins + 1;
}

/* The index on top; -1 after a fatal error. */
static int64_t pop_index(struct awk_vm *vm)
{
    struct awk_value index = tc_awk_pop(vm);
    double num = tc_awk_to_number(&index);

    tc_awk_clear(&vm->heap, &index);
    if (num > -1 && num <= AWK_FIELDS_MAX)
        return (int64_t)num;
    tc_awk_fatal(vm, "attempt to access field %.0f", num);
    return -1;
}

const struct awk_ins *tc_awk_op_field_set(struct awk_vm *vm, const struct awk_ins *ins)
{
    int64_t index = pop_index(vm);
    struct awk_value value = tc_awk_pop(vm);

    if (!ins->drop)
        tc_awk_push(vm, tc_awk_copy(&value));
    if (index < 0) {
        tc_awk_clear(&vm->heap, &value);
        return NULL;
    }
    tc_awk_field_set(vm, index, value);
    return ins + 1;
}

/* The element that the key on top names, and takes key and array from the stack. NULL after an error. */
static struct awk_value *pop_element(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top - 2);
    struct awk_value *element;
    struct awk_key key;

    if (!array)
        return NULL;
    key = tc_awk_subscript(vm, vm->top - 1);
    element = tc_awk_array_at(&vm->heap, array, &key);
    tc_awk_drop(vm);
    if (ins->place == AWK_ON_STACK)
        tc_awk_drop(vm); /* the array lives on as an element */
    return element;
}

const struct awk_ins *tc_awk_op_element_set(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *element = pop_element(vm, ins);

    return element ? put(vm, ins, element, tc_awk_pop(vm)) : NULL;
}

const struct awk_ins *tc_awk_op_append(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *slot = ins->place == AWK_IN_GLOBAL ? &vm->globals[ins->a] : &vm->locals[ins->a];
    struct awk_value text = tc_awk_pop(vm);

    if (slot->type == AWK_ARRAY)
        return put(vm, ins, slot, text);
    tc_awk_str(vm, &text);
    tc_awk_str(vm, slot);
    slot->type = AWK_STRING;
    slot->str = tc_awk_string_append(&vm->heap, slot->str, tc_awk_string_text(text.str));
    tc_awk_string_unref(&vm->heap, text.str);
    return ins + 1;
}

/* a op= b with b on top. */
static const struct awk_ins *change(struct awk_vm *vm, const struct awk_ins *ins, struct awk_value *slot)
{
    struct awk_value by = tc_awk_pop(vm);
    double b = tc_awk_to_number(&by);

    tc_awk_clear(&vm->heap, &by);
    if (slot->type == AWK_NUMBER && ins->drop && ins->op == AWK_T_PLUS) {
        slot->num += b;
        return ins + 1;
    }
    return put(vm, ins, slot, tc_awk_number(tc_awk_arithmetic(vm, ins->op, tc_awk_to_number(slot), b, true)));
}

const struct awk_ins *tc_awk_op_global_change(struct awk_vm *vm, const struct awk_ins *ins)
{
    return change(vm, ins, &vm->globals[ins->a]);
}

const struct awk_ins *tc_awk_op_local_change(struct awk_vm *vm, const struct awk_ins *ins)
{
    return change(vm, ins, &vm->locals[ins->a]);
}

const struct awk_ins *tc_awk_op_element_change(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *element = pop_element(vm, ins);

    return element ? change(vm, ins, element) : NULL;
}

static double special_number(struct awk_vm *vm, int slot)
{
    struct awk_value value = tc_awk_special_get(vm, slot);
    double num = tc_awk_to_number(&value);

    tc_awk_clear(&vm->heap, &value);
    return num;
}

const struct awk_ins *tc_awk_op_special_change(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value by = tc_awk_pop(vm);
    double num = tc_awk_arithmetic(vm, ins->op, special_number(vm, ins->a), tc_awk_to_number(&by), true);

    tc_awk_clear(&vm->heap, &by);
    tc_awk_push(vm, tc_awk_number(num));
    return tc_awk_op_special_set(vm, ins);
}

const struct awk_ins *tc_awk_op_field_change(struct awk_vm *vm, const struct awk_ins *ins)
{
    int64_t index = pop_index(vm);
    struct awk_value by = tc_awk_pop(vm);
    double num;

    if (index < 0) {
        tc_awk_clear(&vm->heap, &by);
        return NULL;
    }
    num = tc_awk_arithmetic(vm, ins->op, tc_awk_field_number(vm, index), tc_awk_to_number(&by), true);
    tc_awk_clear(&vm->heap, &by);
    tc_awk_field_set(vm, index, tc_awk_number(num));
    if (!ins->drop)
        tc_awk_push(vm, tc_awk_number(num));
    return ins + 1;
}

static double stepped(const struct awk_ins *ins, double num)
{
    return ins->op == AWK_T_INCR ? num + 1 : num - 1;
}

static const struct awk_ins *step(struct awk_vm *vm, const struct awk_ins *ins, struct awk_value *slot)
{
    double before = tc_awk_to_number(slot), after = stepped(ins, before);
    struct awk_ins silent = *ins;

    if (slot->type == AWK_NUMBER || slot->type == AWK_UNSET || slot->type == AWK_REF) {
        *slot = tc_awk_number(after);
    } else {
        silent.drop = true;
        if (!put(vm, &silent, slot, tc_awk_number(after)))
            return NULL;
    }
    if (!ins->drop)
        tc_awk_push(vm, tc_awk_number(ins->prefix ? after : before));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_global_step(struct awk_vm *vm, const struct awk_ins *ins)
{
    return step(vm, ins, &vm->globals[ins->a]);
}

const struct awk_ins *tc_awk_op_local_step(struct awk_vm *vm, const struct awk_ins *ins)
{
    return step(vm, ins, &vm->locals[ins->a]);
}

const struct awk_ins *tc_awk_op_element_step(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *element = pop_element(vm, ins);

    return element ? step(vm, ins, element) : NULL;
}

const struct awk_ins *tc_awk_op_special_step(struct awk_vm *vm, const struct awk_ins *ins)
{
    double before = special_number(vm, ins->a), after = stepped(ins, before);

    tc_awk_special_set(vm, ins->a, tc_awk_number(after));
    if (!ins->drop)
        tc_awk_push(vm, tc_awk_number(ins->prefix ? after : before));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_field_step(struct awk_vm *vm, const struct awk_ins *ins)
{
    int64_t index = pop_index(vm);
    double before, after;

    if (index < 0)
        return NULL;
    before = tc_awk_field_number(vm, index);
    after = stepped(ins, before);
    tc_awk_field_set(vm, index, tc_awk_number(after));
    if (!ins->drop)
        tc_awk_push(vm, tc_awk_number(ins->prefix ? after : before));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_delete(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top - 2);
    struct awk_key key;

    if (!array)
        return NULL;
    key = tc_awk_subscript(vm, vm->top - 1);
    tc_awk_array_delete(&vm->heap, array, &key);
    tc_awk_drop(vm);
    if (ins->place == AWK_ON_STACK)
        tc_awk_drop(vm);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_delete_all(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top - 1);

    if (!array)
        return NULL;
    tc_awk_array_clear(&vm->heap, array);
    if (ins->place == AWK_ON_STACK)
        tc_awk_drop(vm);
    return ins + 1;
}
