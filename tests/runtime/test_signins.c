#include "support/task.h"

#include "base/clock.h"
#include "io/loop.h"
#include "runtime/signins.h"
#include "stores/memory.h"

#define ENV "an-admin-token-of-24-bytes"
#define PEER TC_STR("192.0.2.1")

struct fixture {
    struct tc_cx *cx;
    struct tc_store *store;
    struct tc_access *access;
    struct tc_signins *signins;
};

static void start(struct tc_cx *cx, struct fixture *f)
{
    f->cx = cx;
    expect_int(tc_memory_open(cx, &f->store), TC_OK);
    expect_int(tc_access_create(cx, f->store, TC_STR(ENV), &f->access), TC_OK);
    expect_int(tc_signins_create(cx, f->access, &f->signins), TC_OK);
}

static void end(struct fixture *f)
{
    tc_signins_destroy(f->signins);
    tc_access_destroy(f->access);
    f->store->close(f->cx, f->store);
}

static struct tc_str make(struct fixture *f, enum tc_role role, int64_t expires_at, struct tc_token_row *ret_row)
{
    struct tc_token_options options = {role, TC_STR(""), TC_STR("desk"), expires_at};
    struct tc_str token = TC_STR("");

    if (role == TC_ROLE_AGENT)
        options.agent = TC_STR("default");
    expect_int(tc_access_create_token(f->cx, f->access, &options, ret_row, &token), TC_OK);
    return token;
}

/* The text of a sign-in, in the arena. */
static struct tc_str sign_in(struct fixture *f, struct tc_str token)
{
    char text[TC_SIGNINS_TEXT_SIZE] = "";
    struct tc_principal principal;

    expect_int(tc_signins_open(f->cx, f->signins, token, PEER, &principal, text), TC_OK);
    return tc_arena_dup(f->cx->arena, tc_str_of(text));
}

static enum tc_err check(struct fixture *f, struct tc_str text, struct tc_principal *ret)
{
    return tc_signins_check(f->cx, f->signins, text, ret);
}

static void tokens(struct tc_cx *cx, void *arg)
{
    char text[TC_SIGNINS_TEXT_SIZE] = "";
    struct tc_principal principal;
    struct tc_token_row row;
    struct tc_str first, second;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    first = sign_in(&f, make(&f, TC_ROLE_OPERATOR, 0, &row));
    expect_int(first.n, 64);
    second = sign_in(&f, TC_STR(ENV));
    expect(!tc_str_eq(first, second));
    expect_int(check(&f, first, &principal), TC_OK);
    expect_int(principal.role, TC_ROLE_OPERATOR);
    expect_text(principal.kind, "token");
    expect(tc_str_eq(principal.id, row.id)); /* what is recorded names the token */
    expect_int(check(&f, second, &principal), TC_OK);
    expect_int(principal.role, TC_ROLE_ADMIN);
    expect_text(principal.kind, "env");
    expect_int(tc_signins_open(cx, f.signins, TC_STR("wrong"), PEER, &principal, text), TC_E_AUTH_INVALID);
    expect_int(tc_signins_open(cx, f.signins, make(&f, TC_ROLE_AGENT, 0, &row), PEER, &principal, text),
               TC_E_AUTH_FORBIDDEN);
    expect_text(cx->err.message, "A token of an agent does not open the web interface.");
    expect_int(check(&f, TC_STR(""), &principal), TC_E_AUTH_SESSION);
    expect_int(check(&f, tc_str_n(first.p, 63), &principal), TC_E_AUTH_SESSION);
    tc_signins_close(f.signins, TC_STR("nobody"));
    tc_signins_close(f.signins, first);
    expect_int(check(&f, first, &principal), TC_E_AUTH_SESSION);
    expect_int(check(&f, second, &principal), TC_OK);
    expect(!tc_signins_holds(f.signins, first, tc_clock_mono_us(cx->clock) / 1000));
    expect(tc_signins_holds(f.signins, second, tc_clock_mono_us(cx->clock) / 1000));
    expect(!tc_signins_holds(f.signins, second, tc_clock_mono_us(cx->clock) / 1000 + TC_SIGNINS_IDLE_MS));
    end(&f);
}

void test_signins__who_shows_a_token_is_its_holder_from_then_on(void **state)
{
    (void)state;
    test_task_run_virtual(tokens, NULL);
}

static void throttle(struct tc_cx *cx, void *arg)
{
    char text[TC_SIGNINS_TEXT_SIZE] = "";
    struct tc_principal principal;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    for (int i = 0; i < 10; i++)
        expect_int(tc_signins_open(cx, f.signins, TC_STR("wrong"), PEER, &principal, text), TC_E_AUTH_INVALID);
    expect_int(tc_signins_open(cx, f.signins, TC_STR("wrong"), PEER, &principal, text), TC_E_AUTH_THROTTLED);
    end(&f);
}

void test_signins__who_guesses_tokens_waits(void **state)
{
    (void)state;
    test_task_run_virtual(throttle, NULL);
}

