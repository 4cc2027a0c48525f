/*
 * cut: bytes, characters (which are bytes, as in GNU's) or fields of each line. The
 * list is kept as sorted ranges that do not overlap.
 */
#include "shell/cmds/inputs.h"

enum { OPTION_COMPLEMENT = 256, OPTION_OUTPUT_DELIMITER };

static const struct tc_cmd_option options[] = {
    {'b', "b,bytes", TC_CMD_VALUE, "LIST", "select only these bytes"},
    {'c', "c,characters", TC_CMD_VALUE, "LIST", "select only these characters (bytes, as GNU's cut has it)"},
    {'d', "d,delimiter", TC_CMD_VALUE, "DELIM", "use DELIM instead of TAB for field delimiter"},
    {'f', "f,fields", TC_CMD_VALUE, "LIST", "select only these fields, and lines without a delimiter unless -s"},
    {'n', "n", TC_CMD_NONE, NULL, "(ignored)"},
    {OPTION_COMPLEMENT, "complement", TC_CMD_NONE, NULL, "complement the set of selected bytes or fields"},
    {'s', "s,only-delimited", TC_CMD_NONE, NULL, "do not print lines not containing delimiters"},
    {OPTION_OUTPUT_DELIMITER, "output-delimiter", TC_CMD_VALUE, "STRING", "use STRING as the output delimiter"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "line delimiter is NUL, not newline"},
    {0}};

struct range {
    size_t from, to; /* from 1, both included */
};

struct cut {
    struct tc_cmd_call *c;
    const char *list;
    char kind; /* 'b' or 'f'; 0 not told */
    bool complement, only_delimited, delimiter_set;
    char delimiter, end;
    struct tc_str between; /* p NULL: not told */
    struct range *ranges;
    size_t n;
};

static bool bad(struct cut *cut, const char *bytes, const char *fields, const char *text)
{
    const char *message = cut->kind == 'f' ? fields : bytes;

    if (text)
        tc_cmd_fail_usage(cut->c, "%s ‘%s’", message, text);
    else
        tc_cmd_fail_usage(cut->c, "%s", message);
    return false;
}

static bool number(struct cut *cut, struct tc_str text, size_t *ret)
{
    int64_t n;
    bool digits = text.n > 0;

    for (size_t i = 0; i < text.n; i++)
        digits &= text.p[i] >= '0' && text.p[i] <= '9';
    if (!digits)
        return bad(cut, "invalid byte/character position", "invalid field value",
                   tc_arena_cstr(cut->c->arena, text));
    if (!tc_str_int(text, &n))
        return bad(cut, "byte/character offset is too large", "field number is too large",
                   tc_arena_cstr(cut->c->arena, text));
    if (n == 0)
        return bad(cut, "byte/character positions are numbered from 1", "fields are numbered from 1", NULL);
    *ret = (size_t)n;
    return true;
}

/* N, N-, N-M or -M. */
static bool parse_range(struct cut *cut, struct tc_str text, struct range *ret)
{
    size_t dash = tc_str_chr(text, '-');

    if (text.n == 0)
        return bad(cut, "byte/character positions are numbered from 1", "fields are numbered from 1", NULL);
    if (dash == SIZE_MAX) {
        if (!number(cut, text, &ret->from))
            return false;
        ret->to = ret->from;
        return true;
    }
    if (text.n == 1) {
        tc_cmd_fail_usage(cut->c, "invalid range with no endpoint: -");
        return false;
    }
    *ret = (struct range){1, SIZE_MAX};
    if (dash > 0 && !number(cut, tc_str_n(text.p, dash), &ret->from))
        return false;
    if (dash + 1 < text.n) {
        if (memchr(text.p + dash + 1, '-', text.n - dash - 1))
            return bad(cut, "invalid byte or character range", "invalid field range", NULL);
        if (!number(cut, tc_str_from(text, dash + 1), &ret->to))
            return false;
    }
    if (ret->to < ret->from) {
        tc_cmd_fail_usage(cut->c, "invalid decreasing range");
        return false;
    }
    return true;
}

static void complement(struct cut *cut)
{
    struct range *old = cut->ranges, *new = old + cut->n;
    size_t next = 1, n = 0;

    for (size_t i = 0; i < cut->n; i++) {
        if (old[i].from > next)
            new[n++] = (struct range){next, old[i].from - 1};
        if (old[i].to == SIZE_MAX) {
            next = 0;
            break;
        }
        next = old[i].to + 1;
    }
    if (next)
        new[n++] = (struct range){next, SIZE_MAX};
    cut->ranges = new;
    cut->n = n;
}

static bool parse_list(struct cut *cut)
{
    struct tc_str rest = tc_str_of(cut->list), part;
    size_t n = 1, merged = 0;

    for (size_t i = 0; i < rest.n; i++)
        n += rest.p[i] == ',' || rest.p[i] == ' ' || rest.p[i] == '\t';
    cut->ranges = TC_ARENA_NEW_N(cut->c->arena, struct range, 2 * n + 1);
    if (!cut->ranges)
        return tc_cmd_fail_memory(cut->c), false;
    for (size_t at = 0; at <= rest.n;) {
        size_t end = at, i = cut->n++;
        struct range range;

        while (end < rest.n && rest.p[end] != ',' && rest.p[end] != ' ' && rest.p[end] != '\t')
            end++;
        part = tc_str_n(rest.p + at, end - at);
        if (!parse_range(cut, part, &range))
            return false;
        for (; i > 0 && cut->ranges[i - 1].from > range.from; i--)
            cut->ranges[i] = cut->ranges[i - 1];
        cut->ranges[i] = range;
        at = end + 1;
    }
    for (size_t i = 1; i < cut->n; i++) {
        if (cut->ranges[i].from <= cut->ranges[merged].to) {
            if (cut->ranges[i].to > cut->ranges[merged].to)
                cut->ranges[merged].to = cut->ranges[i].to;
        } else {
            cut->ranges[++merged] = cut->ranges[i];
        }
    }
    cut->n = merged + 1;
    if (cut->complement)
        complement(cut);
    return true;
}

