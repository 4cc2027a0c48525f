/*
 * See fake_secrets.h.
 */
#include "support/fake_secrets.h"

#include "base/hash.h"

static enum tc_err seal(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str plain,
                        struct tc_str *ret_sealed)
{
    struct tc_str text = tc_arena_printf(cx->arena, "%.*s\n%.*s", TC_STR_ARG(name), TC_STR_ARG(plain));

    (void)self;
    for (size_t i = 0; text.p && i < text.n; i++)
        ((char *)text.p)[i] ^= 0x55;
    *ret_sealed = text;
    return text.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err unseal(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str sealed,
                          struct tc_str *ret_plain)
{
    struct tc_str text = tc_arena_dup(cx->arena, sealed);

    (void)self;
    if (!text.p)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < text.n; i++)
        ((char *)text.p)[i] ^= 0x55;
    if (!tc_str_starts(text, name))
        return tc_fail(cx, TC_E_SECRET_SEALED, "It was sealed under another name.");
    *ret_plain = tc_str_from(text, name.n + 1);
    return TC_OK;
}

static void hash(struct tc_secrets *self, struct tc_str data, char ret_hex[TC_SECRETS_HASH_SIZE])
{
    (void)self;
    tc_hash_sha256_hex(data, ret_hex);
}

const struct tc_secrets_ops fake_secrets_ops = {seal, unseal, hash};
