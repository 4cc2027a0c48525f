#include "support/runtime.h"

#include <stdio.h>

#include "ports/store_agents.h"
#include "ports/store_tools.h"
#include "runtime/servers.h"

static const char *const two[] = {"add", "sub", NULL};
static const struct tc_view_key work = {.agent = TC_STR_INIT("work"), .client = true};

static struct tc_view *get(struct test_runtime *t, const struct tc_view_key *key)
{
    struct tc_view *view = NULL;

    expect_ok(t->cx, tc_view_get(t->cx, t->runtime->views, key, &view));
    return view;
}

static void cached(struct tc_cx *cx, void *arg)
{
    struct tc_view *first, *second;
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box']}");
        first = get(&t, &work);
        second = get(&t, &work);
        expect(first == second);
        expect_int(first->n, 2);
        expect_text(first->tools[0].name, "box__add");
        tc_view_unref(second);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box','planning']}");
        second = get(&t, &work);
        expect(first != second);
        expect_int(second->n, 3);
        expect_int(first->n, 2); /* who has the old one keeps it */
        expect(strcmp(first->snapshot, second->snapshot) != 0);
        tc_view_unref(first);
        tc_view_unref(second);
    }
    test_runtime_close(&t);
}

void test_view__is_made_anew_when_something_changed(void **state)
{
    (void)state;
    test_task_run_virtual(cached, NULL);
}

static void finding(struct tc_cx *cx, void *arg)
{
    struct tc_view *view;
    struct test_runtime t;
    struct tc_str id;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box','planning','base']}");
        view = get(&t, &work);
        for (size_t i = 0; i < view->n; i++) {
            expect(tc_view_find(view, view->tools[i].name) == &view->tools[i]);
            expect(tc_view_find_id(view, view->tools[i].tool->id) == &view->tools[i]);
        }
        expect(!tc_view_find(view, TC_STR("box__ad")));
        expect(!tc_view_find(view, TC_STR("")));
        expect(!tc_view_find_id(view, TC_STR("builtin:dice.roll")));
        expect_ok(cx, tc_view_owner(cx, t.runtime->views, &work, TC_STR("box__sub"), &id));
        expect(tc_str_eq(id, test_runtime_id(&t, "box", "sub")));
        expect_ok(cx, tc_view_owner(cx, t.runtime->views, &work, TC_STR("dice_roll"), &id));
        expect_text(id, "");
        tc_view_unref(view);
    }
    test_runtime_close(&t);
}

void test_view__finds_by_name_and_id(void **state)
{
    (void)state;
    test_task_run_virtual(finding, NULL);
}

static size_t count_of(struct test_runtime *t, struct tc_str json)
{
    const struct tc_json *root = NULL;

    expect_ok(t->cx, tc_json_parse_root(t->cx, json, NULL, &root));
    return tc_json_count(root);
}

static void slices(struct tc_cx *cx, void *arg)
{
    struct tc_view *view;
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_agent(&t, "{'id':'work','toolsets':['base']}");
        view = get(&t, &work);
        for (size_t from = 0; from <= view->n; from++)
            for (size_t n = 0; n <= view->n + 1; n++) {
                size_t rest = view->n - from;
                expect_int(count_of(&t, tc_view_slice(cx->arena, view, from, n)), n < rest ? n : rest);
            }
        expect_int(count_of(&t, tc_view_slice(cx->arena, view, view->n + 5, 1)), 0);
        tc_view_unref(view);
    }
    test_runtime_close(&t);
}

void test_view__slices_of_the_list_are_arrays(void **state)
{
    (void)state;
    test_task_run_virtual(slices, NULL);
}

