#include "support/crib.h"

#include "http/server.h"

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

static int ask(struct tc_cx *cx, struct test_crib *crib, const char *head)
{
    return test_crib_ask(cx, crib, head, NULL, NULL, NULL);
}

#define INFO "GET /admin/system/info"

static void hosts(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: LOCALHOST:8420"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: 127.0.0.1:1"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: [::1]:8420"), 200);
    expect_int(test_crib_ask(cx, crib, INFO "\r\nHost: evil.example", NULL, NULL, &body), 403);
    expect(tc_str_find(body, TC_STR("auth.host_refused")) != SIZE_MAX);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost.evil.example"), 403);
}

void test_dispatch__only_hosts_of_its_own_are_served(void **state)
{
    (void)state;
    run(hosts);
}

static void listen_on_v6(struct tc_cx *cx, struct test_crib *crib)
{
    test_crib_listen(cx, crib);
    crib->dispatch.listen_host = "fd00::7";
    expect_int(ask(cx, crib, INFO "\r\nHost: [fd00::7]:8420"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: [FD00::7]"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: [fd00::8]"), 403);
}

void test_dispatch__an_ipv6_address_to_listen_on_is_its_own(void **state)
{
    (void)state;
    run(listen_on_v6);
}

static void configured(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str names[] = {TC_STR("tools.example:8443"), TC_STR("[2001:db8::1]:80")};

    test_crib_listen(cx, crib);
    crib->config.allowed_hosts = (struct tc_config_list){names, 2};
    expect_int(ask(cx, crib, INFO "\r\nHost: tools.example"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: [2001:db8::1]:9"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost"), 403);
    crib->config.allowed_hosts.n = 0;
    crib->config.public_url = TC_STR("https://crib.example:444/base");
    expect_int(ask(cx, crib, INFO "\r\nHost: crib.example"), 200);
    crib->config.public_url = TC_STR("");
}

void test_dispatch__hosts_of_the_configuration_count_without_their_ports(void **state)
{
    (void)state;
    run(configured);
}

