/*
 * What the command needs of the program around it: a daemon to speak to. The
 * command itself knows HTTP only; daemon/ implements this.
 */
#ifndef TC_CLI_HOST_H
#define TC_CLI_HOST_H

#include "io/task.h"
#include "toolcrib/jsonw.h"

struct tc_cli_place {
    struct tc_str data, config, listen; /* --data, --config, --listen, or empty */
};

struct tc_cli_host;

struct tc_cli_host_ops {
    /* Finds who holds the data folder's lock, or composes a daemon in this process,
     * which then lives until detach. *ret_socket is its Unix socket. A holder
     * without a socket is waited for, 5 s, then TC_E_STORE_LOCKED. Parks. */
    enum tc_err (*attach)(struct tc_cx *cx, struct tc_cli_host *self, const struct tc_cli_place *place,
                          struct tc_str *ret_socket);
    /* Ends what attach composed. Parks. */
    void (*detach)(struct tc_cx *cx, struct tc_cli_host *self);
    /* The command `serve`: starts the daemon with TCP, prints what a person needs
     * to go on (first tokens, snippets), runs until SIGINT or SIGTERM. Parks. */
    enum tc_err (*serve)(struct tc_cx *cx, struct tc_cli_host *self, const struct tc_cli_place *place);
    /* The description of the API as one value; needs no daemon. */
    enum tc_err (*describe)(struct tc_cx *cx, struct tc_cli_host *self, struct tc_jsonw *w);
};

struct tc_cli_host {
    const struct tc_cli_host_ops *ops;
};

/* Runs one command line; argv[0] is the program. Returns its exit code (spec 12).
 * Called in a task. */
PARKS int tc_cli_main(struct tc_cx *cx, struct tc_cli_host *host, int argc, char **argv);

#endif
