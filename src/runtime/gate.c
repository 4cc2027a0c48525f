/*
 * Refusals in words that a model can act on.
 */
#include "runtime/gate.h"

#include "toolcrib/buf.h"

enum tc_err tc_gate_refuse(struct tc_cx *cx, uint16_t reasons, struct tc_str detail)
{
    const char *reason = tc_reason_name(tc_reason_first(reasons));

    tc_fail(cx, TC_E_TOOL_NOT_ALLOWED, "tool.not_allowed: %s. This tool cannot be called now%s%.*s", reason,
            detail.n ? ": " : ".", TC_STR_ARG(detail));
    return tc_fail_hint(cx, "Nothing ran. Go on with the tools that are offered.");
}

struct near_name {
    struct tc_str name;
    size_t distance;
};

/* The offered names nearest to this one, nearest first. */
static size_t nearest(const struct tc_view *view, struct tc_str name, struct near_name best[TC_GATE_NEAR])
{
    size_t n = 0, limit = name.n / 3 + 2;

    for (size_t i = 0; i < view->n; i++) {
        struct tc_str other = view->tools[i].name;
        size_t distance = tc_str_distance(name, other, limit), at;
        if (name.n >= 4 && tc_str_find(other, name) != SIZE_MAX && distance > 2)
            distance = 2; /* a part of a name is near it */
        if (distance > limit)
            continue;
        for (at = n; at > 0 && best[at - 1].distance > distance; at--)
            if (at < TC_GATE_NEAR)
                best[at] = best[at - 1];
        if (at < TC_GATE_NEAR) {
            best[at] = (struct near_name){other, distance};
            n += n < TC_GATE_NEAR;
        }
    }
    return n;
}

static enum tc_err unknown(struct tc_cx *cx, const struct tc_view *view, struct tc_str name)
{
    struct near_name best[TC_GATE_NEAR];
    size_t n = nearest(view, name, best), shown = view->n < TC_GATE_LISTED ? view->n : TC_GATE_LISTED;
    struct tc_buf offered;
    struct tc_str text;

    tc_buf_init(&offered, 64 * 1024);
    for (size_t i = 0; i < shown; i++)
        tc_buf_printf(&offered, "%s%.*s", i ? ", " : "", TC_STR_ARG(view->tools[view->by_name[i]].name));
    if (shown < view->n)
        tc_buf_printf(&offered, " and %zu more", view->n - shown);
    text = tc_buf_dup(&offered, cx->arena);
    tc_buf_finish(&offered);
    if (!text.p)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_MODEL_UNKNOWN_TOOL_CALL, "There is no tool \"%.*s\"; nothing ran. Offered: %.*s.",
            TC_STR_ARG(name), TC_STR_ARG(view->n ? text : TC_STR("none")));
    if (n == 1)
        tc_fail_hint(cx, "Did you mean %.*s?", TC_STR_ARG(best[0].name));
    else if (n == 2)
        tc_fail_hint(cx, "Did you mean %.*s or %.*s?", TC_STR_ARG(best[0].name), TC_STR_ARG(best[1].name));
    else if (n == 3)
        tc_fail_hint(cx, "Did you mean %.*s, %.*s or %.*s?", TC_STR_ARG(best[0].name), TC_STR_ARG(best[1].name),
                     TC_STR_ARG(best[2].name));
    return TC_E_MODEL_UNKNOWN_TOOL_CALL;
}

enum tc_err tc_gate_name(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                         const struct tc_view *view, struct tc_str name, const struct tc_view_tool **ret_tool,
                         struct tc_str *ret_id)
{
    uint16_t reasons;
    struct tc_str detail;
    enum tc_err e;

    *ret_tool = tc_view_find(view, name);
    if (*ret_tool)
        return TC_OK;
    e = tc_view_owner(cx, views, key, name, ret_id);
    if (e)
        return e;
    if (ret_id->n == 0)
        return unknown(cx, view, name);
    e = tc_view_reasons(cx, views, key, *ret_id, &reasons, &detail);
    if (e)
        return e;
    if (reasons == 0) { /* became effective since the view was made */
        reasons = 1u << TC_REASON_UNAVAILABLE;
        detail = TC_STR("the list of tools has just changed; list them again.");
    }
    return tc_gate_refuse(cx, reasons, detail);
}

enum tc_err tc_gate_permission(struct tc_cx *cx, struct tc_registry *registry, struct tc_views *views,
                               const struct tc_view_key *key, const struct tc_view *view,
                               const struct tc_view_tool *tool)
{
    uint16_t reasons;
    struct tc_str detail;
    enum tc_err e;

    if (tc_registry_get(registry).version == view->version)
        return TC_OK;
    e = tc_view_reasons(cx, views, key, tool->tool->id, &reasons, &detail);
    if (e)
        return e;
    return reasons ? tc_gate_refuse(cx, reasons, detail) : TC_OK;
}
