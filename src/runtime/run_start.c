/*
 * Runs begin here: what one needs is put together before its task begins, so that
 * whoever starts it hears what is missing.
 */
#include "runtime/run_start.h"

#include "base/clock.h"
#include "runtime/run_input.h"
#include "runtime/run_parts.h"
#include "runtime/run_past.h"
#include "runtime/run_row.h"
#include "runtime/run_settle.h"

/* --- the journal's first events --- */

static enum tc_err note_tools(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kcstr(&draft.w, "id", run->view->snapshot);
    tc_jsonw_kstr(&draft.w, "frame", run->row.frame);
    tc_jsonw_key(&draft.w, "tools");
    tc_jsonw_array(&draft.w);
    for (size_t i = 0; i < run->view->n; i++)
        tc_jsonw_str(&draft.w, run->view->tools[i].name);
    tc_jsonw_end(&draft.w);
    return tc_run_draft_end(cx, &run->journal, "snapshot", &draft);
}

static enum tc_err note_start(struct tc_cx *cx, struct tc_run *run, const char *type)
{
    struct tc_run_draft draft;
    enum tc_err e;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "agent", run->row.agent);
    tc_jsonw_kstr(&draft.w, "tape", run->row.tape);
    tc_jsonw_kint(&draft.w, "entry", run->tape.last);
    tc_jsonw_kopt(&draft.w, "session", run->request.session);
    tc_jsonw_kstr(&draft.w, "stage", run->row.stage);
    tc_jsonw_kopt(&draft.w, "channel", run->row.channel);
    tc_jsonw_kstr(&draft.w, "model", run->row.model);
    if (run->revision)
        tc_jsonw_kstr(&draft.w, "text", run->request.text);
    e = tc_run_draft_end(cx, &run->journal, type, &draft);
    return e ? e : note_tools(cx, run);
}

