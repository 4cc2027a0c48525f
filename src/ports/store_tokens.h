/*
 * Access tokens (only their hash is stored) and sealed secrets.
 */
#ifndef TC_PORTS_STORE_TOKENS_H
#define TC_PORTS_STORE_TOKENS_H

#include "ports/store.h"

struct tc_token_row {
    struct tc_str id;
    struct tc_str hash;   /* hex SHA-256 of the token */
    struct tc_str role;   /* viewer, operator, admin, agent */
    struct tc_str agent;  /* role agent: bound to it */
    struct tc_str label;
    int64_t created_at, expires_at, revoked_at, used_at;
};

struct tc_store_tokens_ops {
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_token_row **ret_rows, size_t *ret_n);
    enum tc_err (*create)(struct tc_cx *cx, struct tc_store *self, const struct tc_token_row *row);
    /* What it is for, in words. */
    enum tc_err (*label)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str label);
    /* The first time counts. */
    enum tc_err (*revoke)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now);
    /* The latest time counts. */
    enum tc_err (*touch)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now);
};

struct tc_secret_row {
    struct tc_str name;
    struct tc_str sealed; /* nonce and ciphertext: opaque bytes */
    int64_t created_at, updated_at;
};

struct tc_store_secrets_ops {
    /* Without the sealed bytes. */
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_secret_row **ret_rows, size_t *ret_n);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_secret_row *ret_row);
    enum tc_err (*put)(struct tc_cx *cx, struct tc_store *self, const struct tc_secret_row *row, int64_t now);
    enum tc_err (*remove)(struct tc_cx *cx, struct tc_store *self, struct tc_str name);
};

#endif
