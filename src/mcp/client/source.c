/*
 * One server over its connections: how it is reached, one connection an
 * identity, and what a call's end means.
 */
#include "mcp/client/source.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/loop.h"
#include "mcp/client/connection.h"
#include "mcp/client/link_http.h"
#include "mcp/client/link_sse.h"
#include "mcp/client/link_stdio.h"
#include "mcp/client/mask.h"
#include "mcp/client/reach.h"
#include "toolcrib/jsonw.h"

enum {
    LIST_MS = 120000, /* for a list: start, all pages */
    PAGE_MS = 60000,
    IDENTITIES_MAX = 64, /* connections of one server; the one unused for longest makes room */
    STATUS_MAX = 1 << 20
};

struct mcp_factory {
    struct tc_tool_source_factory base;
    struct tc_mcp_source_options options;
};

struct bond {
    struct mcp_source *source;
    struct tc_connection *connection;
    struct tc_str identity; /* owned; empty: the shared one */
    size_t users; /* tasks that use it now */
    int64_t used_us;
    struct bond *next;
};

struct mcp_source {
    struct tc_tool_source base;
    const struct tc_mcp_source_options *options; /* the factory's */
    struct tc_tool_source_events events;
    struct tc_arena arena; /* name and configuration */
    struct tc_str name;
    struct tc_mcp_config config;
    struct tc_peer_memory memory;
    struct bond *bonds;
    size_t bonds_n;
    size_t users; /* tasks inside list, call or request */
    struct tc_event unused; /* closed, and the last of them has left */
    bool closed;
    size_t calls;
};

static int64_t now_us(const struct mcp_source *source)
{
    return tc_clock_mono_us(tc_loop_clock(source->options->loop));
}

/* --- links: the one place that knows how a server is reached --- */

static enum tc_err dial_stdio(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                              struct tc_link **ret_link)
{
    const struct mcp_source *source = ((struct bond *)arg)->source;
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

static enum tc_err reach(struct tc_cx *cx, const struct mcp_source *source, struct tc_remote *ret_remote)
{
    enum tc_err code;

    *ret_remote = (struct tc_remote){.client = source->options->client};
    if (!ret_remote->client)
        return tc_fail(cx, TC_E_MCP_START_FAILED, "Servers over HTTP cannot be reached here.");
    code = tc_reach_make(cx, &source->config, &source->options->rules, ret_remote);
    /* Who configured an Authorization has said how to get in. */
    if (code || !source->options->oauth || tc_header_get(ret_remote->headers, TC_STR("Authorization")).p)
        return code;
    return tc_oauth_auth(cx, source->options->oauth, source->name, ret_remote->url, &ret_remote->auth);
}

static enum tc_err dial_http(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                             struct tc_link **ret_link)
{
    struct mcp_source *source = ((struct bond *)arg)->source;
    struct tc_remote remote;
    struct tc_link_http_options options = {
        .loop = source->options->loop, .remote = &remote, .message_max = source->options->result_bytes};
    enum tc_err code = reach(cx, source, &remote);

    return code == TC_OK ? tc_link_http_open(cx, &options, events, ret_link) : code;
}

static enum tc_err dial_sse(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                            struct tc_link **ret_link)
{
    const struct bond *bond = arg;
    struct mcp_source *source = bond->source;
    struct tc_remote remote;
    struct tc_link_sse_options options = {
        .loop = source->options->loop,
        .remote = &remote,
        .identity = bond->identity,
        .message_max = source->options->result_bytes,
        .ret_status = &source->memory.refusal,
    };
    enum tc_err code = reach(cx, source, &remote);

    return code == TC_OK ? tc_link_sse_open(cx, &options, events, ret_link) : code;
}

struct transport {
    tc_peer_dial *const *dials;
    size_t n;
    bool shared; /* one connection whatever the identity: there is nothing to log in to */
};

static struct transport choose_transport(const struct mcp_source *source)
{
    static tc_peer_dial *const stdio[] = {dial_stdio}, *const http[] = {dial_http, dial_sse};

