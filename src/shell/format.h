/*
 * The engine of printf, and the escapes of echo -e.
 */
#ifndef TC_SHELL_FORMAT_H
#define TC_SHELL_FORMAT_H

#include "shell/exec.h"

/* The format with the arguments, as often as these last. Messages are in the name of the call c;
 * *ret_status is 1 when there were any. PARKS. */
enum tc_sh_flow tc_sh_format(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str format,
                             const struct tc_str *args, size_t n, struct tc_buf *out, int *ret_status);
/* \a \b \e \f \n \r \t \v \\ \0nnn \nnn \xhh \uhhhh \Uhhhhhhhh; false after \c. call: in whose name is told
 * that digits lack, or NULL. */
bool tc_sh_format_escapes(struct tc_cmd_call *call, struct tc_buf *out, struct tc_str text);
/* One escape; *at is behind the backslash. echo: as echo -e has it, where false is \c. */
bool tc_sh_format_escape(struct tc_cmd_call *call, struct tc_buf *out, struct tc_str text, size_t *at, bool echo);

#endif
