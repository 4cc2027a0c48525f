/*
 * Zones and the calendar.
 */
#include "base/zone.h"

enum { DAY = 86400, HOUR = 3600 };

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t tc_zone_days(int64_t year, int month, int day)
{
    int64_t era, of_era;
    int of_year;

    year -= month <= 2; /* years that begin in March have the leap day at their end */
    era = floor_div(year, 400);
    of_era = year - era * 400;
    of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void tc_zone_date(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day)
{
    int64_t era, of_era, year;
    int of_year, month;

    days += 719468;
    era = floor_div(days, 146097);
    of_era = days - era * 146097;
    year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year = (int)(of_era - (365 * year + year / 4 - year / 100));
    month = (5 * of_year + 2) / 153;
    *ret_day = of_year - (153 * month + 2) / 5 + 1;
    *ret_month = month < 10 ? month + 3 : month - 9;
    *ret_year = year + era * 400 + (*ret_month <= 2);
}

/* --- TZ strings --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool parse_name(const char **at, char name[TC_ZONE_NAME_SIZE])
{
    const char *p = *at;
    size_t n = 0;
    bool quoted = *p == '<';

    p += quoted;
    while (quoted ? *p && *p != '>' : is_letter(*p)) {
        if (n + 1 < TC_ZONE_NAME_SIZE)
            name[n++] = *p;
        p++;
    }
    name[n] = '\0';
    if (quoted && *p == '>')
        p++;
    *at = p;
    return n >= 3;
}

static bool parse_number(const char **at, int max, int *ret_num)
{
    const char *p = *at;
    int num = 0;

    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++)
        if ((num = num * 10 + (*p - '0')) > max)
            return false;
    *at = p;
    *ret_num = num;
    return true;
}

/* [+-]h[:m[:s]] in seconds. */
static bool parse_time(const char **at, int *ret_seconds)
{
    bool minus = **at == '-';
    int parts[3] = {0};

    *at += **at == '-' || **at == '+';
    if (!parse_number(at, 167, &parts[0]))
        return false;
    for (int i = 1; i < 3 && **at == ':'; i++) {
        ++*at;
        if (!parse_number(at, 59, &parts[i]))
            return false;
    }
    *ret_seconds = (parts[0] * 60 + parts[1]) * 60 + parts[2];
    if (minus)
        *ret_seconds = -*ret_seconds;
    return true;
}

static bool parse_rule(const char **at, struct tc_zone_rule *rule)
{
    *rule = (struct tc_zone_rule){.kind = TC_ZONE_DAY, .time = 2 * HOUR};
    if (**at != ',')
        return false;
    ++*at;
    if (**at == 'M') {
        rule->kind = TC_ZONE_MONTH;
        ++*at;
        if (!parse_number(at, 12, &rule->month) || rule->month < 1 || **at != '.')
            return false;
        ++*at;
        if (!parse_number(at, 5, &rule->week) || rule->week < 1 || **at != '.')
            return false;
        ++*at;
        if (!parse_number(at, 6, &rule->day))
            return false;
    } else {
        if (**at == 'J') {
            rule->kind = TC_ZONE_JULIAN;
            ++*at;
        }
        if (!parse_number(at, 366, &rule->day))
            return false;
    }
    if (**at != '/')
        return true;
    ++*at;
    return parse_time(at, &rule->time);
}

static void utc(struct tc_zone *zone, const char *name)
{
    size_t n = 0;

    memset(zone, 0, sizeof(*zone));
    for (; n + 1 < TC_ZONE_NAME_SIZE && is_letter(name[n]); n++)
        zone->name[0][n] = name[n];
    if (n < 3)
        memcpy(zone->name[0], "UTC", 4);
}

void tc_zone_init(struct tc_zone *zone, const char *tz)
{
    static const struct tc_zone_rule begin = {TC_ZONE_MONTH, 3, 2, 0, 2 * HOUR};
    static const struct tc_zone_rule end = {TC_ZONE_MONTH, 11, 1, 0, 2 * HOUR};
    const char *at = tz && *tz == ':' ? tz + 1 : tz;
    int seconds;

    utc(zone, "UTC");
    if (!tz || !*at)
        return;
    if (!parse_name(&at, zone->name[0]) || !parse_time(&at, &seconds) || seconds > 24 * HOUR || seconds < -24 * HOUR) {
        utc(zone, tz);
        return;
    }
    zone->offset[0] = -seconds;
    if (!*at || !parse_name(&at, zone->name[1]))
        return;
    zone->has_dst = true;
    zone->offset[1] = zone->offset[0] + HOUR;
    if (*at && *at != ',' && parse_time(&at, &seconds))
        zone->offset[1] = -seconds;
    if (!parse_rule(&at, &zone->begin) || !parse_rule(&at, &zone->end)) {
        zone->begin = begin;
        zone->end = end;
    }
}

/* --- which clock counts --- */

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* The day of a year on which a rule takes effect, as days from 1970. */
static int64_t rule_day(const struct tc_zone_rule *rule, int64_t year)
{
    int64_t first, next;
    int weekday, day;

    if (rule->kind == TC_ZONE_DAY)
        return tc_zone_days(year, 1, 1) + rule->day;
    if (rule->kind == TC_ZONE_JULIAN)
        return tc_zone_days(year, 1, 1) + rule->day - 1 + (is_leap(year) && rule->day >= 60);
    first = tc_zone_days(year, rule->month, 1);
    next = rule->month == 12 ? tc_zone_days(year + 1, 1, 1) : tc_zone_days(year, rule->month + 1, 1);
    weekday = (int)(first + 4 - floor_div(first + 4, 7) * 7);
    day = (rule->day - weekday + 7) % 7 + 7 * (rule->week - 1);
    while (first + day >= next)
        day -= 7;
    return first + day;
}

static bool in_dst(const struct tc_zone *zone, int64_t time)
{
    int64_t year, begin, end;
    int month, day;

    if (!zone->has_dst)
        return false;
    tc_zone_date(floor_div(time + zone->offset[0], DAY), &year, &month, &day);
    begin = rule_day(&zone->begin, year) * DAY + zone->begin.time - zone->offset[0];
    end = rule_day(&zone->end, year) * DAY + zone->end.time - zone->offset[1];
    return begin < end ? time >= begin && time < end : time >= begin || time < end;
}

void tc_zone_civil(const struct tc_zone *zone, int64_t time, struct tc_civil *c)
{
    bool dst = in_dst(zone, time);
    int64_t local = time + zone->offset[dst], days = floor_div(local, DAY);
    int seconds = (int)(local - days * DAY);

    *c = (struct tc_civil){.dst = dst, .offset = zone->offset[dst]};
    memcpy(c->zone, zone->name[dst], sizeof(c->zone));
    tc_zone_date(days, &c->year, &c->month, &c->day);
    c->hour = seconds / HOUR;
    c->minute = seconds / 60 % 60;
    c->second = seconds % 60;
    c->weekday = (int)(days + 4 - floor_div(days + 4, 7) * 7);
    c->yearday = (int)(days - tc_zone_days(c->year, 1, 1));
}

bool tc_zone_time(const struct tc_zone *zone, const struct tc_civil *c, int64_t *ret_time)
{
    int64_t months = c->month - 1, year, local, standard, summer;

    if (c->year > 1000000000 || c->year < -1000000000)
        return false;
    year = c->year + floor_div(months, 12);
    months -= floor_div(months, 12) * 12;
    local = (tc_zone_days(year, (int)months + 1, 1) + (int64_t)c->day - 1) * DAY + (int64_t)c->hour * HOUR +
            (int64_t)c->minute * 60 + c->second;
    standard = local - zone->offset[0];
    summer = local - zone->offset[1];
    *ret_time = zone->has_dst && in_dst(zone, summer) ? summer : standard;
    return true;
}
