/*
 * /admin/secret: names of sealed secrets. A value goes in and never comes out; it is not
 * on record either.
 */
#include "api/changed.h"
#include "base/clock.h"
#include "runtime/builtins.h"

/* --- looking --- */

/* Ids of channels whose key it is. */
static enum tc_err write_channels(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    const struct tc_channel **channels;
    size_t n;
    enum tc_err e = tc_channels_all(cx, call->runtime->channels, &channels, &n);

    tc_jsonw_key(call->out, "channels");
    tc_jsonw_array(call->out);
    for (size_t i = 0; !e && i < n; i++)
        if (tc_str_eq(channels[i]->secret, name))
            tc_jsonw_str(call->out, channels[i]->id);
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err write_secrets(struct tc_cx *cx, struct tc_api_call *call, const struct tc_secret_row *rows, size_t n)
{
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = names ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < n; i++)
        names[i] = rows[i].name;
    if (!e)
        e = tc_changed_latest(cx, call, "secret", names, n, &last);
    for (size_t i = 0; !e && i < n; i++) {
        tc_jsonw_object(call->out);
        tc_jsonw_kstr(call->out, "name", rows[i].name);
        e = write_channels(cx, call, rows[i].name);
        tc_api_time(call->out, "createdAt", rows[i].created_at);
        tc_api_time(call->out, "updatedAt", rows[i].updated_at);
        tc_changed_by(call, &last[i]);
        tc_jsonw_end(call->out);
    }
    return e;
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row *rows;
    size_t n;
    enum tc_err e = store->secrets->all(cx, store, &rows, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    e = write_secrets(cx, call, rows, n);
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_store_page page = tc_api_page(call, false);
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row *rows, *list;
    int64_t met = 0, from = (page.page - 1) * page.size;
    size_t n, shown = 0;
    enum tc_err e = store->secrets->all(cx, store, &rows, &n);

    if (e)
        return e;
    list = TC_ARENA_NEW_N(cx->arena, struct tc_secret_row, (size_t)page.size);
    if (!list)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        const struct tc_secret_row *row = &rows[page.descending ? n - 1 - i : i];

        if (tc_str_find_nocase(row->name, page.search) == SIZE_MAX)
            continue;
        if (met >= from && met < from + page.size)
            list[shown++] = *row;
        met++;
    }
    tc_api_page_open(call);
    e = write_secrets(cx, call, list, shown);
    tc_api_page_close(call, &page, met);
    return e;
}

static enum tc_err no_secret(struct tc_cx *cx, struct tc_str name)
{
    return tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no secret \"%.*s\".", TC_STR_ARG(name));
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row row;
    struct tc_str name;
    enum tc_err e = tc_api_need(cx, call, "id", &name);

    if (!e)
        e = store->secrets->get(cx, store, name, &row);
    if (e == TC_E_STORE_NOT_FOUND)
        return no_secret(cx, name);
    return e ? e : write_secrets(cx, call, &row, 1);
}

/* --- changing --- */

/* *ret_there: it replaces another. */
static enum tc_err is_there(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name, bool *ret_there)
{
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row row;
    enum tc_err e = store->secrets->get(cx, store, name, &row);

    *ret_there = e == TC_OK;
    if (e != TC_E_STORE_NOT_FOUND)
        return e;
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err put(struct tc_cx *cx, struct tc_api_call *call, bool there)
{
    struct tc_changed change = {.resource = "secret", .action = there ? "update" : "create"};
    struct tc_secrets *secrets = call->runtime->secrets;
    struct tc_store *store = call->runtime->store;
    struct tc_secret_row row = {.name = tc_api_field(call, "name")};
    enum tc_err e = secrets->ops->seal(cx, secrets, row.name, tc_api_field(call, "value"), &row.sealed);

    if (!e)
        e = store->secrets->put(cx, store, &row, tc_clock_wall_ms(cx->clock));
    if (e)
        return e;
    change.object = row.name;
    tc_changed_note(cx, call, &change);
    tc_pulse_beat(&call->runtime->pulse, TC_PULSE_SECRETS);
    e = tc_builtins_refresh(cx, call->runtime);
    if (!e)
        tc_api_done(call);
    return e;
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str name = tc_api_field(call, "name");
    bool there;
    enum tc_err e = is_there(cx, call, name, &there);

    if (!e && there)
        return tc_fail(cx, TC_E_STORE_EXISTS, "There is already a secret \"%.*s\".", TC_STR_ARG(name));
    return e ? e : put(cx, call, false);
}

static enum tc_err set(struct tc_cx *cx, struct tc_api_call *call)
{
    bool there;
    enum tc_err e = is_there(cx, call, tc_api_field(call, "name"), &there);

    return e ? e : put(cx, call, there);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "secret", .action = "remove", .object = tc_api_field(call, "id")};
    struct tc_store *store = call->runtime->store;
    enum tc_err e = store->secrets->remove(cx, store, change.object);

    if (e == TC_E_STORE_NOT_FOUND)
        return no_secret(cx, change.object);
    if (e)
        return e;
    tc_changed_note(cx, call, &change);
    tc_pulse_beat(&call->runtime->pulse, TC_PULSE_SECRETS);
    e = tc_builtins_refresh(cx, call->runtime);
    if (!e)
        tc_api_done(call);
    return e;
}

#define VALUE_INPUT                                                                                                    \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\",\"value\"],\"properties\":{\"name\":{" \
    "\"type\":\"string\",\"pattern\":\"^[A-Za-z0-9_./-]{1,128}$\"},\"value\":{\"type\":\"string\",\"minLength\":1,"    \
    "\"maxLength\":65536}}}"

static const struct tc_api_param by_name[] = {{"id", true, "Its name", NULL}, {0}};

static const struct tc_api_component components[] = {
    {"Secret", "{name string, channels [string], createdAt time, updatedAt time, updatedBy UpdatedBy|null}"}, {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/secret/page"}, TC_API_ADMIN, "Names of secrets by page",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false}"),
     "{list [Secret], pagination Pagination}", get_page},
    {{"GET", "/admin/secret/all"}, TC_API_ADMIN, "Names of secrets", NULL, "[Secret]", get_all},
    {{"GET", "/admin/secret/info"}, TC_API_ADMIN, "Who set a secret, when, and which channels use it", NULL, "Secret",
     get_info, .query = by_name},
    {{"POST", "/admin/secret/create"}, TC_API_ADMIN, "Set a secret that is not there yet", VALUE_INPUT, "Done", create},
    {{"POST", "/admin/secret/update"}, TC_API_ADMIN, "Set a secret; it is sealed and never shown", VALUE_INPUT, "Done",
     set},
    {{"POST", "/admin/secret/remove"}, TC_API_ADMIN, "Remove a secret",
     TC_API_CLOSED("\"id\"", "\"id\":" TC_API_STRING), "Done", remove_one},
};

const struct tc_api_resource tc_api_secret = {"secret", "Sealed secrets", routes, sizeof routes / sizeof *routes,
                                              components};
