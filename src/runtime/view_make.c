/*
 * The parts of a view, from a resolution of which every name is committed: descriptions,
 * the list and the snapshot are written once.
 */
#include "runtime/view_make.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "runtime/description.h"
#include "toolcrib/jsonw.h"

enum { LIST_MAX = 64 * 1024 * 1024 };

static void write_property(struct tc_jsonw *w, const struct tc_json *property, const struct tc_json *text)
{
    struct tc_json_iter it = tc_json_iter(property);
    const struct tc_json *field;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &field))
        if (!tc_str_is(key, "description")) {
            tc_jsonw_key_str(w, key);
            tc_jsonw_value(w, field);
        }
    tc_jsonw_kvalue(w, "description", text);
    tc_jsonw_end(w);
}

static void write_properties(struct tc_jsonw *w, const struct tc_json *properties, const struct tc_json *texts)
{
    struct tc_json_iter it = tc_json_iter(properties);
    const struct tc_json *property;
    struct tc_str name;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &name, &property)) {
        const struct tc_json *text = tc_json_get(texts, name);
        tc_jsonw_key_str(w, name);
        if (tc_json_is(text, TC_JSON_STRING) && tc_json_is(property, TC_JSON_OBJECT))
            write_property(w, property, text);
        else
            tc_jsonw_value(w, property);
    }
    tc_jsonw_end(w);
}

enum tc_err tc_view_schema(struct tc_cx *cx, const struct tc_agent *agent, const struct tc_descriptor *tool,
                           const struct tc_json **ret)
{
    const struct tc_json *texts = tc_json_get_c(tc_description_overrides(agent, tool->id), "properties"), *value;
    struct tc_json_iter it = tc_json_iter(tool->input_schema);
    struct tc_str key;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    *ret = tool->input_schema;
    if (!tc_json_is(texts, TC_JSON_OBJECT))
        return TC_OK;
    tc_buf_init(&buf, LIST_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(&w, key);
        if (tc_str_is(key, "properties") && tc_json_is(value, TC_JSON_OBJECT))
            write_properties(&w, value, texts);
        else
            tc_jsonw_value(&w, value);
    }
    tc_jsonw_end(&w);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, ret);
    tc_buf_finish(&buf);
    return e;
}

static void write_tool(struct tc_jsonw *w, const struct tc_view_tool *tool)
{
    const struct tc_descriptor *d = tool->tool;
    struct tc_json_iter it = tc_json_iter(d->extra);
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", tool->name);
    tc_jsonw_kopt(w, "title", d->title);
    tc_jsonw_kopt(w, "description", tool->description);
    tc_jsonw_kvalue(w, "inputSchema", tool->schema);
    if (d->output_schema)
        tc_jsonw_kvalue(w, "outputSchema", d->output_schema);
    if (d->annotations)
        tc_jsonw_kvalue(w, "annotations", d->annotations);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
}

enum tc_err tc_view_write_list(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, LIST_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_array(&w);
    for (size_t i = 0; i < view->n; i++) {
        write_tool(&w, &view->tools[i]);
        view->ends[i] = buf.n;
    }
    tc_jsonw_end(&w);
    view->list = tc_buf_dup(&buf, &view->arena);
    tc_buf_finish(&buf);
    return view->list.p ? TC_OK : tc_fail_memory(cx);
}

/* All that the checks of a call depend on, and all that a model is sent of the tools: a
 * replay does the checks again, view_restore.c makes the view again. */
static enum tc_err write_snapshot(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, LIST_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "agent", view->agent->id);
    tc_jsonw_kcstr(&w, "style", tc_style_name(view->style));
    tc_jsonw_kbool(&w, "repair", view->rules.repair);
    tc_jsonw_kint(&w, "inlineChars", view->rules.inline_chars);
    tc_jsonw_kint(&w, "maxChars", view->rules.max_chars);
    tc_jsonw_kint(&w, "turnChars", view->rules.turn_chars);
    tc_jsonw_key(&w, "tools");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < view->n; i++) {
        const struct tc_descriptor *d = view->tools[i].tool;
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "id", d->id);
        tc_jsonw_kstr(&w, "name", view->tools[i].name);
        tc_jsonw_kstr(&w, "description", view->tools[i].description);
        tc_jsonw_kcstr(&w, "permission", tc_permission_name(view->tools[i].permission));
        tc_jsonw_kvalue(&w, "inputSchema", view->tools[i].schema);
        tc_jsonw_kopt(&w, "renamed", d->renamed);
        tc_jsonw_kbool(&w, "selfBounded", d->flags & TC_TOOL_SELF_BOUNDED);
        tc_jsonw_kint(&w, "maxResultChars", d->max_result_chars);
        if (view->tools[i].deferred)
            tc_jsonw_kbool(&w, "deferred", true);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    view->snapshot_json = tc_buf_dup(&buf, &view->arena);
    tc_buf_finish(&buf);
    if (!view->snapshot_json.p)
        return tc_fail_memory(cx);
    tc_hash_sha256_hex(view->snapshot_json, view->snapshot);
    return TC_OK;
}

