/*
 * A run of the command jq: its options, and where it stands in its input.
 */
#ifndef TC_SHELL_CMDS_JQ_INPUT_H
#define TC_SHELL_CMDS_JQ_INPUT_H

#include "shell/cmds/jq_run.h"

enum { JQ_TEXT_MAX = 1 << 28, JQ_MODES_MAX = 64 };

enum jq_mode { JQ_FILES, JQ_TEXTS, JQ_VALUES };

struct jq {
    struct jq_run run;
    struct tc_cmd_call *call;
    /* options */
    bool null_input, slurp, raw_input, exit_status, from_file;
    int parser_flags;
    jv named, positional;
    struct {
        int operand; /* from this one on */
        enum jq_mode mode;
    } modes[JQ_MODES_MAX];
    size_t n_modes;
    /* input */
    char **files;
    int n_files, at_file;
    struct tc_cmd_in *in;
    const char *name; /* of the file that is read; NULL: standard input */
    bool opened, ended;
    int64_t lines;
    jv_parser *parser;
    struct tc_buf line;
    jv slurped;
    bool slurped_given;
};

/* What struct jq_run asks for; arg is the struct jq. PARKS. */
jv tc_jq_next_value(void *arg);
jv tc_jq_file_name(void *arg);
int64_t tc_jq_line_number(void *arg);

#endif
