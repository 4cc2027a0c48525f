/*
 * Writing to standard output happens on a pool thread: a reader that is slow
 * must not hold up a daemon that lives in this process.
 */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/table.h"
#include "io/offload.h"
#include "toolcrib/jsonw.h"

enum { TEXT_MAX = 1024 * 1024 * 1024, LINE_MAX_BYTES = 1024 * 1024, KEY_WIDTH = 18 };

struct tc_cli_look tc_cli_look_of(int fd)
{
    struct tc_cli_look look = {.terminal = isatty(fd) == 1};
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    struct winsize size;

    look.colour = look.terminal && term && strcmp(term, "dumb") != 0 && !(no_colour && *no_colour);
    if (look.terminal && ioctl(fd, TIOCGWINSZ, &size) == 0)
        look.width = size.ws_col;
    return look;
}

/* --- gathering --- */

void tc_cli_print(struct tc_cli *cli, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    tc_buf_vprintf(&cli->out, fmt, ap);
    va_end(ap);
}

void tc_cli_text(struct tc_cli *cli, struct tc_str text)
{
    if (cli->look.terminal)
        tc_cli_safe(&cli->out, text, true);
    else
        tc_buf_str(&cli->out, text);
}

void tc_cli_field(struct tc_cli *cli, const char *key, struct tc_str value)
{
    if (value.n == 0)
        return;
    tc_buf_cstr(&cli->out, key);
    tc_buf_char(&cli->out, ':');
    tc_buf_char(&cli->out, ' ');
    for (size_t i = strlen(key) + 2; i < KEY_WIDTH; i++)
        tc_buf_char(&cli->out, ' ');
    tc_cli_text(cli, value);
    tc_buf_char(&cli->out, '\n');
}

void tc_cli_json(struct tc_cli *cli, const struct tc_json *value)
{
    if (cli->look.terminal)
        tc_json_print_pretty(&cli->out, value);
    else
        tc_json_print(&cli->out, value);
    tc_buf_char(&cli->out, '\n');
}

void tc_cli_diagnostics(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(answer, "diagnostics"));
    const struct tc_json *diagnostic;

    while (tc_json_next(&it, NULL, &diagnostic)) {
        tc_cli_text(cli, tc_cli_member(cx->arena, diagnostic, "message"));
        tc_cli_print(cli, " (%.*s)\n", TC_STR_ARG(tc_cli_member(cx->arena, diagnostic, "code")));
    }
}

enum tc_err tc_cli_rows(struct tc_cx *cx, struct tc_cli *cli, const struct tc_cli_table *table)
{
    return tc_cli_table_print(cx, table, &cli->look, &cli->out);
}

/* --- writing --- */

struct writing {
    int fd, err;
    struct tc_str data;
};

static void write_all(void *arg)
{
    struct writing *w = arg;

    while (w->data.n && !w->err) {
        ssize_t n = write(w->fd, w->data.p, w->data.n);
        if (n >= 0)
            w->data = tc_str_from(w->data, (size_t)n);
        else if (errno != EINTR)
            w->err = errno;
    }
}

enum tc_err tc_cli_flush(struct tc_cx *cx, struct tc_cli *cli)
{
    struct writing w = {STDOUT_FILENO, 0, tc_buf_get(&cli->out)};
    enum tc_err e;

    if (cli->out.failed)
        return tc_fail_memory(cx);
    if (w.data.n == 0)
        return TC_OK;
    e = tc_offload(cx, write_all, &w);
    tc_buf_clear(&cli->out);
    if (e)
        return e;
    if (w.err == EPIPE) {
        cli->code = TC_CLI_BROKEN_PIPE;
        return tc_fail(cx, TC_E_CLOSED, "The reader of the output is gone.");
    }
    return w.err ? tc_fail(cx, TC_E_IO, "The output cannot be written: %s.", strerror(w.err)) : TC_OK;
}

/* Short texts for a person; standard error is not waited for. */
void tc_cli_tell(struct tc_buf *text)
{
    struct writing w = {STDERR_FILENO, 0, tc_buf_get(text)};

    write_all(&w);
    tc_buf_clear(text);
}

