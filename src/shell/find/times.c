/*
 * find's tests of times (-mtime, -mmin, -newer, -newerXY) and modes (-perm).
 */
#include <time.h>

#include "shell/find/find.h"

enum { DAY = 86400 };

static bool date_digits(const char **p, int n, int *ret)
{
    *ret = 0;
    for (int i = 0; i < n; i++, (*p)++) {
        if (**p < '0' || **p > '9')
            return false;
        *ret = *ret * 10 + (**p - '0');
    }
    return true;
}

/* YYYY-MM-DD, with a time behind a blank or T, or @SECONDS. */
static bool parse_date(const char *text, struct timespec *ret)
{
    struct tm tm = {0};
    int64_t seconds;

    if (*text == '@') {
        if (!tc_cmd_number(text + 1, false, &seconds))
            return false;
        *ret = (struct timespec){seconds, 0};
        return true;
    }
    if (!date_digits(&text, 4, &tm.tm_year) || *text++ != '-' || !date_digits(&text, 2, &tm.tm_mon) ||
        *text++ != '-' || !date_digits(&text, 2, &tm.tm_mday))
        return false;
    if (*text == ' ' || *text == 'T') {
        text++;
        if (!date_digits(&text, 2, &tm.tm_hour) || *text++ != ':' || !date_digits(&text, 2, &tm.tm_min))
            return false;
        if (*text == ':') {
            text++;
            if (!date_digits(&text, 2, &tm.tm_sec))
                return false;
        }
    }
    if ((*text && strcmp(text, "Z") && strcmp(text, " UTC")) || tm.tm_mon < 1 || tm.tm_mon > 12 || tm.tm_mday < 1 ||
        tm.tm_mday > 31)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    *ret = (struct timespec){timegm(&tm), 0};
    return true;
}

static const struct timespec *file_time(const struct stat *st, char which)
{
    return which == 'a' ? &st->st_atim : which == 'c' ? &st->st_ctim : &st->st_mtim;
}

/* -newer FILE, -anewer, -cnewer, -newerXY. */
static int newer(struct find *f, const char *name, char which, char reference, struct find_node **ret_node)
{
    const char *text = tc_find_argument(f, name);
    struct find_node *node = text ? tc_find_node(f, FIND_NEWER) : NULL;
    struct stat st;
    int error;

    if (!node)
        return -1;
    node->which = which;
    *ret_node = node;
    if (reference == 't') {
        if (parse_date(text, &node->time))
            return 1;
        tc_cmd_fail(f->c, "I cannot figure out how to interpret ‘%s’ as a date or time", text);
        return -1;
    }
    error = f->follow || f->follow_operands ? tc_cmd_stat(f->c, text, &st) : tc_cmd_lstat(f->c, text, &st);
    if (error) {
        tc_find_fault(f, text, error);
        return -1;
    }
    node->time = *file_time(&st, reference);
    return 1;
}

/* -mtime and -mmin and those of a and c. */
static int age(struct find *f, const char *name, char which, int64_t unit, struct find_node **ret_node)
{
    const char *text = tc_find_argument(f, name), *digits;
    struct find_node *node = text ? tc_find_node(f, FIND_TIME) : NULL;

    if (!node)
        return -1;
    digits = text + (*text == '+' || *text == '-');
    node->number.compare = *text == '+' ? FIND_MORE : *text == '-' ? FIND_LESS : FIND_EQUAL;
    if (*digits < '0' || *digits > '9' || !tc_cmd_number(digits, false, &node->number.n)) {
        tc_cmd_fail(f->c, "invalid argument `%s' to `%s'", text, name);
        return -1;
    }
    node->which = which;
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
        return age(f, name, *s, DAY, ret_node);
    if (*s && strchr("acm", *s) && !strcmp(s + 1, "min"))
        return age(f, name, *s, 60, ret_node);
    return 0;
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
