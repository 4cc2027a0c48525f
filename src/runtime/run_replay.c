/*
 * The journal says when an execution began, in which frame, and which entry of the tape
 * was the last one at each request; the rest follows. What the settings say now does not
 * matter. A request that cannot be put together says what is gone.
 */
#include "runtime/run_replay.h"

#include "base/hash.h"
#include "runtime/compact.h"
#include "runtime/run_parts.h"
#include "runtime/run_row.h"

struct replay {
    struct tc_cx *cx;          /* whose arena keeps the result, and frames */
    struct tc_runtime *runtime;
    struct tc_run_offers *offers;
    struct tc_run_row row;
    struct tc_run *run;        /* in the frame of this execution; NULL: it could not be made */
    struct tc_run_frame frame;
    struct tc_str gone;        /* what there is not any more; empty: all is there */
    struct tc_run_replay *result;
    size_t cap;
    int64_t same_to;           /* the tape is what it was up to this entry */
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* The replay itself cannot go on. */
static bool is_fault(enum tc_err e)
{
    return e == TC_E_NO_MEMORY || e == TC_E_CANCELED || e == TC_E_SHUTDOWN || e == TC_E_TIMEOUT;
}

/* --- an execution --- */

static enum tc_err enter_frame(struct tc_cx *cx, struct replay *r, struct tc_str hash)
{
    const struct tc_run_seen seen = {&r->row, &r->frame};
    enum tc_err e = tc_run_frame_get(cx, r->runtime->store, hash, &r->frame);

    return e ? e : tc_run_start_look(cx, r->runtime, r->offers, &seen, &r->run);
}

static enum tc_err take_frame(struct replay *r, const struct tc_json *data)
{
    struct tc_cx *cx = r->cx;
    enum tc_err e;

    tc_run_unref(r->run);
    r->run = NULL;
    r->gone = TC_STR("");
    e = enter_frame(cx, r, member(data, "frame"));
    if (!e || is_fault(e))
        return e;
    r->gone = cx->err.message;
    tc_fail_clear(cx);
    return TC_OK;
}

/* --- a request --- */

struct rebuilt {
    struct tc_run *run;
    char hash[TC_HASH_HEX_SIZE]; /* of the request's bytes */
};

static enum tc_err hash_body(struct tc_cx *cx, struct rebuilt *rebuilt, const struct tc_model_request *request)
{
    const struct tc_channels_model *model = &rebuilt->run->model;
    const struct tc_model_target target = {.provider = model->provider, .base_url = model->base_url};
    struct tc_models *models = rebuilt->run->runtime->models;
    struct tc_str body;
    enum tc_err e = models->ops->body(cx, models, &target, request, &body);

    if (!e)
        tc_hash_sha256_hex(body, rebuilt->hash);
    return e;
}

/* What the model would have been asked to sum up; extracts do for the rest. */
static enum tc_err hash_summary(struct tc_cx *cx, void *arg, struct tc_str said, struct tc_str *ret_summary)
{
    struct rebuilt *rebuilt = arg;
    struct tc_compact_request summary;

    tc_compact_request_init(&summary, &rebuilt->run->model, said);
    *ret_summary = tc_str_n(NULL, 0);
    return hash_body(cx, rebuilt, &summary.request);
}

/* cx->arena is the request's own. */
static enum tc_err rebuild(struct tc_cx *cx, struct rebuilt *rebuilt, const struct tc_run_replay_request *of)
{
    struct tc_run *run = rebuilt->run;
    struct tc_model_request request;
    enum tc_err e;

    tc_tape_finish(&run->tape);
    e = tc_tape_open_at(cx, run->runtime->store, run->row.tape, of->entry, &run->tape);
    if (!e && of->summary)
        return tc_compact_look(cx, run, hash_summary, rebuilt);
    if (!e)
        e = tc_turn_request(cx, run, &request);
    return e ? e : hash_body(cx, rebuilt, &request);
}

/* Snapshot and frame have the hashes that they had, so it is the tape, or an image on it. */
static struct tc_str say_where(struct replay *r, int64_t entry)
{
    struct tc_arena *arena = r->cx->arena;

