/*
 * /openapi.json, from the rows of routes and the components of all resources.
 */
#include "api/openapi.h"

#include <ctype.h>
#include <stdio.h>

#include "api/query.h"
#include "api/shape.h"

extern const struct tc_api_resource *const tc_api_table[];

enum { TEXT_MAX = 4 * 1024 * 1024 };

/* --- components --- */

static enum tc_err read_shape(struct tc_cx *cx, const char *text, const struct tc_json **ret_root)
{
    struct tc_jsonw w;
    struct tc_buf buf;
    enum tc_err e;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_shape_write(&w, text);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, ret_root);
    tc_buf_finish(&buf);
    return e;
}

static void write_erasable(struct tc_jsonw *w, const struct tc_json *schema)
{
    tc_jsonw_object(w);
    tc_jsonw_key(w, "anyOf");
    tc_jsonw_array(w);
    tc_jsonw_value(w, schema);
    tc_jsonw_raw(w, TC_STR("{\"type\":\"null\"}"));
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* The base's schema with the component's own properties and requirements beside its own. */
static enum tc_err write_extended(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_api_component *component)
{
    const struct tc_json *base, *own, *value;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err e = tc_json_parse_root(cx, tc_str_of(component->base), NULL, &base);

    if (!e)
        e = read_shape(cx, component->schema, &own);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "object");
    tc_jsonw_kvalue(w, "additionalProperties", tc_json_get_c(base, "additionalProperties"));
    tc_jsonw_key(w, "required");
    tc_jsonw_array(w);
    for (it = tc_json_iter(tc_json_get_c(base, "required")); tc_json_next(&it, NULL, &value);)
        if (!component->erasable || tc_str_is(tc_json_str(value), "id"))
            tc_jsonw_value(w, value);
    for (it = tc_json_iter(tc_json_get_c(own, "required")); tc_json_next(&it, NULL, &value);)
        tc_jsonw_value(w, value);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "properties");
    tc_jsonw_object(w);
    for (it = tc_json_iter(tc_json_get_c(base, "properties")); tc_json_next(&it, &key, &value);) {
        const struct tc_json *instead = tc_json_get(tc_json_get_c(own, "properties"), key);
        tc_jsonw_key_str(w, key);
        if (component->erasable && !instead && !tc_str_is(key, "id"))
            write_erasable(w, value);
        else
            tc_jsonw_value(w, instead ? instead : value);
    }
    for (it = tc_json_iter(tc_json_get_c(own, "properties")); tc_json_next(&it, &key, &value);)
        if (!tc_json_get(tc_json_get_c(base, "properties"), key)) {
            tc_jsonw_key_str(w, key);
            tc_jsonw_value(w, value);
        }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_components(struct tc_cx *cx, struct tc_jsonw *w)
{
    enum tc_err e = TC_OK;

    tc_jsonw_key(w, "schemas");
    tc_jsonw_object(w);
    for (const struct tc_api_resource *const *at = tc_api_table; *at; at++)
        for (const struct tc_api_component *c = (*at)->components; c && c->name && !e; c++) {
            tc_jsonw_key(w, c->name);
            if (c->base)
                e = write_extended(cx, w, c);
            else
                tc_shape_write(w, c->schema);
        }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err write_self_contained(struct tc_cx *cx, struct tc_jsonw *w, const char *schema)
{
    enum tc_err e;

    tc_jsonw_object(w);
    tc_jsonw_key(w, "allOf");
    tc_jsonw_array(w);
    tc_shape_write(w, schema);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "components");
    tc_jsonw_object(w);
    e = write_components(cx, w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return e;
}

enum tc_err tc_openapi_compile(struct tc_cx *cx, const char *schema, struct tc_schema **ret_schema)
{
    const struct tc_json *root;
    struct tc_jsonw w;
    struct tc_buf buf;
    enum tc_err e = TC_OK;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_shape_write(&w, schema);
    if (tc_str_find(tc_buf_get(&buf), TC_STR("\"#/components/")) != SIZE_MAX) {
        tc_buf_clear(&buf);
        tc_jsonw_init(&w, &buf);
        e = write_self_contained(cx, &w, schema);
    }
    if (!e)
        e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &root);
    if (!e)
        e = tc_schema_compile(cx, root, NULL, ret_schema);
    tc_buf_finish(&buf);
    return e;
}

/* --- one operation --- */

