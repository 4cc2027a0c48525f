/*
 * The folders that calls have as /tmp: one each, made beforehand below a folder that
 * belongs to this program alone, removed when the call is over, however it ended.
 */
#ifndef TC_WORKER_SHELL_TMP_H
#define TC_WORKER_SHELL_TMP_H

#include <stdbool.h>

enum { SHELL_TMP_NAME = 28 };

/* Opens the folder, made when it is not there, and empties it. -1 with errno. */
int shell_tmp_open(const char *path);
/* A new empty folder in it; its descriptor, -1 with errno. */
int shell_tmp_make(int base, char ret_name[SHELL_TMP_NAME]);
/* The folder of a call that is over, as new; -1 when something is left in it. Making one costs a file system
 * more than anything else here. */
int shell_tmp_again(int base, const char *name);
/* True when it was empty and is gone: no more than a system call. */
bool shell_tmp_drop(int base, const char *name);
/* With all that a script may have left in it: any depth, any mode, any number. */
void shell_tmp_remove(int base, const char *name);

#endif
