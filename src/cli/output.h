/*
 * What the command says: results on standard output, gathered and then written
 * without stopping the loop; errors and notes on standard error.
 */
#ifndef TC_CLI_OUTPUT_H
#define TC_CLI_OUTPUT_H

#include "cli/cli.h"
#include "toolcrib/json.h"

struct tc_cli_table;

/* Colour where the descriptor is a terminal that has it and NO_COLOR is unset. */
struct tc_cli_look tc_cli_look_of(int fd);

void tc_cli_print(struct tc_cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Text from outside: as it is, but harmless where the output is a terminal. */
void tc_cli_text(struct tc_cli *cli, struct tc_str text);
/* "key:   value" with the value harmless; an empty value prints nothing. */
void tc_cli_field(struct tc_cli *cli, const char *key, struct tc_str value);
/* One value and a line end: indented on a terminal, else on one line. */
void tc_cli_json(struct tc_cli *cli, const struct tc_json *value);
/* The diagnostics of an answer, a line each. */
void tc_cli_diagnostics(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer);
enum tc_err tc_cli_rows(struct tc_cx *cx, struct tc_cli *cli, const struct tc_cli_table *table);
/* Writes what was gathered. TC_E_CLOSED when the reader is gone, TC_E_IO. */
PARKS enum tc_err tc_cli_flush(struct tc_cx *cx, struct tc_cli *cli);

/* A line on standard error; to whom nobody watches a terminal, nothing. */
void tc_cli_progress(struct tc_cx *cx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A line on standard error, always. Not with --json. */
void tc_cli_note(struct tc_cx *cx, const struct tc_cli *cli, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes what was gathered to standard error, and empties it. */
void tc_cli_tell(struct tc_buf *text);
/* The failure: "error: sentence (code)" and "hint: …", or one line of JSON. */
void tc_cli_report(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_error *err);
/* The text of such a report; pure. */
void tc_cli_report_text(struct tc_buf *to, const struct tc_error *err, const struct tc_cli_look *look);
void tc_cli_report_json(struct tc_buf *to, const struct tc_error *err);

/* --- pieces of JSON as text --- */

/* A string as it is, null and absent as "", anything else as JSON. */
struct tc_str tc_cli_show(struct tc_arena *arena, const struct tc_json *value);
struct tc_str tc_cli_member(struct tc_arena *arena, const struct tc_json *object, const char *key);
/* The items of an array of strings, joined by ", ". */
struct tc_str tc_cli_join(struct tc_arena *arena, const struct tc_json *array);

#endif
