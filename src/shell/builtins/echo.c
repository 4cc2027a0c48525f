/*
 * echo, as bash has it: -n -e -E in clusters, all other arguments are text.
 */
#include "shell/builtin.h"
#include "shell/format.h"

static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1] && arg[strspn(arg + 1, "neE") + 1] == '\0';
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool escapes = (env->shopt & TC_SH_S_XPG_ECHO) != 0, newline = true, more = true;
    int i = 1;

    for (; i < c->argc && is_option(c->argv[i]) && !(escapes && (env->options & TC_SH_O_POSIX)); i++) {
        for (const char *letter = c->argv[i] + 1; *letter; letter++) {
            if (*letter == 'n')
                newline = false;
            else
                escapes = *letter == 'e';
        }
    }
    for (int first = i; i < c->argc && more; i++) {
        if (i > first)
            tc_cmd_putc(c->out, ' ');
        if (escapes) {
            struct tc_buf buf;
            tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
            more = tc_sh_format_escapes(NULL, &buf, tc_str_of(c->argv[i]));
            if (tc_sh_builtin_put_buf(env, c, &buf) != TC_SH_NEXT)
                return TC_SH_STOP;
        } else {
            tc_cmd_puts(c->out, c->argv[i]);
        }
    }
    if (newline && more)
        tc_cmd_putc(c->out, '\n');
    return TC_SH_NEXT;
}

const struct tc_sh_builtin tc_sh_builtin_echo = {
    .cmd = {.name = "echo",
            .usage = "[-neE] [arg ...]",
            .summary = "Writes its arguments; -n without a line feed, -e with backslash escapes.",
            .flags = TC_CMD_RAW},
    .twin = true,
    .run = run};
