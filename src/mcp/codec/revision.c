/*
 * The table of protocol revisions.
 */
#include "mcp/codec/revision.h"

enum {
    SINCE_2025_03 = TC_MCP_AUDIO | TC_MCP_ANNOTATIONS | TC_MCP_PROGRESS_MESSAGE,
    SINCE_2025_06 = SINCE_2025_03 | TC_MCP_STRUCTURED | TC_MCP_RESOURCE_LINK | TC_MCP_TITLES | TC_MCP_ELICITATION |
                    TC_MCP_VERSION_HEADER,
    SINCE_2025_11 = SINCE_2025_06 | TC_MCP_ICONS | TC_MCP_ELICITATION_URL | TC_MCP_ARGUMENT_RESULTS
};

static const struct tc_mcp_revision revisions[] = {
    {"2024-11-05", TC_MCP_HANDSHAKE | TC_MCP_SSE_TRANSPORT},
    {"2025-03-26", TC_MCP_HANDSHAKE | TC_MCP_BATCH | SINCE_2025_03},
    {"2025-06-18", TC_MCP_HANDSHAKE | SINCE_2025_06},
    {"2025-11-25", TC_MCP_HANDSHAKE | TC_MCP_CORE_TASKS | TC_MCP_SSE_PRIMING | TC_MCP_ELICITATION_ID | SINCE_2025_11},
    {"2026-07-28", TC_MCP_REQUEST_META | TC_MCP_INPUT_REQUIRED | TC_MCP_LISTEN | TC_MCP_CACHE_HINTS |
                       TC_MCP_STRUCTURED_ANY | SINCE_2025_11},
};
enum { REVISIONS = sizeof revisions / sizeof revisions[0] };

const struct tc_mcp_revision *tc_mcp_revision_find(struct tc_str name)
{
    for (size_t i = 0; i < REVISIONS; i++) {
        if (tc_str_is(name, revisions[i].name))
            return &revisions[i];
    }
    return NULL;
}

const struct tc_mcp_revision *tc_mcp_revision_at(size_t i)
{
    return i < REVISIONS ? &revisions[i] : NULL;
}

const struct tc_mcp_revision *tc_mcp_revision_newest(unsigned features)
{
    for (size_t i = REVISIONS; i-- > 0;) {
        if ((revisions[i].features & features) == features)
            return &revisions[i];
    }
    return NULL;
}
