/*
 * SHA-256 and HMAC through libcrypto with the digest fetched once and a context a
 * thread (either costs more than hashing 64 bytes), SipHash-1-3 for tables.
 */
#include "base/hash.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <threads.h>

#include "base/rand.h"

static once_flag once = ONCE_FLAG_INIT;
static EVP_MD *sha256;
static tss_t contexts;
static uint64_t seed[2];

static void free_context(void *context)
{
    EVP_MD_CTX_free(context);
}

static void prepare(void)
{
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (!sha256 || tss_create(&contexts, free_context) != thrd_success)
        abort();
    tc_rand_bytes(seed, sizeof seed);
}

/* The thread's own; the last digest leaves no bytes of its text in it. */
static EVP_MD_CTX *context(void)
{
    static _Thread_local EVP_MD_CTX *own;

    if (!own) {
        own = EVP_MD_CTX_new();
        if (!own || tss_set(contexts, own) != thrd_success)
            abort();
    }
    return own;
}

void tc_hash_sha256(struct tc_str data, uint8_t ret_hash[TC_HASH_SIZE])
{
    EVP_MD_CTX *own;

    call_once(&once, prepare);
    own = context();
    if (EVP_DigestInit_ex2(own, sha256, NULL) != 1 || EVP_DigestUpdate(own, data.p, data.n) != 1 ||
        EVP_DigestFinal_ex(own, ret_hash, NULL) != 1)
        abort();
}

void tc_hash_hex(const uint8_t *bytes, size_t n, char *ret_hex)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        ret_hex[2 * i] = digits[bytes[i] >> 4];
        ret_hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    ret_hex[2 * n] = '\0';
}

void tc_hash_sha256_hex(struct tc_str data, char ret_hex[TC_HASH_HEX_SIZE])
{
    uint8_t hash[TC_HASH_SIZE];

    tc_hash_sha256(data, hash);
    tc_hash_hex(hash, sizeof hash, ret_hex);
}

void tc_hash_hmac(struct tc_str key, struct tc_str data, uint8_t ret_hash[TC_HASH_SIZE])
{
    unsigned n = TC_HASH_SIZE;

    call_once(&once, prepare);
    if (!HMAC(sha256, key.p, (int)key.n, (const unsigned char *)(data.p ? data.p : ""), data.n, ret_hash, &n))
        abort();
}

bool tc_hash_same(const void *a, const void *b, size_t n)
{
    return CRYPTO_memcmp(a, b, n) == 0;
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

    call_once(&once, prepare);
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
