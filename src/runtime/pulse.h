/*
 * What has changed, as numbers that grow: one of each kind of thing that operators list.
 * Whoever shows a list reads it again when its number is another one. Parts of the runtime
 * beat where they change something; a beat costs an addition.
 *
 * One thread, the loop's. The numbers begin with the wall clock, so that they grow over a
 * restart too.
 */
#ifndef TC_RUNTIME_PULSE_H
#define TC_RUNTIME_PULSE_H

#include "io/task.h"

enum tc_pulse_kind {
    TC_PULSE_TOOLS,
    TC_PULSE_TOOLSETS,
    TC_PULSE_AGENTS,
    TC_PULSE_APPROVALS,
    TC_PULSE_SERVERS,
    TC_PULSE_RUNS,
    TC_PULSE_CALLS,
    TC_PULSE_CHANNELS,
    TC_PULSE_TOKENS,
    TC_PULSE_SECRETS,
    TC_PULSE_KINDS
};

struct tc_pulse {
    uint64_t revisions[TC_PULSE_KINDS];
    uint64_t beats;        /* of any kind */
    struct tc_event event; /* set at a beat for those who wait, never left set */
    bool closed;           /* the daemon is about to stop */
};

void tc_pulse_init(struct tc_pulse *pulse, int64_t wall_ms);
/* NULL: nobody listens. */
void tc_pulse_beat(struct tc_pulse *pulse, enum tc_pulse_kind kind);
/* Who waits for a beat gets TC_E_SHUTDOWN, now and from here on. */
void tc_pulse_close(struct tc_pulse *pulse);
/* Until there were more than *at beats, at most timeout_ms: TC_E_TIMEOUT, TC_E_SHUTDOWN. */
PARKS enum tc_err tc_pulse_wait(struct tc_cx *cx, struct tc_pulse *pulse, uint64_t at, int64_t timeout_ms);

#endif
