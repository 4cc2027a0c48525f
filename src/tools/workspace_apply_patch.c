/*
 * workspace.apply_patch: literal replacement in one file. What is replaced must
 * have been seen: a full reading allows everything, a partial one a single
 * replacement within the lines that were shown.
 *
 * Where every line of the file ends with CR LF, bare line feeds of the arguments
 * stand for CR LF, since a model does not see the CR.
 */
#include "toolcrib/jsonw.h"
#include "tools/workspace_tool.h"

enum { RESULT_MAX = 64 * 1024 * 1024 };

struct patch {
    struct tc_str path, old, new;
    bool all;
    struct tc_workspace_file file;
    struct tc_workspace_record record;
    size_t first, count; /* offset of the first match, number of matches */
    struct tc_workspace_edit edit;
    struct tc_workspace_written written;
};

/* --- matching --- */

static bool is_crlf(struct tc_str text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '\n')
            continue;
        if (i == 0 || text.p[i - 1] != '\r')
            return false;
        lines++;
    }
    return lines > 0;
}

static int64_t count_line_feeds(struct tc_str s)
{
    int64_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n';
    return n;
}

/* Each bare LF as CR LF; p is NULL without memory. */
static struct tc_str to_crlf(struct tc_arena *arena, struct tc_str s)
{
    int64_t feeds = count_line_feeds(s);
    char *to = feeds ? tc_arena_alloc(arena, s.n + (size_t)feeds) : NULL;
    size_t n = 0;

    if (!to)
        return feeds ? tc_str_n(NULL, 0) : s;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\n' && (i == 0 || s.p[i - 1] != '\r'))
            to[n++] = '\r';
        to[n++] = s.p[i];
    }
    return tc_str_n(to, n);
}

static void count(struct patch *patch)
{
    size_t at = 0, step;

    patch->count = 0;
    while ((step = tc_str_find(tc_str_from(patch->file.bytes, at), patch->old)) != SIZE_MAX) {
        if (patch->count++ == 0)
            patch->first = at + step;
        at += step + patch->old.n;
    }
}

static enum tc_err match(struct tc_cx *cx, struct patch *patch)
{
    if (is_crlf(patch->file.bytes)) {
        patch->old = to_crlf(cx->arena, patch->old);
        patch->new = to_crlf(cx->arena, patch->new);
        if (!patch->old.p || !patch->new.p)
            return tc_fail_memory(cx);
    }
    count(patch);
    return TC_OK;
}

/* --- checking --- */

static enum tc_err check_record(struct tc_cx *cx, struct tc_call *call, const struct patch *patch)
{
    const struct tc_workspace_record *record = &patch->record;
    struct tc_str path = patch->path;

    if (!record->sha256[0])
        tc_fail(cx, TC_E_WS_PATCH_REQUIRES_READ, "\"%.*s\" was not read before.", TC_STR_ARG(path));
    else if (strcmp(record->sha256, patch->file.sha256) != 0)
        tc_fail(cx, TC_E_WS_PATCH_STALE, "\"%.*s\" has changed since it was read.", TC_STR_ARG(path));
    else if (patch->all && !record->full)
        tc_fail(cx, TC_E_WS_PATCH_REQUIRES_FULL_READ, "replace_all needs that all lines of \"%.*s\" were read.",
                TC_STR_ARG(path));
    else if (record->patch_failed && !record->full)
        tc_fail(cx, TC_E_WS_PATCH_REQUIRES_FULL_READ,
                "A patch of \"%.*s\" failed after it was read in part; all lines must be read before the next.",
                TC_STR_ARG(path));
    else
        return TC_OK;
    return tc_workspace_tool_hint_read(cx, call);
}

/* After a failure on a partial reading a full one is due. */
static enum tc_err refuse(struct tc_cx *cx, struct tc_workspace_service *ws, const struct patch *patch)
{
    tc_workspace_record_patch_failed(ws, patch->path);
    return cx->err.code;
}

static enum tc_err check_match(struct tc_cx *cx, struct tc_call *call, struct tc_workspace_service *ws,
                               struct patch *patch)
{
    struct tc_str before = tc_str_n(patch->file.bytes.p, patch->first);
    struct tc_str but_last = tc_str_n(patch->old.p, patch->old.n - 1);

    if (patch->count == 0) {
        tc_fail(cx, TC_E_WS_PATCH_NOT_FOUND, "old_string does not occur in \"%.*s\".", TC_STR_ARG(patch->path));
        tc_fail_hint(cx, "It must match exactly, white space included, without the line numbers of a reading.");
        return refuse(cx, ws, patch);
    }
    if (patch->count > 1 && !patch->all) {
        tc_fail(cx, TC_E_WS_PATCH_NOT_UNIQUE, "old_string occurs %zu times in \"%.*s\".", patch->count,
                TC_STR_ARG(patch->path));
        tc_fail_hint(cx, "Give more of the text around it, or set replace_all.");
        return refuse(cx, ws, patch);
    }
    patch->edit.sha256 = patch->file.sha256;
    patch->edit.first = 1 + count_line_feeds(before);
    patch->edit.last = patch->edit.first + count_line_feeds(but_last);
    patch->edit.delta = count_line_feeds(patch->new) - count_line_feeds(patch->old);
    if (patch->record.full || tc_workspace_record_seen(ws, patch->path, patch->edit.first, patch->edit.last))
        return TC_OK;
    tc_fail(cx, TC_E_WS_PATCH_REQUIRES_FULL_READ, "old_string stands in lines of \"%.*s\" that were not read.",
            TC_STR_ARG(patch->path));
    tc_workspace_tool_hint_read(cx, call);
    return refuse(cx, ws, patch);
}

