/*
 * What tools may do to their run.
 */
#include "runtime/run_impl.h"

static enum tc_err commit_members(struct tc_cx *cx, const struct tc_run_commit *commit, struct tc_str *ret)
{
    struct tc_run_draft draft;
    struct tc_str json;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "path", commit->path);
    tc_jsonw_kcstr(&draft.w, "mode", commit->append ? "append" : "replace");
    tc_jsonw_kopt(&draft.w, "reason", commit->reason);
    tc_jsonw_end(&draft.w);
    json = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    *ret = json;
    return json.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err reject(struct tc_cx *cx, struct tc_run *run, struct tc_str comment, bool answered)
{
    struct tc_run_draft draft;
    enum tc_err e;

    tc_run_draft_begin(&draft);
    tc_jsonw_kopt(&draft.w, "comment", comment);
    e = tc_run_draft_end(cx, &run->journal, "commit_rejected", &draft);
    if (!e)
        e = tc_run_journal_flush(cx, &run->journal);
    if (e)
        return e;
    if (!answered)
        tc_fail(cx, TC_E_AGENT_COMMIT_REJECTED, "Nobody confirmed it in time; nothing was published.");
    else if (comment.n)
        tc_fail(cx, TC_E_AGENT_COMMIT_REJECTED, "It was not taken; nothing was published. The answer was: %.*s",
                TC_STR_ARG(comment));
    else
        tc_fail(cx, TC_E_AGENT_COMMIT_REJECTED, "It was not taken; nothing was published.");
    return tc_fail_hint(cx, "Change the file, then publish it again.");
}

/* True in *ret_taken at once where nobody confirms. */
static enum tc_err confirm(struct tc_cx *cx, struct tc_run *run, struct tc_str members)
{
    const struct tc_json *answer;
    struct tc_str inner = tc_str_n(members.p + 1, members.n - 2);
    enum tc_err e;

    if (!run->request.confirms)
        return TC_OK;
    e = tc_run_ask(cx, run, "confirmation", inner, &answer);
    if (e == TC_E_TIMEOUT && !tc_task_check(cx)) {
        tc_fail_clear(cx);
        return reject(cx, run, TC_STR(""), false);
    }
    if (e)
        return e;
    if (answer && tc_json_bool(tc_json_get_c(answer, "confirmed"), false))
        return TC_OK;
    return reject(cx, run, tc_json_str(tc_json_get_c(answer, "comment")), true);
}

enum tc_err tc_run_commit(struct tc_cx *cx, struct tc_run_service *service, const struct tc_run_commit *commit)
{
    struct tc_run *run = service->run;
    struct tc_str members;
    enum tc_err e = commit_members(cx, commit, &members);

    if (!e)
        e = tc_run_journal_add(cx, &run->journal, "commit_requested", members);
    if (!e)
        e = confirm(cx, run, members);
    if (e)
        return e;
    run->committed = true;
    return tc_run_journal_add(cx, &run->journal, "commit_confirmed", members);
}

enum tc_err tc_run_may_finish(struct tc_cx *cx, const struct tc_run_service *service)
{
    const struct tc_run *run = service->run;

    if (run->stage != TC_SCENE_CHAT_FOREGROUND || run->committed)
        return TC_OK;
    tc_fail(cx, TC_E_AGENT_COMMIT_REQUIRED, "Nothing is published yet, so the work is not done.");
    return tc_fail_hint(cx, "Publish the text first, then finish.");
}

bool tc_run_has_failed_call(const struct tc_run_service *service)
{
    return service->run->failed_call;
}

bool tc_run_is_task(const struct tc_run_service *service)
{
    return service->run->stage == TC_SCENE_CHILD;
}
