/*
 * A store before another one: each operation first lets other tasks run, as a
 * store on a disk does, and the nth fails with TC_E_STORE_FAILED without having
 * happened. It remembers which intents were committed.
 */
#ifndef TESTS_SUPPORT_FAULTY_STORE_H
#define TESTS_SUPPORT_FAULTY_STORE_H

#include "io/task.h"
#include "ports/store.h"

struct faulty_store {
    struct tc_store port; /* first */
    struct tc_store *inner;
    size_t count, fail_at; /* operations so far; the one that fails, 0: none */
    size_t fail_to;        /* and all from there to this one */
    bool fired;
    char (*intents)[40];   /* ids of committed intents */
    size_t intents_n, intents_cap;
};

/* inner stays the caller's. */
void faulty_store_init(struct faulty_store *faulty, struct tc_store *inner);
void faulty_store_finish(struct faulty_store *faulty);

#endif
