/*
 * Frames: 4 bytes length of the contents, 4 bytes zero, 8 bytes number, 8 bytes
 * checksum of all the rest, little-endian as the machine is: the files never leave it.
 */
#include "stores/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

struct frame {
    uint32_t length, zero;
    uint64_t number, checksum;
};
_Static_assert(sizeof(struct frame) == TC_JOURNAL_FRAME, "a frame has no gaps");

/* Tells a torn write from a whole one; it need not withstand an enemy. */
static uint64_t checksum(const struct frame *frame, struct tc_str contents)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t sum = (frame->number ^ frame->length) * factor, word;
    size_t i;

    for (i = 0; i + sizeof word <= contents.n; i += sizeof word) {
        memcpy(&word, contents.p + i, sizeof word);
        sum = (sum ^ word) * factor;
        sum ^= sum >> 32;
    }
    word = 0;
    memcpy(&word, contents.p + i, contents.n - i);
    sum = (sum ^ word) * factor;
    return sum ^ sum >> 29;
}

/* --- files --- */

static enum tc_err fail_file(struct tc_cx *cx, const char *what, const char *name)
{
    tc_fail(cx, TC_E_STORE_FAILED, "The store's journal %s cannot be %s: %s.", name, what, strerror(errno));
    return tc_fail_hint(cx, "Check owner and mode of the file and of its folder.");
}

enum tc_err tc_journal_open(struct tc_cx *cx, struct tc_journal *journal, const char *path)
{
    char name[PATH_MAX];

    *journal = (struct tc_journal){.fds = {-1, -1}};
    for (int i = 0; i < TC_JOURNAL_FILES; i++) {
        if (snprintf(name, sizeof name, "%s.calls-%d", path, i) >= (int)sizeof name)
            return tc_fail(cx, TC_E_STORE_FAILED, "The path of the store is too long.");
        journal->fds[i] = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (journal->fds[i] < 0) {
            fail_file(cx, "opened", name);
            tc_journal_close(journal);
            return TC_E_STORE_FAILED;
        }
    }
    return TC_OK;
}

void tc_journal_close(struct tc_journal *journal)
{
    for (int i = 0; i < TC_JOURNAL_FILES; i++) {
        if (journal->fds[i] > 0)
            close(journal->fds[i]);
        journal->fds[i] = -1;
    }
}

static enum tc_err read_file(struct tc_cx *cx, int fd, struct tc_buf *to)
{
    struct stat st;
    char *room;
    ssize_t n = 1;

    if (fstat(fd, &st) != 0)
        return fail_file(cx, "read", "file");
    for (off_t at = 0; n > 0 && at < st.st_size; at += n) {
        size_t want = (size_t)(st.st_size - at);

        room = tc_buf_reserve(to, want);
        if (!room)
            return tc_fail_memory(cx);
        n = pread(fd, room, want, at);
        if (n < 0)
            return fail_file(cx, "read", "file");
        to->n += (size_t)n;
    }
    return TC_OK;
}

/* Steps over the frame at *at; false when it is not all there. */
static bool next_frame(struct tc_str text, size_t *at, struct frame *ret_frame, struct tc_str *ret_contents)
{
    struct tc_str left = tc_str_from(text, *at);

    if (left.n < sizeof *ret_frame)
        return false;
    memcpy(ret_frame, left.p, sizeof *ret_frame);
    if (ret_frame->length > left.n - sizeof *ret_frame)
        return false;
    *ret_contents = tc_str_n(left.p + sizeof *ret_frame, ret_frame->length);
    *at += sizeof *ret_frame + ret_frame->length;
    return true;
}

bool tc_journal_next(struct tc_str records, size_t *at, struct tc_str *ret_record, uint64_t *ret_number)
{
    struct frame frame;
    bool found = next_frame(records, at, &frame, ret_record);

    if (found)
        *ret_number = frame.number;
    return found;
}

/* The same where nobody has looked yet: the record must be as it was written. */
static bool next_sound(struct tc_str file, size_t *at, struct tc_str *ret_record, uint64_t *ret_number)
{
    struct frame frame;

    if (!next_frame(file, at, &frame, ret_record) || frame.checksum != checksum(&frame, *ret_record))
        return false;
    *ret_number = frame.number;
    return true;
}

/* The whole records at the front of a file, those up to `applied` left out. */
static void keep_rising(struct tc_str file, uint64_t applied, struct tc_buf *to, uint64_t *ret_first,
                        uint64_t *ret_last)
{
    struct tc_str contents;
    uint64_t number;

    *ret_first = *ret_last = 0;
    for (size_t at = 0, from = 0; next_sound(file, &at, &contents, &number) && number > *ret_last; from = at) {
        if (number > applied) {
            tc_buf_add(to, file.p + from, at - from);
            *ret_first = *ret_first ? *ret_first : number;
        }
        *ret_last = number;
    }
}

enum tc_err tc_journal_read(struct tc_cx *cx, struct tc_journal *journal, uint64_t applied, struct tc_buf *records)
{
    struct tc_buf files[TC_JOURNAL_FILES], kept[TC_JOURNAL_FILES];
    uint64_t firsts[TC_JOURNAL_FILES];
    enum tc_err err = TC_OK;
    bool swapped;

