/*
 * Running of bc: the tree is walked. A fault at run time gives up the statement at
 * hand; the variables stay as they are.
 */
#include "shell/cmds/bc_ast.h"

#include <stdarg.h>

#include "base/mem.h"

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_STOP };

static struct bc_num *eval(struct bc *bc, const struct bc_node *node);
static enum flow run(struct bc *bc, const struct bc_node *node, struct bc_num **ret_value);

void tc_bc_error(struct bc *bc, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    if (bc->stop)
        return;
    va_start(ap, fmt);
    text = tc_arena_vprintf(bc->call->arena, fmt, ap);
    va_end(ap);
    tc_cmd_flush(bc->call->out);
    tc_cmd_printf(bc->call->err, "Runtime error (func=%.*s): %.*s\n",
                  TC_STR_ARG(bc->running ? bc->running->name : TC_STR("(main)")), TC_STR_ARG(text));
    bc->stop = true;
}

/* Never NULL: without memory the program is given up and the number is 0. */
static struct bc_num *checked(struct bc *bc, struct bc_num *num)
{
    if (num)
        return num;
    if (!bc->stop)
        tc_bc_error(bc, "number is too long, or out of memory");
    return tc_bc_ref(bc->zero);
}

/* --- numbers --- */

static int digit_value(char c)
{
    return c >= 'A' ? c - 'A' + 10 : c - '0';
}

/* By ibase; digits that are too large count as the largest, but for a single one. */
static struct bc_num *read_number(struct bc *bc, struct tc_str text)
{
    struct bc_num *base = tc_bc_int(bc->ibase), *num = tc_bc_int(0), *next, *digit, *power;
    size_t decimals = 0, digits = 0;
    bool point = false;

    for (size_t i = 0; i < text.n; i++)
        digits += text.p[i] != '.' && text.p[i] != '\\' && text.p[i] != '\n';
    for (size_t i = 0; i < text.n && num && base; i++) {
        int value = digit_value(text.p[i]);

        if (text.p[i] == '.')
            point = true;
        if (text.p[i] == '.' || text.p[i] == '\\' || text.p[i] == '\n')
            continue;
        digit = tc_bc_int(digits > 1 && value >= bc->ibase ? bc->ibase - 1 : value);
        next = tc_bc_mul(num, base);
        tc_bc_unref(num);
        num = tc_bc_add(next, digit);
        tc_bc_unref(next);
        tc_bc_unref(digit);
        decimals += point;
    }
    power = tc_bc_int(1);
    for (size_t i = 0; i < decimals && power; i++) {
        next = tc_bc_mul(power, base ? base : bc->zero);
        tc_bc_unref(power);
        power = next;
    }
    if (decimals) {
        next = tc_bc_div(num, power, decimals);
        tc_bc_unref(num);
        num = next;
    }
    tc_bc_unref(power);
    tc_bc_unref(base);
    return checked(bc, num);
}

static struct bc_num *multiply(struct bc *bc, const struct bc_num *a, const struct bc_num *b)
{
    size_t most = a->scale > b->scale ? a->scale : b->scale, sum = a->scale + b->scale;
    struct bc_num *exact = tc_bc_mul(a, b), *cut;

    most = most > bc->scale ? most : bc->scale;
    cut = tc_bc_rescale(exact, sum < most ? sum : most);
    tc_bc_unref(exact);
    return cut;
}

static struct bc_num *modulo(struct bc *bc, const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *quotient = tc_bc_div(a, b, bc->scale), *product = tc_bc_mul(quotient ? quotient : bc->zero, b);
    struct bc_num *rest = tc_bc_sub(a, product), *cut;
    size_t scale = bc->scale + b->scale;

    cut = tc_bc_rescale(rest, scale > a->scale ? scale : a->scale);
    tc_bc_unref(quotient);
    tc_bc_unref(product);
    tc_bc_unref(rest);
    return cut;
}

static void warn(struct bc *bc, const char *message)
{
    tc_cmd_flush(bc->call->out);
    tc_cmd_printf(bc->call->err, "Runtime warning (func=%.*s): %s\n",
                  TC_STR_ARG(bc->running ? bc->running->name : TC_STR("(main)")), message);
}

static struct bc_num *power(struct bc *bc, struct bc_num *a, const struct bc_num *b)
{
    int64_t exponent = tc_bc_to_int(b), n = exponent < 0 ? -exponent : exponent;
    struct bc_num *result = tc_bc_int(1), *square = tc_bc_ref(a), *next;
    size_t scale = bc->scale, most = a->scale > bc->scale ? a->scale : bc->scale;

