/*
 * What the record of a run says of its model: what it was asked, what it answered, what
 * that took. Summaries, which a model writes of the conversation, are marked.
 */
#ifndef TC_RUNTIME_TURN_RECORD_H
#define TC_RUNTIME_TURN_RECORD_H

#include "runtime/run_impl.h"

/* model_request with the hash of the bytes, stored before they are sent. */
PARKS enum tc_err tc_turn_record_request(struct tc_cx *cx, struct tc_run *run, const struct tc_model_target *target,
                                         const struct tc_model_request *request, bool summary);
/* Notes model_reply, and counts what it used. */
enum tc_err tc_turn_record_reply(struct tc_cx *cx, struct tc_run *run, const struct tc_model_reply *reply, int64_t ms,
                                 bool summary);
/* Notes that there is no summary, and why (cx->err). */
enum tc_err tc_turn_record_no_summary(struct tc_cx *cx, struct tc_run *run, int64_t ms);
/* Notes what it said; nothing when that is empty. */
enum tc_err tc_turn_record_text(struct tc_cx *cx, struct tc_run *run, struct tc_str text);

const char *tc_turn_finish_name(enum tc_finish finish);
/* The member `usage`. */
void tc_turn_write_usage(struct tc_jsonw *w, const struct tc_usage *usage);

#endif
