#include "support/task.h"

#include "base/hash.h"
#include "io/loop.h"
#include "runtime/access.h"
#include "stores/memory.h"

#define ENV "an-admin-token-of-24-bytes"
#define PEER TC_STR("192.0.2.1")

struct fixture {
    struct tc_cx *cx;
    struct tc_store *store;
    struct tc_access *access;
};

static void start(struct tc_cx *cx, struct fixture *f)
{
    f->cx = cx;
    expect_int(tc_memory_open(cx, &f->store), TC_OK);
    expect_int(tc_access_create(cx, f->store, TC_STR(ENV), &f->access), TC_OK);
}

static void end(struct fixture *f)
{
    tc_access_destroy(f->access);
    f->store->close(f->cx, f->store);
}

static struct tc_str make(struct fixture *f, enum tc_role role, const char *agent, int64_t expires_at,
                          struct tc_token_row *ret_row)
{
    struct tc_token_options options = {role, tc_str_of(agent), TC_STR("label"), expires_at};
    struct tc_str token = TC_STR("");

    expect_int(tc_access_create_token(f->cx, f->access, &options, ret_row, &token), TC_OK);
    return token;
}

static enum tc_err check(struct fixture *f, struct tc_str token, struct tc_principal *ret)
{
    return tc_access_check(f->cx, f->access, token, PEER, ret);
}

static void tokens(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_token_row row, *rows;
    struct tc_str token;
    struct fixture f;
    size_t n;
    (void)arg;

    start(cx, &f);
    expect_int(tc_access_count(f.access, 0), 0);
    token = make(&f, TC_ROLE_AGENT, "work", 0, &row);
    expect_int(token.n, 47);
    expect(tc_str_starts(token, TC_STR("tcr_")));
    expect_int(check(&f, token, &principal), TC_OK);
    expect_int(principal.role, TC_ROLE_AGENT);
    expect_text(principal.kind, "token");
    expect_text(principal.agent, "work");
    expect(tc_str_eq(principal.id, row.id));
    /* only its hash is stored */
    expect_int(f.store->tokens->all(cx, f.store, &rows, &n), TC_OK);
    expect_int(n, 1);
    expect_int(rows[0].hash.n, 64);
    expect(tc_str_find(rows[0].hash, token) == SIZE_MAX);
    /* and it is enough for another start */
    tc_access_destroy(f.access);
    expect_int(tc_access_create(cx, f.store, TC_STR(""), &f.access), TC_OK);
    expect_int(check(&f, token, &principal), TC_OK);
    expect_int(check(&f, TC_STR(ENV), &principal), TC_E_AUTH_INVALID);
    end(&f);
}

void test_access__a_token_is_known_by_its_hash(void **state)
{
    (void)state;
    test_task_run_virtual(tokens, NULL);
}

static void count_up(void *arg)
{
    ++*(int *)arg;
}

static void revoking(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_token_row row, other;
    struct fixture f;
    struct tc_str token;
    int first = 0, second = 0;
    (void)arg;

    start(cx, &f);
    token = make(&f, TC_ROLE_VIEWER, "", 0, &row);
    make(&f, TC_ROLE_OPERATOR, "", 0, &other);
    expect_int(tc_access_count(f.access, 0), 2);
    expect_int(check(&f, token, &principal), TC_OK);
    expect_int(tc_access_require(cx, f.access, &principal), TC_OK);
    tc_access_watch(f.access, count_up, &first);
    tc_access_watch(f.access, count_up, &second);
    expect_int(tc_access_revoke(cx, f.access, row.id), TC_OK);
    expect_int(tc_access_count(f.access, 0), 1);
    expect_int(tc_access_require(cx, f.access, &principal), TC_E_AUTH_ENDED);
    expect_text(cx->err.message, "The token that this was started with was revoked.");
    tc_access_unwatch(f.access, &first);
    expect_int(check(&f, token, &principal), TC_E_AUTH_INVALID);
    expect_int(tc_access_revoke(cx, f.access, TC_STR("nobody")), TC_E_STORE_NOT_FOUND);
    expect_int(tc_access_revoke(cx, f.access, other.id), TC_OK);
    expect_int(first, 1); /* who watches hears of each, and of none that was not there */
    expect_int(second, 2);
    end(&f);
}

