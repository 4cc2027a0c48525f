/*
 * nl: numbers of lines, by sections of logical pages (header, body, footer).
 */
#include "regex/regex.h"
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'b', "b,body-numbering", TC_CMD_VALUE, "STYLE", "use STYLE for numbering body lines: a, t, n, pBRE"},
    {'d', "d,section-delimiter", TC_CMD_VALUE, "CC", "use CC for logical page delimiters"},
    {'f', "f,footer-numbering", TC_CMD_VALUE, "STYLE", "use STYLE for numbering footer lines"},
    {'h', "h,header-numbering", TC_CMD_VALUE, "STYLE", "use STYLE for numbering header lines"},
    {'i', "i,line-increment", TC_CMD_VALUE, "NUMBER", "line number increment at each line"},
    {'l', "l,join-blank-lines", TC_CMD_VALUE, "NUMBER", "group of NUMBER empty lines counted as one"},
    {'n', "n,number-format", TC_CMD_VALUE, "FORMAT", "insert line numbers according to FORMAT: ln, rn, rz"},
    {'p', "p,no-renumber", TC_CMD_NONE, NULL, "do not reset line numbers for each section"},
    {'s', "s,number-separator", TC_CMD_VALUE, "STRING", "add STRING after (possible) line number"},
    {'v', "v,starting-line-number", TC_CMD_VALUE, "NUMBER", "first line number for each section"},
    {'w', "w,number-width", TC_CMD_VALUE, "NUMBER", "use NUMBER columns for line numbers"},
    {0}};

enum section { HEADER, BODY, FOOTER };

struct style {
    char kind; /* a t n p */
    struct tc_regex *regex;
};

struct nl {
    struct tc_cmd_call *c;
    struct style styles[3];
    enum section section;
    char delimiter[8];
    size_t delimiter_n;
    int64_t start, step, line, blanks, joined;
    bool keeps, overflow;
    const char *separator, *format;
    int width;
};

static bool set_style(struct nl *nl, enum section section, const char *value)
{
    static const char *const names[] = {"header", "body", "footer"};
    struct style *style = &nl->styles[section];

    if (*value == 'p') {
        tc_regex_destroy(style->regex);
        style->regex = NULL;
        if (tc_regex_compile(nl->c->cx, tc_str_of(value + 1), TC_REGEX_BASIC, 0, &style->regex))
            return tc_cmd_fail(nl->c, "%.*s", TC_STR_ARG(nl->c->cx->err.message)), false;
        style->kind = 'p';
        return true;
    }
    if (*value && !value[1] && strchr("atn", *value)) {
        style->kind = *value;
        return true;
    }
    tc_cmd_fail_usage(nl->c, "invalid %s numbering style: ‘%s’", names[section], value);
    return false;
}

static bool number(struct nl *nl, const char *what, int64_t min, int64_t *ret)
{
    const char *text = nl->c->value;
    bool minus = *text == '-';

    if (!tc_cmd_number(text + minus, false, ret))
        return tc_cmd_fail(nl->c, "invalid %s: ‘%s’", what, nl->c->value), false;
    *ret = minus ? -*ret : *ret;
    if (*ret < min)
        return tc_cmd_fail(nl->c, "invalid %s: ‘%s’: Numerical result out of range", what, nl->c->value), false;
    return true;
}

static bool set_option(struct nl *nl, int option)
{
    const char *value = nl->c->value;
    int64_t width;

    switch (option) {
    case 'b': return set_style(nl, BODY, value);
    case 'f': return set_style(nl, FOOTER, value);
    case 'h': return set_style(nl, HEADER, value);
    case 'd':
        nl->delimiter_n = strlen(value) < sizeof nl->delimiter ? strlen(value) : 2;
        memcpy(nl->delimiter, value, nl->delimiter_n);
        if (nl->delimiter_n == 1)
            nl->delimiter[nl->delimiter_n++] = ':';
        return true;
    case 'i': return number(nl, "line number increment", INT64_MIN, &nl->step);
    case 'l': return number(nl, "line number of blank lines", 1, &nl->joined);
    case 'n':
        if (strcmp(value, "ln") && strcmp(value, "rn") && strcmp(value, "rz"))
            return tc_cmd_fail_usage(nl->c, "invalid line numbering format: ‘%s’", value), false;
        nl->format = value;
        return true;
    case 'p': nl->keeps = true; return true;
    case 's': nl->separator = value; return true;
    case 'v': return number(nl, "starting line number", INT64_MIN, &nl->start);
    default:
        if (!number(nl, "line number field width", 1, &width))
            return false;
        nl->width = width < 4096 ? (int)width : 4096;
        return true;
    }
}

