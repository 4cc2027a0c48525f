/*
 * /admin/tape: tapes and what is on them. Entries' contents are for operators and up.
 */
#include "api/api.h"
#include "runtime/compact.h"
#include "runtime/tape_query.h"

enum { ENTRIES_DEFAULT = 100 };

/* The store's refusals, in the words of tapes. */
static enum tc_err explain(struct tc_cx *cx, enum tc_err e, struct tc_str id)
{
    if (e != TC_E_STORE_NOT_FOUND)
        return e;
    tc_fail(cx, TC_E_TAPE_NOT_FOUND, "There is no tape \"%.*s\".", TC_STR_ARG(id));
    return tc_fail_hint(cx, "toolcrib tape list shows the tapes.");
}

static void opt(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_kstr(w, key, value.n ? value : tc_str_n(NULL, 0));
}

static void write_row(struct tc_jsonw *w, const struct tc_tape_row *row)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    opt(w, "session", row->name);
    tc_jsonw_kstr(w, "agent", row->agent);
    opt(w, "owner", row->owner);
    opt(w, "parent", row->parent);
    if (row->parent.n)
        tc_jsonw_kint(w, "parentSeq", row->parent_seq);
    tc_jsonw_kint(w, "last", row->last);
    tc_jsonw_kint(w, "anchor", row->anchor);
    opt(w, "run", row->run);
    tc_api_time(w, "createdAt", row->created_at);
    tc_api_time(w, "updatedAt", row->updated_at);
    tc_jsonw_end(w);
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *f = tc_json_get_c(call->body, "filters");
    const struct tc_tape_filter filter = {
        .agent = tc_json_str(tc_json_get_c(f, "agent")),
        .owner = tc_json_str(tc_json_get_c(f, "owner")),
        .sessions = tc_json_bool(tc_json_get_c(f, "sessions"), false),
    };
    const struct tc_store_page page = tc_api_page(call, true);
    struct tc_store *store = call->runtime->store;
    struct tc_tape_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e = store->tapes->page(cx, store, &page, &filter, &rows, &n, &total);

    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++)
        write_row(call->out, &rows[i]);
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

/* A tape by its id, or by agent and session. */
static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str session = tc_api_query(cx, call, "session"), id, agent;
    struct tc_store *store = call->runtime->store;
    struct tc_tape_row row;
    enum tc_err e = tc_api_need(cx, call, session.n ? "agent" : "id", session.n ? &agent : &id);

    if (!e && session.n)
        e = explain(cx, store->tapes->find(cx, store, agent, session, &row), session);
    else if (!e)
        e = explain(cx, store->tapes->get(cx, store, id, &row), id);
    if (!e)
        write_row(call->out, &row);
    return e;
}

static void write_entry(struct tc_jsonw *w, const struct tc_tape_entry *entry, bool bodies)
{
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "seq", entry->seq);
    tc_api_time(w, "at", entry->at);
    tc_jsonw_kstr(w, "kind", entry->kind);
    opt(w, "run", entry->run);
    if (bodies) {
        tc_jsonw_key(w, "data");
        tc_jsonw_raw(w, entry->json.n ? entry->json : TC_STR("{}"));
    }
    tc_jsonw_end(w);
}

/* Who may not see what entries say may not search for it either. */
static enum tc_err read_query(struct tc_cx *cx, struct tc_api_call *call, struct tc_tape_query *query)
{
    const struct tc_json *body = call->body;

    *query = (struct tc_tape_query){
        .kinds = tc_json_get_c(body, "kinds"),
        .text = tc_api_field(call, "search"),
        .anchor = tc_api_field(call, "anchor"),
        .limit = ENTRIES_DEFAULT,
        .newest = tc_json_bool(tc_json_get_c(body, "newest"), false),
    };
    tc_json_int(tc_json_get_c(body, "from"), &query->from);
    tc_json_int(tc_json_get_c(body, "to"), &query->to);
    tc_json_int(tc_json_get_c(body, "since"), &query->since);
    tc_json_int(tc_json_get_c(body, "until"), &query->until);
    tc_json_int(tc_json_get_c(body, "limit"), &query->limit);
    if (query->text.n && !tc_api_sees_bodies(call))
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "What tapes say is searched by operators only.");
    return TC_OK;
}

static enum tc_err get_entries(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    struct tc_tape_query query;
    struct tc_tape_entry *entries;
    size_t n;
    enum tc_err e = read_query(cx, call, &query);

    if (!e)
        e = explain(cx, tc_tape_query(cx, call->runtime->store, id, &query, &entries, &n), id);
    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++)
        write_entry(call->out, &entries[i], tc_api_sees_bodies(call));
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_str id = tc_api_field(call, "id");
    enum tc_err e = explain(cx, store->tapes->remove(cx, store, id), id);

    if (!e)
        tc_api_done(call);
    return e;
}

