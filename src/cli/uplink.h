/*
 * The daemon's side of `mcp serve`: one session of its MCP endpoint over the
 * Unix socket. When the daemon goes away the session is made anew, with whoever
 * then holds the data folder, and with the same first words of the client.
 */
#ifndef TC_CLI_UPLINK_H
#define TC_CLI_UPLINK_H

#include "cli/cli.h"

enum { TC_UPLINK_SESSION_SIZE = 129, TC_UPLINK_VERSION_SIZE = 33, TC_UPLINK_SOCKET_SIZE = 108 };

struct tc_uplink {
    struct tc_cli *cli;
    struct tc_str url;  /* of the agent's endpoint; as long-lived as the run */
    struct tc_buf hello; /* the client's initialize; empty: none yet */
    char session[TC_UPLINK_SESSION_SIZE], version[TC_UPLINK_VERSION_SIZE], socket[TC_UPLINK_SOCKET_SIZE];
    unsigned generation; /* sessions begun */
    unsigned attempts;   /* to renew */
    bool renewing;
    struct tc_event renewed;
};

/* What became of a message that got no answer. */
enum tc_uplink_fate {
    TC_UPLINK_REFUSED,   /* the daemon said no: final */
    TC_UPLINK_NOT_SENT,  /* it never left */
    TC_UPLINK_LOST,      /* it left; whether it was done is unknown */
    TC_UPLINK_NO_SESSION /* the daemon does not know the session and did nothing */
};

/* Parks. Takes one message of the daemon, which is borrowed. */
typedef enum tc_err tc_uplink_fn(struct tc_cx *cx, void *arg, struct tc_str message);

struct tc_uplink_send {
    struct tc_str message; /* borrowed until the call returns */
    int64_t timeout_ms;    /* until the head of the answer; negative: none */
    tc_uplink_fn *fn;      /* what comes back goes to it, the answer last */
    void *arg;
};

/* agent is that of the endpoint. Sends nothing yet. */
enum tc_err tc_uplink_init(struct tc_cx *cx, struct tc_uplink *link, struct tc_cli *cli, struct tc_str agent);
void tc_uplink_finish(struct tc_uplink *link);

/* Sends a message in the session, if there is one. Fails with the daemon's
 * refusal (details are the data of its JSON-RPC error), with what fn failed with,
 * or with the loss. */
PARKS enum tc_err tc_uplink_post(struct tc_cx *cx, struct tc_uplink *link, const struct tc_uplink_send *send,
                                 enum tc_uplink_fate *ret_fate);
/* The same for the client's initialize, which begins the session and is kept for
 * the next. */
PARKS enum tc_err tc_uplink_hello(struct tc_cx *cx, struct tc_uplink *link, const struct tc_uplink_send *send,
                                  enum tc_uplink_fate *ret_fate);
/* Hands over what the daemon says by itself, until the stream ends. TC_E_HTTP_METHOD
 * where it has nothing to say. */
PARKS enum tc_err tc_uplink_listen(struct tc_cx *cx, struct tc_uplink *link, tc_uplink_fn *fn, void *arg);
/* Attaches again and begins the session anew, unless that was done since
 * `generation`; one at a time, others wait for it and share its outcome. */
PARKS enum tc_err tc_uplink_renew(struct tc_cx *cx, struct tc_uplink *link, unsigned generation);
/* Ends the session. */
PARKS void tc_uplink_bye(struct tc_cx *cx, struct tc_uplink *link);

#endif
