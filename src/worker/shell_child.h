/*
 * A child of the zygote: waits for one request, confines itself, runs it, ends.
 */
#ifndef TC_WORKER_SHELL_CHILD_H
#define TC_WORKER_SHELL_CHILD_H

#include "sandbox/wire.h"
#include "worker/shell_confine.h"

enum { SHELL_CHILD_ARENA = 16 << 20 };

/* socket: to the daemon; tmp: the folder of the call. Both are taken. */
_Noreturn void shell_child_run(const struct shell_confinement *confinement, int socket, int tmp);

/* --- also for --once --- */

/* The limits of the system for scripts. */
extern const struct shell_confine_limits shell_child_limits;
/* The second step of the confinement, for a request, with the set of the first: NULL, or what failed, with
 * errno. tmp may be -1. */
const char *shell_child_confine(struct tc_arena *arena, const struct shell_confinement *confinement, int set,
                                const struct tc_sandbox_request *request, int tmp);

#endif
