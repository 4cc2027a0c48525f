/*
 * The command jq: its options. libjq is in jq_run.h, what it reads in jq_input.h.
 */
#include <stdlib.h>

#include "shell/cmds/jq_input.h"

enum {
    OPT_ARG = 256, OPT_ARGJSON, OPT_SLURPFILE, OPT_RAWFILE, OPT_ARGS, OPT_JSONARGS, OPT_TAB, OPT_INDENT, OPT_SEQ,
    OPT_STREAM, OPT_STREAM_ERRORS, OPT_UNBUFFERED, OPT_VERSION
};

static int fail(struct jq *j, const char *message)
{
    tc_cmd_printf(j->call->err, "jq: %s\n", message);
    tc_cmd_puts(j->call->err, "Use jq --help for help with command-line options,\n"
                              "or see the jq manpage, or online docs  at https://stedolan.github.io/jq\n");
    return 2;
}

/* The word behind the value of an option that takes two. */
static char *second(struct tc_cmd_call *c)
{
    return c->option_at < c->argc ? c->argv[c->option_at++] : NULL;
}

static bool is_new(struct jq *j, const char *name)
{
    return !jv_object_has(jv_copy(j->named), jv_string(name));
}

static int read_file(struct jq *j, const char *path, struct tc_str *ret_text)
{
    struct tc_cmd_in *in;
    int error = tc_cmd_open(j->call, path, &in);

    if (error)
        return error;
    error = tc_cmd_read_all(j->call, in, JQ_TEXT_MAX, ret_text);
    tc_cmd_close(j->call, in);
    return error;
}

static jv all_values(struct tc_str text)
{
    jv_parser *parser = jv_parser_new(0);
    jv all = jv_array(), value;

    jv_parser_set_buf(parser, text.p, (int)text.n, 0);
    while (jv_is_valid(value = jv_parser_next(parser)))
        all = jv_array_append(all, value);
    jv_parser_free(parser);
    if (!jv_invalid_has_msg(jv_copy(value))) {
        jv_free(value);
        return all;
    }
    jv_free(all);
    return value;
}

static int add_file(struct jq *j, int id, const char *name, const char *path)
{
    const char *option = id == OPT_SLURPFILE ? "slurpfile" : "rawfile";
    struct tc_str text;
    int error = read_file(j, path, &text);
    jv value, why;

    if (error) {
        tc_cmd_printf(j->call->err, "jq: Bad JSON in --%s %s %s: Could not open %s: %s\n", option, name, path, path,
                      strerror(error));
        return 2;
    }
    value = id == OPT_SLURPFILE ? all_values(text) : jv_string_sized(text.p, (int)text.n);
    if (jv_is_valid(value)) {
        j->named = jv_object_set(j->named, jv_string(name), value);
        return 0;
    }
    why = jv_invalid_get_msg(value);
    tc_cmd_printf(j->call->err, "jq: Bad JSON in --%s %s %s: %s\n", option, name, path, jv_string_value(why));
    jv_free(why);
    return 2;
}

static int add_named(struct jq *j, int id)
{
    static const char *const names[] = {"arg", "argjson", "slurpfile", "rawfile"};
    const char *name = j->call->value, *text = second(j->call);
    jv value;

    if (!text) {
        tc_cmd_printf(j->call->err, "jq: --%s takes two parameters (e.g. --%s varname %s)\n", names[id - OPT_ARG],
                      names[id - OPT_ARG], id == OPT_ARG ? "value" : id == OPT_ARGJSON ? "text" : "filename");
        tc_cmd_puts(j->call->err, "Use jq --help for help with command-line options,\n"
                                  "or see the jq manpage, or online docs  at https://stedolan.github.io/jq\n");
        return 2;
    }
    if (!is_new(j, name))
        return 0;
    if (id == OPT_SLURPFILE || id == OPT_RAWFILE)
        return add_file(j, id, name, text);
    value = id == OPT_ARG ? jv_string(text) : jv_parse(text);
    if (!jv_is_valid(value)) {
        jv_free(value);
        return fail(j, "invalid JSON text passed to --argjson");
    }
    j->named = jv_object_set(j->named, jv_string(name), value);
    return 0;
}

static int set_mode(struct jq *j, enum jq_mode mode)
{
    if (j->n_modes == JQ_MODES_MAX)
        return fail(j, "too many options");
    j->modes[j->n_modes].operand = j->call->at;
    j->modes[j->n_modes++].mode = mode;
    return 0;
}

static int set_indent(struct jq *j, int indent)
{
    j->run.dump_flags &= ~(JV_PRINT_TAB | JV_PRINT_PRETTY | JV_PRINT_INDENT_FLAGS(7));
    j->run.dump_flags |= JV_PRINT_INDENT_FLAGS(indent);
    return 0;
}

