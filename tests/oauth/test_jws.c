/*
 * Signed tokens: a vector of the standard, each algorithm against itself, and
 * everything by which somebody might get a token past the check.
 */
#include "oauth/jws.h"
#include "support/test.h"

#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "base/base64.h"

/* RFC 7515, appendix A.3 */
static const char p256_set[] =
    "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"k\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}]}";
static const char p256_token[] =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cn"
    "VlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

struct pair {
    struct tc_str pem;
    struct tc_jwk key; /* the public half */
};

static struct pair make(struct test_cx *t, enum tc_jwk_kind kind)
{
    struct pair pair = {.key = {.kind = kind}};
    BIO *bio = BIO_new(BIO_s_mem());
    char *text;
    long n;

    pair.key.key = kind == TC_JWK_RSA    ? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048)
                   : kind == TC_JWK_P256 ? EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256")
                                         : EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    assert_non_null(pair.key.key);
    assert_true(PEM_write_bio_PrivateKey(bio, pair.key.key, NULL, NULL, 0, NULL, NULL));
    n = BIO_get_mem_data(bio, &text);
    pair.pem = tc_arena_dup(&t->arena, tc_str_n(text, (size_t)n));
    BIO_free(bio);
    return pair;
}

void test_jws__the_vector_of_the_standard_verifies(void **state)
{
    struct tc_jwks *keys;
    struct tc_jws jws;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_jwks_read(&t.cx, tc_str_of(p256_set), &keys), TC_OK);
    assert_int_equal(keys->n, 1);
    assert_string_equal(keys->keys[0].id, "k");
    assert_int_equal(tc_jws_parse(&t.cx, tc_str_of(p256_token), &jws), TC_OK);
    assert_str(tc_json_str(tc_json_get_c(jws.claims, "iss")), "joe");
    assert_true(tc_jws_verify(&jws, &keys->keys[0]));
    jws.signed_part.n--;
    assert_false(tc_jws_verify(&jws, &keys->keys[0]));
    tc_jwks_destroy(keys);
    test_cx_finish(&t);
}

void test_jws__what_each_kind_of_key_signs_only_that_key_verifies(void **state)
{
    struct pair pairs[3], others[3];
    struct tc_str token;
    struct tc_jws jws;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (int i = 0; i < 3; i++) {
        pairs[i] = make(&t, (enum tc_jwk_kind)i);
        others[i] = make(&t, (enum tc_jwk_kind)i);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tc_jws_sign(&t.cx, pairs[i].pem, TC_STR("{\"a\":1}"), &token), TC_OK);
        assert_int_equal(tc_jws_parse(&t.cx, token, &jws), TC_OK);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(tc_jws_verify(&jws, &pairs[k].key), k == i);
            assert_false(tc_jws_verify(&jws, &others[k].key));
        }
    }
    for (int i = 0; i < 3; i++) {
        EVP_PKEY_free(pairs[i].key.key);
        EVP_PKEY_free(others[i].key.key);
    }
    test_cx_finish(&t);
}

static struct tc_str raw(struct test_cx *t, const char *header, const char *claims, const char *signature)
{
    struct tc_str h = tc_base64_encode(&t->arena, TC_BASE64_URL, tc_str_of(header)),
                  c = tc_base64_encode(&t->arena, TC_BASE64_URL, tc_str_of(claims));

    return tc_arena_printf(&t->arena, "%.*s.%.*s.%s", TC_STR_ARG(h), TC_STR_ARG(c), signature);
}

void test_jws__a_key_for_one_algorithm_takes_no_other(void **state)
{
    struct tc_jwk key;
    struct tc_jws jws;
    struct tc_str token;
    struct pair pair;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    pair = make(&t, TC_JWK_RSA);
    assert_int_equal(tc_jws_sign(&t.cx, pair.pem, TC_STR("{}"), &token), TC_OK);
    assert_int_equal(tc_jws_parse(&t.cx, token, &jws), TC_OK);
    key = pair.key;
    strcpy(key.alg, "RS256");
    assert_true(tc_jws_verify(&jws, &key));
    strcpy(key.alg, "PS256");
    assert_false(tc_jws_verify(&jws, &key));
    jws.alg = TC_JWS_PS256; /* the same signature under another name */
    assert_false(tc_jws_verify(&jws, &key));
    EVP_PKEY_free(pair.key.key);
    test_cx_finish(&t);
}

void test_jws__what_is_not_signed_or_cannot_be_understood_is_refused(void **state)
{
    static const char *const headers[] = {"{\"alg\":\"none\"}",
                                          "{\"alg\":\"None\"}",
                                          "{\"alg\":\"HS256\"}",
                                          "{\"alg\":\"RS384\"}",
                                          "{\"alg\":\"rs256\"}",
                                          "{}",
                                          "[]",
                                          "{\"alg\":7}",
                                          "{\"alg\":\"RS256\",\"crit\":[\"x\"]}",
                                          "{\"alg\":\"RS256\",\"b64\":false}",
                                          "{\"alg\":\"RS256\",\"alg\":\"none\"}",
                                          "not json"};
    static const char *const tokens[] = {"",
                                         "..",
                                         "a.b",
                                         "a.b.c.d",
                                         "e30.e30.",
                                         "eyJhbGciOiJSUzI1NiJ9.e30.=",
                                         "eyJhbGciOiJSUzI1NiJ9.W10.AA",
                                         "eyJhbGciOiJSUzI1NiJ9. e30.AA"};
    struct tc_jws jws;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (tc_jws_parse(&t.cx, raw(&t, headers[i], "{}", "AA"), &jws) != TC_E_AUTH_INVALID)
            fail_msg("taken: %s", headers[i]);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (tc_jws_parse(&t.cx, tc_str_of(tokens[i]), &jws) != TC_E_AUTH_INVALID)
            fail_msg("taken: %s", tokens[i]);
    assert_int_equal(tc_jws_parse(&t.cx, raw(&t, "{\"alg\":\"RS256\"}", "{\"a\":1,\"a\":2}", "AA"), &jws),
                     TC_E_AUTH_INVALID);
    assert_int_equal(tc_jws_parse(&t.cx, raw(&t, "{\"alg\":\"ES256\",\"kid\":\"x\"}", "{}", ""), &jws), TC_OK);
    assert_str(jws.key_id, "x");
    test_cx_finish(&t);
}

void test_jws__keys_of_no_use_are_left_out(void **state)
{
    static const char set[] =
        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"},{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"},"
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AAAA\",\"y\":\"AAAA\"},"
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
        "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a1\"}," /* not on the curve */
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"use\":\"enc\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
        "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"},"
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"good\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"},"
        "7]}";
    struct tc_jwks *keys;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_jwks_read(&t.cx, tc_str_of(set), &keys), TC_OK);
    assert_int_equal(keys->n, 1);
    assert_string_equal(keys->keys[0].id, "good");
    tc_jwks_destroy(keys);
    assert_int_equal(tc_jwks_read(&t.cx, TC_STR("{}"), &keys), TC_E_MCP_AUTHORIZATION);
    assert_int_equal(tc_jwks_read(&t.cx, TC_STR("x"), &keys), TC_E_MCP_AUTHORIZATION);
    test_cx_finish(&t);
}

void test_jws__a_key_to_sign_with_must_be_one(void **state)
{
    struct tc_str token;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_jws_sign(&t.cx, TC_STR(""), TC_STR("{}"), &token), TC_E_CONFIG_INVALID);
    assert_int_equal(tc_jws_sign(&t.cx, TC_STR("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
                                 TC_STR("{}"), &token),
                     TC_E_CONFIG_INVALID);
    test_cx_finish(&t);
}
