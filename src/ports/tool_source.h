/*
 * Where tools come from besides the built-in ones: an MCP server, an extension,
 * a host program. The runtime opens a source through a factory, lists its tools,
 * calls them, and hears of changes through events.
 */
#ifndef TC_PORTS_TOOL_SOURCE_H
#define TC_PORTS_TOOL_SOURCE_H

#include "ports/caller.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_tool_source;

/* What a source can list. */
enum tc_source_kind { TC_SOURCE_TOOLS, TC_SOURCE_PROMPTS, TC_SOURCE_RESOURCES, TC_SOURCE_TEMPLATES, TC_SOURCE_KINDS };

/* Called on the loop, never inside a call into the source; must not park. */
struct tc_tool_source_events {
    void (*list_changed)(void *arg, enum tc_source_kind kind); /* that list is stale */
    void (*resource_updated)(void *arg, struct tc_str uri);    /* one that was subscribed to; MAY be NULL */
    void (*ended)(void *arg, struct tc_str reason);            /* the connection is gone; the next use starts it anew */
    void (*said)(void *arg, struct tc_str line);               /* for people, as on stderr; masked; MAY be NULL */
    void *arg;
};

/* What became of a call. */
enum tc_outcome {
    TC_OUTCOME_RESULT,       /* result holds it, isError included */
    TC_OUTCOME_SERVER_ERROR, /* the source answered with an error: rpc_code, message, data */
    TC_OUTCOME_UNSUPPORTED,  /* it answered with something that is no result: result holds it */
    TC_OUTCOME_NOT_SENT,     /* it provably did not leave */
    TC_OUTCOME_UNKNOWN       /* it may have happened */
};

struct tc_source_call {
    struct tc_str tool;                /* native name */
    const struct tc_json *arguments;   /* an object */
    const struct tc_json *meta;        /* _meta of the caller to pass on, or NULL */
    struct tc_caller *caller;          /* progress, log, questions; may be NULL */
    struct tc_str identity;            /* whose grant and connection to use; empty: the shared one */
    int64_t timeout_ms;
};

/* Anything else that a client may want of a server: resources/read, prompts/get,
 * completion/complete, resources/subscribe and its reverse. A method that begins
 * with notifications/ is sent as one; its result is {}. Of these,
 * notifications/roots/list_changed connects to nothing, is sent only to a server that
 * has asked for roots, and ends when the caller was asked for them or the time is up. */
struct tc_source_request {
    const char *method;
    const struct tc_json *params;      /* an object without _meta, or NULL */
    const struct tc_json *meta;        /* as in tc_source_call */
    struct tc_caller *caller;          /* may be NULL */
    struct tc_str identity;
    int64_t timeout_ms;
};

struct tc_source_reply {
    enum tc_outcome outcome;
    const struct tc_json *result; /* in the caller's arena; cleaned */
    int rpc_code;
    struct tc_str message;        /* plain sentence for all but RESULT */
    enum tc_err code;             /* NOT_SENT: what kept it, where that is known: TC_E_MCP_LOGIN_REQUIRED, … */
    struct tc_str hint;           /* with it: what helps; may be empty */
    const struct tc_json *data;
};

struct tc_tool_source_ops {
    const char *kind; /* "mcp" */
    /* MUST, PARKS. Connects when needed, all pages; identity as in tc_source_call.
     * *ret_entries is the array of the list's entries in the arena, empty for a kind
     * that the source does not have.
     * Fails with TC_E_MCP_START_FAILED, _PROTOCOL, TC_E_TIMEOUT; the message names
     * the cause, the hint has the last lines of stderr. */
    enum tc_err (*list)(struct tc_cx *cx, struct tc_tool_source *self, enum tc_source_kind kind,
                        struct tc_str identity, const struct tc_json **ret_entries);
    /* MUST, PARKS. Connects when needed. Always fills *ret_reply when it returns
     * TC_OK; an error return means a fault of this process (memory, shutdown)
     * before anything was sent. A cancelled caller gets TC_OUTCOME_UNKNOWN after
     * the cancellation was passed on. */
    enum tc_err (*call)(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_call *call,
                        struct tc_source_reply *ret_reply);
    /* MUST, PARKS. As call; RESULT is any object. */
    enum tc_err (*request)(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_request *request,
                           struct tc_source_reply *ret_reply);
    /* MUST. JSON text for people in the arena: state, pid, server info, restarts,
     * last error, stderr tail. Empty text without memory. */
    struct tc_str (*status)(struct tc_cx *cx, struct tc_tool_source *self);
    /* MUST, PARKS. Ends the connection and every child; no event comes after. */
    void (*close)(struct tc_cx *cx, struct tc_tool_source *self);
    /* MAY. JSON text in the arena: what is worth knowing at the next start, such as the
     * protocol that was agreed on; empty when nothing is. */
    struct tc_str (*found)(struct tc_cx *cx, struct tc_tool_source *self);
    /* MAY. Gives that back, before the first use. What does not hold any more is dropped
     * and found out anew. */
    void (*recall)(struct tc_cx *cx, struct tc_tool_source *self, struct tc_str found);
};

struct tc_tool_source {
    const struct tc_tool_source_ops *ops;
};

/* Makes a source from a server's stored configuration; connects to nothing yet. */
struct tc_tool_source_factory {
    enum tc_err (*open)(struct tc_cx *cx, struct tc_tool_source_factory *self, struct tc_str name,
                        const struct tc_json *config, const struct tc_tool_source_events *events,
                        struct tc_tool_source **ret_source);
};

#endif
