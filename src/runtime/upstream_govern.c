/*
 * Governance of definitions: what a fresh list means for what was approved. Pure.
 */
#include "catalog/descriptor.h"
#include "json/edit.h"
#include "runtime/upstream.h"

enum { TOOLS_MAX = 10000 };

enum tc_permission tc_upstream_permission(const struct tc_upstream *server, const struct tc_definition_row *row)
{
    struct tc_upstream_tool_rules own = tc_upstream_rules_tool(&server->rules, row->name);
    enum tc_permission permission = server->rules.permission;

    if (own.has_permission)
        return own.permission;
    if (row->permission.n)
        tc_permission_of(row->permission, &permission);
    return permission;
}

static void judge(const struct tc_upstream *server, const struct tc_definition_row *former, bool first,
                  struct tc_definition_row *row)
{
    if (former) {
        row->permission = former->permission;
        row->approved = former->approved;
        row->approved_entry = former->approved_entry;
        if (tc_str_eq(row->definition, former->approved) || server->rules.quarantine_changes)
            return;
    } else if (!first) {
        row->permission = tc_str_of(tc_permission_name(server->rules.new_tools));
    }
    row->approved = row->definition;
    row->approved_entry = row->entry;
}

static enum tc_err row_of(struct tc_cx *cx, const struct tc_upstream *server, const struct tc_json *entry,
                          struct tc_definition_row *ret)
{
    struct tc_descriptor *descriptor;
    enum tc_err e = tc_descriptor_of_mcp(cx, server->row.uuid, server->row.name, entry, &descriptor);

    if (e)
        return e;
    *ret = (struct tc_definition_row){
        .server = server->row.uuid,
        .name = tc_arena_dup(cx->arena, descriptor->parts.native),
        .entry = tc_json_text(cx->arena, entry),
        .definition = tc_arena_dup(cx->arena, tc_str_of(descriptor->definition)),
    };
    tc_descriptor_unref(descriptor);
    return ret->name.p && ret->entry.p && ret->definition.p ? TC_OK : tc_fail_memory(cx);
}

/* The rows of a fresh list, each name once. */
static enum tc_err take_list(struct tc_cx *cx, const struct tc_upstream *server, const struct tc_json *list,
                             struct tc_definition_row *rows, size_t *ret_n)
{
    struct tc_json_iter it = tc_json_iter(list);
    struct tc_map seen = {0};
    const struct tc_json *entry;
    struct tc_str key;
    size_t n = 0;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, &key, &entry)) {
        e = row_of(cx, server, entry, &rows[n]);
        if (e == TC_E_NO_MEMORY)
            break;
        if (e || tc_map_get(&seen, rows[n].name)) { /* no usable name, or one given twice: the first stands */
            tc_fail_clear(cx);
            e = TC_OK;
            continue;
        }
        if (!tc_map_put(&seen, rows[n].name, &rows[n]))
            e = tc_fail_memory(cx);
        n++;
    }
    tc_map_finish(&seen);
    *ret_n = n;
    return e;
}

enum tc_err tc_upstream_govern(struct tc_cx *cx, const struct tc_upstream *server, const struct tc_json *list,
                               bool first, int64_t now, struct tc_definition_row **ret_rows, size_t *ret_n)
{
    size_t max = tc_json_count(list) + server->tools_n, n = 0, fresh;
    struct tc_definition_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_definition_row, max + 1);
    struct tc_map known = {0};
    enum tc_err e;

    if (!rows)
        return tc_fail_memory(cx);
    if (tc_json_count(list) > TOOLS_MAX)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server lists %zu tools; at most %d are taken.", tc_json_count(list),
                       TOOLS_MAX);
    e = take_list(cx, server, list, rows, &fresh);
    for (size_t i = 0; !e && i < server->tools_n; i++)
        if (!tc_map_put(&known, server->tools[i].name, &server->tools[i]))
            e = tc_fail_memory(cx);
    for (n = 0; !e && n < fresh; n++) {
        judge(server, tc_map_remove(&known, rows[n].name), first, &rows[n]);
        rows[n].seen_at = now;
    }
    for (size_t i = 0; !e && i < server->tools_n; i++) { /* in their order */
        if (!tc_map_get(&known, server->tools[i].name))
            continue;
        rows[n] = server->tools[i];
        rows[n++].absent = true;
    }
    tc_map_finish(&known);
    if (e)
        return e;
    *ret_rows = rows;
    *ret_n = n;
    return TC_OK;
}

