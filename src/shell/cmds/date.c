/*
 * The command date: the time, or another one, in words. The clock cannot be set.
 */
#include "shell/date/date.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { OPT_RFC_3339 = 256, OPT_RESOLUTION, TEXT_MAX = 1 << 20 };

struct date {
    struct tc_cmd_call *c;
    struct tc_zone zone;
    const char *text, *file, *reference, *format;
    bool utc, resolution;
};

static int put(struct date *d, struct timespec when)
{
    struct tc_civil civil;
    struct tc_buf text;

    tc_zone_civil(&d->zone, when.tv_sec, &civil);
    tc_buf_init(&text, TEXT_MAX);
    tc_zone_format(&text, tc_str_of(d->format), &civil, when.tv_sec, when.tv_nsec);
    tc_cmd_write(d->c->out, text.p ? text.p : "", text.n);
    tc_cmd_putc(d->c->out, '\n');
    tc_buf_finish(&text);
    return 0;
}

static int put_text(struct date *d, struct tc_str text)
{
    struct timespec when;

    if (tc_date_parse(text, tc_cmd_now(d->c), &d->zone, &when))
        return put(d, when);
    tc_cmd_flush(d->c->out);
    return tc_cmd_fail(d->c, "invalid date ‘%.*s’", TC_STR_ARG(text));
}

static int put_lines(struct date *d)
{
    struct tc_cmd_in *in;
    struct tc_str line;
    int error = tc_cmd_open(d->c, d->file, &in), status = 0;

    if (error)
        return tc_cmd_fail_errno(d->c, d->file, error);
    while (tc_cmd_line(d->c, in, '\n', &line, NULL) == 1 && tc_cmd_tick(d->c, 1))
        status |= put_text(d, line);
    return status;
}

static int put_reference(struct date *d)
{
    struct stat st;
    int error = tc_cmd_stat(d->c, d->reference, &st);

    return error ? tc_cmd_fail_errno(d->c, d->reference, error) : put(d, st.st_mtim);
}

/* How fine -I and --rfc-3339 are: the format, or NULL when there is no such word, which is told. */
static const char *precision(struct date *d, bool rfc)
{
    static const char *const iso_words[] = {"hours", "minutes", "date", "seconds", "ns", NULL};
    static const char *const rfc_words[] = {"date", "seconds", "ns", NULL};
    static const char *const iso[] = {"%Y-%m-%dT%H%:z", "%Y-%m-%dT%H:%M%:z", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S%:z",
                                      "%Y-%m-%dT%H:%M:%S,%N%:z"};
    static const char *const rfc_3339[] = {"%Y-%m-%d", "%Y-%m-%d %H:%M:%S%:z", "%Y-%m-%d %H:%M:%S.%N%:z"};
    const char *word = d->c->value ? d->c->value : "date";
    int found = tc_cmd_choose(d->c, rfc ? "--rfc-3339" : "--iso-8601", word, rfc ? rfc_words : iso_words);

    return found < 0 ? NULL : rfc ? rfc_3339[found] : iso[found];
}

static int option(struct date *d, int id)
{
    const char *format = NULL;

    switch (id) {
    case 'd':
        d->text = d->c->value;
        return 0;
    case 'f':
        d->file = d->c->value;
        return 0;
    case 'r':
        d->reference = d->c->value;
        return 0;
    case 'u':
        d->utc = true;
        return 0;
    case OPT_RESOLUTION:
        d->resolution = true;
        return 0;
    case 'R':
        format = "%a, %d %b %Y %H:%M:%S %z";
        break;
    default:
        format = precision(d, id == OPT_RFC_3339);
        if (!format)
            return 1;
    }
    if (d->format)
        return tc_cmd_fail(d->c, "multiple output formats specified");
    d->format = format;
    return 0;
}

static int operands(struct date *d)
{
    struct tc_cmd_call *c = d->c;
    const char *operand = c->at < c->argc ? c->argv[c->at] : NULL;

    if (!operand)
        return 0;
    if (c->at + 1 < c->argc) {
        tc_cmd_fail_usage(c, "extra operand ‘%s’", c->argv[c->at + 1]);
        return 1;
    }
    if (operand[0] != '+')
        return tc_cmd_fail_usage(c, "the argument ‘%s’ lacks a leading '+'; the clock cannot be set here", operand);
    if (d->format)
        return tc_cmd_fail(c, "multiple output formats specified");
    d->format = operand + 1;
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct date d = {.c = c};
    int id, status = 0;

    while (!status && (id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        status = id == TC_CMD_OPTION_BAD ? 2 : option(&d, id);
    if (!status)
        status = operands(&d);
    if (status)
        return status;
    if (!!d.text + !!d.file + !!d.reference + d.resolution > 1) {
        tc_cmd_fail_usage(c, "the options to specify dates for printing are mutually exclusive");
        return 1;
    }
    tc_zone_init(&d.zone, d.utc ? NULL : tc_cmd_getenv(c, "TZ"));
    if (!d.format)
        d.format = d.resolution ? "%s.%N" : "%a %b %e %H:%M:%S %Z %Y";
    if (d.resolution)
        return put(&d, (struct timespec){.tv_nsec = 1});
    if (d.file)
        return put_lines(&d);
    if (d.reference)
        return put_reference(&d);
    return d.text ? put_text(&d, tc_str_of(d.text)) : put(&d, tc_cmd_now(c));
}

static const struct tc_cmd_option options[] = {
    {'d', "d,date", TC_CMD_VALUE, "TEXT", "the time that TEXT says instead of now"},
    {'f', "f,file", TC_CMD_VALUE, "FILE", "as -d, once for each line of FILE"},
    {'I', "I,iso-8601", TC_CMD_MAYBE, "FMT", "as ISO 8601; FMT is date, hours, minutes, seconds or ns"},
    {OPT_RESOLUTION, "resolution", TC_CMD_NONE, NULL, "how fine the clock is"},
    {'R', "R,rfc-email", TC_CMD_NONE, NULL, "as in e-mail: Mon, 14 Aug 2006 02:34:56 -0600"},
    {OPT_RFC_3339, "rfc-3339", TC_CMD_VALUE, "FMT", "as RFC 3339; FMT is date, seconds or ns"},
    {'r', "r,reference", TC_CMD_VALUE, "FILE", "when FILE was changed last"},
    {'u', "u,utc,universal", TC_CMD_NONE, NULL, "in UTC"},
    {0},
};

const struct tc_cmd tc_command_date = {
    .name = "date",
    .usage = "[OPTION]... [+FORMAT]",
    .summary = "Write the date and the time.",
    .options = options,
    .run = run,
};
