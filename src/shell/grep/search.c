/*
 * The search through one stream: a window of whole lines that moves over it, in which
 * tc_regex_line jumps from match to match. Lines of context before a match are kept
 * in the window, lines after it are owed (`pending`) until they come.
 */
#include "shell/grep/grep.h"

#include <unistd.h>

#include "base/utf8.h"

enum { READ_SIZE = 128 << 10, WINDOW_MAX = 256 << 20, BYTES_A_UNIT = 128 };

/* With -w, nothing counts as a match where the expression matches more than nothing. */
static bool matches(const struct grep *g, struct tc_str line)
{
    struct tc_regex_match word, any;
    size_t at = 0;

    if (!g->unbound)
        return tc_regex_search(g->regex, line, 0, NULL, 0) == TC_REGEX_FOUND;
    while (at <= line.n && tc_regex_search(g->regex, line, at, &word, 1) == TC_REGEX_FOUND) {
        size_t step = tc_utf8_sequence((const unsigned char *)line.p + word.start, line.n - word.start);

        if (word.end > word.start || tc_regex_search(g->unbound, line, word.start, &any, 1) != TC_REGEX_FOUND ||
            any.start > word.start || any.end == any.start)
            return true;
        at = word.start + (step ? step : 1);
    }
    return false;
}

/* Where the next line with a match begins, at or behind `from`; w->end when there is none. */
static size_t next_match(struct grep_window *w, size_t from)
{
    struct grep *g = w->g;
    struct tc_str text = tc_str_n(w->buf.p + from, w->end - from);
    size_t at;

    if (!g->regex)
        return w->end;
    if (w->eol == '\n' && !g->unbound) {
        at = tc_regex_line(g->regex, text, 0);
        if (at == SIZE_MAX - 1) {
            tc_cmd_fail(g->c, "%s: exceeded the limit of steps for back-references", w->name);
            g->failed = w->stopped = true;
        }
        return at < text.n ? from + at : w->end;
    }
    while (from < w->end) {
        const char *end = memchr(w->buf.p + from, w->eol, w->end - from);
        struct tc_str record = tc_str_n(w->buf.p + from, (size_t)(end - w->buf.p) - from);

        if (matches(g, record))
            return from;
        from += record.n + 1;
    }
    return w->end;
}

static size_t line_end(const struct grep_window *w, size_t from)
{
    return (size_t)((const char *)memchr(w->buf.p + from, w->eol, w->end - from) - w->buf.p) + 1;
}

/* The lines of context that are owed, up to `to`. */
static void print_pending(struct grep_window *w, size_t to)
{
    size_t at = w->last_out == SIZE_MAX ? 0 : w->last_out;

    while (w->pending > 0 && at < to && !w->quiet) {
        size_t end = line_end(w, at);

        tc_grep_print_line(w, at, end, false);
        at = end;
        w->pending--;
    }
}

/* The context before a line at `at`, with the separator of groups. */
static void print_before(struct grep_window *w, size_t at)
{
    struct grep *g = w->g;
    size_t floor = w->last_out == SIZE_MAX ? 0 : w->last_out, p = at;

    for (int64_t i = 0; i < g->before && p > floor; i++)
        do
            p--;
        while (p > floor && w->buf.p[p - 1] != w->eol);
    if ((g->before >= 0 || g->after >= 0) && g->printed && p != w->last_out && g->separator) {
        tc_grep_print_colored(g, NULL, tc_str_of(g->separator));
        tc_cmd_putc(g->c->out, '\n');
    }
    while (p < at && !w->quiet) {
        size_t end = line_end(w, p);

        tc_grep_print_line(w, p, end, false);
        p = end;
    }
}

/* Takes the lines of [from, to) as selected. */
static void select_lines(struct grep_window *w, size_t from, size_t to)
{
    struct grep *g = w->g;
    size_t at = from;

    if (!w->quiet) {
        print_pending(w, from);
        print_before(w, from);
    }
    while (at < to && w->left > 0 && !(w->first_only && w->selected)) {
        size_t end = line_end(w, at);

        if (!w->quiet)
            tc_grep_print_line(w, at, end, true);
        w->selected++;
        w->left--;
        at = end;
    }
    w->after_last = w->offset + (int64_t)at;
    w->pending = w->quiet || g->after < 0 ? 0 : g->after;
    if (!w->quiet)
        g->printed = true;
    w->last_out = w->quiet ? w->last_out : at;
}

/* Selects what matches in [from, w->end). */
static void search_window(struct grep_window *w, size_t from)
{
    size_t at = from;

    while (at < w->end && w->left > 0 && !w->stopped && !(w->first_only && w->selected)) {
        size_t match = next_match(w, at);

        if (w->stopped || (!w->g->invert && match >= w->end))
            break;
        if (w->g->invert) {
            if (at < match)
                select_lines(w, at, match);
            at = match < w->end ? line_end(w, match) : w->end;
        } else {
            at = line_end(w, match);
            select_lines(w, match, at);
        }
        if (!tc_cmd_tick(w->g->c, 1))
            w->stopped = true;
    }
}

