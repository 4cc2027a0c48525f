#include "support/tools.h"

#include "base/mem.h"
#include "policy/resolver.h"

static const struct tc_tool read = {.name = "workspace.read_file", .toolset = "base", .flags = TC_TOOL_CORE};
static const struct tc_tool write_file = {.name = "workspace.write_file", .toolset = "base",
                                          .flags = TC_TOOL_PROMPT_HINT, .prompt_hint = "Write little."};
static const struct tc_tool clarify = {.name = "clarify", .toolset = "interaction", .scenes = TC_SCENE_ANSWERS};
static const struct tc_tool commit = {.name = "workspace.commit", .toolset = "interaction", .scenes = TC_SCENE_CHAT};
static const struct tc_tool task_return = {.name = "task.return", .toolset = TC_TOOLSET_RUNTIME,
                                           .scenes = TC_SCENE_CHILD, .flags = TC_TOOL_CANNOT_DISABLE,
                                           .visibility = TC_VISIBILITY_INTERNAL};
static const struct tc_tool ocr = {.name = "vision.ocr", .toolset = "vision", .capability = TC_CAPABILITY_VISION,
                                   .flags = TC_TOOL_RETURNS_IMAGES};
static const struct tc_tool search = {.name = "memory.search", .toolset = "memory", .scenes = TC_SCENE_MEMORY,
                                      .flags = TC_TOOL_ALWAYS_LOAD};

enum { TOOLS_MAX = 16 };

struct world {
    struct test_cx test;
    struct tc_descriptor *tools[TOOLS_MAX];
    struct tc_tool_state states[TOOLS_MAX];
    struct tc_names ledger;
    struct tc_resolve_input in;
    struct tc_resolution *out;
    size_t n;
};

static void begin(struct world *w)
{
    const struct tc_tool *builtins[] = {&read, &write_file, &clarify, &commit, &task_return, &ocr, &search};

    *w = (struct world){0};
    test_cx_init(&w->test);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        w->tools[w->n++] = test_builtin(&w->test, builtins[i]);
    w->tools[w->n++] = test_named_tool(&w->test, test_uuid(&w->test, 1), "git", "log");
    w->tools[w->n++] = test_named_tool(&w->test, test_uuid(&w->test, 2), "svn", "log");
    w->in.catalog = test_catalog(&w->test, w->tools, w->n);
    w->in.states = w->states;
    for (size_t i = 0; i < w->n; i++)
        w->states[i].enabled = true;
    w->in.names = &w->ledger;
    w->in.name_max = TC_NAMES_MAX_RUN;
    w->in.scene.flags = TC_SCENE_PLAIN;
    w->in.model = (struct tc_model){.name = TC_STR("gpt"), .capability = TC_CAPABILITY_MULTIMODAL,
                                    .image_input = true};
}

static void end(struct world *w)
{
    tc_names_finish(&w->ledger);
    test_cx_finish(&w->test);
}

static void resolve(struct world *w, const char *agent)
{
    w->in.agent = test_agent(&w->test, agent);
    assert_int_equal(tc_resolve(&w->test.cx, &w->in, &w->out), TC_OK);
    assert_int_equal(w->out->tools_n + w->out->out_n, w->n);
}

static struct tc_tool_state *state_of(struct world *w, const char *id)
{
    size_t at = tc_catalog_find(w->in.catalog, tc_str_of(id));

    assert_true(at != SIZE_MAX);
    return &w->states[at];
}

static unsigned reasons(struct world *w, const char *id)
{
    return tc_resolution_reasons(w->out, tc_catalog_find(w->in.catalog, tc_str_of(id)));
}

static const struct tc_resolved *effective(struct world *w, const char *id)
{
    size_t at = tc_resolution_find_id(w->out, tc_str_of(id));

    if (at == SIZE_MAX)
        fail_msg("%s is left out: %#x", id, reasons(w, id));
    assert_int_equal(reasons(w, id), 0);
    return &w->out->tools[at];
}

static void assert_detail(struct world *w, const char *id, enum tc_reason reason, const char *expected)
{
    size_t at = tc_catalog_find(w->in.catalog, tc_str_of(id));

    assert_true(reasons(w, id) & 1u << reason);
    assert_str(tc_resolution_detail(&w->test.cx, w->out, at, reason), expected);
}

#define BIT(reason) (1u << TC_REASON_##reason)
#define GIT "mcp/00000000-0000-4000-8000-000000000001:log"
#define SVN "mcp/00000000-0000-4000-8000-000000000002:log"