/* Bytes are described by their type alone. */
static void write_type(struct tc_jsonw *w, struct tc_str type, const char *schema)
{
    tc_jsonw_key_str(w, type);
    tc_jsonw_object(w);
    if (!tc_str_starts(type, TC_STR("image/"))) {
        tc_jsonw_key(w, "schema");
        tc_shape_write(w, schema);
    }
    tc_jsonw_end(w);
}

/* What may be sent: JSON of that schema, if any, text and images of other types. */
static void write_content(struct tc_jsonw *w, const char *schema, const char *types)
{
    struct tc_str rest = tc_str_of(types ? types : ""), type;

    if (!schema && !types)
        return;
    tc_jsonw_key(w, "content");
    tc_jsonw_object(w);
    if (schema)
        write_type(w, TC_STR("application/json"), schema);
    while (rest.n && tc_str_split(&rest, ',', &type))
        write_type(w, tc_str_trim(type), TC_API_STRING);
    tc_jsonw_end(w);
}

static void write_parameter(struct tc_jsonw *w, struct tc_str name, const struct tc_api_param *param)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", name);
    tc_jsonw_kcstr(w, "in", param ? "query" : "path");
    tc_jsonw_kbool(w, "required", !param || param->required);
    if (param)
        tc_jsonw_kcstr(w, "description", param->about);
    tc_jsonw_key(w, "schema");
    tc_jsonw_raw(w, tc_str_of(param && param->schema ? param->schema : TC_API_STRING));
    tc_jsonw_end(w);
}

/* Those of the path stand between braces in the pattern. */
static void write_parameters(struct tc_jsonw *w, const struct tc_api_route *route)
{
    struct tc_str rest = tc_str_of(route->route.pattern);
    const struct tc_api_param *param;
    size_t open, close;

    tc_jsonw_key(w, "parameters");
    tc_jsonw_array(w);
    while ((open = tc_str_chr(rest, '{')) != SIZE_MAX && (close = tc_str_chr(rest, '}')) != SIZE_MAX) {
        write_parameter(w, tc_str_n(rest.p + open + 1, close - open - 1), NULL);
        rest = tc_str_from(rest, close + 1);
    }
    for (size_t i = 0; (param = tc_api_param_at(route, i)); i++)
        write_parameter(w, tc_str_of(param->name), param);
    tc_jsonw_end(w);
}

static void write_responses(struct tc_jsonw *w, const struct tc_api_route *route)
{
    enum { KNOWN = sizeof route->statuses / sizeof *route->statuses };

    tc_jsonw_key(w, "responses");
    tc_jsonw_object(w);
    for (size_t i = 0; i < KNOWN && (i == 0 || route->statuses[i]); i++) {
        char status[16];

        snprintf(status, sizeof status, "%d", route->statuses[i] ? route->statuses[i] : 200);
        tc_jsonw_key(w, status);
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "description", route->summary);
        if (route->statuses[i] != 304)
            write_content(w, route->output, route->types);
        tc_jsonw_end(w);
    }
    tc_jsonw_key(w, "default");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "description", "An error");
    write_content(w, "Error", NULL);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void lower(const char *method, char *to, size_t size)
{
    for (size_t i = 0; method[i] && i + 1 < size; i++)
        to[i] = (char)tolower((unsigned char)method[i]);
}

/* Resource and verb under /admin, method and path elsewhere: agentPage, getRunsByIdEvents. */
static void write_id(struct tc_jsonw *w, const struct tc_api_route *route)
{
    static const char admin[] = "/admin/";
    const char *at = route->route.pattern;
    char id[128] = {0};
    size_t n;

    if (strncmp(at, admin, sizeof admin - 1) == 0)
        at += sizeof admin - 1;
    else
        lower(route->route.method, id, sizeof id);
    n = strlen(id);
    if (strncmp(at, "/v1/", 4) == 0)
        at += 3;
    for (bool capital = n > 0; *at && n + 3 < sizeof id; at++) {
        if (*at == '{') {
            n += (size_t)snprintf(id + n, sizeof id - n, "By");
            capital = true;
        } else if (isalnum((unsigned char)*at)) {
            id[n++] = (char)(capital ? toupper((unsigned char)*at) : *at);
            capital = false;
        } else {
            capital = true;
        }
    }
    tc_jsonw_kcstr(w, "operationId", id);
}

