/*
 * /metrics: numbers for those who watch, in the text format of Prometheus.
 */
#include "api/api.h"
#include "runtime/approvals.h"
#include "runtime/servers.h"

static void head(struct tc_buf *to, const char *name, const char *type, const char *help)
{
    tc_buf_printf(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_approvals(struct tc_buf *to, const struct tc_approvals_counts *counts)
{
    const struct {
        const char *state;
        uint64_t n;
    } ends[] = {{"approved", counts->approved},
                {"denied", counts->denied},
                {"expired", counts->expired},
                {"withdrawn", counts->withdrawn}};

    head(to, "toolcrib_approvals_waiting", "gauge", "Calls that wait for an approval.");
    tc_buf_printf(to, "toolcrib_approvals_waiting %zu\n", counts->waiting);
    head(to, "toolcrib_approvals_total", "counter", "Questions since the start, by how they ended.");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        tc_buf_printf(to, "toolcrib_approvals_total{state=\"%s\"} %llu\n", ends[i].state,
                      (unsigned long long)ends[i].n);
}

/* Names of servers need no escaping. */
static void write_servers(struct tc_buf *to, const struct tc_server_info *servers, size_t n)
{
    head(to, "toolcrib_server_up", "gauge", "1 while the server is up or starts with its next call.");
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(to, "toolcrib_server_up{server=\"%.*s\"} %d\n", TC_STR_ARG(servers[i].row.name),
                      strcmp(servers[i].state, "up") == 0 || strcmp(servers[i].state, "idle") == 0);
    head(to, "toolcrib_server_restarts_total", "counter", "Starts after an end that nobody asked for.");
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(to, "toolcrib_server_restarts_total{server=\"%.*s\"} %lld\n", TC_STR_ARG(servers[i].row.name),
                      (long long)servers[i].health.restarts);
    head(to, "toolcrib_server_calls", "gauge", "Calls to the server that run, and that wait for their turn.");
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(to,
                      "toolcrib_server_calls{server=\"%.*s\",state=\"running\"} %zu\n"
                      "toolcrib_server_calls{server=\"%.*s\",state=\"queued\"} %zu\n",
                      TC_STR_ARG(servers[i].row.name), servers[i].health.running, TC_STR_ARG(servers[i].row.name),
                      servers[i].health.queued);
}

static enum tc_err metrics(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_approvals_counts counts = tc_approvals_counts(call->runtime->approvals);
    struct tc_server_info *servers;
    size_t n;
    enum tc_err e = tc_servers_all(cx, call->runtime->servers, &servers, &n);

    if (e)
        return e;
    call->type = "text/plain; version=0.0.4";
    write_approvals(call->raw, &counts);
    write_servers(call->raw, servers, n);
    return TC_OK;
}

/* Those who watch add what they like. */
static const struct tc_api_param any[] = {{.name = "*"}, {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/metrics"}, TC_API_VIEWER, "Numbers in the text format of Prometheus", NULL, NULL, metrics,
     .query = any, .types = "text/plain"},
};

const struct tc_api_resource tc_api_metrics = {"metrics", "Numbers for those who watch", routes,
                                               sizeof routes / sizeof *routes};
