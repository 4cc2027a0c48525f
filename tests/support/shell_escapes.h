/*
 * What a script that has taken over its process would try: each attempt by name, as
 * raw system calls.
 */
#ifndef TESTS_SUPPORT_SHELL_ESCAPES_H
#define TESTS_SUPPORT_SHELL_ESCAPES_H

/* 0: it worked; an errno: it was refused; -1: there is no attempt of that name. `root` is
 * the workspace, `tmp` a second folder of the call. */
int shell_escapes_try(const char *name, int root, int tmp);

#endif
