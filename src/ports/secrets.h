/*
 * Sealing of secrets, and keyed hashes of what must not be readable in the
 * record. Whoever implements this port holds the key and shows it to nobody.
 */
#ifndef TC_PORTS_SECRETS_H
#define TC_PORTS_SECRETS_H

#include "toolcrib/cx.h"

enum { TC_SECRETS_HASH_SIZE = 65 }; /* lower-case hex and a NUL */

struct tc_secrets;

/* All MUST be there; none parks. */
struct tc_secrets_ops {
    /* The text under the name, as opaque bytes in the arena. The same text seals to
     * other bytes each time, and opens under the same name only. */
    enum tc_err (*seal)(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str plain,
                        struct tc_str *ret_sealed);
    /* The text in the arena, which is wiped when the arena ends. TC_E_SECRET_SEALED
     * when it was sealed with another key, under another name, or is damaged. */
    enum tc_err (*unseal)(struct tc_cx *cx, struct tc_secrets *self, struct tc_str name, struct tc_str sealed,
                          struct tc_str *ret_plain);
    /* The same for the same data and key, telling nothing of the data without the
     * key. Its key is another than the one that seals. */
    void (*hash)(struct tc_secrets *self, struct tc_str data, char ret_hex[TC_SECRETS_HASH_SIZE]);
};

struct tc_secrets {
    const struct tc_secrets_ops *ops;
};

#endif
