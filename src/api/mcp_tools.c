/*
 * A tool as its server lists it, with what governance says of it: state, permission, traits,
 * and what a change of its definition means.
 */
#include "api/mcp_tools.h"

#include "api/mcp_changed.h"
#include "policy/definition.h"

enum { COMPARED_MAX = 256 * 1024 /* bytes of an entry: a larger one is a bad schema */ };

struct tool {
    const struct tc_server_info *server;
    const struct tc_definition_row *row;
    struct tc_str id;
    const struct tc_json *entry;       /* NULL: it no longer decodes */
    const struct tc_descriptor *known; /* in the catalog, or NULL */
    struct tc_upstream_tool_rules own;
};

static struct tool look(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_server_info *server,
                        const struct tc_definition_row *row)
{
    const struct tc_catalog *catalog = tc_registry_get(call->runtime->registry).catalog;
    struct tool tool = {.server = server, .row = row};
    size_t at;

    tool.id = tc_arena_printf(cx->arena, "mcp/%.*s:%.*s", TC_STR_ARG(server->row.uuid), TC_STR_ARG(row->name));
    at = tool.id.p ? tc_catalog_find(catalog, tool.id) : SIZE_MAX;
    tool.known = at == SIZE_MAX ? NULL : catalog->tools[at];
    tool.own = tc_upstream_rules_tool(&server->rules, row->name);
    return tool;
}

static bool is_held(const struct tool *tool)
{
    return !tool->row->absent && !tc_str_eq(tool->row->definition, tool->row->approved);
}

/* New until an operator has said something about it by name. */
static bool is_new(const struct tool *tool)
{
    return tool->row->permission.n && !tool->own.has_permission;
}

static const char *state_of(const struct tool *tool)
{
    if (tool->row->absent)
        return "absent";
    if (!tc_upstream_rules_include(tool->server->config, tool->row->name))
        return "excluded";
    if (tool->known && tool->known->schema_fault.n)
        return "badSchema";
    if (is_held(tool))
        return "changed";
    return is_new(tool) ? "new" : "approved";
}

static struct tc_str why(const struct tool *tool, const char *state)
{
    if (strcmp(state, "absent") == 0)
        return TC_STR("The server does not list it any more.");
    if (strcmp(state, "excluded") == 0)
        return TC_STR("The server's configuration leaves it out (include, exclude).");
    if (strcmp(state, "badSchema") == 0)
        return tool->known->schema_fault;
    if (strcmp(state, "changed") == 0)
        return TC_STR("Its definition is not the one that was approved.");
    if (strcmp(state, "new") == 0)
        return TC_STR("It appeared after the server was added; its permission is that of new tools.");
    return tc_str_n(NULL, 0);
}

/* --- permission and traits --- */

static void write_permission(struct tc_jsonw *w, const struct tool *tool)
{
    enum tc_permission effective = tool->server->rules.permission;
    struct tc_str given = tool->row->permission.n ? tool->row->permission : tc_str_n(NULL, 0);

    tc_permission_of(given, &effective);
    if (tool->own.has_permission) {
        effective = tool->own.permission;
        given = tc_str_of(tc_permission_name(effective));
    }
    if (!tc_upstream_rules_include(tool->server->config, tool->row->name))
        effective = TC_PERMISSION_OFF;
    tc_jsonw_kstr(w, "permission", given);
    tc_jsonw_kcstr(w, "effective", tc_permission_name(effective));
    tc_jsonw_kopt(w, "override", tool->own.description);
    if (tool->own.timeout_ms)
        tc_jsonw_kint(w, "timeoutMs", tool->own.timeout_ms);
}

/* With the defaults of MCP: a tool that says nothing may destroy. */
static void write_traits(struct tc_jsonw *w, const struct tool *tool)
{
    const struct tc_json *hints = tc_json_get_c(tool->entry, "annotations");
    bool read_only = tc_json_bool(tc_json_get_c(hints, "readOnlyHint"), false);

    tc_jsonw_key(w, "traits");
    tc_jsonw_object(w);
    tc_jsonw_kbool(w, "readOnly", read_only);
    tc_jsonw_kbool(w, "destructive", !read_only && tc_json_bool(tc_json_get_c(hints, "destructiveHint"), true));
    tc_jsonw_kbool(w, "idempotent", tc_json_bool(tc_json_get_c(hints, "idempotentHint"), false));
    tc_jsonw_kbool(w, "openWorld", tc_json_bool(tc_json_get_c(hints, "openWorldHint"), true));
    tc_jsonw_end(w);
}

