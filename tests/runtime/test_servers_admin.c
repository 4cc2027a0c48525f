#include "support/runtime.h"

#include "io/loop.h"
#include "ports/store_servers.h"
#include "ports/store_tools.h"
#include "runtime/servers.h"

static const char *const tools[] = {"add", "sub", NULL};

static struct tc_server_info info(struct test_runtime *t, const char *name)
{
    struct tc_server_info ret = {.state = "none", .error = TC_STR("")};

    expect_ok(t->cx, tc_servers_get(t->cx, t->runtime->servers, tc_str_of(name), &ret));
    return ret;
}

static enum tc_err add(struct test_runtime *t, struct tc_server_spec spec, const char *config)
{
    struct tc_server_info ret;

    spec.config = test_runtime_json(t, config);
    return tc_servers_add(t->cx, t->runtime->servers, &spec, &ret);
}

static void advance(struct test_runtime *t, int64_t ms)
{
    test_runtime_settle(t); /* who was woken begins its wait now, not after it */
    tc_loop_advance(tc_task_loop(t->cx), ms);
    test_runtime_settle(t);
}

static struct scripted_server *script(struct test_runtime *t, const char *name)
{
    return scripted_server(t->scripted, tc_str_of(name));
}

/* The script lists these tools now. */
static void relist(struct test_runtime *t, const char *name, const char *const *list)
{
    struct scripted_answer echo = {.kind = SCRIPTED_ECHO};

    scripted_clear(script(t, name));
    for (; *list; list++) {
        scripted_tool(script(t, name), tc_arena_printf(t->cx->arena, "{\"name\":\"%s\",\"inputSchema\":{}}", *list));
        scripted_answer(script(t, name), tc_str_of(*list), &echo);
    }
}

void test_servers_admin__names(void **state)
{
    (void)state;
    assert_true(tc_servers_name_ok(TC_STR("a")));
    assert_true(tc_servers_name_ok(TC_STR("0-9-abcdefghijklmnopqrstuvwxyz01")));
    assert_false(tc_servers_name_ok(TC_STR("0-9-abcdefghijklmnopqrstuvwxyz012")));
    assert_false(tc_servers_name_ok(TC_STR("")));
    assert_false(tc_servers_name_ok(TC_STR("A")));
    assert_false(tc_servers_name_ok(TC_STR("a_b")));
}

static void importing(struct tc_cx *cx, void *arg)
{
    static const char *const pairs[][2] = {{"My Files", "my-files"}, {"GitHub", "github"}, {"читать", "------------"},
                                           {"", "server"}};
    struct test_runtime t;
    struct tc_str name;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            expect_ok(cx, tc_servers_import_name(cx, t.runtime->servers, tc_str_of(pairs[i][0]), NULL, &name));
            expect_text(name, pairs[i][1]);
        }
        expect_int(add(&t, (struct tc_server_spec){.name = TC_STR("my-files"), .label = TC_STR("My Files")}, "{}"),
                   TC_OK);
        expect_ok(cx, tc_servers_import_name(cx, t.runtime->servers, TC_STR("My Files"), NULL, &name));
        expect_text(name, "my-files"); /* the same key again is the same server */
        expect_ok(cx, tc_servers_import_name(cx, t.runtime->servers, TC_STR("my.files"), NULL, &name));
        expect_text(name, "my-files-2");
    }
    test_runtime_close(&t);
}

void test_servers_admin__imported_keys_become_names(void **state)
{
    (void)state;
    test_task_run_virtual(importing, NULL);
}

