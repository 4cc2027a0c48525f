/*
 * What a run needs is put together before its task begins, so that whoever starts it
 * hears what is missing. What it was asked is its row's input, from which it can be put
 * together again.
 */
#include "runtime/run_start.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "ports/store_audit.h"
#include "runtime/prompt.h"

enum { INPUT_MAX = 64 * 1024 * 1024 };

/* --- a run in memory --- */

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
    struct tc_json_limits limits = {.max_bytes = INPUT_MAX};

    *r = *request;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = keep(run, *texts[i]);
        if (!texts[i]->p)
            return tc_fail_memory(cx);
    }
    if (!request->history)
        return TC_OK;
    if (tc_json_parse_root(&kept, tc_json_text(&run->arena, request->history), &limits, &r->history))
        return tc_fail_memory(cx);
    return TC_OK;
}

static enum tc_err run_create(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_run_request *request,
                              struct tc_run **ret)
{
    struct tc_run *run = tc_mem_zalloc(1, sizeof *run);
    char id[TC_RAND_ID_SIZE];
    enum tc_err e;

    if (!run)
        return tc_fail_memory(cx);
    tc_arena_init(&run->arena, 2 * (size_t)INPUT_MAX);
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
static enum tc_err find_tools(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers)
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

enum tc_err tc_run_start_prompt(struct tc_cx *cx, struct tc_run *run)
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
static enum tc_err fill_invocation(struct tc_cx *cx, struct tc_run *run)
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

static enum tc_err open_tape(struct tc_cx *cx, struct tc_run *run)
{
    enum tc_err e = tc_tape_open(cx, run->runtime->store, run->row.tape, &run->tape);

    return e ? e : note_ids(cx, run);
}

/* --- the row --- */

static enum tc_err input_text(struct tc_cx *cx, struct tc_run *run)
{
    const struct tc_run_request *r = &run->request;
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "text", r->text);
    tc_jsonw_kopt(&draft.w, "session", r->session);
    tc_jsonw_kopt(&draft.w, "tape", r->tape);
    if (r->history)
        tc_jsonw_kvalue(&draft.w, "history", r->history);
    tc_jsonw_kopt(&draft.w, "instructions", r->instructions);
    tc_jsonw_kopt(&draft.w, "workspaceDir", r->workspace_dir);
    tc_jsonw_kopt(&draft.w, "channel", r->channel);
    tc_jsonw_kopt(&draft.w, "model", r->model);
    tc_jsonw_kcstr(&draft.w, "role", tc_role_name(r->principal.role));
    tc_jsonw_kbool(&draft.w, "answers", r->answers);
    tc_jsonw_kbool(&draft.w, "attended", r->attended);
    tc_jsonw_kbool(&draft.w, "confirms", r->confirms);
    tc_jsonw_end(&draft.w);
    run->row.input = tc_buf_dup(&draft.buf, &run->arena);
    tc_buf_finish(&draft.buf);
    return run->row.input.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err read_input(struct tc_cx *cx, const struct tc_run_row *row, struct tc_run_request *ret)
{
    struct tc_json_limits limits = {.max_bytes = 2 * (size_t)INPUT_MAX};
    const struct tc_json *input;
    enum tc_err e = tc_json_parse_root(cx, row->input, &limits, &input);

    if (e)
        return e;
    *ret = (struct tc_run_request){
        .agent = row->agent,
        .principal = {.kind = row->principal_kind, .id = row->principal_id, .agent = TC_STR("")},
        .text = tc_json_str(tc_json_get_c(input, "text")),
        .session = tc_json_str(tc_json_get_c(input, "session")),
        .tape = tc_json_str(tc_json_get_c(input, "tape")),
        .instructions = tc_json_str(tc_json_get_c(input, "instructions")),
        .workspace_dir = tc_json_str(tc_json_get_c(input, "workspaceDir")),
        .channel = tc_json_str(tc_json_get_c(input, "channel")),
        .model = tc_json_str(tc_json_get_c(input, "model")),
        .answers = tc_json_bool(tc_json_get_c(input, "answers"), false),
        .attended = tc_json_bool(tc_json_get_c(input, "attended"), false),
        .confirms = tc_json_bool(tc_json_get_c(input, "confirms"), false),
    };
    tc_role_of(tc_json_str(tc_json_get_c(input, "role")), &ret->principal.role);
    if (ret->principal.role == TC_ROLE_AGENT)
        ret->principal.agent = row->agent;
    tc_stage_of(row->stage, &ret->stage);
    return TC_OK;
}

/* What of the row follows from the rest. */
static void fill_row(struct tc_run *run)
{
    run->row.status = TC_STR("running");
    run->row.stage = tc_str_of(tc_stage_name(run->stage));
    run->row.channel = run->model.channel ? run->model.channel->id : TC_STR("");
    run->row.model = run->model.model.name;
    run->row.snapshot = tc_str_of(run->view->snapshot);
    run->row.error_code = run->row.error_message = TC_STR("");
    run->row.updated_at = run->started_at;
    run->row.ended_at = 0;
}

static enum tc_err new_row(struct tc_cx *cx, struct tc_run *run, struct tc_str tape)
{
    char id[TC_RAND_ID_SIZE];

