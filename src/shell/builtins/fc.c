/*
 * fc: lines of the history listed, run again, or changed by a command first.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/history.h"

enum { LISTED = 16, FILE_MODE = 0600 };

struct request {
    bool list, bare, backwards, again;
    const char *editor;
    struct tc_sh_history *history;
    size_t n; /* lines without the one that runs fc */
};

/* A number, a negative one from the end, or how a line begins; SIZE_MAX for none. */
static size_t line_of(const struct request *r, const char *text)
{
    int64_t number, last = (int64_t)r->n - 1;

    if (!tc_sh_builtin_number(text, &number))
        return tc_sh_history_find(r->history, r->n, tc_str_of(text));
    number = number > 0 ? number - r->history->dropped - 1 : (int64_t)r->n + number - (number == 0);
    return (size_t)(number < 0 ? 0 : number > last ? last : number);
}

/* FIRST and LAST of the operands. False: told. */
static bool range(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r, size_t *first, size_t *last)
{
    size_t swap;

    *last = r->n - 1;
    *first = !r->list ? *last : r->n > LISTED ? r->n - LISTED : 0;
    if (c->at < c->argc)
        *first = line_of(r, c->argv[c->at]);
    if (c->at + 1 < c->argc)
        *last = line_of(r, c->argv[c->at + 1]);
    else if (c->at < c->argc && !r->list)
        *last = *first;
    if (*first == SIZE_MAX || *last == SIZE_MAX) {
        tc_sh_builtin_fail(env, c, "no command found");
        return false;
    }
    swap = *first;
    if (*first > *last) {
        *first = *last;
        *last = swap;
    }
    return true;
}

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    size_t first, last;
    bool backwards = r->backwards;

    if (r->n == 0 || !range(env, c, r, &first, &last))
        return TC_SH_NEXT;
    if (c->at + 1 < c->argc && line_of(r, c->argv[c->at]) > line_of(r, c->argv[c->at + 1]))
        backwards = !backwards;
    for (size_t k = 0; k <= last - first; k++) {
        size_t i = backwards ? last - k : first + k;
        if (!r->bare)
            tc_cmd_printf(c->out, "%lld", (long long)r->history->dropped + (long long)i + 1);
        tc_cmd_printf(c->out, "\t %s\n", r->history->lines[i]);
    }
    return TC_SH_NEXT;
}

/* The line that ran fc: another one takes its place. */
static void drop_own(const struct request *r)
{
    if (r->history->n)
        tc_sh_history_remove(r->history, r->history->n - 1, r->history->n);
}

/* Shows and runs the text, which becomes a line. */
static enum tc_sh_flow run_text(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str text)
{
    if (!tc_sh_history_note(env->sh, text))
        return tc_sh_out_of_memory(env);
    tc_cmd_printf(c->err, "%.*s\n", TC_STR_ARG(text));
    tc_cmd_flush(c->err);
    return tc_sh_exec_text(env, text, (struct tc_str){0}, env->line);
}

/* All places of `old` by `new`. */
static struct tc_str replaced(struct tc_cmd_call *c, struct tc_str text, struct tc_str old, struct tc_str new)
{
    struct tc_buf buf;
    struct tc_str copy;
    size_t at;

    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (; old.n && (at = tc_str_find(text, old)) != SIZE_MAX; text = tc_str_from(text, at + old.n)) {
        tc_buf_str(&buf, tc_str_n(text.p, at));
        tc_buf_str(&buf, new);
    }
    tc_buf_str(&buf, text);
    copy = tc_buf_dup(&buf, c->arena);
    tc_buf_finish(&buf);
    return copy;
}

/* -s [OLD=NEW]… [COMMAND] */
static enum tc_sh_flow again(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    int operand = c->at;
    struct tc_str text;
    size_t line;

    while (operand < c->argc && strchr(c->argv[operand], '='))
        operand++;
    line = operand < c->argc ? line_of(r, c->argv[operand]) : r->n - 1;
    if (line == SIZE_MAX)
        return tc_sh_builtin_fail(env, c, "no command found");
    text = tc_arena_dup(c->arena, tc_str_of(r->history->lines[line]));
    for (int i = c->at; i < operand && text.p; i++) {
        struct tc_str pair = tc_sh_builtin_arg(c, i);
        size_t at = tc_str_chr(pair, '=');
        text = replaced(c, text, tc_str_n(pair.p, at), tc_str_from(pair, at + 1));
    }
    drop_own(r);
    return text.p ? run_text(env, c, text) : tc_sh_out_of_memory(env);
}

