#include "support/task.h"

#include "base/clock.h"
#include "io/loop.h"
#include "mcp/server/session.h"

enum { IDLE_MS = 1000 };

static const struct tc_principal ada = {TC_ROLE_AGENT, TC_STR_INIT("token"), TC_STR_INIT("ada"),
                                        TC_STR_INIT("work"), 0},
                                 eve = {TC_ROLE_AGENT, TC_STR_INIT("token"), TC_STR_INIT("eve"),
                                        TC_STR_INIT("work"), 0};

static struct tc_session *make(struct tc_cx *cx, struct tc_sessions *sessions, const struct tc_principal *who)
{
    struct tc_envelope envelope = {.revision = tc_mcp_revision_at(0)};
    struct tc_session *session = NULL;

    expect_int(tc_sessions_create(cx, sessions, who, TC_STR("work"), &envelope, &session), TC_OK);
    return session;
}

static enum tc_err enter(struct tc_cx *cx, struct tc_sessions *sessions, const char *id, const struct tc_principal *who,
                         const char *agent)
{
    struct tc_session *session;
    enum tc_err e = tc_sessions_enter(cx, sessions, tc_str_of(id), who, tc_str_of(agent), &session);

    if (!e)
        tc_sessions_leave(sessions, session, tc_clock_wall_ms(cx->clock));
    return e;
}

static void owners(struct tc_cx *cx, void *arg)
{
    struct tc_sessions sessions;
    struct tc_session *session, *other;
    char id[TC_RAND_HANDLE_SIZE];
    (void)arg;

    tc_sessions_init(&sessions, NULL, IDLE_MS);
    session = make(cx, &sessions, &ada);
    other = make(cx, &sessions, &ada);
    expect(strcmp(session->id, other->id) != 0);
    memcpy(id, session->id, sizeof id);
    expect_int(enter(cx, &sessions, id, &ada, "work"), TC_OK);
    expect_int(enter(cx, &sessions, id, &eve, "work"), TC_E_MCP_SESSION_UNKNOWN);
    expect_int(enter(cx, &sessions, id, &ada, "play"), TC_E_MCP_SESSION_UNKNOWN);
    expect_int(enter(cx, &sessions, "0123456789abcdef0123456789abcdef", &ada, "work"), TC_E_MCP_SESSION_UNKNOWN);
    expect_int(enter(cx, &sessions, "", &ada, "work"), TC_E_MCP_SESSION_UNKNOWN);
    tc_sessions_end(&sessions, session);
    expect_int(enter(cx, &sessions, id, &ada, "work"), TC_E_MCP_SESSION_UNKNOWN);
    tc_sessions_leave(&sessions, session, 0); /* the last holder frees it */
    tc_sessions_leave(&sessions, other, 0);
    tc_sessions_finish(&sessions);
}

void test_session__is_its_owners_alone(void **state)
{
    (void)state;
    test_task_run_virtual(owners, NULL);
}

static void idle(struct tc_cx *cx, void *arg)
{
    struct tc_sessions sessions;
    struct tc_session *used, *held;
    char id[TC_RAND_HANDLE_SIZE];
    (void)arg;

    tc_sessions_init(&sessions, NULL, IDLE_MS);
    used = make(cx, &sessions, &ada);
    memcpy(id, used->id, sizeof id);
    tc_sessions_leave(&sessions, used, tc_clock_wall_ms(cx->clock));
    held = make(cx, &sessions, &ada); /* nobody leaves it: a stream is open */
    tc_loop_advance(tc_task_loop(cx), IDLE_MS);
    expect_int(enter(cx, &sessions, id, &ada, "work"), TC_OK); /* used again: it counts from here */
    tc_loop_advance(tc_task_loop(cx), IDLE_MS + 1);
    expect_int(enter(cx, &sessions, id, &ada, "work"), TC_E_MCP_SESSION_UNKNOWN);
    expect_int(enter(cx, &sessions, held->id, &ada, "work"), TC_OK);
    tc_sessions_leave(&sessions, held, tc_clock_wall_ms(cx->clock));
    tc_loop_advance(tc_task_loop(cx), IDLE_MS + 1);
    tc_sessions_leave(&sessions, make(cx, &sessions, &eve), 0); /* makes room */
    expect_int(sessions.by_id.n, 1);
    tc_sessions_finish(&sessions);
}

void test_session__ends_when_it_was_idle_too_long(void **state)
{
    (void)state;
    test_task_run_virtual(idle, NULL);
}

static void crowd(struct tc_cx *cx, void *arg)
{
    struct tc_sessions sessions;
    struct tc_session *session;
    char first[TC_RAND_HANDLE_SIZE], second[TC_RAND_HANDLE_SIZE];
    (void)arg;

    tc_sessions_init(&sessions, NULL, 1000 * 1000);
    for (int i = 0; i < TC_SESSIONS_PER_TOKEN; i++) {
        session = make(cx, &sessions, &ada);
        if (i < 2)
            memcpy(i ? second : first, session->id, sizeof first);
        tc_sessions_leave(&sessions, session, 1000 + i);
    }
    tc_sessions_leave(&sessions, make(cx, &sessions, &ada), 5000);
    expect_int(sessions.by_id.n, TC_SESSIONS_PER_TOKEN);
    expect_int(enter(cx, &sessions, first, &ada, "work"), TC_E_MCP_SESSION_UNKNOWN); /* the one unused longest */
    expect_int(enter(cx, &sessions, second, &ada, "work"), TC_OK);
    tc_sessions_leave(&sessions, make(cx, &sessions, &eve), 5000); /* of another's nothing is taken */
    expect_int(sessions.by_id.n, TC_SESSIONS_PER_TOKEN + 1);
    tc_sessions_finish(&sessions);
}

void test_session__one_token_has_so_many(void **state)
{
    (void)state;
    test_task_run_virtual(crowd, NULL);
}

struct busy {
    struct tc_sessions sessions;
    struct tc_session *session;
    enum tc_err code;
};

static void wait_long(struct tc_cx *cx, void *arg)
{
    struct busy *busy = arg;

    expect(tc_map_put(&busy->session->requests, TC_STR("1"), cx->task));
    busy->code = tc_task_sleep(cx, 1000 * 1000);
    tc_map_remove(&busy->session->requests, TC_STR("1"));
    tc_sessions_leave(&busy->sessions, busy->session, 0);
}

static void ending(struct tc_cx *cx, void *arg)
{
    struct tc_task_group group;
    struct busy busy;
    (void)arg;

    tc_sessions_init(&busy.sessions, NULL, IDLE_MS);
    busy.session = make(cx, &busy.sessions, &ada);
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "request", wait_long, &busy), TC_OK);
    expect_int(tc_task_yield(cx), TC_OK);
    tc_sessions_end(&busy.sessions, busy.session);
    expect_int(busy.sessions.by_id.n, 0);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(busy.code, TC_E_CANCELED);
    tc_sessions_finish(&busy.sessions);
}

void test_session__its_end_cancels_what_is_under_way(void **state)
{
    (void)state;
    test_task_run_virtual(ending, NULL);
}
