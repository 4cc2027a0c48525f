/*
 * /admin/system: what the daemon is and where it works, and how much it has of everything.
 * A watcher learns that something changed, and of which kind; what it was is in the lists.
 */
#include "api/stream.h"
#include "http/url.h"
#include "runtime/overview.h"

enum { STATE_MAX = 64 * 1024 };

/* --- what it is --- */

static void write_server(struct tc_jsonw *w, const struct tc_server_info *server)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", server->row.name);
    tc_jsonw_kcstr(w, "state", server->state);
    tc_jsonw_kopt(w, "error", server->error);
    tc_jsonw_kopt(w, "lastError", server->health.last_error);
    tc_api_time(w, "since", server->health.since);
    tc_api_time(w, "retryAt", server->health.retry_at);
    tc_jsonw_kint(w, "restarts", server->health.restarts);
    tc_jsonw_end(w);
}

static void write_names(struct tc_jsonw *w, const char *key, struct tc_runtime_names names)
{
    tc_jsonw_key(w, key);
    tc_jsonw_array(w);
    for (size_t i = 0; i < names.n; i++)
        tc_jsonw_str(w, names.items[i]);
    tc_jsonw_end(w);
}

/* As the door reads them: its own names where none are configured. */
static void write_hosts(struct tc_jsonw *w, const struct tc_runtime_place *place)
{
    struct tc_str own[4] = {TC_STR("localhost"), TC_STR("127.0.0.1"), TC_STR("[::1]")};
    struct tc_runtime_names names = place->allowed_hosts;
    struct tc_url url;

    if (!names.n) {
        names = (struct tc_runtime_names){own, 3};
        if (tc_url_parse(place->public_url, &url))
            own[names.n++] = url.host;
    }
    write_names(w, "allowedHosts", names);
}

static void write_or_null(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_kstr(w, key, value.n ? value : tc_str_n(NULL, 0));
}

static void write_sandbox(struct tc_jsonw *w, const struct tc_runtime *runtime)
{
    const struct tc_runtime_place *place = &runtime->place;

    tc_jsonw_key(w, "sandbox");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "level", place->sandbox ? place->sandbox : runtime->sandbox ? "full" : "none");
    tc_jsonw_kcstr(w, "reason", place->sandbox_reason);
    tc_jsonw_end(w);
}

static void write_place(struct tc_jsonw *w, const struct tc_runtime *runtime)
{
    const struct tc_runtime_place *place = &runtime->place;

    tc_jsonw_kcstr(w, "version", TC_VERSION);
    write_or_null(w, "listen", place->listen);
    write_or_null(w, "publicUrl", place->public_url);
    tc_jsonw_kstr(w, "dataDir", runtime->data_dir);
    write_or_null(w, "command", place->command);
    tc_jsonw_kcstr(w, "store", runtime->store->driver);
    write_sandbox(w, runtime);
    tc_jsonw_kbool(w, "stdioFromApi", runtime->stdio_from_api);
    write_names(w, "commandDirs", place->command_dirs);
    write_hosts(w, place);
    tc_api_time(w, "startedAt", runtime->started_at);
}

/* --- how much there is --- */

static void open_count(struct tc_jsonw *w, const struct tc_overview *o, const char *key, enum tc_pulse_kind kind)
{
    tc_jsonw_key(w, key);
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "revision", (int64_t)o->revisions[kind]);
}

static void write_total(struct tc_jsonw *w, const struct tc_overview *o, const char *key, enum tc_pulse_kind kind,
                        size_t total)
{
    open_count(w, o, key, kind);
    tc_jsonw_kint(w, "total", (int64_t)total);
    tc_jsonw_end(w);
}

static void write_waiting(struct tc_jsonw *w, const struct tc_overview *o)
{
    open_count(w, o, "approvals", TC_PULSE_APPROVALS);
    tc_jsonw_kint(w, "pending", (int64_t)o->approvals.waiting);
    tc_api_time(w, "oldest", o->approvals.oldest);
    tc_jsonw_end(w);
}

static void write_servers(struct tc_jsonw *w, const struct tc_overview *o)
{
    const struct tc_servers_counts *servers = &o->servers;

    open_count(w, o, "servers", TC_PULSE_SERVERS);
    tc_jsonw_kint(w, "total", (int64_t)servers->total);
    tc_jsonw_kint(w, "up", (int64_t)servers->up);
    tc_jsonw_kint(w, "idle", (int64_t)servers->idle);
    tc_jsonw_kint(w, "down", (int64_t)servers->down);
    tc_jsonw_kint(w, "paused", (int64_t)servers->paused);
    tc_jsonw_kint(w, "held", (int64_t)servers->held);
    tc_jsonw_end(w);
}

static void write_runs(struct tc_jsonw *w, const struct tc_overview *o)
{
    open_count(w, o, "runs", TC_PULSE_RUNS);
    tc_jsonw_kint(w, "live", (int64_t)o->runs.live);
    tc_jsonw_kint(w, "waiting", (int64_t)o->runs.waiting);
    tc_jsonw_end(w);
}