static void origins(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str names[] = {TC_STR("https://ui.example"), TC_STR("bare.example"), TC_STR("near.example:8443")};

    test_crib_listen(cx, crib);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost:3000\r\nOrigin: http://localhost:3000"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: 127.0.0.1:3000\r\nOrigin: http://[::1]:3000"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost\r\nOrigin: http://localhost"), 200);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost:8420\r\nOrigin: http://localhost:3000"), 403);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost:8420\r\nOrigin: http://localhost"), 403);
    expect_int(ask(cx, crib, INFO "\r\nHost: localhost\r\nOrigin: https://localhost"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: null"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: https://evil.example"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://localhost.evil.example"), 403);
    crib->config.public_url = TC_STR("https://crib.example:444/base");
    expect_int(ask(cx, crib, INFO "\r\nOrigin: https://crib.example:444"), 200);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: https://crib.example"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://crib.example:444"), 403);
    crib->config.public_url = TC_STR("");
    crib->config.allowed_origins = (struct tc_config_list){names, 3};
    expect_int(ask(cx, crib, INFO "\r\nOrigin: https://ui.example"), 200);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: https://UI.example:443"), 200);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: https://ui.example:8443"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://ui.example"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://bare.example:7"), 200);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://near.example:8443"), 200);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://near.example"), 403);
    expect_int(ask(cx, crib, INFO "\r\nOrigin: http://localhost"), 403);
}

void test_dispatch__pages_of_others_are_refused(void **state)
{
    (void)state;
    run(origins);
}

static void tokens(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str head;

    test_crib_listen(cx, crib);
    expect_int(test_crib_ask(cx, crib, INFO "\r\nAuthorization: Bearer nonsense", NULL, &head, NULL), 401);
    expect(tc_str_find(head, TC_STR("WWW-Authenticate: Bearer")) != SIZE_MAX);
    expect_int(ask(cx, crib, INFO "\r\nAuthorization: Basic abc"), 401);
    expect_int(ask(cx, crib, INFO "\r\nX-None: \r\nAuthorization: Bearer"), 401);
    expect_int(ask(cx, crib, INFO "\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b"), 400);
    expect_int(ask(cx, crib, "GET /healthz\r\nX-Authorization: none"), 200);
}

void test_dispatch__a_request_names_one_valid_token(void **state)
{
    (void)state;
    run(tokens);
}

static void throttled(struct tc_cx *cx, struct test_crib *crib)
{
    test_crib_listen(cx, crib);
    for (int i = 0; i < 10; i++)
        expect_int(ask(cx, crib, INFO "\r\nAuthorization: Bearer tcr_old"), 401);
    expect_int(ask(cx, crib, INFO "\r\nAuthorization: Bearer tcr_old"), 429);
    expect_int(ask(cx, crib, INFO), 200); /* another client of this machine */
}

void test_dispatch__a_client_with_an_old_token_does_not_lock_others_out(void **state)
{
    (void)state;
    run(throttled);
}

static void paths(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str head, body;

    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(test_crib_ask(cx, crib, "POST /mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", NULL, NULL),
               200);
    expect_int(test_crib_ask(cx, crib, "POST /mcp/", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", NULL, NULL),
               200);
    expect_int(test_crib_ask(cx, crib, "POST /mcp?x=1", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", NULL,
                             NULL),
               200);
    expect_int(test_crib_ask(cx, crib, "POST /mcp/defa%75lt/", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                             NULL, NULL),
               200);
    expect_int(test_crib_ask(cx, crib, "POST /mcp/other", "{}", NULL, &body), 403);
    expect(tc_str_find(body, TC_STR("auth.agent_mismatch")) != SIZE_MAX);
    expect_int(ask(cx, crib, "POST /mcpx"), 404);
    expect_int(test_crib_ask(cx, crib, "PUT /mcp", "{}", &head, NULL), 405);
    expect(tc_str_find(head, TC_STR("Allow: POST, GET, DELETE")) != SIZE_MAX);
    expect_int(test_crib_ask(cx, crib, "HEAD /mcp", NULL, NULL, NULL), 405);
    expect_int(test_crib_ask(cx, crib, "OPTIONS /mcp", NULL, NULL, NULL), 405);
    expect_int(test_crib_ask(cx, crib, "DELETE /v1/tools", NULL, &head, NULL), 405);
    expect(tc_str_find(head, TC_STR("Allow: GET, HEAD")) != SIZE_MAX);
}

void test_dispatch__paths_and_methods_are_told_apart(void **state)
{
    (void)state;
    run(paths);
}

static void roles(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(test_crib_ask(cx, crib, "GET /v1/tools", NULL, NULL, &body), 403);
    expect(tc_str_find(body, TC_STR("auth.agent_required")) != SIZE_MAX);
    expect_int(test_crib_ask(cx, crib, "POST /mcp", "{}", NULL, NULL), 403);
    expect_int(test_crib_ask(cx, crib, "POST /mcp/default", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", NULL,
                             NULL),
               200);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(test_crib_ask(cx, crib, INFO, NULL, NULL, &body), 403);
    expect(tc_str_find(body, TC_STR("auth.forbidden")) != SIZE_MAX);
}

void test_dispatch__roles_open_their_own_doors(void **state)
{
    (void)state;
    run(roles);
}

static void revoked(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_token_row *rows;
    size_t n = 0;

    test_crib_listen(cx, crib);
    expect_int(ask(cx, crib, INFO), 200);
    expect_int(crib->store->tokens->all(cx, crib->store, &rows, &n), TC_OK);
    expect_int(tc_access_revoke(cx, crib->runtime->access, rows[0].id), TC_OK);
    expect_int(ask(cx, crib, INFO), 401);
}

void test_dispatch__a_revoked_token_is_refused_at_once(void **state)
{
    (void)state;
    run(revoked);
}
