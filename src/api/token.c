/*
 * /admin/token: access tokens. A token is shown once, when it is made; what is on record
 * of it is what it is for.
 */
#include "api/changed.h"
#include "base/clock.h"

static void write_token(struct tc_jsonw *w, const struct tc_token_row *row, struct tc_str token)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    if (token.p)
        tc_jsonw_kstr(w, "token", token);
    tc_jsonw_kstr(w, "role", row->role);
    tc_jsonw_kstr(w, "agent", row->agent.n ? row->agent : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "label", row->label);
    tc_api_time(w, "createdAt", row->created_at);
    tc_api_time(w, "expiresAt", row->expires_at);
    tc_api_time(w, "revokedAt", row->revoked_at);
    tc_api_time(w, "usedAt", row->used_at);
    tc_jsonw_end(w);
}

/* --- looking --- */

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_token_row *rows;
    size_t n;
    enum tc_err e = store->tokens->all(cx, store, &rows, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++)
        write_token(call->out, &rows[i], tc_str_n(NULL, 0));
    tc_jsonw_end(call->out);
    return TC_OK;
}

/* A word that is asked for; absent it is any. */
static bool wanted(const struct tc_json *filters, const char *name, struct tc_str value)
{
    const struct tc_json *word = tc_json_get_c(filters, name);

    return !word || tc_str_eq(tc_json_str(word), value);
}

static const char *state_of(const struct tc_token_row *row, int64_t now)
{
    if (row->revoked_at)
        return "revoked";
    return row->expires_at && row->expires_at <= now ? "expired" : "active";
}

static bool passes(const struct tc_token_row *row, const struct tc_json *filters, struct tc_str search, int64_t now)
{
    if (!wanted(filters, "role", row->role) || !wanted(filters, "agent", row->agent) ||
        !wanted(filters, "state", tc_str_of(state_of(row, now))))
        return false;
    return tc_str_find_nocase(row->label, search) != SIZE_MAX || tc_str_find_nocase(row->id, search) != SIZE_MAX ||
           tc_str_find_nocase(row->agent, search) != SIZE_MAX;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *filters = tc_json_get_c(call->body, "filters");
    const struct tc_store_page page = tc_api_page(call, true);
    struct tc_store *store = call->runtime->store;
    int64_t met = 0, from = (page.page - 1) * page.size, now = tc_clock_wall_ms(cx->clock);
    struct tc_token_row *rows;
    size_t n;
    enum tc_err e = store->tokens->all(cx, store, &rows, &n);

    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++) {
        const struct tc_token_row *row = &rows[page.descending ? n - 1 - i : i];

        if (!passes(row, filters, page.search, now))
            continue;
        if (met >= from && met < from + page.size)
            write_token(call->out, row, tc_str_n(NULL, 0));
        met++;
    }
    tc_api_page_close(call, &page, met);
    return TC_OK;
}

static enum tc_err find(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str id, struct tc_token_row *ret)
{
    struct tc_store *store = call->runtime->store;
    struct tc_token_row *rows;
    size_t n;
    enum tc_err e = store->tokens->all(cx, store, &rows, &n);

    for (size_t i = 0; !e && i < n; i++)
        if (tc_str_eq(rows[i].id, id)) {
            *ret = rows[i];
            return TC_OK;
        }
    return e ? e : tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no token with the id \"%.*s\".", TC_STR_ARG(id));
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_token_row row;
    enum tc_err e = find(cx, call, id, &row);

    if (!e)
        write_token(call->out, &row, tc_str_n(NULL, 0));
    return e;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : answer(cx, call, id);
}

/* --- changing --- */

static void write_document(struct tc_jsonw *w, const void *object)
{
    const struct tc_token_row *row = object;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "role", row->role);
    tc_jsonw_kstr(w, "agent", row->agent.n ? row->agent : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "label", row->label);
    tc_api_time(w, "expiresAt", row->expires_at);
    tc_jsonw_end(w);
}

static enum tc_err read_options(struct tc_cx *cx, struct tc_api_call *call, struct tc_token_options *ret)
{
    struct tc_str role = tc_api_field(call, "role"), agent = tc_api_field(call, "agent");
    struct tc_agent *known;
    int64_t seconds;
    enum tc_err e;

