/*
 * workspace.finish: ends a run of a chat.
 */
#include "toolcrib/run.h"
#include "toolcrib/tool.h"

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_run_service *service = tc_call_run(call);
    enum tc_err err;

    if (!service)
        return tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "There is no run here to be finished.");
    err = tc_run_may_finish(cx, service);
    if (err)
        return err;
    tc_call_effect(call, TC_EFFECT_RUN_FINISHED, TC_STR(""));
    return tc_call_text(cx, call, TC_STR("The work is finished."));
}

const struct tc_tool tc_tool_workspace_finish = {
    .name = "workspace.finish",
    .toolset = "interaction",
    .title = "Finish",
    .description = "Ends the work. It must be the last call.",
    .search_hint = "end done complete stop",
    .input_schema = "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
                    "\"reason\":{\"type\":\"string\",\"maxLength\":2000,\"description\":\"Why it is done.\"}}}",
    .example = "{}",
    .flags = TC_TOOL_CONTROL,
    .scenes = TC_SCENE_CHAT | TC_SCENE_RUN,
    .run = run};
