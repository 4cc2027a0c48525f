#include "support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stores/journal.h"

struct bed {
    struct test_cx test;
    char *folder;
    const char *path;
    struct tc_journal journal;
    struct tc_buf record, read;
};

static void reopen(struct bed *bed)
{
    tc_journal_close(&bed->journal);
    assert_int_equal(tc_journal_open(&bed->test.cx, &bed->journal, bed->path), TC_OK);
}

static void bed_init(struct bed *bed)
{
    *bed = (struct bed){0};
    test_cx_init(&bed->test);
    bed->folder = test_tmpdir(&bed->test.arena);
    bed->path = tc_arena_cstr(&bed->test.arena, tc_arena_printf(&bed->test.arena, "%s/store", bed->folder));
    tc_buf_init(&bed->record, TC_JOURNAL_FILE_MAX);
    tc_buf_init(&bed->read, 4 * (size_t)TC_JOURNAL_FILE_MAX);
    reopen(bed);
}

static void bed_finish(struct bed *bed)
{
    tc_journal_close(&bed->journal);
    tc_buf_finish(&bed->record);
    tc_buf_finish(&bed->read);
    test_rmtree(bed->folder);
    test_cx_finish(&bed->test);
}

static bool append(struct bed *bed, struct tc_str text, uint64_t applied)
{
    size_t begun;

    tc_buf_clear(&bed->record);
    begun = tc_journal_begin(&bed->record);
    tc_buf_str(&bed->record, text);
    tc_journal_end(&bed->record, begun);
    return tc_journal_append(&bed->journal, &bed->record, applied);
}

/* A record that fills a quarter of a file, so that four do not fit. */
static bool append_big(struct bed *bed, char fill, uint64_t applied)
{
    size_t begun;

    tc_buf_clear(&bed->record);
    begun = tc_journal_begin(&bed->record);
    memset(tc_buf_reserve(&bed->record, TC_JOURNAL_FILE_MAX / 4), fill, TC_JOURNAL_FILE_MAX / 4);
    bed->record.n += TC_JOURNAL_FILE_MAX / 4;
    tc_journal_end(&bed->record, begun);
    return tc_journal_append(&bed->journal, &bed->record, applied);
}

/* The first bytes of the records that are read back, and the number of the first. */
static const char *found(struct bed *bed, uint64_t applied, uint64_t *ret_first)
{
    static char text[64];
    struct tc_str record;
    uint64_t number, n = 0;

    tc_buf_clear(&bed->read);
    *ret_first = 0;
    assert_int_equal(tc_journal_read(&bed->test.cx, &bed->journal, applied, &bed->read), TC_OK);
    for (size_t at = 0; tc_journal_next(tc_buf_get(&bed->read), &at, &record, &number); n++) {
        *ret_first = *ret_first ? *ret_first : number;
        assert_int_equal(number, *ret_first + n);
        text[n] = record.p[0];
    }
    text[n] = '\0';
    return text;
}

