/*
 * One call to a server: its turn, a connection, the time it may take. Until the source
 * has it, what goes wrong is "not sent"; from then on the source says what became of it.
 */
#include "base/clock.h"
#include "runtime/upstream.h"

/* --- a connection --- */

static enum tc_err not_sent(struct tc_source_reply *reply, struct tc_str message)
{
    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT, .message = message};
    return TC_OK;
}

static bool is_approved(const struct tc_upstream *server, struct tc_str name)
{
    for (size_t i = 0; i < server->tools_n; i++)
        if (tc_str_eq(server->tools[i].name, name))
            return !server->tools[i].absent && tc_str_eq(server->tools[i].definition, server->tools[i].approved);
    return false;
}

/* Whoever comes first starts it, the others wait. What it lists after a start may
 * differ from what the call was checked against: *ret_same. */
static enum tc_err start(struct tc_cx *cx, struct tc_upstream *server, struct tc_str tool, bool *ret_same)
{
    enum tc_err e;

    *ret_same = true;
    while (!tc_upstream_is_away(server) && !tc_upstream_is_started(server)) {
        e = tc_upstream_lock(cx, server);
        if (e)
            return e;
        if (!tc_upstream_is_away(server) && !tc_upstream_is_started(server)) {
            e = tc_upstream_connect(cx, server, server->tools_n == 0);
            if (!e || tc_task_check(cx) == TC_OK) {
                struct tc_error fault = cx->err;
                enum tc_err published = tc_upstream_publish(cx, server);
                if (e)
                    cx->err = fault;
                else
                    e = published;
            }
        }
        tc_upstream_unlock(server);
        if (e)
            return e;
        *ret_same = is_approved(server, tool);
    }
    return TC_OK;
}

/* --- progress prolongs --- */

struct prolonged {
    struct tc_caller caller; /* first: what the source sees */
    struct tc_caller *behind; /* who is behind it, or NULL */
    const struct tc_clock *clock;
    int64_t patience_us, due_us, last_us; /* of one silence; when it ends; when all ends */
    size_t asking;                        /* questions to the caller under way: nobody else can be in a hurry */
    struct tc_tool_source *source;
    struct tc_source_call call;
    struct tc_source_reply *reply;
    struct tc_arena *arena; /* of the caller: it outlives the task */
    enum tc_err result;
    struct tc_error fault;
    struct tc_event done;
};

static void prolong(struct prolonged *p)
{
    int64_t due = tc_clock_mono_us(p->clock) + p->patience_us;

    p->due_us = due < p->last_us ? due : p->last_us;
}

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    struct prolonged *p = (struct prolonged *)self;

    prolong(p);
    if (p->behind && p->behind->ops->progress)
        p->behind->ops->progress(p->behind, progress, total, message);
}

static void on_log(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data)
{
    struct prolonged *p = (struct prolonged *)self;

    if (p->behind && p->behind->ops->log)
        p->behind->ops->log(p->behind, level, logger, data);
}

static enum tc_err on_ask(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    struct prolonged *p = (struct prolonged *)self;
    enum tc_err e;

    p->asking++;
    e = tc_caller_ask(cx, p->behind, questions, n);
    p->asking--;
    prolong(p);
    return e;
}

static void on_elicited(struct tc_caller *self, struct tc_str id)
{
    struct prolonged *p = (struct prolonged *)self;

    prolong(p);
    if (p->behind && p->behind->ops->elicited)
        p->behind->ops->elicited(p->behind, id);
}

static const struct tc_caller_ops prolonging = {
    .progress = on_progress, .log = on_log, .ask = on_ask, .elicited = on_elicited};

static void call_task(struct tc_cx *cx, void *arg)
{
    struct prolonged *p = arg;
    struct tc_cx inner = {.arena = p->arena, .clock = cx->clock, .task = cx->task};

    p->result = p->source->ops->call(&inner, p->source, &p->call, p->reply);
    p->fault = inner.err;
    tc_event_set(&p->done);
}

/* Until it is done, too long silent, or its caller gone: what it is to be cancelled for. */
static enum tc_err watch(struct tc_cx *cx, struct prolonged *p)
{
    for (;;) {
        int64_t now = tc_clock_mono_us(cx->clock);
        enum tc_err e;
        if (p->asking)
            prolong(p);
        if (now >= p->due_us)
            return TC_E_TIMEOUT;
        e = tc_task_wait(cx, &p->done, (p->due_us - now + 999) / 1000);
        if (!e)
            return TC_OK;
        if (tc_task_check(cx))
            return cx->err.code;
    }
}

