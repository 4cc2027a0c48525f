/*
 * The styles of diff but those that show both files whole: normal, unified, context,
 * and the scripts for ed and RCS.
 */
#include "shell/diff/diff.h"

#include <stdio.h>
#include <time.h>

static const char color_header[] = "1", color_add[] = "32", color_delete[] = "31", color_line[] = "36";

static void color_on(struct diff *d, const char *color)
{
    if (d->o->color)
        tc_cmd_printf(d->c->out, "\33[%sm", color);
}

static void color_off(struct diff *d)
{
    if (d->o->color)
        tc_cmd_puts(d->c->out, "\33[0m");
}

/* The text of a line without its end, tabs expanded with -t. */
void tc_diff_put_text(struct diff *d, struct tc_str text)
{
    size_t column = 0;

    if (!d->o->expand_tabs) {
        tc_cmd_write(d->c->out, text.p, text.n);
        return;
    }
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '\t') {
            tc_cmd_putc(d->c->out, text.p[i]);
            column++;
            continue;
        }
        do
            tc_cmd_putc(d->c->out, ' ');
        while (++column % (size_t)d->o->tab);
    }
}

/* A line behind its mark; one without an end says so. */
static void put_line(struct diff *d, const char *mark, const char *color, struct tc_str line)
{
    bool ended = line.n && line.p[line.n - 1] == '\n';
    bool bare = d->o->suppress_blank_empty && line.n == 1 && ended;

    if (color)
        color_on(d, color);
    if (bare || d->o->initial_tab) {
        if (mark[0] != ' ' || (!bare && mark[1]))
            tc_cmd_putc(d->c->out, mark[0]);
        if (!bare)
            tc_cmd_putc(d->c->out, '\t');
    } else {
        tc_cmd_puts(d->c->out, mark);
    }
    tc_diff_put_text(d, tc_str_n(line.p, line.n - ended));
    if (color)
        color_off(d);
    tc_cmd_putc(d->c->out, '\n');
    if (!ended)
        tc_cmd_puts(d->c->out, "\\ No newline at end of file\n");
}

/* --- hunks --- */

static bool is_ignored(struct diff *d, struct tc_str line)
{
    size_t n = line.n - (line.n && line.p[line.n - 1] == '\n'), i = 0;
    bool spaces = d->o->ignore_space || d->o->ignore_space_change || d->o->ignore_trailing_space;

    if (d->o->ignore_blank_lines) {
        while (i < n && spaces && (line.p[i] == ' ' || line.p[i] == '\t'))
            i++;
        if (i == n)
            return true;
    }
    return d->o->ignored_lines &&
           tc_regex_search(d->o->ignored_lines, tc_str_n(line.p, n), 0, NULL, 0) == TC_REGEX_FOUND;
}

bool tc_diff_shown(struct diff *d, const struct diff_change *first, const struct diff_change *last)
{
    if (!d->o->ignore_blank_lines && !d->o->ignored_lines)
        return true;
    for (const struct diff_change *change = first;; change = change->next) {
        for (int f = 0; f < 2; f++)
            for (size_t i = 0; i < change->count[f]; i++)
                if (!is_ignored(d, d->files[f].lines[change->line[f] + i]))
                    return true;
        if (change == last)
            return false;
    }
}

/* The last change of the hunk that begins with `first`: no more lines than context allows lie between. */
static struct diff_change *end_of_hunk(struct diff *d, struct diff_change *first)
{
    size_t context = (size_t)d->o->context;
    struct diff_change *last = first;

    while (last->next) {
        size_t gap = last->next->line[0] - (last->line[0] + last->count[0]);
        size_t most = last->next->ignored ? context : 2 * context + 1;

        if (gap >= most)
            break;
        last = last->next;
    }
    return last;
}

static void mark_ignored(struct diff *d, struct diff_change *script)
{
    for (struct diff_change *change = script; change; change = change->next)
        change->ignored = !tc_diff_shown(d, change, change);
}

/* --- headers --- */

static void put_name(struct diff *d, int f, const char *mark)
{
    const struct diff_file *file = &d->files[f];
    char date[40];
    struct tm tm = {0};

    color_on(d, color_header);
    if (d->o->labels[f]) {
        tc_cmd_printf(d->c->out, "%s %s", mark, d->o->labels[f]);
    } else {
        gmtime_r(&file->time.tv_sec, &tm);
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
        tc_cmd_printf(d->c->out, "%s %s\t%s.%09ld +0000", mark, file->name, date, file->time.tv_nsec);
    }
    color_off(d);
    tc_cmd_putc(d->c->out, '\n');
}

