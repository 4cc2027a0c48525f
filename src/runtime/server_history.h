/*
 * What happened at one MCP server lately: lines for people, how it did by the minute, and the
 * spans of time that it was in one state.
 * In memory, and bounded: the oldest goes. What it cannot keep for want of memory it leaves
 * out; nothing fails for its sake.
 */
#ifndef TC_RUNTIME_SERVER_HISTORY_H
#define TC_RUNTIME_SERVER_HISTORY_H

#include "toolcrib/cx.h"

enum {
    TC_SERVER_LINES_MAX = 500,
    TC_SERVER_LINES_BYTES = 64 * 1024, /* of texts */
    TC_SERVER_LINE_BYTES = 2 * 1024,   /* of one, the rest is cut */
    TC_SERVER_MINUTES = 30,
    TC_SERVER_SAMPLES = 32,            /* of a minute; with more calls the last ones count */
    TC_SERVER_SPANS = 32
};

struct tc_server_line {
    int64_t seq, at;       /* seq: from 1, without gaps but for what has gone */
    const char *level;     /* "info", "warn", "error" */
    const char *kind;      /* "start", "stop", "exit", "list_changed", "discovery", "call", "approval", "stderr" */
    struct tc_str text;
};

struct tc_server_minute {
    int64_t minute;        /* since the epoch; 0: none */
    const char *state;     /* at its end; NULL: not known */
    uint32_t calls, errors;
    int64_t ms;            /* median of its calls, else of its lists; -1: there were none */
};

struct tc_server_slot {
    struct tc_server_minute minute;
    uint32_t samples[TC_SERVER_SAMPLES], list_ms;
    bool listed;
};

struct tc_server_span {
    const char *state;
    int64_t from, to;      /* to: 0: it lasts */
    struct tc_str error;   /* the last one of that time */
};

struct tc_server_history { /* zeroed: nothing happened */
    struct tc_server_line *lines; /* a ring, made at the first line */
    size_t first, n, bytes;
    int64_t last;                 /* seq */
    struct tc_server_slot slots[TC_SERVER_MINUTES];
    const char *former;           /* state before the minutes that are kept */
    int64_t former_minute;
    struct tc_server_span spans[TC_SERVER_SPANS]; /* a ring */
    size_t spans_first, spans_n;
};

void tc_server_history_finish(struct tc_server_history *history);
/* level and kind are literals. */
void tc_server_history_say(struct tc_server_history *history, int64_t at, const char *level, const char *kind,
                           struct tc_str text);
void tc_server_history_call(struct tc_server_history *history, int64_t at, int64_t ms, bool failed);
void tc_server_history_list(struct tc_server_history *history, int64_t at, int64_t ms);
/* It is in that state (a literal) from then on; error: why, or empty. */
void tc_server_history_state(struct tc_server_history *history, int64_t at, const char *state, struct tc_str error);

/* The lines with a seq over `after`, copied into the arena. */
enum tc_err tc_server_history_lines(struct tc_cx *cx, const struct tc_server_history *history, int64_t after,
                                    struct tc_server_line **ret_lines, size_t *ret_n);
/* All spans, oldest first, copied into the arena; the last one lasts. */
enum tc_err tc_server_history_spans(struct tc_cx *cx, const struct tc_server_history *history,
                                    struct tc_server_span **ret_spans, size_t *ret_n);
/* All minutes up to the one of `now`, which is the last. */
void tc_server_history_minutes(const struct tc_server_history *history, int64_t now,
                               struct tc_server_minute ret_minutes[TC_SERVER_MINUTES]);

#endif
