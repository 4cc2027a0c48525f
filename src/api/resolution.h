/*
 * A resolution as the interface and the command read it: what is offered, and for all the rest
 * why not, with what such a sentence is made of.
 */
#ifndef TC_API_RESOLUTION_H
#define TC_API_RESOLUTION_H

#include "api/agent_model.h"

struct tc_api_resolution {
    const struct tc_resolution *resolution;
    const struct tc_agent_model *model;
    bool brief; /* of each description its first paragraph */
};

/* Nothing parks. */
enum tc_err tc_api_resolution_write(struct tc_cx *cx, struct tc_api_call *call,
                                    const struct tc_api_resolution *resolution);

/* --- parts --- */

/* Whose tool it is: "builtin", "mcp:<server>", "ext:<id>", "host". */
void tc_api_tool_source(struct tc_jsonw *w, const struct tc_descriptor *tool);
/* [{reason, detail, params}], the one that decides first. */
void tc_api_reasons(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *resolution, size_t index,
                    uint16_t reasons);
/* [{reason, count}], the largest first. */
void tc_api_reason_counts(struct tc_jsonw *w, const uint32_t counts[TC_REASON_COUNT]);
void tc_api_model(struct tc_jsonw *w, const struct tc_model *model, struct tc_str channel);

#define TC_API_CAPABILITY "{\"enum\":[\"text\",\"vision\",\"multimodal\"]}"
#define TC_API_REASON                                                                                                  \
    "{\"enum\":[\"globally_disabled\",\"agent_toolset_not_enabled\",\"agent_tool_disabled\",\"permission_off\","       \
    "\"capability_mismatch\",\"needs_image_input\",\"scene_filtered\",\"unavailable\",\"server_paused\","              \
    "\"server_down\",\"quarantined\",\"over_provider_limit\"]}"
#define TC_API_REASONS_OUTPUT                                                                                          \
    "{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"object\",\"additionalProperties\":false,\"required\":["  \
    "\"reason\",\"detail\",\"params\"],\"properties\":{\"reason\":" TC_API_REASON ",\"detail\":" TC_API_STRING         \
    ",\"params\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"toolset\":" TC_API_STRING       \
    ",\"scope\":{\"enum\":[\"agent\",\"server\",\"exclude\",\"disabled\",\"allow\",\"changed\",\"new\",\"schema\"]},"  \
    "\"pattern\":" TC_API_STRING_OR_NULL ",\"server\":" TC_API_STRING_OR_NULL ",\"model\":" TC_API_STRING_OR_NULL      \
    ",\"needed\":" TC_API_CAPABILITY ",\"present\":" TC_API_CAPABILITY                                                 \
    ",\"scenes\":{\"type\":\"array\",\"items\":" TC_API_STRING "},\"stage\":" TC_API_STRING                            \
    ",\"condition\":{\"enum\":[\"stage\",\"memory\",\"skills\",\"master\",\"answers\",\"run\",\"search\"]},"           \
    "\"missing\":" TC_API_STRING_OR_NULL ",\"cause\":" TC_API_STRING_OR_NULL ",\"newTool\":" TC_API_BOOLEAN            \
    ",\"limit\":" TC_API_INTEGER "}}}}}"
#define TC_API_REASON_COUNTS_OUTPUT                                                                                    \
    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"reason\","      \
    "\"count\"],\"properties\":{\"reason\":" TC_API_REASON ",\"count\":" TC_API_INTEGER "}}}"
#define TC_API_MODEL_OUTPUT                                                                                            \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\",\"channel\",\"capability\","           \
    "\"imageInput\",\"contextWindow\",\"maxTools\"],\"properties\":{\"name\":" TC_API_STRING_OR_NULL                   \
    ",\"channel\":" TC_API_STRING_OR_NULL ",\"capability\":" TC_API_CAPABILITY ",\"imageInput\":" TC_API_BOOLEAN       \
    ",\"contextWindow\":" TC_API_INTEGER ",\"maxTools\":{\"type\":[\"integer\",\"null\"]}}}"
#define TC_API_SCENE_OUTPUT                                                                                            \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"stage\",\"memory\",\"skills\",\"crewRole\","  \
    "\"answers\",\"run\"],\"properties\":{\"stage\":" TC_API_STRING ",\"memory\":" TC_API_BOOLEAN ",\"skills\":"       \
    TC_API_BOOLEAN ",\"crewRole\":" TC_API_STRING_OR_NULL ",\"answers\":" TC_API_BOOLEAN ",\"run\":" TC_API_BOOLEAN "}}"
