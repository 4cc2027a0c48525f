/*
 * One operand of declare at a time: where the name is to live, its attributes, its
 * value. Attributes that change values (-i -l -u) and kinds (-a -A) go before the
 * value, -r and -n after it.
 */
#include "shell/declare.h"

#include "shell/expand_value.h"

enum { AFTER = TC_SH_VAR_READONLY | TC_SH_VAR_NAMEREF };

/* One operand, taken apart. */
struct operand {
    const struct tc_sh_assign *array; /* x=(…) as the parser had it, or NULL */
    struct tc_str text, name, value;
    bool has_value, append, subscript;
};

bool tc_sh_declare_in_function(const struct tc_sh_env *env)
{
    const struct tc_sh_frame *frame = env->frame;

    while (frame && !frame->function)
        frame = frame->outer;
    return frame != NULL;
}

static bool parse(struct tc_sh_env *env, struct tc_cmd_call *c, int i, struct operand *op)
{
    struct tc_cx cx = {.arena = c->arena};
    struct tc_sh_assign assign = {0};

    *op = (struct operand){.array = env->arrays ? env->arrays[i] : NULL, .text = tc_sh_builtin_arg(c, i)};
    if (op->array) {
        op->name = op->array->name;
        return true;
    }
    if (!tc_sh_parser_assign(&cx, op->text, &assign, &op->value, &op->has_value))
        return false;
    op->name = assign.name;
    op->append = assign.append;
    op->subscript = assign.subscript != NULL;
    return true;
}

/* "(a b)" as a value of an array: its items, as the parser would have made them. */
static enum tc_sh_flow parse_items(struct tc_sh_env *env, struct tc_cmd_call *c, struct operand *op)
{
    struct tc_cx cx = {.arena = env->code ? &env->code->arena : c->arena};
    struct tc_sh_assign *assign = TC_ARENA_NEW(c->arena, struct tc_sh_assign);

    if (!assign)
        return tc_sh_out_of_memory(env);
    assign->name = op->name;
    assign->append = op->append;
    assign->array = true;
    if (tc_sh_parser_items(&cx, op->value, assign) != TC_OK)
        return tc_sh_builtin_fail(env, c, "%.*s", TC_STR_ARG(cx.err.message));
    op->array = assign;
    return TC_SH_NEXT;
}

static enum tc_sh_flow told(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name, enum tc_sh_set set)
{
    switch (set) {
    case TC_SH_SET_OK:
        return TC_SH_NEXT;
    case TC_SH_SET_READONLY:
        if (!strcmp(c->argv[0], "export") || !strcmp(c->argv[0], "readonly")) {
            tc_sh_warn(env, "%.*s: readonly variable", TC_STR_ARG(name));
            return tc_sh_builtin_done(env, 1);
        }
        return tc_sh_builtin_fail(env, c, "%.*s: readonly variable", TC_STR_ARG(name));
    case TC_SH_SET_TYPE:
        return tc_sh_builtin_fail(env, c,
                                  tc_sh_vars_flags(env->vars, name) & TC_SH_VAR_ASSOC
                                      ? "%.*s: cannot convert associative to indexed array"
                                      : "%.*s: cannot convert indexed to associative array",
                                  TC_STR_ARG(name));
    default:
        return tc_sh_out_of_memory(env);
    }
}

static enum tc_sh_flow assign_value(struct tc_sh_env *env, const struct operand *op, unsigned add)
{
    struct tc_sh_target target;
    enum tc_sh_flow flow;
    struct tc_str text;

    if (op->array)
        return tc_sh_expand_assign(env, op->array);
    if (!op->has_value)
        return TC_SH_NEXT;
    if (add & TC_SH_VAR_NAMEREF)
        return tc_sh_vars_set(env->vars, op->name, op->value) == TC_SH_SET_OK ? TC_SH_NEXT : tc_sh_out_of_memory(env);
    text = op->text;
    text.n -= op->value.n + 1 + op->append;
    if (!op->append)
        return tc_sh_expand_set(env, text, op->value);
    env->doing = TC_STR("declare");
    flow = tc_sh_target_of_text(env, text, &target);
    if (flow == TC_SH_NEXT)
        flow = tc_sh_target_set(env, &target, op->value, true);
    env->doing = (struct tc_str){0};
    return flow;
}

static bool valid_reference(struct tc_str target)
{
    size_t at = tc_str_chr(target, '[');

    return target.n == 0 || tc_sh_parser_is_name(at == SIZE_MAX ? target : tc_str_n(target.p, at));
}

