/*
 * Trees of arithmetic, walked: 64 bits, wrapping. Names are variables whose values are
 * expressions in their turn, to a depth.
 */
#include "shell/arith.h"

#include "shell/expand_parts.h"
#include "shell/expand_value.h"

enum { DEPTH_MAX = 1024, STACK_LEFT_MIN = 48 * 1024 };

struct run {
    struct tc_sh_env *env;
    struct tc_sh_arith_tree *tree;
    enum tc_sh_flow flow;
    int depth;
};

static int64_t walk(struct run *r, struct tc_sh_arith_node *node);

static int64_t fail(struct run *r, const char *message, size_t token)
{
    struct tc_str text = r->tree->text, doing = r->env->doing;

    if (r->flow != TC_SH_NEXT)
        return 0;
    tc_sh_warn(r->env, "%.*s%s%.*s: %s (error token is \"%.*s\")", TC_STR_ARG(doing), doing.n ? ": " : "",
               TC_STR_ARG(text), message, TC_STR_ARG(tc_str_from(text, token)));
    r->env->status = 1;
    r->flow = TC_SH_ABORT;
    return 0;
}

/* A syntax error that is reached. */
static int64_t fail_syntax(struct run *r, const struct tc_sh_arith_node *error)
{
    struct tc_str whole = r->tree->text;

    if (error->value)
        r->tree->text.n = (size_t)error->value;
    fail(r, error->message, error->token);
    r->tree->text = whole;
    return 0;
}

/* --- values of names --- */

/* What most values are: a decimal number. */
static bool is_decimal(struct tc_str text, int64_t *ret_value)
{
    bool minus = text.n > 0 && text.p[0] == '-';
    int64_t value = 0;
    size_t i = minus;

    if (text.n == i || text.n > 18 || (text.p[i] == '0' && text.n > i + 1))
        return false;
    for (; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return false;
        value = value * 10 + (text.p[i] - '0');
    }
    *ret_value = minus ? -value : value;
    return true;
}

static int64_t walk_tree(struct run *outer, struct tc_sh_arith_tree *tree, size_t token)
{
    struct run r = {outer->env, tree, TC_SH_NEXT, outer->depth + 1};
    struct tc_sh_sched *sched = outer->env->sh->sched;
    int64_t value;

    if (r.depth > DEPTH_MAX || (sched && tc_sh_sched_stack_left(sched) < STACK_LEFT_MIN))
        return fail(outer, "expression recursion level exceeded", token);
    value = tree->root ? walk(&r, tree->root) : 0;
    if (tree->error && r.flow == TC_SH_NEXT) /* it stood where nothing was evaluated */
        fail_syntax(&r, tree->error);
    if (r.flow != TC_SH_NEXT)
        outer->flow = r.flow;
    return value;
}

static int64_t text_value(struct run *r, struct tc_str text, size_t token)
{
    struct tc_arena *arena = tc_sh_arena(r->env);
    struct tc_arena_mark mark;
    struct tc_sh_arith_tree *tree;
    int64_t value = 0;

    if (text.n == 0 || is_decimal(text, &value))
        return value;
    if (!tc_sh_tick(r->env, 1)) {
        r->flow = TC_SH_STOP;
        return 0;
    }
    mark = tc_arena_mark(arena);
    if (tc_sh_arith_parse(arena, text, &tree))
        value = walk_tree(r, tree, token);
    else
        r->flow = tc_sh_out_of_memory(r->env);
    tc_arena_rewind(arena, &mark);
    return value;
}

static bool names_element(struct tc_str sub)
{
    return sub.n > 0 && !tc_str_is(sub, "@") && !tc_str_is(sub, "*");
}

/* What a name with its subscript stands for; the subscript is evaluated. */
static bool find(struct run *r, struct tc_sh_arith_node *node, struct tc_sh_target *target)
{
    struct tc_str sub = node->sub;

    r->flow = tc_sh_target_find(r->env, node->name, NULL, target);
    if (r->flow != TC_SH_NEXT)
        return false;
    if (!sub.p || target->kind != TC_SH_TARGET_SCALAR)
        return true;
    target->key = sub;
    if (target->flags & TC_SH_VAR_ASSOC) {
        target->kind = TC_SH_TARGET_KEY;
        if (sub.n >= 2 && (sub.p[0] == '"' || sub.p[0] == '\'') && sub.p[sub.n - 1] == sub.p[0])
            target->key = tc_str_n(sub.p + 1, sub.n - 2);
        return true;
    }
    target->kind = TC_SH_TARGET_INDEX;
    if (!names_element(sub)) {
        r->flow = tc_sh_target_refused(r->env, TC_SH_SET_SUBSCRIPT, node->name, sub);
        return false;
    }
    if (!node->subscript && !tc_sh_arith_parse(r->tree->arena, sub, &node->subscript)) {
        r->flow = tc_sh_out_of_memory(r->env);
        return false;
    }
    target->index = walk_tree(r, node->subscript, node->token);
    return r->flow == TC_SH_NEXT;
}

