/*
 * libjq for the commands jq and yq: one program, run on values one after the other.
 *
 * What the library would do by itself is taken from it: it reads no files (the search
 * path is empty), its messages go to the command's stderr, env and $ENV are the
 * shell's exported variables, `stderr` and input_filename come through the callbacks.
 * When memory runs out inside of it, it is left by a jump and not entered again.
 */
#ifndef TC_SHELL_CMDS_JQ_RUN_H
#define TC_SHELL_CMDS_JQ_RUN_H

#include <jq.h>
#include <setjmp.h>
#include "toolcrib/shellfs.h"

struct jq_run {
    struct tc_cmd_call *call;
    jq_state *jq;
    jmp_buf out_of_memory; /* set by tc_jq_run_guard */
    bool broken;           /* memory ran out inside */
    bool compile_failed;
    /* The next value for the program; invalid at the end, with a message when it cannot be read. */
    jv (*next)(void *arg);
    /* Of the input: its name or null, and lines read. */
    jv (*file_name)(void *arg);
    int64_t (*line)(void *arg);
    void *arg;
    int failures; /* inputs that could not be opened: the value at hand is the last, as in jq */
    enum { JQ_ASKS_NOTHING, JQ_ASKS_NAME, JQ_ASKS_LINE } asks;
    int dump_flags;
    const char *colors; /* of JQ_COLORS; NULL: jq's own */
    bool raw, ascii, no_newline, seq;
    /* Writes one result, which is consumed; NULL: as JSON by the flags above. False: stop. */
    bool (*print)(struct jq_run *run, jv result);
};

/* Compiles; named: an object of variables, consumed. 0, or the status to end with after the message. */
int tc_jq_run_start(struct jq_run *run, const char *program, jv named);
/* Runs the program on one value, which is consumed. The status: 0, 11 when the last result was false or null, 14
 * without results, 5 after an error, or that of halt; *ret_halted. */
int tc_jq_run_value(struct jq_run *run, jv value, bool *ret_halted);
/* All values until the end; the status as jq has it. */
int tc_jq_run_all(struct jq_run *run, bool null_input);
void tc_jq_run_finish(struct jq_run *run);
/* The memory handler is the thread's: after each park it is set again. */
void tc_jq_run_enter(struct jq_run *run);
/* Writes text as a JSON document the way jq prints it. */
void tc_jq_print_json(struct jq_run *run, jv value);

#endif