void test_access__revoking_takes_effect_at_once(void **state)
{
    (void)state;
    test_task_run_virtual(revoking, NULL);
}

static void naming(struct tc_cx *cx, void *arg)
{
    struct tc_token_row row, *rows;
    struct fixture f;
    size_t n;
    (void)arg;

    start(cx, &f);
    make(&f, TC_ROLE_VIEWER, "", 0, &row);
    for (int i = 0; i < 1000; i++)
        expect_int(tc_access_label(cx, f.access, row.id, tc_arena_printf(cx->arena, "desk %d", i)), TC_OK);
    expect_text(tc_access_token(f.access, row.id)->label, "desk 999");
    expect_int(f.store->tokens->all(cx, f.store, &rows, &n), TC_OK);
    expect_int(n, 1);
    expect_text(rows[0].label, "desk 999");
    expect_int(tc_access_label(cx, f.access, row.id, TC_STR("")), TC_OK);
    expect_text(tc_access_token(f.access, row.id)->label, "");
    expect_int(tc_access_label(cx, f.access, TC_STR("nobody"), TC_STR("x")), TC_E_STORE_NOT_FOUND);
    end(&f);
}

void test_access__a_token_is_named_anew(void **state)
{
    (void)state;
    test_task_run_virtual(naming, NULL);
}

static void expiry(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_token_row row;
    struct fixture f;
    struct tc_str token;
    (void)arg;

    start(cx, &f);
    token = make(&f, TC_ROLE_ADMIN, "", 1000000 + 5000, &row);
    expect_int(check(&f, token, &principal), TC_OK);
    tc_loop_advance(tc_task_loop(cx), 4999);
    expect_int(check(&f, token, &principal), TC_OK);
    tc_loop_advance(tc_task_loop(cx), 1);
    expect_int(check(&f, token, &principal), TC_E_AUTH_INVALID);
    expect_int(tc_access_count(f.access, 1005000), 0);
    end(&f);
}

void test_access__a_token_expires_at_its_time(void **state)
{
    (void)state;
    test_task_run_virtual(expiry, NULL);
}

static void environment(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_access *other;
    struct fixture f;
    char text[258];
    (void)arg;

    start(cx, &f);
    expect_int(check(&f, TC_STR(ENV), &principal), TC_OK);
    expect_int(principal.role, TC_ROLE_ADMIN);
    expect_text(principal.kind, "env");
    expect_int(check(&f, TC_STR(ENV "x"), &principal), TC_E_AUTH_INVALID);
    memset(text, 'a', sizeof text);
    expect_int(tc_access_create(cx, f.store, tc_str_n(text, 23), &other), TC_E_CONFIG_INVALID);
    expect_int(tc_access_create(cx, f.store, tc_str_n(text, 257), &other), TC_E_CONFIG_INVALID);
    end(&f);
}

void test_access__the_token_of_the_environment(void **state)
{
    (void)state;
    test_task_run_virtual(environment, NULL);
}

static void throttle(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    for (int i = 0; i < 10; i++)
        expect_int(check(&f, TC_STR("wrong"), &principal), TC_E_AUTH_INVALID);
    expect_int(check(&f, TC_STR("wrong"), &principal), TC_E_AUTH_THROTTLED);
    expect_int(check(&f, TC_STR(""), &principal), TC_E_AUTH_THROTTLED);
    expect_int(check(&f, TC_STR(ENV), &principal), TC_OK); /* others behind that address are not locked out */
    expect_int(tc_access_check(cx, f.access, TC_STR("wrong"), TC_STR("192.0.2.2"), &principal), TC_E_AUTH_INVALID);
    tc_loop_advance(tc_task_loop(cx), 60 * 1000 + 1);
    expect_int(check(&f, TC_STR("wrong"), &principal), TC_E_AUTH_INVALID);
    end(&f);
}

void test_access__who_guesses_waits_a_minute(void **state)
{
    (void)state;
    test_task_run_virtual(throttle, NULL);
}

static int64_t used_at(struct fixture *f)
{
    struct tc_token_row *rows;
    size_t n;

    expect_int(f->store->tokens->all(f->cx, f->store, &rows, &n), TC_OK);
    return rows[0].used_at;
}

