/*
 * toolcrib agent: agents as documents, and the changes that are made most.
 */
#include "cli/agent_preview.h"
#include "cli/input.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static const char defaults[] = "base,planning,interaction"; /* of an agent that names no toolsets (spec 3) */

static enum tc_err get(struct tc_cx *cx, struct tc_cli *cli, struct tc_str id, const struct tc_json **ret_agent)
{
    const struct tc_cli_query query[] = {{"id", id}, {NULL, {NULL, 0}}};

    return tc_cli_get(cx, cli, "/admin/agent/info", query, ret_agent);
}

static struct tc_str toolsets_of(struct tc_cx *cx, const struct tc_json *agent)
{
    const struct tc_json *toolsets = tc_json_get_c(agent, "toolsets");

    return toolsets ? tc_cli_join(cx->arena, toolsets) : tc_str_of(defaults);
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *agents, *agent;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/agent/all", NULL, &agents);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, agents);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "AGENT|NAME|TOOLSETS");
    for (it = tc_json_iter(agents); tc_json_next(&it, NULL, &agent);) {
        tc_cli_table_add(&table, tc_cli_member(cx->arena, agent, "id"));
        tc_cli_table_add(&table, tc_cli_member(cx->arena, agent, "name"));
        tc_cli_table_add(&table, toolsets_of(cx, agent));
    }
    return tc_cli_rows(cx, cli, &table);
}

/* Simple members one a line, then the tool settings. */
static enum tc_err print_agent(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *agent)
{
    struct tc_json_iter it = tc_json_iter(agent);
    const struct tc_json *value, *tools = tc_json_get_c(agent, "tools");
    struct tc_str key;

    if (cli->json) {
        tc_cli_json(cli, agent);
        return TC_OK;
    }
    while (tc_json_next(&it, &key, &value)) {
        char *name = tc_arena_cstr(cx->arena, key);
        if (!name)
            return tc_fail_memory(cx);
        if (!tc_str_is(key, "tools") && !tc_str_is(key, "toolsets") && !tc_str_is(key, "version"))
            tc_cli_field(cli, name, tc_cli_show(cx->arena, value));
    }
    tc_cli_field(cli, "toolsets", toolsets_of(cx, agent));
    tc_cli_field(cli, "disabled", tc_cli_join(cx->arena, tc_json_get_c(tools, "disabled")));
    tc_cli_field(cli, "allow", tc_cli_join(cx->arena, tc_json_get_c(tools, "allow")));
    tc_cli_field(cli, "permissions", tc_cli_member(cx->arena, tools, "permissions"));
    tc_cli_field(cli, "descriptions", tc_cli_member(cx->arena, tools, "descriptions"));
    tc_cli_field(cli, "version", tc_cli_member(cx->arena, agent, "version"));
    return TC_OK;
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *agent;
    enum tc_err e = get(cx, cli, tc_cli_operand(cli, 0), &agent);

    return e ? e : print_agent(cx, cli, agent);
}

static void write_labels(const struct tc_cli *cli, struct tc_jsonw *w)
{
    if (tc_cli_has(cli, "name"))
        tc_jsonw_kstr(w, "name", tc_cli_value(cli, "name"));
    if (tc_cli_has(cli, "description"))
        tc_jsonw_kstr(w, "description", tc_cli_value(cli, "description"));
    if (tc_cli_has(cli, "discovery"))
        tc_jsonw_kstr(w, "discovery", tc_cli_value(cli, "discovery"));
}

static bool changes_model(const struct tc_cli *cli)
{
    return tc_cli_has(cli, "channel") || tc_cli_has(cli, "model");
}

/* What is not said stays as it is stored; a model belongs to its channel and goes with
 * it. An empty one is taken out. */
static void write_model(const struct tc_cli *cli, const struct tc_json *stored, struct tc_jsonw *w)
{
    struct tc_str channel = tc_cli_value(cli, "channel"), model = tc_cli_value(cli, "model");

    if (!changes_model(cli))
        return;
    if (!channel.p) {
        channel = tc_json_str(tc_json_get_c(stored, "channel"));
    } else if (!model.p) {
        model = TC_STR("");
    }
    tc_jsonw_key(w, "model");
    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "channel", channel);
    tc_jsonw_kopt(w, "model", model);
    tc_jsonw_end(w);
}