static void write_stderr(struct tc_buf *buf)
{
    tc_cli_tell(buf);
    tc_buf_finish(buf);
}

void tc_cli_progress(struct tc_cx *cx, const char *fmt, ...)
{
    struct tc_buf buf;
    va_list ap;

    (void)cx;
    if (!isatty(STDERR_FILENO))
        return;
    tc_buf_init(&buf, LINE_MAX_BYTES);
    va_start(ap, fmt);
    tc_buf_vprintf(&buf, fmt, ap);
    va_end(ap);
    tc_buf_char(&buf, '\n');
    write_stderr(&buf);
}

void tc_cli_note(struct tc_cx *cx, const struct tc_cli *cli, const char *fmt, ...)
{
    struct tc_str text;
    struct tc_buf buf;
    va_list ap;

    if (cli->json)
        return;
    va_start(ap, fmt);
    text = tc_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    tc_buf_init(&buf, LINE_MAX_BYTES);
    tc_cli_safe(&buf, text, true);
    tc_buf_char(&buf, '\n');
    write_stderr(&buf);
}

void tc_cli_report_text(struct tc_buf *to, const struct tc_error *err, const struct tc_cli_look *look)
{
    tc_cli_paint(to, look, TC_CLI_RED, TC_STR("error:"));
    tc_buf_char(to, ' ');
    tc_cli_safe(to, tc_str_trim(err->message), true);
    tc_buf_printf(to, " (%s", tc_err_info(err->code)->name);
    if (err->field.n) {
        tc_buf_cstr(to, " at ");
        tc_cli_safe(to, err->field, false);
    }
    tc_buf_cstr(to, ")\n");
    if (err->hint.n) {
        tc_cli_paint(to, look, TC_CLI_BOLD, TC_STR("hint:"));
        tc_buf_char(to, ' ');
        tc_cli_safe(to, err->hint, true);
        tc_buf_char(to, '\n');
    }
}

void tc_cli_report_json(struct tc_buf *to, const struct tc_error *err)
{
    struct tc_jsonw w;

    tc_jsonw_init(&w, to);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "error");
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "code", tc_err_info(err->code)->name);
    tc_jsonw_kstr(&w, "message", err->message.p ? err->message : TC_STR(""));
    tc_jsonw_kopt(&w, "hint", err->hint);
    tc_jsonw_kopt(&w, "field", err->field);
    if (err->details.n) {
        tc_jsonw_key(&w, "details");
        tc_jsonw_raw(&w, err->details);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_buf_char(to, '\n');
}

void tc_cli_report(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_error *err)
{
    struct tc_cli_look look = tc_cli_look_of(STDERR_FILENO);
    struct tc_buf buf;

    (void)cx;
    tc_buf_init(&buf, LINE_MAX_BYTES);
    if (cli->json)
        tc_cli_report_json(&buf, err);
    else
        tc_cli_report_text(&buf, err, &look);
    write_stderr(&buf);
}

/* --- pieces of JSON as text --- */

struct tc_str tc_cli_show(struct tc_arena *arena, const struct tc_json *value)
{
    struct tc_str text = TC_STR("");

    if (tc_json_is(value, TC_JSON_STRING))
        return tc_json_str(value);
    if (value && !tc_json_is(value, TC_JSON_NULL))
        text = tc_json_text(arena, value);
    return text.p ? text : TC_STR("");
}

struct tc_str tc_cli_member(struct tc_arena *arena, const struct tc_json *object, const char *key)
{
    return tc_cli_show(arena, tc_json_get_c(object, key));
}

struct tc_str tc_cli_join(struct tc_arena *arena, const struct tc_json *array)
{
    struct tc_json_iter it = tc_json_iter(array);
    const struct tc_json *item;
    struct tc_str all;
    struct tc_buf buf;

    tc_buf_init(&buf, TEXT_MAX);
    while (tc_json_next(&it, NULL, &item)) {
        if (buf.n)
            tc_buf_cstr(&buf, ", ");
        tc_buf_str(&buf, tc_cli_show(arena, item));
    }
    all = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return all.p ? all : TC_STR("");
}
