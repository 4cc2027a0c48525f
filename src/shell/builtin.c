/*
 * Options and messages of builtins, in bash's manner: short options alone, in clusters,
 * up to the first operand.
 */
#include "shell/builtin.h"

#include <errno.h>
#include <stdlib.h>
#include "shell/cmd.h"
#include "shell/used.h"

extern const struct tc_sh_builtin *const tc_sh_builtins_table[];

static const struct tc_cmd_option *find(const struct tc_cmd_call *c, char sign, char letter)
{
    const struct tc_cmd_option *row = c->cmd->options;

    for (; row && row->id; row++) {
        const char *name = row->name;
        bool plus = name[0] == '+';
        if (plus == (sign == '+') && name[plus] == letter)
            return row;
    }
    return NULL;
}

static bool takes_plus(const struct tc_cmd_call *c)
{
    const struct tc_cmd_option *row = c->cmd->options;

    while (row && row->id && row->name[0] != '+')
        row++;
    return row && row->id;
}

/* Whether the argument at hand holds options; --help and -- are dealt with. */
static int begin_argument(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const char *arg = c->at < c->argc ? c->argv[c->at] : NULL;

    if (!arg || (arg[0] != '-' && !(arg[0] == '+' && takes_plus(c))) || !arg[1])
        return TC_CMD_OPTION_END;
    if (!c->cmd->options && arg[1] >= '0' && arg[1] <= '9')
        return TC_CMD_OPTION_END;
    if (!strcmp(arg, "--help")) {
        tc_sh_cmd_help(c->cmd, c->out);
        env->status = TC_SH_USAGE;
        return TC_CMD_OPTION_BAD;
    }
    if (!strcmp(arg, "--")) {
        c->at++;
        return TC_CMD_OPTION_END;
    }
    c->option_in = 1;
    return 1;
}

static int bad_option(struct tc_sh_env *env, struct tc_cmd_call *c, const char *fmt, char sign, char letter)
{
    tc_sh_builtin_fail(env, c, fmt, sign, letter);
    tc_sh_builtin_usage(env, c);
    return TC_CMD_OPTION_BAD;
}

int tc_sh_builtin_option(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const struct tc_cmd_option *row;
    const char *arg;
    char sign, letter;

    if (c->at == 0)
        c->at = 1;
    if (c->option_in == 0) {
        int begun = begin_argument(env, c);
        if (begun <= 0)
            return begun;
    }
    arg = c->argv[c->at];
    sign = arg[0];
    letter = arg[c->option_in++];
    row = find(c, sign, letter);
    if (!row)
        return bad_option(env, c, "%c%c: invalid option", sign, letter);
    c->value = NULL;
    if (row->arg == TC_CMD_VALUE && arg[c->option_in]) {
        c->value = c->argv[c->at] + c->option_in;
    } else if (row->arg == TC_CMD_VALUE) {
        if (c->at + 1 >= c->argc)
            return bad_option(env, c, "%c%c: option requires an argument", sign, letter);
        c->value = c->argv[++c->at];
    }
    if (c->value || !arg[c->option_in]) {
        c->at++;
        c->option_in = 0;
    }
    if (env->sh->used)
        tc_sh_used_note(env->sh->used, c->cmd, row->id);
    return row->id;
}

bool tc_sh_builtin_plain(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    return tc_sh_builtin_option(env, c) == TC_CMD_OPTION_END;
}

enum tc_sh_flow tc_sh_builtin_fail(struct tc_sh_env *env, struct tc_cmd_call *c, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    tc_cmd_flush(c->out);
    va_start(ap, fmt);
    text = tc_arena_vprintf(c->arena, fmt, ap);
    va_end(ap);
    if (!text.p)
        return tc_sh_out_of_memory(env);
    tc_sh_warn(env, "%s: %.*s", c->argv[0], TC_STR_ARG(text));
    env->status = 1;
    return TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_builtin_usage(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    tc_cmd_printf(c->err, "%s: usage: %s %s\n", c->argv[0], c->argv[0], c->cmd->usage);
    tc_cmd_flush(c->err);
    env->status = TC_SH_USAGE;
    return TC_SH_NEXT;
}

bool tc_sh_builtin_number(const char *text, int64_t *ret_value)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || errno)
        return false;
    while (*end == ' ' || *end == '\t')
        end++;
    if (*end)
        return false;
    *ret_value = value;
    return true;
}

bool tc_sh_builtin_status(struct tc_sh_env *env, struct tc_cmd_call *c, int64_t *value)
{
    if (c->at < c->argc && !tc_sh_builtin_number(c->argv[c->at], value)) {
        tc_sh_builtin_fail(env, c, "%s: numeric argument required", c->argv[c->at]);
        *value = 2;
    } else if (c->argc - c->at > 1) {
        tc_sh_builtin_fail(env, c, "too many arguments");
        return false;
    }
    return true;
}

bool tc_sh_builtin_is_target(struct tc_str text)
{
    size_t at = tc_str_chr(text, '[');

    if (at == SIZE_MAX)
        return tc_sh_parser_is_name(text);
    return tc_sh_parser_is_name(tc_str_n(text.p, at)) && text.p[text.n - 1] == ']' && text.n > at + 2;
}

struct tc_str tc_sh_builtin_arg(const struct tc_cmd_call *c, int i)
{
    return i < c->argc ? tc_str_of(c->argv[i]) : (struct tc_str){0};
}

struct tc_str *tc_sh_builtin_args(const struct tc_cmd_call *c, int from, size_t *ret_n)
{
    size_t n = from < c->argc ? (size_t)(c->argc - from) : 0;
    struct tc_str *args = TC_ARENA_NEW_N(c->arena, struct tc_str, n + 1);

    for (size_t i = 0; args && i < n; i++)
        args[i] = tc_str_of(c->argv[from + (int)i]);
    *ret_n = n;
    return args;
}

static int by_name(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

struct tc_str *tc_sh_builtin_names(struct tc_arena *arena)
{
    struct tc_str *names = NULL, one;
    size_t n = 0;

    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !(names = TC_ARENA_NEW_N(arena, struct tc_str, n + 1)))
            return NULL;
        n = 0;
        for (size_t i = 0; tc_sh_builtins_table[i]; i++) {
            const struct tc_cmd *cmd = &tc_sh_builtins_table[i]->cmd;
            struct tc_str rest = cmd->aliases ? tc_str_of(cmd->aliases) : (struct tc_str){0};
            if (tc_sh_builtins_table[i]->program)
                continue;
            if (pass == 1)
                names[n] = tc_str_of(cmd->name);
            for (n++; rest.p && tc_str_split(&rest, ' ', &one); n++)
                if (pass == 1)
                    names[n] = one;
        }
    }
    qsort(names, n, sizeof *names, by_name);
    return names;
}

void tc_sh_builtin_put(struct tc_cmd_call *c, struct tc_str text)
{
    tc_cmd_write(c->out, text.p, text.n);
}

enum tc_sh_flow tc_sh_builtin_put_buf(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_buf *buf)
{
    bool failed = buf->failed;

    if (!failed)
        tc_cmd_write(c->out, buf->p, buf->n);
    tc_buf_finish(buf);
    return failed ? tc_sh_out_of_memory(env) : TC_SH_NEXT;
}
