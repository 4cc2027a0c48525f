/*
 * Who waits, who answers, who watches. A question leaves the table of those that wait
 * when its call goes on; the row in the store is what lasts.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runtime/approvals_impl.h"
#include "toolcrib/jsonw.h"

enum { CHANGES = 256 /* kept for those who watch */ };

struct tc_approvals {
    struct tc_runtime *runtime;
    struct tc_map waiting; /* id → struct tc_approvals_waiting */
    struct tc_map granted; /* "run\nToolId\ndefinition" → the id of the question, as text */
    struct tc_approvals_counts counts;
    char last_id[TC_RAND_ID_SIZE];
    char changes[CHANGES][TC_RAND_ID_SIZE];
    uint64_t changed; /* how many there have been */
    struct tc_event change;
};

enum tc_err tc_approvals_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_approvals **ret_approvals)
{
    struct tc_approvals *approvals = tc_mem_zalloc(1, sizeof *approvals);

    if (!approvals)
        return tc_fail_memory(cx);
    approvals->runtime = runtime;
    *ret_approvals = approvals;
    return TC_OK;
}

void tc_approvals_destroy(struct tc_approvals *approvals)
{
    struct tc_str key;
    void *value;

    if (!approvals)
        return;
    for (size_t at = 0; tc_map_next(&approvals->granted, &at, &key, &value);)
        tc_mem_free(value);
    tc_map_finish(&approvals->granted);
    tc_map_finish(&approvals->waiting);
    tc_mem_free(approvals);
}

/* --- watching --- */

static void tell(struct tc_approvals *approvals, struct tc_str id)
{
    char *slot = approvals->changes[approvals->changed++ % CHANGES];

    memset(slot, 0, TC_RAND_ID_SIZE);
    if (id.n < TC_RAND_ID_SIZE)
        memcpy(slot, id.p, id.n);
    tc_event_set(&approvals->change); /* wakes who watches now; who looks later compares numbers */
    tc_event_clear(&approvals->change);
    tc_pulse_beat(&approvals->runtime->pulse, TC_PULSE_APPROVALS);
}

uint64_t tc_approvals_now(const struct tc_approvals *approvals)
{
    return approvals->changed;
}

enum tc_err tc_approvals_next(struct tc_cx *cx, struct tc_approvals *approvals, uint64_t *at, int64_t timeout_ms,
                              struct tc_str *ret_id)
{
    enum tc_err e = TC_OK;

    if (*at == approvals->changed)
        e = tc_task_wait(cx, &approvals->change, timeout_ms);
    if (e)
        return e;
    if (approvals->changed - *at > CHANGES) {
        *at = approvals->changed;
        *ret_id = TC_STR("");
        return TC_OK;
    }
    *ret_id = tc_arena_dup(cx->arena, tc_str_of(approvals->changes[*at % CHANGES]));
    ++*at;
    return ret_id->p ? TC_OK : tc_fail_memory(cx);
}

struct tc_approvals_counts tc_approvals_counts(const struct tc_approvals *approvals)
{
    struct tc_approvals_counts counts = approvals->counts;
    struct tc_str id;
    void *value;

    counts.waiting = approvals->waiting.n;
    for (size_t at = 0; tc_map_next(&approvals->waiting, &at, &id, &value);) {
        int64_t asked = ((const struct tc_approvals_waiting *)value)->row.at;
        if (!counts.oldest || asked < counts.oldest)
            counts.oldest = asked;
    }
    return counts;
}

static void count(struct tc_approvals *approvals, struct tc_str state)
{
    if (tc_str_is(state, "approved"))
        approvals->counts.approved++;
    else if (tc_str_is(state, "denied"))
        approvals->counts.denied++;
    else if (tc_str_is(state, "expired"))
        approvals->counts.expired++;
    else
        approvals->counts.withdrawn++;
}

/* --- what holds for a run --- */

static struct tc_str grant_key(struct tc_cx *cx, struct tc_str run, const struct tc_descriptor *tool)
{
    return tc_arena_printf(cx->arena, "%.*s\n%.*s\n%s", TC_STR_ARG(run), TC_STR_ARG(tool->id), tool->definition);
}

static enum tc_err grant(struct tc_cx *cx, struct tc_approvals *approvals, const struct tc_approval_row *row,
                         const struct tc_descriptor *tool)
{
    struct tc_str key = grant_key(cx, row->run, tool);
    char *id = tc_mem_zalloc(1, row->id.n + 1), *former;

    if (!key.p || !id) {
        tc_mem_free(id);
        return tc_fail_memory(cx);
    }
    memcpy(id, row->id.p, row->id.n);
    former = tc_map_get(&approvals->granted, key);
    if (!tc_map_put(&approvals->granted, key, id)) {
        tc_mem_free(id);
        return tc_fail_memory(cx);
    }
    tc_mem_free(former);
    return TC_OK;
}

