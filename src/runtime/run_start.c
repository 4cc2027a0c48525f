/*
 * Runs begin here: what one needs is put together before its task begins, so that
 * whoever starts it hears what is missing.
 */
#include "runtime/run_start.h"

#include "base/clock.h"
#include "ports/store_audit.h"
#include "runtime/run_input.h"
#include "runtime/run_parts.h"
#include "runtime/run_row.h"

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
        .tape = &run->tape,
        .run = run->row.id,
        .invocation = run->invocation.id,
        .last = run->row.events,
        .turn = run->row.steps,
        .told_turn = run->row.steps,
    };
    tc_run_journal_init(&run->journal);
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
    enum tc_err e = tc_run_parts_invocation(cx, run);

    if (!e)
        e = tc_run_parts_tape(cx, run);
    if (!e)
        e = tc_run_parts_prompt(cx, run);
    if (!e)
        open_journal(run);
    return e;
}

static enum tc_err start(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                         const struct tc_run_input *input)
{
    struct tc_store *store = run->runtime->store;
    struct tc_tape_row tape;
    enum tc_err e = tc_run_parts_tools(cx, run, offers);

    if (!e)
        e = find_tape(cx, run, &tape);
    if (!e)
        e = tc_run_row_new(cx, run, tape.id);
    if (!e)
        e = tc_tape_claim(cx, store, tape.id, run->row.id);
    if (e)
        return e;
    e = put_together(cx, run);
    if (!e)
        e = tc_run_input_keep(cx, run, input);
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
    struct tc_run_input input;
    struct tc_run *run;
    enum tc_err e = tc_run_input_take(cx, request, &input);

    if (!e)
        e = tc_run_parts_create(cx, runtime, &input.request, &run);
    if (e)
        return e;
    e = start(cx, run, offers, &input);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}

/* --- one that goes on --- */

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

static enum tc_err go_on(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                         const struct tc_run_row *row, bool accept_unknown)
{
    struct tc_store *store = run->runtime->store;
    enum tc_err e = tc_run_parts_tools(cx, run, offers);

    if (!e)
        e = tc_run_row_copy(cx, run, row);
    if (!e)
        e = tc_tape_claim(cx, store, run->row.tape, run->row.id);
    if (e)
        return e;
    tc_run_row_state(cx, run);
    e = put_together(cx, run);
    if (!e)
        e = tc_run_settle(cx, run, accept_unknown);
    tc_run_journal_row(&run->journal, &run->row);
    if (!e)
        e = tell_start(cx, run, run->revision ? "revision_started" : "run_resumed");
    run->stored = !e;
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
    enum tc_err e = tc_run_row_get(cx, runtime, id, &row);

    if (!e)
        e = check_again(cx, &row, again->text.p != NULL);
    if (!e)
        e = tc_run_row_request(cx, &row, &request);
    if (e)
        return e;
    if (again->text.p) {
        request.history = request.parts = NULL;
        request.text = again->text;
    }
    e = tc_run_parts_create(cx, runtime, &request, &run);
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
    enum tc_err e = tc_run_row_request(cx, row, &request);

    if (!e)
        e = tc_run_parts_create(cx, runtime, &request, &run);
    if (e)
        return e;
    e = tc_run_parts_tools(cx, run, offers);
    if (!e)
        e = tc_run_row_copy(cx, run, row);
    if (!e)
        e = tc_run_parts_invocation(cx, run);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}
