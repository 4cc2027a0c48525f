/*
 * The table of logins that are under way, or were a while ago: whoever began one
 * may ask what became of it. A login that somebody waits for is freed by the last
 * of them.
 */
#include "mcp/client/oauth_pending.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"

void tc_oauth_pending_release(struct tc_oauth_pending *p)
{
    if (p->users > 0 || !p->gone)
        return;
    tc_arena_finish(&p->arena);
    tc_mem_free(p);
}

void tc_oauth_pending_leave(struct tc_oauth_pending *p)
{
    p->users--;
    tc_oauth_pending_release(p);
}

void tc_oauth_pending_drop(struct tc_oauth *oauth, size_t i)
{
    struct tc_oauth_pending *p = oauth->pending[i];

    if (!p)
        return;
    oauth->pending[i] = NULL;
    p->gone = true;
    if (p->outcome == TC_LOGIN_WAITING)
        p->outcome = TC_LOGIN_FAILED;
    tc_event_set(&p->ended);
    tc_oauth_pending_release(p);
}

/* A free place; what is over for as long as a login lasts makes room. */
enum tc_err tc_oauth_pending_place(struct tc_cx *cx, struct tc_oauth *oauth, size_t *ret_i)
{
    int64_t now = tc_clock_wall_ms(cx->clock);

    for (size_t i = 0; i < TC_OAUTH_LOGINS; i++) {
        if (oauth->pending[i] && oauth->pending[i]->expires_at + TC_OAUTH_LOGIN_MS < now)
            tc_oauth_pending_drop(oauth, i);
        if (!oauth->pending[i]) {
            *ret_i = i;
            return TC_OK;
        }
    }
    tc_fail(cx, TC_E_BUSY, "Too many logins are under way.");
    return tc_fail_hint(cx, "Each of them is over after ten minutes.");
}

static struct tc_oauth_pending *by_id(struct tc_oauth *oauth, struct tc_str id)
{
    for (size_t i = 0; i < TC_OAUTH_LOGINS; i++)
        if (oauth->pending[i] && tc_str_eq(oauth->pending[i]->id, id))
            return oauth->pending[i];
    return NULL;
}

struct tc_oauth_pending *tc_oauth_pending_by_state(struct tc_oauth *oauth, struct tc_str state)
{
    struct tc_oauth_pending *found = NULL;

    for (size_t i = 0; i < TC_OAUTH_LOGINS; i++) {
        struct tc_oauth_pending *p = oauth->pending[i];

        if (p && state.n && p->state.n == state.n && tc_hash_same(p->state.p, state.p, state.n))
            found = p;
    }
    return found;
}

enum tc_err tc_oauth_pending_describe(struct tc_cx *cx, const struct tc_oauth_pending *p, struct tc_login *ret)
{
    *ret = (struct tc_login){
        .id = tc_arena_dup(cx->arena, p->id),
        .server = tc_arena_dup(cx->arena, p->slot->server->name),
        .identity = tc_arena_dup(cx->arena, p->slot->identity),
        .scope = tc_arena_dup(cx->arena, p->outcome == TC_LOGIN_DONE ? p->slot->grant.scope : p->scope),
        .url = TC_STR(""),
        .redirect_uri = tc_arena_dup(cx->arena, p->redirect_uri),
        .state = p->outcome,
        .message = tc_arena_dup(cx->arena, tc_str_of(p->message)),
        .hint = tc_arena_dup(cx->arena, tc_str_of(p->hint)),
        .expires_at = p->expires_at,
    };
    return ret->id.p && ret->server.p && ret->identity.p && ret->scope.p && ret->redirect_uri.p && ret->message.p &&
                   ret->hint.p
               ? TC_OK
               : tc_fail_memory(cx);
}

void tc_oauth_pending_end(struct tc_oauth_pending *p, const struct tc_cx *cx, enum tc_err code)
{
    p->code = code;
    p->outcome = code ? TC_LOGIN_FAILED : TC_LOGIN_DONE;
    if (code) {
        snprintf(p->message, sizeof p->message, "%.*s", TC_STR_ARG(cx->err.message));
        snprintf(p->hint, sizeof p->hint, "%.*s", TC_STR_ARG(cx->err.hint));
    }
    tc_event_set(&p->ended);
}

enum tc_err tc_oauth_wait(struct tc_cx *cx, struct tc_logins *self, struct tc_str id, int64_t timeout_ms,
                          struct tc_login *ret_login)
{
    struct tc_oauth_pending *p = by_id((struct tc_oauth *)self, id);
    int64_t left;
    enum tc_err e;

    if (!p)
        return tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no login with this id; it may be over for a while.");
    left = p->expires_at - tc_clock_wall_ms(cx->clock);
    p->users++;
    e = tc_task_wait(cx, &p->ended, timeout_ms < left ? timeout_ms : left < 0 ? 0 : left);
    if (e == TC_E_TIMEOUT && tc_task_check(cx) == TC_OK) {
        tc_fail_clear(cx);
        e = TC_OK;
    }
    if (!e && p->outcome == TC_LOGIN_WAITING && p->state.n && tc_clock_wall_ms(cx->clock) >= p->expires_at) {
        p->state = TC_STR("");
        tc_fail(cx, TC_E_TIMEOUT, "Nobody came back from the authorization server within ten minutes.");
        tc_oauth_pending_end(p, cx, TC_E_TIMEOUT);
        tc_fail_clear(cx);
    }
    if (!e)
        e = tc_oauth_pending_describe(cx, p, ret_login);
    tc_oauth_pending_leave(p);
    return e;
}
