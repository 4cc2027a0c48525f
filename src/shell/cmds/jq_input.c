/*
 * What jq reads: its files one after the other, as values, lines or one text. They are
 * handed to libjq's parser line by line, so that positions in messages are what jq's are.
 */
#include "shell/cmds/jq_input.h"

static bool next_file(struct jq *j)
{
    int error;

    for (;;) {
        if (j->in)
            tc_cmd_close(j->call, j->in);
        j->in = NULL;
        if (j->n_files == 0 ? j->opened : j->at_file >= j->n_files)
            return false;
        j->opened = true;
        j->name = j->n_files ? j->files[j->at_file++] : NULL;
        if (j->name && strcmp(j->name, "-") == 0)
            j->name = NULL;
        error = tc_cmd_open(j->call, j->name, &j->in);
        j->lines = 0;
        if (!error)
            return true;
        j->in = NULL;
        tc_cmd_flush(j->call->out);
        tc_cmd_printf(j->call->err, "jq: error: Could not open file %s: %s\n", j->name, strerror(error));
        j->run.failures++;
    }
}

/* The next line with its end into j->line; false at the end of all input. */
static bool next_line(struct jq *j)
{
    struct tc_str line;
    bool ended;
    int got;

    for (;;) {
        if (!j->in && !next_file(j))
            return false;
        got = tc_cmd_line(j->call, j->in, '\n', &line, &ended);
        if (got > 0)
            break;
        if (got < 0) {
            if (tc_cmd_stopped(j->call))
                return false;
            tc_cmd_printf(j->call->err, "jq: error: Input error: %s\n", strerror(tc_cmd_in_error(j->in)));
            j->run.failures++;
        }
        if (j->n_files == 0 || j->at_file >= j->n_files) { /* the name of the last one stays */
            tc_cmd_close(j->call, j->in);
            j->in = NULL;
            return false;
        }
        next_file(j);
        if (!j->in)
            return false;
    }
    tc_buf_clear(&j->line);
    tc_buf_str(&j->line, line);
    if (ended)
        tc_buf_char(&j->line, '\n');
    j->lines += ended;
    return !j->line.failed;
}

static jv raw_line(struct jq *j)
{
    struct tc_str line;

    if (!next_line(j))
        return jv_invalid();
    line = tc_buf_get(&j->line);
    if (line.n && line.p[line.n - 1] == '\n')
        line.n--;
    return jv_string_sized(line.p, (int)line.n);
}

static jv parsed(struct jq *j)
{
    jv value;

    for (;;) {
        value = jv_parser_next(j->parser);
        if (jv_is_valid(value) || jv_invalid_has_msg(jv_copy(value)))
            return value;
        jv_free(value);
        if (jv_parser_remaining(j->parser) > 0)
            continue; /* with --seq the mark before a text is none */
        if (j->ended)
            return jv_invalid();
        if (next_line(j)) {
            jv_parser_set_buf(j->parser, j->line.p, (int)j->line.n, 1);
        } else {
            j->ended = true;
            jv_parser_set_buf(j->parser, "", 0, 0);
        }
    }
}

static jv slurp_text(struct jq *j)
{
    jv text = jv_string("");

    while (next_line(j))
        text = jv_string_append_buf(text, j->line.p, (int)j->line.n);
    return text;
}

static jv slurp_values(struct jq *j)
{
    jv all = jv_array(), value;

    while (jv_is_valid(value = parsed(j)))
        all = jv_array_append(all, value);
    if (!jv_invalid_has_msg(jv_copy(value))) {
        jv_free(value);
        return all;
    }
    jv_free(all);
    return value;
}

jv tc_jq_next_value(void *arg)
{
    struct jq *j = arg;

    if (!j->slurp)
        return j->raw_input ? raw_line(j) : parsed(j);
    if (j->slurped_given)
        return jv_invalid();
    j->slurped_given = true;
    return j->raw_input ? slurp_text(j) : slurp_values(j);
}

jv tc_jq_file_name(void *arg)
{
    struct jq *j = arg;

    return j->name ? jv_string(j->name) : jv_null();
}

int64_t tc_jq_line_number(void *arg)
{
    struct jq *j = arg;

    return j->opened ? j->lines : -1;
}
