/*
 * The audit row of a call, from its ids to its end, and its stored result. What is secret in
 * arguments and results is redacted here, before anything is stored.
 */
#include "base/clock.h"
#include "base/hash.h"
#include "base/rand.h"
#include "base/utf8.h"
#include "runtime/pipeline_impl.h"
#include "runtime/servers_log.h"
#include "toolcrib/jsonw.h"

enum { SNAPSHOT_AGAIN_MS = 60 * 60 * 1000 }; /* so that retention sees that it is in use */

static struct tc_str make_id(struct tc_cx *cx, int64_t at)
{
    char id[TC_RAND_ID_SIZE];

    tc_rand_id(at, id);
    return tc_arena_dup(cx->arena, tc_str_of(id));
}

enum tc_err tc_pipeline_record_begin(struct tc_cx *cx, struct tc_passage *p)
{
    const struct tc_invocation *i = p->invocation;
    int64_t at = tc_clock_wall_ms(cx->clock); /* one instant: rows sort by id as by time */

    p->started_us = tc_clock_mono_us(cx->clock);
    tc_rand_id_after(at, p->runtime->last_id);
    p->row = (struct tc_audit_row){
        .id = tc_arena_dup(cx->arena, tc_str_of(p->runtime->last_id)),
        .at = at,
        .state = TC_STR("done"),
        .surface = tc_str_of(i->surface),
        .principal_kind = i->principal.kind,
        .principal_id = i->principal.id,
        .as_admin = i->as_admin,
        .agent = i->agent,
        .run = i->run,
        .invocation = i->id.n ? i->id : make_id(cx, at),
        .call_id = p->request->call_id.n ? p->request->call_id : make_id(cx, at),
        .call_name = tc_utf8_head(p->request->name, TC_GATE_ECHO),
        .snapshot = p->request->snapshot.n ? p->request->snapshot : TC_STR(""),
        .result_id = make_id(cx, at),
    };
    tc_redact_init(&p->redaction, p->runtime->redact_key);
    return p->row.id.p && p->row.invocation.p && p->row.call_id.p && p->row.result_id.p ? TC_OK : tc_fail_memory(cx);
}

/* A string stays one in the record. */
static struct tc_str quoted(struct tc_cx *cx, struct tc_str text)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str json;

    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_str(&w, text);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return json;
}

enum tc_err tc_pipeline_record_raw(struct tc_cx *cx, struct tc_passage *p)
{
    const struct tc_json *wire = p->request->arguments;
    struct tc_str text;
    enum tc_err e = p->offered ? tc_view_secrets(cx, p->view, p->offered, &p->redaction.names)
                               : tc_redact_schema(cx, &p->redaction, p->named ? p->named->input_schema : NULL);

    if (e || !wire)
        return e;
    if (tc_json_is(wire, TC_JSON_OBJECT) || tc_json_is(wire, TC_JSON_ARRAY))
        return tc_redact_value(cx, &p->redaction, wire, &p->row.raw);
    if (tc_json_is(wire, TC_JSON_STRING)) {
        e = tc_redact_raw(cx, &p->redaction, tc_json_str(wire), &text);
        if (e)
            return e;
        p->row.raw = quoted(cx, text);
    } else {
        p->row.raw = tc_json_text(cx->arena, wire);
    }
    return p->row.raw.p ? TC_OK : tc_fail_memory(cx);
}

/* A repair opens strings that encode objects: what is secret in them is known only
 * now, and stands in the raw text too. */
enum tc_err tc_pipeline_record_canonical(struct tc_cx *cx, struct tc_passage *p)
{
    struct tc_str changes;
    enum tc_err e;

    if (p->checked.object == p->request->arguments) /* they ran as they came */
        return tc_redact_canonical(cx, p->checked.object, p->row.raw, &p->row.canonical);
    e = tc_redact_value(cx, &p->redaction, p->checked.object, &p->row.canonical);
    if (!e)
        e = tc_redact_canonical(cx, p->checked.object, p->row.canonical, &p->row.canonical);
    if (e || p->checked.changes_n == 0)
        return e;
    changes = tc_arguments_changes_text(cx, p->checked.changes, p->checked.changes_n);
    if (!changes.p)
        return tc_fail_memory(cx);
    e = tc_redact_json(cx, &p->redaction, changes, &p->row.repair);
    return e ? e : tc_redact_json(cx, &p->redaction, p->row.raw, &p->row.raw);
}

enum tc_err tc_pipeline_record_refused(struct tc_cx *cx, struct tc_passage *p, const struct tc_json *object)
{
    struct tc_error fault = cx->err;
    enum tc_err e = tc_redact_encoded(cx, &p->redaction, object);

    if (!e)
        e = tc_redact_json(cx, &p->redaction, p->row.raw, &p->row.raw);
    if (e)
        return e;
    cx->err = fault;
    return fault.code;
}

enum tc_err tc_pipeline_record_snapshot(struct tc_cx *cx, struct tc_passage *p)
{
    struct tc_view *view = (struct tc_view *)p->view; /* the time is a note, not content */
    struct tc_store *store = p->runtime->store;
    enum tc_err e;

    p->row.snapshot = tc_str_of(view->snapshot);
    if (view->snapshot_put_at && p->row.at - view->snapshot_put_at < SNAPSHOT_AGAIN_MS)
        return TC_OK;
    e = store->results->put_snapshot(cx, store, p->row.snapshot, view->snapshot_json, p->row.at);
    if (!e)
        view->snapshot_put_at = p->row.at;
    return e;
}

