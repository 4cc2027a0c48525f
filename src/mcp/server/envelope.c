/*
 * Reading of _meta and of capabilities.
 */
#include "mcp/server/envelope.h"

#include "ports/caller.h"

static const char version_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";
static const char log_key[] = "io.modelcontextprotocol/logLevel";
static const char tasks_key[] = "io.modelcontextprotocol/tasks";

static const char *const levels[] = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

int tc_envelope_log_level(struct tc_str name)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (tc_str_is(name, levels[i]))
            return (int)i;
    return TC_LOG_NONE;
}

const char *tc_envelope_log_name(int level)
{
    return level < 0 ? "" : levels[level];
}

bool tc_envelope_is_metadata(const struct tc_rpc *rpc, struct tc_str header)
{
    const struct tc_mcp_revision *revision = header.p ? tc_mcp_revision_find(header) : NULL;

    if (revision)
        return tc_mcp_revision_has(revision, TC_MCP_REQUEST_META) ||
               tc_json_get_c(tc_json_get_c(rpc->params, "_meta"), version_key);
    return tc_json_get_c(tc_json_get_c(rpc->params, "_meta"), version_key) ||
           tc_str_is(rpc->method, "server/discover");
}

static bool is_object(const struct tc_json *object, const char *key)
{
    return tc_json_is(tc_json_get_c(object, key), TC_JSON_OBJECT);
}

unsigned tc_envelope_abilities(const struct tc_json *capabilities, const struct tc_mcp_revision *revision)
{
    const struct tc_json *elicitation = tc_json_get_c(capabilities, "elicitation"),
                         *sampling = tc_json_get_c(capabilities, "sampling");
    unsigned abilities = 0;

    if (tc_json_is(elicitation, TC_JSON_OBJECT)) {
        if (is_object(elicitation, "form") || !is_object(elicitation, "url"))
            abilities |= TC_ABILITY_FORM;
        if (is_object(elicitation, "url"))
            abilities |= TC_ABILITY_URL;
    }
    if (tc_json_is(sampling, TC_JSON_OBJECT)) {
        abilities |= TC_ABILITY_SAMPLING;
        if (is_object(sampling, "tools"))
            abilities |= TC_ABILITY_SAMPLING_TOOLS;
        if (is_object(sampling, "context") || (revision && !tc_mcp_revision_has(revision, TC_MCP_ELICITATION_URL)))
            abilities |= TC_ABILITY_SAMPLING_CONTEXT; /* it had no name before */
    }
    if (is_object(capabilities, "roots"))
        abilities |= TC_ABILITY_ROOTS;
    if (is_object(tc_json_get_c(capabilities, "extensions"), tasks_key))
        abilities |= TC_ABILITY_TASKS;
    /* What is declared too early has no form in the agreed revision. */
    if (revision && !tc_mcp_revision_has(revision, TC_MCP_ELICITATION))
        abilities &= ~(unsigned)TC_ABILITY_FORM;
    if (revision && !tc_mcp_revision_has(revision, TC_MCP_ELICITATION_URL))
        abilities &= ~(unsigned)(TC_ABILITY_URL | TC_ABILITY_SAMPLING_TOOLS);
    return abilities;
}

bool tc_envelope_answers(const struct tc_envelope *envelope)
{
    return (envelope->abilities & (TC_ABILITY_FORM | TC_ABILITY_URL)) != 0;
}

enum tc_err tc_envelope_open(struct tc_cx *cx, const struct tc_json *params, struct tc_envelope *ret)
{
    const struct tc_json *meta = tc_json_get_c(params, "_meta"), *version = tc_json_get_c(meta, version_key),
                         *capabilities = tc_json_get_c(meta, capabilities_key), *level = tc_json_get_c(meta, log_key);
    struct tc_envelope envelope = {.log_level = TC_LOG_NONE};

    if (!tc_json_is(version, TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "params._meta needs \"%s\", a string.", version_key);
    if (!tc_json_is(capabilities, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_RPC_PARAMS, "params._meta needs \"%s\", an object.", capabilities_key);
    if (level)
        envelope.log_level = tc_envelope_log_level(tc_json_str(level));
    if (level && envelope.log_level == TC_LOG_NONE)
        return tc_fail(cx, TC_E_RPC_PARAMS, "\"%s\" is none of the log levels.", log_key);
    envelope.version = tc_json_str(version);
    envelope.abilities = tc_envelope_abilities(capabilities, NULL);
    *ret = envelope;
    return TC_OK;
}

enum tc_err tc_envelope_bad_version(struct tc_cx *cx, struct tc_str version)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str details;

    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "supported");
    tc_jsonw_array(&w);
    for (size_t i = 0; tc_mcp_revision_at(i); i++) /* others need a handshake, so they are not to be picked from here */
        if (tc_mcp_revision_has(tc_mcp_revision_at(i), TC_MCP_REQUEST_META))
            tc_jsonw_cstr(&w, tc_mcp_revision_at(i)->name);
    tc_jsonw_end(&w);
    tc_jsonw_kstr(&w, "requested", version);
    tc_jsonw_end(&w);
    details = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!details.p)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_MCP_VERSION, "The protocol version \"%.*s\" is not spoken here.", TC_STR_ARG(version));
    return tc_fail_details(cx, details);
}

enum tc_err tc_envelope_settle(struct tc_cx *cx, struct tc_envelope *envelope)
{
    const struct tc_mcp_revision *revision = tc_mcp_revision_find(envelope->version);

    if (!revision || !tc_mcp_revision_has(revision, TC_MCP_REQUEST_META))
        return tc_envelope_bad_version(cx, envelope->version);
    envelope->revision = revision;
    return TC_OK;
}

struct tc_str tc_envelope_progress_token(struct tc_arena *arena, const struct tc_json *params)
{
    const struct tc_json *token = tc_json_get_c(tc_json_get_c(params, "_meta"), "progressToken");

    if (!tc_json_is(token, TC_JSON_STRING) && !tc_json_is(token, TC_JSON_NUMBER))
        return TC_STR("");
    return tc_json_text(arena, token);
}
