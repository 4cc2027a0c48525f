/*
 * The command's host (cli/host.h): finds a daemon for a data folder, or is one.
 */
#ifndef TC_DAEMON_HOST_H
#define TC_DAEMON_HOST_H

#include "cli/host.h"

struct tc_host;
struct tc_interface;

/* interface: for browsers, of daemons that serve; stays the caller's. */
enum tc_err tc_host_create(struct tc_cx *cx, struct tc_loop *loop, const struct tc_interface *interface,
                           struct tc_host **ret_host);
void tc_host_destroy(struct tc_host *host); /* detached; NULL is fine */
struct tc_cli_host *tc_host_cli(struct tc_host *host);

#endif
