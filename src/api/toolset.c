/*
 * /admin/toolset: the toolsets of the code and of servers, and composites of the
 * operator.
 */
#include "api/resolution.h"
#include "api/toolset_info.h"

/* What is looked up once for a list of toolsets. */
struct looking {
    struct tc_cx *cx;
    struct tc_api_call *call;
    const struct tc_catalog *catalog;
    const struct tc_toolsets *composites;
    struct tc_agent **agents;
    size_t agents_n;
    uint32_t *reached; /* by how many agents, by toolset of the catalog */
};

static enum tc_err look(struct tc_cx *cx, struct tc_api_call *call, struct looking *ret)
{
    struct looking x = {.cx = cx, .call = call, .catalog = tc_registry_get(call->runtime->registry).catalog,
                        .composites = tc_agents_toolsets(call->runtime->agents)};
    uint16_t *ranks = TC_ARENA_NEW_N(cx->arena, uint16_t, x.catalog->toolsets_n + 1);
    struct tc_str *unknown;
    size_t unknown_n;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &x.agents, &x.agents_n);

    x.reached = TC_ARENA_NEW_N(cx->arena, uint32_t, x.catalog->toolsets_n + 1);
    if (!e && (!ranks || !x.reached))
        return tc_fail_memory(cx);
    for (size_t i = 0; !e && i < x.agents_n; i++) {
        e = tc_toolset_expand(cx, x.catalog, x.composites, x.agents[i]->toolsets, x.agents[i]->toolsets_n, ranks,
                              &unknown, &unknown_n);
        for (size_t k = 0; !e && k < x.catalog->toolsets_n; k++)
            x.reached[k] += ranks[k] != 0;
    }
    if (!e)
        *ret = x;
    return e;
}

static bool lists(const struct tc_str *names, size_t n, struct tc_str name)
{
    for (size_t i = 0; i < n; i++)
        if (tc_str_eq(names[i], name))
            return true;
    return false;
}

static void write_includes(struct tc_jsonw *w, const struct looking *x, const struct tc_toolset_facts *facts)
{
    tc_jsonw_key(w, "includes");
    tc_jsonw_array(w);
    for (size_t i = 0; facts->composite && i < facts->composite->includes_n; i++)
        tc_jsonw_str(w, facts->composite->includes[i]);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "includedBy");
    tc_jsonw_array(w);
    for (size_t i = 0; i < x->composites->n; i++)
        if (lists(x->composites->items[i].includes, x->composites->items[i].includes_n, facts->name))
            tc_jsonw_str(w, x->composites->items[i].name);
    tc_jsonw_end(w);
}

static enum tc_err write_tools(struct tc_jsonw *w, const struct looking *x, const struct tc_toolset_facts *facts)
{
    const uint16_t *reached;
    int64_t n = 0;
    enum tc_err e = tc_toolset_reached(x->cx, x->call, facts, &reached);

    tc_jsonw_key(w, "toolIds");
    tc_jsonw_array(w);
    for (size_t i = 0; !e && i < x->catalog->n; i++)
        if (reached[x->catalog->toolset_of[i]]) {
            tc_jsonw_str(w, x->catalog->tools[i]->id);
            n++;
        }
    tc_jsonw_end(w);
    tc_jsonw_kint(w, "tools", n);
    return e;
}

/* Those that name it, and how many have it in one way or another. */
static enum tc_err write_agents(struct tc_jsonw *w, const struct looking *x, const struct tc_toolset_facts *facts)
{
    int64_t n = facts->index == SIZE_MAX ? 0 : x->reached[facts->index];
    enum tc_err e = TC_OK;

    tc_jsonw_key(w, "agents");
    tc_jsonw_array(w);
    for (size_t i = 0; !e && i < x->agents_n; i++) {
        const struct tc_agent *agent = x->agents[i];
        bool reaches = false;
        if (lists(agent->toolsets, agent->toolsets_n, facts->name))
            tc_jsonw_str(w, agent->id);
        if (facts->index == SIZE_MAX)
            e = tc_toolset_reaches(x->cx, x->composites, agent->toolsets, agent->toolsets_n, facts->name, &reaches);
        n += reaches;
    }
    tc_jsonw_end(w);
    tc_jsonw_kint(w, "reachedBy", n);
    return e;
}

