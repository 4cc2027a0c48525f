/*
 * The command line program: subcommands as tables, and what one run of it
 * carries. A file of this folder describes its command in a const table beside
 * the handlers of its verbs; parsing, help, completion and the man page come
 * from the tables, and the generated tc_cli_table lists them.
 */
#ifndef TC_CLI_CLI_H
#define TC_CLI_CLI_H

#include "cli/host.h"
#include "toolcrib/buf.h"

struct tc_client;
struct tc_cli;

struct tc_cli_option {
    const char *name;  /* without "--" */
    const char *value; /* as help shows it: "AGENT", or "a|b", which are then the only values; NULL: a switch */
    const char *help;  /* one line */
    bool many;         /* every one given counts, not only the last */
};

/* Parks. Prints to cli->out, or fails. */
typedef enum tc_err tc_cli_fn(struct tc_cx *cx, struct tc_cli *cli);

struct tc_cli_verb {
    const char *name;     /* NULL: what is meant when no other verb is named; often the only one */
    const char *operands; /* "NAME [TOOL]"; "-- COMMAND [ARG...]" or "[-- …]": what follows "--" is apart */
    const char *summary;  /* one line, no full stop */
    const struct tc_cli_option *options;
    size_t options_n;
    tc_cli_fn *run;
};

struct tc_cli_command {
    const char *name, *summary;
    const char *details; /* what help says more, lines of text; or NULL */
    /* The first is meant when none is named and it can do without operands, or has no name
     * itself: then any other word is its operand. */
    const struct tc_cli_verb *verbs;
    size_t verbs_n;
    bool offline; /* attaches to no daemon */
};

#define TC_CLI_OPTIONS(table) (table), sizeof(table) / sizeof *(table)
#define TC_CLI_VERBS(table) (table), sizeof(table) / sizeof *(table)

extern const struct tc_cli_command *const tc_cli_table[]; /* ends with NULL */
/* Options of every command; ends with a NULL name. */
extern const struct tc_cli_option tc_cli_globals[];

struct tc_cli_given { /* an option on the command line */
    const struct tc_cli_option *option;
    struct tc_str value;
};

enum { /* exit codes, as of other programs */
    TC_CLI_INTERRUPTED = 130,
    TC_CLI_BROKEN_PIPE = 141 /* the reader of the output is gone */
};

struct tc_cli_look { /* what an output can show */
    bool terminal, colour;
    size_t width; /* in columns; 0: no limit */
};

/* One run. Everything it points to lives in the arena of the run. */
struct tc_cli {
    struct tc_cli_host *host;
    struct tc_cli_place place;
    const struct tc_cli_command *command; /* NULL: none was named */
    const struct tc_cli_verb *verb;
    struct tc_cli_given *given;
    size_t given_n;
    struct tc_str *operands;
    size_t operands_n;
    struct tc_str *rest; /* after "--", where the verb keeps that apart */
    size_t rest_n;
    bool json, help, version;

    struct tc_client *client; /* NULL when offline */
    bool attached;
    struct tc_str socket;
    int64_t timeout_ms;       /* of a request; negative: none */

    struct tc_cli_look look;  /* of standard output */
    struct tc_buf out;        /* not yet written */
    int code;                 /* exit code when nothing failed: a check may say no */
};

/* Finds or makes the daemon to speak to; the end of the run detaches. For
 * commands that are offline and yet want one. */
PARKS enum tc_err tc_cli_attach(struct tc_cx *cx, struct tc_cli *cli);

/* The value of an option, the last one given; p is NULL when it is absent. */
struct tc_str tc_cli_value(const struct tc_cli *cli, const char *name);
bool tc_cli_has(const struct tc_cli *cli, const char *name);
/* Each value of an option in order: size_t at = 0; while (tc_cli_next(…)). */
bool tc_cli_next(const struct tc_cli *cli, const char *name, size_t *at, struct tc_str *ret_value);
/* The number of --limit, from 1 to max. TC_E_USAGE */
enum tc_err tc_cli_limit(struct tc_cx *cx, const struct tc_cli *cli, int64_t otherwise, int64_t max,
                         int64_t *ret_limit);
/* p is NULL when there are fewer. */
struct tc_str tc_cli_operand(const struct tc_cli *cli, size_t i);

#endif