static void adding(struct tc_cx *cx, void *arg)
{
    struct tc_server_spec box = {.name = TC_STR("box")}, replaced = {.name = TC_STR("box"), .replace = true};
    struct tc_str uuid;
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        relist(&t, "box", tools);
        expect_int(add(&t, box, "{'command':'x'}"), TC_OK);
        uuid = info(&t, "box").row.uuid;
        expect_int(info(&t, "box").tools_n, 2);
        expect_int(add(&t, box, "{'command':'x'}"), TC_OK); /* changes nothing */
        expect_int(info(&t, "box").row.version, 1);
        expect_int(add(&t, box, "{'command':'y'}"), TC_E_MCP_SERVER_EXISTS);
        expect_int(add(&t, replaced, "{'command':'y'}"), TC_OK);
        expect(tc_str_eq(info(&t, "box").row.uuid, uuid));
        expect_text(info(&t, "box").row.config, "{\"command\":\"y\"}");
        scripted_list_fails(script(&t, "box"), TC_STR("broken"));
        expect_int(add(&t, replaced, "{'command':'z'}"), TC_E_MCP_START_FAILED); /* the former one stays */
        expect_text(info(&t, "box").row.config, "{\"command\":\"y\"}");
        expect_int(add(&t, (struct tc_server_spec){.name = TC_STR("new"), .permission = TC_STR("maybe")}, "{}"),
                   TC_E_MCP_SERVER_INVALID);
    }
    test_runtime_close(&t);
}

void test_servers_admin__one_name_is_one_server(void **state)
{
    (void)state;
    test_task_run_virtual(adding, NULL);
}

static void not_starting(struct tc_cx *cx, void *arg)
{
    struct tc_server_spec box = {.name = TC_STR("box")}, forced = {.name = TC_STR("box"), .force = true};
    struct tc_server_row *rows;
    struct test_runtime t;
    size_t n;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        scripted_list_fails(script(&t, "box"), TC_STR("status 1"));
        expect_int(add(&t, box, "{}"), TC_E_MCP_START_FAILED);
        expect_text(cx->err.message, "status 1");
        expect_ok(cx, t.memory->servers->all(cx, t.memory, &rows, &n));
        expect_int(n, 0);
        expect(!scripted_connected(script(&t, "box")));
        expect_int(add(&t, forced, "{}"), TC_OK);
        expect(strcmp(info(&t, "box").state, "paused") == 0);
    }
    test_runtime_close(&t);
}

void test_servers_admin__what_does_not_start_is_not_kept(void **state)
{
    (void)state;
    test_task_run_virtual(not_starting, NULL);
}

static void backing_off(struct tc_cx *cx, void *arg)
{
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", tools);
        scripted_list_fails(script(&t, "box"), TC_STR("gone"));
        scripted_end(script(&t, "box"), TC_STR("it ended"));
        advance(&t, 500);
        expect(strcmp(info(&t, "box").state, "down") == 0);
        expect_text(info(&t, "box").error, "gone");
        scripted_list_fails(script(&t, "box"), TC_STR(""));
        advance(&t, 900); /* the first try again comes after a second */
        expect(strcmp(info(&t, "box").state, "down") == 0);
        advance(&t, 200);
        expect(strcmp(info(&t, "box").state, "up") == 0);
        expect_text(info(&t, "box").error, "");
    }
    test_runtime_close(&t);
}

void test_servers_admin__one_that_is_down_is_tried_again(void **state)
{
    (void)state;
    test_task_run_virtual(backing_off, NULL);
}

static void cached(struct tc_cx *cx, void *arg)
{
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", tools);
        scripted_list_fails(script(&t, "box"), TC_STR("not yet"));
        test_runtime_restart(&t);
        expect_int(info(&t, "box").tools_n, 2); /* known from before, though it is down */
        expect(tc_catalog_find(tc_registry_get(t.runtime->registry).catalog, test_runtime_id(&t, "box", "add")) !=
               SIZE_MAX);
        expect(strcmp(info(&t, "box").state, "down") == 0);
    }
    test_runtime_close(&t);
}

void test_servers_admin__definitions_outlive_a_start(void **state)
{
    (void)state;
    test_task_run_virtual(cached, NULL);
}

