/*
 * workspace.search_files: lines of text files that match a regular expression,
 * grouped by file.
 */
#include "toolcrib/jsonw.h"
#include "tools/workspace_tool.h"

enum { FILES_MAX = 1000, DEPTH_MAX = 8, LINES_MAX = 100, CHARS_MAX = 300, BUF_MAX = 4 * 1024 * 1024 };

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_notes(struct tc_buf *buf, const struct tc_workspace_found *found)
{
    if ((int64_t)found->n < found->lines)
        tc_buf_printf(buf, "\n[The first %zu of %lld matching lines are shown. Narrow the pattern or the path.]",
                      found->n, (long long)found->lines);
    if (found->binary)
        tc_buf_printf(buf, "\n[Not searched: %lld file%s that %s not text.]", (long long)found->binary,
                      plural(found->binary), found->binary == 1 ? "is" : "are");
    if (found->large)
        tc_buf_printf(buf, "\n[Not searched: %lld file%s over 16 MiB.]", (long long)found->large, plural(found->large));
    if (found->more)
        tc_buf_printf(buf, "\n[The search stopped early, after %lld files or %d levels of folders. Search a folder "
                           "for the rest.]",
                      (long long)(found->searched + found->binary + found->large), DEPTH_MAX);
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, const struct tc_workspace_found *found)
{
    struct tc_str path = TC_STR("");
    struct tc_buf buf;

    tc_buf_init(&buf, BUF_MAX);
    if (found->lines == 0)
        tc_buf_printf(&buf, "No line matches (%lld file%s searched).", (long long)found->searched,
                      plural(found->searched));
    else
        tc_buf_printf(&buf, "%lld matching line%s in %lld file%s", (long long)found->lines, plural(found->lines),
                      (long long)found->files, plural(found->files));
    for (size_t i = 0; i < found->n; i++) {
        const struct tc_workspace_match *match = &found->matches[i];
        if (i == 0 || !tc_str_eq(path, match->path))
            tc_buf_printf(&buf, "\n%.*s", TC_STR_ARG(match->path));
        path = match->path;
        tc_buf_printf(&buf, "\n  %lld: ", (long long)match->line);
        tc_buf_str(&buf, match->text);
    }
    put_notes(&buf, found);
    return tc_workspace_tool_text(cx, call, &buf);
}

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, const struct tc_workspace_found *found)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, BUF_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "matches");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < found->n; i++) {
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "path", found->matches[i].path);
        tc_jsonw_kint(&w, "line", found->matches[i].line);
        tc_jsonw_kstr(&w, "text", found->matches[i].text);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_kint(&w, "total", found->lines);
    tc_jsonw_kbool(&w, "truncated", found->more || (int64_t)found->n < found->lines);
    tc_jsonw_end(&w);
    return tc_workspace_tool_structured(cx, call, &buf);
}

static enum tc_err put_resources(struct tc_cx *cx, struct tc_call *call, const struct tc_workspace_found *found)
{
    for (size_t i = 0; i < found->n; i++) {
        const struct tc_workspace_match *match = &found->matches[i];
        struct tc_str ref = tc_arena_printf(cx->arena, "workspace:%.*s#L%lld-L%lld", TC_STR_ARG(match->path),
                                            (long long)match->line, (long long)match->line);
        enum tc_err err = ref.p ? tc_call_resource(cx, call, ref) : tc_fail_memory(cx);
        if (err)
            return err;
    }
    return TC_OK;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_workspace_query query = {
        .max_depth = DEPTH_MAX, .max_files = FILES_MAX, .max_lines = LINES_MAX, .max_chars = CHARS_MAX};
    struct tc_workspace_found found;
    struct tc_workspace_service *ws;
    enum tc_err err = tc_workspace_tool_open(cx, call, &ws);

    if (!err)
        err = tc_workspace_tool_path(cx, call, &query.path);
    if (err)
        return err;
    query.pattern = tc_json_str(tc_json_get_c(tc_call_arguments(call), "pattern"));
    if (query.pattern.n == 0)
        return tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "pattern is empty.");
    err = tc_workspace_search(cx, ws, &query, &found);
    if (!err)
        err = put_resources(cx, call, &found);
    if (!err)
        err = put_text(cx, call, &found);
    return err ? err : put_structured(cx, call, &found);
}

const struct tc_tool tc_tool_workspace_search_files = {
    .name = "workspace.search_files",
    .toolset = "base",
    .title = "Search files",
    .description = "Searches the text files of the workspace line by line for a regular expression and shows the "
                   "matching lines with path and line number. Without a path, tool-results/ and skills/ are left out. "
                   "The first 100 matching lines are shown.",
    .search_hint = "grep find text content regex",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"pattern\"],\"properties\":{"
        "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"description\":\"Regular expression, matched within one "
        "line. (?i) at its start ignores case. Backreferences are not supported.\"},"
        "\"path\":{\"type\":\"string\",\"description\":\"File or folder to search, relative to the workspace.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"matches\",\"total\",\"truncated\"],\"properties\":{"
        "\"matches\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"path\",\"line\",\"text\"],"
        "\"properties\":{\"path\":{\"type\":\"string\"},\"line\":{\"type\":\"integer\"},"
        "\"text\":{\"type\":\"string\"}}}},\"total\":{\"type\":\"integer\"},\"truncated\":{\"type\":\"boolean\"}}}",
    .renamed = "query=pattern",
    .example = "{\"pattern\":\"(?i)deadline\",\"path\":\"notes\"}",
    .flags = TC_TOOL_READ_ONLY | TC_TOOL_IDEMPOTENT | TC_TOOL_CORE | TC_TOOL_SELF_BOUNDED | TC_TOOL_CONCURRENT,
    .run = run};
