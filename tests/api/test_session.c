#include "support/crib.h"

/* One request of a browser, without a token; fields may be "". */
static int ask(struct tc_cx *cx, struct test_crib *crib, const char *line, const char *fields, const char *body,
               struct tc_str *ret_head, struct tc_str *ret_body)
{
    const char *head = tc_arena_printf(cx->arena, "%s%s\r\nX-Not-Authorization: 1", line, fields).p;

    return test_crib_ask(cx, crib, head, body, ret_head, ret_body);
}

/* Signs in: the pair for the Cookie field, and the guard. */
static void sign_in(struct tc_cx *cx, struct test_crib *crib, struct tc_str *ret_cookie, struct tc_str *ret_guard)
{
    const char *body = tc_arena_printf(cx->arena, "{\"token\":\"%.*s\"}", TC_STR_ARG(crib->token)).p;
    struct tc_str head, answer;
    size_t at;

    expect_int(ask(cx, crib, "POST /admin/session/create", "", body, &head, &answer), 200);
    at = tc_str_find(head, TC_STR("Set-Cookie: "));
    expect(at != SIZE_MAX);
    *ret_cookie = tc_str_from(head, at == SIZE_MAX ? head.n : at + 12);
    ret_cookie->n = tc_str_chr(*ret_cookie, ';');
    *ret_guard = tc_json_str(tc_json_get_c(test_crib_json(cx, tc_arena_cstr(cx->arena, answer)), "csrf"));
    expect_int(ret_guard->n, 64);
}

static const char *with(struct tc_cx *cx, struct tc_str cookie, struct tc_str guard)
{
    return tc_arena_printf(cx->arena, "\r\nCookie: a=b; %.*s%s%.*s", TC_STR_ARG(cookie),
                           guard.n ? "\r\nX-CSRF-Token: " : "", TC_STR_ARG(guard))
        .p;
}