/* A NUL makes it a binary file: its matches are counted or told, not shown, and NULs end lines too. */
static void look_for_nul(struct grep_window *w, size_t from)
{
    struct grep *g = w->g;

    if (g->binary == GREP_BINARY_TEXT || w->eol == '\0')
        return;
    if (!w->binary_found && w->buf.n > from && memchr(w->buf.p + from, '\0', w->buf.n - from)) {
        w->binary_found = true;
        if (g->binary == GREP_BINARY_SKIPPED)
            return;
        if (!g->count)
            w->first_only = w->quiet = true;
        w->selected_before_binary = w->selected;
    }
    if (w->binary_found) {
        char *p = w->buf.p + from, *end = w->buf.p + w->buf.n;

        while (p < end && (p = memchr(p, '\0', (size_t)(end - p))))
            *p++ = '\n';
    }
}

/* Drops what is searched, but the lines that may be context of the next match. Returns where the rest begins. */
static size_t advance(struct grep_window *w)
{
    size_t keep = w->end, floor = w->last_out == SIZE_MAX ? 0 : w->last_out;

    if (w->pending > 0 && !w->quiet)
        print_pending(w, w->end);
    for (int64_t i = 0; !w->quiet && i < w->g->before && keep > floor; i++)
        do
            keep--;
        while (keep > floor && w->buf.p[keep - 1] != w->eol);
    if (w->g->line_numbers && w->counted < keep)
        tc_grep_count_lines(w, keep);
    w->counted = w->counted > keep ? w->counted - keep : 0;
    w->last_out = w->last_out != SIZE_MAX && w->last_out >= keep ? w->last_out - keep : SIZE_MAX;
    w->offset += (int64_t)keep;
    tc_buf_drop(&w->buf, keep);
    w->end -= keep;
    return w->end;
}

/* Reads on until a line more is whole. 1; 0 at the end; -1 on an error or when stopped. */
static int fill(struct grep_window *w)
{
    size_t searched = w->end;

    for (;;) {
        char *room = tc_buf_reserve(&w->buf, READ_SIZE);
        size_t old = w->buf.n;
        const char *last;
        ssize_t n;

        if (!room)
            return tc_cmd_fail_memory(w->g->c), -1;
        n = tc_cmd_read(w->g->c, w->in, room, READ_SIZE);
        if (n < 0 || !tc_cmd_tick(w->g->c, 1 + (unsigned)(n < 0 ? 0 : n) / BYTES_A_UNIT))
            return -1;
        w->buf.n += (size_t)n;
        w->taken += n;
        look_for_nul(w, old);
        if (n == 0 && w->buf.n > searched) { /* the last line has no end: it gets one */
            tc_buf_char(&w->buf, w->eol);
            if (w->buf.failed)
                return tc_cmd_fail_memory(w->g->c), -1;
            w->end = w->buf.n;
            return 1;
        }
        if (n == 0)
            return 0;
        last = memrchr(w->buf.p + old, w->eol, (size_t)n);
        if (last) {
            w->end = (size_t)(last - w->buf.p) + 1;
            return 1;
        }
        if (w->binary_found && w->g->binary == GREP_BINARY_SKIPPED)
            return 0;
    }
}

static void tell_binary(struct grep_window *w)
{
    struct grep *g = w->g;
    bool nul = w->binary_found && w->selected > w->selected_before_binary;

    if (g->binary == GREP_BINARY_TOLD && !g->count && !g->quiet && g->list == GREP_LIST_NONE &&
        (w->encoding_error || nul)) {
        tc_cmd_flush(g->c->out);
        tc_cmd_fail(g->c, "%s: binary file matches", w->name);
    }
}

/* Digits of the size of a file, for -T; of a stream, of the greatest number. */
static int number_width(struct tc_cmd_in *in)
{
    struct stat st;
    int width = 1;

    if (tc_cmd_in_stat(in, &st) || !S_ISREG(st.st_mode))
        return 19;
    for (int64_t n = st.st_size; n >= 10; n /= 10)
        width++;
    return width;
}

int tc_grep_stream(struct grep *g, struct tc_cmd_in *in, const char *name, int64_t *ret_selected)
{
    struct grep_window w = {.g = g, .in = in, .name = name, .last_out = SIZE_MAX, .eol = g->null_data ? '\0' : '\n',
                            .left = g->max < 0 ? INT64_MAX : g->max};
    int64_t at;
    int error, more;

    tc_buf_init(&w.buf, WINDOW_MAX);
    w.first_only = g->quiet || g->list != GREP_LIST_NONE;
    w.quiet = w.first_only || g->count;
    w.width = g->tabs ? number_width(in) : 0;
    while ((more = fill(&w)) > 0) {
        size_t from = w.searched;

        if (w.binary_found && g->binary == GREP_BINARY_SKIPPED)
            break;
        search_window(&w, from);
        if (w.stopped || w.left == 0 || (w.first_only && w.selected)) {
            print_pending(&w, w.end);
            if (w.left > 0 || w.pending == 0)
                break;
        }
        w.searched = advance(&w);
    }
    error = more < 0 ? tc_cmd_in_error(in) : 0;
    if (w.left == 0 || (w.first_only && w.selected)) /* the next reader goes on behind the last line selected */
        tc_cmd_in_seek(g->c, in, w.after_last < w.taken ? w.after_last - w.taken : 0, SEEK_CUR, &at);
    tell_binary(&w);
    tc_buf_finish(&w.buf);
    *ret_selected = w.binary_found && g->binary == GREP_BINARY_SKIPPED ? 0 : w.selected;
    return error;
}
