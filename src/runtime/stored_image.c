/*
 * The call's workspace is found as it was at the call: from its run, or from who called
 * as which agent. What has come to stand in the file since is no image of the call.
 */
#include "runtime/stored_image.h"

#include "runtime/image.h"
#include "runtime/run_row.h"
#include "runtime/workspaces.h"

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

static enum tc_err fail_gone(struct tc_cx *cx, int64_t number)
{
    return tc_fail(cx, TC_E_RESULT_NOT_FOUND, "Image %lld of this call is not in its workspace any more.",
                   (long long)number);
}

/* *ret_block: what the digest has of it, with a path. */
static enum tc_err find_block(struct tc_cx *cx, const struct tc_json *result, int64_t number,
                              const struct tc_json **ret_block)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(result, "content"));
    const struct tc_json *block;
    struct tc_str why;
    int64_t at = 0;

    while (tc_json_next(&it, NULL, &block))
        if (tc_str_is(member(block, "type"), "image") && ++at == number)
            break;
    if (at < number || number < 1)
        return tc_fail(cx, TC_E_RESULT_NOT_FOUND, "The result of this call has %lld images; there is no image %lld.",
                       (long long)at, (long long)number);
    why = member(block, "leftOut");
    if (why.n)
        return tc_fail(cx, TC_E_RESULT_NOT_FOUND, "Image %lld of this call was not kept: %.*s.", (long long)number,
                       TC_STR_ARG(why));
    *ret_block = block;
    return TC_OK;
}

/* What of it decides on the workspace. */
static enum tc_err find_invocation(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_audit_row *row,
                                   struct tc_invocation *ret)
{
    struct tc_run_row run;
    struct tc_run_request request;
    enum tc_err e;

    *ret = (struct tc_invocation){
        .agent = row->agent,
        .principal = {.kind = row->principal_kind, .id = row->principal_id, .agent = row->agent},
    };
    if (!row->run.n)
        return TC_OK;
    e = tc_run_row_get(cx, runtime, row->run, &run);
    if (!e)
        e = tc_run_row_request(cx, &run, &request);
    if (e)
        return e;
    ret->workspace_dir = request.workspace_dir;
    ret->workspace = tc_run_row_workspace(cx->arena, &run, &request);
    return ret->workspace.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err load(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_audit_row *row,
                        struct tc_str path, struct tc_workspace_file *ret_file)
{
    struct tc_invocation invocation;
    struct tc_agent *agent;
    enum tc_err e = find_invocation(cx, runtime, row, &invocation);

    if (!e)
        e = tc_agents_get_former(cx, runtime->agents, row->agent, &agent);
    if (e)
        return e;
    e = tc_workspaces_load(cx, runtime->workspaces, &invocation, agent, path, TC_IMAGE_BYTES_MAX, ret_file);
    tc_agent_unref(agent);
    return e;
}

/* Run, workspace or file. */
static bool is_gone(enum tc_err e)
{
    return e == TC_E_RUN_NOT_FOUND || tc_str_starts(tc_str_of(tc_err_info(e)->name), TC_STR("workspace."));
}

enum tc_err tc_stored_image_load(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_audit_row *row,
                                 const struct tc_json *result, int64_t number, struct tc_stored_image *ret_image)
{
    const struct tc_json *block;
    struct tc_image_info info;
    struct tc_workspace_file file;
    enum tc_err e = find_block(cx, result, number, &block);

    if (e)
        return e;
    e = load(cx, runtime, row, member(block, "path"), &file);
    if (e)
        return is_gone(e) ? fail_gone(cx, number) : e;
    if (!tc_str_is(member(block, "sha256"), file.sha256) || !tc_image_look(file.bytes, &info))
        return fail_gone(cx, number);
    *ret_image = (struct tc_stored_image){info.mime, file.bytes};
    return TC_OK;
}
