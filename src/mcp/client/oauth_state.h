/*
 * What the files of the grants share. Private to oauth*.c.
 *
 * Nothing that lies in a slot is held across a parking call but the slot itself:
 * tokens are copied into the arena of whoever needs them.
 */
#ifndef TC_MCP_CLIENT_OAUTH_STATE_H
#define TC_MCP_CLIENT_OAUTH_STATE_H

#include "base/map.h"
#include "io/lock.h"
#include "mcp/client/oauth.h"
#include "oauth/answer.h"
#include "oauth/challenge.h"
#include "oauth/discover.h"
#include "oauth/jwk.h"
#include "oauth/request.h"
#include "ports/store_grants.h"

enum { TC_OAUTH_LOGINS = 64, TC_OAUTH_FAULT = 320 };

struct tc_oauth_pending;

struct tc_oauth {
    struct tc_logins logins;           /* first */
    struct tc_oauth_options options;
    struct tc_map servers;             /* name → struct tc_oauth_server */
    struct tc_oauth_pending *pending[TC_OAUTH_LOGINS];
    struct tc_task_group tasks;        /* renewals and exchanges */
};

struct tc_oauth_server {
    struct tc_auth auth;               /* first */
    struct tc_oauth *oauth;
    struct tc_str name, url;           /* owned */
    struct tc_map slots;               /* identity → struct tc_oauth_slot */
};

/* One grant, decoded. access empty: there is none. */
struct tc_oauth_grant {
    struct tc_str url;                 /* of the server that it is for */
    struct tc_str resource, issuer, named; /* named: the issuer, where the operator entered it */
    struct tc_str token_endpoint, revocation_endpoint;
    struct tc_str access, refresh;
    struct tc_str scope, asked;        /* granted; asked for */
    int64_t expires_at;                /* wall clock, ms; 0: not known */
    bool headless;
};

struct tc_oauth_slot {
    struct tc_oauth_server *server;
    struct tc_str identity;            /* owned */
    struct tc_lock lock;               /* loading and saving */
    bool loaded, unsaved;
    struct tc_arena *arena;            /* of grant and challenge; replaced as a whole; NULL: none */
    struct tc_oauth_grant grant;
    struct tc_str challenge;           /* what the last refusal asked for */
    uint64_t generation;               /* counts logins and logouts: a renewal begun before is void */
    char renewed[65];                  /* hash of the access token that a refusal brought about, */
    int64_t renewed_at;                /* and when; monotonic ms */
    bool flying;                       /* a renewal is under way */
    struct tc_event landed;
    enum tc_err flight;                /* how the last one ended */
    char fault[TC_OAUTH_FAULT];
    int64_t failed_at;                 /* monotonic ms of its failure; 0: it did not fail */
    struct tc_oauth_renewal *why;      /* of the one under way; owned */
};

/* --- oauth.c --- */
/* url empty: the present one, whatever it is. */
enum tc_err tc_oauth_server_of(struct tc_cx *cx, struct tc_oauth *oauth, struct tc_str name, struct tc_str url,
                               struct tc_oauth_server **ret_server);
enum tc_err tc_oauth_slot_of(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str identity,
                             struct tc_oauth_slot **ret_slot);
/* Server, and the issuer where the operator named it, as hosts that were entered. */
enum tc_err tc_oauth_rules_of(struct tc_cx *cx, const struct tc_oauth_server *server, struct tc_str named,
                              struct tc_oauth_rules *ret_rules);

/* --- oauth_grant.c --- */
/* Reads the stored grant unless that was done. One for another URL counts as none. */
PARKS enum tc_err tc_oauth_load(struct tc_cx *cx, struct tc_oauth_slot *slot);
/* Puts the grant into the store and then into the slot. When the store fails, the
 * slot has it all the same and tries again later: the old one may be used up. */
PARKS enum tc_err tc_oauth_keep(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_grant *grant,
                                struct tc_str challenge);