/* -n: the value is a name. */
static bool check_reference(struct tc_sh_env *env, struct tc_cmd_call *c, const struct operand *op)
{
    if (op->array || (tc_sh_vars_flags(env->vars, op->name) & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)))
        tc_sh_builtin_fail(env, c, "%.*s: reference variable cannot be an array", TC_STR_ARG(op->name));
    else if (op->has_value && !valid_reference(op->value))
        tc_sh_builtin_fail(env, c, "`%.*s': invalid variable name for name reference", TC_STR_ARG(op->value));
    else if (op->has_value && tc_str_eq(op->value, op->name) && !tc_sh_declare_in_function(env))
        tc_sh_builtin_fail(env, c, "%.*s: nameref variable self references not allowed", TC_STR_ARG(op->name));
    else
        return true;
    return false;
}

static enum tc_sh_flow enter_scope(struct tc_sh_env *env, struct tc_cmd_call *c, const struct operand *op,
                                   bool inherits)
{
    if (tc_sh_vars_is_local(env->vars, op->name))
        return TC_SH_NEXT;
    if (tc_sh_vars_flags(env->vars, op->name) & TC_SH_VAR_READONLY)
        return told(env, c, op->name, TC_SH_SET_READONLY);
    return told(env, c, op->name, tc_sh_vars_local(env->vars, op->name, inherits));
}

static enum tc_sh_flow variable(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d,
                                struct operand *op)
{
    unsigned flags = tc_sh_vars_flags(env->vars, op->name), add = d->add, remove = d->remove;
    bool wants_array =
        (add & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)) || (!d->local && (flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)));
    enum tc_sh_flow flow = TC_SH_NEXT;

    if (op->has_value && wants_array && !op->subscript && op->value.n > 1 && op->value.p[0] == '(' &&
        op->value.p[op->value.n - 1] == ')')
        flow = parse_items(env, c, op);
    if (flow == TC_SH_NEXT && d->local && env->status == 0)
        flow = enter_scope(env, c, op, d->inherits || (env->shopt & TC_SH_S_LOCALVAR_INHERIT));
    if (flow != TC_SH_NEXT || env->status)
        return flow;
    flags = tc_sh_vars_flags(env->vars, op->name);
    if ((flags & TC_SH_VAR_READONLY) && (op->has_value || op->array || (remove & TC_SH_VAR_READONLY)))
        return told(env, c, op->name, TC_SH_SET_READONLY);
    if ((add & TC_SH_VAR_NAMEREF) && !check_reference(env, c, op))
        return TC_SH_NEXT;
    if ((op->array || op->subscript) && !(add & TC_SH_VAR_ASSOC) && !(flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC)))
        add |= TC_SH_VAR_INDEXED;
    if (add & (TC_SH_VAR_LOWER | TC_SH_VAR_UPPER | TC_SH_VAR_CAPITAL))
        remove |= (TC_SH_VAR_LOWER | TC_SH_VAR_UPPER | TC_SH_VAR_CAPITAL) & ~add;
    flow = told(env, c, op->name, tc_sh_vars_mark(env->vars, op->name, add & ~(unsigned)AFTER, remove));
    if (flow != TC_SH_NEXT || env->status)
        return flow;
    flow = assign_value(env, op, add);
    if (flow == TC_SH_NEXT && (add & AFTER))
        flow = told(env, c, op->name, tc_sh_vars_mark(env->vars, op->name, add & AFTER, 0));
    return flow;
}

static enum tc_sh_flow one_variable(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d, int i)
{
    struct operand op;
    struct tc_str name, sub;
    enum tc_sh_flow flow;

    if (!parse(env, c, i, &op))
        return tc_sh_builtin_fail(env, c, "`%s': not a valid identifier", c->argv[i]);
    if (!d->local && !((d->add | d->remove) & TC_SH_VAR_NAMEREF) && !op.subscript &&
        (tc_sh_vars_flags(env->vars, op.name) & TC_SH_VAR_NAMEREF) &&
        tc_sh_vars_resolve(env->vars, op.name, &name, &sub) && !sub.n && !op.array) {
        op.text = tc_arena_printf(c->arena, "%.*s%s%.*s", TC_STR_ARG(name),
                                  !op.has_value ? ""
                                  : op.append   ? "+="
                                                : "=",
                                  TC_STR_ARG(op.value));
        op.name = tc_str_n(op.text.p, name.n);
        if (op.has_value)
            op.value = tc_str_from(op.text, op.text.n - op.value.n);
    }
    if (d->global)
        tc_sh_vars_global(env->vars, true);
    flow = variable(env, c, d, &op);
    if (d->global)
        tc_sh_vars_global(env->vars, false);
    return flow;
}

/* -f and -F with names: printed, or given attributes. */
static enum tc_sh_flow one_function(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d,
                                    struct tc_str name)
{
    unsigned changes = (d->add | d->remove) & (TC_SH_VAR_EXPORT | TC_SH_VAR_READONLY | TC_SH_VAR_TRACE);
    struct tc_sh_function *function = tc_sh_env_function(env, name);
    struct tc_buf buf;

