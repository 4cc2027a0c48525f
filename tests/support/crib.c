/*
 * See crib.h. The store's operations are watched by tables of operations put
 * before those of the memory store.
 */
#include "support/crib.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "http/server.h"
#include "ports/secrets.h"
#include "stores/memory.h"
#include "toolcrib/tool.h"

static struct test_crib *current; /* of the handlers, which have no argument */

/* --- built-in tools --- */

static enum tc_err run_echo(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_str text = tc_json_str(tc_json_get_c(tc_call_arguments(call), "text"));

    current->echoed++;
    return tc_call_text(cx, call, text.n ? text : TC_STR("empty"));
}

static enum tc_err run_write(struct tc_cx *cx, struct tc_call *call)
{
    current->written++;
    tc_call_effect(call, TC_EFFECT_FILE_WRITTEN, TC_STR("note.txt"));
    return tc_call_text(cx, call, TC_STR("written"));
}

#define SCHEMA                                                                                                         \
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"text\":{\"type\":\"string\"},"              \
    "\"times\":{\"type\":\"integer\"},\"password\":{\"type\":\"string\"}}}"

static const struct tc_tool echo = {
    .name = "note.echo", .toolset = "base", .title = "Echo", .description = "Gives the text back.",
    .input_schema = SCHEMA, .example = "{}", .flags = TC_TOOL_READ_ONLY, .run = run_echo,
};
static const struct tc_tool write_note = {
    .name = "note.write", .toolset = "base", .title = "Write", .description = "Writes a note.",
    .input_schema = SCHEMA, .example = "{}", .run = run_write,
};
static const struct tc_tool *const tools[] = {&echo, &write_note, NULL};

/* --- secrets --- */

static enum tc_err keep(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str text,
                        struct tc_str *ret)
{
    (void)self, (void)name;
    *ret = tc_arena_dup(cx->arena, text);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static void hash(struct tc_secrets *self, struct tc_str data, char ret_hex[TC_SECRETS_HASH_SIZE])
{
    (void)self, (void)data;
    memset(ret_hex, 'a', TC_SECRETS_HASH_SIZE - 1);
    ret_hex[TC_SECRETS_HASH_SIZE - 1] = '\0';
}

static const struct tc_secrets_ops secrets_ops = {keep, keep, hash};
static struct tc_secrets secrets = {&secrets_ops};

/* --- the store, watched --- */

static const struct tc_store_audit_ops *real_audit;
static const struct tc_store_results_ops *real_results;
static struct tc_store_audit_ops audit_ops;
static struct tc_store_results_ops results_ops;

static enum tc_err meanwhile(struct tc_cx *cx, enum test_store_op op)
{
    enum tc_err (*fn)(struct tc_cx *, struct test_crib *) = current->before;

    if (!fn || current->at != op)
        return TC_OK;
    current->before = NULL; /* once */
    return fn(cx, current);
}

static enum tc_err audit_add(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row)
{
    enum tc_err e = meanwhile(cx, TEST_STORE_INTENT);

    return e ? e : real_audit->add(cx, self, row);
}

static enum tc_err audit_add_done(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                                  const struct tc_result_row *result)
{
    enum tc_err e = meanwhile(cx, TEST_STORE_DONE);

    return e ? e : real_audit->add_done(cx, self, row, result);
}

static enum tc_err audit_finish(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                                const struct tc_result_row *result)
{
    enum tc_err e = meanwhile(cx, TEST_STORE_FINISH);

    return e ? e : real_audit->finish(cx, self, row, result);
}

static enum tc_err put_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str text, struct tc_str json,
                                int64_t now)
{
    enum tc_err e = meanwhile(cx, TEST_STORE_SNAPSHOT);

    return e ? e : real_results->put_snapshot(cx, self, text, json, now);
}

static void watch(struct tc_store *store)
{
    real_audit = store->audit;
    real_results = store->results;
    audit_ops = *real_audit;
    results_ops = *real_results;
    audit_ops.add = audit_add;
    audit_ops.add_done = audit_add_done;
    audit_ops.finish = audit_finish;
    results_ops.put_snapshot = put_snapshot;
    store->audit = &audit_ops;
    store->results = &results_ops;
}

/* --- the fake server --- */

struct fake {
    struct tc_tool_source port; /* first */
    struct tc_tool_source_events events;
};

static enum tc_err pass(struct tc_cx *cx)
{
    return current->up.hold ? tc_task_wait(cx, &current->up.go, -1) : tc_task_yield(cx);
}

