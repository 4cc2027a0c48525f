/*
 * What watches the daemon: /healthz and /readyz. What operators see of it is in system_info.c.
 */
#include "api/api.h"
#include "ports/store_tools.h"

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

static const struct tc_api_param any[] = {{.name = "*"}, {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/healthz"}, TC_API_OPEN, "The process answers", NULL, NULL, healthz, .query = any, .types = "text/plain"},
    {{"GET", "/readyz"}, TC_API_OPEN, "The store answers too, or 503", NULL, NULL, readyz, .query = any,
     .types = "text/plain", .statuses = {200, 503}},
};

const struct tc_api_resource tc_api_system = {"system", "Whether the daemon answers", routes,
                                              sizeof routes / sizeof *routes};
