/*
 * Which system calls a child of the shell may make: a filter that is put together once,
 * before the children, and put on by each of them. What is not listed does not exist
 * (ENOSYS), so that libraries fall back; what honest code may try is refused (EPERM);
 * what only an attack would try ends the process. The few calls that the rest of the
 * confinement is made of stay: whoever has no capabilities gains nothing by them.
 */
#ifndef TC_WORKER_SHELL_SECCOMP_H
#define TC_WORKER_SHELL_SECCOMP_H

#include <stdbool.h>
#include <stddef.h>

struct shell_seccomp {
    void *filter; /* of struct sock_filter */
    size_t n;     /* 0: there is none */
};

/* False when the kernel has no filters, or there is no memory. */
bool shell_seccomp_prepare(struct shell_seccomp *seccomp);
void shell_seccomp_finish(struct shell_seccomp *seccomp);
/* From here on. no_new_privs is set. 0 or an errno. */
int shell_seccomp_enter(const struct shell_seccomp *seccomp);

#endif
