/*
 * Widths are those of the Unicode tables of wide and combining characters,
 * coarsened to ranges.
 */
#include "cli/table.h"

#include "base/utf8.h"

enum { GAP = 2 };

/* --- characters --- */

struct range {
    uint32_t first, last;
};

static const struct range none_wide[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
    {0xfeff, 0xfeff}, {0xe0000, 0xe0fff},
};

static const struct range two_wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},   {0x2648, 0x2653},
    {0x26a1, 0x26a1},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},
    {0x2753, 0x2755},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0xa4cf},
    {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
};

static bool within(const struct range *ranges, size_t n, uint32_t c)
{
    for (size_t i = 0; i < n && ranges[i].first <= c; i++)
        if (c <= ranges[i].last)
            return true;
    return false;
}

static size_t width_of(uint32_t c)
{
    if (c < 0x300)
        return 1;
    if (within(none_wide, sizeof none_wide / sizeof *none_wide, c))
        return 0;
    return within(two_wide, sizeof two_wide / sizeof *two_wide, c) ? 2 : 1;
}

size_t tc_cli_width(struct tc_str text)
{
    size_t width = 0;

    for (size_t at = 0; at < text.n;)
        width += width_of(tc_utf8_next(text, &at));
    return width;
}

struct tc_str tc_cli_head(struct tc_str text, size_t columns)
{
    size_t at = 0, used = 0;

    while (at < text.n) {
        size_t next = at, w = width_of(tc_utf8_next(text, &next));
        if (used + w > columns)
            break;
        used += w;
        at = next;
    }
    return tc_str_n(text.p, at);
}

/* C0, DEL, C1, and what changes the direction of text. */
static bool steers(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0x2028 || c == 0x2029;
}

void tc_cli_safe(struct tc_buf *to, struct tc_str text, bool lines)
{
    size_t at = 0, from = 0;

    while (at < text.n) {
        size_t start = at;
        uint32_t c = tc_utf8_next(text, &at);
        bool space = c == '\n' || c == '\t' || c == '\r';
        if (!steers(c) && (c != 0xfffd || at - start == 3))
            continue;
        if (lines && (c == '\n' || c == '\t'))
            continue;
        tc_buf_add(to, text.p + from, start - from);
        tc_buf_cstr(to, space && !lines ? " " : "\xef\xbf\xbd");
        from = at;
    }
    tc_buf_add(to, text.p + from, text.n - from);
}

void tc_cli_paint(struct tc_buf *to, const struct tc_cli_look *look, enum tc_cli_colour colour, struct tc_str text)
{
    static const char *const codes[] = {
        [TC_CLI_BOLD] = "1", [TC_CLI_DIM] = "2", [TC_CLI_GREEN] = "32", [TC_CLI_YELLOW] = "33", [TC_CLI_RED] = "31"};

    if (!look->colour || colour == TC_CLI_PLAIN) {
        tc_buf_str(to, text);
        return;
    }
    tc_buf_printf(to, "\033[%sm", codes[colour]);
    tc_buf_str(to, text);
    tc_buf_cstr(to, "\033[0m");
}

/* --- cells --- */

static struct tc_str settle(struct tc_cli_table *table, struct tc_str text)
{
    struct tc_str kept;
    struct tc_buf buf;

    tc_buf_init(&buf, 1024 * 1024);
    tc_cli_safe(&buf, text, false);
    kept = tc_buf_dup(&buf, table->arena);
    tc_buf_finish(&buf);
    return kept;
}

void tc_cli_table_add_in(struct tc_cli_table *table, struct tc_str text, enum tc_cli_colour colour)
{
    struct tc_cli_cell *cells = table->cells;

    if (table->n == table->cap) {
        size_t cap = table->cap ? table->cap * 2 : 64;
        cells = table->failed ? NULL : TC_ARENA_NEW_N(table->arena, struct tc_cli_cell, cap);
        if (!cells) {
            table->failed = true;
            return;
        }
        if (table->n)
            memcpy(cells, table->cells, table->n * sizeof *cells);
        table->cells = cells;
        table->cap = cap;
    }
    cells[table->n] = (struct tc_cli_cell){settle(table, text), colour};
    table->failed |= !cells[table->n].text.p;
    table->n++;
}

void tc_cli_table_add(struct tc_cli_table *table, struct tc_str text)
{
    tc_cli_table_add_in(table, text, TC_CLI_PLAIN);
}

void tc_cli_table_init(struct tc_cli_table *table, struct tc_arena *arena, const char *heads)
{
    struct tc_str rest = tc_str_of(heads), head;

    *table = (struct tc_cli_table){.arena = arena};
    while (tc_str_split(&rest, '|', &head)) {
        tc_cli_table_add_in(table, head, TC_CLI_BOLD);
        table->columns++;
    }
}

/* --- rows --- */

static void print_cell(const struct tc_cli_cell *cell, size_t column, size_t columns, const size_t *widths,
                       const struct tc_cli_look *look, struct tc_buf *to)
{
    size_t width = tc_cli_width(cell->text), before = 0;
    struct tc_str text = cell->text;

    if (column + 1 < columns) {
        tc_cli_paint(to, look, cell->colour, text);
        for (size_t i = width; i < widths[column] + GAP; i++)
            tc_buf_char(to, ' ');
        return;
    }
    for (size_t i = 0; i < column; i++)
        before += widths[i] + GAP;
    if (look->width > before + 8 && before + width > look->width) {
        text = tc_cli_head(text, look->width - before - 1);
        tc_cli_paint(to, look, cell->colour, text);
        tc_buf_cstr(to, "…");
    } else {
        tc_cli_paint(to, look, cell->colour, text);
    }
}

enum tc_err tc_cli_table_print(struct tc_cx *cx, const struct tc_cli_table *table, const struct tc_cli_look *look,
                               struct tc_buf *to)
{
    size_t columns = table->columns, *widths = TC_ARENA_NEW_N(cx->arena, size_t, columns + 1);

    if (table->failed || !widths)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < table->n; i++) {
        size_t width = tc_cli_width(table->cells[i].text);
        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    for (size_t i = 0; i < table->n; i++) {
        size_t last = columns; /* trailing empty cells leave no blanks behind */
        while (last > 1 && table->cells[i - i % columns + last - 1].text.n == 0)
            last--;
        if (i % columns < last)
            print_cell(&table->cells[i], i % columns, last, widths, look, to);
        if (i % columns + 1 == columns)
            tc_buf_char(to, '\n');
    }
    return TC_OK;
}
