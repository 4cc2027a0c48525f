/*
 * The resolver against a model that is slow and plain: thousands of small random
 * worlds, each changed a few times while its ledger lives on. The model knows
 * tools, agent and toolsets as strings and decides by the words of the contract.
 * TOOLCRIB_TEST_SEED repeats a run.
 */
#include "support/tools.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rand.h"
#include "policy/resolver.h"

enum { WORLDS = 3000, STEPS = 4, TOOLS = 15, NAMES = 8, COMPOSITES = 4 };

/* --- the world as strings --- */

struct plain_tool {
    const char *id, *toolset;
    unsigned flags, scenes, capability;
    uint32_t tokens;
    bool internal, faulty, builtin, core; /* core: of that group */
};
struct plain_list {
    const char *items[NAMES];
    size_t n;
};
struct plain_composite {
    const char *name;
    struct plain_list includes;
};
struct plain_agent {
    struct plain_list toolsets, disabled, allow, patterns;
    bool has_allow;
    unsigned permissions[NAMES]; /* of patterns */
    const char *discovery;
};
struct world {
    struct test_cx test;
    uint64_t seed;
    struct plain_tool tools[TOOLS]; /* by id */
    struct tc_tool_state states[TOOLS];
    size_t n;
    struct plain_composite composites[COMPOSITES];
    size_t composites_n;
    struct plain_agent agent;
    struct tc_names ledger;
    struct tc_resolve_input in;
    unsigned reasons[TOOLS]; /* what the model says */
    bool deferred[TOOLS];
};

static unsigned roll(struct world *w, unsigned bound)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->seed >> 33) % bound;
}

static bool chance(struct world *w, unsigned one_in)
{
    return roll(w, one_in) == 0;
}

/* --- making a world --- */

static const char *const builtin_names[] = {"a.read", "a.write", "plan", "chat.find", "see", "task.return",
                                            "tool.search"};
static const char *const builtin_sets[] = {"base", "base", "planning", "chat", "vision", "runtime", "runtime"};
static const char *const server_names[] = {"one", "two", "three"};
static const char *const tool_names[] = {"get", "put", "g e t"};
static const unsigned scene_bits[] = {TC_SCENE_PLAIN, TC_SCENE_SESSION, TC_SCENE_CHAT_FOREGROUND, TC_SCENE_CHILD,
                                      TC_SCENE_MEMORY, TC_SCENE_SKILLS, TC_SCENE_ANSWERS, TC_SCENE_RUN};

static unsigned some_scenes(struct world *w)
{
    unsigned scenes = 0;

    for (unsigned i = roll(w, 4); i > 0; i--)
        scenes |= scene_bits[roll(w, 8)];
    return chance(w, 2) ? 0 : scenes;
}

static unsigned some_flags(struct world *w)
{
    static const unsigned flags[] = {TC_TOOL_CORE, TC_TOOL_ALWAYS_LOAD, TC_TOOL_PROMPT_HINT, TC_TOOL_RETURNS_IMAGES};
    unsigned some = 0;

    for (size_t i = 0; i < 4; i++)
        if (chance(w, 3))
            some |= flags[i];
    return some;
}

static struct tc_descriptor *make_builtin(struct world *w, size_t i)
{
    struct tc_tool *tool = TC_ARENA_NEW(&w->test.arena, struct tc_tool);

    *tool = (struct tc_tool){.name = builtin_names[i],
                             .toolset = builtin_sets[i],
                             .prompt_hint = "By code.",
                             .flags = some_flags(w),
                             .scenes = some_scenes(w),
                             .capability = (enum tc_capability)roll(w, 3),
                             .group = chance(w, 3) ? TC_GROUP_EXTENDED : TC_GROUP_CORE,
                             .visibility = chance(w, 4) ? TC_VISIBILITY_INTERNAL : TC_VISIBILITY_TOOL};
    return test_builtin(&w->test, tool);
}

static void make_catalog(struct world *w)
{
    struct tc_descriptor *tools[TOOLS];

    for (size_t i = 0; i < sizeof builtin_names / sizeof *builtin_names; i++)
        if (!chance(w, 4))
            tools[w->n++] = make_builtin(w, i);
    for (unsigned s = 0; s < 3; s++)
        for (size_t t = 0; t < 3; t++)
            if (w->n < TOOLS && !chance(w, 3))
                tools[w->n++] = test_mcp_tool(&w->test, test_uuid(&w->test, 9 - s), server_names[s],
                                              tc_arena_printf(&w->test.arena, "{\"name\":\"%s\"%s}", tool_names[t],
                                                              chance(w, 8) ? ",\"inputSchema\":true" : ""));
    w->in.catalog = test_catalog(&w->test, tools, w->n);
    for (size_t i = 0; i < w->n; i++) {
        const struct tc_descriptor *d = w->in.catalog->tools[i];
        w->tools[i] = (struct plain_tool){tc_arena_cstr(&w->test.arena, d->id),
                                          tc_arena_cstr(&w->test.arena, d->toolset),
                                          d->flags,
                                          d->scenes,
                                          d->capability,
                                          d->tokens,
                                          d->visibility == TC_VISIBILITY_INTERNAL,
                                          d->schema == NULL,
                                          d->builtin != NULL,
                                          d->group == TC_GROUP_CORE};
    }
}

