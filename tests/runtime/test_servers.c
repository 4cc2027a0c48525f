#include "support/crib.h"

#include "base/mem.h"
#include "io/loop.h"

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

static struct tc_server_info info_of(struct tc_cx *cx, struct test_crib *crib, const char *name)
{
    struct tc_server_info info = {0};

    expect_int(tc_servers_get(cx, crib->runtime->servers, tc_str_of(name), &info), TC_OK);
    return info;
}

static bool in_catalog(struct tc_cx *cx, struct test_crib *crib, const char *server, const char *tool)
{
    struct tc_str uuid = tc_servers_uuid(crib->runtime->servers, tc_str_of(server));
    struct tc_str id = tc_arena_printf(cx->arena, "mcp/%.*s:%s", TC_STR_ARG(uuid), tool);

    return uuid.n && tc_catalog_find(tc_registry_get(crib->runtime->registry).catalog, id) != SIZE_MAX;
}

static enum tc_err update(struct tc_cx *cx, struct test_crib *crib, const char *config, const char *settings)
{
    const struct tc_servers_edit edit = {.config = config ? test_crib_json(cx, config) : NULL,
                                         .settings = settings ? test_crib_json(cx, settings) : NULL};

    return tc_servers_update(cx, crib->runtime->servers, TC_STR("s"), &edit);
}

/* --- what is stored --- */

static void bad_settings(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(update(cx, crib, NULL, "{\"timeoutMs\":1e300}"), TC_E_MCP_SERVER_INVALID);
    expect_int(update(cx, crib, NULL, "{\"permission\":\"maybe\"}"), TC_E_MCP_SERVER_INVALID);
    expect_int(info_of(cx, crib, "s").rules.permission, TC_PERMISSION_ALLOW);
    expect_int(info_of(cx, crib, "s").row.version, 1);
    expect_int(test_crib_restart(cx, crib, NULL), TC_OK);
    expect_text(info_of(cx, crib, "s").row.settings, "{\"permission\":\"allow\"}");
}

void test_servers__settings_that_do_not_decode_are_never_stored(void **state)
{
    (void)state;
    run(bad_settings);
}

static void settings_half(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(update(cx, crib, NULL, "{\"permission\":\"off\",\"onChange\":\"perhaps\"}"), TC_E_MCP_SERVER_INVALID);
    expect_int(info_of(cx, crib, "s").rules.permission, TC_PERMISSION_ALLOW);
    expect(info_of(cx, crib, "s").rules.quarantine_changes);
}

void test_servers__settings_take_effect_as_a_whole(void **state)
{
    (void)state;
    run(settings_half);
}

static void one_bad(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_definition_row row = {.name = TC_STR("broken"), .entry = TC_STR("{\"name\":"), .definition = TC_STR("d"),
                                    .approved = TC_STR("d"), .approved_entry = TC_STR(""), .permission = TC_STR("")};

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    row.server = info_of(cx, crib, "s").row.uuid;
    expect_int(crib->store->servers->put_definitions(cx, crib->store, &row, 1), TC_OK);
    expect_int(test_crib_restart(cx, crib, NULL), TC_OK);
    expect(in_catalog(cx, crib, "s", "one"));
}

void test_servers__a_stored_definition_that_is_broken_costs_that_tool_only(void **state)
{
    (void)state;
    run(one_bad);
}

/* --- servers of the configuration --- */

static void config_gone(struct tc_cx *cx, struct test_crib *crib)
{
    test_crib_settle(cx);
    expect(in_catalog(cx, crib, "file", "one"));
    expect_text(info_of(cx, crib, "file").row.source, "config");
    expect_int(test_crib_restart(cx, crib, "{\"other\":{\"command\":\"x\"}}"), TC_OK);
    expect_text(tc_servers_uuid(crib->runtime->servers, TC_STR("file")), "");
    expect(tc_servers_uuid(crib->runtime->servers, TC_STR("other")).n > 0);
}

void test_servers__what_is_no_longer_in_the_configuration_goes(void **state)
{
    (void)state;
    test_crib_run(config_gone, "{\"file\":{\"command\":\"x\"}}");
}

static void config_back(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str uuid = tc_arena_dup(cx->arena, tc_servers_uuid(crib->runtime->servers, TC_STR("file")));

    expect_int(test_crib_restart(cx, crib, NULL), TC_OK);
    expect_int(test_crib_restart(cx, crib, "{\"file\":{\"command\":\"x\"}}"), TC_OK);
    expect(tc_str_eq(tc_servers_uuid(crib->runtime->servers, TC_STR("file")), uuid));
}

void test_servers__what_comes_back_into_the_configuration_keeps_its_uuid(void **state)
{
    (void)state;
    test_crib_run(config_back, "{\"file\":{\"command\":\"x\"}}");
}

/* --- adding --- */

struct beside {
    struct test_crib *crib;
    enum tc_err err;
    bool is_error;
};

