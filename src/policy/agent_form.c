/*
 * The fields of an agent as data (spec 12). agent_schema.c says the same as JSON
 * Schema; a test holds the two together.
 */
#include "policy/agent_form.h"

#include "catalog/toolset.h"
#include "policy/agent.h"
#include "policy/form.h"

const char *const tc_agent_form_stages[] = {"plain", "session", "chat_foreground", "chat_background", "child", NULL};
const char *const tc_agent_form_permissions[] = {"allow", "ask", "off", NULL};
const char *const tc_agent_form_styles[] = {"mcp", "server", "dmr", "bare", NULL};
const char *const tc_agent_form_discovery[] = {"auto", "on", "off", NULL};
const char *const tc_agent_form_channels[] = {"operator", "caller", "elicitation", NULL};
static const char *const capabilities[] = {"text", "vision", "multimodal", NULL};
static const char *const repairs[] = {"on", "off", NULL};

/* Counters that older schemas had; they are dropped wherever they stand. */
static const char *const retired[] = {"maxRounds", "maxCallsPerRun", "maxCallsPerTool", NULL};

/* --- checks of strings --- */

#define TOOL_ID "a ToolId such as builtin:dice.roll, and not task.return, which is the runtime's"
#define PATTERN "a ToolId or a glob over ToolIds, and not task.return, which is the runtime's"
#define RELATIVE "a relative path without .. in it"

static bool is_pattern(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return !tc_str_is(s, "builtin:task.return");
}

static bool is_tool_id(struct tc_cx *cx, struct tc_str s)
{
    struct tc_tool_id id;

    return is_pattern(cx, s) && !tc_tool_id_parse(cx, s, &id);
}

static bool is_agent_id(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return tc_agent_id_ok(s);
}

static bool is_agent_id_or_star(struct tc_cx *cx, struct tc_str s)
{
    return tc_str_is(s, "*") || is_agent_id(cx, s);
}

static bool is_relative_path(struct tc_cx *cx, struct tc_str s)
{
    struct tc_str rest = s, part;

    (void)cx;
    if (s.n == 0 || s.p[0] == '/' || tc_str_chr(s, '\0') != SIZE_MAX)
        return false;
    while (tc_str_split(&rest, '/', &part))
        if (tc_str_is(part, ".."))
            return false;
    return true;
}

static bool is_absolute_path(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return s.n > 0 && s.p[0] == '/' && tc_str_chr(s, '\0') == SIZE_MAX;
}

/* --- the table --- */

