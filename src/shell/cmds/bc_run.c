/*
 * Running of bc: the tree is walked. A fault at run time gives up the statement at
 * hand; the variables stay as they are.
 */
#include "shell/cmds/bc_run.h"

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_STOP };

static enum flow run(struct bc *bc, const struct bc_node *node, struct bc_num **ret_value);

/* --- expressions --- */

static bool truth(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *value = tc_bc_eval(bc, node);
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
    struct bc_num *value = tc_bc_eval(bc, node->a), *result;
    size_t digits = tc_bc_digits(value);

    if (node->kind == BC_SQRT) {
        if (value->minus) {
            tc_bc_error(bc, "Square root of a negative number");
            result = tc_bc_ref(bc->zero);
        } else {
            result = tc_bc_checked(bc, tc_bc_sqrt(value, value->scale > bc->scale ? value->scale : bc->scale));
        }
    } else if (node->kind == BC_SCALE_OF) {
        result = tc_bc_checked(bc, tc_bc_int((int64_t)value->scale));
    } else {
        digits = digits > value->scale ? digits : value->scale;
        result = tc_bc_checked(bc, tc_bc_int(digits ? (int64_t)digits : 1));
    }
    tc_bc_unref(value);
    return result;
}

struct bc_num *tc_bc_eval(struct bc *bc, const struct bc_node *node)
{
    struct bc_num *a, *b, *result;

    if (bc->stop)
        return tc_bc_ref(bc->zero);
    switch (node->kind) {
    case BC_NUMBER:
        return tc_bc_read_number(bc, node->text);
    case BC_VAR:
    case BC_ELEMENT:
    case BC_SPECIAL:
        return tc_bc_value(bc, node);
    case BC_ASSIGN:
        return tc_bc_assign(bc, node);
    case BC_STEP:
        return tc_bc_step(bc, node);
    case BC_GROUP:
        return tc_bc_eval(bc, node->a);
    case BC_NOT:
        return tc_bc_ref(truth(bc, node->a) ? bc->zero : bc->one);
    case BC_AND:
        return tc_bc_ref(truths(bc, node) == 2 ? bc->one : bc->zero);
    case BC_OR:
        return tc_bc_ref(truths(bc, node) > 0 ? bc->one : bc->zero);
    case BC_CALL:
        return tc_bc_call(bc, node);
    case BC_SQRT:
    case BC_LENGTH:
    case BC_SCALE_OF:
        return measure(bc, node);
    case BC_NEGATE:
        a = tc_bc_eval(bc, node->a);
        result = tc_bc_checked(bc, tc_bc_neg(a));
        tc_bc_unref(a);
        return result;
    default:
        a = tc_bc_eval(bc, node->a);
        b = tc_bc_eval(bc, node->b);
        result = tc_bc_compute(bc, node->op, a, b);
        tc_bc_unref(a);
        tc_bc_unref(b);
        return result;
    }
}

/* --- statements --- */

static void write_value(struct bc *bc, const struct bc_node *expr)
{
    struct bc_num *value = tc_bc_eval(bc, expr);
    bool silent = expr->kind == BC_ASSIGN || (expr->kind == BC_CALL && expr->function->returns_nothing);

    if (!bc->stop && !silent) {
        tc_bc_write_number(bc, value);
        tc_bc_write_text(bc, TC_STR("\n"), false);
        tc_bc_set_special(bc, BC_LAST, value);
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
        value = tc_bc_eval(bc, item);
        if (!bc->stop) {
            tc_bc_write_number(bc, value);
            tc_bc_set_special(bc, BC_LAST, value);
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
        tc_bc_unref(tc_bc_eval(bc, node->a));
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
            tc_bc_unref(tc_bc_eval(bc, node->c));
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
        *ret_value = node->a ? tc_bc_eval(bc, node->a) : tc_bc_ref(bc->zero);
        return FLOW_RETURN;
    case BC_HALT:
        bc->halted = bc->stop = true;
        break;
    default:
        break;
    }
    return bc->stop ? FLOW_STOP : flow;
}

struct bc_num *tc_bc_run_body(struct bc *bc, const struct bc_node *body)
{
    struct bc_num *value = NULL;

    run(bc, body, &value);
    return value;
}

void tc_bc_run(struct bc *bc, const struct bc_node *statement)
{
    bc->stop = false;
    tc_bc_unref(tc_bc_run_body(bc, statement));
}
