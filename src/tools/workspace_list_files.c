/*
 * workspace.list_files: what stands below a folder, one path a line.
 */
#include "toolcrib/jsonw.h"
#include "tools/workspace_tool.h"

enum { DEPTH_DEFAULT = 2, DEPTH_MAX = 4, ENTRIES_MAX = 200, BUF_MAX = 4 * 1024 * 1024 };

struct list {
    struct tc_str path;
    struct tc_workspace_entry *entries;
    size_t n;
    bool more;
};

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, const struct list *list)
{
    struct tc_buf buf;

    tc_buf_init(&buf, BUF_MAX);
    for (size_t i = 0; i < list->n; i++)
        tc_buf_printf(&buf, "%s%.*s%s", i ? "\n" : "", TC_STR_ARG(list->entries[i].path),
                      list->entries[i].directory ? "/" : "");
    if (list->n == 0 && list->path.n == 0)
        tc_buf_cstr(&buf, "The workspace is empty.");
    else if (list->n == 0)
        tc_buf_printf(&buf, "%.*s/ is empty.", TC_STR_ARG(list->path));
    if (list->more)
        tc_buf_printf(&buf, "\n[Only %zu entries are shown, there are more. List a folder of them for the rest.]",
                      list->n);
    return tc_workspace_tool_text(cx, call, &buf);
}

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, const struct list *list)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, BUF_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "entries");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < list->n; i++) {
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "path", list->entries[i].path);
        tc_jsonw_kcstr(&w, "kind", list->entries[i].directory ? "directory" : "file");
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_kbool(&w, "truncated", list->more);
    tc_jsonw_end(&w);
    return tc_workspace_tool_structured(cx, call, &buf);
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_workspace_service *ws;
    struct list list = {0};
    int64_t depth = DEPTH_DEFAULT;
    enum tc_err err = tc_workspace_tool_open(cx, call, &ws);

    if (!err)
        err = tc_workspace_tool_path(cx, call, &list.path);
    if (err)
        return err;
    tc_json_int(tc_json_get_c(tc_call_arguments(call), "depth"), &depth);
    if (depth > DEPTH_MAX)
        return tc_fail(cx, TC_E_WS_DEPTH, "depth is at most %d.", DEPTH_MAX);
    err = tc_workspace_list(cx, ws, list.path, (int)depth, ENTRIES_MAX, &list.entries, &list.n, &list.more);
    for (size_t i = 0; i < list.n && !err; i++)
        err = tc_call_resource(cx, call, list.entries[i].path);
    if (!err)
        err = put_text(cx, call, &list);
    return err ? err : put_structured(cx, call, &list);
}

const struct tc_tool tc_tool_workspace_list_files = {
    .name = "workspace.list_files",
    .toolset = "base",
    .title = "List files",
    .description = "Lists the files and folders of the workspace, one path a line; folders end with a slash. "
                   "At most 200 entries are shown.",
    .search_hint = "directory folder tree ls",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
        "\"path\":{\"type\":[\"string\",\"null\"],\"description\":\"Folder to list, relative to the workspace. "
        "Leave it out for the whole workspace.\"},"
        "\"depth\":{\"type\":\"integer\",\"minimum\":1,\"default\":2,\"description\":\"How many levels to show, "
        "at most 4.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"entries\",\"truncated\"],\"properties\":{"
        "\"entries\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"path\",\"kind\"],"
        "\"properties\":{\"path\":{\"type\":\"string\"},\"kind\":{\"enum\":[\"file\",\"directory\"]}}}},"
        "\"truncated\":{\"type\":\"boolean\"}}}",
    .example = "{\"path\":\"notes\",\"depth\":1}",
    .flags = TC_TOOL_READ_ONLY | TC_TOOL_IDEMPOTENT | TC_TOOL_CORE | TC_TOOL_SELF_BOUNDED | TC_TOOL_CONCURRENT,
    .run = run};
