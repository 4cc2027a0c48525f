/*
 * Time as a dependency: code asks its call context's clock, never the system,
 * so that tests can move time by hand.
 */
#ifndef TC_BASE_CLOCK_H
#define TC_BASE_CLOCK_H

#include "toolcrib/str.h"

struct tc_clock {
    int64_t (*wall_ms)(const struct tc_clock *clock); /* Unix time, milliseconds */
    int64_t (*mono_us)(const struct tc_clock *clock); /* steady, microseconds, from anywhere */
};

/* The system's. */
extern const struct tc_clock tc_clock_system;

static inline int64_t tc_clock_wall_ms(const struct tc_clock *clock)
{
    return clock->wall_ms(clock);
}

static inline int64_t tc_clock_mono_us(const struct tc_clock *clock)
{
    return clock->mono_us(clock);
}

enum { TC_CLOCK_ISO_SIZE = 25 };
/* "2026-11-29T22:36:01.123Z" with a NUL, into at least TC_CLOCK_ISO_SIZE bytes. */
void tc_clock_iso(int64_t wall_ms, char *to);
/* A time as ISO 8601 has it: "2026-11-29", "2026-11-29T22:36", with seconds and up to nine
 * digits of them, "Z" or "+08:00"; UTC without a zone. False for anything else. */
bool tc_clock_parse_iso(struct tc_str text, int64_t *ret_wall_ms);

#endif
