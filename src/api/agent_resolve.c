/*
 * The same resolver as everywhere, on a document that a form is about to change again.
 */
#include "api/agent_resolve.h"

enum tc_err tc_agent_resolve(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent_draft draft;
    struct tc_resolution *resolution;
    struct tc_api_resolution what = {.brief = tc_json_bool(tc_json_get_c(call->body, "brief"), false)};
    enum tc_err e = tc_agent_draft_read(cx, call, tc_json_get_c(call->body, "agent"), TC_STR(""), &draft);

    draft.key.has_style = tc_style_of(tc_api_field(call, "style"), &draft.key.style);
    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &draft.key, &resolution);
    if (e)
        return e;
    what.resolution = resolution;
    what.model = &draft.model;
    return tc_api_resolution_write(cx, call, &what);
}
