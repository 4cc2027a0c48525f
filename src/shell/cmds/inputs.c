/*
 * Operands as inputs, with GNU's messages.
 */
#include "shell/cmds/inputs.h"

#include <stdlib.h>

static void tell(struct tc_cmd_call *c, struct tc_inputs *inputs, int error)
{
    inputs->status = tc_cmd_fail_errno(c, inputs->name, error);
}

/* Ends the input at hand; a read that failed is told now. */
static void close_input(struct tc_cmd_call *c, struct tc_inputs *inputs)
{
    int error = tc_cmd_in_error(inputs->in);

    if (error && !tc_cmd_stopped(c))
        tell(c, inputs, error);
    tc_cmd_close(c, inputs->in);
    inputs->in = NULL;
}

bool tc_inputs_next(struct tc_cmd_call *c, struct tc_inputs *inputs)
{
    int n = c->argc - c->at;

    if (inputs->in)
        close_input(c, inputs);
    while (!tc_cmd_stopped(c) && inputs->at < (n ? n : 1)) {
        int error;

        inputs->name = n ? c->argv[c->at + inputs->at] : "-";
        inputs->at++;
        error = tc_cmd_open(c, inputs->name, &inputs->in);
        if (!error)
            return true;
        inputs->in = NULL;
        tell(c, inputs, error);
    }
    return false;
}

bool tc_inputs_line(struct tc_cmd_call *c, struct tc_inputs *inputs, char delimiter, struct tc_str *ret_line,
                    bool *ret_ended)
{
    for (;;) {
        if (inputs->in && tc_cmd_line(c, inputs->in, delimiter, ret_line, ret_ended) > 0)
            return tc_cmd_tick(c, 1);
        if (!tc_inputs_next(c, inputs))
            return false;
    }
}

bool tc_inputs_read(struct tc_cmd_call *c, const char *path, size_t max, struct tc_str *ret_bytes)
{
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, path, &in);

    if (!error) {
        error = tc_cmd_read_all(c, in, max, ret_bytes);
        tc_cmd_close(c, in);
    }
    if (error)
        tc_cmd_fail_errno(c, path, error);
    return error == 0;
}

bool tc_inputs_count(const char *text, int64_t *ret)
{
    unsigned long long n;
    char *end;

    if (text[0] != '0' || text[1] < '0')
        return tc_cmd_number(text, true, ret);
    n = strtoull(text, &end, 0);
    *ret = n > INT64_MAX ? INT64_MAX : (int64_t)n;
    return !*end;
}
