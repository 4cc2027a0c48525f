/*
 * /admin/secret: names of sealed secrets. A value goes in and never comes out.
 */
#include "api/api.h"
#include "base/clock.h"

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row *rows;
    size_t n;
    enum tc_err e = store->secrets->all(cx, store, &rows, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(call->out);
        tc_jsonw_kstr(call->out, "name", rows[i].name);
        tc_api_time(call->out, "createdAt", rows[i].created_at);
        tc_api_time(call->out, "updatedAt", rows[i].updated_at);
        tc_jsonw_end(call->out);
    }
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err set(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_secrets *secrets = call->runtime->secrets;
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row row = {.name = tc_api_field(call, "name")};
    enum tc_err e = secrets->ops->seal(cx, secrets, row.name, tc_api_field(call, "value"), &row.sealed);

    if (!e)
        e = store->secrets->put(cx, store, &row, tc_clock_wall_ms(cx->clock));
    if (e)
        return e;
    tc_pulse_beat(&call->runtime->pulse, TC_PULSE_SECRETS);
    tc_api_done(call);
    return TC_OK;
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_str name = tc_api_field(call, "id");
    enum tc_err e = store->secrets->remove(cx, store, name);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, e, "There is no secret \"%.*s\".", TC_STR_ARG(name));
    if (e)
        return e;
    tc_pulse_beat(&call->runtime->pulse, TC_PULSE_SECRETS);
    tc_api_done(call);
    return TC_OK;
}

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/secret/all"}, TC_API_ADMIN, "Names of secrets", NULL,
     "[{name string, createdAt time, updatedAt time}]", get_all},
    {{"POST", "/admin/secret/update"}, TC_API_ADMIN, "Set a secret; it is sealed and never shown",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\",\"value\"],\"properties\":{\"name\":{"
     "\"type\":\"string\",\"pattern\":\"^[A-Za-z0-9_./-]{1,128}$\"},\"value\":{\"type\":\"string\",\"minLength\":1,"
     "\"maxLength\":65536}}}",
     "Done", set},
    {{"POST", "/admin/secret/remove"}, TC_API_ADMIN, "Remove a secret",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
     "\"string\"}}}",
     "Done", remove_one},
};

const struct tc_api_resource tc_api_secret = {"secret", "Sealed secrets", routes, sizeof routes / sizeof *routes};
