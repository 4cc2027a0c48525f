/*
 * The command awk: its options and the texts of its program.
 */
#include "shell/awk/awk.h"

enum { PROGRAM_MAX = 1 << 24, SOURCES_MAX = 64, ASSIGNMENTS_MAX = 1000 };

struct options {
    struct awk_options awk;
    struct awk_source sources[SOURCES_MAX];
    const char *assignments[ASSIGNMENTS_MAX];
};

static int read_source(struct tc_cmd_call *c, struct options *o, const char *path)
{
    struct awk_source *source = &o->sources[o->awk.n_sources];
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, path, &in);

    if (!error)
        error = tc_cmd_read_all(c, in, PROGRAM_MAX, &source->text);
    if (error) {
        tc_cmd_printf(c->err, "%s: fatal: cannot open source file `%s' for reading: %s\n", c->argv[0], path,
                      strerror(error));
        return 2;
    }
    tc_cmd_close(c, in);
    source->name = path;
    o->awk.n_sources++;
    return 0;
}

static void add_text(struct options *o, const char *text)
{
    o->sources[o->awk.n_sources++] = (struct awk_source){.name = "cmd. line", .text = tc_str_of(text)};
}

static int read_option(struct tc_cmd_call *c, struct options *o, int id)
{
    if (o->awk.n_sources >= SOURCES_MAX - 1 || o->awk.n_assignments >= ASSIGNMENTS_MAX)
        return tc_cmd_fail_usage(c, "too many options");
    switch (id) {
    case 'F':
        o->awk.field_separator = tc_awk_unescape(c->arena, tc_str_of(c->value), NULL).p;
        return o->awk.field_separator ? 0 : tc_cmd_fail_memory(c);
    case 'v':
        o->assignments[o->awk.n_assignments++] = c->value;
        return 0;
    case 'f':
        return read_source(c, o, c->value);
    case 'e':
        add_text(o, c->value);
        return 0;
    default:
        return 0;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct options *o = TC_ARENA_NEW(c->arena, struct options);
    int id, status;

    if (!o)
        return tc_cmd_fail_memory(c);
    while ((id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (id == TC_CMD_OPTION_BAD)
            return 2;
        status = read_option(c, o, id);
        if (status)
            return status;
    }
    if (o->awk.n_sources == 0) {
        if (c->at >= c->argc)
            return tc_cmd_fail_usage(c, "no program text");
        add_text(o, c->argv[c->at++]);
    }
    o->awk.sources = o->sources;
    o->awk.assignments = o->assignments;
    return tc_awk_run(c, &o->awk);
}

static const struct tc_cmd_option options[] = {
    {'F', "F,field-separator", TC_CMD_VALUE, "FS", "separate fields by FS"},
    {'v', "v,assign", TC_CMD_VALUE, "VAR=VALUE", "give a variable its value before the program begins"},
    {'f', "f,file", TC_CMD_VALUE, "FILE", "read the program from FILE; several are read one after the other"},
    {'e', "e,source", TC_CMD_VALUE, "TEXT", "add TEXT to the program"},
    {'O', "O,optimize", TC_CMD_NONE, NULL, "accepted; the program is always optimized"},
    {'s', "s,no-optimize", TC_CMD_NONE, NULL, "accepted; changes no result"},
    {'r', "r,re-interval", TC_CMD_NONE, NULL, "accepted; intervals in expressions are always known"},
    {0},
};

const struct tc_cmd tc_command_awk = {
    .name = "awk",
    .aliases = "gawk mawk nawk",
    .usage = "[OPTION]... PROGRAM [FILE|VAR=VALUE]...\n[OPTION]... -f PROGFILE [FILE|VAR=VALUE]...",
    .summary = "Run a program of patterns and actions over the lines of files.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
