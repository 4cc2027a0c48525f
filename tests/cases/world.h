/*
 * The world of one case: a loop on a virtual clock, a store, scripted servers, a
 * fake keeper of secrets, and the runtime above them, as the daemon puts it
 * together, without sockets.
 *
 * With a fault to inject, memory or the store fails once while the runtime works;
 * what the case itself needs never fails.
 */
#ifndef TESTS_CASES_WORLD_H
#define TESTS_CASES_WORLD_H

#include "http/router.h"
#include "models/driver.h"
#include "outline.h"
#include "ports/secrets.h"
#include "runtime/runtime.h"
#include "support/faulty_store.h"
#include "support/scripted_source.h"

enum world_store { WORLD_MEMORY, WORLD_SQLITE };
enum world_fault { WORLD_NO_FAULT, WORLD_MEMORY_FAULT, WORLD_STORE_FAULT };

struct world_options {
    enum world_store store;
    enum world_fault fault;
    size_t nth;      /* the allocation or store operation that fails */
    bool from_start; /* counts from the start of the runtime on, else from the first step */
};

struct world_variable {
    struct world_variable *next;
    struct tc_str name, value;
};

struct world {
    struct world_options options;
    const char *path;           /* of the case */
    int line;                   /* of the step under way */
    unsigned failures;
    struct tc_cx *cx;           /* of the task that runs the steps; its arena lives as long as the case */
    struct tc_loop *loop;
    const char *dir;            /* the data folder */
    const char *script;         /* the file that the scripted model plays */
    struct tc_store *inner;
    struct faulty_store store;
    struct scripted *scripted;
    struct tc_secrets secrets;
    struct tc_client *client;   /* of the models */
    struct tc_models *models;
    struct tc_runtime *runtime;
    struct tc_router router;    /* of the API's routes */
    int64_t calls_per_token;
    struct world_variable *variables;
    struct reply *started;      /* calls begun and not yet waited for */
    size_t counted;             /* allocations so far */
    bool armed, fired;
    bool lame;                  /* a step that sets things up failed by the fault: not all can hold now */
    struct tc_str elicited;     /* what clients answer to a form; empty: they take none */
    struct tc_str asked;        /* the latest form */
    size_t lost;                /* calls that arrived at a server without a committed intent */
};

/* Store, scripts and the first runtime. TC_OK also when the start failed by the
 * injected fault and a second one went well. */
enum tc_err world_open(struct tc_cx *cx, struct world *world);
void world_close(struct world *world);
/* Ends the runtime and starts another on the same store. */
enum tc_err world_restart(struct world *world);

/* A fault has been injected: from here on a reply may be any proper error. */
bool world_lenient(struct world *world);
/* Between these two an injected fault may strike. */
void world_arm(struct world *world);
void world_disarm(struct world *world);

/* Lets background work come to rest. */
PARKS void world_settle(struct world *world);
/* Prints "path:line: …" and counts it. */
void world_fail(struct world *world, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* True when it had another value, or none. */
bool world_set(struct world *world, struct tc_str name, struct tc_str value);
/* text with ${name} replaced. */
struct tc_str world_expand(struct world *world, struct tc_str text);

/* True when the bytes stand anywhere in a row of the store or a file of the data
 * folder; *ret_where says where. */
PARKS bool world_holds(struct world *world, struct tc_str bytes, struct tc_str *ret_where);

#endif
