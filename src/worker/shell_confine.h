/*
 * How a child of the shell's worker gives up for good what a script does not need, in two
 * steps: what is the same for all, while it waits for a call; the rest when the call is
 * known, before anything of it is read. First new privileges, dumps, limits of the
 * system, all but the system calls of a list (seccomp); then user and capabilities, all
 * files but its folders (landlock).
 *
 * Works for root and for any user. Without seccomp nothing runs, unless the operator
 * chose the weak sandbox; without landlock it goes on.
 */
#ifndef TC_WORKER_SHELL_CONFINE_H
#define TC_WORKER_SHELL_CONFINE_H

#include <stdint.h>
#include <sys/types.h>

#include "worker/shell_landlock.h"
#include "worker/shell_seccomp.h"

/* What all children have in common, made before them. */
struct shell_confinement {
    struct shell_seccomp seccomp;
    int landlock_abi;
    bool weak;
    uint64_t mapped; /* bytes of address space of this program as it is */
};

struct shell_confine_limits { /* 0: none */
    int64_t memory, file_size, descriptors;
};

/* NULL, or what is missing. Also takes from this process what its children must not
 * inherit. */
const char *shell_confine_prepare(struct shell_confinement *confinement, bool weak);
/* What one call needs beside. */
struct shell_confine_call {
    int set;                          /* of shell_confine_begin; taken */
    const struct shell_grant *grants; /* the first is the workspace: who is root becomes its owner */
    size_t grants_n;
    int own;                          /* a folder of the call that is to be the owner's, or -1 */
    int64_t cpu_s;                    /* of processor time; 0 no limit */
};

/* Of the calling process, which has one thread. Both: NULL, or the step that failed, with errno. *ret_set is for
 * the second one. */
const char *shell_confine_begin(const struct shell_confinement *confinement,
                                const struct shell_confine_limits *limits, int *ret_set);
const char *shell_confine_finish(const struct shell_confinement *confinement, const struct shell_confine_call *call);

#endif
