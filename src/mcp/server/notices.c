/*
 * One task a session tells of changed roots, again as long as they have changed
 * meanwhile. It holds the session, on whose own stream the client is asked.
 */
#include "mcp/server/notices.h"

#include "base/clock.h"
#include "base/mem.h"
#include "runtime/offer.h"

struct telling {
    struct tc_endpoint *endpoint;
    struct tc_session *session;
};

static void tell(struct tc_cx *cx, const struct telling *telling)
{
    struct tc_session *session = telling->session;
    struct tc_outlet_options options = {
        .loop = tc_task_loop(cx), .feed = session->main, .session = session, .envelope = &session->envelope,
        .token = TC_STR("")};
    struct tc_outlet outlet;

    tc_outlet_init(&outlet, NULL, &options, tc_clock_mono_us(cx->clock));
    tc_offer_roots_changed(cx, telling->endpoint->runtime, session->agent, &outlet.caller);
    tc_fail_clear(cx);
}

static void tell_task(struct tc_cx *cx, void *arg)
{
    struct telling *telling = arg;
    struct tc_session *session = telling->session;

    while (session->roots_changed && !session->ended && tc_task_check(cx) == TC_OK) {
        session->roots_changed = false;
        tell(cx, telling);
        tc_arena_reset(cx->arena);
    }
    session->roots_told = false;
    tc_sessions_leave(&telling->endpoint->sessions, session, tc_clock_wall_ms(cx->clock));
    tc_mem_free(telling);
}

static void take_roots(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_session *session)
{
    struct telling *telling;

    session->roots_changed = true;
    if (session->roots_told || !(session->envelope.abilities & TC_ABILITY_ROOTS))
        return;
    telling = tc_mem_zalloc(1, sizeof *telling);
    if (!telling)
        return; /* the next change tells of this one, too */
    telling->endpoint = endpoint;
    telling->session = session;
    session->holders++;
    session->roots_told = tc_task_spawn(cx, tc_task_loop(cx), &endpoint->calls, "mcp roots", tell_task, telling) ==
                          TC_OK;
    if (session->roots_told)
        return;
    session->holders--; /* the request's own task holds it */
    tc_mem_free(telling);
    tc_fail_clear(cx);
}

void tc_notices_take(struct tc_cx *cx, struct tc_endpoint *endpoint, const struct tc_dialog *d,
                     const struct tc_rpc *notification)
{
    if (d->session && tc_str_is(notification->method, "notifications/roots/list_changed"))
        take_roots(cx, endpoint, d->session);
    else
        tc_dialog_notice(cx, d, notification);
}