static void standing(struct tc_cx *cx, void *arg)
{
    struct tc_standing s;
    struct test_runtime t;
    struct tc_str id;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box'],'tools':{'permissions':{'mcp/*:sub':'ask'}}}");
        id = test_runtime_id(&t, "box", "add");
        expect_ok(cx, tc_view_standing(cx, t.runtime->views, &work, id, &s));
        expect_int(s.reasons, 0);
        expect_int(s.permission, TC_PERMISSION_ALLOW);
        expect_ok(cx, tc_view_standing(cx, t.runtime->views, &work, test_runtime_id(&t, "box", "sub"), &s));
        expect_int(s.permission, TC_PERMISSION_ASK);
        expect_ok(cx, tc_view_standing(cx, t.runtime->views, &work, TC_STR("builtin:dice.roll"), &s));
        expect_int(s.reasons, 1u << TC_REASON_TOOLSET_NOT_ENABLED);
        expect(s.detail.n > 0);
        expect_ok(cx, tc_view_standing(cx, t.runtime->views, &work, TC_STR("builtin:no.such"), &s));
        expect_int(s.reasons, 1u << TC_REASON_UNAVAILABLE);
        expect_int(tc_view_standing(cx, t.runtime->views, &(struct tc_view_key){.agent = TC_STR("nobody")}, id, &s),
                   TC_E_AGENT_NOT_FOUND);
    }
    test_runtime_close(&t);
}

void test_view__tells_how_a_tool_stands(void **state)
{
    (void)state;
    test_task_run_virtual(standing, NULL);
}

/* --- names, while others give names too --- */

struct contender {
    struct test_runtime *t;
    struct tc_view *view;
};

static void contend(struct tc_cx *cx, void *arg)
{
    struct contender *c = arg;

    expect_ok(cx, tc_view_get(cx, c->t->runtime->views, &work, &c->view));
}

static void together(struct tc_cx *cx, void *arg)
{
    struct contender contenders[8];
    struct tc_task_group group;
    struct tc_name_row *rows;
    struct test_runtime t;
    size_t n = 0;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box']}");
        tc_task_group_init(&group, tc_task_loop(cx));
        for (int i = 0; i < 8; i++) {
            contenders[i] = (struct contender){&t, NULL};
            expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "contender", contend, &contenders[i]), TC_OK);
        }
        expect_int(tc_task_join(cx, &group), TC_OK);
        for (int i = 0; i < 8; i++) {
            expect(contenders[i].view == contenders[0].view);
            tc_view_unref(contenders[i].view);
        }
        expect_ok(cx, t.memory->names->of(cx, t.memory, TC_STR("work"), TC_STR("server"), &rows, &n));
        expect_int(n, 2);
    }
    test_runtime_close(&t);
}

void test_view__many_at_once_share_one_and_give_each_name_once(void **state)
{
    (void)state;
    test_task_run_virtual(together, NULL);
}

static void store_fails(struct tc_cx *cx, void *arg)
{
    struct tc_view *view = NULL;
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box']}");
        test_runtime_settle(&t);
        t.store.fail_at = t.store.count + 2; /* the ledger is read, its names cannot be written */
        expect_int(tc_view_get(cx, t.runtime->views, &work, &view), TC_E_STORE_FAILED);
        expect(!view);
        view = get(&t, &work); /* the next one tries again */
        expect_int(view->n, 2);
        tc_view_unref(view);
    }
    test_runtime_close(&t);
}

void test_view__shows_no_name_that_was_not_stored(void **state)
{
    (void)state;
    test_task_run_virtual(store_fails, NULL);
}

static void styles(struct tc_cx *cx, void *arg)
{
    struct tc_view_key run = {.agent = TC_STR("work")}, dmr = {.agent = TC_STR("work"), .client = true,
                              .style = TC_STYLE_DMR, .has_style = true};
    struct tc_view *view;
    struct test_runtime t;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box']}");
        view = get(&t, &run);
        expect_text(view->tools[0].name, "mcp__box__add");
        tc_view_unref(view);
        view = get(&t, &dmr);
        expect_text(view->tools[0].name, "mcp_box_add");
        tc_view_unref(view);
    }
    test_runtime_close(&t);
}

void test_view__names_by_who_asks(void **state)
{
    (void)state;
    test_task_run_virtual(styles, NULL);
}

/* --- a server that goes while names are committed --- */

struct leaving {
    struct test_runtime *t;
    struct tc_str source;
    int after; /* yields */
};

static void leave(struct tc_cx *cx, void *arg)
{
    const struct leaving *leaving = arg;

    for (int i = 0; i < leaving->after; i++)
        tc_task_yield(cx);
    expect_ok(cx, tc_registry_set_source(cx, leaving->t->runtime->registry, leaving->source, NULL, 0));
}

