/*
 * Dates, times and durations of RFC 3339.
 */
#include "schema/format.h"

/* Exactly n digits at the front of *rest. */
static bool take_digits(struct tc_str *rest, unsigned n, unsigned *ret_value)
{
    unsigned value = 0;

    if (rest->n < n)
        return false;
    for (unsigned i = 0; i < n; i++) {
        unsigned digit = (unsigned char)rest->p[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        value = value * 10 + digit;
    }
    *rest = tc_str_from(*rest, n);
    *ret_value = value;
    return true;
}

static bool take(struct tc_str *rest, const char *any)
{
    if (rest->n == 0 || rest->p[0] == '\0' || !strchr(any, rest->p[0]))
        return false;
    *rest = tc_str_from(*rest, 1);
    return true;
}

static bool take_date(struct tc_str *rest)
{
    static const unsigned char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year, month, day;
    bool leap;

    if (!take_digits(rest, 4, &year) || !take(rest, "-") || !take_digits(rest, 2, &month) || !take(rest, "-") ||
        !take_digits(rest, 2, &day))
        return false;
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] && (month != 2 || leap || day <= 28);
}

/* The offset from UTC in minutes. */
static bool take_offset(struct tc_str *rest, int *ret_minutes)
{
    unsigned hour, minute;
    bool west = rest->n && rest->p[0] == '-';

    *ret_minutes = 0;
    if (take(rest, "zZ"))
        return true;
    if (!take(rest, "+-") || !take_digits(rest, 2, &hour) || !take(rest, ":") || !take_digits(rest, 2, &minute) ||
        hour > 23 || minute > 59)
        return false;
    *ret_minutes = (int)(hour * 60 + minute) * (west ? -1 : 1);
    return true;
}

/* A leap second is the last of a day in UTC. */
static bool take_time(struct tc_str *rest)
{
    unsigned hour, minute, second, ignored;
    int offset;

    if (!take_digits(rest, 2, &hour) || !take(rest, ":") || !take_digits(rest, 2, &minute) || !take(rest, ":") ||
        !take_digits(rest, 2, &second))
        return false;
    if (take(rest, ".")) {
        if (!take_digits(rest, 1, &ignored))
            return false;
        while (take_digits(rest, 1, &ignored))
            ;
    }
    if (!take_offset(rest, &offset) || hour > 23 || minute > 59 || second > 60)
        return false;
    return second < 60 || ((int)(hour * 60 + minute) - offset + 2 * 1440) % 1440 == 1439;
}

bool tc_format_date(struct tc_str text)
{
    return take_date(&text) && text.n == 0;
}

bool tc_format_time(struct tc_str text)
{
    return take_time(&text) && text.n == 0;
}

bool tc_format_date_time(struct tc_str text)
{
    return take_date(&text) && take(&text, "tT") && take_time(&text) && text.n == 0;
}

/* Digits and one of `units`, none of which is left out between two that are
 * there. Moves *units behind the one taken. */
static bool take_unit(struct tc_str *rest, const char **units, bool first)
{
    struct tc_str start = *rest;
    unsigned ignored;
    const char *unit;

    if (!take_digits(rest, 1, &ignored))
        return false;
    while (take_digits(rest, 1, &ignored))
        ;
    unit = rest->n && rest->p[0] ? strchr(*units, rest->p[0]) : NULL;
    if (!unit || (!first && unit != *units)) {
        *rest = start;
        return false;
    }
    *units = unit + 1;
    *rest = tc_str_from(*rest, 1);
    return true;
}

static bool take_units(struct tc_str *rest, const char *units)
{
    if (!take_unit(rest, &units, true))
        return false;
    while (take_unit(rest, &units, false))
        ;
    return true;
}

bool tc_format_duration(struct tc_str text)
{
    bool date;

    if (!take(&text, "P"))
        return false;
    if (text.n && take_units(&text, "W"))
        return text.n == 0;
    date = take_units(&text, "YMD");
    if (take(&text, "T"))
        return take_units(&text, "HMS") && text.n == 0;
    return date && text.n == 0;
}