/* The entry with the operator's description, where there is one. */
static enum tc_err entry_of(struct tc_cx *cx, const struct tc_definition_row *row, struct tc_str description,
                            const struct tc_json **ret)
{
    const struct tc_str key = TC_STR("description");
    struct tc_str text;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e = tc_json_parse_root(cx, row->entry, NULL, ret);

    if (e || description.n == 0)
        return e;
    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_str(&w, description);
    text = buf.failed ? tc_str_n(NULL, 0) : tc_json_edited(cx->arena, *ret, &key, 1, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return text.p ? tc_json_parse_root(cx, text, NULL, ret) : tc_fail_memory(cx);
}

static enum tc_err tool_of(struct tc_cx *cx, const struct tc_upstream *server, const struct tc_definition_row *row,
                           struct tc_registry_tool *ret)
{
    struct tc_upstream_tool_rules own = tc_upstream_rules_tool(&server->rules, row->name);
    const struct tc_json *entry;
    enum tc_err e = entry_of(cx, row, own.description, &entry);

    if (!e)
        e = tc_descriptor_of_mcp(cx, server->row.uuid, server->row.name, entry, &ret->descriptor);
    if (e)
        return e;
    if (row->definition.n < sizeof ret->descriptor->definition) { /* nobody has it yet; approved is what it was */
        memset(ret->descriptor->definition, 0, sizeof ret->descriptor->definition);
        memcpy(ret->descriptor->definition, row->definition.p, row->definition.n);
    }
    ret->permission = tc_upstream_permission(server, row);
    ret->newcomer = row->permission.n && !own.has_permission;
    ret->excluded = !tc_upstream_rules_include(server->config, row->name);
    ret->detail = TC_STR("");
    if (ret->descriptor->schema_fault.n) {
        ret->quarantined = true;
        ret->detail = ret->descriptor->schema_fault;
    } else if (!tc_str_eq(row->definition, row->approved)) {
        ret->quarantined = true;
        ret->detail = TC_STR("its definition changed after it was approved; compare and approve it.");
    }
    return TC_OK;
}

enum tc_err tc_upstream_publish(struct tc_cx *cx, struct tc_upstream *server)
{
    struct tc_registry *registry = server->owner->options.registry;
    struct tc_registry_tool *tools = TC_ARENA_NEW_N(cx->arena, struct tc_registry_tool, server->tools_n + 1);
    enum tc_server_state health = server->row.paused                 ? TC_SERVER_PAUSED
                                  : strcmp(server->state, "down") == 0 ? TC_SERVER_DOWN
                                                                      : TC_SERVER_UP;
    size_t n = 0;
    enum tc_err e = TC_OK;

    if (!tools)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < server->tools_n && !e; i++) {
        if (server->row.removed || server->tools[i].absent)
            continue;
        e = tool_of(cx, server, &server->tools[i], &tools[n]);
        if (!e)
            n++;
        else if (e != TC_E_NO_MEMORY) /* a row that no longer decodes costs that tool only */
            e = TC_OK;
    }
    if (!e)
        e = tc_registry_set_source(cx, registry, server->row.uuid, tools, n);
    if (!e)
        e = tc_registry_set_health(cx, registry, server->row.uuid, health, server->error);
    for (size_t i = 0; i < n; i++)
        tc_descriptor_unref(tools[i].descriptor);
    tc_pulse_beat(server->owner->options.pulse, TC_PULSE_SERVERS);
    return e;
}
