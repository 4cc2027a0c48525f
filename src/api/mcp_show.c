/*
 * A server as operators see it.
 */
#include "api/mcp_show.h"

#include "api/changed.h"
#include "api/mcp_config.h"
#include "api/mcp_login.h"
#include "api/mcp_tools.h"
#include "api/mcp_users.h"
#include "runtime/servers_log.h"

const struct tc_api_mcp_list tc_api_mcp_lists[TC_API_MCP_LISTS] = {
    {"prompts", TC_SOURCE_PROMPTS}, {"resources", TC_SOURCE_RESOURCES}, {"templates", TC_SOURCE_TEMPLATES}};

/* How it has been doing, and what is to come. */
static void write_health(struct tc_jsonw *w, const struct tc_server_info *s)
{
    const struct tc_server_health *h = &s->health;

    tc_jsonw_key(w, "health");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "state", s->state);
    tc_api_time(w, "since", h->since);
    tc_jsonw_kstr(w, "lastError", h->last_error.n ? h->last_error : tc_str_n(NULL, 0));
    tc_api_time(w, "lastErrorAt", h->last_error_at);
    tc_api_time(w, "startedAt", h->started_at);
    tc_jsonw_kint(w, "restarts", h->restarts);
    tc_api_time(w, "listedAt", h->listed_at);
    tc_jsonw_kint(w, "listMs", h->list_ms);
    tc_api_time(w, "retryAt", h->retry_at);
    tc_jsonw_kint(w, "retryMs", h->retry_ms);
    tc_jsonw_kint(w, "retryMaxMs", TC_SERVERS_RETRY_MAX_MS);
    tc_jsonw_kint(w, "running", (int64_t)h->running);
    tc_jsonw_kint(w, "queued", (int64_t)h->queued);
    tc_jsonw_end(w);
}

static void write_limit(struct tc_jsonw *w, const char *key, int64_t value)
{
    tc_jsonw_key(w, key);
    if (value)
        tc_jsonw_int(w, value);
    else
        tc_jsonw_null(w);
}

static void write_rules(struct tc_jsonw *w, const struct tc_upstream_rules *rules)
{
    tc_jsonw_kcstr(w, "permission", tc_permission_name(rules->permission));
    tc_jsonw_kcstr(w, "newTools", tc_permission_name(rules->new_tools));
    tc_jsonw_kcstr(w, "onChange", rules->quarantine_changes ? "quarantine" : "accept");
    tc_jsonw_kcstr(w, "grants", rules->grant_each ? "agent" : "shared");
    tc_jsonw_kint(w, "timeoutMs", rules->timeout_ms);
    write_limit(w, "maxTimeoutMs", rules->max_timeout_ms);
    write_limit(w, "maxConcurrent", rules->max_concurrent);
    write_limit(w, "idleStopMs", rules->idle_stop_ms);
}

static void write_held(struct tc_jsonw *w, const struct tc_definition_row *first)
{
    tc_jsonw_key(w, "firstHeld");
    if (!first) {
        tc_jsonw_null(w);
        return;
    }
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", first->name);
    tc_api_time(w, "seenAt", first->seen_at);
    tc_jsonw_end(w);
}

static void write_counts(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *s)
{
    struct tc_api_mcp_counts counts = tc_api_mcp_count(cx, call, s);
    struct tc_jsonw *w = call->out;

    tc_jsonw_key(w, "counts");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "tools", (int64_t)counts.present);
    tc_jsonw_kint(w, "held", (int64_t)counts.held);
    tc_jsonw_kint(w, "new", (int64_t)counts.fresh);
    tc_jsonw_kint(w, "absent", (int64_t)counts.absent);
    tc_jsonw_kint(w, "excluded", (int64_t)counts.excluded);
    tc_jsonw_kint(w, "badSchema", (int64_t)counts.bad);
    tc_jsonw_end(w);
    write_held(w, counts.first_held);
}

/* The last half hour by the minute. */
static void write_history(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_server_minute minutes[TC_SERVER_MINUTES];
    struct tc_jsonw *w = call->out;

    tc_jsonw_key(w, "history");
    tc_jsonw_array(w);
    if (tc_servers_minutes(cx, call->runtime->servers, name, minutes))
        tc_fail_clear(cx);
    else
        for (size_t i = 0; i < TC_SERVER_MINUTES; i++) {
            tc_jsonw_object(w);
            tc_api_time(w, "at", minutes[i].minute * 60 * 1000);
            tc_jsonw_kcstr(w, "state", minutes[i].state);
            tc_jsonw_key(w, "ms");
            if (minutes[i].ms < 0)
                tc_jsonw_null(w);
            else
                tc_jsonw_int(w, minutes[i].ms);
            tc_jsonw_kint(w, "calls", minutes[i].calls);
            tc_jsonw_kint(w, "errors", minutes[i].errors);
            tc_jsonw_end(w);
        }
    tc_jsonw_end(w);
}

