/*
 * The grammar of dates: a sequence of items (a date, a time, a zone, a weekday, steps
 * relative to them), each at most once but for the steps. Items are tried in turn at
 * the token at hand; a token that begins none makes the whole text no date.
 */
#include "shell/date/parser.h"

static bool in_range(const struct date_parser *p)
{
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (p->year % 4 == 0 && p->year % 100 != 0) || p->year % 400 == 0;

    if (p->month < 1 || p->month > 12 || p->day < 1 || p->day > lengths[p->month - 1])
        return false;
    if (p->month == 2 && p->day == 29 && !leap)
        return false;
    if (p->meridian && (p->hour < 1 || p->hour > 12))
        return false;
    return p->hour < 24 && p->minute < 60 && p->second < 60;
}

/* 12 am is 0, 12 pm is 12. */
static int hour_of_day(const struct date_parser *p)
{
    int hour = (int)p->hour;

    return p->meridian ? hour % 12 + (p->meridian == 2) * 12 : hour;
}

static bool finish(struct date_parser *p, struct timespec *ret_time)
{
    bool absolute = p->dates || p->days || p->times;
    struct tc_zone fixed = {.offset = {p->zones ? p->offset : p->offset_now}};
    const struct tc_zone *zone = p->zones || !absolute ? &fixed : p->zone;
    bool keeps_time = p->times || (p->relatives && !p->dates && !p->days);
    struct tc_civil c = {.year = p->year, .month = p->month, .day = p->day};
    struct tc_civil weekday;
    int64_t time;

    if (p->year > 100000000 || p->weekday_ordinal > 1000000 || p->steps[DATE_YEARS] > 100000000 ||
        p->steps[DATE_YEARS] < -100000000 || p->steps[DATE_MONTHS] > 1000000000 ||
        p->steps[DATE_MONTHS] < -1000000000 ||
        p->steps[DATE_DAYS] > 1000000000 || p->steps[DATE_DAYS] < -1000000000)
        return false;
    if (!in_range(p))
        return false;
    c.hour = keeps_time ? hour_of_day(p) : 0;
    c.minute = keeps_time ? (int)p->minute : 0;
    c.second = keeps_time ? (int)p->second : 0;
    if (!tc_zone_time(zone, &c, &time))
        return false;
    tc_zone_civil(zone, time, &weekday);
    if (weekday.hour != c.hour || weekday.minute != c.minute) /* the hour that summer passes over */
        return false;
    if (p->days && !p->dates) {
        c.day += (p->weekday - weekday.weekday + 7) % 7 +
                 7 * (int)(p->weekday_ordinal - (p->weekday_ordinal > 0 && weekday.weekday != p->weekday));
    }
    c.year += p->steps[DATE_YEARS];
    c.month += (int)p->steps[DATE_MONTHS];
    c.day += (int)p->steps[DATE_DAYS];
    if (!tc_zone_time(zone, &c, &time))
        return false;
    ret_time->tv_sec = time + p->steps[DATE_HOURS] * 3600 + p->steps[DATE_MINUTES] * 60 + p->steps[DATE_SECONDS];
    ret_time->tv_nsec = keeps_time ? p->ns : 0;
    return true;
}

/* "@1700000000.5" */
static bool stamp(struct date_parser *p, struct timespec *ret_time)
{
    p->at++;
    if (!tc_date_advance(p) ||
        (p->token.kind != DATE_NUMBER && p->token.kind != DATE_SIGNED && p->token.kind != DATE_DECIMAL))
        return false;
    ret_time->tv_sec = p->token.value;
    ret_time->tv_nsec = p->token.ns;
    return tc_date_advance(p) && p->token.kind == DATE_END;
}

/* TZ="…" before all else. */
static bool own_zone(struct date_parser *p, struct tc_zone *zone)
{
    char name[64];
    size_t n = 0;

    if (!tc_str_starts(p->text, TC_STR("TZ=\"")))
        return true;
    for (p->at = 4; p->at < p->text.n && tc_date_peek(p) != '"'; p->at++)
        if (n + 1 < sizeof(name))
            name[n++] = tc_date_peek(p);
    if (tc_date_peek(p) != '"')
        return false;
    p->at++;
    name[n] = '\0';
    tc_zone_init(zone, name);
    p->zone = zone;
    while (tc_date_is_space(tc_date_peek(p)))
        p->at++;
    return true;
}

bool tc_date_parse(struct tc_str text, struct timespec now, const struct tc_zone *zone, struct timespec *ret_time)
{
    struct date_parser p = {.text = tc_str_trim(text), .zone = zone};
    struct tc_zone own;
    struct tc_civil c;

    if (!own_zone(&p, &own))
        return false;
    if (tc_date_peek(&p) == '@')
        return stamp(&p, ret_time);
    tc_zone_civil(p.zone, now.tv_sec, &c);
    p.year = c.year;
    p.month = c.month;
    p.day = c.day;
    p.hour = c.hour;
    p.minute = c.minute;
    p.second = c.second;
    p.ns = now.tv_nsec;
    p.offset_now = c.offset;
    if (!tc_date_advance(&p))
        return false;
    while (p.token.kind != DATE_END)
        if (!tc_date_item(&p))
            return false;
    return p.dates <= 1 && p.times <= 1 && p.days <= 1 && p.zones <= 1 && finish(&p, ret_time);
}
