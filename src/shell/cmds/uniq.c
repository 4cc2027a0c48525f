/*
 * uniq: adjacent lines that are equal, by what -f, -s, -w and -i leave of them.
 */
#include <fcntl.h>

#include "shell/cmds/inputs.h"
#include "toolcrib/shellfs.h"

enum { OPTION_ALL_REPEATED = 256, OPTION_GROUP };
enum grouping { GROUP_NONE, GROUP_PREPEND, GROUP_APPEND, GROUP_SEPARATE, GROUP_BOTH };
enum { LINE_MAX = 256 << 20 };

static const struct tc_cmd_option options[] = {
    {'c', "c,count", TC_CMD_NONE, NULL, "prefix lines by the number of occurrences"},
    {'d', "d,repeated", TC_CMD_NONE, NULL, "only print duplicate lines, one for each group"},
    {'D', "D", TC_CMD_NONE, NULL, "print all duplicate lines"},
    {OPTION_ALL_REPEATED, "all-repeated", TC_CMD_MAYBE, "METHOD", "like -D, with empty lines: none, prepend, separate"},
    {'f', "f,skip-fields", TC_CMD_VALUE, "N", "avoid comparing the first N fields"},
    {OPTION_GROUP, "group", TC_CMD_MAYBE, "METHOD", "show all, groups apart: separate, prepend, append, both"},
    {'i', "i,ignore-case", TC_CMD_NONE, NULL, "ignore differences in case when comparing"},
    {'s', "s,skip-chars", TC_CMD_VALUE, "N", "avoid comparing the first N characters"},
    {'u', "u,unique", TC_CMD_NONE, NULL, "only print unique lines"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "line delimiter is NUL, not newline"},
    {'w', "w,check-chars", TC_CMD_VALUE, "N", "compare no more than N characters in lines"},
    {0}};

struct uniq {
    struct tc_cmd_call *c;
    struct tc_cmd_in *in;
    struct tc_cmd_out *out;
    bool count, repeated, unique, all, fold, grouping;
    enum grouping groups;
    size_t fields, chars, width;
    char delimiter;
    struct tc_buf first; /* the line that began the group at hand */
    int64_t lines, written; /* of the group; groups written */
};

/* What of the line is compared. */
static struct tc_str key_of(const struct uniq *u, struct tc_str line)
{
    size_t at = 0;

    for (size_t i = 0; i < u->fields && at < line.n; i++) {
        while (at < line.n && strchr(" \t\n", line.p[at]) && line.p[at])
            at++;
        while (at < line.n && !(strchr(" \t\n", line.p[at]) && line.p[at]))
            at++;
    }
    at = line.n - at > u->chars ? at + u->chars : line.n;
    return tc_str_n(line.p + at, line.n - at > u->width ? u->width : line.n - at);
}

static bool same(const struct uniq *u, struct tc_str a, struct tc_str b)
{
    a = key_of(u, a);
    b = key_of(u, b);
    return u->fold ? tc_str_eq_nocase(a, b) : tc_str_eq(a, b);
}

static void write_line(struct uniq *u, struct tc_str line)
{
    tc_cmd_write(u->out, line.p, line.n);
    tc_cmd_putc(u->out, u->delimiter);
}

/* The group is over: one line of it, for the modes that print one. */
static void end_group(struct uniq *u)
{
    if (u->lines == 0 || u->all || u->grouping)
        return;
    if ((u->lines == 1 && u->repeated) || (u->lines > 1 && u->unique))
        return;
    if (u->count)
        tc_cmd_printf(u->out, "%7lld ", (long long)u->lines);
    write_line(u, tc_buf_get(&u->first));
}

/* --all-repeated and --group print each line as it comes; the first of a group waits for its second.
 * With -u one line of each group is left out. */
static void print_all(struct uniq *u, struct tc_str line)
{
    bool begins = u->lines == (u->grouping ? 1 : 2);

    if (begins) {
        if (u->groups == GROUP_PREPEND || u->groups == GROUP_BOTH ||
            (u->written > 0 && (u->groups == GROUP_SEPARATE || u->groups == GROUP_APPEND)))
            tc_cmd_putc(u->out, u->delimiter);
        u->written++;
        if (!u->grouping)
            write_line(u, tc_buf_get(&u->first));
    }
    if (u->grouping || (u->lines >= 2 && !u->unique) || u->lines > 2)
        write_line(u, line);
}