/* When it was up, when it was not. */
static void write_spans(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_jsonw *w = call->out;
    struct tc_server_span *spans;
    size_t n = 0;

    if (tc_servers_spans(cx, call->runtime->servers, name, &spans, &n))
        tc_fail_clear(cx);
    tc_jsonw_key(w, "spans");
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "state", spans[i].state);
        tc_api_time(w, "from", spans[i].from);
        tc_api_time(w, "to", spans[i].to);
        tc_jsonw_kstr(w, "error", spans[i].error.n ? spans[i].error : tc_str_n(NULL, 0));
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* How many entries the other lists have; null: not read yet. */
static void write_list_counts(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_offered offered = {0};

    if (tc_servers_offer_of(cx, call->runtime->servers, name, &offered))
        tc_fail_clear(cx);
    tc_jsonw_key(call->out, "lists");
    tc_jsonw_object(call->out);
    for (size_t i = 0; i < TC_API_MCP_LISTS; i++) {
        const struct tc_json *list = offered.lists[tc_api_mcp_lists[i].kind];
        tc_jsonw_key(call->out, tc_api_mcp_lists[i].key);
        if (list)
            tc_jsonw_int(call->out, (int64_t)tc_json_count(list));
        else
            tc_jsonw_null(call->out);
    }
    tc_jsonw_end(call->out);
}

/* What a program says on its way is for operators, as in its log. Without memory nothing is shown. */
static void write_connection(struct tc_cx *cx, struct tc_api_call *call, struct tc_str status)
{
    const struct tc_json *root = NULL, *value;
    struct tc_json_iter it;
    struct tc_str key;

    tc_jsonw_key(call->out, "connection");
    if (tc_api_sees_bodies(call)) {
        tc_jsonw_raw(call->out, status);
        return;
    }
    if (tc_json_parse_root(cx, status, NULL, &root) || !tc_json_is(root, TC_JSON_OBJECT)) {
        tc_fail_clear(cx);
        tc_jsonw_null(call->out);
        return;
    }
    tc_jsonw_object(call->out);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &value);) {
        if (tc_str_is(key, "stderr") || tc_str_is(key, "skippedLine"))
            continue;
        tc_jsonw_key_str(call->out, key);
        tc_jsonw_value(call->out, value);
    }
    tc_jsonw_end(call->out);
}

/* What only the page of one server shows. */
static void write_whole(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *s)
{
    tc_jsonw_key(call->out, "tools");
    tc_api_mcp_write_tools(cx, call, s);
    write_connection(cx, call, s->status.n ? s->status : TC_STR("null"));
    write_list_counts(cx, call, s->row.name);
    tc_api_mcp_write_users(cx, call, s);
}

static void write_server(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *s,
                         const struct tc_change_row *last, enum tc_api_mcp_part part)
{
    struct tc_jsonw *w = call->out;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", s->row.uuid);
    tc_jsonw_kstr(w, "name", s->row.name);
    tc_jsonw_kstr(w, "label", s->row.label);
    tc_jsonw_kcstr(w, "state", s->state);
    tc_jsonw_kstr(w, "error", s->error.n ? s->error : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "source", s->row.source);
    tc_jsonw_kbool(w, "editable", !tc_str_is(s->row.source, "config"));
    tc_jsonw_kcstr(w, "transport", tc_api_mcp_transport(s->config));
    write_health(w, s);
    write_rules(w, &s->rules);
    tc_jsonw_key(w, "toolset");
    tc_jsonw_printf(w, "mcp-%.*s", TC_STR_ARG(s->row.name));
    tc_api_mcp_write_agents(cx, call, s->row.name);
    tc_api_logins_write(cx, call, s->row.name);
    tc_jsonw_key(w, "config");
    tc_api_mcp_write_config(w, s->config, call->principal->role < TC_ROLE_OPERATOR);
    write_counts(cx, call, s);
    write_history(cx, call, s->row.name);
    write_spans(cx, call, s->row.name);
    if (part == TC_API_MCP_WHOLE)
        write_whole(cx, call, s);
    tc_jsonw_kint(w, "version", s->row.version);
    tc_api_time(w, "createdAt", s->row.created_at);
    tc_api_time(w, "updatedAt", s->row.updated_at);
    tc_changed_by(call, last);
    tc_jsonw_end(w);
}

enum tc_err tc_api_mcp_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *servers, size_t n,
                             enum tc_api_mcp_part part)
{
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = names ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < n; i++)
        names[i] = servers[i].row.name;
    if (!e)
        e = tc_changed_latest(cx, call, "mcp", names, n, &last);
    for (size_t i = 0; !e && i < n; i++)
        write_server(cx, call, &servers[i], &last[i], part);
    return e;
}

enum tc_err tc_api_mcp_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_server_info info;
    enum tc_err e = tc_servers_get(cx, call->runtime->servers, name, &info);

    return e ? e : tc_api_mcp_write(cx, call, &info, 1, TC_API_MCP_WHOLE);
}
