/*
 * Tokens of a provider in the same process: what is taken, what is not, and how
 * often its keys are asked for.
 */
#include "oauth/oidc.h"
#include "support/task.h"

#include <openssl/core_names.h>
#include <openssl/pem.h>

#include "base/base64.h"
#include "base/clock.h"
#include "http/server.h"
#include "oauth/jws.h"

static const struct tc_oidc_options options = {
    .issuer = TC_STR_INIT("https://id.example"),
    .audience = TC_STR_INIT("crib"),
    .claim = TC_STR_INIT("agent"),
};

static enum tc_err check(struct test_cx *t, const char *json, const char *scope, struct tc_bearer_claims *ret)
{
    struct tc_oidc_options with = options;
    const struct tc_json *claims;

    with.scope = tc_str_of(scope);
    assert_int_equal(tc_json_parse_root(&t->cx, tc_str_of(json), NULL, &claims), TC_OK);
    return tc_oidc_check(&t->cx, &with, claims, 1000, ret);
}

#define GOOD "\"iss\":\"https://id.example\",\"aud\":\"crib\",\"agent\":\"clerk\""

void test_oidc__claims_that_fit_name_the_agent(void **state)
{
    struct tc_bearer_claims c;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(check(&t, "{" GOOD ",\"exp\":2000,\"sub\":\"u1\"}", "", &c), TC_OK);
    assert_str(c.agent, "clerk");
    assert_str(c.subject, "u1");
    assert_int_equal(c.expires_at, 2000000);
    assert_int_equal(
        check(&t,
              "{\"iss\":\"https://id.example\",\"aud\":[\"other\",\"crib\"],\"agent\":\"a_1-b\",\"exp\":971.5,"
              "\"nbf\":1029}",
              "", &c),
        TC_OK);
    assert_str(c.subject, "a_1-b");
    assert_int_equal(check(&t, "{" GOOD ",\"exp\":2000,\"scope\":\"b a\"}", "a b", &c), TC_OK);
    assert_int_equal(check(&t, "{" GOOD ",\"exp\":2000,\"scp\":[\"a\",\"b\"]}", "a b", &c), TC_OK);
    test_cx_finish(&t);
}

void test_oidc__claims_that_do_not_fit_are_refused(void **state)
{
    static const char *const bad[] = {
        "{}",
        "{" GOOD "}",
        "{" GOOD ",\"exp\":970}",
        "{" GOOD ",\"exp\":\"2000\"}",
        "{" GOOD ",\"exp\":2000,\"nbf\":1031}",
        "{" GOOD ",\"exp\":2000,\"nbf\":\"1\"}",
        "{\"iss\":\"https://id.example/\",\"aud\":\"crib\",\"agent\":\"clerk\",\"exp\":2000}",
        "{\"iss\":[\"https://id.example\"],\"aud\":\"crib\",\"agent\":\"clerk\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":\"crib2\",\"agent\":\"clerk\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":[],\"agent\":\"clerk\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":{\"crib\":\"crib\"},\"agent\":\"clerk\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":\"crib\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":\"crib\",\"agent\":\"\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":\"crib\",\"agent\":\"Clerk\",\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":\"crib\",\"agent\":[\"clerk\"],\"exp\":2000}",
        "{\"iss\":\"https://id.example\",\"aud\":\"crib\",\"agent\":\"../x\",\"exp\":2000}",
    };
    struct tc_bearer_claims c;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (check(&t, bad[i], "", &c) != TC_E_AUTH_INVALID)
            fail_msg("taken: %s", bad[i]);
    assert_int_equal(check(&t, "{" GOOD ",\"exp\":2000,\"scope\":\"ab\"}", "a", &c), TC_E_AUTH_SCOPE);
    assert_int_equal(check(&t, "{" GOOD ",\"exp\":2000}", "a", &c), TC_E_AUTH_SCOPE);
    test_cx_finish(&t);
}

/* --- with a provider --- */

struct provider {
    void (*body)(struct provider *p, struct tc_cx *cx);
    struct tc_server *server;
    struct tc_client *client;
    struct tc_oidc *oidc;
    struct tc_str issuer, pem[2], published; /* published: the key set */
    EVP_PKEY *keys[2];
    int fetched, status;
};

static void handler(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct provider *p = arg;
    struct tc_str path = tc_exchange_request(ex)->path, i = p->issuer;

    if (p->status) {
        tc_exchange_json(cx, ex, p->status, TC_STR("{}"));
    } else if (tc_str_is(path, "/keys")) {
        p->fetched++;
        tc_exchange_json(cx, ex, 200, p->published);
    } else if (tc_str_is(path, "/.well-known/openid-configuration")) {
        tc_exchange_json(cx, ex, 200,
                         tc_arena_printf(cx->arena, "{\"issuer\":\"%.*s\",\"jwks_uri\":\"%.*s/keys\"}", TC_STR_ARG(i),
                                         TC_STR_ARG(i)));
    } else {
        tc_exchange_json(cx, ex, 404, TC_STR("{}"));
    }
}

static void make_key(struct provider *p, struct tc_cx *cx, int i)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *text;
    long n;

    p->keys[i] = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    PEM_write_bio_PrivateKey(bio, p->keys[i], NULL, NULL, 0, NULL, NULL);
    n = BIO_get_mem_data(bio, &text);
    p->pem[i] = tc_arena_dup(cx->arena, tc_str_n(text, (size_t)n));
    BIO_free(bio);
}

