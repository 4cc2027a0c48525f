/*
 * history: the lines that were typed; listed, forgotten, kept in files.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/history.h"

enum { FILE_NONE = 0, FILE_MODE = 0600 };

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_history *history)
{
    size_t first = 0;
    int64_t most;

    if (c->at < c->argc) {
        if (!tc_sh_builtin_number(c->argv[c->at], &most) || most < 0)
            return tc_sh_builtin_fail(env, c, "%s: numeric argument required", c->argv[c->at]);
        if (c->argc - c->at > 1) {
            tc_sh_builtin_fail(env, c, "too many arguments");
            return TC_SH_ABORT;
        }
        first = (uint64_t)most < history->n ? history->n - (size_t)most : 0;
    }
    for (size_t i = first; i < history->n; i++)
        tc_cmd_printf(c->out, "%5lld  %s\n", (long long)history->dropped + (long long)i + 1, history->lines[i]);
    return TC_SH_NEXT;
}

/* "N" or "-N" as an index. */
static bool position(const struct tc_sh_history *history, const char *text, size_t n, size_t *ret_index)
{
    int64_t number;

    if (!tc_str_int(tc_str_n(text, n), &number))
        return false;
    number = number < 0 ? (int64_t)history->n + number : number - history->dropped - 1;
    *ret_index = (size_t)number;
    return number >= 0 && (uint64_t)number < history->n;
}

/* -d N or N-M. */
static enum tc_sh_flow forget(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_history *history,
                              const char *text)
{
    const char *dash = text[0] ? strchr(text + 1, '-') : NULL;
    size_t from, to;
    bool ok = position(history, text, dash ? (size_t)(dash - text) : strlen(text), &from);

    to = from;
    if (ok && dash)
        ok = position(history, dash + 1, strlen(dash + 1), &to) && from <= to;
    if (!ok)
        return tc_sh_builtin_fail(env, c, "%s: history position out of range", text);
    tc_sh_history_remove(history, from, to + 1);
    return TC_SH_NEXT;
}

/* The lines of the file behind the first `skip`. */
static enum tc_sh_flow read_file(struct tc_sh_env *env, struct tc_sh_history *history, struct tc_str path, size_t skip)
{
    size_t fresh = history->fresh, lines = 0;
    struct tc_str text, line;
    int error = tc_sh_exec_read(env, path, &text);

    if (error)
        return tc_sh_builtin_done(env, 1); /* bash says nothing */
    for (; tc_str_split(&text, '\n', &line) && line.n + text.n; lines++) {
        if (lines < skip)
            continue;
        if (!tc_sh_history_add(history, line))
            return tc_sh_out_of_memory(env);
    }
    history->fresh = fresh;
    history->file_lines = lines;
    return TC_SH_NEXT;
}

/* All lines, or those at the end that are in no file yet. */
static enum tc_sh_flow write_file(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_history *history,
                                  struct tc_str path, bool append)
{
    char absolute[PATH_MAX];
    struct tc_sh_file *file;
    struct tc_buf buf;
    int error = ENAMETOOLONG;

    if (tc_sh_env_path(env, path, absolute))
        error = tc_sh_vfs_open(env->sh->vfs, &env->fds, absolute, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC),
                               FILE_MODE, &file);
    if (error)
        return tc_sh_builtin_fail(env, c, "%.*s: %s", TC_STR_ARG(path), strerror(error));
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (size_t i = append ? history->n - history->fresh : 0; i < history->n; i++)
        tc_buf_printf(&buf, "%s\n", history->lines[i]);
    if (buf.n && !buf.failed)
        tc_sh_file_write(env->sh->sched, file, buf.p, buf.n);
    tc_sh_file_unref(file);
    history->file_lines = append ? history->file_lines + history->fresh : history->n;
    history->fresh = 0;
    tc_buf_finish(&buf);
    return TC_SH_NEXT;
}

static enum tc_sh_flow use_file(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_history *history, int what)
{
    struct tc_str path;