    if (b->scale)
        warn(bc, "non-zero scale in exponent");
    if (exponent == INT64_MAX || exponent == INT64_MIN) {
        tc_bc_error(bc, "exponent too large in raise");
        n = 0;
    }
    for (; n && result && square; n >>= 1) {
        if (n & 1) {
            next = tc_bc_mul(result, square);
            tc_bc_unref(result);
            result = next;
        }
        next = n > 1 ? tc_bc_mul(square, square) : tc_bc_ref(square);
        tc_bc_unref(square);
        square = next;
        if (!tc_cmd_tick(bc->call, 64))
            break;
    }
    tc_bc_unref(square);
    if (exponent < 0 && result && tc_bc_is_zero(result)) {
        tc_bc_error(bc, "Divide by zero");
        return result;
    }
    if (exponent >= 0) {
        scale = result && result->scale < most ? result->scale : most;
        next = tc_bc_rescale(result, exponent == 0 ? 0 : scale);
    } else {
        next = tc_bc_div(bc->one, result, scale);
    }
    tc_bc_unref(result);
    return next;
}

static bool holds(int op, int order)
{
    switch (op) {
    case '<':
        return order < 0;
    case '>':
        return order > 0;
    case BC_LE:
        return order <= 0;
    case BC_GE:
        return order >= 0;
    case BC_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

static struct bc_num *compute(struct bc *bc, int op, struct bc_num *a, struct bc_num *b)
{
    if ((op == '/' || op == '%') && tc_bc_is_zero(b)) {
        tc_bc_error(bc, op == '/' ? "Divide by zero" : "Modulo by zero");
        return tc_bc_ref(bc->zero);
    }
    switch (op) {
    case '+':
        return checked(bc, tc_bc_add(a, b));
    case '-':
        return checked(bc, tc_bc_sub(a, b));
    case '*':
        return checked(bc, multiply(bc, a, b));
    case '/':
        return checked(bc, tc_bc_div(a, b, bc->scale));
    case '%':
        return checked(bc, modulo(bc, a, b));
    case '^':
        return checked(bc, power(bc, a, b));
    default:
        return tc_bc_ref(holds(op, tc_bc_cmp(a, b)) ? bc->one : bc->zero);
    }
}

/* --- places --- */

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
            checked(bc, NULL);
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
        return checked(bc, tc_bc_int((int64_t)bc->scale));
    case BC_IBASE:
        return checked(bc, tc_bc_int(bc->ibase));
    case BC_OBASE:
        return checked(bc, tc_bc_int(bc->obase));
    default:
        return tc_bc_ref(bc->last ? bc->last : bc->zero);
    }
}

/* A base within its bounds. */
static int64_t bounded(struct bc *bc, int64_t n, int64_t most, const char *small, const char *large)
{
    if (n >= 2 && n <= most)
        return n;
    warn(bc, n < 2 ? small : large);
    return n < 2 ? 2 : most;
}

static void set_special(struct bc *bc, int which, struct bc_num *value)
{
    int64_t n = tc_bc_to_int(value);

    switch (which) {
    case BC_SCALE:
        if (n < 0)
            warn(bc, "negative scale, set to 0");
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
    index = eval(bc, node->a);
    n = tc_bc_to_int(index);
    tc_bc_unref(index);
    return element(bc, node->array, n);
}

static struct bc_num *get(struct bc *bc, const struct bc_node *node)
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
        set_special(bc, node->op, value);
        return value;
    }
    at = place(bc, node);
    if (at) {
        tc_bc_unref(*at);
        *at = tc_bc_ref(value);
    }
    return value;
}

static struct bc_num *assign(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *value = eval(bc, node->b), *before, *sum;

    if (!node->op)
        return set(bc, node->a, value);
    before = get(bc, node->a);
    sum = compute(bc, node->op, before, value);
    tc_bc_unref(before);
    tc_bc_unref(value);
    return set(bc, node->a, sum);
}

static struct bc_num *step(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *before = get(bc, node->a);
    struct bc_num *after = compute(bc, node->op == BC_INCR ? '+' : '-', before, bc->one);

    after = set(bc, node->a, after);
    tc_bc_unref(node->prefix ? before : after);
    return node->prefix ? after : before;
}

/* --- functions --- */

static void clear_array(struct bc_array *array)
{
    for (size_t i = 0; i < array->n; i++)
        tc_bc_unref(array->items[i]);
    tc_mem_free(array->items);
    *array = (struct bc_array){0};
}

static bool copy_array(struct bc *bc, struct bc_array *to, const struct bc_array *from)
{
    *to = (struct bc_array){.items = tc_mem_zalloc(from->n + 1, sizeof(*to->items)), .n = from->n};
    if (!to->items) {
        *to = (struct bc_array){0};
        checked(bc, NULL);
        return false;
    }
    for (size_t i = 0; i < from->n; i++)
        to->items[i] = tc_bc_ref(from->items[i]);
    return true;
}

