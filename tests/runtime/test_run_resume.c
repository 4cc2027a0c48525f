/* Runs that were interrupted, and how they go on. */
#include "support/run_world.h"

#include <unistd.h>

#include "ports/store_audit.h"
#include "ports/store_tapes.h"
#include "runtime/tape.h"

/* The process is gone in the middle of a turn: what is stored is all that is left. */
static void crash(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    struct tc_run_row row;

    expect_ok(w->cx, store->runs->get(w->cx, store, w->id, &row));
    row.status = TC_STR("running");
    row.error_code = row.error_message = TC_STR("");
    expect_ok(w->cx, store->runs->update(w->cx, store, &row));
    run_world_restart(w);
}

static void put(struct run_world *w, enum tc_tape_kind kind, const char *json)
{
    struct tc_tape tape;
    struct tc_tape_write write = {kind, tc_json_text(w->cx->arena, test_runtime_json(&w->t, json))};

    expect_ok(w->cx, tc_tape_open(w->cx, w->t.memory, w->row.tape, &tape));
    expect_ok(w->cx, tc_tape_append(w->cx, &tape, w->id, &write, 1));
    tc_tape_finish(&tape);
}

/* A run that was killed after its model asked for a call. */
static void killed_after(struct run_world *w, const char *message)
{
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id));
    run_world_wait(w);
    put(w, TC_TAPE_MESSAGE, message);
}

#define CALLED                                                                                                         \
    "{'role':'assistant','parts':[{'call':{'id':'aaaaaaaaa','name':'dice_roll','toolId':'builtin:dice.roll',"          \
    "'arguments':{'formula':'d1'}}}],'model':{'provider':'scripted','model':'played'}}"

static void not_started(struct run_world *w)
{
    killed_after(w, CALLED);
    crash(w);
    expect_ok(w->cx, w->t.memory->runs->get(w->cx, w->t.memory, w->id, &w->row));
    expect_text(w->row.status, "interrupted");
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(run_world_seen(w, 1),
                "U: go\nA: call(aaaaaaaaa dice_roll {\"formula\":\"d1\"})\nU: error(aaaaaaaaa: This call was not "
                "started: the run was interrupted before it. Nothing happened; make it again if it is still "
                "needed.)\n");
    expect(tc_str_find(run_world_events(w), TC_STR("run_resumed")) != SIZE_MAX);
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, false), TC_E_RUN_COMPLETED);
}

void test_run_resume__a_call_that_never_started_is_said_to_be_so(void **state)
{
    (void)state;
    run_world(not_started, "'toolsets':['chat']", "{'hold':true}");
}

static void add_row_of(struct run_world *w, struct tc_str run, int number, const char *state)
{
    struct tc_audit_row row = {
        .id = tc_arena_printf(w->cx->arena, "%026d", number), .at = w->row.created_at + number,
        .state = tc_str_of(state), .surface = TC_STR("run"),
        .principal_kind = TC_STR("socket"), .principal_id = TC_STR("0"), .agent = TC_STR("work"), .run = run,
        .invocation = TC_STR("i"), .call_id = TC_STR("aaaaaaaaa"), .tool_id = TC_STR("builtin:dice.roll"),
        .call_name = TC_STR("dice_roll"), .snapshot = TC_STR(""), .raw = TC_STR("{}"), .canonical = TC_STR("{}"),
        .repair = TC_STR(""), .gate = TC_STR("ok"), .arguments = TC_STR("ok"), .schema = TC_STR("ok"),
        .permission = TC_STR("ok"), .approval = TC_STR(""), .result_id = TC_STR(""), .error_code = TC_STR(""),
        .effect = TC_STR("")};
    struct tc_result_row result = {.id = TC_STR("r1"), .at = 5, .agent = TC_STR("work"), .token = TC_STR(""),
                                   .raw = TC_STR("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"1\"}]},"
                                                 "\"shaped\":\"\",\"limit\":-1,\"maxChars\":1000,\"path\":\"\"}"),
                                   .text = TC_STR("")};

    if (strcmp(state, "done") == 0) {
        row.result_id = result.id;
        expect_ok(w->cx, w->t.memory->audit->add_done(w->cx, w->t.memory, &row, &result));
    } else {
        expect_ok(w->cx, w->t.memory->audit->add(w->cx, w->t.memory, &row));
    }
}

