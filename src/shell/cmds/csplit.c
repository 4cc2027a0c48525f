/*
 * csplit: a file into pieces at lines that are counted or match. The input is held in
 * memory; `taken` lines of it were written or passed over, `searched` is as far as the
 * expressions looked.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regex/regex.h"
#include "toolcrib/shellfs.h"

enum { INPUT_MAX = 256 << 20, FORMAT_MAX = 256, DIGITS_MAX = 200, FOREVER = -1, ID_SUPPRESS = 256 };

static const struct tc_cmd_option options[] = {
    {'b', "b,suffix-format", TC_CMD_VALUE, "FORMAT", "suffixes by printf's FORMAT instead of %02d"},
    {'f', "f,prefix", TC_CMD_VALUE, "PREFIX", "names begin with PREFIX instead of xx"},
    {'k', "k,keep-files", TC_CMD_NONE, NULL, "keep the files after an error"},
    {ID_SUPPRESS, "suppress-matched", TC_CMD_NONE, NULL, "leave out the lines that match"},
    {'n', "n,digits", TC_CMD_VALUE, "DIGITS", "so many digits instead of 2"},
    {'s', "s,quiet,silent", TC_CMD_NONE, NULL, "do not print sizes"},
    {'s', "q", TC_CMD_NONE, NULL, "the same"},
    {'z', "z,elide-empty-files", TC_CMD_NONE, NULL, "no empty files"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct cut {
    const char *text;
    struct tc_regex *regex; /* NULL: at a line's number */
    int64_t line, offset, repeat; /* repeat: times more, or FOREVER */
    bool skip;                    /* %RE%: what is before it is not written */
};

struct csplit {
    struct tc_cmd_call *c;
    const char *prefix, *format;
    int64_t digits;
    bool keep, suppress, quiet, elide;
    struct tc_str *lines; /* with their ends */
    size_t n, taken, searched;
    struct cut *cuts;
    size_t cuts_n;
    struct tc_cmd_out *out;
    char **names; /* of the files made, so that they can be removed */
    size_t names_n, names_cap;
    int64_t written;
};

enum outcome { GO_ON, ALL_DONE, FAILED };

/* --- files --- */

/* One conversion of an integer, for which there is one value. */
static bool check_format(struct csplit *s, const char *format)
{
    int found = 0;

    if (strlen(format) > FORMAT_MAX)
        return tc_cmd_fail(s->c, "suffix format is too long"), false;
    for (const char *at = format; *at; at++) {
        const char *number;

        if (*at != '%' || (at[1] == '%' && at++))
            continue;
        number = at + 1 + strspn(at + 1, "-+ #0'");
        if (strtol(number, (char **)&number, 10) > DIGITS_MAX ||
            (*number == '.' && strtol(number + 1, (char **)&number, 10) > DIGITS_MAX))
            return tc_cmd_fail(s->c, "suffix format is too long"), false;
        if (!*number)
            return tc_cmd_fail(s->c, "missing conversion specifier in suffix"), false;
        if (!strchr("diuoxX", *number))
            return tc_cmd_fail(s->c, "invalid conversion specifier in suffix: %c", *number), false;
        if (++found > 1)
            return tc_cmd_fail(s->c, "too many %% conversion specifications in suffix"), false;
        at = number;
    }
    if (!found)
        return tc_cmd_fail(s->c, "missing %% conversion specification in suffix"), false;
    s->format = format;
    return true;
}

static char *make_name(struct csplit *s)
{
    struct tc_arena *arena = s->c->arena;
    char suffix[2 * FORMAT_MAX + 2 * DIGITS_MAX];

    if (!s->format)
        return (char *)tc_arena_printf(arena, "%s%0*zu", s->prefix, (int)s->digits, s->names_n).p;
    snprintf(suffix, sizeof suffix, s->format, (unsigned)s->names_n);
    return (char *)tc_arena_printf(arena, "%s%s", s->prefix, suffix).p;
}

