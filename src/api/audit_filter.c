/*
 * Reading filters. A word that is none of a list is refused in a query as the schema
 * refuses it in a body: an export of all would look like one of few.
 */
#include "api/audit_filter.h"

#include "base/clock.h"
#include "ports/store_servers.h"

#define DAY_MS (INT64_C(24) * 60 * 60 * 1000)

struct source {
    struct tc_cx *cx;
    const struct tc_api_call *call;
    const struct tc_json *object; /* or NULL: the query */
};

static const char *const outcomes[TC_AUDIT_OUTCOMES + 1] = {"", "ok", "error", "refused", "unknown", "open", NULL};
static const char *const states[] = {"", "intent", "done", "unknown", NULL};
static const char *const surfaces[] = {"", "mcp", "rest", "cli", "ui", "run", NULL};
static const char *const answers[] = {"", "true", "false", NULL};

const char *tc_audit_outcome_name(enum tc_audit_outcome outcome)
{
    return outcomes[outcome];
}

static struct tc_str text_of(const struct source *from, const char *name)
{
    const struct tc_json *value;

    if (!from->object)
        return tc_api_query(from->cx, from->call, name);
    value = tc_json_get_c(from->object, name);
    if (tc_json_is(value, TC_JSON_TRUE) || tc_json_is(value, TC_JSON_FALSE))
        return tc_json_bool(value, false) ? TC_STR("true") : TC_STR("false");
    return tc_json_is(value, TC_JSON_STRING) ? tc_json_str(value) : TC_STR("");
}

static enum tc_err fail_field(struct tc_cx *cx, const char *field)
{
    return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%s", field));
}

/* The word's place in the list. */
static enum tc_err word_of(const struct source *from, const char *name, const char *const *words, int *ret_place)
{
    struct tc_str text = text_of(from, name);
    int place = 0;

    while (words[place] && !tc_str_is(text, words[place]))
        place++;
    if (words[place]) {
        *ret_place = place;
        return TC_OK;
    }
    tc_fail(from->cx, TC_E_HTTP_BAD_REQUEST, "\"%.*s\" is no value of %s.", TC_STR_ARG(text), name);
    return fail_field(from->cx, name);
}

static enum tc_err parse_time(struct tc_cx *cx, struct tc_str text, const char *field, int64_t *ret_ms)
{
    if (tc_str_int(text, ret_ms) || tc_clock_parse_iso(text, ret_ms))
        return TC_OK;
    tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "\"%.*s\" is no time.", TC_STR_ARG(text));
    tc_fail_hint(cx, "Give Unix milliseconds, or a time such as 2026-11-29T22:36:00Z.");
    return fail_field(cx, field);
}

enum tc_err tc_audit_filter_time(struct tc_cx *cx, const struct tc_json *value, const char *field, int64_t *ret_ms)
{
    *ret_ms = 0;
    if (!value || tc_json_int(value, ret_ms))
        return TC_OK;
    if (!tc_json_is(value, TC_JSON_STRING)) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "That is no time.");
        return fail_field(cx, field);
    }
    return parse_time(cx, tc_json_str(value), field, ret_ms);
}

enum tc_err tc_audit_filter_span(struct tc_cx *cx, const struct tc_api_call *call, int64_t *from, int64_t *to)
{
    int64_t begins, ends;
    enum tc_err e = tc_audit_filter_time(cx, tc_json_get_c(call->body, "from"), "from", &begins);

    if (!e)
        e = tc_audit_filter_time(cx, tc_json_get_c(call->body, "to"), "to", &ends);
    if (e)
        return e;
    if (ends)
        *to = ends;
    if (begins)
        *from = begins;
    if (!*to)
        *to = tc_clock_wall_ms(cx->clock) + 1;
    if (!*from)
        *from = *to > DAY_MS ? *to - DAY_MS : 1;
    return TC_OK;
}

static enum tc_err time_of(const struct source *from, const char *name, int64_t *ret_ms)
{
    struct tc_str text;

    *ret_ms = 0;
    if (from->object)
        return tc_audit_filter_time(from->cx, tc_json_get_c(from->object, name), name, ret_ms);
    text = tc_api_query(from->cx, from->call, name);
    return text.n ? parse_time(from->cx, text, name, ret_ms) : TC_OK;
}

/* A server that was removed has its calls still. What is no name is taken for a UUID. */
static enum tc_err find_server(struct tc_cx *cx, struct tc_store *store, struct tc_str *server)
{
    struct tc_server_row *rows;
    size_t n;
    enum tc_err e = server->n ? store->servers->all(cx, store, &rows, &n) : TC_OK;

    if (e || !server->n)
        return e;
    for (size_t i = 0; i < n; i++)
        if (tc_str_eq(rows[i].name, *server)) {
            *server = rows[i].uuid;
            break;
        }
    return TC_OK;
}

static enum tc_err read_words(const struct source *from, struct tc_store_audit_filter *filter)
{
    int outcome, state, surface, is_error, repaired;
    enum tc_err e = word_of(from, "outcome", outcomes, &outcome);

    if (e || (e = word_of(from, "state", states, &state)) || (e = word_of(from, "surface", surfaces, &surface)) ||
        (e = word_of(from, "isError", answers, &is_error)) || (e = word_of(from, "repaired", answers, &repaired)))
        return e;
    filter->outcome = (enum tc_audit_outcome)outcome;
    filter->state = tc_str_of(states[state]);
    filter->surface = tc_str_of(surfaces[surface]);
    filter->is_error = is_error == 0 ? -1 : is_error == 1;
    filter->repaired = repaired == 0 ? 0 : repaired == 1 ? 1 : -1;
    return TC_OK;
}

enum tc_err tc_audit_filter_read(struct tc_cx *cx, struct tc_api_call *call, const struct tc_json *object,
                                 struct tc_store_audit_filter *ret_filter)
{
    const struct source from = {cx, call, object};
    struct tc_store_audit_filter filter = {
        .agent = text_of(&from, "agent"),
        .tool_id = text_of(&from, "toolId"),
        .toolset = text_of(&from, "toolset"),
        .server = text_of(&from, "server"),
        .principal_id = text_of(&from, "principalId"),
        .run = text_of(&from, "run"),
        .call_id = text_of(&from, "callId"),
        .error_code = text_of(&from, "errorCode"),
        .after = text_of(&from, "after"),
    };
    enum tc_err e = read_words(&from, &filter);

    if (!e)
        e = time_of(&from, "from", &filter.from);
    if (!e)
        e = time_of(&from, "to", &filter.to);
    if (!e)
        e = find_server(cx, call->runtime->store, &filter.server);
    if (!e)
        *ret_filter = filter;
    return e;
}
