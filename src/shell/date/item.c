/*
 * The items of a date: a date, a time, a zone, a weekday, steps relative to them, each
 * told by its first tokens. How often each was there is counted.
 */
#include "shell/date/parser.h"

enum { ZONE_MAX = 9999 }; /* "+0200" as a number */

static bool at_char(const struct date_parser *p, char c)
{
    return p->token.kind == DATE_CHAR && p->token.value == c;
}

/* A step of so many units; "ago" behind it turns it around. */
static bool step(struct date_parser *p, int64_t n)
{
    struct date_token unit = p->token;
    int64_t by;

    if (!tc_date_advance(p))
        return false;
    if (p->token.kind == DATE_AGO) {
        n *= p->token.value;
        if (!tc_date_advance(p))
            return false;
    }
    if (n > 100000000000 || n < -100000000000)
        return false;
    by = n * unit.factor;
    if (__builtin_add_overflow(p->steps[unit.value], by, &p->steps[unit.value]) ||
        p->steps[unit.value] > 100000000000000 || p->steps[unit.value] < -100000000000000)
        return false;
    p->relatives++;
    return true;
}

/* "+2", "+0200" or "+02:00" is at hand: seconds east. */
static bool zone_offset(struct date_parser *p, int *ret_offset)
{
    int64_t n = p->token.value, minutes = 0;
    int digits = p->token.digits;
    bool minus;

    minus = p->text.p && n < 0;
    for (size_t at = p->at; !minus && n == 0 && at > 0; at--)
        if (!tc_date_is_digit(p->text.p[at - 1])) {
            minus = p->text.p[at - 1] == '-';
            break;
        }
    if (n > ZONE_MAX || n < -ZONE_MAX)
        return false;
    n = n < 0 ? -n : n;
    if (!tc_date_advance(p))
        return false;
    if (at_char(p, ':')) {
        if (!tc_date_advance(p) || p->token.kind != DATE_NUMBER || p->token.value > ZONE_MAX)
            return false;
        minutes = n * 60 + p->token.value;
        if (!tc_date_advance(p))
            return false;
    } else {
        minutes = digits <= 2 ? n * 60 : n / 100 * 60 + n % 100;
    }
    if (minutes > 24 * 60)
        return false;
    *ret_offset = (int)(minus ? -minutes : minutes) * 60;
    return true;
}

/* Behind an hour: ":30[:15[.5]]", "am", and a zone. */
static bool time_of_day(struct date_parser *p, int64_t hour)
{
    p->times++;
    p->hour = hour;
    p->minute = p->second = p->ns = 0;
    p->meridian = 0;
    if (at_char(p, ':')) {
        if (!tc_date_advance(p) || p->token.kind != DATE_NUMBER)
            return false;
        p->minute = p->token.value;
        if (!tc_date_advance(p))
            return false;
        if (at_char(p, ':')) {
            if (!tc_date_advance(p) || (p->token.kind != DATE_NUMBER && p->token.kind != DATE_DECIMAL))
                return false;
            p->second = p->token.value;
            p->ns = p->token.ns;
            if (!tc_date_advance(p))
                return false;
        }
    }
    if (p->token.kind == DATE_MERIDIAN) {
        p->meridian = (int)p->token.value;
        return tc_date_advance(p);
    }
    if (p->token.kind != DATE_SIGNED)
        return true;
    p->zones++;
    return zone_offset(p, &p->offset);
}

static void set_year(struct date_parser *p, int64_t year, int digits)
{
    if (year < 0)
        year = -year;
    if (digits == 2)
        year += year < 69 ? 2000 : 1900;
    p->year = year;
    p->year_digits = digits;
}

/* A month or a day; -1 is none. */
static int small(int64_t value)
{
    return value < 0 || value > 99 ? -1 : (int)value;
}

/* first "/" … : m/d, m/d/y, or y/m/d when the first has four digits. */
static bool slashes(struct date_parser *p, struct date_token first)
{
    struct date_token second, third;

    if (!tc_date_advance(p) || p->token.kind != DATE_NUMBER)
        return false;
    second = p->token;
    p->dates++;
    if (!tc_date_advance(p))
        return false;
    p->month = small(first.value);
    p->day = small(second.value);
    if (!at_char(p, '/'))
        return true;
    if (!tc_date_advance(p) || p->token.kind != DATE_NUMBER)
        return false;
    third = p->token;
    if (first.digits >= 4) {
        set_year(p, first.value, first.digits);
        p->month = small(second.value);
        p->day = small(third.value);
    } else {
        set_year(p, third.value, third.digits);
    }
    return tc_date_advance(p);
}

/* 2026-01-31 */
static bool iso_date(struct date_parser *p, struct date_token first)
{
    set_year(p, first.value, first.digits);
    p->month = small(-p->token.value);
    if (!tc_date_advance(p) || p->token.kind != DATE_SIGNED || p->token.value > 0)
        return false;
    p->day = small(-p->token.value);
    p->dates++;
    return tc_date_advance(p);
}

/* 31 Jan, 31 Jan 2026, 31-Jan-2026 */
static bool day_month(struct date_parser *p, struct date_token first)
{
    p->dates++;
    p->day = small(first.value);
    p->month = small(p->token.value);
    if (!tc_date_advance(p))
        return false;
    if (p->token.kind == DATE_SIGNED && p->token.value <= 0) {
        set_year(p, p->token.value, p->token.digits);
        return tc_date_advance(p);
    }
    if (p->token.kind != DATE_NUMBER)
        return true;
    set_year(p, p->token.value, p->token.digits);
    return tc_date_advance(p);
}

