/*
 * Refusals in words that a model can act on.
 */
#include "runtime/gate.h"

#include "base/utf8.h"
#include "toolcrib/buf.h"

/* What a model may read of a reason where the operator's sentence holds ids of
 * agents and servers, patterns of permissions, or the words of a program. */
static const char *const plain[TC_REASON_COUNT] = {
    [TC_REASON_TOOLSET_NOT_ENABLED] = "Its toolset is not enabled here.",
    [TC_REASON_TOOL_DISABLED] = "It is disabled here.",
    [TC_REASON_PERMISSION_OFF] = "Its permission is off.",
    [TC_REASON_UNAVAILABLE] = "It is not there, or something that it needs is missing.",
    [TC_REASON_SERVER_PAUSED] = "Its server is paused.",
    [TC_REASON_SERVER_DOWN] = "Its server cannot be started or reached.",
    [TC_REASON_QUARANTINED] = "Its definition has to be approved by the operator.",
};

static enum tc_err refuse(struct tc_cx *cx, enum tc_reason reason, struct tc_str detail)
{
    tc_fail(cx, TC_E_TOOL_NOT_ALLOWED, "tool.not_allowed: %s. This tool cannot be called now%s%.*s",
            tc_reason_name(reason), detail.n ? ": " : ".", TC_STR_ARG(detail));
    return tc_fail_hint(cx, "Nothing ran. Go on with the tools that are offered.");
}

static enum tc_err refuse_standing(struct tc_cx *cx, const struct tc_standing *standing)
{
    enum tc_reason reason = tc_reason_first(standing->reasons);

    return refuse(cx, reason, plain[reason] ? tc_str_of(plain[reason]) : standing->detail);
}

enum tc_err tc_gate_refuse(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key, struct tc_str id)
{
    struct tc_standing standing;
    enum tc_err e = tc_view_standing(cx, views, key, id, &standing);

    if (e)
        return e;
    if (standing.reasons)
        return refuse_standing(cx, &standing);
    /* it became effective since the view was made */
    return refuse(cx, TC_REASON_UNAVAILABLE, TC_STR("The list of tools has just changed; list them again."));
}

/* How a name that was said is like one that is offered. */
enum likeness { LIKE_SPELLING, LIKE_CASE, LIKE_INSIDE, LIKE_END };

static const char *const faults[] = {
    [LIKE_SPELLING] = "",
    [LIKE_CASE] = " Upper and lower case count.",
    [LIKE_INSIDE] = " The name stands alone, with nothing before or behind it.",
    [LIKE_END] = " Names are said whole, with what stands before them.",
};

struct near_name {
    struct tc_str name;
    size_t distance;
    enum likeness like;
};

static bool is_offered(const struct tc_turn *turn, size_t i)
{
    return !turn || !turn->offered || turn->offered[i];
}

static bool is_of_names(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Whether the name stands in the text with something around it that is of no name:
 * "functions.look", "look:1", "look<|channel|>commentary". */
static bool is_inside(struct tc_str text, struct tc_str name)
{
    size_t at = tc_str_find(text, name), end = at + name.n;

    return at != SIZE_MAX && (at == 0 || !is_of_names(text.p[at - 1])) && (end == text.n || !is_of_names(text.p[end]));
}

/* How far the name that was said is from one that is offered; over limit: too far. */
static struct near_name compare(struct tc_str said, struct tc_str offered, size_t limit)
{
    struct near_name near = {offered, tc_str_distance(said, offered, limit), LIKE_SPELLING};

    if (tc_str_eq_nocase(said, offered))
        return (struct near_name){offered, 0, LIKE_CASE};
    if (is_inside(said, offered))
        return (struct near_name){offered, 0, LIKE_INSIDE};
    if (offered.n > said.n && tc_str_ends(offered, said) && offered.p[offered.n - said.n - 1] == '_')
        return (struct near_name){offered, 1, LIKE_END};
    if (said.n >= 4 && tc_str_find(offered, said) != SIZE_MAX && near.distance > 2)
        near.distance = 2; /* a part of a name is near it */
    return near;
}

/* The offered names nearest to this one, nearest first; of those that are like it in another
 * way than by their letters only those. */
static size_t nearest(const struct tc_view *view, const struct tc_turn *turn, struct tc_str name,
                      struct near_name best[TC_GATE_NEAR])
{
    size_t n = 0, limit = name.n / 3 + 2;

    for (size_t i = 0; i < view->n; i++) {
        struct near_name near;
        size_t at;
        if (!is_offered(turn, view->by_name[i]))
            continue;
        near = compare(name, view->tools[view->by_name[i]].name, limit);
        if (near.distance > limit)
            continue;
        for (at = n; at > 0 && best[at - 1].distance > near.distance; at--)
            if (at < TC_GATE_NEAR)
                best[at] = best[at - 1];
        if (at < TC_GATE_NEAR) {
            best[at] = near;
            n += n < TC_GATE_NEAR;
        }
    }
    while (n > 0 && best[0].like != LIKE_SPELLING && best[n - 1].like != best[0].like)
        n--;
    return n;
}

/* The names offered in this turn, in order; some of them when they are many. */
static struct tc_str offered_names(struct tc_cx *cx, const struct tc_view *view, const struct tc_turn *turn)
{
    struct tc_buf names;
    struct tc_str text;
    size_t n = 0;

    tc_buf_init(&names, 64 * 1024);
    for (size_t i = 0; i < view->n; i++) {
        if (!is_offered(turn, view->by_name[i]))
            continue;
        if (n++ < TC_GATE_LISTED)
            tc_buf_printf(&names, "%s%.*s", n > 1 ? ", " : "", TC_STR_ARG(view->tools[view->by_name[i]].name));
    }
    if (n > TC_GATE_LISTED)
        tc_buf_printf(&names, " and %zu more", n - TC_GATE_LISTED);
    text = n ? tc_buf_dup(&names, cx->arena) : TC_STR("none");
    tc_buf_finish(&names);
    return text;
}

/* Of one that is offered on demand, and nobody has asked for. */
static enum tc_err not_loaded(struct tc_cx *cx, const struct tc_view *view, struct tc_str name)
{
    const struct tc_view_tool *search = tc_view_find_id(view, TC_STR(TC_TOOL_SEARCH_ID));

    tc_fail(cx, TC_E_MODEL_UNKNOWN_TOOL_CALL, "The tool \"%.*s\" is not loaded; nothing ran.", TC_STR_ARG(name));
    if (!search)
        return TC_E_MODEL_UNKNOWN_TOOL_CALL;
    return tc_fail_hint(cx, "Load it with %.*s {\"query\": \"select:%.*s\"}, look at its parameters, then call it.",
                        TC_STR_ARG(search->name), TC_STR_ARG(name));
}

static enum tc_err unknown(struct tc_cx *cx, const struct tc_view *view, const struct tc_turn *turn, struct tc_str name)
{
    struct near_name best[TC_GATE_NEAR];
    size_t n = nearest(view, turn, name, best);
    struct tc_str text = offered_names(cx, view, turn);
    const char *fault = n ? faults[best[0].like] : "";

    if (!text.p)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_MODEL_UNKNOWN_TOOL_CALL, "There is no tool \"%.*s\"; nothing ran. Offered: %.*s.",
            TC_STR_ARG(tc_utf8_head(name, TC_GATE_ECHO)), TC_STR_ARG(text));
    if (n == 1)
        tc_fail_hint(cx, "Did you mean %.*s?%s", TC_STR_ARG(best[0].name), fault);
    else if (n == 2)
        tc_fail_hint(cx, "Did you mean %.*s or %.*s?%s", TC_STR_ARG(best[0].name), TC_STR_ARG(best[1].name), fault);
    else if (n == 3)
        tc_fail_hint(cx, "Did you mean %.*s, %.*s or %.*s?%s", TC_STR_ARG(best[0].name), TC_STR_ARG(best[1].name),
                     TC_STR_ARG(best[2].name), fault);
    return TC_E_MODEL_UNKNOWN_TOOL_CALL;
}