static int by_name(const void *a, const void *b, void *arg)
{
    const struct tc_view *view = arg;

    return tc_str_cmp(view->tools[*(const uint32_t *)a].name, view->tools[*(const uint32_t *)b].name);
}

enum tc_err tc_view_create(struct tc_cx *cx, struct tc_agent *agent, struct tc_catalog *catalog, size_t n,
                           struct tc_view **ret)
{
    struct tc_view *view = tc_mem_zalloc(1, sizeof *view);

    if (!view)
        return tc_fail_memory(cx);
    tc_arena_init(&view->arena, 2 * (size_t)LIST_MAX);
    view->refs = 1;
    view->agent = tc_agent_ref(agent);
    view->catalog = tc_catalog_ref(catalog);
    view->n = n;
    view->tools = TC_ARENA_NEW_N(&view->arena, struct tc_view_tool, n + 1);
    view->by_name = TC_ARENA_NEW_N(&view->arena, uint32_t, n + 1);
    view->ends = TC_ARENA_NEW_N(&view->arena, size_t, n + 1);
    if (!view->tools || !view->by_name || !view->ends) {
        tc_view_unref(view);
        return tc_fail_memory(cx);
    }
    *ret = view;
    return TC_OK;
}

enum tc_err tc_view_set_model(struct tc_cx *cx, struct tc_view *view, const struct tc_model *model)
{
    view->model = *model;
    view->model.name = tc_arena_dup(&view->arena, model->name);
    return view->model.name.p ? TC_OK : tc_fail_memory(cx);
}

void tc_view_order(struct tc_view *view)
{
    for (size_t i = 0; i < view->n; i++)
        view->by_name[i] = (uint32_t)i;
    qsort_r(view->by_name, view->n, sizeof *view->by_name, by_name, view);
}

/* The present words of code, server and agent, for their properties, too. */
static enum tc_err describe(struct tc_cx *cx, struct tc_view *view)
{
    struct tc_cx kept = {.arena = &view->arena, .clock = cx->clock};
    enum tc_err e = tc_description_fill(cx, view);

    for (size_t i = 0; !e && i < view->n; i++)
        if (tc_view_schema(&kept, view->agent, view->tools[i].tool, &view->tools[i].schema))
            e = tc_fail_memory(cx);
    return e;
}

static enum tc_err fill(struct tc_cx *cx, struct tc_view *view, const struct tc_resolution *resolution)
{
    view->deferred_n = resolution->deferred_n;
    for (size_t i = 0; i < view->n; i++) {
        const struct tc_resolved *from = &resolution->tools[i];
        view->tools[i] = (struct tc_view_tool){
            .tool = view->catalog->tools[from->index],
            .name = tc_arena_dup(&view->arena, from->name),
            .hint = tc_arena_dup(&view->arena, from->hint),
            .hint_operator = from->hint_operator,
            .permission = from->permission,
            .deferred = from->deferred,
        };
        if (!view->tools[i].name.p || !view->tools[i].hint.p)
            return tc_fail_memory(cx);
    }
    tc_view_order(view);
    return describe(cx, view);
}

static struct tc_view_rules rules_of(const struct tc_agent *agent)
{
    return (struct tc_view_rules){agent->repair, agent->inline_chars, agent->max_chars, agent->turn_chars};
}

enum tc_err tc_view_make(struct tc_cx *cx, const struct tc_resolution *resolution, uint64_t version,
                         struct tc_view **ret)
{
    const struct tc_resolve_input *input = resolution->input;
    struct tc_view *view;
    enum tc_err e = tc_view_create(cx, (struct tc_agent *)input->agent, (struct tc_catalog *)input->catalog,
                                   resolution->tools_n, &view);

    if (e)
        return e;
    view->version = version;
    view->style = input->style;
    view->rules = rules_of(input->agent);
    e = tc_view_set_model(cx, view, &input->model);
    if (!e)
        e = fill(cx, view, resolution);
    if (!e)
        e = tc_view_write_list(cx, view);
    if (!e)
        e = write_snapshot(cx, view);
    if (e) {
        tc_view_unref(view);
        return e;
    }
    *ret = view;
    return TC_OK;
}
