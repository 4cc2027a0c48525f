/*
 * Texts that several commands of the virtual shell share: modes, sizes, widths,
 * questions.
 */
#ifndef TOOLCRIB_SHELLTEXT_H
#define TOOLCRIB_SHELLTEXT_H

#include "toolcrib/shellcmd.h"

enum { TC_CMD_MODE_SIZE = 11, TC_CMD_SIZE_SIZE = 32 };
/* "drwxr-xr-x" */
void tc_cmd_mode_text(mode_t mode, char text[TC_CMD_MODE_SIZE]);
/* "drwx…" read the other way: chmod's "u+x,go-w" or octal, applied to a mode. False when it is neither. */
bool tc_cmd_mode_apply(const char *text, mode_t mode, mode_t umask, mode_t *ret_mode);
/* "1.5K": rounded up as ls -h and du -h do. base 1024 or 1000. */
void tc_cmd_size_text(int64_t size, unsigned base, char text[TC_CMD_SIZE_SIZE]);

/* Appends the way from the folder `from` to `path`, both absolute and clean: "../a/b"; "." when they are one. */
void tc_cmd_relative_path(struct tc_buf *to, const char *path, const char *from);

/* Which of the choices an option's value is, by its name or a beginning that only one has; "never,no,none"
 * are names of one choice. -1 when it is none: the message is written, return 2. NULL ends the choices. */
int tc_cmd_choose(struct tc_cmd_call *c, const char *option, const char *value, const char *const choices[]);

/* Columns that a character takes on a terminal: 0 (control characters, marks), 1 or 2. */
int tc_cmd_width(uint32_t character);
/* Of a whole text; bytes that are no UTF-8 take one. */
size_t tc_cmd_text_width(struct tc_str text);

/* Asks on stderr and reads a line of standard input: is it a yes? PARKS. */
bool tc_cmd_ask(struct tc_cmd_call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
