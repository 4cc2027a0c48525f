/*
 * One call on its way through the pipeline; private to pipeline*.c. Each step fills a part.
 */
#ifndef TC_RUNTIME_PIPELINE_IMPL_H
#define TC_RUNTIME_PIPELINE_IMPL_H

#include "ports/store_audit.h"
#include "runtime/arguments.h"
#include "runtime/execute.h"
#include "runtime/pipeline.h"
#include "runtime/redact.h"
#include "runtime/result.h"

struct tc_passage {
    struct tc_runtime *runtime;
    const struct tc_invocation *invocation;
    const struct tc_call_request *request;
    struct tc_view_key key;
    const struct tc_view *view;
    struct tc_turn contract;             /* of a client where some tools are on demand */
    const struct tc_turn *turn;          /* what may be called; NULL: all of the view */
    const struct tc_view_tool *offered;  /* NULL: not offered (as admin) */
    const struct tc_descriptor *tool;    /* NULL until the gate has passed */
    const struct tc_descriptor *named;   /* which was meant, passed or refused; NULL: not known */
    struct tc_arguments_checked checked;
    struct tc_redaction redaction;
    struct tc_audit_row row;
    bool recorded;                       /* the intent is in the store */
    bool approved;                       /* it asked, and may run */
    struct tc_execution execution;
    struct tc_digest digest;
    struct tc_shape shape;
    struct tc_str content; /* the client's */
    struct tc_str stem;    /* of the files of this call; p NULL until one is wanted */
    int64_t started_us, left_us, back_us;
};

/* --- pipeline_record.c: what the audit and the store of results get --- */

/* Ids and the row as it begins. */
enum tc_err tc_pipeline_record_begin(struct tc_cx *cx, struct tc_passage *p);
/* The snapshot that the call is made with, where it is not known to be stored. */
PARKS enum tc_err tc_pipeline_record_snapshot(struct tc_cx *cx, struct tc_passage *p);
/* The arguments as they came, for the record: redacted, whatever they are. */
enum tc_err tc_pipeline_record_raw(struct tc_cx *cx, struct tc_passage *p);
/* As they run. */
enum tc_err tc_pipeline_record_canonical(struct tc_cx *cx, struct tc_passage *p);
/* They do not run; the failure in cx stays, and is returned. */
enum tc_err tc_pipeline_record_refused(struct tc_cx *cx, struct tc_passage *p, const struct tc_json *object);
/* Stored before the call leaves, where it may change anything. */
PARKS enum tc_err tc_pipeline_record_intent(struct tc_cx *cx, struct tc_passage *p);
/* The row and its result. */
PARKS enum tc_err tc_pipeline_record_end(struct tc_cx *cx, struct tc_passage *p);
/* A call that never got to a result for want of a working store or process: the row says so if it still can
 * be written. The failure in cx stays. */
PARKS void tc_pipeline_record_fault(struct tc_cx *cx, struct tc_passage *p, enum tc_err e);

/* --- pipeline_result.c --- */

/* From what came back: files in the workspace, and the text for who called. */
PARKS enum tc_err tc_pipeline_result_shape(struct tc_cx *cx, struct tc_passage *p);
enum tc_err tc_pipeline_result_give(struct tc_cx *cx, const struct tc_passage *p, struct tc_call_result *ret);

#endif