static void add_beside(struct tc_cx *cx, void *arg)
{
    struct beside *b = arg;
    struct tc_server_spec spec = {.name = TC_STR("s"), .replace = true};
    struct tc_server_info info;

    spec.config = test_crib_json(cx, "{\"command\":\"y\"}");
    b->err = tc_servers_add(cx, b->crib->runtime->servers, &spec, &info);
}

static void update_beside(struct tc_cx *cx, void *arg)
{
    struct beside *b = arg;

    b->err = update(cx, b->crib, "{\"command\":\"z\"}", NULL);
}

/* One replaces a server while another changes it. */
static void replaced_while_changed(struct tc_cx *cx, struct test_crib *crib)
{
    struct beside one = {crib, TC_OK, false}, two = {crib, TC_OK, false};
    struct tc_task_group group;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.hold = true;
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "one", update_beside, &one), TC_OK);
    tc_task_yield(cx);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "two", add_beside, &two), TC_OK);
    test_crib_settle(cx);
    test_crib_release(crib);
    tc_task_join(cx, &group);
    expect_int(one.err, TC_OK);
    expect_int(two.err, TC_OK);
    expect_text(info_of(cx, crib, "s").row.config, "{\"command\":\"y\"}");
    expect_int(info_of(cx, crib, "s").row.version, 3);
}

void test_servers__replacing_waits_for_a_change_under_way(void **state)
{
    (void)state;
    run(replaced_while_changed);
}

static void dies_while_added(struct tc_cx *cx, struct test_crib *crib)
{
    crib->up.ends = true;
    crib->up.fails = TC_E_MCP_START_FAILED;
    expect_int(test_crib_add(cx, crib, "s"), TC_E_MCP_START_FAILED);
    expect_text(cx->err.message, "The server does not start.");
    tc_task_sleep(cx, 400); /* a refresh that was queued would come now */
    expect_int(crib->up.lists, 1);
    expect_int(crib->up.open, 0);
}

void test_servers__one_that_dies_while_it_is_added_leaves_nothing_behind(void **state)
{
    (void)state;
    run(dies_while_added);
}

static void add_fails_to_replace(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct beside b = {crib, TC_OK, false};

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.fails = TC_E_MCP_START_FAILED;
    add_beside(cx, &b);
    expect_int(b.err, TC_E_MCP_START_FAILED);
    crib->up.fails = TC_OK;
    expect_text(info_of(cx, crib, "s").row.config, "{\"command\":\"x\"}");
    expect_text(tc_str_of(info_of(cx, crib, "s").state), "idle");
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect(!result.is_error);
}

void test_servers__a_replacement_that_does_not_start_leaves_the_former_one(void **state)
{
    (void)state;
    run(add_fails_to_replace);
}