static const char *some_toolset(struct world *w)
{
    static const char *const names[] = {"base", "planning", "chat", "vision", "mcp-one", "mcp-two", "mcp-three",
                                        "mine", "yours", "ours", "gone", "all", "*", "runtime", "memory"};

    return names[roll(w, sizeof names / sizeof *names)];
}

static const char *some_id(struct world *w)
{
    return w->n == 0 || chance(w, 5) ? "host:gone" : w->tools[roll(w, (unsigned)w->n)].id;
}

static const char *some_pattern(struct world *w)
{
    static const char *const patterns[] = {"*", "builtin:*", "mcp/*", "*:get", "*:g?e?t", "builtin:a.*", "*read*",
                                           "mcp/*9:*", "?????", "builtin:plan"};

    return chance(w, 4) ? some_id(w) : patterns[roll(w, sizeof patterns / sizeof *patterns)];
}

static bool has(const struct plain_list *list, const char *item)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i], item) == 0)
            return true;
    return false;
}

static void add(struct plain_list *list, const char *item)
{
    if (list->n < NAMES && !has(list, item) && strcmp(item, "builtin:task.return") != 0 &&
        strcmp(item, "builtin:tool.search") != 0)
        list->items[list->n++] = item;
}

static void fill(struct world *w, struct plain_list *list, const char *(*some)(struct world *), unsigned most)
{
    *list = (struct plain_list){0};
    for (unsigned i = roll(w, most + 1); i > 0; i--)
        add(list, some(w));
}

static void write_list(struct tc_buf *buf, const char *key, const struct plain_list *list)
{
    tc_buf_printf(buf, ",\"%s\":[", key);
    for (size_t i = 0; i < list->n; i++)
        tc_buf_printf(buf, "%s\"%s\"", i ? "," : "", list->items[i]);
    tc_buf_char(buf, ']');
}

static void make_agent(struct world *w)
{
    static const char *const permissions[] = {"allow", "ask", "off"}, *const modes[] = {"auto", "on", "off"};
    struct plain_agent *a = &w->agent;
    struct tc_buf text;

    fill(w, &a->toolsets, some_toolset, 5);
    fill(w, &a->disabled, some_id, 3);
    fill(w, &a->allow, some_id, 7);
    fill(w, &a->patterns, some_pattern, 4);
    a->has_allow = chance(w, 4);
    tc_buf_init(&text, 100000);
    a->discovery = modes[roll(w, 3)];
    tc_buf_printf(&text, "{\"id\":\"a\",\"discovery\":\"%s\"", a->discovery);
    write_list(&text, "toolsets", &a->toolsets);
    tc_buf_cstr(&text, ",\"tools\":{\"permissions\":{");
    for (size_t i = 0; i < a->patterns.n; i++) {
        a->permissions[i] = roll(w, 3);
        tc_buf_printf(&text, "%s\"%s\":\"%s\"", i ? "," : "", a->patterns.items[i], permissions[a->permissions[i]]);
    }
    tc_buf_char(&text, '}');
    write_list(&text, "disabled", &a->disabled);
    if (a->has_allow)
        write_list(&text, "allow", &a->allow);
    tc_buf_cstr(&text, "}}");
    tc_buf_char(&text, '\0');
    w->in.agent = test_agent(&w->test, text.p);
    tc_buf_finish(&text);
}

static void make_composites(struct world *w)
{
    static const char *const names[] = {"mine", "yours", "ours"};
    struct tc_toolset *items = TC_ARENA_NEW_N(&w->test.arena, struct tc_toolset, COMPOSITES);
    struct tc_toolsets *set = TC_ARENA_NEW(&w->test.arena, struct tc_toolsets);

    w->composites_n = 0;
    for (size_t i = 0; i < 3; i++) {
        struct plain_composite *c = &w->composites[w->composites_n];
        if (chance(w, 3))
            continue;
        c->name = names[i];
        fill(w, &c->includes, some_toolset, 3);
        items[w->composites_n].name = tc_str_of(c->name);
        items[w->composites_n].includes = TC_ARENA_NEW_N(&w->test.arena, struct tc_str, NAMES);
        for (size_t k = 0; k < c->includes.n; k++)
            items[w->composites_n].includes[k] = tc_str_of(c->includes.items[k]);
        items[w->composites_n++].includes_n = c->includes.n;
    }
    *set = (struct tc_toolsets){items, w->composites_n};
    w->in.composites = set;
}