static enum tc_err write_toolset(const struct looking *x, const struct tc_toolset_facts *facts)
{
    struct tc_jsonw *w = x->call->out;
    bool composite = facts->composite != NULL;
    enum tc_err e;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", facts->name);
    tc_jsonw_kcstr(w, "kind", composite                                ? "composite"
                              : strcmp(facts->source, "builtin") == 0 ? "builtin"
                                                                      : "source");
    tc_jsonw_kcstr(w, "source", facts->source);
    tc_jsonw_kstr(w, "label", facts->label);
    tc_jsonw_kstr(w, "title", composite ? facts->composite->title : facts->label);
    tc_jsonw_kstr(w, "description", facts->description);
    write_includes(w, x, facts);
    e = write_tools(w, x, facts);
    if (!e)
        e = write_agents(w, x, facts);
    tc_jsonw_kint(w, "version", tc_agents_toolset_version(x->call->runtime->agents, facts->name));
    tc_jsonw_kbool(w, "locked", !composite);
    tc_jsonw_end(w);
    return e;
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str *names;
    struct looking x;
    size_t n;
    enum tc_err e = tc_toolset_names(cx, call, &names, &n);

    if (!e)
        e = look(cx, call, &x);
    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n && !e; i++) {
        const struct tc_toolset_facts facts = tc_toolset_look(call, names[i]);
        e = write_toolset(&x, &facts);
    }
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    const struct tc_toolset_facts facts = tc_toolset_look(call, name);
    struct looking x;
    enum tc_err e;

    if (!facts.source || strcmp(facts.source, "all") == 0 || tc_str_is(name, TC_TOOLSET_RUNTIME)) {
        tc_fail(cx, TC_E_TOOLSET_NOT_FOUND, "There is no toolset \"%.*s\".", TC_STR_ARG(name));
        return tc_fail_hint(cx, "toolcrib toolset list shows them.");
    }
    e = look(cx, call, &x);
    return e ? e : write_toolset(&x, &facts);
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str name;
    enum tc_err e = tc_api_need(cx, call, "id", &name);

    return e ? e : answer(cx, call, name);
}

static enum tc_err save(struct tc_cx *cx, struct tc_api_call *call, bool create)
{
    struct tc_json_iter it = tc_json_iter(call->body);
    const struct tc_json *value;
    struct tc_str key, json;
    struct tc_buf buf;
    struct tc_jsonw w;
    int64_t version = 0;
    enum tc_err e;

    tc_json_int(tc_json_get_c(call->body, "version"), &version);
    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    while (tc_json_next(&it, &key, &value))
        if (!tc_str_is(key, "version")) {
            tc_jsonw_key_str(&w, key);
            tc_jsonw_value(&w, value);
        }
    tc_jsonw_end(&w);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!json.p)
        return tc_fail_memory(cx);
    e = tc_agents_save_toolset(cx, call->runtime->agents, json, create, version);
    return e ? e : answer(cx, call, tc_api_field(call, "name"));
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    return save(cx, call, true);
}

static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    return save(cx, call, false);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    enum tc_err e = tc_agents_remove_toolset(cx, call->runtime->agents, tc_api_field(call, "id"));

    if (!e)
        tc_api_done(call);
    return e;
}

#define DOCUMENT_INPUT                                                                                                 \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":"  \
    "\"string\"},\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"includes\":{\"type\":"        \
    "\"array\",\"items\":{\"type\":\"string\"}},\"version\":{\"type\":\"integer\"}}}"

static const struct tc_api_param by_name[] = {{"id", true, "Its name", NULL}, {0}};

static const struct tc_api_component components[] = {
    {"Toolset",
     "{name string, kind (builtin|source|composite), source (builtin|mcp|extension|host|composite), label string, "
     "title string, description string, includes [string], includedBy [string], tools integer, toolIds [string], "
     "agents [string], reachedBy integer, version integer, locked boolean}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/toolset/all"}, TC_API_VIEWER, "All toolsets", NULL, "[Toolset]", get_all},
    {{"GET", "/admin/toolset/info"}, TC_API_VIEWER, "One toolset", NULL, "Toolset", get_info,
     .query = by_name},
    {{"POST", "/admin/toolset/create"}, TC_API_OPERATOR, "Make a composite", DOCUMENT_INPUT, "Toolset", create},
    {{"POST", "/admin/toolset/update"}, TC_API_OPERATOR, "Replace a composite", DOCUMENT_INPUT, "Toolset", update},
    {{"POST", "/admin/toolset/remove"}, TC_API_OPERATOR, "Remove a composite",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
     "\"string\"}}}",
     "Done", remove_one},
};

const struct tc_api_resource tc_api_toolset = {"toolset", "Toolsets", routes,
                                               sizeof routes / sizeof *routes, components};
