/*
 * Turns at a server that takes so many calls and requests at a time (maxConcurrent):
 * first come, first served. What waits lies in the memory of its task.
 */
#include "runtime/upstream.h"

struct tc_upstream_turn {
    struct tc_upstream_turn *next;
    struct tc_event granted;
    bool given;
};

static bool has_room(const struct tc_upstream *server)
{
    return server->rules.max_concurrent == 0 || server->running < (size_t)server->rules.max_concurrent;
}

void tc_upstream_grant(struct tc_upstream *server)
{
    struct tc_upstream_turn *turn;

    while ((turn = server->turns) && has_room(server)) {
        server->turns = turn->next;
        server->queued--;
        server->running++;
        turn->given = true;
        tc_event_set(&turn->granted);
    }
}

void tc_upstream_leave(struct tc_upstream *server)
{
    server->running--;
    tc_upstream_grant(server);
}

static void unlink_turn(struct tc_upstream *server, struct tc_upstream_turn *turn)
{
    struct tc_upstream_turn **at = &server->turns;

    while (*at != turn)
        at = &(*at)->next;
    *at = turn->next;
    server->queued--;
}

enum tc_err tc_upstream_enter(struct tc_cx *cx, struct tc_upstream *server, int64_t due_us)
{
    struct tc_upstream_turn turn = {0}, **end = &server->turns;
    int64_t before;
    enum tc_err e;

    if (!server->turns && has_room(server)) {
        server->running++;
        return TC_OK;
    }
    while (*end)
        end = &(*end)->next;
    *end = &turn;
    server->queued++;
    before = tc_task_deadline_set(cx, due_us);
    e = tc_task_wait(cx, &turn.granted, -1);
    tc_task_deadline_restore(cx, before);
    if (e && turn.given)
        tc_upstream_leave(server); /* it came together with what ended the call */
    else if (e)
        unlink_turn(server, &turn);
    return e;
}

enum tc_err tc_upstream_held_back(struct tc_cx *cx, enum tc_err e, bool queued, struct tc_source_reply *reply)
{
    enum tc_err ended = tc_task_check(cx);

    if (ended || e == TC_E_NO_MEMORY || e == TC_E_SHUTDOWN)
        return ended ? ended : e;
    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT};
    if (e == TC_E_TIMEOUT) {
        reply->message = queued ? TC_STR("Its time ran out while other calls to this server were under way.")
                                : TC_STR("The server did not start in time.");
    } else {
        reply->message = cx->err.message;
        reply->code = e;
        reply->hint = cx->err.hint;
    }
    tc_fail_clear(cx);
    return TC_OK;
}