static void write_access(struct tc_jsonw *w, enum tc_api_access access)
{
    static const char *const names[] = {[TC_API_OPEN] = "open",         [TC_API_VIEWER] = "viewer",
                                        [TC_API_OPERATOR] = "operator", [TC_API_ADMIN] = "admin",
                                        [TC_API_AGENT] = "agent"};

    tc_jsonw_kcstr(w, "x-role", names[access]);
    tc_jsonw_key(w, "security");
    tc_jsonw_raw(w, access == TC_API_OPEN ? TC_STR("[]") : TC_STR("[{\"bearer\":[]}]"));
}

static void write_operation(struct tc_jsonw *w, const struct tc_api_route *route,
                            const struct tc_api_resource *resource)
{
    char method[8] = {0};

    lower(route->route.method, method, sizeof method);
    tc_jsonw_key(w, method);
    tc_jsonw_object(w);
    write_id(w, route);
    tc_jsonw_kcstr(w, "summary", route->summary);
    tc_jsonw_key(w, "tags");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, resource->name);
    tc_jsonw_end(w);
    write_access(w, route->access);
    write_parameters(w, route);
    if (route->input) {
        tc_jsonw_key(w, "requestBody");
        tc_jsonw_object(w);
        write_content(w, route->described ? route->described : route->input, NULL);
        tc_jsonw_end(w);
    }
    write_responses(w, route);
    tc_jsonw_end(w);
}

/* --- the document --- */

/* Is this the first row of its path? The document groups methods by path. */
static bool first_of_path(size_t at)
{
    const struct tc_api_resource *resource;
    const char *pattern = tc_api_route_at(at, &resource)->route.pattern;

    for (size_t i = 0; i < at; i++)
        if (strcmp(tc_api_route_at(i, &resource)->route.pattern, pattern) == 0)
            return false;
    return true;
}

static void write_paths(struct tc_jsonw *w)
{
    const struct tc_api_resource *resource;
    const struct tc_api_route *route, *other;

    tc_jsonw_key(w, "paths");
    tc_jsonw_object(w);
    for (size_t i = 0; (route = tc_api_route_at(i, &resource)); i++) {
        if (!first_of_path(i))
            continue;
        tc_jsonw_key(w, route->route.pattern);
        tc_jsonw_object(w);
        for (size_t k = i; (other = tc_api_route_at(k, &resource)); k++)
            if (strcmp(other->route.pattern, route->route.pattern) == 0)
                write_operation(w, other, resource);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* Several files may stand behind one resource. */
static bool is_first(const struct tc_api_resource *const *resource)
{
    for (const struct tc_api_resource *const *at = tc_api_table; at != resource; at++)
        if (strcmp((*at)->name, (*resource)->name) == 0)
            return false;
    return true;
}

static void write_tags(struct tc_jsonw *w)
{
    tc_jsonw_key(w, "tags");
    tc_jsonw_array(w);
    for (const struct tc_api_resource *const *at = tc_api_table; *at; at++) {
        if (!is_first(at))
            continue;
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "name", (*at)->name);
        tc_jsonw_kcstr(w, "description", (*at)->summary);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

enum tc_err tc_openapi_write(struct tc_cx *cx, struct tc_jsonw *w)
{
    enum tc_err e;

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "openapi", "3.1.0");
    tc_jsonw_key(w, "info");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "title", "Toolcrib");
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    tc_jsonw_end(w);
    write_tags(w);
    write_paths(w);
    tc_jsonw_key(w, "components");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "securitySchemes");
    tc_jsonw_raw(w, TC_STR("{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"}}"));
    e = write_components(cx, w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return e;
}

static enum tc_err openapi(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_openapi_write(cx, call->out);
}

/* What no resource owns. */
static const struct tc_api_component components[] = {
    {"Error", "{error {code string, message string, hint? string, field? string, details? any}}"},
    {"Fault", "{code string, message string, hint? string, field? string}"},
    {"Done", TC_API_CLOSED("\"done\"", "\"done\":{\"const\":true}")},
    {"Pagination", "{page integer, size integer, total integer}"},
    {"Principal", "{kind string, id string}"},
    {"Diagnostic", "{code string, message string, toolId string}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/openapi.json"}, TC_API_OPEN, "This description", NULL, "object", openapi},
};

const struct tc_api_resource tc_api_openapi = {"openapi", "The description of this API", routes,
                                               sizeof routes / sizeof *routes, components};
