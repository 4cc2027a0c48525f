/*
 * The body of a chat's run while it is worked on. A turn that changed it, by whichever tool,
 * makes it a candidate for a commit: who watches the run is told, once a turn, and may show
 * it. It publishes nothing, asks nobody, and ends with the first commit of the model's own.
 */
#include "runtime/turn_calls.h"
#include "runtime/workspaces.h"

/* Those whose failure says that the model is not done with what it changed before. */
static bool works_on_files(const struct tc_turn_call *call)
{
    static const char *const ids[] = {"builtin:workspace.shell", "builtin:workspace.write_file",
                                      "builtin:workspace.apply_patch"};

    for (size_t i = 0; call->tool && i < sizeof ids / sizeof *ids; i++)
        if (tc_str_is(call->tool->tool->id, ids[i]))
            return true;
    return false;
}

/* The last call of the turn that left the body changed; NULL: none, or one behind it failed. */
static const struct tc_turn_call *find_change(const struct tc_turn_call *calls, size_t n)
{
    const struct tc_turn_call *found = NULL;

    for (size_t i = 0; i < n; i++) {
        if (!calls[i].settled)
            continue;
        if (calls[i].result.is_error && works_on_files(&calls[i]))
            found = NULL;
        else if (calls[i].result.body_changed)
            found = &calls[i];
    }
    return found;
}

/* The body as a commit would find it; *ret_fit false: that would not take it. */
static enum tc_err read_body(struct tc_cx *cx, struct tc_run *run, struct tc_workspace_file *file, bool *ret_fit)
{
    struct tc_workspace_service *service;
    enum tc_err e = tc_workspaces_open(cx, run->runtime->workspaces, &run->invocation, run->view->agent, &service);

    if (!e)
        e = tc_workspace_read(cx, service, TC_STR(TC_RUN_BODY), TC_WORKSPACE_FILE_MAX, file);
    *ret_fit = !e && file->text && file->bytes.n;
    if (e == TC_E_NO_MEMORY)
        return e;
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err tell(struct tc_cx *cx, struct tc_run *run, const struct tc_turn_call *call,
                        const struct tc_workspace_file *file)
{
    struct tc_run_draft draft;

    memcpy(run->candidate, file->sha256, sizeof run->candidate);
    tc_run_draft_begin(&draft);
    tc_jsonw_kint(&draft.w, "turn", run->row.steps);
    tc_jsonw_kstr(&draft.w, "callId", call->id);
    tc_jsonw_kcstr(&draft.w, "path", TC_RUN_BODY);
    tc_jsonw_kcstr(&draft.w, "sha256", file->sha256);
    tc_jsonw_kint(&draft.w, "chars", file->chars);
    return tc_run_draft_end(cx, &run->journal, "commit_candidate", &draft);
}

enum tc_err tc_turn_candidate(struct tc_cx *cx, struct tc_run *run, const struct tc_turn_call *calls, size_t n)
{
    const struct tc_turn_call *call = (run->stage & TC_SCENE_CHAT) && !run->committed ? find_change(calls, n) : NULL;
    struct tc_workspace_file file;
    bool fit;
    enum tc_err e = call ? read_body(cx, run, &file, &fit) : TC_OK;

    if (e || !call || !fit || strcmp(file.sha256, run->candidate) == 0)
        return e;
    return tell(cx, run, call, &file);
}
