/*
 * A few tasks take the servers one after another, so that one that is slow to start
 * holds up no other. Names are given beforehand, in the order of the block.
 */
#include "api/mcp_import.h"

#include "api/mcp_changed.h"
#include "api/mcp_edit.h"
#include "json/edit.h"

enum { AT_A_TIME = 8 };

struct item {
    struct tc_str key, name;
    const struct tc_json *config;
    struct tc_arena arena; /* of what came of it */
    struct tc_changed change;
    enum tc_err e;
    struct tc_error fault;
    size_t tools;
    const char *plan; /* of a dry run; else NULL */
    struct tc_str line;
};

struct batch {
    struct tc_api_call *call;
    struct item *items;
    size_t n, next;
};

/* The agent's toolsets and that one, as JSON. */
static struct tc_str with_toolset(struct tc_cx *cx, const struct tc_agent *agent, struct tc_str toolset)
{
    struct tc_str json;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, 4 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_array(&w);
    for (size_t i = 0; i < agent->toolsets_n; i++)
        tc_jsonw_str(&w, agent->toolsets[i]);
    tc_jsonw_str(&w, toolset);
    tc_jsonw_end(&w);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return json;
}

enum tc_err tc_api_mcp_give(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str id, struct tc_str server)
{
    const struct tc_str key = TC_STR("toolsets");
    struct tc_str toolset = tc_arena_printf(cx->arena, "mcp-%.*s", TC_STR_ARG(server)), list, json;
    struct tc_changed change = {.resource = "agent", .action = "update", .object = id};
    struct tc_agents *agents = call->runtime->agents;
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, agents, id, &agent);

    for (size_t i = 0; !e && i < agent->toolsets_n; i++)
        if (tc_str_eq(agent->toolsets[i], toolset))
            return TC_OK;
    if (e || !toolset.p)
        return e ? e : tc_fail_memory(cx);
    list = with_toolset(cx, agent, toolset);
    if (!list.p)
        return tc_fail_memory(cx);
    json = tc_json_edited(cx->arena, tc_json_doc_root(agent->doc), &key, 1, list);
    if (!json.p)
        return tc_fail_memory(cx);
    change.before = tc_json_text(cx->arena, tc_json_doc_root(agent->doc));
    e = tc_agents_save(cx, agents, json, false, agent->version);
    if (!e)
        e = tc_agents_get(cx, agents, id, &agent);
    if (e)
        return e;
    change.version = agent->version;
    change.after = tc_json_text(cx->arena, tc_json_doc_root(agent->doc));
    tc_changed_note(cx, call, &change);
    return TC_OK;
}

/* --- adding --- */

static struct tc_server_spec spec_of(const struct batch *batch, const struct item *item)
{
    const struct tc_json *body = batch->call->body;

    return (struct tc_server_spec){
        .name = item->name,
        .label = item->key,
        .config = item->config,
        .permission = tc_api_field(batch->call, "permission"),
        .force = tc_json_bool(tc_json_get_c(body, "force"), false),
        .replace = tc_json_bool(tc_json_get_c(body, "replace"), false),
    };
}

static void add_one(struct tc_cx *cx, struct batch *batch, struct item *item)
{
    const struct tc_server_spec spec = spec_of(batch, item);
    struct tc_cx own = {.arena = &item->arena, .clock = cx->clock, .task = cx->task};
    struct tc_server_info info;

    item->e = tc_servers_add(&own, batch->call->runtime->servers, &spec, &info);
    item->fault = own.err;
    item->tools = item->e ? 0 : info.tools_n;
}

static void add_task(struct tc_cx *cx, void *arg)
{
    struct batch *batch = arg;

    while (batch->next < batch->n && tc_task_check(cx) == TC_OK)
        add_one(cx, batch, &batch->items[batch->next++]);
}

static enum tc_err add_all(struct tc_cx *cx, struct batch *batch)
{
    struct tc_task_group group;
    enum tc_err e = TC_OK, joined;

    tc_task_group_init(&group, batch->call->runtime->loop);
    for (int i = 0; i < AT_A_TIME && (size_t)i < batch->n && !e; i++)
        e = tc_task_spawn(cx, batch->call->runtime->loop, &group, "mcp import", add_task, batch);
    if (e)
        tc_task_group_cancel(&group, e);
    joined = tc_task_join(cx, &group);
    return e ? e : joined;
}

/* --- the batch --- */