    *ret = (struct tc_token_options){.role = TC_ROLE_AGENT, .agent = agent, .label = tc_api_field(call, "label")};
    if (role.n && !tc_role_of(role, &ret->role))
        return tc_fail(cx, TC_E_TOKEN_INVALID, "A role is viewer, operator, admin or agent, not \"%.*s\".",
                       TC_STR_ARG(role));
    if (ret->role == TC_ROLE_AGENT && !agent.n)
        return tc_fail(cx, TC_E_TOKEN_INVALID, "A token of role agent is bound to an agent: name it.");
    if (ret->role != TC_ROLE_AGENT && agent.n)
        return tc_fail(cx, TC_E_TOKEN_INVALID, "Only a token of role agent is bound to an agent.");
    if (agent.n && (e = tc_agents_get(cx, call->runtime->agents, agent, &known)))
        return e;
    if (tc_json_int(tc_json_get_c(call->body, "expiresInSeconds"), &seconds))
        ret->expires_at = tc_clock_wall_ms(cx->clock) + seconds * 1000;
    return TC_OK;
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "token", .action = "create"};
    struct tc_token_options options;
    struct tc_token_row row;
    struct tc_str token;
    enum tc_err e = read_options(cx, call, &options);

    if (!e)
        e = tc_access_create_token(cx, call->runtime->access, &options, &row, &token);
    if (e)
        return e;
    change.object = row.id;
    change.after = tc_changed_document(cx, write_document, &row);
    tc_changed_note(cx, call, &change);
    write_token(call->out, &row, token);
    return TC_OK;
}

static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "token", .action = "update", .object = tc_api_field(call, "id")};
    struct tc_token_row row;
    enum tc_err e = find(cx, call, change.object, &row);

    if (!e)
        e = tc_access_label(cx, call->runtime->access, row.id, tc_api_field(call, "label"));
    if (e)
        return e;
    change.before = tc_changed_document(cx, write_document, &row);
    row.label = tc_api_field(call, "label");
    change.after = tc_changed_document(cx, write_document, &row);
    tc_changed_note(cx, call, &change);
    return answer(cx, call, row.id);
}

static enum tc_err revoke(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "token", .action = "remove", .object = tc_api_field(call, "id")};
    struct tc_token_row row;
    enum tc_err e = find(cx, call, change.object, &row);

    if (!e)
        e = tc_access_revoke(cx, call->runtime->access, row.id);
    if (e)
        return e;
    change.before = tc_changed_document(cx, write_document, &row);
    tc_changed_note(cx, call, &change);
    tc_api_done(call);
    return TC_OK;
}

#define ROLE "{\"enum\":[\"viewer\",\"operator\",\"admin\",\"agent\"]}"
#define LABEL "{\"type\":\"string\",\"maxLength\":200}"
#define ID_INPUT TC_API_CLOSED("\"id\"", "\"id\":" TC_API_STRING)
#define KNOWN                                                                                                          \
    "role (viewer|operator|admin|agent), agent string|null, label string, createdAt time, expiresAt time|null, "       \
    "revokedAt time|null, usedAt time|null}"

static const struct tc_api_component components[] = {
    {"Token", "{id string, " KNOWN}, {"NewToken", "{id string, token string, " KNOWN}, {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/token/page"}, TC_API_ADMIN, "Tokens by page, newest first, with filters",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"role\":" ROLE
                       ",\"agent\":" TC_API_STRING ",\"state\":{\"enum\":[\"active\",\"expired\",\"revoked\"]}}}"),
     "{list [Token], pagination Pagination}", get_page},
    {{"GET", "/admin/token/all"}, TC_API_ADMIN, "All tokens, without their text", NULL, "[Token]", get_all},
    {{"GET", "/admin/token/info"}, TC_API_ADMIN, "One token, without its text", NULL, "Token", get_info,
     .query = tc_api_by_id},
    {{"POST", "/admin/token/create"}, TC_API_ADMIN, "Make a token; its text is shown once",
     "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"role\":{\"type\":\"string\"},\"agent\":{"
     "\"type\":\"string\"},\"label\":" LABEL ",\"expiresInSeconds\":{\"type\":"
     "\"integer\",\"minimum\":1,\"maximum\":3153600000}}}",
     "NewToken", create},
    {{"POST", "/admin/token/update"}, TC_API_ADMIN, "Say what a token is for",
     TC_API_CLOSED("\"id\",\"label\"", "\"id\":" TC_API_STRING ",\"label\":" LABEL), "Token", update},
    {{"POST", "/admin/token/remove"}, TC_API_ADMIN, "Revoke a token at once", ID_INPUT, "Done", revoke},
};

const struct tc_api_resource tc_api_token = {"token", "Access tokens", routes, sizeof routes / sizeof *routes,
                                             components};
