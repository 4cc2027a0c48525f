/*
 * Runs one checked call: a built-in's handler, or a source. What comes back is a
 * raw CallToolResult, clean text inside, or an error result made of a failure.
 */
#ifndef TC_RUNTIME_EXECUTE_H
#define TC_RUNTIME_EXECUTE_H

#include "runtime/discovery.h"
#include "runtime/pipeline.h"

struct tc_execution {
    const struct tc_json *raw;     /* the result */
    bool is_error;
    enum tc_err code;              /* why it is an error result; TC_OK otherwise */
    bool unknown;                  /* the outcome is not known */
    struct tc_str *resources; size_t resources_n;
    enum tc_effect kind;
    bool body_changed;             /* TC_RUN_BODY is among the files that it changed */
    struct tc_str effect;          /* the same with what it is about: JSON, or empty */
};

/* tools: the view of the call, and what of it is offered.
 * Fails only for faults of storage or process that the caller must see. */
PARKS enum tc_err tc_execute(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                             const struct tc_call_request *request, struct tc_discovery_service *tools,
                             const struct tc_descriptor *tool, const struct tc_json *arguments,
                             struct tc_execution *ret);
/* The failure recorded in cx as an error result. */
enum tc_err tc_execute_failed(struct tc_cx *cx, struct tc_execution *ret);
/* True for what a model or client can mend or must read; false for faults of
 * storage, memory and process. */
bool tc_execute_recoverable(enum tc_err code);

#endif
