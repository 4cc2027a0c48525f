/*
 * What the daemon asks to start, and the last steps of the child before its
 * program: a new session, default signals, three descriptors and no other.
 *
 * The launch block is a file of strings each ended by NUL: count of arguments,
 * count of variables (decimal), working directory (empty: this one's), the
 * arguments, the variables. argv[0] without a slash is looked up in the PATH
 * among those variables.
 */
#ifndef TC_WORKER_GUARD_LAUNCH_H
#define TC_WORKER_GUARD_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

enum { GUARD_LAUNCH_MAX = 4 << 20, GUARD_LAUNCH_STRINGS_MAX = 65536 };

struct guard_launch {
    char *block;
    const char *cwd;
    char **argv, **env; /* NULL-terminated */
};

/* Why a start failed: errno, and what was tried. */
struct guard_launch_fault {
    int error;
    char stage[8]; /* "launch", "fork", "cwd", "exec" */
};

/* False when the block is malformed or memory is short. */
bool guard_launch_read(int fd, struct guard_launch *ret_launch);
void guard_launch_finish(struct guard_launch *launch);

/* In the forked child. Writes a guard_launch_fault to `report` (close-on-exec)
 * when the program does not start, and exits. */
_Noreturn void guard_launch_exec(const struct guard_launch *launch, const int fds[3], int report,
                                 const struct rlimit *files);

#endif