static void make_situation(struct world *w)
{
    static const unsigned stages[] = {TC_SCENE_PLAIN, TC_SCENE_SESSION, TC_SCENE_CHAT_FOREGROUND, TC_SCENE_CHILD};

    for (size_t i = 0; i < w->n; i++)
        w->states[i] = (struct tc_tool_state){
            .enabled = !chance(w, 6),
            .quarantined = chance(w, 12),
            .unavailable = chance(w, 12),
            .permission = (enum tc_permission)(chance(w, 3) ? roll(w, 3) : 0),
            .server = (enum tc_server_state)(chance(w, 6) ? roll(w, 3) : 0),
            .prompt_hint = chance(w, 3) ? TC_STR("By the operator.") : TC_STR(""),
        };
    w->in.states = w->states;
    w->in.scene.flags = stages[roll(w, 4)] | (some_scenes(w) & ~(unsigned)TC_SCENE_STAGES);
    w->in.model = (struct tc_model){.capability = (enum tc_capability)roll(w, 3), .image_input = chance(w, 2),
                                    .context_window = roll(w, 2000),
                                    .max_tools = chance(w, 2) ? 1 + roll(w, 6) : 0};
}

/* --- the model --- */

static bool glob(const char *pattern, const char *s)
{
    if (*pattern == '*')
        return glob(pattern + 1, s) || (*s && glob(pattern, s + 1));
    if (*pattern == '\0' || *s == '\0')
        return *pattern == *s;
    return (*pattern == '?' || *pattern == *s) && glob(pattern + 1, s + 1);
}

static bool exists(const struct world *w, const char *toolset)
{
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->tools[i].toolset, toolset) == 0)
            return true;
    return false;
}

/* Whether one listed name leads to the toolset; depth stops cycles. */
static bool leads(const struct world *w, const char *name, const char *toolset, int depth)
{
    if (strcmp(name, toolset) == 0 || strcmp(name, "all") == 0 || strcmp(name, "*") == 0)
        return true;
    if (depth == 0 || exists(w, name))
        return false;
    for (size_t i = 0; i < w->composites_n; i++)
        if (strcmp(w->composites[i].name, name) == 0)
            for (size_t k = 0; k < w->composites[i].includes.n; k++)
                if (leads(w, w->composites[i].includes.items[k], toolset, depth - 1))
                    return true;
    return false;
}

/* 1 + the place in the agent's list, 0 when it has it not. */
static size_t place(const struct world *w, const char *toolset)
{
    for (size_t i = 0; i < w->agent.toolsets.n; i++)
        if (leads(w, w->agent.toolsets.items[i], toolset, COMPOSITES + 1))
            return i + 1;
    return 0;
}

static bool is_runtime(const struct plain_tool *t)
{
    return t->builtin && strcmp(t->toolset, "runtime") == 0;
}

static unsigned permission(const struct world *w, size_t i)
{
    unsigned strictest = w->states[i].permission;

    for (size_t k = 0; k < w->agent.patterns.n && !is_runtime(&w->tools[i]); k++)
        if (glob(w->agent.patterns.items[k], w->tools[i].id) && w->agent.permissions[k] > strictest)
            strictest = w->agent.permissions[k];
    return strictest;
}

static bool capable(unsigned tool, unsigned model)
{
    return tool == TC_CAPABILITY_TEXT || (tool == TC_CAPABILITY_VISION && model != TC_CAPABILITY_TEXT) ||
           (tool == TC_CAPABILITY_MULTIMODAL && model == TC_CAPABILITY_MULTIMODAL);
}

static bool fits_scene(const struct world *w, const struct plain_tool *t)
{
    static const unsigned conditions[] = {TC_SCENE_MEMORY, TC_SCENE_SKILLS, TC_SCENE_MASTER, TC_SCENE_ANSWERS,
                                          TC_SCENE_RUN};
    unsigned have = w->in.scene.flags;

    for (size_t i = 0; i < 5; i++)
        if ((t->scenes & conditions[i]) && !(have & conditions[i]))
            return false;
    if (t->internal && !(have & TC_SCENE_RUN))
        return false;
    return !(t->scenes & TC_SCENE_STAGES) || (t->scenes & have & TC_SCENE_STAGES);
}