void test_resolver__offers_what_the_toolsets_have(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    resolve(&w, "{'id':'a'}");
    assert_int_equal(w.out->tools_n, 2);
    assert_str(effective(&w, "builtin:workspace.read_file")->name, "workspace_read_file");
    assert_str(effective(&w, "builtin:workspace.write_file")->name, "workspace_write_file");
    assert_int_equal(reasons(&w, "builtin:clarify"), BIT(SCENE_FILTERED));
    assert_int_equal(reasons(&w, GIT), BIT(TOOLSET_NOT_ENABLED));
    assert_int_equal(reasons(&w, "builtin:memory.search"), BIT(TOOLSET_NOT_ENABLED) | BIT(SCENE_FILTERED));
    assert_int_equal(w.out->diagnostics_n, 0);
    end(&w);
}

void test_resolver__reports_all_reasons_in_order(void **state)
{
    static const char *const names[] = {
        "globally_disabled", "agent_toolset_not_enabled", "agent_tool_disabled", "permission_off",
        "capability_mismatch", "needs_image_input", "scene_filtered", "unavailable", "server_paused", "server_down",
        "quarantined", "over_provider_limit",
    };
    struct world w;
    (void)state;

    for (unsigned i = 0; i < TC_REASON_COUNT; i++)
        assert_string_equal(tc_reason_name((enum tc_reason)i), names[i]);
    begin(&w);
    w.in.model = (struct tc_model){.name = TC_STR("small"), .capability = TC_CAPABILITY_TEXT};
    *state_of(&w, "builtin:vision.ocr") = (struct tc_tool_state){
        .quarantined = true, .unavailable = true, .server = TC_SERVER_DOWN, .detail = TC_STR("tesseract is missing.")};
    resolve(&w, "{'id':'a','tools':{'disabled':['builtin:vision.ocr'],'permissions':{'builtin:vision.*':'off'}}}");
    assert_int_equal(reasons(&w, "builtin:vision.ocr"),
                     BIT(GLOBALLY_DISABLED) | BIT(TOOLSET_NOT_ENABLED) | BIT(TOOL_DISABLED) | BIT(PERMISSION_OFF) |
                         BIT(CAPABILITY_MISMATCH) | BIT(NEEDS_IMAGE_INPUT) | BIT(UNAVAILABLE) | BIT(SERVER_DOWN) |
                         BIT(QUARANTINED));
    assert_int_equal(tc_reason_first((uint16_t)reasons(&w, "builtin:vision.ocr")), TC_REASON_GLOBALLY_DISABLED);
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_GLOBALLY_DISABLED,
                  "The operator switched it off for every agent.");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_TOOLSET_NOT_ENABLED,
                  "The agent a does not have its toolset \"vision\".");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_TOOL_DISABLED, "The agent a disables it.");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_PERMISSION_OFF,
                  "The agent a has the permission off for \"builtin:vision.*\".");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_CAPABILITY_MISMATCH,
                  "It is for vision models; the model small is text.");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_NEEDS_IMAGE_INPUT,
                  "It returns images, and the model small takes none.");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_UNAVAILABLE, "tesseract is missing.");
    assert_detail(&w, "builtin:vision.ocr", TC_REASON_QUARANTINED, "Its definition has not been approved.");
    end(&w);
}

void test_resolver__follows_the_capability_matrix(void **state)
{
    static const bool fits[3][3] = {{true, true, true}, {false, true, true}, {false, false, true}};
    (void)state;

    for (unsigned tool = 0; tool < 3; tool++)
        for (unsigned model = 0; model < 3; model++)
            assert_int_equal(tc_capability_fits((enum tc_capability)tool, (enum tc_capability)model),
                             fits[tool][model]);
}

