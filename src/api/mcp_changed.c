/*
 * The document of a server is what operators decide of it: no health, no tools, and
 * values of env and headers masked.
 */
#include "api/mcp_changed.h"

#include "api/mcp_config.h"

static void write_server(struct tc_jsonw *w, const void *object)
{
    const struct tc_server_info *s = object;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", s->row.name);
    tc_jsonw_kstr(w, "label", s->row.label);
    tc_jsonw_key(w, "config");
    tc_api_mcp_write_config(w, s->config, false);
    tc_jsonw_key(w, "settings");
    tc_jsonw_raw(w, s->row.settings.n ? s->row.settings : TC_STR("{}"));
    tc_jsonw_kbool(w, "paused", s->row.paused);
    tc_jsonw_end(w);
}

enum tc_err tc_mcp_changed_begin(struct tc_cx *cx, const struct tc_api_call *call, const char *action,
                                 struct tc_str id, struct tc_changed *ret_change)
{
    struct tc_server_info info;
    enum tc_err e = tc_servers_get(cx, call->runtime->servers, id, &info);

    if (!e)
        *ret_change = (struct tc_changed){.resource = "mcp",
                                          .action = action,
                                          .object = info.row.name,
                                          .version = info.row.version,
                                          .before = tc_changed_document(cx, write_server, &info)};
    return e;
}

enum tc_err tc_mcp_changed_begin_new(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name,
                                     struct tc_changed *ret_change)
{
    enum tc_err e = tc_mcp_changed_begin(cx, call, "create", name, ret_change);

    if (e != TC_E_MCP_SERVER_NOT_FOUND)
        return e;
    tc_fail_clear(cx);
    *ret_change = (struct tc_changed){.resource = "mcp", .action = "create", .object = name};
    return TC_OK;
}

enum tc_err tc_mcp_changed_note(struct tc_cx *cx, const struct tc_api_call *call, struct tc_changed *change)
{
    struct tc_server_info info;
    enum tc_err e;

    tc_task_shield(cx); /* it was done, whether the caller waits or not */
    e = tc_servers_get(cx, call->runtime->servers, change->object, &info);
    tc_task_unshield(cx);
    if (e)
        return e;
    change->version = info.row.version;
    change->after = tc_changed_document(cx, write_server, &info);
    if (!tc_str_eq(change->before, change->after))
        tc_changed_note(cx, call, change);
    return TC_OK;
}

/* --- approvals --- */

struct approval {
    const struct tc_server_info *info;
    struct tc_str tool;
    bool after;
};

static void write_approval(struct tc_jsonw *w, const void *object)
{
    const struct approval *a = object;

    tc_jsonw_object(w);
    tc_jsonw_key(w, "approved");
    tc_jsonw_object(w);
    for (size_t i = 0; i < a->info->tools_n; i++) {
        const struct tc_definition_row *tool = &a->info->tools[i];
        struct tc_str hash = a->after ? tool->definition : tool->approved;

        if (tool->absent || tc_str_eq(tool->definition, tool->approved) ||
            (a->tool.n && !tc_str_eq(a->tool, tool->name)))
            continue;
        tc_jsonw_key_str(w, tool->name);
        tc_jsonw_str(w, hash.n ? hash : tc_str_n(NULL, 0));
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

enum tc_err tc_mcp_changed_approval(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str id,
                                    struct tc_str tool, struct tc_changed *ret_change)
{
    struct tc_server_info info;
    struct approval approval = {&info, tool, false};
    enum tc_err e = tc_servers_get(cx, call->runtime->servers, id, &info);

    if (e)
        return e;
    *ret_change = (struct tc_changed){
        .resource = "mcp", .action = "approve", .object = info.row.name, .version = info.row.version};
    ret_change->before = tc_changed_document(cx, write_approval, &approval);
    approval.after = true;
    ret_change->after = tc_changed_document(cx, write_approval, &approval);
    return TC_OK;
}

/* Takes what one approval says of tools that have none yet; how many it is. */
static size_t take_approval(struct tc_cx *cx, const struct tc_server_info *server, const struct tc_change_row *row,
                            struct tc_change_row *approvers)
{
    const struct tc_json *root, *approved = NULL;
    size_t n = 0;

    if (tc_json_parse_root(cx, row->after, NULL, &root) == TC_OK)
        approved = tc_json_get_c(root, "approved");
    tc_fail_clear(cx);
    for (size_t i = 0; i < server->tools_n; i++) {
        const struct tc_definition_row *tool = &server->tools[i];
        struct tc_str hash = tc_json_str(tc_json_get(approved, tool->name));

        if (approvers[i].id.n || !hash.n || !tc_str_eq(hash, tool->approved))
            continue;
        approvers[i] = *row;
        n++;
    }
    return n;
}

const struct tc_change_row *tc_mcp_changed_approvers(struct tc_cx *cx, const struct tc_api_call *call,
                                                     const struct tc_server_info *server)
{
    enum { LATEST = 50 };
    const struct tc_store_changes_filter filter = {
        .resource = TC_STR("mcp"), .object = server->row.name, .action = TC_STR("approve")};
    const struct tc_store_page page = {.page = 1, .size = LATEST, .descending = true, .uncounted = true};
    struct tc_change_row *approvers = TC_ARENA_NEW_N(cx->arena, struct tc_change_row, server->tools_n + 1), *rows, row;
    struct tc_store *store = call->runtime->store;
    size_t n = 0, left = server->tools_n;
    int64_t total;
    enum tc_err e = approvers ? store->changes->page(cx, store, &page, &filter, &rows, &n, &total) : TC_OK;

    for (size_t i = 0; !e && i < n && left; i++) {
        e = store->changes->get(cx, store, rows[i].id, &row);
        if (!e)
            left -= take_approval(cx, server, &row, approvers);
    }
    tc_fail_clear(cx);
    return approvers;
}

/* --- logins --- */

static void write_login(struct tc_jsonw *w, const void *object)
{
    const struct tc_str *agent = object;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "agent", agent->n ? *agent : tc_str_n(NULL, 0));
    tc_jsonw_end(w);
}

void tc_mcp_changed_login(struct tc_cx *cx, const struct tc_api_call *call, const char *action, struct tc_str server,
                          struct tc_str agent)
{
    struct tc_changed change = {.resource = "mcp", .action = action, .object = server};

    change.after = tc_changed_document(cx, write_login, &agent);
    tc_changed_note(cx, call, &change);
}
