/*
 * The tokens of a date: numbers with and without sign, names of months, days, units
 * and zones, single characters.
 */
#include "shell/date/parser.h"

struct word {
    const char *name;
    enum date_kind kind;
    int value, factor;
};

static const struct word words[] = {
    {"AM", DATE_MERIDIAN, 1, 0}, {"A.M.", DATE_MERIDIAN, 1, 0}, {"PM", DATE_MERIDIAN, 2, 0},
    {"P.M.", DATE_MERIDIAN, 2, 0}, {"SEPT", DATE_MONTH, 9, 0}, {"TUES", DATE_DAY, 2, 0}, {"WEDNES", DATE_DAY, 3, 0},
    {"THUR", DATE_DAY, 4, 0}, {"THURS", DATE_DAY, 4, 0}, {"DST", DATE_DST, 0, 0}, {"YEAR", DATE_UNIT, DATE_YEARS, 1},
    {"MONTH", DATE_UNIT, DATE_MONTHS, 1}, {"FORTNIGHT", DATE_UNIT, DATE_DAYS, 14}, {"WEEK", DATE_UNIT, DATE_DAYS, 7},
    {"DAY", DATE_UNIT, DATE_DAYS, 1}, {"HOUR", DATE_UNIT, DATE_HOURS, 1}, {"MINUTE", DATE_UNIT, DATE_MINUTES, 1},
    {"MIN", DATE_UNIT, DATE_MINUTES, 1}, {"SECOND", DATE_UNIT, DATE_SECONDS, 1}, {"SEC", DATE_UNIT, DATE_SECONDS, 1},
    {"TOMORROW", DATE_RELATIVE, 1, 0}, {"YESTERDAY", DATE_RELATIVE, -1, 0}, {"TODAY", DATE_RELATIVE, 0, 0},
    {"NOW", DATE_RELATIVE, 0, 0}, {"LAST", DATE_ORDINAL, -1, 0}, {"THIS", DATE_ORDINAL, 0, 0},
    {"NEXT", DATE_ORDINAL, 1, 0}, {"FIRST", DATE_ORDINAL, 1, 0}, {"THIRD", DATE_ORDINAL, 3, 0},
    {"FOURTH", DATE_ORDINAL, 4, 0}, {"FIFTH", DATE_ORDINAL, 5, 0}, {"SIXTH", DATE_ORDINAL, 6, 0},
    {"SEVENTH", DATE_ORDINAL, 7, 0}, {"EIGHTH", DATE_ORDINAL, 8, 0}, {"NINTH", DATE_ORDINAL, 9, 0},
    {"TENTH", DATE_ORDINAL, 10, 0}, {"ELEVENTH", DATE_ORDINAL, 11, 0}, {"TWELFTH", DATE_ORDINAL, 12, 0},
    {"AGO", DATE_AGO, -1, 0}, {"HENCE", DATE_AGO, 1, 0},
};

/* Zones by name, in minutes east of UTC; an hour more for the DAYLIGHT ones. */
static const struct word zones[] = {
    {"GMT", DATE_ZONE, 0, 0}, {"UT", DATE_ZONE, 0, 0}, {"UTC", DATE_ZONE, 0, 0}, {"WET", DATE_ZONE, 0, 0},
    {"WEST", DATE_DAYLIGHT, 0, 0}, {"BST", DATE_DAYLIGHT, 0, 0}, {"ART", DATE_ZONE, -180, 0},
    {"BRT", DATE_ZONE, -180, 0}, {"BRST", DATE_DAYLIGHT, -180, 0}, {"NST", DATE_ZONE, -210, 0},
    {"NDT", DATE_DAYLIGHT, -210, 0}, {"AST", DATE_ZONE, -240, 0}, {"ADT", DATE_DAYLIGHT, -240, 0},
    {"CLT", DATE_ZONE, -240, 0}, {"CLST", DATE_DAYLIGHT, -240, 0}, {"EST", DATE_ZONE, -300, 0},
    {"EDT", DATE_DAYLIGHT, -300, 0}, {"CST", DATE_ZONE, -360, 0}, {"CDT", DATE_DAYLIGHT, -360, 0},
    {"MST", DATE_ZONE, -420, 0}, {"MDT", DATE_DAYLIGHT, -420, 0}, {"PST", DATE_ZONE, -480, 0},
    {"PDT", DATE_DAYLIGHT, -480, 0}, {"AKST", DATE_ZONE, -540, 0}, {"AKDT", DATE_DAYLIGHT, -540, 0},
    {"HST", DATE_ZONE, -600, 0}, {"HAST", DATE_ZONE, -600, 0}, {"HADT", DATE_DAYLIGHT, -600, 0},
    {"SST", DATE_ZONE, -720, 0}, {"WAT", DATE_ZONE, 60, 0}, {"CET", DATE_ZONE, 60, 0}, {"CEST", DATE_DAYLIGHT, 60, 0},
    {"MET", DATE_ZONE, 60, 0}, {"MEZ", DATE_ZONE, 60, 0}, {"MEST", DATE_DAYLIGHT, 60, 0},
    {"MESZ", DATE_DAYLIGHT, 60, 0}, {"EET", DATE_ZONE, 120, 0}, {"EEST", DATE_DAYLIGHT, 120, 0},
    {"CAT", DATE_ZONE, 120, 0}, {"SAST", DATE_ZONE, 120, 0}, {"EAT", DATE_ZONE, 180, 0}, {"MSK", DATE_ZONE, 180, 0},
    {"MSD", DATE_DAYLIGHT, 180, 0}, {"IST", DATE_ZONE, 330, 0}, {"SGT", DATE_ZONE, 480, 0},
    {"KST", DATE_ZONE, 540, 0}, {"JST", DATE_ZONE, 540, 0}, {"GST", DATE_ZONE, 600, 0}, {"NZST", DATE_ZONE, 720, 0},
    {"NZDT", DATE_DAYLIGHT, 720, 0},
};

