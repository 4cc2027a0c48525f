/*
 * One call from gate to audit row (spec 5, 6): nothing runs before name,
 * arguments, schema and permission hold; the intent is committed before a call
 * leaves; the result is shaped and recorded before it is handed back.
 */
#ifndef TC_RUNTIME_PIPELINE_H
#define TC_RUNTIME_PIPELINE_H

#include "runtime/gate.h"
#include "runtime/runtime.h"

struct tc_approval_row;
struct tc_run_service; /* toolcrib/run.h */

/* Who calls, through what: each request of a client is its own invocation. */
struct tc_invocation {
    const char *surface;           /* "mcp", "rest", "cli", "ui" */
    struct tc_principal principal;
    struct tc_str agent;
    bool as_admin;                 /* skips authorization only; marked in the audit */
    bool answers;                  /* the caller can answer questions */
    bool attended;                 /* a person waits beside the call and can approve it, as its caller */
    struct tc_str run;             /* that it is part of; empty: a request of its own */
    struct tc_caller *caller;      /* may be NULL */
    struct tc_str workspace_dir;   /* a directory of the operator; empty: the invocation's own */

    /* of a run; the rest is empty for a request of a client */
    struct tc_str id;              /* of the invocation; empty: each call is one */
    struct tc_str workspace;       /* "run/<id>" or "session/<tape>" below <data>/workspaces; empty: by principal */
    const struct tc_view *view;    /* pinned for all its calls; NULL: the present one */
    const struct tc_view_key *key; /* of the pinned view */
    int64_t inline_chars;          /* of the model's row: characters of a result, -1 never cut; 0: not said */
    struct tc_run_service *service; /* what a tool may do to the run */
    /* Hears, with asked_arg, that a call waits for an approval, before anybody is told, and
     * with the settled row that it does not wait any more. May be NULL. */
    PARKS enum tc_err (*asked)(struct tc_cx *cx, void *arg, const struct tc_approval_row *row);
    void *asked_arg;
};

/* Looks at a call of a run when its name holds and its arguments were looked at, before it may
 * do anything: with the arguments as they will run, or as they came where they are refused. */
struct tc_call_guard {
    enum tc_err (*check)(struct tc_cx *cx, void *arg, const struct tc_descriptor *tool,
                         const struct tc_json *arguments);
    void *arg;
};

struct tc_call_request {
    struct tc_str name;               /* call name, or a ToolId when by_id */
    bool by_id;
    const struct tc_json *arguments;  /* as it came; NULL: absent */
    struct tc_str call_id;            /* empty: one is made */
    struct tc_str snapshot;           /* hash of the list that the client saw; may be empty */
    const struct tc_json *meta;       /* to pass on, or NULL */
    int64_t timeout_ms;               /* 0: the source's */

    /* of a run */
    const struct tc_turn *turn;       /* its contract; a name never offered is then an error result */
    int64_t round;                    /* number of the turn */
    const struct tc_error *refusal;   /* why it must not run, found before; NULL: nothing was */
    const struct tc_call_guard *guard; /* may be NULL */
};

struct tc_call_result {
    struct tc_str call_id, tool_id, audit_id, result_id;
    struct tc_str content;            /* JSON array of content blocks */
    struct tc_str structured;         /* JSON text, empty when there is none */
    struct tc_str meta;               /* JSON text of _meta, empty when there is none */
    bool is_error;
    struct tc_str error_code;         /* dotted; empty when fine */
    struct tc_str *resources; size_t resources_n;
    struct tc_str *images, *image_mimes; size_t images_n; /* paths in the workspace */
    enum tc_effect effect;
    bool body_changed;                /* TC_RUN_BODY (toolcrib/run.h) is among the files that it changed */
};

/* TC_OK with a result, an error result included: what a model can mend, refusals
 * and unknown outcomes. Otherwise TC_E_MODEL_UNKNOWN_TOOL_CALL for a name never
 * offered (it says what is), what the contract of a turn holds against a run, or a
 * fault of storage or process. Every call has its
 * audit row either way, but those that TC_E_BUSY keeps out. */
PARKS enum tc_err tc_pipeline_call(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                                   const struct tc_call_request *request, struct tc_call_result *ret_result);

/* A stored result, for whom it was made: the token that called, or an admin; the
 * readable text when there is one, else the JSON of the result. In the arena.
 * TC_E_RESULT_NOT_FOUND, also for somebody else's. */
struct tc_stored_result {
    struct tc_str text;
    const char *mime;
};
PARKS enum tc_err tc_pipeline_stored(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_principal *principal,
                                     struct tc_str agent, struct tc_str id, struct tc_stored_result *ret);

/* The ToolId that a TOOL argument means: a ToolId, "mcp/<server name>:<tool>", or
 * a call name of the agent, offered or once given. TC_E_TOOL_NOT_FOUND. */
PARKS enum tc_err tc_pipeline_tool_id(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_view_key *key,
                                      struct tc_str tool, struct tc_str *ret_id);

#endif
