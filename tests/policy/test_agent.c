#include "support/tools.h"

#include "base/mem.h"

static void assert_stored(struct test_cx *test, const char *json, const char *expected)
{
    struct tc_agent *agent = test_agent(test, json);
    struct tc_str text = tc_json_text(&test->arena, tc_json_doc_root(agent->doc)), want = test_quotes(test, expected);

    assert_str(text, want.p);
}

/* The code, the field at fault and a part of the hint. */
static void assert_refused(struct test_cx *test, const char *json, const char *field, const char *hint)
{
    struct tc_agent *agent = NULL;
    enum tc_err err = tc_agent_decode(&test->cx, test_quotes(test, json), &agent);

    if (err != TC_E_AGENT_INVALID)
        fail_msg("%s: got %s", json, tc_err_info(err)->name);
    assert_null(agent);
    assert_str(test->cx.err.field, field);
    if (tc_str_find(test->cx.err.hint, tc_str_of(hint)) == SIZE_MAX)
        fail_msg("hint of %s is: %.*s", json, TC_STR_ARG(test->cx.err.hint));
}

void test_agent__has_defaults(void **state)
{
    struct test_cx test;
    struct tc_agent *a;
    (void)state;

    test_cx_init(&test);
    a = test_agent(&test, "{'id':'helper'}");
    assert_str(a->id, "helper");
    assert_str(a->name, "helper");
    assert_str(a->prompt, "");
    assert_int_equal(a->stage, TC_SCENE_PLAIN);
    assert_int_equal(a->toolsets_n, 3);
    assert_str(a->toolsets[0], "base");
    assert_str(a->toolsets[1], "planning");
    assert_str(a->toolsets[2], "interaction");
    assert_false(a->has_allow);
    assert_int_equal(a->disabled_n + a->allow_n + a->permissions_n, 0);
    assert_null(a->descriptions);
    assert_int_equal(a->naming_run, TC_STYLE_MCP);
    assert_int_equal(a->naming_client, TC_STYLE_SERVER);
    assert_int_equal(a->discovery, TC_DISCOVERY_AUTO);
    assert_true(a->repair);
    assert_int_equal(a->inline_chars, 50000);
    assert_int_equal(a->max_chars, 120000);
    assert_int_equal(a->turn_chars, 0);
    assert_int_equal(a->max_steps, 0);
    assert_int_equal(a->same_call, 0);
    assert_false(a->has_visible || a->has_writable || a->memory);
    assert_true(a->has_skills);
    assert_int_equal(a->quota_bytes, 1073741824);
    assert_int_equal(a->quota_files, 100000);
    assert_int_equal(a->client_model.capability, TC_CAPABILITY_MULTIMODAL);
    assert_true(a->client_model.image_input);
    assert_int_equal(a->client_model.context_window, 200000);
    assert_int_equal(a->client_model.max_tools, 0);
    assert_int_equal(a->approval_channels, TC_AGENT_CHANNEL_OPERATOR | TC_AGENT_CHANNEL_CALLER);
    assert_int_equal(a->approval_timeout, 300);
    tc_agent_unref(NULL);
    test_cx_finish(&test);
}