#define TC_API_DIAGNOSTICS_OUTPUT                                                                                      \
    "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"code\","        \
    "\"message\",\"toolId\"],\"properties\":{\"code\":" TC_API_STRING ",\"message\":" TC_API_STRING ",\"toolId\":"     \
    TC_API_STRING "}}}"
#define TC_API_RESOLVED_KEYS                                                                                           \
    "\"id\",\"name\",\"label\",\"description\",\"toolset\",\"source\",\"capability\",\"isCore\",\"canDisable\","       \
    "\"permission\",\"deferred\",\"hintSource\",\"newTool\",\"tokens\""
#define TC_API_RESOLVED_MEMBERS                                                                                        \
    "\"id\":" TC_API_STRING ",\"name\":" TC_API_STRING_OR_NULL ",\"label\":" TC_API_STRING ",\"description\":"         \
    TC_API_STRING ",\"toolset\":" TC_API_STRING ",\"source\":" TC_API_STRING ",\"capability\":" TC_API_CAPABILITY      \
    ",\"isCore\":" TC_API_BOOLEAN ",\"canDisable\":" TC_API_BOOLEAN                                                    \
    ",\"permission\":{\"enum\":[\"allow\",\"ask\",\"off\"]},\"deferred\":" TC_API_BOOLEAN                              \
    ",\"hintSource\":{\"enum\":[null,\"code\",\"operator\"]},\"newTool\":" TC_API_BOOLEAN ",\"tokens\":" TC_API_INTEGER
#define TC_API_RESOLUTION_OUTPUT                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"agent\",\"style\",\"scene\",\"model\","       \
    "\"tools\",\"out\",\"summary\",\"toolsets\",\"discovery\",\"diagnostics\"],\"properties\":{\"agent\":"             \
    TC_API_STRING ",\"style\":{\"enum\":[\"mcp\",\"server\",\"dmr\",\"bare\"]},\"scene\":" TC_API_SCENE_OUTPUT         \
    ",\"model\":" TC_API_MODEL_OUTPUT ",\"tools\":{\"type\":\"array\",\"items\":{\"type\":\"object\","                 \
    "\"additionalProperties\":false,\"required\":[" TC_API_RESOLVED_KEYS "],\"properties\":{" TC_API_RESOLVED_MEMBERS  \
    "}}},\"out\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,\"required\":["     \
    TC_API_RESOLVED_KEYS ",\"reason\",\"reasons\"],\"properties\":{" TC_API_RESOLVED_MEMBERS ",\"reason\":"            \
    TC_API_REASON ",\"reasons\":" TC_API_REASONS_OUTPUT "}}},\"summary\":{\"type\":\"object\","                        \
    "\"additionalProperties\":false,\"required\":[\"offered\",\"out\"],\"properties\":{\"offered\":" TC_API_INTEGER    \
    ",\"out\":" TC_API_REASON_COUNTS_OUTPUT "}},\"toolsets\":{\"type\":\"array\",\"items\":{\"type\":\"object\","      \
    "\"additionalProperties\":false,\"required\":[\"name\",\"label\",\"source\",\"offered\",\"total\",\"enabled\"],"   \
    "\"properties\":{\"name\":" TC_API_STRING ",\"label\":" TC_API_STRING ",\"source\":" TC_API_STRING_OR_NULL         \
    ",\"offered\":" TC_API_INTEGER ",\"total\":" TC_API_INTEGER ",\"enabled\":" TC_API_BOOLEAN "}}},\"discovery\":{"   \
    "\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"mode\",\"schemaTokens\",\"budget\","           \
    "\"deferred\",\"offeredTokens\"],\"properties\":{\"mode\":{\"enum\":[\"auto\",\"on\",\"off\"]},\"schemaTokens\":"  \
    TC_API_INTEGER ",\"budget\":{\"type\":[\"integer\",\"null\"]},\"deferred\":" TC_API_INTEGER ",\"offeredTokens\":"  \
    TC_API_INTEGER "}},\"diagnostics\":" TC_API_DIAGNOSTICS_OUTPUT "}}"

#endif
