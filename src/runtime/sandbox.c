/*
 * Opens the view, runs the script, and marks the workspace as changed where it was.
 */
#include "runtime/sandbox.h"

#include "runtime/workspace_mounts.h"

static const struct tc_sandbox_result never_ran = {
    .how = TC_SANDBOX_CANCELED,
    .known = true,
    .end = {.limit = TC_STR_INIT(""), .message = TC_STR_INIT("")},
    .out = TC_STR_INIT(""),
    .err = TC_STR_INIT(""),
};

enum tc_err tc_sandbox_shell(struct tc_cx *cx, struct tc_sandbox_service *service,
                             const struct tc_sandbox_script *script, struct tc_sandbox_result *ret_result)
{
    struct tc_sandbox_request request = {
        .script = script->text,
        .cwd = script->workdir,
        .wall_ms = script->wall_ms,
        .stream_bytes = TC_SANDBOX_SHELL_BYTES,
    };
    enum tc_err e = tc_workspace_mounts_open(cx, service->workspace, &request);

    if (!e) {
        e = service->sandbox->ops->shell(cx, service->sandbox, &request, ret_result);
        tc_workspace_mounts_close(&request);
    }
    if (e && e == tc_task_check(cx)) { /* whoever asked is gone before it ran, and that is sure */
        *ret_result = never_ran;
        tc_fail_clear(cx);
        return TC_OK;
    }
    if (!e && (!ret_result->known || ret_result->files_n || ret_result->end.more_files))
        tc_workspace_touched(service->workspace);
    return e;
}