static const struct tc_form_field model_fields[] = {
    {.name = "channel", .kind = TC_FORM_TEXT, .min = 1, .max = 200},
    {.name = "model", .kind = TC_FORM_TEXT, .min = 1, .max = 200},
    {0},
};
static const struct tc_form_field client_model_fields[] = {
    {.name = "name", .kind = TC_FORM_TEXT, .min = 1, .max = 200},
    {.name = "capability", .kind = TC_FORM_CHOICE, .choices = capabilities},
    {.name = "imageInput", .kind = TC_FORM_FLAG},
    {.name = "contextWindow", .kind = TC_FORM_NUMBER, .min = 1, .max = TC_FORM_NUMBER_MAX},
    {.name = "maxTools", .kind = TC_FORM_NUMBER, .min = 0, .max = 100000},
    {0},
};
static const struct tc_form_field description_fields[] = {
    {.name = "description", .kind = TC_FORM_TEXT, .min = 1, .max = 4096},
    {.name = "properties", .kind = TC_FORM_MAP_OF_TEXT, .min = 1, .max = 4096},
    {0},
};
static const struct tc_form_field tools_fields[] = {
    {.name = "disabled", .kind = TC_FORM_LIST, .min = 1, .max = 512, .check = is_tool_id, .what = TOOL_ID},
    {.name = "allow", .kind = TC_FORM_LIST, .min = 1, .max = 512, .check = is_tool_id, .what = TOOL_ID},
    {.name = "descriptions", .kind = TC_FORM_MAP_OF_OBJECT, .check = is_tool_id, .what = TOOL_ID,
     .members = description_fields},
    {.name = "permissions", .kind = TC_FORM_MAP_OF_CHOICE, .check = is_pattern, .what = PATTERN,
     .choices = tc_agent_form_permissions},
    {0},
};
static const struct tc_form_field naming_fields[] = {
    {.name = "run", .kind = TC_FORM_CHOICE, .choices = tc_agent_form_styles},
    {.name = "client", .kind = TC_FORM_CHOICE, .choices = tc_agent_form_styles},
    {0},
};
static const struct tc_form_field arguments_fields[] = {
    {.name = "repair", .kind = TC_FORM_CHOICE, .choices = repairs},
    {0},
};
static const struct tc_form_field results_fields[] = {
    {.name = "inlineChars", .kind = TC_FORM_NUMBER, .min = -1, .max = TC_FORM_NUMBER_MAX},
    {.name = "maxChars", .kind = TC_FORM_NUMBER, .min = -1, .max = TC_FORM_NUMBER_MAX},
    {.name = "turnChars", .kind = TC_FORM_NUMBER, .min = -1, .max = TC_FORM_NUMBER_MAX},
    {0},
};
static const struct tc_form_field guards_fields[] = {
    {.name = "maxSteps", .kind = TC_FORM_NUMBER_OR_NULL, .min = 1, .max = 100000},
    {.name = "sameCall", .kind = TC_FORM_NUMBER_OR_NULL, .min = 1, .max = 100000},
    {0},
};
static const struct tc_form_field workspace_fields[] = {
    {.name = "path", .kind = TC_FORM_TEXT, .min = 1, .max = 4096, .check = is_absolute_path,
     .what = "an absolute path"},
    {.name = "visible", .kind = TC_FORM_LIST, .min = 1, .max = 1024, .check = is_relative_path, .what = RELATIVE},
    {.name = "writable", .kind = TC_FORM_LIST, .min = 1, .max = 1024, .check = is_relative_path, .what = RELATIVE},
    {.name = "quotaBytes", .kind = TC_FORM_NUMBER, .min = 1, .max = TC_AGENT_QUOTA_BYTES},
    {.name = "quotaFiles", .kind = TC_FORM_NUMBER, .min = 1, .max = TC_AGENT_QUOTA_FILES},
    {0},
};
static const struct tc_form_field skills_fields[] = {
    {.name = "visible", .kind = TC_FORM_LIST, .min = 1, .max = 128},
    {.name = "denied", .kind = TC_FORM_LIST, .min = 1, .max = 128},
    {0},
};
static const struct tc_form_field delegation_fields[] = {
    {.name = "canDelegate", .kind = TC_FORM_FLAG},
    {.name = "canHandoff", .kind = TC_FORM_FLAG},
    {.name = "callable", .kind = TC_FORM_FLAG},
    {.name = "allowAsSubagent", .kind = TC_FORM_FLAG},
    {.name = "allowAsHandoffTarget", .kind = TC_FORM_FLAG},
    {.name = "allowNestedDelegation", .kind = TC_FORM_FLAG},
    {.name = "allowedCallers", .kind = TC_FORM_LIST, .min = 1, .max = 64, .check = is_agent_id_or_star,
     .what = "the id of an agent, or *"},
    {.name = "descriptionForAgents", .kind = TC_FORM_TEXT, .min = 0, .max = 4096},
    {.name = "maxConcurrentInvocations", .kind = TC_FORM_NUMBER, .min = 1, .max = 100},
    {.name = "maxInvocationsPerRun", .kind = TC_FORM_NUMBER, .min = 1, .max = 10000},
    {.name = "resultBudgetTokens", .kind = TC_FORM_NUMBER, .min = 1, .max = 10000000},
    {.name = "maxHandoffDepth", .kind = TC_FORM_NUMBER, .min = 1, .max = 100},
    {0},
};
static const struct tc_form_field approvals_fields[] = {
    {.name = "channels", .kind = TC_FORM_LIST, .choices = tc_agent_form_channels},
    {.name = "timeout", .kind = TC_FORM_NUMBER, .min = 1, .max = 86400},
    {0},
};

