/*
 * /admin/change: who changed what, with the documents before and after. They are as a
 * viewer may read them, but for what of a server's configuration only operators see.
 */
#include "api/changed.h"
#include "api/mcp_config.h"

static void write_head(struct tc_api_call *call, const struct tc_change_row *row)
{
    struct tc_jsonw *w = call->out;

    tc_jsonw_kstr(w, "id", row->id);
    tc_api_time(w, "at", row->at);
    tc_changed_principal(call, "principal", row);
    tc_jsonw_kstr(w, "resource", row->resource);
    tc_jsonw_kstr(w, "object", row->object);
    tc_jsonw_kstr(w, "action", row->action);
    tc_jsonw_key(w, "version");
    if (row->version)
        tc_jsonw_int(w, row->version);
    else
        tc_jsonw_null(w);
}

/* Tokens and names of secrets are for admins. */
static const char *const guarded[] = {"token", "secret"};

static bool sees_all(const struct tc_api_call *call)
{
    return call->principal->role >= TC_ROLE_ADMIN;
}

static bool is_guarded(struct tc_str resource)
{
    return tc_str_is(resource, guarded[0]) || tc_str_is(resource, guarded[1]);
}

/* --- pages --- */

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *f = tc_json_get_c(call->body, "filters");
    const struct tc_store_page page = tc_api_page(call, true);
    struct tc_store_changes_filter filter = {
        .resource = tc_json_str(tc_json_get_c(f, "resource")),
        .object = tc_json_str(tc_json_get_c(f, "object")),
        .principal_id = tc_json_str(tc_json_get_c(f, "principalId")),
        .action = tc_json_str(tc_json_get_c(f, "action")),
    };
    struct tc_store *store = call->runtime->store;
    struct tc_change_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e;

    for (size_t i = 0; i < 2 && !sees_all(call); i++)
        filter.without[i] = tc_str_of(guarded[i]);
    tc_json_int(tc_json_get_c(f, "from"), &filter.from);
    tc_json_int(tc_json_get_c(f, "to"), &filter.to);
    e = store->changes->page(cx, store, &page, &filter, &rows, &n, &total);
    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(call->out);
        write_head(call, &rows[i]);
        tc_jsonw_end(call->out);
    }
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

/* --- one --- */

/* A viewer does not see what a server is started with, nor where it is. */
static enum tc_err write_server(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str json)
{
    const struct tc_json *root, *value;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err e = tc_json_parse_root(cx, json, NULL, &root);

    if (e)
        return e;
    tc_jsonw_object(w);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &value);) {
        tc_jsonw_key_str(w, key);
        if (tc_str_is(key, "config"))
            tc_api_mcp_write_config(w, value, true);
        else
            tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_document(struct tc_cx *cx, struct tc_api_call *call, const char *key,
                                  const struct tc_change_row *row, struct tc_str json)
{
    tc_jsonw_key(call->out, key);
    if (json.n && tc_str_is(row->resource, "mcp") && call->principal->role < TC_ROLE_OPERATOR)
        return write_server(cx, call->out, json);
    tc_jsonw_raw(call->out, json.n ? json : TC_STR("null"));
    return TC_OK;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_change_row row;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = store->changes->get(cx, store, id, &row);
    if (e == TC_E_STORE_NOT_FOUND || (!e && is_guarded(row.resource) && !sees_all(call)))
        return tc_fail(cx, TC_E_CHANGE_NOT_FOUND, "There is no change \"%.*s\".", TC_STR_ARG(id));
    if (e)
        return e;
    tc_jsonw_object(call->out);
    write_head(call, &row);
    e = write_document(cx, call, "before", &row, row.before);
    if (!e)
        e = write_document(cx, call, "after", &row, row.after);
    tc_jsonw_end(call->out);
    return e;
}

#define FILTER(name) "\"" name "\":" TC_API_STRING ","
#define HEAD                                                                                                           \
    "{id string, at time, principal ChangePrincipal, resource string, object string, action string, "                  \
    "version integer|null"

static const struct tc_api_component components[] = {
    {"ChangePrincipal", "{kind string, id string, label string}"},
    {"UpdatedBy", "{kind string, id string, label string, at time}"},
    {"Change", HEAD "}"},
    {"ChangeInfo", HEAD ", before object|null, after object|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/change/page"}, TC_API_VIEWER, "Who changed what, by page, newest first",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{" FILTER("resource")
                       FILTER("object") FILTER("principalId") FILTER("action") "\"from\":" TC_API_INTEGER
                       ",\"to\":" TC_API_INTEGER "}}"),
     "{list [Change], pagination Pagination}", get_page},
    {{"GET", "/admin/change/info"}, TC_API_VIEWER, "One change with what was before and after it", NULL, "ChangeInfo",
     get_info, .query = tc_api_by_id},
};

const struct tc_api_resource tc_api_change = {"change", "Who changed what", routes, sizeof routes / sizeof *routes,
                                              components};
