#include "runtime/run_journal.h"

#include "runtime/runs.h"
#include "stores/memory.h"
#include "support/faulty_store.h"
#include "support/task.h"

/* A journal in the middle of turn 3, and watchers of it, without a store. */
static void begin(struct tc_run_journal *journal)
{
    *journal = (struct tc_run_journal){.turn = 3, .told_turn = 2};
    tc_run_journal_init(journal);
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

/* --- steps --- */

/* A run on a tape of its own, on a store that can fail. */
struct bed {
    struct tc_cx *cx;
    struct tc_store *memory;
    struct faulty_store store;
    struct tc_run_row row;
    struct tc_tape tape;
    struct tc_run_journal journal;
};

static bool open_bed(struct tc_cx *cx, struct bed *bed)
{
    const struct tc_tape_new session = {TC_STR("ann"), TC_STR("s"), TC_STR("")};
    struct tc_tape_row tape;

    *bed = (struct bed){.cx = cx, .row = {.id = TC_STR("r"), .status = TC_STR("running")}};
    if (!expect_int(tc_memory_open(cx, &bed->memory), TC_OK))
        return false;
    faulty_store_init(&bed->store, bed->memory);
    expect_int(tc_tape_create(cx, bed->memory, &session, &tape), TC_OK);
    expect_int(tc_tape_claim(cx, bed->memory, tape.id, bed->row.id), TC_OK);
    bed->row.tape = tape.id;
    expect_int(bed->memory->runs->create(cx, bed->memory, &bed->row), TC_OK);
    expect_int(tc_tape_open(cx, &bed->store.port, tape.id, &bed->tape), TC_OK);
    bed->journal = (struct tc_run_journal){.store = &bed->store.port, .tape = &bed->tape, .run = bed->row.id,
                                           .invocation = TC_STR("i"), .turn = 1};
    tc_run_journal_init(&bed->journal);
    bed->store.count = 0;
    return true;
}

static void close_bed(struct bed *bed)
{
    tc_run_journal_finish(&bed->journal);
    tc_tape_finish(&bed->tape);
    bed->memory->close(bed->cx, bed->memory);
    faulty_store_finish(&bed->store);
}

/* Types of the stored events, and kinds of the stored entries behind the anchor. */
static struct tc_str stored(struct bed *bed)
{
    struct tc_tape_entry *entries;
    struct tc_run_event *events;
    struct tc_buf buf;
    struct tc_str text;
    size_t n;

    tc_buf_init(&buf, 4096);
    expect_int(bed->memory->runs->events(bed->cx, bed->memory, bed->row.id, 0, 0, 100, &events, &n), TC_OK);
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(&buf, "%.*s ", TC_STR_ARG(events[i].type));
    tc_buf_char(&buf, '|');
    expect_int(bed->memory->tapes->entries(bed->cx, bed->memory, bed->row.tape, 2, 99, 99, &entries, &n), TC_OK);
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(&buf, " %.*s", TC_STR_ARG(entries[i].json));
    text = tc_buf_dup(&buf, bed->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static void note(struct bed *bed, const char *type)
{
    expect_int(tc_run_journal_note(bed->cx, &bed->journal, type, TC_STR("{}")), TC_OK);
}

static void keep(struct bed *bed, const char *json)
{
    const struct tc_tape_write write = {TC_TAPE_NOTE, tc_str_of(json)};

    expect_int(tc_run_journal_keep(bed->cx, &bed->journal, &write, 1), TC_OK);
}

static void one_step(struct tc_cx *cx, void *arg)
{
    struct tc_run_row row;
    struct bed bed;

    (void)arg;
    if (!open_bed(cx, &bed))
        return;
    note(&bed, "a");
    keep(&bed, "{\"n\":1}");
    note(&bed, "text");
    keep(&bed, "{\"n\":2}");
    bed.row.steps = 7;
    tc_run_journal_row(&bed.journal, &bed.row);
    expect_int(bed.tape.n, 3);
    expect_int(bed.tape.last, 3);
    expect_int(bed.store.count, 0);
    expect_text(stored(&bed), "|");
    expect_int(tc_run_journal_flush(cx, &bed.journal), TC_OK);
    expect_int(bed.store.count, 1);
    expect_text(stored(&bed), "a text | {\"n\":1} {\"n\":2}");
    expect_int(bed.journal.last, 2);
    expect_int(bed.journal.told_turn, 1);
    expect_int(bed.memory->runs->get(cx, bed.memory, bed.row.id, &row), TC_OK);
    expect_int(row.steps, 7);
    expect_int(tc_run_journal_flush(cx, &bed.journal), TC_OK); /* there is nothing */
    expect_int(bed.store.count, 1);
    close_bed(&bed);
}

void test_run_journal__what_was_noted_is_stored_in_one_step(void **state)
{
    (void)state;
    test_task_run(one_step, NULL);
}

static void failed_step(struct tc_cx *cx, void *arg)
{
    struct tc_tape_row tape;
    struct bed bed;

    (void)arg;
    if (!open_bed(cx, &bed))
        return;
    note(&bed, "a");
    keep(&bed, "{\"n\":1}");
    bed.store.fail_at = 1;
    expect_int(tc_run_journal_flush(cx, &bed.journal), TC_E_STORE_FAILED);
    expect_text(stored(&bed), "|");
    note(&bed, "b");
    keep(&bed, "{\"n\":2}");
    tc_run_journal_let_go(&bed.journal);
    expect_int(tc_run_journal_flush(cx, &bed.journal), TC_OK);
    expect_text(stored(&bed), "a b | {\"n\":1} {\"n\":2}");
    expect_int(bed.memory->tapes->get(cx, bed.memory, bed.row.tape, &tape), TC_OK);
    expect_text(tape.run, "");
    note(&bed, "c");
    tc_run_journal_drop(&bed.journal);
    expect_int(tc_run_journal_flush(cx, &bed.journal), TC_OK);
    expect_text(stored(&bed), "a b | {\"n\":1} {\"n\":2}");
    close_bed(&bed);
}

void test_run_journal__what_could_not_be_stored_goes_with_the_next_step(void **state)
{
    (void)state;
    test_task_run(failed_step, NULL);
}

static void add_beside(struct tc_cx *cx, void *arg)
{
    struct bed *bed = arg;

    expect_int(tc_run_journal_add(cx, &bed->journal, "beside", TC_STR("{}")), TC_OK);
    expect(tc_str_find(stored(bed), TC_STR("beside")) != SIZE_MAX);
}

/* The store lets other tasks run while it writes. */
static void beside(struct tc_cx *cx, void *arg)
{
    struct tc_task_group group;
    struct bed bed;

    (void)arg;
    if (!open_bed(cx, &bed))
        return;
    tc_task_group_init(&group, tc_task_loop(cx));
    note(&bed, "first");
    for (int i = 0; i < 5; i++)
        expect_int(tc_task_spawn(cx, group.loop, &group, "beside", add_beside, &bed), TC_OK);
    expect_int(tc_run_journal_flush(cx, &bed.journal), TC_OK);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_text(stored(&bed), "first beside beside beside beside beside |");
    expect_int(bed.store.count, 2); /* the five shared one */
    expect_int(bed.journal.last, 6);
    close_bed(&bed);
}

void test_run_journal__tasks_beside_each_other_share_a_step(void **state)
{
    (void)state;
    test_task_run(beside, NULL);
}
