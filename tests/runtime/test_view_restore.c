/* Views made again of the snapshots that the store has. */
#include "support/runtime.h"

#include "runtime/run_offer.h"

static const char *const two[] = {"add", "sub", NULL};
static const struct tc_view_key work = {.agent = TC_STR_INIT("work"), .stage = TC_SCENE_PLAIN};

#define AGENT                                                                                                          \
    "{'id':'work','toolsets':['mcp-box','planning'],'arguments':{'repair':'off'},'results':{'inlineChars':700},"       \
    "'tools':{'descriptions':{'builtin:plan.update':{'description':'Plan with {{tool:builtin:plan.update}}.',"         \
    "'properties':{'note':'Why.'}}}}}"

struct world {
    struct test_runtime t;
    struct tc_view *then;
};

static bool begin(struct tc_cx *cx, struct world *w)
{
    w->then = NULL;
    if (!test_runtime_open(cx, &w->t))
        return false;
    test_runtime_server(&w->t, "box", two);
    test_runtime_agent(&w->t, AGENT);
    return expect_ok(cx, tc_view_get(cx, w->t.runtime->views, &work, &w->then));
}

static enum tc_err restore(struct world *w, struct tc_str json, struct tc_view **ret)
{
    struct tc_cx *cx = w->t.cx;
    struct tc_view_stored stored = {
        .hash = tc_str_of(w->then->snapshot),
        .json = json,
        .model = &w->then->model,
    };

    expect_ok(cx, tc_agents_get(cx, w->t.runtime->agents, TC_STR("work"), &stored.agent));
    return tc_view_restore(cx, w->t.runtime->views, &stored, ret);
}

/* What a provider would be sent is the same text. */
static void expect_same_offer(struct world *w, struct tc_view *now)
{
    struct tc_run_offer *a, *b;
    struct tc_cx *cx = w->t.cx;

    if (!expect_int(now->n, w->then->n))
        return;
    expect_ok(cx, tc_run_offer_create(cx, w->then, TC_SCHEMA_OPENAI, &a));
    expect_ok(cx, tc_run_offer_create(cx, now, TC_SCHEMA_OPENAI, &b));
    for (size_t i = 0; i < now->n; i++) {
        expect(tc_str_eq(a->tools[i].name, b->tools[i].name));
        expect(tc_str_eq(a->tools[i].description, b->tools[i].description));
        expect(tc_str_eq(tc_json_text(cx->arena, a->tools[i].schema), tc_json_text(cx->arena, b->tools[i].schema)));
        expect_int(now->tools[i].permission, w->then->tools[i].permission);
        expect(tc_view_find(now, now->tools[i].name) == &now->tools[i]);
    }
    tc_run_offer_unref(a);
    tc_run_offer_unref(b);
}

static void nothing_changed(struct tc_cx *cx, void *arg)
{
    struct tc_view *now;
    struct world w;
    (void)arg;

    if (begin(cx, &w) && expect_ok(cx, restore(&w, w.then->snapshot_json, &now))) {
        expect_same_offer(&w, now);
        expect_text(tc_str_of(now->snapshot), w.then->snapshot);
        for (size_t i = 0; i < now->n; i++)
            expect(now->tools[i].tool == w.then->tools[i].tool);
        expect(!now->rules.repair);
        expect_int(now->rules.inline_chars, 700);
        expect_int(now->rules.max_chars, 120000);
        expect_int(now->style, w.then->style);
        tc_view_unref(now);
    }
    tc_view_unref(w.then);
    test_runtime_close(&w.t);
}

void test_view_restore__shares_what_is_still_the_same(void **state)
{
    (void)state;
    test_task_run_virtual(nothing_changed, NULL);
}

static void all_changed(struct tc_cx *cx, void *arg)
{
    struct tc_str removed;
    struct tc_view *now;
    struct world w;
    (void)arg;

    if (begin(cx, &w)) {
        struct scripted_server *box = scripted_server(w.t.scripted, TC_STR("box"));
        removed = tc_arena_dup(cx->arena, test_runtime_id(&w.t, "box", "sub"));
        scripted_clear(box);
        scripted_tool(box, TC_STR("{\"name\":\"add\",\"description\":\"Another.\","
                                  "\"inputSchema\":{\"type\":\"object\"}}"));
        scripted_announce(box);
        test_runtime_settle(&w.t);
        test_runtime_agent(&w.t, "{'id':'work','toolsets':['base'],'tools':{'disabled':['builtin:dice.roll']}}");
        if (expect_ok(cx, restore(&w, w.then->snapshot_json, &now))) {
            const struct tc_view_tool *gone = tc_view_find_id(now, removed), *plan;
            expect_same_offer(&w, now);
            expect(!now->rules.repair);
            if (expect(gone != NULL)) {
                expect(!gone->tool->builtin && gone->tool->schema);
                expect_text(gone->tool->parts.native, "sub");
            }
            /* the words for its properties were the agent's: what checks a call is frozen, what runs it is not */
            plan = tc_view_find(now, TC_STR("plan_update"));
            if (expect(plan && plan->tool->builtin)) {
                expect(plan->tool != w.then->tools[0].tool);
                expect_text(plan->description, "Plan with plan_update.");
                expect_text(tc_json_str(tc_json_pointer(plan->schema, TC_STR("/properties/note/description"))), "Why.");
            }
            tc_view_unref(now);
        }
    }
    tc_view_unref(w.then);
    test_runtime_close(&w.t);
}

void test_view_restore__is_as_it_was_when_all_has_changed(void **state)
{
    (void)state;
    test_task_run_virtual(all_changed, NULL);
}

static void damaged(struct tc_cx *cx, void *arg)
{
    struct tc_view *now;
    struct tc_str text;
    struct world w;
    (void)arg;

    if (begin(cx, &w)) {
        text = tc_arena_printf(cx->arena, "%.*s ", TC_STR_ARG(w.then->snapshot_json));
        expect_int(restore(&w, text, &now), TC_E_STORE_BROKEN);
        expect(tc_str_find(cx->err.message, TC_STR("is damaged")) != SIZE_MAX);
    }
    tc_view_unref(w.then);
    test_runtime_close(&w.t);
}

void test_view_restore__a_text_with_another_hash_is_refused(void **state)
{
    (void)state;
    test_task_run_virtual(damaged, NULL);
}