static void approving(struct tc_cx *cx, void *arg)
{
    static const char *const more[] = {"add", "sub", "mul", NULL};
    struct tc_servers_approval approval = {.name = TC_STR("box"), .tool = TC_STR("add")};
    struct tc_server_info now;
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", tools);
        relist(&t, "box", more);
        scripted_clear(script(&t, "box"));
        scripted_tool(script(&t, "box"), TC_STR("{\"name\":\"add\",\"description\":\"other\"}"));
        expect_ok(cx, tc_servers_refresh(cx, t.runtime->servers, TC_STR("box")));
        now = info(&t, "box");
        expect_int(now.tools_n, 2);
        expect(!tc_str_eq(now.tools[0].definition, now.tools[0].approved));
        expect(now.tools[1].absent);
        approval.definition = TC_STR("0000"); /* what was looked at is not what is there */
        expect_int(tc_servers_approve(cx, t.runtime->servers, &approval), TC_E_STORE_CONFLICT);
        approval.definition = now.tools[0].definition;
        expect_ok(cx, tc_servers_approve(cx, t.runtime->servers, &approval));
        now = info(&t, "box");
        expect(tc_str_eq(now.tools[0].definition, now.tools[0].approved));
        approval.tool = TC_STR("nothing");
        expect_int(tc_servers_approve(cx, t.runtime->servers, &approval), TC_E_TOOL_NOT_FOUND);
    }
    test_runtime_close(&t);
}

void test_servers_admin__approves_what_was_looked_at(void **state)
{
    (void)state;
    test_task_run_virtual(approving, NULL);
}

/* Of a tool in the catalog, as the resolver is given it. */
static enum tc_permission permission(struct test_runtime *t, const char *server, const char *tool)
{
    struct tc_registry_view view = tc_registry_get(t->runtime->registry);
    size_t at = tc_catalog_find(view.catalog, test_runtime_id(t, server, tool));

    return at == SIZE_MAX ? TC_PERMISSION_OFF : view.states[at].permission;
}

static void filters(struct tc_cx *cx, void *arg)
{
    static const char *const list[] = {"read_a", "read_b", "write_a", NULL};
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        relist(&t, "box", list);
        expect_int(add(&t, (struct tc_server_spec){.name = TC_STR("box")}, "{'tools':{'include':['read_*']}}"), TC_OK);
        expect_int(info(&t, "box").tools_n, 3); /* known, so that it can be told why one is out */
        expect_int(permission(&t, "box", "read_b"), TC_PERMISSION_ALLOW);
        expect_int(permission(&t, "box", "write_a"), TC_PERMISSION_OFF);
        relist(&t, "bin", list);
        expect_int(add(&t, (struct tc_server_spec){.name = TC_STR("bin")}, "{'tools':{'exclude':['*_a']}}"), TC_OK);
        expect_int(permission(&t, "bin", "read_a"), TC_PERMISSION_OFF);
        expect_int(permission(&t, "bin", "read_b"), TC_PERMISSION_ALLOW);
        relist(&t, "top", list);
        expect_int(add(&t, (struct tc_server_spec){.name = TC_STR("top")}, "{'include':['write_*'],'exclude':['*']}"),
                   TC_OK);
        expect_int(permission(&t, "top", "write_a"), TC_PERMISSION_ALLOW);
        expect_int(permission(&t, "top", "read_a"), TC_PERMISSION_OFF);
    }
    test_runtime_close(&t);
}

void test_servers_admin__take_only_what_is_wanted(void **state)
{
    (void)state;
    test_task_run_virtual(filters, NULL);
}

static void bad_entries(struct tc_cx *cx, void *arg)
{
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        relist(&t, "box", tools);
        scripted_tool(script(&t, "box"), TC_STR("{\"name\":\"add\",\"description\":\"twice\"}"));
        scripted_tool(script(&t, "box"), TC_STR("{\"description\":\"no name\"}"));
        scripted_tool(script(&t, "box"), TC_STR("7"));
        scripted_tool(script(&t, "box"), TC_STR("{\"name\":\"odd\",\"inputSchema\":{\"type\":\"odd\"}}"));
        expect_int(add(&t, (struct tc_server_spec){.name = TC_STR("box")}, "{}"), TC_OK);
        expect_int(info(&t, "box").tools_n, 3); /* add, odd, sub: what is wrong with one is not the server's */
        expect(strcmp(info(&t, "box").state, "up") == 0);
    }
    test_runtime_close(&t);
}

