/*
 * The command cal: months as tables, as util-linux writes them.
 */
#include <stdio.h>

#include "base/zone.h"
#include "toolcrib/shellfs.h"

enum { OPT_MONTHS = 256, WEEK_WIDTH = 20, WEEKS = 6, ACROSS = 3, YEAR_FIRST = 1753 };

struct cal {
    struct tc_cmd_call *c;
    bool monday, year;
    int months; /* how many; with 3 the first is the one before */
};

static int days_in(int64_t year, int month)
{
    int64_t next = month == 12 ? tc_zone_days(year + 1, 1, 1) : tc_zone_days(year, month + 1, 1);

    return (int)(next - tc_zone_days(year, month, 1));
}

/* The column of the month's first day. */
static int first_column(const struct cal *cal, int64_t year, int month)
{
    int64_t days = tc_zone_days(year, month, 1) + 4; /* from a Sunday */
    int weekday = (int)(days % 7 + 7) % 7;

    return cal->monday ? (weekday + 6) % 7 : weekday;
}

static void put_centered(struct cal *cal, struct tc_str text, size_t width)
{
    size_t left = text.n < width ? (width - text.n) / 2 : 0;

    tc_cmd_printf(cal->c->out, "%*s%.*s%*s", (int)left, "", TC_STR_ARG(text),
                  (int)(text.n + left < width ? width - text.n - left : 0), "");
}

static void put_title(struct cal *cal, int64_t year, int month)
{
    struct tc_str text = cal->year ? tc_str_of(tc_zone_month_name(month - 1))
                                   : tc_arena_printf(cal->c->arena, "%s %lld", tc_zone_month_name(month - 1),
                                                     (long long)year);

    put_centered(cal, text, WEEK_WIDTH);
}

static void put_week(struct cal *cal, int64_t year, int month, int week)
{
    int column = first_column(cal, year, month), last = days_in(year, month);

    for (int i = 0; i < 7; i++) {
        int day = week * 7 + i - column + 1;

        if (i)
            tc_cmd_putc(cal->c->out, ' ');
        if (day < 1 || day > last)
            tc_cmd_puts(cal->c->out, "  ");
        else
            tc_cmd_printf(cal->c->out, "%2d", day);
    }
}

static void step(int64_t *year, int *month, int by)
{
    int64_t months = *year * 12 + *month - 1 + by;

    *year = months / 12;
    *month = (int)(months % 12) + 1;
}

/* n months side by side. */
static void put_row(struct cal *cal, int64_t year, int month, int n)
{
    const char *names = cal->monday ? "Mo Tu We Th Fr Sa Su" : "Su Mo Tu We Th Fr Sa";
    const char *gap = cal->year ? "   " : "  ";

    for (int line = -2; line < WEEKS; line++) {
        int64_t y = year;
        int m = month;

        for (int i = 0; i < n; i++, step(&y, &m, 1)) {
            if (i)
                tc_cmd_puts(cal->c->out, gap);
            if (line == -2)
                put_title(cal, y, m);
            else if (line == -1)
                tc_cmd_puts(cal->c->out, names);
            else
                put_week(cal, y, m, line);
        }
        tc_cmd_putc(cal->c->out, '\n');
    }
}

static void put_year(struct cal *cal, int64_t year)
{
    put_centered(cal, tc_arena_printf(cal->c->arena, "%lld", (long long)year), ACROSS * (WEEK_WIDTH + 3) - 3);
    tc_cmd_puts(cal->c->out, "\n\n");
    for (int month = 1; month <= 12; month += ACROSS)
        put_row(cal, year, month, ACROSS);
}

/* [[MONTH] YEAR], a month as a number or a name. 0, or the status after a fault. */
static int read_operands(struct cal *cal, int64_t *year, int *month)
{
    struct tc_cmd_call *c = cal->c;
    const char *text = c->at < c->argc ? c->argv[c->argc - 1] : NULL, *name = c->argv[c->at];
    int64_t n;

    if (c->argc - c->at > 2)
        return tc_cmd_fail_usage(c, "bad usage");
    if (!text)
        return 0;
    if (!tc_cmd_number(text, false, &n) || n < 1 || n > 9999)
        return tc_cmd_fail(c, "illegal year value: use 1-9999");
    if (n < YEAR_FIRST) /* the calendar was another one */
        return tc_cmd_fail(c, "years before %d are not known here", YEAR_FIRST) + 1;
    *year = n;
    if (c->argc - c->at == 1) {
        cal->year = true;
        return 0;
    }
    if (tc_cmd_number(name, false, &n) && n >= 1 && n <= 12) {
        *month = (int)n;
        return 0;
    }
    for (int i = 0; i < 12; i++) {
        struct tc_str full = tc_str_of(tc_zone_month_name(i)), given = tc_str_of(name);

        if (given.n >= 3 && given.n <= full.n && tc_str_eq_nocase(given, tc_str_n(full.p, given.n))) {
            *month = i + 1;
            return 0;
        }
    }
    return tc_cmd_fail(c, "illegal month value: use 1-12");
}

static int run(struct tc_cmd_call *c)
{
    struct cal cal = {.c = c, .months = 1};
    struct tc_zone zone;
    struct tc_civil now;
    int64_t year;
    int id, month, status;

    while ((id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (id == TC_CMD_OPTION_BAD)
            return 2;
        cal.monday = id == 'm' || (cal.monday && id != 's');
        cal.year |= id == 'y';
        if (id == '1' || id == '3')
            cal.months = id - '0';
    }
    tc_zone_init(&zone, tc_cmd_getenv(c, "TZ"));
    tc_zone_civil(&zone, tc_cmd_now(c).tv_sec, &now);
    year = now.year;
    month = now.month;
    status = read_operands(&cal, &year, &month);
    if (status)
        return status;
    if (cal.year) {
        put_year(&cal, year);
        return 0;
    }
    if (cal.months == ACROSS)
        step(&year, &month, -1);
    put_row(&cal, year, month, cal.months);
    return 0;
}

static const struct tc_cmd_option options[] = {
    {'1', "1,one", TC_CMD_NONE, NULL, "one month"},
    {'3', "3,three", TC_CMD_NONE, NULL, "the months before and behind too"},
    {'s', "s,sunday", TC_CMD_NONE, NULL, "weeks begin on Sunday"},
    {'m', "m,monday", TC_CMD_NONE, NULL, "weeks begin on Monday"},
    {'y', "y,year", TC_CMD_NONE, NULL, "the whole year"},
    {0},
};

const struct tc_cmd tc_command_cal = {
    .name = "cal",
    .usage = "[OPTION]... [[MONTH] YEAR]",
    .summary = "Write a calendar.",
    .options = options,
    .run = run,
};