static void add_row(struct run_world *w, const char *state)
{
    add_row_of(w, w->id, 1, state);
}

/* Providers give the same ids in every run. */
static void was_done(struct run_world *w)
{
    killed_after(w, CALLED);
    add_row(w, "done");
    for (int i = 2; i < 300; i++)
        add_row_of(w, TC_STR("another"), i, "intent");
    crash(w);
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("\nU: result(aaaaaaaaa: 1)\n")) != SIZE_MAX);
}

void test_run_resume__a_result_that_was_stored_is_not_made_again(void **state)
{
    (void)state;
    run_world(was_done, "'toolsets':['chat']", "{'hold':true}");
}

static void unknown(struct run_world *w)
{
    killed_after(w, CALLED);
    add_row(w, "intent");
    crash(w);
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, false), TC_E_RUN_UNKNOWN_OUTCOME);
    expect_text(w->cx->err.message, "It is not known whether these calls took effect: aaaaaaaaa (dice_roll).");
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, false), TC_E_RUN_UNKNOWN_OUTCOME); /* nothing was claimed */
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, true));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(aaaaaaaaa: It is not known whether this call took effect: "
                                                    "it was interrupted. Check the state before repeating it.)")) !=
           SIZE_MAX);
}

void test_run_resume__an_unknown_outcome_has_to_be_accepted(void **state)
{
    (void)state;
    run_world(unknown, "'toolsets':['chat']", "{'hold':true}");
}

static void another_run(struct run_world *w)
{
    w->request.session = TC_STR("s");
    killed_after(w, CALLED);
    add_row(w, "intent");
    crash(w);
    expect_text(tc_str_of(run_world_run(w, "and now?")), "completed");
    expect_text(run_world_seen(w, 1),
                "U: go\nA: call(aaaaaaaaa dice_roll {\"formula\":\"d1\"})\nU: error(aaaaaaaaa: It is not known whether "
                "this call took effect: it was interrupted. Check the state before repeating it.) and now?\n");
}

void test_run_resume__a_later_run_on_the_tape_is_told_the_same(void **state)
{
    (void)state;
    run_world(another_run, "'toolsets':['chat']", "{'hold':true}");
}

/* --- a kill at any moment --- */

static size_t times(struct tc_str text, struct tc_str what)
{
    size_t n = 0, at;

    for (; (at = tc_str_find(text, what)) != SIZE_MAX; n++)
        text = tc_str_from(text, at + what.n);
    return n;
}

/* What the model saw last: the question once, each call with one result right behind it. */
static void assert_whole(struct run_world *w)
{
    struct tc_str seen = run_world_seen(w, w->models.turns - 1);

    expect_int(times(seen, TC_STR("U: go")), 1);
    expect_int(times(seen, TC_STR("call(")), times(seen, TC_STR("result(")) + times(seen, TC_STR("error(")));
}

/* Events are numbered without a gap, and the tape begins at its anchor. */
static void assert_record(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    struct tc_run_event *events;
    struct tc_tape_entry *entries;
    size_t n;

    expect_ok(w->cx, store->runs->events(w->cx, store, w->id, 0, 0, 500, &events, &n));
    for (size_t i = 0; i < n; i++)
        expect_int(events[i].seq, (int64_t)i + 1);
    expect(tc_str_is(events[n - 1].type, "run_ended"));
    expect_ok(w->cx, store->tapes->entries(w->cx, store, w->row.tape, 1, 500, 500, &entries, &n));
    for (size_t i = 0; i < n; i++)
        expect_int(entries[i].seq, (int64_t)i + 1);
}