void test_resolver__keeps_tools_to_their_scene(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    w.in.scene.flags = TC_SCENE_CHAT_BACKGROUND | TC_SCENE_ANSWERS | TC_SCENE_MEMORY;
    resolve(&w, "{'id':'a','toolsets':['all']}");
    effective(&w, "builtin:workspace.commit");
    effective(&w, "builtin:clarify");
    effective(&w, "builtin:memory.search");
    assert_detail(&w, "builtin:task.return", TC_REASON_SCENE_FILTERED,
                  "It is for the stage child; this one is chat_background.");
    w.in.scene.flags = TC_SCENE_CHILD | TC_SCENE_RUN;
    resolve(&w, "{'id':'a'}");
    effective(&w, "builtin:task.return");
    assert_detail(&w, "builtin:workspace.commit", TC_REASON_SCENE_FILTERED,
                  "It is for the stage chat_foreground, chat_background; this one is child.");
    assert_detail(&w, "builtin:clarify", TC_REASON_SCENE_FILTERED, "It needs a caller that can answer questions.");
    /* internal: not for a single call of a client */
    w.in.scene.flags = TC_SCENE_CHILD;
    resolve(&w, "{'id':'a'}");
    assert_detail(&w, "builtin:task.return", TC_REASON_SCENE_FILTERED, "It is offered inside runs only.");
    end(&w);
}

void test_resolver__runtime_tools_are_outside_the_agents_lists(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    w.in.scene.flags = TC_SCENE_CHILD | TC_SCENE_RUN;
    w.in.model.max_tools = 1;
    resolve(&w, "{'id':'a','toolsets':['base'],'tools':{'allow':['builtin:workspace.read_file'],"
                "'permissions':{'*':'off'}}}");
    effective(&w, "builtin:task.return");
    assert_int_equal(reasons(&w, "builtin:workspace.read_file"), BIT(PERMISSION_OFF));
    state_of(&w, "builtin:task.return")->unavailable = true;
    resolve(&w, "{'id':'a'}");
    assert_int_equal(reasons(&w, "builtin:task.return"), BIT(UNAVAILABLE));
    end(&w);
}

void test_resolver__allow_narrows_and_never_widens(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    resolve(&w, "{'id':'a','tools':{'allow':['builtin:workspace.read_file','" GIT "','host:gone']}}");
    effective(&w, "builtin:workspace.read_file");
    assert_int_equal(reasons(&w, "builtin:workspace.write_file"), BIT(TOOL_DISABLED));
    assert_detail(&w, "builtin:workspace.write_file", TC_REASON_TOOL_DISABLED,
                  "The agent a has a list of allowed tools, and it is not in it.");
    assert_int_equal(reasons(&w, GIT), BIT(TOOLSET_NOT_ENABLED));
    assert_int_equal(reasons(&w, SVN), BIT(TOOLSET_NOT_ENABLED) | BIT(TOOL_DISABLED));
    assert_int_equal(w.out->diagnostics_n, 1);
    assert_str(w.out->diagnostics[0].code, "tool.absent");
    assert_str(w.out->diagnostics[0].tool_id, "host:gone");
    assert_str(w.out->diagnostics[0].message, "The agent selects the tool host:gone, which is not here now.");
    resolve(&w, "{'id':'a','toolsets':['base','mcp-gone'],'tools':{'allow':[]}}");
    assert_int_equal(w.out->tools_n, 0);
    assert_int_equal(w.out->diagnostics_n, 1);
    assert_str(w.out->diagnostics[0].code, "toolset.absent");
    end(&w);
}

void test_resolver__takes_the_stricter_permission(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    state_of(&w, SVN)->permission = TC_PERMISSION_ASK;
    resolve(&w, "{'id':'a','toolsets':['all'],'tools':{'permissions':{'*':'allow','mcp/*000001:l?g':'ask',"
                "'builtin:workspace.*':'ask','builtin:workspace.write_file':'off'}}}");
    assert_int_equal(effective(&w, GIT)->permission, TC_PERMISSION_ASK);
    assert_int_equal(effective(&w, SVN)->permission, TC_PERMISSION_ASK);
    assert_int_equal(effective(&w, "builtin:vision.ocr")->permission, TC_PERMISSION_ALLOW);
    assert_int_equal(effective(&w, "builtin:workspace.read_file")->permission, TC_PERMISSION_ASK);
    assert_int_equal(reasons(&w, "builtin:workspace.write_file"), BIT(PERMISSION_OFF));
    state_of(&w, GIT)->permission = TC_PERMISSION_OFF;
    resolve(&w, "{'id':'a','toolsets':['all'],'tools':{'permissions':{'mcp/*':'allow'}}}");
    assert_detail(&w, GIT, TC_REASON_PERMISSION_OFF, "Its own permission, or that of its server, is off.");
    state_of(&w, GIT)->excluded = true;
    resolve(&w, "{'id':'a','toolsets':['all'],'tools':{'permissions':{'mcp/*':'off'}}}");
    assert_detail(&w, GIT, TC_REASON_PERMISSION_OFF, "The include and exclude lists of its server git leave it out.");
    end(&w);
}

