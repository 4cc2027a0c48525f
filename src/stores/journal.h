/*
 * The journal: two files beside the database that take the records of calls at
 * once, one write each, so that nobody waits for a transaction. The writer moves
 * what they hold into the database in batches and notes the number of the last
 * record with them; what a killed process left behind that number is read when the
 * store is opened.
 *
 * A record is framed by its length, a checksum and its number, which only rises. One
 * file is appended to until it is full; then the other one is begun anew, once all it
 * held is in the database. A file is read up to the first frame that is torn or whose
 * number does not rise: behind it lies what was there before.
 *
 * One thread appends; another one may fetch what it was told of. The contents of
 * records are the caller's business (record.h).
 */
#ifndef TC_STORES_JOURNAL_H
#define TC_STORES_JOURNAL_H

#include "toolcrib/buf.h"
#include "toolcrib/cx.h"

enum { TC_JOURNAL_FILES = 2, TC_JOURNAL_FILE_MAX = 8 * 1024 * 1024, TC_JOURNAL_FRAME = 24 };

/* What a file holds: from its start the records `first` to `last`, up to byte `end`. */
struct tc_journal_part {
    size_t end;
    uint64_t first, last;
};

struct tc_journal {
    int fds[TC_JOURNAL_FILES];
    struct tc_journal_part parts[TC_JOURNAL_FILES];
    size_t active; /* the file that is appended to */
    uint64_t last; /* number of the last record of all */
};

/* Where the record with the number `next` is or will be. */
struct tc_journal_place {
    size_t file, at;
    uint64_t next;
};

/* Opens or makes the files path.calls-0 and path.calls-1, mode 0600. On success they
 * are open, with what is in them unread. TC_E_STORE_FAILED. */
enum tc_err tc_journal_open(struct tc_cx *cx, struct tc_journal *journal, const char *path);
/* Closes them; safe on a zeroed struct. */
void tc_journal_close(struct tc_journal *journal);

/* Appends the records with a number above `applied`, in the order of their numbers,
 * to *records, each with its frame. TC_E_STORE_FAILED when a file cannot be read. */
enum tc_err tc_journal_read(struct tc_cx *cx, struct tc_journal *journal, uint64_t applied, struct tc_buf *records);
/* Empties both files; numbers go on from `last`. */
void tc_journal_clear(struct tc_journal *journal, uint64_t last);

/* Begins a record at the end of the buffer, for its contents to be appended, and ends
 * the one that begins there. */
size_t tc_journal_begin(struct tc_buf *records);
void tc_journal_end(struct tc_buf *records, size_t begun);
/* Numbers and seals the records, then writes them, all at once. False when they were not
 * written: the disk refuses, or both files hold records above `applied`; then nothing
 * happened. */
bool tc_journal_append(struct tc_journal *journal, struct tc_buf *records, uint64_t applied);

/* Takes whole records from *place on, as many as *records has room for, each with its
 * frame, and moves *place behind them; none when all of `parts`, which are those of
 * some earlier moment, have been taken. None of them may have been named as applied in
 * an append since. For any thread. TC_E_STORE_FAILED when they cannot be read. */
enum tc_err tc_journal_fetch(struct tc_cx *cx, const int fds[TC_JOURNAL_FILES],
                             const struct tc_journal_part parts[TC_JOURNAL_FILES], struct tc_journal_place *place,
                             struct tc_buf *records);

/* The next of the records that were read or fetched, from *at on: its contents and
 * number. False when none is left. */
bool tc_journal_next(struct tc_str records, size_t *at, struct tc_str *ret_record, uint64_t *ret_number);

#endif
