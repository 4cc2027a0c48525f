/*
 * The grammar of dates: a sequence of items (a date, a time, a zone, a weekday, steps
 * relative to them), each at most once but for the steps. Items are tried in turn at
 * the token at hand; a token that begins none makes the whole text no date.
 */
#include "shell/cmds/date_parse.h"

#include <stdlib.h>

enum kind {
    END, NUMBER, SIGNED, DECIMAL, MONTH, DAY, UNIT, ORDINAL, AGO, MERIDIAN, ZONE, DAYLIGHT, DST, RELATIVE, T, CHAR
};
enum unit { YEARS, MONTHS, DAYS, HOURS, MINUTES, SECONDS, UNITS };

struct token {
    enum kind kind;
    int64_t value;
    int digits;
    int64_t ns; /* of DECIMAL */
    int factor; /* of UNIT: weeks are 7 days */
};

struct parser {
    struct tc_str text;
    size_t at;
    struct token token;
    const struct tc_zone *zone;
    int64_t year;
    int year_digits, month, day;
    int64_t hour, minute, second, ns;
    int meridian; /* 0 none, 1 am, 2 pm */
    int offset;   /* seconds east, when zones */
    int weekday;
    int64_t weekday_ordinal;
    int64_t steps[UNITS], step_ns;
    int dates, times, days, zones, relatives;
    int offset_now; /* of the local clock: what is only relative to now keeps it */
};

struct word {
    const char *name;
    enum kind kind;
    int value, factor;
};

static const struct word words[] = {
    {"AM", MERIDIAN, 1, 0}, {"A.M.", MERIDIAN, 1, 0}, {"PM", MERIDIAN, 2, 0}, {"P.M.", MERIDIAN, 2, 0},
    {"SEPT", MONTH, 9, 0}, {"TUES", DAY, 2, 0}, {"WEDNES", DAY, 3, 0}, {"THUR", DAY, 4, 0}, {"THURS", DAY, 4, 0},
    {"DST", DST, 0, 0},
    {"YEAR", UNIT, YEARS, 1}, {"MONTH", UNIT, MONTHS, 1}, {"FORTNIGHT", UNIT, DAYS, 14}, {"WEEK", UNIT, DAYS, 7},
    {"DAY", UNIT, DAYS, 1}, {"HOUR", UNIT, HOURS, 1}, {"MINUTE", UNIT, MINUTES, 1}, {"MIN", UNIT, MINUTES, 1},
    {"SECOND", UNIT, SECONDS, 1}, {"SEC", UNIT, SECONDS, 1},
    {"TOMORROW", RELATIVE, 1, 0}, {"YESTERDAY", RELATIVE, -1, 0}, {"TODAY", RELATIVE, 0, 0}, {"NOW", RELATIVE, 0, 0},
    {"LAST", ORDINAL, -1, 0}, {"THIS", ORDINAL, 0, 0}, {"NEXT", ORDINAL, 1, 0}, {"FIRST", ORDINAL, 1, 0},
    {"THIRD", ORDINAL, 3, 0}, {"FOURTH", ORDINAL, 4, 0}, {"FIFTH", ORDINAL, 5, 0}, {"SIXTH", ORDINAL, 6, 0},
    {"SEVENTH", ORDINAL, 7, 0}, {"EIGHTH", ORDINAL, 8, 0}, {"NINTH", ORDINAL, 9, 0}, {"TENTH", ORDINAL, 10, 0},
    {"ELEVENTH", ORDINAL, 11, 0}, {"TWELFTH", ORDINAL, 12, 0}, {"AGO", AGO, -1, 0}, {"HENCE", AGO, 1, 0},
};

