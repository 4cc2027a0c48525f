/*
 * libedit on a pool thread, one line at a time: between two lines the terminal is as it
 * was. It speaks wide characters in the locale of its thread, which is always one of
 * UTF-8, whatever the process has.
 *
 * Ctrl-C is a signal that the loop hears; it reaches the thread through a pipe, which
 * that waits for beside the terminal.
 */
#include "cli/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "cli/input.h"
#include "io/offload.h"
#include "io/signal.h"

enum { END = 4, HISTORY = 1000, HISTORY_LINE = 16 * 1024, PROMPT_MAX = 256 };

struct tc_lines {
    wchar_t prompt[PROMPT_MAX];
    EditLine *edit; /* NULL: standard input is no terminal */
    HistoryW *history;
    locale_t locale;
    int wake[2];
    bool interrupted;

    /* of what the thread does */
    struct tc_buf line;
    wchar_t *wide;
    bool end, failed;
};

/* --- on the thread --- */

static wchar_t *prompt_of(EditLine *edit)
{
    struct tc_lines *lines;

    el_wget(edit, EL_CLIENTDATA, (void **)&lines);
    return lines->prompt;
}

/* One byte of the terminal; 0 at its end or when woken. */
static int read_byte(struct tc_lines *lines, char *to)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = lines->wake[0], .events = POLLIN}};

    for (;;) {
        ssize_t n;
        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            return 0;
        }
        if (fds[1].revents)
            return 0;
        n = read(STDIN_FILENO, to, 1);
        if (n >= 0 || errno != EINTR)
            return n == 1;
    }
}

static int read_wide(EditLine *edit, wchar_t *ret)
{
    struct tc_lines *lines;
    char bytes[4];
    size_t at = 0, n = 1;

    el_wget(edit, EL_CLIENTDATA, (void **)&lines);
    if (!read_byte(lines, &bytes[0]))
        return 0;
    if (bytes[0] == '\0') /* so reads a Ctrl-D that was typed before editing had begun */
        bytes[0] = END;
    if ((unsigned char)bytes[0] >= 0xc2 && (unsigned char)bytes[0] <= 0xf4)
        n = (unsigned char)bytes[0] < 0xe0 ? 2 : (unsigned char)bytes[0] < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < n; i++)
        if (!read_byte(lines, &bytes[i]))
            return 0;
    *ret = (wchar_t)tc_utf8_next(tc_str_n(bytes, n), &at);
    return 1;
}

static void take_wide(struct tc_buf *to, const wchar_t *text, size_t n)
{
    for (size_t i = 0; i < n && text[i] != L'\n' && text[i] != L'\r'; i++) {
        char bytes[4];
        tc_buf_add(to, bytes, tc_utf8_put((uint32_t)text[i], bytes));
    }
}

static void note_history(struct tc_lines *lines, const wchar_t *line)
{
    HistEventW event;

    if (*line && *line != L'\n')
        history_w(lines->history, &event, H_ENTER, line);
}

static void edit_line(void *arg)
{
    struct tc_lines *lines = arg;
    locale_t before = uselocale(lines->locale);
    const wchar_t *line;
    int n = 0;

    el_resize(lines->edit);
    el_wset(lines->edit, EL_PREP_TERM, 1); /* before the prompt: who types at once is not edited by the terminal */
    line = el_wgets(lines->edit, &n);
    lines->end = !line || n <= 0;
    if (!lines->end) {
        take_wide(&lines->line, line, (size_t)n);
        note_history(lines, line);
    }
    uselocale(before);
}

static void enter_history(void *arg)
{
    struct tc_lines *lines = arg;
    locale_t before = uselocale(lines->locale);

    note_history(lines, lines->wide);
    uselocale(before);
}

static bool start_history(struct tc_lines *lines)
{
    HistEventW event;

    lines->history = history_winit();
    return lines->history && history_w(lines->history, &event, H_SETSIZE, HISTORY) >= 0 &&
           history_w(lines->history, &event, H_SETUNIQUE, 1) >= 0;
}

static void start_editing(void *arg)
{
    struct tc_lines *lines = arg;
    locale_t before = uselocale(lines->locale);

    lines->edit = el_init("toolcrib", stdin, stderr, stderr);
    lines->failed = !lines->edit || !start_history(lines);
    if (!lines->failed) {
        el_wset(lines->edit, EL_CLIENTDATA, lines);
        el_wset(lines->edit, EL_PROMPT, prompt_of);
        el_wset(lines->edit, EL_EDITOR, L"emacs");
        el_wset(lines->edit, EL_SIGNAL, 0);
        el_wset(lines->edit, EL_GETCFN, read_wide);
        el_wset(lines->edit, EL_HIST, history_w, lines->history);
        el_wset(lines->edit, EL_BIND, L"^R", L"em-inc-search-prev", NULL);
    }
    uselocale(before);
}

