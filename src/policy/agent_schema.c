/*
 * The stored form of an agent as JSON Schema, for the API and its documentation.
 * agent_form.c is what decides; tests/policy/test_agent_schema.c holds both together.
 */
#include "policy/agent.h"

#define TOOL_ID                                                                                                        \
    "\"maxLength\":512,\"not\":{\"const\":\"builtin:task.return\"},"                                                   \
    "\"pattern\":\"^(builtin|host|mcp/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"                    \
    "|extension/[^\\\\u0000-\\\\u0020\\\\u007f:]{1,128}):[\\\\s\\\\S]+$\""
#define TOOL_IDS                                                                                                       \
    "{\"type\":\"array\",\"maxItems\":1000,\"uniqueItems\":true,\"items\":{\"type\":\"string\"," TOOL_ID "}}"
#define STRINGS(max)                                                                                                   \
    "{\"type\":\"array\",\"maxItems\":1000,\"uniqueItems\":true,"                                                      \
    "\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":" max "}}"
#define PATHS                                                                                                          \
    "{\"type\":\"array\",\"maxItems\":1000,\"uniqueItems\":true,\"items\":{\"type\":\"string\",\"maxLength\":1024,"    \
    "\"pattern\":\"^(?!/)(?!([^\\\\u0000]*/)?\\\\.\\\\.(/|$))[^\\\\u0000]+$\"}}"
#define TEXT(min, max) "{\"type\":\"string\",\"minLength\":" min ",\"maxLength\":" max "}"
#define WHOLE(min, max) "{\"type\":\"integer\",\"minimum\":" min ",\"maximum\":" max "}"
#define WHOLE_OR_NULL "{\"type\":[\"integer\",\"null\"],\"minimum\":1,\"maximum\":100000}"
#define FLAG "{\"type\":\"boolean\"}"
#define CLOSED "\"type\":\"object\",\"additionalProperties\":false,\"properties\":"
#define STYLE "{\"enum\":[\"mcp\",\"server\",\"dmr\",\"bare\"]}"

const char tc_agent_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\"Agent\","
    "\"required\":[\"id\"]," CLOSED "{"
    "\"schemaVersion\":" WHOLE("1", "1") ","
    "\"id\":{\"type\":\"string\",\"pattern\":\"^[a-z0-9_-]{1,64}$\",\"description\":\"Immutable.\"},"
    "\"name\":" TEXT("0", "200") ","
    "\"description\":" TEXT("0", "4096") ","
    "\"prompt\":" TEXT("0", "262144") ","
    "\"model\":{" CLOSED "{\"channel\":" TEXT("1", "200") ",\"model\":" TEXT("1", "200") "}},"
    "\"clientModel\":{" CLOSED "{"
        "\"name\":" TEXT("1", "200") ","
        "\"capability\":{\"enum\":[\"text\",\"vision\",\"multimodal\"],\"default\":\"multimodal\"},"
        "\"imageInput\":" FLAG ","
        "\"contextWindow\":" WHOLE("1", "1000000000") ","
        "\"maxTools\":" WHOLE("0", "100000") "}},"
    "\"stage\":{\"enum\":[\"plain\",\"session\",\"chat_foreground\",\"chat_background\",\"child\"],"
        "\"default\":\"plain\"},"
    "\"toolsets\":" STRINGS("200") ","
    "\"tools\":{" CLOSED "{"
        "\"disabled\":" TOOL_IDS ","
        "\"allow\":" TOOL_IDS ","
        "\"descriptions\":{\"type\":\"object\",\"maxProperties\":1000,\"propertyNames\":{" TOOL_ID "},"
            "\"additionalProperties\":{" CLOSED "{"
                "\"description\":" TEXT("1", "4096") ","
                "\"properties\":{\"type\":\"object\",\"maxProperties\":1000,"
                    "\"propertyNames\":{\"minLength\":1,\"maxLength\":512},"
                    "\"additionalProperties\":" TEXT("1", "4096") "}}}},"
        "\"permissions\":{\"type\":\"object\",\"maxProperties\":1000,"
            "\"propertyNames\":{\"minLength\":1,\"maxLength\":512,\"not\":{\"const\":\"builtin:task.return\"}},"
            "\"additionalProperties\":{\"enum\":[\"allow\",\"ask\",\"off\"]}}}},"
    "\"naming\":{" CLOSED "{\"run\":" STYLE ",\"client\":" STYLE "}},"
    "\"discovery\":{\"enum\":[\"auto\",\"on\",\"off\"],\"default\":\"auto\"},"
    "\"arguments\":{" CLOSED "{\"repair\":{\"enum\":[\"on\",\"off\"],\"default\":\"on\"}}},"
    "\"results\":{" CLOSED "{"
        "\"inlineChars\":" WHOLE("-1", "1000000000") ","
        "\"maxChars\":" WHOLE("-1", "1000000000") ","
        "\"turnChars\":" WHOLE("-1", "1000000000") "}},"
    "\"guards\":{" CLOSED "{\"maxSteps\":" WHOLE_OR_NULL ",\"sameCall\":" WHOLE_OR_NULL "}},"
    "\"workspace\":{" CLOSED "{"
        "\"path\":{\"type\":\"string\",\"maxLength\":4096,\"pattern\":\"^/[^\\\\u0000]*$\"},"
        "\"visible\":" PATHS ",\"writable\":" PATHS ","
        "\"quotaBytes\":" WHOLE("1", "1073741824") ",\"quotaFiles\":" WHOLE("1", "100000") "}},"
    "\"skills\":{" CLOSED "{\"visible\":" STRINGS("128") ",\"denied\":" STRINGS("128") "}},"
    "\"memory\":" FLAG ","
    "\"delegation\":{" CLOSED "{"
        "\"canDelegate\":" FLAG ",\"canHandoff\":" FLAG ",\"callable\":" FLAG ",\"allowAsSubagent\":" FLAG ","
        "\"allowAsHandoffTarget\":" FLAG ",\"allowNestedDelegation\":" FLAG ","
        "\"allowedCallers\":{\"type\":\"array\",\"maxItems\":1000,\"uniqueItems\":true,"
            "\"items\":{\"type\":\"string\",\"pattern\":\"^([*]|[a-z0-9_-]{1,64})$\"}},"
        "\"descriptionForAgents\":" TEXT("0", "4096") ","
        "\"maxConcurrentInvocations\":" WHOLE("1", "100") ",\"maxInvocationsPerRun\":" WHOLE("1", "10000") ","
        "\"resultBudgetTokens\":" WHOLE("1", "10000000") ",\"maxHandoffDepth\":" WHOLE("1", "100") "}},"
    "\"approvals\":{" CLOSED "{"
        "\"channels\":{\"type\":\"array\",\"uniqueItems\":true,"
            "\"items\":{\"enum\":[\"operator\",\"caller\",\"elicitation\"]}},"
        "\"timeout\":" WHOLE("1", "86400") "}}"
    "}}";
