/*
 * The system clock, and times as text.
 */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

static int64_t system_wall_ms(const struct tc_clock *clock)
{
    struct timespec ts;

    (void)clock;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int64_t system_mono_us(const struct tc_clock *clock)
{
    struct timespec ts;

    (void)clock;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

const struct tc_clock tc_clock_system = {system_wall_ms, system_mono_us};

void tc_clock_iso(int64_t wall_ms, char *to)
{
    int64_t ms = ((wall_ms % 1000) + 1000) % 1000;
    time_t seconds = (time_t)((wall_ms - ms) / 1000);
    struct tm tm;

    if (!gmtime_r(&seconds, &tm) || tm.tm_year < 0 || tm.tm_year > 8099) {
        seconds = 0;
        gmtime_r(&seconds, &tm);
    }
    snprintf(to, TC_CLOCK_ISO_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ", (unsigned)(tm.tm_year + 1900) % 10000U,
             (unsigned)(tm.tm_mon + 1) % 100U, (unsigned)tm.tm_mday % 100U, (unsigned)tm.tm_hour % 100U,
             (unsigned)tm.tm_min % 100U, (unsigned)tm.tm_sec % 100U, (unsigned)ms % 1000U);
}