/* --- what changed --- */

static void write_change(struct tc_jsonw *w, const struct tc_definition_change *change)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "kind", change->kind);
    tc_jsonw_kstr(w, "path", change->path);
    tc_jsonw_kvalue(w, "from", change->from);
    tc_jsonw_kvalue(w, "to", change->to);
    tc_jsonw_kcstr(w, "severity", tc_severity_name(change->severity));
    tc_jsonw_kbool(w, "orders", change->orders.n > 0);
    tc_jsonw_kstr(w, "phrase", change->orders.n ? change->orders : tc_str_n(NULL, 0));
    tc_jsonw_end(w);
}

static void write_changes(struct tc_cx *cx, struct tc_jsonw *w, const struct tool *tool, const struct tc_json *approved)
{
    struct tc_definition_change *changes;
    bool small = tool->row->entry.n <= COMPARED_MAX && tool->row->approved_entry.n <= COMPARED_MAX;
    size_t n = 0;

    if (approved && tool->entry && small && tc_definition_compare(cx, approved, tool->entry, &changes, &n))
        tc_fail_clear(cx);
    tc_jsonw_key(w, "changes");
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++)
        write_change(w, &changes[i]);
    tc_jsonw_end(w);
}

/* Also of a tool that is not held: hints are no part of what an approval covers. */
static void write_difference(struct tc_cx *cx, struct tc_jsonw *w, const struct tool *tool)
{
    const struct tc_json *approved = NULL;

    if (tool->row->absent || tc_str_eq(tool->row->entry, tool->row->approved_entry))
        return;
    if (tool->row->approved_entry.n && tc_json_parse_root(cx, tool->row->approved_entry, NULL, &approved))
        tc_fail_clear(cx);
    if (is_held(tool)) {
        tc_jsonw_kvalue(w, "now", tool->entry);
        tc_jsonw_kvalue(w, "approved", approved);
    }
    write_changes(cx, w, tool, approved);
}

/* --- the list --- */

static void write_tool(struct tc_cx *cx, struct tc_jsonw *w, struct tool *tool)
{
    const char *state = state_of(tool);

    if (tc_json_parse_root(cx, tool->row->entry, NULL, &tool->entry))
        tc_fail_clear(cx);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", tool->id);
    tc_jsonw_kstr(w, "name", tool->row->name);
    tc_jsonw_kstr(w, "title", tool->known && tool->known->title.n ? tool->known->title : tc_str_n(NULL, 0));
    tc_jsonw_kvalue(w, "description", tc_json_get_c(tool->entry, "description"));
    tc_jsonw_kcstr(w, "state", state);
    tc_jsonw_kstr(w, "why", why(tool, state));
    write_permission(w, tool);
    write_traits(w, tool);
    tc_jsonw_kstr(w, "definition", tool->row->definition);
    tc_jsonw_kstr(w, "approvedDefinition", tool->row->approved.n ? tool->row->approved : tc_str_n(NULL, 0));
    tc_api_time(w, "seenAt", tool->row->seen_at);
    write_difference(cx, w, tool);
}

void tc_api_mcp_write_tools(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *server)
{
    const struct tc_change_row *approvers = tc_mcp_changed_approvers(cx, call, server);

    tc_jsonw_array(call->out);
    for (size_t i = 0; i < server->tools_n; i++) {
        struct tool tool = look(cx, call, server, &server->tools[i]);
        write_tool(cx, call->out, &tool);
        tc_changed_made(call, "approvedBy", approvers ? &approvers[i] : NULL);
        tc_jsonw_end(call->out);
    }
    tc_jsonw_end(call->out);
}

struct tc_api_mcp_counts tc_api_mcp_count(struct tc_cx *cx, const struct tc_api_call *call,
                                          const struct tc_server_info *server)
{
    struct tc_api_mcp_counts counts = {0};

    for (size_t i = 0; i < server->tools_n; i++) {
        struct tool tool = look(cx, call, server, &server->tools[i]);
        const char *state = state_of(&tool);
        counts.present += !tool.row->absent;
        counts.absent += tool.row->absent;
        counts.held += is_held(&tool);
        if (!counts.first_held && is_held(&tool))
            counts.first_held = tool.row;
        counts.fresh += strcmp(state, "new") == 0;
        counts.excluded += strcmp(state, "excluded") == 0;
        counts.bad += strcmp(state, "badSchema") == 0;
    }
    return counts;
}
