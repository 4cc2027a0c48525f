/*
 * touch: times of files, which are made when they do not exist.
 */
#include <errno.h>
#include <fcntl.h>

#include "shell/cmds/date_parse.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { TIME = 256 };

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "only the time of access"},
    {'c', "c,no-create", TC_CMD_NONE, NULL, "make no files"},
    {'d', "d,date", TC_CMD_VALUE, "STRING", "that time instead of now"},
    {'f', "f", TC_CMD_NONE, NULL, "(ignored)"},
    {'h', "h,no-dereference", TC_CMD_NONE, NULL, "links themselves"},
    {'m', "m", TC_CMD_NONE, NULL, "only the time of modification"},
    {'r', "r,reference", TC_CMD_VALUE, "FILE", "the times of FILE instead of now"},
    {'t', "t", TC_CMD_VALUE, "STAMP", "[[CC]YY]MMDDhhmm[.ss] instead of now"},
    {TIME, "time", TC_CMD_VALUE, "WORD", "access, atime, use (-a), modify, mtime (-m)"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct touch {
    struct tc_cmd_call *c;
    bool access, modify, no_create, link, given;
    struct timespec times[2];
    struct tc_zone zone;
};

static int two_digits(const char *p)
{
    return (p[0] - '0') * 10 + p[1] - '0';
}

/* [[CC]YY]MMDDhhmm[.ss] */
static bool parse_stamp(struct touch *touch, const char *text)
{
    size_t n = strspn(text, "0123456789");
    struct tc_civil civil, now;
    int64_t when;

    if ((n != 8 && n != 10 && n != 12) ||
        (text[n] && (text[n] != '.' || strspn(text + n + 1, "0123456789") != 2 || text[n + 3])))
        return false;
    tc_zone_civil(&touch->zone, tc_cmd_now(touch->c).tv_sec, &now);
    civil = (struct tc_civil){.year = now.year, .second = text[n] ? two_digits(text + n + 1) : 0};
    if (n == 12)
        civil.year = two_digits(text) * 100 + two_digits(text + 2);
    else if (n == 10)
        civil.year = two_digits(text) + (two_digits(text) < 69 ? 2000 : 1900);
    text += n - 8;
    civil.month = two_digits(text);
    civil.day = two_digits(text + 2);
    civil.hour = two_digits(text + 4);
    civil.minute = two_digits(text + 6);
    if (civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > 31 || civil.hour > 23 ||
        civil.minute > 59 || civil.second > 60 || !tc_zone_time(&touch->zone, &civil, &when))
        return false;
    touch->times[0] = touch->times[1] = (struct timespec){.tv_sec = when};
    return true;
}

static bool take_reference(struct touch *touch, const char *path)
{
    struct stat stat;
    int error = touch->link ? tc_cmd_lstat(touch->c, path, &stat) : tc_cmd_stat(touch->c, path, &stat);

    if (error) {
        tc_cmd_fail(touch->c, "failed to get attributes of %s: %s", tc_cmd_quote_name(touch->c, path), strerror(error));
        return false;
    }
    touch->times[0] = stat.st_atim;
    touch->times[1] = stat.st_mtim;
    return true;
}

static int touch_file(struct touch *touch, const char *path)
{
    struct tc_cmd_call *c = touch->c;
    struct timespec times[2] = {touch->times[0], touch->times[1]};
    struct tc_cmd_out *out;
    struct stat stat;
    int error;

    if (!touch->access)
        times[0].tv_nsec = UTIME_OMIT;
    if (!touch->modify)
        times[1].tv_nsec = UTIME_OMIT;
    if (strcmp(path, "-") == 0)
        path = "/dev/stdout";
    error = touch->link ? tc_cmd_lstat(c, path, &stat) : tc_cmd_stat(c, path, &stat);
    if (error == ENOENT && touch->no_create)
        return 0;
    if (error == ENOENT && !touch->link) {
        error = tc_cmd_create(c, path, O_WRONLY | O_CREAT, 0666, &out);
        if (error)
            return tc_cmd_fail(c, "cannot touch %s: %s", tc_cmd_quote_name(c, path), strerror(error));
        tc_cmd_out_close(c, out);
        if (!touch->given && touch->access && touch->modify)
            return 0;
    }
    if (error == 0)
        error = tc_cmd_utimes(c, path, times, !touch->link);
    if (error)
        return tc_cmd_fail(c, error == ENOENT ? "setting times of %s: %s" : "cannot touch %s: %s",
                           tc_cmd_quote_name(c, path), strerror(error));
    return 0;
}

struct sources { /* of the times */
    const char *date, *stamp, *reference;
};

static bool take_option(struct touch *touch, struct sources *sources, int option)
{
    static const char *const words[] = {"atime,access,use", "mtime,modify", NULL};
    int word;

    switch (option) {
    case 'd': sources->date = touch->c->value; return true;
    case 't': sources->stamp = touch->c->value; return true;
    case 'r': sources->reference = touch->c->value; return true;
    case TIME:
        word = tc_cmd_choose(touch->c, "--time", touch->c->value, words);
        touch->access |= word == 0;
        touch->modify |= word == 1;
        return word >= 0;
    default:
        touch->access |= option == 'a';
        touch->modify |= option == 'm';
        touch->no_create |= option == 'c';
        touch->link |= option == 'h';
        return true;
    }
}

/* The times to set. The status on failure; 0. */
static int choose_times(struct touch *touch, const struct sources *sources)
{
    struct tc_cmd_call *c = touch->c;
    struct timespec base = tc_cmd_now(c);

    touch->times[0] = touch->times[1] = (struct timespec){.tv_nsec = UTIME_NOW};
    touch->given = sources->date || sources->stamp || sources->reference;
    if ((sources->stamp != NULL) + (sources->date || sources->reference) > 1) {
        tc_cmd_fail_usage(c, "cannot specify times from more than one source");
        return 1;
    }
    if (sources->reference && !take_reference(touch, sources->reference))
        return 1;
    if (sources->date) {
        for (int i = 0; i < 2; i++)
            if (!tc_date_parse(tc_str_of(sources->date), sources->reference ? touch->times[i] : base, &touch->zone,
                               &touch->times[i]))
                return tc_cmd_fail(c, "invalid date format %s", tc_cmd_quote(c, sources->date));
    }
    if (sources->stamp && !parse_stamp(touch, sources->stamp))
        return tc_cmd_fail(c, "invalid date format %s", tc_cmd_quote(c, sources->stamp));
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct touch touch = {.c = c};
    struct sources sources = {0};
    int option, status;

    tc_zone_init(&touch.zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD || !take_option(&touch, &sources, option))
            return 2;
    }
    if (!touch.access && !touch.modify)
        touch.access = touch.modify = true;
    status = choose_times(&touch, &sources);
    if (status)
        return status;
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing file operand");
        return 1;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= touch_file(&touch, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_touch = {
    .name = "touch",
    .usage = "[OPTION]... FILE...",
    .summary = "Set the times of each FILE to now. A FILE that does not exist is made, empty.",
    .options = options,
    .run = run,
};