/* Read-only built-ins may be recorded after they ran (spec 6). */
static bool needs_intent(const struct tc_passage *p)
{
    return !p->tool->builtin || !(p->tool->flags & TC_TOOL_READ_ONLY);
}

enum tc_err tc_pipeline_record_intent(struct tc_cx *cx, struct tc_passage *p)
{
    enum tc_err e;

    if (!needs_intent(p) || p->recorded)
        return TC_OK;
    p->row.state = TC_STR("intent");
    e = p->runtime->store->audit->add(cx, p->runtime->store, &p->row);
    p->row.state = TC_STR("done");
    p->recorded = !e;
    tc_pulse_beat(&p->runtime->pulse, TC_PULSE_CALLS);
    return e;
}

/* The log of its server hears of the call. */
static void tell_server(struct tc_cx *cx, const struct tc_passage *p)
{
    struct tc_servers_call_note note = {
        .outcome = p->row.error_code.n ? p->row.error_code : p->row.is_error ? TC_STR("error") : TC_STR("ok"),
        .us = p->row.exec_us,
        .sent = p->left_us != 0,
        .failed = p->row.is_error,
    };

    tc_pulse_beat(&p->runtime->pulse, TC_PULSE_CALLS);
    if (!p->named || p->named->parts.provider != TC_PROVIDER_MCP)
        return;
    note.uuid = p->named->parts.subject;
    note.tool = p->named->parts.native;
    tc_servers_note_call(cx, p->runtime->servers, &note);
}

/* --- the end --- */

/* What a replay needs to shape again, and the hash to compare with. A result that
 * held a secret is not shaped again: the hash would tell who guesses. */
static enum tc_err envelope(struct tc_cx *cx, struct tc_passage *p, struct tc_str *ret)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str shaped = p->content, result;
    char hex[TC_HASH_HEX_SIZE];
    enum tc_err e = TC_OK;

    if (p->digest.images_n && !p->request->turn) /* else there are no bytes to leave out */
        e = tc_result_shape(cx, &p->digest, &p->shape, false, &shaped);
    if (!e)
        e = tc_redact_json(cx, &p->redaction, p->digest.json, &result);
    if (e)
        return e;
    tc_hash_sha256_hex(shaped, hex);
    tc_buf_init(&buf, 3 * (size_t)TC_RESULT_BYTES_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "result");
    tc_jsonw_raw(&w, result);
    tc_jsonw_kcstr(&w, "shaped", tc_str_eq(result, p->digest.json) ? hex : "");
    tc_jsonw_kint(&w, "limit", p->shape.limit);
    tc_jsonw_kint(&w, "maxChars", p->shape.max_chars);
    tc_jsonw_kstr(&w, "path", p->shape.path);
    tc_jsonw_kbool(&w, "imageInput", p->shape.image_input);
    tc_jsonw_end(&w);
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_pipeline_record_end(struct tc_cx *cx, struct tc_passage *p)
{
    struct tc_store *store = p->runtime->store;
    int64_t now = tc_clock_mono_us(cx->clock);
    struct tc_result_row result = {
        .id = p->row.result_id,
        .at = p->row.at,
        .agent = p->invocation->agent,
        .token = tc_access_holder(cx->arena, &p->invocation->principal),
    };
    enum tc_err e = result.token.p ? envelope(cx, p, &result.raw) : tc_fail_memory(cx);

    if (!e && tc_result_is_long(&p->digest, &p->shape))
        e = tc_redact_text(cx, &p->redaction, p->digest.text, &result.text);
    if (e)
        return e;
    p->row.state = p->execution.unknown ? TC_STR("unknown") : TC_STR("done");
    p->row.is_error = p->execution.is_error;
    p->row.error_code = p->execution.code ? tc_str_of(tc_err_info(p->execution.code)->name) : TC_STR("");
    p->row.result_bytes = (int64_t)p->digest.json.n;
    p->row.effect = p->execution.effect;
    p->row.total_us = now - p->started_us;
    p->row.wait_us = p->left_us ? p->left_us - p->started_us : p->row.total_us;
    p->row.exec_us = p->left_us ? p->back_us - p->left_us : 0;
    if (p->recorded)
        e = store->audit->finish(cx, store, &p->row, &result);
    else
        e = store->audit->add_done(cx, store, &p->row, &result);
    tell_server(cx, p);
    return e;
}

void tc_pipeline_record_fault(struct tc_cx *cx, struct tc_passage *p, enum tc_err e)
{
    struct tc_store *store = p->runtime->store;
    struct tc_error fault = cx->err;

    p->row.is_error = true;
    p->row.error_code = tc_str_of(tc_err_info(e)->name);
    p->row.total_us = tc_clock_mono_us(cx->clock) - p->started_us;
    p->row.state = p->left_us ? TC_STR("unknown") : TC_STR("done");
    p->row.result_id = TC_STR("");
    tc_task_shield(cx);
    if (p->recorded)
        store->audit->finish(cx, store, &p->row, NULL);
    else
        store->audit->add_done(cx, store, &p->row, NULL);
    tc_task_unshield(cx);
    tell_server(cx, p);
    cx->err = fault;
}
