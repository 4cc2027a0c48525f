/*
 * What the parts of the date parser share: tokens (lex.c), the items made of them
 * (item.c), and what they come to (parse.c).
 */
#ifndef TC_SHELL_DATE_PARSER_H
#define TC_SHELL_DATE_PARSER_H

#include "shell/date/date.h"

enum date_kind {
    DATE_END, DATE_NUMBER, DATE_SIGNED, DATE_DECIMAL, DATE_MONTH, DATE_DAY, DATE_UNIT, DATE_ORDINAL, DATE_AGO,
    DATE_MERIDIAN, DATE_ZONE, DATE_DAYLIGHT, DATE_DST, DATE_RELATIVE, DATE_T, DATE_CHAR
};
enum date_unit { DATE_YEARS, DATE_MONTHS, DATE_DAYS, DATE_HOURS, DATE_MINUTES, DATE_SECONDS, DATE_UNITS };

struct date_token {
    enum date_kind kind;
    int64_t value;
    int digits;
    int64_t ns; /* of DATE_DECIMAL */
    int factor; /* of DATE_UNIT: weeks are 7 days */
};

struct date_parser {
    struct tc_str text;
    size_t at;
    struct date_token token;
    const struct tc_zone *zone;
    int64_t year;
    int year_digits, month, day;
    int64_t hour, minute, second, ns;
    int meridian; /* 0 none, 1 am, 2 pm */
    int offset;   /* seconds east, when zones */
    int weekday;
    int64_t weekday_ordinal;
    int64_t steps[DATE_UNITS], step_ns;
    int dates, times, days, zones, relatives;
    int offset_now; /* of the local clock: what is only relative to now keeps it */
};

/* The next token; false when there is something that is none. */
bool tc_date_advance(struct date_parser *p);
/* The next byte, NUL at the end. */
char tc_date_peek(const struct date_parser *p);
bool tc_date_is_space(char c);
bool tc_date_is_digit(char c);
/* The item that begins at the token at hand; false when there is none. */
bool tc_date_item(struct date_parser *p);

#endif
