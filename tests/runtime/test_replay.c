#include "support/runtime.h"

#include "ports/store_audit.h"
#include "runtime/pipeline.h"
#include "runtime/replay.h"

static const char *const tools[] = {"add", NULL};

static struct tc_str call(struct test_runtime *t, const char *name, const char *arguments)
{
    struct tc_invocation invocation = {.surface = "rest",
                                       .principal = {TC_ROLE_AGENT, TC_STR("token"), TC_STR("t"), TC_STR("work"), 0},
                                       .agent = TC_STR("work")};
    struct tc_call_request request = {.name = tc_str_of(name), .arguments = test_runtime_json(t, arguments)};
    struct tc_call_result result;

    expect_ok(t->cx, tc_pipeline_call(t->cx, t->runtime, &invocation, &request, &result));
    return result.audit_id;
}

static const struct tc_replay_step *step(const struct tc_replay *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->steps[i].name, name) == 0)
            return &r->steps[i];
    return NULL;
}

static bool open_work(struct tc_cx *cx, struct test_runtime *t)
{
    if (!test_runtime_open(cx, t))
        return false;
    test_runtime_server(t, "box", tools);
    test_runtime_agent(t, "{'id':'work','toolsets':['mcp-box']}");
    return true;
}

static void same(struct tc_cx *cx, void *arg)
{
    struct tc_replay r;
    struct test_runtime t;
    struct tc_str id;
    (void)arg;

    if (open_work(cx, &t)) {
        id = call(&t, "box__add", "{'b':2,'a':[1.0]}");
        expect_ok(cx, tc_replay_call(cx, t.runtime, id, &r));
        expect(r.same);
        expect_int(r.n, TC_REPLAY_STEPS);
        expect_text(step(&r, "canonical")->replayed, "{\"a\":[1.0],\"b\":2}");
        expect(!step(&r, "shaping")->skipped);
        /* the server is asked nothing, and what is true now does not matter */
        expect_int(scripted_total(t.scripted), 1);
        test_runtime_agent(&t, "{'id':'work','toolsets':[],'arguments':{'repair':'off'},'results':{'inlineChars':1}}");
        expect_ok(cx, tc_replay_call(cx, t.runtime, id, &r));
        expect(r.same);
        expect_int(scripted_total(t.scripted), 1);
    }
    test_runtime_close(&t);
}

void test_replay__is_of_the_record_alone(void **state)
{
    (void)state;
    test_task_run_virtual(same, NULL);
}

/* A record that was changed behind the back of the program. */
static struct tc_str forge(struct test_runtime *t, struct tc_str id, void (*change)(struct tc_audit_row *row))
{
    struct tc_audit_row row;

    expect_ok(t->cx, t->memory->audit->get(t->cx, t->memory, id, &row));
    row.id = tc_arena_printf(t->cx->arena, "%.*sF", TC_STR_ARG(id));
    change(&row);
    expect_ok(t->cx, t->memory->audit->add(t->cx, t->memory, &row));
    return row.id;
}

static void other_canonical(struct tc_audit_row *row)
{
    row->canonical = TC_STR("{\"a\":2}");
}

static void other_name(struct tc_audit_row *row)
{
    row->call_name = TC_STR("box__sub");
    row->tool_id = TC_STR("");
}

static void other_raw(struct tc_audit_row *row)
{
    row->raw = TC_STR("\"{\"");
}

static void no_snapshot(struct tc_audit_row *row)
{
    row->snapshot = TC_STR("");
    row->result_id = TC_STR("");
}

static void forged(struct tc_cx *cx, void *arg)
{
    struct tc_replay r;
    struct test_runtime t;
    struct tc_str id;
    (void)arg;

    if (open_work(cx, &t)) {
        id = call(&t, "box__add", "{'a':1}");
        expect_ok(cx, tc_replay_call(cx, t.runtime, forge(&t, id, other_canonical), &r));
        expect(!r.same && !step(&r, "canonical")->same && step(&r, "gate")->same);
        id = call(&t, "box__add", "{'a':1}");
        expect_ok(cx, tc_replay_call(cx, t.runtime, forge(&t, id, other_name), &r));
        expect(!r.same);
        expect_text(step(&r, "gate")->replayed, "model.unknown_tool_call");
        id = call(&t, "box__add", "{'a':1}");
        expect_ok(cx, tc_replay_call(cx, t.runtime, forge(&t, id, other_raw), &r));
        expect(!r.same);
        expect_text(step(&r, "arguments")->replayed, "tool.invalid_arguments");
        id = call(&t, "box__add", "{'a':1}");
        expect_ok(cx, tc_replay_call(cx, t.runtime, forge(&t, id, no_snapshot), &r));
        expect(r.same && step(&r, "gate")->skipped && step(&r, "shaping")->skipped);
        expect_int(tc_replay_call(cx, t.runtime, TC_STR("nothing"), &r), TC_E_AUDIT_NOT_FOUND);
    }
    test_runtime_close(&t);
}

void test_replay__finds_what_differs(void **state)
{
    (void)state;
    test_task_run_virtual(forged, NULL);
}
