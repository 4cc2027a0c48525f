/*
 * MCP clients that came since the start: who they say they are, what they speak, what
 * they asked for last. For operators to see; nothing is decided by it.
 *
 * A fixed number of them, in the runtime itself: the one that was idle longest makes room.
 * One thread, the loop's.
 */
#ifndef TC_RUNTIME_CLIENTS_H
#define TC_RUNTIME_CLIENTS_H

#include "runtime/access.h"

enum { TC_CLIENTS_MAX = 64, TC_CLIENTS_TEXT_SIZE = 129 };

/* Texts are cut to what fits, at whole characters. */
struct tc_client {
    char principal_kind[16], principal_id[TC_CLIENTS_TEXT_SIZE], agent[TC_CLIENTS_TEXT_SIZE];
    char name[TC_CLIENTS_TEXT_SIZE], version[TC_CLIENTS_TEXT_SIZE]; /* empty: it did not say */
    char protocol[16];
    int64_t came_at;              /* Unix milliseconds; 0: no client */
    int64_t listed_at, called_at; /* tools/list, tools/call; 0: not yet */
};

struct tc_clients {
    struct tc_pulse *pulse; /* beats at what is new; may be NULL */
    struct tc_client all[TC_CLIENTS_MAX];
};

enum tc_client_act { TC_CLIENT_CAME, TC_CLIENT_LISTED, TC_CLIENT_CALLED };

struct tc_client_said {
    const struct tc_principal *principal;
    struct tc_str agent, protocol;
    struct tc_str name, version; /* p NULL: this request does not say; then it is the one that came last */
};

void tc_clients_init(struct tc_clients *clients, struct tc_pulse *pulse);
/* Takes note; cannot fail. */
void tc_clients_hear(struct tc_clients *clients, const struct tc_client_said *said, enum tc_client_act act,
                     int64_t now);

#endif
