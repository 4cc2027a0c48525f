/*
 * /admin/toolset: the toolsets of the code and of servers, and composites of the
 * operator.
 */
#include "api/changed.h"
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

static enum tc_err write_toolset(const struct looking *x, const struct tc_toolset_facts *facts,
                                 const struct tc_change_row *last)
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
    tc_changed_by(x->call, last);
    tc_jsonw_end(w);
    return e;
}

/* Asking who changed them parks: what is looked at is what is there afterwards. */
static enum tc_err write_toolsets(struct tc_cx *cx, struct tc_api_call *call, struct tc_str *names, size_t n)
{
    struct tc_change_row *last;
    struct looking x;
    enum tc_err e = TC_OK;

    for (size_t i = 0; !e && i < n; i++) {
        names[i] = tc_arena_dup(cx->arena, names[i]);
        e = names[i].p ? TC_OK : tc_fail_memory(cx);
    }
    if (!e)
        e = tc_changed_latest(cx, call, "toolset", names, n, &last);
    if (!e)
        e = look(cx, call, &x);
    for (size_t i = 0; !e && i < n; i++) {
        const struct tc_toolset_facts facts = tc_toolset_look(call, names[i]);
        if (facts.source)
            e = write_toolset(&x, &facts, &last[i]);
    }
    return e;
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str *names;
    size_t n;
    enum tc_err e = tc_toolset_names(cx, call, &names, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    e = write_toolsets(cx, call, names, n);
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_change_row *last;
    struct tc_toolset_facts facts;
    struct looking x;
    enum tc_err e = tc_changed_latest(cx, call, "toolset", &name, 1, &last);

    if (e)
        return e;
    facts = tc_toolset_look(call, name);
    if (!facts.source || strcmp(facts.source, "all") == 0 || tc_str_is(name, TC_TOOLSET_RUNTIME)) {
        tc_fail(cx, TC_E_TOOLSET_NOT_FOUND, "There is no toolset \"%.*s\".", TC_STR_ARG(name));
        return tc_fail_hint(cx, "toolcrib toolset list shows them.");
    }
    e = look(cx, call, &x);
    return e ? e : write_toolset(&x, &facts, last);
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str name;
    enum tc_err e = tc_api_need(cx, call, "id", &name);

    return e ? e : answer(cx, call, name);
}

/* --- changing --- */

static void write_document(struct tc_jsonw *w, const void *object)
{
    const struct tc_toolset *t = object;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", t->name);
    tc_jsonw_kopt(w, "title", t->title);
    tc_jsonw_kopt(w, "description", t->description);
    tc_jsonw_key(w, "includes");
    tc_jsonw_array(w);
    for (size_t i = 0; i < t->includes_n; i++)
        tc_jsonw_str(w, t->includes[i]);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* The composite as JSON; empty: there is none. */
static struct tc_str document_of(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name)
{
    const struct tc_toolsets *composites = tc_agents_toolsets(call->runtime->agents);

    for (size_t i = 0; i < composites->n; i++)
        if (tc_str_eq(composites->items[i].name, name))
            return tc_changed_document(cx, write_document, &composites->items[i]);
    return TC_STR("");
}

static enum tc_err save(struct tc_cx *cx, struct tc_api_call *call, bool create)
{
    static const char *const apart[] = {"version", NULL};
    struct tc_changed change = {
        .resource = "toolset", .action = create ? "create" : "update", .object = tc_api_field(call, "name")};
    struct tc_str json;
    int64_t version = 0;
    enum tc_err e = tc_api_document(cx, call, NULL, apart, &json);

    tc_json_int(tc_json_get_c(call->body, "version"), &version);
    if (e)
        return e;
    change.before = document_of(cx, call, change.object);
    e = tc_agents_save_toolset(cx, call->runtime->agents, json, create, version);
    if (e)
        return tc_changed_conflict(cx, call, e, answer, change.object);
    change.after = document_of(cx, call, change.object);
    change.version = tc_agents_toolset_version(call->runtime->agents, change.object);
    tc_changed_note(cx, call, &change);
    return answer(cx, call, change.object);
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
    struct tc_changed change = {.resource = "toolset", .action = "remove", .object = tc_api_field(call, "id")};
    enum tc_err e;

    change.before = document_of(cx, call, change.object);
    e = tc_agents_remove_toolset(cx, call->runtime->agents, change.object);
    if (e)
        return e;
    tc_changed_note(cx, call, &change);
    tc_api_done(call);
    return TC_OK;
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
     "agents [string], reachedBy integer, version integer, locked boolean, "
     "updatedBy UpdatedBy|null}"},
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
