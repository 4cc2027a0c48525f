/*
 * paste: the lines of several files side by side, or with -s each file's lines in one.
 */
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'d', "d,delimiters", TC_CMD_VALUE, "LIST", "reuse characters from LIST instead of TABs"},
    {'s', "s,serial", TC_CMD_NONE, NULL, "paste one file at a time instead of in parallel"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "line delimiter is NUL, not newline"},
    {0}};

struct paste {
    struct tc_cmd_call *c;
    char *delimiters;
    bool *empty; /* \0: nothing stands between */
    size_t n;
    char end;
};

static bool set_delimiters(struct paste *p, const char *list)
{
    static const char letters[] = "0bfnrtv\\", bytes[] = "\0\b\f\n\r\t\v\\";
    size_t length = strlen(list);

    p->delimiters = tc_arena_alloc(p->c->arena, length + 1);
    p->empty = tc_arena_zalloc(p->c->arena, length + 1, sizeof *p->empty);
    if (!p->delimiters || !p->empty)
        return tc_cmd_fail_memory(p->c), false;
    p->n = 0;
    for (const char *s = list; *s; s++) {
        if (*s != '\\') {
            p->delimiters[p->n++] = *s;
            continue;
        }
        if (!*++s)
            return tc_cmd_fail(p->c, "delimiter list ends with an unescaped backslash: %s", list), false;
        p->empty[p->n] = *s == '0';
        p->delimiters[p->n++] = strchr(letters, *s) ? bytes[strchr(letters, *s) - letters] : *s;
    }
    if (p->n == 0) {
        p->empty[0] = true;
        p->n = 1;
    }
    return true;
}

static void put_delimiter(struct paste *p, size_t i)
{
    if (!p->empty[i % p->n])
        tc_cmd_putc(p->c->out, p->delimiters[i % p->n]);
}

static int serial(struct paste *p)
{
    struct tc_inputs inputs = {0};
    struct tc_str line;

    while (tc_inputs_next(p->c, &inputs)) {
        size_t n = 0;

        while (tc_cmd_line(p->c, inputs.in, p->end, &line, NULL) > 0 && tc_cmd_tick(p->c, 1)) {
            if (n++)
                put_delimiter(p, n - 2);
            tc_cmd_write(p->c->out, line.p, line.n);
        }
        if (!tc_cmd_in_error(inputs.in))
            tc_cmd_putc(p->c->out, p->end);
    }
    return inputs.status;
}

/* One line of the result. False when no file had a line left. */
static bool row(struct paste *p, struct tc_cmd_in **ins, size_t n)
{
    size_t owed = 0; /* delimiters of files that ended, before one that has not */
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        struct tc_str line;
        int more = ins[i] ? tc_cmd_line(p->c, ins[i], p->end, &line, NULL) : 0;

        if (more <= 0)
            ins[i] = NULL;
        if (more > 0 || any) {
            for (; owed < i; owed++)
                put_delimiter(p, owed);
            any = true;
        }
        if (more > 0)
            tc_cmd_write(p->c->out, line.p, line.n);
    }
    if (any)
        tc_cmd_putc(p->c->out, p->end);
    return any;
}

static int parallel(struct paste *p)
{
    struct tc_cmd_call *c = p->c;
    size_t n = c->at < c->argc ? (size_t)(c->argc - c->at) : 1;
    struct tc_cmd_in **ins = TC_ARENA_NEW_N(c->arena, struct tc_cmd_in *, n), **all;
    int status = 0;

    all = TC_ARENA_NEW_N(c->arena, struct tc_cmd_in *, n);
    if (!ins || !all)
        return tc_cmd_fail_memory(c);
    for (size_t i = 0; i < n; i++) {
        const char *name = c->at < c->argc ? c->argv[(size_t)c->at + i] : "-";
        int error = tc_cmd_open(c, name, &ins[i]);

        if (error)
            return tc_cmd_fail_errno(c, name, error);
        all[i] = ins[i];
    }
    while (row(p, ins, n) && tc_cmd_tick(c, (unsigned)n))
        ;
    for (size_t i = 0; i < n && !tc_cmd_stopped(c); i++)
        if (tc_cmd_in_error(all[i]))
            status = tc_cmd_fail_errno(c, c->argv[(size_t)c->at + i], tc_cmd_in_error(all[i]));
    return status;
}

static int run(struct tc_cmd_call *c)
{
    struct paste p = {.c = c, .end = '\n'};
    bool one_by_one = false;
    int option;

    if (!set_delimiters(&p, "\t"))
        return 1;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'd' && !set_delimiters(&p, c->value))
            return 1;
        one_by_one |= option == 's';
        if (option == 'z')
            p.end = '\0';
    }
    return one_by_one ? serial(&p) : parallel(&p);
}

const struct tc_cmd tc_command_paste = {
    .name = "paste",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write lines consisting of the sequentially corresponding lines from each FILE, separated by TABs.",
    .options = options,
    .run = run,
};
