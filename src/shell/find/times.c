/*
 * find's tests of times (-mtime, -mmin, -used, -newer, -newerXY) and modes (-perm).
 */
#include <stdlib.h>

#include "shell/date/date.h"
#include "shell/find/find.h"

enum { DAY = 86400 };

const struct timespec *tc_find_time(const struct stat *st, char which)
{
    return which == 'a' ? &st->st_atim : which == 'c' ? &st->st_ctim : &st->st_mtim;
}

/* -newer FILE, -anewer, -cnewer, -newerXY. */
static int newer(struct find *f, const char *name, char which, char reference, struct find_node **ret_node)
{
    const char *text = f->at < f->argc ? f->argv[f->at++] : NULL;
    struct find_node *node = text ? tc_find_node(f, FIND_NEWER) : NULL;
    struct tc_zone zone;
    struct stat st;
    int error;

    if (!text && name[sizeof "-newer" - 1])
        tc_cmd_fail(f->c, "The ‘%s’ test needs an argument", name);
    else if (!text)
        tc_cmd_fail(f->c, "missing argument to `%s'", name);
    if (!node)
        return -1;
    node->which = which;
    *ret_node = node;
    if (reference == 't') {
        tc_zone_init(&zone, tc_cmd_getenv(f->c, "TZ"));
        if (tc_date_parse(tc_str_of(text), f->now, &zone, &node->time))
            return 1;
        tc_cmd_fail(f->c, "I cannot figure out how to interpret ‘%s’ as a date or time", text);
        return -1;
    }
    error = f->follow || f->follow_operands ? tc_cmd_stat(f->c, text, &st) : tc_cmd_lstat(f->c, text, &st);
    if (error) {
        tc_find_fault(f, text, error);
        return -1;
    }
    node->time = *tc_find_time(&st, reference);
    return 1;
}

/* N, +N or -N, with or without a fraction. */
static bool parse_amount(const char *text, struct find_node *node)
{
    const char *digits = text + (*text == '+' || *text == '-');
    size_t whole = strspn(digits, "0123456789"), fraction = 0;

    node->number.compare = *text == '+' ? FIND_MORE : *text == '-' ? FIND_LESS : FIND_EQUAL;
    if (digits[whole] == '.')
        fraction = 1 + strspn(digits + whole + 1, "0123456789");
    node->amount = strtod(digits, NULL);
    return whole + fraction > (fraction > 0) && digits[whole + fraction] == '\0';
}

/* -mtime and -mmin and those of a and c; -used. */
static int age(struct find *f, const char *name, enum find_op op, int64_t unit, struct find_node **ret_node)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, op) : NULL;

    if (!node)
        return -1;
    if (!parse_amount(text, node)) {
        if (op == FIND_USED)
            tc_cmd_fail(f->c, "Invalid argument %s to -used", text);
        else
            tc_cmd_fail(f->c, "invalid argument `%s' to `%s'", text, name);
        return -1;
    }
    node->which = name[1];
    node->unit = unit;
    node->time = f->now;
    if (f->day_start)
        node->time = (struct timespec){f->now.tv_sec - f->now.tv_sec % DAY + DAY, 0};
    *ret_node = node;
    return 1;
}

int tc_find_parse_time(struct find *f, const char *name, struct find_node **ret_node)
{
    const char *s = name + 1;

    if (!strcmp(s, "newer"))
        return newer(f, name, 'm', 'm', ret_node);
    if (!strcmp(s, "anewer") || !strcmp(s, "cnewer"))
        return newer(f, name, *s, 'm', ret_node);
    if (!strncmp(s, "newer", 5) && s[5] && strchr("acm", s[5]) && s[6] && strchr("acmt", s[6]) && !s[7])
        return newer(f, name, s[5], s[6], ret_node);
    if (*s && strchr("acm", *s) && !strcmp(s + 1, "time"))
        return age(f, name, FIND_TIME, DAY, ret_node);
    if (*s && strchr("acm", *s) && !strcmp(s + 1, "min"))
        return age(f, name, FIND_TIME, 60, ret_node);
    return strcmp(s, "used") ? 0 : age(f, name, FIND_USED, DAY, ret_node);
}

/* One clause of a symbolic mode, such as u+rw or =x. */
static bool clause(const char **p, mode_t *mode)
{
    mode_t who = 0, bits = 0;
    char op;

    for (; **p && strchr("ugoa", **p); (*p)++)
        who |= **p == 'u' ? 04700 : **p == 'g' ? 02070 : **p == 'o' ? 01007 : 07777;
    who = who ? who : 07777;
    op = **p;
    if (!op || !strchr("+-=", op))
        return false;
    for ((*p)++; **p && strchr("rwxXst", **p); (*p)++)
        bits |= **p == 'r' ? 0444 : **p == 'w' ? 0222 : **p == 's' ? 06000 : **p == 't' ? 01000 : 0111;
    bits &= who;
    if (op == '-')
        *mode &= ~bits;
    else
        *mode = op == '=' ? (*mode & ~who) | bits : *mode | bits;
    return true;
}

bool tc_find_parse_mode(const char *text, mode_t *ret_mode)
{
    mode_t mode = 0;

    if (*text >= '0' && *text <= '7') {
        for (; *text >= '0' && *text <= '7'; text++)
            mode = mode * 8 + (mode_t)(*text - '0');
        *ret_mode = mode;
        return !*text && mode <= 07777;
    }
    for (;;) {
        if (!clause(&text, &mode))
            return false;
        if (!*text)
            break;
        if (*text == ',')
            text++;
    }
    *ret_mode = mode;
    return true;
}