void test_resolver__says_what_is_wrong_with_a_server(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    state_of(&w, GIT)->server = TC_SERVER_PAUSED;
    state_of(&w, SVN)->server = TC_SERVER_DOWN;
    resolve(&w, "{'id':'a','toolsets':['all']}");
    assert_detail(&w, GIT, TC_REASON_SERVER_PAUSED, "Its server git is paused.");
    assert_detail(&w, SVN, TC_REASON_SERVER_DOWN, "Its server svn cannot be started or reached.");
    state_of(&w, SVN)->detail = TC_STR("The program svn-mcp was not found.");
    assert_detail(&w, SVN, TC_REASON_SERVER_DOWN, "The program svn-mcp was not found.");
    end(&w);
}

void test_resolver__quarantines_a_faulty_schema_whatever_the_state(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    w.tools[w.n] = test_mcp_tool(&w.test, test_uuid(&w.test, 3), "bad", TC_STR("{\"name\":\"x\",\"inputSchema\":1}"));
    w.states[w.n++].enabled = true;
    w.in.catalog = test_catalog(&w.test, w.tools, w.n);
    resolve(&w, "{'id':'a','toolsets':['all']}");
    assert_detail(&w, "mcp/00000000-0000-4000-8000-000000000003:x", TC_REASON_QUARANTINED,
                  "/inputSchema must be an object, and is of type number.");
    end(&w);
}

void test_resolver__keeps_the_first_within_a_limit(void **state)
{
    static const char *const order[] = {"builtin:memory.search", "builtin:workspace.read_file", SVN, GIT,
                                        "builtin:workspace.write_file"};
    struct world w;
    (void)state;

    begin(&w);
    w.in.scene.flags = TC_SCENE_PLAIN | TC_SCENE_MEMORY;
    for (size_t limit = 1; limit <= 5; limit++) {
        w.in.model.max_tools = (int64_t)limit;
        resolve(&w, "{'id':'a','toolsets':['mcp-svn','mcp-git','base','memory']}");
        assert_int_equal(w.out->tools_n, limit);
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(reasons(&w, order[i]), i < limit ? 0 : BIT(OVER_PROVIDER_LIMIT));
    }
    w.in.model.max_tools = 1;
    resolve(&w, "{'id':'a','toolsets':['mcp-svn','mcp-git','base','memory']}");
    assert_detail(&w, GIT, TC_REASON_OVER_PROVIDER_LIMIT,
                  "The model gpt takes no more than 1 tools, and others come first.");
    assert_int_equal(w.out->new_names_n, 1);
    end(&w);
}

void test_resolver__hints_come_from_the_operator_else_the_code(void **state)
{
    const struct tc_resolved *tool;
    struct world w;
    (void)state;

    begin(&w);
    state_of(&w, "builtin:workspace.read_file")->prompt_hint = TC_STR("Not supported, not shown.");
    resolve(&w, "{'id':'a'}");
    tool = effective(&w, "builtin:workspace.write_file");
    assert_str(tool->hint, "Write little.");
    assert_false(tool->hint_operator);
    assert_str(effective(&w, "builtin:workspace.read_file")->hint, "");
    state_of(&w, "builtin:workspace.write_file")->prompt_hint = TC_STR("Ask first.");
    resolve(&w, "{'id':'a'}");
    tool = effective(&w, "builtin:workspace.write_file");
    assert_str(tool->hint, "Ask first.");
    assert_true(tool->hint_operator);
    end(&w);
}

void test_resolver__lists_built_in_names_by_id(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    resolve(&w, "{'id':'a','toolsets':['mcp-git','base','vision']}");
    assert_int_equal(w.out->builtin_names_n, 3);
    assert_str(w.out->builtin_names[0], "vision_ocr");
    assert_str(w.out->builtin_names[1], "workspace_read_file");
    assert_str(w.out->builtin_names[2], "workspace_write_file");
    end(&w);
}

static void commit_names(struct world *w)
{
    for (size_t i = 0; i < w->out->new_names_n; i++)
        assert_int_equal(tc_names_add(&w->test.cx, &w->ledger, w->out->new_names[i].id, w->out->new_names[i].name),
                         TC_OK);
}

