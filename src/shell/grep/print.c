/*
 * How grep prints: file name, line number, offset, and the line, whole or by its
 * matches, with GNU's colours. A line that is not UTF-8 makes its file a binary one.
 */
#include "shell/grep/grep.h"

#include "base/utf8.h"

static const char color_match[] = "01;31", color_name[] = "35", color_number[] = "32", color_separator[] = "36";

static void color_start(struct grep *g, const char *color)
{
    if (g->color)
        tc_cmd_printf(g->c->out, "\33[%sm\33[K", color);
}

static void color_end(struct grep *g)
{
    if (g->color)
        tc_cmd_puts(g->c->out, "\33[m\33[K");
}

void tc_grep_print_colored(struct grep *g, const char *color, struct tc_str text)
{
    color_start(g, color ? color : color_separator);
    tc_cmd_write(g->c->out, text.p, text.n);
    color_end(g);
}

void tc_grep_print_name(struct grep *g, const char *name)
{
    tc_grep_print_colored(g, color_name, tc_str_of(name));
}

static void separator(struct grep *g, char sep)
{
    tc_grep_print_colored(g, color_separator, tc_str_n(&sep, 1));
}

static void number(struct grep_window *w, int64_t n, char sep)
{
    color_start(w->g, color_number);
    tc_cmd_printf(w->g->c->out, "%*lld", w->width, (long long)n);
    color_end(w->g);
    separator(w->g, sep);
}

void tc_grep_count_lines(struct grep_window *w, size_t at)
{
    const char *p = w->buf.p + w->counted, *end = w->buf.p + at;

    while (p < end && (p = memchr(p, w->eol, (size_t)(end - p)))) {
        w->line++;
        p++;
    }
    w->counted = at;
}

/* What stands before a line or match. False when the text is not UTF-8: it is not shown, the file is told binary. */
static bool print_head(struct grep_window *w, size_t from, size_t n, char sep)
{
    struct grep *g = w->g;
    struct tc_str text = tc_str_n(w->buf.p + from, n);

    if (g->binary != GREP_BINARY_TEXT && tc_utf8_valid(text) < n) {
        w->encoding_error = true;
        return false;
    }
    if (g->names) {
        tc_grep_print_name(g, w->name);
        if (g->null_names)
            tc_cmd_putc(g->c->out, '\0');
        else
            separator(g, sep);
    }
    if (g->line_numbers) {
        tc_grep_count_lines(w, from);
        number(w, w->line + 1, sep);
    }
    if (g->byte_offsets)
        number(w, w->offset + (int64_t)from, sep);
    if (g->tabs && n && (g->names || g->line_numbers || g->byte_offsets))
        tc_cmd_putc(g->c->out, '\t');
    return true;
}

/* The matches of a line: each printed alone (-o), or coloured among the rest, which is
 * printed too up to the last one; *ret_done is where the caller goes on. */
static bool print_matches(struct grep_window *w, size_t from, size_t to, size_t *ret_done)
{
    struct grep *g = w->g;
    struct tc_str line = tc_str_n(w->buf.p + from, to - from - 1);
    struct tc_regex_match m;
    size_t at = 0, done = 0;

    while (at <= line.n && g->regex && tc_regex_search(g->regex, line, at, &m, 1) == TC_REGEX_FOUND) {
        if (m.end == m.start) { /* empty ones are not shown */
            size_t step = m.start < line.n ? tc_utf8_sequence((const unsigned char *)line.p + m.start, line.n - m.start)
                                           : 1;

            at = m.start + (step ? step : 1);
            continue;
        }
        if (g->only_matching && !print_head(w, from + m.start, m.end - m.start, g->invert ? '-' : ':'))
            return false;
        if (!g->only_matching)
            tc_cmd_write(g->c->out, line.p + done, m.start - done);
        tc_grep_print_colored(g, color_match, tc_str_n(line.p + m.start, m.end - m.start));
        if (g->only_matching)
            tc_cmd_putc(g->c->out, w->eol);
        at = done = m.end;
    }
    *ret_done = from + done;
    return true;
}

void tc_grep_print_line(struct grep_window *w, size_t from, size_t to, bool selected)
{
    struct grep *g = w->g;
    char sep = selected ? ':' : '-';
    bool matching = selected != g->invert;
    size_t at = from;

    if (!g->only_matching && !print_head(w, from, to - from - 1, sep))
        return;
    if (matching && (g->only_matching || g->color) && !print_matches(w, from, to, &at))
        return;
    if (!g->only_matching)
        tc_cmd_write(g->c->out, w->buf.p + at, to - at);
    if (g->line_buffered)
        tc_cmd_flush(g->c->out);
    w->last_out = to;
}