static enum tc_err fake_list(struct tc_cx *cx, struct tc_tool_source *self, enum tc_source_kind kind,
                             struct tc_str identity, const struct tc_json **ret_tools)
{
    struct fake *fake = (struct fake *)self;
    const char *const lists[TC_SOURCE_KINDS] = {current->up.tools, current->up.prompts, current->up.resources,
                                                current->up.templates};
    const char *text = lists[kind] ? lists[kind] : "[]"; /* as it is when the request arrives */
    enum tc_err e;

    (void)identity;
    current->up.lists += kind == TC_SOURCE_TOOLS;
    if (kind != TC_SOURCE_TOOLS)
        return tc_json_parse_root(cx, tc_str_of(text), NULL, ret_tools);
    e = pass(cx);
    if (current->up.ends)
        fake->events.ended(fake->events.arg, TC_STR("The server ended."));
    if (!e && current->up.fails)
        e = tc_fail(cx, current->up.fails, "The server does not start.");
    return e ? e : tc_json_parse_root(cx, tc_str_of(text), NULL, ret_tools);
}

static enum tc_err fake_call(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_call *call,
                             struct tc_source_reply *ret)
{
    struct tc_str text = tc_json_text(cx->arena, call->arguments);
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    (void)self;
    current->up.calls++;
    current->up.caller = call->caller;
    current->up.timeout_ms = call->timeout_ms;
    if (pass(cx)) {
        *ret = (struct tc_source_reply){.outcome = TC_OUTCOME_UNKNOWN, .message = TC_STR("It was cancelled.")};
        return TC_OK;
    }
    if (current->up.during && current->up.during(cx, current, call->caller))
        tc_fail_clear(cx);
    if (tc_task_check(cx)) {
        *ret = (struct tc_source_reply){.outcome = TC_OUTCOME_UNKNOWN, .message = TC_STR("It was cancelled.")};
        return TC_OK;
    }
    *ret = (struct tc_source_reply){
        .outcome = current->up.outcome, .message = TC_STR("so it was."), .rpc_code = current->up.error_code};
    if (current->up.error)
        return tc_json_parse_root(cx, tc_str_of(current->up.error), NULL, &ret->data);
    if (ret->outcome != TC_OUTCOME_RESULT)
        return TC_OK;
    if (current->up.result)
        return tc_json_parse_root(cx, tc_str_of(current->up.result), NULL, &ret->result);
    tc_buf_init(&buf, 1 << 20);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "content");
    tc_jsonw_array(&w);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "type", "text");
    tc_jsonw_kstr(&w, "text", text);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    e = tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &ret->result);
    tc_buf_finish(&buf);
    return e;
}

static enum tc_err fake_request(struct tc_cx *cx, struct tc_tool_source *self, const struct tc_source_request *request,
                                struct tc_source_reply *ret)
{
    struct tc_str text;

    (void)self;
    current->up.requests++;
    text = current->up.request ? current->up.request(cx, current, request) : TC_STR("{}");
    *ret = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT};
    if (text.n)
        return tc_json_parse_root(cx, text, NULL, &ret->result);
    *ret = (struct tc_source_reply){
        .outcome = TC_OUTCOME_SERVER_ERROR, .rpc_code = -32602, .message = TC_STR("There is none.")};
    return TC_OK;
}

static struct tc_str fake_status(struct tc_cx *cx, struct tc_tool_source *self)
{
    (void)cx, (void)self;
    return TC_STR("{}");
}

static void fake_close(struct tc_cx *cx, struct tc_tool_source *self)
{
    tc_task_yield(cx);
    current->up.closes++;
    current->up.open--;
    tc_mem_free(self);
}

static const struct tc_tool_source_ops fake_ops = {
    .kind = "mcp",
    .list = fake_list,
    .call = fake_call,
    .request = fake_request,
    .status = fake_status,
    .close = fake_close,
};

static enum tc_err open_fake(struct tc_cx *cx, struct tc_tool_source_factory *self, struct tc_str name,
                             const struct tc_json *config, const struct tc_tool_source_events *events,
                             struct tc_tool_source **ret_source)
{
    struct fake *fake = tc_mem_zalloc(1, sizeof *fake);

    (void)self, (void)name, (void)config;
    if (!fake)
        return tc_fail_memory(cx);
    fake->port.ops = &fake_ops;
    fake->events = current->up.events = *events;
    current->up.opens++;
    current->up.open++;
    *ret_source = &fake->port;
    return TC_OK;
}

static struct tc_tool_source_factory factory = {open_fake};

