/*
 * What the command reads: files, standard input, a secret or a yes from the
 * terminal. Waiting for a person or a pipe never stops the loop.
 */
#ifndef TC_CLI_INPUT_H
#define TC_CLI_INPUT_H

#include "cli/cli.h"
#include "toolcrib/json.h"

/* The whole file, "-" is standard input, in the arena. TC_E_CONFIG_UNREADABLE, TC_E_JSON_SIZE. */
PARKS enum tc_err tc_cli_read_file(struct tc_cx *cx, struct tc_str path, size_t max, struct tc_str *ret_text);
/* TEXT, @FILE or - of a command line: the text, that of the file, standard input. */
PARKS enum tc_err tc_cli_read_text(struct tc_cx *cx, struct tc_str operand, size_t max, struct tc_str *ret_text);
/* A file as one JSON value. */
PARKS enum tc_err tc_cli_read_json(struct tc_cx *cx, struct tc_str path, const struct tc_json **ret_value);
/* A line typed without echo; or, where standard input is no terminal, all of it
 * without one line end. TC_E_CANCELED after Ctrl-C. */
PARKS enum tc_err tc_cli_read_secret(struct tc_cx *cx, const char *prompt, struct tc_str *ret_secret);
/* True after y or yes. Standard input is a terminal. */
PARKS enum tc_err tc_cli_confirm(struct tc_cx *cx, const char *question, bool *ret_yes);
/* A line that a person types, without its end; p is NULL at the end of the input. Ends
 * soon when the task is cancelled. */
PARKS enum tc_err tc_cli_read_line(struct tc_cx *cx, const char *prompt, struct tc_str *ret_line);
/* An absolute path without links; TC_E_CONFIG_UNREADABLE when there is no such thing. */
enum tc_err tc_cli_real_path(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_path);
/* The same for a folder. */
enum tc_err tc_cli_real_folder(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_path);

#endif
