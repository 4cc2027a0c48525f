/*
 * Waiting for a run: it is started or taken up by a request, its journal is shown as it
 * is written, its questions are put to the person at the terminal, and Ctrl-C cancels
 * it. The request and the journal are read in a task beside, so that a second Ctrl-C
 * can leave at once.
 */
#ifndef TC_CLI_RUN_FOLLOW_H
#define TC_CLI_RUN_FOLLOW_H

#include "cli/request.h"

struct tc_run_follow {
    const char *path;         /* where body goes, which answers with the run's row; NULL: the run is there */
    struct tc_cli_body *body; /* taken */
    struct tc_str id;         /* of a run that is there */
    int64_t after;            /* its events after that */
    bool asks;                /* its questions are ours: asked, or declined where nobody is there */
    bool whole;               /* no text in pieces */
    bool watches;             /* only looks on: Ctrl-C leaves it running */
    void (*write)(struct tc_cli *cli, const struct tc_json *event); /* instead of showing it; NULL: shown */
};

struct tc_run_outcome {       /* in the arena of the caller */
    struct tc_str id, status; /* status is empty when the end was not seen */
    struct tc_str code, message, hint;
    bool interrupted;         /* by Ctrl-C, here */
    bool left;                /* without waiting for the end */
};

struct tc_run_start { /* what is empty is left out */
    struct tc_str agent, text, session, workspace, channel, model;
};
/* The body of /admin/run/start. Where a person is there the run may ask. An absent
 * workspace folder: TC_E_CONFIG_UNREADABLE. */
enum tc_err tc_run_start_body(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_run_start *start,
                              struct tc_cli_body *ret_body);

/* A person is there to answer what a run asks. */
bool tc_run_follow_attended(const struct tc_cli *cli);
/* With --json an event a line. Fails when the run could not be started or its end was
 * not seen; how it ended is no failure. */
PARKS enum tc_err tc_run_follow(struct tc_cx *cx, struct tc_cli *cli, const struct tc_run_follow *what,
                                struct tc_run_outcome *ret_outcome);
/* The outcome as failure or exit code of the command (spec 12): 0 completed, 130 after
 * Ctrl-C, otherwise that of its error, or 1. */
enum tc_err tc_run_follow_judge(struct tc_cx *cx, struct tc_cli *cli, const struct tc_run_outcome *outcome);

#endif
