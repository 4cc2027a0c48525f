/*
 * What is put in the place of a conversation that goes out of the model's sight. `cut` is
 * the first item of the tape that stays.
 */
#ifndef TC_RUNTIME_SUMMARY_H
#define TC_RUNTIME_SUMMARY_H

#include "runtime/tape.h"
#include "toolcrib/buf.h"

/* All that was said, for who writes a summary of it; of a longer one the last
 * max_tokens (0: all). */
enum tc_err tc_summary_said(struct tc_cx *cx, const struct tc_tape *tape, size_t cut, int64_t max_tokens,
                            struct tc_str *ret);
/* A summary of extracts: heads of the messages, names of the calls. */
enum tc_err tc_summary_extracts(struct tc_cx *cx, const struct tc_tape *tape, size_t cut, struct tc_str *ret);

/* Below each summary: the latest request word for word. */
void tc_summary_add_request(struct tc_buf *to, const struct tc_tape *tape, size_t cut);
/* And what is open: the to-do list, and calls whose outcome nobody knows. */
void tc_summary_add_open(struct tc_buf *to, const struct tc_tape *tape, size_t cut);

#endif
