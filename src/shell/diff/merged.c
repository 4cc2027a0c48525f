/*
 * Both files in one: groups of lines, each in the format of its kind, and in those the
 * lines, each in the format of its kind. What is no format is text, as in GNU's.
 */
#include "shell/diff/diff.h"

#include <stdio.h>

enum { DEPTH_MAX = 100, WIDTH_MAX = 4096 };

/* Lines of both files that are one group: from, to not included, numbers from 0. */
struct group {
    size_t from[2], to[2];
};

struct merged {
    struct diff *d;
    struct group group;
    size_t line; /* the number that %dn of a line's format is */
    bool in_line;
    int depth;
};

/* What a letter of a group's format stands for; false: nothing. */
static bool letter_value(const struct merged *m, char letter, int64_t *ret)
{
    int f = letter >= 'A' && letter <= 'Z';

    if (m->in_line) {
        *ret = (int64_t)m->line + 1;
        return letter == 'n';
    }
    switch (letter | 32) {
    case 'e': *ret = (int64_t)m->group.from[f]; return true;
    case 'f': *ret = (int64_t)m->group.from[f] + 1; return true;
    case 'l': *ret = (int64_t)m->group.to[f]; return true;
    case 'm': *ret = (int64_t)m->group.to[f] + 1; return true;
    case 'n': *ret = (int64_t)(m->group.to[f] - m->group.from[f]); return true;
    default: return false;
    }
}

/* 'C' or '\OOO' behind %c; what follows it, or NULL. */
static const char *character(const char *p, char *ret)
{
    int value = 0, digits = 0;

    if (*p++ != '\'' || !*p || *p == '\'')
        return NULL;
    if (*p != '\\') {
        *ret = *p++;
        return *p == '\'' ? p + 1 : NULL;
    }
    for (p++; *p >= '0' && *p <= '7' && digits < 3; digits++)
        value = value * 8 + (*p++ - '0');
    *ret = (char)value;
    return digits && *p == '\'' ? p + 1 : NULL;
}

/* Digits of a width or precision. */
static const char *digits(const char *p, int *ret)
{
    for (*ret = 0; *p >= '0' && *p <= '9'; p++)
        *ret = *ret < WIDTH_MAX ? *ret * 10 + (*p - '0') : WIDTH_MAX;
    return p;
}

/* %[-0]*[WIDTH][.PRECISION]{doxX}LETTER or %c'C'; what follows it, or NULL when it is none. */
static const char *put_number(struct merged *m, const char *p, bool shown)
{
    char flags[4] = "", text[2 * WIDTH_MAX], fmt[16], byte;
    int width, precision = -1, n = 0;
    int64_t value;

    for (; *p == '-' || *p == '\'' || *p == '0'; p++)
        if (*p != '\'' && !strchr(flags, *p))
            flags[n++] = *p;
    p = digits(p, &width);
    if (*p == '.')
        p = digits(p + 1, &precision);
    if (*p == 'c') {
        p = character(p + 1, &byte);
        if (p && shown)
            tc_cmd_putc(m->d->c->out, byte);
        return p;
    }
    if (!*p || !strchr("doxX", *p) || !letter_value(m, p[1], &value))
        return NULL;
    snprintf(fmt, sizeof fmt, "%%%s*.*l%c", flags, *p);
    if (shown) {
        snprintf(text, sizeof text, fmt, width, precision, (long)value);
        tc_cmd_puts(m->d->c->out, text);
    }
    return p + 2;
}

/* The lines of a group that one file has. */
static void put_lines(struct merged *m, enum diff_kind kind, int f)
{
    struct tc_cmd_out *out = m->d->c->out;

    m->in_line = true;
    for (m->line = m->group.from[f]; m->line < m->group.to[f] && tc_cmd_tick(m->d->c, 1); m->line++) {
        struct tc_str line = m->d->files[f].lines[m->line];
        const char *p = m->d->o->line_formats[kind], *behind;

        while (*p) {
            if (*p != '%') {
                tc_cmd_putc(out, *p++);
            } else if (p[1] == 'l' || p[1] == 'L') {
                bool end = p[1] == 'l' && line.n && line.p[line.n - 1] == '\n';

                tc_diff_put_text(m->d, tc_str_n(line.p, line.n - end));
                p += 2;
            } else if ((behind = put_number(m, p + 1, true))) {
                p = behind;
            } else {
                tc_cmd_putc(out, '%');
                p += p[1] == '%' ? 2 : 1;
            }
        }
    }
    m->in_line = false;
}

static const char *put_group(struct merged *m, const char *p, char end, bool shown);

/* A=B?THEN:ELSE) behind %(; what follows it, or NULL when it is none. */
static const char *put_choice(struct merged *m, const char *p, bool shown)
{
    int64_t values[2];

    for (int i = 0; i < 2; i++) {
        if (*p >= '0' && *p <= '9') {
            int n;

            p = digits(p, &n);
            values[i] = n;
        } else if (letter_value(m, *p, &values[i])) {
            p++;
        } else {
            return NULL;
        }
        if (*p++ != "=?"[i])
            return NULL;
    }
    p = put_group(m, p, ':', shown && values[0] == values[1]);
    if (*p)
        p = put_group(m, p + 1, ')', shown && values[0] != values[1]);
    return *p ? p + 1 : p;
}

/* A group's format up to `end`, where what is returned stands. */
static const char *put_group(struct merged *m, const char *p, char end, bool shown)
{
    static const char letters[] = "<=>";
    static const enum diff_kind kinds[] = {DIFF_OLD, DIFF_UNCHANGED, DIFF_NEW};

    if (++m->depth > DEPTH_MAX)
        shown = false;
    while (*p && *p != end) {
        const char *which = p[0] == '%' && p[1] ? strchr(letters, p[1]) : NULL, *behind;

        if (which) {
            if (shown)
                put_lines(m, kinds[which - letters], *which == '>');
            p += 2;
        } else if (*p == '%' && p[1] == '(' && m->depth <= DEPTH_MAX && (behind = put_choice(m, p + 2, shown))) {
            p = behind;
        } else if (*p == '%' && p[1] != '(' && (behind = put_number(m, p + 1, shown))) {
            p = behind;
        } else {
            if (shown)
                tc_cmd_putc(m->d->c->out, *p);
            p += p[0] == '%' && p[1] == '%' ? 2 : 1;
        }
    }
    m->depth--;
    return p;
}

void tc_diff_print_merged(struct diff *d, struct diff_change *script)
{
    struct merged m = {.d = d};
    size_t at[2] = {0, 0};

    for (struct diff_change *change = script; change && !tc_cmd_stopped(d->c); change = change->next) {
        enum diff_kind kind = change->count[0] && change->count[1] ? DIFF_CHANGED
                              : change->count[0]                   ? DIFF_OLD
                                                                   : DIFF_NEW;

        if (!tc_diff_shown(d, change, change))
            continue;
        m.group = (struct group){{at[0], at[1]}, {change->line[0], change->line[1]}};
        if (at[0] < change->line[0] || at[1] < change->line[1])
            put_group(&m, d->o->groups[DIFF_UNCHANGED], '\0', true);
        for (int f = 0; f < 2; f++) {
            m.group.from[f] = change->line[f];
            m.group.to[f] = at[f] = change->line[f] + change->count[f];
        }
        put_group(&m, d->o->groups[kind], '\0', true);
    }
    m.group = (struct group){{at[0], at[1]}, {d->files[0].n, d->files[1].n}};
    if (at[0] < d->files[0].n || at[1] < d->files[1].n)
        put_group(&m, d->o->groups[DIFF_UNCHANGED], '\0', true);
}
