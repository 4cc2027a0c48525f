/*
 * diff -y: two columns, with a mark between lines that differ.
 */
#include "base/utf8.h"
#include "shell/diff/diff.h"

struct layout {
    size_t half, second; /* width of a column; where the second begins */
};

static struct layout layout_of(const struct diff_options *o)
{
    int64_t tab = o->expand_tabs ? 1 : o->tab, both = tab + 3, w = o->width;
    int64_t unaligned = (w >> 1) + (both >> 1) + (w & both & 1), offset = unaligned - unaligned % tab;
    int64_t half = offset - 3 < w - offset ? offset - 3 : w - offset;

    half = half > 0 ? half : 0;
    return (struct layout){(size_t)half, (size_t)(half ? offset : w)};
}

/* Blanks, and tabs where they fit, from one column to another. */
static size_t pad(struct diff *d, size_t from, size_t to)
{
    size_t tab = (size_t)d->o->tab;

    if (!d->o->expand_tabs) {
        for (size_t stop = from + tab - from % tab; stop <= to; stop += tab) {
            tc_cmd_putc(d->c->out, '\t');
            from = stop;
        }
    }
    while (from++ < to)
        tc_cmd_putc(d->c->out, ' ');
    return to;
}

/* As much of a line as fits; returns the column behind it. */
static size_t put_half(struct diff *d, struct tc_str line, size_t indent, size_t most)
{
    size_t column = 0, shown = 0, tab = (size_t)d->o->tab;

    line.n -= line.n && line.p[line.n - 1] == '\n';
    for (size_t i = 0; i < line.n;) {
        size_t n = tc_utf8_sequence((const unsigned char *)line.p + i, line.n - i);

        n = n ? n : 1;
        if (line.p[i] == '\t') {
            size_t to = column + tab - column % tab;

            if (column == shown) {
                if (!d->o->expand_tabs && to < most) {
                    tc_cmd_putc(d->c->out, '\t');
                    shown = to;
                } else {
                    for (; shown < to && shown < most; shown++)
                        tc_cmd_putc(d->c->out, ' ');
                }
            }
            column = to;
        } else {
            if (column < most) {
                tc_cmd_write(d->c->out, line.p + i, n);
                shown = column + 1;
            }
            column++;
        }
        i += n;
    }
    return indent + (shown < most ? shown : most);
}

static bool is_ended(const struct tc_str *line)
{
    return line && line->n && line->p[line->n - 1] == '\n';
}

static void put_row(struct diff *d, struct layout layout, const struct tc_str *left, char mark,
                    const struct tc_str *right)
{
    size_t column = left ? put_half(d, *left, 0, layout.half) : 0;
    bool ended = is_ended(left);

    if (mark != ' ') {
        column = pad(d, column, (layout.half + layout.second - 1) / 2) + 1;
        if (mark == '|' && ended != is_ended(right))
            mark = ended ? '/' : '\\';
        tc_cmd_putc(d->c->out, mark);
    }
    if (right && right->n && right->p[0] != '\n') {
        column = pad(d, column, layout.second);
        put_half(d, *right, column, layout.half);
    }
    if (ended || is_ended(right))
        tc_cmd_putc(d->c->out, '\n');
}

/* Common lines, and what is ignored, up to a line of each file. */
static void put_common(struct diff *d, struct layout layout, size_t at[2], size_t left_to, size_t right_to)
{
    const struct tc_str *left = d->files[0].lines, *right = d->files[1].lines;

    if (d->o->suppress_common) {
        at[0] = left_to;
        at[1] = right_to;
    }
    while (!d->o->left_column && at[0] < left_to && at[1] < right_to)
        put_row(d, layout, &left[at[0]++], ' ', &right[at[1]++]);
    while (!d->o->left_column && at[1] < right_to)
        put_row(d, layout, NULL, ')', &right[at[1]++]);
    while (at[0] < left_to)
        put_row(d, layout, &left[at[0]++], '(', NULL);
    at[1] = right_to;
}

void tc_diff_print_side(struct diff *d, struct diff_change *script)
{
    struct layout layout = layout_of(d->o);
    size_t at[2] = {0, 0};

    for (struct diff_change *change = script; change && !tc_cmd_stopped(d->c); change = change->next) {
        size_t pairs = change->count[0] < change->count[1] ? change->count[0] : change->count[1];

        if (!tc_diff_shown(d, change, change))
            continue;
        put_common(d, layout, at, change->line[0], change->line[1]);
        for (size_t k = 0; k < pairs; k++)
            put_row(d, layout, &d->files[0].lines[at[0]++], '|', &d->files[1].lines[at[1]++]);
        for (size_t k = pairs; k < change->count[0]; k++)
            put_row(d, layout, &d->files[0].lines[at[0]++], '<', NULL);
        for (size_t k = pairs; k < change->count[1]; k++)
            put_row(d, layout, NULL, '>', &d->files[1].lines[at[1]++]);
    }
    put_common(d, layout, at, d->files[0].n, d->files[1].n);
}
