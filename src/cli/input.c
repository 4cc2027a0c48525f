/*
 * Reading happens on a pool thread, into memory of the heap.
 */
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/offload.h"

enum {
    CHUNK = 64 * 1024,
    SECRET_MAX = 64 * 1024,
    LINE_BYTES = 16 * 1024,
    LOOK_MS = 100, /* how long a thread waits for somebody to type */
    JSON_MAX = 64 * 1024 * 1024
};

struct reading {
    int fd, err;
    struct tc_buf buf;
    bool over; /* more than the maximum */
    bool line; /* stop at a line end */
    const char *prompt;
};

static void read_all(void *arg)
{
    struct reading *r = arg;
    size_t max = r->buf.max - CHUNK; /* one chunk of room to notice that there is more */

    for (;;) {
        char *to = tc_buf_reserve(&r->buf, r->line ? 1 : CHUNK);
        ssize_t n;
        if (!to) {
            r->err = ENOMEM;
            return;
        }
        n = read(r->fd, to, r->line ? 1 : CHUNK);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            r->err = errno;
        if (n <= 0)
            return;
        r->buf.n += (size_t)n;
        r->over = r->buf.n > max;
        if (r->over || (r->line && *to == '\n'))
            return;
    }
}

static enum tc_err fail_read(struct tc_cx *cx, struct tc_str path, int err)
{
    return tc_fail(cx, TC_E_CONFIG_UNREADABLE, "%s%.*s cannot be read: %s.",
                   tc_str_is(path, "-") ? "Standard input " : "", TC_STR_ARG(path), strerror(err));
}

static enum tc_err read_fd(struct tc_cx *cx, struct tc_str path, int fd, size_t max, struct tc_str *ret_text)
{
    struct reading r = {.fd = fd};
    enum tc_err e;

    tc_buf_init(&r.buf, max + CHUNK);
    e = tc_offload(cx, read_all, &r);
    if (!e && r.err)
        e = fail_read(cx, path, r.err);
    else if (!e && r.over)
        e = tc_fail(cx, TC_E_JSON_SIZE, "%.*s is larger than %zu bytes.", TC_STR_ARG(path), max);
    if (!e) {
        *ret_text = tc_arena_dup(cx->arena, tc_buf_get(&r.buf));
        e = ret_text->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&r.buf);
    return e;
}

enum tc_err tc_cli_read_file(struct tc_cx *cx, struct tc_str path, size_t max, struct tc_str *ret_text)
{
    char *name = tc_arena_cstr(cx->arena, path);
    enum tc_err e;
    int fd;

    if (!name)
        return tc_fail_memory(cx);
    if (tc_str_is(path, "-"))
        return read_fd(cx, path, STDIN_FILENO, max, ret_text);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_read(cx, path, errno);
    e = read_fd(cx, path, fd, max, ret_text);
    close(fd);
    return e;
}

enum tc_err tc_cli_read_text(struct tc_cx *cx, struct tc_str operand, size_t max, struct tc_str *ret_text)
{
    if (tc_str_is(operand, "-"))
        return tc_cli_read_file(cx, operand, max, ret_text);
    if (operand.n > 1 && operand.p[0] == '@')
        return tc_cli_read_file(cx, tc_str_from(operand, 1), max, ret_text);
    *ret_text = operand;
    return TC_OK;
}

enum tc_err tc_cli_read_json(struct tc_cx *cx, struct tc_str path, const struct tc_json **ret_value)
{
    struct tc_str text;
    enum tc_err e = tc_cli_read_file(cx, path, JSON_MAX, &text);

    if (!e)
        e = tc_json_parse_root(cx, text, NULL, ret_value);
    if (e == TC_E_JSON_SYNTAX || e == TC_E_JSON_UTF8 || e == TC_E_JSON_DEPTH)
        tc_fail_hint(cx, "%s must hold one JSON value.", tc_str_is(path, "-") ? "Standard input" : "The file");
    return e;
}

/* --- the terminal --- */

static void write_prompt(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));

    (void)n; /* a prompt that is not seen is not answered either */
}

enum { INTERRUPT = 3, END = 4, BACKSPACE = 8, DELETE = 127 };

