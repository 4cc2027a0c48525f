/*
 * Characters that a server cut in two: bytes of one in two deltas, or the halves of a
 * surrogate pair, which stand as three bytes each (TC_JSON_KEEP). They are joined where
 * deltas meet, and a listener hears whole characters only.
 */
#include "models/builder_state.h"

#include "base/utf8.h"

enum { HALF = 3 /* bytes */ };

/* The half of a pair at p: 0 when it is none. */
static uint32_t half_at(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    if (u[0] != 0xed || u[1] < 0xa0 || u[1] > 0xbf || u[2] < 0x80 || u[2] > 0xbf)
        return 0;
    return 0xd000 | (uint32_t)(u[1] & 0x3f) << 6 | (u[2] & 0x3f);
}

static bool ends_in_high(struct tc_str s)
{
    uint32_t half = s.n >= HALF ? half_at(s.p + s.n - HALF) : 0;

    return half >= 0xd800 && half < 0xdc00;
}

void tc_builder_join(struct tc_buf *to, struct tc_str s)
{
    uint32_t low = s.n >= HALF ? half_at(s.p) : 0;
    char pair[4];

    if (low >= 0xdc00 && ends_in_high(tc_buf_get(to))) {
        uint32_t high = half_at(to->p + to->n - HALF);

        to->n -= HALF;
        tc_buf_add(to, pair, tc_utf8_put(0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00)), pair));
        s = tc_str_from(s, HALF);
    }
    tc_buf_str(to, s);
}

/* Bytes at the end that may be the beginning of a character. */
static size_t unfinished(struct tc_str s)
{
    size_t n;

    if (ends_in_high(s))
        return HALF;
    for (n = 1; n <= 3 && n <= s.n; n++) {
        unsigned char c = (unsigned char)s.p[s.n - n];
        size_t whole = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

        if ((c & 0xc0) != 0x80)
            return whole > n ? n : 0;
    }
    return 0;
}

void tc_builder_speak(struct tc_reply_builder *builder, struct tc_builder_tail *tail,
                      void (*hear)(void *arg, struct tc_str delta), struct tc_str delta)
{
    struct tc_buf all, clean;
    size_t keep;

    if (tail->n == 0 && tc_utf8_valid(delta) == delta.n) {
        hear(builder->sink->arg, delta);
        return;
    }
    tc_buf_init(&all, TC_BUILDER_BYTES_MAX);
    tc_buf_init(&clean, TC_BUILDER_BYTES_MAX);
    tc_buf_add(&all, tail->bytes, tail->n);
    tc_builder_join(&all, delta);
    keep = unfinished(tc_buf_get(&all));
    tc_utf8_clean(&clean, tc_str_n(tc_buf_get(&all).p, all.n - keep));
    if (clean.n)
        hear(builder->sink->arg, tc_buf_get(&clean));
    memcpy(tail->bytes, tc_buf_get(&all).p + all.n - keep, keep);
    tail->n = keep;
    tc_buf_finish(&all);
    tc_buf_finish(&clean);
}