    switch (source->config.transport) {
    case TC_MCP_STREAMABLE_HTTP:
        return (struct transport){http, 1, false};
    case TC_MCP_SSE:
        return (struct transport){http + 1, 1, false};
    case TC_MCP_ANY_HTTP:
        return (struct transport){http, 2, false};
    default:
        return (struct transport){stdio, 1, true};
    }
}

/* --- connections --- */

static struct tc_str shown(struct tc_cx *cx, const struct mcp_source *source, struct tc_str text)
{
    return tc_mcp_mask(cx, tc_utf8_cleaned(cx->arena, text), &source->config, &source->options->rules);
}

static struct tc_str shown_of_bond(struct tc_cx *cx, const void *arg, struct tc_str text)
{
    return shown(cx, ((const struct bond *)arg)->source, text);
}

static void on_list_changed(void *arg, enum tc_source_kind kind)
{
    struct mcp_source *source = ((struct bond *)arg)->source;

    if (source->events.list_changed)
        source->events.list_changed(source->events.arg, kind);
}

static void on_resource_updated(void *arg, struct tc_str uri)
{
    struct mcp_source *source = ((struct bond *)arg)->source;

    if (source->events.resource_updated)
        source->events.resource_updated(source->events.arg, uri);
}

static void on_ended(void *arg, struct tc_str reason)
{
    struct mcp_source *source = ((struct bond *)arg)->source;

    if (source->events.ended)
        source->events.ended(source->events.arg, reason);
}

static void on_said(void *arg, struct tc_str line)
{
    struct mcp_source *source = ((struct bond *)arg)->source;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    if (!source->events.said)
        return;
    tc_arena_init(&arena, 0);
    source->events.said(source->events.arg, shown(&cx, source, line));
    tc_arena_finish(&arena);
}

static void destroy_bond(struct bond *bond)
{
    tc_connection_destroy(bond->connection);
    tc_mem_free((char *)bond->identity.p);
    tc_mem_free(bond);
}

static enum tc_err create_bond(struct tc_cx *cx, struct mcp_source *source, struct tc_str identity,
                               struct bond **ret_bond)
{
    struct transport transport = choose_transport(source);
    struct tc_connection_options options = {
        .loop = source->options->loop,
        .dials = transport.dials,
        .dials_n = transport.n,
        .start_ms = source->options->start_ms,
        .events = {.list_changed = on_list_changed, .resource_updated = on_resource_updated, .ended = on_ended,
                   .said = on_said},
        .shown = shown_of_bond,
        .memory = &source->memory,
    };
    struct bond *bond = tc_mem_zalloc(1, sizeof *bond);
    char *copy = bond ? tc_mem_alloc(identity.n + 1) : NULL;

    if (!copy) {
        tc_mem_free(bond);
        return tc_fail_memory(cx);
    }
    if (identity.n)
        memcpy(copy, identity.p, identity.n);
    bond->source = source;
    bond->identity = tc_str_n(copy, identity.n);
    options.arg = bond;
    if (tc_connection_create(cx, &options, bond->identity, &bond->connection) != TC_OK) {
        destroy_bond(bond);
        return cx->err.code;
    }
    bond->next = source->bonds;
    source->bonds = bond;
    source->bonds_n++;
    *ret_bond = bond;
    return TC_OK;
}

/* Makes room for one more identity, when all are taken. */
static enum tc_err close_oldest(struct tc_cx *cx, struct mcp_source *source)
{
    struct bond **oldest = NULL, *bond;

    if (source->bonds_n < IDENTITIES_MAX)
        return TC_OK;
    for (struct bond **at = &source->bonds; *at; at = &(*at)->next) {
        if ((*at)->users == 0 && (*at)->identity.n && (!oldest || (*at)->used_us < (*oldest)->used_us))
            oldest = at;
    }
    if (!oldest)
        return tc_fail(cx, TC_E_LIMIT, "More than %d agents use the server at the same time.", IDENTITIES_MAX);
    bond = *oldest;
    *oldest = bond->next;
    source->bonds_n--;
    tc_connection_close(cx, bond->connection);
    destroy_bond(bond);
    return TC_OK;
}

static struct bond *find_bond(const struct mcp_source *source, struct tc_str identity)
{
    struct bond *bond = source->bonds;