void test_resolver__names_never_move(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    w.in.style = TC_STYLE_BARE;
    resolve(&w, "{'id':'a','toolsets':['mcp-svn']}");
    assert_str(effective(&w, SVN)->name, "log");
    assert_int_equal(w.out->new_names_n, 1);
    commit_names(&w);
    /* the other server comes, though earlier by id it gets the longer name */
    resolve(&w, "{'id':'a','toolsets':['all']}");
    assert_str(effective(&w, SVN)->name, "log");
    assert_str(effective(&w, GIT)->name, "git__log");
    commit_names(&w);
    /* the first goes; its name stays its own */
    state_of(&w, SVN)->enabled = false;
    resolve(&w, "{'id':'a','toolsets':['all']}");
    assert_str(effective(&w, GIT)->name, "git__log");
    assert_int_equal(w.out->new_names_n, 0);
    assert_int_equal(tc_resolution_find_name(w.out, TC_STR("log")), SIZE_MAX);
    state_of(&w, SVN)->enabled = true;
    resolve(&w, "{'id':'a','toolsets':['all']}");
    assert_str(effective(&w, SVN)->name, "log");
    assert_int_equal(w.out->new_names_n, 0);
    assert_ptr_equal(&w.out->tools[tc_resolution_find_name(w.out, TC_STR("log"))], effective(&w, SVN));
    end(&w);
}

void test_resolver__results_outlive_the_ledger(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    resolve(&w, "{'id':'a','toolsets':['mcp-git']}");
    commit_names(&w);
    resolve(&w, "{'id':'a','toolsets':['mcp-git']}");
    tc_names_finish(&w.ledger);
    assert_str(w.out->tools[0].name, "mcp__git__log");
    end(&w);
}

void test_resolver__composites_count_as_their_place(void **state)
{
    struct tc_str includes[] = {TC_STR_INIT("mcp-svn"), TC_STR_INIT("vision")};
    struct tc_toolset item = {.name = TC_STR_INIT("team"), .includes = includes, .includes_n = 2};
    struct tc_toolsets composites = {&item, 1};
    struct world w;
    (void)state;

    begin(&w);
    w.in.composites = &composites;
    w.in.model.max_tools = 2;
    resolve(&w, "{'id':'a','toolsets':['team','mcp-git']}");
    effective(&w, "builtin:vision.ocr");
    effective(&w, SVN);
    assert_int_equal(reasons(&w, GIT), BIT(OVER_PROVIDER_LIMIT));
    end(&w);
}

void test_resolver__survives_every_lack_of_memory(void **state)
{
    struct world w;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    begin(&w);
    state_of(&w, "builtin:workspace.write_file")->prompt_hint = TC_STR("Ask first.");
    w.in.agent = test_agent(&w.test, "{'id':'a','toolsets':['all','gone'],'tools':{'permissions':{'*':'ask'},"
                                     "'disabled':['host:x']}}");
    w.in.model.max_tools = 4;
    assert_int_equal(tc_names_add(&w.test.cx, &w.ledger, TC_STR(GIT), TC_STR("mcp__git__log")), TC_OK);
    for (int sticky = 0; sticky < 2; sticky++) {
        size_t nth = 0;
        enum tc_err err;
        do {
            struct test_cx test;
            test_cx_init(&test);
            tc_mem_fail_at(++nth, sticky);
            err = tc_resolve(&test.cx, &w.in, &w.out);
            tc_mem_fail_at(0, false);
            assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
            if (!err)
                assert_int_equal(w.out->tools_n, 4);
            test_cx_finish(&test);
        } while (err);
        assert_true(nth > 3);
    }
    end(&w);
}

void test_resolver__survives_an_arena_of_any_size(void **state)
{
    struct world w;
    enum tc_err err;
    size_t max = 0;
    (void)state;

    begin(&w);
    w.in.agent = test_agent(&w.test, "{'id':'a','toolsets':['all','gone'],'tools':{'allow':['host:x','" SVN "']}}");
    do {
        struct tc_arena arena;
        struct tc_cx cx = {.arena = &arena};
        tc_arena_init(&arena, max += 64);
        err = tc_resolve(&cx, &w.in, &w.out);
        assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
        if (!err)
            assert_str(w.out->tools[0].name, "mcp__svn__log");
        tc_arena_finish(&arena);
    } while (err);
    assert_true(max > 512);
    end(&w);
}

/* --- tools on demand --- */

static const struct tc_tool tool_search = {.name = "tool.search", .toolset = TC_TOOLSET_RUNTIME,
                                           .flags = TC_TOOL_CANNOT_DISABLE | TC_TOOL_ALWAYS_LOAD};
