/*
 * column: entries filled into columns, or with -t a table whose columns are as wide as
 * their widest cell.
 */
#include "base/utf8.h"
#include "shell/cmds/inputs.h"
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'t', "t,table", TC_CMD_NONE, NULL, "create a table"},
    {'s', "s,separator", TC_CMD_VALUE, "STRING", "possible table delimiters"},
    {'o', "o,output-separator", TC_CMD_VALUE, "STRING", "columns separator for table output (default is two spaces)"},
    {'c', "c,output-width", TC_CMD_VALUE, "WIDTH", "width of output in number of characters"},
    {'x', "x,fillrows", TC_CMD_NONE, NULL, "fill rows before columns"},
    {'N', "N,table-columns", TC_CMD_VALUE, "NAMES", "comma separated columns names"},
    {'R', "R,table-right", TC_CMD_VALUE, "COLUMNS", "right align text in these columns"},
    {'H', "H,table-hide", TC_CMD_VALUE, "COLUMNS", "do not print these columns"},
    {'d', "d,table-noheadings", TC_CMD_NONE, NULL, "don't print header"},
    {'L', "L,keep-empty-lines", TC_CMD_NONE, NULL, "don't ignore empty lines"},
    {0}};

enum { ROWS_MAX = 1 << 20, COLUMNS_MAX = 1024 };

struct column {
    struct tc_cmd_call *c;
    bool table, rows_first, no_headings, keep_empty;
    const char *separators, *between, *right, *hidden;
    int64_t width;
    struct tc_str names[COLUMNS_MAX];
    size_t names_n;
    struct tc_buf rows; /* struct tc_str of each line */
};

/* Columns that a text takes on a terminal. */
static size_t width_of(struct tc_str s)
{
    size_t width = 0;

    for (size_t at = 0; at < s.n;)
        width += tc_utf8_is_cjk(tc_utf8_next(s, &at)) ? 2 : 1;
    return width;
}

static bool read_rows(struct column *k, int *ret_status)
{
    struct tc_inputs inputs = {0};
    struct tc_str line, kept;

    while (tc_inputs_line(k->c, &inputs, '\n', &line, NULL)) {
        size_t blank = 0;

        while (blank < line.n && (line.p[blank] == ' ' || line.p[blank] == '\t'))
            blank++;
        if (blank == line.n && !k->keep_empty)
            continue;
        kept = tc_arena_dup(k->c->arena, line);
        tc_buf_add(&k->rows, &kept, sizeof kept);
        if (!kept.p || k->rows.failed || k->rows.n / sizeof kept > ROWS_MAX)
            return tc_cmd_fail_memory(k->c), false;
    }
    *ret_status = inputs.status;
    return true;
}

/* --- lists --- */

static void put_tabs(struct column *k, size_t *at, size_t end)
{
    for (size_t next; (next = (*at + 8) & ~(size_t)7) <= end; *at = next)
        tc_cmd_putc(k->c->out, '\t');
}

static void fill(struct column *k, const struct tc_str *v, size_t n)
{
    size_t most = 0, columns, rows;

    for (size_t i = 0; i < n; i++)
        most = width_of(v[i]) > most ? width_of(v[i]) : most;
    if (most >= (size_t)k->width) {
        for (size_t i = 0; i < n; i++)
            tc_cmd_printf(k->c->out, "%.*s\n", TC_STR_ARG(v[i]));
        return;
    }
    most = (most + 8) & ~(size_t)7;
    columns = (size_t)k->width / most ? (size_t)k->width / most : 1;
    rows = (n + columns - 1) / columns;
    for (size_t row = 0; row < rows; row++) {
        size_t at = 0, end = most;

        for (size_t column = 0; column < columns; column++, end += most) {
            size_t i = k->rows_first ? row * columns + column : row + column * rows;
            size_t next = k->rows_first ? i + 1 : i + rows;

            if (i >= n)
                break;
            tc_cmd_write(k->c->out, v[i].p, v[i].n);
            at += width_of(v[i]);
            if (next >= n || (k->rows_first && column + 1 == columns))
                break;
            if (column + 1 < columns)
                put_tabs(k, &at, end);
        }
        tc_cmd_putc(k->c->out, '\n');
    }
}

/* --- tables --- */

static bool is_separator(const struct column *k, char c)
{
    return c && strchr(k->separators ? k->separators : " \t", c);
}

/* Cuts the next cell off. Blanks count as one; with -s each separator ends a cell. False: there is none. */
static bool next_cell(const struct column *k, struct tc_str *rest, bool *more, struct tc_str *ret)
{
    size_t n = 0;

    while (!k->separators && rest->n && is_separator(k, *rest->p))
        *rest = tc_str_from(*rest, 1);
    if (k->separators ? !*more : rest->n == 0)
        return false;
    while (n < rest->n && !is_separator(k, rest->p[n]))
        n++;
    *ret = tc_str_n(rest->p, n);
    *more = n < rest->n;
    *rest = tc_str_from(*rest, n + (*more ? 1 : 0));
    return true;
}

/* Is the column, by its number or name, in a list with commas? */
static bool is_in(const struct column *k, const char *text, size_t column)
{
    struct tc_str list = tc_str_of(text ? text : ""), one;
    int64_t n;

    while (tc_str_split(&list, ',', &one))
        if ((tc_str_int(one, &n) && n == (int64_t)column + 1) ||
            (column < k->names_n && one.n && tc_str_eq(one, k->names[column])))
            return true;
    return false;
}