/* --- start and end --- */

static enum tc_err start(struct tc_cx *cx, struct test_crib *crib, const char *config_servers)
{
    crib->options = (struct tc_runtime_options){
        .loop = tc_task_loop(cx),
        .store = crib->store,
        .secrets = &secrets,
        .sources = &factory,
        .models = crib->models,
        .tools = tools,
        .data_dir = tc_str_of(crib->dir),
        .admin_token = TC_STR(""),
        .result_bytes = 64 << 20,
        .calls_per_token = 64,
        .stdio_from_api = true,
        .config_servers = config_servers ? test_crib_json(cx, config_servers) : NULL,
        .connect = true,
    };
    crib->runtime = NULL;
    return tc_runtime_create(cx, &crib->options, &crib->runtime);
}

static void open_crib(struct tc_cx *cx, struct test_crib *crib, const char *config_servers)
{
    *crib = (struct test_crib){.up = {.tools = "[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}}]"}};
    current = crib;
    crib->dir = test_tmpdir(cx->arena);
    expect_int(tc_memory_open(cx, &crib->store), TC_OK);
    watch(crib->store);
    expect_int(start(cx, crib, config_servers), TC_OK);
}

enum tc_err test_crib_restart(struct tc_cx *cx, struct test_crib *crib, const char *config_servers)
{
    tc_runtime_destroy(cx, crib->runtime);
    return start(cx, crib, config_servers);
}

static void close_crib(struct tc_cx *cx, struct test_crib *crib)
{
    tc_endpoint_end_streams(crib->endpoint);
    if (crib->server)
        tc_server_stop(cx, crib->server, 0);
    tc_server_destroy(crib->server);
    tc_endpoint_destroy(cx, crib->endpoint);
    tc_api_destroy(crib->api);
    tc_runtime_destroy(cx, crib->runtime);
    expect_int(crib->up.open, 0);
    crib->store->close(cx, crib->store);
    test_rmtree(crib->dir);
    current = NULL;
}

struct run {
    test_crib_fn *body;
    const char *config_servers;
};

static void main_task(struct tc_cx *cx, void *arg)
{
    const struct run *run = arg;
    struct test_crib crib;
    struct tc_arena arena;
    struct tc_cx inner = {.arena = &arena, .clock = cx->clock, .task = cx->task};

    open_crib(cx, &crib, run->config_servers);
    tc_arena_init(&arena, 0);
    run->body(&inner, &crib);
    tc_arena_finish(&arena);
    expect_int(crib.runtime->calls.n, 0);
    close_crib(cx, &crib);
}

void test_crib_run(test_crib_fn *body, const char *config_servers)
{
    test_task_run(main_task, &(struct run){body, config_servers});
}

void test_crib_run_virtual(test_crib_fn *body, const char *config_servers)
{
    test_task_run_virtual(main_task, &(struct run){body, config_servers});
}

void test_crib_listen(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_token_options admin = {.role = TC_ROLE_ADMIN, .agent = TC_STR(""), .label = TC_STR("test")};
    struct tc_server_options options = {.handler = tc_dispatch_handle, .arg = &crib->dispatch};
    struct tc_token_row row;

    expect_int(tc_access_create_token(cx, crib->runtime->access, &admin, &row, &crib->token), TC_OK);
    expect_int(tc_api_create(cx, crib->runtime, &crib->api), TC_OK);
    expect_int(tc_endpoint_create(cx, crib->runtime, &crib->endpoint), TC_OK);
    crib->dispatch = (struct tc_dispatch){&crib->config, crib->runtime, crib->api, crib->endpoint, "127.0.0.1", NULL};
    expect_int(tc_server_create(cx, tc_task_loop(cx), &options, &crib->server), TC_OK);
    expect_int(tc_server_listen_tcp(cx, crib->server, "127.0.0.1", 0, &crib->port), TC_OK);
}

int test_crib_ask(struct tc_cx *cx, struct test_crib *crib, const char *head, const char *body, struct tc_str *ret_head,
                  struct tc_str *ret_body)
{
    struct tc_str text = tc_str_of(head), line = text, unused;
    size_t end = tc_str_find(text, TC_STR("\r\n"));
    struct peer peer;
    struct tc_buf request;
    int status;

