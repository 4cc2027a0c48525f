/*
 * The corpus of the virtual shell: scripts with what bash 5.2 and the GNU tools of
 * Debian 12 made of them. A file *.cases holds many:
 *
 *     == name of the case
 *     -- file notes.txt          an input; "-- file PATH executable", "-- link PATH TARGET"
 *     -- stdin
 *     -- script
 *     -- status 0                from here on it is recorded
 *     -- stdout
 *     -- stderr
 *     -- tree                    what is in the working directory afterwards
 *     -- differs stdout stderr   parts that are meant to be different: the reason follows,
 *     -- ours stdout             and what is right there
 *
 * A section ends with the next line that begins with "-- " or "== ". One whose bytes
 * that would hide, or that are no text, is marked "escaped": \n \t \\ \xHH, a line a line.
 * A last line without its end is followed by "\ no newline".
 */
#ifndef TESTS_CORPUS_CASE_H
#define TESTS_CORPUS_CASE_H

#include "toolcrib/buf.h"
#include "toolcrib/cx.h"

enum { CASE_STDOUT, CASE_STDERR, CASE_TREE, CASE_OUTPUTS };

struct case_input {
    struct case_input *next;
    struct tc_str path, content;
    bool executable, link;
};

struct shell_case {
    struct shell_case *next;
    struct tc_str name, script, input;
    struct case_input *files;
    int line;
    bool recorded;
    int status, ours_status;
    struct tc_str outputs[CASE_OUTPUTS];
    struct tc_str ours[CASE_OUTPUTS];   /* where it differs */
    bool differs[CASE_OUTPUTS], differs_status;
    struct tc_str reason;
};

/* What a run gave. */
struct case_result {
    int status;
    struct tc_str outputs[CASE_OUTPUTS];
};

extern const char *const case_output_names[CASE_OUTPUTS];

/* The cases of a text, in order. A fault is told on stderr with its line: NULL. */
struct shell_case *case_parse(struct tc_arena *arena, const char *path, struct tc_str text, struct tc_str *ret_head);
void case_print(struct tc_buf *buf, const struct shell_case *item);

/* A fresh directory with the inputs of the case in `w/`, and what is there afterwards. */
bool case_lay(const struct shell_case *item, const char *root);
struct tc_str case_tree(struct tc_arena *arena, const char *root);

/* The environment of both sides; working directory /w. */
extern char *const case_environ[];

/* Runs it in bash, in a root of its own with nothing of the machine but its programs. */
bool case_run_host(struct tc_arena *arena, const struct shell_case *item, struct case_result *ret_result);
/* Runs it in ours, in a child. used: where the child notes options, or NULL. */
bool case_run_ours(struct tc_arena *arena, const struct shell_case *item, unsigned char *used,
                   struct case_result *ret_result);

#endif
