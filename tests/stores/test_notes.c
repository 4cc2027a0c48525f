#include "support/task.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "stores/notes.h"

enum { TASKS = 20 };

struct bed {
    struct tc_notes notes; /* first: what is written is told by its address */
    unsigned writes, records;
    size_t bytes;
    struct tc_task_group group;
    size_t size; /* of each record, or 0: its number */
    int noted, refused;
    enum tc_err after; /* the cancellation that a task saw behind its note */
    char *folder;
    const char *path;
};

static void on_written(struct tc_notes *notes, unsigned n, size_t bytes)
{
    struct bed *bed = (struct bed *)notes;

    bed->writes++;
    bed->records += n;
    bed->bytes += bytes;
}

static void bed_init(struct tc_cx *cx, struct bed *bed)
{
    struct tc_journal journal;

    *bed = (struct bed){.folder = test_tmpdir(cx->arena)};
    bed->path = tc_arena_printf(cx->arena, "%s/store", bed->folder).p;
    expect_int(tc_journal_open(cx, &journal, bed->path), TC_OK);
    tc_notes_init(&bed->notes, tc_task_loop(cx), &journal, on_written);
    tc_task_group_init(&bed->group, tc_task_loop(cx));
}

static void bed_finish(struct bed *bed)
{
    tc_notes_finish(&bed->notes);
    test_rmtree(bed->folder);
}

static void note(struct tc_cx *cx, void *arg)
{
    struct bed *bed = arg;
    struct tc_buf *record = tc_notes_record(&bed->notes);

    if (bed->size && tc_buf_reserve(record, bed->size)) {
        memset(record->p + record->n, 'x', bed->size);
        record->n += bed->size;
    } else {
        tc_buf_printf(record, "%d", bed->noted + bed->refused);
    }
    if (tc_notes_put(cx, &bed->notes))
        bed->noted++;
    else
        bed->refused++;
    bed->after = tc_task_check(cx);
}

static void note_all(struct tc_cx *cx, struct bed *bed, int tasks)
{
    for (int i = 0; i < tasks; i++)
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &bed->group, "note", note, bed), TC_OK);
    expect_int(tc_task_join(cx, &bed->group), TC_OK);
}

/* How many records a later opening finds, all of them in order. */
static unsigned found(struct tc_cx *cx, struct bed *bed)
{
    struct tc_journal journal;
    struct tc_buf read;
    struct tc_str record;
    uint64_t number;
    unsigned n = 0;

    tc_buf_init(&read, 4 * (size_t)TC_JOURNAL_FILE_MAX);
    expect_int(tc_journal_open(cx, &journal, bed->path), TC_OK);
    expect_int(tc_journal_read(cx, &journal, 0, &read), TC_OK);
    for (size_t at = 0; tc_journal_next(tc_buf_get(&read), &at, &record, &number);)
        expect_int(number, ++n);
    tc_journal_close(&journal);
    tc_buf_finish(&read);
    return n;
}

static void note_in_one_turn(struct tc_cx *cx, void *arg)
{
    struct bed bed;

    (void)arg;
    bed_init(cx, &bed);
    note_all(cx, &bed, TASKS);
    expect_int(bed.noted, TASKS);
    expect_int(bed.writes, 1);
    expect_int(bed.records, TASKS);
    expect_int(found(cx, &bed), TASKS);
    note(cx, &bed);
    expect_int(bed.writes, 2);
    expect_int(found(cx, &bed), TASKS + 1);
    bed_finish(&bed);
}

void test_notes__of_one_turn_are_written_together(void **state)
{
    (void)state;
    test_task_run(note_in_one_turn, NULL);
}

static void note_much(struct tc_cx *cx, void *arg)
{
    struct bed bed;

    (void)arg;
    bed_init(cx, &bed);
    bed.size = 100 * 1000;
    note_all(cx, &bed, TASKS);
    expect_int(bed.noted, TASKS);
    expect_int(bed.writes, TASKS / 2); /* the second one is over the bound of what waits */
    expect_int(bed.bytes, TASKS * (bed.size + TC_JOURNAL_FRAME));
    expect_int(found(cx, &bed), TASKS);
    bed_finish(&bed);
}