    tc_rand_id(run->started_at, id);
    run->row = (struct tc_run_row){
        .id = keep(run, tc_str_of(id)),
        .agent = run->request.agent,
        .tape = keep(run, tape),
        .surface = tc_str_of(run->request.surface ? run->request.surface : "run"),
        .principal_kind = run->request.principal.kind,
        .principal_id = run->request.principal.id,
        .usage = TC_STR(""),
        .state = TC_STR(""),
        .created_at = run->started_at,
    };
    fill_row(run);
    return run->row.id.p && run->row.tape.p ? input_text(cx, run) : tc_fail_memory(cx);
}

/* --- the journal's first events --- */

static enum tc_err tell_tools(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kcstr(&draft.w, "id", run->view->snapshot);
    tc_jsonw_key(&draft.w, "tools");
    tc_jsonw_array(&draft.w);
    for (size_t i = 0; i < run->view->n; i++)
        tc_jsonw_str(&draft.w, run->view->tools[i].name);
    tc_jsonw_end(&draft.w);
    return tc_run_draft_end(cx, &run->journal, "snapshot", &draft);
}

static enum tc_err tell_start(struct tc_cx *cx, struct tc_run *run, const char *type)
{
    struct tc_store *store = run->runtime->store;
    struct tc_run_draft draft;
    enum tc_err e = store->results->put_snapshot(cx, store, tc_str_of(run->view->snapshot), run->view->snapshot_json,
                                                 run->started_at);

    if (e)
        return e;
    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "agent", run->row.agent);
    tc_jsonw_kstr(&draft.w, "tape", run->row.tape);
    tc_jsonw_kopt(&draft.w, "session", run->request.session);
    tc_jsonw_kstr(&draft.w, "stage", run->row.stage);
    tc_jsonw_kopt(&draft.w, "channel", run->row.channel);
    tc_jsonw_kstr(&draft.w, "model", run->row.model);
    e = tc_run_draft_end(cx, &run->journal, type, &draft);
    if (!e)
        e = tell_tools(cx, run);
    return e ? e : tc_run_journal_flush(cx, &run->journal);
}

static void open_journal(struct tc_run *run)
{
    run->journal = (struct tc_run_journal){
        .store = run->runtime->store,
        .run = run->row.id,
        .invocation = run->invocation.id,
        .last = run->row.events,
        .turn = run->row.steps,
        .told_turn = run->row.steps,
    };
    tc_buf_init(&run->journal.said.text, TC_RUN_JOURNAL_DELTAS);
}

/* --- a new run --- */

/* A client goes on with its own sessions only; operators with any. */
static enum tc_err find_session(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_new *session,
                                struct tc_tape_row *ret)
{
    struct tc_tape_row row;
    enum tc_err e = tc_tape_session(cx, store, session, &row);

