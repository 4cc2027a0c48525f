/*
 * touch: times of files, which are made when they are not there.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "shell/date/date.h"
#include "toolcrib/shellfs.h"

enum { ID_TIME = 256 };

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "only the time of access"},
    {'m', "m", TC_CMD_NONE, NULL, "only the time of modification"},
    {'c', "c,no-create", TC_CMD_NONE, NULL, "make no files"},
    {'d', "d,date", TC_CMD_VALUE, "DATE", "the time in words, instead of now"},
    {'t', "t", TC_CMD_VALUE, "[[CC]YY]MMDDhhmm[.ss]", "the time in digits"},
    {'r', "r,reference", TC_CMD_VALUE, "FILE", "the times of FILE"},
    {'h', "h,no-dereference", TC_CMD_NONE, NULL, "of a link itself"},
    {'f', "f", TC_CMD_NONE, NULL, "(ignored)"},
    {ID_TIME, "time", TC_CMD_VALUE, "WORD", "access, atime, use: as -a; modify, mtime: as -m"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct wanted {
    struct timespec times[2];
    bool access, modify, create, follow;
    bool digits; /* `times` are of -t */
    const char *date;
    const char *reference;
};

/* Whether a time was given. */
static bool was_told(const struct wanted *w)
{
    return w->digits || w->reference || w->date;
}

static bool read_word(struct wanted *w, const char *word)
{
    static const char *const accesses[] = {"access", "atime", "use"}, *const changes[] = {"modify", "mtime"};

    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        if (strcmp(word, accesses[i]) == 0)
            return w->access = true;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (strcmp(word, changes[i]) == 0)
            return w->modify = true;
    return false;
}

/* Two digits as a number; -1 when they are none. */
static int pair(const char *p)
{
    return p[0] >= '0' && p[0] <= '9' && p[1] >= '0' && p[1] <= '9' ? (p[0] - '0') * 10 + p[1] - '0' : -1;
}

static bool read_digits(struct tc_cmd_call *c, const struct tc_zone *zone, const char *text, struct timespec *ret_time)
{
    size_t n = strcspn(text, ".");
    int parts[7], count = (int)n / 2, century = -1;
    struct tc_civil civil = {0}, now;
    int64_t seconds;

    if (n % 2 || count < 4 || count > 6 || (text[n] && strlen(text + n) != 3))
        return false;
    for (int i = 0; i < count; i++)
        if ((parts[i] = pair(text + 2 * i)) < 0)
            return false;
    civil.second = text[n] ? pair(text + n + 1) : 0;
    tc_zone_civil(zone, tc_cmd_now(c).tv_sec, &now);
    civil.year = now.year;
    if (count == 6)
        century = parts[0];
    if (count >= 5) {
        int year = parts[count - 5];
        civil.year = (century >= 0 ? century * 100 : year < 69 ? 2000 : 1900) + year;
    }
    civil.month = parts[count - 4];
    civil.day = parts[count - 3];
    civil.hour = parts[count - 2];
    civil.minute = parts[count - 1];
    if (civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > 31 || civil.hour > 23 ||
        civil.minute > 59 || civil.second < 0 || civil.second > 60)
        return false;
    if (!tc_zone_time(zone, &civil, &seconds))
        return false;
    *ret_time = (struct timespec){.tv_sec = (time_t)seconds};
    return true;
}

static int read_times(struct tc_cmd_call *c, struct wanted *w)
{
    struct timespec base = tc_cmd_now(c);
    struct tc_zone zone;
    struct stat stat;
    int error;

    if (w->digits && (w->reference || w->date)) {
        tc_cmd_fail_usage(c, "cannot specify times from more than one source");
        return 1;
    }
    tc_zone_init(&zone, tc_cmd_getenv(c, "TZ"));
    if (w->reference) {
        error = w->follow ? tc_cmd_stat(c, w->reference, &stat) : tc_cmd_lstat(c, w->reference, &stat);
        if (error)
            return tc_cmd_fail(c, "failed to get attributes of '%s': %s", w->reference, strerror(error));
        w->times[0] = stat.st_atim;
        w->times[1] = stat.st_mtim;
        base = stat.st_mtim;
    }
    if (w->date) {
        if (!tc_date_parse(tc_str_of(w->date), base, &zone, &w->times[0]))
            return tc_cmd_fail(c, "invalid date format ‘%s’", w->date);
        w->times[1] = w->times[0];
    }
    if (!was_told(w))
        w->times[0].tv_nsec = w->times[1].tv_nsec = UTIME_NOW;
    if (w->access && !w->modify)
        w->times[1].tv_nsec = UTIME_OMIT;
    if (w->modify && !w->access)
        w->times[0].tv_nsec = UTIME_OMIT;
    return 0;
}

static int read_options(struct tc_cmd_call *c, struct wanted *w)
{
    struct tc_zone zone;
    int option;

    tc_zone_init(&zone, tc_cmd_getenv(c, "TZ"));
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD:
            return 2;
        case 'a':
            w->access = true;
            break;
        case 'm':
            w->modify = true;
            break;
        case 'c':
            w->create = false;
            break;
        case 'd':
            w->date = c->value;
            break;
        case 't':
            if (!read_digits(c, &zone, c->value, &w->times[0]))
                return tc_cmd_fail(c, "invalid date format ‘%s’", c->value);
            w->times[1] = w->times[0];
            w->digits = true;
            break;
        case 'r':
            w->reference = c->value;
            break;
        case 'h':
            w->follow = w->create = false;
            break;
        case ID_TIME:
            if (!read_word(w, c->value))
                return tc_cmd_fail(c, "invalid argument ‘%s’ for ‘--time’", c->value);
            break;
        default:
            break;
        }
    }
    return read_times(c, w);
}

static int touch(struct tc_cmd_call *c, const struct wanted *w, const char *path)
{
    struct tc_cmd_out *out;
    int error = tc_cmd_utimes(c, path, w->times, w->follow);

    if (error == ENOENT && w->create) {
        error = tc_cmd_create(c, path, O_WRONLY | O_CREAT, 0666, &out);
        if (!error)
            error = tc_cmd_out_close(c, out);
        if (!error && (was_told(w) || w->access != w->modify))
            error = tc_cmd_utimes(c, path, w->times, true);
    }
    if (!error || (error == ENOENT && !w->create))
        return 0;
    return tc_cmd_fail(c, "cannot touch '%s': %s", path, strerror(error));
}

static int run(struct tc_cmd_call *c)
{
    struct wanted w = {.create = true, .follow = true};
    int status = read_options(c, &w);

    if (status)
        return status;
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing file operand");
        return 1;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= touch(c, &w, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_touch = {
    .name = "touch",
    .usage = "[OPTION]... FILE...",
    .summary = "Set the times of each FILE to now; make it when it does not exist.",
    .options = options,
    .run = run,
};