/* One line with the terminal's own editing switched off. */
static void read_hidden(void *arg)
{
    struct reading *r = arg;
    struct termios before, raw;
    unsigned char c;
    ssize_t n;

    if (tcgetattr(r->fd, &before) != 0) {
        r->err = errno;
        return;
    }
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
    tcsetattr(r->fd, TCSAFLUSH, &raw);
    write_prompt(r->prompt); /* only now: what is typed from here on is not shown */
    while ((n = read(r->fd, &c, 1)) == 1 || (n < 0 && errno == EINTR)) {
        if (n < 0)
            continue;
        if (c == '\n' || c == '\r' || c == END)
            break;
        if (c == INTERRUPT) {
            r->err = ECANCELED;
            break;
        }
        if (c == BACKSPACE || c == DELETE)
            r->buf.n -= r->buf.n > 0;
        else
            tc_buf_char(&r->buf, (char)c);
    }
    tcsetattr(r->fd, TCSAFLUSH, &before);
}

enum tc_err tc_cli_read_secret(struct tc_cx *cx, const char *prompt, struct tc_str *ret_secret)
{
    struct reading r = {.fd = STDIN_FILENO, .prompt = prompt};
    struct tc_str text;
    enum tc_err e;

    if (!isatty(STDIN_FILENO)) {
        e = tc_cli_read_file(cx, TC_STR("-"), SECRET_MAX, &text);
        if (!e && tc_str_ends(text, TC_STR("\n")))
            text.n -= tc_str_ends(text, TC_STR("\r\n")) ? 2 : 1;
        if (!e)
            *ret_secret = text;
        return e;
    }
    tc_buf_init(&r.buf, SECRET_MAX);
    e = tc_offload(cx, read_hidden, &r);
    write_prompt("\n");
    if (!e && r.err)
        e = r.err == ECANCELED ? tc_fail(cx, TC_E_CANCELED, "Nothing was entered.") : fail_read(cx, TC_STR("-"), r.err);
    if (!e) {
        *ret_secret = tc_buf_dup(&r.buf, cx->arena);
        e = ret_secret->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&r.buf);
    return e;
}

/* A thread that reads cannot be called back; one that only looks soon comes back. */
static void look(void *arg)
{
    struct reading *r = arg;
    struct pollfd fd = {.fd = r->fd, .events = POLLIN};

    r->err = poll(&fd, 1, LOOK_MS) > 0 ? 0 : EAGAIN;
}

static enum tc_err await_input(struct tc_cx *cx, struct reading *r)
{
    enum tc_err e;

    do {
        e = tc_offload(cx, look, r);
        if (!e)
            e = tc_task_check(cx);
    } while (!e && r->err == EAGAIN);
    return e;
}

enum tc_err tc_cli_read_line(struct tc_cx *cx, const char *prompt, struct tc_str *ret_line)
{
    struct reading r = {.fd = STDIN_FILENO, .line = true};
    enum tc_err e;

    write_prompt(prompt);
    tc_buf_init(&r.buf, CHUNK + LINE_BYTES);
    e = await_input(cx, &r);
    if (e)
        write_prompt("\n");
    else
        e = tc_offload(cx, read_all, &r); /* a terminal gives whole lines */
    *ret_line = tc_str_n(NULL, 0);
    if (!e && r.buf.n) {
        *ret_line = tc_str_trim(tc_buf_dup(&r.buf, cx->arena));
        e = ret_line->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&r.buf);
    return e;
}

enum tc_err tc_cli_confirm(struct tc_cx *cx, const char *question, bool *ret_yes)
{
    char *prompt = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s [y/N] ", question));
    struct tc_str answer;
    enum tc_err e = prompt ? tc_cli_read_line(cx, prompt, &answer) : tc_fail_memory(cx);

    if (!e)
        *ret_yes = tc_str_eq_nocase(answer, TC_STR("y")) || tc_str_eq_nocase(answer, TC_STR("yes"));
    return e;
}

enum tc_err tc_cli_real_path(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_path)
{
    char *name = tc_arena_cstr(cx->arena, path), *real = tc_arena_alloc(cx->arena, PATH_MAX);

    if (!name || !real)
        return tc_fail_memory(cx);
    if (!realpath(name, real))
        return tc_fail(cx, TC_E_CONFIG_UNREADABLE, "%s cannot be used: %s.", name, strerror(errno));
    *ret_path = tc_str_of(real);
    return TC_OK;
}

enum tc_err tc_cli_real_folder(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_path)
{
    struct tc_str real;
    struct stat info;
    enum tc_err e = tc_cli_real_path(cx, path, &real);

    if (e)
        return e;
    if (stat(real.p, &info) != 0 || !S_ISDIR(info.st_mode))
        return tc_fail(cx, TC_E_CONFIG_UNREADABLE, "%.*s is no folder.", TC_STR_ARG(path));
    *ret_path = real;
    return TC_OK;
}