static bool open_file(struct csplit *s)
{
    char *name = make_name(s);
    int error;

    if (!name)
        return tc_cmd_fail_memory(s->c), false;
    if (s->names_n == s->names_cap) {
        size_t cap = s->names_cap ? 2 * s->names_cap : 64;
        char **names = TC_ARENA_NEW_N(s->c->arena, char *, cap);

        if (!names)
            return tc_cmd_fail_memory(s->c), false;
        if (s->names_n)
            memcpy(names, s->names, s->names_n * sizeof *names);
        s->names = names;
        s->names_cap = cap;
    }
    error = tc_cmd_create(s->c, name, O_WRONLY | O_CREAT | O_TRUNC, 0666, &s->out);
    if (error) {
        s->out = NULL;
        return tc_cmd_fail_errno(s->c, name, error), false;
    }
    s->names[s->names_n++] = name;
    s->written = 0;
    return true;
}

static bool close_file(struct csplit *s)
{
    const char *name = s->names_n ? s->names[s->names_n - 1] : "";
    int error = s->out ? tc_cmd_out_close(s->c, s->out) : 0;

    if (!s->out)
        return true;
    s->out = NULL;
    if (error)
        return tc_cmd_fail_errno(s->c, name, error), false;
    if (s->written == 0 && s->elide) {
        tc_cmd_unlink(s->c, name);
        s->names_n--;
    } else if (!s->quiet) {
        tc_cmd_printf(s->c->out, "%lld\n", (long long)s->written);
    }
    return true;
}

/* The next line goes to the open file, if any; false when there is no line left. */
static bool take_line(struct csplit *s, bool write)
{
    struct tc_str line;

    if (s->taken == s->n || !tc_cmd_tick(s->c, 1))
        return false;
    s->searched = s->searched > s->taken ? s->searched : s->taken + 1;
    line = s->lines[s->taken++];
    if (write && s->out) {
        tc_cmd_write(s->out, line.p, line.n);
        s->written += (int64_t)line.n;
    }
    return true;
}

static void take_rest(struct csplit *s)
{
    while (take_line(s, true))
        continue;
}

/* --- cuts --- */

static enum outcome fault(struct csplit *s, const char *text, const char *why, int64_t repetition)
{
    if (repetition > 0)
        tc_cmd_fail(s->c, "‘%s’: %s on repetition %lld", text, why, (long long)repetition);
    else
        tc_cmd_fail(s->c, "‘%s’: %s", text, why);
    return FAILED;
}

static enum outcome cut_at_line(struct csplit *s, const struct cut *cut, int64_t repetition)
{
    static const char beyond[] = "line number out of range";
    int64_t last = cut->line * (repetition + 1);

    if (!open_file(s))
        return FAILED;
    if (s->suppress && s->searched >= s->n)
        return fault(s, cut->text, beyond, repetition);
    if (s->n == 0) { /* the original stops without tidying up */
        tc_cmd_fail(s->c, "input disappeared");
        s->keep = s->quiet = true;
        return FAILED;
    }
    while ((int64_t)s->taken + 1 < last)
        if (!take_line(s, true))
            return fault(s, cut->text, beyond, repetition);
    if (!close_file(s))
        return FAILED;
    if (s->suppress)
        take_line(s, false);
    else if (s->searched >= s->n)
        return fault(s, cut->text, beyond, repetition);
    return GO_ON;
}

/* The number of the next line that matches, from 1; 0 when there is none. */
static size_t find(struct csplit *s, const struct cut *cut)
{
    while (s->searched < s->n && tc_cmd_tick(s->c, 1)) {
        struct tc_str line = s->lines[s->searched++];

        if (line.n > 0 && line.p[line.n - 1] == '\n')
            line.n--;
        if (tc_regex_search(cut->regex, line, 0, NULL, 0) == TC_REGEX_FOUND)
            return s->searched;
    }
    return 0;
}

static enum outcome cut_at_match(struct csplit *s, const struct cut *cut, int64_t repetition)
{
    int64_t until;
    size_t found;