void test_notes__are_written_before_they_are_too_many(void **state)
{
    (void)state;
    test_task_run(note_much, NULL);
}

static void note_on_a_full_disk(struct tc_cx *cx, void *arg)
{
    struct bed bed;
    int good;

    (void)arg;
    bed_init(cx, &bed);
    good = bed.notes.journal.fds[0];
    bed.notes.journal.fds[0] = open("/dev/full", O_RDWR);
    expect(bed.notes.journal.fds[0] >= 0);
    note_all(cx, &bed, TASKS);
    expect_int(bed.refused, TASKS);
    expect_int(bed.writes, 0);
    close(bed.notes.journal.fds[0]);
    bed.notes.journal.fds[0] = good;
    note_all(cx, &bed, TASKS);
    expect_int(bed.noted, TASKS);
    expect_int(bed.writes, 1);
    expect_int(found(cx, &bed), TASKS);
    bed_finish(&bed);
}

void test_notes__that_a_disk_refuses_are_refused_all(void **state)
{
    (void)state;
    test_task_run(note_on_a_full_disk, NULL);
}

static void note_what_is_too_large(struct tc_cx *cx, void *arg)
{
    struct bed bed;

    (void)arg;
    bed_init(cx, &bed);
    bed.size = 1000 * 1000;
    note_all(cx, &bed, 3);
    expect_int(bed.refused, 3);
    expect_int(bed.writes, 0);
    bed.size = 0;
    note_all(cx, &bed, 3);
    expect_int(bed.noted, 3);
    expect_int(found(cx, &bed), 3);
    bed_finish(&bed);
}

void test_notes__that_find_no_memory_are_refused(void **state)
{
    (void)state;
    test_task_run(note_what_is_too_large, NULL);
}

static void cancel_notes(struct tc_cx *cx, void *arg)
{
    struct bed bed;

    (void)arg;
    bed_init(cx, &bed);
    for (int i = 0; i < TASKS; i++)
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &bed.group, "note", note, &bed), TC_OK);
    tc_task_yield(cx); /* they have gathered by now */
    expect_int(bed.writes, 0);
    tc_task_group_cancel(&bed.group, TC_E_CANCELED);
    tc_task_join(cx, &bed.group);
    expect_int(bed.noted, TASKS);
    expect_int(bed.after, TC_E_CANCELED);
    expect_int(bed.writes, 1);
    expect_int(found(cx, &bed), TASKS);
    bed_finish(&bed);
}

void test_notes__of_cancelled_tasks_are_written_and_waited_for(void **state)
{
    (void)state;
    test_task_run(cancel_notes, NULL);
}

static int64_t leap(const struct tc_clock *clock)
{
    static int64_t now;

    (void)clock;
    return now += 30 * 1000;
}

static void note_on_a_slow_disk(struct tc_cx *cx, void *arg)
{
    static const struct tc_clock slow = {.wall_ms = leap, .mono_us = leap};
    const struct tc_clock *kept = cx->clock;
    struct bed bed;

    (void)arg;
    bed_init(cx, &bed);
    cx->clock = &slow; /* each look at it is 30 ms later */
    note(cx, &bed);
    expect_int(bed.noted, 1);
    for (int i = 0; i < 66; i++) /* 2 s */
        note(cx, &bed);
    expect_int(bed.refused, 66);
    note(cx, &bed);
    expect_int(bed.noted, 2);
    cx->clock = kept;
    expect_int(found(cx, &bed), 2);
    bed_finish(&bed);
}

void test_notes__rest_when_the_disk_was_slow(void **state)
{
    (void)state;
    test_task_run(note_on_a_slow_disk, NULL);
}
