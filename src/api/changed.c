/*
 * Recording changes and saying who made them. The label of a principal is looked up when
 * it is shown, so that a token that was named later is shown by its name.
 */
#include "api/changed.h"

#include "base/clock.h"
#include "base/log.h"

enum { DOCUMENT_MAX = 16 * 1024 * 1024 };

static enum tc_err store_change(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_changed *change)
{
    struct tc_runtime *runtime = call->runtime;
    struct tc_change_row row = {
        .at = tc_clock_wall_ms(cx->clock),
        .principal_kind = call->principal->kind,
        .principal_id = call->principal->id,
        .resource = tc_str_of(change->resource),
        .object = change->object,
        .action = tc_str_of(change->action),
        .version = change->version,
        .before = change->before,
        .after = change->after,
    };

    tc_rand_id_after(row.at, runtime->last_id);
    row.id = tc_arena_dup(cx->arena, tc_str_of(runtime->last_id));
    return row.id.p ? runtime->store->changes->add(cx, runtime->store, &row) : tc_fail_memory(cx);
}

void tc_changed_note(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_changed *change)
{
    enum tc_err e;

    tc_task_shield(cx);
    e = store_change(cx, call, change);
    tc_task_unshield(cx);
    if (!e)
        return;
    tc_log(TC_LOG_ERROR, "change.unrecorded", "%s of %s \"%.*s\" by %.*s was made and could not be recorded: %.*s",
           change->action, change->resource, TC_STR_ARG(change->object), TC_STR_ARG(call->principal->id),
           TC_STR_ARG(cx->err.message));
    tc_fail_clear(cx);
}

static void write_lasting(struct tc_jsonw *w, const void *object)
{
    const struct tc_approval_row *row = object;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "approval", row->id);
    tc_jsonw_kstr(w, "agent", row->agent);
    tc_jsonw_kstr(w, "toolId", row->tool_id);
    tc_jsonw_kcstr(w, "permission", "allow");
    tc_jsonw_end(w);
}

void tc_changed_lasting(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_approval_row *row)
{
    struct tc_changed change = {.resource = "approval", .action = "always", .object = row->tool_id};

    change.after = tc_changed_document(cx, write_lasting, row);
    tc_changed_note(cx, call, &change);
}

enum tc_err tc_changed_latest(struct tc_cx *cx, const struct tc_api_call *call, const char *resource,
                              const struct tc_str *objects, size_t n, struct tc_change_row **ret_rows)
{
    struct tc_store *store = call->runtime->store;

    return store->changes->latest(cx, store, tc_str_of(resource), objects, n, ret_rows);
}

struct tc_str tc_changed_label(const struct tc_api_call *call, struct tc_str kind, struct tc_str id)
{
    const struct tc_token_row *token;

    if (tc_str_is(kind, "socket") || tc_str_is(kind, "env"))
        return TC_STR("admin");
    token = tc_access_token(call->runtime->access, id);
    if (!token)
        return id;
    return token->label.n ? token->label : token->role;
}

static void write_principal(struct tc_api_call *call, const struct tc_change_row *row)
{
    tc_jsonw_kstr(call->out, "kind", row->principal_kind);
    tc_jsonw_kstr(call->out, "id", row->principal_id);
    tc_jsonw_kstr(call->out, "label", tc_changed_label(call, row->principal_kind, row->principal_id));
}

void tc_changed_principal(struct tc_api_call *call, const char *key, const struct tc_change_row *row)
{
    tc_jsonw_key(call->out, key);
    tc_jsonw_object(call->out);
    write_principal(call, row);
    tc_jsonw_end(call->out);
}

void tc_changed_made(struct tc_api_call *call, const char *key, const struct tc_change_row *row)
{
    tc_jsonw_key(call->out, key);
    if (!row || !row->id.n) {
        tc_jsonw_null(call->out);
        return;
    }
    tc_jsonw_object(call->out);
    write_principal(call, row);
    tc_api_time(call->out, "at", row->at);
    tc_jsonw_end(call->out);
}

void tc_changed_by(struct tc_api_call *call, const struct tc_change_row *row)
{
    tc_changed_made(call, "updatedBy", row);
}

struct tc_str tc_changed_document(struct tc_cx *cx, tc_changed_write *write, const void *object)
{
    struct tc_str json;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, DOCUMENT_MAX);
    tc_jsonw_init(&w, &buf);
    write(&w, object);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return json;
}

/* --- conflicts --- */

/* {version, updatedBy, current} of what `show` writes. */
static enum tc_err describe(struct tc_cx *cx, const struct tc_api_call *call, tc_changed_show *show, struct tc_str id,
                            struct tc_str *ret_details)
{
    struct tc_api_call inner = *call;
    const struct tc_json *current;
    struct tc_buf buf, details;
    struct tc_jsonw w, to;
    enum tc_err e;

    tc_buf_init(&buf, DOCUMENT_MAX);
    tc_buf_init(&details, DOCUMENT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_init(&to, &details);
    inner.out = &w;
    e = show(cx, &inner, id);
    if (!e && buf.failed)
        e = tc_fail_memory(cx);
    if (!e)
        e = tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &current);
    if (!e) {
        tc_jsonw_object(&to);
        tc_jsonw_kvalue(&to, "version", tc_json_get_c(current, "version"));
        tc_jsonw_kvalue(&to, "updatedBy", tc_json_get_c(current, "updatedBy"));
        tc_jsonw_kvalue(&to, "current", current);
        tc_jsonw_end(&to);
        *ret_details = tc_buf_dup(&details, cx->arena);
        e = ret_details->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&buf);
    tc_buf_finish(&details);
    return e;
}

enum tc_err tc_changed_conflict(struct tc_cx *cx, const struct tc_api_call *call, enum tc_err e,
                                tc_changed_show *show, struct tc_str id)
{
    struct tc_error fault = cx->err;
    struct tc_str details;
    enum tc_err failed;

    if (e != TC_E_STORE_CONFLICT)
        return e;
    failed = describe(cx, call, show, id, &details);
    cx->err = fault; /* without details it is a conflict all the same */
    return failed ? e : tc_fail_details(cx, details);
}
