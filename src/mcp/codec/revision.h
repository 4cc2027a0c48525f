/*
 * The revisions of the protocol, oldest first, and what each can do, as data:
 * code asks for a feature, never for a date.
 */
#ifndef TC_MCP_CODEC_REVISION_H
#define TC_MCP_CODEC_REVISION_H

#include "toolcrib/str.h"

enum tc_mcp_feature {
    TC_MCP_HANDSHAKE = 1 << 0,        /* initialize, initialized, ping: a connection has a state */
    TC_MCP_BATCH = 1 << 1,            /* arrays of messages must be taken */
    TC_MCP_SSE_TRANSPORT = 1 << 2,    /* the HTTP transport is HTTP+SSE, not one endpoint */
    TC_MCP_AUDIO = 1 << 3,            /* audio blocks */
    TC_MCP_ANNOTATIONS = 1 << 4,      /* tool annotations */
    TC_MCP_PROGRESS_MESSAGE = 1 << 5, /* progress carries a message */
    TC_MCP_STRUCTURED = 1 << 6,       /* outputSchema and structuredContent, an object */
    TC_MCP_STRUCTURED_ANY = 1 << 7,   /* structuredContent is any value */
    TC_MCP_RESOURCE_LINK = 1 << 8,    /* resource_link blocks */
    TC_MCP_TITLES = 1 << 9,
    TC_MCP_ELICITATION = 1 << 10,     /* forms */
    TC_MCP_ELICITATION_URL = 1 << 11,
    TC_MCP_ICONS = 1 << 12,
    TC_MCP_VERSION_HEADER = 1 << 13,  /* MCP-Protocol-Version on HTTP */
    TC_MCP_ARGUMENT_RESULTS = 1 << 14, /* bad arguments are a result with isError, not an error */
    TC_MCP_CORE_TASKS = 1 << 15,      /* the experimental tasks of 2025-11-25 */
    TC_MCP_REQUEST_META = 1 << 16,    /* version and capabilities in _meta of each request; server/discover */
    TC_MCP_INPUT_REQUIRED = 1 << 17,  /* a result may ask for input; the server sends no requests */
    TC_MCP_LISTEN = 1 << 18,          /* subscriptions/listen */
    TC_MCP_CACHE_HINTS = 1 << 19,     /* ttlMs and cacheScope */
    TC_MCP_SSE_PRIMING = 1 << 20,     /* an event stream begins with an id and no data; the server may end it early */
    TC_MCP_ELICITATION_ID = 1 << 21   /* a page to open has an id, and its end is told */
};

struct tc_mcp_revision {
    const char *name;
    unsigned features;
};

/* NULL for one that is not known. */
const struct tc_mcp_revision *tc_mcp_revision_find(struct tc_str name);
/* By age, 0 the oldest; NULL past the newest. */
const struct tc_mcp_revision *tc_mcp_revision_at(size_t i);
/* The newest one that has all these features; NULL when none has. */
const struct tc_mcp_revision *tc_mcp_revision_newest(unsigned features);

static inline bool tc_mcp_revision_has(const struct tc_mcp_revision *revision, enum tc_mcp_feature feature)
{
    return (revision->features & (unsigned)feature) != 0;
}

#endif