    if (e)
        return e;
    if (session->owner.n && !tc_str_eq(row.owner, session->owner)) {
        tc_fail(cx, TC_E_TAPE_EXISTS, "A session \"%.*s\" of this agent belongs to somebody else.",
                TC_STR_ARG(session->name));
        return tc_fail_hint(cx, "Choose another name.");
    }
    *ret = row;
    return TC_OK;
}

static enum tc_err find_tape(struct tc_cx *cx, struct tc_run *run, struct tc_tape_row *ret)
{
    const struct tc_run_request *r = &run->request;
    const struct tc_tape_new new_tape = {r->agent, r->session,
                                         r->principal.role == TC_ROLE_AGENT ? r->principal.id : TC_STR("")};
    struct tc_store *store = run->runtime->store;
    enum tc_err e;

    if (r->tape.n) {
        e = tc_tape_get(cx, store, r->tape, ret);
        if (!e && !tc_str_eq(ret->agent, r->agent))
            return tc_fail(cx, TC_E_TAPE_NOT_FOUND, "The agent \"%.*s\" has no tape \"%.*s\".", TC_STR_ARG(r->agent),
                           TC_STR_ARG(r->tape));
        return e;
    }
    return r->session.n ? find_session(cx, store, &new_tape, ret) : tc_tape_create(cx, store, &new_tape, ret);
}

void tc_run_start_undo(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_store *store = run->runtime->store;
    struct tc_error fault = cx->err;

    tc_task_shield(cx);
    if (run->stored) {
        run->row.status = TC_STR("failed");
        run->row.error_code = tc_str_of(tc_err_info(fault.code)->name);
        run->row.ended_at = tc_clock_wall_ms(cx->clock);
        store->runs->update(cx, store, &run->row);
    }
    store->tapes->claim(cx, store, run->row.tape, TC_STR(""));
    tc_task_unshield(cx);
    cx->err = fault;
}

/* With the tape claimed. */
static enum tc_err put_together(struct tc_cx *cx, struct tc_run *run)
{
    enum tc_err e = fill_invocation(cx, run);

    if (!e)
        e = open_tape(cx, run);
    if (!e)
        e = tc_run_start_prompt(cx, run);
    if (!e)
        open_journal(run);
    return e;
}

static enum tc_err start(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers)
{
    struct tc_store *store = run->runtime->store;
    struct tc_tape_row tape;
    enum tc_err e = find_tools(cx, run, offers);

    if (!e)
        e = find_tape(cx, run, &tape);
    if (!e)
        e = new_row(cx, run, tape.id);
    if (!e)
        e = tc_tape_claim(cx, store, tape.id, run->row.id);
    if (e)
        return e;
    e = put_together(cx, run);
    if (!e)
        e = store->runs->create(cx, store, &run->row);
    run->stored = !e;
    if (!e)
        e = tell_start(cx, run, "run_started");
    if (e)
        tc_run_start_undo(cx, run);
    return e;
}

enum tc_err tc_run_start_new(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                             const struct tc_run_request *request, struct tc_run **ret_run)
{
    struct tc_run *run;
    enum tc_err e = run_create(cx, runtime, request, &run);

    if (e)
        return e;
    e = start(cx, run, offers);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}

/* --- one that goes on --- */

enum tc_err tc_run_start_row(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id, struct tc_run_row *ret_row)
{
    enum tc_err e = runtime->store->runs->get(cx, runtime->store, id, ret_row);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_RUN_NOT_FOUND, "There is no run \"%.*s\".", TC_STR_ARG(id));
    return e;
}

static enum tc_err check_again(struct tc_cx *cx, const struct tc_run_row *row, bool revision)
{
    if (tc_str_is(row->status, "running") || tc_str_is(row->status, "waiting"))
        return tc_fail(cx, TC_E_RUN_ACTIVE, "This run is active.");
    if (!revision && tc_str_is(row->status, "completed")) {
        tc_fail(cx, TC_E_RUN_COMPLETED, "This run has completed; there is nothing to go on with.");
        return tc_fail_hint(cx, "Start another one in its session, or ask for a revision.");
    }
    return TC_OK;
}