static int compare_lines(struct uniq *u)
{
    struct tc_str line;
    int more;

    while ((more = tc_cmd_line(u->c, u->in, u->delimiter, &line, NULL)) > 0 && tc_cmd_tick(u->c, 1)) {
        if (u->lines > 0 && same(u, tc_buf_get(&u->first), line)) {
            u->lines++;
        } else {
            end_group(u);
            u->lines = 1;
            u->first.n = 0;
            tc_buf_str(&u->first, line);
            if (u->first.failed)
                return tc_cmd_fail_memory(u->c);
        }
        if (u->all || u->grouping)
            print_all(u, line);
    }
    end_group(u);
    if (u->grouping && u->written && (u->groups == GROUP_APPEND || u->groups == GROUP_BOTH))
        tc_cmd_putc(u->out, u->delimiter);
    return more;
}

static bool size_option(struct uniq *u, const char *value, const char *what, size_t *ret)
{
    int64_t n;

    if (!tc_cmd_number(value, false, &n) || n < 0)
        return tc_cmd_fail(u->c, "%s: invalid number of %s", value, what), false;
    *ret = (size_t)n;
    return true;
}

static bool method(struct uniq *u, const char *option, const char *value, const char *const *words)
{
    static const enum grouping kinds[] = {GROUP_NONE, GROUP_PREPEND, GROUP_SEPARATE, GROUP_APPEND, GROUP_BOTH};

    for (int i = 0; i < 5; i++)
        if (words[i] && strncmp(words[i], value, strlen(value)) == 0 && *value) {
            u->groups = kinds[i];
            return true;
        }
    tc_cmd_fail_usage(u->c, "invalid argument ‘%s’ for ‘--%s’", value, option);
    return false;
}

static bool set_option(struct uniq *u, int option)
{
    static const char *const repeated[] = {"none", "prepend", "separate", NULL, NULL};
    static const char *const groups[] = {NULL, "prepend", "separate", "append", "both"};
    const char *value = u->c->value;

    switch (option) {
    case 'c': u->count = true; return true;
    case 'd': u->repeated = true; return true;
    case 'D':
        u->all = u->repeated = true;
        u->groups = GROUP_NONE;
        return true;
    case OPTION_ALL_REPEATED:
        u->all = u->repeated = true;
        return !value || method(u, "all-repeated", value, repeated);
    case 'f': return size_option(u, value, "fields to skip", &u->fields);
    case TC_CMD_OPTION_NUMBER: return size_option(u, value, "fields to skip", &u->fields);
    case OPTION_GROUP:
        u->grouping = true;
        u->groups = GROUP_SEPARATE;
        return !value || method(u, "group", value, groups);
    case 'i': u->fold = true; return true;
    case 's': return size_option(u, value, "bytes to skip", &u->chars);
    case 'u': u->unique = true; return true;
    case 'z': u->delimiter = '\0'; return true;
    case 'w': return size_option(u, value, "bytes to compare", &u->width);
    default: return false;
    }
}

static int open_both(struct uniq *u)
{
    struct tc_cmd_call *c = u->c;
    const char *input = c->at < c->argc ? c->argv[c->at] : "-";
    const char *output = c->at + 1 < c->argc ? c->argv[c->at + 1] : "-";
    int error = tc_cmd_open(c, input, &u->in);

    if (error)
        return tc_cmd_fail_errno(c, input, error);
    u->out = c->out;
    if (strcmp(output, "-") != 0) {
        error = tc_cmd_create(c, output, O_WRONLY | O_CREAT | O_TRUNC, 0666, &u->out);
        if (error)
            return tc_cmd_fail_errno(c, output, error);
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct uniq u = {.c = c, .width = SIZE_MAX, .delimiter = '\n'};
    int option, status;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&u, option))
            return 1;
    }
    if (c->argc - c->at > 2)
        return tc_cmd_fail_usage(c, "extra operand ‘%s’", c->argv[c->at + 2]), 1;
    if (u.grouping && (u.count || u.repeated || u.unique))
        return tc_cmd_fail_usage(c, "--group is mutually exclusive with -c/-d/-D/-u"), 1;
    if (u.all && u.count)
        return tc_cmd_fail_usage(c, "printing all duplicated lines and repeat counts is meaningless"), 1;
    status = open_both(&u);
    if (status)
        return status;
    tc_buf_init(&u.first, LINE_MAX);
    if (compare_lines(&u) < 0 && !tc_cmd_stopped(c))
        status = tc_cmd_fail(c, "error reading '%s'", c->at < c->argc ? c->argv[c->at] : "-");
    tc_buf_finish(&u.first);
    return status;
}

const struct tc_cmd tc_command_uniq = {
    .name = "uniq",
    .usage = "[OPTION]... [INPUT [OUTPUT]]",
    .summary = "Filter adjacent matching lines from INPUT, writing to OUTPUT.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
