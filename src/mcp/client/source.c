/*
 * One server over its connections: who starts it, when it may start again, and
 * what a call's end means.
 */
#include "mcp/client/source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/loop.h"
#include "mcp/client/link_stdio.h"
#include "mcp/client/mask.h"
#include "mcp/client/peer.h"
#include "toolcrib/jsonw.h"

enum {
    LIST_MS = 120000,    /* for a list: start, all pages */
    PAGE_MS = 60000,
    PAUSE_FIRST_MS = 1000,
    PAUSE_LAST_MS = 60000,
    HEALTHY_MS = 60000,  /* after which a failure counts as the first */
    PATIENCE_MS = 5000,  /* of a use with the pause before a start; a longer one fails it */
    ERROR_MAX = 1600,
    STATUS_MAX = 1 << 20
};

struct mcp_factory {
    struct tc_tool_source_factory base;
    struct tc_mcp_source_options options;
};

struct mcp_source {
    struct tc_tool_source base;
    const struct tc_mcp_source_options *options; /* the factory's */
    struct tc_tool_source_events events;
    struct tc_arena arena;        /* name and configuration */
    struct tc_str name;
    struct tc_mcp_config config;
    struct tc_task_group group;   /* the starting task */
    struct tc_peer *peer; /* NULL: not connected */
    size_t users;                 /* tasks inside list or call */
    struct tc_event unused;       /* closed, and the last of them has left */
    bool closed;
    bool starting;
    struct tc_event started;      /* the start that was under way has come to its end */
    enum tc_err start_code;       /* of the last start */
    char error[ERROR_MAX];        /* last failure of a start, or reason of an end */
    int failures;                 /* in a row */
    int64_t not_before_us;        /* no start earlier */
    int64_t healthy_since_us;
    size_t starts, calls;
};

static int64_t now_us(const struct mcp_source *source)
{
    return tc_clock_mono_us(tc_loop_clock(source->options->loop));
}

/* --- ends --- */

static struct tc_str shown(struct tc_cx *cx, const struct mcp_source *source, struct tc_str text)
{
    return tc_mcp_mask(cx, tc_utf8_cleaned(cx->arena, text), &source->config, &source->options->rules);
}

static void set_error(struct mcp_source *source, struct tc_str message)
{
    snprintf(source->error, sizeof source->error, "%.*s", TC_STR_ARG(message));
}

/* An end that nobody asked for, or a start that failed. */
static void count_failure(struct mcp_source *source)
{
    int64_t pause_ms = PAUSE_FIRST_MS;

    for (int i = 0; i < source->failures && pause_ms < PAUSE_LAST_MS; i++)
        pause_ms *= 2;
    source->failures++;
    source->not_before_us = now_us(source) + (pause_ms < PAUSE_LAST_MS ? pause_ms : PAUSE_LAST_MS) * 1000;
}

static void drop_peer(struct mcp_source *source)
{
    struct tc_peer *peer = source->peer;

    source->peer = NULL;
    tc_peer_unref(peer);
}

static void on_ended(void *arg)
{
    struct mcp_source *source = arg;
    struct tc_peer_status status;

    if (!source->peer)
        return; /* it ended while it was still being started: the start has failed */
    tc_peer_status(source->peer, &status);
    set_error(source, status.link.reason);
    if (now_us(source) - source->healthy_since_us >= (int64_t)HEALTHY_MS * 1000)
        source->failures = 0;
    count_failure(source);
    drop_peer(source);
    if (source->events.ended)
        source->events.ended(source->events.arg, tc_str_of(source->error));
}

static void on_list_changed(void *arg, enum tc_source_kind kind)
{
    struct mcp_source *source = arg;

    if (source->events.list_changed)
        source->events.list_changed(source->events.arg, kind);
}

/* --- links: the one place that knows how a server is reached --- */

static enum tc_err dial_stdio(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                              struct tc_link **ret_link)
{
    const struct mcp_source *source = arg;
    struct tc_guard_launch launch;
    struct tc_link_stdio_options options = {
        .loop = source->options->loop,
        .guard = source->options->guard,
        .launch = &launch,
        .line_max = source->options->result_bytes,
    };
    enum tc_err code = tc_mcp_launch_make(cx, &source->config, &source->options->rules, &launch);

    return code == TC_OK ? tc_link_stdio_open(cx, &options, events, ret_link) : code;
}

