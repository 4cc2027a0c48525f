/*
 * Who may do what (spec 12, access): tokens, roles, throttling of failures.
 * Tokens live in memory beside the store; only their hash is known. Revoking
 * takes effect at once.
 */
#ifndef TC_RUNTIME_ACCESS_H
#define TC_RUNTIME_ACCESS_H

#include "io/task.h"
#include "ports/bearer.h"
#include "ports/store_tokens.h"
#include "runtime/pulse.h"

enum tc_role { TC_ROLE_AGENT, TC_ROLE_VIEWER, TC_ROLE_OPERATOR, TC_ROLE_ADMIN };

struct tc_principal {
    enum tc_role role;
    struct tc_str kind;  /* "token", "oidc", "socket" (peer credentials), "env" (TOOLCRIB_ADMIN_TOKEN) */
    struct tc_str id;    /* of the token; its subject; the user id of a socket peer */
    struct tc_str agent; /* role agent: bound to it */
    int64_t expires_at;  /* "oidc": of its token, Unix milliseconds; else 0 */
};

struct tc_access;

/* Loads the tokens. env_token: TOOLCRIB_ADMIN_TOKEN, 24 to 256 bytes, or empty;
 * TC_E_CONFIG_INVALID for another length. Parks. */
PARKS enum tc_err tc_access_create(struct tc_cx *cx, struct tc_store *store, struct tc_str env_token,
                                   struct tc_access **ret_access);
/* Beats there at each change of the tokens; it outlives the access. */
void tc_access_set_pulse(struct tc_access *access, struct tc_pulse *pulse);
/* Tokens of others are taken too; bearer stays the caller's. */
void tc_access_trust(struct tc_access *access, struct tc_bearer *bearer);
void tc_access_destroy(struct tc_access *access);

/* The principal of a bearer token; strings in the arena. TC_E_AUTH_INVALID, or
 * TC_E_AUTH_THROTTLED when it is wrong and `peer` (an address) failed too often lately. Parks:
 * notes the use, at most once a minute a token. */
PARKS enum tc_err tc_access_check(struct tc_cx *cx, struct tc_access *access, struct tc_str token, struct tc_str peer,
                                  struct tc_principal *ret_principal);

/* The principal of one that tc_access_check took before, by its id. TC_E_AUTH_ENDED when it
 * was revoked or has expired meanwhile. Parks as that does. */
PARKS enum tc_err tc_access_again(struct tc_cx *cx, struct tc_access *access, struct tc_str id,
                                  struct tc_principal *ret_principal);

struct tc_token_options {
    enum tc_role role;
    struct tc_str agent, label;
    int64_t expires_at; /* 0: never */
};
/* Makes a token: "tcr_" and 43 characters (256 bits). *ret_token is shown once. */
PARKS enum tc_err tc_access_create_token(struct tc_cx *cx, struct tc_access *access,
                                         const struct tc_token_options *options, struct tc_token_row *ret_row,
                                         struct tc_str *ret_token);
/* Gives a token another label. TC_E_STORE_NOT_FOUND. */
PARKS enum tc_err tc_access_label(struct tc_cx *cx, struct tc_access *access, struct tc_str id, struct tc_str label);
PARKS enum tc_err tc_access_revoke(struct tc_cx *cx, struct tc_access *access, struct tc_str id);
/* The principal may still do what it could when it was checked: its token was not
 * revoked and has not expired. */
bool tc_access_holds(const struct tc_access *access, const struct tc_principal *principal, int64_t now);
/* The same now: TC_E_AUTH_ENDED says which of the two it was. For what goes on after the
 * request that asked for it. */
enum tc_err tc_access_require(struct tc_cx *cx, const struct tc_access *access, const struct tc_principal *principal);
/* Called after each revocation, on the loop; must not park. */
void tc_access_watch(struct tc_access *access, void (*fn)(void *arg), void *arg);
/* Ends what was asked for with that arg. */
void tc_access_unwatch(struct tc_access *access, const void *arg);
/* Whose a workspace and stored results are, as one name: the token, or the subject with its
 * agent; empty for operators, who share an agent's. p NULL without memory. */
struct tc_str tc_access_holder(struct tc_arena *arena, const struct tc_principal *principal);
/* How many tokens can be used now. */
size_t tc_access_count(const struct tc_access *access, int64_t now);

/* The row of a token, revoked ones too; borrowed until the next parking call; NULL: there is
 * none. */
const struct tc_token_row *tc_access_token(const struct tc_access *access, struct tc_str id);

const char *tc_role_name(enum tc_role role);
bool tc_role_of(struct tc_str name, enum tc_role *ret_role);

#endif
