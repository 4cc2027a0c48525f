/*
 * Calls that an interruption left open on the tape. The audit knows what became of them:
 * a row that is done has the result, a row that left and never came back is of unknown
 * outcome, and without a row nothing has started.
 */
#include "runtime/run_settle.h"

#include "ports/store_audit.h"
#include "runtime/result.h"
#include "runtime/said.h"
#include "runtime/turn_calls.h"

enum { CLOCK_MS = 24 * 60 * 60 * 1000 }; /* by which a clock may have been put back meanwhile */

struct settling {
    struct tc_run *run;
    struct tc_run_settled found;
    struct tc_buf unknown; /* calls of unknown outcome, in words */
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* --- what is open --- */

/* The last message that is an assistant's, if nothing was said after it; SIZE_MAX: none. */
static size_t last_turn(const struct tc_tape *tape)
{
    for (size_t i = tape->n; i > 0; i--) {
        const struct tc_tape_item *item = &tape->items[i - 1];
        if (item->kind == TC_TAPE_MESSAGE)
            return tc_str_is(member(item->body, "role"), "assistant") ? i - 1 : SIZE_MAX;
        if (item->kind == TC_TAPE_NOTE || item->kind == TC_TAPE_SUMMARY)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* The row of a call of that turn; *ret_found false: there is none. */
static enum tc_err find_row(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_item *turn,
                            struct tc_str call, struct tc_audit_row *ret, bool *ret_found)
{
    const struct tc_store_page page = {.page = 1, .size = 1, .descending = true};
    const struct tc_store_audit_filter filter = {
        .run = turn->run,
        .call_id = call, /* unique on the tape */
        .is_error = -1,
        .from = turn->at > CLOCK_MS ? turn->at - CLOCK_MS : 0,
    };
    struct tc_audit_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e = store->audit->page(cx, store, &page, &filter, &rows, &n, &total);

    if (e)
        return e;
    *ret_found = n > 0;
    if (n)
        *ret = rows[0];
    return TC_OK;
}

/* --- what becomes of it --- */

static enum tc_err write_result(struct tc_cx *cx, struct settling *s, const struct tc_turn_call *call,
                                struct tc_str name)
{
    struct tc_str json = tc_turn_result_entry(cx, call, name);

    if (!json.p)
        return tc_fail_memory(cx);
    s->found.writes[s->found.n] = (struct tc_tape_write){TC_TAPE_RESULT, json};
    s->found.calls[s->found.n++] = (struct tc_run_settled_call){
        .id = call->id,
        .name = name,
        .tool_id = call->result.tool_id,
        .audit_id = call->result.audit_id,
        .is_error = call->result.is_error,
        .error_code = call->result.error_code,
    };
    return TC_OK;
}

static int64_t int_of(const struct tc_json *object, const char *key)
{
    int64_t value = 0;

    return tc_json_int(tc_json_get_c(object, key), &value) ? value : 0;
}

/* The stored result as the model would have read it. */
static enum tc_err restore(struct tc_cx *cx, struct settling *s, const struct tc_audit_row *row,
                           struct tc_turn_call *call)
{
    struct tc_json_limits limits = {.max_bytes = 4 * (size_t)TC_RESULT_BYTES_MAX};
    struct tc_store *store = s->run->runtime->store;
    struct tc_result_row stored;
    const struct tc_json *root;
    struct tc_shape shape = {.image_input = true};
    struct tc_digest digest;
    struct tc_call_result seen = {.is_error = row->is_error};
    struct tc_part said;
    enum tc_err e = store->results->get(cx, store, row->result_id, &stored);

    if (!e)
        e = tc_json_parse_root(cx, stored.raw, &limits, &root);
    if (e)
        return e;
    shape.limit = int_of(root, "limit");
    shape.max_chars = int_of(root, "maxChars");
    shape.path = member(root, "path");
    e = tc_result_restore(cx, tc_json_text(cx->arena, tc_json_get_c(root, "result")), &digest);
    if (!e)
        e = tc_result_shape(cx, &digest, &shape, false, &seen.content);
    if (!e && tc_json_get_c(digest.root, "structuredContent"))
        seen.structured = tc_json_text(cx->arena, tc_json_get_c(digest.root, "structuredContent"));
    if (!e)
        e = tc_said_result(cx, &seen, &said);
    if (e)
        return e;
    call->text = said.text;
    call->result.images_n = digest.images_n;
    call->result.images = TC_ARENA_NEW_N(cx->arena, struct tc_str, digest.images_n + 1);
    call->result.image_mimes = TC_ARENA_NEW_N(cx->arena, struct tc_str, digest.images_n + 1);
    if (!call->result.images || !call->result.image_mimes)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < digest.images_n; i++) {
        call->result.images[i] = digest.images[i].path;
        call->result.image_mimes[i] = digest.images[i].mime;
    }
    return TC_OK;
}

static enum tc_err take_done(struct tc_cx *cx, struct settling *s, const struct tc_audit_row *row, struct tc_str name)
{
    struct tc_turn_call call = {
        .id = row->call_id,
        .result = {.tool_id = row->tool_id,
                   .audit_id = row->id,
                   .result_id = row->result_id,
                   .is_error = row->is_error,
                   .error_code = row->error_code},
    };
    enum tc_err e = row->result_id.n ? restore(cx, s, row, &call) : TC_OK;

    if (e == TC_E_STORE_NOT_FOUND || (!e && row->result_id.n == 0)) {
        tc_fail_clear(cx);
        e = TC_OK;
        call.text = tc_arena_printf(cx->arena, "This call ended%s%.*s, and its result was not kept.",
                                    row->error_code.n ? " with " : "", TC_STR_ARG(row->error_code));
        call.result.is_error = true;
    }
    return e ? e : write_result(cx, s, &call, name);
}

static enum tc_err take_unknown(struct tc_cx *cx, struct settling *s, const struct tc_audit_row *row,
                                struct tc_str name)
{
    const struct tc_turn_call call = {
        .id = row->call_id,
        .text = TC_STR("It is not known whether this call took effect: it was interrupted. Check the state before "
                       "repeating it."),
        .result = {.tool_id = row->tool_id,
                   .audit_id = row->id,
                   .is_error = true,
                   .error_code = TC_STR("mcp.call_outcome_unknown")},
    };

    tc_buf_printf(&s->unknown, "%s%.*s (%.*s)", s->unknown.n ? ", " : "", TC_STR_ARG(row->call_id), TC_STR_ARG(name));
    return write_result(cx, s, &call, name);
}

static enum tc_err take_not_started(struct tc_cx *cx, struct settling *s, const struct tc_json *call_part)
{
    const struct tc_turn_call call = {
        .id = member(call_part, "id"),
        .text = TC_STR("This call was not started: the run was interrupted before it. Nothing happened; make it again "
                       "if it is still needed."),
        .result = {.tool_id = member(call_part, "toolId"),
                   .is_error = true,
                   .error_code = TC_STR("agent.tool_not_started")},
    };

    return write_result(cx, s, &call, member(call_part, "name"));
}

static enum tc_err settle_call(struct tc_cx *cx, struct settling *s, const struct tc_tape_item *turn,
                               const struct tc_json *call)
{
    struct tc_str name = member(call, "name");
    struct tc_audit_row row;
    bool found;
    enum tc_err e = find_row(cx, s->run->runtime->store, turn, member(call, "id"), &row, &found);

    if (e)
        return e;
    if (!found)
        return take_not_started(cx, s, call);
    return tc_str_is(row.state, "done") ? take_done(cx, s, &row, name) : take_unknown(cx, s, &row, name);
}

static enum tc_err settle_turn(struct tc_cx *cx, struct settling *s, size_t turn)
{
    const struct tc_tape *tape = &s->run->tape;
    const struct tc_json *parts = tc_json_get_c(tape->items[turn].body, "parts"), *part;
    struct tc_json_iter it = tc_json_iter(parts);
    enum tc_err e = TC_OK;

    s->found.writes = TC_ARENA_NEW_N(cx->arena, struct tc_tape_write, tc_json_count(parts) + 1);
    s->found.calls = TC_ARENA_NEW_N(cx->arena, struct tc_run_settled_call, tc_json_count(parts) + 1);
    if (!s->found.writes || !s->found.calls)
        return tc_fail_memory(cx);
    while (!e && tc_json_next(&it, NULL, &part)) {
        const struct tc_json *call = tc_json_get_c(part, "call");
        if (call && !tc_tape_answered(tape, turn + 1, member(call, "id")))
            e = settle_call(cx, s, &tape->items[turn], call);
    }
    return e;
}

enum tc_err tc_run_settle_find(struct tc_cx *cx, struct tc_run *run, bool accept_unknown,
                               struct tc_run_settled *ret_settled)
{
    struct settling s = {.run = run};
    size_t turn = last_turn(&run->tape);
    enum tc_err e = TC_OK;

    tc_buf_init(&s.unknown, 64 * 1024);
    if (turn != SIZE_MAX)
        e = settle_turn(cx, &s, turn);
    if (!e && s.unknown.n && !accept_unknown) {
        tc_fail(cx, TC_E_RUN_UNKNOWN_OUTCOME, "It is not known whether these calls took effect: %.*s.",
                TC_STR_ARG(tc_buf_get(&s.unknown)));
        e = tc_fail_hint(cx, "Look at what they change, then resume with --accept-unknown.");
    }
    tc_buf_finish(&s.unknown);
    if (!e)
        *ret_settled = s.found;
    return e;
}

static enum tc_err tell(struct tc_cx *cx, struct tc_run *run, const struct tc_run_settled_call *call)
{
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "callId", call->id);
    tc_jsonw_kopt(&draft.w, "toolId", call->tool_id);
    tc_jsonw_kstr(&draft.w, "name", call->name);
    tc_jsonw_kbool(&draft.w, "isError", call->is_error);
    tc_jsonw_kopt(&draft.w, "errorCode", call->error_code);
    tc_jsonw_kopt(&draft.w, "audit", call->audit_id);
    return tc_run_draft_end(cx, &run->journal, call->is_error ? "tool_call_failed" : "tool_call_completed", &draft);
}

enum tc_err tc_run_settle_put(struct tc_cx *cx, struct tc_run *run, const struct tc_run_settled *settled,
                              const struct tc_map *open)
{
    enum tc_err e = settled->n ? tc_run_journal_keep(cx, &run->journal, settled->writes, settled->n) : TC_OK;

    for (size_t i = 0; i < settled->n && !e && open; i++)
        if (tc_map_get(open, settled->calls[i].id))
            e = tell(cx, run, &settled->calls[i]);
    return e;
}