static void resume(struct run_world *w)
{
    enum tc_err e = tc_runs_resume(w->cx, w->runs, w->id, false);

    if (e == TC_E_RUN_UNKNOWN_OUTCOME)
        e = tc_runs_resume(w->cx, w->runs, w->id, true);
    expect_ok(w->cx, e);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
}

static size_t kill_after; /* operations of the store */

static void await_end_or_fault(struct run_world *w)
{
    do {
        expect_ok(w->cx, tc_task_sleep(w->cx, 1));
        expect_ok(w->cx, w->t.memory->runs->get(w->cx, w->t.memory, w->id, &w->row));
    } while (!w->t.store.fired && !tc_str_is(w->row.status, "completed"));
}

static void killed_anywhere(struct run_world *w)
{
    static const char *const tools[] = {"send", NULL};
    struct scripted_server *box = scripted_server(w->t.scripted, TC_STR("box"));
    size_t sent;

    test_runtime_server(&w->t, "box", tools);
    w->t.store.fail_at = w->t.store.count + kill_after;
    w->t.store.fail_to = SIZE_MAX;
    if (!run_world_try(w, "go"))
        await_end_or_fault(w);
    if (!w->t.store.fired) {
        kill_after = 0; /* it was over before */
        return;
    }
    tc_runs_destroy(w->cx, w->runs); /* nothing of it reaches the store */
    w->runs = NULL;
    w->t.store.fail_at = 0;
    run_world_restart(w);
    if (!w->id.n) { /* whoever started it was told that it did not */
        expect_int(scripted_calls(box), 0);
        return;
    }
    expect_ok(w->cx, w->t.memory->runs->get(w->cx, w->t.memory, w->id, &w->row));
    if (!tc_str_is(w->row.status, "completed"))
        resume(w);
    assert_whole(w);
    assert_record(w);
    sent = times(scripted_received(box), TC_STR("\"n\":1"));
    expect(sent <= 1); /* never twice */
}

void test_run_resume__a_kill_at_any_moment_leaves_what_can_go_on(void **state)
{
    size_t nth = 0;

    (void)state;
    do {
        kill_after = ++nth;
        run_world(killed_anywhere, "'toolsets':['chat','base','mcp-box']",
                  "{'text':'One.','calls':[{'id':'aaaaaaaaa','name':'dice_roll','arguments':{'formula':'d1'}},"
                  "{'id':'bbbbbbbbb','name':'mcp__box__send','arguments':{'n':1}}]}\n"
                  "{'calls':[{'id':'ccccccccc','name':'mcp__box__send','arguments':{'n':2}},"
                  "{'id':'ddddddddd','name':'workspace_list_files','arguments':{}},"
                  "{'id':'eeeeeeeee','name':'workspace_list_files','arguments':{}}]}\n{'text':'done'}");
    } while (kill_after);
    assert_true(nth > 15);
}

static void lost_server(struct run_world *w)
{
    static const char *const tools[] = {"send", NULL};
    struct scripted_answer lost = {.kind = SCRIPTED_UNKNOWN, .text = TC_STR("The pipe broke.")};

    test_runtime_server(&w->t, "box", tools);
    scripted_answer(scripted_server(w->t.scripted, TC_STR("box")), TC_STR("send"), &lost);
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    expect_text(w->row.error_code, "mcp.call_outcome_unknown");
    expect_int(w->models.turns, 2);
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, false), TC_E_RUN_UNKNOWN_OUTCOME);
    expect(tc_str_find(w->cx->err.message, TC_STR("aaaaaaaaa (mcp__box__send)")) != SIZE_MAX);
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, true));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    /* the sibling had run, and has its result */
    expect(tc_str_find(run_world_seen(w, 2), TC_STR("U: result(bbbbbbbbb: ")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 2), TC_STR("error(aaaaaaaaa: It is not known")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 2), TC_STR("error(ccccccccc: This call was not started")) != SIZE_MAX);
}