static int64_t read_target(struct run *r, struct tc_sh_arith_node *node, struct tc_sh_target *target)
{
    r->flow = tc_sh_target_read(r->env, target);
    if (r->flow != TC_SH_NEXT)
        return 0;
    if (!target->set && r->env->options & TC_SH_O_NOUNSET) {
        r->flow = tc_sh_unbound(r->env, node->name);
        return 0;
    }
    return target->set ? text_value(r, target->one, node->token) : 0;
}

static int64_t name_value(struct run *r, struct tc_sh_arith_node *node)
{
    const unsigned other = TC_SH_VAR_NAMEREF | TC_SH_VAR_DYNAMIC;
    struct tc_sh_var_look look;
    struct tc_sh_target target;
    int64_t value;

    if (!node->sub.p && tc_sh_vars_look(r->env->vars, node->name, &look) && look.set && !(look.flags & other)) {
        if (is_decimal(look.value, &value))
            return value;
        return text_value(r, look.value, node->token);
    }
    if (find(r, node, &target))
        return read_target(r, node, &target);
    if (node->sub.p && !names_element(node->sub) && r->flow == TC_SH_ABORT)
        r->flow = TC_SH_NEXT; /* that is told, and counts as 0 */
    return 0;
}

/* --- changes --- */

static void set(struct run *r, const struct tc_sh_target *target, int64_t value)
{
    const unsigned simple = TC_SH_VAR_EXPORT | TC_SH_VAR_INTEGER | TC_SH_VAR_TRACE;
    struct tc_str text = tc_sh_decimal(r->env, value);

    if (!text.p) {
        r->flow = TC_SH_STOP;
        return;
    }
    if (target->kind == TC_SH_TARGET_SCALAR && !(target->flags & ~simple) && !(r->env->options & TC_SH_O_ALLEXPORT) &&
        tc_sh_vars_set(r->env->vars, target->name, text) == TC_SH_SET_OK)
        return;
    r->flow = tc_sh_target_set(r->env, target, text, false);
}

/* A target without a subscript or attributes of note, found by one look. */
static bool find_plain(struct run *r, struct tc_sh_arith_node *node, struct tc_sh_target *target)
{
    unsigned flags;

    if (node->sub.p)
        return find(r, node, target);
    flags = tc_sh_vars_flags(r->env->vars, node->name);
    if (flags & TC_SH_VAR_NAMEREF)
        return find(r, node, target);
    target->kind = TC_SH_TARGET_SCALAR;
    target->name = node->name;
    target->flags = flags;
    return true;
}

static int64_t step(struct run *r, struct tc_sh_arith_node *node)
{
    struct tc_sh_target target;
    int64_t before, after;

    if (!find_plain(r, node->a, &target))
        return 0;
    before = read_target(r, node->a, &target);
    after = (int64_t)((uint64_t)before + (uint64_t)node->value);
    if (r->flow == TC_SH_NEXT)
        set(r, &target, after);
    return node->op == TC_SH_AR_STEP_BEFORE ? after : before;
}

/* --- operators --- */

static int64_t power(struct run *r, struct tc_sh_arith_node *node, uint64_t base, int64_t exponent)
{
    uint64_t value = 1;

    if (exponent < 0)
        return fail(r, "exponent less than 0", node->token);
    for (; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1)
            value *= base;
    return (int64_t)value;
}

static int64_t divide(struct run *r, enum tc_sh_arith_op op, int64_t a, int64_t b, size_t token)
{
    if (b == 0)
        return fail(r, "division by 0", token);
    if (b == -1) /* INT64_MIN has no positive twin: it wraps */
        return op == TC_SH_AR_DIV ? (int64_t) - (uint64_t)a : 0;
    return op == TC_SH_AR_DIV ? a / b : a % b;
}

static int64_t operate(struct run *r, struct tc_sh_arith_node *node, enum tc_sh_arith_op op, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    switch (op) {
    case TC_SH_AR_BIT_OR:
        return a | b;
    case TC_SH_AR_BIT_XOR:
        return a ^ b;
    case TC_SH_AR_BIT_AND:
        return a & b;
    case TC_SH_AR_EQ:
        return a == b;
    case TC_SH_AR_NE:
        return a != b;
    case TC_SH_AR_LE:
        return a <= b;
    case TC_SH_AR_GE:
        return a >= b;
    case TC_SH_AR_LT:
        return a < b;
    case TC_SH_AR_GT:
        return a > b;
    case TC_SH_AR_LEFT:
        return (int64_t)(x << (y & 63));
    case TC_SH_AR_RIGHT:
        return a >> (y & 63);
    case TC_SH_AR_ADD:
        return (int64_t)(x + y);
    case TC_SH_AR_SUB:
        return (int64_t)(x - y);
    case TC_SH_AR_MUL:
        return (int64_t)(x * y);
    case TC_SH_AR_DIV:
    case TC_SH_AR_MOD:
        return divide(r, op, a, b, node->token);
    case TC_SH_AR_POWER:
        return power(r, node, x, b);
    default:
        return b; /* the comma */
    }
}

