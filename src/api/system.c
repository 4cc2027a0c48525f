/*
 * What describes and watches the daemon: /openapi.json from the rows, /healthz,
 * /readyz, and what the command wants to know of the daemon.
 */
#include "api/api.h"
#include "base/clock.h"
#include "policy/channel.h"
#include "ports/store_tools.h"
#include "runtime/servers.h"

static enum tc_err healthz(struct tc_cx *cx, struct tc_api_call *call)
{
    (void)cx;
    call->type = "text/plain";
    tc_buf_cstr(call->raw, "ok\n");
    return TC_OK;
}

/* Ready when the store answers. */
static enum tc_err readyz(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_store_page page = {.page = 1, .size = 1};
    struct tc_store_tools_filter filter = {.status = -1, .detached = -1};
    struct tc_tool_row *rows;
    size_t n;
    int64_t total;
    enum tc_err e = store->tools->page(cx, store, &page, &filter, &rows, &n, &total);

    call->type = "text/plain";
    call->status = e ? 503 : 200;
    tc_fail_clear(cx);
    tc_buf_cstr(call->raw, e ? "store not ready\n" : "ready\n");
    return TC_OK;
}

static enum tc_err info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_jsonw *w = call->out;
    struct tc_server_info *servers;
    size_t n;
    enum tc_err e = tc_servers_all(cx, call->runtime->servers, &servers, &n);

    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    tc_jsonw_kstr(w, "dataDir", call->runtime->data_dir);
    tc_jsonw_kcstr(w, "store", call->runtime->store->driver);
    tc_api_time(w, "startedAt", call->runtime->started_at);
    tc_jsonw_kint(w, "tools", (int64_t)tc_registry_get(call->runtime->registry).catalog->n);
    tc_jsonw_kint(w, "tokens", (int64_t)tc_access_count(call->runtime->access, tc_clock_wall_ms(cx->clock)));
    tc_jsonw_key(w, "servers");
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "name", servers[i].row.name);
        tc_jsonw_kcstr(w, "state", servers[i].state);
        tc_jsonw_kopt(w, "error", servers[i].error);
        tc_jsonw_kopt(w, "lastError", servers[i].health.last_error);
        tc_api_time(w, "since", servers[i].health.since);
        tc_api_time(w, "retryAt", servers[i].health.retry_at);
        tc_jsonw_kint(w, "restarts", servers[i].health.restarts);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

/* --- openapi --- */

static void write_error_schema(struct tc_jsonw *w)
{
    tc_jsonw_raw(w,
                 TC_STR("{\"type\":\"object\",\"required\":[\"error\"],\"properties\":{\"error\":{\"type\":\"object\","
                        "\"required\":[\"code\",\"message\"],\"properties\":{\"code\":{\"type\":\"string\"},"
                        "\"message\":{\"type\":\"string\"},\"hint\":{\"type\":\"string\"},\"field\":{\"type\":"
                        "\"string\"},\"details\":true}}}}"));
}

static void write_content(struct tc_jsonw *w, const char *schema)
{
    tc_jsonw_key(w, "content");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "application/json");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "schema");
    tc_jsonw_raw(w, tc_str_of(schema));
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* Path parameters of a pattern; names are those between braces. */
static void write_parameters(struct tc_jsonw *w, const char *pattern)
{
    struct tc_str rest = tc_str_of(pattern);
    size_t open, close;

    tc_jsonw_key(w, "parameters");
    tc_jsonw_array(w);
    while ((open = tc_str_chr(rest, '{')) != SIZE_MAX && (close = tc_str_chr(rest, '}')) != SIZE_MAX) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "name", tc_str_n(rest.p + open + 1, close - open - 1));
        tc_jsonw_kcstr(w, "in", "path");
        tc_jsonw_kbool(w, "required", true);
        tc_jsonw_key(w, "schema");
        tc_jsonw_raw(w, TC_STR("{\"type\":\"string\"}"));
        tc_jsonw_end(w);
        rest = tc_str_from(rest, close + 1);
    }
    tc_jsonw_end(w);
}

static void write_operation(struct tc_jsonw *w, const struct tc_api_route *route,
                            const struct tc_api_resource *resource)
{
    char method[8] = {0};

    for (size_t i = 0; route->route.method[i] && i + 1 < sizeof method; i++)
        method[i] = (char)(route->route.method[i] | 0x20);
    tc_jsonw_key(w, method);
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "summary", route->summary);
    tc_jsonw_key(w, "tags");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, resource->name);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "security");
    tc_jsonw_raw(w, route->access == TC_API_OPEN ? TC_STR("[]") : TC_STR("[{\"bearer\":[]}]"));
    write_parameters(w, route->route.pattern);
    if (route->input) {
        tc_jsonw_key(w, "requestBody");
        tc_jsonw_object(w);
        write_content(w, route->input);
        tc_jsonw_end(w);
    }
    tc_jsonw_key(w, "responses");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "200");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "description", "Done");
    if (route->output)
        write_content(w, route->output);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "default");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "description", "An error");
    write_content(w, "{\"$ref\":\"#/components/schemas/Error\"}");
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* Is this the first row of its path? The document groups methods by path. */
static bool first_of_path(size_t at)
{
    const struct tc_api_resource *resource;
    const char *pattern = tc_api_route_at(at, &resource)->route.pattern;

    for (size_t i = 0; i < at; i++)
        if (strcmp(tc_api_route_at(i, &resource)->route.pattern, pattern) == 0)
            return false;
    return true;
}

static enum tc_err openapi(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_api_resource *resource;
    const struct tc_api_route *route, *other;
    struct tc_jsonw *w = call->out;

    (void)cx;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "openapi", "3.1.0");
    tc_jsonw_key(w, "info");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "title", "Toolcrib");
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "paths");
    tc_jsonw_object(w);
    for (size_t i = 0; (route = tc_api_route_at(i, &resource)); i++) {
        if (!first_of_path(i))
            continue;
        tc_jsonw_key(w, route->route.pattern);
        tc_jsonw_object(w);
        for (size_t k = i; (other = tc_api_route_at(k, &resource)); k++)
            if (strcmp(other->route.pattern, route->route.pattern) == 0)
                write_operation(w, other, resource);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_key(w, "components");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "securitySchemes");
    tc_jsonw_raw(w, TC_STR("{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"}}"));
    tc_jsonw_key(w, "schemas");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "Error");
    write_error_schema(w);
    tc_jsonw_key(w, "Agent");
    tc_jsonw_raw(w, tc_str_of(tc_agent_schema));
    tc_jsonw_key(w, "Channel");
    tc_jsonw_raw(w, tc_str_of(tc_channel_schema));
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static const struct tc_api_route routes[] = {
    {{"GET", "/healthz"}, TC_API_OPEN, "The process answers", NULL, NULL, healthz},
    {{"GET", "/readyz"}, TC_API_OPEN, "The store answers too", NULL, NULL, readyz},
    {{"GET", "/openapi.json"}, TC_API_OPEN, "This description", NULL, "{\"type\":\"object\"}", openapi},
    {{"GET", "/admin/system/info"}, TC_API_VIEWER, "Version, data folder, servers", NULL,
     "{\"type\":\"object\",\"required\":[\"version\",\"store\",\"tools\"]}", info},
};

const struct tc_api_resource tc_api_system = {"system", "The daemon itself", routes, sizeof routes / sizeof *routes};