void test_run_resume__an_unknown_outcome_ends_the_run_and_is_never_retried(void **state)
{
    (void)state;
    run_world(lost_server, "'toolsets':['base','mcp-box']",
              "{'calls':[{'id':'zzzzzzzzz','name':'mcp__box__send','arguments':{'first':true}}]}\n"
              "{'calls':[{'id':'bbbbbbbbb','name':'workspace_list_files','arguments':{}},"
              "{'id':'aaaaaaaaa','name':'mcp__box__send','arguments':{}},"
              "{'id':'ccccccccc','name':'workspace_list_files','arguments':{}}]}");
}

static void revised(struct run_world *w)
{
    struct tc_str snapshot;

    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    snapshot = w->row.snapshot;
    expect_ok(w->cx, tc_runs_revise(w->cx, w->runs, w->id, TC_STR("shorter")));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(run_world_seen(w, 1), "U: write\nA: Long.\nU: shorter\n");
    expect(tc_str_eq(snapshot, w->row.snapshot));
    expect(tc_str_find(run_world_events(w), TC_STR("run_ended revision_started")) != SIZE_MAX);
    expect_int(w->row.steps, 2);
    expect_text(run_world_file(w, "output/previous_output.md"), "Long.");
}

void test_run_resume__an_output_can_be_revised(void **state)
{
    (void)state;
    run_world(revised, "", "{'text':'Long.'}\n{'text':'Short.'}");
}

/* Two that ask for the same at the same time. */
struct beside {
    struct run_world *w;
    enum tc_err e;
    struct tc_event done;
};

static void resume_beside(struct tc_cx *cx, void *arg)
{
    struct beside *b = arg;

    b->e = tc_runs_resume(cx, b->w->runs, b->w->id, false);
    tc_event_set(&b->done);
}

static void resumed_twice(struct run_world *w)
{
    struct beside both[2] = {{.w = w}, {.w = w}};

    killed_after(w, CALLED);
    crash(w);
    for (int i = 0; i < 2; i++)
        expect_ok(w->cx, tc_task_spawn(w->cx, w->t.runtime->loop, NULL, "resume", resume_beside, &both[i]));
    for (int i = 0; i < 2; i++)
        expect_ok(w->cx, tc_task_wait(w->cx, &both[i].done, -1));
    expect_int(both[0].e, TC_OK);
    expect_int(both[1].e, TC_E_RUN_ACTIVE);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_int(w->models.turns, 2);
}

void test_run_resume__a_run_goes_on_once(void **state)
{
    (void)state;
    run_world(resumed_twice, "'toolsets':['chat']", "{'hold':true}");
}

static struct tc_str status_now(struct run_world *w)
{
    expect_ok(w->cx, w->t.memory->runs->get(w->cx, w->t.memory, w->id, &w->row));
    return w->row.status;
}

/* The store is away from the model's answer on, and comes back after ten minutes. */
static void be_away(struct run_world *w)
{
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    w->t.store.fail_at = w->t.store.count + 1;
    w->t.store.fail_to = SIZE_MAX;
    played_models_release(&w->models);
    for (int i = 0; i < 10; i++) {
        tc_loop_advance(w->t.runtime->loop, 60 * 1000);
        test_runtime_settle(&w->t);
    }
    expect_text(status_now(w), "running");
    w->t.store.fail_at = 0;
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, false), TC_E_RUN_ACTIVE);
    tc_loop_advance(w->t.runtime->loop, 60 * 1000);
}

