/*
 * What the operator set stands over what the code says.
 */
#include "api/tool_row.h"

#include "api/changed.h"

struct tc_tool_picture tc_tool_picture(const struct tc_api_call *call, const struct tc_tool_row *row)
{
    struct tc_registry_view now = tc_registry_get(call->runtime->registry);

    return tc_tool_picture_at(&now, &(struct tc_registry_row){row, tc_catalog_find(now.catalog, row->name)});
}

struct tc_tool_picture tc_tool_picture_at(const struct tc_registry_view *now, const struct tc_registry_row *row)
{
    size_t colon = tc_str_chr(row->row->name, ':');
    struct tc_tool_picture picture = {.row = row->row, .provider = row->row->name};

    if (colon != SIZE_MAX)
        picture.provider.n = colon;
    if (row->index != SIZE_MAX) {
        picture.tool = now->catalog->tools[row->index];
        picture.state = &now->states[row->index];
    }
    return picture;
}

struct tc_str tc_tool_picture_source(struct tc_arena *arena, const struct tc_tool_picture *picture)
{
    static const struct tc_str mcp = TC_STR_INIT("mcp/"), extension = TC_STR_INIT("extension/");
    struct tc_str of = picture->provider;

    if (tc_str_starts(of, mcp)) /* its toolset has the name of the server, also when that is gone */
        return tc_arena_printf(arena, "mcp:%.*s", TC_STR_ARG(tc_str_from(picture->row->toolset, mcp.n)));
    if (tc_str_starts(of, extension))
        return tc_arena_printf(arena, "ext:%.*s", TC_STR_ARG(tc_str_from(of, extension.n)));
    return of;
}

const char *tc_tool_picture_hint(const struct tc_tool_picture *picture)
{
    if (!picture->row->supports_prompt_hint)
        return NULL;
    if (picture->row->prompt_hint.n)
        return "operator";
    return picture->tool && picture->tool->prompt_hint.n ? "code" : NULL;
}

const char *tc_tool_picture_definition(const struct tc_tool_picture *picture)
{
    const struct tc_descriptor *tool = picture->tool;

    if (!tool || tool->parts.provider != TC_PROVIDER_MCP)
        return NULL;
    if (tool->schema_fault.n)
        return "broken";
    if (picture->state->quarantined)
        return "changed";
    return picture->state->newcomer ? "new" : "approved";
}

enum tc_err tc_tool_picture_write(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_tool_picture *picture,
                                  bool whole)
{
    const struct tc_tool_row *row = picture->row;
    const struct tc_descriptor *tool = picture->tool;
    struct tc_str source = tc_tool_picture_source(cx->arena, picture);

    if (!source.p)
        return tc_fail_memory(cx);
    tc_jsonw_kint(w, "id", row->id);
    tc_jsonw_kstr(w, "name", row->name);
    tc_jsonw_kstr(w, "label", row->label);
    tc_jsonw_kstr(w, "toolset", row->toolset);
    tc_jsonw_kstr(w, "source", source);
    tc_jsonw_kstr(w, "description", row->description.p || !tool ? row->description : tool->description);
    tc_jsonw_kbool(w, "descriptionEdited", row->description.p != NULL);
    tc_jsonw_kstr(w, "visibility", row->visibility);
    tc_jsonw_kstr(w, "capability", row->capability);
    tc_jsonw_kint(w, "status", row->status);
    tc_jsonw_kbool(w, "isCore", row->is_core);
    tc_jsonw_kbool(w, "canDisable", row->can_disable);
    tc_jsonw_kbool(w, "supportsPromptHint", row->supports_prompt_hint);
    tc_jsonw_kstr(w, "promptHint", row->prompt_hint);
    tc_jsonw_kstr(w, "defaultPromptHint", tool && tool->prompt_hint.n ? tool->prompt_hint : tc_str_n(NULL, 0));
    tc_jsonw_kcstr(w, "hintSource", tc_tool_picture_hint(picture));
    tc_jsonw_kcstr(w, "definitionState", tc_tool_picture_definition(picture));
    tc_jsonw_kint(w, "sort", row->sort);
    tc_jsonw_key(w, "extra");
    tc_jsonw_raw(w, row->extra.p ? row->extra : TC_STR("null"));
    tc_jsonw_kbool(w, "detached", row->detached);
    tc_jsonw_kint(w, "version", row->version);
    tc_api_time(w, "createTime", row->created_at);
    tc_api_time(w, "updateTime", row->updated_at);
    tc_api_time(w, "deleteTime", row->deleted_at);
    if (tool) {
        tc_jsonw_kcstr(w, "group", tc_group_name(tool->group));
        tc_jsonw_kopt(w, "title", tool->title);
        tc_jsonw_kopt(w, "server", tool->server);
        tc_jsonw_kcstr(w, "definition", tool->definition);
        tc_jsonw_kint(w, "tokens", tool->tokens);
    }
    if (tool && whole) {
        tc_jsonw_kvalue(w, "inputSchema", tool->input_schema);
        tc_jsonw_kvalue(w, "outputSchema", tool->output_schema);
        tc_jsonw_kvalue(w, "annotations", tool->annotations);
        tc_jsonw_kopt(w, "schemaFault", tool->schema_fault);
    }
    return TC_OK;
}

enum tc_err tc_tool_row_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row,
                              const struct tc_change_row *last)
{
    const struct tc_tool_picture picture = tc_tool_picture(call, row);
    enum tc_err e;

    tc_jsonw_object(call->out);
    e = tc_tool_picture_write(cx, call->out, &picture, false);
    tc_changed_by(call, last);
    tc_jsonw_end(call->out);
    return e;
}
