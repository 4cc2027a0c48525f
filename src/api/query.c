/*
 * A query is read as an object of strings, integers and booleans, so that it is checked as
 * a body is and refused in the same words.
 */
#include "api/query.h"

#include "base/percent.h"

enum { QUERY_MAX = 1024 * 1024, FAULTS = 5 };

const struct tc_api_param tc_api_by_id[] = {{"id", true, "Which one", NULL}, {0}};

static const struct tc_api_param as_agent = {"agent", false, "In the name of which agent, for an admin", NULL};

static bool takes_any(const struct tc_api_route *route)
{
    for (const struct tc_api_param *at = route->query; at && at->name; at++)
        if (strcmp(at->name, "*") == 0)
            return true;
    return false;
}

const struct tc_api_param *tc_api_param_at(const struct tc_api_route *route, size_t i)
{
    for (const struct tc_api_param *at = route->query; at && at->name; at++)
        if (strcmp(at->name, "*") != 0 && i-- == 0)
            return at;
    return route->access == TC_API_AGENT && i == 0 ? &as_agent : NULL;
}

static void write_schema(struct tc_jsonw *w, const struct tc_api_route *route)
{
    const struct tc_api_param *param;

    tc_jsonw_object(w);
    tc_jsonw_kbool(w, "additionalProperties", takes_any(route));
    tc_jsonw_key(w, "required");
    tc_jsonw_array(w);
    for (size_t i = 0; (param = tc_api_param_at(route, i)); i++)
        if (param->required)
            tc_jsonw_cstr(w, param->name);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "properties");
    tc_jsonw_object(w);
    for (size_t i = 0; (param = tc_api_param_at(route, i)); i++) {
        tc_jsonw_key(w, param->name);
        tc_jsonw_raw(w, tc_str_of(param->schema ? param->schema : TC_API_STRING));
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

enum tc_err tc_api_query_compile(struct tc_cx *cx, const struct tc_api_route *route, struct tc_schema **ret_schema)
{
    const struct tc_json *root;
    struct tc_jsonw w;
    struct tc_buf buf;
    enum tc_err e;

    tc_buf_init(&buf, QUERY_MAX);
    tc_jsonw_init(&w, &buf);
    write_schema(&w, route);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &root);
    if (!e)
        e = tc_schema_compile(cx, root, NULL, ret_schema);
    tc_buf_finish(&buf);
    return e;
}

static const struct tc_api_param *find(const struct tc_api_route *route, struct tc_str name)
{
    const struct tc_api_param *param = NULL;

    for (size_t i = 0; (param = tc_api_param_at(route, i)); i++)
        if (tc_str_is(name, param->name))
            return param;
    return NULL;
}

/* A number or a truth where the schema wants one and the text is one; else a string, which
 * the schema then refuses. */
static void write_value(struct tc_jsonw *w, const struct tc_api_param *param, struct tc_str text)
{
    const char *schema = param && param->schema ? param->schema : TC_API_STRING;
    int64_t number;

    if (strstr(schema, "\"integer\"") && tc_str_int(text, &number))
        tc_jsonw_int(w, number);
    else if (strstr(schema, "\"boolean\"") && (tc_str_is(text, "true") || tc_str_is(text, "false")))
        tc_jsonw_bool(w, tc_str_is(text, "true"));
    else
        tc_jsonw_str(w, text);
}

static enum tc_err write_query(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_api_route *route,
                               struct tc_str query)
{
    struct tc_map seen = {0};
    struct tc_str part, name, value;
    enum tc_err e = TC_OK;

    while (!e && tc_str_split(&query, '&', &part)) {
        size_t equals = tc_str_chr(part, '=');
        const struct tc_api_param *param;

        if (part.n == 0)
            continue;
        name = tc_percent_decode_form(cx->arena, equals == SIZE_MAX ? part : tc_str_n(part.p, equals));
        value = equals == SIZE_MAX ? TC_STR("") : tc_percent_decode_form(cx->arena, tc_str_from(part, equals + 1));
        if (!name.p || !value.p)
            e = tc_fail_memory(cx);
        param = e ? NULL : find(route, name);
        if (e || (!value.n && param) || (!param && takes_any(route)))
            continue;
        if (tc_map_get(&seen, name))
            e = tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The parameter ?%.*s= is given twice.", TC_STR_ARG(name));
        else if (!tc_map_put(&seen, name, w))
            e = tc_fail_memory(cx);
        tc_jsonw_key_str(w, name);
        write_value(w, param, value);
    }
    tc_map_finish(&seen);
    return e;
}

enum tc_err tc_api_unfit(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *value,
                         const char *what)
{
    struct tc_schema_fault *faults;
    struct tc_buf lines;
    size_t n = 0;
    bool valid;
    enum tc_err e = tc_schema_validate(cx, schema, value, &valid);

    if (!e && !valid)
        e = tc_schema_faults(cx, schema, value, FAULTS, &faults, &n);
    if (e || valid)
        return e;
    tc_buf_init(&lines, 64 * 1024);
    for (size_t i = 0; i < n; i++)
        tc_schema_fault_line(&lines, &faults[i]);
    tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "%s does not fit.\n%.*s", what, TC_STR_ARG(tc_str_trim(tc_buf_get(&lines))));
    tc_buf_finish(&lines);
    if (n)
        tc_fail_field(cx, faults[0].path);
    return TC_E_HTTP_BAD_REQUEST;
}

enum tc_err tc_api_query_check(struct tc_cx *cx, const struct tc_api_route *route, const struct tc_schema *schema,
                               struct tc_str query)
{
    const struct tc_json *root;
    struct tc_jsonw w;
    struct tc_buf buf;
    enum tc_err e;

    tc_buf_init(&buf, QUERY_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    e = write_query(cx, &w, route, query);
    tc_jsonw_end(&w);
    if (!e)
        e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &root);
    tc_buf_finish(&buf);
    return e ? e : tc_api_unfit(cx, schema, root, "The query");
}
