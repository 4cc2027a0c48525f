/*
 * The system clock, and times as text.
 */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

#include "base/zone.h"

static int64_t system_wall_ms(const struct tc_clock *clock)
{
    struct timespec ts;

    (void)clock;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int64_t system_mono_us(const struct tc_clock *clock)
{
    struct timespec ts;

    (void)clock;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

const struct tc_clock tc_clock_system = {system_wall_ms, system_mono_us};

void tc_clock_iso(int64_t wall_ms, char *to)
{
    int64_t ms = ((wall_ms % 1000) + 1000) % 1000;
    time_t seconds = (time_t)((wall_ms - ms) / 1000);
    struct tm tm;

    if (!gmtime_r(&seconds, &tm) || tm.tm_year < 0 || tm.tm_year > 8099) {
        seconds = 0;
        gmtime_r(&seconds, &tm);
    }
    snprintf(to, TC_CLOCK_ISO_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ", (unsigned)(tm.tm_year + 1900) % 10000U,
             (unsigned)(tm.tm_mon + 1) % 100U, (unsigned)tm.tm_mday % 100U, (unsigned)tm.tm_hour % 100U,
             (unsigned)tm.tm_min % 100U, (unsigned)tm.tm_sec % 100U, (unsigned)ms % 1000U);
}

/* Exactly n digits. */
static bool take_digits(struct tc_str *text, size_t n, int *ret)
{
    int value = 0;

    if (text->n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (text->p[i] < '0' || text->p[i] > '9')
            return false;
        value = value * 10 + (text->p[i] - '0');
    }
    *text = tc_str_from(*text, n);
    *ret = value;
    return true;
}

static bool take_char(struct tc_str *text, char c)
{
    if (!text->n || text->p[0] != c)
        return false;
    *text = tc_str_from(*text, 1);
    return true;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

static bool take_date(struct tc_str *text, int64_t *ret_ms)
{
    int year, month, day;

    if (!take_digits(text, 4, &year) || !take_char(text, '-') || !take_digits(text, 2, &month) ||
        !take_char(text, '-') || !take_digits(text, 2, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return false;
    *ret_ms = tc_zone_days(year, month, day) * 86400000;
    return true;
}

/* What is behind the third digit is less than can be told. */
static bool take_fraction(struct tc_str *text, int *ret_ms)
{
    int digits = 0, digit;

    for (*ret_ms = 0; take_digits(text, 1, &digit); digits++)
        if (digits < 3)
            *ret_ms = *ret_ms * 10 + digit;
    for (int i = digits; i < 3; i++)
        *ret_ms *= 10;
    return digits >= 1 && digits <= 9;
}

static bool take_time(struct tc_str *text, int64_t *ret_ms)
{
    int hour, minute, second = 0, ms = 0;

    if (!take_digits(text, 2, &hour) || !take_char(text, ':') || !take_digits(text, 2, &minute))
        return false;
    if (take_char(text, ':') && !take_digits(text, 2, &second))
        return false;
    if (take_char(text, '.') && !take_fraction(text, &ms))
        return false;
    if (hour > 23 || minute > 59 || second > 60)
        return false;
    *ret_ms = ((hour * 60 + minute) * 60 + second) * INT64_C(1000) + ms;
    return true;
}

static bool take_offset(struct tc_str *text, int64_t *ret_ms)
{
    int sign, hour, minute;

    *ret_ms = 0;
    if (text->n == 0 || take_char(text, 'Z'))
        return true;
    sign = take_char(text, '-') ? -1 : take_char(text, '+') ? 1 : 0;
    if (!sign || !take_digits(text, 2, &hour) || !take_char(text, ':') || !take_digits(text, 2, &minute) ||
        hour > 23 || minute > 59)
        return false;
    *ret_ms = sign * (hour * 60 + minute) * INT64_C(60000);
    return true;
}

bool tc_clock_parse_iso(struct tc_str text, int64_t *ret_wall_ms)
{
    int64_t date, time = 0, offset = 0;

    if (!take_date(&text, &date))
        return false;
    if (text.n && ((!take_char(&text, 'T') && !take_char(&text, ' ')) || !take_time(&text, &time) ||
                   !take_offset(&text, &offset)))
        return false;
    if (text.n)
        return false;
    *ret_wall_ms = date + time - offset;
    return true;
}
