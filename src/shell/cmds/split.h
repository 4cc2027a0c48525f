/*
 * What the parts of split share: its options (split.c), the ways in which the input is
 * cut (split_ways.c) and the files, or commands, that it goes into (split_files.c).
 */
#ifndef TC_SHELL_CMDS_SPLIT_H
#define TC_SHELL_CMDS_SPLIT_H

#include "toolcrib/shellfs.h"

enum { SPLIT_LENGTH_MAX = 200 };

enum split_way {
    SPLIT_BY_NOTHING, SPLIT_BY_LINES, SPLIT_BY_BYTES, SPLIT_BY_LINE_BYTES,
    SPLIT_BY_CHUNKS, SPLIT_BY_LINE_CHUNKS, SPLIT_BY_TURNS /* by a count of pieces */
};

struct split {
    struct tc_cmd_call *c;
    enum split_way way;
    int64_t size, only; /* lines, bytes or chunks; the one chunk that is printed, or 0 */
    const char *base, *more, *alphabet, *from;
    unsigned char digits[SPLIT_LENGTH_MAX + 1]; /* of the suffix */
    size_t length;
    int wide; /* how often the suffix grew: so many last letters stand before it */
    bool filtering; /* a piece is gathered for it */
    bool grows, begun, verbose, elide, has_separator, digits_given;
    char end;
    struct stat input;
    struct tc_cmd_out *out; /* the file that is written; NULL between files */
    const char *name;
    const char *filter;  /* a command that gets each file instead */
    struct tc_buf piece; /* what it gets */
    int status;          /* of one that failed */
};

/* All of them are false when it was told what is wrong, or the call is over. */

/* How long suffixes are. */
bool tc_split_set_length(struct split *s);
bool tc_split_open_next(struct split *s);
bool tc_split_close_file(struct split *s); /* if there is one */
/* Into the present file, or the next one when there is none. */
bool tc_split_put(struct split *s, struct tc_str bytes);

bool tc_split_by_bytes(struct split *s, struct tc_cmd_in *in);
bool tc_split_by_lines(struct split *s, struct tc_cmd_in *in);
bool tc_split_by_line_bytes(struct split *s, struct tc_cmd_in *in);
bool tc_split_by_chunks(struct split *s, struct tc_str text);

#endif
