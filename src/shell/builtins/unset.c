/*
 * unset: variables, elements of arrays, functions.
 */
#include "shell/builtin.h"
#include "shell/expand_value.h"

static enum tc_sh_flow unset_function(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name)
{
    const struct tc_sh_function *function = tc_sh_env_function(env, name);

    if (function && function->readonly)
        return tc_sh_builtin_fail(env, c, "%.*s: cannot unset: readonly function", TC_STR_ARG(name));
    tc_sh_env_undefine(env, name);
    return TC_SH_NEXT;
}

/* a[@] and a[*]: all elements; of an associative array the one with that key. */
static enum tc_sh_set unset_all(struct tc_sh_env *env, const struct tc_sh_target *target)
{
    if (target->flags & TC_SH_VAR_ASSOC)
        return tc_sh_vars_unset_key(env->vars, target->name, target->star ? TC_STR("*") : TC_STR("@"));
    if (!(target->flags & TC_SH_VAR_INDEXED))
        return tc_sh_vars_exists(env->vars, target->name) ? TC_SH_SET_TYPE : TC_SH_SET_OK;
    if (target->flags & TC_SH_VAR_READONLY)
        return TC_SH_SET_READONLY;
    return tc_sh_vars_has_value(env->vars, target->name) ? tc_sh_vars_clear(env->vars, target->name, TC_SH_VAR_INDEXED)
                                                         : TC_SH_SET_OK;
}

static enum tc_sh_flow unset_variable(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str text, bool reference)
{
    struct tc_sh_target target = {.kind = TC_SH_TARGET_SCALAR, .name = text};
    enum tc_sh_flow flow = reference ? TC_SH_NEXT : tc_sh_target_of_text(env, text, &target);
    enum tc_sh_set set;

    if (flow != TC_SH_NEXT)
        return tc_sh_builtin_done(env, 1);
    if (target.kind == TC_SH_TARGET_ALL)
        set = unset_all(env, &target);
    else if (target.kind == TC_SH_TARGET_INDEX)
        set = tc_sh_vars_unset_at(env->vars, target.name, target.index);
    else if (target.kind == TC_SH_TARGET_KEY)
        set = tc_sh_vars_unset_key(env->vars, target.name, target.key);
    else
        set = tc_sh_vars_unset(env->vars, target.name);
    switch (set) {
    case TC_SH_SET_OK:
        return TC_SH_NEXT;
    case TC_SH_SET_READONLY:
        return tc_sh_builtin_fail(env, c, "%.*s: cannot unset: readonly variable", TC_STR_ARG(target.name));
    case TC_SH_SET_TYPE:
        return tc_sh_builtin_fail(env, c, "%.*s: not an array variable", TC_STR_ARG(target.name));
    case TC_SH_SET_SUBSCRIPT:
        return tc_sh_builtin_fail(env, c, "%.*s: bad array subscript", TC_STR_ARG(text));
    default:
        return tc_sh_out_of_memory(env);
    }
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool functions = false, variables = false, reference = false;
    enum tc_sh_flow flow = TC_SH_NEXT;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        functions |= option == 'f';
        variables |= option == 'v';
        reference |= option == 'n';
    }
    if (functions && variables)
        return tc_sh_builtin_fail(env, c, "cannot simultaneously unset a function and a variable");
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT; i++) {
        struct tc_str text = tc_sh_builtin_arg(c, i);
        if (!functions && !tc_sh_builtin_is_target(text)) {
            if (variables)
                tc_sh_builtin_fail(env, c, "`%s': not a valid identifier", c->argv[i]);
            else
                flow = unset_function(env, c, text);
        } else if (functions || (!variables && !reference && !tc_str_ends(text, TC_STR("]")) &&
                                 !tc_sh_vars_exists(env->vars, text) && tc_sh_env_function(env, text))) {
            flow = unset_function(env, c, text);
        } else {
            flow = unset_variable(env, c, text, reference);
        }
    }
    return flow;
}

static const struct tc_cmd_option options[] = {{'f', "f", TC_CMD_NONE, NULL, "functions"},
                                               {'v', "v", TC_CMD_NONE, NULL, "variables"},
                                               {'n', "n", TC_CMD_NONE, NULL, "a reference itself, not what it names"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_unset = {
    .cmd = {.name = "unset",
            .usage = "[-f] [-v] [-n] [name ...]",
            .summary = "Forgets variables, elements of arrays, and functions.",
            .options = options},
    .special = true,
    .run = run};
