/*
 * Work on pool threads that allocates and fails.
 */
#include "support/task.h"

#include "runtime/offthread.h"

static enum tc_err make_text(struct tc_cx *cx, void *arg)
{
    struct tc_str *text = arg;

    *text = tc_arena_printf(cx->arena, "made %d", 7);
    return text->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err fail_text(struct tc_cx *cx, void *arg)
{
    (void)arg;
    tc_fail(cx, TC_E_IO, "no %s", "luck");
    return tc_fail_hint(cx, "try again");
}

static void both(struct tc_cx *cx, void *arg)
{
    struct tc_str text;
    (void)arg;

    expect_int(tc_offthread_run(cx, make_text, &text), TC_OK);
    expect_text(text, "made 7");
    expect_int(tc_offthread_run(cx, fail_text, NULL), TC_E_IO);
    expect_int(cx->err.code, TC_E_IO);
    expect_text(cx->err.message, "no luck");
    expect_text(cx->err.hint, "try again");
}

void test_offthread__hands_back_what_was_made_and_why_it_failed(void **state)
{
    (void)state;
    test_task_run(both, NULL);
}

static void cancelled(struct tc_cx *cx, void *arg)
{
    struct tc_str text = TC_STR("untouched");
    (void)arg;

    tc_task_cancel(cx->task, TC_E_CANCELED);
    expect_int(tc_offthread_run(cx, make_text, &text), TC_E_CANCELED);
    expect_text(text, "untouched");
}

void test_offthread__does_not_start_for_a_cancelled_task(void **state)
{
    (void)state;
    test_task_run(cancelled, NULL);
}
