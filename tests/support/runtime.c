/*
 * See runtime.h.
 */
#include "support/runtime.h"

#include "base/clock.h"
#include "runtime/servers.h"
#include "stores/memory.h"
#include "support/fake_secrets.h"

extern const struct tc_tool *const tc_tools_table[];

bool test_runtime_ok(struct tc_cx *cx, enum tc_err e, const char *what, const char *file, int line)
{
    if (e)
        print_error("%s:%d: %s: %.*s\n", file, line, tc_err_info(e)->name, TC_STR_ARG(cx->err.message));
    return test_expect(e == TC_OK, what, file, line);
}

static bool start(struct test_runtime *t)
{
    struct tc_runtime_options options = {
        .loop = tc_task_loop(t->cx),
        .store = &t->store.port,
        .secrets = &t->secrets,
        .sources = scripted_factory(t->scripted),
        .tools = t->tools,
        .data_dir = tc_str_of(t->dir),
        .result_bytes = 64 * 1024 * 1024,
        .calls_per_token = 8,
        .stdio_from_api = true,
        .connect = true,
        .models = t->models,
    };

    if (t->models)
        options.environment =
            (struct tc_channels_environment){.model = TC_STR("played"), .provider = TC_STR("scripted")};

    t->runtime = NULL;
    return expect_ok(t->cx, tc_runtime_create(t->cx, &options, &t->runtime));
}

bool test_runtime_open(struct tc_cx *cx, struct test_runtime *t)
{
    return test_runtime_open_models(cx, t, NULL);
}

bool test_runtime_open_models(struct tc_cx *cx, struct test_runtime *t, struct tc_models *models)
{
    *t = (struct test_runtime){.cx = cx, .secrets = {&fake_secrets_ops}, .models = models,
                                .tools = tc_tools_table};
    t->dir = test_tmpdir(cx->arena);
    t->scripted = scripted_create();
    if (!expect_ok(cx, tc_memory_open(cx, &t->memory)))
        return false;
    faulty_store_init(&t->store, t->memory);
    return start(t);
}

void test_runtime_close(struct test_runtime *t)
{
    tc_runtime_destroy(t->cx, t->runtime);
    if (t->memory)
        t->memory->close(t->cx, t->memory);
    faulty_store_finish(&t->store);
    scripted_destroy(t->scripted);
    test_rmtree(t->dir);
}

void test_runtime_restart(struct test_runtime *t)
{
    tc_runtime_destroy(t->cx, t->runtime);
    start(t);
    test_runtime_settle(t);
}

void test_runtime_restart_with(struct test_runtime *t, const struct tc_tool *const *tools)
{
    t->tools = tools;
    test_runtime_restart(t);
}

void test_runtime_settle(struct test_runtime *t)
{
    for (int i = 0; i < 60; i++)
        tc_task_yield(t->cx);
}

const struct tc_json *test_runtime_json(struct test_runtime *t, const char *text)
{
    struct tc_str copy = tc_arena_dup(t->cx->arena, tc_str_of(text));
    const struct tc_json *root = NULL;

    for (size_t i = 0; i < copy.n; i++)
        if (copy.p[i] == '\'')
            ((char *)copy.p)[i] = '"';
    expect_ok(t->cx, tc_json_parse_root(t->cx, copy, NULL, &root));
    return root;
}

void test_runtime_server(struct test_runtime *t, const char *name, const char *const *tools)
{
    struct scripted_server *server = scripted_server(t->scripted, tc_str_of(name));
    struct scripted_answer echo = {.kind = SCRIPTED_ECHO};
    struct tc_server_spec spec = {.name = tc_str_of(name), .config = test_runtime_json(t, "{'command':'scripted'}")};
    struct tc_server_info info;

    for (; tools && *tools; tools++) {
        scripted_tool(server, tc_arena_printf(t->cx->arena, "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}",
                                              *tools));
        scripted_answer(server, tc_str_of(*tools), &echo);
    }
    expect_ok(t->cx, tc_servers_add(t->cx, t->runtime->servers, &spec, &info));
    test_runtime_settle(t);
}

void test_runtime_agent(struct test_runtime *t, const char *json)
{
    const struct tc_json *root = test_runtime_json(t, json);
    struct tc_agent *known;
    bool create = tc_agents_get(t->cx, t->runtime->agents, tc_json_str(tc_json_get_c(root, "id")), &known) != TC_OK;

    expect_ok(t->cx, tc_agents_save(t->cx, t->runtime->agents, tc_json_text(t->cx->arena, root), create, 0));
}

struct tc_str test_runtime_id(struct test_runtime *t, const char *server, const char *tool)
{
    return tc_arena_printf(t->cx->arena, "mcp/%.*s:%s",
                           TC_STR_ARG(tc_servers_uuid(t->runtime->servers, tc_str_of(server))), tool);
}
