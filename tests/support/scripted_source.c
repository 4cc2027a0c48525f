/*
 * See scripted_source.h. What a script says is copied with malloc and freed with
 * the server.
 */
#include "support/scripted_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "io/loop.h"
#include "mcp/codec/clean.h"
#include "toolcrib/jsonw.h"

enum { DEFAULT_TIMEOUT_MS = 60 * 1000 };

struct line {
    struct line *next;
    struct tc_str tool; /* of an answer */
    struct tc_str text; /* of a tool */
    struct scripted_answer answer;
    bool used;
};

struct scripted_server {
    struct scripted_server *next;
    struct scripted *owner;
    struct tc_str name, list_fault;
    struct line *tools, *answers, *old; /* old: forgotten, but perhaps in use by a call */
    char *received;
    size_t received_n, received_cap, calls;
    bool seen; /* received was handed out */
    struct source *source; /* that plays it now, or NULL */
    struct tc_event released;
};

struct source {
    struct tc_tool_source port; /* first */
    struct scripted_server *server;
    struct tc_tool_source_events events;
};

struct scripted {
    struct tc_tool_source_factory port; /* first */
    struct scripted_server *servers;
    bool hold_nothing;
    void (*watch)(void *arg, struct tc_str server, struct tc_str tool);
    void *watch_arg;
};

/* --- scripts --- */

static void *taken(void *p)
{
    if (!p)
        abort();
    return p;
}

static struct tc_str keep(struct tc_str s)
{
    char *p = taken(malloc(s.n + 1));

    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return tc_str_n(p, s.n);
}

static void drop(struct tc_str s)
{
    free((char *)s.p);
}

static void drop_lines(struct line **list)
{
    struct line *line;

    while ((line = *list)) {
        *list = line->next;
        drop(line->tool);
        drop(line->text);
        drop(line->answer.text);
        drop(line->answer.data);
        drop(line->answer.progress);
        drop(line->answer.total);
        drop(line->answer.message);
        free(line);
    }
}

static struct line *append(struct line **list)
{
    while (*list)
        list = &(*list)->next;
    return *list = taken(calloc(1, sizeof **list));
}

struct scripted_server *scripted_server(struct scripted *scripted, struct tc_str name)
{
    struct scripted_server *server;

    for (server = scripted->servers; server; server = server->next)
        if (tc_str_eq(server->name, name))
            return server;
    server = taken(calloc(1, sizeof *server));
    server->owner = scripted;
    server->name = keep(name);
    server->list_fault = keep(TC_STR(""));
    server->next = scripted->servers;
    scripted->servers = server;
    return server;
}

static void retire(struct scripted_server *server, struct line **list)
{
    struct line **end = list;

    while (*end)
        end = &(*end)->next;
    *end = server->old;
    server->old = *list;
    *list = NULL;
}

void scripted_clear(struct scripted_server *server)
{
    retire(server, &server->tools);
    retire(server, &server->answers);
    scripted_list_fails(server, TC_STR(""));
}

void scripted_tool(struct scripted_server *server, struct tc_str entry)
{
    append(&server->tools)->text = keep(entry);
}

void scripted_answer(struct scripted_server *server, struct tc_str tool, const struct scripted_answer *answer)
{
    struct line *line = append(&server->answers);

    line->tool = keep(tool);
    line->answer = *answer;
    line->answer.text = keep(answer->text);
    line->answer.data = keep(answer->data);
    line->answer.progress = keep(answer->progress);
    line->answer.total = keep(answer->total);
    line->answer.message = keep(answer->message);
}

void scripted_list_fails(struct scripted_server *server, struct tc_str reason)
{
    drop(server->list_fault);
    server->list_fault = keep(reason);
}

/* --- what came in --- */

static void receive(struct scripted_server *server, struct tc_str tool, const struct tc_json *arguments)
{
    struct tc_buf text;
    size_t need;

    tc_buf_init(&text, 16 * 1024 * 1024);
    tc_json_print(&text, arguments);
    if (server->seen)
        server->received_n = 0;
    server->seen = false;
    need = server->received_n + tool.n + text.n + 3;
    if (need > server->received_cap) {
        server->received_cap = need * 2;
        server->received = taken(realloc(server->received, server->received_cap));
    }
    server->received_n += (size_t)snprintf(server->received + server->received_n, need, "%s%.*s %.*s",
                                           server->received_n ? "\n" : "", TC_STR_ARG(tool),
                                           TC_STR_ARG(tc_buf_get(&text)));
    tc_buf_finish(&text);
    server->calls++;
    if (server->owner->watch)
        server->owner->watch(server->owner->watch_arg, server->name, tool);
}

struct tc_str scripted_received(struct scripted_server *server)
{
    if (server->seen)
        server->received_n = 0;
    server->seen = true;
    return tc_str_n(server->received ? server->received : "", server->received_n);
}

size_t scripted_calls(const struct scripted_server *server)
{
    return server->calls;
}

size_t scripted_total(const struct scripted *scripted)
{
    size_t n = 0;

    for (const struct scripted_server *server = scripted->servers; server; server = server->next)
        n += server->calls;
    return n;
}

