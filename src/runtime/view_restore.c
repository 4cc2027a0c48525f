/*
 * A view from its snapshot. Tools that are still what they were are shared with the
 * catalog; of the others the view owns a descriptor, made of the stored entry.
 */
#include "base/hash.h"
#include "runtime/view_make.h"

enum { JSON_MAX = 128 * 1024 * 1024 };

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

static int64_t number(const struct tc_json *object, const char *key)
{
    int64_t value = 0;

    return tc_json_int(tc_json_get_c(object, key), &value) ? value : 0;
}

/* A call would be checked, and its result bounded, as the entry says. */
static enum tc_err is_same(struct tc_cx *cx, const struct tc_view *view, const struct tc_json *entry,
                           const struct tc_descriptor *present, bool *ret)
{
    const struct tc_json *schema;
    enum tc_err e = tc_view_schema(cx, view->agent, present, &schema);

    if (e)
        return e;
    *ret = tc_json_equal(schema, tc_json_get_c(entry, "inputSchema")) &&
           tc_str_eq(present->renamed, member(entry, "renamed")) &&
           present->max_result_chars == number(entry, "maxResultChars") &&
           !(present->flags & TC_TOOL_SELF_BOUNDED) == !tc_json_bool(tc_json_get_c(entry, "selfBounded"), false);
    return TC_OK;
}

static void release(void *descriptor)
{
    tc_descriptor_unref(descriptor);
}

static enum tc_err freeze(struct tc_cx *cx, struct tc_view *view, const struct tc_json *entry,
                          const struct tc_descriptor *present, struct tc_descriptor **ret)
{
    struct tc_descriptor *frozen;
    enum tc_err e = tc_descriptor_of_stored(cx, entry, present, &frozen);

    if (e)
        return e;
    if (!tc_arena_defer(&view->arena, release, frozen)) {
        tc_descriptor_unref(frozen);
        return tc_fail_memory(cx);
    }
    *ret = frozen;
    return TC_OK;
}

static enum tc_err restore_tool(struct tc_cx *cx, struct tc_view *view, const struct tc_json *entry,
                                struct tc_view_tool *to)
{
    size_t at = tc_catalog_find(view->catalog, member(entry, "id"));
    struct tc_descriptor *present = at == SIZE_MAX ? NULL : view->catalog->tools[at];
    bool same = false;
    enum tc_err e = present ? is_same(cx, view, entry, present, &same) : TC_OK;

    *to = (struct tc_view_tool){
        .tool = present,
        .name = member(entry, "name"),
        .description = member(entry, "description"),
        .schema = tc_json_get_c(entry, "inputSchema"),
        .hint = TC_STR(""),
        .permission = TC_PERMISSION_ASK,
        .deferred = tc_json_bool(tc_json_get_c(entry, "deferred"), false),
    };
    tc_permission_of(member(entry, "permission"), &to->permission);
    view->deferred_n += to->deferred;
    return e || same ? e : freeze(cx, view, entry, present, &to->tool);
}

static enum tc_err restore(struct tc_cx *cx, struct tc_view *view, const struct tc_json *snapshot)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(snapshot, "tools"));
    const struct tc_json *entry;
    enum tc_err e = TC_OK;

    view->rules = (struct tc_view_rules){
        .repair = tc_json_bool(tc_json_get_c(snapshot, "repair"), true),
        .inline_chars = number(snapshot, "inlineChars"),
        .max_chars = number(snapshot, "maxChars"),
        .turn_chars = number(snapshot, "turnChars"),
    };
    tc_style_of(member(snapshot, "style"), &view->style);
    for (size_t i = 0; !e && tc_json_next(&it, NULL, &entry); i++)
        e = restore_tool(cx, view, entry, &view->tools[i]);
    if (e)
        return e;
    tc_view_order(view);
    return tc_view_write_list(cx, view);
}

static enum tc_err parse(struct tc_cx *cx, const struct tc_view_stored *stored, struct tc_json_doc **ret_doc)
{
    const struct tc_json_limits limits = {.max_bytes = JSON_MAX};
    char hash[TC_HASH_HEX_SIZE];

    tc_hash_sha256_hex(stored->json, hash);
    if (!tc_str_is(stored->hash, hash))
        return tc_fail(cx, TC_E_STORE_BROKEN, "The stored snapshot %.*s is damaged: its text has another hash.",
                       TC_STR_ARG(stored->hash));
    return tc_json_parse(cx, stored->json, &limits, ret_doc);
}

static void release_doc(void *doc)
{
    tc_json_doc_unref(doc);
}

enum tc_err tc_view_restore(struct tc_cx *cx, const struct tc_views *views, const struct tc_view_stored *stored,
                            struct tc_view **ret_view)
{
    const struct tc_json *snapshot;
    struct tc_json_doc *doc;
    struct tc_view *view;
    enum tc_err e = parse(cx, stored, &doc);

    if (e)
        return e;
    snapshot = tc_json_doc_root(doc);
    e = tc_view_create(cx, stored->agent, tc_views_catalog(views), tc_json_count(tc_json_get_c(snapshot, "tools")),
                       &view);
    if (e || !tc_arena_defer(&view->arena, release_doc, doc)) {
        tc_json_doc_unref(doc);
        if (!e)
            tc_view_unref(view);
        return e ? e : tc_fail_memory(cx);
    }
    e = tc_view_set_model(cx, view, stored->model);
    view->snapshot_json = tc_arena_dup(&view->arena, stored->json);
    if (!e && !view->snapshot_json.p)
        e = tc_fail_memory(cx);
    if (!e)
        e = restore(cx, view, snapshot);
    if (e) {
        tc_view_unref(view);
        return e;
    }
    memcpy(view->snapshot, stored->hash.p, stored->hash.n); /* parse() has compared it */
    *ret_view = view;
    return TC_OK;
}