static int indent_option(struct jq *j)
{
    long indent = strtol(j->call->value, NULL, 10); /* what is no number is 0, as in jq */

    if (indent < -1 || indent > 7)
        return fail(j, "--indent takes a number between -1 and 7");
    return set_indent(j, indent < 0 ? 8 : (int)indent);
}

static int long_option(struct jq *j, int id)
{
    switch (id) {
    case OPT_ARGS:
        return set_mode(j, JQ_TEXTS);
    case OPT_JSONARGS:
        return set_mode(j, JQ_VALUES);
    case OPT_TAB:
        return set_indent(j, 8);
    case OPT_INDENT:
        return indent_option(j);
    case OPT_SEQ:
        j->run.seq = true;
        j->parser_flags |= JV_PARSE_SEQ;
        return 0;
    case OPT_STREAM:
        j->parser_flags |= JV_PARSE_STREAMING;
        return 0;
    case OPT_STREAM_ERRORS:
        j->parser_flags |= JV_PARSE_STREAM_ERRORS;
        return 0;
    case OPT_UNBUFFERED:
        return 0;
    default:
        return add_named(j, id);
    }
}

static int option(struct jq *j, int id)
{
    switch (id) {
    case 'n':
        j->null_input = true;
        return 0;
    case 'r':
        j->run.raw = true;
        return 0;
    case 'j':
        j->run.raw = j->run.no_newline = true;
        return 0;
    case 'a':
        j->run.dump_flags |= JV_PRINT_ASCII;
        j->run.ascii = true;
        return 0;
    case 's':
        j->slurp = true;
        return 0;
    case 'c':
        return set_indent(j, 0);
    case 'C':
        j->run.dump_flags |= JV_PRINT_COLOR;
        return 0;
    case 'M':
        j->run.dump_flags &= ~JV_PRINT_COLOR;
        return 0;
    case 'S':
        j->run.dump_flags |= JV_PRINT_SORTED;
        return 0;
    case 'e':
        j->exit_status = true;
        return 0;
    case 'R':
        j->raw_input = true;
        return 0;
    case 'f':
        j->from_file = true;
        return 0;
    default:
        return long_option(j, id);
    }
}

/* Tells operands apart: the program, then files or arguments. */
static int take_operands(struct jq *j, const char **ret_program)
{
    struct tc_cmd_call *c = j->call;
    int n = 0;

    j->files = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    if (!j->files)
        return tc_cmd_fail_memory(c);
    for (int i = c->at; i < c->argc; i++, n++) {
        enum jq_mode mode = JQ_FILES;
        jv value;

        for (size_t m = 0; m < j->n_modes; m++)
            if (n >= j->modes[m].operand)
                mode = j->modes[m].mode;
        if (!*ret_program) {
            *ret_program = c->argv[i];
        } else if (mode == JQ_FILES) {
            j->files[j->n_files++] = c->argv[i];
        } else {
            value = mode == JQ_TEXTS ? jv_string(c->argv[i]) : jv_parse(c->argv[i]);
            if (!jv_is_valid(value)) {
                jv_free(value);
                return fail(j, "invalid JSON text passed to --jsonargs");
            }
            j->positional = jv_array_append(j->positional, value);
        }
    }
    return 0;
}

/* -f: the first operand is the file of the program. */
static int read_program(struct jq *j, const char **program)
{
    struct tc_str text;
    int error = read_file(j, *program, &text);

    if (!error) {
        *program = text.p;
        return 0;
    }
    tc_cmd_printf(j->call->err, "jq: Could not open %s: %s\n", *program, strerror(error));
    return 2;
}

static int run_program(struct jq *j, const char *program)
{
    jv args = jv_object(), named = jv_copy(j->named);
    int status;

    args = jv_object_set(args, jv_string("positional"), jv_copy(j->positional));
    args = jv_object_set(args, jv_string("named"), jv_copy(j->named));
    if (is_new(j, "ARGS"))
        named = jv_object_set(named, jv_string("ARGS"), args);
    else
        jv_free(args);
    if (!(j->parser_flags & JV_PARSE_STREAMING)) /* without paths the library cannot print what it makes of a fault */
        j->parser_flags &= ~JV_PARSE_STREAM_ERRORS;
    j->run.next = tc_jq_next_value;
    j->run.file_name = tc_jq_file_name;
    j->run.line = tc_jq_line_number;
    j->run.arg = j;
    j->run.colors = tc_cmd_getenv(j->call, "JQ_COLORS");
    if (j->run.colors && !jq_set_colors(j->run.colors))
        tc_cmd_puts(j->call->err, "Failed to set $JQ_COLORS\n");
    j->parser = jv_parser_new(j->parser_flags);
    status = tc_jq_run_start(&j->run, program, named);
    if (!status)
        status = tc_jq_run_all(&j->run, j->null_input);
    if (status >= 10)
        status = j->exit_status ? status - 10 : 0;
    if (j->run.failures && status < 256)
        status = 2;
    return status;
}