    if (!function) {
        if (changes)
            return tc_sh_builtin_fail(env, c, "%.*s: not a function", TC_STR_ARG(name));
        return tc_sh_builtin_done(env, 1);
    }
    if (changes && !d->prints) {
        function = tc_sh_env_function_own(env, name);
        if (!function)
            return tc_sh_out_of_memory(env);
        function->exported = ((d->add & TC_SH_VAR_EXPORT) || function->exported) && !(d->remove & TC_SH_VAR_EXPORT);
        function->readonly |= (d->add & TC_SH_VAR_READONLY) != 0;
        function->traced = ((d->add & TC_SH_VAR_TRACE) || function->traced) && !(d->remove & TC_SH_VAR_TRACE);
        return TC_SH_NEXT;
    }
    if (d->names) {
        tc_cmd_printf(c->out, "%.*s", TC_STR_ARG(name));
        if (env->shopt & TC_SH_S_EXTDEBUG)
            tc_cmd_printf(c->out, " %d %.*s", function->node->line, TC_STR_ARG(function->code->name));
        tc_cmd_putc(c->out, '\n');
        return TC_SH_NEXT;
    }
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    tc_sh_print_function(&buf, name, function->node->body);
    tc_buf_char(&buf, '\n');
    return tc_sh_builtin_put_buf(env, c, &buf);
}

static enum tc_sh_flow list_functions(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d)
{
    struct tc_str *names = tc_sh_table_names(env->functions, c->arena);
    struct tc_buf buf;

    if (!names)
        return tc_sh_out_of_memory(env);
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (; names->p; names++) {
        const struct tc_sh_function *function = tc_sh_env_function(env, *names);
        bool plain = !function->readonly && !function->traced && !function->exported;
        if (((d->add & TC_SH_VAR_EXPORT) && !function->exported) ||
            ((d->add & TC_SH_VAR_READONLY) && !function->readonly) || ((d->add & TC_SH_VAR_TRACE) && !function->traced))
            continue;
        if (!d->names) {
            tc_sh_print_function(&buf, *names, function->node->body);
            tc_buf_char(&buf, '\n');
        }
        if (d->names || !plain)
            tc_buf_printf(&buf, "declare -f%s%s%s %.*s\n", function->readonly ? "r" : "", function->traced ? "t" : "",
                          function->exported ? "x" : "", TC_STR_ARG(*names));
    }
    return tc_sh_builtin_put_buf(env, c, &buf);
}

static enum tc_sh_flow list_variables(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d)
{
    struct tc_str *names = tc_sh_vars_names(env->vars, c->arena, TC_STR(""), d->add);
    bool values = !d->add && !d->prints && !d->local, export_style = (env->options & TC_SH_O_POSIX) && d->add;
    struct tc_buf buf;

    if (!names)
        return tc_sh_out_of_memory(env);
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (; names->p; names++) {
        bool unmade = tc_sh_declare_unmade(env, *names);
        if ((d->local && !tc_sh_vars_is_local(env->vars, *names)) || (unmade && values))
            continue;
        if (export_style && (d->add == TC_SH_VAR_EXPORT || d->add == TC_SH_VAR_READONLY)) {
            tc_buf_cstr(&buf, d->add == TC_SH_VAR_EXPORT ? "export " : "readonly ");
            tc_sh_declare_print_value(&buf, env, *names);
        } else if (values) {
            tc_sh_declare_print_value(&buf, env, *names);
        } else {
            tc_sh_declare_print(&buf, env, *names, unmade);
        }
    }
    return tc_sh_builtin_put_buf(env, c, &buf);
}

static enum tc_sh_flow print_named(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_buf buf;
    int missing = 0;

    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (int i = c->at; i < c->argc; i++) {
        struct tc_str name = tc_sh_builtin_arg(c, i);
        if (tc_sh_vars_exists(env->vars, name)) {
            tc_sh_declare_print(&buf, env, name, false);
            continue;
        }
        missing = 1;
        tc_sh_builtin_fail(env, c, "%.*s: not found", TC_STR_ARG(name));
    }
    env->status = missing;
    return tc_sh_builtin_put_buf(env, c, &buf);
}

enum tc_sh_flow tc_sh_declare(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d)
{
    enum tc_sh_flow flow = TC_SH_NEXT;
    int status = 0;

    if (c->at >= c->argc && (d->functions || d->names))
        return list_functions(env, c, d);
    if (c->at >= c->argc) {
        flow = list_variables(env, c, d);
        return flow == TC_SH_NEXT && !d->add && !d->prints && !d->local && tc_sh_table_count(env->functions)
                   ? list_functions(env, c, d)
                   : flow;
    }
    if (d->prints && !d->functions && !d->names)
        return print_named(env, c);
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT; i++) {
        env->status = 0;
        flow = d->functions || d->names ? one_function(env, c, d, tc_sh_builtin_arg(c, i)) : one_variable(env, c, d, i);
        if (flow == TC_SH_ABORT && !env->abandon) {
            env->status = 1;
            flow = TC_SH_NEXT;
        }
        status |= env->status;
    }
    env->status = status;
    return flow;
}