static struct tc_str coordinate(struct tc_cx *cx, EVP_PKEY *key, const char *name)
{
    unsigned char bytes[32];
    BIGNUM *bn = NULL;

    EVP_PKEY_get_bn_param(key, name, &bn);
    BN_bn2binpad(bn, bytes, sizeof bytes);
    BN_free(bn);
    return tc_base64_encode(cx->arena, TC_BASE64_URL, tc_str_n((char *)bytes, sizeof bytes));
}

/* The set with that key alone, under an id that the signer here does not write. */
static void publish(struct provider *p, struct tc_cx *cx, int i, const char *id)
{
    struct tc_str x = coordinate(cx, p->keys[i], OSSL_PKEY_PARAM_EC_PUB_X),
                  y = coordinate(cx, p->keys[i], OSSL_PKEY_PARAM_EC_PUB_Y);

    p->published = tc_arena_printf(
        cx->arena, "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"%s\",\"x\":\"%.*s\",\"y\":\"%.*s\"}]}", id,
        TC_STR_ARG(x), TC_STR_ARG(y));
}

static void main_task(struct tc_cx *cx, void *arg)
{
    struct provider *p = arg;
    struct tc_server_options server = {.handler = handler, .arg = p};
    struct tc_oidc_options with = options;
    int port;

    make_key(p, cx, 0);
    make_key(p, cx, 1);
    publish(p, cx, 0, "one");
    expect_int(tc_server_create(cx, tc_task_loop(cx), &server, &p->server), TC_OK);
    expect_int(tc_server_listen_tcp(cx, p->server, "127.0.0.1", 0, &port), TC_OK);
    expect_int(tc_client_create(cx, tc_task_loop(cx), &p->client), TC_OK);
    p->issuer = tc_arena_printf(cx->arena, "http://127.0.0.1:%d", port);
    with.client = p->client;
    with.issuer = p->issuer;
    expect_int(tc_oidc_create(cx, &with, &p->oidc), TC_OK);
    p->body(p, cx);
    tc_oidc_destroy(p->oidc);
    tc_client_destroy(p->client);
    tc_server_stop(cx, p->server, 0);
    tc_server_destroy(p->server);
    EVP_PKEY_free(p->keys[0]);
    EVP_PKEY_free(p->keys[1]);
}

static enum tc_err verify(struct provider *p, struct tc_cx *cx, struct tc_str token)
{
    struct tc_bearer *bearer = tc_oidc_bearer(p->oidc);
    struct tc_bearer_claims claims;

    return bearer->ops->verify(cx, bearer, token, &claims);
}

static struct tc_str token_by(struct provider *p, struct tc_cx *cx, int key)
{
    int64_t now = tc_clock_wall_ms(cx->clock) / 1000;
    struct tc_str token = TC_STR(""),
                  claims =
                      tc_arena_printf(cx->arena, "{\"iss\":\"%.*s\",\"aud\":\"crib\",\"agent\":\"clerk\",\"exp\":%lld}",
                                      TC_STR_ARG(p->issuer), (long long)now + 60);