/* --- starting --- */

static enum tc_err connect_peer(struct tc_cx *cx, struct mcp_source *source, struct tc_peer **ret_peer)
{
    struct tc_peer_options options = {
        .loop = source->options->loop,
        .dial = dial_stdio,
        .dial_arg = source,
        .start_ms = source->options->start_ms,
        .events = {.list_changed = on_list_changed, .ended = on_ended, .arg = source},
    };
    int64_t pause_ms = (source->not_before_us - now_us(source) + 999) / 1000;
    enum tc_err code = pause_ms > 0 ? tc_task_sleep(cx, pause_ms) : TC_OK;

    return code == TC_OK ? tc_peer_open(cx, &options, ret_peer) : code;
}

static void start(struct tc_cx *cx, void *arg)
{
    struct mcp_source *source = arg;
    struct tc_peer *peer = NULL;
    enum tc_err code = connect_peer(cx, source, &peer);

    source->starting = false;
    source->start_code = code;
    if (code == TC_OK) {
        source->peer = peer;
        source->starts++;
        source->healthy_since_us = now_us(source);
    } else {
        set_error(source, shown(cx, source, cx->err.message));
        if (code == TC_E_MCP_START_FAILED || code == TC_E_MCP_PROTOCOL || code == TC_E_MCP_VERSION ||
            code == TC_E_TIMEOUT)
            count_failure(source);
    }
    tc_event_set(&source->started);
}

static enum tc_err begin_start(struct tc_cx *cx, struct mcp_source *source)
{
    int64_t pause_ms = (source->not_before_us - now_us(source)) / 1000;
    enum tc_err code;

    if (pause_ms > PATIENCE_MS) {
        tc_fail(cx, TC_E_MCP_START_FAILED, "The server has failed %d times in a row; the last time: %s",
                source->failures, source->error);
        return tc_fail_hint(cx, "It is tried again in %lld s at the earliest.", (long long)(pause_ms + 999) / 1000);
    }
    tc_event_clear(&source->started);
    source->start_code = TC_OK;
    code = tc_task_spawn(cx, source->options->loop, &source->group, "mcp-start", start, source);
    source->starting = code == TC_OK;
    return code;
}

/* The connection is about to end: a new server starts when nothing is left of
 * the old one. */
static enum tc_err await_end(struct tc_cx *cx, struct mcp_source *source, int64_t timeout_ms)
{
    struct tc_peer *peer = source->peer;
    enum tc_err code;

    tc_peer_ref(peer);
    code = tc_peer_join(cx, peer, timeout_ms);
    if (code == TC_OK && source->peer == peer)
        on_ended(source); /* it ended while its start was being completed */
    tc_peer_unref(peer);
    return code;
}

/* A living connection, with a reference for the caller. */
static enum tc_err need_peer(struct tc_cx *cx, struct mcp_source *source, int64_t timeout_ms,
                             struct tc_peer **ret_peer)
{
    enum tc_err code = TC_OK;

    while (!source->peer || !tc_peer_alive(source->peer)) {
        if (source->closed)
            return tc_fail(cx, TC_E_CLOSED, "The server was removed or paused.");
        if (source->peer) {
            code = await_end(cx, source, timeout_ms);
        } else {
            code = source->starting ? TC_OK : begin_start(cx, source);
            if (code == TC_OK)
                code = tc_task_wait(cx, &source->started, timeout_ms);
            if (code == TC_OK && source->start_code != TC_OK)
                code = tc_fail(cx, source->start_code, "%s", source->error);
        }
        if (code != TC_OK)
            return code;
    }
    tc_peer_ref(source->peer);
    *ret_peer = source->peer;
    return TC_OK;
}

/* --- the port --- */

static void leave(struct mcp_source *source)
{
    if (--source->users == 0 && source->closed)
        tc_event_set(&source->unused);
}

static enum tc_err list_once(struct tc_cx *cx, struct mcp_source *source, enum tc_source_kind kind,
                             const struct tc_json **ret_entries)
{
    struct tc_peer *peer;
    enum tc_err code = need_peer(cx, source, LIST_MS, &peer);

    if (code != TC_OK)
        return code;
    code = tc_peer_list(cx, peer, kind, PAGE_MS, ret_entries);
    tc_peer_unref(peer);
    return code;
}

