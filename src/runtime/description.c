/*
 * Descriptions from outside pass as they are; in ours, and in those of operators, names of
 * tools become call names.
 */
#include "runtime/description.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "io/task.h"
#include "runtime/discovery.h"
#include "runtime/text.h"

enum { CHARS_MAX = 4096 };

const struct tc_json *tc_description_overrides(const struct tc_agent *agent, struct tc_str id)
{
    return tc_json_get(agent->descriptions, id);
}

/* What the tool says now, in the arena of the view; empty: nothing that could be used. */
static enum tc_err ask(struct tc_cx *cx, struct tc_view *view, const struct tc_tool *tool, struct tc_str *ret)
{
    struct tc_discovery_service tools = {.view = view};
    int64_t before = tc_task_deadline_set(cx, tc_clock_mono_us(cx->clock) + TC_DESCRIBE_MS * 1000);
    struct tc_str said = TC_STR("");
    enum tc_err e = tool->describe(cx, &tools, &said), own;

    tc_task_deadline_restore(cx, before);
    own = tc_task_check(cx);
    if (e == TC_E_NO_MEMORY || own)
        return e ? e : own;
    tc_fail_clear(cx);
    said = e ? TC_STR("") : tc_utf8_cleaned(cx->arena, tc_utf8_head(tc_str_trim(said), CHARS_MAX));
    *ret = tc_arena_dup(&view->arena, said);
    return said.p && ret->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err describe(struct tc_cx *cx, struct tc_view *view, struct tc_view_tool *tool)
{
    const struct tc_descriptor *d = tool->tool;
    struct tc_str over = tc_json_str(tc_json_get_c(tc_description_overrides(view->agent, d->id), "description"));
    struct tc_str text = over;
    enum tc_err e = TC_OK;

    if (!text.n && d->builtin && d->builtin->describe)
        e = ask(cx, view, d->builtin, &text);
    if (e)
        return e;
    if (!text.n)
        text = d->description;
    if (d->parts.provider == TC_PROVIDER_MCP && !over.n)
        tool->description = text;
    else
        tool->description = tc_text_tools(&view->arena, text, view);
    return tool->description.p || text.n == 0 ? TC_OK : tc_fail_memory(cx);
}

static struct tc_str name_in_resolution(const void *resolution, struct tc_str id)
{
    const struct tc_resolution *r = resolution;
    size_t at = tc_resolution_find_id(r, id);

    return at == SIZE_MAX ? TC_STR("") : r->tools[at].name;
}

struct tc_str tc_description_written(struct tc_cx *cx, const struct tc_resolution *resolution,
                                     const struct tc_descriptor *tool)
{
    const struct tc_json *overrides = tc_description_overrides(resolution->input->agent, tool->id);
    struct tc_str over = tc_json_str(tc_json_get_c(overrides, "description"));

    if (tool->parts.provider == TC_PROVIDER_MCP && !over.n)
        return tool->description.p ? tool->description : TC_STR("");
    return tc_text_names(cx->arena, over.n ? over : tool->description, name_in_resolution, resolution);
}

enum tc_err tc_description_fill(struct tc_cx *cx, struct tc_view *view)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; !e && i < view->n; i++)
        e = describe(cx, view, &view->tools[i]);
    return e;
}
