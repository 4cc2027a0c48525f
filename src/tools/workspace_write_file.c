/*
 * workspace.write_file: a whole file, or text at its end. Replacing asks that the
 * file was read or written before by this invocation and has not changed since.
 */
#include "toolcrib/jsonw.h"
#include "tools/workspace_tool.h"

struct write {
    struct tc_str path, content;
    const char *verb, *mode;
    struct tc_workspace_written written;
};

/* Replaces what was seen, or creates; which of the two the record tells. */
static enum tc_err replace(struct tc_cx *cx, struct tc_call *call, struct tc_workspace_service *ws, struct write *write)
{
    struct tc_workspace_record record;
    enum tc_err err;

    tc_workspace_record_get(ws, write->path, &record);
    write->verb = record.sha256[0] ? "Replaced" : "Created";
    if (record.sha256[0]) {
        return tc_workspace_write(cx, ws, write->path, write->content, TC_WORKSPACE_IF_SAME, record.sha256,
                                  &write->written);
    }
    err = tc_workspace_write(cx, ws, write->path, write->content, TC_WORKSPACE_IF_ABSENT, NULL, &write->written);
    if (err != TC_E_WS_WRITE_STALE)
        return err;
    tc_fail(cx, TC_E_WS_WRITE_REQUIRES_READ, "\"%.*s\" exists and was not read before.", TC_STR_ARG(write->path));
    return tc_workspace_tool_hint_read(cx, call);
}

static enum tc_err put_result(struct tc_cx *cx, struct tc_call *call, const struct write *write)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str size = tc_workspace_tool_size(cx, &write->written);
    enum tc_err err =
        tc_call_printf(cx, call, "%s %.*s: %.*s.", write->verb, TC_STR_ARG(write->path), TC_STR_ARG(size));

    if (err)
        return err;
    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "path", write->path);
    tc_jsonw_kcstr(&w, "mode", write->mode);
    tc_jsonw_kint(&w, "chars", write->written.chars);
    tc_jsonw_kint(&w, "words", write->written.words);
    tc_jsonw_kcstr(&w, "sha256", write->written.sha256);
    tc_jsonw_end(&w);
    err = tc_workspace_tool_structured(cx, call, &buf);
    if (!err)
        err = tc_call_resource(cx, call, write->path);
    return err;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_str mode = tc_json_str(tc_json_get_c(tc_call_arguments(call), "mode"));
    struct tc_workspace_service *ws;
    struct write write = {.mode = "replace"};
    enum tc_err err = tc_workspace_tool_open(cx, call, &ws);

    if (!err)
        err = tc_workspace_tool_file(cx, call, &write.path);
    if (err)
        return err;
    if (mode.n && !tc_str_is(mode, "replace") && !tc_str_is(mode, "append"))
        return tc_fail(cx, TC_E_WS_WRITE_MODE, "mode is \"replace\" or \"append\", not \"%.*s\".", TC_STR_ARG(mode));
    write.content = tc_json_str(tc_json_get_c(tc_call_arguments(call), "content"));
    if (tc_str_is(mode, "append")) {
        write.mode = "append";
        write.verb = "Appended to";
        err = tc_workspace_append(cx, ws, write.path, write.content, &write.written);
    } else {
        err = replace(cx, call, ws, &write);
    }
    if (err)
        return err;
    err = tc_call_changed(cx, call, TC_EFFECT_FILE_WRITTEN,
                          &(struct tc_file_change){write.path, tc_str_of(write.written.sha256), false});
    return err ? err : put_result(cx, call, &write);
}

const struct tc_tool tc_tool_workspace_write_file = {
    .name = "workspace.write_file",
    .toolset = "base",
    .title = "Write file",
    .description = "Writes a text file of the workspace, making missing folders. Replacing an existing file needs that "
                   "it was read or written before and has not changed since.",
    .search_hint = "create save store append text",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"file_path\",\"content\"],\"properties\":{"
        "\"file_path\":{\"type\":\"string\",\"description\":\"File to write, relative to the workspace.\"},"
        "\"content\":{\"type\":\"string\",\"description\":\"The text, written exactly as given.\"},"
        "\"mode\":{\"type\":\"string\",\"enum\":[\"replace\",\"append\"],\"default\":\"replace\",\"description\":"
        "\"replace sets the whole content; append adds to the end, without a line break of its own.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"path\",\"mode\",\"chars\",\"words\",\"sha256\"],\"properties\":{"
        "\"path\":{\"type\":\"string\"},\"mode\":{\"enum\":[\"replace\",\"append\"]},\"chars\":{\"type\":\"integer\"},"
        "\"words\":{\"type\":\"integer\"},\"sha256\":{\"type\":\"string\"}}}",
    .prompt_hint = "Use {{tool:builtin:workspace.write_file}} for new files and for content that changes as a whole. "
                   "For a change of some lines use {{tool:builtin:workspace.apply_patch}}.",
    .renamed = "path=file_path",
    .example = "{\"file_path\":\"notes/today.md\",\"content\":\"# Today\\n\"}",
    .flags = TC_TOOL_DESTRUCTIVE | TC_TOOL_PROMPT_HINT,
    .run = run};
