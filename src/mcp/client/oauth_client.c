/*
 * What an authorization server knows us as. What was got from one issuer is sent
 * to no other, also where one server has moved from the one to the other.
 */
#include "mcp/client/oauth_state.h"

#include "base/clock.h"

enum { CLIENT_MAX = 128 * 1024, EXPIRY_SLACK_S = 60 };

/* --- the store --- */

static struct tc_str seal_name(struct tc_cx *cx, const struct tc_oauth_server *server, struct tc_str issuer)
{
    return tc_arena_printf(cx->arena, "mcp-client:%.*s:%.*s", TC_STR_ARG(server->name), TC_STR_ARG(issuer));
}

enum tc_err tc_oauth_client_load(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str issuer,
                                 struct tc_oauth_known *ret_known)
{
    struct tc_oauth_options *o = &server->oauth->options;
    struct tc_str name = seal_name(cx, server, issuer), plain;
    struct tc_oauth_known known = {0};
    struct tc_grant_client_row row;
    const struct tc_json *root;
    enum tc_err e = name.p ? o->store->grants->client(cx, o->store, server->name, issuer, &row) : tc_fail_memory(cx);

    if (!e)
        e = o->secrets->ops->unseal(cx, o->secrets, name, row.sealed, &plain);
    if (!e)
        e = tc_json_parse_root(cx, plain, NULL, &root);
    if (e)
        return e;
    known.client.id = tc_json_str(tc_json_get_c(root, "id"));
    known.client.secret = tc_json_str(tc_json_get_c(root, "secret"));
    known.client.key = tc_json_str(tc_json_get_c(root, "key"));
    known.client.method = tc_oauth_method_of(tc_json_str(tc_json_get_c(root, "method")));
    if (known.client.method == TC_OAUTH_METHODS)
        known.client.method = TC_OAUTH_NONE;
    known.given = tc_json_bool(tc_json_get_c(root, "given"), false);
    known.redirect_uri = tc_json_str(tc_json_get_c(root, "redirectUri"));
    if (!tc_json_int(tc_json_get_c(root, "secretExpiresAt"), &known.secret_expires_at))
        known.secret_expires_at = 0;
    *ret_known = known;
    return TC_OK;
}

enum tc_err tc_oauth_client_keep(struct tc_cx *cx, struct tc_oauth_server *server, struct tc_str issuer,
                                 const struct tc_oauth_known *known)
{
    struct tc_oauth_options *o = &server->oauth->options;
    struct tc_grant_client_row row = {.server = server->name, .issuer = issuer};
    struct tc_str name = seal_name(cx, server, issuer);
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, CLIENT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "id", known->client.id);
    tc_jsonw_kopt(&w, "secret", known->client.secret);
    tc_jsonw_kopt(&w, "key", known->client.key);
    tc_jsonw_kcstr(&w, "method", tc_oauth_method_name(known->client.method));
    tc_jsonw_kbool(&w, "given", known->given);
    tc_jsonw_kopt(&w, "redirectUri", known->redirect_uri);
    tc_jsonw_kint(&w, "secretExpiresAt", known->secret_expires_at);
    tc_jsonw_end(&w);
    e = name.p && !buf.failed ? o->secrets->ops->seal(cx, o->secrets, name, tc_buf_get(&buf), &row.sealed)
                              : tc_fail_memory(cx);
    if (!buf.failed)
        explicit_bzero(buf.p, buf.n);
    tc_buf_finish(&buf);
    return e ? e : o->store->grants->put_client(cx, o->store, &row, tc_clock_wall_ms(cx->clock));
}

/* --- registering --- */

static enum tc_oauth_method wanted_method(unsigned offered)
{
    if (offered == 0)
        return TC_OAUTH_BASIC;
    return offered & 1u << TC_OAUTH_BASIC  ? TC_OAUTH_BASIC
           : offered & 1u << TC_OAUTH_POST ? TC_OAUTH_POST
                                           : TC_OAUTH_NONE;
}

