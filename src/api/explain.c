/*
 * A resolution with all its reasons, as people ask for it.
 */
#include "api/explain.h"

#include "api/resolution.h"

static enum tc_err view_key(struct tc_cx *cx, struct tc_api_call *call, struct tc_view_key *ret)
{
    struct tc_str style = tc_api_query(cx, call, "style");
    enum tc_err e = tc_api_need(cx, call, "agent", &ret->agent);

    if (e)
        return e;
    ret->client = !tc_str_is(tc_api_query(cx, call, "for"), "run");
    ret->answers = tc_str_is(tc_api_query(cx, call, "answers"), "true");
    ret->has_style = style.n > 0;
    if (style.n && !tc_style_of(style, &ret->style))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "A style is mcp, server, dmr or bare, not \"%.*s\".",
                       TC_STR_ARG(style));
    return TC_OK;
}

enum tc_err tc_api_explain(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_view_key key = {0};
    struct tc_resolution *resolution;
    struct tc_agent_model model;
    const struct tc_view *view;
    enum tc_err e = view_key(cx, call, &key);

    if (!e)
        e = tc_agent_model_find(cx, call, &key, &model);
    if (!e) /* commits the names that the answer shows */
        e = tc_view_borrow(cx, call->runtime->views, &key, &view);
    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &key, &resolution);
    if (!e)
        e = tc_api_resolution_write(cx, call, &(struct tc_api_resolution){resolution, &model, false});
    return e;
}