/* What an agent has although it was not said. */
static void write_schema_version(struct tc_jsonw *w)
{
    tc_jsonw_int(w, TC_AGENT_SCHEMA_VERSION);
}

static void write_toolsets(struct tc_jsonw *w)
{
    tc_jsonw_array(w);
    for (size_t i = 0; i < tc_toolset_defaults_n; i++)
        tc_jsonw_cstr(w, tc_toolset_defaults[i]);
    tc_jsonw_end(w);
}

static const struct tc_form_field agent_fields[] = {
    {.name = "schemaVersion", .kind = TC_FORM_NUMBER, .min = 1, .max = TC_AGENT_SCHEMA_VERSION,
     .otherwise = write_schema_version},
    {.name = "id", .kind = TC_FORM_TEXT, .min = 1, .max = 64, .check = is_agent_id,
     .what = "1 to 64 of the characters a to z, 0 to 9, _ and -", .required = true},
    {.name = "name", .kind = TC_FORM_TEXT, .min = 0, .max = 200},
    {.name = "description", .kind = TC_FORM_TEXT, .min = 0, .max = 4096},
    {.name = "prompt", .kind = TC_FORM_TEXT, .min = 0, .max = 262144},
    {.name = "model", .kind = TC_FORM_OBJECT, .members = model_fields},
    {.name = "clientModel", .kind = TC_FORM_OBJECT, .members = client_model_fields},
    {.name = "stage", .kind = TC_FORM_CHOICE, .choices = tc_agent_form_stages},
    {.name = "toolsets", .kind = TC_FORM_LIST, .min = 1, .max = 200, .otherwise = write_toolsets},
    {.name = "tools", .kind = TC_FORM_OBJECT, .members = tools_fields},
    {.name = "naming", .kind = TC_FORM_OBJECT, .members = naming_fields},
    {.name = "discovery", .kind = TC_FORM_CHOICE, .choices = tc_agent_form_discovery},
    {.name = "arguments", .kind = TC_FORM_OBJECT, .members = arguments_fields},
    {.name = "results", .kind = TC_FORM_OBJECT, .members = results_fields},
    {.name = "guards", .kind = TC_FORM_OBJECT, .members = guards_fields},
    {.name = "workspace", .kind = TC_FORM_OBJECT, .members = workspace_fields},
    {.name = "skills", .kind = TC_FORM_OBJECT, .members = skills_fields},
    {.name = "memory", .kind = TC_FORM_FLAG},
    {.name = "delegation", .kind = TC_FORM_OBJECT, .members = delegation_fields},
    {.name = "approvals", .kind = TC_FORM_OBJECT, .members = approvals_fields},
    {0},
};

static const struct tc_form agent_form = {TC_E_AGENT_INVALID, "An agent", agent_fields, retired};

enum tc_err tc_agent_form_write(struct tc_cx *cx, const struct tc_json *json, struct tc_buf *to)
{
    int64_t version;
    enum tc_err err;

    if (!tc_json_int(tc_json_get_c(json, "schemaVersion"), &version) || version <= TC_AGENT_SCHEMA_VERSION)
        return tc_form_write(cx, &agent_form, json, to);
    err = tc_form_refuse(cx, &agent_form, TC_STR("/schemaVersion"), "is %lld, which this version cannot read.",
                         (long long)version);
    return err == TC_E_AGENT_INVALID ? tc_fail_hint(cx, "Use the version of Toolcrib that wrote it.") : err;
}
