/*
 * Shared by the workspace tools; no tool itself.
 */
#include "tools/workspace_tool.h"

enum { READ_MAX = 32 * 1024 * 1024 };

enum tc_err tc_workspace_tool_open(struct tc_cx *cx, struct tc_call *call, struct tc_workspace_service **ret_ws)
{
    struct tc_str fault = tc_call_workspace_fault(call);

    *ret_ws = tc_call_workspace(call);
    if (*ret_ws)
        return TC_OK;
    return tc_fail(cx, TC_E_WS_UNAVAILABLE, "%.*s",
                   TC_STR_ARG(fault.n ? fault : TC_STR("There is no workspace here.")));
}

static struct tc_str argument(const struct tc_call *call, const char *name)
{
    return tc_str_trim(tc_json_str(tc_json_get_c(tc_call_arguments(call), name)));
}

enum tc_err tc_workspace_tool_file(struct tc_cx *cx, struct tc_call *call, struct tc_str *ret_path)
{
    struct tc_str path = argument(call, "file_path");
    enum tc_err err;

    if (path.n == 0)
        return tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "file_path is empty.");
    err = tc_workspace_path(cx, path, &path);
    if (!err && path.n == 0)
        err = tc_fail(cx, TC_E_WS_IS_DIRECTORY, "file_path names the workspace itself, not a file.");
    if (!err)
        *ret_path = path;
    return err;
}

enum tc_err tc_workspace_tool_path(struct tc_cx *cx, struct tc_call *call, struct tc_str *ret_path)
{
    return tc_workspace_path(cx, argument(call, "path"), ret_path);
}

enum tc_err tc_workspace_tool_read(struct tc_cx *cx, struct tc_call *call, struct tc_str path,
                                   struct tc_workspace_file *ret_file)
{
    struct tc_str list = tc_call_name_of(call, "builtin:workspace.list_files");
    enum tc_err err = tc_workspace_read(cx, tc_call_workspace(call), path, READ_MAX, ret_file);

    if (err == TC_E_WS_IS_DIRECTORY && list.n)
        return tc_fail_hint(cx, "List what it holds with %.*s.", TC_STR_ARG(list));
    if (err)
        return err;
    if (!ret_file->text)
        return tc_fail(cx, TC_E_WS_NOT_TEXT, "\"%.*s\" is not a text file (%zu bytes).", TC_STR_ARG(path),
                       ret_file->bytes.n);
    return TC_OK;
}

enum tc_err tc_workspace_tool_hint_read(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_str read = tc_call_name_of(call, "builtin:workspace.read_file");

    return read.n ? tc_fail_hint(cx, "Read it with %.*s first.", TC_STR_ARG(read))
                  : tc_fail_hint(cx, "Read it first.");
}

struct tc_str tc_workspace_tool_size(struct tc_cx *cx, const struct tc_workspace_written *written)
{
    return tc_arena_printf(cx->arena, "%lld character%s, %lld word%s", (long long)written->chars,
                           written->chars == 1 ? "" : "s", (long long)written->words, written->words == 1 ? "" : "s");
}

enum tc_err tc_workspace_tool_text(struct tc_cx *cx, struct tc_call *call, struct tc_buf *buf)
{
    enum tc_err err = buf->failed ? tc_fail_memory(cx) : tc_call_text(cx, call, tc_buf_get(buf));

    tc_buf_finish(buf);
    return err;
}

enum tc_err tc_workspace_tool_structured(struct tc_cx *cx, struct tc_call *call, struct tc_buf *buf)
{
    enum tc_err err = buf->failed ? tc_fail_memory(cx) : tc_call_structured(cx, call, tc_buf_get(buf));

    tc_buf_finish(buf);
    return err;
}
