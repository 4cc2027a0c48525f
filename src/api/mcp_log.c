/*
 * /admin/mcp: what a server said and did lately, as a list or as events, and what it lists
 * besides its tools.
 */
#include "api/mcp_show.h"
#include "api/stream.h"
#include "runtime/servers_log.h"

enum { LINE_MAX = 64 * 1024 };

/* What a server says on its own may be a body of a call or a secret. */
static bool is_shown(const struct tc_api_call *call, const struct tc_server_line *line)
{
    return tc_api_sees_bodies(call) || strcmp(line->kind, "stderr") != 0;
}

static void write_line(struct tc_jsonw *w, const struct tc_server_line *line)
{
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "seq", line->seq);
    tc_api_time(w, "at", line->at);
    tc_jsonw_kcstr(w, "level", line->level);
    tc_jsonw_kcstr(w, "kind", line->kind);
    tc_jsonw_kstr(w, "text", line->text);
    tc_jsonw_end(w);
}

static enum tc_err send_line(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_line *line)
{
    struct tc_sse_event event = {.type = TC_STR("line"), .retry_ms = -1};
    struct tc_buf json;
    struct tc_jsonw w;
    enum tc_err e;

    event.id = tc_arena_printf(cx->arena, "%lld", (long long)line->seq);
    if (!event.id.p)
        return tc_fail_memory(cx);
    tc_buf_init(&json, LINE_MAX);
    tc_jsonw_init(&w, &json);
    write_line(&w, line);
    event.data = tc_buf_get(&json);
    e = json.failed ? tc_fail_memory(cx) : tc_api_stream_send(cx, call, &event);
    tc_buf_finish(&json);
    return e;
}

struct following {
    struct tc_str id;
    int64_t after;
};

/* What is new, or a comment when nothing came. */
static enum tc_err send_next(struct tc_cx *cx, struct tc_api_call *call, struct following *f)
{
    struct tc_server_line *lines;
    size_t n = 0;
    enum tc_err e =
        tc_servers_log_next(cx, call->runtime->servers, f->id, f->after, TC_API_STREAM_IDLE_MS, &lines, &n);

    if (e && (e != TC_E_TIMEOUT || tc_task_check(cx)))
        return e;
    e = tc_api_stream_check(cx, call);
    if (!e && !n)
        e = tc_api_stream_idle(cx, call);
    for (size_t i = 0; !e && i < n; i++) {
        if (is_shown(call, &lines[i]))
            e = send_line(cx, call, &lines[i]);
        f->after = lines[i].seq;
    }
    return e;
}

/* Until the client goes, what it came with ends, the server is removed or the daemon ends. */
static enum tc_err follow(struct tc_cx *cx, struct tc_api_call *call, void *arg)
{
    enum tc_err e = TC_OK;

    while (!e) {
        struct tc_arena arena;
        struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        tc_arena_init(&arena, 0);
        e = send_next(&one, call, arg);
        tc_arena_finish(&arena);
    }
    return e;
}

static enum tc_err get_log(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str last = tc_exchange_header(call->exchange, TC_STR("Last-Event-ID"));
    struct tc_server_line *lines;
    struct following f = {.after = 0};
    size_t n;
    enum tc_err e = tc_api_need(cx, call, "id", &f.id);

    tc_str_int(tc_api_query(cx, call, "after"), &f.after);
    if (!e)
        e = tc_servers_log(cx, call->runtime->servers, f.id, f.after, &lines, &n);
    if (e)
        return e;
    if (tc_header_has(tc_exchange_header(call->exchange, TC_STR("Accept")), TC_STR("text/event-stream"))) {
        tc_str_int(last, &f.after);
        return tc_api_stream_run(cx, call, follow, &f);
    }
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++)
        if (is_shown(call, &lines[i]))
            write_line(call->out, &lines[i]);
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err get_lists(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_jsonw *w = call->out;
    struct tc_offered offered;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = tc_servers_offer_of(cx, call->runtime->servers, id, &offered);
    if (e)
        return e;
    tc_jsonw_object(w);
    for (size_t i = 0; i < TC_API_MCP_LISTS; i++)
        tc_jsonw_kvalue(w, tc_api_mcp_lists[i].key, offered.lists[tc_api_mcp_lists[i].kind]);
    tc_jsonw_end(w);
    return TC_OK;
}

static const struct tc_api_param by_name[] = {{"id", true, "Its name or UUID", NULL}, {0}};
static const struct tc_api_param log_query[] = {
    {"id", true, "Its name or UUID", NULL},
    {"after", false, "Only lines with a greater seq", "{\"type\":\"integer\",\"minimum\":0}"},
    {0}};

static const struct tc_api_component components[] = {
    {"McpLogLine", "{seq integer, at time, level (info|warn|error), "
                   "kind (start|stop|exit|list_changed|discovery|call|approval|stderr), text string}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/mcp/log"}, TC_API_VIEWER,
     "What it said and did lately, the oldest first; as events named line they go on. What it wrote on stderr is for "
     "operators", NULL, "[McpLogLine]", get_log,
     .query = log_query, .types = "text/event-stream"},
    {{"GET", "/admin/mcp/lists"}, TC_API_VIEWER, "What it lists besides tools, as read last; null: not read yet", NULL,
     "{prompts [object]|null, resources [object]|null, templates [object]|null}", get_lists, .query = by_name},
};

const struct tc_api_resource tc_api_mcp_log = {"mcp", "MCP servers", routes, sizeof routes / sizeof *routes,
                                               components};
