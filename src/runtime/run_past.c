/*
 * One pass over the events, in order.
 */
#include "runtime/run_past.h"

struct reading {
    struct tc_arena *arena; /* keeps what is found */
    struct tc_run_past *past;
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

static void sum_usage(struct tc_usage *sum, const struct tc_json *usage)
{
    const struct {
        const char *key;
        int64_t *to;
    } counts[] = {
        {"input", &sum->input},
        {"output", &sum->output},
        {"cached", &sum->cached},
        {"cacheWritten", &sum->cache_written},
        {"reasoning", &sum->reasoning},
    };
    int64_t count;

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (tc_json_int(tc_json_get_c(usage, counts[i].key), &count))
            *counts[i].to += count;
}

static enum tc_err put_open(struct tc_cx *cx, struct reading *r, struct tc_map *open, struct tc_str id)
{
    return tc_map_put(open, id, r->past) ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err begin_invocation(struct tc_cx *cx, struct reading *r, const struct tc_json *data, bool revision)
{
    struct tc_run_past *past = r->past;

    past->before = past->steps;
    past->committed = false;
    tc_json_int(tc_json_get_c(data, "entry"), &past->entry);
    past->text = revision ? tc_arena_dup(r->arena, member(data, "text")) : tc_str_n(NULL, 0);
    return revision && !past->text.p ? tc_fail_memory(cx) : TC_OK;
}

static enum tc_err take_data(struct tc_cx *cx, struct reading *r, struct tc_str type, const struct tc_json *data)
{
    struct tc_run_past *past = r->past;
    struct tc_str call = member(data, "callId"), id = member(data, "id");

    if (tc_str_is(type, "tool_call_requested"))
        return put_open(cx, r, &past->calls, call);
    if (tc_str_is(type, "question_asked"))
        return put_open(cx, r, &past->questions, id);
    if (tc_str_is(type, "tool_call_completed") || tc_str_is(type, "tool_call_failed"))
        tc_map_remove(&past->calls, call);
    else if (tc_str_is(type, "question_answered"))
        tc_map_remove(&past->questions, id);
    else if (tc_str_is(type, "model_request"))
        tc_json_int(tc_json_get_c(data, "turn"), &past->steps);
    else if (tc_str_is(type, "model_reply"))
        sum_usage(&past->usage, tc_json_get_c(data, "usage"));
    else if (tc_str_is(type, "commit_confirmed"))
        past->committed = true;
    else if (tc_str_is(type, "run_started") || tc_str_is(type, "revision_started"))
        return begin_invocation(cx, r, data, tc_str_is(type, "revision_started"));
    return TC_OK;
}

/* The others, texts above all, need not be parsed. */
static bool matters(struct tc_str type)
{
    static const char *const types[] = {
        "tool_call_requested", "tool_call_completed", "tool_call_failed", "question_asked",   "question_answered",
        "model_request",       "model_reply",         "commit_confirmed", "run_started",      "revision_started",
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tc_str_is(type, types[i]))
            return true;
    return false;
}

static enum tc_err take_event(struct tc_cx *cx, void *arg, const struct tc_run_event *event)
{
    struct reading *r = arg;
    const struct tc_json *data;
    enum tc_err e = TC_OK;

    if (!tc_str_eq(event->invocation, r->past->invocation)) {
        r->past->invocation = tc_arena_dup(r->arena, event->invocation);
        if (!r->past->invocation.p)
            return tc_fail_memory(cx);
    }
    if (!matters(event->type))
        return TC_OK;
    e = tc_json_parse_root(cx, event->json, NULL, &data);
    return e ? e : take_data(cx, r, event->type, data);
}

enum tc_err tc_run_past_read(struct tc_cx *cx, struct tc_store *store, struct tc_str run, struct tc_run_past *ret_past)
{
    struct reading reading = {cx->arena, ret_past};

    *ret_past = (struct tc_run_past){.invocation = TC_STR("")};
    return tc_run_journal_each(cx, store, run, take_event, &reading);
}

void tc_run_past_finish(struct tc_run_past *past)
{
    tc_map_finish(&past->calls);
    tc_map_finish(&past->questions);
}
