/*
 * Reads an mcpServers entry. The keys are a table; those of other clients that
 * mean nothing here are named, not refused.
 */
#include "mcp/client/config.h"

#include "base/utf8.h"

enum { SHOWN_CHARS = 40 };

enum shape { STRING, STRINGS, VARIABLES, BOOLEAN };

static const struct {
    const char *key;
    enum shape shape;
} keys[] = {
    {"command", STRING},  {"args", STRINGS},   {"env", VARIABLES},     {"cwd", STRING},      {"type", STRING},
    {"url", STRING},      {"headers", VARIABLES}, {"disabled", BOOLEAN}, {"include", STRINGS}, {"exclude", STRINGS},
    {"description", STRING},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

static const char *const shape_names[] = {"a string without NUL", "an array of strings without NUL",
                                          "an object of strings without NUL", "true or false"};

static enum tc_err invalid(struct tc_cx *cx, const char *key, const char *sentence)
{
    tc_fail(cx, TC_E_MCP_SERVER_INVALID, "%s", sentence);
    return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%s", key));
}

/* A string that can be handed to a program. */
static bool is_text(const struct tc_json *v)
{
    return tc_json_is(v, TC_JSON_STRING) && tc_str_chr(tc_json_str(v), '\0') == SIZE_MAX;
}

static bool is_variable(struct tc_str name)
{
    return name.n > 0 && tc_str_chr(name, '=') == SIZE_MAX && tc_str_chr(name, '\0') == SIZE_MAX;
}

static bool fits(const struct tc_json *v, enum shape shape)
{
    struct tc_json_iter it;
    const struct tc_json *item;
    struct tc_str key;

    if (shape == STRING)
        return is_text(v);
    if (shape == BOOLEAN)
        return tc_json_is(v, TC_JSON_TRUE) || tc_json_is(v, TC_JSON_FALSE);
    if (!tc_json_is(v, shape == STRINGS ? TC_JSON_ARRAY : TC_JSON_OBJECT))
        return false;
    for (it = tc_json_iter(v); tc_json_next(&it, &key, &item);) {
        if (!is_text(item) || (shape == VARIABLES && !is_variable(key)))
            return false;
    }
    return true;
}

/* Index in keys, or KEYS. */
static size_t find_key(struct tc_str key)
{
    size_t i = 0;

    while (i < KEYS && !tc_str_is(key, keys[i].key))
        i++;
    return i;
}

static enum tc_err check_keys(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *config)
{
    struct tc_str *unknown = TC_ARENA_NEW_N(cx->arena, struct tc_str, tc_json_count(block) + 1), key;
    struct tc_json_iter it;
    const struct tc_json *v;

    if (!unknown)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(block); tc_json_next(&it, &key, &v);) {
        size_t at = find_key(key);

        if (at < KEYS && !tc_json_is(v, TC_JSON_NULL) && !fits(v, keys[at].shape)) {
            tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"%s\" of a server must be %s.", keys[at].key,
                    shape_names[keys[at].shape]);
            return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%s", keys[at].key));
        }
        if (at < KEYS)
            continue;
        unknown[config->diagnostics_n] = tc_arena_printf(cx->arena, "\"%.*s\" means nothing here and was left alone.",
                                                         TC_STR_ARG(tc_utf8_head(key, SHOWN_CHARS)));
        if (!unknown[config->diagnostics_n++].p)
            return tc_fail_memory(cx);
    }
    config->diagnostics = unknown;
    return TC_OK;
}

static enum tc_err check_transport(struct tc_cx *cx, const struct tc_json *block)
{
    struct tc_str type = tc_json_str(tc_json_get_c(block, "type"));
    struct tc_str command = tc_json_str(tc_json_get_c(block, "command"));

    if (tc_json_is(tc_json_get_c(block, "url"), TC_JSON_STRING))
        return invalid(cx, "url", "Only servers that are started by a command (stdio) can be added in this version.");
    if (type.n && !tc_str_is(type, "stdio"))
        return invalid(cx, "type", "Only servers of type \"stdio\" can be added in this version.");
    if (command.n == 0)
        return invalid(cx, "command", "A server needs a command that starts it.");
    return TC_OK;
}

static enum tc_err read_args(struct tc_cx *cx, const struct tc_json *args, struct tc_mcp_config *config)
{
    struct tc_str *list = TC_ARENA_NEW_N(cx->arena, struct tc_str, tc_json_count(args) + 1), key;
    struct tc_json_iter it;
    const struct tc_json *arg;

    if (!list)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(args); tc_json_next(&it, &key, &arg);)
        list[config->args_n++] = tc_json_str(arg);
    config->args = list;
    return TC_OK;
}

static enum tc_err read_env(struct tc_cx *cx, const struct tc_json *env, struct tc_mcp_config *config)
{
    struct tc_mcp_variable *list = TC_ARENA_NEW_N(cx->arena, struct tc_mcp_variable, tc_json_count(env) + 1);
    struct tc_json_iter it;
    const struct tc_json *value;
    struct tc_str name;

    if (!list)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(env); tc_json_next(&it, &name, &value);)
        list[config->env_n++] = (struct tc_mcp_variable){name, tc_json_str(value)};
    config->env = list;
    return TC_OK;
}

enum tc_err tc_mcp_config_read(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *ret_config)
{
    struct tc_mcp_config config = {0};
    enum tc_err code;

    if (!tc_json_is(block, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "A server is described by an object.");
    code = check_keys(cx, block, &config);
    if (code == TC_OK)
        code = check_transport(cx, block);
    if (code == TC_OK)
        code = read_args(cx, tc_json_get_c(block, "args"), &config);
    if (code == TC_OK)
        code = read_env(cx, tc_json_get_c(block, "env"), &config);
    if (code != TC_OK)
        return code;
    config.command = tc_json_str(tc_json_get_c(block, "command"));
    config.cwd = tc_json_str(tc_json_get_c(block, "cwd"));
    config.disabled = tc_json_bool(tc_json_get_c(block, "disabled"), false);
    *ret_config = config;
    return TC_OK;
}
