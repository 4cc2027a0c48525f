/*
 * getopts: one option a call. Where it stands inside of a cluster is kept in the
 * environment; a change of OPTIND by the script begins anew.
 */
#include <stdio.h>
#include "shell/builtin.h"

static enum tc_sh_flow set_number(struct tc_sh_env *env, const char *name, int value)
{
    char text[16];

    snprintf(text, sizeof text, "%d", value);
    return tc_sh_expand_set(env, tc_str_of(name), tc_str_of(text));
}

static enum tc_sh_flow set_letter(struct tc_sh_env *env, struct tc_str name, char letter)
{
    return tc_sh_expand_set(env, name, tc_str_n(&letter, 1));
}

/* What is told of option `letter`; silent: OPTARG says which. */
static enum tc_sh_flow complain(struct tc_sh_env *env, struct tc_cmd_call *c, const char *text, char letter,
                                bool silent)
{
    struct tc_str quiet;

    if (silent)
        return tc_sh_expand_set(env, TC_STR("OPTARG"), tc_str_n(&letter, 1));
    tc_sh_vars_unset(env->vars, TC_STR("OPTARG"));
    if (!tc_sh_vars_get(env->vars, TC_STR("OPTERR"), &quiet) || !tc_str_is(quiet, "0")) {
        tc_cmd_printf(c->err, "%.*s: %s -- %c\n", TC_STR_ARG(tc_sh_env_script(env)), text, letter);
        tc_cmd_flush(c->err);
    }
    return TC_SH_NEXT;
}

/* No more options: the name is "?", OPTIND the first operand. */
static enum tc_sh_flow finish(struct tc_sh_env *env, struct tc_str name, int at)
{
    enum tc_sh_flow flow = set_letter(env, name, '?');

    env->getopts_at = at;
    env->getopts_in = 0;
    if (flow == TC_SH_NEXT)
        flow = set_number(env, "OPTIND", at);
    tc_sh_vars_unset(env->vars, TC_STR("OPTARG"));
    env->status = 1;
    return flow;
}

struct cursor {
    const struct tc_str *args;
    size_t n;
    int at, in;
};

/* The argument of an option, attached or the next word. False: there is none. */
static bool take_value(struct cursor *cursor, struct tc_str *ret_value)
{
    struct tc_str arg = cursor->args[cursor->at - 1];

    if ((size_t)cursor->in < arg.n) {
        *ret_value = tc_str_from(arg, (size_t)cursor->in);
    } else {
        if ((size_t)cursor->at >= cursor->n)
            return false;
        *ret_value = cursor->args[cursor->at++];
    }
    cursor->at++;
    cursor->in = 0;
    return true;
}

static enum tc_sh_flow next(struct tc_sh_env *env, struct tc_cmd_call *c, struct cursor *cursor, struct tc_str letters,
                            struct tc_str name)
{
    bool silent = letters.n && letters.p[0] == ':';
    char letter = cursor->args[cursor->at - 1].p[cursor->in++];
    size_t known = letter == ':' ? SIZE_MAX : tc_str_chr(letters, letter);
    struct tc_str value;
    enum tc_sh_flow flow = TC_SH_NEXT;

    if (known == SIZE_MAX) {
        flow = complain(env, c, "illegal option", letter, silent);
        letter = '?';
    } else if (known + 1 < letters.n && letters.p[known + 1] == ':') {
        if (take_value(cursor, &value)) {
            flow = tc_sh_expand_set(env, TC_STR("OPTARG"), value);
        } else {
            flow = complain(env, c, "option requires an argument", letter, silent);
            letter = silent ? ':' : '?';
            cursor->at++;
            cursor->in = 0;
        }
    } else {
        tc_sh_vars_unset(env->vars, TC_STR("OPTARG"));
    }
    if (cursor->in && (size_t)cursor->in >= cursor->args[cursor->at - 1].n) {
        cursor->at++;
        cursor->in = 0;
    }
    env->getopts_at = cursor->at;
    env->getopts_in = cursor->in;
    if (flow == TC_SH_NEXT)
        flow = set_number(env, "OPTIND", cursor->at);
    env->status = 0;
    return flow == TC_SH_NEXT ? set_letter(env, name, letter) : flow;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct cursor cursor = {.args = env->args->v, .n = env->args->n};
    struct tc_str letters, name, text, arg;
    int64_t index;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (c->argc - c->at < 2)
        return tc_sh_builtin_usage(env, c);
    letters = tc_sh_builtin_arg(c, c->at);
    name = tc_sh_builtin_arg(c, c->at + 1);
    if (!tc_sh_parser_is_name(name))
        return tc_sh_builtin_fail(env, c, "`%.*s': not a valid identifier", TC_STR_ARG(name));
    if (c->argc - c->at > 2 && !(cursor.args = tc_sh_builtin_args(c, c->at + 2, &cursor.n)))
        return tc_sh_out_of_memory(env);
    if (!tc_sh_vars_get(env->vars, TC_STR("OPTIND"), &text) || !tc_str_int(text, &index) || index < 1 ||
        index > INT32_MAX)
        index = 1;
    cursor.at = (int)index;
    cursor.in = index == env->getopts_at ? env->getopts_in : 0;
    if ((size_t)cursor.at > cursor.n)
        return finish(env, name, cursor.at > (int)cursor.n + 1 ? (int)cursor.n + 1 : cursor.at);
    arg = cursor.args[cursor.at - 1];
    if (cursor.in == 0 || (size_t)cursor.in >= arg.n) {
        if (arg.n < 2 || arg.p[0] != '-')
            return finish(env, name, cursor.at);
        if (tc_str_is(arg, "--"))
            return finish(env, name, cursor.at + 1);
        cursor.in = 1;
    }
    return next(env, c, &cursor, letters, name);
}

const struct tc_sh_builtin tc_sh_builtin_getopts = {
    .cmd = {.name = "getopts",
            .usage = "optstring name [arg ...]",
            .summary = "Parses options of positional parameters, one a call: OPTIND, OPTARG."},
    .run = run};
