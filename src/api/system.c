/*
 * What watches the daemon: /healthz, /readyz, and what the command wants to know of it.
 */
#include "api/api.h"
#include "base/clock.h"
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

/* Whoever watches a process may add what it likes to the address. */
static const struct tc_api_param any[] = {{.name = "*"}, {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/healthz"}, TC_API_OPEN, "The process answers", NULL, NULL, healthz, .query = any, .types = "text/plain"},
    {{"GET", "/readyz"}, TC_API_OPEN, "The store answers too, or 503", NULL, NULL, readyz, .query = any,
     .types = "text/plain", .statuses = {200, 503}},
    {{"GET", "/admin/system/info"}, TC_API_VIEWER, "Version, data folder, servers", NULL,
     "{\"type\":\"object\",\"required\":[\"version\",\"store\",\"tools\"]}", info},
};

const struct tc_api_resource tc_api_system = {"system", "The daemon itself", routes, sizeof routes / sizeof *routes};
