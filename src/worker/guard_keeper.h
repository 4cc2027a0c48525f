/*
 * The keeper of one server: a fork of the guard and a child subreaper itself,
 * so that whatever the server starts is known to be the server's. It starts the
 * program, and once the program has ended, or its end of the socket to the
 * guard is closed (asked to end, or the guard is gone), it ends every
 * descendant and exits when none is left.
 *
 * It tells the guard, in lines: "pid N", "failed ERRNO STAGE", "exit STATUS"
 * (as waitpid gives it). Its exit says that nothing of the server is left.
 */
#ifndef TC_WORKER_GUARD_KEEPER_H
#define TC_WORKER_GUARD_KEEPER_H

#include <sys/resource.h>

enum { GUARD_FD_LAUNCH, GUARD_FD_IN, GUARD_FD_OUT, GUARD_FD_ERR, GUARD_FDS };

/* In the forked keeper: every descriptor of the guard but these is closed. */
_Noreturn void guard_keeper_run(int socket, const int fds[GUARD_FDS], const struct rlimit *files);

#endif
