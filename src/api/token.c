/*
 * /admin/token: access tokens. A token is shown once, when it is made.
 */
#include "api/api.h"
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
    struct tc_token_options options;
    struct tc_token_row row;
    struct tc_str token;
    enum tc_err e = read_options(cx, call, &options);

    if (!e)
        e = tc_access_create_token(cx, call->runtime->access, &options, &row, &token);
    if (!e)
        write_token(call->out, &row, token);
    return e;
}

static enum tc_err revoke(struct tc_cx *cx, struct tc_api_call *call)
{
    enum tc_err e = tc_access_revoke(cx, call->runtime->access, tc_api_field(call, "id"));

    if (!e)
        tc_api_done(call);
    return e;
}

#define ID_INPUT                                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"      \
    "\"string\"}}}"

static const struct tc_api_component components[] = {
    {"Token",
     "{id string, role (viewer|operator|admin|agent), agent string|null, label string, createdAt time, "
     "expiresAt time|null, revokedAt time|null, usedAt time|null}"},
    {"NewToken",
     "{id string, token string, role (viewer|operator|admin|agent), agent string|null, label string, createdAt time, "
     "expiresAt time|null, revokedAt time|null, usedAt time|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/token/all"}, TC_API_ADMIN, "All tokens, without their text", NULL,
     "[Token]", get_all},
    {{"POST", "/admin/token/create"}, TC_API_ADMIN, "Make a token; its text is shown once",
     "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"role\":{\"type\":\"string\"},\"agent\":{"
     "\"type\":\"string\"},\"label\":{\"type\":\"string\",\"maxLength\":200},\"expiresInSeconds\":{\"type\":"
     "\"integer\",\"minimum\":1,\"maximum\":3153600000}}}",
     "NewToken", create},
    {{"POST", "/admin/token/remove"}, TC_API_ADMIN, "Revoke a token at once", ID_INPUT, "Done", revoke},
};

const struct tc_api_resource tc_api_token = {"token", "Access tokens", routes,
                                             sizeof routes / sizeof *routes, components};
