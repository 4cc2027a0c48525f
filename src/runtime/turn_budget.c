/*
 * The characters that the results of one turn may take together (results.turnChars):
 * the largest go out to files first, until the rest fits.
 */
#include "base/hash.h"
#include "base/utf8.h"
#include "runtime/result.h"
#include "runtime/said.h"
#include "runtime/turn_calls.h"
#include "runtime/workspaces.h"

static bool may_go_out(const struct tc_turn_call *call)
{
    return call->settled && !(call->tool && call->tool->tool->flags & TC_TOOL_SELF_BOUNDED) &&
           tc_utf8_count(call->text) > TC_RESULT_PREVIEW;
}

/* The largest that can still be shortened, or NULL. */
static struct tc_turn_call *find_largest(struct tc_turn_call *calls, size_t n, const bool *out)
{
    struct tc_turn_call *largest = NULL;

    for (size_t i = 0; i < n; i++)
        if (!out[i] && may_go_out(&calls[i]) && (!largest || calls[i].text.n > largest->text.n))
            largest = &calls[i];
    return largest;
}

static struct tc_str offered(const struct tc_run *run, const char *id)
{
    const struct tc_view_tool *tool = tc_view_find_id(run->view, tc_str_of(id));

    return tool && (!run->offered || run->offered[tool - run->view->tools]) ? tool->name : TC_STR("");
}

static enum tc_err shorten(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *call, struct tc_str path)
{
    const struct tc_shape shape = {
        .limit = TC_RESULT_PREVIEW,
        .path = path,
        .read_tool = offered(run, "builtin:workspace.read_file"),
        .search_tool = offered(run, "builtin:workspace.search_files"),
    };
    struct tc_call_result seen = {.is_error = call->result.is_error};
    const struct tc_json *raw;
    struct tc_digest digest;
    struct tc_part said;
    enum tc_err e = tc_result_of_text(cx, call->text, TC_STR(""), call->result.is_error, &raw);

    if (!e)
        e = tc_result_digest(cx, raw, TC_STR(""), &digest);
    if (!e)
        e = tc_result_shape(cx, &digest, &shape, false, &seen.content);
    if (!e)
        e = tc_said_result(cx, &seen, &said);
    if (!e)
        call->text = said.text;
    return e;
}

static enum tc_err put_out(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *call)
{
    char hex[TC_HASH_HEX_SIZE];
    struct tc_str path;
    enum tc_err e;

    tc_hash_sha256_hex(call->id, hex);
    path = tc_arena_printf(cx->arena, "tool-results/%.*s/round-%03lld-call_%.16s.txt", TC_STR_ARG(run->invocation.id),
                           (long long)run->row.steps, hex);
    if (!path.p)
        return tc_fail_memory(cx);
    e = tc_workspaces_put_text(cx, run->runtime->workspaces, &run->invocation, run->view->agent, path, call->text);
    if (e == TC_E_WS_QUOTA || e == TC_E_WS_UNAVAILABLE) { /* it stays as it is */
        tc_fail_clear(cx);
        return TC_OK;
    }
    return e ? e : shorten(cx, run, call, path);
}

enum tc_err tc_turn_budget(struct tc_cx *cx, struct tc_run *run, struct tc_turn_call *calls, size_t n)
{
    int64_t budget = run->view->rules.turn_chars;
    bool *out = budget > 0 ? TC_ARENA_NEW_N(cx->arena, bool, n + 1) : NULL;
    struct tc_turn_call *largest;
    enum tc_err e = TC_OK;

    if (budget <= 0)
        return TC_OK;
    if (!out)
        return tc_fail_memory(cx);
    for (;;) {
        int64_t chars = 0;
        for (size_t i = 0; i < n; i++)
            chars += calls[i].settled ? (int64_t)tc_utf8_count(calls[i].text) : 0;
        largest = chars > budget ? find_largest(calls, n, out) : NULL;
        if (!largest || e)
            return e;
        out[largest - calls] = true;
        e = put_out(cx, run, largest);
    }
}
