/*
 * Counting changes, and waking those who wait for one.
 */
#include "runtime/pulse.h"

void tc_pulse_init(struct tc_pulse *pulse, int64_t wall_ms)
{
    *pulse = (struct tc_pulse){0};
    for (size_t i = 0; i < TC_PULSE_KINDS; i++)
        pulse->revisions[i] = (uint64_t)wall_ms;
}

static void wake(struct tc_pulse *pulse)
{
    tc_event_set(&pulse->event);
    tc_event_clear(&pulse->event); /* who looks later compares numbers */
}

void tc_pulse_beat(struct tc_pulse *pulse, enum tc_pulse_kind kind)
{
    if (!pulse)
        return;
    pulse->revisions[kind]++;
    pulse->beats++;
    wake(pulse);
}

void tc_pulse_close(struct tc_pulse *pulse)
{
    pulse->closed = true;
    wake(pulse);
}

enum tc_err tc_pulse_wait(struct tc_cx *cx, struct tc_pulse *pulse, uint64_t at, int64_t timeout_ms)
{
    enum tc_err e = TC_OK;

    if (at == pulse->beats && !pulse->closed)
        e = tc_task_wait(cx, &pulse->event, timeout_ms);
    if (!e && pulse->closed)
        e = tc_fail(cx, TC_E_SHUTDOWN, "The daemon stops.");
    return e;
}
