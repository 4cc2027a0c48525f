/*
 * Logins at servers that want to know who calls: begun by an operator, finished by
 * whoever has a browser, kept and renewed by the implementation (mcp/client). The
 * api and the runtime see states and addresses here, never a token.
 */
#ifndef TC_PORTS_LOGINS_H
#define TC_PORTS_LOGINS_H

#include "io/task.h"
#include "toolcrib/cx.h"
#include "toolcrib/jsonw.h"

struct tc_logins;

struct tc_login_request {
    struct tc_str server;                   /* its name */
    struct tc_str url;                      /* empty: where it was tried last */
    struct tc_str identity;                 /* an agent; empty: for all */
    struct tc_str scope;                    /* instead of what the server asks for; may be empty */
    struct tc_str client_id, client_secret; /* that the operator has registered; may be empty */
    struct tc_str private_key;              /* PEM, in place of the secret; may be empty */
    struct tc_str issuer;                   /* the authorization server to use; may be empty */
    bool headless;                          /* as the client itself, without a person: client credentials */
};

enum tc_login_state { TC_LOGIN_WAITING, TC_LOGIN_DONE, TC_LOGIN_FAILED };

/* Strings in the arena. */
struct tc_login {
    struct tc_str id;                      /* a handle, of no use to anybody but those who may begin logins */
    struct tc_str server, identity, scope;
    struct tc_str url;                     /* to open in a browser; empty when none is needed */
    struct tc_str redirect_uri;
    enum tc_login_state state;
    struct tc_str message, hint;           /* why it failed */
    int64_t expires_at;
};

enum tc_login_kind { TC_LOGIN_MISSING, TC_LOGIN_EXPIRED, TC_LOGIN_ACTIVE };

/* What is known of one identity at one server. */
struct tc_login_info {
    struct tc_str server, identity;
    enum tc_login_kind kind;
    struct tc_str issuer, scope;    /* of the grant */
    struct tc_str wanted;           /* scope that was asked for last and is not granted */
    int64_t expires_at;             /* 0: not known, or it is renewed */
};

/* All MUST be there; all but document PARK. */
struct tc_logins_ops {
    enum tc_err (*begin)(struct tc_cx *cx, struct tc_logins *self, const struct tc_login_request *request,
                         struct tc_login *ret_login);
    /* Until it has ended, at most timeout_ms. TC_E_STORE_NOT_FOUND for an unknown id. */
    enum tc_err (*wait)(struct tc_cx *cx, struct tc_logins *self, struct tc_str id, int64_t timeout_ms,
                        struct tc_login *ret_login);
    /* The query of the address that the browser was sent back to. The state in it is
     * used up, whatever comes of it. TC_E_MCP_AUTHORIZATION for a foreign one, and for
     * what the login failed of; *ret_login is filled in where the login is known. */
    enum tc_err (*finish)(struct tc_cx *cx, struct tc_logins *self, struct tc_str query, struct tc_login *ret_login);
    /* Of one server, or of all when the name is empty; by server and identity. */
    enum tc_err (*all)(struct tc_cx *cx, struct tc_logins *self, struct tc_str server, struct tc_login_info **ret_all,
                       size_t *ret_n);
    /* By server, url and identity: revokes where that is offered, and forgets in any
     * case; with the last login also what the server knows us as. every: of all
     * identities. TC_E_STORE_NOT_FOUND when there is no login. */
    enum tc_err (*forget)(struct tc_cx *cx, struct tc_logins *self, const struct tc_login_request *which, bool every,
                          bool *ret_revoked);
    /* Writes what this daemon is as a client, for those who take the URL of that for a
     * client id. TC_E_HTTP_NOT_FOUND when it has no public URL. Does not park. */
    enum tc_err (*document)(struct tc_cx *cx, struct tc_logins *self, struct tc_jsonw *w);
};

struct tc_logins {
    const struct tc_logins_ops *ops;
};

#endif