void test_agent__reads_every_field(void **state)
{
    struct test_cx test;
    struct tc_agent *a;
    (void)state;

    test_cx_init(&test);
    a = test_agent(&test,
        "{'id':'a','name':'N','description':'D','prompt':'P','model':{'channel':'c','model':'m'},"
        "'clientModel':{'name':'x','capability':'vision','imageInput':false,'contextWindow':1000,'maxTools':40},"
        "'stage':'chat_background','toolsets':['all'],'tools':{'disabled':['host:a'],'allow':['host:b','host:c'],"
        "'descriptions':{'host:b':{'description':'d','properties':{'p':'q'}}},"
        "'permissions':{'host:*':'ask','host:c':'off','*':'allow'}},'naming':{'run':'dmr','client':'bare'},"
        "'discovery':'off','arguments':{'repair':'off'},'results':{'inlineChars':-1,'maxChars':7,'turnChars':200000},"
        "'guards':{'maxSteps':50,'sameCall':null},'workspace':{'path':'/srv/w','visible':['a','b/c'],'writable':[],"
        "'quotaBytes':5,'quotaFiles':6},'skills':{'visible':['s'],'denied':['t']},'memory':true,"
        "'delegation':{'canDelegate':true,'allowedCallers':['*']},'approvals':{'channels':['elicitation'],"
        "'timeout':9}}");
    assert_str(a->name, "N");
    assert_str(a->description, "D");
    assert_str(a->prompt, "P");
    assert_str(a->model_channel, "c");
    assert_str(a->model_name, "m");
    assert_str(a->client_model.name, "x");
    assert_int_equal(a->client_model.capability, TC_CAPABILITY_VISION);
    assert_false(a->client_model.image_input);
    assert_int_equal(a->client_model.context_window, 1000);
    assert_int_equal(a->client_model.max_tools, 40);
    assert_int_equal(a->stage, TC_SCENE_CHAT_BACKGROUND);
    assert_int_equal(a->toolsets_n, 1);
    assert_str(a->disabled[0], "host:a");
    assert_true(a->has_allow);
    assert_int_equal(a->allow_n, 2);
    assert_str(a->allow[1], "host:c");
    assert_str(tc_json_str(tc_json_pointer(a->descriptions, TC_STR("/host:b/properties/p"))), "q");
    assert_int_equal(a->permissions_n, 3);
    assert_str(a->permissions[0].pattern, "host:*");
    assert_int_equal(a->permissions[0].permission, TC_PERMISSION_ASK);
    assert_int_equal(a->permissions[1].permission, TC_PERMISSION_OFF);
    assert_int_equal(a->permissions[2].permission, TC_PERMISSION_ALLOW);
    assert_int_equal(a->naming_run, TC_STYLE_DMR);
    assert_int_equal(a->naming_client, TC_STYLE_BARE);
    assert_int_equal(a->discovery, TC_DISCOVERY_OFF);
    assert_false(a->repair);
    assert_int_equal(a->inline_chars, -1);
    assert_int_equal(a->max_chars, 7);
    assert_int_equal(a->turn_chars, 200000);
    assert_int_equal(a->max_steps, 50);
    assert_int_equal(a->same_call, 0);
    assert_str(a->workspace_path, "/srv/w");
    assert_int_equal(a->visible_n, 2);
    assert_str(a->visible[1], "b/c");
    assert_true(a->has_writable);
    assert_int_equal(a->writable_n, 0);
    assert_int_equal(a->quota_bytes, 5);
    assert_int_equal(a->quota_files, 6);
    assert_str(a->skills_visible[0], "s");
    assert_str(a->skills_denied[0], "t");
    assert_true(a->memory && a->has_skills);
    assert_true(tc_json_bool(tc_json_get_c(a->delegation, "canDelegate"), false));
    assert_int_equal(a->approval_channels, TC_AGENT_CHANNEL_ELICITATION);
    assert_int_equal(a->approval_timeout, 9);
    test_cx_finish(&test);
}

void test_agent__is_stored_normalised(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_stored(&test, "{'id':'a'}",
                  "{'schemaVersion':1,'id':'a','toolsets':['base','planning','interaction']}");
    assert_stored(&test, "{'toolsets':[],'memory':false,'schemaVersion':1.0,'id':'a','guards':{'sameCall':2}}",
                  "{'schemaVersion':1,'id':'a','toolsets':[],'guards':{'sameCall':2},'memory':false}");
    assert_stored(&test, "{'id':'a','toolsets':['x'],'tools':{'permissions':{'b*':'off','a':'ask'},'disabled':[]}}",
                  "{'schemaVersion':1,'id':'a','toolsets':['x'],'tools':{'disabled':[],"
                  "'permissions':{'b*':'off','a':'ask'}}}");
    test_cx_finish(&test);
}

void test_agent__drops_retired_counters(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_stored(&test, "{'id':'a','maxRounds':8,'toolsets':[],'tools':{'maxCallsPerTool':{'x':1},'allow':[]},"
                         "'guards':{'maxCallsPerRun':'many'}}",
                  "{'schemaVersion':1,'id':'a','toolsets':[],'tools':{'allow':[]},'guards':{}}");
    test_cx_finish(&test);
}

void test_agent__names_the_nearest_right_key(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_refused(&test, "{'id':'a','toolset':[]}", "/toolset", "\"toolsets\"");
    assert_refused(&test, "{'id':'a','client_model':{}}", "/client_model", "\"clientModel\"");
    assert_refused(&test, "{'id':'a','tools':{'disable':[]}}", "/tools/disable", "\"disabled\"");
    assert_refused(&test, "{'id':'a','tools':{'enabled':[]}}", "/tools/enabled", "\"disabled\"");
    assert_refused(&test, "{'id':'a','delegation':{'canHandOff':true}}", "/delegation/canHandOff", "\"canHandoff\"");
    assert_refused(&test, "{'id':'a','tools':{'descriptions':{'host:a/b~':{'desc':'x'}}}}",
                   "/tools/descriptions/host:a~1b~0/desc", "\"description\"");
    test_cx_finish(&test);
}