static int run(struct tc_cmd_call *c)
{
    struct jq *j = TC_ARENA_NEW(c->arena, struct jq);
    const char *program = NULL;
    int id, status = 0;

    if (!j)
        return tc_cmd_fail_memory(c);
    j->call = j->run.call = c;
    j->run.dump_flags = JV_PRINT_INDENT_FLAGS(2);
    j->named = jv_object();
    j->positional = jv_array();
    tc_buf_init(&j->line, JQ_TEXT_MAX);
    while (!status && (id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        status = id == TC_CMD_OPTION_BAD ? 2 : option(j, id);
    if (!status)
        status = take_operands(j, &program);
    if (!status && !program && j->from_file)
        status = fail(j, "no program file");
    if (!status && program && j->from_file)
        status = read_program(j, &program);
    if (!status)
        status = run_program(j, program ? program : ".");
    tc_jq_run_finish(&j->run);
    if (j->parser)
        jv_parser_free(j->parser);
    jv_free(j->named);
    jv_free(j->positional);
    tc_buf_finish(&j->line);
    return status;
}

static const struct tc_cmd_option options[] = {
    {'n', "n,null-input", TC_CMD_NONE, NULL, "run once with null; inputs come by `input` and `inputs`"},
    {'r', "r,raw-output", TC_CMD_NONE, NULL, "write strings without quotes"},
    {'j', "j,join-output", TC_CMD_NONE, NULL, "as -r, without a line feed after each result"},
    {'a', "a,ascii-output", TC_CMD_NONE, NULL, "escape what is not ASCII"},
    {'s', "s,slurp", TC_CMD_NONE, NULL, "read all inputs into one array"},
    {'c', "c,compact-output", TC_CMD_NONE, NULL, "write each result on one line"},
    {'C', "C,color-output", TC_CMD_NONE, NULL, "write in colors"},
    {'M', "M,monochrome-output", TC_CMD_NONE, NULL, "write without colors"},
    {'S', "S,sort-keys", TC_CMD_NONE, NULL, "write the keys of objects in order"},
    {'e', "e,exit-status", TC_CMD_NONE, NULL, "status 1 when the last result is false or null, 4 without one"},
    {'R', "R,raw-input", TC_CMD_NONE, NULL, "read lines as strings"},
    {'f', "f,from-file", TC_CMD_NONE, NULL, "the first operand is the file of the program"},
    {OPT_TAB, "tab", TC_CMD_NONE, NULL, "indent by tabs"},
    {OPT_INDENT, "indent", TC_CMD_VALUE, "N", "indent by N spaces, at most 7"},
    {OPT_UNBUFFERED, "unbuffered", TC_CMD_NONE, NULL, "accepted"},
    {OPT_SEQ, "seq", TC_CMD_NONE, NULL, "read and write application/json-seq"},
    {OPT_STREAM, "stream", TC_CMD_NONE, NULL, "read values as paths and leaves"},
    {OPT_STREAM_ERRORS, "stream-errors", TC_CMD_NONE, NULL, "faults in the text are values, with --stream"},
    {OPT_ARG, "arg", TC_CMD_VALUE, "NAME TEXT", "set $NAME to a string"},
    {OPT_ARGJSON, "argjson", TC_CMD_VALUE, "NAME JSON", "set $NAME to a value"},
    {OPT_SLURPFILE, "slurpfile", TC_CMD_VALUE, "NAME FILE", "set $NAME to the array of the values in FILE"},
    {OPT_RAWFILE, "rawfile", TC_CMD_VALUE, "NAME FILE", "set $NAME to the text of FILE"},
    {OPT_ARGS, "args", TC_CMD_NONE, NULL, "what follows are strings of $ARGS.positional"},
    {OPT_JSONARGS, "jsonargs", TC_CMD_NONE, NULL, "what follows are values of $ARGS.positional"},
    {0},
};

const struct tc_cmd tc_command_jq = {
    .name = "jq",
    .usage = "[OPTION]... FILTER [FILE]...\n[OPTION]... FILTER --args [TEXT]...",
    .summary = "Filter and change JSON (as jq 1.6).",
    .options = options,
    .flags = TC_CMD_LETTERS,
    .run = run,
};