/* Zones by name, in minutes east of UTC; an hour more for the DAYLIGHT ones. */
static const struct word zones[] = {
    {"GMT", ZONE, 0, 0}, {"UT", ZONE, 0, 0}, {"UTC", ZONE, 0, 0}, {"WET", ZONE, 0, 0}, {"WEST", DAYLIGHT, 0, 0},
    {"BST", DAYLIGHT, 0, 0}, {"ART", ZONE, -180, 0}, {"BRT", ZONE, -180, 0}, {"BRST", DAYLIGHT, -180, 0},
    {"NST", ZONE, -210, 0}, {"NDT", DAYLIGHT, -210, 0}, {"AST", ZONE, -240, 0}, {"ADT", DAYLIGHT, -240, 0},
    {"CLT", ZONE, -240, 0}, {"CLST", DAYLIGHT, -240, 0}, {"EST", ZONE, -300, 0}, {"EDT", DAYLIGHT, -300, 0},
    {"CST", ZONE, -360, 0}, {"CDT", DAYLIGHT, -360, 0}, {"MST", ZONE, -420, 0}, {"MDT", DAYLIGHT, -420, 0},
    {"PST", ZONE, -480, 0}, {"PDT", DAYLIGHT, -480, 0}, {"AKST", ZONE, -540, 0}, {"AKDT", DAYLIGHT, -540, 0},
    {"HST", ZONE, -600, 0}, {"HAST", ZONE, -600, 0}, {"HADT", DAYLIGHT, -600, 0}, {"SST", ZONE, -720, 0},
    {"WAT", ZONE, 60, 0}, {"CET", ZONE, 60, 0}, {"CEST", DAYLIGHT, 60, 0}, {"MET", ZONE, 60, 0},
    {"MEZ", ZONE, 60, 0}, {"MEST", DAYLIGHT, 60, 0}, {"MESZ", DAYLIGHT, 60, 0}, {"EET", ZONE, 120, 0},
    {"EEST", DAYLIGHT, 120, 0}, {"CAT", ZONE, 120, 0}, {"SAST", ZONE, 120, 0}, {"EAT", ZONE, 180, 0},
    {"MSK", ZONE, 180, 0}, {"MSD", DAYLIGHT, 180, 0}, {"IST", ZONE, 330, 0}, {"SGT", ZONE, 480, 0},
    {"KST", ZONE, 540, 0}, {"JST", ZONE, 540, 0}, {"GST", ZONE, 600, 0}, {"NZST", ZONE, 720, 0},
    {"NZDT", DAYLIGHT, 720, 0},
};

/* --- tokens --- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char peek(const struct parser *p)
{
    return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static void lex_number(struct parser *p, int sign)
{
    struct token *t = &p->token;
    int64_t scale = 100000000;

    t->kind = sign ? SIGNED : NUMBER;
    for (; is_digit(peek(p)); p->at++, t->digits++)
        t->value = t->value < INT64_MAX / 20 ? t->value * 10 + (peek(p) - '0') : INT64_MAX / 20;
    if ((peek(p) == '.' || peek(p) == ',') && p->at + 1 < p->text.n && is_digit(p->text.p[p->at + 1])) {
        t->kind = DECIMAL;
        for (p->at++; is_digit(peek(p)); p->at++, scale /= 10)
            t->ns += (peek(p) - '0') * scale;
    }
    if (sign < 0) {
        t->value = -t->value;
        if (t->ns) {
            t->value--;
            t->ns = 1000000000 - t->ns;
        }
    }
}

static bool same(const char *name, const char *word)
{
    return strcmp(name, word) == 0;
}

/* Whole names and their first three letters. */
static bool is_name(const char *word, size_t n, const char *full)
{
    struct tc_str name = tc_str_of(full);

    return tc_str_eq_nocase(tc_str_n(word, n), name) ||
           (n == 3 && tc_str_eq_nocase(tc_str_n(word, 3), tc_str_n(full, 3)));
}

static bool find_word(const struct word *table, size_t rows, const char *word, struct token *t)
{
    for (size_t i = 0; i < rows; i++)
        if (same(table[i].name, word)) {
            t->kind = table[i].kind;
            t->value = table[i].value;
            t->factor = table[i].factor;
            return true;
        }
    return false;
}

static bool find_zone(const struct parser *p, const char *word, struct token *t)
{
    for (int dst = 0; dst <= p->zone->has_dst; dst++)
        if (same(p->zone->name[dst], word)) {
            t->kind = ZONE;
            t->value = p->zone->offset[dst] / 60;
            return true;
        }
    if (!find_word(zones, sizeof(zones) / sizeof(zones[0]), word, t))
        return false;
    if (t->kind == DAYLIGHT)
        t->value += 60;
    t->kind = ZONE;
    return true;
}

/* A single letter: T stands between date and time, the others are zones of the military, east from A. */
static bool find_letter(char c, struct token *t)
{
    static const char east[] = "ABCDEFGHIKLM", west[] = "NOPQRSTUVWXY";
    const char *at;

    t->kind = ZONE;
    if (c == 'Z')
        t->value = 0;
    else if (c == 'T')
        t->kind = T;
    else if ((at = strchr(east, c)))
        t->value = 60 * (at - east + 1);
    else if ((at = strchr(west, c)))
        t->value = -60 * (at - west + 1);
    else
        return false;
    return true;
}

