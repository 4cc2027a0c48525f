/*
 * Whether a request is for this daemon, and does not come from a page of others: by its
 * Host, against names that are made to lead here, and its Origin, against pages elsewhere.
 */
#ifndef TC_DAEMON_ORIGIN_H
#define TC_DAEMON_ORIGIN_H

#include "daemon/config.h"
#include "http/exchange.h"

/* listen_host: where it listens, or NULL. Hosts count whatever their port; what is not configured is
 * this machine, where it listens, and publicUrl. Pages count with scheme and port: what is not
 * configured is publicUrl, and our own hosts at the port that the request is for. TC_E_AUTH_HOST,
 * TC_E_AUTH_ORIGIN. */
enum tc_err tc_origin_check(struct tc_cx *cx, const struct tc_config *config, const char *listen_host,
                            const struct tc_exchange *exchange);

#endif