    if (!cut->skip && !open_file(s))
        return FAILED;
    found = find(s, cut);
    if (!found) {
        enum outcome outcome = ALL_DONE;

        if (cut->repeat != FOREVER)
            outcome = fault(s, cut->text, "match not found", repetition);
        if (!cut->skip)
            take_rest(s);
        return cut->skip || close_file(s) ? outcome : FAILED;
    }
    if (cut->offset >= 0)
        while (s->taken + 1 < found)
            take_line(s, true);
    until = (int64_t)found + cut->offset;
    if ((int64_t)s->taken + 1 > until)
        return fault(s, cut->text, "line number out of range", 0);
    while ((int64_t)s->taken + 1 < until)
        if (!take_line(s, true))
            return fault(s, cut->text, "line number out of range", 0);
    if (!cut->skip && !close_file(s))
        return FAILED;
    if (cut->offset > 0)
        s->searched = (size_t)until;
    if (s->suppress)
        take_line(s, false);
    return GO_ON;
}

static bool cut_all(struct csplit *s)
{
    for (size_t i = 0; i < s->cuts_n; i++) {
        const struct cut *cut = &s->cuts[i];

        for (int64_t j = 0; cut->repeat == FOREVER || j <= cut->repeat; j++) {
            enum outcome outcome = cut->regex ? cut_at_match(s, cut, j) : cut_at_line(s, cut, j);
            if (outcome != GO_ON || tc_cmd_stopped(s->c))
                return outcome == ALL_DONE;
        }
    }
    if (!open_file(s))
        return false;
    take_rest(s);
    return close_file(s);
}

static int split(struct csplit *s)
{
    if (cut_all(s))
        return 0;
    close_file(s);
    for (size_t i = 0; i < s->names_n && !s->keep; i++)
        tc_cmd_unlink(s->c, s->names[i]);
    return 1;
}

/* --- operands --- */

static void destroy_regex(void *regex)
{
    tc_regex_destroy(regex);
}

/* /RE/OFFSET or %RE%OFFSET */
static bool parse_match(struct csplit *s, struct cut *cut, const char *text)
{
    struct tc_cmd_call *c = s->c;
    const char *end = strrchr(text + 1, *text);
    const char *offset = end ? end + 1 : "";

    if (!end)
        return tc_cmd_fail(c, "%s: closing delimiter '%c' missing", text, *text), false;
    if (tc_regex_compile(c->cx, tc_str_n(text + 1, (size_t)(end - text) - 1), TC_REGEX_BASIC, 0, &cut->regex)) {
        tc_cmd_fail(c, "‘%s’: invalid regular expression: %.*s", text, TC_STR_ARG(c->cx->err.message));
        return false;
    }
    if (!tc_arena_defer(c->arena, destroy_regex, cut->regex)) {
        tc_regex_destroy(cut->regex);
        return tc_cmd_fail_memory(c), false;
    }
    cut->skip = *text == '%';
    if (*offset && (!tc_cmd_number(offset + (*offset == '-' || *offset == '+'), false, &cut->offset) ||
                    cut->offset < 0 || cut->offset > INT32_MAX))
        return tc_cmd_fail(c, "‘%s’: integer expected after delimiter", text), false;
    cut->offset = *offset == '-' ? -cut->offset : cut->offset;
    return true;
}

static bool parse_line(struct csplit *s, struct cut *cut, const char *text, int64_t before)
{
    struct tc_cmd_call *c = s->c;

    if (!tc_cmd_number(text, false, &cut->line) || cut->line < 0 || cut->line > INT32_MAX)
        return tc_cmd_fail(c, "‘%s’: invalid pattern", text), false;
    if (cut->line == 0)
        return tc_cmd_fail(c, "%s: line number must be greater than zero", text), false;
    if (cut->line < before)
        return tc_cmd_fail(c, "line number ‘%s’ is smaller than preceding line number, %lld", text, (long long)before),
               false;
    if (cut->line == before)
        tc_cmd_fail(c, "warning: line number ‘%s’ is the same as preceding line number", text);
    return true;
}

