/*
 * Bytes through a compression, as archives need them: read by pieces of any size from a
 * compressed stream, or written by pieces into one. All memory is the call's arena's or
 * freed by finish.
 */
#ifndef TC_SHELL_ARCHIVE_FLOW_H
#define TC_SHELL_ARCHIVE_FLOW_H

#include "toolcrib/shellcmd.h"

enum tc_flow_kind { TC_FLOW_PLAIN, TC_FLOW_GZIP, TC_FLOW_BZIP2 };

struct tc_flow;

/* NULL without memory; the budget is then spent. */
struct tc_flow *tc_flow_read_from(struct tc_cmd_call *c, struct tc_cmd_in *in);
struct tc_flow *tc_flow_write_to(struct tc_cmd_call *c, struct tc_cmd_out *out, enum tc_flow_kind kind);
/* PARKS. Fills p unless the stream ends before; the bytes, or -1: read error, bad data, stopped. The kind
 * of compression is seen from the first bytes. */
ssize_t tc_flow_read(struct tc_flow *flow, void *p, size_t n);
/* PARKS. False when it failed. */
bool tc_flow_write(struct tc_flow *flow, const void *p, size_t n);
/* Bytes written so far, before compression. */
int64_t tc_flow_total(const struct tc_flow *flow);
/* Ends what is written; false when it failed. NULL is fine. */
bool tc_flow_finish(struct tc_flow *flow);

#endif
