/*
 * Dates in words.
 */
#include <stdio.h>

#include "base/zone.h"

static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};
static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

const char *tc_zone_month_name(int month)
{
    return months[month % 12];
}

const char *tc_zone_weekday_name(int day)
{
    return weekdays[day % 7];
}

/* One conversion under way. */
struct field {
    struct tc_buf *to;
    const struct tc_civil *c;
    int64_t time, nanoseconds;
    char pad; /* of the flag: '0', '_', '-', '+', or 0 */
    bool upper, swap, lower; /* lower: what `swap` is for names that are in capitals */
    int width, colons;
};

static void text(struct field *f, const char *s, size_t n)
{
    size_t fill = f->width > 0 && (size_t)f->width > n ? (size_t)f->width - n : 0;

    for (; fill && f->pad != '-'; fill--)
        tc_buf_char(f->to, f->pad == '0' || f->pad == '+' ? '0' : ' ');
    for (size_t i = 0; i < n; i++) {
        char c = s[i];

        if (f->lower && c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        else if (!f->lower && (f->upper || f->swap) && c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        tc_buf_char(f->to, c);
    }
}

static void name(struct field *f, const char *s, size_t n)
{
    text(f, s, n ? n : strlen(s));
}

/* A number of so many digits, filled with `pad` unless a flag says otherwise. */
static void number(struct field *f, int64_t value, int digits, char pad)
{
    char s[24];
    int n = snprintf(s, sizeof(s), "%lld", (long long)(value < 0 ? -value : value)), width;

    if (f->pad)
        pad = f->pad == '_' ? ' ' : f->pad == '-' ? '-' : '0';
    width = f->width > 0 ? f->width : digits;
    width -= n + (value < 0);
    if (value < 0 && pad != ' ')
        tc_buf_char(f->to, '-');
    for (; width > 0 && pad != '-'; width--)
        tc_buf_char(f->to, pad);
    if (value < 0 && pad == ' ')
        tc_buf_char(f->to, '-');
    tc_buf_add(f->to, s, (size_t)n);
}

static void nested(struct field *f, const char *format)
{
    struct tc_buf part;

    tc_buf_init(&part, 1024);
    tc_zone_format(&part, tc_str_of(format), f->c, f->time, f->nanoseconds);
    text(f, part.p ? part.p : "", part.n);
    tc_buf_finish(&part);
}

/* The week of ISO 8601 and the year that it belongs to. */
static int iso_week(const struct tc_civil *c, int64_t *ret_year)
{
    int weekday = (c->weekday + 6) % 7, week = (c->yearday - weekday + 10) / 7;
    int64_t first, next;

    *ret_year = c->year;
    if (week < 1) {
        --*ret_year;
        first = tc_zone_days(c->year - 1, 1, 1);
        next = tc_zone_days(c->year, c->month, c->day) - first;
        return (int)((next - weekday + 10) / 7);
    }
    if (week == 53) {
        next = tc_zone_days(c->year + 1, 1, 1);
        weekday = (int)((next + 3) % 7 + 7) % 7; /* from Monday */
        if (weekday <= 3) {
            ++*ret_year;
            return 1;
        }
    }
    return week;
}

/* %z: +hhmm, and with colons +hh:mm, +hh:mm:ss, or as short as it can be. */
static void offset(struct field *f)
{
    int seconds = f->c->offset < 0 ? -f->c->offset : f->c->offset;
    int h = seconds / 3600, m = seconds / 60 % 60, s = seconds % 60;
    char sign = f->c->offset < 0 ? '-' : '+', out[24];
    int n;

    if (f->colons == 0)
        n = snprintf(out, sizeof(out), "%c%02d%02d", sign, h, m);
    else if (f->colons == 1)
        n = snprintf(out, sizeof(out), "%c%02d:%02d", sign, h, m);
    else if (f->colons == 2 || s)
        n = snprintf(out, sizeof(out), "%c%02d:%02d:%02d", sign, h, m, s);
    else if (m)
        n = snprintf(out, sizeof(out), "%c%02d:%02d", sign, h, m);
    else
        n = snprintf(out, sizeof(out), "%c%02d", sign, h);
    text(f, out, (size_t)n);
}

/* %N: nine digits, or as many as the width says. */
static void nanoseconds(struct field *f)
{
    char s[24];
    int n = f->width > 0 && f->width < 9 ? f->width : 9;

    snprintf(s, sizeof(s), "%09lld", (long long)f->nanoseconds);
    tc_buf_add(f->to, s, (size_t)n);
    for (int i = 9; i < f->width; i++)
        tc_buf_char(f->to, '0');
}

static bool of_time(struct field *f, char conversion)
{
    const struct tc_civil *c = f->c;
    int twelve = c->hour % 12 ? c->hour % 12 : 12;

    switch (conversion) {
    case 'H':
        number(f, c->hour, 2, '0');
        return true;
    case 'I':
        number(f, twelve, 2, '0');
        return true;
    case 'k':
        number(f, c->hour, 2, ' ');
        return true;
    case 'l':
        number(f, twelve, 2, ' ');
        return true;
    case 'M':
        number(f, c->minute, 2, '0');
        return true;
    case 'S':
        number(f, c->second, 2, '0');
        return true;
    case 's':
        number(f, f->time, 1, '0');
        return true;
    case 'p':
        f->lower = f->swap;
        name(f, c->hour < 12 ? "AM" : "PM", 2);
        return true;
    case 'P':
        name(f, c->hour < 12 ? "am" : "pm", 2);
        return true;
    case 'z':
        offset(f);
        return true;
    case 'Z':
        f->lower = f->swap;
        name(f, c->zone, 0);
        return true;
    case 'N':
        if (f->nanoseconds < 0)
            return false;
        nanoseconds(f);
        return true;
    default:
        return false;
    }
}

static bool of_date(struct field *f, char conversion)
{
    const struct tc_civil *c = f->c;
    int64_t iso_year;
    int week = iso_week(c, &iso_year);

    switch (conversion) {
    case 'a':
        name(f, weekdays[c->weekday], 3);
        return true;
    case 'A':
        name(f, weekdays[c->weekday], 0);
        return true;
    case 'b':
    case 'h':
        name(f, months[c->month - 1], 3);
        return true;
    case 'B':
        name(f, months[c->month - 1], 0);
        return true;
    case 'C':
        number(f, c->year / 100, 2, '0');
        return true;
    case 'd':
        number(f, c->day, 2, '0');
        return true;
    case 'e':
        number(f, c->day, 2, ' ');
        return true;
    case 'g':
        number(f, (iso_year < 0 ? -iso_year : iso_year) % 100, 2, '0');
        return true;
    case 'G':
        number(f, iso_year, 4, '0');
        return true;
    case 'j':
        number(f, c->yearday + 1, 3, '0');
        return true;
    case 'm':
        number(f, c->month, 2, '0');
        return true;
    case 'q':
        number(f, (c->month - 1) / 3 + 1, 1, '0');
        return f->nanoseconds >= 0;
    case 'u':
        number(f, c->weekday ? c->weekday : 7, 1, '0');
        return true;
    case 'U':
        number(f, (c->yearday + 7 - c->weekday) / 7, 2, '0');
        return true;
    case 'V':
        number(f, week, 2, '0');
        return true;
    case 'w':
        number(f, c->weekday, 1, '0');
        return true;
    case 'W':
        number(f, (c->yearday + 7 - (c->weekday + 6) % 7) / 7, 2, '0');
        return true;
    case 'y':
        number(f, (c->year < 0 ? -c->year : c->year) % 100, 2, '0');
        return true;
    case 'Y':
        number(f, c->year, 1, '0');
        return true;
    default:
        return false;
    }
}

/* What is short for several. */
static bool of_both(struct field *f, char conversion)
{
    switch (conversion) {
    case 'c':
        nested(f, "%a %b %e %H:%M:%S %Y");
        return true;
    case 'D':
    case 'x':
        nested(f, "%m/%d/%y");
        return true;
    case 'F':
        nested(f, "%Y-%m-%d");
        return true;
    case 'r':
        nested(f, "%I:%M:%S %p");
        return true;
    case 'R':
        nested(f, "%H:%M");
        return true;
    case 'T':
    case 'X':
        nested(f, "%H:%M:%S");
        return true;
    case 'n':
        name(f, "\n", 1);
        return true;
    case 't':
        name(f, "\t", 1);
        return true;
    case '%':
        name(f, "%", 1);
        return true;
    default:
        return false;
    }
}

static void read_flags(struct field *f, struct tc_str format, size_t *at)
{
    for (; *at < format.n; ++*at) {
        char c = format.p[*at];

        if (c == '_' || c == '-' || c == '0' || c == '+')
            f->pad = c;
        else if (c == '^')
            f->upper = true;
        else if (c == '#')
            f->swap = true;
        else
            break;
    }
    for (; *at < format.n && format.p[*at] >= '0' && format.p[*at] <= '9'; ++*at)
        f->width = f->width < 1000 ? f->width * 10 + (format.p[*at] - '0') : f->width;
    for (; *at < format.n && format.p[*at] == ':'; ++*at)
        f->colons++;
    if (*at < format.n && (format.p[*at] == 'E' || format.p[*at] == 'O'))
        ++*at;
}

void tc_zone_format(struct tc_buf *to, struct tc_str format, const struct tc_civil *civil, int64_t time,
                    int64_t nanoseconds_or_none)
{
    for (size_t at = 0; at < format.n;) {
        struct field f = {.to = to, .c = civil, .time = time, .nanoseconds = nanoseconds_or_none};
        size_t from = at;

        if (format.p[at] != '%' || at + 1 == format.n) {
            tc_buf_char(to, format.p[at++]);
            continue;
        }
        at++;
        read_flags(&f, format, &at);
        if (at < format.n && (!f.colons || format.p[at] == 'z') &&
            (of_time(&f, format.p[at]) || of_date(&f, format.p[at]) || of_both(&f, format.p[at]))) {
            at++;
            continue;
        }
        at += at < format.n;
        tc_buf_str(to, tc_str_n(format.p + from, at - from));
    }
}