static void last_use(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_token_row row;
    struct fixture f;
    struct tc_str token;
    (void)arg;

    start(cx, &f);
    token = make(&f, TC_ROLE_ADMIN, "", 0, &row);
    expect_int(check(&f, token, &principal), TC_OK);
    expect_int(used_at(&f), 1000000);
    tc_loop_advance(tc_task_loop(cx), 59999);
    expect_int(check(&f, token, &principal), TC_OK);
    expect_int(used_at(&f), 1000000); /* once a minute is enough */
    tc_loop_advance(tc_task_loop(cx), 1);
    expect_int(check(&f, token, &principal), TC_OK);
    expect_int(used_at(&f), 1060000);
    end(&f);
}

void test_access__notes_the_last_use_once_a_minute(void **state)
{
    (void)state;
    test_task_run_virtual(last_use, NULL);
}

void test_access__roles_have_names(void **state)
{
    enum tc_role role;
    (void)state;

    for (int i = TC_ROLE_AGENT; i <= TC_ROLE_ADMIN; i++) {
        assert_true(tc_role_of(tc_str_of(tc_role_name((enum tc_role)i)), &role));
        assert_int_equal(role, i);
    }
    assert_false(tc_role_of(TC_STR("root"), &role));
    assert_true(TC_ROLE_VIEWER < TC_ROLE_OPERATOR && TC_ROLE_OPERATOR < TC_ROLE_ADMIN);
}

/* --- tokens of others --- */

static bool has_dots(const struct tc_bearer *self, struct tc_str token)
{
    (void)self;
    return tc_str_chr(token, '.') != SIZE_MAX;
}

static enum tc_err judge(struct tc_cx *cx, struct tc_bearer *self, struct tc_str token, struct tc_bearer_claims *ret)
{
    (void)self;
    if (tc_str_is(token, "away."))
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "The issuer is away.");
    if (!tc_str_is(token, "good."))
        return tc_fail(cx, TC_E_AUTH_INVALID, "The token has expired.");
    *ret = (struct tc_bearer_claims){TC_STR("user-1"), TC_STR("clerk"), 5000};
    return TC_OK;
}

static const struct tc_bearer_ops bearer_ops = {has_dots, judge};

static void of_others(struct tc_cx *cx, void *arg)
{
    struct tc_bearer bearer = {&bearer_ops};
    struct tc_principal principal;
    struct tc_token_row row;
    struct tc_str own;
    struct fixture f;

    (void)arg;
    start(cx, &f);
    own = make(&f, TC_ROLE_VIEWER, "", 0, &row);
    expect_int(check(&f, TC_STR("good."), &principal), TC_E_AUTH_INVALID);
    tc_access_trust(f.access, &bearer);
    expect_int(check(&f, TC_STR("good."), &principal), TC_OK);
    expect_int(principal.role, TC_ROLE_AGENT);
    expect_text(principal.kind, "oidc");
    expect_text(principal.id, "user-1");
    expect_text(principal.agent, "clerk");
    expect(tc_str_starts(tc_access_holder(f.cx->arena, &principal), TC_STR("oidc-")));
    expect(tc_access_holds(f.access, &principal, 4999));
    expect(!tc_access_holds(f.access, &principal, 5000));
    expect_int(check(&f, own, &principal), TC_OK);
    expect_text(principal.kind, "token");
    expect_int(principal.expires_at, 0);
    expect_int(check(&f, TC_STR("away."), &principal), TC_E_HTTP_UPSTREAM);
    for (int i = 0; i < 9; i++) {
        expect_int(check(&f, TC_STR("bad."), &principal), TC_E_AUTH_INVALID);
        expect_text(cx->err.message, "The token has expired.");
    }
    expect_int(check(&f, TC_STR("bad."), &principal), TC_E_AUTH_THROTTLED);
    expect_int(check(&f, TC_STR("good."), &principal), TC_OK);
    end(&f);
}

void test_access__tokens_of_a_trusted_issuer_are_agents(void **state)
{
    (void)state;
    test_task_run_virtual(of_others, NULL);
}
