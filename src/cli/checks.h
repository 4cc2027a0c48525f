/*
 * What `doctor` finds: a list of checks, each good, doubtful or failed, with
 * the next step. Those of this machine are made here, without a daemon.
 */
#ifndef TC_CLI_CHECKS_H
#define TC_CLI_CHECKS_H

#include "toolcrib/cx.h"

enum tc_cli_check_state { TC_CLI_CHECK_OK, TC_CLI_CHECK_WARN, TC_CLI_CHECK_FAIL };

struct tc_cli_check {
    const char *name;
    enum tc_cli_check_state state;
    struct tc_str found, hint; /* hint: the next step; may be empty */
};

enum { TC_CLI_CHECKS_MAX = 256 };
struct tc_cli_checks {
    struct tc_arena *arena;
    struct tc_cli_check items[TC_CLI_CHECKS_MAX];
    size_t n; /* what does not fit is left out */
};

const char *tc_cli_check_name(enum tc_cli_check_state state); /* "ok", "warn", "fail" */
/* Adds one; the hint is a literal or in the arena. */
void tc_cli_check_add(struct tc_cli_checks *checks, const char *name, enum tc_cli_check_state state, struct tc_str hint,
                      const char *fmt, ...) __attribute__((format(printf, 5, 6)));
bool tc_cli_checks_failed(const struct tc_cli_checks *checks);

/* The kernel's doors that Toolcrib uses, and limits of the process. */
void tc_cli_check_kernel(struct tc_cli_checks *checks);
/* Helper programs beside this one, or where packages put them. */
void tc_cli_check_helpers(struct tc_cli_checks *checks);
/* Owner and permissions of the data folder and of what lies in it. */
void tc_cli_check_data(struct tc_cli_checks *checks, struct tc_str data_dir);

#endif
