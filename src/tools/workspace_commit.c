/*
 * workspace.commit: publishes a file of the workspace, and may end the run with it.
 */
#include "toolcrib/jsonw.h"
#include "toolcrib/run.h"
#include "tools/workspace_tool.h"

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, const struct tc_run_commit *commit, bool ends)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "path", commit->path);
    tc_jsonw_kcstr(&w, "mode", commit->append ? "append" : "replace");
    tc_jsonw_kbool(&w, "finished", ends);
    tc_jsonw_end(&w);
    return tc_workspace_tool_structured(cx, call, &buf);
}

static enum tc_err read_arguments(struct tc_cx *cx, struct tc_call *call, struct tc_run_commit *commit)
{
    const struct tc_json *arguments = tc_call_arguments(call);
    struct tc_str mode = tc_json_str(tc_json_get_c(arguments, "mode"));

    if (mode.n && !tc_str_is(mode, "replace") && !tc_str_is(mode, "append"))
        return tc_fail(cx, TC_E_WS_COMMIT_MODE, "mode is \"replace\" or \"append\", not \"%.*s\".", TC_STR_ARG(mode));
    *commit = (struct tc_run_commit){
        .path = TC_STR(TC_RUN_BODY),
        .append = tc_str_is(mode, "append"),
        .reason = tc_json_str(tc_json_get_c(arguments, "reason")),
    };
    return tc_json_get_c(arguments, "file_path") ? tc_workspace_tool_file(cx, call, &commit->path) : TC_OK;
}

/* What is published stays so; only the end is refused. */
static enum tc_err not_finished(struct tc_cx *cx, const struct tc_run_commit *commit)
{
    tc_fail(cx, TC_E_AGENT_FINISH_AFTER_FAILED,
            "%.*s is published, but the work is not finished: an earlier call of this turn failed.",
            TC_STR_ARG(commit->path));
    return tc_fail_hint(cx, "Look at what failed, then finish.");
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    bool finish = tc_json_bool(tc_json_get_c(tc_call_arguments(call), "finish"), false);
    struct tc_run_service *service = tc_call_run(call);
    struct tc_workspace_file file;
    struct tc_run_commit commit;
    enum tc_err err;

    if (!service)
        return tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "There is no run here to publish for.");
    err = read_arguments(cx, call, &commit);
    if (!err)
        err = tc_workspace_tool_read(cx, call, commit.path, &file);
    if (!err)
        err = tc_run_commit(cx, service, &commit);
    if (!err && finish && tc_run_has_failed_call(service))
        err = not_finished(cx, &commit);
    if (!err)
        err = put_structured(cx, call, &commit, finish);
    if (!err)
        err = tc_call_resource(cx, call, commit.path);
    if (err)
        return err;
    tc_call_effect(call, finish ? TC_EFFECT_RUN_FINISHED : TC_EFFECT_COMMITTED, commit.path);
    return tc_call_printf(cx, call, "Published %.*s (%s).%s", TC_STR_ARG(commit.path),
                          commit.append ? "added to what was there" : "replacing what was there",
                          finish ? " The work is finished." : "");
}

const struct tc_tool tc_tool_workspace_commit = {
    .name = "workspace.commit",
    .toolset = "interaction",
    .title = "Publish",
    .description = "Publishes a text file of the workspace as the answer. Without a path it is " TC_RUN_BODY ". It can "
                   "be called again; with finish it also ends the work and must be the last call.",
    .search_hint = "commit publish save answer output",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
        "\"file_path\":{\"type\":\"string\",\"default\":\"" TC_RUN_BODY "\",\"description\":"
        "\"File to publish, relative to the workspace.\"},"
        "\"mode\":{\"type\":\"string\",\"enum\":[\"replace\",\"append\"],\"default\":\"replace\",\"description\":"
        "\"replace puts it in place of what was published; append adds to that.\"},"
        "\"reason\":{\"type\":\"string\",\"maxLength\":2000,\"description\":\"What is new, in a few words.\"},"
        "\"finish\":{\"type\":\"boolean\",\"default\":false,\"description\":\"End the work with this.\"}}}",
    .output_schema = "{\"type\":\"object\",\"required\":[\"path\",\"mode\",\"finished\"],\"properties\":{"
                     "\"path\":{\"type\":\"string\"},\"mode\":{\"enum\":[\"replace\",\"append\"]},"
                     "\"finished\":{\"type\":\"boolean\"}}}",
    .renamed = "path=file_path",
    .example = "{\"file_path\":\"" TC_RUN_BODY "\"}",
    .flags = TC_TOOL_CONTROL,
    .scenes = TC_SCENE_CHAT | TC_SCENE_RUN,
    .run = run};
