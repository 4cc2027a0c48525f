/*
 * task.return: ends a task that another agent gave, with what it has come to.
 */
#include "toolcrib/run.h"
#include "toolcrib/tool.h"
#include "toolcrib/workspace.h"

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* Each path must be one that the agent may see. */
static enum tc_err check_artifacts(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(tc_call_arguments(call), "artifacts"));
    struct tc_workspace_service *ws = tc_call_workspace(call);
    const struct tc_json *artifact;
    enum tc_err err = TC_OK;

    while (!err && tc_json_next(&it, NULL, &artifact)) {
        struct tc_workspace_entry *entries;
        struct tc_str path;
        size_t n;
        bool more;
        err = tc_workspace_path(cx, member(artifact, "path"), &path);
        if (!err && ws)
            err = tc_workspace_list(cx, ws, path, 1, 1, &entries, &n, &more);
        if (!err)
            err = tc_call_resource(cx, call, path);
    }
    return err;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    const struct tc_json *arguments = tc_call_arguments(call);
    struct tc_run_service *service = tc_call_run(call);
    struct tc_str json;
    enum tc_err err;

    if (!service || !tc_run_is_task(service)) {
        tc_fail(cx, TC_E_AGENT_TASK_RETURN_DENIED, "This is no task of another agent: there is nothing to return.");
        return tc_fail_hint(cx, "Answer with text.");
    }
    if (tc_str_trim(member(arguments, "summary")).n == 0)
        return tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "summary must say what the task has come to.");
    err = check_artifacts(cx, call);
    if (err)
        return err;
    json = tc_json_text(cx->arena, arguments);
    if (!json.p)
        return tc_fail_memory(cx);
    err = tc_call_structured(cx, call, json);
    if (err)
        return err;
    tc_call_effect(call, TC_EFFECT_TASK_RETURNED, TC_STR(""));
    return tc_call_text(cx, call, TC_STR("The task is returned."));
}

#define STRINGS(what)                                                                                                  \
    "{\"type\":\"array\",\"maxItems\":100,\"items\":{\"type\":\"string\"},\"description\":\"" what "\"}"

const struct tc_tool tc_tool_task_return = {
    .name = "task.return",
    .toolset = "runtime",
    .title = "Return",
    .description = "Ends this task and hands over what it has come to. It must be the last call.",
    .search_hint = "end task result report",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"summary\"],\"properties\":{"
        "\"summary\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":32000,\"description\":\"What was done and "
        "found, so that it can be used without anything else.\"},"
        "\"status\":{\"type\":\"string\",\"enum\":[\"completed\",\"failed\"],\"default\":\"completed\","
        "\"description\":\"failed when the task could not be done.\"},"
        "\"confidence\":{\"type\":\"string\",\"enum\":[\"low\",\"medium\",\"high\"],\"description\":\"How sure it "
        "is.\"},"
        "\"artifacts\":{\"type\":\"array\",\"maxItems\":100,\"description\":\"Files that belong to it.\",\"items\":{"
        "\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"path\"],\"properties\":{"
        "\"path\":{\"type\":\"string\",\"description\":\"In the workspace.\"},"
        "\"kind\":{\"type\":\"string\",\"description\":\"Such as text or image.\"},"
        "\"role\":{\"type\":\"string\",\"description\":\"What it is for.\"}}}},"
        "\"findings\":" STRINGS("Facts that were found.") ","
        "\"warnings\":" STRINGS("What to be careful about.") ","
        "\"suggestedNextActions\":" STRINGS("What could be done next.") ","
        "\"questionsForCaller\":" STRINGS("What is open.") "}}",
    .output_schema = "{\"type\":\"object\",\"required\":[\"summary\"],\"properties\":{"
                     "\"summary\":{\"type\":\"string\"}}}",
    .example = "{\"summary\":\"The file has 12 entries, two of them empty.\"}",
    .flags = TC_TOOL_CONTROL | TC_TOOL_CANNOT_DISABLE | TC_TOOL_ALWAYS_LOAD,
    .scenes = TC_SCENE_CHILD | TC_SCENE_RUN,
    .run = run};