static enum tc_err create(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_cli_names toolsets;
    const struct tc_json *agent;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    write_labels(cli, &body.w);
    if (tc_cli_has(cli, "toolsets")) {
        tc_cli_names_init(&toolsets, cx->arena);
        tc_cli_names_split(&toolsets, tc_cli_value(cli, "toolsets"));
        tc_cli_names_write(&toolsets, &body.w, "toolsets");
    }
    write_model(cli, NULL, &body.w);
    e = tc_cli_post(cx, cli, "/admin/agent/create", &body, &agent);
    return e ? e : print_agent(cx, cli, agent);
}

/* --- update --- */

struct change { /* of tools */
    struct tc_cli_names toolsets, disabled, allow;
    const struct tc_json *tools; /* as stored */
    struct tc_cli_names globs, permissions; /* set by this command; pairs; an empty permission takes out */
};

static enum tc_err read_toolsets(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *agent,
                                 struct change *c)
{
    const struct tc_json *stored = tc_json_get_c(agent, "toolsets");
    struct tc_str name;

    if (tc_cli_has(cli, "toolsets"))
        tc_cli_names_split(&c->toolsets, tc_cli_value(cli, "toolsets"));
    else if (stored)
        tc_cli_names_take(&c->toolsets, stored);
    else
        tc_cli_names_split(&c->toolsets, tc_str_of(defaults));
    for (size_t at = 0; tc_cli_next(cli, "add-toolset", &at, &name);)
        tc_cli_names_split(&c->toolsets, name);
    for (size_t at = 0; tc_cli_next(cli, "remove-toolset", &at, &name);)
        tc_cli_names_remove(&c->toolsets, name);
    return c->toolsets.failed ? tc_fail_memory(cx) : TC_OK;
}

/* What the list has in it already may be gone from the catalog. */
static enum tc_err id_of(struct tc_cx *cx, struct tc_cli *cli, struct tc_str tool, const struct tc_cli_names *known,
                         struct tc_str *ret_id)
{
    *ret_id = tool;
    if (tc_cli_names_has(known, tool))
        return TC_OK;
    return tc_cli_tool_id(cx, cli, tool, tc_cli_operand(cli, 0), ret_id);
}

static enum tc_err read_switches(struct tc_cx *cx, struct tc_cli *cli, struct change *c)
{
    const struct tc_json *allow = tc_json_get_c(c->tools, "allow");
    struct tc_str tool, id;
    enum tc_err e = TC_OK;

    tc_cli_names_take(&c->disabled, tc_json_get_c(c->tools, "disabled"));
    tc_cli_names_take(&c->allow, allow);
    for (size_t at = 0; !e && tc_cli_next(cli, "enable", &at, &tool);) {
        e = id_of(cx, cli, tool, &c->disabled, &id);
        if (e)
            break;
        tc_cli_names_remove(&c->disabled, id);
        if (allow) /* where there is one, what is not in it is off */
            tc_cli_names_add(&c->allow, id);
    }
    for (size_t at = 0; !e && tc_cli_next(cli, "disable", &at, &tool);) {
        e = id_of(cx, cli, tool, &c->disabled, &id);
        if (!e)
            tc_cli_names_add(&c->disabled, id);
    }
    return e ? e : c->disabled.failed || c->allow.failed ? tc_fail_memory(cx) : TC_OK;
}

/* TOOL=allow|ask|off, TOOL= ; TOOL may be a pattern. */
static enum tc_err read_permissions(struct tc_cx *cx, struct tc_cli *cli, struct change *c)
{
    struct tc_str text, tool, permission;
    enum tc_err e = TC_OK;