static enum tc_err list(struct tc_cx *cx, struct tc_tool_source *self, enum tc_source_kind kind,
                        const struct tc_json **ret_entries)
{
    struct mcp_source *source = (struct mcp_source *)self;
    int64_t deadline = tc_task_deadline_set(cx, now_us(source) + (int64_t)LIST_MS * 1000);
    enum tc_err code;

    source->users++;
    code = list_once(cx, source, kind, ret_entries);
    if (code == TC_E_CLOSED && !source->closed)
        code = list_once(cx, source, kind, ret_entries); /* reading twice harms nothing */
    tc_task_deadline_restore(cx, deadline);
    leave(source);
    if (code == TC_E_CLOSED)
        cx->err.code = code = TC_E_MCP_START_FAILED;
    return code;
}

/* Faults of this process are the caller's; the rest is an outcome. */
static enum tc_err not_connected(struct tc_cx *cx, enum tc_err code, struct tc_source_reply *reply)
{
    if (code == TC_E_NO_MEMORY || code == TC_E_SHUTDOWN || code == TC_E_INTERNAL)
        return code;
    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT, .message = cx->err.message};
    tc_fail_clear(cx);
    return TC_OK;
}

/* One of a call and a request, by whichever is not NULL. */
struct use {
    const struct tc_source_call *call;
    const struct tc_source_request *request;
    int64_t timeout_ms;
};

static enum tc_err use_once(struct tc_cx *cx, struct tc_peer *peer, const struct use *use,
                            struct tc_source_reply *ret_reply)
{
    if (use->call)
        return tc_peer_call(cx, peer, use->call, ret_reply);
    return tc_peer_request(cx, peer, use->request, ret_reply);
}

static enum tc_err use_twice(struct tc_cx *cx, struct mcp_source *source, const struct use *use,
                             struct tc_source_reply *ret_reply)
{
    struct tc_peer *peer;
    bool again = true;
    enum tc_err code;

    for (int tries = 0; again && tries < 2; tries++) {
        code = need_peer(cx, source, use->timeout_ms, &peer);
        if (code != TC_OK)
            return not_connected(cx, code, ret_reply);
        code = use_once(cx, peer, use, ret_reply);
        again = code == TC_OK && ret_reply->outcome == TC_OUTCOME_NOT_SENT && !tc_peer_alive(peer) &&
                !source->closed && tc_task_check(cx) == TC_OK;
        tc_peer_unref(peer);
        if (code != TC_OK)
            return code;
    }
    return TC_OK;
}

static enum tc_err use(struct tc_cx *cx, struct mcp_source *source, const struct use *what,
                       struct tc_source_reply *ret_reply)
{
    enum tc_err code;

    source->users++;
    code = use_twice(cx, source, what, ret_reply);
    leave(source);
    return code;
}

static enum tc_err call(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_call *what,
                        struct tc_source_reply *ret_reply)
{
    struct mcp_source *source = (struct mcp_source *)self;

    source->calls++;
    return use(cx, source, &(struct use){.call = what, .timeout_ms = what->timeout_ms}, ret_reply);
}

static enum tc_err request(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_request *what,
                           struct tc_source_reply *ret_reply)
{
    return use(cx, (struct mcp_source *)self, &(struct use){.request = what, .timeout_ms = what->timeout_ms},
               ret_reply);
}

static const char *state_name(const struct mcp_source *source)
{
    if (source->closed)
        return "closed";
    if (source->starting)
        return "starting";
    if (source->peer && tc_peer_alive(source->peer))
        return "running";
    return source->failures ? "failed" : "stopped";
}

static void write_connection(struct tc_cx *cx, struct tc_jsonw *w, const struct mcp_source *source)
{
    struct tc_peer_status status;

    tc_peer_status(source->peer, &status);
    tc_jsonw_kcstr(w, "transport", status.transport);
    if (status.link.pid)
        tc_jsonw_kint(w, "pid", status.link.pid);
    if (status.revision)
        tc_jsonw_kcstr(w, "protocolVersion", status.revision->name);
    if (status.server)
        tc_jsonw_kvalue(w, "server", status.server);
    if (status.instructions)
        tc_jsonw_kvalue(w, "instructions", status.instructions);
    tc_jsonw_kint(w, "inFlight", (int64_t)status.link.in_flight);
    tc_jsonw_kint(w, "skippedLines", (int64_t)status.link.skipped);
    tc_jsonw_kopt(w, "skippedLine", shown(cx, source, status.link.skipped_line));
    tc_jsonw_kint(w, "lateAnswers", (int64_t)status.link.late);
    tc_jsonw_kint(w, "longLines", (int64_t)status.link.too_long);
    tc_jsonw_kopt(w, "stderr", shown(cx, source, status.link.output));
}

