#include "support/crib.h"

#include "base/clock.h"
#include "io/loop.h"
#include "runtime/overview.h"

static void totals(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_overview before = *tc_overview_get(cx, crib->runtime), after;

    expect_int(before.servers.total, 0);
    expect_int(before.tools, 2);
    expect_int(before.agents, 1);
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    after = *tc_overview_get(cx, crib->runtime);
    expect_int(after.servers.total, 1);
    expect_int(after.servers.up, 1);
    expect_int(after.servers.held, 0);
    expect(after.tools > before.tools);
    expect_int(after.toolsets, before.toolsets + 1);
    expect(after.revisions[TC_PULSE_SERVERS] > before.revisions[TC_PULSE_SERVERS]);
    expect(after.revisions[TC_PULSE_TOOLS] > before.revisions[TC_PULSE_TOOLS]);
    expect(after.revisions[TC_PULSE_AGENTS] > before.revisions[TC_PULSE_AGENTS]); /* it was given to one */
    expect_int(after.revisions[TC_PULSE_TOKENS], before.revisions[TC_PULSE_TOKENS]);
    expect_int(after.revisions[TC_PULSE_CALLS], before.revisions[TC_PULSE_CALLS]);
}

void test_overview__a_server_counts_with_its_tools_and_toolset(void **state)
{
    (void)state;
    test_crib_run(totals, NULL);
}

static void held(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.tools = "[{\"name\":\"one\",\"description\":\"Another one.\",\"inputSchema\":{\"type\":\"object\"}}]";
    expect_int(tc_servers_refresh(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    expect_int(tc_overview_get(cx, crib->runtime)->servers.held, 1);
    expect_int(tc_servers_approve(cx, crib->runtime->servers, &(struct tc_servers_approval){.name = TC_STR("s")}),
               TC_OK);
    expect_int(tc_overview_get(cx, crib->runtime)->servers.held, 0);
    expect_int(tc_servers_pause(cx, crib->runtime->servers, TC_STR("s"), true), TC_OK);
    expect_int(tc_overview_get(cx, crib->runtime)->servers.paused, 1);
    expect_int(tc_overview_get(cx, crib->runtime)->servers.up, 0);
    expect_int(tc_servers_remove(cx, crib->runtime->servers, TC_STR("s")), TC_OK);
    expect_int(tc_overview_get(cx, crib->runtime)->servers.total, 0);
}

void test_overview__held_definitions_and_states_of_servers_are_counted(void **state)
{
    (void)state;
    test_crib_run(held, NULL);
}

static void calls(struct tc_cx *cx, struct test_crib *crib)
{
    uint64_t before = tc_overview_get(cx, crib->runtime)->revisions[TC_PULSE_CALLS];
    struct tc_call_result result;
    int64_t first = 1;

    expect_int(tc_runtime_first_call(cx, crib->runtime, &first), TC_OK);
    expect_int(first, 0);
    expect_int(test_crib_call(cx, crib, "note_echo", "{\"text\":\"hello\"}", &result), TC_OK);
    expect(tc_overview_get(cx, crib->runtime)->revisions[TC_PULSE_CALLS] > before);
    expect_int(tc_runtime_first_call(cx, crib->runtime, &first), TC_OK);
    expect_int(first, test_crib_row(cx, crib).at);
}

void test_overview__each_call_counts_and_the_first_is_remembered(void **state)
{
    (void)state;
    test_crib_run(calls, NULL);
}

/* --- waiting --- */

static void pass(struct tc_cx *cx, int64_t ms)
{
    tc_loop_advance(tc_task_loop(cx), ms);
    test_crib_settle(cx);
}

struct watcher {
    struct test_crib *crib;
    int heard;
    int64_t last_us;
    enum tc_err ended;
};

static void watch_task(struct tc_cx *cx, void *arg)
{
    struct watcher *w = arg;
    uint64_t at = tc_overview_get(cx, w->crib->runtime)->beats;
    const struct tc_overview *o;

    while (!(w->ended = tc_overview_next(cx, w->crib->runtime, &at, 10 * 1000, &o))) {
        int64_t now = tc_clock_mono_us(cx->clock);
        expect(now - w->last_us >= (int64_t)TC_OVERVIEW_EVERY_MS * 1000);
        w->last_us = now;
        w->heard++;
    }
}

static void coalesced(struct tc_cx *cx, struct test_crib *crib)
{
    struct watcher watchers[2] = {{.crib = crib, .last_us = INT64_MIN / 2}, {.crib = crib, .last_us = INT64_MIN / 2}};
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 2; i++)
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "watcher", watch_task, &watchers[i]), TC_OK);
    test_crib_settle(cx);
    for (int i = 0; i < 100; i++) {
        tc_pulse_beat(&crib->runtime->pulse, TC_PULSE_CALLS);
        pass(cx, 10);
    }
    pass(cx, 1000);
    for (int i = 0; i < 2; i++)
        expect(watchers[i].heard >= 3 && watchers[i].heard <= 5); /* of one second */
    tc_pulse_close(&crib->runtime->pulse);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(watchers[0].ended, TC_E_SHUTDOWN);
    expect_int(watchers[1].ended, TC_E_SHUTDOWN);
}

void test_overview__many_changes_are_told_a_few_times(void **state)
{
    (void)state;
    test_crib_run_virtual(coalesced, NULL);
}

static void quiet(struct tc_cx *cx, struct test_crib *crib)
{
    struct watcher watcher = {.crib = crib, .last_us = INT64_MIN / 2};
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "watcher", watch_task, &watcher), TC_OK);
    test_crib_settle(cx);
    pass(cx, 5000);
    tc_pulse_beat(NULL, TC_PULSE_TOKENS);
    test_crib_settle(cx);
    expect_int(watcher.heard, 0);
    tc_pulse_beat(&crib->runtime->pulse, TC_PULSE_TOKENS);
    test_crib_settle(cx);
    expect_int(watcher.heard, 1); /* at once, the last was long ago */
    pass(cx, 10 * 1000);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(watcher.ended, TC_E_TIMEOUT);
    expect_int(watcher.heard, 1);
}

void test_overview__nothing_is_told_when_nothing_changed(void **state)
{
    (void)state;
    test_crib_run_virtual(quiet, NULL);
}