static enum tc_err copy_row(struct tc_cx *cx, struct tc_run *run, const struct tc_run_row *row)
{
    run->row = *row;
    run->row.id = keep(run, row->id);
    run->row.agent = run->request.agent;
    run->row.tape = keep(run, row->tape);
    run->row.surface = keep(run, row->surface);
    run->row.principal_kind = run->request.principal.kind;
    run->row.principal_id = run->request.principal.id;
    run->row.input = keep(run, row->input);
    run->row.usage = keep(run, row->usage);
    run->row.state = keep(run, row->state);
    fill_row(run);
    if (!run->row.id.p || !run->row.tape.p || !run->row.surface.p || !run->row.input.p || !run->row.usage.p ||
        !run->row.state.p)
        return tc_fail_memory(cx);
    return TC_OK;
}

/* What was used and published before counts on. */
static void take_state(struct tc_cx *cx, struct tc_run *run)
{
    const struct tc_json *usage = NULL, *state = NULL;
    int64_t *to[] = {&run->usage.input, &run->usage.output, &run->usage.cached, &run->usage.cache_written,
                     &run->usage.reasoning};
    static const char *const names[] = {"input", "output", "cached", "cacheWritten", "reasoning"};

    if (run->row.usage.n && tc_json_parse_root(cx, run->row.usage, NULL, &usage))
        tc_fail_clear(cx);
    if (run->row.state.n && tc_json_parse_root(cx, run->row.state, NULL, &state))
        tc_fail_clear(cx);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        tc_json_int(tc_json_get_c(usage, names[i]), to[i]);
    run->committed = !run->revision && tc_json_bool(tc_json_get_c(state, "committed"), false);
}

static enum tc_err go_on(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                         const struct tc_run_row *row, bool accept_unknown)
{
    struct tc_store *store = run->runtime->store;
    enum tc_err e = find_tools(cx, run, offers);

    if (!e)
        e = copy_row(cx, run, row);
    if (!e)
        e = tc_tape_claim(cx, store, run->row.tape, run->row.id);
    if (e)
        return e;
    take_state(cx, run);
    e = put_together(cx, run);
    if (!e)
        e = tc_run_settle(cx, run, accept_unknown);
    if (!e)
        e = store->runs->update(cx, store, &run->row);
    run->stored = !e;
    if (!e)
        e = tell_start(cx, run, run->revision ? "revision_started" : "run_resumed");
    if (e)
        tc_run_start_undo(cx, run);
    return e;
}

enum tc_err tc_run_start_again(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                               struct tc_str id, const struct tc_run_again *again, struct tc_run **ret_run)
{
    struct tc_run_request request;
    struct tc_run_row row;
    struct tc_run *run;
    enum tc_err e = tc_run_start_row(cx, runtime, id, &row);

    if (!e)
        e = check_again(cx, &row, again->text.p != NULL);
    if (!e)
        e = read_input(cx, &row, &request);
    if (e)
        return e;
    request.history = NULL;
    request.text = again->text.p ? again->text : TC_STR("");
    e = run_create(cx, runtime, &request, &run);
    if (e)
        return e;
    run->resumed = true;
    run->revision = again->text.p != NULL;
    e = go_on(cx, run, offers, &row, again->accept_unknown);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}

/* --- one to look at --- */

enum tc_err tc_run_start_look(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                              const struct tc_run_row *row, struct tc_run **ret_run)
{
    struct tc_run_request request;
    struct tc_run *run;
    enum tc_err e = read_input(cx, row, &request);

    if (!e)
        e = run_create(cx, runtime, &request, &run);
    if (e)
        return e;
    e = find_tools(cx, run, offers);
    if (!e)
        e = copy_row(cx, run, row);
    if (!e)
        e = fill_invocation(cx, run);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}