static struct tc_str status(struct tc_cx *cx, struct tc_tool_source *self)
{
    struct mcp_source *source = (struct mcp_source *)self;
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;

    tc_buf_init(&buf, STATUS_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "state", state_name(source));
    tc_jsonw_kint(&w, "starts", (int64_t)source->starts);
    tc_jsonw_kint(&w, "calls", (int64_t)source->calls);
    tc_jsonw_kint(&w, "failures", source->failures);
    tc_jsonw_kopt(&w, "lastError", tc_str_of(source->error));
    if (source->peer)
        write_connection(cx, &w, source);
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text.p ? text : tc_str_n("", 0);
}

static void close_source(struct tc_cx *cx, struct tc_tool_source *self)
{
    struct mcp_source *source = (struct mcp_source *)self;

    tc_task_shield(cx);
    source->closed = true;
    tc_task_group_cancel(&source->group, TC_E_CANCELED);
    tc_task_join(cx, &source->group);
    if (source->peer) {
        tc_peer_close(source->peer);
        tc_peer_join(cx, source->peer, -1);
        drop_peer(source);
    }
    if (source->users)
        tc_task_wait(cx, &source->unused, -1); /* they find the connection gone */
    tc_task_unshield(cx);
    tc_arena_finish(&source->arena);
    tc_mem_free(source);
}

static const struct tc_tool_source_ops ops = {
    .kind = "mcp", .list = list, .call = call, .request = request, .status = status, .close = close_source};

/* --- opening --- */

/* Name and configuration copied, since the source outlives the caller's. */
static enum tc_err keep_config(struct tc_cx *cx, struct mcp_source *source, struct tc_str name,
                               const struct tc_json *config)
{
    struct tc_cx kept = *cx;
    struct tc_str text = tc_json_text(cx->arena, config);
    const struct tc_json *copy;
    enum tc_err code;

    source->name = tc_arena_dup(&source->arena, name);
    if (!text.p || !source->name.p)
        return tc_fail_memory(cx);
    kept.arena = &source->arena;
    code = tc_json_parse_root(&kept, text, NULL, &copy);
    if (code == TC_OK)
        code = tc_mcp_config_read(&kept, copy, &source->config);
    if (code != TC_OK) { /* what was said of it must not go with the source's arena */
        tc_fail(cx, code, "%.*s", TC_STR_ARG(kept.err.message));
        tc_fail_field(cx, tc_arena_dup(cx->arena, kept.err.field));
    }
    return code;
}

static enum tc_err open_source(struct tc_cx *cx, struct tc_tool_source_factory *self, struct tc_str name,
                               const struct tc_json *config, const struct tc_tool_source_events *events,
                               struct tc_tool_source **ret_source)
{
    struct mcp_factory *factory = (struct mcp_factory *)self;
    struct mcp_source *source = tc_mem_zalloc(1, sizeof *source);
    enum tc_err code;

    if (!source)
        return tc_fail_memory(cx);
    source->base.ops = &ops;
    source->options = &factory->options;
    source->events = events ? *events : (struct tc_tool_source_events){0};
    tc_arena_init(&source->arena, 0);
    tc_task_group_init(&source->group, factory->options.loop);
    code = keep_config(cx, source, name, config);
    if (code != TC_OK) {
        tc_arena_finish(&source->arena);
        tc_mem_free(source);
        return code;
    }
    *ret_source = &source->base;
    return TC_OK;
}

enum tc_err tc_mcp_source_factory_create(struct tc_cx *cx, const struct tc_mcp_source_options *options,
                                         struct tc_tool_source_factory **ret_factory)
{
    struct mcp_factory *factory = tc_mem_zalloc(1, sizeof *factory);

    if (!factory)
        return tc_fail_memory(cx);
    factory->base.open = open_source;
    factory->options = *options;
    *ret_factory = &factory->base;
    return TC_OK;
}

void tc_mcp_source_factory_destroy(struct tc_tool_source_factory *factory)
{
    tc_mem_free(factory);
}