static void with_token(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_token_row row, brief;
    struct tc_str text, other;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    text = sign_in(&f, make(&f, TC_ROLE_ADMIN, 0, &row));
    other = sign_in(&f, make(&f, TC_ROLE_ADMIN, 1000000 + 5000, &brief));
    expect_int(tc_access_revoke(cx, f.access, row.id), TC_OK);
    expect_int(check(&f, text, &principal), TC_E_AUTH_SESSION);
    tc_loop_advance(tc_task_loop(cx), 4999);
    expect_int(check(&f, other, &principal), TC_OK);
    tc_loop_advance(tc_task_loop(cx), 1);
    expect_int(check(&f, other, &principal), TC_E_AUTH_SESSION);
    end(&f);
}

void test_signins__end_with_their_token_at_once(void **state)
{
    (void)state;
    test_task_run_virtual(with_token, NULL);
}

static void idle(struct tc_cx *cx, void *arg)
{
    struct tc_principal principal;
    struct tc_str text;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    text = sign_in(&f, TC_STR(ENV));
    for (int i = 0; i < 3; i++) { /* each use begins the time anew */
        tc_loop_advance(tc_task_loop(cx), TC_SIGNINS_IDLE_MS - 1);
        expect_int(check(&f, text, &principal), TC_OK);
    }
    tc_loop_advance(tc_task_loop(cx), TC_SIGNINS_IDLE_MS);
    expect_int(check(&f, text, &principal), TC_E_AUTH_SESSION);
    expect_int(check(&f, text, &principal), TC_E_AUTH_SESSION);
    end(&f);
}

void test_signins__end_when_nobody_uses_them(void **state)
{
    (void)state;
    test_task_run_virtual(idle, NULL);
}

static void share(struct tc_cx *cx, void *arg)
{
    struct tc_str texts[TC_SIGNINS_OF_TOKEN_MAX], token, other, newest;
    struct tc_principal principal;
    struct tc_token_row row;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    token = make(&f, TC_ROLE_VIEWER, 0, &row);
    other = sign_in(&f, TC_STR(ENV));
    for (size_t i = 0; i < TC_SIGNINS_OF_TOKEN_MAX; i++) {
        tc_loop_advance(tc_task_loop(cx), 1);
        texts[i] = sign_in(&f, token);
    }
    tc_loop_advance(tc_task_loop(cx), 1);
    expect_int(check(&f, texts[0], &principal), TC_OK); /* now the second one is idle longest */
    newest = sign_in(&f, token);
    expect_int(check(&f, texts[0], &principal), TC_OK);
    expect_int(check(&f, texts[1], &principal), TC_E_AUTH_SESSION);
    expect_int(check(&f, texts[2], &principal), TC_OK);
    expect_int(check(&f, newest, &principal), TC_OK);
    expect_int(check(&f, other, &principal), TC_OK); /* of another token */
    end(&f);
}

void test_signins__a_token_has_its_share_of_them(void **state)
{
    (void)state;
    test_task_run_virtual(share, NULL);
}

static void full(struct tc_cx *cx, void *arg)
{
    struct tc_str first = TC_STR(""), second = TC_STR(""), last = TC_STR("");
    struct tc_principal principal;
    struct tc_token_row row;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    for (size_t i = 0; i <= TC_SIGNINS_MAX; i++) {
        tc_loop_advance(tc_task_loop(cx), 1);
        last = sign_in(&f, make(&f, TC_ROLE_VIEWER, 0, &row));
        if (i == 0)
            first = last;
        if (i == 1)
            second = last;
    }
    expect_int(check(&f, first, &principal), TC_E_AUTH_SESSION);
    expect_int(check(&f, second, &principal), TC_OK);
    expect_int(check(&f, last, &principal), TC_OK);
    end(&f);
}

void test_signins__there_are_so_many_at_most(void **state)
{
    (void)state;
    test_task_run_virtual(full, NULL);
}

static void guard(struct tc_cx *cx, void *arg)
{
    char mine[TC_SIGNINS_TEXT_SIZE], others[TC_SIGNINS_TEXT_SIZE];
    struct tc_str text, other;
    struct fixture f;
    (void)arg;

    start(cx, &f);
    text = sign_in(&f, TC_STR(ENV));
    other = sign_in(&f, TC_STR(ENV));
    tc_signins_guard(f.signins, text, mine);
    tc_signins_guard(f.signins, other, others);
    expect_int(strlen(mine), 64);
    expect(strcmp(mine, others) != 0 && !tc_str_is(text, mine));
    expect_int(tc_signins_guard_check(cx, f.signins, text, tc_str_of(mine)), TC_OK);
    expect_int(tc_signins_guard_check(cx, f.signins, text, tc_str_of(others)), TC_E_AUTH_CSRF);
    expect_int(tc_signins_guard_check(cx, f.signins, text, tc_str_n(mine, 63)), TC_E_AUTH_CSRF);
    expect_int(tc_signins_guard_check(cx, f.signins, text, tc_str_n(NULL, 0)), TC_E_AUTH_CSRF);
    end(&f);
}

void test_signins__each_has_a_guard_of_its_own(void **state)
{
    (void)state;
    test_task_run_virtual(guard, NULL);
}
