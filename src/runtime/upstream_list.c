/*
 * With whose login a server's lists are read, where each agent has its own: what the
 * server lists is then known for all, though one of them asked.
 */
#include "ports/logins.h"
#include "runtime/upstream.h"

static enum tc_err list_as(struct tc_cx *cx, struct tc_upstream *server, enum tc_source_kind kind,
                           struct tc_str identity, const struct tc_json **ret_entries)
{
    enum tc_err e = server->source->ops->list(cx, server->source, kind, identity, ret_entries);

    if (!e && !tc_str_eq(server->lister, identity))
        server->lister = tc_upstream_set_text(&server->lister_arena, identity);
    return e;
}

static enum tc_err fail_nobody(struct tc_cx *cx, const struct tc_upstream *server)
{
    tc_fail(cx, TC_E_MCP_LOGIN_REQUIRED, "The server \"%.*s\" wants a login of each agent, and none has one.",
            TC_STR_ARG(server->row.name));
    return tc_fail_hint(cx, "toolcrib mcp login %.*s --agent AGENT", TC_STR_ARG(server->row.name));
}

/* By identity, so that a login that is for all comes first. One that the server does not
 * take any more is passed over. */
static enum tc_err list_as_any(struct tc_cx *cx, struct tc_upstream *server, enum tc_source_kind kind,
                               const struct tc_json **ret_entries)
{
    struct tc_logins *logins = server->owner->options.logins;
    struct tc_login_info *all;
    size_t n, tried = 0;
    enum tc_err e = logins->ops->all(cx, logins, server->row.name, &all, &n);

    if (e)
        return e;
    for (size_t i = 0; i < n; i++) {
        if (all[i].kind != TC_LOGIN_ACTIVE)
            continue;
        tried++;
        e = list_as(cx, server, kind, all[i].identity, ret_entries);
        if (e != TC_E_MCP_LOGIN_REQUIRED)
            return e;
    }
    if (tried)
        return e;
    e = list_as(cx, server, kind, TC_STR(""), ret_entries); /* it may want none for that */
    return e == TC_E_MCP_LOGIN_REQUIRED ? fail_nobody(cx, server) : e;
}

enum tc_err tc_upstream_list(struct tc_cx *cx, struct tc_upstream *server, enum tc_source_kind kind,
                             const struct tc_json **ret_entries)
{
    if (server->rules.grant_each && server->owner->options.logins)
        return list_as_any(cx, server, kind, ret_entries);
    return list_as(cx, server, kind, TC_STR(""), ret_entries);
}
