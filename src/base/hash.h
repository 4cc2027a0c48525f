/*
 * Hashes: SHA-256 for content and names, keyed HMAC-SHA-256 for what must not
 * be readable in the store, and a seeded 64-bit hash for tables.
 */
#ifndef TC_BASE_HASH_H
#define TC_BASE_HASH_H

#include "toolcrib/str.h"

enum { TC_HASH_SIZE = 32, TC_HASH_HEX_SIZE = 65 };

struct tc_hash; /* a SHA-256 under way */

void tc_hash_sha256(struct tc_str data, uint8_t ret_hash[TC_HASH_SIZE]);
/* Lower-case hex with a NUL. */
void tc_hash_sha256_hex(struct tc_str data, char ret_hex[TC_HASH_HEX_SIZE]);
void tc_hash_hmac(struct tc_str key, struct tc_str data, uint8_t ret_hash[TC_HASH_SIZE]);
void tc_hash_hex(const uint8_t *bytes, size_t n, char *ret_hex); /* 2n characters and a NUL */
/* Equal, in time that does not depend on where they differ. */
bool tc_hash_same(const void *a, const void *b, size_t n);

/* For tables: SipHash-1-3 under a seed made once a process. */
uint64_t tc_hash_table(struct tc_str data);

#endif
