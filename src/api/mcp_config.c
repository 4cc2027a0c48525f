/*
 * Configurations are written by many programs, each with its own name for an address.
 * Names of what may be a secret are shown, values are not.
 */
#include "api/mcp_config.h"

static const char *const url_keys[] = {"url", "httpUrl", "serverUrl"};
enum { URL_KEYS = sizeof url_keys / sizeof *url_keys };

bool tc_api_mcp_is_url(struct tc_str key)
{
    for (size_t i = 0; i < URL_KEYS; i++)
        if (tc_str_is(key, url_keys[i]))
            return true;
    return false;
}

struct tc_str tc_api_mcp_url(const struct tc_json *config)
{
    struct tc_str url = {"", 0};

    for (size_t i = 0; i < URL_KEYS && url.n == 0; i++)
        url = tc_json_str(tc_json_get_c(config, url_keys[i]));
    return url;
}

const char *tc_api_mcp_transport(const struct tc_json *config)
{
    struct tc_str type = tc_json_str(tc_json_get_c(config, "type"));

    if (!type.n)
        type = tc_json_str(tc_json_get_c(config, "transport"));
    if (!tc_api_mcp_url(config).n)
        return "stdio";
    return tc_str_is(type, "sse") ? "sse" : "http";
}

/* "${NAME}" and nothing besides. */
static bool is_reference(struct tc_str value)
{
    return tc_str_starts(value, TC_STR("${")) && tc_str_chr(value, '}') == value.n - 1;
}

/* Names with their values masked. */
static void write_masked(struct tc_jsonw *w, const struct tc_json *values)
{
    struct tc_json_iter it = tc_json_iter(values);
    const struct tc_json *value;
    struct tc_str name;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &name, &value)) {
        tc_jsonw_key_str(w, name);
        if (is_reference(tc_json_str(value)))
            tc_jsonw_value(w, value);
        else
            tc_jsonw_cstr(w, TC_API_MCP_MASK);
    }
    tc_jsonw_end(w);
}

void tc_api_mcp_write_config(struct tc_jsonw *w, const struct tc_json *config, bool viewer)
{
    struct tc_json_iter it = tc_json_iter(config);
    const struct tc_json *value;
    struct tc_str key;

    if (!config) {
        tc_jsonw_null(w);
        return;
    }
    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        if (viewer && (tc_str_is(key, "args") || tc_api_mcp_is_url(key)))
            tc_jsonw_cstr(w, TC_API_MCP_MASK);
        else if (tc_str_is(key, "env") || tc_str_is(key, "headers"))
            write_masked(w, value);
        else
            tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
}