    if (c->at < c->argc)
        path = tc_sh_builtin_arg(c, c->at);
    else if (!tc_sh_expand_get(env, TC_STR("HISTFILE"), &path) || path.n == 0)
        return tc_sh_builtin_done(env, 1);
    if (what == 'r' || what == 'n')
        return read_file(env, history, path, what == 'n' ? history->file_lines : 0);
    return write_file(env, c, history, path, what == 'a');
}

/* The line that "!!", "!N", "!-N" or "!TEXT" means; SIZE_MAX for none. *n: how long the event is. */
static size_t event(const struct tc_sh_history *history, const char *text, size_t *n)
{
    size_t index;

    *n = 1;
    if (text[1] == '!') {
        *n = 2;
        return history->n - 1;
    }
    if (text[*n] == '-')
        ++*n;
    while (text[*n] >= '0' && text[*n] <= '9')
        ++*n;
    if (text[*n - 1] >= '0' && text[*n - 1] <= '9')
        return position(history, text + 1, *n - 1, &index) ? index : SIZE_MAX;
    while (text[*n] && !strchr(" \t:", text[*n]))
        ++*n;
    return tc_sh_history_find(history, history->n, tc_str_n(text + 1, *n - 1));
}

/* -p: the operands with their events in place. */
static enum tc_sh_flow put_expanded(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_history *history)
{
    for (int i = c->at; i < c->argc; i++) {
        struct tc_buf buf;

        tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
        for (const char *at = c->argv[i]; *at;) {
            size_t n = 1, line;
            if (*at != '!' || !at[1] || strchr(" \t=(", at[1])) {
                tc_buf_char(&buf, *at++);
                continue;
            }
            line = event(history, at, &n);
            if (line >= history->n) {
                tc_buf_finish(&buf);
                return tc_sh_builtin_fail(env, c, "%s: history expansion failed", c->argv[i]);
            }
            tc_buf_cstr(&buf, history->lines[line]);
            at += n;
        }
        tc_buf_char(&buf, '\n');
        if (tc_sh_builtin_put_buf(env, c, &buf) == TC_SH_STOP)
            return TC_SH_STOP;
    }
    return TC_SH_NEXT;
}

/* -s: the operands as one line. */
static enum tc_sh_flow store(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_sh_history *history)
{
    struct tc_buf buf;
    bool ok;

    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (int i = c->at; i < c->argc; i++)
        tc_buf_printf(&buf, "%s%s", i > c->at ? " " : "", c->argv[i]);
    ok = !buf.failed && tc_sh_history_add(history, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return ok ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_sh_history *history = tc_sh_history_get(env->sh);
    const char *offset = NULL;
    bool clears = false;
    int option, what = FILE_NONE;

    if (!history)
        return tc_sh_out_of_memory(env);
    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        clears |= option == 'c';
        if (option == 'd')
            offset = c->value;
        else if (option != 'c')
            what = option;
    }
    if (clears) {
        tc_sh_history_remove(history, 0, history->n);
        history->dropped = 0;
    }
    if ((what == 's' || what == 'p') && (env->options & TC_SH_O_HISTORY) && history->n) /* the command itself */
        tc_sh_history_remove(history, history->n - 1, history->n);
    if (what == 's')
        return c->at < c->argc ? store(env, c, history) : TC_SH_NEXT;
    if (what == 'p')
        return put_expanded(env, c, history);
    if (offset)
        return forget(env, c, history, offset);
    if (what)
        return use_file(env, c, history, what);
    return clears ? TC_SH_NEXT : list(env, c, history);
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "append the new lines to the file"},
    {'c', "c", TC_CMD_NONE, NULL, "forget all"},
    {'d', "d", TC_CMD_VALUE, "offset", "forget the line of this number, or N-M; negative from the end"},
    {'n', "n", TC_CMD_NONE, NULL, "read what of the file is not known"},
    {'p', "p", TC_CMD_NONE, NULL, "print the operands with !!, !N, !-N and !TEXT replaced"},
    {'r', "r", TC_CMD_NONE, NULL, "read the file"},
    {'s', "s", TC_CMD_NONE, NULL, "the operands become a line"},
    {'w', "w", TC_CMD_NONE, NULL, "write all to the file"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_history = {
    .cmd = {.name = "history",
            .usage = "[-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
            .summary = "Lists the lines that were typed.",
            .options = options},
    .run = run};