void tc_approvals_end_run(struct tc_approvals *approvals, struct tc_str run)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&approvals->granted, &at, &key, &value);) {
        if (!tc_str_starts(key, run) || key.p[run.n] != '\n')
            continue;
        tc_mem_free(tc_map_remove(&approvals->granted, key));
    }
}

/* True when the tool was approved for this run before; the call's row then names that
 * question. */
static enum tc_err find_grant(struct tc_cx *cx, struct tc_approvals *approvals,
                              const struct tc_approvals_question *question, bool *ret_found)
{
    struct tc_approval_row row = {.state = TC_STR("approved"), .choice = TC_STR("run")};
    struct tc_str key;
    const char *id;

    *ret_found = false;
    if (question->invocation->run.n == 0)
        return TC_OK;
    key = grant_key(cx, question->invocation->run, question->tool);
    if (!key.p)
        return tc_fail_memory(cx);
    id = tc_map_get(&approvals->granted, key);
    if (!id)
        return TC_OK;
    *ret_found = true;
    row.id = tc_str_of(id);
    return tc_approvals_text(cx, &row, &question->row->approval);
}

/* --- asking --- */

/* The call's row as an intent, with the approval as it stands. */
static enum tc_err record(struct tc_cx *cx, const struct tc_approvals_waiting *w, const struct tc_approval_row *row)
{
    const struct tc_approvals_question *q = w->question;
    struct tc_store *store = w->owner->runtime->store;
    struct tc_audit_row call;
    enum tc_err e = tc_approvals_text(cx, row, &q->row->approval);

    if (e)
        return e;
    call = *q->row;
    call.state = TC_STR("intent");
    if (*q->recorded)
        e = store->audit->finish(cx, store, &call, NULL);
    else
        e = store->audit->add(cx, store, &call);
    *q->recorded |= !e;
    if (!e)
        tc_pulse_beat(&w->owner->runtime->pulse, TC_PULSE_CALLS);
    return e;
}

/* In the table before it is in the store: who finds it there finds it here. */
static enum tc_err put_question(struct tc_cx *cx, struct tc_approvals_waiting *w)
{
    struct tc_approvals *approvals = w->owner;
    struct tc_store *store = approvals->runtime->store;
    enum tc_err e;

    if (approvals->waiting.n >= TC_APPROVALS_MAX) {
        tc_fail(cx, TC_E_BUSY, "%d calls wait for an approval already.", TC_APPROVALS_MAX);
        return tc_fail_hint(cx, "Wait until some of them are answered.");
    }
    tc_rand_id_after(tc_clock_wall_ms(cx->clock), approvals->last_id);
    w->row.id = tc_arena_dup(cx->arena, tc_str_of(approvals->last_id));
    if (!w->row.id.p)
        return tc_fail_memory(cx);
    e = tc_approvals_row(cx, w, approvals->runtime->redact_key);
    if (!e)
        e = record(cx, w, &w->row);
    if (!e && !tc_map_put(&approvals->waiting, w->row.id, w))
        e = tc_fail_memory(cx);
    if (e)
        return e;
    e = store->approvals->add(cx, store, &w->row);
    if (e)
        tc_map_remove(&approvals->waiting, w->row.id);
    return e;
}

/* The row as it is when all is over: settled this way unless somebody came first. */
static enum tc_err settle(struct tc_cx *cx, const struct tc_approvals_waiting *w, const char *state,
                          struct tc_approval_row *ret)
{
    struct tc_store *store = w->owner->runtime->store;
    enum tc_err e;

    *ret = w->row;
    ret->state = tc_str_of(state);
    ret->answered_at = tc_clock_wall_ms(cx->clock);
    e = store->approvals->settle(cx, store, ret);
    if (e != TC_E_STORE_CONFLICT)
        return e;
    tc_fail_clear(cx);
    return store->approvals->get(cx, store, w->row.id, ret);
}

/* Whoever reads the list of questions learns of it all the same. */
static void tell_run(struct tc_cx *cx, const struct tc_approvals_waiting *w, const struct tc_approval_row *row)
{
    const struct tc_invocation *invocation = w->question->invocation;

    if (invocation->asked && invocation->asked(cx, invocation->asked_arg, row))
        tc_fail_clear(cx);
}

/* Waits, and has the question settled whatever happens. What ended the task is
 * returned; else *ret is the settled row. */
