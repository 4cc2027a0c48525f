/*
 * What the parts of sed share: one struct sed for a run, with its options, program,
 * files and spaces. tc_sed_finish destroys what is not in the arena of the call.
 */
#ifndef TC_SHELL_SED_SED_H
#define TC_SHELL_SED_SED_H

#include "shell/sed/program.h"

struct sed_append { /* what follows the pattern space: a, r, R */
    struct tc_str text;
    bool is_file;
};

struct sed_space {
    struct tc_buf buf;
    bool chomped; /* it had its newline, and is printed with one */
};

struct sed {
    struct tc_cmd_call *c;
    /* options */
    bool quiet, extended, separate, in_place, null_data, unbuffered, sandbox, follow;
    const char *suffix; /* of -i; NULL none */
    int64_t line_length;
    /* the program */
    struct sed_command *commands;
    size_t commands_n, commands_cap;
    struct sed_label {
        struct sed_label *next;
        struct tc_str name;
        size_t at;
    } *labels;
    size_t blocks[128];
    size_t blocks_n;
    struct sed_regex *regexes;
    struct sed_out *outs;
    struct sed_out main_out;
    struct sed_reader *readers;
    struct tc_buf pending_text, *pending; /* text of a, i, c that goes on in the next piece of the script */
    size_t pending_at;      /* its command */
    bool pieces;            /* one was parsed already */
    struct tc_buf scratch;
    /* the run */
    struct tc_regex *last_regex;
    struct sed_space pattern, hold;
    struct tc_buf accumulated; /* the result of s, swapped with the pattern space */
    struct sed_append *appends;
    size_t appends_n, appends_cap;
    int64_t line;
    char **files;
    int files_n, files_at;
    struct tc_cmd_in *in;
    const char *name; /* of the file that is read */
    struct tc_cmd_out *replaced; /* the new contents with -i */
    int status;
    bool replaced_flag; /* t */
    bool failed;        /* a message was written: end with `status` */
};

/* The next piece of the program; `where` is "-e expression #1" or the file's name. False: the message is written. */
PARKS bool tc_sed_parse(struct sed *s, struct tc_str script, const char *where, bool is_file);
/* After the last piece: blocks and labels. */
bool tc_sed_parse_end(struct sed *s);

/* A file of w by its name; NULL: the message is written. PARKS. */
PARKS struct sed_out *tc_sed_out(struct sed *s, const char *name);
void tc_sed_print(struct sed *s, struct sed_out *out, struct tc_str text, bool ended);
/* Closes what was edited: with -i the new contents take the place of the old. */
PARKS void tc_sed_close_input(struct sed *s);
/* The next line into the pattern space, appended to it when `append`; false at the end. */
PARKS bool tc_sed_read(struct sed *s, bool append);
PARKS bool tc_sed_is_last(struct sed *s);
/* Writes what a, r and R left for behind the line. */
PARKS void tc_sed_dump_appends(struct sed *s);

/* s on the pattern space; false when the run is to end. */
PARKS bool tc_sed_substitute(struct sed *s, const struct sed_subst *subst, bool *ret_done);
bool tc_sed_map(struct sed *s, const struct sed_map *map);
/* The regular expression to use, the last one for an empty one; NULL: the message is written. */
struct tc_regex *tc_sed_regex(struct sed *s, const struct sed_regex *regex);

PARKS int tc_sed_run(struct sed *s);
void tc_sed_finish(struct sed *s);

#endif
