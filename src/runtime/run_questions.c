/*
 * Questions of a run: asked in its journal, answered by id from wherever.
 */
#include "base/clock.h"
#include "base/rand.h"
#include "runtime/run_impl.h"

static enum tc_err tell_asked(struct tc_cx *cx, struct tc_run *run, struct tc_str id, const char *kind,
                              struct tc_str members)
{
    struct tc_str json = tc_arena_printf(cx->arena, "{\"id\":\"%.*s\",\"kind\":\"%s\"%s%.*s}", TC_STR_ARG(id), kind,
                                         members.n ? "," : "", TC_STR_ARG(members));

    return tc_run_journal_add(cx, &run->journal, "question_asked", json);
}

enum tc_err tc_run_note_answered(struct tc_cx *cx, struct tc_run *run, struct tc_str id, const char *outcome)
{
    return tc_run_journal_note(
        cx, &run->journal, "question_answered",
        tc_arena_printf(cx->arena, "{\"id\":\"%.*s\",\"outcome\":\"%s\"}", TC_STR_ARG(id), outcome));
}

static void take_out(struct tc_run *run, const struct tc_run_question *question)
{
    for (struct tc_run_question **at = &run->questions; *at; at = &(*at)->next)
        if (*at == question) {
            *at = question->next;
            return;
        }
}

static enum tc_err take_answer(struct tc_cx *cx, struct tc_run_question *question, const struct tc_json **ret_answer)
{
    if (!tc_arena_defer(cx->arena, (void (*)(void *))tc_json_doc_unref, question->answer))
        return tc_fail_memory(cx);
    *ret_answer = tc_json_doc_root(question->answer);
    question->answer = NULL;
    if (tc_json_bool(tc_json_get_c(*ret_answer, "declined"), false))
        *ret_answer = NULL;
    return TC_OK;
}

/* The call that asked has a result then, and nothing of it is left unknown. */
static enum tc_err withdrawn(struct tc_cx *cx)
{
    tc_fail(cx, TC_E_QUESTION_WITHDRAWN, "The question was withdrawn: the run stopped before it was answered.");
    return tc_fail_hint(cx, "Nothing was done. Call again where it is still wanted.");
}

/* Whatever becomes of it, who watches hears that it is over. */
static enum tc_err await(struct tc_cx *cx, struct tc_run *run, struct tc_run_question *question,
                         const struct tc_json **ret_answer)
{
    const char *outcome = "withdrawn";
    struct tc_error fault;
    enum tc_err told, e = tc_run_waits(cx, run, true);

    if (!e)
        e = tc_task_wait(cx, &question->answered, run->view->agent->approval_timeout * 1000);
    take_out(run, question); /* an answer that comes now is too late, and is told so */
    fault = cx->err;
    if (e == TC_E_TIMEOUT && !tc_task_check(cx)) /* not when the time of the run itself is over */
        outcome = "timeout";
    cx->err = fault;
    if (!e)
        e = take_answer(cx, question, ret_answer);
    if (!e)
        outcome = *ret_answer ? "answered" : "declined";
    fault = cx->err;
    tc_task_shield(cx);
    told = tc_run_over_with(cx, run, question->id, outcome);
    tc_task_unshield(cx);
    if (e)
        cx->err = fault;
    if (e == TC_E_CANCELED || e == TC_E_SHUTDOWN)
        return withdrawn(cx);
    return e ? e : told;
}

enum tc_err tc_run_ask(struct tc_cx *cx, struct tc_run *run, const char *kind, struct tc_str members,
                       const struct tc_json **ret_answer)
{
    struct tc_run_question question = {.kind = kind, .members = members, .next = run->questions};
    char id[TC_RAND_ID_SIZE];
    enum tc_err e;

    tc_rand_id(tc_clock_wall_ms(cx->clock), id);
    question.id = tc_str_of(id);
    run->questions = &question; /* before anybody reads of it */
    e = tell_asked(cx, run, question.id, kind, members);
    if (e)
        take_out(run, &question);
    else
        e = await(cx, run, &question, ret_answer);
    tc_json_doc_unref(question.answer);
    return e;
}

enum tc_err tc_run_over_with(struct tc_cx *cx, struct tc_run *run, struct tc_str id, const char *outcome)
{
    enum tc_err told = tc_run_note_answered(cx, run, id, outcome), e = tc_run_waits(cx, run, false);

    if (!told && !e)
        e = tc_run_journal_flush(cx, &run->journal); /* others may wait still: then that has stored nothing */
    return told ? told : e;
}

enum tc_err tc_run_waits(struct tc_cx *cx, struct tc_run *run, bool waits)
{
    run->waiting += waits ? 1 : -1;
    return tc_run_set_status(cx, run, run->waiting ? "waiting" : "running");
}