void scripted_watch(struct scripted *scripted, void (*fn)(void *, struct tc_str, struct tc_str), void *arg)
{
    scripted->watch = fn;
    scripted->watch_arg = arg;
}

/* --- the source --- */

static enum tc_err list_tools(struct tc_cx *cx, struct tc_tool_source *self, enum tc_source_kind kind,
                              struct tc_str identity, const struct tc_json **ret_tools)
{
    struct scripted_server *server = ((struct source *)self)->server;
    struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    struct tc_buf buf;
    struct tc_str text;
    enum tc_err e = tc_task_yield(cx);

    (void)identity;
    if (e)
        return e;
    if (server->list_fault.n)
        return tc_fail(cx, TC_E_MCP_START_FAILED, "%.*s", TC_STR_ARG(server->list_fault));
    tc_buf_init(&buf, 16 * 1024 * 1024);
    tc_buf_char(&buf, '[');
    for (struct line *line = kind == TC_SOURCE_TOOLS ? server->tools : NULL; line; line = line->next)
        tc_buf_printf(&buf, "%s%.*s", line == server->tools ? "" : ",", TC_STR_ARG(line->text));
    tc_buf_char(&buf, ']');
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!text.p)
        return tc_fail_memory(cx);
    e = tc_json_parse_root(cx, text, &limits, ret_tools);
    return e ? e : tc_mcp_clean(cx, *ret_tools, ret_tools);
}

/* The next answer of the tool: each is used once, the last one stays. */
static struct scripted_answer *next_answer(struct scripted_server *server, struct tc_str tool)
{
    struct line *last = NULL;

    for (struct line *line = server->answers; line; line = line->next) {
        if (!tc_str_eq(line->tool, tool))
            continue;
        last = line;
        if (!line->used)
            break;
    }
    if (!last)
        return NULL;
    last->used = true;
    return &last->answer;
}

static enum tc_err echo(struct tc_cx *cx, const struct tc_json *arguments, struct tc_str *ret)
{
    struct tc_str text = tc_json_text(cx->arena, arguments);
    struct tc_buf buf;
    struct tc_jsonw w;

    if (!text.p)
        return tc_fail_memory(cx);
    tc_buf_init(&buf, 64 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "content");
    tc_jsonw_array(&w);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "type", "text");
    tc_jsonw_kstr(&w, "text", text);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_jsonw_key(&w, "structuredContent");
    tc_jsonw_raw(&w, text);
    tc_jsonw_end(&w);
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* Lets the time of the answer pass. False when the call ended meanwhile; *reply
 * says how. */
static bool wait_for(struct tc_cx *cx, struct scripted_server *server, const struct scripted_answer *answer,
                     int64_t timeout_ms, struct tc_source_reply *reply)
{
    int64_t ms = answer->after_ms;

    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_UNKNOWN, .message = TC_STR("The call was cancelled.")};
    if (ms > timeout_ms)
        ms = timeout_ms;
    if (ms) {
        tc_loop_advance(tc_task_loop(cx), ms);
        if (tc_task_yield(cx))
            return false;
    }
    if (answer->hold && !server->owner->hold_nothing) {
        tc_event_clear(&server->released);
        if (tc_task_wait(cx, &server->released, -1))
            return false;
    }
    reply->message = TC_STR("No answer came in time.");
    return answer->after_ms <= timeout_ms;
}

/* A value that a real client would have parsed and cleaned. */
static enum tc_err parse(struct tc_cx *cx, struct tc_str text, const struct tc_json **ret)
{
    struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    struct tc_str copy = tc_arena_dup(cx->arena, text); /* the script may change while the result is in use */
    enum tc_err e = copy.p ? tc_json_parse_root(cx, copy, &limits, ret) : tc_fail_memory(cx);

    return e ? e : tc_mcp_clean(cx, *ret, ret);
}

static enum tc_err reply_of(struct tc_cx *cx, const struct scripted_answer *answer, const struct tc_json *arguments,
                            struct tc_source_reply *reply)
{
    static const enum tc_outcome outcomes[] = {
        [SCRIPTED_RESULT] = TC_OUTCOME_RESULT,       [SCRIPTED_ECHO] = TC_OUTCOME_RESULT,
        [SCRIPTED_ERROR] = TC_OUTCOME_SERVER_ERROR,  [SCRIPTED_UNKNOWN] = TC_OUTCOME_UNKNOWN,
        [SCRIPTED_NOT_SENT] = TC_OUTCOME_NOT_SENT,   [SCRIPTED_UNSUPPORTED] = TC_OUTCOME_UNSUPPORTED,
    };
    struct tc_str text = answer->text;
    enum tc_err e = TC_OK;