static enum tc_err name_all(struct tc_cx *cx, struct batch *batch)
{
    struct tc_map taken = {0};
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < batch->n && !e; i++) {
        struct item *item = &batch->items[i];
        e = tc_servers_import_name(cx, batch->call->runtime->servers, item->key, &taken, &item->name);
        if (!e && !tc_map_put(&taken, item->name, &item->key))
            e = tc_fail_memory(cx);
        if (!e)
            e = tc_mcp_changed_begin_new(cx, batch->call, item->name, &item->change);
    }
    tc_map_finish(&taken);
    return e;
}

/* What cannot be read again was removed meanwhile by another, who is on record. */
static void note_all(struct tc_cx *cx, struct batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct item *item = &batch->items[i];

        item->change.action = "import";
        if (!item->e && tc_mcp_changed_note(cx, batch->call, &item->change))
            tc_fail_clear(cx);
    }
}

/* Agents are changed one after another: they have a version. */
static void give_all(struct tc_cx *cx, struct batch *batch)
{
    struct tc_str agent = tc_api_field(batch->call, "agent");

    for (size_t i = 0; agent.n && i < batch->n; i++) {
        struct item *item = &batch->items[i];
        if (item->e)
            continue;
        item->e = tc_api_mcp_give(cx, batch->call, agent, item->name);
        item->fault = cx->err;
        tc_fail_clear(cx);
    }
}

static void write_item(struct tc_jsonw *w, const struct item *item)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "key", item->key);
    tc_jsonw_kstr(w, "name", item->name);
    tc_jsonw_kbool(w, "added", !item->plan && item->e == TC_OK);
    tc_jsonw_kint(w, "tools", (int64_t)item->tools);
    if (item->plan)
        tc_jsonw_kcstr(w, "plan", item->plan);
    tc_jsonw_kopt(w, "line", item->line);
    if (item->e)
        tc_api_fault(w, "error", &item->fault);
    tc_jsonw_end(w);
}

static enum tc_err open_batch(struct tc_cx *cx, struct tc_api_call *call, struct batch *batch)
{
    const struct tc_json *block = tc_json_get_c(call->body, "mcpServers"), *config;
    struct tc_json_iter it = tc_json_iter(block);
    struct tc_str key;

    *batch = (struct batch){.call = call, .items = TC_ARENA_NEW_N(cx->arena, struct item, tc_json_count(block) + 1)};
    if (!batch->items)
        return tc_fail_memory(cx);
    while (tc_json_next(&it, &key, &config)) {
        struct item *item = &batch->items[batch->n++];
        *item = (struct item){.key = key, .name = TC_STR(""), .config = config, .line = TC_STR("")};
        tc_arena_init(&item->arena, 0);
    }
    return name_all(cx, batch);
}

/* Writes what came of it, unless that failed as a whole. */
static enum tc_err close_batch(struct tc_cx *cx, struct batch *batch, enum tc_err e)
{
    if (!e) {
        tc_jsonw_array(batch->call->out);
        for (size_t i = 0; i < batch->n; i++)
            write_item(batch->call->out, &batch->items[i]);
        tc_jsonw_end(batch->call->out);
    }
    for (size_t i = 0; i < batch->n; i++)
        tc_arena_finish(&batch->items[i].arena);
    return e ? e : tc_task_check(cx);
}

enum tc_err tc_api_mcp_import(struct tc_cx *cx, struct tc_api_call *call)
{
    struct batch batch;
    enum tc_err e = open_batch(cx, call, &batch);

    if (!e)
        e = add_all(cx, &batch);
    if (!e) {
        note_all(cx, &batch);
        give_all(cx, &batch);
    }
    return close_batch(cx, &batch, e);
}

/* --- a dry run --- */

static void plan_one(struct tc_cx *cx, struct batch *batch, struct item *item)
{
    const struct tc_server_spec spec = spec_of(batch, item);

    item->plan = "refuse";
    item->e = tc_api_mcp_may(cx, batch->call, item->name, item->config);
    if (item->e == TC_E_MCP_STDIO_REFUSED)
        item->line = cx->err.hint;
    else if (!item->e)
        item->e = tc_servers_plan(cx, batch->call->runtime->servers, &spec, &item->plan);
    item->fault = cx->err;
    tc_fail_clear(cx);
}

enum tc_err tc_api_mcp_import_plan(struct tc_cx *cx, struct tc_api_call *call)
{
    struct batch batch;
    enum tc_err e = open_batch(cx, call, &batch);

    for (size_t i = 0; !e && i < batch.n; i++)
        plan_one(cx, &batch, &batch.items[i]);
    return close_batch(cx, &batch, e);
}
