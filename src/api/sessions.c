/*
 * /v1/sessions: named tapes of the token's agent, each with one run at a time. A session
 * begins with the first run that names it (POST /v1/runs with "session").
 */
#include "api/api.h"
#include "ports/store_tapes.h"

enum { ENTRIES_DEFAULT = 100, ENTRIES_MAX = 500 };

static bool is_own(const struct tc_api_call *call, const struct tc_tape_row *row)
{
    return call->principal->role != TC_ROLE_AGENT || tc_str_eq(row->owner, call->principal->id);
}

static enum tc_err find(struct tc_cx *cx, struct tc_api_call *call, struct tc_tape_row *ret_row)
{
    struct tc_str name = tc_router_param(call->match, TC_STR("name"));
    struct tc_store *store = call->runtime->store;
    enum tc_err e = store->tapes->find(cx, store, call->agent, name, ret_row);

    if (e && e != TC_E_STORE_NOT_FOUND)
        return e;
    if (e || !is_own(call, ret_row))
        return tc_fail(cx, TC_E_TAPE_NOT_FOUND, "There is no session \"%.*s\".", TC_STR_ARG(name));
    return TC_OK;
}

static void write_session(struct tc_jsonw *w, const struct tc_tape_row *row)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", row->name);
    tc_jsonw_kstr(w, "tape", row->id);
    tc_jsonw_kint(w, "entries", row->last);
    tc_jsonw_kstr(w, "run", row->run.n ? row->run : tc_str_n(NULL, 0));
    tc_api_time(w, "createdAt", row->created_at);
    tc_api_time(w, "updatedAt", row->updated_at);
    tc_jsonw_end(w);
}

static enum tc_err list(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_tape_filter filter = {
        .agent = call->agent,
        .owner = call->principal->role == TC_ROLE_AGENT ? call->principal->id : TC_STR(""),
        .sessions = true,
    };
    struct tc_store *store = call->runtime->store;
    struct tc_tape_row *rows;
    int64_t total;
    struct tc_store_page page;
    size_t n;
    enum tc_err e = tc_api_query_page(cx, call, &page);

    if (!e)
        e = store->tapes->page(cx, store, &page, &filter, &rows, &n, &total);
    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++)
        write_session(call->out, &rows[i]);
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

static enum tc_err get(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_tape_row row;
    enum tc_err e = find(cx, call, &row);

    if (!e)
        write_session(call->out, &row);
    return e;
}

static enum tc_err get_entries(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str from_text = tc_api_query(cx, call, "from"), limit_text = tc_api_query(cx, call, "limit");
    struct tc_store *store = call->runtime->store;
    int64_t from = 1, limit = ENTRIES_DEFAULT;
    struct tc_tape_entry *entries;
    struct tc_tape_row row;
    size_t n;
    enum tc_err e = find(cx, call, &row);

    if (!e && ((from_text.n && !tc_str_int(from_text, &from)) || (limit_text.n && !tc_str_int(limit_text, &limit)) ||
               from < 1 || limit < 1 || limit > ENTRIES_MAX))
        e = tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "from is at least 1, limit 1 to %d.", ENTRIES_MAX);
    if (!e)
        e = store->tapes->entries(cx, store, row.id, from, row.last, limit, &entries, &n);
    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_key(call->out, "entries");
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(call->out);
        tc_jsonw_kint(call->out, "seq", entries[i].seq);
        tc_api_time(call->out, "at", entries[i].at);
        tc_jsonw_kstr(call->out, "kind", entries[i].kind);
        tc_jsonw_kstr(call->out, "run", entries[i].run);
        tc_jsonw_key(call->out, "data");
        tc_jsonw_raw(call->out, entries[i].json);
        tc_jsonw_end(call->out);
    }
    tc_jsonw_end(call->out);
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err remove_it(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_tape_row row;
    enum tc_err e = find(cx, call, &row);

    if (!e)
        e = store->tapes->remove(cx, store, row.id);
    if (e == TC_E_STORE_CONFLICT)
        return tc_fail(cx, TC_E_RUN_ACTIVE, "A run is active on this session, or another tape was forked from it.");
    if (!e)
        tc_api_done(call);
    return e;
}

static const struct tc_api_param of_list[] = {TC_API_QUERY_PAGE, {0}};
static const struct tc_api_param of_entries[] = {
    {"from", false, "The first entry; 1", "{\"type\":\"integer\",\"minimum\":1}"},
    {"limit", false, "How many at most; 100", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":500}"},
    {0}};

static const struct tc_api_component components[] = {
    {"Session", "{name string, tape string, entries integer, run string|null, createdAt time, updatedAt time}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/v1/sessions"}, TC_API_AGENT, "Sessions of this token, those used last first", NULL,
     "{list [Session], pagination Pagination}", list, .query = of_list},
    {{"GET", "/v1/sessions/{name}"}, TC_API_AGENT, "One session", NULL, "Session", get},
    {{"GET", "/v1/sessions/{name}/entries"}, TC_API_AGENT, "Its tape", NULL,
     "{entries [TapeEntry]}", get_entries, .query = of_entries},
    {{"DELETE", "/v1/sessions/{name}"}, TC_API_AGENT, "Remove it with its tape", NULL, "Done", remove_it},
};

const struct tc_api_resource tc_api_sessions = {"sessions", "Sessions of an agent", routes,
                                                sizeof routes / sizeof *routes, components};