void test_journal__what_was_appended_is_read_after_a_reopening(void **state)
{
    struct bed bed;
    uint64_t first;
    struct stat st;
    (void)state;

    bed_init(&bed);
    assert_string_equal(found(&bed, 0, &first), "");
    assert_true(append(&bed, TC_STR("a, the first"), 0));
    assert_true(append(&bed, TC_STR("b"), 0));
    assert_true(append(&bed, TC_STR("c"), 0));
    reopen(&bed);
    assert_string_equal(found(&bed, 0, &first), "abc");
    assert_int_equal(first, 1);
    assert_string_equal(found(&bed, 2, &first), "c");
    assert_int_equal(first, 3);
    assert_string_equal(found(&bed, 3, &first), "");
    assert_int_equal(fstat(bed.journal.fds[0], &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    bed_finish(&bed);
}

void test_journal__a_torn_record_ends_the_reading(void **state)
{
    struct bed bed;
    uint64_t first;
    struct stat st;
    (void)state;

    bed_init(&bed);
    assert_true(append(&bed, TC_STR("a"), 0));
    assert_true(append(&bed, TC_STR("b and more"), 0));
    assert_int_equal(fstat(bed.journal.fds[0], &st), 0);
    for (off_t cut = 1; cut < TC_JOURNAL_FRAME + 10; cut++) {
        assert_int_equal(ftruncate(bed.journal.fds[0], st.st_size - cut), 0);
        assert_string_equal(found(&bed, 0, &first), "a");
    }
    bed_finish(&bed);
}

void test_journal__a_flipped_bit_ends_the_reading(void **state)
{
    struct bed bed;
    uint64_t first;
    struct stat st;
    uint8_t byte;
    (void)state;

    bed_init(&bed);
    assert_true(append(&bed, TC_STR("a"), 0));
    assert_true(append(&bed, TC_STR("b and more"), 0));
    assert_int_equal(fstat(bed.journal.fds[0], &st), 0);
    for (off_t at = TC_JOURNAL_FRAME + 1; at < st.st_size; at++) {
        assert_int_equal(pread(bed.journal.fds[0], &byte, 1, at), 1);
        byte ^= 1;
        assert_int_equal(pwrite(bed.journal.fds[0], &byte, 1, at), 1);
        if (at < TC_JOURNAL_FRAME + 1 + 4 || at >= TC_JOURNAL_FRAME + 1 + 8) /* four bytes of a frame say nothing */
            assert_string_equal(found(&bed, 0, &first), "a");
        byte ^= 1;
        assert_int_equal(pwrite(bed.journal.fds[0], &byte, 1, at), 1);
    }
    assert_string_equal(found(&bed, 0, &first), "ab");
    bed_finish(&bed);
}

void test_journal__files_take_turns_when_the_other_one_is_applied(void **state)
{
    struct bed bed;
    uint64_t first;
    (void)state;

    bed_init(&bed);
    for (const char *c = "abc"; *c; c++)
        assert_true(append_big(&bed, *c, 0));
    for (const char *c = "def"; *c; c++)
        assert_true(append_big(&bed, *c, 0));
    assert_false(append_big(&bed, 'x', 2)); /* the first file holds 3 */
    assert_string_equal(found(&bed, 0, &first), "abcdef");
    assert_true(append_big(&bed, 'g', 3));
    assert_string_equal(found(&bed, 3, &first), "defg"); /* b and c lie behind g */
    assert_int_equal(first, 4);
    assert_true(append_big(&bed, 'h', 3));
    reopen(&bed);
    assert_string_equal(found(&bed, 3, &first), "defgh");
    bed_finish(&bed);
}

void test_journal__numbers_go_on_after_clearing(void **state)
{
    struct bed bed;
    uint64_t first;
    (void)state;

    bed_init(&bed);
    assert_true(append(&bed, TC_STR("a"), 0));
    tc_journal_clear(&bed.journal, bed.journal.last);
    assert_string_equal(found(&bed, 0, &first), "");
    assert_true(append(&bed, TC_STR("b"), 1));
    assert_string_equal(found(&bed, 0, &first), "b");
    assert_int_equal(first, 2);
    bed_finish(&bed);
}

void test_journal__a_disk_that_refuses_changes_nothing(void **state)
{
    struct bed bed;
    uint64_t first;
    int good;
    (void)state;

    bed_init(&bed);
    assert_true(append(&bed, TC_STR("a"), 0));
    good = bed.journal.fds[0];
    bed.journal.fds[0] = open("/dev/full", O_RDWR);
    assert_true(bed.journal.fds[0] >= 0);
    assert_false(append(&bed, TC_STR("b"), 0));
    close(bed.journal.fds[0]);
    bed.journal.fds[0] = good;
    assert_true(append(&bed, TC_STR("c"), 0));
    assert_string_equal(found(&bed, 0, &first), "ac");
    bed_finish(&bed);
}

void test_journal__a_folder_that_is_not_there_is_named(void **state)
{
    struct test_cx test;
    struct tc_journal journal;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_journal_open(&test.cx, &journal, "/nonexistent/store"), TC_E_STORE_FAILED);
    assert_non_null(strstr(test.cx.err.message.p, "/nonexistent/store.calls-0"));
    tc_journal_close(&journal);
    test_cx_finish(&test);
}

/* What a reader with room for `room` bytes gets of the journal, piece by piece: the first
 * bytes of the records. */
static const char *fetched(struct bed *bed, struct tc_journal_place *place, size_t room)
{
    static char text[64];
    struct tc_str record;
    uint64_t number;
    size_t n = 0, before;

    tc_buf_finish(&bed->read);
    tc_buf_init(&bed->read, room);
    do {
        before = n;
        tc_buf_clear(&bed->read);
        assert_int_equal(tc_journal_fetch(&bed->test.cx, bed->journal.fds, bed->journal.parts, place, &bed->read),
                         TC_OK);
        for (size_t at = 0; tc_journal_next(tc_buf_get(&bed->read), &at, &record, &number); n++)
            text[n] = record.p[0];
    } while (n > before);
    text[n] = '\0';
    return text;
}

void test_journal__is_fetched_in_pieces_while_it_grows(void **state)
{
    struct tc_journal_place place = {.next = 1};
    struct bed bed;
    (void)state;

    bed_init(&bed);
    assert_string_equal(fetched(&bed, &place, 1024), "");
    assert_true(append(&bed, TC_STR("a"), 0) && append(&bed, TC_STR("b"), 0) && append(&bed, TC_STR("c"), 0));
    assert_string_equal(fetched(&bed, &place, 2 * (TC_JOURNAL_FRAME + 1)), "abc");
    assert_string_equal(fetched(&bed, &place, 1024), "");
    for (char c = 'd'; c <= 'i'; c++) /* three fit beside the small ones, the others begin the other file */
        assert_true(append_big(&bed, c, 3));
    assert_false(append_big(&bed, 'j', 3));
    assert_string_equal(fetched(&bed, &place, TC_JOURNAL_FILE_MAX), "defghi");
    assert_int_equal(place.next, 10);
    for (char c = 'j'; c <= 'l'; c++) /* over what the first file had */
        assert_true(append_big(&bed, c, 9));
    assert_string_equal(fetched(&bed, &place, TC_JOURNAL_FILE_MAX), "jkl");
    bed_finish(&bed);
}

void test_journal__a_damaged_record_is_not_fetched(void **state)
{
    struct tc_journal_place place = {.next = 1};
    struct bed bed;
    (void)state;

    bed_init(&bed);
    assert_true(append(&bed, TC_STR("good"), 0) && append(&bed, TC_STR("bad"), 0));
    assert_int_equal(pwrite(bed.journal.fds[0], "B", 1, (off_t)bed.journal.parts[0].end - 3), 1);
    assert_int_equal(tc_journal_fetch(&bed.test.cx, bed.journal.fds, bed.journal.parts, &place, &bed.read), TC_OK);
    assert_int_equal(place.next, 2);
    assert_int_equal(tc_journal_fetch(&bed.test.cx, bed.journal.fds, bed.journal.parts, &place, &bed.read),
                     TC_E_STORE_FAILED);
    assert_str(bed.test.cx.err.message, "The store's journal is damaged at record 2.");
    bed_finish(&bed);
}
