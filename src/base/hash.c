/*
 * SHA-256 and HMAC through libcrypto with the digest fetched once and a context a
 * thread (either costs more than hashing 64 bytes).
 */
#include "base/hash.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static EVP_MD *sha256;
static tss_t contexts;

static void free_context(void *context)
{
    EVP_MD_CTX_free(context);
}

static void prepare(void)
{
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (!sha256 || tss_create(&contexts, free_context) != thrd_success)
        abort();
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