/* {N} or {*} */
static bool parse_repeat(struct csplit *s, struct cut *cut, char *text)
{
    size_t n = strlen(text);
    char *inner;

    if (text[n - 1] != '}')
        return tc_cmd_fail(s->c, "‘%s’: '}' is required in repeat count", text), false;
    inner = tc_arena_cstr(s->c->arena, tc_str_n(text + 1, n - 2));
    if (!inner)
        return tc_cmd_fail_memory(s->c), false;
    if (strcmp(inner, "*") == 0) {
        cut->repeat = FOREVER;
        return true;
    }
    if (!tc_cmd_number(inner, false, &cut->repeat) || cut->repeat < 0 || cut->repeat > INT32_MAX)
        return tc_cmd_fail(s->c, "‘%s’: integer required between '{' and '}'",
                           (text[n - 1] = '\0', text)), false;
    return true;
}

static bool parse_cuts(struct csplit *s)
{
    struct tc_cmd_call *c = s->c;
    int64_t before = 0;

    s->cuts = TC_ARENA_NEW_N(c->arena, struct cut, (size_t)c->argc + 1);
    if (!s->cuts)
        return tc_cmd_fail_memory(c), false;
    for (int i = c->at + 1; i < c->argc; i++) {
        struct cut *cut = &s->cuts[s->cuts_n++];

        cut->text = c->argv[i];
        if (*c->argv[i] == '/' || *c->argv[i] == '%') {
            if (!parse_match(s, cut, c->argv[i]))
                return false;
        } else {
            if (!parse_line(s, cut, c->argv[i], before))
                return false;
            before = cut->line;
        }
        if (i + 1 < c->argc && *c->argv[i + 1] == '{' && !parse_repeat(s, cut, c->argv[++i]))
            return false;
    }
    return true;
}

static int read_lines(struct csplit *s, const char *path)
{
    struct tc_cmd_call *c = s->c;
    struct tc_cmd_in *in;
    struct tc_str text;
    int error = tc_cmd_open(c, path, &in);
    size_t n = 0;

    if (error)
        return tc_cmd_fail(c, "cannot open %s for reading: %s", tc_cmd_quote_name(c, path), strerror(error));
    error = tc_cmd_read_all(c, in, INPUT_MAX, &text);
    if (error)
        return tc_cmd_fail(c, "read error: %s", strerror(error));
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n' || i == text.n - 1;
    s->lines = TC_ARENA_NEW_N(c->arena, struct tc_str, n + 1);
    if (!s->lines)
        return tc_cmd_fail_memory(c);
    while (s->n < n) {
        const char *feed = memchr(text.p, '\n', text.n);

        s->lines[s->n] = feed ? tc_str_n(text.p, (size_t)(feed - text.p) + 1) : text;
        text = tc_str_from(text, s->lines[s->n++].n);
    }
    return 0;
}

static bool apply(struct csplit *s, int option, char *value)
{
    switch (option) {
    case 'b':
        return check_format(s, value);
    case 'f':
        s->prefix = value;
        return true;
    case 'k':
        s->keep = true;
        return true;
    case ID_SUPPRESS:
        s->suppress = true;
        return true;
    case 'n':
        if (tc_cmd_number(value, false, &s->digits) && s->digits >= 0 && s->digits <= DIGITS_MAX)
            return true;
        return tc_cmd_fail(s->c, "invalid number: ‘%s’", value), false;
    case 's':
        s->quiet = true;
        return true;
    default:
        s->elide = true;
        return true;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct csplit s = {.c = c, .prefix = "xx", .digits = 2};
    int option, status;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!apply(&s, option, c->value))
            return 1;
    }
    if (c->at == c->argc)
        return tc_cmd_fail_usage(c, "missing operand"), 1;
    if (c->at + 1 == c->argc)
        return tc_cmd_fail_usage(c, "missing operand after ‘%s’", c->argv[c->at]), 1;
    if (!parse_cuts(&s))
        return 1;
    status = read_lines(&s, c->argv[c->at]);
    return status ? status : split(&s);
}

const struct tc_cmd tc_command_csplit = {
    .name = "csplit",
    .usage = "[OPTION]... FILE PATTERN...",
    .summary = "Cut FILE at line numbers, /REGEXP/[OFFSET] or %REGEXP%[OFFSET] (which passes over what is before), "
               "each followed by {TIMES} or {*} if it is to be repeated, and print the sizes of the pieces.",
    .options = options,
    .run = run,
};
