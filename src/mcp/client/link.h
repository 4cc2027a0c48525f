/*
 * What carries messages to one MCP server and back: stdio (link_stdio.c),
 * Streamable HTTP (link_http.c), HTTP+SSE (link_sse.c). A link frames, waits,
 * matches answers to requests and knows what became of each; what the messages
 * mean is the peer's business (peer.h), which owns the link.
 *
 * Whatever ends a link, its requests in flight are settled first, then `ended` is
 * called, once, unless the owner closed it. It is not started again.
 */
#ifndef TC_MCP_CLIENT_LINK_H
#define TC_MCP_CLIENT_LINK_H

#include "http/header.h"
#include "mcp/codec/revision.h"
#include "mcp/codec/rpc.h"
#include "ports/tool_source.h"

struct tc_link;

struct tc_link_request {
    const char *method;
    /* Writes the value of params with w; id is the request's, of use as a progress
     * token. Must not park. Called once for each time that it is sent. */
    void (*write_params)(struct tc_jsonw *w, int64_t id, void *arg);
    void *arg;
    struct tc_header_list headers; /* of this request, where the transport has any: Mcp-Method, Mcp-Name, … */
    void *use;                     /* the owner's mark: comes back with what the server sends meanwhile; may be NULL */
    struct tc_str identity;        /* whose grant the transport is to use; empty: the server's */
    int64_t timeout_ms;            /* progress does not prolong it; negative: none */
    bool untold;                   /* when it is given up, the server is not told: a greeting */
    bool standing;                 /* it lasts as long as the link: nobody waits for its answer */
};

struct tc_link_reply {
    struct tc_source_reply base;
    int http_status;               /* of the answer that brought it; 0: none */
    struct tc_error cause;         /* of NOT_SENT and UNKNOWN where it has a code of its own; else TC_OK */
};

/* One message that is no answer. Everything is borrowed for the call; rpc and
 * params lie in a document that *doc holds. */
struct tc_link_message {
    struct tc_rpc rpc;             /* TC_RPC_REQUEST or TC_RPC_NOTIFICATION; strings may be unclean when suspect */
    struct tc_json_doc *doc;
    bool suspect;
    /* The use of the request that it belongs to: of progress, by its token; else of
     * the one on whose stream it came. NULL when the link cannot tell. */
    void *use;
};

struct tc_link_events {
    /* On the loop; must not park. For a request the peer answers later with
     * tc_link_ops.answer. */
    void (*message)(void *arg, struct tc_cx *cx, const struct tc_link_message *message);
    void (*ended)(void *arg);
    void (*said)(void *arg, struct tc_str line); /* on stderr, cut; may be NULL; also after the end has begun */
    void *arg;
};

struct tc_link_status {
    int pid;                       /* 0: no process of ours */
    struct tc_str reason;          /* of its end; empty while it lives */
    bool forgotten;                /* it ended with a session that the server does not know: start anew at once */
    size_t heard;                  /* grows with whatever comes from the server, stderr too */
    struct tc_str output;          /* stderr, the last 64 KiB */
    struct tc_str skipped_line;    /* the last line that was no message, cut */
    size_t in_flight;
    size_t messages;               /* that came, of any kind */
    size_t skipped, late, too_long; /* lines that were no message; answers nobody waited for */
};

struct tc_link_ops {
    const char *name;              /* "stdio", "http", "sse" */
    bool takes_headers;            /* those of a request are of use */
    /* MUST, PARKS. Always fills *ret_reply when it returns TC_OK, with the outcome
     * as in ports/tool_source.h; an error is a fault of this process. A caller that
     * gives up or is cancelled has that passed on to the server. */
    enum tc_err (*request)(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                           struct tc_link_reply *ret_reply);
    /* MUST, PARKS for HTTP. params is JSON text, or empty. Its loss is no error. */
    enum tc_err (*notify)(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params);
    /* MUST, PARKS for HTTP. Sends a whole answer to a request of the server. */
    enum tc_err (*answer)(struct tc_cx *cx, struct tc_link *self, struct tc_str message);
    /* MUST. What was agreed on; from here on a link may send what goes with it:
     * header of the version, a stream for what the server sends unasked (never in
     * the era without handshake). NULL: nothing, as at the start; the era of the
     * server is being found out. */
    void (*agreed)(struct tc_link *self, const struct tc_mcp_revision *revision);
    bool (*alive)(const struct tc_link *self);
    /* Borrowed from the link. */
    void (*status)(const struct tc_link *self, struct tc_link_status *ret_status);
    /* Begins the end. No event comes after. */
    void (*close)(struct tc_link *self);
    /* PARKS. Until nothing of it is left. */
    enum tc_err (*join)(struct tc_cx *cx, struct tc_link *self, int64_t timeout_ms);
    void (*ref)(struct tc_link *self);
    void (*unref)(struct tc_link *self);
};

struct tc_link {
    const struct tc_link_ops *ops;
};

#endif
