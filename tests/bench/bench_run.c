/*
 * The loop's own cost: a turn with one call, on a model that answers at once and a tool
 * that does nothing to speak of, on the memory store; and many runs
 * at once.
 */
#include <stdio.h>

#include "base/clock.h"
#include "support/run_world.h"

enum { TURNS = 50 /* as many as an agent has by default */, AGAIN = 20, MANY = 200 };

static int64_t now_us(struct run_world *w)
{
    return tc_clock_mono_us(w->cx->clock);
}

static void one_run(struct run_world *w)
{
    int64_t began, spent, turns = 0;

    w->models.endless = w->models.forgetful = true;
    began = now_us(w);
    for (int i = 0; i < AGAIN; i++) {
        run_world_run(w, "go");
        turns += w->row.steps;
    }
    spent = now_us(w) - began;
    printf("  %d runs of %d turns with one call each: %.3f ms a turn\n", AGAIN, TURNS,
           (double)spent / 1000 / (double)turns);
}

static void many_runs(struct run_world *w)
{
    static struct tc_str ids[MANY];
    int64_t began, spent, turns = 0;

    w->models.endless = w->models.forgetful = true;
    began = now_us(w);
    for (int i = 0; i < MANY; i++) {
        run_world_start(w, "go");
        ids[i] = w->id;
    }
    for (int i = 0; i < MANY; i++) {
        w->id = ids[i];
        run_world_wait(w);
        turns += w->row.steps;
    }
    spent = now_us(w) - began;
    printf("  %d runs at once, %lld turns: %.3f ms a turn, %.1f ms in all\n", MANY, (long long)turns,
           (double)spent / 1000 / (double)turns, (double)spent / 1000);
}

#define DICE "{'calls':[{'name':'dice_roll','arguments':{'formula':'d6'}}]}\n"

int main(void)
{
    char guards[64];

    snprintf(guards, sizeof guards, "'toolsets':['chat'],'guards':{'maxSteps':%d}", TURNS);
    printf("run\n");
    run_world(one_run, guards, DICE);
    run_world(many_runs, "'toolsets':['chat'],'guards':{'maxSteps':5}", DICE);
    return 0;
}