static void stop_editing(void *arg)
{
    struct tc_lines *lines = arg;
    locale_t before = uselocale(lines->locale);

    if (lines->history)
        history_wend(lines->history);
    if (lines->edit)
        el_end(lines->edit);
    uselocale(before);
}

/* --- on the loop --- */

static enum tc_err start(struct tc_cx *cx, struct tc_lines *lines)
{
    enum tc_err e;

    lines->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!lines->locale || pipe2(lines->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return tc_fail(cx, TC_E_IO, "The terminal cannot be read: %s.", strerror(errno));
    e = tc_offload(cx, start_editing, lines);
    if (!e && lines->failed)
        e = tc_fail(cx, TC_E_IO, "The terminal cannot be used for editing.");
    return e;
}

enum tc_err tc_lines_open(struct tc_cx *cx, const char *prompt, struct tc_lines **ret_lines)
{
    struct tc_lines *lines = tc_mem_zalloc(1, sizeof *lines);
    enum tc_err e = TC_OK;

    if (!lines)
        return tc_fail_memory(cx);
    lines->wake[0] = lines->wake[1] = -1;
    tc_buf_init(&lines->line, TC_LINES_MAX);
    tc_lines_prompt(lines, tc_str_of(prompt));
    if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
        e = start(cx, lines);
    if (e)
        tc_lines_close(cx, lines);
    else
        *ret_lines = lines;
    return e;
}

void tc_lines_close(struct tc_cx *cx, struct tc_lines *lines)
{
    if (!lines)
        return;
    tc_offload(cx, stop_editing, lines);
    if (lines->locale)
        freelocale(lines->locale);
    for (size_t i = 0; i < 2; i++)
        if (lines->wake[i] >= 0)
            close(lines->wake[i]);
    tc_buf_finish(&lines->line);
    tc_mem_free(lines);
}

void tc_lines_prompt(struct tc_lines *lines, struct tc_str prompt)
{
    size_t n = 0, at = 0;

    while (at < prompt.n && n < PROMPT_MAX - 1)
        lines->prompt[n++] = (wchar_t)tc_utf8_next(prompt, &at);
    lines->prompt[n] = L'\0';
}

bool tc_lines_interrupted(const struct tc_lines *lines)
{
    return lines->interrupted;
}

bool tc_lines_edited(const struct tc_lines *lines)
{
    return lines->edit != NULL;
}

enum tc_err tc_lines_remember(struct tc_cx *cx, struct tc_lines *lines, struct tc_str line)
{
    size_t n = 0, at = 0;
    enum tc_err e;

    if (!lines->edit || line.n > HISTORY_LINE || tc_str_chr(line, '\n') != SIZE_MAX)
        return TC_OK;
    lines->wide = TC_ARENA_NEW_N(cx->arena, wchar_t, line.n + 1);
    if (!lines->wide)
        return tc_fail_memory(cx);
    while (at < line.n)
        lines->wide[n++] = (wchar_t)tc_utf8_next(line, &at);
    lines->wide[n] = L'\0';
    e = tc_offload(cx, enter_history, lines);
    lines->wide = NULL;
    return e;
}

static void on_interrupt(void *arg)
{
    struct tc_lines *lines = arg;

    lines->interrupted = true;
    if (write(lines->wake[1], "", 1) != 1)
        return; /* it is full: the thread wakes all the same */
}

static void drain(struct tc_lines *lines)
{
    char bytes[16];

    while (read(lines->wake[0], bytes, sizeof bytes) > 0) {
    }
}

static enum tc_err read_edited(struct tc_cx *cx, struct tc_lines *lines, struct tc_str *ret_line)
{
    struct tc_signal *signal;
    enum tc_err e = tc_signal_open(cx, tc_task_loop(cx), SIGINT, on_interrupt, lines, &signal);

    if (e)
        return e;
    lines->interrupted = false;
    tc_buf_clear(&lines->line);
    e = tc_offload(cx, edit_line, lines);
    tc_signal_close(signal);
    drain(lines);
    *ret_line = tc_str_n(NULL, 0);
    if (e)
        return e;
    if (lines->end && !lines->interrupted)
        return TC_OK;
    *ret_line = lines->end ? TC_STR("") : tc_buf_dup(&lines->line, cx->arena);
    return ret_line->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_lines_read(struct tc_cx *cx, struct tc_lines *lines, struct tc_str *ret_line)
{
    enum tc_err e;

    if (!lines->edit)
        return tc_cli_read_line(cx, "", ret_line);
    e = read_edited(cx, lines, ret_line);
    if (!e && (!ret_line->p || lines->interrupted))
        fputs("\n", stderr);
    return e;
}
