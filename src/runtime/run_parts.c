/*
 * A run in memory: its request in copies, its model, the pinned view and what of it the
 * provider is sent, its tape and prompt.
 */
#include "runtime/run_parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "runtime/prompt.h"
#include "runtime/run_row.h"

static struct tc_str keep(struct tc_run *run, struct tc_str s)
{
    return tc_arena_dup(&run->arena, s);
}

static enum tc_err copy_request(struct tc_cx *cx, struct tc_run *run, const struct tc_run_request *request)
{
    struct tc_run_request *r = &run->request;
    struct tc_cx kept = {.arena = &run->arena, .clock = cx->clock};
    struct tc_str *texts[] = {&r->agent,          &r->text,        &r->session,       &r->tape,
                              &r->instructions,   &r->workspace_dir, &r->channel,      &r->model,
                              &r->principal.kind, &r->principal.id, &r->principal.agent};
    const struct tc_json **documents[] = {&r->history, &r->parts};
    struct tc_json_limits limits = {.max_bytes = TC_RUN_INPUT_MAX};

    *r = *request;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = keep(run, *texts[i]);
        if (!texts[i]->p)
            return tc_fail_memory(cx);
    }
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (*documents[i] &&
            tc_json_parse_root(&kept, tc_json_text(&run->arena, *documents[i]), &limits, documents[i]))
            return tc_fail_memory(cx);
    return TC_OK;
}

enum tc_err tc_run_parts_create(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_run_request *request,
                              struct tc_run **ret)
{
    struct tc_run *run = tc_mem_zalloc(1, sizeof *run);
    char id[TC_RAND_ID_SIZE];
    enum tc_err e;

    if (!run)
        return tc_fail_memory(cx);
    tc_arena_init(&run->arena, 2 * (size_t)TC_RUN_INPUT_MAX);
    run->refs = 1;
    run->runtime = runtime;
    run->service.run = run;
    run->started_at = tc_clock_wall_ms(cx->clock);
    tc_rand_id(run->started_at, id);
    run->invocation.id = keep(run, tc_str_of(id));
    e = copy_request(cx, run, request);
    if (!e && !run->invocation.id.p)
        e = tc_fail_memory(cx);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret = run;
    return TC_OK;
}

void tc_run_unref(struct tc_run *run)
{
    if (!run || --run->refs > 0)
        return;
    tc_view_unref(run->view);
    tc_run_offer_unref(run->offer);
    tc_guards_finish(&run->guards);
    tc_map_finish(&run->call_ids);
    tc_transcript_finish(&run->transcript);
    tc_tape_finish(&run->tape);
    tc_run_journal_finish(&run->journal);
    tc_arena_finish(&run->arena);
    tc_mem_free(run);
}

/* --- its parts --- */

static enum tc_err find_model(struct tc_cx *cx, struct tc_run *run, const struct tc_channels_ask *ask)
{
    struct tc_cx kept = {.arena = &run->arena, .clock = cx->clock, .task = cx->task};
    enum tc_err e = tc_channels_model(&kept, run->runtime->channels, ask, &run->model);

    return e ? tc_fail_from(cx, &kept) : TC_OK;
}

static void set_key(struct tc_run *run, unsigned stage)
{
    run->stage = stage;
    run->key = (struct tc_view_key){
        .agent = run->request.agent,
        .answers = run->request.answers,
        .stage = stage,
        .model = &run->model.model,
    };
}

static enum tc_err use_view(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers)
{
    enum tc_err e = tc_run_offers_get(cx, offers, run->view, run->model.caps.schema, &run->offer);

    if (!e)
        tc_guards_init(&run->guards, run->model.same_call);
    return e;
}

/* The agent as it is now, with a reference. */
static enum tc_err find_agent(struct tc_cx *cx, struct tc_run *run, struct tc_agent **ret)
{
    enum tc_err e = tc_agents_get(cx, run->runtime->agents, run->request.agent, ret);

    if (!e)
        tc_agent_ref(*ret);
    return e;
}

enum tc_err tc_run_parts_tools(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers)
{
    struct tc_channels_ask ask = {.channel = run->request.channel, .model = run->request.model};
    struct tc_agent *agent;
    enum tc_err e = find_agent(cx, run, &agent);

    if (e)
        return e;
    ask.agent = agent;
    set_key(run, run->request.stage ? run->request.stage : agent->stage);
    e = find_model(cx, run, &ask);
    tc_agent_unref(agent);
    if (!e)
        e = tc_view_get(cx, run->runtime->views, &run->key, &run->view);
    return e ? e : use_view(cx, run, offers);
}

/* --- of a frame --- */

