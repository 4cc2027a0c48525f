/*
 * The walk over the operands of a command that reads files: each opened in its turn,
 * "-" or none at all being standard input. What cannot be opened or read is told and
 * makes the status 1.
 */
#ifndef TC_SHELL_CMDS_INPUTS_H
#define TC_SHELL_CMDS_INPUTS_H

#include "toolcrib/shellcmd.h"

/* struct tc_inputs inputs = {0}; while (tc_inputs_next(c, &inputs)) … inputs.in */
struct tc_inputs {
    struct tc_cmd_in *in; /* the open one; closed by the next call */
    const char *name;     /* the operand; "-" for standard input */
    int at;               /* operands seen */
    int status;
};

/* PARKS. False when all were seen or the command is to stop; inputs->status is then its status. */
bool tc_inputs_next(struct tc_cmd_call *c, struct tc_inputs *inputs);
/* The next line of all inputs as if they were one; false at the end. PARKS. */
bool tc_inputs_line(struct tc_cmd_call *c, struct tc_inputs *inputs, char delimiter, struct tc_str *ret_line,
                    bool *ret_ended);

/* Opens, reads all, closes; a fault is told. PARKS. */
bool tc_inputs_read(struct tc_cmd_call *c, const char *path, size_t max, struct tc_str *ret_bytes);

/* A count of bytes as C writes numbers, 0x10 or 010, or decimal with GNU's suffixes. False when it is none. */
bool tc_inputs_count(const char *text, int64_t *ret);

#endif
