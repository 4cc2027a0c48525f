/*
 * Times of the calendar: from seconds since 1970 and back, in a zone that a POSIX TZ
 * string describes, and in words by a format of strftime(3) as GNU's date has it.
 * Pure; reads neither a clock nor files, so names like "Europe/Berlin" mean UTC.
 */
#ifndef TC_BASE_ZONE_H
#define TC_BASE_ZONE_H

#include "toolcrib/buf.h"

enum { TC_ZONE_NAME_SIZE = 16 };

struct tc_zone_rule { /* when daylight saving begins or ends */
    enum { TC_ZONE_JULIAN, TC_ZONE_DAY, TC_ZONE_MONTH } kind; /* Jn, n, Mm.w.d */
    int month, week, day;
    int time; /* seconds of that day, of the clock that ends then */
};

struct tc_zone {
    char name[2][TC_ZONE_NAME_SIZE]; /* standard, daylight saving */
    int offset[2];                   /* seconds east of UTC */
    bool has_dst;
    struct tc_zone_rule begin, end;
};

struct tc_civil {
    int64_t year;
    int month, day;          /* 1 to 12, 1 to 31 */
    int hour, minute, second;
    int weekday, yearday;    /* from Sunday; from 0 */
    int offset;
    bool dst;
    char zone[TC_ZONE_NAME_SIZE];
};

/* NULL and "" are UTC. */
void tc_zone_init(struct tc_zone *zone, const char *tz);
void tc_zone_civil(const struct tc_zone *zone, int64_t time, struct tc_civil *ret_civil);
/* Seconds of a date whose parts may be out of range, as mktime(3) takes them; weekday and what is behind it are
 * not looked at. In the hour that comes twice it is the first, in the one that is passed over the clock before
 * counts on. False when it is beyond what can be told. */
bool tc_zone_time(const struct tc_zone *zone, const struct tc_civil *civil, int64_t *ret_time);
/* Days from 1970-01-01 of a date of the Gregorian calendar, and back. */
int64_t tc_zone_days(int64_t year, int month, int day);
void tc_zone_date(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day);
/* nanoseconds: for %N and the flags that GNU's date adds (%-d %_d %^a %:z …); -1: those of plain strftime. */
void tc_zone_format(struct tc_buf *to, struct tc_str format, const struct tc_civil *civil, int64_t time,
                    int64_t nanoseconds);
/* "January" and "Sunday": 0 to 11, 0 to 6. */
const char *tc_zone_month_name(int month);
const char *tc_zone_weekday_name(int day);

#endif
