/*
 * Channels: model endpoints with their models (spec 1).
 */
#ifndef TC_PORTS_STORE_CHANNELS_H
#define TC_PORTS_STORE_CHANNELS_H

#include "ports/store.h"

struct tc_channel_row {
    struct tc_str id;         /* [a-z0-9_-]{1,64} */
    struct tc_str label;
    struct tc_str provider, base_url; /* base_url may be empty */
    struct tc_str secret;     /* name of the secret that holds the key; may be empty */
    struct tc_str json;       /* {headers, models[{name, …}], …}: as policy/channel.h decodes it */
    bool enabled;
    int64_t version, created_at, updated_at;
};

struct tc_store_channels_ops {
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_channel_row **ret_rows, size_t *ret_n);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_channel_row *ret_row);
    /* row->version 0: a new one (TC_E_STORE_EXISTS); else that must be the stored one, and
     * created_at stays. */
    enum tc_err (*put)(struct tc_cx *cx, struct tc_store *self, const struct tc_channel_row *row,
                       int64_t *ret_version);
    enum tc_err (*remove)(struct tc_cx *cx, struct tc_store *self, struct tc_str id);
};

#endif