/* Once more what could not be stored. */
PARKS enum tc_err tc_oauth_save(struct tc_cx *cx, struct tc_oauth_slot *slot);
/* A copy in cx->arena. */
enum tc_err tc_oauth_grant_dup(struct tc_cx *cx, const struct tc_oauth_grant *from, struct tc_oauth_grant *ret);
void tc_oauth_slot_clear(struct tc_oauth_slot *slot);
/* Tokens of an answer over the grant that they renew or begin. */
void tc_oauth_grant_take(struct tc_cx *cx, struct tc_oauth_grant *grant, const struct tc_oauth_tokens *tokens);

/* --- oauth_client.c --- */
struct tc_oauth_known {
    struct tc_oauth_client client;
    bool given;                        /* by the operator, not registered */
    struct tc_str redirect_uri;        /* that it was registered with */
    int64_t secret_expires_at;         /* Unix seconds; 0: never */
};
/* TC_E_STORE_NOT_FOUND when the issuer does not know us. */
PARKS enum tc_err tc_oauth_client_load(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str issuer,
                                       struct tc_oauth_known *ret_known);
PARKS enum tc_err tc_oauth_client_keep(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str issuer,
                                       const struct tc_oauth_known *known);
/* The one to use: given now, given or registered before, by document, or registered now. */
struct tc_oauth_choice {
    const struct tc_oauth_rules *rules;
    const struct tc_login_request *request;
    const struct tc_oauth_issuer *issuer;
    struct tc_str redirect_uri;
};
PARKS enum tc_err tc_oauth_client_choose(struct tc_cx *cx, struct tc_oauth_server *server,
                                         const struct tc_oauth_choice *choice, struct tc_oauth_client *ret_client);

/* --- oauth_refresh.c --- */
struct tc_oauth_renewal {
    bool refused;           /* a token that should be good was not: is it still the same authorization server? */
    struct tc_str metadata; /* where the refusal says that the metadata is */
    struct tc_str scope;    /* to ask for besides; of the client itself only */
};
/* Renews the grant, or waits for the renewal that is under way. */
PARKS enum tc_err tc_oauth_renew(struct tc_cx *cx, struct tc_oauth_slot *slot, const struct tc_oauth_renewal *why);
/* One request to a token endpoint; form holds all but who we are. */
struct tc_oauth_token_request {
    const struct tc_oauth_rules *rules;
    const struct tc_oauth_client *client;
    struct tc_str endpoint, issuer;
    struct tc_buf *form;
};
/* TC_E_MCP_LOGIN_REQUIRED for invalid_grant, TC_E_MCP_AUTHORIZATION for another
 * refusal, else what kept the answer from coming. */
PARKS enum tc_err tc_oauth_ask_tokens(struct tc_cx *cx, const struct tc_oauth_token_request *request,
                                      struct tc_oauth_tokens *ret_tokens);

/* A first grant for the client itself. */
PARKS enum tc_err tc_oauth_login_headless(struct tc_cx *cx, struct tc_oauth_slot *slot,
                                          const struct tc_oauth_grant *start, const struct tc_oauth_client *client);

/* --- the port --- */
extern const struct tc_logins_ops tc_oauth_logins_ops; /* oauth_forget.c */
PARKS enum tc_err tc_oauth_begin(struct tc_cx *cx, struct tc_logins *self, const struct tc_login_request *request,
                                 struct tc_login *ret_login);
enum tc_err tc_oauth_document(struct tc_cx *cx, struct tc_logins *self, struct tc_jsonw *w);
PARKS enum tc_err tc_oauth_wait(struct tc_cx *cx, struct tc_logins *self, struct tc_str id, int64_t timeout_ms,
                                struct tc_login *ret_login);
PARKS enum tc_err tc_oauth_finish(struct tc_cx *cx, struct tc_logins *self, struct tc_str query,
                                  struct tc_login *ret_login);

#endif