static const struct tc_tool far = {.name = "far.away", .toolset = "base", .group = TC_GROUP_EXTENDED};
static const struct tc_tool near = {.name = "near.by", .toolset = "base", .group = TC_GROUP_EXTENDED,
                                    .flags = TC_TOOL_ALWAYS_LOAD};

static void begin_on_demand(struct world *w, unsigned scene)
{
    const struct tc_tool *builtins[] = {&tool_search, &far, &near};

    begin(w);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        w->states[w->n].enabled = true;
        w->tools[w->n++] = test_builtin(&w->test, builtins[i]);
    }
    w->in.catalog = test_catalog(&w->test, w->tools, w->n);
    w->in.scene.flags = scene;
    w->in.model.context_window = 200000;
}

#define AGENT(mode) "{'id':'a','toolsets':['base','mcp-git'],'discovery':'" mode "'}"

void test_resolver__defers_extended_and_server_tools_when_told_to(void **state)
{
    struct world w;
    (void)state;

    begin_on_demand(&w, TC_SCENE_PLAIN);
    resolve(&w, AGENT("on"));
    assert_int_equal(w.out->deferred_n, 2);
    assert_true(effective(&w, GIT)->deferred && effective(&w, "builtin:far.away")->deferred);
    assert_false(effective(&w, "builtin:near.by")->deferred); /* always-load wins */
    assert_false(effective(&w, "builtin:workspace.read_file")->deferred);
    assert_str(effective(&w, "builtin:tool.search")->name, "tool_search");
    resolve(&w, AGENT("auto")); /* clients have all at once */
    assert_int_equal(w.out->deferred_n, 0);
    assert_false(effective(&w, GIT)->deferred);
    assert_int_equal(reasons(&w, "builtin:tool.search"), BIT(SCENE_FILTERED));
    assert_detail(&w, "builtin:tool.search", TC_REASON_SCENE_FILTERED,
                  "No tool has to be searched for: all are offered at once.");
    resolve(&w, AGENT("off"));
    assert_int_equal(reasons(&w, "builtin:tool.search"), BIT(SCENE_FILTERED));
    resolve(&w, "{'id':'a','toolsets':['planning'],'discovery':'on'}"); /* nothing is there to be found */
    assert_int_equal(w.out->deferred_n, 0);
    assert_int_equal(reasons(&w, "builtin:tool.search"), BIT(SCENE_FILTERED));
    end(&w);
}

void test_resolver__a_run_defers_what_takes_over_a_tenth_of_the_window(void **state)
{
    struct world w;
    uint32_t tokens;
    (void)state;

    begin_on_demand(&w, TC_SCENE_PLAIN | TC_SCENE_RUN);
    tokens = w.in.catalog->traits[tc_catalog_find(w.in.catalog, TC_STR(GIT))].tokens +
             w.in.catalog->traits[tc_catalog_find(w.in.catalog, TC_STR("builtin:far.away"))].tokens;
    assert_true(tokens > 10);
    w.in.model.context_window = tokens * 10;
    resolve(&w, AGENT("auto"));
    assert_int_equal(w.out->deferred_n, 0);
    w.in.model.context_window--;
    resolve(&w, AGENT("auto"));
    assert_int_equal(w.out->deferred_n, 2);
    resolve(&w, AGENT("off"));
    assert_int_equal(w.out->deferred_n, 0);
    end(&w);
}

/* git log, far away, near by, two of the workspace, and the search. */
void test_resolver__deferred_tools_do_not_count_against_a_limit(void **state)
{
    struct world w;
    (void)state;

    begin_on_demand(&w, TC_SCENE_PLAIN | TC_SCENE_RUN);
    w.in.model.max_tools = 5;
    resolve(&w, AGENT("auto"));
    assert_int_equal(w.out->deferred_n, 0);
    w.in.model.max_tools = 4; /* rather than to leave one out, tools are deferred */
    resolve(&w, AGENT("auto"));
    assert_int_equal(w.out->deferred_n, 2);
    assert_int_equal(w.out->tools_n, 6);
    w.in.model.max_tools = 3;
    resolve(&w, AGENT("on"));
    assert_int_equal(w.out->tools_n, 5);
    assert_int_equal(reasons(&w, "builtin:workspace.write_file"), BIT(OVER_PROVIDER_LIMIT));
    assert_true(effective(&w, GIT)->deferred);
    effective(&w, "builtin:tool.search");
    end(&w);
}