/* What a parameter or auto hides while the function runs. */
struct saved {
    struct bc_num *value;
    struct bc_array items;
    struct bc_array *back; /* of an array by reference: where it goes back to */
};

static void enter(struct bc *bc, struct bc_param *param, const struct bc_node *arg, struct bc_num *value,
                  struct saved *saved)
{
    struct bc_array copy = {0};

    if (!param->array) {
        saved->value = param->var->value;
        param->var->value = value;
        return;
    }
    if (arg && arg->kind == BC_ARRAY_ARG) {
        if (param->by_reference) {
            copy = *arg->array;
            *arg->array = (struct bc_array){0};
            saved->back = arg->array;
        } else {
            copy_array(bc, &copy, arg->array);
        }
    }
    saved->items = *param->items;
    *param->items = copy;
}

static void leave(struct bc_param *param, struct saved *saved)
{
    if (!param->array) {
        tc_bc_unref(param->var->value);
        param->var->value = saved->value;
        return;
    }
    if (saved->back)
        *saved->back = *param->items;
    else
        clear_array(param->items);
    if (saved->back != param->items)
        *param->items = saved->items;
}

static struct bc_num *run_function(struct bc *bc, struct bc_function *function, const struct bc_node *args,
                                   struct bc_num **values, struct saved *saved)
{
    struct bc_function *outer = bc->running;
    struct bc_num *result = NULL;
    size_t n = function->n_params;

    for (size_t i = 0; i < n; i++, args = args ? args->next : NULL)
        enter(bc, &function->params[i], args, values[i], &saved[i]);
    for (size_t i = 0; i < function->n_autos; i++)
        enter(bc, &function->autos[i], NULL, NULL, &saved[n + i]);
    bc->running = function;
    run(bc, function->body, &result);
    for (size_t i = function->n_autos; i-- > 0;)
        leave(&function->autos[i], &saved[n + i]);
    for (size_t i = n; i-- > 0;)
        leave(&function->params[i], &saved[i]);
    bc->running = outer;
    return result ? result : tc_bc_ref(bc->zero);
}

static struct bc_num *call(struct bc *bc, const struct bc_node *node)
{
    struct bc_function *function = node->function;
    struct bc_num **values, *result;
    struct saved *saved;
    size_t n = 0;

    for (const struct bc_node *arg = node->a; arg; arg = arg->next)
        n++;
    if (!function->body)
        tc_bc_error(bc, "Function %.*s not defined.", TC_STR_ARG(function->name));
    else if (n != function->n_params)
        tc_bc_error(bc, "Parameter number mismatch");
    else if (bc->calls >= BC_CALLS_MAX)
        tc_bc_error(bc, "function calls are nested too deeply");
    if (bc->stop || !tc_cmd_tick(bc->call, 4))
        return tc_bc_ref(bc->zero);
    values = tc_mem_zalloc(n + 1, sizeof(*values));
    saved = tc_mem_zalloc(n + function->n_autos + 1, sizeof(*saved));
    if (!values || !saved) {
        tc_mem_free(values);
        tc_mem_free(saved);
        return checked(bc, NULL);
    }
    n = 0;
    for (const struct bc_node *arg = node->a; arg; arg = arg->next, n++)
        values[n] = arg->kind == BC_ARRAY_ARG ? NULL : eval(bc, arg);
    bc->calls++;
    result = run_function(bc, function, node->a, values, saved);
    bc->calls--;
    tc_mem_free(values);
    tc_mem_free(saved);
    return result;
}

/* --- expressions --- */

static bool truth(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *value = eval(bc, node);
    bool is = !tc_bc_is_zero(value);

    tc_bc_unref(value);
    return is;
}

/* How many of both operands are true: bc evaluates the second one whatever the first is. */
static int truths(struct bc *bc, const struct bc_node *node)
{
    int first = truth(bc, node->a);

    return first + truth(bc, node->b);
}

static struct bc_num *measure(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *value = eval(bc, node->a), *result;
    size_t digits = tc_bc_digits(value);

    if (node->kind == BC_SQRT) {
        if (value->minus) {
            tc_bc_error(bc, "Square root of a negative number");
            result = tc_bc_ref(bc->zero);
        } else {
            result = checked(bc, tc_bc_sqrt(value, value->scale > bc->scale ? value->scale : bc->scale));
        }
    } else if (node->kind == BC_SCALE_OF) {
        result = checked(bc, tc_bc_int((int64_t)value->scale));
    } else {
        digits = digits > value->scale ? digits : value->scale;
        result = checked(bc, tc_bc_int(digits ? (int64_t)digits : 1));
    }
    tc_bc_unref(value);
    return result;
}