/* --- doing --- */

static enum tc_err replace(struct tc_cx *cx, struct tc_workspace_service *ws, struct patch *patch)
{
    struct tc_str rest = patch->file.bytes;
    struct tc_buf buf;
    enum tc_err err;
    size_t at;

    tc_buf_init(&buf, RESULT_MAX);
    while ((at = tc_str_find(rest, patch->old)) != SIZE_MAX) {
        tc_buf_add(&buf, rest.p, at);
        tc_buf_str(&buf, patch->new);
        rest = tc_str_from(rest, at + patch->old.n);
    }
    tc_buf_str(&buf, rest);
    err = buf.failed ? tc_fail(cx, TC_E_WS_QUOTA, "The patched file would be larger than 64 MiB.")
                     : tc_workspace_patch(cx, ws, patch->path, tc_buf_get(&buf), &patch->edit, &patch->written);
    tc_buf_finish(&buf);
    return err;
}

static enum tc_err put_result(struct tc_cx *cx, struct tc_call *call, const struct patch *patch)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str size = tc_workspace_tool_size(cx, &patch->written);
    enum tc_err err = tc_call_printf(cx, call, "Patched %.*s: %zu replacement%s, now %.*s.", TC_STR_ARG(patch->path),
                                     patch->count, patch->count == 1 ? "" : "s", TC_STR_ARG(size));

    if (err)
        return err;
    tc_buf_init(&buf, 64 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "path", patch->path);
    tc_jsonw_kint(&w, "chars", patch->written.chars);
    tc_jsonw_kint(&w, "words", patch->written.words);
    tc_jsonw_kcstr(&w, "oldSha256", patch->file.sha256);
    tc_jsonw_kcstr(&w, "sha256", patch->written.sha256);
    tc_jsonw_kint(&w, "replacements", (int64_t)patch->count);
    tc_jsonw_end(&w);
    err = tc_workspace_tool_structured(cx, call, &buf);
    if (!err)
        err = tc_call_resource(cx, call, patch->path);
    return err;
}

/* The arguments, before any file is touched. */
static enum tc_err take_arguments(struct tc_cx *cx, struct tc_call *call, struct patch *patch)
{
    const struct tc_json *arguments = tc_call_arguments(call);
    enum tc_err err = tc_workspace_tool_file(cx, call, &patch->path);

    if (err)
        return err;
    patch->old = tc_json_str(tc_json_get_c(arguments, "old_string"));
    patch->new = tc_json_str(tc_json_get_c(arguments, "new_string"));
    patch->all = tc_json_bool(tc_json_get_c(arguments, "replace_all"), false);
    if (patch->old.n == 0)
        return tc_fail(cx, TC_E_WS_PATCH_EMPTY, "old_string is empty.");
    if (tc_str_eq(patch->old, patch->new))
        return tc_fail(cx, TC_E_WS_PATCH_NO_CHANGE, "old_string and new_string are the same.");
    return TC_OK;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_workspace_service *ws;
    struct patch patch = {0};
    enum tc_err err = tc_workspace_tool_open(cx, call, &ws);

    if (!err)
        err = take_arguments(cx, call, &patch);
    if (!err)
        err = tc_workspace_may_write(cx, ws, patch.path);
    if (!err)
        err = tc_workspace_tool_read(cx, call, patch.path, &patch.file);
    if (err)
        return err;
    tc_workspace_record_get(ws, patch.path, &patch.record);
    err = check_record(cx, call, &patch);
    if (!err)
        err = match(cx, &patch);
    if (!err)
        err = check_match(cx, call, ws, &patch);
    if (!err)
        err = replace(cx, ws, &patch);
    if (err)
        return err;
    err = tc_call_changed(cx, call, TC_EFFECT_FILE_PATCHED,
                          &(struct tc_file_change){patch.path, tc_str_of(patch.written.sha256), false});
    return err ? err : put_result(cx, call, &patch);
}

const struct tc_tool tc_tool_workspace_apply_patch = {
    .name = "workspace.apply_patch",
    .toolset = "base",
    .title = "Patch file",
    .description = "Replaces text in one text file of the workspace. old_string must match exactly and occur once, "
                   "unless replace_all is set. The lines to change must have been read before; replace_all needs that "
                   "the whole file was read.",
    .search_hint = "edit change replace modify text",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,"
        "\"required\":[\"file_path\",\"old_string\",\"new_string\"],\"properties\":{"
        "\"file_path\":{\"type\":\"string\",\"description\":\"File to change, relative to the workspace.\"},"
        "\"old_string\":{\"type\":\"string\",\"description\":\"Text to replace, exactly as it stands in the file.\"},"
        "\"new_string\":{\"type\":\"string\",\"description\":\"Text to put in its place; empty deletes.\"},"
        "\"replace_all\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Replace every occurrence.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"path\",\"chars\",\"words\",\"oldSha256\",\"sha256\",\"replacements\"],"
        "\"properties\":{\"path\":{\"type\":\"string\"},\"chars\":{\"type\":\"integer\"},"
        "\"words\":{\"type\":\"integer\"},\"oldSha256\":{\"type\":\"string\"},"
        "\"sha256\":{\"type\":\"string\"},\"replacements\":{\"type\":\"integer\"}}}",
    .prompt_hint = "Before {{tool:builtin:workspace.apply_patch}}, read the lines to change; copy old_string from them "
                   "without the line numbers.",
    .renamed = "path=file_path",
    .example = "{\"file_path\":\"notes/today.md\",\"old_string\":\"draft\",\"new_string\":\"final\"}",
    .flags = TC_TOOL_DESTRUCTIVE | TC_TOOL_PROMPT_HINT,
    .run = run};
