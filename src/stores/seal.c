/*
 * Sealed bytes are: one byte of format, 24 of nonce, the ciphertext with its tag.
 * The name is bound in as associated data, so a sealed value that is moved to
 * another name does not open.
 */
#include "stores/seal.h"

#include <sodium.h>

#include "base/mem.h"
#include "stores/seal_key.h"

enum {
    FORMAT = 1,
    NONCE_SIZE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    HEAD_SIZE = 1 + NONCE_SIZE
};

struct keys {
    unsigned char seal[crypto_aead_xchacha20poly1305_ietf_KEYBYTES];
    unsigned char hash[crypto_generichash_KEYBYTES];
};

struct tc_seal {
    struct tc_secrets base;
    struct keys *keys; /* guarded pages, read-only */
};

_Static_assert(TC_SEAL_KEY_SIZE == crypto_kdf_KEYBYTES, "the given key is the one that the others derive from");

static enum tc_err derive_keys(struct tc_cx *cx, const unsigned char *key, struct keys **ret_keys)
{
    static const char context[crypto_kdf_CONTEXTBYTES] = {'t', 'c', 'r', 'i', 'b', 'k', 'e', 'y'};
    struct keys *keys = sodium_malloc(sizeof *keys);

    if (!keys)
        return tc_fail_memory(cx);
    crypto_kdf_derive_from_key(keys->seal, sizeof keys->seal, 1, context, key);
    crypto_kdf_derive_from_key(keys->hash, sizeof keys->hash, 2, context, key);
    sodium_mprotect_readonly(keys);
    *ret_keys = keys;
    return TC_OK;
}

static enum tc_err seal_op(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str plain,
                           struct tc_str *ret_sealed)
{
    return tc_seal_seal(cx, (struct tc_seal *)self, name, plain, ret_sealed);
}

static enum tc_err unseal_op(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str sealed,
                             struct tc_str *ret_plain)
{
    return tc_seal_unseal(cx, (struct tc_seal *)self, name, sealed, ret_plain);
}

static void hash_op(struct tc_secrets *self, struct tc_str data, char ret_hex[TC_SECRETS_HASH_SIZE])
{
    tc_seal_hash((struct tc_seal *)self, data, ret_hex);
}

static const struct tc_secrets_ops ops = {
    .seal = seal_op,
    .unseal = unseal_op,
    .hash = hash_op,
};

enum tc_err tc_seal_open_key(struct tc_cx *cx, const char *key_file, struct tc_seal **ret_seal)
{
    unsigned char key[TC_SEAL_KEY_SIZE];
    struct tc_seal *seal;
    enum tc_err err;

    if (sodium_init() < 0)
        return tc_fail(cx, TC_E_INTERNAL, "The cryptographic library cannot be started.");
    err = tc_seal_key_load(cx, key_file, key);
    if (err)
        return err;
    seal = tc_mem_zalloc(1, sizeof *seal);
    err = seal ? derive_keys(cx, key, &seal->keys) : tc_fail_memory(cx);
    sodium_memzero(key, sizeof key);
    if (err) {
        tc_mem_free(seal);
        return err;
    }
    seal->base.ops = &ops;
    *ret_seal = seal;
    return TC_OK;
}

void tc_seal_destroy(struct tc_seal *seal)
{
    if (!seal)
        return;
    sodium_free(seal->keys); /* wipes */
    tc_mem_free(seal);
}

struct tc_secrets *tc_seal_secrets(struct tc_seal *seal)
{
    return &seal->base;
}

enum tc_err tc_seal_seal(struct tc_cx *cx, const struct tc_seal *seal, struct tc_str name, struct tc_str plain,
                         struct tc_str *ret_sealed)
{
    size_t size = HEAD_SIZE + plain.n + TAG_SIZE;
    unsigned char *sealed = tc_arena_alloc(cx->arena, size);

    if (!sealed)
        return tc_fail_memory(cx);
    sealed[0] = FORMAT;
    randombytes_buf(sealed + 1, NONCE_SIZE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(sealed + HEAD_SIZE, NULL, (const unsigned char *)plain.p, plain.n,
                                               (const unsigned char *)name.p, name.n, NULL, sealed + 1,
                                               seal->keys->seal);
    *ret_sealed = tc_str_n((char *)sealed, size);
    return TC_OK;
}

struct plain {
    size_t n;
    unsigned char bytes[];
};

static void wipe(void *arg)
{
    struct plain *plain = arg;

    sodium_memzero(plain->bytes, plain->n);
}

static enum tc_err fail_sealed(struct tc_cx *cx, struct tc_str name)
{
    tc_fail(cx, TC_E_SECRET_SEALED, "The secret \"%.*s\" was sealed with another key, or is damaged.",
            TC_STR_ARG(name));
    return tc_fail_hint(cx, "Put back the key that it was sealed with, or set the secret again.");
}

enum tc_err tc_seal_unseal(struct tc_cx *cx, const struct tc_seal *seal, struct tc_str name, struct tc_str sealed,
                           struct tc_str *ret_plain)
{
    const unsigned char *bytes = (const unsigned char *)sealed.p;
    struct plain *plain;
    size_t n;

    if (sealed.n < HEAD_SIZE + TAG_SIZE || bytes[0] != FORMAT)
        return fail_sealed(cx, name);
    n = sealed.n - HEAD_SIZE - TAG_SIZE;
    plain = tc_arena_alloc(cx->arena, sizeof *plain + n + 1);
    if (!plain)
        return tc_fail_memory(cx);
    plain->n = n;
    plain->bytes[n] = '\0';
    if (!tc_arena_defer(cx->arena, wipe, plain))
        return tc_fail_memory(cx);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(plain->bytes, NULL, NULL, bytes + HEAD_SIZE, n + TAG_SIZE,
                                                   (const unsigned char *)name.p, name.n, bytes + 1,
                                                   seal->keys->seal) != 0)
        return fail_sealed(cx, name);
    *ret_plain = tc_str_n((char *)plain->bytes, n);
    return TC_OK;
}

void tc_seal_hash(const struct tc_seal *seal, struct tc_str data, char ret_hex[TC_SECRETS_HASH_SIZE])
{
    unsigned char hash[crypto_generichash_BYTES];

    crypto_generichash(hash, sizeof hash, (const unsigned char *)data.p, data.n, seal->keys->hash,
                       sizeof seal->keys->hash);
    sodium_bin2hex(ret_hex, TC_SECRETS_HASH_SIZE, hash, sizeof hash);
}
