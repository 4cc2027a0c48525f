/* Requests of runs that are over, put together again. */
#include "support/run_world.h"

#include "ports/store_audit.h"
#include "ports/store_tapes.h"
#include "runtime/run_replay.h"
#include "runtime/tape.h"

static struct tc_run_replay replay(struct run_world *w)
{
    struct tc_run_replay result = {0};
    int turns = w->models.turns;

    expect_ok(w->cx, tc_runs_replay(w->cx, w->runs, w->id, &result));
    expect_int(w->models.turns, turns); /* no model was asked */
    return result;
}

static void expect_same(struct run_world *w, size_t n)
{
    struct tc_run_replay result = replay(w);

    expect(result.same);
    if (!expect_int(result.n, n))
        return;
    for (size_t i = 0; i < n; i++) {
        expect_int(result.requests[i].turn, (int64_t)i + 1);
        expect(result.requests[i].same);
        expect_text(result.requests[i].why, "");
        expect(tc_str_eq(result.requests[i].recorded, result.requests[i].replayed));
    }
}

#define PLAN "{'calls':[{'id':'aaaaaaaaa','name':'plan_update','arguments':{'items':[]}}]}\n"
#define ROLL "{'calls':[{'id':'bbbbbbbbb','name':'dice_roll','arguments':{'formula':'d1'}}]}\n"

static void settings(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_same(w, 3);
    test_runtime_agent(&w->t, "{'id':'work','toolsets':['base'],'prompt':'Another.','stage':'session',"
                              "'tools':{'disabled':['builtin:dice.roll'],"
                              "'descriptions':{'builtin:plan.update':{'description':'Other words.'}}}}");
    expect_same(w, 3);
    run_world_restart(w);
    expect_same(w, 3);
    expect_ok(w->cx, tc_agents_remove(w->cx, w->t.runtime->agents, TC_STR("work")));
    expect_same(w, 3);
}

void test_run_replay__is_the_same_whatever_the_settings_say(void **state)
{
    (void)state;
    run_world(settings,
              "'toolsets':['chat','planning'],'prompt':'Say all.',"
              "'tools':{'descriptions':{'builtin:plan.update':{'properties':{'note':'Why.'}}}}",
              PLAN ROLL);
}

static void executions(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    test_runtime_agent(&w->t, "{'id':'work','toolsets':['base'],'prompt':'Another.'}");
    expect_ok(w->cx, tc_runs_resume(w->cx, w->runs, w->id, false));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_ok(w->cx, tc_runs_revise(w->cx, w->runs, w->id, TC_STR("shorter")));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_same(w, 4);
}

void test_run_replay__goes_over_resumptions_and_revisions(void **state)
{
    (void)state;
    run_world(executions, "'toolsets':['chat'],'prompt':'Say all.'",
              ROLL "{'error':'model.overloaded','message':'x'}\n{'text':'Long.'}\n{'text':'Short.'}");
}

/* The tape again, with one word of it changed. */
static void alter(struct run_world *w, const char *word, const char *other)
{
    struct tc_store *store = w->t.memory;
    struct tc_tape_entry *entries;
    struct tc_tape_row row;
    size_t n;

    expect_ok(w->cx, store->tapes->get(w->cx, store, w->row.tape, &row));
    expect_ok(w->cx, store->tapes->entries(w->cx, store, row.id, 1, row.last, 500, &entries, &n));
    for (size_t i = 0; i < n; i++) {
        size_t at = tc_str_find(entries[i].json, tc_str_of(word));
        if (at != SIZE_MAX)
            memcpy((char *)entries[i].json.p + at, other, strlen(other));
    }
    expect_ok(w->cx, store->tapes->remove(w->cx, store, row.id));
    expect_ok(w->cx, store->tapes->create(w->cx, store, &row));
    expect_ok(w->cx, store->tapes->append(w->cx, store, row.id, 0, entries, n));
}

static void altered(struct run_world *w)
{
    struct tc_run_replay result;

    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    alter(w, "\"d1\"", "\"d2\"");
    result = replay(w);
    expect(!result.same);
    if (!expect_int(result.n, 3))
        return;
    expect(result.requests[0].same && result.requests[1].same && !result.requests[2].same);
    expect(result.requests[2].replayed.n == 64 &&
           !tc_str_eq(result.requests[2].recorded, result.requests[2].replayed));
    expect_text(result.requests[2].why, tc_arena_cstr(w->cx->arena, tc_arena_printf(w->cx->arena,
                "What it showed is not what it was: look at the entries %d to %d of the tape.",
                (int)result.requests[1].entry + 1, (int)result.requests[2].entry)));
    alter(w, "\"go\"", "\"no\"");
    expect(!replay(w).requests[0].same);
}

void test_run_replay__says_where_the_tape_is_another_one(void **state)
{
    (void)state;
    run_world(altered, "'toolsets':['chat','planning']", PLAN ROLL);
}

static void gone(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    struct tc_str frame;
    int64_t n;

    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    frame = w->row.frame;
    w->row.frame = TC_STR("");
    expect_ok(w->cx, store->runs->update(w->cx, store, &w->row));
    expect_ok(w->cx, store->results->prune_snapshots(w->cx, store, INT64_MAX, &n));
    expect_int(n, 1);
    expect_text(replay(w).requests[0].why, "The prompt that this run began with is not kept any more.");
    expect(!replay(w).same);
    w->row.frame = frame;
    expect_ok(w->cx, store->runs->update(w->cx, store, &w->row));
    expect_ok(w->cx, store->tapes->remove(w->cx, store, w->row.tape));
    expect_int(replay(w).n, 1);
}

static void tape_gone(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    struct tc_run_replay result;

    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_ok(w->cx, store->tapes->remove(w->cx, store, w->row.tape));
    result = replay(w);
    expect(!result.same);
    expect_text(result.requests[0].replayed, "");
    expect(tc_str_find(result.requests[0].why, TC_STR("There is no tape")) != SIZE_MAX);
}

void test_run_replay__says_what_is_not_kept_any_more(void **state)
{
    (void)state;
    run_world(gone, "", "");
    run_world(tape_gone, "", "");
}

static void summed_up(struct run_world *w)
{
    struct tc_run_replay result;

    w->request.session = TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "one")), "completed");
    expect_text(tc_str_of(run_world_run(w, "two")), "completed");
    result = replay(w);
    expect(result.same);
    if (!expect_int(result.n, 3))
        return;
    expect(!result.requests[0].summary && result.requests[1].summary && !result.requests[2].summary);
    alter(w, "\"one\"", "\"won\"");
    result = replay(w);
    expect(!result.requests[0].same && !result.requests[1].same);
    expect_int(result.requests[1].replayed.n, 64);
}

void test_run_replay__has_the_summaries_that_a_model_wrote(void **state)
{
    (void)state;
    run_world(summed_up, "",
              "{'text':'First.'}\n{'finish':'context'}\n{'text':'They counted.'}\n{'text':'Second.'}");
}

static void active(struct run_world *w)
{
    struct tc_run_replay result;

    run_world_start(w, "go");
    expect_int(tc_runs_replay(w->cx, w->runs, w->id, &result), TC_E_RUN_ACTIVE);
    expect_int(tc_runs_replay(w->cx, w->runs, TC_STR("nobody"), &result), TC_E_RUN_NOT_FOUND);
    played_models_release(&w->models);
    run_world_wait(w);
}

void test_run_replay__is_of_runs_that_are_over(void **state)
{
    (void)state;
    run_world(active, "", "{'hold':true}");
}
