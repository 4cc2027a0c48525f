/*
 * The journal of a run as it is written and watched. An event is in the store before
 * anybody hears of it; deltas of text are not stored, and whoever reads too slowly
 * loses them, but never an event.
 */
#ifndef TC_RUNTIME_RUN_JOURNAL_H
#define TC_RUNTIME_RUN_JOURNAL_H

#include "io/task.h"
#include "ports/store_runs.h"
#include "toolcrib/buf.h"
#include "toolcrib/jsonw.h"

struct tc_run_watch;

enum { TC_RUN_JOURNAL_WAITING = 32, TC_RUN_JOURNAL_DELTAS = 64 * 1024 /* bytes kept for one watcher */ };

/* Pieces of a text that is on its way. */
struct tc_run_deltas {
    struct tc_buf text;            /* TC_RUN_JOURNAL_DELTAS at most */
    int64_t turn;                  /* that they come from */
    bool lost;                     /* the rest of it is not heard */
};

struct tc_run_journal {
    struct tc_store *store;
    struct tc_str run, invocation;
    int64_t last;                  /* number of the last event */
    int64_t turn;                  /* that deltas come from */
    int64_t told_turn;             /* the last one whose text is stored */
    struct tc_run_event waiting[TC_RUN_JOURNAL_WAITING]; /* to be stored together */
    size_t waiting_n;
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
/* Notes the event, in cx->arena, to be stored before anything else parks. Parks itself
 * only when TC_RUN_JOURNAL_WAITING are noted already. */
PARKS enum tc_err tc_run_draft_end(struct tc_cx *cx, struct tc_run_journal *journal, const char *type,
                             struct tc_run_draft *draft);
/* Stores what was noted, and tells. */
PARKS enum tc_err tc_run_journal_flush(struct tc_cx *cx, struct tc_run_journal *journal);
/* Both at once, for an event whose members are JSON text already. */
PARKS enum tc_err tc_run_journal_add(struct tc_cx *cx, struct tc_run_journal *journal, const char *type,
                                     struct tc_str json);
/* A piece of text on its way. */
void tc_run_journal_delta(struct tc_run_journal *journal, struct tc_str text);
/* What was heard of this turn's text is void. */
void tc_run_journal_void(struct tc_run_journal *journal);
/* Frees what it holds; nobody watches it any more. */
void tc_run_journal_finish(struct tc_run_journal *journal);
/* No event comes any more. */
void tc_run_journal_end(struct tc_run_journal *journal);

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
