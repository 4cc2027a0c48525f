/*
 * What the record of a run says of its model: what it was asked, what it answered, what
 * that took, and what became of its calls. Summaries, which a model writes of the
 * conversation, are marked.
 */
#ifndef TC_RUNTIME_TURN_RECORD_H
#define TC_RUNTIME_TURN_RECORD_H

#include "runtime/turn_calls.h"

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

/* Notes tool_call_requested or tool_call_started. */
enum tc_err tc_turn_record_call(struct tc_cx *cx, const struct tc_turn_call *call, const char *type);
/* Notes tool_call_completed or tool_call_failed. */
enum tc_err tc_turn_record_call_end(struct tc_cx *cx, const struct tc_turn_call *call, int64_t ms);

const char *tc_turn_finish_name(enum tc_finish finish);
/* The member `usage`. */
void tc_turn_write_usage(struct tc_jsonw *w, const struct tc_usage *usage);

#endif
