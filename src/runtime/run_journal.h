/*
 * The record of a run as it is written and watched: events, entries of its tape, its row.
 * They are noted first, and what was noted is stored in one step (ports/store_runs.h)
 * before the run hands over to a model, a tool or a person, and at its end. So a turn
 * takes one step before its model is asked and one before each call, and a killed process
 * leaves all of a step or nothing of it.
 *
 * An event is in the store before anybody hears of it; deltas of text are not stored, and
 * whoever reads too slowly loses them, but never an event.
 */
#ifndef TC_RUNTIME_RUN_JOURNAL_H
#define TC_RUNTIME_RUN_JOURNAL_H

#include "io/task.h"
#include "ports/store_runs.h"
#include "runtime/pulse.h"
#include "runtime/tape.h"
#include "toolcrib/buf.h"
#include "toolcrib/jsonw.h"

struct tc_run_watch;

enum { TC_RUN_JOURNAL_DELTAS = 64 * 1024 /* bytes kept for one watcher */ };

/* Pieces of a text that is on its way. */
struct tc_run_deltas {
    struct tc_buf text;            /* TC_RUN_JOURNAL_DELTAS at most */
    int64_t turn;                  /* that they come from */
    bool lost;                     /* the rest of it is not heard */
};

/* What is to be stored in one step. */
struct tc_run_batch {
    struct tc_arena arena;         /* has all of it but what the row points to */
    struct tc_run_event *events;
    size_t events_n, events_cap;
    struct tc_tape_entry *entries;
    size_t entries_n, entries_cap;
    int64_t last;                  /* of the tape, before the entries */
    int64_t told_turn;             /* the last one whose text is among the events; 0: none */
    struct tc_run_row row;
    bool has_row, let_go;          /* let_go: of the tape */
};

struct tc_run_journal {
    struct tc_store *store;
    struct tc_pulse *pulse;        /* beats when its row is stored; may be NULL */
    struct tc_tape *tape;          /* of the run */
    struct tc_str run, invocation;
    int64_t last;                  /* number of the last event */
    int64_t turn;                  /* that deltas come from */
    int64_t told_turn;             /* the last one whose text is stored */
    struct tc_run_batch noted;     /* since the last step */
    struct tc_run_batch leaving;   /* being stored, or what could not be: then it goes first */
    bool writing;
    struct tc_event written;
    struct tc_run_watch *watches;  /* all that are open */
    struct tc_run_deltas said;     /* of this turn so far: a watch that is opened in its middle begins with it */
    bool ended;
};

/* An event while it is written: members go into w. */
struct tc_run_draft {
    struct tc_buf buf;
    struct tc_jsonw w;
};
void tc_run_draft_begin(struct tc_run_draft *draft);
/* Notes the event. */
enum tc_err tc_run_draft_end(struct tc_cx *cx, struct tc_run_journal *journal, const char *type,
                             struct tc_run_draft *draft);

/* The other members are set. */
void tc_run_journal_init(struct tc_run_journal *journal);
/* Frees what it holds; nobody watches it any more. */
void tc_run_journal_finish(struct tc_run_journal *journal);

/* Notes an event whose members are JSON text already; json is copied, p NULL is
 * TC_E_NO_MEMORY. */
enum tc_err tc_run_journal_note(struct tc_cx *cx, struct tc_run_journal *journal, const char *type, struct tc_str json);
/* Puts entries at the end of the run's tape: they are there at once, and noted. All or
 * none. */
enum tc_err tc_run_journal_keep(struct tc_cx *cx, struct tc_run_journal *journal, const struct tc_tape_write *writes,
                                size_t n);
/* Notes how the run stands. What the row points to lasts until it is stored. */
void tc_run_journal_row(struct tc_run_journal *journal, const struct tc_run_row *row);
/* Notes that the run is active on its tape no longer. */
void tc_run_journal_let_go(struct tc_run_journal *journal);

/* Stores what was noted, and tells. What could not be stored stays and is tried with the
 * next step. */
PARKS enum tc_err tc_run_journal_flush(struct tc_cx *cx, struct tc_run_journal *journal);
/* An event that is noted and stored at once. */
PARKS enum tc_err tc_run_journal_add(struct tc_cx *cx, struct tc_run_journal *journal, const char *type,
                                     struct tc_str json);
/* Forgets what was noted and not stored. */
void tc_run_journal_drop(struct tc_run_journal *journal);

/* A piece of text on its way. */
void tc_run_journal_delta(struct tc_run_journal *journal, struct tc_str text);
/* What was heard of this turn's text is void. */
void tc_run_journal_void(struct tc_run_journal *journal);
/* No event comes any more. */
void tc_run_journal_end(struct tc_run_journal *journal);

/* --- reading back --- */

/* An event of the past; cx->arena goes with it. */
typedef enum tc_err tc_run_journal_fn(struct tc_cx *cx, void *arg, const struct tc_run_event *event);
/* Calls fn with each stored event of a run in order, until it fails. */
PARKS enum tc_err tc_run_journal_each(struct tc_cx *cx, struct tc_store *store, struct tc_str run,
                                      tc_run_journal_fn *fn, void *arg);

/* --- watching --- */

struct tc_run_watch {
    struct tc_store *store;
    struct tc_str id;                /* of the run */
    struct tc_arena arena;
    struct tc_run_journal *journal;  /* NULL: the run is over */
    void (*release)(void *arg);      /* when it is closed; may be NULL */
    void *arg;
    int64_t after;
    struct tc_event wake;
    struct tc_run_deltas deltas;     /* not yet handed over */
    struct tc_run_watch *next;
};
void tc_run_journal_watch(struct tc_run_journal *journal, struct tc_run_watch *watch);

#endif
