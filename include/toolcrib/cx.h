/*
 * The call context: first parameter of everything that allocates, fails with a
 * reason or may park. It carries the arena of the work at hand, the clock, the
 * task that runs it, and the detail of the last failure.
 *
 * Errors: functions return an enum tc_err, 0 is success. The function that
 * finds the fault calls tc_fail() once; callers above pass the code on and may
 * add context with tc_fail_hint() or tc_fail_field(). Outputs named ret_ are
 * written on success only. Only the edge (api, mcp/server, cli, daemon) logs.
 */
#ifndef TOOLCRIB_CX_H
#define TOOLCRIB_CX_H

#include "toolcrib/arena.h"
#include "toolcrib/err.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define PARKS /* may suspend the calling task; a function that calls one is one */

struct tc_task;
struct tc_clock;

struct tc_error {
    enum tc_err code;
    struct tc_str message; /* one plain sentence */
    struct tc_str hint;    /* the next step; may be empty */
    struct tc_str field;   /* JSON pointer or configuration key at fault; may be empty */
    struct tc_str details; /* JSON text for programs; may be empty */
};

struct tc_cx {
    struct tc_arena *arena;
    const struct tc_clock *clock;
    struct tc_task *task; /* NULL outside a loop */
    struct tc_error err;  /* valid after a call that returned non-zero */
};

/* Records the failure and returns its code: return tc_fail(cx, TC_E_X, "…"). */
enum tc_err tc_fail(struct tc_cx *cx, enum tc_err code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Out of memory, or over an arena's maximum. */
enum tc_err tc_fail_memory(struct tc_cx *cx);
/* Adds to the failure recorded last; returns its code. */
enum tc_err tc_fail_hint(struct tc_cx *cx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
enum tc_err tc_fail_field(struct tc_cx *cx, struct tc_str field);
enum tc_err tc_fail_details(struct tc_cx *cx, struct tc_str json);
/* Takes over the failure of a context whose arena goes; returns its code. */
enum tc_err tc_fail_from(struct tc_cx *cx, const struct tc_cx *of);
/* Forgets a failure that was handled. */
void tc_fail_clear(struct tc_cx *cx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
