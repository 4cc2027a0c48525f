/*
 * Where metadata lies and what it must say.
 */
#include "oauth/metadata.h"
#include "support/test.h"

static struct tc_url url(const char *text)
{
    struct tc_url u;

    if (!tc_url_parse(tc_str_of(text), &u))
        fail_msg("no URL: %s", text);
    return u;
}

void test_metadata__a_resource_is_looked_for_by_its_path_then_at_the_root(void **state)
{
    struct tc_url at = url("https://a.example:8443/public/mcp/"), root = url("https://a.example/");
    struct tc_oauth_places p;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_oauth_resource_places(&t.cx, &at, &p), TC_OK);
    assert_int_equal(p.n, 2);
    assert_str(p.url[0], "https://a.example:8443/.well-known/oauth-protected-resource/public/mcp");
    assert_str(p.url[1], "https://a.example:8443/.well-known/oauth-protected-resource");
    assert_int_equal(tc_oauth_resource_places(&t.cx, &root, &p), TC_OK);
    assert_int_equal(p.n, 1);
    test_cx_finish(&t);
}

void test_metadata__an_issuer_is_looked_for_in_three_places(void **state)
{
    struct tc_url tenant = url("https://as.example/tenant1"), root = url("https://as.example");
    struct tc_oauth_places p;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_oauth_issuer_places(&t.cx, &tenant, &p), TC_OK);
    assert_int_equal(p.n, 3);
    assert_str(p.url[0], "https://as.example/.well-known/oauth-authorization-server/tenant1");
    assert_str(p.url[1], "https://as.example/.well-known/openid-configuration/tenant1");
    assert_str(p.url[2], "https://as.example/tenant1/.well-known/openid-configuration");
    assert_int_equal(tc_oauth_issuer_places(&t.cx, &root, &p), TC_OK);
    assert_int_equal(p.n, 2);
    assert_str(p.url[0], "https://as.example/.well-known/oauth-authorization-server");
    assert_str(p.url[1], "https://as.example/.well-known/openid-configuration");
    test_cx_finish(&t);
}

void test_metadata__a_resource_document_is_read(void **state)
{
    struct tc_oauth_resource r;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(
        tc_oauth_resource_read(&t.cx,
                               TC_STR("{\"resource\":\"https://a/mcp\",\"authorization_servers\":"
                                      "[\"https://as/\",7,\"https://b\"],\"scopes_supported\":[\"x\",\"y\"]}"),
                               &r),
        TC_OK);
    assert_str(r.resource, "https://a/mcp");
    assert_int_equal(r.issuers_n, 2);
    assert_str(r.issuers[0], "https://as/");
    assert_str(r.scopes, "x y");
    assert_true(r.scopes_known);
    assert_int_equal(tc_oauth_resource_read(&t.cx, TC_STR("{\"resource\":\"https://a/mcp\"}"), &r), TC_OK);
    assert_false(r.scopes_known);
    assert_int_equal(r.issuers_n, 0);
    assert_int_equal(tc_oauth_resource_read(&t.cx, TC_STR("{\"resource\":7}"), &r), TC_E_MCP_AUTHORIZATION);
    assert_int_equal(tc_oauth_resource_read(&t.cx, TC_STR("[]"), &r), TC_E_MCP_AUTHORIZATION);
    assert_int_equal(tc_oauth_resource_read(&t.cx, TC_STR("<html>"), &r), TC_E_MCP_AUTHORIZATION);
    test_cx_finish(&t);
}

void test_metadata__an_issuer_document_is_read(void **state)
{
    static const char json[] =
        "{\"issuer\":\"https://as\",\"authorization_endpoint\":\"https://as/a\",\"token_endpoint\":\"https://as/t\","
        "\"registration_endpoint\":\"https://as/r\",\"revocation_endpoint\":\"https://as/v\",\"jwks_uri\":\"https://as/"
        "k\","
        "\"code_challenge_methods_supported\":[\"plain\",\"S256\"],\"scopes_supported\":[\"a\",\"offline_access\"],"
        "\"authorization_response_iss_parameter_supported\":true,\"client_id_metadata_document_supported\":true,"
        "\"token_endpoint_auth_methods_supported\":[\"none\",\"client_secret_post\",\"tls_client_auth\"]}";
    struct tc_oauth_issuer i;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_oauth_issuer_read(&t.cx, tc_str_of(json), TC_STR("https://as"), &i), TC_OK);
    assert_str(i.authorization, "https://as/a");
    assert_str(i.token, "https://as/t");
    assert_str(i.registration, "https://as/r");
    assert_str(i.revocation, "https://as/v");
    assert_str(i.jwks, "https://as/k");
    assert_true(i.pkce_known && i.s256 && i.iss && i.documents);
    assert_int_equal(i.methods, 1 << TC_OAUTH_NONE | 1 << TC_OAUTH_POST);
    assert_str(i.scopes, "a offline_access");
    assert_int_equal(tc_oauth_issuer_read(&t.cx, TC_STR("{\"issuer\":\"https://as\"}"), TC_STR("https://as"), &i),
                     TC_OK);
    assert_false(i.pkce_known || i.iss || i.documents);
    assert_int_equal(i.methods, 0);
    test_cx_finish(&t);
}

void test_metadata__an_issuer_must_be_the_same_to_the_letter(void **state)
{
    static const char *const others[] = {"https://as/", "https://AS", "https://as:443", "https://evil.example", ""};
    struct tc_oauth_issuer i;
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct tc_str json = tc_arena_printf(&t.arena, "{\"issuer\":\"%s\"}", others[k]);

        assert_int_equal(tc_oauth_issuer_read(&t.cx, json, TC_STR("https://as"), &i), TC_E_MCP_AUTHORIZATION);
    }
    assert_int_equal(tc_oauth_issuer_read(&t.cx, TC_STR("{}"), TC_STR("https://as"), &i), TC_E_MCP_AUTHORIZATION);
    test_cx_finish(&t);
}

void test_metadata__a_resource_is_the_server_or_a_path_above_it(void **state)
{
    static const char *const yes[] = {"https://a.example/x/mcp", "https://A.example:443/x", "https://a.example",
                                      "https://a.example/", "https://a.example/x/mcp/"};
    static const char *const no[] = {"https://evil.example/x/mcp",
                                     "http://a.example/x/mcp",
                                     "https://a.example:444/",
                                     "https://a.example/x/mc",
                                     "https://a.example/x/mcp/y",
                                     "https://a.example/x?y",
                                     "https://a.example/x#y",
                                     "urn:x",
                                     ""};
    struct tc_url server = url("https://a.example/x/mcp");

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!tc_oauth_resource_is(tc_str_of(yes[i]), &server))
            fail_msg("refused: %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (tc_oauth_resource_is(tc_str_of(no[i]), &server))
            fail_msg("taken: %s", no[i]);
}
