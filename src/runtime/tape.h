/*
 * A tape as a run has it: the entries that a model may see again, in memory beside
 * the store, from the last anchor on (decision 12 has kinds and members). Nobody else
 * writes while a run has claimed the tape; what it puts there is stored with the step of
 * the run that it belongs to (runtime/run_journal.h).
 *
 * Behind an anchor of a compaction come, in this order, the summary, the entries that
 * it left as they were, and what was written since.
 */
#ifndef TC_RUNTIME_TAPE_H
#define TC_RUNTIME_TAPE_H

#include "ports/store_tapes.h"

enum tc_tape_kind {
    TC_TAPE_MESSAGE,
    TC_TAPE_RESULT,
    TC_TAPE_NOTE,
    TC_TAPE_ANCHOR,
    TC_TAPE_SUMMARY,
    TC_TAPE_PLAN,
    TC_TAPE_LOADED,
    TC_TAPE_FORK,
    TC_TAPE_ERROR,
    TC_TAPE_OTHER /* of a later version: kept, not shown */
};
const char *tc_tape_kind_name(enum tc_tape_kind kind);
enum tc_tape_kind tc_tape_kind_of(struct tc_str name);

struct tc_tape_item {
    int64_t seq, at;
    enum tc_tape_kind kind;
    struct tc_str run;
    int64_t tokens;             /* estimated, of its text */
    const struct tc_json *body; /* an object */
};

struct tc_tape {
    struct tc_store *store;
    struct tc_arena arena;      /* owns what follows */
    struct tc_str id;
    int64_t last, anchor;       /* numbers of the last entry, of the last anchor */
    struct tc_tape_item *items; /* the window */
    size_t n, cap;
    size_t shown;               /* as many of them are in the transcript that is made of it; 0 when it was opened */
    int64_t tokens;             /* of the window, estimated */
};

/* One entry to write: its kind and an object as JSON text. */
struct tc_tape_write {
    enum tc_tape_kind kind;
    struct tc_str json;
};

/* Reads the window. TC_E_TAPE_NOT_FOUND. Finished by tc_tape_finish in any case. */
PARKS enum tc_err tc_tape_open(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_tape *tape);
/* The window as it was when entry `last` (≥ 1) was the last one. */
PARKS enum tc_err tc_tape_open_at(struct tc_cx *cx, struct tc_store *store, struct tc_str id, int64_t last,
                                  struct tc_tape *tape);
void tc_tape_finish(struct tc_tape *tape);
/* Puts numbered entries at the end in memory alone: who calls stores them. All or none. An
 * anchor begins a new window: the tape has to be opened again to show it. */
enum tc_err tc_tape_take(struct tc_cx *cx, struct tc_tape *tape, struct tc_tape_entry *entries, size_t n);
/* Reads the window again. */
PARKS enum tc_err tc_tape_reopen(struct tc_cx *cx, struct tc_tape *tape);
/* Stores entries at the end and takes them, where no run writes a record. All or none. */
PARKS enum tc_err tc_tape_append(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                                 const struct tc_tape_write *writes, size_t n);
/* The last entry of that kind in the window, or NULL. */
const struct tc_tape_item *tc_tape_find_last(const struct tc_tape *tape, enum tc_tape_kind kind);

/* Whether an item from that one on is the result of the call with that id. */
bool tc_tape_answered(const struct tc_tape *tape, size_t from, struct tc_str call);

/* --- tapes in the store --- */

struct tc_tape_new {
    struct tc_str agent, name, owner; /* name of a session; empty: none. owner may be empty */
};
/* With its first anchor. TC_E_TAPE_EXISTS. */
PARKS enum tc_err tc_tape_create(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_new *new_tape,
                                 struct tc_tape_row *ret_row);
/* TC_E_TAPE_NOT_FOUND. */
PARKS enum tc_err tc_tape_get(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_tape_row *ret_row);
/* The session of that name, made when it is new. */
PARKS enum tc_err tc_tape_session(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_new *session,
                                  struct tc_tape_row *ret_row);
/* The run becomes the one that writes. TC_E_RUN_ACTIVE. */
PARKS enum tc_err tc_tape_claim(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_str run);
/* A tape that shares the entries up to seq (0: all) with that one. Its name may be
 * empty. */
PARKS enum tc_err tc_tape_fork(struct tc_cx *cx, struct tc_store *store, struct tc_str id, int64_t seq,
                               struct tc_str name, struct tc_tape_row *ret_row);

#endif