enum tc_err tc_gate_name(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                         const struct tc_view *view, struct tc_str name, const struct tc_view_tool **ret_tool,
                         struct tc_str *ret_id)
{
    enum tc_err e;

    *ret_tool = tc_view_find(view, name);
    if (*ret_tool)
        return TC_OK;
    e = tc_view_owner(cx, views, key, name, ret_id);
    if (e)
        return e;
    return ret_id->n ? tc_gate_refuse(cx, views, key, *ret_id) : unknown(cx, view, NULL, name);
}

static enum tc_err check_choice(struct tc_cx *cx, const struct tc_turn *turn, const struct tc_view_tool *tool)
{
    if (turn->choice == TC_CHOICE_NONE)
        return tc_fail(cx, TC_E_MODEL_TOOL_CHOICE_VIOLATION, "The model called \"%.*s\" in a turn without tools.",
                       TC_STR_ARG(tool->name));
    if (turn->choice == TC_CHOICE_TOOL && !tc_str_eq(turn->choice_id, tool->tool->id))
        return tc_fail(cx, TC_E_MODEL_TOOL_CHOICE_VIOLATION, "The model called \"%.*s\" where it had to call another.",
                       TC_STR_ARG(tool->name));
    return TC_OK;
}

enum tc_err tc_gate_turn(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                         const struct tc_view *view, const struct tc_turn *turn, struct tc_str name,
                         const struct tc_view_tool **ret_tool, struct tc_str *ret_id)
{
    const struct tc_view_tool *tool = tc_view_find(view, name);
    enum tc_err e;

    *ret_tool = NULL;
    if (!tc_str_is(turn->snapshot, view->snapshot))
        return tc_fail(cx, TC_E_TOOL_TURN_SNAPSHOT_MISMATCH, "The turn was made from another snapshot of the tools.");
    if (!tool) { /* also when it has become effective since: it is not of this snapshot */
        e = tc_view_owner(cx, views, key, name, ret_id);
        if (e)
            return e;
        return ret_id->n ? tc_gate_refuse(cx, views, key, *ret_id) : unknown(cx, view, turn, name);
    }
    if (!is_offered(turn, (size_t)(tool - view->tools)) && tool->deferred) {
        *ret_id = tool->tool->id;
        return not_loaded(cx, view, name);
    }
    if (!is_offered(turn, (size_t)(tool - view->tools)))
        return unknown(cx, view, turn, name);
    e = check_choice(cx, turn, tool);
    if (!e)
        *ret_tool = tool;
    return e;
}

enum tc_err tc_gate_permission(struct tc_cx *cx, struct tc_registry *registry, struct tc_views *views,
                               const struct tc_view_key *key, const struct tc_view *view,
                               const struct tc_view_tool *tool, bool *ret_ask)
{
    struct tc_standing now = {.permission = tool->permission};
    enum tc_err e = TC_OK;

    if (tc_registry_get(registry).version != view->version)
        e = tc_view_standing(cx, views, key, tool->tool->id, &now);
    if (e == TC_E_AGENT_NOT_FOUND)
        return refuse(cx, TC_REASON_UNAVAILABLE, TC_STR("The agent that it belongs to was removed."));
    if (e)
        return e;
    if (now.reasons)
        return refuse_standing(cx, &now);
    *ret_ask = now.permission == TC_PERMISSION_ASK;
    return TC_OK;
}