    for (size_t at = 0; !e && tc_cli_next(cli, "permission", &at, &text);) {
        size_t equals = text.n;
        while (equals > 0 && text.p[equals - 1] != '=')
            equals--;
        if (equals < 2)
            return tc_fail(cx, TC_E_USAGE, "--permission takes TOOL=allow, TOOL=ask, TOOL=off or TOOL=.");
        tool = tc_str_n(text.p, equals - 1);
        permission = tc_str_from(text, equals);
        if (permission.n && !tc_str_is(permission, "allow") && !tc_str_is(permission, "ask") &&
            !tc_str_is(permission, "off"))
            return tc_fail(cx, TC_E_USAGE, "A permission is allow, ask or off, not \"%.*s\".", TC_STR_ARG(permission));
        if (tc_str_chr(tool, '*') == SIZE_MAX && tc_str_chr(tool, '?') == SIZE_MAX &&
            !tc_json_get(tc_json_get_c(c->tools, "permissions"), tool))
            e = tc_cli_tool_id(cx, cli, tool, tc_cli_operand(cli, 0), &tool);
        if (e)
            return e;
        if (tc_cli_names_has(&c->globs, tool))
            return tc_fail(cx, TC_E_USAGE, "--permission is given twice for \"%.*s\".", TC_STR_ARG(tool));
        tc_cli_names_add(&c->globs, tool);
        c->permissions.items = c->permissions.items ? c->permissions.items
                                                    : TC_ARENA_NEW_N(cx->arena, struct tc_str, cli->given_n);
        if (!c->permissions.items)
            return tc_fail_memory(cx);
        c->permissions.items[c->permissions.n++] = permission;
    }
    return c->globs.failed ? tc_fail_memory(cx) : TC_OK;
}

static void write_permissions(const struct change *c, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(c->tools, "permissions"));
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_key(w, "permissions");
    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_cli_names_has(&c->globs, key))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    for (size_t i = 0; i < c->globs.n; i++) {
        if (c->permissions.items[i].n == 0)
            continue;
        tc_jsonw_key_str(w, c->globs.items[i]);
        tc_jsonw_str(w, c->permissions.items[i]);
    }
    tc_jsonw_end(w);
}

static void write_tools(const struct change *c, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(c->tools);
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_key(w, "tools");
    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "disabled") || tc_str_is(key, "allow") || tc_str_is(key, "permissions"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    if (c->disabled.n)
        tc_cli_names_write(&c->disabled, w, "disabled");
    if (tc_json_get_c(c->tools, "allow"))
        tc_cli_names_write(&c->allow, w, "allow");
    if (c->globs.n || tc_json_get_c(c->tools, "permissions"))
        write_permissions(c, w);
    tc_jsonw_end(w);
}

static bool changes_toolsets(const struct tc_cli *cli)
{
    return tc_cli_has(cli, "toolsets") || tc_cli_has(cli, "add-toolset") || tc_cli_has(cli, "remove-toolset");
}

static bool changes_tools(const struct tc_cli *cli)
{
    return tc_cli_has(cli, "enable") || tc_cli_has(cli, "disable") || tc_cli_has(cli, "permission");
}

static enum tc_err read_change(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *agent, struct change *c)
{
    enum tc_err e;

    *c = (struct change){.tools = tc_json_get_c(agent, "tools")};
    tc_cli_names_init(&c->toolsets, cx->arena);
    tc_cli_names_init(&c->disabled, cx->arena);
    tc_cli_names_init(&c->allow, cx->arena);
    tc_cli_names_init(&c->globs, cx->arena);
    e = read_toolsets(cx, cli, agent, c);
    if (!e)
        e = read_switches(cx, cli, c);
    return e ? e : read_permissions(cx, cli, c);
}

static enum tc_err update(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str id = tc_cli_operand(cli, 0);
    const struct tc_json *agent;
    struct tc_cli_body body;
    struct change c;
    enum tc_err e;

    if (!changes_toolsets(cli) && !changes_tools(cli) && !changes_model(cli) && !tc_cli_has(cli, "name") &&
        !tc_cli_has(cli, "description") && !tc_cli_has(cli, "discovery")) {
        tc_fail(cx, TC_E_USAGE, "Say what to change.");
        return tc_fail_hint(cx, "toolcrib agent update --help lists the options.");
    }
    e = get(cx, cli, id, &agent);
    if (!e)
        e = read_change(cx, cli, agent, &c);
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", id);
    write_labels(cli, &body.w);
    write_model(cli, tc_json_get_c(agent, "model"), &body.w);
    if (changes_toolsets(cli))
        tc_cli_names_write(&c.toolsets, &body.w, "toolsets");
    if (changes_tools(cli))
        write_tools(&c, &body.w);
    tc_jsonw_kvalue(&body.w, "version", tc_json_get_c(agent, "version"));
    e = tc_cli_post(cx, cli, "/admin/agent/update", &body, &agent);
    return e ? e : print_agent(cx, cli, agent);
}

