/*
 * A change is checked against what the code says of the tool, stored by its version, taken
 * over by the registry and put on record. Of many tools each is changed by itself: what
 * keeps one back is no reason for the others.
 */
#include "api/tool_change.h"

#include "api/changed.h"
#include "api/tool_needs.h"
#include "base/clock.h"

enum tc_err tc_tool_find(struct tc_cx *cx, struct tc_api_call *call, struct tc_str tool, struct tc_str *ret_id)
{
    struct tc_str agent = tc_api_query(cx, call, "agent");
    struct tc_view_key key = {.agent = agent.n ? agent : TC_STR("default"), .client = true};
    struct tc_agent *known;

    if (!agent.n && tc_agents_get(cx, call->runtime->agents, key.agent, &known)) {
        tc_fail_clear(cx);
        key.agent = TC_STR("");
    }
    return tc_pipeline_tool_id(cx, call->runtime, &key, tool, ret_id);
}

static enum tc_err get_row(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id, struct tc_tool_row *ret_row)
{
    struct tc_store *store = call->runtime->store;
    enum tc_err e = store->tools->get(cx, store, id, ret_row);

    return e == TC_E_STORE_NOT_FOUND ? tc_fail(cx, TC_E_TOOL_NOT_FOUND, "There is no tool \"%.*s\".", TC_STR_ARG(id))
                                     : e;
}

enum tc_err tc_tool_show(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_tool_row row;
    enum tc_err e = get_row(cx, call, id, &row);

    return e ? e : tc_tool_needs_write(cx, call, &row);
}

/* --- one change --- */

static struct tc_str text_or_null(const struct tc_json *value)
{
    return tc_json_is(value, TC_JSON_STRING) ? tc_json_str(value) : tc_str_n(NULL, 0);
}

/* The columns that `change` has, into *row; which they are. */
static enum tc_err read_changes(struct tc_cx *cx, const struct tc_json *change, struct tc_tool_row *row,
                                unsigned *ret_set)
{
    const struct tc_json *label = tc_json_get_c(change, "label"), *extra = tc_json_get_c(change, "extra");
    unsigned set = 0;
    int64_t status;

    if (label) {
        set |= TC_TOOL_SET_LABEL;
        row->label = tc_json_str(label);
    }
    if (tc_json_get_c(change, "description")) {
        set |= TC_TOOL_SET_DESCRIPTION;
        row->description = text_or_null(tc_json_get_c(change, "description"));
    }
    if (tc_json_int(tc_json_get_c(change, "status"), &status)) {
        set |= TC_TOOL_SET_STATUS;
        row->status = status != 0;
    }
    if (tc_json_get_c(change, "promptHint")) {
        set |= TC_TOOL_SET_PROMPT_HINT;
        row->prompt_hint = text_or_null(tc_json_get_c(change, "promptHint"));
    }
    if (tc_json_int(tc_json_get_c(change, "sort"), &row->sort))
        set |= TC_TOOL_SET_SORT;
    if (extra) {
        set |= TC_TOOL_SET_EXTRA;
        row->extra = tc_json_is(extra, TC_JSON_NULL) ? tc_str_n(NULL, 0) : tc_json_text(cx->arena, extra);
    }
    *ret_set = set;
    return set ? TC_OK : tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "There is nothing to change in the body.");
}

/* A tool that has just come is in the store a little before the registry knows its row. */
static enum tc_err check_changes(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row,
                                 unsigned set)
{
    const struct tc_tool_row *known = tc_registry_row(call->runtime->registry, row->name);
    struct tc_tool_row stored;
    enum tc_err e = known ? TC_OK : get_row(cx, call, row->name, &stored);

    if (e)
        return e;
    if (!known)
        known = &stored;
    if (set & TC_TOOL_SET_STATUS && !row->status && !known->can_disable)
        return tc_fail(cx, TC_E_TOOL_CANNOT_DISABLE, "\"%.*s\" cannot be disabled.", TC_STR_ARG(row->name));
    if (set & TC_TOOL_SET_PROMPT_HINT && row->prompt_hint.p && !known->supports_prompt_hint)
        return tc_fail(cx, TC_E_TOOL_FIELD_READ_ONLY, "\"%.*s\" takes no prompt hint.", TC_STR_ARG(row->name));
    return TC_OK;
}

/* What operators edit of a tool; null is the code's. */
static void write_document(struct tc_jsonw *w, const void *object)
{
    const struct tc_tool_row *row = object;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "label", row->label);
    tc_jsonw_kstr(w, "description", row->description);
    tc_jsonw_kint(w, "status", row->status);
    tc_jsonw_kstr(w, "promptHint", row->prompt_hint);
    tc_jsonw_kint(w, "sort", row->sort);
    tc_jsonw_key(w, "extra");
    tc_jsonw_raw(w, row->extra.p ? row->extra : TC_STR("null"));
    tc_jsonw_end(w);
}

