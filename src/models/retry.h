/*
 * When a request is sent again, and after how long. Pure.
 */
#ifndef TC_MODELS_RETRY_H
#define TC_MODELS_RETRY_H

#include "http/header.h"
#include "toolcrib/cx.h"

enum {
    TC_RETRY_FIRST_MS = 500,      /* doubled with each try */
    TC_RETRY_LAST_MS = 8000,
    TC_RETRY_ASKED_MAX_MS = 60000 /* a server that asks for more is not waited for */
};

/* What the fields of an answer say on trying again. */
struct tc_retry_advice {
    int64_t wait_ms;        /* -1: nothing */
    bool forced, forbidden; /* x-should-retry */
};

/* Reads retry-after-ms, retry-after (seconds or a date), x-should-retry, and when limits of
 * requests and tokens begin anew of which nothing remains; the longest wait counts. */
struct tc_retry_advice tc_retry_read(struct tc_header_list headers, int64_t wall_ms);
/* After `tried` tries, with what was asked for or -1: how long to wait. random is uniform
 * in 0 … 1000 and spreads the own delay by a quarter to each side. */
int64_t tc_retry_wait(int tried, int64_t asked_ms, uint32_t random);

#endif