/* Snapshot and prompt; the run has its model. */
static enum tc_err take_frame(struct tc_cx *cx, struct tc_run *run, struct tc_agent *agent,
                              const struct tc_run_frame *frame)
{
    struct tc_view_stored stored = {.hash = frame->snapshot, .agent = agent, .model = &run->model.model};
    enum tc_err e = tc_run_frame_snapshot(cx, run->runtime->store, frame, &stored.json);

    if (!e)
        e = tc_view_restore(cx, run->runtime->views, &stored, &run->view);
    if (e)
        return e;
    run->system = keep(run, frame->system);
    return run->system.p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_run_parts_again(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                               const struct tc_run_row *row, const struct tc_run_frame *frame)
{
    /* the model's name may be borrowed from the question */
    struct tc_channels_ask ask = {.channel = keep(run, row->channel), .model = keep(run, row->model), .found = true};
    struct tc_agent *agent;
    enum tc_err e = ask.channel.p && ask.model.p ? find_agent(cx, run, &agent) : tc_fail_memory(cx);

    if (e)
        return e;
    ask.agent = agent;
    set_key(run, run->request.stage);
    e = find_model(cx, run, &ask);
    if (!e)
        e = take_frame(cx, run, agent, frame);
    tc_agent_unref(agent);
    return e ? e : use_view(cx, run, offers);
}

/* What of the model is in the bytes of a request. */
static enum tc_err take_model(struct tc_cx *cx, struct tc_run *run, const struct tc_run_frame *frame)
{
    struct tc_channels_model *model = &run->model;
    struct tc_models *models = run->runtime->models;
    struct tc_model_target target;
    enum tc_err e;

    model->provider = keep(run, frame->provider);
    model->base_url = keep(run, frame->base_url);
    model->model.name = keep(run, frame->model);
    if (!model->provider.p || !model->base_url.p || !model->model.name.p)
        return tc_fail_memory(cx);
    target = (struct tc_model_target){.provider = model->provider, .base_url = model->base_url};
    e = models->ops->caps(cx, models, &target, model->model.name, &model->caps);
    model->caps.image_input = frame->image_input;
    model->max_output = frame->max_output;
    model->model.context_window = frame->context_window;
    model->extra = frame->extra;
    return e;
}

enum tc_err tc_run_parts_look(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                              const struct tc_run_frame *frame)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get_former(cx, run->runtime->agents, run->request.agent, &agent);

    if (e)
        return e;
    set_key(run, run->request.stage);
    e = take_model(cx, run, frame);
    if (!e)
        e = take_frame(cx, run, agent, frame);
    tc_agent_unref(agent);
    return e ? e : use_view(cx, run, offers);
}

enum tc_err tc_run_parts_prompt(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_prompt_input input = {
        .view = run->view,
        .stage = run->stage,
        .instructions = run->request.instructions,
    };
    struct tc_discovery_turn turn;
    struct tc_prompt prompt;
    enum tc_err e = tc_turn_offer(cx, run, &turn);

    input.offered = turn.offered;
    if (!e)
        e = tc_prompt_build(cx, &input, &prompt);
    if (e)
        return e;
    run->system = keep(run, prompt.text);
    return run->system.p ? TC_OK : tc_fail_memory(cx);
}

/* --- the rest --- */

enum tc_err tc_run_parts_invocation(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_invocation *i = &run->invocation;
    struct tc_str id = i->id;

    *i = (struct tc_invocation){
        .surface = "run",
        .principal = run->request.principal,
        .agent = run->request.agent,
        .answers = run->request.answers,
        .attended = run->request.attended,
        .run = run->row.id,
        .workspace_dir = run->request.workspace_dir,
        .id = id,
        .workspace = tc_run_row_workspace(&run->arena, &run->row, &run->request),
        .view = run->view,
        .key = &run->key,
        .inline_chars = run->model.has_inline_chars ? run->model.inline_chars : 0,
        .service = &run->service,
        .asked = tc_run_approval_asked,
        .asked_arg = run,
    };
    return i->workspace.p ? TC_OK : tc_fail_memory(cx);
}

/* Ids of calls that the tape has: new ones differ from them. */
static enum tc_err note_ids(struct tc_cx *cx, struct tc_run *run)
{
    for (size_t i = 0; i < run->tape.n; i++) {
        const struct tc_tape_item *item = &run->tape.items[i];
        struct tc_json_iter it =
            tc_json_iter(item->kind == TC_TAPE_MESSAGE ? tc_json_get_c(item->body, "parts") : NULL);
        const struct tc_json *part;
        while (tc_json_next(&it, NULL, &part)) {
            struct tc_str id = tc_json_str(tc_json_get_c(tc_json_get_c(part, "call"), "id"));
            if (id.n && !tc_map_put(&run->call_ids, id, run))
                return tc_fail_memory(cx);
        }
    }
    return TC_OK;
}

enum tc_err tc_run_parts_tape(struct tc_cx *cx, struct tc_run *run)
{
    enum tc_err e = tc_tape_open(cx, run->runtime->store, run->row.tape, &run->tape);

    return e ? e : note_ids(cx, run);
}
