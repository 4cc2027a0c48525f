/*
 * A run in memory: its request in copies, its model, the pinned view and what of it the
 * provider is sent, its tape and prompt.
 */
#include "runtime/run_parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "runtime/prompt.h"

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
    tc_tape_finish(&run->tape);
    tc_run_journal_finish(&run->journal);
    tc_arena_finish(&run->arena);
    tc_mem_free(run);
}

/* --- its parts --- */

static enum tc_err find_model(struct tc_cx *cx, struct tc_run *run, const struct tc_agent *agent)
{
    const struct tc_channels_ask ask = {agent, run->request.channel, run->request.model};
    struct tc_cx kept = {.arena = &run->arena, .clock = cx->clock, .task = cx->task};
    enum tc_err e = tc_channels_model(&kept, run->runtime->channels, &ask, &run->model);

    if (!e)
        return TC_OK;
    cx->err = (struct tc_error){.code = e,
                                .message = tc_arena_dup(cx->arena, kept.err.message),
                                .hint = tc_arena_dup(cx->arena, kept.err.hint)};
    return e;
}

/* Agent, model, the pinned view and what the provider is sent of it. */
enum tc_err tc_run_parts_tools(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, run->runtime->agents, run->request.agent, &agent);

    if (e)
        return e;
    tc_agent_ref(agent);
    run->stage = run->request.stage ? run->request.stage : agent->stage;
    e = find_model(cx, run, agent);
    tc_agent_unref(agent);
    if (e)
        return e;
    run->key = (struct tc_view_key){
        .agent = run->request.agent,
        .answers = run->request.answers,
        .stage = run->stage,
        .model = &run->model.model,
    };
    e = tc_view_get(cx, run->runtime->views, &run->key, &run->view);
    if (!e)
        e = tc_run_offers_get(cx, offers, run->view, run->model.caps.schema, &run->offer);
    if (!e)
        tc_guards_init(&run->guards, run->model.same_call);
    return e;
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

/* By whom its calls are made, and where they work. */
enum tc_err tc_run_parts_invocation(struct tc_cx *cx, struct tc_run *run)
{
    bool session = run->request.session.n || run->request.tape.n;
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
        .workspace = tc_arena_printf(&run->arena, session ? "session/%.*s" : "run/%.*s",
                                     TC_STR_ARG(session ? run->row.tape : run->row.id)),
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
