/*
 * Search for the bytes at which plain string text ends, 16 bytes at a time with
 * SSE2 and 8 elsewhere. Nothing outside [at, end) is read.
 */
#ifndef TC_JSON_SCAN_H
#define TC_JSON_SCAN_H

#include "toolcrib/str.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define TC_SCAN_ONES 0x0101010101010101u

/* In each byte of the result the top bit is set where the byte of x is 0; bytes
 * above the first hit may be wrong. */
static inline uint64_t tc_scan_zeros(uint64_t x)
{
    return (x - TC_SCAN_ONES) & ~x & 0x80 * TC_SCAN_ONES;
}

/* Whether one of 8 bytes must be escaped in a JSON string. */
static inline bool tc_scan_escapes(uint64_t x)
{
    uint64_t control = (x - 0x20 * TC_SCAN_ONES) & ~x & 0x80 * TC_SCAN_ONES;

    return (control | tc_scan_zeros(x ^ '"' * TC_SCAN_ONES) | tc_scan_zeros(x ^ '\\' * TC_SCAN_ONES)) != 0;
}

static inline bool tc_scan_is_escaped(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

/* The first byte that is a quote, a backslash, a control character or not
 * ASCII; end when there is none. */
static inline const char *tc_scan_ascii(const char *at, const char *end)
{
#ifdef __SSE2__
    while (end - at >= 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)at);
        __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
        __m128i other = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)); /* signed: bytes from 0x80 on as well */
        unsigned hits = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), other));

        if (hits)
            return at + __builtin_ctz(hits);
        at += 16;
    }
#endif
    for (uint64_t x; end - at >= 8; at += 8) {
        memcpy(&x, at, 8);
        if ((x & 0x80 * TC_SCAN_ONES) || tc_scan_escapes(x))
            break;
    }
    while (at < end && (unsigned char)*at < 0x80 && !tc_scan_is_escaped((unsigned char)*at))
        at++;
    return at;
}

/* The first byte that must be escaped in a JSON string; end when there is none. */
static inline const char *tc_scan_unescaped(const char *at, const char *end)
{
#ifdef __SSE2__
    while (end - at >= 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)at);
        __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
        __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
        unsigned hits = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), control));

        if (hits)
            return at + __builtin_ctz(hits);
        at += 16;
    }
#endif
    for (uint64_t x; end - at >= 8; at += 8) {
        memcpy(&x, at, 8);
        if (tc_scan_escapes(x))
            break;
    }
    while (at < end && !tc_scan_is_escaped((unsigned char)*at))
        at++;
    return at;
}

#endif