    if (answer->kind == SCRIPTED_FAULT)
        return tc_fail(cx, answer->error, "%.*s", TC_STR_ARG(text));
    *reply = (struct tc_source_reply){.outcome = outcomes[answer->kind], .rpc_code = answer->code};
    if (answer->kind == SCRIPTED_ECHO)
        e = echo(cx, arguments, &text);
    if (!e && reply->outcome == TC_OUTCOME_RESULT)
        return parse(cx, text, &reply->result);
    reply->message = tc_arena_dup(cx->arena, text);
    if (!e && !reply->message.p)
        e = tc_fail_memory(cx);
    return e || answer->data.n == 0 ? e : parse(cx, answer->data, &reply->data);
}

/* Without memory after it arrived, a call is of unknown outcome: an error return
 * would say that nothing was sent. */
static enum tc_err settle(struct tc_cx *cx, const struct scripted_answer *answer, enum tc_err e,
                          struct tc_source_reply *reply)
{
    if (!e || answer->kind == SCRIPTED_FAULT)
        return e;
    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_UNKNOWN, .message = TC_STR("The answer was lost.")};
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err call_tool(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_call *call,
                             struct tc_source_reply *reply)
{
    struct scripted_server *server = ((struct source *)self)->server;
    struct scripted_answer *scripted = next_answer(server, call->tool), answer;
    int64_t timeout_ms = call->timeout_ms ? call->timeout_ms : DEFAULT_TIMEOUT_MS;

    if (!scripted) {
        *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_SERVER_ERROR, .rpc_code = -32602,
                                          .message = TC_STR("No answer is scripted.")};
        return TC_OK;
    }
    answer = *scripted;
    if (answer.kind != SCRIPTED_NOT_SENT && answer.kind != SCRIPTED_FAULT)
        receive(server, call->tool, call->arguments);
    if (answer.progress.n && call->caller && call->caller->ops->progress)
        call->caller->ops->progress(call->caller, answer.progress, answer.total, answer.message);
    if (!wait_for(cx, server, &answer, timeout_ms, reply)) {
        tc_fail_clear(cx);
        return TC_OK;
    }
    return settle(cx, &answer, reply_of(cx, &answer, call->arguments, reply), reply);
}

/* Scripted under the name of its method. */
static enum tc_err request_any(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_request *request,
                               struct tc_source_reply *reply)
{
    struct tc_source_call call = {
        .tool = tc_str_of(request->method),
        .arguments = request->params,
        .caller = request->caller,
        .timeout_ms = request->timeout_ms,
    };

    return call_tool(cx, self, &call, reply);
}

static struct tc_str status_text(struct tc_cx *cx, struct tc_tool_source *self)
{
    struct tc_str text = tc_arena_printf(cx->arena, "{\"scripted\":true,\"calls\":%zu}",
                                         ((struct source *)self)->server->calls);

    return text.p ? text : TC_STR("");
}

static void close_source(struct tc_cx *cx, struct tc_tool_source *self)
{
    struct source *source = (struct source *)self;

    (void)cx;
    if (source->server->source == source)
        source->server->source = NULL;
    tc_mem_free(source);
}

static const struct tc_tool_source_ops source_ops = {.kind = "scripted",
                                                     .list = list_tools,
                                                     .call = call_tool,
                                                     .request = request_any,
                                                     .status = status_text,
                                                     .close = close_source};

static enum tc_err open_source(struct tc_cx *cx, struct tc_tool_source_factory *self, struct tc_str name,
                               const struct tc_json *config, const struct tc_tool_source_events *events,
                               struct tc_tool_source **ret_source)
{
    struct source *source = tc_mem_zalloc(1, sizeof *source);

    (void)config;
    if (!source)
        return tc_fail_memory(cx);
    source->port.ops = &source_ops;
    source->server = scripted_server((struct scripted *)self, name);
    source->server->source = source;
    source->events = *events;
    *ret_source = &source->port;
    return TC_OK;
}

/* --- the world outside --- */

bool scripted_connected(const struct scripted_server *server)
{
    return server->source != NULL;
}

void scripted_release(struct scripted_server *server)
{
    tc_event_set(&server->released);
}

void scripted_hold_nothing(struct scripted *scripted)
{
    scripted->hold_nothing = true;
    for (struct scripted_server *server = scripted->servers; server; server = server->next)
        scripted_release(server);
}

void scripted_announce(struct scripted_server *server)
{
    if (server->source)
        server->source->events.list_changed(server->source->events.arg, TC_SOURCE_TOOLS);
}

void scripted_end(struct scripted_server *server, struct tc_str reason)
{
    if (server->source)
        server->source->events.ended(server->source->events.arg, reason);
}

struct scripted *scripted_create(void)
{
    struct scripted *scripted = taken(calloc(1, sizeof *scripted));

    scripted->port.open = open_source;
    return scripted;
}

void scripted_destroy(struct scripted *scripted)
{
    struct scripted_server *server;

    while ((server = scripted->servers)) {
        scripted->servers = server->next;
        drop_lines(&server->tools);
        drop_lines(&server->answers);
        drop_lines(&server->old);
        drop(server->list_fault);
        drop(server->name);
        free(server->received);
        free(server);
    }
    free(scripted);
}

struct tc_tool_source_factory *scripted_factory(struct scripted *scripted)
{
    return &scripted->port;
}
