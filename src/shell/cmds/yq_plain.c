/*
 * What a reader of YAML 1.1 takes a plain scalar for: a truth value, null, a number,
 * a date, or a text.
 */
#include "shell/cmds/yq_yaml.h"

static bool is_word(struct tc_str s)
{
    static const char *const words[] = {"yes", "Yes", "YES", "no",  "No",   "NO",   "true", "True", "TRUE",
                                        "on",  "On",  "ON",  "off", "Off",  "OFF",  "null", "Null", "NULL",
                                        "~",   "=",   "<<",  ".inf", ".Inf", ".INF", "false", "False", "FALSE"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (tc_str_is(s, words[i]))
            return true;
    return tc_str_is(s, ".nan") || tc_str_is(s, ".NaN") || tc_str_is(s, ".NAN");
}

/* Passes characters of the set; how many. */
static size_t run(struct tc_str *s, const char *set)
{
    size_t n = 0;

    while (n < s->n && s->p[n] && strchr(set, s->p[n]))
        n++;
    *s = tc_str_from(*s, n);
    return n;
}

/* [eE][-+][0-9]+ or nothing, up to the end. */
static bool is_exponent(struct tc_str s)
{
    return s.n == 0 || ((*s.p | 32) == 'e' && s.n > 2 && (s.p[1] == '-' || s.p[1] == '+') &&
                        (s = tc_str_from(s, 2), run(&s, "0123456789")) && s.n == 0);
}

/* (:[0-5]?[0-9])+ and then maybe a fraction. */
static bool is_sexagesimal(struct tc_str s)
{
    while (s.n && *s.p == ':') {
        size_t n;

        s = tc_str_from(s, 1);
        n = s.n > 1 && s.p[0] <= '5' && s.p[1] >= '0' && s.p[1] <= '9' ? 2 : 1;
        if (s.n < n || s.p[0] < '0' || s.p[0] > '9')
            return false;
        s = tc_str_from(s, n);
    }
    if (s.n && *s.p == '.') {
        s = tc_str_from(s, 1);
        run(&s, "0123456789_");
    }
    return s.n == 0;
}

static bool is_number(struct tc_str s)
{
    struct tc_str all;

    if (s.n && (*s.p == '-' || *s.p == '+'))
        s = tc_str_from(s, 1);
    if (tc_str_is(s, ".inf") || tc_str_is(s, ".Inf") || tc_str_is(s, ".INF"))
        return true;
    all = s;
    if (s.n > 1 && *s.p == '.')
        return s = tc_str_from(s, 1), run(&s, "0123456789_") && is_exponent(s);
    if (tc_str_starts(s, TC_STR("0x")))
        return s = tc_str_from(s, 2), run(&s, "0123456789abcdefABCDEF_") && s.n == 0;
    if (tc_str_starts(s, TC_STR("0b")))
        return s = tc_str_from(s, 2), run(&s, "01_") && s.n == 0;
    if (s.n == 0 || *s.p < '0' || *s.p > '9')
        return false;
    run(&s, "0123456789_");
    if (s.n == 0) /* 0 begins octal numbers */
        return *all.p != '0' || all.n == 1 || (run(&all, "01234567_"), all.n == 0);
    if (*s.p == '.')
        return s = tc_str_from(s, 1), run(&s, "0123456789_"), is_exponent(s);
    return *s.p == ':' && is_sexagesimal(s) && (*all.p != '0' || tc_str_chr(s, '.') != SIZE_MAX);
}

/* One or two digits, two when `both`. */
static bool digits(struct tc_str *s, size_t least, size_t most)
{
    size_t n = 0;

    while (n < most && n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
        n++;
    *s = tc_str_from(*s, n);
    return n >= least;
}

static bool eat(struct tc_str *s, char c)
{
    bool there = s->n && *s->p == c;

    *s = tc_str_from(*s, there);
    return there;
}

static bool is_date(struct tc_str s)
{
    size_t whole = s.n;
    bool zone;

    if (!digits(&s, 4, 4) || !eat(&s, '-') || !digits(&s, 1, 2) || !eat(&s, '-') || !digits(&s, 1, 2))
        return false;
    if (s.n == 0)
        return whole == 10;
    if (!eat(&s, 'T') && !eat(&s, 't') && !run(&s, " \t"))
        return false;
    if (!digits(&s, 1, 2) || !eat(&s, ':') || !digits(&s, 2, 2) || !eat(&s, ':') || !digits(&s, 2, 2))
        return false;
    if (eat(&s, '.'))
        run(&s, "0123456789");
    zone = run(&s, " \t") > 0;
    if (s.n == 0 || eat(&s, 'Z'))
        return s.n == 0 && !(zone && s.n);
    return (eat(&s, '-') || eat(&s, '+')) && digits(&s, 1, 2) && (!eat(&s, ':') || digits(&s, 2, 2)) && s.n == 0;
}

bool tc_yq_is_other(struct tc_str s)
{
    return is_word(s) || is_number(s) || is_date(s);
}