static void permission_again(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_server_spec spec = {.name = TC_STR("s"), .permission = TC_STR("off")};
    struct tc_server_info info;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(tc_servers_remove(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    spec.config = test_crib_json(cx, "{\"command\":\"x\"}");
    expect_int(tc_servers_add(cx, crib->runtime->servers, &spec, &info), TC_OK);
    expect_int(info.rules.permission, TC_PERMISSION_OFF);
}

void test_servers__a_permission_that_is_named_counts_when_a_server_comes_back(void **state)
{
    (void)state;
    run(permission_again);
}

/* --- connections --- */

static void flaps(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.ends = true;
    crib->up.fails = TC_E_MCP_PROTOCOL;
    crib->up.events.ended(crib->up.events.arg, TC_STR("gone"));
    for (int i = 0; i < 30; i++) { /* ten minutes */
        tc_loop_advance(tc_task_loop(cx), 20 * 1000);
        test_crib_settle(cx);
    }
    expect(crib->up.lists > 5);
    expect(crib->up.lists < 20); /* back-off to a minute; a try that ends must not bring another task */
}

void test_servers__one_that_keeps_dying_is_tried_by_one_task(void **state)
{
    (void)state;
    test_crib_run_virtual(flaps, NULL);
}

static void changes_while_listed(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.hold = true;
    crib->up.events.list_changed(crib->up.events.arg, TC_SOURCE_TOOLS);
    tc_loop_advance(tc_task_loop(cx), 1000);
    test_crib_settle(cx); /* the list is asked for, and its answer is on its way */
    crib->up.tools = "[{\"name\":\"one\"},{\"name\":\"two\"}]";
    crib->up.events.list_changed(crib->up.events.arg, TC_SOURCE_TOOLS);
    tc_loop_advance(tc_task_loop(cx), 1000);
    test_crib_settle(cx);
    test_crib_release(crib);
    test_crib_settle(cx);
    tc_loop_advance(tc_task_loop(cx), 1000);
    test_crib_settle(cx);
    expect(in_catalog(cx, crib, "s", "two"));
}

void test_servers__a_change_told_while_the_list_is_read_is_not_lost(void **state)
{
    (void)state;
    test_crib_run_virtual(changes_while_listed, NULL);
}

static void call_beside(struct tc_cx *cx, void *arg)
{
    struct beside *b = arg;
    struct tc_call_result result;

    b->err = test_crib_call(cx, b->crib, "s__one", "{}", &result);
    b->is_error = result.is_error;
}

static void pause_beside(struct tc_cx *cx, void *arg)
{
    struct beside *b = arg;

    b->err = tc_servers_pause(cx, b->crib->runtime->servers, TC_STR("s"), true);
}

/* A change waits for a call, a pause for the change, another call for the pause. */
static void paused_while_waiting(struct tc_cx *cx, struct test_crib *crib)
{
    struct beside first = {crib, TC_OK, false}, change = {crib, TC_OK, false}, pause = {crib, TC_OK, false},
                  late = {crib, TC_OK, false};
    struct tc_loop *loop = tc_task_loop(cx);
    struct tc_task_group group;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.hold = true;
    tc_task_group_init(&group, loop);
    expect_int(tc_task_spawn(cx, loop, &group, "call", call_beside, &first), TC_OK);
    test_crib_settle(cx);
    expect_int(tc_task_spawn(cx, loop, &group, "update", update_beside, &change), TC_OK);
    test_crib_settle(cx);
    expect_int(tc_task_spawn(cx, loop, &group, "pause", pause_beside, &pause), TC_OK);
    expect_int(tc_task_spawn(cx, loop, &group, "late call", call_beside, &late), TC_OK);
    test_crib_settle(cx);
    test_crib_release(crib);
    tc_task_join(cx, &group);
    expect(!first.is_error);
    expect_int(change.err, TC_OK);
    expect_int(pause.err, TC_OK);
    expect(late.is_error);
    expect_int(crib->up.calls, 1);
    expect_int(crib->up.opens, 2);
    expect_int(crib->up.open, 0);
}

void test_servers__a_call_does_not_start_a_server_that_was_paused(void **state)
{
    (void)state;
    run(paused_while_waiting);
}

static void update_fails(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.fails = TC_E_MCP_START_FAILED;
    expect_int(update(cx, crib, "{\"command\":\"z\"}", NULL), TC_E_MCP_START_FAILED);
    expect_text(tc_str_of(info_of(cx, crib, "s").state), "down");
    crib->up.fails = TC_OK;
    tc_loop_advance(tc_task_loop(cx), 120 * 1000);
    test_crib_settle(cx);
    expect_text(tc_str_of(info_of(cx, crib, "s").state), "up");
}

void test_servers__a_changed_server_that_does_not_start_is_tried_again(void **state)
{
    (void)state;
    test_crib_run_virtual(update_fails, NULL);
}

static void removed_while_waiting(struct tc_cx *cx, struct test_crib *crib)
{
    struct beside change = {crib, TC_OK, false}, late = {crib, TC_OK, false};
    struct tc_task_group group;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.hold = true;
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "update", update_beside, &change), TC_OK);
    test_crib_settle(cx);
    crib->up.hold = false; /* the waiting one goes on at the event only */
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "late", pause_beside, &late), TC_OK);
    tc_event_set(&crib->up.go);
    expect_int(tc_servers_remove(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    tc_task_join(cx, &group);
    expect(late.err == TC_OK || late.err == TC_E_MCP_SERVER_NOT_FOUND);
    expect_text(tc_servers_uuid(crib->runtime->servers, TC_STR("s")), "");
    expect_int(crib->up.open, 0);
}

void test_servers__a_removed_server_stays_removed(void **state)
{
    (void)state;
    run(removed_while_waiting);
}

/* --- definitions --- */

static void definition_changes(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_servers_approval approval = {TC_STR("s"), TC_STR("one"), TC_STR("the hash of another one")};
    struct tc_call_result result;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    crib->up.tools = "[{\"name\":\"one\",\"description\":\"Another.\"},{\"name\":\"new\"}]";
    expect_int(tc_servers_refresh(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect_text(result.error_code, "tool.not_allowed");
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"mcp-s\"],\"approvals\":{\"channels\":[]}"), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__new", "{}", &result), TC_OK);
    expect_text(result.error_code, "approval.unavailable"); /* nobody is there to ask */
    expect_int(tc_servers_approve(cx, crib->runtime->servers, &approval), TC_E_STORE_CONFLICT);
    approval.definition = TC_STR("");
    expect_int(tc_servers_approve(cx, crib->runtime->servers, &approval), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect(!result.is_error);
    expect_int(crib->up.calls, 2);
}

void test_servers__a_changed_definition_waits_for_approval(void **state)
{
    (void)state;
    run(definition_changes);
}

static void forgets_absent(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.tools = "[]";
    expect_int(tc_servers_refresh(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    expect(!in_catalog(cx, crib, "s", "one"));
    expect_int(info_of(cx, crib, "s").tools_n, 1);
    expect(info_of(cx, crib, "s").tools[0].absent);
    crib->up.tools = "[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}}]";
    expect_int(tc_servers_refresh(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    expect(in_catalog(cx, crib, "s", "one"));
    expect(!info_of(cx, crib, "s").tools[0].absent);
}

void test_servers__an_absent_tool_comes_back_as_it_was(void **state)
{
    (void)state;
    run(forgets_absent);
}