void test_servers_admin__a_bad_entry_spoils_no_other(void **state)
{
    (void)state;
    test_task_run_virtual(bad_entries, NULL);
}

/* --- a call under way --- */

struct caller {
    struct test_runtime *t;
    struct tc_source_reply reply;
    enum tc_err code;
    bool done;
};

static void caller_task(struct tc_cx *cx, void *arg)
{
    struct caller *caller = arg;
    struct tc_source_call call = {.tool = TC_STR("add"), .arguments = test_runtime_json(caller->t, "{}")};

    caller->code = tc_servers_call(cx, caller->t->runtime->servers,
                                   tc_servers_uuid(caller->t->runtime->servers, TC_STR("box")), &call, &caller->reply);
    caller->done = true;
}

static void pause_task(struct tc_cx *cx, void *arg)
{
    struct caller *caller = arg;

    caller->code = tc_servers_pause(cx, caller->t->runtime->servers, TC_STR("box"), true);
    caller->done = true;
}

static void pausing(struct tc_cx *cx, void *arg)
{
    struct scripted_answer held = {.kind = SCRIPTED_ECHO, .hold = true};
    struct tc_task_group group;
    struct caller caller = {.t = NULL}, pauser = {.t = NULL}, late = {.t = NULL};
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        caller.t = pauser.t = late.t = &t;
        test_runtime_server(&t, "box", tools);
        scripted_clear(script(&t, "box"));
        scripted_answer(script(&t, "box"), TC_STR("add"), &held);
        tc_task_group_init(&group, tc_task_loop(cx));
        expect_ok(cx, tc_task_spawn(cx, tc_task_loop(cx), &group, "call", caller_task, &caller));
        test_runtime_settle(&t);
        expect_ok(cx, tc_task_spawn(cx, tc_task_loop(cx), &group, "pause", pause_task, &pauser));
        test_runtime_settle(&t);
        expect(!caller.done);
        caller_task(cx, &late); /* a new call does not leave any more */
        expect_int(late.code, TC_OK);
        expect_int(late.reply.outcome, TC_OUTCOME_NOT_SENT);
        expect(scripted_connected(script(&t, "box")));
        scripted_release(script(&t, "box")); /* the one under way ends before the connection */
        expect_int(tc_task_join(cx, &group), TC_OK);
        expect_int(caller.code, TC_OK);
        expect_int(caller.reply.outcome, TC_OUTCOME_RESULT);
        expect_int(pauser.code, TC_OK);
        expect(!scripted_connected(script(&t, "box")));
    }
    test_runtime_close(&t);
}

void test_servers_admin__a_pause_waits_for_calls_under_way(void **state)
{
    (void)state;
    test_task_run_virtual(pausing, NULL);
}

static enum tc_err set(struct tc_cx *cx, struct test_runtime *t, const char *settings, int64_t version)
{
    const struct tc_servers_edit edit = {.settings = test_runtime_json(t, settings), .version = version};

    return tc_servers_update(cx, t->runtime->servers, TC_STR("box"), &edit);
}

static void refused_settings(struct tc_cx *cx, void *arg)
{
    static const char *const bad[] = {"{'permission':'maybe'}", "{'newTools':1}", "{'onChange':'ignore'}",
                                      "{'timeoutMs':0}"};
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", tools);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            expect_int(set(cx, &t, bad[i], 0), TC_E_MCP_SERVER_INVALID);
        expect_int(info(&t, "box").row.version, 1);
        expect_int(set(cx, &t, "{}", 7), TC_E_STORE_CONFLICT);
        expect_ok(cx, set(cx, &t, "{'newTools':'off'}", 1));
        expect_int(info(&t, "box").rules.new_tools, TC_PERMISSION_OFF);
        expect_int(info(&t, "box").row.version, 2);
        test_runtime_restart(&t); /* nothing was stored that cannot be read */
        expect_int(info(&t, "box").rules.new_tools, TC_PERMISSION_OFF);
    }
    test_runtime_close(&t);
}

void test_servers_admin__settings_are_checked_before_they_are_stored(void **state)
{
    (void)state;
    test_task_run_virtual(refused_settings, NULL);
}
