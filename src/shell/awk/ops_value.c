/*
 * Instructions that make values of others.
 */
#include <math.h>

#include "shell/awk/ops.h"
#include "shell/awk/vm.h"

const struct awk_ins *tc_awk_op_number(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_push(vm, tc_awk_number(ins->num));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_string(struct awk_vm *vm, const struct awk_ins *ins)
{
    if (ins->str)
        tc_awk_push(vm, tc_awk_string(tc_awk_string_ref(ins->str)));
    else
        tc_awk_push(vm, (struct awk_value){.type = AWK_UNSET});
    return ins + 1;
}

const struct awk_ins *tc_awk_op_typed(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_push(vm, (struct awk_value){.type = AWK_REGEX, .str = tc_awk_string_ref(ins->str)});
    return ins + 1;
}

static struct tc_str global_name(struct awk_vm *vm, int slot)
{
    return vm->program->globals[slot];
}

static struct tc_str local_name(struct awk_vm *vm, int slot)
{
    return vm->program->functions[vm->function]->names[slot];
}

struct tc_str tc_awk_name_of(struct awk_vm *vm, const struct awk_ins *ins)
{
    if (ins->place == AWK_ON_STACK)
        return TC_STR("element");
    return ins->place == AWK_IN_LOCAL ? local_name(vm, ins->a) : global_name(vm, ins->a);
}

static const struct awk_ins *push_scalar(struct awk_vm *vm, const struct awk_ins *ins, const struct awk_value *v)
{
    if (v->type < AWK_ARRAY) {
        tc_awk_push(vm, tc_awk_copy(v));
        return ins + 1;
    }
    tc_awk_push(vm, (struct awk_value){.type = AWK_UNSET});
    return v->type == AWK_REF ? ins + 1 : NULL;
}

const struct awk_ins *tc_awk_op_global(struct awk_vm *vm, const struct awk_ins *ins)
{
    const struct awk_ins *next = push_scalar(vm, ins, &vm->globals[ins->a]);

    if (!next)
        tc_awk_fatal(vm, "attempt to use array `%.*s' in a scalar context", TC_STR_ARG(global_name(vm, ins->a)));
    return next;
}

const struct awk_ins *tc_awk_op_local(struct awk_vm *vm, const struct awk_ins *ins)
{
    const struct awk_ins *next = push_scalar(vm, ins, &vm->locals[ins->a]);

    if (!next)
        tc_awk_fatal(vm, "attempt to use array `%.*s' in a scalar context", TC_STR_ARG(local_name(vm, ins->a)));
    return next;
}

const struct awk_ins *tc_awk_op_special(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_push(vm, tc_awk_special_get(vm, ins->a));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_pass_global(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *v = &vm->globals[ins->a];

    if (v->type == AWK_UNSET)
        tc_awk_push(vm, (struct awk_value){.type = AWK_REF, .num = ins->a});
    else
        tc_awk_push(vm, tc_awk_copy(v));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_pass_local(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *v = &vm->locals[ins->a];

    if (v->type == AWK_UNSET)
        tc_awk_push(vm, (struct awk_value){.type = AWK_REF, .num = -1 - (double)(v - vm->stack)});
    else
        tc_awk_push(vm, tc_awk_copy(v));
    return ins + 1;
}

/* An index of a field; negative ones are fatal. */
static int64_t field_index(struct awk_vm *vm, double num)
{
    if (num > -1 && num <= AWK_FIELDS_MAX)
        return (int64_t)num;
    if (num <= -1)
        tc_awk_fatal(vm, "attempt to access field %.0f", num);
    else
        tc_awk_fatal(vm, "field number is too large");
    return 0;
}

const struct awk_ins *tc_awk_op_field(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 1;
    int64_t index = field_index(vm, tc_awk_to_number(top));

    tc_awk_clear(&vm->heap, top);
    if (ins->prefix) /* it may be assigned to: it is there from now on */
        tc_awk_field_touch(vm, index);
    *top = tc_awk_field_get(vm, index);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_field_at(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_push(vm, tc_awk_field_get(vm, ins->n));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_field_number(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_push(vm, tc_awk_number(tc_awk_field_number(vm, ins->n)));
    return ins + 1;
}

/* The array that an instruction works on; one on the stack stands at `top`. NULL after a fatal error. */
struct awk_array *tc_awk_array_operand(struct awk_vm *vm, const struct awk_ins *ins, struct awk_value *top)
{
    struct awk_value *v;

    if (ins->place == AWK_ON_STACK)
        return top->type == AWK_ARRAY ? top->array : NULL;
    v = ins->place == AWK_IN_GLOBAL ? &vm->globals[ins->a] : &vm->locals[ins->a];
    if (v->type == AWK_ARRAY)
        return v->array;
    return tc_awk_array_of(vm, v, ins->place == AWK_IN_GLOBAL ? global_name(vm, ins->a) : local_name(vm, ins->a),
                           ins->place == AWK_IN_LOCAL);
}

/* Makes a subscript of the value: a whole number of 32 bits, or a string. */
struct awk_key tc_awk_subscript(struct awk_vm *vm, struct awk_value *v)
{
    if (v->type != AWK_NUMBER || !(v->num >= INT32_MIN && v->num <= INT32_MAX) || v->num != (double)(int32_t)v->num)
        tc_awk_to_string(&vm->heap, v, vm->convfmt);
    return tc_awk_key_of(v);
}

const struct awk_ins *tc_awk_op_array(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top);

    if (!array)
        return NULL;
    tc_awk_push(vm, (struct awk_value){.type = AWK_ARRAY, .array = tc_awk_array_ref(array)});
    return ins + 1;
}

const struct awk_ins *tc_awk_op_subarray(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *array = vm->top - 2;
    struct awk_key key = tc_awk_subscript(vm, vm->top - 1);
    struct awk_value *element = tc_awk_array_at(&vm->heap, array->array, &key);
    struct awk_array *inner = NULL;

    if (element)
        inner = tc_awk_array_of(vm, element, TC_STR("element"), false);
    tc_awk_drop(vm);
    if (!inner)
        return NULL;
    tc_awk_array_ref(inner);
    tc_awk_clear(&vm->heap, array);
    *array = (struct awk_value){.type = AWK_ARRAY, .array = inner};
    return ins + 1;
}

/* The result takes the place of the key, and of the array below it. */
static void replace_key(struct awk_vm *vm, const struct awk_ins *ins, struct awk_value result)
{
    tc_awk_drop(vm);
    if (ins->place == AWK_ON_STACK)
        tc_awk_drop(vm);
    tc_awk_push(vm, result);
}

const struct awk_ins *tc_awk_op_element(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top - 2);
    struct awk_value *element, result = {.type = AWK_UNSET};
    struct awk_key key;

    if (!array)
        return NULL;
    key = tc_awk_subscript(vm, vm->top - 1);
    element = tc_awk_array_at(&vm->heap, array, &key);
    if (element && element->type == AWK_ARRAY && !ins->op) {
        tc_awk_fatal(vm, "attempt to use array `%.*s' in a scalar context", TC_STR_ARG(key.text));
        return NULL;
    }
    if (element)
        result = tc_awk_copy(element);
    if (result.type == AWK_UNSET)
        result.num = AWK_NEW_ELEMENT;
    replace_key(vm, ins, result);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_in(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_array *array = tc_awk_array_operand(vm, ins, vm->top - 2);
    struct awk_key key;
    bool found;

    if (!array)
        return NULL;
    key = tc_awk_subscript(vm, vm->top - 1);
    found = tc_awk_array_find(array, &key) != NULL;
    replace_key(vm, ins, tc_awk_number(found));
    return ins + 1;
}

/* Takes the two numbers on top; the result goes to the lower place, which it returns. */
static struct awk_value *operands(struct awk_vm *vm, double *ret_a, double *ret_b)
{
    struct awk_value *b = --vm->top, *a = vm->top - 1;

    *ret_a = tc_awk_to_number(a);
    *ret_b = tc_awk_to_number(b);
    tc_awk_clear(&vm->heap, a);
    tc_awk_clear(&vm->heap, b);
    a->type = AWK_NUMBER;
    return a;
}

const struct awk_ins *tc_awk_op_add(struct awk_vm *vm, const struct awk_ins *ins)
{
    double a, b;
    struct awk_value *to = operands(vm, &a, &b);

    to->num = a + b;
    return ins + 1;
}

const struct awk_ins *tc_awk_op_sub(struct awk_vm *vm, const struct awk_ins *ins)
{
    double a, b;
    struct awk_value *to = operands(vm, &a, &b);

    to->num = a - b;
    return ins + 1;
}

const struct awk_ins *tc_awk_op_mul(struct awk_vm *vm, const struct awk_ins *ins)
{
    double a, b;
    struct awk_value *to = operands(vm, &a, &b);

    to->num = a * b;
    return ins + 1;
}

const struct awk_ins *tc_awk_op_div(struct awk_vm *vm, const struct awk_ins *ins)
{
    double a, b;
    struct awk_value *to = operands(vm, &a, &b);

    to->num = tc_awk_arithmetic(vm, AWK_T_SLASH, a, b, false);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_mod(struct awk_vm *vm, const struct awk_ins *ins)
{
    double a, b;
    struct awk_value *to = operands(vm, &a, &b);

    to->num = tc_awk_arithmetic(vm, AWK_T_PERCENT, a, b, false);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_pow(struct awk_vm *vm, const struct awk_ins *ins)
{
    double a, b;
    struct awk_value *to = operands(vm, &a, &b);

    to->num = tc_awk_arithmetic(vm, AWK_T_POWER, a, b, false);
    return ins + 1;
}

static void divided_by_zero(struct awk_vm *vm, const char *op, bool assigns)
{
    if (assigns)
        tc_awk_fatal(vm, "division by zero attempted in `%s='", op);
    else if (op[0] == '/')
        tc_awk_fatal(vm, "division by zero attempted");
    else
        tc_awk_fatal(vm, "division by zero attempted in `%s'", op);
}

/* By squaring where the exponent is whole, as gawk does: 3 ^ 20 is exact. */
static double power(double a, double b)
{
    double result = 1;
    long n;

    if (b != floor(b) || fabs(b) > 1000000)
        return pow(a, b);
    for (n = (long)fabs(b); n; n >>= 1, a *= a)
        if (n & 1)
            result *= a;
    return b < 0 ? 1 / result : result;
}

double tc_awk_arithmetic(struct awk_vm *vm, int op, double a, double b, bool assigns)
{
    switch (op) {
    case AWK_T_PLUS:
        return a + b;
    case AWK_T_MINUS:
        return a - b;
    case AWK_T_STAR:
        return a * b;
    case AWK_T_SLASH:
        if (b == 0)
            divided_by_zero(vm, "/", assigns);
        return a / b;
    case AWK_T_PERCENT:
        if (b == 0)
            divided_by_zero(vm, "%", assigns);
        return fmod(a, b);
    default:
        return power(a, b);
    }
}

const struct awk_ins *tc_awk_op_minus(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 1;
    double num = tc_awk_to_number(top);

    tc_awk_clear(&vm->heap, top);
    *top = tc_awk_number(-num);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_plus(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 1;
    double num = tc_awk_to_number(top);

    tc_awk_clear(&vm->heap, top);
    *top = tc_awk_number(num);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_not(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 1;
    bool truth = tc_awk_truth(top);

    tc_awk_clear(&vm->heap, top);
    *top = tc_awk_number(!truth);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_truth(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 1;
    bool truth = tc_awk_truth(top);

    tc_awk_clear(&vm->heap, top);
    *top = tc_awk_number(truth);
    return ins + 1;
}

/* With IGNORECASE letters of both cases are the same. */
static int compare(struct awk_vm *vm, struct awk_value *a, struct awk_value *b)
{
    if (a->type == AWK_NUMBER && b->type == AWK_NUMBER && a->num == a->num && b->num == b->num)
        return a->num < b->num ? -1 : a->num > b->num;
    if (vm->ignore_case && (a->type == AWK_STRING || b->type == AWK_STRING)) {
        tc_awk_fold(vm, a);
        tc_awk_fold(vm, b);
    }
    return tc_awk_compare(&vm->heap, a, b, vm->convfmt);
}

bool tc_awk_holds(struct awk_vm *vm, int op, struct awk_value *a, struct awk_value *b)
{
    int order = compare(vm, a, b);

    switch (op) {
    case AWK_T_LT:
        return order < 0;
    case AWK_T_LE:
        return order <= 0;
    case AWK_T_GT:
        return order > 0;
    case AWK_T_GE:
        return order >= 0;
    case AWK_T_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

const struct awk_ins *tc_awk_op_compare(struct awk_vm *vm, const struct awk_ins *ins)
{
    bool holds = tc_awk_holds(vm, ins->op, vm->top - 2, vm->top - 1);

    tc_awk_drop(vm);
    tc_awk_clear(&vm->heap, vm->top - 1);
    vm->top[-1] = tc_awk_number(holds);
    return ins + 1;
}

/* n values become one string with `between` between them. */
static void join(struct awk_vm *vm, int n, struct tc_str between)
{
    struct awk_value *first = vm->top - n;
    size_t total = (size_t)(n - 1) * between.n;
    struct awk_string *s;
    char *to;

    for (int i = 0; i < n; i++)
        total += tc_awk_str(vm, &first[i]).n;
    s = tc_awk_string_new(&vm->heap, total);
    to = s->p;
    for (int i = 0; i < n; i++) {
        struct tc_str part = tc_awk_string_text(first[i].str);

        if (s->n == total && total) {
            if (i && between.n)
                memcpy(to, between.p, between.n), to += between.n;
            memcpy(to, part.p, part.n);
            to += part.n;
        }
        tc_awk_string_unref(&vm->heap, first[i].str);
    }
    vm->top = first;
    tc_awk_push(vm, tc_awk_string(s));
}

const struct awk_ins *tc_awk_op_concat(struct awk_vm *vm, const struct awk_ins *ins)
{
    join(vm, ins->a, tc_str_n("", 0));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_join(struct awk_vm *vm, const struct awk_ins *ins)
{
    join(vm, ins->a, tc_awk_string_text(vm->subsep));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_match_record(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct tc_str record;
    struct awk_value whole;
    bool found;

    if (tc_awk_field_text(vm, 0, &record)) {
        found = tc_awk_search(vm, ins->regex, record, 0, NULL, 0);
    } else {
        whole = tc_awk_field_get(vm, 0);
        found = tc_awk_search(vm, ins->regex, tc_awk_str(vm, &whole), 0, NULL, 0);
        tc_awk_clear(&vm->heap, &whole);
    }
    tc_awk_push(vm, tc_awk_number(found));
    return ins + 1;
}

const struct awk_ins *tc_awk_op_match_constant(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 1;
    bool found = tc_awk_search(vm, ins->regex, tc_awk_str(vm, top), 0, NULL, 0);

    tc_awk_clear(&vm->heap, top);
    *top = tc_awk_number(found != ins->op);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_match(struct awk_vm *vm, const struct awk_ins *ins)
{
    struct awk_value *top = vm->top - 2;
    struct awk_regex *regex = tc_awk_regex_of(vm, tc_awk_str(vm, vm->top - 1));
    bool found = regex && tc_awk_search(vm, regex, tc_awk_str(vm, top), 0, NULL, 0);

    tc_awk_drop(vm);
    tc_awk_clear(&vm->heap, top);
    *top = tc_awk_number(found != ins->op);
    return ins + 1;
}

const struct awk_ins *tc_awk_op_pop(struct awk_vm *vm, const struct awk_ins *ins)
{
    tc_awk_drop(vm);
    return ins + 1;
}
