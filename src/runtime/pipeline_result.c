/*
 * The result of a call: what is too long, and images, become files of the workspace; the
 * rest is shaped for who called.
 */
#include "base/hash.h"
#include "runtime/pipeline_impl.h"
#include "runtime/workspaces.h"

static struct tc_str offered_name(const struct tc_view *view, const char *id)
{
    const struct tc_view_tool *tool = tc_view_find_id(view, tc_str_of(id));

    return tool ? tool->name : TC_STR("");
}

static int64_t limit_of(const struct tc_passage *p)
{
    if (!p->tool || p->tool->flags & TC_TOOL_SELF_BOUNDED)
        return -1;
    if (p->tool->max_result_chars != 0)
        return p->tool->max_result_chars;
    return p->invocation->inline_chars ? p->invocation->inline_chars : p->view->rules.inline_chars;
}

static enum tc_err need_stem(struct tc_cx *cx, struct tc_passage *p)
{
    char hex[TC_HASH_HEX_SIZE];

    if (p->stem.p)
        return TC_OK;
    tc_hash_sha256_hex(p->row.call_id, hex);
    p->stem = tc_arena_printf(cx->arena, "tool-results/%.*s/round-%03lld-call_%.16s", TC_STR_ARG(p->row.invocation),
                              (long long)(p->request->round ? p->request->round : 1), hex);
    return p->stem.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_passage *p)
{
    struct tc_str text, path;
    enum tc_err e = need_stem(cx, p);

    if (!e)
        e = tc_redact_text(cx, &p->redaction, p->digest.text, &text);
    if (e)
        return e;
    path = tc_arena_printf(cx->arena, "%.*s.txt", TC_STR_ARG(p->stem));
    if (!path.p)
        return tc_fail_memory(cx);
    e = tc_workspaces_put_text(cx, p->runtime->workspaces, p->invocation, p->view->agent, path, text);
    if (!e)
        p->shape.path = path;
    return e;
}

/* Puts images and long text into the workspace. One that is full or not there
 * costs the files only: the text is then cut to its ends. */
static enum tc_err put_files(struct tc_cx *cx, struct tc_passage *p)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < p->digest.images_n && !e; i++)
        e = tc_workspaces_put_base64(cx, p->runtime->workspaces, p->invocation, p->view->agent,
                                     p->digest.images[i].path, p->digest.images[i].base64);
    if (!e && tc_result_is_long(&p->digest, &p->shape))
        e = put_text(cx, p);
    if (e == TC_E_WS_QUOTA || e == TC_E_WS_UNAVAILABLE) {
        tc_fail_clear(cx);
        e = TC_OK;
    }
    return e;
}

enum tc_err tc_pipeline_result_shape(struct tc_cx *cx, struct tc_passage *p)
{
    enum tc_err e = tc_result_has_images(p->execution.raw) ? need_stem(cx, p) : TC_OK;

    if (e)
        return e;
    p->shape = (struct tc_shape){
        .limit = limit_of(p),
        .max_chars = p->view->rules.max_chars,
        .result_id = p->request->turn ? TC_STR("") : p->row.result_id, /* a model reads no resources */
        .read_tool = offered_name(p->view, "builtin:workspace.read_file"),
        .search_tool = offered_name(p->view, "builtin:workspace.search_files"),
        /* what is on a tape is for any model: the transcript says what is left out */
        .image_input = p->request->turn || p->view->model.image_input,
    };
    e = tc_result_digest(cx, p->execution.raw, p->stem, &p->digest);
    if (!e)
        e = put_files(cx, p);
    return e ? e : tc_result_shape(cx, &p->digest, &p->shape, !p->request->turn, &p->content);
}

enum tc_err tc_pipeline_result_give(struct tc_cx *cx, const struct tc_passage *p, struct tc_call_result *ret)
{
    const struct tc_json *structured = tc_json_get_c(p->digest.root, "structuredContent"),
                         *meta = tc_json_get_c(p->digest.root, "_meta");

    *ret = (struct tc_call_result){
        .call_id = p->row.call_id,
        .tool_id = p->row.tool_id,
        .audit_id = p->row.id,
        .result_id = p->row.result_id,
        .content = p->content,
        .structured = structured ? tc_json_text(cx->arena, structured) : TC_STR(""),
        .meta = meta ? tc_json_text(cx->arena, meta) : TC_STR(""),
        .is_error = p->execution.is_error,
        .error_code = p->row.error_code,
        .resources = p->execution.resources,
        .resources_n = p->execution.resources_n,
        .images_n = p->digest.images_n,
        .effect = p->execution.kind,
        .body_changed = p->execution.body_changed,
    };
    ret->images = TC_ARENA_NEW_N(cx->arena, struct tc_str, ret->images_n + 1);
    ret->image_mimes = TC_ARENA_NEW_N(cx->arena, struct tc_str, ret->images_n + 1);
    if (!ret->structured.p || !ret->meta.p || !ret->images || !ret->image_mimes)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < ret->images_n; i++) {
        ret->images[i] = p->digest.images[i].path;
        ret->image_mimes[i] = p->digest.images[i].mime;
    }
    return TC_OK;
}