    for (int i = 0; i < TC_JOURNAL_FILES; i++) {
        tc_buf_init(&files[i], 2 * (size_t)TC_JOURNAL_FILE_MAX);
        tc_buf_init(&kept[i], 2 * (size_t)TC_JOURNAL_FILE_MAX);
        if (!err)
            err = read_file(cx, journal->fds[i], &files[i]);
        keep_rising(tc_buf_get(&files[i]), applied, &kept[i], &firsts[i], &journal->parts[i].last);
        if (kept[i].failed && !err)
            err = tc_fail_memory(cx);
    }
    swapped = firsts[1] && firsts[1] < firsts[0];
    for (int i = 0; i < TC_JOURNAL_FILES && !err; i++)
        tc_buf_str(records, tc_buf_get(&kept[swapped ? 1 - i : i]));
    if (!err && records->failed)
        err = tc_fail_memory(cx);
    for (int i = 0; i < TC_JOURNAL_FILES; i++) {
        tc_buf_finish(&files[i]);
        tc_buf_finish(&kept[i]);
    }
    return err;
}

void tc_journal_clear(struct tc_journal *journal, uint64_t last)
{
    for (int i = 0; i < TC_JOURNAL_FILES; i++) {
        if (ftruncate(journal->fds[i], 0) != 0)
            continue; /* what stays there has numbers that are applied */
        journal->parts[i].end = 0;
    }
    journal->last = last;
}

/* --- appending --- */

size_t tc_journal_begin(struct tc_buf *records)
{
    size_t begun = records->n;

    if (tc_buf_reserve(records, TC_JOURNAL_FRAME))
        records->n += TC_JOURNAL_FRAME;
    return begun;
}

void tc_journal_end(struct tc_buf *records, size_t begun)
{
    struct frame frame = {0};

    if (records->failed)
        return;
    frame.length = (uint32_t)(records->n - begun - sizeof frame); /* no buffer comes near the type's bound */
    memcpy(records->p + begun, &frame, sizeof frame);
}

/* Gives the records the numbers behind `last`; returns the last one of them. */
static uint64_t seal(struct tc_buf *records, uint64_t last)
{
    struct frame frame;

    for (size_t at = 0; at < records->n; at += sizeof frame + frame.length) {
        memcpy(&frame, records->p + at, sizeof frame);
        frame.number = ++last;
        frame.checksum = checksum(&frame, tc_str_n(records->p + at + sizeof frame, frame.length));
        memcpy(records->p + at, &frame, sizeof frame);
    }
    return last;
}

/* Room in the active file, or in the other one when what it held is applied. */
static bool find_room(struct tc_journal *journal, size_t n, uint64_t applied)
{
    size_t other = 1 - journal->active;

    if (journal->parts[journal->active].end + n <= TC_JOURNAL_FILE_MAX)
        return true;
    if (journal->parts[other].last > applied || n > TC_JOURNAL_FILE_MAX)
        return false;
    journal->active = other;
    journal->parts[other].end = 0;
    return true;
}

bool tc_journal_append(struct tc_journal *journal, struct tc_buf *records, uint64_t applied)
{
    struct tc_journal_part *part;
    uint64_t last;
    ssize_t n;

    if (records->failed || records->n == 0 || !find_room(journal, records->n, applied))
        return false;
    last = seal(records, journal->last);
    part = &journal->parts[journal->active];
    do
        n = pwrite(journal->fds[journal->active], records->p, records->n, (off_t)part->end);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)records->n)
        return false;
    if (part->end == 0)
        part->first = journal->last + 1;
    part->end += records->n;
    part->last = journal->last = last;
    return true;
}

/* --- fetching --- */

/* Which file has the record; TC_JOURNAL_FILES when none. */
static size_t find_part(const struct tc_journal_part parts[TC_JOURNAL_FILES], uint64_t number)
{
    size_t i = 0;

    while (i < TC_JOURNAL_FILES && (parts[i].end == 0 || number < parts[i].first || number > parts[i].last))
        i++;
    return i;
}

/* Counts the records that are whole in what was read; what is left is not taken. */
static enum tc_err take_whole(struct tc_cx *cx, struct tc_journal_place *place, struct tc_buf *records, size_t from)
{
    struct tc_str record;
    uint64_t number;
    size_t end = from;

    for (size_t at = from; next_sound(tc_buf_get(records), &at, &record, &number) && number == place->next; end = at)
        place->next++;
    records->n = end;
    if (end == from)
        return tc_fail(cx, TC_E_STORE_FAILED, "The store's journal is damaged at record %llu.",
                       (unsigned long long)place->next);
    place->at += end - from;
    return TC_OK;
}

enum tc_err tc_journal_fetch(struct tc_cx *cx, const int fds[TC_JOURNAL_FILES],
                             const struct tc_journal_part parts[TC_JOURNAL_FILES], struct tc_journal_place *place,
                             struct tc_buf *records)
{
    size_t from = records->n, file = find_part(parts, place->next), want;
    ssize_t n;

    if (file == TC_JOURNAL_FILES)
        return TC_OK;
    if (file != place->file)
        place->at = 0;
    place->file = file;
    want = parts[file].end - place->at;
    if (want > records->max - from)
        want = records->max - from;
    if (!tc_buf_reserve(records, want))
        return tc_fail_memory(cx);
    do
        n = pread(fds[file], records->p + from, want, (off_t)place->at);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return fail_file(cx, "read", "file");
    records->n = from + (size_t)n;
    return take_whole(cx, place, records, from);
}
