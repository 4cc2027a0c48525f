/* Watching a run: what is stored is never missed, what is on its way may be. */
#include "support/run_world.h"

/* Everything that a watcher hears until the end, as words. */
static struct tc_str heard(struct run_world *w, struct tc_run_watch *watch)
{
    struct tc_run_event *events;
    struct tc_buf buf;
    struct tc_str text;
    size_t n;

    tc_buf_init(&buf, 1 << 20);
    while (expect_ok(w->cx, tc_run_watch_next(w->cx, watch, 5000, &events, &n)) && n)
        for (size_t i = 0; i < n; i++) {
            tc_buf_printf(&buf, "%s%.*s", buf.n ? " " : "", TC_STR_ARG(events[i].type));
            if (events[i].seq == 0)
                tc_buf_printf(&buf, "%.*s", TC_STR_ARG(events[i].json));
        }
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static void live(struct run_world *w)
{
    struct tc_run_watch *watch, *late;
    struct tc_run_event *events;
    size_t n;

    run_world_start(w, "go");
    expect_ok(w->cx, tc_runs_watch(w->cx, w->runs, w->id, 0, &watch));
    expect_ok(w->cx, tc_run_watch_next(w->cx, watch, 5000, &events, &n));
    expect_int(events[0].seq, 1);
    run_world_await(w, "model_request");
    while (tc_run_watch_next(w->cx, watch, 20, &events, &n) == TC_OK && n)
        ;
    expect_int(w->cx->err.code, TC_E_TIMEOUT); /* nothing came; watching can go on */
    played_models_release(&w->models);
    expect_text(heard(w, watch), "text_delta{\"text\":\"Hel\"} text_delta{\"text\":\"lo\"} model_reply text run_ended");
    tc_run_watch_close(watch);
    expect_text(tc_str_of(run_world_wait(w)), "completed");

    expect_ok(w->cx, tc_runs_watch(w->cx, w->runs, w->id, 2, &late)); /* when it is over */
    expect_text(heard(w, late), "model_request model_reply text run_ended");
    tc_run_watch_close(late);
    expect_int(tc_runs_watch(w->cx, w->runs, TC_STR("nope"), 0, &late), TC_E_RUN_NOT_FOUND);
}

void test_run_watch__a_watcher_hears_deltas_and_then_the_whole(void **state)
{
    (void)state;
    run_world(live, "", "{'hold':true,'deltas':['Hel','lo'],'text':'Hello'}");
}

static void slow(struct run_world *w)
{
    struct tc_run_watch *watch;

    run_world_start(w, "go");
    expect_ok(w->cx, tc_runs_watch(w->cx, w->runs, w->id, 0, &watch));
    run_world_wait(w); /* nothing is read meanwhile */
    expect_text(heard(w, watch), "run_started snapshot model_request model_reply text run_ended");
    tc_run_watch_close(watch);
}

void test_run_watch__a_slow_watcher_loses_deltas_and_no_event(void **state)
{
    (void)state;
    run_world(slow, "", "{'deltas':['Hel','lo'],'text':'Hello'}");
}

static void leaves(struct run_world *w)
{
    struct tc_run_watch *watch;

    run_world_start(w, "go");
    expect_ok(w->cx, tc_runs_watch(w->cx, w->runs, w->id, 0, &watch));
    tc_run_watch_close(watch); /* the run does not mind */
    tc_run_watch_close(NULL);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
}

void test_run_watch__whoever_watched_may_leave(void **state)
{
    (void)state;
    run_world(leaves, "", "{'deltas':['a'],'text':'a'}");
}

/* --- many --- */

enum { MANY = 200 };

static void many(struct run_world *w)
{
    struct tc_str ids[MANY];

    w->models.endless = w->models.forgetful = true;
    for (int i = 0; i < MANY; i++) {
        run_world_start(w, "go");
        ids[i] = w->id;
    }
    for (int i = 0; i < MANY; i++) {
        w->id = ids[i];
        if (!expect_text(tc_str_of(run_world_wait(w)), "completed"))
            break;
        expect_int(w->row.steps, 1);
    }
    expect_int(w->models.turns, MANY);
}

void test_run_watch__two_hundred_runs_at_once(void **state)
{
    (void)state;
    run_world(many, "", "{'text':'done'}\n");
}