static void write_overview(struct tc_jsonw *w, const struct tc_overview *o)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    write_total(w, o, "tools", TC_PULSE_TOOLS, o->tools);
    write_total(w, o, "toolsets", TC_PULSE_TOOLSETS, o->toolsets);
    write_total(w, o, "agents", TC_PULSE_AGENTS, o->agents);
    write_total(w, o, "channels", TC_PULSE_CHANNELS, o->channels);
    write_total(w, o, "tokens", TC_PULSE_TOKENS, o->tokens);
    write_waiting(w, o);
    write_servers(w, o);
    write_runs(w, o);
    open_count(w, o, "calls", TC_PULSE_CALLS);
    tc_jsonw_end(w);
    open_count(w, o, "secrets", TC_PULSE_SECRETS);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static enum tc_err info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_jsonw *w = call->out;
    struct tc_server_info *servers;
    const struct tc_overview *o;
    int64_t first_call = 0;
    size_t n;
    enum tc_err e = tc_servers_all(cx, call->runtime->servers, &servers, &n);

    if (!e)
        e = tc_runtime_first_call(cx, call->runtime, &first_call);
    if (e)
        return e;
    o = tc_overview_get(cx, call->runtime);
    tc_jsonw_object(w);
    write_place(w, call->runtime);
    tc_api_time(w, "firstCallAt", first_call);
    tc_jsonw_kint(w, "tools", (int64_t)o->tools);
    tc_jsonw_kint(w, "tokens", (int64_t)o->tokens);
    tc_jsonw_key(w, "servers");
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++)
        write_server(w, &servers[i]);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "counts");
    write_overview(w, o);
    tc_jsonw_end(w);
    return TC_OK;
}

/* --- watching --- */

static enum tc_err send_overview(struct tc_cx *cx, struct tc_api_call *call, const struct tc_overview *o)
{
    struct tc_sse_event event = {.type = TC_STR("state"), .retry_ms = -1};
    struct tc_buf json;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&json, STATE_MAX);
    tc_jsonw_init(&w, &json);
    write_overview(&w, o);
    event.data = tc_buf_get(&json);
    e = json.failed ? tc_fail_memory(cx) : tc_api_stream_send(cx, call, &event);
    tc_buf_finish(&json);
    return e;
}

/* One change, or a comment when none came. */
static enum tc_err send_next(struct tc_cx *cx, struct tc_api_call *call, uint64_t *at)
{
    const struct tc_overview *o = NULL;
    enum tc_err e = tc_overview_next(cx, call->runtime, at, TC_API_STREAM_IDLE_MS, &o);

    if (e && (e != TC_E_TIMEOUT || tc_task_check(cx)))
        return e;
    e = tc_api_stream_check(cx, call);
    if (e)
        return e;
    return o ? send_overview(cx, call, o) : tc_api_stream_idle(cx, call);
}

/* Until the client goes, what it came with ends or the daemon does. */
static enum tc_err follow(struct tc_cx *cx, struct tc_api_call *call, void *unused)
{
    const struct tc_overview *o = tc_overview_get(cx, call->runtime);
    uint64_t at = o->beats;
    enum tc_err e = send_overview(cx, call, o);
    (void)unused;

    while (!e) {
        struct tc_arena arena;
        struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        tc_arena_init(&arena, 0);
        e = send_next(&one, call, &at);
        tc_arena_finish(&arena);
    }
    return e;
}

static enum tc_err watch(struct tc_cx *cx, struct tc_api_call *call)
{
    if (tc_header_has(tc_exchange_header(call->exchange, TC_STR("Accept")), TC_STR("text/event-stream")))
        return tc_api_stream_run(cx, call, follow, NULL);
    write_overview(call->out, tc_overview_get(cx, call->runtime));
    return TC_OK;
}

/* --- routes --- */

static const struct tc_api_component components[] = {
    {"Revision", "{revision integer}"},
    {"Total", "{revision integer, total integer}"},
    {"SystemState", "{version string, tools Total, toolsets Total, agents Total, channels Total, tokens Total, "
                    "approvals {revision integer, pending integer, oldest time|null}, "
                    "servers {revision integer, total integer, up integer, idle integer, down integer, paused integer, "
                    "held integer}, runs {revision integer, live integer, waiting integer}, calls Revision, "
                    "secrets Revision}"},
    {"SystemInfo", "{version string, listen string|null, publicUrl string|null, dataDir string, "
                   "command string|null, store string, sandbox {level (full|limited|none), reason string|null}, "
                   "stdioFromApi boolean, commandDirs [string], allowedHosts [string], startedAt time, "
                   "firstCallAt time|null, tools integer, tokens integer, servers [{name string, "
                   "state (up|idle|down|paused), error? string, lastError? string, since time|null, "
                   "retryAt time|null, restarts integer}], counts SystemState}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/system/info"}, TC_API_VIEWER, "What the daemon is, where it works, how its servers stand", NULL,
     "SystemInfo", info},
    {{"GET", "/admin/system/watch"}, TC_API_VIEWER,
     "Totals, and numbers that change when a list has to be read again; as events named state, at once and after "
     "each change",
     NULL, "SystemState", watch, .types = "text/event-stream"},
};

const struct tc_api_resource tc_api_system_info = {"system", "The daemon itself", routes,
                                                   sizeof routes / sizeof *routes, components};
