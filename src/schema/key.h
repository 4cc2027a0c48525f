/*
 * Keys of objects as machine words: a seeded hash, since instances choose the
 * keys that are looked up, and two words that nearly always tell keys apart.
 */
#ifndef TC_SCHEMA_KEY_H
#define TC_SCHEMA_KEY_H

#include "toolcrib/str.h"

static inline uint64_t tc_schema_mix(uint64_t a, uint64_t b)
{
    __uint128_t product = (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd1b54a32d192ed03u);

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of the keys of objects; seeded, since instances choose the keys looked up. */
static inline uint64_t tc_schema_hash(uint64_t seed, struct tc_str s)
{
    uint64_t word, hash = seed ^ s.n;

    while (s.n > 8) {
        memcpy(&word, s.p, 8);
        hash = tc_schema_mix(hash, word);
        s = tc_str_n(s.p + 8, s.n - 8);
    }
    word = 0;
    memcpy(&word, s.p ? s.p : "", s.n);
    return tc_schema_mix(hash, word);
}

/* The first and the last bytes of a key as words: keys of one length up to 16
 * are equal when both words are. */
static inline uint64_t tc_schema_head(struct tc_str s)
{
    uint64_t word = 0;
    uint32_t low, high;

    if (s.n >= 8) {
        memcpy(&word, s.p, 8);
        return word;
    }
    if (s.n >= 4) {
        memcpy(&low, s.p, 4);
        memcpy(&high, s.p + s.n - 4, 4);
        return low | (uint64_t)high << 32;
    }
    if (s.n > 0)
        word = (uint64_t)(unsigned char)s.p[0] | (uint64_t)(unsigned char)s.p[s.n / 2] << 8 |
               (uint64_t)(unsigned char)s.p[s.n - 1] << 16;
    return word;
}

static inline uint64_t tc_schema_tail(struct tc_str s)
{
    return s.n > 8 ? tc_schema_head(tc_str_n(s.p + s.n - 8, 8)) : 0;
}

#endif
