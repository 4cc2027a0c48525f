/*
 * The daemon put together: data folder and its lock, key, store, sources,
 * runtime, API, MCP endpoint, HTTP server. The one place that names concrete
 * adapters.
 */
#ifndef TC_DAEMON_DAEMON_H
#define TC_DAEMON_DAEMON_H

#include "daemon/config.h"
#include "io/task.h"

struct tc_daemon;
struct tc_interface;
struct tc_runtime;

struct tc_daemon_options {
    struct tc_loop *loop;
    const struct tc_config *config;
    bool listen;  /* on config->listen too, not only on the socket of the data folder */
    bool connect; /* start the MCP servers now, not at their first use */
    const struct tc_interface *interface; /* for browsers; NULL: none */
};

/* Takes the lock without waiting (TC_E_STORE_LOCKED when somebody has it), makes
 * what is missing, opens everything, listens. On failure all is as it was. */
PARKS enum tc_err tc_daemon_start(struct tc_cx *cx, const struct tc_daemon_options *options,
                                  struct tc_daemon **ret_daemon);
/* Lets running requests end, closes everything, gives the lock back. NULL is fine. */
PARKS void tc_daemon_stop(struct tc_cx *cx, struct tc_daemon *daemon);

struct tc_runtime *tc_daemon_runtime(struct tc_daemon *daemon);
int tc_daemon_port(const struct tc_daemon *daemon); /* of TCP; 0: none */
/* <data>/toolcrib.sock, in the arena. */
struct tc_str tc_daemon_socket(struct tc_cx *cx, const struct tc_config *config);

#endif
