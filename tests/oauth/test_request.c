/*
 * What goes to an authorization server.
 */
#include "oauth/request.h"
#include "support/test.h"

void test_request__the_challenge_is_that_of_the_standard(void **state)
{
    char challenge[TC_OAUTH_NONCE_SIZE];

    (void)state;
    tc_oauth_pkce(TC_STR("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), challenge); /* RFC 7636, appendix B */
    assert_string_equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

void test_request__nonces_differ_and_are_43_characters(void **state)
{
    char a[TC_OAUTH_NONCE_SIZE], b[TC_OAUTH_NONCE_SIZE];

    (void)state;
    tc_oauth_nonce(a);
    tc_oauth_nonce(b);
    assert_int_equal(strlen(a), 43);
    assert_string_not_equal(a, b);
}

void test_request__the_address_carries_all_and_leaves_out_what_is_empty(void **state)
{
    struct tc_oauth_authorize what = {
        .endpoint = TC_STR("https://as/authorize?tenant=1"),
        .client_id = TC_STR("https://c/d.json"),
        .redirect_uri = TC_STR("http://127.0.0.1:8420/oauth/callback"),
        .state = TC_STR("st"),
        .verifier = TC_STR("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        .scope = TC_STR(""),
        .resource = TC_STR("https://a/mcp"),
    };
    struct test_cx t;
    struct tc_str text;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_oauth_authorize_url(&t.cx, &what, &text), TC_OK);
    assert_str(text, "https://as/authorize?tenant=1&response_type=code&client_id=https%3A%2F%2Fc%2Fd.json"
                     "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8420%2Foauth%2Fcallback&state=st"
                     "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                     "&resource=https%3A%2F%2Fa%2Fmcp");
    what.endpoint = TC_STR("https://as/authorize");
    what.scope = TC_STR("a b");
    what.consent = true;
    assert_int_equal(tc_oauth_authorize_url(&t.cx, &what, &text), TC_OK);
    assert_true(tc_str_find(text, TC_STR("&scope=a%20b&")) != SIZE_MAX);
    assert_true(tc_str_ends(text, TC_STR("&prompt=consent")));
    test_cx_finish(&t);
}

static struct tc_str authenticate(struct test_cx *t, struct tc_oauth_client client, struct tc_str *ret_field)
{
    struct tc_str form;
    struct tc_buf buf;

    tc_buf_init(&buf, TC_OAUTH_FORM_MAX);
    assert_int_equal(tc_oauth_authenticate(&t->cx, &client, TC_STR("https://as"), &buf, ret_field), TC_OK);
    form = tc_buf_dup(&buf, &t->arena);
    tc_buf_finish(&buf);
    return form;
}

void test_request__a_client_shows_who_it_is_in_one_place(void **state)
{
    struct tc_oauth_client client = {TC_STR("a:b"), TC_STR("s c"), TC_OAUTH_BASIC, TC_STR("")};
    struct tc_str field;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(authenticate(&t, client, &field), "");
    assert_str(field, "Basic YSUzQWI6cyUyMGM="); /* a%3Ab:s%20c */
    client.method = TC_OAUTH_POST;
    assert_str(authenticate(&t, client, &field), "client_id=a%3Ab&client_secret=s%20c");
    assert_str(field, "");
    client.method = TC_OAUTH_NONE;
    assert_str(authenticate(&t, client, &field), "client_id=a%3Ab");
    assert_str(field, "");
    test_cx_finish(&t);
}

void test_request__the_method_follows_what_is_offered(void **state)
{
    (void)state;
    assert_int_equal(tc_oauth_choose(0, true), TC_OAUTH_BASIC);
    assert_int_equal(tc_oauth_choose(1 << TC_OAUTH_POST | 1 << TC_OAUTH_NONE, true), TC_OAUTH_POST);
    assert_int_equal(tc_oauth_choose(1 << TC_OAUTH_NONE, true), TC_OAUTH_NONE);
    assert_int_equal(tc_oauth_choose(1 << TC_OAUTH_BASIC | 1 << TC_OAUTH_POST, true), TC_OAUTH_BASIC);
    assert_int_equal(tc_oauth_choose(1 << TC_OAUTH_BASIC, false), TC_OAUTH_NONE);
}

static struct tc_str registree(struct test_cx *t, const char *redirect)
{
    struct tc_oauth_registree what = {TC_STR(""), tc_str_of(redirect), TC_STR("a"), TC_OAUTH_NONE};
    struct tc_str text;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, 4096);
    tc_jsonw_init(&w, &buf);
    tc_oauth_client_write(&w, &what);
    text = tc_buf_dup(&buf, &t->arena);
    tc_buf_finish(&buf);
    return text;
}

void test_request__a_registration_says_what_kind_of_application_this_is(void **state)
{
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(registree(&t, "http://127.0.0.1:1/oauth/callback"),
               "{\"client_name\":\"Toolcrib\",\"redirect_uris\":[\"http://127.0.0.1:1/oauth/callback\"],"
               "\"grant_types\":[\"authorization_code\",\"refresh_token\"],\"response_types\":[\"code\"],"
               "\"application_type\":\"native\",\"token_endpoint_auth_method\":\"none\",\"scope\":\"a\"}");
    assert_true(tc_str_find(registree(&t, "https://crib.example/oauth/callback"),
                            TC_STR("\"application_type\":\"web\"")) != SIZE_MAX);
    test_cx_finish(&t);
}
