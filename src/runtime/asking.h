/*
 * Who answers a question of a tool: whoever watches the run, else the client, when it
 * takes elicitation.
 */
#ifndef TC_RUNTIME_ASKING_H
#define TC_RUNTIME_ASKING_H

#include "ports/caller.h"
#include "toolcrib/asking.h"

struct tc_run_service;

struct tc_asking_service {
    struct tc_run_service *run; /* NULL: the caller is asked */
    struct tc_caller *caller;
};

/* False: nobody can answer. */
bool tc_asking_service_init(struct tc_asking_service *service, struct tc_run_service *run, struct tc_caller *caller,
                            bool answers);

#endif