static enum tc_err send_registration(struct tc_cx *cx, const struct tc_oauth_choice *choice,
                                     struct tc_client_response *ret_response)
{
    struct tc_oauth_registree what = {.redirect_uri = choice->redirect_uri,
                                      .method = wanted_method(choice->issuer->methods)};
    struct tc_oauth_post post = {
        .url = choice->issuer->registration, .what = "registration endpoint", .type = TC_STR("application/json")};
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, CLIENT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_oauth_client_write(&w, &what);
    post.body = tc_buf_get(&buf);
    e = buf.failed ? tc_fail_memory(cx) : tc_oauth_send(cx, choice->rules, &post, ret_response);
    tc_buf_finish(&buf);
    return e;
}

static enum tc_err fail_registration(struct tc_cx *cx, struct tc_str server, struct tc_str redirect_uri)
{
    return tc_fail_hint(cx,
                        "Register Toolcrib there with the redirect URI %.*s, then: toolcrib mcp login %.*s "
                        "--client-id ID",
                        TC_STR_ARG(redirect_uri), TC_STR_ARG(server));
}

static enum tc_err register_client(struct tc_cx *cx, struct tc_oauth_server *server,
                                   const struct tc_oauth_choice *choice, struct tc_oauth_known *known)
{
    const struct tc_oauth_issuer *issuer = choice->issuer;
    struct tc_oauth_registration answer;
    struct tc_client_response response;
    struct tc_oauth_refusal refusal;
    enum tc_err e;

    if (issuer->registration.n == 0) {
        tc_fail(cx, TC_E_MCP_AUTHORIZATION, "The authorization server %.*s registers no clients by itself.",
                TC_STR_ARG(issuer->issuer));
        return fail_registration(cx, server->name, known->redirect_uri);
    }
    e = send_registration(cx, choice, &response);
    if (!e && response.status != 200 && response.status != 201) {
        e = tc_oauth_refusal_read(cx, response.body, &refusal);
        if (e)
            return e;
        tc_fail(cx, TC_E_MCP_AUTHORIZATION,
                "The authorization server %.*s did not register this client: status %d%s%.*s%s%.*s.",
                TC_STR_ARG(issuer->issuer), response.status, refusal.code.n ? ", " : "", TC_STR_ARG(refusal.code),
                refusal.description.n ? ", " : "", TC_STR_ARG(refusal.description));
        return fail_registration(cx, server->name, known->redirect_uri);
    }
    if (!e)
        e = tc_oauth_registration_read(cx, response.body, &answer);
    if (e)
        return e;
    known->client = (struct tc_oauth_client){.id = answer.client_id, .secret = answer.client_secret};
    known->client.method = answer.method < TC_OAUTH_JWT && (answer.method == TC_OAUTH_NONE || answer.client_secret.n)
                               ? answer.method
                               : tc_oauth_choose(issuer->methods, answer.client_secret.n > 0);
    known->secret_expires_at = answer.secret_expires_at;
    return tc_oauth_client_keep(cx, server, issuer->issuer, known);
}

/* --- choosing --- */

static enum tc_err use_given(struct tc_cx *cx, struct tc_oauth_server *server, const struct tc_oauth_choice *choice,
                             struct tc_oauth_known *known)
{
    const struct tc_login_request *request = choice->request;
    enum tc_jwk_kind kind;
    EVP_PKEY *key;
    enum tc_err e = TC_OK;

    known->given = true;
    known->client =
        (struct tc_oauth_client){request->client_id, request->client_secret, TC_OAUTH_JWT, request->private_key};
    if (!request->private_key.n)
        known->client.method = tc_oauth_choose(choice->issuer->methods, request->client_secret.n > 0);
    else if (!(e = tc_jwk_private(cx, request->private_key, &kind, &key)))
        EVP_PKEY_free(key);
    return e ? e : tc_oauth_client_keep(cx, server, choice->issuer->issuer, known);
}

