/*
 * /admin/toolset: the toolsets of the code and of servers, and composites of the
 * operator.
 */
#include "api/api.h"

static int64_t count_tools(const struct tc_catalog *catalog, struct tc_str name)
{
    size_t at = tc_catalog_toolset(catalog, name);
    int64_t n = 0;

    for (size_t i = 0; at != SIZE_MAX && i < catalog->n; i++)
        n += catalog->toolset_of[i] == at;
    return n;
}

static void write_toolset(struct tc_api_call *call, const struct tc_toolset *t, const char *kind)
{
    struct tc_jsonw *w = call->out;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", t->name);
    tc_jsonw_kcstr(w, "kind", kind);
    tc_jsonw_kstr(w, "title", t->title);
    tc_jsonw_kstr(w, "description", t->description);
    tc_jsonw_key(w, "includes");
    tc_jsonw_array(w);
    for (size_t i = 0; i < t->includes_n; i++)
        tc_jsonw_str(w, t->includes[i]);
    tc_jsonw_end(w);
    tc_jsonw_kint(w, "tools", count_tools(tc_registry_get(call->runtime->registry).catalog, t->name));
    tc_jsonw_kint(w, "version", tc_agents_toolset_version(call->runtime->agents, t->name));
    tc_jsonw_end(w);
}

static bool is_builtin(struct tc_str name)
{
    for (size_t i = 0; i < tc_toolset_builtin_n; i++)
        if (tc_str_is(name, tc_toolset_builtin[i].name))
            return true;
    return false;
}

/* Calls fn for every toolset: those of the code, of sources, of the operator. */
static void each(struct tc_api_call *call, struct tc_str only)
{
    const struct tc_catalog *catalog = tc_registry_get(call->runtime->registry).catalog;
    const struct tc_toolsets *composites = tc_agents_toolsets(call->runtime->agents);
    struct tc_toolset t;

    for (size_t i = 0; i < tc_toolset_builtin_n; i++) {
        const struct tc_toolset_info *info = &tc_toolset_builtin[i];
        t = (struct tc_toolset){tc_str_of(info->name), tc_str_of(info->title), tc_str_of(info->description), NULL, 0};
        if (!only.n || tc_str_eq(only, t.name))
            write_toolset(call, &t, "builtin");
    }
    for (size_t i = 0; i < catalog->toolsets_n; i++) {
        t = (struct tc_toolset){catalog->toolsets[i], TC_STR(""), TC_STR(""), NULL, 0};
        if (!is_builtin(t.name) && (!only.n || tc_str_eq(only, t.name)))
            write_toolset(call, &t, "source");
    }
    for (size_t i = 0; i < composites->n; i++)
        if (!only.n || tc_str_eq(only, composites->items[i].name))
            write_toolset(call, &composites->items[i], "composite");
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    (void)cx;
    tc_jsonw_array(call->out);
    each(call, TC_STR(""));
    tc_jsonw_end(call->out);
    return TC_OK;
}

static bool known(const struct tc_api_call *call, struct tc_str name)
{
    return is_builtin(name) || tc_agents_toolset_version(call->runtime->agents, name) ||
           tc_catalog_toolset(tc_registry_get(call->runtime->registry).catalog, name) != SIZE_MAX;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    if (!known(call, name)) {
        tc_fail(cx, TC_E_TOOLSET_NOT_FOUND, "There is no toolset \"%.*s\".", TC_STR_ARG(name));
        return tc_fail_hint(cx, "toolcrib toolset list shows them.");
    }
    each(call, name);
    return TC_OK;
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
     "{name string, kind (builtin|source|composite), title string, description string, includes [string], "
     "tools integer, version integer}"},
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