static const char *editor_of(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    struct tc_str value;

    if (r->editor)
        return r->editor;
    if (tc_sh_vars_get(env->vars, TC_STR("FCEDIT"), &value) || tc_sh_vars_get(env->vars, TC_STR("EDITOR"), &value))
        return tc_arena_cstr(c->arena, value);
    return "vi";
}

/* The lines in a file of /tmp. 0 or an errno. */
static int put_lines(struct tc_sh_env *env, const struct request *r, const char *path, size_t first, size_t last)
{
    struct tc_sh_file *file;
    struct tc_buf buf;
    int error = tc_sh_vfs_open(env->sh->vfs, &env->fds, path, O_WRONLY | O_CREAT | O_TRUNC, FILE_MODE, &file);

    if (error)
        return error;
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (size_t k = 0; k <= last - first; k++)
        tc_buf_printf(&buf, "%s\n", r->history->lines[r->backwards ? last - k : first + k]);
    if (buf.failed)
        error = ENOMEM;
    else
        tc_sh_file_write(env->sh->sched, file, buf.p, buf.n);
    tc_buf_finish(&buf);
    tc_sh_file_unref(file);
    return error;
}

static enum tc_sh_flow edit(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    struct tc_str path = tc_arena_printf(c->arena, "/tmp/bash-fc.%d", tc_sh_env_next_pid(env)), command, text;
    const char *editor = editor_of(env, c, r);
    size_t first, last;
    enum tc_sh_flow flow;
    int error;

    if (!range(env, c, r, &first, &last))
        return TC_SH_NEXT;
    command = tc_arena_printf(c->arena, "%s %.*s", editor ? editor : "false", TC_STR_ARG(path));
    if (!path.p || !command.p)
        return tc_sh_out_of_memory(env);
    error = put_lines(env, r, path.p, first, last);
    if (error)
        return tc_sh_builtin_fail(env, c, "%.*s: %s", TC_STR_ARG(path), strerror(error));
    if (env->options & TC_SH_O_HISTORY)
        drop_own(r);
    flow = tc_sh_exec_text(env, command, (struct tc_str){0}, env->line);
    error = tc_sh_exec_read(env, path, &text);
    tc_sh_vfs_unlink(env->sh->vfs, path.p);
    if (flow != TC_SH_NEXT || env->status)
        return flow;
    if (error)
        return tc_sh_builtin_fail(env, c, "%.*s: %s", TC_STR_ARG(path), strerror(error));
    while (text.n && text.p[text.n - 1] == '\n')
        text.n--;
    return run_text(env, c, text);
}

/* A negative number is an operand. */
static bool at_number(struct tc_cmd_call *c)
{
    const char *arg;

    c->at += c->at == 0;
    arg = c->at < c->argc && c->option_in == 0 ? c->argv[c->at] : "";
    return arg[0] == '-' && arg[1] >= '0' && arg[1] <= '9';
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {.history = tc_sh_history_get(env->sh)};
    int option;

    if (!r.history)
        return tc_sh_out_of_memory(env);
    while (!at_number(c) && (option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        r.list |= option == 'l';
        r.bare |= option == 'n';
        r.backwards |= option == 'r';
        r.again |= option == 's';
        r.editor = option == 'e' ? c->value : r.editor;
    }
    r.again |= r.editor && !strcmp(r.editor, "-");
    r.n = r.history->n - (r.history->n && (env->options & TC_SH_O_HISTORY));
    if (r.list)
        return list(env, c, &r);
    if (r.n == 0)
        return tc_sh_builtin_fail(env, c, "no command found");
    return r.again ? again(env, c, &r) : edit(env, c, &r);
}

static const struct tc_cmd_option options[] = {
    {'e', "e", TC_CMD_VALUE, "ename", "the command that changes the file of lines; - is -s"},
    {'l', "l", TC_CMD_NONE, NULL, "list the lines"},
    {'n', "n", TC_CMD_NONE, NULL, "without numbers"},
    {'r', "r", TC_CMD_NONE, NULL, "the newest first"},
    {'s', "s", TC_CMD_NONE, NULL, "run a line again, with OLD=NEW replaced"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_fc = {
    .cmd = {.name = "fc",
            .usage = "[-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]",
            .summary = "Lists typed lines, or runs them again.",
            .options = options},
    .run = run};
