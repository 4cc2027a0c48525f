/*
 * A run as a person sees it: its text on standard output, and on standard error a line
 * for each call and for what else takes time. Pure: events in, bytes out.
 *
 * On a terminal the lines of the calls of a turn stay where they are while their states
 * change; without one each call is told once, when it is over. The text on standard
 * output is the same in each of these cases: the whole texts of the turns, a blank line
 * between two (which a terminal does without where lines of calls stand between them).
 */
#ifndef TC_CLI_RUN_SHOW_H
#define TC_CLI_RUN_SHOW_H

#include "cli/cli.h"
#include "toolcrib/json.h"

enum { TC_RUN_SHOW_CALLS = 32 /* lines that can change at once; what is more is told at its end */ };

enum tc_run_show_state { TC_RUN_SHOW_WAITING, TC_RUN_SHOW_RUNNING, TC_RUN_SHOW_DONE, TC_RUN_SHOW_FAILED };

struct tc_run_show_call {
    char id[72], name[72], code[72];
    enum tc_run_show_state state;
    int64_t ms;
};

struct tc_run_show {
    struct tc_cli_look out, err; /* of standard output and standard error */
    size_t rows;                 /* of the terminal; 0: not known */
    bool joined;                 /* both go to one place: lines of standard error do not begin within a text */
    bool live;                   /* lines that were written can change */
    bool whole;                  /* a text is shown when all of it is there */

    struct tc_buf said;          /* of the present text: what stands on standard output */
    struct tc_buf heard;         /* of the present text: what has come */
    bool any, mid_line;          /* a text was shown before; the last one has no line end */
    struct tc_run_show_call calls[TC_RUN_SHOW_CALLS]; /* of the present turn */
    size_t calls_n, drawn;       /* drawn: lines of them that are above the cursor */
    bool held;                   /* somebody is being asked: nothing on standard error changes meanwhile */
};

void tc_run_show_init(struct tc_run_show *show, const struct tc_cli_look *out, const struct tc_cli_look *err);
void tc_run_show_finish(struct tc_run_show *show);
/* One event of the journal {type, data}: appends what is to be written. What goes to
 * standard output is meant to be written first. */
void tc_run_show_event(struct tc_run_show *show, const struct tc_json *event, struct tc_buf *out, struct tc_buf *err);
/* One dim line; nothing while somebody is asked. */
void tc_run_show_note(struct tc_run_show *show, struct tc_buf *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A question begins: the cursor is at the start of a line. */
void tc_run_show_hold(struct tc_run_show *show, struct tc_buf *err);
/* It is over: calls that are still running are shown again. */
void tc_run_show_go_on(struct tc_run_show *show, struct tc_buf *err);
/* All has come: ends the last line of the text. */
void tc_run_show_end(struct tc_run_show *show, struct tc_buf *out);

#endif
