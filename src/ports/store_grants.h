/*
 * Logins at MCP servers: grants, one a server and identity, and the clients that
 * an authorization server knows us as, one a server and issuer. Whatever is
 * secret in them is sealed; the rest is for people.
 */
#ifndef TC_PORTS_STORE_GRANTS_H
#define TC_PORTS_STORE_GRANTS_H

#include "ports/store.h"

struct tc_grant_row {
    struct tc_str server;           /* its name */
    struct tc_str identity;         /* an agent's id; empty: shared by all */
    struct tc_str issuer;           /* of the tokens */
    struct tc_str scope;            /* that was granted */
    struct tc_str sealed;           /* tokens, opaque bytes; empty: none */
    struct tc_str challenge;        /* what the last refusal asked for: WWW-Authenticate */
    int64_t expires_at;             /* when it ends; 0: not known, or it is renewed */
    int64_t created_at, updated_at;
};

struct tc_grant_client_row {
    struct tc_str server, issuer;
    struct tc_str sealed;           /* client id, secret, how it was got */
    int64_t created_at, updated_at;
};

struct tc_store_grants_ops {
    /* By server and identity, sealed bytes included. An empty server: of all. */
    enum tc_err (*all)(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_grant_row **ret_rows,
                       size_t *ret_n);
    /* Inserts or replaces. */
    enum tc_err (*put)(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_row *row, int64_t now);
    enum tc_err (*remove)(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str identity);
    enum tc_err (*client)(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str issuer,
                          struct tc_grant_client_row *ret_row);
    enum tc_err (*put_client)(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_client_row *row,
                              int64_t now);
    /* Every grant and client of the server; none is no failure. */
    enum tc_err (*forget)(struct tc_cx *cx, struct tc_store *self, struct tc_str server);
};

#endif
