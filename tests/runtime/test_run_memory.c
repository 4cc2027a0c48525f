/* What a run leaves behind: nothing in memory, and in the store nothing that retention does
 * not take. */
#include "support/run_world.h"

#include <malloc.h>

#include "runtime/retention.h"

/* The allocator counts what it keeps for the next one as in use, and that moves a little. A
 * leak of the smallest allocation a run is in each round, though. */
enum { MANY = 500, WARM_UP = 4, ROUNDS = 6, LEEWAY = MANY * 16 };

static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

#define TALK                                                                                                           \
    "{'text':'I roll.','calls':[{'id':'aaaaaaaaa','name':'dice_roll','arguments':{'formula':'d6'}},"                   \
    "{'id':'bbbbbbbbb','name':'dice_roll','arguments':{'formula':'d8'}}]}\n{'text':'done'}"

static void run_one(struct run_world *w, int i)
{
    static const char *const ends[] = {TALK, "{'error':'model.overloaded','message':'Later.'}"};
    struct tc_cx *cx = w->cx;
    struct tc_arena arena;
    struct tc_cx of_run = {.arena = &arena, .clock = cx->clock, .task = cx->task};

    tc_arena_init(&arena, 0);
    w->cx = &of_run;
    w->models.script = ends[i % 10 == 9];
    w->request.session = i % 7 ? TC_STR("") : TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "go")), i % 10 == 9 ? "failed" : "completed");
    w->cx = cx;
    tc_arena_finish(&arena);
}

/* All that was stored goes, but the session, which is handed off. */
static size_t run_many(struct run_world *w)
{
    const struct tc_retention now = {0};
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = w->cx->clock, .task = w->cx->task};
    struct tc_tape_row tape;

    for (int i = 0; i < MANY; i++)
        run_one(w, i);
    tc_arena_init(&arena, 0);
    expect_ok(&cx, tc_task_sleep(&cx, 2)); /* what ended in this very millisecond is older then */
    expect_ok(&cx, w->t.memory->tapes->find(&cx, w->t.memory, TC_STR("work"), TC_STR("s"), &tape));
    expect_ok(&cx, w->t.memory->tapes->remove(&cx, w->t.memory, tape.id));
    expect_ok(&cx, tc_retention_run(&cx, w->t.runtime, &now));
    tc_arena_finish(&arena);
    w->t.store.intents_n = 0;
    return in_use();
}

static void leaves_nothing(struct run_world *w)
{
    size_t before = 0, after = 0;
    bool grew = true;

    w->models.forgetful = true;
    for (int i = 0; i < WARM_UP; i++)
        after = run_many(w);
    for (int i = 0; grew && i < ROUNDS; i++) {
        before = after;
        after = run_many(w);
        grew = after > before + LEEWAY;
    }
    if (!expect(!grew))
        print_error("%zu bytes before the last %d runs, %zu after them\n", before, MANY, after);
}

void test_run_memory__a_thousand_runs_leave_nothing(void **state)
{
    (void)state;
    run_world(leaves_nothing, "'toolsets':['chat']", "");
}