static void store_away(struct run_world *w)
{
    struct tc_tape_row tape;

    be_away(w);
    expect_text(tc_str_of(run_world_wait(w)), "failed");
    expect_text(w->row.error_code, "store.failed");
    expect_text(run_world_event(w, "run_ended"),
                "{\"status\":\"failed\",\"errorCode\":\"store.failed\",\"message\":\"The disk failed, as this test "
                "wanted.\"}");
    expect_ok(w->cx, w->t.memory->tapes->get(w->cx, w->t.memory, w->row.tape, &tape));
    expect_text(tape.run, "");
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(aaaaaaaaa: This call was not started")) != SIZE_MAX);
}

/* What it said last is recorded with its end. */
static void store_away_after_all(struct run_world *w)
{
    be_away(w);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(run_world_event(w, "text"), "{\"turn\":1,\"text\":\"one\"}");
    expect_text(run_world_event(w, "run_ended"), "{\"status\":\"completed\"}");
}

void test_run_resume__the_end_is_recorded_when_the_store_is_back(void **state)
{
    (void)state;
    run_world_virtual(store_away, "'toolsets':['chat']",
                      "{'hold':true,'calls':[{'id':'aaaaaaaaa','name':'dice_roll','arguments':{'formula':'d1'}}]}\n"
                      "{'text':'two'}");
    run_world_virtual(store_away_after_all, "", "{'hold':true,'text':'one'}");
}

static void store_away_at_the_end(struct run_world *w)
{
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    w->t.store.fail_at = w->t.store.count + 1;
    w->t.store.fail_to = SIZE_MAX;
    played_models_release(&w->models);
    test_runtime_settle(&w->t);
    tc_runs_destroy(w->cx, w->runs);
    w->runs = NULL;
    expect_text(status_now(w), "running");
    w->t.store.fail_at = 0;
    expect_ok(w->cx, tc_runs_create(w->cx, w->t.runtime, &w->runs));
    expect_text(status_now(w), "interrupted");
}

void test_run_resume__a_store_that_is_away_does_not_keep_the_process(void **state)
{
    (void)state;
    run_world_virtual(store_away_at_the_end, "", "{'hold':true,'text':'one'}");
}

/* --- one snapshot an invocation --- */

static struct tc_str invocation_of(struct run_world *w, const char *type)
{
    struct tc_store *store = w->t.memory;
    struct tc_run_event *all;
    size_t n;

    expect_ok(w->cx, store->runs->events(w->cx, store, w->id, 0, 0, 500, &all, &n));
    for (size_t i = n; i > 0; i--)
        if (tc_str_is(all[i - 1].type, type))
            return all[i - 1].invocation;
    return TC_STR("");
}

static const struct tc_json *last_event(struct run_world *w, const char *type)
{
    const struct tc_json *root = NULL;

    expect_ok(w->cx, tc_json_parse_root(w->cx, run_world_event(w, type), NULL, &root));
    return root;
}

static void keeps_its_tools(struct run_world *w)
{
    struct tc_str system, tools, snapshot, said;

    run_world_start(w, "go");
    run_world_await(w, "model_request");
    system = tc_arena_dup(w->cx->arena, w->models.system);
    tools = tc_arena_dup(w->cx->arena, w->models.tools);
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id));
    run_world_wait(w);
    snapshot = w->row.snapshot;
    crash(w);
    test_runtime_agent(&w->t, "{'id':'work','toolsets':['chat','planning'],'prompt':'Now say nothing.',"
                              "'tools':{'disabled':['builtin:dice.roll'],"
                              "'descriptions':{'builtin:dice.roll':{'description':'Other words.'}}}}");
    w->models.script = "{'calls':[{'id':'aaaaaaaaa','name':'dice_roll','arguments':{'formula':'d1'}},"
                       "{'id':'bbbbbbbbb','name':'plan_update','arguments':{'items':[]}}]}";
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_eq(w->models.system, system));
    expect(tc_str_find(system, TC_STR("Say all.")) != SIZE_MAX);
    expect(tc_str_eq(w->models.tools, tools));
    expect(tc_str_eq(w->row.snapshot, snapshot));
    said = run_world_seen(w, 2);
    /* it is offered still, and may not run any more; what it may since then it was not offered */
    expect(tc_str_find(said, TC_STR("error(aaaaaaaaa: tool.not_allowed: agent_tool_disabled.")) != SIZE_MAX);
    expect(tc_str_find(said, TC_STR("error(bbbbbbbbb: There is no tool")) != SIZE_MAX);
    expect(tc_str_eq(invocation_of(w, "run_started"), invocation_of(w, "run_resumed")));
    expect(tc_str_eq(invocation_of(w, "run_started"), invocation_of(w, "run_ended")));
}