    expect_int(tc_jws_sign(cx, p->pem[key], claims, &token), TC_OK);
    return token;
}

/* The same token with another header; its signature is then not right. */
static struct tc_str with_header(struct tc_cx *cx, struct tc_str token, const char *header)
{
    struct tc_str head = tc_base64_encode(cx->arena, TC_BASE64_URL, tc_str_of(header)),
                  rest = tc_str_from(token, tc_str_chr(token, '.'));

    return tc_arena_printf(cx->arena, "%.*s%.*s", TC_STR_ARG(head), TC_STR_ARG(rest));
}

static void signatures(struct provider *p, struct tc_cx *cx)
{
    struct tc_str good = token_by(p, cx, 0), bad = tc_arena_dup(cx->arena, good);

    expect_int(p->fetched, 0);
    expect_int(verify(p, cx, good), TC_OK);
    expect_int(verify(p, cx, good), TC_OK);
    expect_int(p->fetched, 1);
    ((char *)bad.p)[bad.n - 10] ^= 1;
    expect_int(verify(p, cx, bad), TC_E_AUTH_INVALID);
    expect_int(verify(p, cx, token_by(p, cx, 1)), TC_E_AUTH_INVALID);
    expect_int(verify(p, cx, with_header(cx, good, "{\"alg\":\"none\"}")), TC_E_AUTH_INVALID);
    expect_int(verify(p, cx, with_header(cx, good, "{\"alg\":\"HS256\"}")), TC_E_AUTH_INVALID);
    expect_int(verify(p, cx, with_header(cx, good, "{\"alg\":\"ES256\",\"typ\":\"dpop+jwt\"}")), TC_E_AUTH_INVALID);
    expect_int(verify(p, cx, TC_STR("a.b.c")), TC_E_AUTH_INVALID);
    expect_int(p->fetched, 1); /* none of that made it ask again */
}

static void in_provider(void (*body)(struct provider *p, struct tc_cx *cx))
{
    struct provider p = {.body = body};

    test_task_run(main_task, &p);
}

void test_oidc__a_signature_of_the_provider_counts_and_no_other(void **state)
{
    (void)state;
    in_provider(signatures);
}

static void unknown_keys(struct provider *p, struct tc_cx *cx)
{
    struct tc_str good = token_by(p, cx, 0), strange = with_header(cx, good, "{\"alg\":\"ES256\",\"kid\":\"two\"}");

    expect_int(verify(p, cx, good), TC_OK);
    for (int i = 0; i < 20; i++)
        expect_int(verify(p, cx, strange), TC_E_AUTH_INVALID);
    expect_int(p->fetched, 1); /* asked a moment ago */
}

void test_oidc__unknown_key_ids_do_not_make_it_ask_again_and_again(void **state)
{
    (void)state;
    in_provider(unknown_keys);
}

static void away(struct provider *p, struct tc_cx *cx)
{
    struct tc_str good = token_by(p, cx, 0);

    p->status = 503;
    expect_int(verify(p, cx, good), TC_E_HTTP_UPSTREAM);
    expect_int(verify(p, cx, good), TC_E_HTTP_UPSTREAM);
    p->status = 0;
    expect_int(verify(p, cx, good), TC_E_HTTP_UPSTREAM); /* not again so soon */
    expect_int(p->fetched, 0);
}

void test_oidc__a_provider_that_is_away_refuses_nobody_for_good(void **state)
{
    (void)state;
    in_provider(away);
}

void test_oidc__an_issuer_must_be_https_but_on_this_machine(void **state)
{
    struct tc_oidc_options with = options;
    struct tc_oidc *oidc;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    with.issuer = TC_STR("http://id.example");
    assert_int_equal(tc_oidc_create(&t.cx, &with, &oidc), TC_E_CONFIG_INVALID);
    assert_str(t.cx.err.field, "auth.oidc.issuer");
    with.issuer = TC_STR("id.example");
    assert_int_equal(tc_oidc_create(&t.cx, &with, &oidc), TC_E_CONFIG_INVALID);
    test_cx_finish(&t);
}