static struct bc_num *eval(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *a, *b, *result;

    if (bc->stop)
        return tc_bc_ref(bc->zero);
    switch (node->kind) {
    case BC_NUMBER:
        return read_number(bc, node->text);
    case BC_VAR:
    case BC_ELEMENT:
    case BC_SPECIAL:
        return get(bc, node);
    case BC_ASSIGN:
        return assign(bc, node);
    case BC_STEP:
        return step(bc, node);
    case BC_GROUP:
        return eval(bc, node->a);
    case BC_NOT:
        return tc_bc_ref(truth(bc, node->a) ? bc->zero : bc->one);
    case BC_AND:
        return tc_bc_ref(truths(bc, node) == 2 ? bc->one : bc->zero);
    case BC_OR:
        return tc_bc_ref(truths(bc, node) > 0 ? bc->one : bc->zero);
    case BC_CALL:
        return call(bc, node);
    case BC_SQRT:
    case BC_LENGTH:
    case BC_SCALE_OF:
        return measure(bc, node);
    case BC_NEGATE:
        a = eval(bc, node->a);
        result = checked(bc, tc_bc_neg(a));
        tc_bc_unref(a);
        return result;
    default:
        a = eval(bc, node->a);
        b = eval(bc, node->b);
        result = compute(bc, node->op, a, b);
        tc_bc_unref(a);
        tc_bc_unref(b);
        return result;
    }
}

/* --- statements --- */

static void write_value(struct bc *bc, const struct bc_node *expr)
{
    struct bc_num *value = eval(bc, expr);
    bool silent = expr->kind == BC_ASSIGN || (expr->kind == BC_CALL && expr->function->returns_nothing);

    if (!bc->stop && !silent) {
        tc_bc_write_number(bc, value);
        tc_bc_write_text(bc, TC_STR("\n"), false);
        set_special(bc, BC_LAST, value);
    }
    tc_bc_unref(value);
}

static void print(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *value;

    for (const struct bc_node *item = node->a; item && !bc->stop; item = item->next) {
        if (item->kind == BC_STRING) {
            tc_bc_write_text(bc, item->text, true);
            continue;
        }
        value = eval(bc, item);
        if (!bc->stop) {
            tc_bc_write_number(bc, value);
            set_special(bc, BC_LAST, value);
        }
        tc_bc_unref(value);
    }
}

static enum flow loop(struct bc *bc, const struct bc_node *node, struct bc_num **ret_value)
{
    const struct bc_node *condition = node->kind == BC_FOR ? node->b : node->a;
    const struct bc_node *body = node->kind == BC_FOR ? node->d : node->b;
    enum flow flow = FLOW_NEXT;

    if (node->kind == BC_FOR && node->a)
        tc_bc_unref(eval(bc, node->a));
    while (!bc->stop && (!condition || truth(bc, condition))) {
        if (!tc_cmd_tick(bc->call, 2)) {
            bc->stop = bc->halted = true;
            break;
        }
        flow = run(bc, body, ret_value);
        if (flow == FLOW_BREAK)
            return FLOW_NEXT;
        if (flow == FLOW_RETURN || flow == FLOW_STOP)
            return flow;
        if (node->kind == BC_FOR && node->c)
            tc_bc_unref(eval(bc, node->c));
    }
    return FLOW_NEXT;
}

static enum flow run(struct bc *bc, const struct bc_node *node, struct bc_num **ret_value)
{
    enum flow flow = FLOW_NEXT;

    switch (node->kind) {
    case BC_BLOCK:
        for (const struct bc_node *child = node->a; child && flow == FLOW_NEXT && !bc->stop; child = child->next)
            flow = run(bc, child, ret_value);
        break;
    case BC_EXPR:
        write_value(bc, node->a);
        break;
    case BC_STRING:
        tc_bc_write_text(bc, node->text, false);
        break;
    case BC_PRINT:
        print(bc, node);
        break;
    case BC_IF:
        if (truth(bc, node->a))
            flow = run(bc, node->b, ret_value);
        else if (node->c)
            flow = run(bc, node->c, ret_value);
        break;
    case BC_WHILE:
    case BC_FOR:
        flow = loop(bc, node, ret_value);
        break;
    case BC_BREAK:
        return FLOW_BREAK;
    case BC_CONTINUE:
        return FLOW_CONTINUE;
    case BC_RETURN:
        *ret_value = node->a ? eval(bc, node->a) : tc_bc_ref(bc->zero);
        return FLOW_RETURN;
    case BC_HALT:
        bc->halted = bc->stop = true;
        break;
    default:
        break;
    }
    return bc->stop ? FLOW_STOP : flow;
}

void tc_bc_run(struct bc *bc, const struct bc_node *statement)
{
    struct bc_num *value = NULL;

    bc->stop = false;
    run(bc, statement, &value);
    tc_bc_unref(value);
}
