/*
 * One call as its handler sees it: what goes in, and what it puts together. The
 * pipeline fills the first part, runs the handler and reads the second. It
 * belongs to one task; copies are made in the arena.
 */
#ifndef TC_RUNTIME_CALL_H
#define TC_RUNTIME_CALL_H

#include "toolcrib/buf.h"
#include "toolcrib/tool.h"

enum { TC_CALL_TEXT_MAX = 64 * 1024 * 1024, TC_CALL_RESOURCES_MAX = 4096, TC_CALL_CHANGES_MAX = 1000 };

struct tc_call {
    /* in */
    struct tc_arena *arena;
    const struct tc_json *arguments;
    const struct tc_json *config;                               /* an object; NULL: the tool has none */
    enum tc_err (*secret)(struct tc_cx *cx, void *arg, const char *name, struct tc_str *ret); /* may be NULL */
    void *secret_arg;
    struct tc_workspace_service *workspace;                     /* may be NULL */
    struct tc_str workspace_fault;                              /* why it is */
    struct tc_plan_service *plan;                               /* may be NULL */
    struct tc_run_service *run;                                 /* NULL outside of one */
    struct tc_asking_service *asking;                           /* NULL: nobody can answer */
    struct tc_discovery_service *discovery;                     /* may be NULL */
    struct tc_sandbox_service *sandbox;                         /* may be NULL */
    struct tc_str (*name_of)(void *arg, struct tc_str tool_id); /* call name, empty when not offered; may be NULL */
    void *name_arg;

    /* out */
    struct tc_buf text;
    struct tc_str structured; /* JSON text of an object; empty when there is none */
    struct tc_str *resources;
    size_t resources_n, resources_cap;
    enum tc_err error; /* the result is one of a failure */
    enum tc_effect effect;
    struct tc_str subject;
    struct tc_file_change *changes;
    size_t changes_n;
    bool more_changes;
};

/* Clears all; the caller sets the services and the names afterwards. */
void tc_call_init(struct tc_call *call, struct tc_arena *arena, const struct tc_json *arguments);
/* Frees the text; what is in the arena stays. */
void tc_call_finish(struct tc_call *call);
/* Whether the file is among those that the call changed, or may be. */
bool tc_call_has_changed(const struct tc_call *call, struct tc_str path);

#endif