/* Changes the tool row->name if its version is row->version (0: any). */
static enum tc_err change_one(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row, unsigned set,
                              struct tc_tool_row *ret_stored)
{
    struct tc_changed change = {.resource = "tool", .action = "update", .object = row->name};
    struct tc_store *store = call->runtime->store;
    struct tc_tool_row before;
    enum tc_err e = check_changes(cx, call, row, set);

    if (!e)
        e = get_row(cx, call, row->name, &before);
    if (!e)
        e = store->tools->update(cx, store, row, set, tc_clock_wall_ms(cx->clock));
    if (e)
        return e;
    tc_task_shield(cx); /* what is stored by now is taken over and on record, whether the caller waits or not */
    e = store->tools->get(cx, store, row->name, ret_stored);
    tc_task_unshield(cx);
    if (!e)
        e = tc_registry_set_row(cx, call->runtime->registry, ret_stored);
    if (e)
        return e;
    change.version = ret_stored->version;
    change.before = tc_changed_document(cx, write_document, &before);
    change.after = tc_changed_document(cx, write_document, ret_stored);
    tc_changed_note(cx, call, &change);
    return TC_OK;
}

enum tc_err tc_tool_update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_tool_row row = {0}, stored;
    unsigned set;
    enum tc_err e = tc_tool_find(cx, call, tc_api_field(call, "id"), &row.name);

    tc_json_int(tc_json_get_c(call->body, "version"), &row.version);
    if (!e)
        e = read_changes(cx, call->body, &row, &set);
    if (!e)
        e = change_one(cx, call, &row, set, &stored);
    return e ? tc_changed_conflict(cx, call, e, tc_tool_show, row.name) : tc_tool_show(cx, call, row.name);
}

/* --- the same of many --- */

struct outcome {
    struct tc_str asked;
    struct tc_error fault;  /* code 0: it is done */
    struct tc_tool_row row; /* as it is now; no name: it was not found */
};

static const char *name_of(enum tc_err e)
{
    switch (e) {
    case TC_OK:
        return "done";
    case TC_E_STORE_CONFLICT:
        return "conflict";
    case TC_E_TOOL_NOT_FOUND:
        return "notFound";
    case TC_E_TOOL_CANNOT_DISABLE:
    case TC_E_TOOL_FIELD_READ_ONLY:
        return "forbidden";
    default:
        return "failed";
    }
}

/* `row` has the columns of the change. */
static void change_each(struct tc_cx *cx, struct tc_api_call *call, const struct tc_json *tool, struct tc_tool_row row,
                        unsigned set, struct outcome *outcome)
{
    enum tc_err e;

    *outcome = (struct outcome){.asked = tc_json_str(tc_json_get_c(tool, "id"))};
    tc_json_int(tc_json_get_c(tool, "version"), &row.version);
    e = tc_tool_find(cx, call, outcome->asked, &row.name);
    if (!e)
        e = change_one(cx, call, &row, set, &outcome->row);
    if (!e)
        return;
    outcome->fault = cx->err;
    tc_fail_clear(cx);
    outcome->row.name = TC_STR("");
    if (row.name.n && e != TC_E_TOOL_NOT_FOUND && get_row(cx, call, row.name, &outcome->row)) {
        tc_fail_clear(cx);
        outcome->row.name = TC_STR("");
    }
}

static enum tc_err write_outcomes(struct tc_cx *cx, struct tc_api_call *call, const struct outcome *outcomes, size_t n)
{
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    struct tc_jsonw *w = call->out;
    enum tc_err e = names ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < n; i++)
        names[i] = outcomes[i].row.name;
    if (!e)
        e = tc_changed_latest(cx, call, "tool", names, n, &last);
    if (e)
        return e;
    tc_jsonw_array(w);
    for (size_t i = 0; !e && i < n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "id", outcomes[i].asked);
        tc_jsonw_kcstr(w, "outcome", name_of(outcomes[i].fault.code));
        tc_jsonw_key(w, "tool");
        e = outcomes[i].row.name.n ? tc_tool_row_write(cx, call, &outcomes[i].row, &last[i]) : TC_OK;
        if (!outcomes[i].row.name.n)
            tc_jsonw_null(w);
        tc_api_fault(w, "error", &outcomes[i].fault);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    return e;
}

enum tc_err tc_tool_update_all(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *tools = tc_json_get_c(call->body, "tools"), *tool;
    struct outcome *outcomes = TC_ARENA_NEW_N(cx->arena, struct outcome, tc_json_count(tools) + 1);
    struct tc_json_iter it = tc_json_iter(tools);
    struct tc_tool_row row = {0};
    size_t n = 0;
    unsigned set;
    enum tc_err e = outcomes ? read_changes(cx, tc_json_get_c(call->body, "change"), &row, &set) : tc_fail_memory(cx);

    while (!e && tc_json_next(&it, NULL, &tool)) {
        change_each(cx, call, tool, row, set, &outcomes[n++]);
        e = tc_task_check(cx);
    }
    return e ? e : write_outcomes(cx, call, outcomes, n);
}