static enum tc_err await(struct tc_cx *cx, struct tc_approvals_waiting *w, struct tc_approval_row *ret)
{
    struct tc_error fault;
    enum tc_err e, ended;

    if (w->open & TC_AGENT_CHANNEL_ELICITATION)
        tc_approvals_elicit(cx, w);
    tell_run(cx, w, &w->row);
    tell(w->owner, w->row.id);
    e = tc_task_wait(cx, &w->settled, w->row.until - w->row.at);
    ended = e ? tc_task_check(cx) : TC_OK; /* not when only the time for an answer is over */
    fault = cx->err;
    tc_task_shield(cx);
    tc_task_group_cancel(&w->asking, TC_E_CANCELED);
    tc_task_join(cx, &w->asking);
    e = settle(cx, w, ended && ended != TC_E_SHUTDOWN ? "withdrawn" : "expired", ret);
    tc_map_remove(&w->owner->waiting, w->row.id);
    if (!e) {
        tell_run(cx, w, ret);
        count(w->owner, ret->state);
        tell(w->owner, w->row.id);
    }
    if (!e && ended)
        e = tc_approvals_text(cx, ret, &w->question->row->approval);
    tc_task_unshield(cx);
    if (ended)
        cx->err = fault;
    return ended ? ended : e;
}

static enum tc_err refuse(struct tc_cx *cx, const struct tc_approvals_waiting *w, const struct tc_approval_row *row)
{
    if (!tc_str_is(row->state, "denied")) {
        tc_fail(cx, TC_E_APPROVAL_EXPIRED,
                "This call needs an approval, and nobody answered within %lld s, which is a no; nothing ran.",
                (long long)w->agent->approval_timeout);
        return tc_fail_hint(cx, "Go on without it.");
    }
    if (row->comment.n)
        tc_fail(cx, TC_E_APPROVAL_DENIED, "This call was not approved; nothing ran. The answer was: %.*s",
                TC_STR_ARG(row->comment));
    else
        tc_fail(cx, TC_E_APPROVAL_DENIED, "This call was not approved; nothing ran.");
    return tc_fail_hint(cx, "Do not make the same call again; go on without it.");
}

static enum tc_err conclude(struct tc_cx *cx, const struct tc_approvals_waiting *w, const struct tc_approval_row *row)
{
    enum tc_err e;

    if (!tc_str_is(row->state, "approved")) {
        e = tc_approvals_text(cx, row, &w->question->row->approval);
        return e ? e : refuse(cx, w, row);
    }
    e = record(cx, w, row);
    if (!e && tc_str_is(row->choice, "run") && row->run.n)
        e = grant(cx, w->owner, row, w->question->tool);
    return e;
}

static enum tc_err ask(struct tc_cx *cx, struct tc_approvals_waiting *w)
{
    struct tc_approval_row row;
    enum tc_err e;

    if (!w->open) {
        tc_fail(cx, TC_E_APPROVAL_UNAVAILABLE,
                "This call needs an approval, and nobody can give one here; nothing ran.");
        return tc_fail_hint(cx, "Go on without it, or ask the operator to allow this tool.");
    }
    e = put_question(cx, w);
    if (e)
        return e;
    w->owner->counts.asked++;
    e = await(cx, w, &row);
    return e ? e : conclude(cx, w, &row);
}

enum tc_err tc_approvals_ask(struct tc_cx *cx, struct tc_approvals *approvals,
                             const struct tc_approvals_question *question)
{
    struct tc_approvals_waiting w = {.owner = approvals, .question = question};
    bool granted;
    enum tc_err e = find_grant(cx, approvals, question, &granted);

    if (!e && !granted)
        e = tc_agents_get(cx, approvals->runtime->agents, question->invocation->agent, &w.agent);
    if (e || granted)
        return e;
    tc_agent_ref(w.agent);
    w.open = tc_approvals_channels(w.agent, question->invocation);
    tc_task_group_init(&w.asking, approvals->runtime->loop);
    e = ask(cx, &w);
    tc_agent_unref(w.agent);
    return e;
}

enum tc_err tc_approvals_holds(struct tc_cx *cx, const struct tc_approvals *approvals, const struct tc_descriptor *tool)
{
    const struct tc_catalog *catalog = tc_registry_get(approvals->runtime->registry).catalog;
    size_t at = tc_catalog_find(catalog, tool->id);

    if (at != SIZE_MAX && strcmp(catalog->tools[at]->definition, tool->definition) == 0)
        return TC_OK;
    tc_fail(cx, TC_E_APPROVAL_STALE, "This tool has changed since its call was approved; nothing ran.");
    return tc_fail_hint(cx, "Look at its present description, and call it again if it still fits.");
}

