#include "runtime/run_journal.h"

#include "runtime/runs.h"
#include "support/task.h"

/* A journal in the middle of turn 3, and watchers of it, without a store. */
static void begin(struct tc_run_journal *journal)
{
    *journal = (struct tc_run_journal){.turn = 3, .told_turn = 2};
    tc_buf_init(&journal->said.text, TC_RUN_JOURNAL_DELTAS);
}

static void watch_it(struct tc_run_journal *journal, struct tc_run_watch *watch)
{
    *watch = (struct tc_run_watch){0};
    tc_buf_init(&watch->deltas.text, TC_RUN_JOURNAL_DELTAS);
    tc_run_journal_watch(journal, watch);
}

/* The text that has come meanwhile; empty when none has. */
static struct tc_str heard(struct tc_cx *cx, struct tc_run_watch *watch)
{
    const struct tc_json *data;
    struct tc_run_event *events;
    size_t n;
    enum tc_err e = tc_run_watch_next(cx, watch, 0, &events, &n);

    if (e == TC_E_TIMEOUT)
        return TC_STR("");
    expect_int(e, TC_OK);
    expect_int(n, 1);
    expect_int(events[0].seq, 0);
    expect(tc_str_is(events[0].type, "text_delta"));
    expect_int(tc_json_parse_root(cx, events[0].json, NULL, &data), TC_OK);
    return tc_json_str(tc_json_get_c(data, "text"));
}

static void late_watch(struct tc_cx *cx, void *arg)
{
    struct tc_run_watch early, late;
    struct tc_run_journal journal;

    (void)arg;
    begin(&journal);
    watch_it(&journal, &early);
    tc_run_journal_delta(&journal, TC_STR("Good "));
    expect_text(heard(cx, &early), "Good ");
    tc_run_journal_delta(&journal, TC_STR("morn"));
    watch_it(&journal, &late);
    tc_run_journal_delta(&journal, TC_STR("ing"));
    expect_text(heard(cx, &early), "morning");
    expect_text(heard(cx, &late), "Good morning");
    expect_text(heard(cx, &late), "");
    tc_run_journal_void(&journal); /* the model begins again */
    tc_run_journal_delta(&journal, TC_STR("Hello"));
    expect_text(heard(cx, &early), "Hello");
    journal.turn = 4;
    journal.told_turn = 3;
    tc_run_journal_delta(&journal, TC_STR("Next"));
    expect_text(heard(cx, &late), "Next");
    tc_buf_finish(&early.deltas.text);
    tc_buf_finish(&late.deltas.text);
    tc_run_journal_finish(&journal);
}

void test_run_journal__who_comes_late_hears_the_text_from_its_beginning(void **state)
{
    (void)state;
    test_task_run(late_watch, NULL);
}

static void slow_watch(struct tc_cx *cx, void *arg)
{
    static char piece[TC_RUN_JOURNAL_DELTAS - 2];
    struct tc_run_watch slow, late;
    struct tc_run_journal journal;

    (void)arg;
    memset(piece, 'x', sizeof piece);
    begin(&journal);
    watch_it(&journal, &slow);
    tc_run_journal_delta(&journal, tc_str_n(piece, sizeof piece));
    tc_run_journal_delta(&journal, TC_STR("long"));
    tc_run_journal_delta(&journal, TC_STR("y")); /* would fit, but behind a gap */
    expect_int(heard(cx, &slow).n, sizeof piece);
    tc_run_journal_delta(&journal, TC_STR("z"));
    expect_text(heard(cx, &slow), "");
    watch_it(&journal, &late);
    expect_text(heard(cx, &late), "");
    tc_buf_finish(&slow.deltas.text);
    tc_buf_finish(&late.deltas.text);
    tc_run_journal_finish(&journal);
}

void test_run_journal__who_is_too_slow_hears_no_text_with_a_gap(void **state)
{
    (void)state;
    test_task_run(slow_watch, NULL);
}
