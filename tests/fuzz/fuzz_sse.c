/*
 * The reader of server-sent events: cut anywhere it gives the same events, and
 * what the writer makes of them reads back the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "http/sse.h"

enum { MAX = 256 };

static void put(struct tc_buf *text, struct tc_str s)
{
    tc_buf_printf(text, "%zu:", s.n);
    tc_buf_str(text, s);
}

/* Reads all into `text`, and writes each event again into `again`. */
static enum tc_sse_status read_all(struct tc_str raw, size_t step, struct tc_buf *text, struct tc_buf *again)
{
    enum tc_sse_status status = TC_SSE_MORE;
    struct tc_sse_event e;
    struct tc_sse sse;

    tc_sse_init(&sse, MAX);
    for (size_t at = 0; at < raw.n && status != TC_SSE_TOO_LARGE; at += step) {
        size_t n = raw.n - at < step ? raw.n - at : step;
        char *copy = malloc(n);
        struct tc_str in = tc_str_n(copy, n);

        memcpy(copy, raw.p + at, n);
        while ((status = tc_sse_feed(&sse, &in, &e)) == TC_SSE_EVENT) {
            put(text, e.type);
            put(text, e.data);
            put(text, e.id);
            tc_buf_printf(text, "%lld\n", (long long)e.retry_ms);
            tc_sse_write(again, &e);
        }
        free(copy);
    }
    tc_sse_finish(&sse);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_buf text[3], again[3];
    struct tc_str raw;
    enum tc_sse_status whole, cut;

    if (size < 2)
        return 0;
    for (int i = 0; i < 3; i++) {
        tc_buf_init(&text[i], 1 << 24);
        tc_buf_init(&again[i], 1 << 24);
    }
    raw = tc_str_n((const char *)data + 1, size - 1);
    whole = read_all(raw, raw.n, &text[0], &again[0]);
    cut = read_all(raw, 1u + data[0] % 16, &text[1], &again[1]);
    if (whole != cut || !tc_str_eq(tc_buf_get(&text[0]), tc_buf_get(&text[1])))
        abort();
    if (read_all(tc_buf_get(&again[0]), 7, &text[2], &again[2]) == TC_SSE_MORE &&
        !tc_str_eq(tc_buf_get(&text[0]), tc_buf_get(&text[2])))
        abort();
    for (int i = 0; i < 3; i++) {
        tc_buf_finish(&text[i]);
        tc_buf_finish(&again[i]);
    }
    return 0;
}
