/*
 * SipHash-1-3 for tables. Apart from the others, so that what has a table needs no
 * libcrypto.
 */
#include <threads.h>

#include "base/hash.h"
#include "base/rand.h"

static once_flag once = ONCE_FLAG_INIT;
static uint64_t seed[2];

static void make_seed(void)
{
    tc_rand_bytes(seed, sizeof seed);
}

#define ROTATE(x, by) (((x) << (by)) | ((x) >> (64 - (by))))

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = ROTATE(v[1], 13) ^ v[0];
    v[0] = ROTATE(v[0], 32);
    v[2] += v[3];
    v[3] = ROTATE(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = ROTATE(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = ROTATE(v[1], 17) ^ v[2];
    v[2] = ROTATE(v[2], 32);
}

uint64_t tc_hash_table(struct tc_str data)
{
    uint64_t v[4], m, last = (uint64_t)data.n << 56;
    size_t i;

    call_once(&once, make_seed);
    v[0] = seed[0] ^ 0x736f6d6570736575u;
    v[1] = seed[1] ^ 0x646f72616e646f6du;
    v[2] = seed[0] ^ 0x6c7967656e657261u;
    v[3] = seed[1] ^ 0x7465646279746573u;
    for (i = 0; i + 8 <= data.n; i += 8) {
        memcpy(&m, data.p + i, 8);
        v[3] ^= m;
        sip_round(v);
        v[0] ^= m;
    }
    for (unsigned shift = 0; i < data.n; i++, shift += 8)
        last |= (uint64_t)(unsigned char)data.p[i] << shift;
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for (int k = 0; k < 3; k++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