static bool still_good(struct tc_cx *cx, const struct tc_oauth_known *known, struct tc_str redirect_uri)
{
    int64_t now = tc_clock_wall_ms(cx->clock) / 1000;

    if (known->given)
        return true;
    return tc_str_eq(known->redirect_uri, redirect_uri) &&
           (known->secret_expires_at == 0 || known->secret_expires_at - EXPIRY_SLACK_S > now);
}

/* --- by document --- */

/* Below the public URL, without a second slash. */
static struct tc_str public_place(struct tc_cx *cx, const struct tc_oauth *oauth, const char *path)
{
    struct tc_str base = oauth->options.public_url;

    while (base.n && base.p[base.n - 1] == '/')
        base.n--;
    return tc_arena_printf(cx->arena, "%.*s%s", TC_STR_ARG(base), path);
}

static bool is_public(const struct tc_oauth *oauth)
{
    return tc_str_starts(oauth->options.public_url, TC_STR("https://"));
}

enum tc_err tc_oauth_document(struct tc_cx *cx, struct tc_logins *self, struct tc_jsonw *w)
{
    const struct tc_oauth *oauth = (const struct tc_oauth *)self;
    struct tc_oauth_registree what = {.scope = TC_STR(""), .method = TC_OAUTH_NONE};

    if (!is_public(oauth)) {
        tc_fail(cx, TC_E_HTTP_NOT_FOUND, "This daemon has no public address.");
        return tc_fail_hint(cx, "Set publicUrl to an https address.");
    }
    what.client_id = public_place(cx, oauth, TC_OAUTH_DOCUMENT_PATH);
    what.redirect_uri = public_place(cx, oauth, TC_OAUTH_CALLBACK_PATH);
    if (!what.client_id.p || !what.redirect_uri.p)
        return tc_fail_memory(cx);
    tc_oauth_client_write(w, &what);
    return TC_OK;
}

static enum tc_err use_document(struct tc_cx *cx, struct tc_oauth_server *server, const struct tc_oauth_issuer *issuer,
                                struct tc_oauth_known *known)
{
    known->client.id = public_place(cx, server->oauth, TC_OAUTH_DOCUMENT_PATH);
    known->client.method = TC_OAUTH_NONE;
    return known->client.id.p ? tc_oauth_client_keep(cx, server, issuer->issuer, known) : tc_fail_memory(cx);
}

/* Browsers are sent back to where the document says, and it can be read. */
static bool has_document(struct tc_cx *cx, const struct tc_oauth_server *server, struct tc_str redirect_uri)
{
    return is_public(server->oauth) &&
           tc_str_eq(public_place(cx, server->oauth, TC_OAUTH_CALLBACK_PATH), redirect_uri);
}

/* --- choosing --- */

enum tc_err tc_oauth_client_choose(struct tc_cx *cx, struct tc_oauth_server *server,
                                   const struct tc_oauth_choice *choice, struct tc_oauth_client *ret_client)
{
    struct tc_oauth_known known = {0}, fresh = {.redirect_uri = choice->redirect_uri};
    enum tc_err e;

    if (choice->request->client_id.n) {
        e = use_given(cx, server, choice, &fresh);
        *ret_client = fresh.client;
        return e;
    }
    e = tc_oauth_client_load(cx, server, choice->issuer->issuer, &known);
    if (!e && still_good(cx, &known, choice->redirect_uri)) {
        *ret_client = known.client;
        return TC_OK;
    }
    if (e && e != TC_E_STORE_NOT_FOUND && e != TC_E_SECRET_SEALED)
        return e;
    tc_fail_clear(cx);
    if (choice->request->headless) {
        tc_fail(cx, TC_E_USAGE, "Without a person the authorization server must know this client already.");
        return tc_fail_hint(cx, "Name it: --client-id ID with --client-secret-stdin or --private-key FILE.");
    }
    if (choice->issuer->documents && has_document(cx, server, choice->redirect_uri))
        e = use_document(cx, server, choice->issuer, &fresh);
    else
        e = register_client(cx, server, choice, &fresh);
    if (!e)
        *ret_client = fresh.client;
    return e;
}