/* What is put for all rows alike. */
struct layout {
    size_t widths[COLUMNS_MAX];
    bool right[COLUMNS_MAX], hidden[COLUMNS_MAX];
    size_t n, first, last; /* of those that are shown */
};

static void put_cell(struct column *k, const struct layout *to, struct tc_str cell, size_t column)
{
    size_t width = width_of(cell), pad = to->widths[column] > width ? to->widths[column] - width : 0;

    if (to->hidden[column])
        return;
    if (column != to->first)
        tc_cmd_puts(k->c->out, k->between);
    if (to->right[column] && (cell.n || column != to->last))
        tc_cmd_printf(k->c->out, "%*s", (int)pad, "");
    tc_cmd_write(k->c->out, cell.p, cell.n);
    if (!to->right[column] && column != to->last)
        tc_cmd_printf(k->c->out, "%*s", (int)pad, "");
}

static void put_row(struct column *k, const struct layout *to, struct tc_str line)
{
    struct tc_str cell;
    bool more = true;

    for (size_t i = 0; i < to->n; i++) {
        if (!next_cell(k, &line, &more, &cell)) {
            cell = tc_str_n("", 0);
            more = false;
            line.n = 0;
        }
        put_cell(k, to, cell, i);
    }
    tc_cmd_putc(k->c->out, '\n');
}

static void lay_out(struct column *k, const struct tc_str *v, size_t n, struct layout *to)
{
    struct tc_str cell;

    to->n = k->names_n;
    for (size_t i = 0; i < k->names_n && !k->no_headings; i++)
        to->widths[i] = width_of(k->names[i]);
    for (size_t row = 0; row < n; row++) {
        struct tc_str line = v[row];
        bool more = true;

        for (size_t i = 0; i < COLUMNS_MAX && next_cell(k, &line, &more, &cell); i++) {
            to->widths[i] = width_of(cell) > to->widths[i] ? width_of(cell) : to->widths[i];
            to->n = i + 1 > to->n ? i + 1 : to->n;
        }
    }
    to->first = SIZE_MAX;
    for (size_t i = 0; i < to->n; i++) {
        to->right[i] = is_in(k, k->right, i);
        to->hidden[i] = is_in(k, k->hidden, i);
        if (to->hidden[i])
            continue;
        to->first = to->first == SIZE_MAX ? i : to->first;
        to->last = i;
    }
}

static void put_table(struct column *k, const struct tc_str *v, size_t n)
{
    struct layout *to = TC_ARENA_NEW(k->c->arena, struct layout);

    if (!to) {
        tc_cmd_fail_memory(k->c);
        return;
    }
    lay_out(k, v, n, to);
    if (n > 0 && k->names_n && !k->no_headings) {
        for (size_t i = 0; i < to->n; i++)
            put_cell(k, to, i < k->names_n ? k->names[i] : tc_str_n("", 0), i);
        tc_cmd_putc(k->c->out, '\n');
    }
    for (size_t row = 0; row < n && tc_cmd_tick(k->c, 1); row++)
        put_row(k, to, v[row]);
}

static bool set_option(struct column *k, int option)
{
    struct tc_str list, one;

    switch (option) {
    case 't': k->table = true; return true;
    case 's': k->separators = k->c->value; return true;
    case 'o': k->between = k->c->value; return true;
    case 'c':
        if (!tc_cmd_number(k->c->value, false, &k->width) || k->width < 1)
            return tc_cmd_fail(k->c, "invalid columns argument: '%s'", k->c->value), false;
        return true;
    case 'x': k->rows_first = true; return true;
    case 'N':
        list = tc_str_of(k->c->value);
        k->names_n = 0;
        while (k->names_n < COLUMNS_MAX && tc_str_split(&list, ',', &one))
            k->names[k->names_n++] = one;
        return true;
    case 'R': k->right = k->c->value; return true;
    case 'H': k->hidden = k->c->value; return true;
    case 'd': k->no_headings = true; return true;
    default: k->keep_empty = true; return true;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct column *k = TC_ARENA_NEW(c->arena, struct column);
    const char *width = tc_cmd_getenv(c, "COLUMNS");
    int option, status = 1;

    if (!k)
        return tc_cmd_fail_memory(c);
    k->c = c;
    k->between = "  ";
    if (!width || !tc_cmd_number(width, false, &k->width) || k->width < 1)
        k->width = 80;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(k, option))
            return 1;
    }
    if ((k->names_n || k->right || k->hidden) && !k->table)
        return tc_cmd_fail(c, "option --table required for all --table-*");
    if (k->table && k->rows_first)
        return tc_cmd_fail(c, "mutually exclusive arguments: --table --fillrows");
    tc_buf_init(&k->rows, ROWS_MAX * sizeof(struct tc_str) + sizeof(struct tc_str));
    if (read_rows(k, &status)) {
        const struct tc_str *v = (const struct tc_str *)(const void *)k->rows.p;
        size_t n = k->rows.n / sizeof *v;

        if (k->table)
            put_table(k, v, n);
        else if (n)
            fill(k, v, n);
    }
    tc_buf_finish(&k->rows);
    return status;
}

const struct tc_cmd tc_command_column = {
    .name = "column",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Columnate lists.",
    .options = options,
    .run = run,
};