static void open_journal(struct tc_run *run)
{
    run->journal = (struct tc_run_journal){
        .store = run->runtime->store,
        .pulse = &run->runtime->pulse,
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

/* Its row says that it runs: it has failed. */
static enum tc_err fail(struct tc_cx *cx, struct tc_run *run, const struct tc_error *fault)
{
    enum tc_err e;

    run->row.status = TC_STR("failed");
    run->row.error_code = tc_str_of(tc_err_info(fault->code)->name);
    run->row.error_message = fault->message.p ? fault->message : TC_STR("");
    run->row.ended_at = tc_clock_wall_ms(cx->clock);
    e = tc_run_note_end(cx, run);
    return e ? e : tc_run_journal_flush(cx, &run->journal);
}

void tc_run_start_undo(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_store *store = run->runtime->store;
    struct tc_error fault = cx->err;

    tc_task_shield(cx);
    if (!run->stored || fail(cx, run, &fault)) /* whose last step lets go of the tape */
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
        e = tc_run_parts_prompt(cx, run);
    if (!e)
        e = tc_run_frame_put(cx, run);
    if (!e)
        e = tc_run_input_keep(cx, run, input);
    if (!e)
        e = store->runs->create(cx, store, &run->row);
    run->stored = !e;
    if (!e)
        e = note_start(cx, run, "run_started");
    if (!e)
        e = tc_run_journal_flush(cx, &run->journal);
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

struct going_on {
    const struct tc_run_row *row;
    const struct tc_run_again *how;
    struct tc_run_past past;
    struct tc_run_frame frame;
};

/* Whether what the invocation was asked has reached the tape: a process may be gone before. */
static bool was_asked(const struct tc_run *run, const struct tc_run_past *past)
{
    for (size_t i = 0; i < run->tape.n; i++) {
        const struct tc_tape_item *item = &run->tape.items[i];
        if (item->kind == TC_TAPE_MESSAGE && item->seq > past->entry && tc_str_eq(item->run, run->row.id))
            return true;
    }
    return past->steps > past->before;
}

/* A resumption is another execution of the same invocation, a revision an invocation of
 * its own: that decides what counts on. */
static enum tc_err take_past(struct tc_cx *cx, struct tc_run *run, const struct tc_run_past *past)
{
    run->usage = past->usage;
    run->row.steps = past->steps;
    run->before = run->revision ? past->steps : past->before;
    if (run->revision)
        return TC_OK;
    run->committed = past->committed;
    run->invocation.id = tc_arena_dup(&run->arena, past->invocation);
    return run->invocation.id.p ? TC_OK : tc_fail_memory(cx);
}

static void drop_input(struct tc_run *run)
{
    run->request.text = TC_STR("");
    run->request.history = run->request.parts = NULL;
}

/* Nobody answers them any more. */
static enum tc_err close_questions(struct tc_cx *cx, struct tc_run *run, const struct tc_run_past *past)
{
    struct tc_str id;
    void *value;
    enum tc_err e = TC_OK;

    for (size_t at = 0; !e && tc_map_next(&past->questions, &at, &id, &value);)
        e = tc_run_note_answered(cx, run, id, "withdrawn");
    return e;
}

static enum tc_err prepare(struct tc_cx *cx, struct tc_run *run, struct tc_run_offers *offers,
                           const struct going_on *going)
{
    enum tc_err e = tc_run_parts_again(cx, run, offers, going->row, &going->frame);

    if (!e)
        e = tc_run_row_copy(cx, run, going->row);
    if (!e)
        e = take_past(cx, run, &going->past);
    return e ? e : tc_tape_claim(cx, run->runtime->store, run->row.tape, run->row.id);
}

/* With the tape claimed. */
static enum tc_err go_on(struct tc_cx *cx, struct tc_run *run, const struct going_on *going)
{
    const char *type = run->revision ? "revision_started" : "run_resumed";
    struct tc_run_settled settled;
    enum tc_err e = put_together(cx, run);

    if (!e)
        e = tc_run_settle_find(cx, run, going->how->accept_unknown, &settled);
    if (!e)
        e = tc_run_frame_put(cx, run);
    if (!e)
        e = note_start(cx, run, type);
    if (!e)
        e = close_questions(cx, run, &going->past);
    if (!e)
        e = tc_run_settle_put(cx, run, &settled, &going->past.calls);
    if (e)
        return e;
    tc_run_journal_row(&run->journal, &run->row);
    e = tc_run_journal_flush(cx, &run->journal);
    run->stored = !e;
    if (!e && !run->revision && was_asked(run, &going->past))
        drop_input(run);
    else
        run->revision |= going->past.text.p != NULL; /* its output so far is not kept yet */
    return e;
}

/* What there is of it, and what it is asked: for a resumption, should that have been lost. */
static enum tc_err look_back(struct tc_cx *cx, struct tc_runtime *runtime, struct going_on *going,
                             struct tc_run_request *ret_request)
{
    struct tc_str text = going->how->text;
    enum tc_err e = tc_run_row_request(cx, going->row, ret_request);

    if (!e)
        e = tc_access_require(cx, runtime->access, &ret_request->principal);
    if (!e)
        e = tc_run_frame_get(cx, runtime->store, going->row->frame, &going->frame);
    if (!e)
        e = tc_run_past_read(cx, runtime->store, going->row->id, &going->past);
    if (e)
        return e;
    if (!text.p)
        text = going->past.text;
    if (text.p) {
        ret_request->text = text;
        ret_request->history = ret_request->parts = NULL;
    }
    return TC_OK;
}

static enum tc_err again(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                         struct going_on *going, struct tc_run **ret_run)
{
    struct tc_run_request request;
    struct tc_run *run;
    enum tc_err e = look_back(cx, runtime, going, &request);

    if (!e)
        e = tc_run_parts_create(cx, runtime, &request, &run);
    if (e)
        return e;
    run->resumed = true;
    run->revision = going->how->text.p != NULL;
    e = prepare(cx, run, offers, going);
    if (!e) {
        e = go_on(cx, run, going);
        if (e)
            tc_run_start_undo(cx, run);
    }
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}

enum tc_err tc_run_start_again(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                               struct tc_str id, const struct tc_run_again *how, struct tc_run **ret_run)
{
    struct tc_run_row row;
    struct going_on going = {.row = &row, .how = how};
    enum tc_err e = tc_run_row_get(cx, runtime, id, &row);

    if (!e)
        e = check_again(cx, &row, how->text.p != NULL);
    if (!e)
        e = again(cx, runtime, offers, &going, ret_run);
    tc_run_past_finish(&going.past);
    return e;
}

/* --- one to look at --- */

enum tc_err tc_run_start_look(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                              const struct tc_run_seen *seen, struct tc_run **ret_run)
{
    struct tc_run_request request;
    struct tc_run *run;
    enum tc_err e = tc_run_row_request(cx, seen->row, &request);

    request.history = request.parts = NULL; /* are on the tape */
    if (!e)
        e = tc_run_parts_create(cx, runtime, &request, &run);
    if (e)
        return e;
    e = tc_run_parts_look(cx, run, offers, seen->frame);
    if (!e)
        e = tc_run_row_copy(cx, run, seen->row);
    if (!e)
        e = tc_run_parts_invocation(cx, run);
    if (e) {
        tc_run_unref(run);
        return e;
    }
    *ret_run = run;
    return TC_OK;
}