    if (r->run->lost.p)
        return tc_arena_printf(arena, "The image %.*s is not in its workspace any more.", TC_STR_ARG(r->run->lost));
    if (r->same_to && r->same_to < entry)
        return tc_arena_printf(arena,
                               "What it showed is not what it was: look at the entries %lld to %lld of the tape.",
                               (long long)r->same_to + 1, (long long)entry);
    return tc_arena_printf(arena, "What it showed is not what it was: look at the entries up to %lld of the tape.",
                           (long long)entry);
}

static enum tc_err replay_request(struct replay *r, struct tc_run_replay_request *request)
{
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = r->cx->clock, .task = r->cx->task};
    struct rebuilt rebuilt = {.run = r->run};
    enum tc_err e;

    tc_arena_init(&arena, TC_RUN_TURN_BYTES);
    e = rebuild(&one, &rebuilt, request);
    if (e) {
        tc_fail_from(r->cx, &one);
        request->why = r->cx->err.message;
    } else {
        request->replayed = tc_arena_dup(r->cx->arena, tc_str_of(rebuilt.hash));
        request->same = tc_str_eq(request->recorded, request->replayed);
        if (!request->same)
            request->why = say_where(r, request->entry);
    }
    tc_arena_finish(&arena);
    if (is_fault(e))
        return e;
    tc_fail_clear(r->cx);
    r->same_to = request->same ? request->entry : 0;
    return request->why.p && request->replayed.p ? TC_OK : tc_fail_memory(r->cx);
}

static enum tc_err take_request(struct replay *r, const struct tc_json *data)
{
    struct tc_run_replay_request *request = &r->result->requests[r->result->n];
    enum tc_err e = TC_OK;

    if (r->result->n == r->cap) /* a run that has gone on meanwhile */
        return TC_OK;
    r->result->n++;
    *request = (struct tc_run_replay_request){
        .summary = tc_json_bool(tc_json_get_c(data, "summary"), false),
        .recorded = tc_arena_dup(r->cx->arena, member(data, "hash")),
        .replayed = TC_STR(""),
        .why = r->gone,
    };
    if (!request->recorded.p)
        return tc_fail_memory(r->cx);
    tc_json_int(tc_json_get_c(data, "turn"), &request->turn);
    if (!tc_json_int(tc_json_get_c(data, "entry"), &request->entry) && !request->why.n)
        request->why = TC_STR("Its record does not say what the tape was then.");
    if (!request->why.n)
        e = replay_request(r, request);
    r->result->same &= request->same;
    return e;
}

static enum tc_err take_event(struct tc_cx *cx, void *arg, const struct tc_run_event *event)
{
    bool snapshot = tc_str_is(event->type, "snapshot");
    struct replay *r = arg;
    const struct tc_json *data;
    enum tc_err e;

    if (!snapshot && !tc_str_is(event->type, "model_request"))
        return TC_OK;
    e = tc_json_parse_root(cx, event->json, NULL, &data);
    if (e)
        return e;
    e = snapshot ? take_frame(r, data) : take_request(r, data);
    return e ? tc_fail_from(cx, r->cx) : TC_OK;
}

enum tc_err tc_run_replay(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers, struct tc_str id,
                          struct tc_run_replay *ret)
{
    struct tc_run_replay result = {.same = true};
    struct replay r = {.cx = cx, .runtime = runtime, .offers = offers, .result = &result};
    enum tc_err e = tc_run_row_get(cx, runtime, id, &r.row);

    if (!e && (tc_str_is(r.row.status, "running") || tc_str_is(r.row.status, "waiting")))
        e = tc_fail(cx, TC_E_RUN_ACTIVE, "This run is active.");
    if (e)
        return e;
    r.gone = TC_STR("Its journal does not say what it began with.");
    r.cap = (size_t)r.row.events;
    result.requests = TC_ARENA_NEW_N(cx->arena, struct tc_run_replay_request, r.cap + 1);
    if (!result.requests)
        return tc_fail_memory(cx);
    e = tc_run_journal_each(cx, runtime->store, id, take_event, &r);
    tc_run_unref(r.run);
    if (!e)
        *ret = result;
    return e;
}