    if (end != SIZE_MAX)
        line.n = end;
    tc_buf_init(&request, 64 << 20);
    tc_buf_printf(&request, "%.*s HTTP/1.1%s\r\n", TC_STR_ARG(line), head + line.n);
    if (tc_str_find(text, TC_STR("Host:")) == SIZE_MAX)
        tc_buf_printf(&request, "Host: localhost:%d\r\n", crib->port);
    if (tc_str_find(text, TC_STR("Authorization:")) == SIZE_MAX)
        tc_buf_printf(&request, "Authorization: Bearer %.*s\r\n", TC_STR_ARG(crib->token));
    if (body && tc_str_find(text, TC_STR("Content-Type:")) == SIZE_MAX)
        tc_buf_cstr(&request, "Content-Type: application/json\r\n");
    if (body)
        tc_buf_printf(&request, "Content-Length: %zu\r\n", strlen(body));
    tc_buf_printf(&request, "\r\n%s", body ? body : "");
    peer_open_tcp(cx, &peer, crib->port);
    peer_send(&peer, tc_buf_get(&request));
    status = peer_response(&peer, tc_str_starts(text, TC_STR("HEAD")), ret_head ? ret_head : &unused,
                           ret_body ? ret_body : &unused);
    peer_close(&peer);
    tc_buf_finish(&request);
    return status;
}

struct tc_str test_crib_token(struct tc_cx *cx, struct test_crib *crib, const char *agent)
{
    struct tc_token_options options = {.role = TC_ROLE_AGENT, .agent = tc_str_of(agent), .label = TC_STR("test")};
    struct tc_token_row row;
    struct tc_str token = TC_STR("");

    expect_int(tc_access_create_token(cx, crib->runtime->access, &options, &row, &token), TC_OK);
    return token;
}

/* --- for tests --- */

const struct tc_json *test_crib_json(struct tc_cx *cx, const char *text)
{
    const struct tc_json *root = NULL;

    expect_int(tc_json_parse_root(cx, tc_str_of(text), NULL, &root), TC_OK);
    return root;
}

enum tc_err test_crib_agent(struct tc_cx *cx, struct test_crib *crib, const char *members)
{
    struct tc_str json = tc_arena_printf(cx->arena, "{\"id\":\"default\",\"name\":\"Default\"%s%s}",
                                         *members ? "," : "", members);

    return tc_agents_save(cx, crib->runtime->agents, json, false, 0);
}

enum tc_err test_crib_add(struct tc_cx *cx, struct test_crib *crib, const char *name)
{
    struct tc_server_spec spec = {.name = tc_str_of(name), .config = test_crib_json(cx, "{\"command\":\"x\"}")};
    struct tc_server_info info;
    enum tc_err e = tc_servers_add(cx, crib->runtime->servers, &spec, &info);

    return e ? e : test_crib_agent(cx, crib, tc_arena_printf(cx->arena, "\"toolsets\":[\"base\",\"mcp-%s\"]", name).p);
}

enum tc_err test_crib_call(struct tc_cx *cx, struct test_crib *crib, const char *name, const char *arguments,
                           struct tc_call_result *ret)
{
    return test_crib_call_json(cx, crib, name, arguments ? test_crib_json(cx, arguments) : NULL, ret);
}

enum tc_err test_crib_call_json(struct tc_cx *cx, struct test_crib *crib, const char *name,
                                const struct tc_json *arguments, struct tc_call_result *ret)
{
    struct tc_invocation invocation = {
        .surface = "rest",
        .principal = {TC_ROLE_AGENT, TC_STR("token"), TC_STR("t1"), TC_STR("default"), 0},
        .agent = TC_STR("default"),
    };
    struct tc_call_request request = {.name = tc_str_of(name), .arguments = arguments};

    *ret = (struct tc_call_result){0};
    return tc_pipeline_call(cx, crib->runtime, &invocation, &request, ret);
}

size_t test_crib_rows(struct tc_cx *cx, struct test_crib *crib, struct tc_audit_row **ret_rows)
{
    struct tc_store_page page = {.page = 1, .size = 200};
    struct tc_store_audit_filter filter = {.is_error = -1};
    int64_t total;
    size_t n = 0;

    expect_int(crib->store->audit->page(cx, crib->store, &page, &filter, ret_rows, &n, &total), TC_OK);
    return n;
}

struct tc_audit_row test_crib_row(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_audit_row *rows;

    return expect_int(test_crib_rows(cx, crib, &rows), 1) ? rows[0] : (struct tc_audit_row){0};
}

void test_crib_release(struct test_crib *crib)
{
    crib->up.hold = false;
    tc_event_set(&crib->up.go);
}

void test_crib_settle(struct tc_cx *cx)
{
    for (int i = 0; i < 40; i++)
        tc_task_yield(cx);
}
