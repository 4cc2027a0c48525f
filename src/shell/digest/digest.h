/*
 * Digests by name: SHA-2 and BLAKE2b by libsodium, MD5 and SHA-1, which it has not,
 * here, and the three sums of cksum and sum.
 */
#ifndef TC_SHELL_DIGEST_DIGEST_H
#define TC_SHELL_DIGEST_DIGEST_H

#include <sodium.h>

#include "toolcrib/str.h"

enum { DIGEST_SIZE_MAX = 64 };

enum digest_kind {
    DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA224, DIGEST_SHA256, DIGEST_SHA384, DIGEST_SHA512, DIGEST_BLAKE2B,
    DIGEST_CRC, DIGEST_BSD, DIGEST_SYSV
};

struct digest_block { /* of MD5 and SHA-1 */
    uint32_t state[5];
    uint64_t bytes;
    unsigned char buf[64];
};

struct digest {
    enum digest_kind kind;
    size_t size; /* bytes of the result */
    uint64_t bytes;
    union {
        struct digest_block block;
        crypto_hash_sha256_state sha256;
        crypto_hash_sha512_state sha512;
        crypto_generichash_blake2b_state blake2b;
        uint32_t sum;
    } u;
};

/* size: of BLAKE2b; 0 the usual one. */
void tc_digest_init(struct digest *d, enum digest_kind kind, size_t size);
void tc_digest_add(struct digest *d, struct tc_str bytes);
/* d->size bytes; of the sums four, the most significant first. */
void tc_digest_finish(struct digest *d, unsigned char ret[DIGEST_SIZE_MAX]);

#endif