static bool has(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static void cookie(struct tc_cx *cx, struct test_crib *crib)
{
    const char *body, *name;
    struct tc_str head, answer;

    test_crib_listen(cx, crib);
    body = tc_arena_printf(cx->arena, "{\"token\":\"%.*s\"}", TC_STR_ARG(crib->token)).p;
    expect_int(ask(cx, crib, "POST /admin/session/create", "", body, &head, &answer), 200);
    name = tc_arena_printf(cx->arena, "Set-Cookie: toolcrib_session_%d=", crib->port).p;
    expect(has(head, name));
    expect(has(head, "; Path=/; HttpOnly; SameSite=Strict\r\n"));
    expect(has(answer, "\"kind\":\"token\"") && has(answer, "\"role\":\"admin\"") && has(answer, "\"label\":\"test\""));
    expect_int(ask(cx, crib, "POST /admin/session/create", "\r\nHost: localhost", body, &head, NULL), 200);
    expect(has(head, "Set-Cookie: toolcrib_session="));
    expect_int(ask(cx, crib, "POST /admin/session/create", "\r\nHost: [::1]", body, &head, NULL), 200);
    expect(has(head, "Set-Cookie: toolcrib_session="));
    crib->runtime->tokens.public_url = TC_STR("https://crib.example");
    expect_int(ask(cx, crib, "POST /admin/session/create", "\r\nHost: localhost:7", body, &head, NULL), 200);
    expect(has(head, "Set-Cookie: __Host-toolcrib_session_7="));
    expect(has(head, "; Path=/; HttpOnly; SameSite=Strict; Secure\r\n"));
}

void test_session__the_cookie_is_for_this_daemon_and_no_script(void **state)
{
    (void)state;
    test_crib_run(cookie, NULL);
}

static void refused(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str head, answer, token;
    const char *body;

    test_crib_listen(cx, crib);
    token = test_crib_token(cx, crib, "default");
    body = tc_arena_printf(cx->arena, "{\"token\":\"%.*s\"}", TC_STR_ARG(token)).p;
    expect_int(ask(cx, crib, "POST /admin/session/create", "", body, &head, &answer), 403);
    expect(has(answer, "auth.forbidden") && has(answer, "does not open the web interface"));
    expect(!has(head, "Set-Cookie"));
    expect_int(ask(cx, crib, "POST /admin/session/create", "", "{\"token\":\"tcr_x\"}", &head, &answer), 401);
    expect(has(answer, "auth.invalid") && has(head, "WWW-Authenticate: Bearer"));
    expect_int(ask(cx, crib, "POST /admin/session/create", "", "{}", NULL, NULL), 400);
    for (int i = 1; i < 10; i++)
        expect_int(ask(cx, crib, "POST /admin/session/create", "", "{\"token\":\"\"}", NULL, NULL), 401);
    expect_int(ask(cx, crib, "POST /admin/session/create", "", "{\"token\":\"tcr_x\"}", NULL, &answer), 429);
    expect(has(answer, "auth.throttled"));
}

void test_session__wrong_tokens_and_those_of_agents_open_none(void **state)
{
    (void)state;
    test_crib_run(refused, NULL);
}

static void used(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str pair, guard, head, answer, none = TC_STR("");

    test_crib_listen(cx, crib);
    sign_in(cx, crib, &pair, &guard);
    expect_int(ask(cx, crib, "GET /admin/session/info", with(cx, pair, none), NULL, &head, &answer), 200);
    expect(has(answer, tc_arena_printf(cx->arena, "\"csrf\":\"%.*s\"", TC_STR_ARG(guard)).p));
    expect(has(head, "Cache-Control: no-store") && has(head, "X-Content-Type-Options: nosniff"));
    expect_int(ask(cx, crib, "GET /metrics", with(cx, pair, none), NULL, NULL, NULL), 200);
    expect_int(ask(cx, crib, "GET /v1/tools?agent=default", with(cx, pair, none), NULL, NULL, NULL), 401);
    expect_int(ask(cx, crib, "POST /mcp/default", with(cx, pair, guard), "{}", NULL, NULL), 401);
    expect_int(ask(cx, crib, "POST /admin/tool/page", with(cx, pair, none), "{}", NULL, &answer), 403);
    expect(has(answer, "auth.csrf"));
    expect_int(ask(cx, crib, "POST /admin/tool/page", with(cx, pair, TC_STR("x")), "{}", NULL, NULL), 403);
    expect_int(ask(cx, crib, "POST /admin/tool/page", with(cx, pair, guard), "{}", NULL, NULL), 200);
    /* a token beside it counts, and needs no guard */
    expect_int(test_crib_ask(cx, crib, tc_arena_printf(cx->arena, "POST /admin/tool/page%s", with(cx, pair, none)).p,
                             "{}", NULL, NULL),
               200);
    expect_int(test_crib_ask(cx, crib, "GET /admin/session/info", NULL, NULL, &answer), 200);
    expect(has(answer, "\"csrf\":null"));
    expect_int(test_crib_ask(cx, crib, "POST /admin/session/remove", "{}", NULL, NULL), 400);
}

void test_session__opens_the_admin_api_and_nothing_else(void **state)
{
    (void)state;
    test_crib_run(used, NULL);
}

static void left(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str pair, other, guard, other_guard, head, answer, none = TC_STR("");

    test_crib_listen(cx, crib);
    sign_in(cx, crib, &pair, &guard);
    sign_in(cx, crib, &other, &other_guard);
    expect_int(ask(cx, crib, "POST /admin/session/remove", with(cx, pair, none), "{}", NULL, NULL), 403);
    expect_int(ask(cx, crib, "POST /admin/session/remove", with(cx, pair, other_guard), "{}", NULL, NULL), 403);
    expect_int(ask(cx, crib, "POST /admin/session/remove", with(cx, pair, guard), "{}", &head, NULL), 200);
    expect(has(head, "=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0\r\n"));
    expect_int(ask(cx, crib, "GET /admin/session/info", with(cx, pair, none), NULL, &head, &answer), 401);
    expect(has(answer, "auth.session_ended") && has(head, "WWW-Authenticate"));
    expect_int(ask(cx, crib, "GET /healthz", with(cx, pair, none), NULL, NULL, NULL), 200);
    expect_int(ask(cx, crib, "GET /admin/session/info", with(cx, other, none), NULL, NULL, NULL), 200);
}

void test_session__ends_when_its_holder_leaves(void **state)
{
    (void)state;
    test_crib_run(left, NULL);
}

static void replaced(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str pair, guard, none = TC_STR("");
    const char *body;

    test_crib_listen(cx, crib);
    sign_in(cx, crib, &pair, &guard);
    body = tc_arena_printf(cx->arena, "{\"token\":\"%.*s\"}", TC_STR_ARG(crib->token)).p;
    expect_int(ask(cx, crib, "POST /admin/session/create", with(cx, pair, none), body, NULL, NULL), 200);
    expect_int(ask(cx, crib, "GET /admin/session/info", with(cx, pair, none), NULL, NULL, NULL), 401);
}

void test_session__signing_in_again_ends_the_one_before(void **state)
{
    (void)state;
    test_crib_run(replaced, NULL);
}
