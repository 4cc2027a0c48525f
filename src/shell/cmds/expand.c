/*
 * expand and unexpand: tabs to blanks and back. Stops come from -t: one for all, a
 * list, and behind it /N (multiples of N) or +N (N apart).
 */
#include "shell/cmds/inputs.h"

enum { OPTION_FIRST_ONLY = 256, STOPS_MAX = 1024, PENDING_MAX = 1 << 16 };

static const struct tc_cmd_option options[] = {
    {'a', "a,all", TC_CMD_NONE, NULL, "unexpand: convert all blanks, instead of just initial blanks"},
    {OPTION_FIRST_ONLY, "first-only", TC_CMD_NONE, NULL, "unexpand: convert only leading blanks (overrides -a)"},
    {'i', "i,initial", TC_CMD_NONE, NULL, "expand: do not convert tabs after non blanks"},
    {'t', "t,tabs", TC_CMD_VALUE, "LIST", "use comma separated list of tab positions, or tabs N apart; -N is -t N"},
    {0}};

struct tabs {
    struct tc_cmd_call *c;
    size_t stops[STOPS_MAX], n;
    size_t size; /* all apart; 0: see the stops */
    size_t extend, increment;
    bool whole_line;
};

static bool add_stop(struct tabs *t, char prefix, size_t value)
{
    if (prefix == '/' || prefix == '+') {
        if (t->extend || t->increment)
            return tc_cmd_fail(t->c, "‘%c’ specifier only allowed with the last value", prefix), false;
        *(prefix == '/' ? &t->extend : &t->increment) = value;
        return true;
    }
    if (value == 0)
        return tc_cmd_fail(t->c, "tab size cannot be 0"), false;
    if (t->n && t->stops[t->n - 1] >= value)
        return tc_cmd_fail(t->c, "tab sizes must be ascending"), false;
    if (t->n == STOPS_MAX)
        return tc_cmd_fail(t->c, "too many tab stops"), false;
    t->stops[t->n++] = value;
    return true;
}

static bool parse_stops(struct tabs *t, const char *list)
{
    size_t value = 0;
    bool any = false;
    char prefix = 0;

    for (const char *p = list;; p++) {
        if (*p >= '0' && *p <= '9') {
            any = true;
            value = value < SIZE_MAX / 100 ? value * 10 + (size_t)(*p - '0') : value;
        } else if (*p == '/' || *p == '+') {
            prefix = *p;
        } else if (*p == ',' || *p == ' ' || *p == '\t' || !*p) {
            if (any && !add_stop(t, prefix, value))
                return false;
            any = false;
            prefix = 0;
            value = 0;
            if (!*p)
                return true;
        } else {
            tc_cmd_fail(t->c, "tab size contains invalid character(s): %s", tc_cmd_quote(t->c, p));
            return false;
        }
    }
}

static void settle(struct tabs *t)
{
    if (t->n == 0)
        t->size = t->extend ? t->extend : t->increment ? t->increment : 8;
    else if (t->n == 1 && !t->extend && !t->increment)
        t->size = t->stops[0];
}

/* The stop behind a column; 0 behind the last one. */
static size_t next_stop(const struct tabs *t, size_t column)
{
    if (t->size)
        return column + (t->size - column % t->size);
    for (size_t i = 0; i < t->n; i++)
        if (column < t->stops[i])
            return t->stops[i];
    if (t->extend)
        return column + (t->extend - column % t->extend);
    if (t->increment)
        return column + (t->increment - (column - t->stops[t->n - 1]) % t->increment);
    return 0;
}

static void expand_line(struct tabs *t, struct tc_str line)
{
    struct tc_cmd_out *out = t->c->out;
    size_t column = 0;
    bool convert = true;

    for (size_t i = 0; i < line.n; i++) {
        char ch = line.p[i];

        if (convert && ch == '\t') {
            size_t stop = next_stop(t, column);

            for (stop = stop ? stop : column + 1; column + 1 < stop; column++)
                tc_cmd_putc(out, ' ');
            column++;
            ch = ' ';
        } else if (ch == '\b') {
            column -= column > 0;
        } else {
            column++;
        }
        convert = convert && (t->whole_line || ch == ' ' || ch == '\t');
        tc_cmd_putc(out, ch);
    }
}

struct blanks { /* that may become a tab */
    size_t n;
    bool first_is_tab, one_before_stop;
};

static void put_blanks(struct tabs *t, struct blanks *b)
{
    if (b->n > 1 && b->one_before_stop)
        b->first_is_tab = true;
    for (size_t i = 0; i < b->n; i++)
        tc_cmd_putc(t->c->out, i == 0 && b->first_is_tab ? '\t' : ' ');
    *b = (struct blanks){0};
}

static void unexpand_line(struct tabs *t, struct tc_str line)
{
    struct blanks b = {0};
    size_t column = 0;
    bool convert = true, was_blank = true;

    for (size_t i = 0; i < line.n; i++) {
        char ch = line.p[i];
        bool blank = ch == ' ' || ch == '\t';

        if (convert && blank) {
            size_t stop = next_stop(t, column);

            convert = stop > 0;
            if (convert && ch == '\t') {
                column = stop;
                b.first_is_tab |= b.n > 0;
                b.n = b.one_before_stop;
            } else if (convert) {
                column++;
                if (!(was_blank && column == stop)) {
                    b.one_before_stop |= column == stop;
                    b.n++;
                    was_blank = true;
                    continue;
                }
                b.first_is_tab = true;
                ch = '\t';
                b.n = b.one_before_stop;
            }
        } else if (convert && ch == '\b') {
            column -= column > 0;
        } else if (convert) {
            column++;
        }
        put_blanks(t, &b);
        was_blank = blank;
        convert = convert && (t->whole_line || blank);
        tc_cmd_putc(t->c->out, ch);
    }
    put_blanks(t, &b);
}

static int run(struct tc_cmd_call *c)
{
    struct tabs *t = TC_ARENA_NEW(c->arena, struct tabs);
    struct tc_inputs inputs = {0};
    bool reverse = !strcmp(c->argv[0], "unexpand"), first_only = false, ended;
    struct tc_str line;
    int option;

    if (!t)
        return tc_cmd_fail_memory(c);
    t->c = c;
    t->whole_line = !reverse;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'i')
            t->whole_line = reverse;
        if (option == OPTION_FIRST_ONLY)
            first_only = true;
        if (option == 'a' || option == 't')
            t->whole_line = true;
        if ((option == 't' || option == TC_CMD_OPTION_NUMBER) && !parse_stops(t, c->value))
            return 1;
    }
    t->whole_line = t->whole_line && !first_only;
    settle(t);
    while (tc_inputs_line(c, &inputs, '\n', &line, &ended)) {
        if (reverse)
            unexpand_line(t, line);
        else
            expand_line(t, line);
        if (ended)
            tc_cmd_putc(c->out, '\n');
    }
    return inputs.status;
}

const struct tc_cmd tc_command_expand = {
    .name = "expand",
    .aliases = "unexpand",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Convert tabs in each FILE to spaces, or with unexpand blanks to tabs.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
