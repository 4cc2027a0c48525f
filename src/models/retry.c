/*
 * Waits as servers write them, and our own.
 */
#include "models/retry.h"

#include <time.h>

enum { HOUR_MS = 60 * 60 * 1000 };

/* Digits with or without a fraction. False for what is no number or beyond all waits. *at
 * moves behind it. */
static bool number(struct tc_str text, size_t *at, double *ret_value)
{
    double value = 0, place = 1;
    size_t start = *at;
    bool point = false;

    for (; *at < text.n; ++*at) {
        char c = text.p[*at];

        if (c == '.' && !point)
            point = true;
        else if (c < '0' || c > '9')
            break;
        else if (point)
            value += (c - '0') * (place /= 10);
        else
            value = value * 10 + (c - '0');
    }
    *ret_value = value;
    return *at > start && value <= 1e9;
}

static int64_t plain(struct tc_str text, int64_t unit_ms)
{
    double value;
    size_t at = 0;

    text = tc_str_trim(text);
    if (text.n == 0 || !number(text, &at, &value) || at != text.n)
        return -1;
    return (int64_t)(value * (double)unit_ms + 0.5);
}

/* "6m0s", "1.5s", "20ms", "1h2m3s". */
static int64_t duration(struct tc_str text)
{
    static const struct {
        const char *unit;
        int64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", HOUR_MS}};
    double value, sum = 0;
    size_t at = 0, i;

    text = tc_str_trim(text);
    while (at < text.n) {
        if (!number(text, &at, &value))
            return -1;
        for (i = 0; i < sizeof units / sizeof units[0]; i++)
            if (tc_str_starts(tc_str_from(text, at), tc_str_of(units[i].unit)))
                break;
        if (i == sizeof units / sizeof units[0])
            return -1;
        sum += value * (double)units[i].ms;
        at += strlen(units[i].unit);
    }
    return text.n ? (int64_t)(sum + 0.5) : -1;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z" */
static int64_t until_date(struct tc_str text, int64_t wall_ms)
{
    char date[64];
    struct tm tm = {0};
    int64_t ms;

    text = tc_str_trim(text);
    if (text.n == 0 || text.n >= sizeof date)
        return -1;
    memcpy(date, text.p, text.n);
    date[text.n] = '\0';
    if (!strptime(date, "%a, %d %b %Y %H:%M:%S GMT", &tm) && !strptime(date, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return -1;
    ms = (int64_t)timegm(&tm) * 1000 - wall_ms;
    return ms > 0 ? ms : 0;
}

static void longest(int64_t *wait_ms, int64_t ms)
{
    if (ms > *wait_ms)
        *wait_ms = ms;
}

#define LIMIT(of, what) {TC_STR_INIT(of "-remaining-" what), TC_STR_INIT(of "-reset-" what)}
#define LIMIT_OF_ANTHROPIC(what) \
    {TC_STR_INIT("anthropic-ratelimit-" what "-remaining"), TC_STR_INIT("anthropic-ratelimit-" what "-reset")}

/* Until the limits of which nothing remains begin anew; -1: none says so. */
static int64_t until_reset(struct tc_header_list headers, int64_t wall_ms)
{
    static const struct {
        struct tc_str remaining, reset;
    } limits[] = {LIMIT("x-ratelimit", "requests"),         LIMIT("x-ratelimit", "tokens"),
                  LIMIT_OF_ANTHROPIC("requests"),           LIMIT_OF_ANTHROPIC("tokens"),
                  LIMIT_OF_ANTHROPIC("input-tokens"),       LIMIT_OF_ANTHROPIC("output-tokens")};
    int64_t wait_ms = -1;
    size_t i;

    for (i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct tc_str reset = tc_header_get(headers, limits[i].reset);

        if (!tc_str_is(tc_str_trim(tc_header_get(headers, limits[i].remaining)), "0"))
            continue;
        longest(&wait_ms, duration(reset));
        longest(&wait_ms, until_date(reset, wall_ms));
    }
    return wait_ms;
}

struct tc_retry_advice tc_retry_read(struct tc_header_list headers, int64_t wall_ms)
{
    struct tc_str after = tc_header_get(headers, TC_STR("retry-after"));
    struct tc_str should = tc_header_get(headers, TC_STR("x-should-retry"));
    struct tc_retry_advice advice = {.wait_ms = plain(tc_header_get(headers, TC_STR("retry-after-ms")), 1)};

    advice.forced = tc_str_is(should, "true");
    advice.forbidden = tc_str_is(should, "false");
    if (advice.wait_ms < 0) { /* the same in other words, less exact */
        longest(&advice.wait_ms, plain(after, 1000));
        longest(&advice.wait_ms, until_date(after, wall_ms));
    }
    longest(&advice.wait_ms, until_reset(headers, wall_ms));
    return advice;
}

int64_t tc_retry_wait(int tried, int64_t asked_ms, uint32_t random)
{
    int64_t ms = TC_RETRY_FIRST_MS;

    if (asked_ms >= 0)
        return asked_ms;
    while (--tried > 0 && ms < TC_RETRY_LAST_MS)
        ms *= 2;
    if (ms > TC_RETRY_LAST_MS)
        ms = TC_RETRY_LAST_MS;
    return ms * 3 / 4 + ms / 2 * (int64_t)random / 1000;
}
