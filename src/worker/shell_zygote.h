/*
 * The parent of all children that serve calls: small, of one thread, and started before
 * anything else is in its memory.
 */
#ifndef TC_WORKER_SHELL_ZYGOTE_H
#define TC_WORKER_SHELL_ZYGOTE_H

#include <stdbool.h>

/* Descriptor 3 is the daemon's socket; `tmp` the folder for those of calls. Until that
 * socket ends. The exit code. */
int shell_zygote_run(const char *tmp, bool weak);

#endif
