/*
 * Approving definitions, and what an approval of a call changes for good.
 */
#include "runtime/servers.h"

#include "runtime/servers_impl.h"

/* Marks what the approval means in a copy of the server's tools. */
static enum tc_err approve_rows(struct tc_cx *cx, const struct tc_upstream *server,
                                const struct tc_servers_approval *approval, struct tc_definition_row **ret_rows)
{
    struct tc_definition_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_definition_row, server->tools_n + 1);
    bool found = approval->tool.n == 0;

    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < server->tools_n; i++) {
        rows[i] = server->tools[i];
        if (approval->tool.n && !tc_str_eq(rows[i].name, approval->tool))
            continue;
        if (approval->definition.n && !tc_str_eq(rows[i].definition, approval->definition)) {
            tc_fail(cx, TC_E_STORE_CONFLICT, "The definition of \"%.*s\" has changed again; nothing was approved.",
                    TC_STR_ARG(rows[i].name));
            return tc_fail_hint(cx, "Look at the present one first.");
        }
        found = true;
        rows[i].approved = rows[i].definition;
        rows[i].approved_entry = rows[i].entry;
        if (approval->tool.n)
            rows[i].permission = TC_STR(""); /* named: it is one of the server's like the others now */
    }
    if (!found)
        return tc_fail(cx, TC_E_TOOL_NOT_FOUND, "The server \"%.*s\" has no tool \"%.*s\".",
                       TC_STR_ARG(server->row.name), TC_STR_ARG(approval->tool));
    *ret_rows = rows;
    return TC_OK;
}

enum tc_err tc_servers_approve(struct tc_cx *cx, struct tc_servers *servers, const struct tc_servers_approval *approval)
{
    struct tc_store *store = servers->options.store;
    struct tc_upstream *server;
    struct tc_definition_row *rows;
    enum tc_err e = tc_upstream_lookup(cx, servers, approval->name, &server);

    if (!e)
        e = tc_upstream_lock(cx, server);
    if (e)
        return e;
    e = approve_rows(cx, server, approval, &rows);
    if (!e)
        e = store->servers->put_definitions(cx, store, rows, server->tools_n);
    if (!e)
        e = tc_upstream_set_tools(cx, server, rows, server->tools_n);
    if (!e)
        e = tc_upstream_publish(cx, server);
    if (!e)
        tc_upstream_say(server, "info", "approval", approval->tool.n ? approval->tool : TC_STR("all tools"));
    tc_upstream_unlock(server);
    return e;
}

/* --- one tool --- */

static enum tc_permission permission_of(const struct tc_upstream *server, struct tc_str name)
{
    for (size_t i = 0; i < server->tools_n; i++)
        if (tc_str_eq(server->tools[i].name, name))
            return tc_upstream_permission(server, &server->tools[i]);
    return TC_PERMISSION_OFF;
}

enum tc_err tc_servers_permit(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid, struct tc_str tool)
{
    const struct tc_str path[] = {TC_STR("tools"), tool, TC_STR("permission")};
    struct tc_upstream *server;
    struct tc_server_row row;
    enum tc_err e = tc_servers_take(cx, servers, uuid, &server);

    if (e)
        return e;
    row = server->row;
    if (permission_of(server, tool) == TC_PERMISSION_ASK) {
        e = tc_servers_with_member(cx, row.settings, path, 3, TC_STR("\"allow\""), &row.settings);
        if (!e)
            e = tc_servers_commit(cx, server, row, 0);
        if (!e)
            e = tc_upstream_publish(cx, server);
    }
    tc_upstream_unlock(server);
    return e;
}