    while (bond && !tc_str_eq(bond->identity, identity))
        bond = bond->next;
    return bond;
}

/* The connection of that identity, held until leave. */
static enum tc_err enter(struct tc_cx *cx, struct mcp_source *source, struct tc_str identity, struct bond **ret_bond)
{
    struct bond *bond;
    enum tc_err code = TC_OK;

    if (choose_transport(source).shared)
        identity = tc_str_n("", 0);
    bond = find_bond(source, identity);
    if (!bond && !source->closed) {
        code = close_oldest(cx, source);
        bond = find_bond(source, identity); /* another task may have made it meanwhile */
    }
    if (code == TC_OK && source->closed)
        code = tc_fail(cx, TC_E_CLOSED, "The server was removed or paused.");
    if (code == TC_OK && !bond)
        code = create_bond(cx, source, identity, &bond);
    if (code != TC_OK)
        return code;
    bond->users++;
    bond->used_us = now_us(source);
    *ret_bond = bond;
    return TC_OK;
}

static void leave(struct bond *bond)
{
    bond->users--;
}

/* --- the port --- */

static void finish_use(struct mcp_source *source)
{
    if (--source->users == 0 && source->closed)
        tc_event_set(&source->unused);
}

static enum tc_err list_once(struct tc_cx *cx, struct tc_connection *connection, enum tc_source_kind kind,
                             const struct tc_json **ret_entries)
{
    struct tc_peer *peer;
    enum tc_err code = tc_connection_need(cx, connection, LIST_MS, &peer);

    if (code != TC_OK)
        return code;
    code = tc_peer_list(cx, peer, kind, PAGE_MS, ret_entries);
    tc_peer_unref(peer);
    return code;
}

static enum tc_err list(struct tc_cx *cx, struct tc_tool_source *self, enum tc_source_kind kind,
                        struct tc_str identity, const struct tc_json **ret_entries)
{
    struct mcp_source *source = (struct mcp_source *)self;
    int64_t deadline = tc_task_deadline_set(cx, now_us(source) + (int64_t)LIST_MS * 1000);
    struct bond *bond;
    enum tc_err code;

    source->users++;
    code = enter(cx, source, identity, &bond);
    if (code == TC_OK) {
        code = list_once(cx, bond->connection, kind, ret_entries);
        if (code == TC_E_CLOSED && !source->closed)
            code = list_once(cx, bond->connection, kind, ret_entries); /* reading twice harms nothing */
        leave(bond);
    }
    tc_task_deadline_restore(cx, deadline);
    finish_use(source);
    if (code == TC_E_CLOSED)
        cx->err.code = code = TC_E_MCP_START_FAILED;
    return code;
}

/* Faults of this process are the caller's; the rest is an outcome. */
static enum tc_err not_connected(struct tc_cx *cx, enum tc_err code, struct tc_source_reply *reply)
{
    if (code == TC_E_NO_MEMORY || code == TC_E_SHUTDOWN || code == TC_E_INTERNAL)
        return code;
    *reply = (struct tc_source_reply){
        .outcome = TC_OUTCOME_NOT_SENT, .message = cx->err.message, .code = cx->err.code, .hint = cx->err.hint};
    tc_fail_clear(cx);
    return TC_OK;
}

/* One of a call and a request, by whichever is not NULL. */
struct use {
    const struct tc_source_call *call;
    const struct tc_source_request *request;
    struct tc_str identity;
    int64_t timeout_ms;
};

static enum tc_err use_once(struct tc_cx *cx, struct tc_peer *peer, const struct use *use,
                            struct tc_source_reply *ret_reply)
{
    return use->call ? tc_peer_call(cx, peer, use->call, ret_reply)
                     : tc_peer_request(cx, peer, use->request, ret_reply);
}

static enum tc_err use_twice(struct tc_cx *cx, const struct mcp_source *source, struct tc_connection *connection,
                             const struct use *use, struct tc_source_reply *ret_reply)
{
    struct tc_peer *peer;
    bool again = true;
    enum tc_err code;

    for (int tries = 0; again && tries < 2; tries++) {
        code = tc_connection_need(cx, connection, use->timeout_ms, &peer);
        if (code != TC_OK)
            return not_connected(cx, code, ret_reply);
        code = use_once(cx, peer, use, ret_reply);
        again = code == TC_OK && ret_reply->outcome == TC_OUTCOME_NOT_SENT && !tc_peer_alive(peer) && !source->closed &&
                tc_task_check(cx) == TC_OK;
        tc_peer_unref(peer);
        if (code != TC_OK)
            return code;
    }
    return TC_OK;
}

static enum tc_err use(struct tc_cx *cx, struct mcp_source *source, const struct use *what,
                       struct tc_source_reply *ret_reply)
{
    struct bond *bond;
    enum tc_err code;