/* --- documents --- */

static enum tc_err remove_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/agent/remove", tc_cli_operand(cli, 0), &answer);

    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Removed agent %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

/* The document as apply takes it: without its version here. */
static enum tc_err export(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *agent, *value;
    struct tc_json_iter it;
    struct tc_jsonw w;
    struct tc_buf buf;
    struct tc_str key;
    enum tc_err e = get(cx, cli, tc_cli_operand(cli, 0), &agent);

    if (e)
        return e;
    tc_buf_init(&buf, 64 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (it = tc_json_iter(agent); tc_json_next(&it, &key, &value);)
        if (!tc_str_is(key, "version") && !tc_str_is(key, "updatedBy")) {
            tc_jsonw_key_str(&w, key);
            tc_jsonw_value(&w, value);
        }
    tc_jsonw_end(&w);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &agent);
    tc_buf_finish(&buf);
    if (e)
        return e;
    tc_json_print_pretty(&cli->out, agent);
    tc_cli_print(cli, "\n");
    return TC_OK;
}

static enum tc_err apply(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *document, *value;
    struct tc_cli_body body;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err e = tc_cli_read_json(cx, tc_cli_operand(cli, 0), &document);

    if (!e && !tc_json_is(document, TC_JSON_OBJECT))
        e = tc_fail(cx, TC_E_AGENT_INVALID, "An agent is a JSON object, not %s.",
                    tc_json_type_name(tc_json_type(document)));
    if (e)
        return e;
    tc_cli_body_init(&body);
    for (it = tc_json_iter(document); tc_json_next(&it, &key, &value);) {
        tc_jsonw_key_str(&body.w, key);
        tc_jsonw_value(&body.w, value);
    }
    e = tc_cli_post(cx, cli, "/admin/agent/apply", &body, &document);
    return e ? e : print_agent(cx, cli, document);
}

static const struct tc_cli_option create_options[] = {
    {"toolsets", "A,B", "Toolsets (default: base,planning,interaction)", false},
    {"name", "TEXT", "Name shown to people", false},
    {"description", "TEXT", "What the agent is for", false},
    {"discovery", "WHEN", "Offer tools of servers after a search: auto, on or off", false},
    {"channel", "CHANNEL", "Its runs reach their model through this channel", false},
    {"model", "MODEL", "Its runs have this model", false},
};

static const struct tc_cli_option update_options[] = {
    {"toolsets", "A,B", "These toolsets and no others", false},
    {"add-toolset", "NAME", "This toolset too", true},
    {"remove-toolset", "NAME", "Not this toolset", true},
    {"enable", "TOOL", "Give back a tool of its toolsets", true},
    {"disable", "TOOL", "Take a tool of its toolsets away", true},
    {"permission", "TOOL=P", "allow, ask or off; TOOL may be a pattern; empty takes it out", true},
    {"name", "TEXT", "Name shown to people", false},
    {"description", "TEXT", "What the agent is for", false},
    {"discovery", "WHEN", "Offer tools of servers after a search: auto, on or off", false},
    {"channel", "CHANNEL", "Its runs reach their model through this channel; empty takes it out", false},
    {"model", "MODEL", "Its runs have this model", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List all agents", NULL, 0, list},
    {"show", "ID", "Show one agent", NULL, 0, show},
    {"preview", "ID", "Show the prompt and the tools that a run of an agent begins with",
     TC_CLI_OPTIONS(tc_cli_agent_preview_options), tc_cli_agent_preview},
    {"create", "ID", "Make an agent", TC_CLI_OPTIONS(create_options), create},
    {"update", "ID", "Change toolsets, tools, permissions and model of an agent", TC_CLI_OPTIONS(update_options),
     update},
    {"remove", "ID", "Remove an agent and the names of its tools", NULL, 0, remove_one},
    {"export", "ID", "Print an agent as the document that apply takes", NULL, 0, export},
    {"apply", "FILE", "Make or replace an agent by a document (- is standard input)", NULL, 0, apply},
};

const struct tc_cli_command tc_cli_agent = {"agent", "See and change agents", NULL, TC_CLI_VERBS(verbs), false};