void test_run_resume__goes_on_with_the_tools_and_the_prompt_that_it_had(void **state)
{
    (void)state;
    run_world(keeps_its_tools, "'toolsets':['chat'],'prompt':'Say all.'", "{'hold':true}");
}

static void revision_keeps_its_tools(struct run_world *w)
{
    struct tc_str system, tools, snapshot, frame;

    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    system = tc_arena_dup(w->cx->arena, w->models.system);
    tools = tc_arena_dup(w->cx->arena, w->models.tools);
    snapshot = w->row.snapshot;
    frame = w->row.frame;
    test_runtime_agent(&w->t, "{'id':'work','toolsets':['planning'],'prompt':'Now say nothing.'}");
    expect_ok(w->cx, tc_runs_revise(w->cx, w->runs, w->id, TC_STR("shorter")));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_eq(w->models.system, system));
    expect(tc_str_eq(w->models.tools, tools));
    expect(tc_str_eq(w->row.snapshot, snapshot));
    expect(tc_str_eq(w->row.frame, frame));
    expect(!tc_str_eq(invocation_of(w, "run_started"), invocation_of(w, "revision_started")));
}

void test_run_resume__a_revision_is_an_invocation_on_the_same_snapshot(void **state)
{
    (void)state;
    run_world(revision_keeps_its_tools, "'toolsets':['chat'],'prompt':'Say all.'", "{'text':'Long.'}");
}

/* What was removed with its snapshot is not made up from the settings of now. */
static void no_material(struct run_world *w)
{
    struct tc_store *store = w->t.memory;

    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    w->row.frame = TC_STR("0123");
    expect_ok(w->cx, store->runs->update(w->cx, store, &w->row));
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, false), TC_E_RUN_MATERIAL);
    expect_text(w->cx->err.message, "The prompt that this run began with is not kept any more.");
    expect_text(w->row.status, "failed");
}

void test_run_resume__is_refused_without_what_it_began_with(void **state)
{
    (void)state;
    run_world(no_material, "", "{'error':'model.overloaded','message':'x'}");
}

/* --- what counts on --- */

static void limit(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    expect_text(w->row.error_code, "agent.max_steps");
    expect_int(w->row.steps, 2);
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "failed");
    expect_text(w->row.error_code, "agent.max_steps");
    expect_int(w->models.turns, 2); /* it was not asked again */
    test_runtime_agent(&w->t, "{'id':'work','toolsets':['chat'],'guards':{'maxSteps':3}}");
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "failed");
    expect_int(w->models.turns, 3);
    expect_int(w->row.steps, 3);
    w->models.endless = false;
    w->models.script = "";
    expect_ok(w->cx, tc_runs_revise(w->cx, w->runs, w->id, TC_STR("stop"))); /* counts from its own beginning */
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_int(w->row.steps, 4);
}

void test_run_resume__the_limit_of_turns_is_that_of_the_invocation(void **state)
{
    (void)state;
    run_world(limit, "'toolsets':['chat'],'guards':{'maxSteps':2}",
              "{'calls':[{'name':'dice_roll','arguments':{'formula':'d6'}}]}\n"
              "{'calls':[{'name':'dice_roll','arguments':{'formula':'2d6'}}]}\n"
              "{'calls':[{'name':'dice_roll','arguments':{'formula':'3d6'}}]}");
}

