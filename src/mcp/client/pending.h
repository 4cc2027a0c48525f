/*
 * Requests that wait for their answer, by id. Ids count up; a slot is the id's
 * low bits, and an id whose slot is taken by an older request is passed over, so
 * that finding one is one look-up and nothing is hashed.
 */
#ifndef TC_MCP_CLIENT_PENDING_H
#define TC_MCP_CLIENT_PENDING_H

#include "io/task.h"
#include "mcp/client/answer.h"

/* One request, in the memory of the task that waits. */
struct tc_pending {
    int64_t id;
    struct tc_event done;     /* answered, or lost */
    bool lost;                /* the connection ended first */
    struct tc_answer answer;
    void *use;                /* of the request (link.h) */
    bool standing;            /* nobody waits for the answer */
    uint64_t start, end;      /* where its line lies among all bytes sent */
};

struct tc_pendings {
    struct tc_pending **slots;
    size_t cap, n; /* a power of two, or 0 */
    size_t standing; /* of n */
    int64_t last_id;
};

/* Gives it an id. False without memory. */
bool tc_pendings_add(struct tc_pendings *pendings, struct tc_pending *pending);
/* NULL when no request waits under that id. */
struct tc_pending *tc_pendings_find(const struct tc_pendings *pendings, int64_t id);
/* No effect when it is not there any more. */
void tc_pendings_remove(struct tc_pendings *pendings, struct tc_pending *pending);
/* The one request that waits, or NULL when there is none or more; those that stand
 * are not counted. */
struct tc_pending *tc_pendings_only(const struct tc_pendings *pendings);
/* Takes one out, any; NULL when none is left. */
struct tc_pending *tc_pendings_pop(struct tc_pendings *pendings);
/* What lies behind byte `at` has moved `by` bytes to the front. */
void tc_pendings_shift(struct tc_pendings *pendings, uint64_t at, size_t by);
void tc_pendings_finish(struct tc_pendings *pendings);

#endif