static bool put_number(struct nl *nl)
{
    if (nl->overflow)
        return tc_cmd_fail(nl->c, "line number overflow"), false;
    if (nl->format[0] == 'l')
        tc_cmd_printf(nl->c->out, "%-*lld%s", nl->width, (long long)nl->line, nl->separator);
    else if (nl->format[1] == 'z')
        tc_cmd_printf(nl->c->out, "%0*lld%s", nl->width, (long long)nl->line, nl->separator);
    else
        tc_cmd_printf(nl->c->out, "%*lld%s", nl->width, (long long)nl->line, nl->separator);
    nl->overflow = __builtin_add_overflow(nl->line, nl->step, &nl->line);
    return true;
}

/* A line of the section at hand. */
static bool put_line(struct nl *nl, struct tc_str line)
{
    const struct style *style = &nl->styles[nl->section];
    bool numbered = false;

    if (style->kind == 'a') {
        if (nl->joined > 1 && line.n == 0)
            numbered = ++nl->blanks == nl->joined;
        else
            numbered = true;
        if (numbered)
            nl->blanks = 0;
    } else if (style->kind == 't') {
        numbered = line.n > 0;
    } else if (style->kind == 'p') {
        numbered = tc_regex_search(style->regex, line, 0, NULL, 0) == TC_REGEX_FOUND;
    }
    if (numbered) {
        if (!put_number(nl))
            return false;
    } else {
        tc_cmd_printf(nl->c->out, "%*s", nl->width + (int)strlen(nl->separator), "");
    }
    tc_cmd_write(nl->c->out, line.p, line.n);
    tc_cmd_putc(nl->c->out, '\n');
    return true;
}

/* Which section the line opens, or -1. */
static int opened_section(const struct nl *nl, struct tc_str line)
{
    size_t n = nl->delimiter_n;

    if (n == 0 || line.n < n || line.n > 3 * n || line.n % n)
        return -1;
    for (size_t i = 0; i < line.n; i += n)
        if (memcmp(line.p + i, nl->delimiter, n) != 0)
            return -1;
    return (int)(3 - line.n / n);
}

static int number_lines(struct nl *nl)
{
    struct tc_cmd_call *c = nl->c;
    struct tc_inputs inputs = {0};
    struct tc_str line;

    nl->line = nl->start;
    while (tc_inputs_line(c, &inputs, '\n', &line, NULL)) {
        int section = opened_section(nl, line);

        if (section < 0) {
            if (!put_line(nl, line))
                return 1;
            continue;
        }
        nl->section = (enum section)section;
        if (!nl->keeps) {
            nl->line = nl->start;
            nl->overflow = false;
        }
        tc_cmd_putc(c->out, '\n');
    }
    return inputs.status;
}

static int run(struct tc_cmd_call *c)
{
    struct nl nl = {.c = c, .styles = {{'n', NULL}, {'t', NULL}, {'n', NULL}}, .section = BODY, .delimiter = "\\:",
                    .delimiter_n = 2, .start = 1, .step = 1, .joined = 1, .separator = "\t", .format = "rn",
                    .width = 6};
    int option, status = 0;

    while (status == 0 && (option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            status = 2;
        else if (!set_option(&nl, option))
            status = 1;
    }
    if (status == 0)
        status = number_lines(&nl);
    for (int i = 0; i < 3; i++)
        tc_regex_destroy(nl.styles[i].regex);
    return status;
}

const struct tc_cmd tc_command_nl = {
    .name = "nl",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE to standard output, with line numbers added.",
    .options = options,
    .run = run,
};
