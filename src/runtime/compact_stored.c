/*
 * Summaries by a model, and compaction by hand, which has no run: the tape is claimed
 * meanwhile all the same, so that nobody writes on it.
 */
#include "base/clock.h"
#include "base/rand.h"
#include "runtime/agents.h"
#include "runtime/compact.h"
#include "runtime/runtime.h"
#include "runtime/turn_record.h"

enum { TEXT_MAX = 64 * 1024 * 1024 };

static const char summary_system[] =
    "You sum up a conversation between a user and an assistant that works with tools, so that another assistant can "
    "go on with it. Say what the user wants, in their words where they matter; what was decided; what was done with "
    "which result, with names of files, numbers and ids as they are; what is open. No preamble, no advice.";

void tc_compact_request_init(struct tc_compact_request *request, const struct tc_channels_model *model,
                             struct tc_str said)
{
    request->part = (struct tc_part){.kind = TC_PART_TEXT, .text = said};
    request->message = (struct tc_message){TC_ROLE_USER, &request->part, 1};
    request->request = (struct tc_model_request){
        .model = model->model.name,
        .caps = &model->caps,
        .system = tc_str_of(summary_system),
        .messages = &request->message,
        .messages_n = 1,
        .choice = TC_CHOICE_NONE,
        .stream = true,
        .max_output = model->max_output,
        .extra = model->extra,
    };
}

static enum tc_err ask(struct tc_cx *cx, const struct tc_compact_model *with, struct tc_str said,
                       struct tc_model_reply *ret_reply)
{
    struct tc_models *models = with->runtime->models;
    struct tc_compact_request summary;
    struct tc_model_target target;
    int64_t began, ms;
    enum tc_err e = tc_channels_target(cx, with->runtime->channels, with->model, &target);

    tc_compact_request_init(&summary, with->model, said);
    if (!e && with->run)
        e = tc_turn_record_request(cx, with->run, &target, &summary.request, true);
    if (e)
        return e;
    began = tc_clock_mono_us(cx->clock);
    e = models->ops->turn(cx, models, &target, &summary.request, NULL, ret_reply);
    ms = (tc_clock_mono_us(cx->clock) - began) / 1000;
    if (with->run && e)
        tc_turn_record_no_summary(cx, with->run, ms);
    if (with->run && !e)
        e = tc_turn_record_reply(cx, with->run, ret_reply, ms, true);
    return e;
}

enum tc_err tc_compact_write(struct tc_cx *cx, void *model, struct tc_str said, struct tc_str *ret_summary)
{
    struct tc_model_reply reply;
    struct tc_buf buf;
    enum tc_err e = ask(cx, model, said, &reply);

    *ret_summary = tc_str_n(NULL, 0);
    if (e == TC_E_NO_MEMORY || (e && tc_task_check(cx)))
        return cx->err.code;
    if (e) { /* extracts will do */
        tc_fail_clear(cx);
        return TC_OK;
    }
    tc_buf_init(&buf, TEXT_MAX);
    for (size_t i = 0; i < reply.n; i++)
        if (reply.items[i].kind == TC_ITEM_TEXT)
            tc_buf_str(&buf, reply.items[i].text);
    *ret_summary = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_summary->p ? TC_OK : tc_fail_memory(cx);
}

/* The agent's model; false: there is none, or no such agent any more. */
static bool find_model(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id,
                       struct tc_channels_model *ret_model)
{
    struct tc_channels_ask ask = {0};
    struct tc_agent *agent;
    enum tc_err e = runtime->models ? tc_agents_get(cx, runtime->agents, id, &agent) : TC_E_CHANNEL_NONE;

    if (!e) {
        ask.agent = agent;
        e = tc_channels_model(cx, runtime->channels, &ask, ret_model);
    }
    tc_fail_clear(cx);
    return !e;
}

struct by_hand {
    struct tc_runtime *runtime;
    struct tc_tape_row row;
    const struct tc_handoff *handoff; /* NULL: a compaction */
    struct tc_compacted done;
    int64_t anchor;
};

static enum tc_err compact(struct tc_cx *cx, struct by_hand *by_hand, struct tc_tape *tape, struct tc_str claim)
{
    struct tc_runtime *runtime = by_hand->runtime;
    struct tc_compact_writer writer = {0};
    struct tc_channels_model model;
    struct tc_compact_model with = {runtime, &model, NULL};

    if (find_model(cx, runtime, by_hand->row.agent, &model)) {
        writer.write = tc_compact_write;
        writer.arg = &with;
        writer.model = model.model.name;
        writer.said_tokens = model.model.context_window / 2;
    }
    return tc_compact_tape(cx, tape, claim, &writer, &by_hand->done);
}

static enum tc_err with_tape(struct tc_cx *cx, struct by_hand *by_hand, struct tc_str claim)
{
    const struct tc_compact_writer all_stays = {0};
    struct tc_tape tape;
    enum tc_err e = tc_tape_open(cx, by_hand->runtime->store, by_hand->row.id, &tape);

    if (!e && by_hand->handoff)
        e = tc_compact_handoff(cx, &tape, claim, &all_stays, by_hand->handoff);
    else if (!e)
        e = compact(cx, by_hand, &tape, claim);
    by_hand->anchor = tape.anchor;
    tc_tape_finish(&tape);
    return e;
}

/* While it is claimed, whatever comes of it. */
static enum tc_err with_claim(struct tc_cx *cx, struct by_hand *by_hand, struct tc_str id)
{
    struct tc_store *store = by_hand->runtime->store;
    char claim[TC_RAND_ID_SIZE];
    struct tc_error fault;
    enum tc_err e = tc_tape_get(cx, store, id, &by_hand->row);

    tc_rand_id(tc_clock_wall_ms(cx->clock), claim);
    if (!e)
        e = tc_tape_claim(cx, store, id, tc_str_of(claim));
    if (e)
        return e;
    e = with_tape(cx, by_hand, tc_str_of(claim));
    fault = cx->err;
    tc_task_shield(cx);
    if (store->tapes->claim(cx, store, id, TC_STR("")) && !e) {
        e = cx->err.code;
        fault = cx->err;
    }
    tc_task_unshield(cx);
    if (e)
        cx->err = fault;
    return e;
}

enum tc_err tc_compact_stored(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id, struct tc_compacted *ret)
{
    struct by_hand by_hand = {.runtime = runtime};
    enum tc_err e = with_claim(cx, &by_hand, id);

    if (!e)
        *ret = by_hand.done;
    return e;
}

enum tc_err tc_handoff_stored(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id,
                              const struct tc_handoff *handoff, int64_t *ret_anchor)
{
    struct by_hand by_hand = {.runtime = runtime, .handoff = handoff};
    enum tc_err e = with_claim(cx, &by_hand, id);

    if (!e)
        *ret_anchor = by_hand.anchor;
    return e;
}