void test_agent__names_the_field_at_fault(void **state)
{
    static const struct {
        const char *json, *field;
    } cases[] = {
        {"[]", ""},
        {"{}", "/id"},
        {"{'id':'A'}", "/id"},
        {"{'id':'a','schemaVersion':2}", "/schemaVersion"},
        {"{'id':'a','stage':'chat'}", "/stage"},
        {"{'id':'a','toolsets':'all'}", "/toolsets"},
        {"{'id':'a','toolsets':['x',7]}", "/toolsets/1"},
        {"{'id':'a','toolsets':['x','y','x']}", "/toolsets/2"},
        {"{'id':'a','tools':{'disabled':['dice_roll']}}", "/tools/disabled/0"},
        {"{'id':'a','tools':{'allow':['builtin:task.return']}}", "/tools/allow/0"},
        {"{'id':'a','tools':{'permissions':{'x':'maybe'}}}", "/tools/permissions/x"},
        {"{'id':'a','guards':{'maxSteps':0}}", "/guards/maxSteps"},
        {"{'id':'a','results':{'maxChars':1.5}}", "/results/maxChars"},
        {"{'id':'a','memory':'yes'}", "/memory"},
        {"{'id':'a','workspace':{'visible':['a/../b']}}", "/workspace/visible/0"},
        {"{'id':'a','workspace':{'path':'here'}}", "/workspace/path"},
        {"{'id':'a','approvals':{'channels':['mail']}}", "/approvals/channels/0"},
        {"{'id':'a','model':null}", "/model"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(&test, cases[i].json, cases[i].field, "");
    test_cx_finish(&test);
}

void test_agent__bounds_its_lists(void **state)
{
    struct test_cx test;
    struct tc_agent *agent = NULL;
    struct tc_buf text;
    (void)state;

    test_cx_init(&test);
    for (int n = 1000; n <= 1001; n++) {
        tc_buf_init(&text, 1000000);
        tc_buf_cstr(&text, "{\"id\":\"a\",\"toolsets\":[");
        for (int i = 0; i < n; i++)
            tc_buf_printf(&text, "%s\"t%d\"", i ? "," : "", i);
        tc_buf_cstr(&text, "]}");
        assert_int_equal(tc_agent_decode(&test.cx, tc_buf_get(&text), &agent),
                         n == 1000 ? TC_OK : TC_E_AGENT_INVALID);
        tc_buf_finish(&text);
    }
    assert_int_equal(agent->toolsets_n, 1000);
    tc_agent_unref(agent);
    assert_int_equal(tc_agent_decode(&test.cx, TC_STR("{"), &agent), TC_E_JSON_SYNTAX);
    test_cx_finish(&test);
}

void test_agent__sees_no_skill_when_its_lists_say_so(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_false(test_agent(&test, "{'id':'a','skills':{'visible':[]}}")->has_skills);
    assert_false(test_agent(&test, "{'id':'a','skills':{'denied':['x','*']}}")->has_skills);
    assert_true(test_agent(&test, "{'id':'a','skills':{'denied':['x']}}")->has_skills);
    test_cx_finish(&test);
}

void test_agent__names_its_values(void **state)
{
    enum tc_permission permission;
    unsigned stage;
    (void)state;

    assert_string_equal(tc_stage_name(TC_SCENE_CHILD), "child");
    assert_string_equal(tc_stage_name(TC_SCENE_SESSION | TC_SCENE_RUN), "session");
    assert_true(tc_stage_of(TC_STR("chat_foreground"), &stage));
    assert_int_equal(stage, TC_SCENE_CHAT_FOREGROUND);
    assert_false(tc_stage_of(TC_STR(""), &stage));
    assert_string_equal(tc_permission_name(TC_PERMISSION_ASK), "ask");
    assert_true(tc_permission_of(TC_STR("off"), &permission));
    assert_int_equal(permission, TC_PERMISSION_OFF);
    assert_false(tc_permission_of(TC_STR("no"), &permission));
}

void test_agent__survives_every_lack_of_memory(void **state)
{
    struct tc_str json = TC_STR("{\"id\":\"a\",\"tools\":{\"allow\":[\"host:a\"],\"permissions\":{\"*\":\"ask\"}},"
                                "\"skills\":{\"visible\":[\"x\"]},\"workspace\":{\"visible\":[\"y\"]}}");
    struct test_cx test;
    struct tc_agent *agent;
    enum tc_err err;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (int sticky = 0; sticky < 2; sticky++) {
        size_t nth = 0;
        do {
            test_cx_init(&test);
            tc_mem_fail_at(++nth, sticky);
            err = tc_agent_decode(&test.cx, json, &agent);
            tc_mem_fail_at(0, false);
            assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
            if (!err)
                tc_agent_unref(agent);
            test_cx_finish(&test);
        } while (err);
        assert_true(nth > 4);
    }
}