    source->users++;
    code = enter(cx, source, what->identity, &bond);
    if (code == TC_OK) {
        code = use_twice(cx, source, bond->connection, what, ret_reply);
        leave(bond);
    } else {
        code = not_connected(cx, code, ret_reply);
    }
    finish_use(source);
    return code;
}

static enum tc_err call(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_call *what,
                        struct tc_source_reply *ret_reply)
{
    struct mcp_source *source = (struct mcp_source *)self;

    source->calls++;
    return use(cx, source, &(struct use){.call = what, .identity = what->identity, .timeout_ms = what->timeout_ms},
               ret_reply);
}

/* What is news only to who was told before. */
static bool is_news_to_nobody(const struct mcp_source *source, const struct tc_source_request *what)
{
    const struct bond *bond;
    struct tc_connection_status status;

    if (!tc_str_is(tc_str_of(what->method), "notifications/roots/list_changed"))
        return false;
    bond = find_bond(source, choose_transport(source).shared ? tc_str_n("", 0) : what->identity);
    if (bond)
        tc_connection_status(bond->connection, &status);
    return !bond || !status.peer || !tc_peer_alive(status.peer);
}

static enum tc_err request(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_request *what,
                           struct tc_source_reply *ret_reply)
{
    if (is_news_to_nobody((struct mcp_source *)self, what)) {
        *ret_reply = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT};
        return tc_json_parse_root(cx, TC_STR("{}"), NULL, &ret_reply->result);
    }
    return use(cx, (struct mcp_source *)self,
               &(struct use){.request = what, .identity = what->identity, .timeout_ms = what->timeout_ms}, ret_reply);
}

static void write_peer(struct tc_cx *cx, struct tc_jsonw *w, const struct mcp_source *source,
                       const struct tc_peer *peer)
{
    struct tc_peer_status status;

    tc_peer_status(peer, &status);
    tc_jsonw_kcstr(w, "transport", status.transport);
    if (status.link.pid)
        tc_jsonw_kint(w, "pid", status.link.pid);
    if (status.revision) {
        tc_jsonw_kcstr(w, "era",
                       tc_mcp_revision_has(status.revision, TC_MCP_HANDSHAKE) ? "handshake" : "metadata");
        tc_jsonw_kcstr(w, "protocolVersion", status.revision->name);
    }
    if (status.server)
        tc_jsonw_kvalue(w, "server", status.server);
    if (status.capabilities)
        tc_jsonw_kvalue(w, "capabilities", status.capabilities);
    if (status.instructions)
        tc_jsonw_kvalue(w, "instructions", status.instructions);
    if (status.dropped.n) {
        tc_jsonw_key(w, "droppedTools");
        tc_jsonw_raw(w, status.dropped);
    }
    if (status.one_by_one)
        tc_jsonw_kbool(w, "oneByOne", true);
    tc_jsonw_kint(w, "inFlight", (int64_t)status.link.in_flight);
    tc_jsonw_kint(w, "skippedLines", (int64_t)status.link.skipped);
    tc_jsonw_kopt(w, "skippedLine", shown(cx, source, status.link.skipped_line));
    tc_jsonw_kint(w, "lateAnswers", (int64_t)status.link.late);
    tc_jsonw_kint(w, "longLines", (int64_t)status.link.too_long);
    tc_jsonw_kopt(w, "stderr", shown(cx, source, status.link.output));
}