static void cut_bytes(struct cut *cut, struct tc_str line)
{
    bool printed = false;

    for (size_t i = 0; i < cut->n && cut->ranges[i].from <= line.n; i++) {
        size_t from = cut->ranges[i].from - 1, to = cut->ranges[i].to < line.n ? cut->ranges[i].to : line.n;

        if (printed && cut->between.p)
            tc_cmd_write(cut->c->out, cut->between.p, cut->between.n);
        tc_cmd_write(cut->c->out, line.p + from, to - from);
        printed = true;
    }
    tc_cmd_putc(cut->c->out, cut->end);
}

static void put_between(struct cut *cut)
{
    if (cut->between.p)
        tc_cmd_write(cut->c->out, cut->between.p, cut->between.n);
    else
        tc_cmd_putc(cut->c->out, cut->delimiter);
}

static void cut_fields(struct cut *cut, struct tc_str line)
{
    const char *p = line.p, *end = line.p + line.n;
    size_t field = 1, i = 0;
    bool printed = false;

    if (!memchr(line.p, cut->delimiter, line.n)) {
        if (!cut->only_delimited) {
            tc_cmd_write(cut->c->out, line.p, line.n);
            tc_cmd_putc(cut->c->out, cut->end);
        }
        return;
    }
    while (p && i < cut->n) {
        const char *next = memchr(p, cut->delimiter, (size_t)(end - p));

        if (field >= cut->ranges[i].from) {
            if (printed)
                put_between(cut);
            tc_cmd_write(cut->c->out, p, (size_t)((next ? next : end) - p));
            printed = true;
        }
        if (field >= cut->ranges[i].to)
            i++;
        field++;
        p = next ? next + 1 : NULL;
    }
    tc_cmd_putc(cut->c->out, cut->end);
}

/* When the delimiter is what ends lines, the lines of a file are its fields. */
static void cut_lines(struct cut *cut, struct tc_cmd_in *in)
{
    struct tc_str line;
    size_t field = 1, i = 0;
    bool printed = false;

    for (; tc_cmd_line(cut->c, in, cut->end, &line, NULL) > 0 && tc_cmd_tick(cut->c, 1); field++) {
        while (i < cut->n && field > cut->ranges[i].to)
            i++;
        if (i == cut->n || field < cut->ranges[i].from)
            continue;
        if (printed)
            put_between(cut);
        tc_cmd_write(cut->c->out, line.p, line.n);
        printed = true;
    }
    if (field > 1)
        tc_cmd_putc(cut->c->out, cut->end);
}

static bool set_option(struct cut *cut, int option)
{
    const char *value = cut->c->value;

    switch (option) {
    case 'b': case 'c': case 'f':
        if (cut->list)
            return tc_cmd_fail_usage(cut->c, "only one list may be specified"), false;
        cut->kind = option == 'f' ? 'f' : 'b';
        cut->list = value;
        return true;
    case 'd':
        if (value[0] && value[1])
            return tc_cmd_fail_usage(cut->c, "the delimiter must be a single character"), false;
        cut->delimiter = *value;
        cut->delimiter_set = true;
        return true;
    case 'n': return true;
    case OPTION_COMPLEMENT: cut->complement = true; return true;
    case 's': cut->only_delimited = true; return true;
    case OPTION_OUTPUT_DELIMITER:
        cut->between = *value ? tc_str_of(value) : TC_STR("\0");
        return true;
    case 'z': cut->end = '\0'; return true;
    default: return false;
    }
}

static bool check(struct cut *cut)
{
    if (!cut->list)
        return tc_cmd_fail_usage(cut->c, "you must specify a list of bytes, characters, or fields"), false;
    if (cut->kind != 'f' && cut->delimiter_set)
        return tc_cmd_fail_usage(cut->c, "an input delimiter may be specified only when operating on fields"), false;
    if (cut->kind != 'f' && cut->only_delimited)
        return tc_cmd_fail_usage(cut->c, "suppressing non-delimited lines makes sense\n"
                                         "\tonly when operating on fields"), false;
    return parse_list(cut);
}

static int run(struct tc_cmd_call *c)
{
    struct cut cut = {.c = c, .delimiter = '\t', .end = '\n'};
    struct tc_inputs inputs = {0};
    struct tc_str line;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&cut, option))
            return 1;
    }
    if (!check(&cut))
        return 1;
    while (tc_inputs_next(c, &inputs)) {
        if (cut.kind == 'f' && cut.delimiter == cut.end) {
            cut_lines(&cut, inputs.in);
            continue;
        }
        while (tc_cmd_line(c, inputs.in, cut.end, &line, NULL) > 0 && tc_cmd_tick(c, 1)) {
            if (cut.kind == 'f')
                cut_fields(&cut, line);
            else
                cut_bytes(&cut, line);
        }
    }
    return inputs.status;
}

const struct tc_cmd tc_command_cut = {
    .name = "cut",
    .usage = "OPTION... [FILE]...",
    .summary = "Print selected parts of lines from each FILE to standard output.",
    .options = options,
    .run = run,
};
