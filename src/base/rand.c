/*
 * Random bytes come from getrandom() through a per-thread pool, since ids are
 * made on every call and a system call each time would show.
 */
#include "base/rand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static _Thread_local struct {
    unsigned char bytes[512];
    size_t left;
} pool;

static void from_kernel(unsigned char *p, size_t n)
{
    while (n > 0) {
        ssize_t got = getrandom(p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            abort();
        p += got;
        n -= (size_t)got;
    }
}

void tc_rand_bytes(void *p, size_t n)
{
    if (n > sizeof pool.bytes / 2) {
        from_kernel(p, n);
        return;
    }
    if (pool.left < n) {
        from_kernel(pool.bytes, sizeof pool.bytes);
        pool.left = sizeof pool.bytes;
    }
    pool.left -= n;
    memcpy(p, pool.bytes + pool.left, n);
    memset(pool.bytes + pool.left, 0, n);
}

void tc_rand_forked(void)
{
    pool.left = 0;
}

uint64_t tc_rand_u64(void)
{
    uint64_t v;

    tc_rand_bytes(&v, sizeof v);
    return v;
}

uint32_t tc_rand_below(uint32_t bound)
{
    uint32_t floor = (0u - bound) % bound, v;

    do
        tc_rand_bytes(&v, sizeof v);
    while (v < floor);
    return v % bound;
}

void tc_rand_uuid(char *to)
{
    unsigned char b[16];

    tc_rand_bytes(b, sizeof b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    snprintf(to, TC_RAND_UUID_SIZE, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
             b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

void tc_rand_handle(char *to)
{
    unsigned char b[TC_RAND_HANDLE_SIZE / 2];

    tc_rand_bytes(b, sizeof b);
    for (size_t i = 0; i < sizeof b; i++)
        snprintf(to + 2 * i, 3, "%02x", b[i]);
}

static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; /* in the order of their bytes */

void tc_rand_id(int64_t wall_ms, char *to)
{
    uint64_t t = (uint64_t)wall_ms, halves[2] = {0};
    unsigned char b[10];

    tc_rand_bytes(b, sizeof b);
    memcpy(&halves[0], b, 5);
    memcpy(&halves[1], b + 5, 5);
    for (int i = 9; i >= 0; i--, t >>= 5)
        to[i] = digits[t & 31];
    for (int i = 10; i < 18; i++, halves[0] >>= 5, halves[1] >>= 5) {
        to[i] = digits[halves[0] & 31];
        to[i + 8] = digits[halves[1] & 31];
    }
    to[26] = '\0';
}

void tc_rand_id_after(int64_t wall_ms, char *id)
{
    char fresh[TC_RAND_ID_SIZE];
    int i = TC_RAND_ID_SIZE - 2;

    tc_rand_id(wall_ms, fresh);
    if (strcmp(fresh, id) > 0) {
        memcpy(id, fresh, sizeof fresh);
        return;
    }
    for (; i >= 0 && id[i] == 'Z'; i--)
        id[i] = '0';
    if (i >= 0)
        id[i] = strchr(digits, id[i])[1];
}