static unsigned out_for(const struct world *w, size_t i)
{
    const struct plain_tool *t = &w->tools[i];
    const struct tc_tool_state *s = &w->states[i];
    unsigned r = 0;

    if (!s->enabled)
        r |= 1u << 0;
    if (!is_runtime(t) && place(w, t->toolset) == 0)
        r |= 1u << 1;
    if (!is_runtime(t) && (has(&w->agent.disabled, t->id) || (w->agent.has_allow && !has(&w->agent.allow, t->id))))
        r |= 1u << 2;
    if (permission(w, i) == TC_PERMISSION_OFF)
        r |= 1u << 3;
    if (!capable(t->capability, w->in.model.capability))
        r |= 1u << 4;
    if ((t->flags & TC_TOOL_RETURNS_IMAGES) && !w->in.model.image_input)
        r |= 1u << 5;
    if (!fits_scene(w, t))
        r |= 1u << 6;
    if (s->unavailable)
        r |= 1u << 7;
    if (s->server == TC_SERVER_PAUSED)
        r |= 1u << 8;
    if (s->server == TC_SERVER_DOWN)
        r |= 1u << 9;
    if (s->quarantined || t->faulty)
        r |= 1u << 10;
    return r;
}

/* Whether tool a is kept before tool b. */
static bool before(const struct world *w, size_t a, size_t b)
{
    const struct plain_tool *x = &w->tools[a], *y = &w->tools[b];
    bool always_x = is_runtime(x) || (x->flags & TC_TOOL_ALWAYS_LOAD);
    bool always_y = is_runtime(y) || (y->flags & TC_TOOL_ALWAYS_LOAD);
    size_t place_x = is_runtime(x) ? 0 : place(w, x->toolset), place_y = is_runtime(y) ? 0 : place(w, y->toolset);

    if (always_x != always_y)
        return always_x;
    if ((x->flags & TC_TOOL_CORE) != (y->flags & TC_TOOL_CORE))
        return x->flags & TC_TOOL_CORE;
    if (place_x != place_y)
        return place_x < place_y;
    return strcmp(x->id, y->id) < 0;
}

static bool is_search(const struct plain_tool *t)
{
    return strcmp(t->id, "builtin:tool.search") == 0;
}

/* Whether deferrable tools are offered only when they are asked for. */
static bool on_demand(const struct world *w)
{
    int64_t tokens = 0, tools = 0;

    if (strcmp(w->agent.discovery, "auto") != 0 || !(w->in.scene.flags & TC_SCENE_RUN))
        return strcmp(w->agent.discovery, "on") == 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->reasons[i] == 0 && !is_search(&w->tools[i])) {
            tools++;
            tokens += w->deferred[i] ? w->tools[i].tokens : 0;
        }
    return tokens > w->in.model.context_window / 10 || (w->in.model.max_tools > 0 && tools > w->in.model.max_tools);
}

static void defer(struct world *w)
{
    bool can_search = false, any = false;

    for (size_t i = 0; i < w->n; i++) {
        const struct plain_tool *t = &w->tools[i];
        w->deferred[i] = w->reasons[i] == 0 && !t->core && !(t->flags & TC_TOOL_ALWAYS_LOAD) && !is_search(t);
        any |= w->deferred[i];
        can_search |= is_search(t) && w->reasons[i] == 0;
    }
    any = any && can_search && on_demand(w);
    for (size_t i = 0; i < w->n; i++) {
        w->deferred[i] = w->deferred[i] && any;
        if (is_search(&w->tools[i]) && w->reasons[i] == 0 && !any)
            w->reasons[i] = 1u << 6;
    }
}

static void decide(struct world *w)
{
    bool within[TOOLS];

    for (size_t i = 0; i < w->n; i++)
        w->reasons[i] = out_for(w, i);
    defer(w);
    for (size_t i = 0; i < w->n; i++)
        within[i] = w->reasons[i] == 0 && !w->deferred[i];
    for (size_t i = 0; i < w->n && w->in.model.max_tools > 0; i++) {
        int64_t earlier = 0;
        for (size_t k = 0; k < w->n; k++)
            earlier += within[i] && within[k] && before(w, k, i);
        if (earlier >= w->in.model.max_tools)
            w->reasons[i] = 1u << 11;
    }
}

/* --- the comparison --- */

