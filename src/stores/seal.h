/*
 * The secrets port over a key in a file or in the environment: XChaCha20-
 * Poly1305 for sealing, keyed BLAKE2b for hashes, each with a key of its own
 * that is derived from the one given. Keys lie in guarded memory and are wiped.
 */
#ifndef TC_STORES_SEAL_H
#define TC_STORES_SEAL_H

#include "ports/secrets.h"

struct tc_seal;

/* The key is 32 bytes: that of the environment variable TOOLCRIB_KEY (hex or
 * base64) when it is set, else that of the file (the bytes themselves, or hex or
 * base64 on one line), which is made with mode 0600 and random bytes when it is
 * not there. Errors: TC_E_CONFIG_INVALID for a malformed key, and for a file that
 * others than its owner can read; TC_E_DATA_UNREADABLE. */
enum tc_err tc_seal_open_key(struct tc_cx *cx, const char *key_file, struct tc_seal **ret_seal);
/* Wipes the keys; NULL is fine. */
void tc_seal_destroy(struct tc_seal *seal);
/* The port; lives as long as the seal. */
struct tc_secrets *tc_seal_secrets(struct tc_seal *seal);

/* See ports/secrets.h. */
enum tc_err tc_seal_seal(struct tc_cx *cx, const struct tc_seal *seal, struct tc_str name, struct tc_str plain,
                         struct tc_str *ret_sealed);
enum tc_err tc_seal_unseal(struct tc_cx *cx, const struct tc_seal *seal, struct tc_str name, struct tc_str sealed,
                           struct tc_str *ret_plain);
void tc_seal_hash(const struct tc_seal *seal, struct tc_str data, char ret_hex[TC_SECRETS_HASH_SIZE]);

#endif
