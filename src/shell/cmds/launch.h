/*
 * Commands that run another one in a way of their own: env, timeout, nice, nohup, xargs, split.
 */
#ifndef TC_SHELL_CMDS_LAUNCH_H
#define TC_SHELL_CMDS_LAUNCH_H

#include "toolcrib/shellfs.h"

/* PARKS. Its status; 127 and a message when there is no such command. */
int tc_launch(struct tc_cmd_call *c, const struct tc_cmd_run *run);
/* The environment of c with one variable set anew; NULL without memory. */
char **tc_launch_environ(struct tc_cmd_call *c, const char *name, const char *value);

#endif
