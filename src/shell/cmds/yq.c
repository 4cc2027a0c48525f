/*
 * The command yq: jq's filters on YAML, as kislyuk's yq: documents come in as values,
 * results go out as JSON, or as YAML with -y. Also known is -o of the other yq. Filters
 * are those of jq; forms that are the other yq's alone are refused by libjq.
 */
#include "shell/cmds/jq_run.h"
#include "shell/cmds/yq_yaml.h"

enum { TEXT_MAX = 1 << 27, OPT_ARG = 256, OPT_ARGJSON };

struct yq {
    struct jq_run run;
    struct tc_cmd_call *c;
    bool yaml, in_place, slurp, null_input, exit_status, sort_keys;
    jv named, documents; /* of all files, or with -i of the one at hand */
    int at;              /* the next document */
    struct tc_buf out; /* results as YAML */
    bool any, open;    /* one was written; the last was a plain scalar */
};

static jv next_document(void *arg)
{
    struct yq *y = arg;

    if (y->slurp && y->at == 0) {
        y->at++;
        return jv_copy(y->documents);
    }
    if (y->slurp || y->at >= jv_array_length(jv_copy(y->documents)))
        return jv_invalid();
    return jv_array_get(jv_copy(y->documents), y->at++);
}

/* What is filtered comes through a pipe. */
static jv file_name(void *arg)
{
    (void)arg;
    return jv_null();
}

static int64_t line_number(void *arg)
{
    (void)arg;
    return 0;
}

static bool print_yaml(struct jq_run *run, jv result)
{
    struct yq *y = run->arg;

    if (run->raw && jv_get_kind(result) == JV_KIND_STRING) {
        tc_buf_cstr(&y->out, jv_string_value(result));
        tc_buf_char(&y->out, '\n');
        jv_free(result);
        return !y->out.failed;
    }
    y->open = tc_yq_dump(&y->out, result, y->any, y->sort_keys);
    y->any = true;
    return !y->out.failed;
}

/* Adds the documents of a file, or of standard input. 0, or the status after a fault. */
static int load(struct yq *y, const char *path)
{
    struct tc_cmd_in *in;
    struct tc_str text;
    jv more, why;
    int error = tc_cmd_open(y->c, path, &in);

    if (!error)
        error = tc_cmd_read_all(y->c, in, TEXT_MAX, &text);
    if (error)
        return tc_cmd_fail_errno(y->c, path ? path : "-", error), 2;
    tc_cmd_close(y->c, in);
    more = tc_yq_load(text);
    if (jv_is_valid(more)) {
        y->documents = jv_array_concat(y->documents, more);
        return 0;
    }
    why = jv_invalid_get_msg(more);
    tc_cmd_flush(y->c->out);
    tc_cmd_fail(y->c, "%s: %s", path ? path : "<stdin>", jv_string_value(why));
    jv_free(why);
    return 1;
}

static int write_back(struct yq *y, const char *path)
{
    struct tc_cmd_out *out;
    int error = tc_cmd_replace(y->c, path, &out);

    if (error)
        return tc_cmd_fail_errno(y->c, path, error);
    tc_cmd_write(out, y->out.p ? y->out.p : "", y->out.n);
    error = tc_cmd_replace_close(y->c, out, true);
    return error ? tc_cmd_fail_errno(y->c, path, error) : 0;
}

/* The program on the documents that are loaded; results go to standard output, or with `path` back into the file. */
static int run_documents(struct yq *y, const char *program, const char *path)
{
    int status;

    y->at = 0;
    y->any = y->open = false;
    y->run.jq = NULL;
    status = tc_jq_run_start(&y->run, program, jv_copy(y->named));
    if (!status)
        status = tc_jq_run_all(&y->run, y->null_input);
    tc_jq_run_finish(&y->run);
    if (y->open)
        tc_buf_cstr(&y->out, "...\n");
    if (path && (status == 0 || status >= 10))
        status = write_back(y, path) ? 1 : status;
    else
        tc_cmd_write(y->c->out, y->out.p ? y->out.p : "", y->out.n);
    tc_buf_clear(&y->out);
    return status;
}

/* -i: each file for itself, until one fails. */
static int run_in_place(struct yq *y, const char *program)
{
    struct tc_cmd_call *c = y->c;
    int status = 0;

    for (; c->at < c->argc && (status == 0 || status >= 10); c->at++) {
        y->documents = (jv_free(y->documents), jv_array());
        status = load(y, c->argv[c->at]);
        if (!status)
            status = run_documents(y, program, c->argv[c->at]);
    }
    return status;
}