/* Of the shared connection, or where there is none the oldest; of others only how many
 * there are. */
static void write_status(struct tc_cx *cx, struct tc_jsonw *w, const struct mcp_source *source)
{
    const struct bond *bond = find_bond(source, tc_str_n("", 0));
    struct tc_connection_status status = {.state = source->closed ? "closed" : "stopped"};

    for (const struct bond *other = source->bonds; other && (!bond || bond->identity.n); other = other->next)
        bond = other;
    if (bond)
        tc_connection_status(bond->connection, &status);
    tc_jsonw_kcstr(w, "state", status.state);
    tc_jsonw_kint(w, "starts", (int64_t)status.starts);
    tc_jsonw_kint(w, "calls", (int64_t)source->calls);
    tc_jsonw_kint(w, "failures", status.failures);
    tc_jsonw_kopt(w, "lastError", status.error);
    tc_jsonw_kint(w, "connections", (int64_t)source->bonds_n);
    if (status.peer)
        write_peer(cx, w, source, status.peer);
}

static struct tc_str status(struct tc_cx *cx, struct tc_tool_source *self)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;

    tc_buf_init(&buf, STATUS_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    write_status(cx, &w, (struct mcp_source *)self);
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text.p ? text : tc_str_n("", 0);
}

/* --- what is worth knowing at the next start --- */

static const char *const ways[] = {"http", "sse"}; /* as choose_transport has them where there is a choice */

static struct tc_str found(struct tc_cx *cx, struct tc_tool_source *self)
{
    const struct mcp_source *source = (struct mcp_source *)self;
    const struct tc_peer_memory *memory = &source->memory;
    struct tc_str text;

    if (!memory->revision)
        return tc_str_n("", 0);
    if (source->config.transport == TC_MCP_ANY_HTTP)
        text = tc_arena_printf(cx->arena, "{\"revision\":\"%s\",\"transport\":\"%s\"}", memory->revision->name,
                               ways[memory->dial]);
    else
        text = tc_arena_printf(cx->arena, "{\"revision\":\"%s\"}", memory->revision->name);
    return text.p ? text : tc_str_n("", 0);
}

static void recall(struct tc_cx *cx, struct tc_tool_source *self, struct tc_str text)
{
    struct mcp_source *source = (struct mcp_source *)self;
    const struct tc_json *root;

    if (tc_json_parse_root(cx, text, NULL, &root) != TC_OK) {
        tc_fail_clear(cx);
        return;
    }
    source->memory.revision = tc_mcp_revision_find(tc_json_str(tc_json_get_c(root, "revision")));
    if (source->config.transport == TC_MCP_ANY_HTTP)
        source->memory.dial = tc_str_is(tc_json_str(tc_json_get_c(root, "transport")), ways[1]);
}

static void close_source(struct tc_cx *cx, struct tc_tool_source *self)
{
    struct mcp_source *source = (struct mcp_source *)self;
    struct bond *bond;

    tc_task_shield(cx);
    source->closed = true;
    for (bond = source->bonds; bond; bond = bond->next)
        tc_connection_close(cx, bond->connection);
    if (source->users)
        tc_task_wait(cx, &source->unused, -1); /* they find the connections gone */
    tc_task_unshield(cx);
    while ((bond = source->bonds)) {
        source->bonds = bond->next;
        destroy_bond(bond);
    }
    tc_arena_finish(&source->arena);
    tc_mem_free(source);
}

static const struct tc_tool_source_ops ops = {
    .kind = "mcp", .list = list, .call = call, .request = request, .status = status, .found = found, .recall = recall,
    .close = close_source};

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
