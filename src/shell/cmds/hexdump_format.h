/*
 * Formats of hexdump -e: units of "COUNT/SIZE "text"", each cut into pieces of at most one
 * directive. Several formats show the same block of input, the largest of theirs.
 */
#ifndef TC_SHELL_CMDS_HEXDUMP_FORMAT_H
#define TC_SHELL_CMDS_HEXDUMP_FORMAT_H

#include "toolcrib/shellcmd.h"

enum { HEXDUMP_BLOCK_MAX = 65536 };

struct hexdump_piece {
    struct hexdump_piece *next;
    enum { HEXDUMP_TEXT, HEXDUMP_ADDRESS, HEXDUMP_CHAR, HEXDUMP_SIGNED, HEXDUMP_UNSIGNED, HEXDUMP_REAL,
           HEXDUMP_STRING, HEXDUMP_PRINTED, HEXDUMP_ESCAPED, HEXDUMP_NAMED } kind;
    struct tc_str before; /* text before the directive */
    char flags[8], letter; /* letter: of the conversion, or of the address's base */
    char directive[24];    /* for the C library, with width and precision to be given */
    int width, precision;  /* -1: none */
    size_t size;           /* bytes of input */
};

struct hexdump_unit {
    struct hexdump_unit *next;
    struct hexdump_piece *pieces;
    size_t repeat, size; /* size: bytes of input each time */
    bool counted;        /* a repeat was given */
    bool at_end;         /* is for the end of all input: %_A */
    bool cut;            /* its last text loses a blank at its end the last time */
};

struct hexdump_format {
    struct hexdump_format *next;
    struct hexdump_unit *units;
    size_t size;
};

/* Adds what a text says. False: told. */
bool tc_hexdump_format_add(struct tc_cmd_call *c, struct hexdump_format **to, struct tc_str text);
/* Bytes of a block; units that may repeat fill it. 0: told that there is none. */
size_t tc_hexdump_format_settle(struct tc_cmd_call *c, struct hexdump_format *formats);
/* Shows a block, of which n bytes are input. */
void tc_hexdump_format_put(struct tc_cmd_call *c, const struct hexdump_format *formats, const unsigned char *block,
                           size_t n, int64_t at);
/* What the last of them has for behind all input, which ended at `at`. */
void tc_hexdump_format_end(struct tc_cmd_call *c, const struct hexdump_format *formats, int64_t at);

#endif
