/*
 * Calls of one message, one after another and beside each other.
 */
#include "runtime/beside.h"

#include <stdio.h>

#include "support/task.h"
#include "support/test.h"

struct play {
    const char *kinds;     /* a letter a call: b bears others, B too and faults, a stands alone, A too and faults */
    char told[256];        /* "0< 0> ": begun, ended */
    size_t under_way, most;
    struct tc_str kept[64];
};

static void tell(struct play *p, size_t i, char what)
{
    size_t n = strlen(p->told);

    snprintf(p->told + n, sizeof p->told - n, "%zu%c ", i, what);
}

static enum tc_err call(struct tc_cx *cx, void *arg, size_t i, struct tc_arena *keep)
{
    struct play *p = arg;
    char kind = p->kinds[i];
    enum tc_err e = TC_OK;

    tell(p, i, '<');
    p->under_way++;
    p->most = p->under_way > p->most ? p->under_way : p->most;
    for (size_t k = i; k < strlen(p->kinds) && !e; k++) /* the first one takes longest */
        e = tc_task_yield(cx);
    p->under_way--;
    tell(p, i, '>');
    p->kept[i] = tc_arena_printf(keep, "kept %zu", i);
    if (!e && (kind == 'A' || kind == 'B')) {
        tc_fail(cx, TC_E_BUSY, "Call %zu found no room.", i);
        e = tc_fail_hint(cx, "Wait for %zu.", i);
    }
    return e;
}

static bool may(void *arg, size_t i)
{
    const struct play *p = arg;

    return p->kinds[i] == 'b' || p->kinds[i] == 'B';
}

static enum tc_err play(struct tc_cx *cx, struct play *p, int64_t limit)
{
    struct tc_runtime runtime = {.loop = tc_task_loop(cx), .calls_per_token = limit};
    const struct tc_beside what = {&runtime, "one of several", call, may, p};

    return tc_beside_run(cx, &what, strlen(p->kinds));
}

static void order_task(struct tc_cx *cx, void *arg)
{
    struct play p = {.kinds = "abbabb"};

    (void)arg;
    expect_int(play(cx, &p, 64), TC_OK);
    expect_text(tc_str_of(p.told), "0< 0> 1< 2< 2> 1> 3< 3> 4< 5< 5> 4> ");
    for (size_t i = 0; i < 6; i++)
        expect_text(p.kept[i], tc_arena_printf(cx->arena, "kept %zu", i).p);
}

void test_beside__only_neighbours_that_bear_each_other_overlap(void **state)
{
    (void)state;
    test_task_run(order_task, NULL);
}

static void width_task(struct tc_cx *cx, void *arg)
{
    struct play p = {.kinds = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}, narrow = {.kinds = "bbbbb"},
                single = {.kinds = "bbb"};

    (void)arg;
    expect_int(play(cx, &p, 64), TC_OK);
    expect_int(p.most, 16);
    expect_text(p.kept[39], "kept 39");
    expect_int(play(cx, &narrow, 2), TC_OK);
    expect_int(narrow.most, 2);
    expect_int(play(cx, &single, 1), TC_OK);
    expect_text(tc_str_of(single.told), "0< 0> 1< 1> 2< 2> ");
}

void test_beside__no_more_at_once_than_a_client_may_have(void **state)
{
    (void)state;
    test_task_run(width_task, NULL);
}

static void fault_task(struct tc_cx *cx, void *arg)
{
    struct play p = {.kinds = "bBBb-"}, alone = {.kinds = "Ab"};

    (void)arg;
    expect_int(play(cx, &p, 64), TC_E_BUSY);
    expect_text(cx->err.message, "Call 1 found no room."); /* of two, though 2 ended before it */
    expect_text(cx->err.hint, "Wait for 1.");
    expect_text(tc_str_of(p.told), "0< 1< 2< 3< 3> 2> 1> 0> ");
    expect_int(play(cx, &alone, 64), TC_E_BUSY);
    expect_text(tc_str_of(alone.told), "0< 0> ");
}

void test_beside__a_fault_lets_nothing_else_begin(void **state)
{
    (void)state;
    test_task_run(fault_task, NULL);
}

struct cancelled {
    struct play play;
    enum tc_err e;
    struct tc_task *task;
};

static void cancelled_task(struct tc_cx *cx, void *arg)
{
    struct cancelled *c = arg;

    c->e = play(cx, &c->play, 64);
}

static void cancel_task(struct tc_cx *cx, void *arg)
{
    struct cancelled c = {.play.kinds = "bbb-"};
    struct tc_task_group group;

    (void)arg;
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "several", cancelled_task, &c, &c.task), TC_OK);
    expect_int(tc_task_yield(cx), TC_OK);
    expect_int(tc_task_yield(cx), TC_OK);
    tc_task_cancel(c.task, TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(c.e, TC_E_CANCELED);
    expect_int(c.play.under_way, 0);
    expect_text(tc_str_of(c.play.told), "0< 1< 2< 0> 1> 2> ");
}

void test_beside__who_is_cancelled_waits_for_what_it_began(void **state)
{
    (void)state;
    test_task_run(cancel_task, NULL);
}

void test_beside__a_tool_bears_others_when_it_changes_nothing_or_says_so(void **state)
{
    struct tc_descriptor tool = {.flags = TC_TOOL_READ_ONLY};

    (void)state;
    expect(tc_beside_bears(&tool));
    tool.flags = TC_TOOL_CONCURRENT;
    expect(tc_beside_bears(&tool));
    tool.flags = TC_TOOL_CONCURRENT | TC_TOOL_CONTROL;
    expect(!tc_beside_bears(&tool));
    tool.flags = TC_TOOL_IDEMPOTENT;
    expect(!tc_beside_bears(&tool));
}