static struct tc_reason_facts facts(struct world *w, const char *id, enum tc_reason reason)
{
    struct tc_reason_facts facts;
    size_t at = tc_catalog_find(w->in.catalog, tc_str_of(id));

    assert_true(reasons(w, id) & 1u << reason);
    tc_resolution_facts(w->out, at, reason, &facts);
    return facts;
}

void test_resolver__tells_the_facts_of_each_reason(void **state)
{
    struct world w;
    struct tc_reason_facts f;
    (void)state;

    begin(&w);
    w.in.model = (struct tc_model){.name = TC_STR("small"), .capability = TC_CAPABILITY_TEXT};
    resolve(&w, "{'id':'a','toolsets':['interaction'],'tools':{'disabled':['builtin:vision.ocr'],"
                "'permissions':{'mcp/*':'off'}}}");
    f = facts(&w, "builtin:vision.ocr", TC_REASON_CAPABILITY_MISMATCH);
    assert_int_equal(f.needed, TC_CAPABILITY_VISION);
    assert_int_equal(f.present, TC_CAPABILITY_TEXT);
    assert_str(f.model, "small");
    assert_string_equal(facts(&w, "builtin:vision.ocr", TC_REASON_TOOL_DISABLED).scope, "disabled");
    assert_str(facts(&w, "builtin:vision.ocr", TC_REASON_TOOLSET_NOT_ENABLED).toolset, "vision");
    f = facts(&w, GIT, TC_REASON_PERMISSION_OFF);
    assert_string_equal(f.scope, "agent");
    assert_str(f.pattern, "mcp/*");
    assert_str(f.server, "git");
    f = facts(&w, "builtin:workspace.commit", TC_REASON_SCENE_FILTERED);
    assert_string_equal(f.condition, "stage");
    assert_int_equal(f.scenes, TC_SCENE_CHAT);
    assert_int_equal(f.stage, TC_SCENE_PLAIN);
    assert_string_equal(facts(&w, "builtin:clarify", TC_REASON_SCENE_FILTERED).condition, "answers");
    assert_int_equal(tc_resolution_permission(w.out, tc_catalog_find(w.in.catalog, TC_STR(GIT))), TC_PERMISSION_OFF);
    resolve(&w, "{'id':'a','tools':{'allow':['builtin:workspace.read_file']}}");
    assert_string_equal(facts(&w, "builtin:workspace.write_file", TC_REASON_TOOL_DISABLED).scope, "allow");
    w.in.model.max_tools = 1;
    resolve(&w, "{'id':'a'}");
    assert_int_equal(facts(&w, "builtin:workspace.write_file", TC_REASON_OVER_PROVIDER_LIMIT).limit, 1);
    end(&w);
}

void test_resolver__keeps_apart_what_is_wrong_with_a_tool_and_with_its_server(void **state)
{
    struct world w;
    struct tc_reason_facts f;
    (void)state;

    begin(&w);
    *state_of(&w, GIT) = (struct tc_tool_state){.enabled = true, .quarantined = true, .server = TC_SERVER_DOWN,
                                                .detail = TC_STR("It changed."), .health = TC_STR("No such program.")};
    *state_of(&w, SVN) = (struct tc_tool_state){.enabled = true, .quarantined = true, .newcomer = true};
    resolve(&w, "{'id':'a','toolsets':['all']}");
    assert_detail(&w, GIT, TC_REASON_SERVER_DOWN, "No such program.");
    assert_detail(&w, GIT, TC_REASON_QUARANTINED, "It changed.");
    f = facts(&w, GIT, TC_REASON_SERVER_DOWN);
    assert_str(f.server, "git");
    assert_str(f.cause, "No such program.");
    f = facts(&w, GIT, TC_REASON_QUARANTINED);
    assert_string_equal(f.scope, "changed");
    assert_str(f.cause, "It changed.");
    assert_string_equal(facts(&w, SVN, TC_REASON_QUARANTINED).scope, "new");
    end(&w);
}

void test_resolver__gives_no_names_where_nobody_asks_for_them(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    w.in.names = NULL;
    resolve(&w, "{'id':'a'}");
    assert_int_equal(w.out->tools_n, 2);
    assert_int_equal(w.out->new_names_n, 0);
    assert_str(w.out->tools[0].name, "");
    end(&w);
}