/* -p and -F: the last line before the hunk that the expression matches, cut at forty bytes. */
static void put_function(struct diff *d, size_t before)
{
    if (!d->o->function)
        return;
    while (before-- > 0) {
        struct tc_str line = d->files[0].lines[before];

        line.n -= line.n && line.p[line.n - 1] == '\n';
        if (tc_regex_search(d->o->function, line, 0, NULL, 0) != TC_REGEX_FOUND)
            continue;
        while (line.n && (*line.p == ' ' || *line.p == '\t')) {
            line.p++;
            line.n--;
        }
        line.n = line.n > 40 ? 40 : line.n;
        while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t'))
            line.n--;
        tc_cmd_printf(d->c->out, " %.*s", TC_STR_ARG(line));
        return;
    }
}

/* --- unified and context --- */

struct range {
    size_t from, to; /* lines from 0, to not included */
};

static void hunk_ranges(struct diff *d, const struct diff_change *first, const struct diff_change *last,
                        struct range ranges[2])
{
    size_t context = (size_t)d->o->context;

    for (int f = 0; f < 2; f++) {
        size_t to = last->line[f] + last->count[f];

        ranges[f].from = first->line[f] > context ? first->line[f] - context : 0;
        ranges[f].to = d->files[f].n - to > context ? to + context : d->files[f].n;
    }
}

static void put_unified_range(struct diff *d, struct range range)
{
    size_t n = range.to - range.from;

    if (n == 1)
        tc_cmd_printf(d->c->out, "%zu", range.from + 1);
    else
        tc_cmd_printf(d->c->out, "%zu,%zu", range.from + (n > 0), n);
}

static void put_unified_hunk(struct diff *d, const struct diff_change *first, const struct diff_change *last)
{
    struct range ranges[2];
    const struct diff_change *change = first;
    size_t i, j;

    hunk_ranges(d, first, last, ranges);
    color_on(d, color_line);
    tc_cmd_puts(d->c->out, "@@ -");
    put_unified_range(d, ranges[0]);
    tc_cmd_puts(d->c->out, " +");
    put_unified_range(d, ranges[1]);
    tc_cmd_puts(d->c->out, " @@");
    color_off(d);
    put_function(d, ranges[0].from);
    tc_cmd_putc(d->c->out, '\n');
    for (i = ranges[0].from, j = ranges[1].from; i < ranges[0].to || j < ranges[1].to;) {
        if (!change || i < change->line[0]) {
            put_line(d, " ", NULL, d->files[0].lines[i++]);
            j++;
            continue;
        }
        for (size_t k = 0; k < change->count[0]; k++)
            put_line(d, "-", color_delete, d->files[0].lines[i++]);
        for (size_t k = 0; k < change->count[1]; k++)
            put_line(d, "+", color_add, d->files[1].lines[j++]);
        change = change == last ? NULL : change->next;
    }
}

static void put_context_side(struct diff *d, int f, struct range range, const struct diff_change *first,
                             const struct diff_change *last)
{
    const struct diff_change *change = first;
    bool changed = false;

    color_on(d, color_line);
    tc_cmd_printf(d->c->out, "%s ", f ? "---" : "***");
    if (range.to - range.from > 1)
        tc_cmd_printf(d->c->out, "%zu,%zu", range.from + 1, range.to);
    else
        tc_cmd_printf(d->c->out, "%zu", range.to);
    tc_cmd_printf(d->c->out, " %s", f ? "----" : "****");
    color_off(d);
    tc_cmd_putc(d->c->out, '\n');
    for (const struct diff_change *k = first; k; k = k == last ? NULL : k->next)
        changed |= k->count[f] > 0;
    for (size_t i = range.from; changed && i < range.to; i++) {
        const char *mark = "  ", *color = NULL;

        while (change && change->line[f] + change->count[f] <= i)
            change = change == last ? NULL : change->next;
        if (change && change->line[f] <= i) {
            mark = change->count[1 - f] > 0 ? "! " : f ? "+ " : "- ";
            color = f ? color_add : color_delete;
        }
        put_line(d, mark, color, d->files[f].lines[i]);
    }
}

static void put_context_hunk(struct diff *d, const struct diff_change *first, const struct diff_change *last)
{
    struct range ranges[2];

    hunk_ranges(d, first, last, ranges);
    tc_cmd_puts(d->c->out, "***************");
    put_function(d, ranges[0].from);
    tc_cmd_putc(d->c->out, '\n');
    put_context_side(d, 0, ranges[0], first, last);
    put_context_side(d, 1, ranges[1], first, last);
}

