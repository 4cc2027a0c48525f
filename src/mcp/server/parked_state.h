/*
 * The inside of a parked request. Private to parked*.c, jobs.c and methods_tasks.c.
 */
#ifndef TC_MCP_SERVER_PARKED_STATE_H
#define TC_MCP_SERVER_PARKED_STATE_H

#include "base/hash.h"
#include "base/rand.h"
#include "mcp/server/outlet.h"
#include "mcp/server/parked.h"

struct tc_parked_round;

struct tc_parked {
    struct tc_outlet outlet; /* its feed is that of the client that waits; NULL: none does */
    struct tc_parking *parking;
    char state[TC_RAND_HANDLE_SIZE], digest[TC_HASH_HEX_SIZE];
    struct tc_arena arena;
    struct tc_json_doc *doc;
    struct tc_principal principal;
    struct tc_dialog dialog;
    struct tc_rpc rpc;
    struct tc_str id;        /* of the request that waits, JSON text */
    struct tc_task *task;
    struct tc_parked_round *rounds; /* of questions that are open */
    unsigned keys, retries;
    struct tc_event joined;
    int64_t since_us;        /* when the client that waits came, mono */
    struct {
        char id[TC_RAND_HANDLE_SIZE]; /* empty: it is none */
        int64_t created_ms, updated_ms;
        struct tc_json_doc *outcome;   /* the message that answered it; NULL: none yet */
        bool cancelled;
        size_t waiting;                /* requests that wait for its end */
        struct tc_event ended;
    } job;                   /* see jobs.h */
    bool asked;              /* the client was asked: the digest is made */
};

/* What the call is given as its caller. */
extern const struct tc_caller_ops tc_parked_caller;
/* The last message of the client that waits: nobody waits any more. Nothing without one. */
void tc_parked_hand_over(struct tc_parked *parked, struct tc_str message, int status);
/* Tells the client that waits what is needed of it. */
void tc_parked_show(struct tc_parked *parked);
/* Gives answers to those who asked; what is missing stays open, what is too much is
 * overlooked. Returns whether questions are open. */
bool tc_parked_deliver(struct tc_parked *parked, const struct tc_json *answers);
/* An object of the questions that are open. */
void tc_parked_write_questions(struct tc_jsonw *w, const struct tc_parked *parked);
/* No task runs it. */
void tc_parked_destroy(struct tc_parked *parked);
/* Of method and params, but for what differs from try to try. */
enum tc_err tc_parked_digest(struct tc_cx *cx, const struct tc_rpc *rpc, char hex[TC_HASH_HEX_SIZE]);

#endif