static int add_named(struct yq *y, int id)
{
    struct tc_cmd_call *c = y->c;
    const char *name = c->value, *text = c->option_at < c->argc ? c->argv[c->option_at++] : NULL;
    jv value = !text ? jv_invalid() : id == OPT_ARG ? jv_string(text) : jv_parse(text);

    if (!jv_is_valid(value)) {
        jv_free(value);
        return tc_cmd_fail_usage(c, "--arg takes a name and a text, --argjson a name and JSON");
    }
    y->named = jv_object_set(y->named, jv_string(name), value);
    return 0;
}

static int option(struct yq *y, int id)
{
    const char *value = y->c->value;

    switch (id) {
    case 'r':
        y->run.raw = true;
        return 0;
    case 'y':
        y->yaml = true;
        return 0;
    case 'i':
        y->in_place = true;
        return 0;
    case 'o':
        y->yaml = strcmp(value, "yaml") == 0 || strcmp(value, "y") == 0;
        if (y->yaml || strcmp(value, "json") == 0 || strcmp(value, "j") == 0)
            return 0;
        return tc_cmd_fail_usage(y->c, "invalid output format ‘%s’", value);
    case 'c':
        y->run.dump_flags &= ~(JV_PRINT_PRETTY | JV_PRINT_INDENT_FLAGS(7));
        return 0;
    case 's':
        y->slurp = true;
        return 0;
    case 'n':
        y->null_input = true;
        return 0;
    case 'e':
        y->exit_status = true;
        return 0;
    case 'S':
        y->sort_keys = true;
        y->run.dump_flags |= JV_PRINT_SORTED;
        return 0;
    default:
        return add_named(y, id);
    }
}

static int run_files(struct yq *y)
{
    struct tc_cmd_call *c = y->c;
    const char *program = c->at < c->argc ? c->argv[c->at++] : ".";
    int status = 0;

    if (y->in_place && (!y->yaml || c->at == c->argc))
        return tc_cmd_fail_usage(c, "-i wants -y and files");
    y->run.print = y->yaml ? print_yaml : NULL;
    if (y->in_place) {
        status = run_in_place(y, program);
    } else {
        if (c->at == c->argc && !y->null_input)
            status = load(y, NULL);
        for (; c->at < c->argc && !status; c->at++)
            status = load(y, c->argv[c->at]);
        if (!status)
            status = run_documents(y, program, NULL);
    }
    if (status >= 10)
        status = y->exit_status ? status - 10 : 0;
    return status;
}

static int run(struct tc_cmd_call *c)
{
    struct yq *y = TC_ARENA_NEW(c->arena, struct yq);
    int id, status = 0;

    if (!y)
        return tc_cmd_fail_memory(c);
    y->c = y->run.call = c;
    y->run.dump_flags = JV_PRINT_INDENT_FLAGS(2);
    y->run.next = next_document;
    y->run.file_name = file_name;
    y->run.line = line_number;
    y->run.arg = y;
    y->named = jv_object();
    y->documents = jv_array();
    tc_buf_init(&y->out, TEXT_MAX);
    while (!status && (id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        status = id == TC_CMD_OPTION_BAD ? 2 : option(y, id);
    if (!status)
        status = run_files(y);
    jv_free(y->named);
    jv_free(y->documents);
    tc_buf_finish(&y->out);
    return status;
}

static const struct tc_cmd_option options[] = {
    {'r', "r,raw-output", TC_CMD_NONE, NULL, "write strings without quotes"},
    {'y', "y,yaml-output", TC_CMD_NONE, NULL, "write YAML instead of JSON"},
    {'i', "i,in-place", TC_CMD_NONE, NULL, "write the results into the files, with -y"},
    {'o', "o,output-format", TC_CMD_VALUE, "FORMAT", "write json or yaml"},
    {'c', "c,compact-output", TC_CMD_NONE, NULL, "write each result on one line of JSON"},
    {'s', "s,slurp", TC_CMD_NONE, NULL, "the documents of a file are one array"},
    {'n', "n,null-input", TC_CMD_NONE, NULL, "run once with null"},
    {'e', "e,exit-status", TC_CMD_NONE, NULL, "status 1 when the last result is false or null, 4 without one"},
    {'S', "S,sort-keys", TC_CMD_NONE, NULL, "write the keys of mappings in order"},
    {OPT_ARG, "arg", TC_CMD_VALUE, "NAME TEXT", "set $NAME to a string"},
    {OPT_ARGJSON, "argjson", TC_CMD_VALUE, "NAME JSON", "set $NAME to a value"},
    {0},
};

const struct tc_cmd tc_command_yq = {
    .name = "yq",
    .usage = "[OPTION]... FILTER [FILE]...",
    .summary = "Filter and change YAML with the filters of jq.",
    .options = options,
    .flags = TC_CMD_LETTERS,
    .run = run,
};