bool tc_date_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool tc_date_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char tc_date_peek(const struct date_parser *p)
{
    return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static char peek_upper(const struct date_parser *p)
{
    char c = tc_date_peek(p);

    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static void lex_number(struct date_parser *p, int sign)
{
    struct date_token *t = &p->token;
    int64_t scale = 100000000;

    t->kind = sign ? DATE_SIGNED : DATE_NUMBER;
    for (; tc_date_is_digit(tc_date_peek(p)); p->at++, t->digits++)
        t->value = t->value < INT64_MAX / 20 ? t->value * 10 + (tc_date_peek(p) - '0') : INT64_MAX / 20;
    if ((tc_date_peek(p) == '.' || tc_date_peek(p) == ',') && p->at + 1 < p->text.n &&
        tc_date_is_digit(p->text.p[p->at + 1])) {
        t->kind = DATE_DECIMAL;
        for (p->at++; tc_date_is_digit(tc_date_peek(p)); p->at++, scale /= 10)
            t->ns += (tc_date_peek(p) - '0') * scale;
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

static bool find_word(const struct word *table, size_t rows, const char *word, struct date_token *t)
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

static bool find_zone(const struct date_parser *p, const char *word, struct date_token *t)
{
    for (int dst = 0; dst <= p->zone->has_dst; dst++)
        if (same(p->zone->name[dst], word)) {
            t->kind = DATE_ZONE;
            t->value = p->zone->offset[dst] / 60;
            return true;
        }
    if (!find_word(zones, sizeof(zones) / sizeof(zones[0]), word, t))
        return false;
    if (t->kind == DATE_DAYLIGHT)
        t->value += 60;
    t->kind = DATE_ZONE;
    return true;
}

/* A single letter: T stands between date and time, the others are zones of the military, east from A. */
static bool find_letter(char c, struct date_token *t)
{
    static const char east[] = "ABCDEFGHIKLM", west[] = "NOPQRSTUVWXY";
    const char *at;

    t->kind = DATE_ZONE;
    if (c == 'Z')
        t->value = 0;
    else if (c == 'T')
        t->kind = DATE_T;
    else if ((at = strchr(east, c)))
        t->value = 60 * (at - east + 1);
    else if ((at = strchr(west, c)))
        t->value = -60 * (at - west + 1);
    else
        return false;
    return true;
}

static bool find_calendar(const char *word, size_t n, struct date_token *t)
{
    for (int i = 0; i < 12; i++)
        if (is_name(word, n, tc_zone_month_name(i))) {
            t->kind = DATE_MONTH;
            t->value = i + 1;
            return true;
        }
    for (int i = 0; i < 7; i++)
        if (is_name(word, n, tc_zone_weekday_name(i))) {
            t->kind = DATE_DAY;
            t->value = i;
            return true;
        }
    return false;
}

static bool lex_word(struct date_parser *p)
{
    struct date_token *t = &p->token;
    char word[24];
    size_t n = 0, rows = sizeof(words) / sizeof(words[0]);

    for (; is_letter(tc_date_peek(p)) || tc_date_peek(p) == '.'; p->at++)
        if (n + 1 < sizeof(word))
            word[n++] = peek_upper(p);
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
        if (find_word(words, rows, word, t) && t->kind == DATE_UNIT)
            return true;
    }
    return false;
}

static void skip_comment(struct date_parser *p)
{
    int depth = 0;

    do {
        depth += (tc_date_peek(p) == '(') - (tc_date_peek(p) == ')');
        p->at++;
    } while (depth && p->at < p->text.n);
}

bool tc_date_advance(struct date_parser *p)
{
    int sign = 0;

    for (;;) {
        p->token = (struct date_token){0};
        while (tc_date_is_space(tc_date_peek(p)))
            p->at++;
        if (p->at >= p->text.n)
            return true;
        if (tc_date_is_digit(tc_date_peek(p))) {
            lex_number(p, 0);
            return true;
        }
        if (tc_date_peek(p) == '-' || tc_date_peek(p) == '+') {
            sign = tc_date_peek(p) == '-' ? -1 : 1;
            for (p->at++; tc_date_is_space(tc_date_peek(p)); p->at++)
                ;
            if (!tc_date_is_digit(tc_date_peek(p)))
                continue;
            lex_number(p, sign);
            return true;
        }
        if (is_letter(tc_date_peek(p)))
            return lex_word(p);
        if (tc_date_peek(p) != '(') {
            p->token.kind = DATE_CHAR;
            p->token.value = p->text.p[p->at++];
            return true;
        }
        skip_comment(p);
    }
}