static enum tc_err fork_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_tape_row row;
    int64_t seq = 0;
    enum tc_err e;

    tc_json_int(tc_json_get_c(call->body, "seq"), &seq);
    e = tc_tape_fork(cx, call->runtime->store, tc_api_field(call, "id"), seq, tc_api_field(call, "session"), &row);
    if (e)
        return e;
    call->status = 201;
    write_row(call->out, &row);
    return TC_OK;
}

static enum tc_err compact_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_compacted done;
    enum tc_err e = tc_compact_stored(cx, call->runtime, tc_api_field(call, "id"), &done);

    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kint(call->out, "from", done.from);
    tc_jsonw_kint(call->out, "to", done.to);
    tc_jsonw_kint(call->out, "tokens", done.tokens);
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err hand_off(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_handoff handoff = {tc_api_field(call, "name"), tc_api_field(call, "text")};
    int64_t anchor;
    enum tc_err e = tc_handoff_stored(cx, call->runtime, tc_api_field(call, "id"), &handoff, &anchor);

    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kint(call->out, "anchor", anchor);
    tc_jsonw_end(call->out);
    return TC_OK;
}

#define STRING "{\"type\":\"string\"}"
#define NUMBER(from, to) "{\"type\":\"integer\",\"minimum\":" from ",\"maximum\":" to "}"

static const struct tc_api_param which[] = {{"id", false, "Its id", NULL},
                                            {"agent", false, "Whose session", NULL},
                                            {"session", false, "The name of a session", NULL},
                                            {0}};

static const struct tc_api_component components[] = {
    {"Tape",
     "{id string, session string|null, agent string, owner string|null, parent string|null, parentSeq? integer, "
     "last integer, anchor integer, run string|null, createdAt time, updatedAt time}"},
    {"TapeEntry",
     "{seq integer, at time, kind (message|result|note|anchor|summary|plan|loaded|fork|error), run string|null, "
     "data? object}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/tape/page"}, TC_API_VIEWER, "Tapes by page, those that changed last first",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"agent\":" STRING
                       ",\"owner\":" STRING ",\"sessions\":{\"type\":\"boolean\"}}}"),
     "{list [Tape], pagination Pagination}", get_page},
    {{"GET", "/admin/tape/info"}, TC_API_VIEWER, "One tape by its id, or by agent and session", NULL, "Tape",
     get_info, .query = which},
    {{"POST", "/admin/tape/entries"}, TC_API_VIEWER, "Entries of a tape, those shared with parents included",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING
     ",\"from\":" NUMBER("1", "1000000000") ",\"to\":" NUMBER("1", "1000000000") ",\"limit\":" NUMBER("1", "500")
     ",\"since\":{\"type\":\"integer\"},\"until\":{\"type\":\"integer\"},\"search\":" STRING ",\"anchor\":" STRING
     ",\"newest\":{\"type\":\"boolean\"},\"kinds\":{\"type\":\"array\",\"items\":{\"enum\":[\"message\",\"result\","
     "\"note\",\"anchor\",\"summary\",\"plan\",\"loaded\",\"fork\",\"error\"]}}}}",
     "[TapeEntry]", get_entries},
    {{"POST", "/admin/tape/fork"}, TC_API_OPERATOR, "A tape that shares the entries up to a number with another",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING
     ",\"seq\":" NUMBER("1", "1000000000") ",\"session\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128}}}",
     "Tape", fork_one, .statuses = {201}},
    {{"POST", "/admin/tape/compact"}, TC_API_OPERATOR, "Sum up what is on a tape, by its agent's model or by extracts",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING "}}",
     "{from integer, to integer, tokens integer}", compact_one},
    {{"POST", "/admin/tape/handoff"}, TC_API_OPERATOR, "Begin a new window with an anchor and a text",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\",\"name\"],\"properties\":{\"id\":" STRING
     ",\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128}"
     ",\"text\":{\"type\":\"string\",\"maxLength\":65536}}}",
     "{anchor integer}", hand_off},
    {{"POST", "/admin/tape/remove"}, TC_API_ADMIN, "Remove a tape that no run is active on and none is forked from",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING "}}",
     "Done", remove_one},
};

const struct tc_api_resource tc_api_tape = {"tape", "Tapes and sessions", routes,
                                            sizeof routes / sizeof *routes, components};
