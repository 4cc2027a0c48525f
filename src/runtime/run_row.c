/*
 * The row of a run, and from it what the run was asked, from which it can be put
 * together again.
 */
#include "runtime/run_row.h"

#include "base/rand.h"

static struct tc_str keep(struct tc_run *run, struct tc_str s)
{
    return tc_arena_dup(&run->arena, s);
}

enum tc_err tc_run_row_get(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id, struct tc_run_row *ret_row)
{
    enum tc_err e = runtime->store->runs->get(cx, runtime->store, id, ret_row);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_RUN_NOT_FOUND, "There is no run \"%.*s\".", TC_STR_ARG(id));
    return e;
}

/* --- what it was asked --- */

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
    if (r->parts)
        tc_jsonw_kvalue(&draft.w, "parts", r->parts);
    tc_jsonw_kopt(&draft.w, "instructions", r->instructions);
    tc_jsonw_kopt(&draft.w, "workspaceDir", r->workspace_dir);
    tc_jsonw_kopt(&draft.w, "channel", r->channel);
    tc_jsonw_kopt(&draft.w, "model", r->model);
    tc_jsonw_kcstr(&draft.w, "role", tc_role_name(r->principal.role));
    if (r->principal.expires_at)
        tc_jsonw_kint(&draft.w, "expiresAt", r->principal.expires_at);
    tc_jsonw_kbool(&draft.w, "answers", r->answers);
    tc_jsonw_kbool(&draft.w, "attended", r->attended);
    tc_jsonw_kbool(&draft.w, "confirms", r->confirms);
    tc_jsonw_end(&draft.w);
    run->row.input = tc_buf_dup(&draft.buf, &run->arena);
    tc_buf_finish(&draft.buf);
    return run->row.input.p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_run_row_request(struct tc_cx *cx, const struct tc_run_row *row, struct tc_run_request *ret)
{
    struct tc_json_limits limits = {.max_bytes = 2 * (size_t)TC_RUN_INPUT_MAX};
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
        .history = tc_json_get_c(input, "history"),
        .parts = tc_json_get_c(input, "parts"),
        .instructions = tc_json_str(tc_json_get_c(input, "instructions")),
        .workspace_dir = tc_json_str(tc_json_get_c(input, "workspaceDir")),
        .channel = tc_json_str(tc_json_get_c(input, "channel")),
        .model = tc_json_str(tc_json_get_c(input, "model")),
        .answers = tc_json_bool(tc_json_get_c(input, "answers"), false),
        .attended = tc_json_bool(tc_json_get_c(input, "attended"), false),
        .confirms = tc_json_bool(tc_json_get_c(input, "confirms"), false),
    };
    tc_role_of(tc_json_str(tc_json_get_c(input, "role")), &ret->principal.role);
    tc_json_int(tc_json_get_c(input, "expiresAt"), &ret->principal.expires_at);
    if (ret->principal.role == TC_ROLE_AGENT)
        ret->principal.agent = row->agent;
    tc_stage_of(row->stage, &ret->stage);
    return TC_OK;
}

struct tc_str tc_run_row_workspace(struct tc_arena *arena, const struct tc_run_row *row,
                                   const struct tc_run_request *request)
{
    bool session = request->session.n || request->tape.n;

    return tc_arena_printf(arena, session ? "session/%.*s" : "run/%.*s", TC_STR_ARG(session ? row->tape : row->id));
}

/* --- its columns --- */

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

enum tc_err tc_run_row_new(struct tc_cx *cx, struct tc_run *run, struct tc_str tape)
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
        .frame = TC_STR(""),
        .created_at = run->started_at,
    };
    fill_row(run);
    return run->row.id.p && run->row.tape.p ? input_text(cx, run) : tc_fail_memory(cx);
}

enum tc_err tc_run_row_copy(struct tc_cx *cx, struct tc_run *run, const struct tc_run_row *row)
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
    run->row.frame = keep(run, row->frame);
    fill_row(run);
    if (!run->row.id.p || !run->row.tape.p || !run->row.surface.p || !run->row.input.p || !run->row.usage.p ||
        !run->row.frame.p)
        return tc_fail_memory(cx);
    return TC_OK;
}