static bool find_calendar(const char *word, size_t n, struct token *t)
{
    for (int i = 0; i < 12; i++)
        if (is_name(word, n, tc_zone_month_name(i))) {
            t->kind = MONTH;
            t->value = i + 1;
            return true;
        }
    for (int i = 0; i < 7; i++)
        if (is_name(word, n, tc_zone_weekday_name(i))) {
            t->kind = DAY;
            t->value = i;
            return true;
        }
    return false;
}

static bool lex_word(struct parser *p)
{
    struct token *t = &p->token;
    char word[24];
    size_t n = 0, rows = sizeof(words) / sizeof(words[0]);

    for (; is_letter(peek(p)) || peek(p) == '.'; p->at++)
        if (n + 1 < sizeof(word))
            word[n++] = (char)(peek(p) >= 'a' && peek(p) <= 'z' ? peek(p) - 'a' + 'A' : peek(p));
    word[n] = '\0';
    if (find_word(words, rows, word, t))
        return true;
    if (n > 1 && word[n - 1] == '.')
        word[--n] = '\0';
    if (find_calendar(word, n, t) || find_zone(p, word, t) || find_word(words, rows, word, t))
        return true;
    if (n == 1)
        return find_letter(word[0], t);
    if (word[n - 1] == 'S') {
        word[n - 1] = '\0';
        if (find_word(words, rows, word, t) && t->kind == UNIT)
            return true;
    }
    return false;
}

static void skip_comment(struct parser *p)
{
    int depth = 0;

    do {
        depth += (peek(p) == '(') - (peek(p) == ')');
        p->at++;
    } while (depth && p->at < p->text.n);
}

/* The next token; false when there is something that is none. */
static bool advance(struct parser *p)
{
    int sign = 0;

    for (;;) {
        p->token = (struct token){0};
        while (is_space(peek(p)))
            p->at++;
        if (p->at >= p->text.n)
            return true;
        if (is_digit(peek(p))) {
            lex_number(p, 0);
            return true;
        }
        if (peek(p) == '-' || peek(p) == '+') {
            sign = peek(p) == '-' ? -1 : 1;
            for (p->at++; is_space(peek(p)); p->at++)
                ;
            if (!is_digit(peek(p)))
                continue;
            lex_number(p, sign);
            return true;
        }
        if (is_letter(peek(p)))
            return lex_word(p);
        if (peek(p) != '(') {
            p->token.kind = CHAR;
            p->token.value = p->text.p[p->at++];
            return true;
        }
        skip_comment(p);
    }
}

static bool at_char(const struct parser *p, char c)
{
    return p->token.kind == CHAR && p->token.value == c;
}

/* --- items --- */

