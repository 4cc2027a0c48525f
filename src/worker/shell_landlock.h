/*
 * Landlock: what of the file system a child of the shell can reach by path, whatever
 * the shell's own view of files may get wrong. Needs no privilege.
 */
#ifndef TC_WORKER_SHELL_LANDLOCK_H
#define TC_WORKER_SHELL_LANDLOCK_H

#include <stddef.h>

enum shell_grant_kind {
    SHELL_GRANT_LIST,  /* names of folders, no more */
    SHELL_GRANT_READ,  /* a file, or a folder with all below */
    SHELL_GRANT_WRITE  /* a folder with all below */
};
struct shell_grant {
    int fd; /* O_PATH will do; stays the caller's */
    enum shell_grant_kind kind;
};

int shell_landlock_abi(void); /* 0: the kernel has none */
/* A set without grants, as a descriptor; -1 with errno. */
int shell_landlock_open(int abi);
int shell_landlock_add(int set, int abi, const struct shell_grant *grant); /* 0 or an errno */
/* From here on nothing but what is granted can be opened, made or removed, nor TCP be
 * used. no_new_privs is set. 0 or an errno. */
int shell_landlock_enter(int set);

#endif
