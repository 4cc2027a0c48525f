/*
 * Bytes through a compression, as archives need them: read by pieces of any size from a
 * compressed stream, or written by pieces into one. A stream may be several of gzip or
 * bzip2 in a row, which are read as one. All memory is the call's arena's or freed by
 * finish.
 */
#ifndef TC_SHELL_ARCHIVE_FLOW_H
#define TC_SHELL_ARCHIVE_FLOW_H

#include "toolcrib/shellcmd.h"

enum tc_flow_kind { TC_FLOW_PLAIN, TC_FLOW_GZIP, TC_FLOW_BZIP2 };

enum tc_flow_fault {
    TC_FLOW_FINE,
    TC_FLOW_STOPPED,    /* the call is over, or memory is: return */
    TC_FLOW_UNREADABLE, /* tc_cmd_in_error */
    TC_FLOW_CUT,        /* it ends within */
    TC_FLOW_BAD,        /* that is no compressed data */
    TC_FLOW_BAD_CRC,
    TC_FLOW_BAD_LENGTH
};

/* How a compressed stream is made. */
struct tc_flow_form {
    enum tc_flow_kind kind;
    int level;        /* 1 to 9; 0: the usual one */
    const char *name; /* of gzip: of the file, or NULL */
    int64_t mtime;    /* likewise; 0: none */
};

/* What was seen of a stream. */
struct tc_flow_info {
    int64_t packed, plain;       /* bytes */
    bool trailing;               /* something that is none of its kind stands behind its end */
    const char *name;            /* as above; of the first one */
    int64_t mtime;
    int64_t frame;               /* bytes of packed that are header and end, where it is one of gzip */
    uint32_t crc;                /* of the last one of gzip */
};

struct tc_flow;

/* NULL without memory; the budget is then spent. */
struct tc_flow *tc_flow_read_from(struct tc_cmd_call *c, struct tc_cmd_in *in);
struct tc_flow *tc_flow_write_to(struct tc_cmd_call *c, struct tc_cmd_out *out, const struct tc_flow_form *form);
/* PARKS. What is to be read, by its first bytes. */
enum tc_flow_kind tc_flow_see(struct tc_flow *flow);
/* PARKS. Fills p unless the stream ends or breaks before; the bytes, or -1: tc_flow_fault says why. */
ssize_t tc_flow_read(struct tc_flow *flow, void *p, size_t n);
/* PARKS. False when it failed. */
bool tc_flow_write(struct tc_flow *flow, const void *p, size_t n);
enum tc_flow_fault tc_flow_fault(const struct tc_flow *flow);
const struct tc_flow_info *tc_flow_info(const struct tc_flow *flow);
/* Ends what is written; false when it failed. NULL is fine. */
bool tc_flow_finish(struct tc_flow *flow);

#endif
