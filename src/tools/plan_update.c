/*
 * plan.update: replaces the to-do list.
 */
#include "toolcrib/jsonw.h"
#include "toolcrib/plan.h"
#include "toolcrib/tool.h"

enum { ITEMS_MAX = 100, TEXT_MAX = 500, NOTE_MAX = 2000, BUF_MAX = 1024 * 1024 };

static enum tc_err check_item(struct tc_cx *cx, const struct tc_json *item, int number, int *active)
{
    struct tc_str text = tc_json_str(tc_json_get_c(item, "text"));
    struct tc_str status = tc_json_str(tc_json_get_c(item, "status"));

    if (tc_str_trim(text).n == 0)
        return tc_fail(cx, TC_E_PLAN_INVALID, "Item %d has no text.", number);
    if (tc_call_measure(text).chars > TEXT_MAX)
        return tc_fail(cx, TC_E_PLAN_INVALID, "The text of item %d is longer than %d characters.", number, TEXT_MAX);
    if (!tc_str_is(status, "pending") && !tc_str_is(status, "in_progress") && !tc_str_is(status, "done"))
        return tc_fail(cx, TC_E_PLAN_INVALID, "The status of item %d is pending, in_progress or done.", number);
    *active += tc_str_is(status, "in_progress");
    return TC_OK;
}

static enum tc_err check(struct tc_cx *cx, const struct tc_json *arguments)
{
    const struct tc_json *items = tc_json_get_c(arguments, "items"), *item;
    struct tc_json_iter it = tc_json_iter(items);
    struct tc_str key;
    int number = 0, active = 0;

    if (tc_json_count(items) > ITEMS_MAX)
        return tc_fail(cx, TC_E_PLAN_INVALID, "The list has %zu items; at most %d are allowed.", tc_json_count(items),
                       ITEMS_MAX);
    if (tc_call_measure(tc_json_str(tc_json_get_c(arguments, "note"))).chars > NOTE_MAX)
        return tc_fail(cx, TC_E_PLAN_INVALID, "The note is longer than %d characters.", NOTE_MAX);
    while (tc_json_next(&it, &key, &item)) {
        enum tc_err err = check_item(cx, item, ++number, &active);
        if (err)
            return err;
    }
    if (active > 1) {
        tc_fail(cx, TC_E_PLAN_INVALID, "%d items are in_progress; at most one may be.", active);
        return tc_fail_hint(cx, "Set the others to pending or done.");
    }
    return TC_OK;
}

static const char *mark_of(struct tc_str status)
{
    return tc_str_is(status, "done") ? "[x]" : tc_str_is(status, "in_progress") ? "[>]" : "[ ]";
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, const struct tc_json *arguments)
{
    const struct tc_json *items = tc_json_get_c(arguments, "items"), *item;
    struct tc_str note = tc_json_str(tc_json_get_c(arguments, "note")), key;
    struct tc_json_iter it = tc_json_iter(items);
    size_t done = 0;
    enum tc_err err = TC_OK;

    while (!err && tc_json_next(&it, &key, &item)) {
        struct tc_str status = tc_json_str(tc_json_get_c(item, "status"));
        struct tc_str text = tc_json_str(tc_json_get_c(item, "text"));
        done += tc_str_is(status, "done");
        err = tc_call_printf(cx, call, "%s %.*s\n", mark_of(status), TC_STR_ARG(text));
    }
    if (!err && tc_json_count(items) == 0)
        err = tc_call_text(cx, call, TC_STR("The list is empty.\n"));
    if (!err && note.n)
        err = tc_call_printf(cx, call, "Note: %.*s\n", TC_STR_ARG(note));
    return err ? err : tc_call_printf(cx, call, "%zu of %zu done.", done, tc_json_count(items));
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    const struct tc_json *arguments = tc_call_arguments(call);
    struct tc_plan_service *plan = tc_call_plan(call);
    struct tc_str json;
    enum tc_err err = check(cx, arguments);

    if (err)
        return err;
    if (!plan) {
        struct tc_str fault = tc_call_workspace_fault(call);
        return tc_fail(cx, TC_E_WS_UNAVAILABLE, "There is no place to keep a to-do list here.%s%.*s",
                       fault.n ? " " : "", TC_STR_ARG(fault));
    }
    json = tc_json_text(cx->arena, arguments);
    if (!json.p)
        return tc_fail_memory(cx);
    err = tc_plan_store(cx, plan, json);
    if (!err)
        err = tc_call_structured(cx, call, json);
    if (err)
        return err;
    tc_call_effect(call, TC_EFFECT_PLAN_UPDATED, TC_STR(""));
    return put_text(cx, call, arguments);
}

const struct tc_tool tc_tool_plan_update = {
    .name = "plan.update",
    .toolset = "planning",
    .title = "Update plan",
    .description = "Replaces the to-do list of the work at hand. Give all items each time, in order; at most one is "
                   "in_progress.",
    .search_hint = "todo tasks steps checklist",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"items\"],\"properties\":{"
        "\"items\":{\"type\":\"array\",\"maxItems\":100,\"description\":\"The whole list.\","
        "\"items\":{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"text\",\"status\"],"
        "\"properties\":{"
        "\"text\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":500,\"description\":\"What is to be done.\"},"
        "\"status\":{\"type\":\"string\",\"enum\":[\"pending\",\"in_progress\",\"done\"],"
        "\"description\":\"How far it is.\"}}}},"
        "\"note\":{\"type\":\"string\",\"maxLength\":2000,\"description\":\"A remark on the list, such as why it "
        "changed.\"}}}",
    .output_schema = "{\"type\":\"object\",\"required\":[\"items\"],\"properties\":{\"items\":{\"type\":\"array\"},"
                     "\"note\":{\"type\":\"string\"}}}",
    .prompt_hint = "For work of several steps keep a list with {{tool:builtin:plan.update}}: one step in_progress at a "
                   "time, marked done as soon as it is.",
    .example = "{\"items\":[{\"text\":\"Read the notes\",\"status\":\"done\"},"
               "{\"text\":\"Write the summary\",\"status\":\"in_progress\"}]}",
    .flags = TC_TOOL_IDEMPOTENT | TC_TOOL_PROMPT_HINT,
    .run = run};
