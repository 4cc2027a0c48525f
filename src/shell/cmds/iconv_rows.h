/*
 * What iconv knows of characters: those of the codings with one byte each, and
 * texts of ASCII that stand for others.
 */
#ifndef TC_SHELL_CMDS_ICONV_ROWS_H
#define TC_SHELL_CMDS_ICONV_ROWS_H

#include <stdint.h>

#include "toolcrib/str.h"

/* The characters of the bytes 128 to 255, 0 where there is none. NULL: no such coding. */
const uint16_t *tc_iconv_rows_upper(const char *coding);
/* The text is held with '@' for a space; empty for a character that is left out. False: there is none. */
bool tc_iconv_rows_ascii(uint32_t character, struct tc_str *ret_text);

#endif
