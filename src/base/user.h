/*
 * Users of this machine, as far as root has to do with them.
 */
#ifndef TC_BASE_USER_H
#define TC_BASE_USER_H

#include <stdbool.h>
#include <sys/types.h>

struct tc_user {
    char name[32];
    uid_t uid;
    gid_t gid;
};
/* The user without rights whom this process can give files to, and become: "toolcrib" where the machine has
 * one, else "nobody". False: it is not root, a container keeps the rights from it, or there is neither. May
 * wait for a directory of users: for a thread that can. */
bool tc_user_unprivileged(struct tc_user *ret_user);
/* Gives that user a folder that was just made. False: it stays whose it is. */
bool tc_user_give(int fd);

#endif