/* bash finds the name of x=… behind the value, that of x+=… before it. */
static int64_t assign(struct run *r, struct tc_sh_arith_node *node)
{
    struct tc_sh_target target;
    int64_t value, old = 0;

    if (node->assign != TC_SH_AR_ASSIGN) {
        if (!find_plain(r, node->a, &target))
            return 0;
        old = read_target(r, node->a, &target);
    }
    if (r->flow != TC_SH_NEXT)
        return 0;
    value = walk(r, node->b);
    if (node->value)
        fail_syntax(r, r->tree->error);
    if (r->flow != TC_SH_NEXT)
        return 0;
    if (node->assign != TC_SH_AR_ASSIGN)
        value = operate(r, node, node->assign, old, value);
    else if (!find_plain(r, node->a, &target))
        return 0;
    if (r->flow == TC_SH_NEXT)
        set(r, &target, value);
    return value;
}

static int64_t walk(struct run *r, struct tc_sh_arith_node *node)
{
    int64_t a;

    switch (node->op) {
    case TC_SH_AR_NUMBER:
        return node->value;
    case TC_SH_AR_NAME:
        return name_value(r, node);
    case TC_SH_AR_ERROR:
        return fail_syntax(r, node);
    case TC_SH_AR_ASSIGN:
        return assign(r, node);
    case TC_SH_AR_STEP_BEFORE:
    case TC_SH_AR_STEP_BEHIND:
        return step(r, node);
    default:
        break;
    }
    a = walk(r, node->a);
    switch (node->op) {
    case TC_SH_AR_NOT:
        return !a;
    case TC_SH_AR_COMPLEMENT:
        return ~a;
    case TC_SH_AR_NEGATE:
        return (int64_t) - (uint64_t)a;
    case TC_SH_AR_PLUS:
        return a;
    case TC_SH_AR_COND:
        return r->flow == TC_SH_NEXT ? walk(r, a ? node->b : node->c) : 0;
    default:
        break;
    }
    for (; node && r->flow == TC_SH_NEXT; node = node->c) {
        int64_t b;
        if (node->op == TC_SH_AR_OR || node->op == TC_SH_AR_AND) {
            bool enough = (node->op == TC_SH_AR_OR) == (a != 0);
            a = enough ? a != 0 : walk(r, node->b) != 0;
            continue;
        }
        b = walk(r, node->b);
        if (r->flow == TC_SH_NEXT)
            a = operate(r, node, node->op, a, b);
    }
    return a;
}

/* --- the face --- */

static enum tc_sh_flow evaluate(struct tc_sh_env *env, struct tc_sh_arith_tree *tree, int64_t *ret_value)
{
    struct run r = {env, tree, TC_SH_NEXT, 0};
    int64_t value = tree->root ? walk(&r, tree->root) : 0;

    if (tree->error && r.flow == TC_SH_NEXT)
        fail_syntax(&r, tree->error);
    if (r.flow == TC_SH_NEXT)
        *ret_value = value;
    return r.flow;
}

enum tc_sh_flow tc_sh_arith_text(struct tc_sh_env *env, struct tc_str text, int64_t *ret_value)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark;
    struct tc_sh_arith_tree *tree;
    enum tc_sh_flow flow;

    if (is_decimal(text, ret_value))
        return TC_SH_NEXT;
    mark = tc_arena_mark(arena);
    if (tc_sh_arith_parse(arena, text, &tree))
        flow = evaluate(env, tree, ret_value);
    else
        flow = tc_sh_out_of_memory(env);
    tc_arena_rewind(arena, &mark);
    return flow;
}

static bool is_literal(const struct tc_sh_word *word)
{
    for (size_t i = 0; i < word->n; i++)
        if (word->parts[i].kind != TC_SH_LITERAL)
            return false;
    return true;
}

/* Expressions without expansions stay compiled, where their nodes live. */
static bool compile(struct tc_sh_arith *arith, struct tc_str text)
{
    struct tc_sh_arith_tree *tree;

    if (!arith->arena || !is_literal(arith->text) || !tc_sh_arith_parse(arith->arena, text, &tree))
        return false;
    arith->compiled = tree;
    return true;
}

enum tc_sh_flow tc_sh_arith_eval(struct tc_sh_env *env, struct tc_sh_arith *arith, int64_t *ret_value)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark;
    enum tc_sh_flow flow = TC_SH_NEXT;
    struct tc_str text, doing = env->doing;

    *ret_value = 0;
    if (arith->compiled)
        return evaluate(env, arith->compiled, ret_value);
    if (!arith->text)
        return TC_SH_NEXT;
    mark = tc_arena_mark(arena);
    env->doing = (struct tc_str){0}; /* and so it stays when an expansion fails */
    flow = tc_sh_expand_string(env, arith->text, &text);
    if (flow == TC_SH_NEXT)
        env->doing = doing;
    if (flow == TC_SH_NEXT && compile(arith, text))
        flow = evaluate(env, arith->compiled, ret_value);
    else if (flow == TC_SH_NEXT)
        flow = tc_sh_arith_text(env, text, ret_value);
    tc_arena_rewind(arena, &mark);
    return flow;
}
