/*
 * A table by id. Room is made by ending sessions that were idle too long, never
 * one with a call under way or a stream open.
 */
#include "mcp/server/session.h"

#include "base/clock.h"
#include "base/mem.h"

enum {
    FEEDS_KEPT = 16,              /* closed ones of a session */
    FEED_BYTES = 8 * 1024 * 1024  /* of all that are kept; those still open count, too */
};

void tc_sessions_init(struct tc_sessions *sessions, struct tc_servers *servers, int64_t idle_ms)
{
    *sessions = (struct tc_sessions){.servers = servers, .idle_ms = idle_ms};
}

static void session_destroy(struct tc_sessions *sessions, struct tc_session *session)
{
    struct tc_feed *feed;

    if (!session)
        return;
    while ((feed = session->feeds)) {
        session->feeds = feed->next;
        tc_feed_unref(feed);
    }
    tc_feed_unref(session->main);
    tc_map_finish(&session->requests);
    tc_map_finish(&session->asked);
    tc_subscriptions_finish(&session->subscriptions, sessions->servers);
    tc_arena_finish(&session->arena);
    tc_mem_free(session);
}

void tc_sessions_finish(struct tc_sessions *sessions)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&sessions->by_id, &at, &key, &value);)
        session_destroy(sessions, value);
    tc_map_finish(&sessions->by_id);
}

static size_t make_room(struct tc_sessions *sessions, struct tc_str principal, int64_t now)
{
    struct tc_str key;
    void *value;
    size_t own = 0;

    for (size_t at = 0; tc_map_next(&sessions->by_id, &at, &key, &value);) {
        struct tc_session *session = value;
        if (session->holders == 0 && now - session->used_at > sessions->idle_ms) {
            tc_map_remove(&sessions->by_id, key);
            session_destroy(sessions, session);
        } else {
            own += tc_str_eq(session->principal, principal);
        }
    }
    return own;
}

/* The longest unused one goes first; principal: of this one, empty: of anybody. */
static void end_oldest(struct tc_sessions *sessions, struct tc_str principal)
{
    struct tc_session *oldest = NULL;
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&sessions->by_id, &at, &key, &value);) {
        struct tc_session *session = value;
        if (session->holders == 0 && (principal.n == 0 || tc_str_eq(session->principal, principal)) &&
            (!oldest || session->used_at < oldest->used_at))
            oldest = session;
    }
    if (oldest)
        tc_sessions_end(sessions, oldest);
}

enum tc_err tc_sessions_create(struct tc_cx *cx, struct tc_sessions *sessions, const struct tc_principal *principal,
                               struct tc_str agent, const struct tc_envelope *envelope,
                               struct tc_session **ret_session)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    size_t own = make_room(sessions, principal->id, now);
    struct tc_session *session;

    if (own >= TC_SESSIONS_PER_TOKEN)
        end_oldest(sessions, principal->id);
    else if (sessions->by_id.n >= TC_SESSIONS_MAX)
        end_oldest(sessions, TC_STR(""));
    if (sessions->by_id.n >= TC_SESSIONS_MAX)
        return tc_fail(cx, TC_E_BUSY, "There are too many MCP sessions.");
    session = tc_mem_zalloc(1, sizeof *session);
    if (!session)
        return tc_fail_memory(cx);
    tc_arena_init(&session->arena, 64 * 1024);
    session->principal = tc_arena_dup(&session->arena, principal->id);
    session->agent = tc_arena_dup(&session->arena, agent);
    session->envelope = *envelope;
    session->used_at = now;
    session->holders = 1;
    tc_rand_handle(session->id);
    if (!session->principal.p || !session->agent.p ||
        !tc_map_put(&sessions->by_id, tc_str_of(session->id), session)) {
        session_destroy(sessions, session);
        return tc_fail_memory(cx);
    }
    *ret_session = session;
    return TC_OK;
}

enum tc_err tc_sessions_enter(struct tc_cx *cx, struct tc_sessions *sessions, struct tc_str id,
                              const struct tc_principal *principal, struct tc_str agent,
                              struct tc_session **ret_session)
{
    struct tc_session *session = tc_map_get(&sessions->by_id, id);
    int64_t now = tc_clock_wall_ms(cx->clock);

    if (session && session->holders == 0 && now - session->used_at > sessions->idle_ms) {
        tc_sessions_end(sessions, session);
        session = NULL;
    }
    if (!session || session->ended || !tc_str_eq(session->principal, principal->id) ||
        !tc_str_eq(session->agent, agent)) {
        tc_fail(cx, TC_E_MCP_SESSION_UNKNOWN, "This MCP session is not known; it may have ended.");
        return tc_fail_hint(cx, "Initialize again.");
    }
    session->holders++;
    session->used_at = now;
    *ret_session = session;
    return TC_OK;
}

void tc_sessions_leave(struct tc_sessions *sessions, struct tc_session *session, int64_t now)
{
    session->used_at = now;
    if (--session->holders == 0 && session->ended)
        session_destroy(sessions, session);
}

void tc_sessions_end(struct tc_sessions *sessions, struct tc_session *session)
{
    struct tc_str key;
    void *value;

    if (session->ended)
        return;
    session->ended = true;
    tc_map_remove(&sessions->by_id, tc_str_of(session->id));
    for (struct tc_feed *feed = session->feeds; feed; feed = feed->next)
        tc_feed_close(feed);
    if (session->main)
        tc_feed_close(session->main);
    for (size_t at = 0; tc_map_next(&session->requests, &at, &key, &value);)
        tc_task_cancel(value, TC_E_CANCELED);
    if (session->holders == 0)
        session_destroy(sessions, session);
}

/* --- streams --- */

/* What a client may still come back for stays; of the rest, the newest few. */
static void forget_feeds(struct tc_session *session)
{
    struct tc_feed **at = &session->feeds;
    size_t n = 0, bytes = 0;

    while (*at) {
        struct tc_feed *feed = *at;
        bytes += feed->bytes;
        if (feed->closed && feed != session->main && (++n > FEEDS_KEPT || bytes > FEED_BYTES)) {
            *at = feed->next;
            bytes -= feed->bytes;
            tc_feed_unref(feed);
        } else {
            at = &feed->next;
        }
    }
}

enum tc_err tc_session_feed(struct tc_cx *cx, struct tc_session *session, struct tc_feed **ret_feed)
{
    struct tc_feed *feed;
    enum tc_err e;

    forget_feeds(session);
    e = tc_feed_create(cx, session->last_feed + 1, &feed);
    if (e)
        return e;
    feed->primes = tc_mcp_revision_has(session->envelope.revision, TC_MCP_SSE_PRIMING);
    session->last_feed++;
    feed->next = session->feeds;
    session->feeds = feed;
    *ret_feed = tc_feed_ref(feed);
    return TC_OK;
}

struct tc_feed *tc_session_find_feed(const struct tc_session *session, uint32_t number)
{
    for (struct tc_feed *feed = session->feeds; feed; feed = feed->next)
        if (feed->number == number)
            return feed;
    return NULL;
}