/* A number with nothing around it that says what it is. */
static bool bare_number(struct date_parser *p, struct date_token n)
{
    if (p->dates && !p->year_digits && !p->relatives && (p->times || n.digits > 2)) {
        set_year(p, n.value, n.digits);
        return true;
    }
    if (n.digits > 4) {
        p->dates++;
        p->day = small(n.value % 100);
        p->month = small(n.value / 100 % 100);
        set_year(p, n.value / 10000, n.digits - 4);
        return true;
    }
    p->times++;
    p->hour = n.digits <= 2 ? n.value : n.value / 100;
    p->minute = n.digits <= 2 ? 0 : n.value % 100;
    p->second = p->ns = 0;
    p->meridian = 0;
    return true;
}

static bool number_item(struct date_parser *p)
{
    struct date_token first = p->token;

    if (!tc_date_advance(p))
        return false;
    if (at_char(p, ':') || p->token.kind == DATE_MERIDIAN)
        return time_of_day(p, first.value);
    if (at_char(p, '/'))
        return slashes(p, first);
    if (p->token.kind == DATE_SIGNED && p->token.value <= 0 && !p->dates)
        return iso_date(p, first);
    if (p->token.kind == DATE_MONTH)
        return day_month(p, first);
    if (p->token.kind == DATE_UNIT)
        return step(p, first.value);
    if (p->token.kind == DATE_DAY) { /* 3 friday */
        p->days++;
        p->weekday_ordinal = first.value;
        p->weekday = (int)p->token.value;
        return tc_date_advance(p);
    }
    return bare_number(p, first);
}

/* Jan 31, Jan 31 2026 by what follows, Jan 31, 2026, Jan-31-2026 */
static bool month_item(struct date_parser *p)
{
    p->month = small(p->token.value);
    p->dates++;
    if (!tc_date_advance(p))
        return false;
    if (p->token.kind == DATE_SIGNED && p->token.value <= 0) {
        p->day = small(-p->token.value);
        if (!tc_date_advance(p) || p->token.kind != DATE_SIGNED)
            return false;
        set_year(p, p->token.value, p->token.digits);
        return tc_date_advance(p);
    }
    if (p->token.kind != DATE_NUMBER)
        return false;
    p->day = small(p->token.value);
    if (!tc_date_advance(p))
        return false;
    if (!at_char(p, ','))
        return true;
    if (!tc_date_advance(p) || p->token.kind != DATE_NUMBER)
        return false;
    set_year(p, p->token.value, p->token.digits);
    return tc_date_advance(p);
}

static bool day_item(struct date_parser *p, int64_t ordinal)
{
    p->days++;
    p->weekday = (int)p->token.value;
    p->weekday_ordinal = ordinal;
    if (!tc_date_advance(p))
        return false;
    return at_char(p, ',') ? tc_date_advance(p) : true;
}

static bool ordinal_item(struct date_parser *p)
{
    int64_t ordinal = p->token.value;

    if (!tc_date_advance(p))
        return false;
    if (p->token.kind == DATE_DAY)
        return day_item(p, ordinal);
    return p->token.kind == DATE_UNIT ? step(p, ordinal) : false;
}

static bool zone_item(struct date_parser *p)
{
    int more = 0;

    p->zones++;
    p->offset = (int)p->token.value * 60;
    if (!tc_date_advance(p))
        return false;
    if (p->token.kind == DATE_DST) {
        p->offset += 3600;
        return tc_date_advance(p);
    }
    if (p->token.kind == DATE_SIGNED) {
        struct date_parser before = *p;
        int64_t n = p->token.value;

        if (!tc_date_advance(p))
            return false;
        if (p->token.kind == DATE_UNIT) /* UTC +1 day */
            return step(p, n);
        *p = before;
        if (!zone_offset(p, &more))
            return false;
        p->offset += more;
    }
    return true;
}

static bool signed_item(struct date_parser *p)
{
    int64_t n = p->token.value;

    if (!tc_date_advance(p))
        return false;
    return p->token.kind == DATE_UNIT ? step(p, n) : false;
}

/* A number that a ":" follows. */
static bool clock_item(struct date_parser *p)
{
    int64_t hour = p->token.value;

    return tc_date_advance(p) && at_char(p, ':') && time_of_day(p, hour);
}

bool tc_date_item(struct date_parser *p)
{
    switch (p->token.kind) {
    case DATE_NUMBER:
        return number_item(p);
    case DATE_SIGNED:
        return signed_item(p);
    case DATE_MONTH:
        return month_item(p);
    case DATE_DAY:
        return day_item(p, 0);
    case DATE_ORDINAL:
        return ordinal_item(p);
    case DATE_UNIT:
        return step(p, 1);
    case DATE_RELATIVE:
        p->steps[DATE_DAYS] += p->token.value;
        p->relatives++;
        return tc_date_advance(p);
    case DATE_ZONE:
        return zone_item(p);
    case DATE_T: /* between date and time it says nothing; alone it would be a zone */
        return p->dates && !p->times && tc_date_advance(p) && p->token.kind == DATE_NUMBER && clock_item(p);
    default:
        return false;
    }
}
