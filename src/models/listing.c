/*
 * Models that an endpoint lists.
 */
#include "models/listing.h"

#include "models/attempt.h"
#include "models/endpoint.h"
#include "models/explain.h"
#include "models/fault.h"

enum { LIST_MAX = 4 * 1024 * 1024, LIST_MS = 15 * 1000 };

static enum tc_err read_names(struct tc_cx *cx, const struct tc_row *row, const struct tc_client_response *response,
                              struct tc_str **ret_names, size_t *ret_n)
{
    const struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    const struct tc_json *json = NULL;
    struct tc_fault fault;
    enum tc_err err = tc_json_parse_root(cx, response->body, &limits, &json);

    if (response->status == 404 || (err && response->status == 200)) { /* lists none */
        tc_fail_clear(cx);
        *ret_n = 0;
        return TC_OK;
    }
    if (response->status == 200)
        return row->provider->models(cx, json, ret_names, ret_n);
    err = tc_fault_read(cx, response->status, err ? NULL : json, &fault);
    return err ? err : tc_fail(cx, fault.code, "%.*s", TC_STR_ARG(fault.said));
}

static enum tc_err fetch_names(struct tc_cx *cx, struct tc_client *client, struct tc_explain *what,
                               struct tc_str **ret_names, size_t *ret_n)
{
    static const struct tc_model_request nothing;
    struct tc_client_request http = {.timeout_ms = LIST_MS, .max_bytes = LIST_MAX};
    struct tc_client_response response;
    struct tc_model_wire wire;
    enum tc_err err = what->row->provider->wire(cx, &nothing, what->target->key, &wire);

    if (!err)
        err = tc_endpoint_url(cx, what->row, what->target, tc_str_of(what->row->provider->models_path), &what->url);
    if (!err)
        err = tc_endpoint_headers(cx, what->target, &wire, false, &http.headers);
    if (err)
        return err;
    http.url = what->url;
    err = tc_client_fetch(cx, client, &http, &response);
    if (err)
        return tc_attempt_failed(cx, err, TC_E_MODEL_UNREACHABLE);
    what->status = response.status == 200 ? 0 : response.status;
    return read_names(cx, what->row, &response, ret_names, ret_n);
}

enum tc_err tc_listing_get(struct tc_cx *cx, struct tc_client *client, const struct tc_row *row,
                           const struct tc_model_target *target, struct tc_str **ret_names, size_t *ret_n)
{
    struct tc_explain what = {.row = row, .target = target, .asked_ms = -1};
    struct tc_str *names = NULL;
    size_t n = 0;
    enum tc_err err = TC_OK;

    if (row->provider->models_path)
        err = fetch_names(cx, client, &what, &names, &n);
    if (err)
        return tc_explain(cx, &what, err);
    *ret_names = names;
    *ret_n = n;
    return TC_OK;
}