static void compare_tool(const struct world *w, const struct tc_resolution *out, const struct tc_resolved *tool)
{
    const struct plain_tool *plain = &w->tools[tool->index];
    struct tc_str had = tc_names_get(&w->ledger, tc_str_of(plain->id));
    bool hinted = plain->flags & TC_TOOL_PROMPT_HINT, operators = hinted && w->states[tool->index].prompt_hint.n > 0;

    assert_int_equal(tool->permission, permission(w, tool->index));
    assert_int_equal(tool->deferred, w->deferred[tool->index]);
    assert_str(tool->hint, !hinted ? "" : operators ? "By the operator." : plain->builtin ? "By code." : "");
    assert_int_equal(tool->hint_operator, operators);
    if (had.n > 0)
        assert_true(tc_str_eq(had, tool->name));
    else
        assert_int_equal(tc_names_owner(&w->ledger, tool->name).n, 0);
    assert_ptr_equal(&out->tools[tc_resolution_find_name(out, tool->name)], tool);
    assert_ptr_equal(&out->tools[tc_resolution_find_id(out, tc_str_of(plain->id))], tool);
}

static void compare(struct world *w, const struct tc_resolution *out)
{
    size_t in_at = 0, out_at = 0, new_at = 0, builtin_at = 0;

    for (size_t i = 0; i < w->n; i++) {
        assert_int_equal(tc_resolution_reasons(out, i), w->reasons[i]);
        if (w->reasons[i]) {
            assert_true(out_at < out->out_n);
            assert_int_equal(out->out[out_at].index, i);
            assert_int_equal(out->out[out_at++].reasons, w->reasons[i]);
            for (unsigned r = 0; r < TC_REASON_COUNT; r++)
                if (w->reasons[i] & 1u << r)
                    assert_true(tc_resolution_detail(&w->test.cx, out, i, (enum tc_reason)r).n > 0);
            continue;
        }
        assert_true(in_at < out->tools_n);
        assert_int_equal(out->tools[in_at].index, i);
        compare_tool(w, out, &out->tools[in_at]);
        if (tc_names_get(&w->ledger, tc_str_of(w->tools[i].id)).n == 0) {
            assert_true(new_at < out->new_names_n);
            assert_str(out->new_names[new_at].id, w->tools[i].id);
            assert_true(tc_str_eq(out->new_names[new_at++].name, out->tools[in_at].name));
        }
        if (w->tools[i].builtin)
            assert_true(tc_str_eq(out->builtin_names[builtin_at++], out->tools[in_at].name));
        in_at++;
    }
    assert_int_equal(in_at, out->tools_n);
    assert_int_equal(out_at, out->out_n);
    assert_int_equal(new_at, out->new_names_n);
    assert_int_equal(builtin_at, out->builtin_names_n);
}

static void compare_diagnostics(const struct world *w, const struct tc_resolution *out)
{
    size_t tools = 0, absent = 0;

    for (size_t i = 0; i < w->agent.allow.n && w->agent.has_allow; i++)
        absent += strcmp(w->agent.allow.items[i], "host:gone") == 0;
    for (size_t i = 0; i < out->diagnostics_n; i++)
        tools += tc_str_is(out->diagnostics[i].code, "tool.absent");
    assert_int_equal(tools, absent);
}

static void run_world(uint64_t seed)
{
    static const enum tc_style styles[] = {TC_STYLE_MCP, TC_STYLE_SERVER, TC_STYLE_DMR, TC_STYLE_BARE};
    struct world w = {.seed = seed};
    struct tc_resolution *out;

    test_cx_init(&w.test);
    make_catalog(&w);
    w.in.style = styles[roll(&w, 4)];
    w.in.name_max = TC_NAMES_MAX_CLIENT;
    w.in.names = &w.ledger;
    make_agent(&w);
    make_composites(&w);
    for (int step = 0; step < STEPS; step++) {
        if (chance(&w, 2))
            make_agent(&w);
        if (chance(&w, 2))
            make_composites(&w);
        make_situation(&w);
        decide(&w);
        assert_int_equal(tc_resolve(&w.test.cx, &w.in, &out), TC_OK);
        compare(&w, out);
        compare_diagnostics(&w, out);
        for (size_t i = 0; i < out->new_names_n && !chance(&w, 8); i++)
            assert_int_equal(tc_names_add(&w.test.cx, &w.ledger, out->new_names[i].id, out->new_names[i].name), TC_OK);
    }
    tc_names_finish(&w.ledger);
    test_cx_finish(&w.test);
}

void test_resolver_model__agrees_on_random_worlds(void **state)
{
    const char *given = getenv("TOOLCRIB_TEST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : tc_rand_u64() >> 8;
    (void)state;

    printf("TOOLCRIB_TEST_SEED=%llu\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < WORLDS; i++)
        run_world(seed + i);
}
