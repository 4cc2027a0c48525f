/*
 * set: options and positional parameters; without arguments a list of all variables.
 */
#include "shell/declare.h"

static enum tc_sh_flow list_all(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_str *names = tc_sh_vars_names(env->vars, c->arena, TC_STR(""), 0);
    struct tc_str *functions = tc_sh_table_names(env->functions, c->arena);
    struct tc_buf buf;

    if (!names || !functions)
        return tc_sh_out_of_memory(env);
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (; names->p; names++)
        if (!tc_sh_declare_unmade(env, *names))
            tc_sh_declare_print_value(&buf, env, *names);
    for (; !(env->options & TC_SH_O_POSIX) && functions->p; functions++) {
        tc_sh_print_function(&buf, *functions, tc_sh_env_function(env, *functions)->node->body);
        tc_buf_char(&buf, '\n');
    }
    return tc_sh_builtin_put_buf(env, c, &buf);
}

static bool is_on(const struct tc_sh_env *env, const struct tc_sh_option_row *row)
{
    return row->bit ? (env->options & row->bit) != 0 : row->on;
}

/* `set -o` and `set +o`. */
static void list_options(struct tc_sh_env *env, struct tc_cmd_call *c, bool as_commands)
{
    for (const struct tc_sh_option_row *row = tc_sh_option_rows; row->name; row++) {
        if (as_commands)
            tc_cmd_printf(c->out, "set %co %s\n", is_on(env, row) ? '-' : '+', row->name);
        else
            tc_cmd_printf(c->out, "%-15s\t%s\n", row->name, is_on(env, row) ? "on" : "off");
    }
}

static enum tc_sh_flow set_args(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    size_t n;
    struct tc_str *v = tc_sh_builtin_args(c, c->at, &n);
    struct tc_sh_args *args = v ? tc_sh_args_create(v, n) : NULL;

    if (!args)
        return tc_sh_out_of_memory(env);
    tc_sh_args_unref(env->args);
    env->args = args;
    return tc_sh_builtin_done(env, 0);
}

static void turn(struct tc_sh_env *env, const struct tc_sh_option_row *row, bool on)
{
    env->options = on ? env->options | row->bit : env->options & ~row->bit;
}

/* One argument of letters. False: told, or a list was asked for. */
static bool letters(struct tc_sh_env *env, struct tc_cmd_call *c, const char *arg)
{
    for (const char *letter = arg + 1; *letter; letter++) {
        const struct tc_sh_option_row *row = tc_sh_option_of_letter(*letter);

        if (*letter == 'o') {
            if (c->at >= c->argc) {
                list_options(env, c, arg[0] == '+');
                return false;
            }
            row = tc_sh_option_find(tc_sh_option_rows, tc_sh_builtin_arg(c, c->at++));
            if (!row) {
                tc_sh_builtin_fail(env, c, "%s: invalid option name", c->argv[c->at - 1]);
                env->status = TC_SH_USAGE;
                return false;
            }
        }
        if (!row) {
            tc_sh_builtin_fail(env, c, "%c%c: invalid option", arg[0], *letter);
            tc_sh_builtin_usage(env, c);
            return false;
        }
        turn(env, row, arg[0] == '-');
    }
    return true;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    c->at = 1;
    if (c->argc == 1)
        return list_all(env, c);
    if (!strcmp(c->argv[1], "--help"))
        return tc_sh_builtin_usage(env, c);
    while (c->at < c->argc) {
        const char *arg = c->argv[c->at];

        if (!strcmp(arg, "--")) {
            c->at++;
            return set_args(env, c);
        }
        if (!strcmp(arg, "-")) {
            env->options &= ~(unsigned)(TC_SH_O_XTRACE | TC_SH_O_VERBOSE);
            return ++c->at < c->argc ? set_args(env, c) : TC_SH_NEXT;
        }
        if ((arg[0] != '-' && arg[0] != '+') || !arg[1])
            return set_args(env, c);
        c->at++;
        if (!letters(env, c, arg))
            return TC_SH_NEXT;
    }
    return TC_SH_NEXT;
}

const struct tc_sh_builtin tc_sh_builtin_set = {
    .cmd = {.name = "set",
            .usage = "[-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
            .summary = "Sets options (-e -u -x -o pipefail …) and positional parameters, or lists variables.",
            .flags = TC_CMD_RAW},
    .special = true,
    .run = run};