/* --- normal and ed --- */

static void put_range(struct diff *d, const struct diff_change *change, int f)
{
    size_t from = change->line[f] + 1, to = change->line[f] + change->count[f];

    if (to > from)
        tc_cmd_printf(d->c->out, "%zu,%zu", from, to);
    else
        tc_cmd_printf(d->c->out, "%zu", to);
}

static char letter_of(const struct diff_change *change)
{
    return change->count[0] && change->count[1] ? 'c' : change->count[0] ? 'd' : 'a';
}

static void put_normal(struct diff *d, const struct diff_change *change)
{
    color_on(d, color_line);
    put_range(d, change, 0);
    tc_cmd_putc(d->c->out, letter_of(change));
    put_range(d, change, 1);
    color_off(d);
    tc_cmd_putc(d->c->out, '\n');
    for (size_t i = 0; i < change->count[0]; i++)
        put_line(d, "< ", color_delete, d->files[0].lines[change->line[0] + i]);
    if (change->count[0] && change->count[1])
        tc_cmd_puts(d->c->out, "---\n");
    for (size_t i = 0; i < change->count[1]; i++)
        put_line(d, "> ", color_add, d->files[1].lines[change->line[1] + i]);
}

/* A line that is a dot alone would end the text: it gets two, and one is taken away behind it. */
static void put_ed(struct diff *d, const struct diff_change *change)
{
    bool open = true;

    put_range(d, change, 0);
    tc_cmd_printf(d->c->out, "%c\n", letter_of(change));
    if (!change->count[1])
        return;
    for (size_t i = 0; i < change->count[1]; i++) {
        struct tc_str line = d->files[1].lines[change->line[1] + i];

        if (!open)
            tc_cmd_puts(d->c->out, "a\n");
        open = true;
        if (tc_str_is(line, ".\n")) {
            tc_cmd_puts(d->c->out, "..\n.\ns/.//\n");
            open = false;
            continue;
        }
        tc_diff_put_text(d, line);
        if (line.p[line.n - 1] != '\n')
            tc_cmd_putc(d->c->out, '\n');
    }
    if (open)
        tc_cmd_puts(d->c->out, ".\n");
}

static void put_ed_script(struct diff *d, struct diff_change *script)
{
    struct diff_change *last = NULL;

    while (last != script) { /* backwards, so that numbers of lines stay true */
        struct diff_change *change = script;

        while (change->next != last)
            change = change->next;
        if (tc_diff_shown(d, change, change))
            put_ed(d, change);
        last = change;
    }
}

/* "d5 2" takes lines away, "a6 2" adds those that follow; a line without an end stays so. */
static void put_rcs(struct diff *d, const struct diff_change *change)
{
    if (change->count[0])
        tc_cmd_printf(d->c->out, "d%zu %zu\n", change->line[0] + 1, change->count[0]);
    if (!change->count[1])
        return;
    tc_cmd_printf(d->c->out, "a%zu %zu\n", change->line[0] + change->count[0], change->count[1]);
    for (size_t i = 0; i < change->count[1]; i++)
        tc_diff_put_text(d, d->files[1].lines[change->line[1] + i]);
}

void tc_diff_print(struct diff *d, struct diff_change *script)
{
    bool hunks = d->o->style == DIFF_UNIFIED || d->o->style == DIFF_CONTEXT, begun = false;
    struct diff_change *last;

    switch (d->o->style) {
    case DIFF_ED: put_ed_script(d, script); return;
    case DIFF_SIDE: tc_diff_print_side(d, script); return;
    case DIFF_MERGED: tc_diff_print_merged(d, script); return;
    default: break;
    }
    mark_ignored(d, script);
    for (struct diff_change *first = script; first && !tc_cmd_stopped(d->c); first = last->next) {
        last = hunks ? end_of_hunk(d, first) : first;
        if (!tc_diff_shown(d, first, last))
            continue;
        if (hunks && !begun) {
            put_name(d, 0, d->o->style == DIFF_UNIFIED ? "---" : "***");
            put_name(d, 1, d->o->style == DIFF_UNIFIED ? "+++" : "---");
            begun = true;
        }
        if (d->o->style == DIFF_UNIFIED)
            put_unified_hunk(d, first, last);
        else if (d->o->style == DIFF_CONTEXT)
            put_context_hunk(d, first, last);
        else if (d->o->style == DIFF_RCS)
            put_rcs(d, first);
        else
            put_normal(d, first);
    }
}
