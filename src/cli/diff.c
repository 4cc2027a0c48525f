/*
 * The longest common subsequence by the table of its lengths, after the equal
 * head and tail were put aside.
 */
#include "cli/diff.h"

#include "cli/table.h"

enum { CONTEXT = 2, MIDDLE_MAX = 1500 }; /* lines; the table takes MIDDLE_MAX² · 2 bytes */

struct lines {
    struct tc_str *items;
    size_t n;
};

struct row { /* one line of the outcome */
    char sign; /* ' ', '-', '+' */
    struct tc_str text;
};

struct rows {
    struct row *items;
    size_t n;
};

static enum tc_err split(struct tc_cx *cx, struct tc_str text, struct lines *ret)
{
    struct tc_str rest = text, line;
    size_t n = 1;

    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    *ret = (struct lines){TC_ARENA_NEW_N(cx->arena, struct tc_str, n), 0};
    if (!ret->items)
        return tc_fail_memory(cx);
    while (tc_str_split(&rest, '\n', &line))
        ret->items[ret->n++] = line;
    if (ret->n && ret->items[ret->n - 1].n == 0)
        ret->n--; /* behind the last line end */
    return TC_OK;
}

static void put(struct rows *rows, char sign, struct tc_str text)
{
    rows->items[rows->n++] = (struct row){sign, text};
}

/* lengths[i * (m + 1) + j]: of the longest common part of a from i and b from j. */
static enum tc_err compare(struct tc_cx *cx, struct lines a, struct lines b, struct rows *rows)
{
    size_t m = b.n + 1, i, j;
    uint16_t *lengths;

    if (a.n > MIDDLE_MAX || b.n > MIDDLE_MAX) {
        for (i = 0; i < a.n; i++)
            put(rows, '-', a.items[i]);
        for (j = 0; j < b.n; j++)
            put(rows, '+', b.items[j]);
        return TC_OK;
    }
    lengths = TC_ARENA_NEW_N(cx->arena, uint16_t, (a.n + 1) * m);
    if (!lengths)
        return tc_fail_memory(cx);
    for (i = a.n; i-- > 0;)
        for (j = b.n; j-- > 0;) {
            uint16_t down = lengths[(i + 1) * m + j], right = lengths[i * m + j + 1];
            lengths[i * m + j] = tc_str_eq(a.items[i], b.items[j]) ? (uint16_t)(lengths[(i + 1) * m + j + 1] + 1)
                                 : down > right                    ? down
                                                                   : right;
        }
    for (i = j = 0; i < a.n || j < b.n;) {
        if (i < a.n && j < b.n && tc_str_eq(a.items[i], b.items[j])) {
            put(rows, ' ', a.items[i++]);
            j++;
        } else if (i < a.n && (j == b.n || lengths[(i + 1) * m + j] >= lengths[i * m + j + 1])) {
            put(rows, '-', a.items[i++]);
        } else {
            put(rows, '+', b.items[j++]);
        }
    }
    return TC_OK;
}

static bool near_change(const struct rows *rows, size_t at)
{
    size_t from = at > CONTEXT ? at - CONTEXT : 0;

    for (size_t i = from; i < rows->n && i <= at + CONTEXT; i++)
        if (rows->items[i].sign != ' ')
            return true;
    return false;
}

static void print_rows(const struct rows *rows, const struct tc_cli_look *look, struct tc_buf *to)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->items[i];
        struct tc_buf line;
        if (!near_change(rows, i))
            continue;
        tc_buf_init(&line, row->text.n * 3 + 3); /* what is made harmless may take three bytes for one */
        tc_buf_printf(&line, "%c ", row->sign);
        tc_cli_safe(&line, row->text, false);
        tc_cli_paint(to, look, row->sign == '-' ? TC_CLI_RED : row->sign == '+' ? TC_CLI_GREEN : TC_CLI_PLAIN,
                     tc_buf_get(&line));
        tc_buf_char(to, '\n');
        tc_buf_finish(&line);
    }
}

enum tc_err tc_cli_diff(struct tc_cx *cx, struct tc_str before, struct tc_str after, const struct tc_cli_look *look,
                        struct tc_buf *to)
{
    struct lines a, b, middle_a, middle_b;
    size_t head = 0, tail = 0;
    struct rows rows = {0};
    enum tc_err e = split(cx, before, &a);

    if (!e)
        e = split(cx, after, &b);
    if (e)
        return e;
    while (head < a.n && head < b.n && tc_str_eq(a.items[head], b.items[head]))
        head++;
    while (tail < a.n - head && tail < b.n - head &&
           tc_str_eq(a.items[a.n - 1 - tail], b.items[b.n - 1 - tail]))
        tail++;
    rows.items = TC_ARENA_NEW_N(cx->arena, struct row, a.n + b.n + 1);
    if (!rows.items)
        return tc_fail_memory(cx);
    middle_a = (struct lines){a.items + head, a.n - head - tail};
    middle_b = (struct lines){b.items + head, b.n - head - tail};
    for (size_t i = 0; i < head; i++)
        put(&rows, ' ', a.items[i]);
    e = compare(cx, middle_a, middle_b, &rows);
    for (size_t i = a.n - tail; !e && i < a.n; i++)
        put(&rows, ' ', a.items[i]);
    if (!e)
        print_rows(&rows, look, to);
    return e;
}