/* A step of so many units; "ago" behind it turns it around. */
static bool step(struct parser *p, int64_t n)
{
    struct token unit = p->token;
    int64_t by;

    if (!advance(p))
        return false;
    if (p->token.kind == AGO) {
        n *= p->token.value;
        if (!advance(p))
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
static bool zone_offset(struct parser *p, int *ret_offset)
{
    int64_t n = p->token.value, minutes = 0;
    int digits = p->token.digits;
    bool minus;

    minus = p->text.p && n < 0;
    for (size_t at = p->at; !minus && n == 0 && at > 0; at--)
        if (!is_digit(p->text.p[at - 1])) {
            minus = p->text.p[at - 1] == '-';
            break;
        }
    n = n < 0 ? -n : n;
    if (!advance(p))
        return false;
    if (at_char(p, ':')) {
        if (!advance(p) || p->token.kind != NUMBER)
            return false;
        minutes = n * 60 + p->token.value;
        if (!advance(p))
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
static bool time_of_day(struct parser *p, int64_t hour)
{
    p->times++;
    p->hour = hour;
    p->minute = p->second = p->ns = 0;
    p->meridian = 0;
    if (at_char(p, ':')) {
        if (!advance(p) || p->token.kind != NUMBER)
            return false;
        p->minute = p->token.value;
        if (!advance(p))
            return false;
        if (at_char(p, ':')) {
            if (!advance(p) || (p->token.kind != NUMBER && p->token.kind != DECIMAL))
                return false;
            p->second = p->token.value;
            p->ns = p->token.ns;
            if (!advance(p))
                return false;
        }
    }
    if (p->token.kind == MERIDIAN) {
        p->meridian = (int)p->token.value;
        return advance(p);
    }
    if (p->token.kind != SIGNED)
        return true;
    p->zones++;
    return zone_offset(p, &p->offset);
}

static void set_year(struct parser *p, int64_t year, int digits)
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
static bool slashes(struct parser *p, struct token first)
{
    struct token second, third;

    if (!advance(p) || p->token.kind != NUMBER)
        return false;
    second = p->token;
    p->dates++;
    if (!advance(p))
        return false;
    p->month = small(first.value);
    p->day = small(second.value);
    if (!at_char(p, '/'))
        return true;
    if (!advance(p) || p->token.kind != NUMBER)
        return false;
    third = p->token;
    if (first.digits >= 4) {
        set_year(p, first.value, first.digits);
        p->month = small(second.value);
        p->day = small(third.value);
    } else {
        set_year(p, third.value, third.digits);
    }
    return advance(p);
}

/* 2026-01-31 */
static bool iso_date(struct parser *p, struct token first)
{
    set_year(p, first.value, first.digits);
    p->month = small(-p->token.value);
    if (!advance(p) || p->token.kind != SIGNED || p->token.value > 0)
        return false;
    p->day = small(-p->token.value);
    p->dates++;
    return advance(p);
}

/* 31 Jan, 31 Jan 2026, 31-Jan-2026 */
static bool day_month(struct parser *p, struct token first)
{
    p->dates++;
    p->day = small(first.value);
    p->month = small(p->token.value);
    if (!advance(p))
        return false;
    if (p->token.kind == SIGNED && p->token.value <= 0) {
        set_year(p, p->token.value, p->token.digits);
        return advance(p);
    }
    if (p->token.kind != NUMBER)
        return true;
    set_year(p, p->token.value, p->token.digits);
    return advance(p);
}

/* A number with nothing around it that says what it is. */
static bool bare_number(struct parser *p, struct token n)
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

static bool number_item(struct parser *p)
{
    struct token first = p->token;

    if (!advance(p))
        return false;
    if (at_char(p, ':') || p->token.kind == MERIDIAN)
        return time_of_day(p, first.value);
    if (at_char(p, '/'))
        return slashes(p, first);
    if (p->token.kind == SIGNED && p->token.value <= 0 && !p->dates)
        return iso_date(p, first);
    if (p->token.kind == MONTH)
        return day_month(p, first);
    if (p->token.kind == UNIT)
        return step(p, first.value);
    if (p->token.kind == DAY) { /* 3 friday */
        p->days++;
        p->weekday_ordinal = first.value;
        p->weekday = (int)p->token.value;
        return advance(p);
    }
    return bare_number(p, first);
}

/* Jan 31, Jan 31 2026 by what follows, Jan 31, 2026, Jan-31-2026 */
static bool month_item(struct parser *p)
{
    p->month = small(p->token.value);
    p->dates++;
    if (!advance(p))
        return false;
    if (p->token.kind == SIGNED && p->token.value <= 0) {
        p->day = small(-p->token.value);
        if (!advance(p) || p->token.kind != SIGNED)
            return false;
        set_year(p, p->token.value, p->token.digits);
        return advance(p);
    }
    if (p->token.kind != NUMBER)
        return false;
    p->day = small(p->token.value);
    if (!advance(p))
        return false;
    if (!at_char(p, ','))
        return true;
    if (!advance(p) || p->token.kind != NUMBER)
        return false;
    set_year(p, p->token.value, p->token.digits);
    return advance(p);
}

static bool day_item(struct parser *p, int64_t ordinal)
{
    p->days++;
    p->weekday = (int)p->token.value;
    p->weekday_ordinal = ordinal;
    if (!advance(p))
        return false;
    return at_char(p, ',') ? advance(p) : true;
}

static bool ordinal_item(struct parser *p)
{
    int64_t ordinal = p->token.value;

    if (!advance(p))
        return false;
    if (p->token.kind == DAY)
        return day_item(p, ordinal);
    return p->token.kind == UNIT ? step(p, ordinal) : false;
}

static bool zone_item(struct parser *p)
{
    int more = 0;

    p->zones++;
    p->offset = (int)p->token.value * 60;
    if (!advance(p))
        return false;
    if (p->token.kind == DST) {
        p->offset += 3600;
        return advance(p);
    }
    if (p->token.kind == SIGNED) {
        struct parser before = *p;
        int64_t n = p->token.value;

        if (!advance(p))
            return false;
        if (p->token.kind == UNIT) /* UTC +1 day */
            return step(p, n);
        *p = before;
        if (!zone_offset(p, &more))
            return false;
        p->offset += more;
    }
    return true;
}

static bool signed_item(struct parser *p)
{
    int64_t n = p->token.value;

    if (!advance(p))
        return false;
    return p->token.kind == UNIT ? step(p, n) : false;
}

/* A number that a ":" follows. */
static bool clock_item(struct parser *p)
{
    int64_t hour = p->token.value;

    return advance(p) && at_char(p, ':') && time_of_day(p, hour);
}

static bool item(struct parser *p)
{
    switch (p->token.kind) {
    case NUMBER:
        return number_item(p);
    case SIGNED:
        return signed_item(p);
    case MONTH:
        return month_item(p);
    case DAY:
        return day_item(p, 0);
    case ORDINAL:
        return ordinal_item(p);
    case UNIT:
        return step(p, 1);
    case RELATIVE:
        p->steps[DAYS] += p->token.value;
        p->relatives++;
        return advance(p);
    case ZONE:
        return zone_item(p);
    case T: /* between date and time it says nothing; alone it would be a zone */
        return p->dates && !p->times && advance(p) && p->token.kind == NUMBER && clock_item(p);
    default:
        return false;
    }
}

/* --- what it comes to --- */

static bool in_range(const struct parser *p)
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
static int hour_of_day(const struct parser *p)
{
    int hour = (int)p->hour;

    return p->meridian ? hour % 12 + (p->meridian == 2) * 12 : hour;
}

static bool finish(struct parser *p, struct timespec *ret_time)
{
    bool absolute = p->dates || p->days || p->times;
    struct tc_zone fixed = {.offset = {p->zones ? p->offset : p->offset_now}};
    const struct tc_zone *zone = p->zones || !absolute ? &fixed : p->zone;
    bool keeps_time = p->times || (p->relatives && !p->dates && !p->days);
    struct tc_civil c = {.year = p->year, .month = p->month, .day = p->day};
    struct tc_civil weekday;
    int64_t time;

    if (p->year > 100000000 || p->weekday_ordinal > 1000000 || p->steps[YEARS] > 100000000 ||
        p->steps[YEARS] < -100000000 || p->steps[MONTHS] > 1000000000 || p->steps[MONTHS] < -1000000000 ||
        p->steps[DAYS] > 1000000000 || p->steps[DAYS] < -1000000000)
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
    c.year += p->steps[YEARS];
    c.month += (int)p->steps[MONTHS];
    c.day += (int)p->steps[DAYS];
    if (!tc_zone_time(zone, &c, &time))
        return false;
    ret_time->tv_sec = time + p->steps[HOURS] * 3600 + p->steps[MINUTES] * 60 + p->steps[SECONDS];
    ret_time->tv_nsec = keeps_time ? p->ns : 0;
    return true;
}

/* "@1700000000.5" */
static bool stamp(struct parser *p, struct timespec *ret_time)
{
    p->at++;
    if (!advance(p) || (p->token.kind != NUMBER && p->token.kind != SIGNED && p->token.kind != DECIMAL))
        return false;
    ret_time->tv_sec = p->token.value;
    ret_time->tv_nsec = p->token.ns;
    return advance(p) && p->token.kind == END;
}

/* TZ="…" before all else. */
static bool own_zone(struct parser *p, struct tc_zone *zone)
{
    char name[64];
    size_t n = 0;

    if (!tc_str_starts(p->text, TC_STR("TZ=\"")))
        return true;
    for (p->at = 4; p->at < p->text.n && peek(p) != '"'; p->at++)
        if (n + 1 < sizeof(name))
            name[n++] = peek(p);
    if (peek(p) != '"')
        return false;
    p->at++;
    name[n] = '\0';
    tc_zone_init(zone, name);
    p->zone = zone;
    while (is_space(peek(p)))
        p->at++;
    return true;
}

bool tc_date_parse(struct tc_str text, struct timespec now, const struct tc_zone *zone, struct timespec *ret_time)
{
    struct parser p = {.text = tc_str_trim(text), .zone = zone};
    struct tc_zone own;
    struct tc_civil c;

    if (!own_zone(&p, &own))
        return false;
    if (peek(&p) == '@')
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
    if (!advance(&p))
        return false;
    while (p.token.kind != END)
        if (!item(&p))
            return false;
    return p.dates <= 1 && p.times <= 1 && p.days <= 1 && p.zones <= 1 && finish(&p, ret_time);
}