static void goes(struct tc_cx *cx, void *arg)
{
    struct leaving leaving = {.after = *(const int *)arg};
    struct test_runtime t;
    struct tc_view *view;
    struct tc_str id, owner;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box']}");
        id = test_runtime_id(&t, "box", "add");
        leaving.t = &t;
        leaving.source = tc_str_n(id.p + 4, 36);
        expect_ok(cx, tc_task_spawn(cx, tc_task_loop(cx), NULL, "leave", leave, &leaving));
        view = get(&t, &work);
        test_runtime_settle(&t);
        expect(view->n == 0 || view->n == 2); /* before or after, nothing between */
        expect_ok(cx, tc_view_owner(cx, t.runtime->views, &work, TC_STR("box__add"), &owner));
        expect(owner.n == 0 || tc_str_eq(owner, id));
        tc_view_unref(view);
    }
    test_runtime_close(&t);
}

void test_view__a_server_may_go_while_names_are_committed(void **state)
{
    (void)state;
    for (int after = 0; after < 8; after++)
        test_task_run_virtual(goes, &after);
}

/* --- tallies and drafts --- */

static struct tc_str id_in_box(struct test_runtime *t, const char *name)
{
    struct tc_str uuid = tc_servers_uuid(t->runtime->servers, TC_STR("box"));

    return tc_arena_printf(t->cx->arena, "mcp/%.*s:%s", TC_STR_ARG(uuid), name);
}

static void tallies(struct tc_cx *cx, void *arg)
{
    struct tc_view_tally tally, again;
    struct test_runtime t;
    struct tc_str add, sub;
    char agent[200];
    bool offered = false;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['mcp-box']}");
        expect_ok(cx, tc_view_tally(cx, t.runtime->views, &work, &tally));
        expect_int(tally.offered, 2);
        expect_int(tally.out[TC_REASON_TOOLSET_NOT_ENABLED] > 0, 1);
        expect_ok(cx, tc_view_tally(cx, t.runtime->views, &work, &again));
        expect(memcmp(&tally, &again, sizeof tally) == 0);
        add = id_in_box(&t, "add");
        sub = id_in_box(&t, "sub");
        snprintf(agent, sizeof agent, "{'id':'work','toolsets':['mcp-box'],'tools':{'disabled':['%.*s']}}",
                 TC_STR_ARG(sub));
        test_runtime_agent(&t, agent);
        expect_ok(cx, tc_view_tally(cx, t.runtime->views, &work, &tally));
        expect_int(tally.offered, 1);
        expect_int(tally.out[TC_REASON_TOOL_DISABLED], 1);
        expect_ok(cx, tc_view_offers(cx, t.runtime->views, &work, add, &offered));
        expect(offered);
        expect_ok(cx, tc_view_offers(cx, t.runtime->views, &work, sub, &offered));
        expect(!offered);
        expect_ok(cx, tc_view_offers(cx, t.runtime->views, &work, TC_STR("builtin:nothing"), &offered));
        expect(!offered);
    }
    test_runtime_close(&t);
}

void test_view__counts_what_is_offered_and_why_not(void **state)
{
    (void)state;
    test_task_run_virtual(tallies, NULL);
}

static void drafts(struct tc_cx *cx, void *arg)
{
    struct tc_view_key key = {.client = true};
    const struct tc_view *view;
    struct test_runtime t;
    struct tc_str owner;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_server(&t, "box", two);
        test_runtime_agent(&t, "{'id':'work','toolsets':['planning']}");
        expect_ok(cx, tc_agent_decode(cx, TC_STR("{\"id\":\"work\",\"toolsets\":[\"mcp-box\"]}"), &key.draft));
        key.agent = key.draft->id;
        expect_ok(cx, tc_view_draft(cx, t.runtime->views, &key, &view));
        expect_int(view->n, 2);
        expect_text(view->tools[0].name, "box__add");
        expect_ok(cx, tc_view_owner(cx, t.runtime->views, &work, TC_STR("box__add"), &owner));
        expect_text(owner, ""); /* nobody was given that name */
        tc_agent_unref(key.draft);
    }
    test_runtime_close(&t);
}

void test_view__a_draft_gives_no_names_away(void **state)
{
    (void)state;
    test_task_run_virtual(drafts, NULL);
}