static enum tc_err call_prolonged(struct tc_cx *cx, struct tc_upstream *server, const struct tc_source_call *call,
                                  int64_t patience_ms, struct tc_source_reply *reply)
{
    int64_t now = tc_clock_mono_us(cx->clock);
    struct prolonged p = {
        .caller = {.ops = &prolonging},
        .behind = call->caller,
        .clock = cx->clock,
        .patience_us = patience_ms * 1000,
        .due_us = now + patience_ms * 1000,
        .last_us = now + call->timeout_ms * 1000,
        .source = server->source,
        .call = *call,
        .reply = reply,
        .arena = cx->arena,
    };
    struct tc_task_group group;
    struct tc_task *task;
    enum tc_err e, reason;

    if (call->caller) {
        p.caller.abilities = call->caller->abilities;
        p.caller.log_level = call->caller->log_level;
    }
    p.call.caller = &p.caller;
    tc_task_group_init(&group, server->owner->options.loop);
    e = tc_task_spawn_ref(cx, server->owner->options.loop, &group, "mcp call", call_task, &p, &task);
    if (e)
        return e;
    reason = watch(cx, &p);
    if (reason)
        tc_task_cancel(task, reason);
    tc_task_shield(cx);
    tc_task_join(cx, &group);
    tc_task_unshield(cx);
    if (reason == TC_E_TIMEOUT && !tc_task_check(cx) && !p.result && reply->outcome == TC_OUTCOME_UNKNOWN)
        reply->message = TC_STR("No answer, and no more progress, came in time.");
    cx->err = p.fault;
    return p.result;
}

/* --- the call --- */

/* As much time as is set for the tool, the server, or the call itself. */
static int64_t timeout_of(const struct tc_upstream *server, const struct tc_source_call *call)
{
    int64_t own = tc_upstream_rules_tool(&server->rules, call->tool).timeout_ms;

    if (call->timeout_ms)
        return call->timeout_ms;
    return own ? own : server->rules.timeout_ms;
}

/* The source is there, and stays while there are users. */
static enum tc_err send(struct tc_cx *cx, struct tc_upstream *server, const struct tc_source_call *call,
                        int64_t patience_ms, struct tc_source_reply *reply)
{
    enum tc_err e;

    server->users++;
    if (call->timeout_ms > patience_ms)
        e = call_prolonged(cx, server, call, patience_ms, reply);
    else
        e = server->source->ops->call(cx, server->source, call, reply);
    if (--server->users == 0)
        tc_event_set(&server->idle);
    return e;
}

/* With a turn: connects and sends within what is left of the time. */
static enum tc_err take_turn(struct tc_cx *cx, struct tc_upstream *server, const struct tc_source_call *call,
                             int64_t due_us, struct tc_source_reply *reply)
{
    int64_t before = tc_task_deadline_set(cx, due_us), left_ms, most_ms = server->rules.max_timeout_ms;
    struct tc_source_call timed = *call;
    bool same;
    enum tc_err e = start(cx, server, call->tool, &same);

    tc_task_deadline_restore(cx, before);
    if (e)
        return tc_upstream_held_back(cx, e, false, reply);
    if (tc_upstream_is_away(server))
        return not_sent(reply, TC_STR("The server is not there."));
    if (!same)
        return not_sent(reply, TC_STR("The server started with another definition of this tool; it must be approved."));
    left_ms = (due_us - tc_clock_mono_us(cx->clock)) / 1000;
    if (left_ms < 1)
        return not_sent(reply, TC_STR("The server did not start in time."));
    if (!server->rules.grant_each)
        timed.identity = TC_STR("");
    timed.timeout_ms = call->timeout_ms || most_ms < left_ms ? left_ms : most_ms;
    return send(cx, server, &timed, left_ms, reply);
}

enum tc_err tc_servers_call(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                            const struct tc_source_call *call, struct tc_source_reply *ret_reply)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, uuid);
    int64_t due_us;
    enum tc_err e;

    if (tc_upstream_is_away(server))
        return not_sent(ret_reply, TC_STR("The server is not there."));
    due_us = tc_clock_mono_us(cx->clock) + timeout_of(server, call) * 1000;
    e = tc_upstream_enter(cx, server, due_us);
    if (e)
        return tc_upstream_held_back(cx, e, true, ret_reply);
    e = take_turn(cx, server, call, due_us, ret_reply);
    tc_upstream_leave(server);
    tc_upstream_rest(cx, server);
    return e;
}
