/*
 * bash and sh: a new shell that sees what is exported; its script is -c's text, a file,
 * or standard input, which is read line by line.
 */
#include <errno.h>
#include "shell/builtin.h"
#include "shell/exec_lines.h"
#include "shell/exec_parts.h"
#include "shell/trap.h"

enum { LINE_MAX_BYTES = 1 << 20 };

struct request {
    bool command, input, interactive;
};

/* Letters of one argument, for the new shell. False: told. */
static bool letters(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_env *child, struct request *r, char *arg)
{
    bool on = arg[0] == '-';

    for (char *letter = arg + 1; *letter; letter++) {
        const struct tc_sh_option_row *row = tc_sh_option_of_letter(*letter);
        const struct tc_sh_option_row *rows = *letter == 'O' ? tc_sh_shopt_rows : tc_sh_option_rows;
        unsigned *bits = *letter == 'O' ? &child->shopt : &child->options;

        if (*letter == 'c' || *letter == 's' || *letter == 'i' || *letter == 'l') {
            r->command |= *letter == 'c';
            r->input |= *letter == 's';
            continue;
        }
        if (*letter == 'o' || *letter == 'O') {
            row = c->at < c->argc ? tc_sh_option_find(rows, tc_sh_builtin_arg(c, c->at++)) : NULL;
            if (!row) {
                tc_sh_builtin_fail(env, c, "%s: invalid option name", c->argv[c->at - 1]);
                return false;
            }
        }
        if (!row) {
            tc_sh_builtin_fail(env, c, "%c%c: invalid option", arg[0], *letter);
            return false;
        }
        *bits = on ? *bits | row->bit : *bits & ~row->bit;
    }
    return true;
}

static bool long_option(struct tc_sh_env *child, const char *arg)
{
    static const char *const accepted[] = {"--norc", "--noprofile", "--login", "--noediting"};

    if (!strcmp(arg, "--posix"))
        child->options |= TC_SH_O_POSIX;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        if (!strcmp(arg, accepted[i]))
            return true;
    return !strcmp(arg, "--posix");
}

/* Options of the command line; false: told, or answered. */
static bool parse(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_env *child, struct request *r)
{
    for (c->at = 1; c->at < c->argc;) {
        char *arg = c->argv[c->at];

        if ((arg[0] != '-' && arg[0] != '+') || !arg[1] || r->command)
            break;
        c->at++;
        if (!strcmp(arg, "--"))
            break;
        if (!strcmp(arg, "--version")) {
            tc_cmd_puts(c->out, "GNU bash, version 5.2.15(1)-release (as understood by toolcrib)\n");
            return false;
        }
        if (!strcmp(arg, "--help")) {
            tc_cmd_printf(c->out, "Usage: %s %s\n", c->argv[0], c->cmd->usage);
            return false;
        }
        if (arg[0] == '-' && arg[1] == '-') {
            if (long_option(child, arg))
                continue;
            tc_sh_builtin_fail(env, c, "%s: invalid option", arg);
            env->status = TC_SH_USAGE;
            return false;
        }
        if (!letters(env, c, child, r, arg)) {
            env->status = TC_SH_USAGE;
            return false;
        }
    }
    return true;
}

static bool set_args(struct tc_sh_env *child, struct tc_cmd_call *c, int from)
{
    size_t n;
    struct tc_str *v = tc_sh_builtin_args(c, from, &n);
    struct tc_sh_args *args = v ? tc_sh_args_create(v, n) : NULL;

    if (!args)
        return false;
    tc_sh_args_unref(child->args);
    child->args = args;
    return true;
}

static int next_line(void *arg, struct tc_sh_env *env, bool more, struct tc_buf *line)
{
    struct tc_sh_file *in = tc_sh_fds_get(&env->fds, 0);

    (void)arg;
    (void)more;
    return in && tc_sh_file_read_to(env->sh->sched, in, '\n', LINE_MAX_BYTES, 0, line) == 1;
}

/* Standard input as the script. */
static int run_input(struct tc_sh_env *child)
{
    struct tc_sh_lines lines = {.next = next_line};
    enum tc_sh_flow flow = tc_sh_exec_lines(child, &lines);
    int status = tc_sh_exec_finish(child, flow);

    tc_sh_env_destroy(child);
    return status;
}

static int run_file(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_env *child)
{
    struct tc_str path = tc_sh_builtin_arg(c, c->at), text;
    int error = tc_sh_exec_read(child, path, &text);
    bool binary = !error && memchr(text.p, '\0', text.n < 80 ? text.n : 80);

    if (!error && !binary)
        return tc_sh_exec_main(child, text, path, true);
    tc_sh_env_destroy(child);
    if (binary) {
        tc_cmd_printf(c->err, "%s: %s: cannot execute binary file\n", c->argv[c->at], c->argv[c->at]);
        return 126;
    }
    tc_cmd_printf(c->err, "%s: %s: %s\n", c->argv[0], c->argv[c->at], strerror(error));
    (void)env;
    return error == ENOENT ? 127 : 126;
}

static int run_child(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_env *child, const struct request *r)
{
    if (r->command && c->at >= c->argc) {
        tc_sh_env_destroy(child);
        tc_cmd_printf(c->err, "%s: -c: option requires an argument\n", c->argv[0]);
        return TC_SH_USAGE;
    }
    if (r->command) {
        struct tc_str text = tc_sh_builtin_arg(c, c->at);
        if ((c->at + 1 >= c->argc || tc_sh_env_set_arg0(child, tc_sh_builtin_arg(c, c->at + 1))) &&
            set_args(child, c, c->at + 2))
            return tc_sh_exec_main(child, text, TC_STR(""), false);
    } else if (r->input || c->at >= c->argc) {
        if (set_args(child, c, c->at))
            return run_input(child);
    } else if (tc_sh_env_set_arg0(child, tc_sh_builtin_arg(c, c->at)) && set_args(child, c, c->at + 1)) {
        return run_file(env, c, child);
    }
    tc_sh_env_destroy(child);
    tc_sh_out_of_memory(env);
    return 1;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {0};
    struct tc_sh_env *child;

    if (!tc_sh_deeper(env) || !(child = tc_sh_exec_fresh(env)))
        return TC_SH_STOP;
    child->depth++;
    if (!strcmp(tc_cmd_called(c), "sh") || !strcmp(tc_cmd_called(c), "dash"))
        child->options |= TC_SH_O_POSIX;
    if (!tc_sh_env_set_arg0(child, tc_str_of(c->argv[0])) || !parse(env, c, child, &r)) {
        tc_sh_env_destroy(child);
        return TC_SH_NEXT;
    }
    tc_cmd_flush(c->out);
    env->status = run_child(env, c, child, &r);
    if (env->traps)
        tc_sh_trap_rearm(env);
    return TC_SH_NEXT;
}

const struct tc_sh_builtin tc_sh_builtin_bash = {
    .cmd = {.name = "bash",
            .aliases = "sh dash",
            .usage = "[-aefhknuvxBCEP] [-o option] [-O shopt_option] [-c command | file | -s] [arg ...]",
            .summary = "Runs a script in a new shell that has what is exported.",
            .flags = TC_CMD_RAW},
    .program = true,
    .run = run};