/* --- answering --- */

static enum tc_err closed(struct tc_cx *cx, const struct tc_approval_row *row)
{
    return tc_fail(cx, TC_E_APPROVAL_CLOSED, "This question does not wait for an answer any more: it is %.*s.",
                   TC_STR_ARG(tc_str_is(row->state, "waiting") ? TC_STR("over") : row->state));
}

static enum tc_err check_channel(struct tc_cx *cx, const struct tc_approval_row *row,
                                 const struct tc_approvals_answer *answer)
{
    if (!tc_approvals_lists(row->channels, answer->channel)) {
        tc_fail(cx, TC_E_APPROVAL_CHANNEL, "The agent \"%.*s\" takes no answers to this call by the channel %.*s.",
                TC_STR_ARG(row->agent), TC_STR_ARG(answer->channel));
        return tc_fail_hint(cx, "Its approvals.channels say who may answer.");
    }
    if (!tc_str_is(answer->channel, "operator") && (!tc_str_eq(answer->principal->kind, row->principal_kind) ||
                                                    !tc_str_eq(answer->principal->id, row->principal_id)))
        return tc_fail(cx, TC_E_APPROVAL_CHANNEL, "Only who made this call can answer as its caller.");
    return TC_OK;
}

static enum tc_err check_choice(struct tc_cx *cx, const struct tc_approval_row *row,
                                const struct tc_approvals_answer *answer)
{
    bool always = tc_str_is(answer->choice, "always");

    if (!tc_approvals_lists(row->choices, answer->choice)) {
        tc_fail(cx, TC_E_APPROVAL_CHOICE, "The answer to this question is one of %.*s.", TC_STR_ARG(row->choices));
        if (always)
            tc_fail_hint(cx, "A pattern of the agent asks for this tool and others: change its tools.permissions.");
        return TC_E_APPROVAL_CHOICE;
    }
    if (always && answer->principal->role < TC_ROLE_OPERATOR)
        return tc_fail(cx, TC_E_APPROVAL_CHOICE, "Only an operator can allow this tool always.");
    return TC_OK;
}

static enum tc_err fill_answer(struct tc_cx *cx, const struct tc_approvals_answer *answer, struct tc_approval_row *row)
{
    struct tc_str comment = tc_utf8_cleaned(cx->arena, answer->comment);

    if (!comment.p)
        return tc_fail_memory(cx);
    row->state = tc_str_is(answer->choice, "no") ? TC_STR("denied") : TC_STR("approved");
    row->choice = answer->choice;
    row->comment = tc_utf8_head(tc_str_trim(comment), TC_APPROVALS_COMMENT_MAX);
    row->channel = answer->channel;
    row->by_kind = answer->principal->kind;
    row->by_id = answer->principal->id;
    row->answered_at = tc_clock_wall_ms(cx->clock);
    return TC_OK;
}

/* The row of a question that waits here. */
static enum tc_err find_question(struct tc_cx *cx, struct tc_approvals *approvals, struct tc_str id,
                                 struct tc_approval_row *ret)
{
    struct tc_store *store = approvals->runtime->store;
    enum tc_err e = store->approvals->get(cx, store, id, ret);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_APPROVAL_NOT_FOUND, "There is no question \"%.*s\".", TC_STR_ARG(id));
    if (!e && (!tc_str_is(ret->state, "waiting") || !tc_map_get(&approvals->waiting, id)))
        return closed(cx, ret);
    return e;
}

enum tc_err tc_approvals_answer(struct tc_cx *cx, struct tc_approvals *approvals,
                                const struct tc_approvals_answer *answer, struct tc_approval_row *ret_row)
{
    struct tc_store *store = approvals->runtime->store;
    struct tc_approvals_waiting *w;
    struct tc_approval_row row;
    enum tc_err e = find_question(cx, approvals, answer->id, &row);

    if (!e)
        e = check_channel(cx, &row, answer);
    if (!e)
        e = check_choice(cx, &row, answer);
    if (!e)
        e = fill_answer(cx, answer, &row);
    if (!e)
        e = store->approvals->settle(cx, store, &row);
    if (e == TC_E_STORE_CONFLICT)
        return closed(cx, &(struct tc_approval_row){.state = TC_STR("waiting")});
    if (e)
        return e;
    w = tc_map_get(&approvals->waiting, row.id); /* it may have gone on by itself */
    if (w)
        tc_event_set(&w->settled);
    *ret_row = row;
    if (!tc_str_is(answer->choice, "always"))
        return TC_OK;
    return tc_approvals_lasting(cx, approvals->runtime, row.agent, row.tool_id);
}
