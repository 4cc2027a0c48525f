/*
 * Lines that a person types, with editing and history where standard input is a
 * terminal; elsewhere lines as they come.
 */
#ifndef TC_CLI_LINES_H
#define TC_CLI_LINES_H

#include "io/task.h"

struct tc_lines;

enum { TC_LINES_MAX = 1024 * 1024 /* bytes of a line; what is longer is cut */ };

/* Editing shows on standard error. */
PARKS enum tc_err tc_lines_open(struct tc_cx *cx, const char *prompt, struct tc_lines **ret_lines);
PARKS void tc_lines_close(struct tc_cx *cx, struct tc_lines *lines); /* NULL is fine */
/* From the next line on. What is longer than 255 characters is cut. */
void tc_lines_prompt(struct tc_lines *lines, struct tc_str prompt);
/* Ctrl-C ended the last line. */
bool tc_lines_interrupted(const struct tc_lines *lines);
bool tc_lines_edited(const struct tc_lines *lines);
/* A line that may be recalled, as if it had been typed. */
PARKS enum tc_err tc_lines_remember(struct tc_cx *cx, struct tc_lines *lines, struct tc_str line);
/* The next line without its end, in cx->arena; p is NULL at the end of the input. Ctrl-C
 * gives an empty line. */
PARKS enum tc_err tc_lines_read(struct tc_cx *cx, struct tc_lines *lines, struct tc_str *ret_line);

#endif
