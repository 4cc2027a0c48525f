/*
 * The journal says when an execution began, with which snapshot, and which entry of the
 * tape was the last one at each request; the rest follows. Where the tools are others by
 * now the requests of that execution are not put together.
 */
#include "runtime/run_replay.h"

#include "base/hash.h"
#include "runtime/run_parts.h"
#include "runtime/run_row.h"

struct replay {
    struct tc_run *run;
    struct tc_run_replay *result;
    bool prompted;         /* the prompt is that of this execution */
    struct tc_str changed; /* why nothing of it can be put together; empty: it can */
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

static enum tc_err take_snapshot(struct tc_cx *cx, struct replay *r, const struct tc_json *data)
{
    struct tc_str then = member(data, "id");

    r->prompted = false;
    r->changed = TC_STR("");
    if (tc_str_is(then, r->run->view->snapshot))
        return TC_OK;
    r->changed = tc_arena_printf(cx->arena, "The agent's tools are others now: snapshot %.*s then, %s now.",
                                 TC_STR_ARG(then), r->run->view->snapshot);
    return r->changed.p ? TC_OK : tc_fail_memory(cx);
}

/* cx->arena is the request's own. */
static enum tc_err rebuild(struct tc_cx *cx, struct replay *r, int64_t entry, char *hex)
{
    struct tc_run *run = r->run;
    struct tc_models *models = run->runtime->models;
    const struct tc_model_target target = {.provider = run->model.provider, .base_url = run->model.base_url};
    struct tc_model_request request;
    struct tc_str body;
    enum tc_err e;

    tc_tape_finish(&run->tape);
    e = tc_tape_open_at(cx, run->runtime->store, run->row.tape, entry, &run->tape);
    if (!e && !r->prompted)
        e = tc_run_parts_prompt(cx, run);
    r->prompted |= !e;
    if (!e)
        e = tc_turn_request(cx, run, &request);
    if (!e)
        e = models->ops->body(cx, models, &target, &request, &body);
    if (!e)
        tc_hash_sha256_hex(body, hex);
    return e;
}

static enum tc_err replay_request(struct tc_cx *cx, struct replay *r, struct tc_run_replay_request *request)
{
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    char hex[TC_HASH_HEX_SIZE];
    enum tc_err e;

    tc_arena_init(&arena, TC_RUN_TURN_BYTES);
    e = rebuild(&one, r, request->entry, hex);
    if (e)
        request->why = tc_arena_dup(cx->arena, one.err.message);
    else
        request->replayed = tc_arena_dup(cx->arena, tc_str_of(hex));
    tc_arena_finish(&arena);
    if (e == TC_E_NO_MEMORY || e == TC_E_CANCELED || e == TC_E_SHUTDOWN || e == TC_E_TIMEOUT)
        return tc_fail(cx, e, "%.*s", TC_STR_ARG(request->why));
    request->same = !e && tc_str_eq(request->recorded, request->replayed);
    return request->why.p && request->replayed.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err take_request(struct tc_cx *cx, struct replay *r, const struct tc_json *data)
{
    struct tc_run_replay_request *request = &r->result->requests[r->result->n++];
    enum tc_err e = TC_OK;

    *request = (struct tc_run_replay_request){
        .recorded = member(data, "hash"), .replayed = TC_STR(""), .why = r->changed};
    tc_json_int(tc_json_get_c(data, "turn"), &request->turn);
    if (!tc_json_int(tc_json_get_c(data, "entry"), &request->entry))
        request->why = TC_STR("Its record does not say what the tape was then.");
    if (!request->why.n)
        e = replay_request(cx, r, request);
    r->result->same &= request->same;
    return e;
}

static enum tc_err take_event(struct tc_cx *cx, struct replay *r, const struct tc_run_event *event)
{
    bool snapshot = tc_str_is(event->type, "snapshot");
    const struct tc_json *data;
    enum tc_err e;

    if (!snapshot && !tc_str_is(event->type, "model_request"))
        return TC_OK;
    e = tc_json_parse_root(cx, event->json, NULL, &data);
    if (e || tc_json_bool(tc_json_get_c(data, "summary"), false)) /* asked for by a compaction, not by a turn */
        return e;
    return snapshot ? take_snapshot(cx, r, data) : take_request(cx, r, data);
}

static enum tc_err read_journal(struct tc_cx *cx, struct replay *r)
{
    struct tc_store *store = r->run->runtime->store;
    int64_t after = 0;
    enum tc_err e = TC_OK;

    while (!e) {
        struct tc_run_event *events;
        size_t n;
        e = store->runs->events(cx, store, r->run->row.id, after, 0, TC_RUN_EVENTS_MAX, &events, &n);
        if (e || n == 0)
            return e;
        for (size_t i = 0; i < n && !e; i++)
            e = take_event(cx, r, &events[i]);
        after = events[n - 1].seq;
    }
    return e;
}

enum tc_err tc_run_replay(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers, struct tc_str id,
                          struct tc_run_replay *ret)
{
    struct tc_run_replay result = {.same = true};
    struct replay r = {.result = &result, .changed = TC_STR("")};
    struct tc_run_row row;
    enum tc_err e = tc_run_row_get(cx, runtime, id, &row);

    if (!e && (tc_str_is(row.status, "running") || tc_str_is(row.status, "waiting")))
        e = tc_fail(cx, TC_E_RUN_ACTIVE, "This run is active.");
    if (e)
        return e;
    result.requests = TC_ARENA_NEW_N(cx->arena, struct tc_run_replay_request, (size_t)row.events + 1);
    if (!result.requests)
        return tc_fail_memory(cx);
    e = tc_run_start_look(cx, runtime, offers, &row, &r.run);
    if (e)
        return e;
    e = read_journal(cx, &r);
    tc_run_unref(r.run);
    if (!e)
        *ret = result;
    return e;
}