static void killed_later(struct run_world *w)
{
    struct tc_store *store = w->t.memory;

    run_world_start(w, "go");
    run_world_await(w, "tool_call_completed");
    for (int i = 0; i < 2000 && w->models.turns < 2; i++) {
        usleep(500);
        tc_task_yield(w->cx);
    }
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id));
    run_world_wait(w);
    w->row.steps = 0; /* a row says how a run stood when it last changed */
    w->row.usage = TC_STR("");
    expect_ok(w->cx, store->runs->update(w->cx, store, &w->row));
    crash(w);
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_int(w->row.steps, 3);
    expect_text(w->row.usage,
                "{\"input\":107,\"output\":23,\"cached\":0,\"cacheWritten\":0,\"reasoning\":0}");
}

void test_run_resume__turns_and_usage_before_a_crash_count(void **state)
{
    (void)state;
    run_world(killed_later, "'toolsets':['chat']",
              "{'calls':[{'name':'dice_roll','arguments':{'formula':'d1'}}],'usage':[100,20]}\n{'hold':true}\n"
              "{'text':'done','usage':[7,3]}");
}

/* --- what was asked --- */

static enum tc_err record(struct run_world *w, struct tc_run_step step)
{
    step.run = w->id;
    return w->t.memory->runs->record(w->cx, w->t.memory, &step);
}

/* The process was gone between the first event of a revision and the first entry. */
static void input_lost(struct run_world *w)
{
    struct tc_run_event begun = {.at = 1, .type = TC_STR("revision_started"), .invocation = TC_STR("second")};
    struct tc_tape_row tape;

    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_ok(w->cx, w->t.memory->tapes->get(w->cx, w->t.memory, w->row.tape, &tape));
    begun.json = tc_arena_printf(w->cx->arena, "{\"entry\":%d,\"text\":\"shorter\"}", (int)tape.last);
    expect_ok(w->cx, record(w, (struct tc_run_step){.events = &begun, .events_n = 1}));
    crash(w);
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "failed");
    expect_text(run_world_seen(w, 1), "U: write\nA: Long.\nU: shorter\n");
    expect_text(run_world_file(w, "output/previous_output.md"), "Long.");
    expect_text(invocation_of(w, "run_resumed"), "second");
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false)); /* now it has been put */
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(run_world_seen(w, 2), "U: write\nA: Long.\nU: shorter\n");
}

void test_run_resume__what_a_revision_asks_is_put_once(void **state)
{
    (void)state;
    run_world(input_lost, "", "{'text':'Long.'}\n{'error':'model.overloaded','message':'x'}\n{'text':'Short.'}");
}

/* --- events --- */

static void tells_ends(struct run_world *w)
{
    struct tc_run_event left[] = {
        {.at = 1, .type = TC_STR("tool_call_requested"), .invocation = TC_STR("i"),
         .json = TC_STR("{\"callId\":\"aaaaaaaaa\",\"name\":\"dice_roll\"}")},
        {.at = 1, .type = TC_STR("question_asked"), .invocation = TC_STR("i"),
         .json = TC_STR("{\"id\":\"q1\",\"kind\":\"clarify\"}")},
    };
    const struct tc_run_step step = {.events = left, .events_n = 2};
    const struct tc_json *ended;

    killed_after(w, CALLED);
    expect_ok(w->cx, record(w, step));
    crash(w);
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_events(w), TC_STR("run_resumed snapshot question_answered tool_call_failed "
                                                   "model_request")) != SIZE_MAX);
    expect_text(run_world_event(w, "question_answered"), "{\"id\":\"q1\",\"outcome\":\"withdrawn\"}");
    ended = last_event(w, "tool_call_failed");
    expect_text(tc_json_str(tc_json_get_c(ended, "callId")), "aaaaaaaaa");
    expect_text(tc_json_str(tc_json_get_c(ended, "errorCode")), "agent.tool_not_started");
    expect_text(tc_json_str(tc_json_get_c(ended, "toolId")), "builtin:dice.roll");
}

void test_run_resume__what_was_left_open_ends_in_the_journal(void **state)
{
    (void)state;
    run_world(tells_ends, "'toolsets':['chat']", "{'hold':true}");
}
