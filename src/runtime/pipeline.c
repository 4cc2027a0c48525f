/*
 * The order of a call: gate, arguments, schema, permission, intent, execution,
 * result, record. `struct passage` is one call on its way; each step fills a part
 * and returns an error that ends the way, except that what a model can mend turns
 * into an error result and is recorded like any other.
 */
#include "runtime/pipeline.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rand.h"
#include "base/utf8.h"
#include "ports/store_audit.h"
#include "runtime/approvals.h"
#include "runtime/arguments.h"
#include "runtime/discovery.h"
#include "runtime/execute.h"
#include "runtime/gate.h"
#include "runtime/redact.h"
#include "runtime/result.h"
#include "runtime/servers.h"
#include "runtime/workspaces.h"
#include "toolcrib/jsonw.h"

enum { SNAPSHOT_AGAIN_MS = 60 * 60 * 1000 }; /* so that retention sees that it is in use */

struct passage {
    struct tc_runtime *runtime;
    const struct tc_invocation *invocation;
    const struct tc_call_request *request;
    struct tc_view_key key;
    const struct tc_view *view;
    struct tc_turn contract;             /* of a client where some tools are on demand */
    const struct tc_turn *turn;          /* what may be called; NULL: all of the view */
    const struct tc_view_tool *offered;  /* NULL: not offered (as admin) */
    const struct tc_descriptor *tool;    /* NULL until the gate has passed */
    const struct tc_descriptor *named;   /* which was meant, passed or refused; NULL: not known */
    struct tc_arguments_checked checked;
    struct tc_redaction redaction;
    struct tc_audit_row row;
    bool recorded;                       /* the intent is in the store */
    bool approved;                       /* it asked, and may run */
    struct tc_execution execution;
    struct tc_digest digest;
    struct tc_shape shape;
    struct tc_str content; /* the client's */
    struct tc_str stem;    /* of the files of this call; p NULL until one is wanted */
    int64_t started_us, left_us, back_us;
};

/* --- the record --- */

static struct tc_str make_id(struct tc_cx *cx, int64_t at)
{
    char id[TC_RAND_ID_SIZE];

    tc_rand_id(at, id);
    return tc_arena_dup(cx->arena, tc_str_of(id));
}

static enum tc_err begin(struct tc_cx *cx, struct passage *p)
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

static struct tc_str verdict(enum tc_err e)
{
    return e ? tc_str_of(tc_err_info(e)->name) : TC_STR("ok");
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

/* The arguments as they came, for the record: redacted, whatever they are. */
static enum tc_err record_raw(struct tc_cx *cx, struct passage *p)
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
static enum tc_err record_canonical(struct tc_cx *cx, struct passage *p)
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

/* The failure in cx stays. */
static enum tc_err record_refused(struct tc_cx *cx, struct passage *p, const struct tc_json *object)
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

static enum tc_err store_snapshot(struct tc_cx *cx, struct passage *p)
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
static bool needs_intent(const struct passage *p)
{
    return !p->tool->builtin || !(p->tool->flags & TC_TOOL_READ_ONLY);
}

static enum tc_err record_intent(struct tc_cx *cx, struct passage *p)
{
    enum tc_err e;

    if (!needs_intent(p) || p->recorded)
        return TC_OK;
    p->row.state = TC_STR("intent");
    e = p->runtime->store->audit->add(cx, p->runtime->store, &p->row);
    p->row.state = TC_STR("done");
    p->recorded = !e;
    return e;
}

/* --- the steps before execution --- */

static enum tc_err find_tool(struct tc_cx *cx, struct passage *p)
{
    struct tc_str id = TC_STR("");
    enum tc_err e;

    if (p->request->by_id) {
        p->offered = tc_view_find_id(p->view, p->request->name);
        id = p->request->name;
        p->row.call_name = p->offered ? p->offered->name : id;
        e = TC_OK;
    } else if (p->turn) {
        e = tc_gate_turn(cx, p->runtime->views, &p->key, p->view, p->turn, p->request->name, &p->offered, &id);
    } else {
        e = tc_gate_name(cx, p->runtime->views, &p->key, p->view, p->request->name, &p->offered, &id);
    }
    p->row.tool_id = p->offered ? p->offered->tool->id : id;
    if (p->offered) {
        p->tool = p->named = p->offered->tool;
        return TC_OK;
    }
    if (id.n) { /* known, but not offered: for the record, and for an admin who may call it all the same */
        size_t at = tc_catalog_find(p->view->catalog, id);
        p->named = at == SIZE_MAX ? NULL : p->view->catalog->tools[at];
        if (p->named && p->invocation->as_admin) {
            tc_fail_clear(cx);
            p->tool = p->named;
            if (!p->tool->schema)
                return tc_fail(cx, TC_E_TOOL_NOT_ALLOWED, "This tool's schema is not usable: %.*s",
                               TC_STR_ARG(p->tool->schema_fault));
            return TC_OK;
        }
    }
    return e ? e : tc_gate_refuse(cx, p->runtime->views, &p->key, id);
}

/* What was held against the call before it came here. */
static enum tc_err check_refusal(struct tc_cx *cx, struct passage *p)
{
    if (!p->request->refusal)
        return TC_OK;
    cx->err = *p->request->refusal;
    return cx->err.code;
}

static enum tc_err check_guard(struct tc_cx *cx, const struct passage *p, const struct tc_json *arguments)
{
    const struct tc_call_guard *guard = p->request->guard;

    return guard ? guard->check(cx, guard->arg, p->tool, arguments) : TC_OK;
}

static enum tc_err read_arguments(struct tc_cx *cx, struct passage *p)
{
    struct tc_arguments_rules rules = {
        .schema = p->tool->schema,
        .input_schema = p->tool->input_schema,
        .renamed = p->tool->renamed,
        .repair = p->view->rules.repair,
    };
    const struct tc_json *object;
    enum tc_err e = tc_arguments_read(cx, p->request->arguments, &object);

    p->row.arguments = verdict(e);
    if (e)
        return e;
    p->checked.object = object;
    e = tc_arguments_check(cx, &rules, object, &p->checked);
    p->row.schema = verdict(e);
    return e ? record_refused(cx, p, object) : record_canonical(cx, p);
}

/* The guard hears of arguments that are refused as well: they would be again. */
static enum tc_err check_arguments(struct tc_cx *cx, struct passage *p)
{
    enum tc_err e = read_arguments(cx, p), guarded;
    struct tc_error fault = cx->err;

    if (e && e != TC_E_TOOL_INVALID_ARGUMENTS)
        return e;
    guarded = check_guard(cx, p, p->checked.object ? p->checked.object : p->request->arguments);
    if (guarded)
        return guarded;
    cx->err = fault;
    return e;
}

static enum tc_err ask_for(struct tc_cx *cx, struct passage *p)
{
    const struct tc_approvals_question question = {
        .invocation = p->invocation,
        .tool = p->tool,
        .arguments = p->checked.object,
        .row = &p->row,
        .recorded = &p->recorded,
    };
    enum tc_err e = tc_approvals_ask(cx, p->runtime->approvals, &question);

    p->approved = !e;
    return e;
}

/* Permission is what holds after the last parking call: asking is one. */
static enum tc_err check_permission(struct tc_cx *cx, struct passage *p)
{
    bool ask = false;
    enum tc_err e = TC_OK;

    if (!p->invocation->as_admin)
        e = tc_gate_permission(cx, p->runtime->registry, p->runtime->views, &p->key, p->view, p->offered, &ask);
    if (!e && ask && !p->approved) {
        e = ask_for(cx, p);
        if (!e)
            e = tc_gate_permission(cx, p->runtime->registry, p->runtime->views, &p->key, p->view, p->offered, &ask);
    }
    if (!e && p->approved)
        e = tc_approvals_holds(cx, p->runtime->approvals, p->tool);
    if (!e && (p->invocation->run.n || p->approved)) /* asked for long ago, perhaps */
        e = tc_access_require(cx, p->runtime->access, &p->invocation->principal);
    p->row.permission = verdict(e);
    return e;
}

static enum tc_err before(struct tc_cx *cx, struct passage *p)
{
    enum tc_err e = store_snapshot(cx, p), raw;
    struct tc_error fault;

    if (e)
        return e;
    e = find_tool(cx, p);
    if (!e)
        e = check_refusal(cx, p);
    fault = cx->err;
    p->row.gate = verdict(e);
    if (e && !tc_execute_recoverable(e)) /* which tool was meant is not sure, so neither is what is secret */
        return e;
    raw = record_raw(cx, p);
    if (raw)
        return raw;
    cx->err = fault;
    if (!e)
        e = check_arguments(cx, p);
    if (!e)
        e = check_permission(cx, p);
    if (!e)
        e = record_intent(cx, p);
    if (!e) /* the commit has parked: the caller may be gone, the permission another one */
        e = tc_task_check(cx);
    if (!e)
        e = check_permission(cx, p);
    return e;
}

/* --- the result --- */

static struct tc_str offered_name(const struct tc_view *view, const char *id)
{
    const struct tc_view_tool *tool = tc_view_find_id(view, tc_str_of(id));

    return tool ? tool->name : TC_STR("");
}

static int64_t limit_of(const struct passage *p)
{
    if (!p->tool || p->tool->flags & TC_TOOL_SELF_BOUNDED)
        return -1;
    if (p->tool->max_result_chars != 0)
        return p->tool->max_result_chars;
    return p->invocation->inline_chars ? p->invocation->inline_chars : p->view->rules.inline_chars;
}

static enum tc_err need_stem(struct tc_cx *cx, struct passage *p)
{
    char hex[TC_HASH_HEX_SIZE];

    if (p->stem.p)
        return TC_OK;
    tc_hash_sha256_hex(p->row.call_id, hex);
    p->stem = tc_arena_printf(cx->arena, "tool-results/%.*s/round-%03lld-call_%.16s", TC_STR_ARG(p->row.invocation),
                              (long long)(p->request->round ? p->request->round : 1), hex);
    return p->stem.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err put_text(struct tc_cx *cx, struct passage *p)
{
    struct tc_str text, path;
    enum tc_err e = need_stem(cx, p);

    if (!e)
        e = tc_redact_text(cx, &p->redaction, p->digest.text, &text);
    if (e)
        return e;
    path = tc_arena_printf(cx->arena, "%.*s.txt", TC_STR_ARG(p->stem));
    if (!path.p)
        return tc_fail_memory(cx);
    e = tc_workspaces_put_text(cx, p->runtime->workspaces, p->invocation, p->view->agent, path, text);
    if (!e)
        p->shape.path = path;
    return e;
}

/* Puts images and long text into the workspace. One that is full or not there
 * costs the files only: the text is then cut to its ends. */
static enum tc_err put_files(struct tc_cx *cx, struct passage *p)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < p->digest.images_n && !e; i++)
        e = tc_workspaces_put_base64(cx, p->runtime->workspaces, p->invocation, p->view->agent,
                                     p->digest.images[i].path, p->digest.images[i].base64);
    if (!e && tc_result_is_long(&p->digest, &p->shape))
        e = put_text(cx, p);
    if (e == TC_E_WS_QUOTA || e == TC_E_WS_UNAVAILABLE) {
        tc_fail_clear(cx);
        e = TC_OK;
    }
    return e;
}

static enum tc_err shape_result(struct tc_cx *cx, struct passage *p)
{
    enum tc_err e = tc_result_has_images(p->execution.raw) ? need_stem(cx, p) : TC_OK;

    if (e)
        return e;
    p->shape = (struct tc_shape){
        .limit = limit_of(p),
        .max_chars = p->view->rules.max_chars,
        .result_id = p->request->turn ? TC_STR("") : p->row.result_id, /* a model reads no resources */
        .read_tool = offered_name(p->view, "builtin:workspace.read_file"),
        .search_tool = offered_name(p->view, "builtin:workspace.search_files"),
        /* what is on a tape is for any model: the transcript says what is left out */
        .image_input = p->request->turn || p->view->model.image_input,
    };
    e = tc_result_digest(cx, p->execution.raw, p->stem, &p->digest);
    if (!e)
        e = put_files(cx, p);
    return e ? e : tc_result_shape(cx, &p->digest, &p->shape, !p->request->turn, &p->content);
}

/* What a replay needs to shape again, and the hash to compare with. A result that
 * held a secret is not shaped again: the hash would tell who guesses. */
static enum tc_err envelope(struct tc_cx *cx, struct passage *p, struct tc_str *ret)
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

static enum tc_err record_end(struct tc_cx *cx, struct passage *p)
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
        return store->audit->finish(cx, store, &p->row, &result);
    return store->audit->add_done(cx, store, &p->row, &result);
}

/* A call that never got to a result for want of a working store or process: the
 * row says so if it still can be written. */
static void record_fault(struct tc_cx *cx, struct passage *p, enum tc_err e)
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
    cx->err = fault;
}

static enum tc_err hand_out(struct tc_cx *cx, const struct passage *p, struct tc_call_result *ret)
{
    const struct tc_json *structured = tc_json_get_c(p->digest.root, "structuredContent"),
                         *meta = tc_json_get_c(p->digest.root, "_meta");

    *ret = (struct tc_call_result){
        .call_id = p->row.call_id,
        .tool_id = p->row.tool_id,
        .audit_id = p->row.id,
        .result_id = p->row.result_id,
        .content = p->content,
        .structured = structured ? tc_json_text(cx->arena, structured) : TC_STR(""),
        .meta = meta ? tc_json_text(cx->arena, meta) : TC_STR(""),
        .is_error = p->execution.is_error,
        .error_code = p->row.error_code,
        .resources = p->execution.resources,
        .resources_n = p->execution.resources_n,
        .images_n = p->digest.images_n,
        .effect = p->execution.kind,
        .body_changed = p->execution.body_changed,
    };
    ret->images = TC_ARENA_NEW_N(cx->arena, struct tc_str, ret->images_n + 1);
    ret->image_mimes = TC_ARENA_NEW_N(cx->arena, struct tc_str, ret->images_n + 1);
    if (!ret->structured.p || !ret->meta.p || !ret->images || !ret->image_mimes)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < ret->images_n; i++) {
        ret->images[i] = p->digest.images[i].path;
        ret->image_mimes[i] = p->digest.images[i].mime;
    }
    return TC_OK;
}

/* --- the way as a whole --- */

/* Whether it becomes a result that the model reads. */
static bool is_mendable(const struct passage *p, enum tc_err e)
{
    if (e == TC_E_MODEL_UNKNOWN_TOOL_CALL)
        return p->request->turn != NULL;
    return e != TC_E_MODEL_TOOL_CHOICE_VIOLATION && e != TC_E_TOOL_TURN_SNAPSHOT_MISMATCH && tc_execute_recoverable(e);
}

/* A client's loads; those of a run are for its loop. */
static enum tc_err apply_load(struct tc_cx *cx, const struct passage *p)
{
    const struct tc_json *tools = tc_json_pointer(p->digest.root, TC_STR("/structuredContent/tools")), *id;
    size_t n = tc_json_count(tools), at = 0;
    struct tc_str *ids;
    struct tc_json_iter it;

    if (p->execution.kind != TC_EFFECT_TOOLS_LOADED || p->request->turn)
        return TC_OK;
    ids = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    if (!ids)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(tools); tc_json_next(&it, NULL, &id);)
        ids[at++] = tc_json_str(id);
    return tc_discovery_client_load(cx, p->runtime->discovery, &p->invocation->principal, p->invocation->agent, ids, n);
}

static enum tc_err travel(struct tc_cx *cx, struct passage *p, struct tc_call_result *ret)
{
    struct tc_discovery_service tools = {p->view, p->turn ? p->turn->offered : NULL, !p->request->turn};
    enum tc_err e = before(cx, p);

    if (!e) {
        p->left_us = tc_clock_mono_us(cx->clock);
        e = tc_execute(cx, p->runtime, p->invocation, p->request, &tools, p->tool, p->checked.object, &p->execution);
        p->back_us = tc_clock_mono_us(cx->clock);
        if (e && tc_execute_recoverable(e))
            e = tc_execute_failed(cx, &p->execution);
    } else if (is_mendable(p, e)) {
        e = tc_execute_failed(cx, &p->execution);
    }
    tc_task_shield(cx); /* what ran is recorded, whoever hung up */
    if (!e)
        e = shape_result(cx, p);
    if (!e)
        e = record_end(cx, p);
    tc_task_unshield(cx);
    if (e)
        record_fault(cx, p, e);
    else
        e = apply_load(cx, p);
    return e ? e : hand_out(cx, p, ret);
}

/* Calls under way of one principal: a limit, so that one client cannot take all.
 * What is over it leaves no record: a flood must not fill the store. */
static enum tc_err enter(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str who, size_t **ret_count)
{
    size_t *count = tc_map_get(&runtime->calls, who), under_way = count ? *count : 0;

    if (under_way >= (size_t)runtime->calls_per_token) {
        tc_fail(cx, TC_E_BUSY, "This client has %zu calls under way already.", under_way);
        return tc_fail_hint(cx, "Wait for one of them, or raise limits.callsPerToken.");
    }
    if (!count) {
        count = tc_mem_zalloc(1, sizeof *count);
        if (!count || !tc_map_put(&runtime->calls, who, count)) {
            tc_mem_free(count);
            return tc_fail_memory(cx);
        }
    }
    ++*count;
    *ret_count = count;
    return TC_OK;
}

static void leave(struct tc_runtime *runtime, struct tc_str who, size_t *count)
{
    if (--*count == 0) {
        tc_map_remove(&runtime->calls, who);
        tc_mem_free(count);
    }
}

/* What a client has not loaded it is not offered; an operator is no client. */
static enum tc_err find_contract(struct tc_cx *cx, struct passage *p)
{
    bool *offered;
    enum tc_err e;

    if (p->turn || p->view->deferred_n == 0 || p->invocation->as_admin)
        return TC_OK;
    e = tc_discovery_client(cx, p->runtime->discovery, &p->invocation->principal, p->view, &offered);
    p->contract = (struct tc_turn){.snapshot = tc_str_of(p->view->snapshot), .offered = offered};
    p->turn = &p->contract;
    return e;
}

static enum tc_err find_view(struct tc_cx *cx, struct passage *p)
{
    enum tc_err e;

    p->turn = p->request->turn;
    if (p->invocation->view) {
        p->view = p->invocation->view;
        p->key = *p->invocation->key;
        return TC_OK;
    }
    e = tc_view_borrow(cx, p->runtime->views, &p->key, &p->view);
    if (!e)
        e = find_contract(cx, p);
    if (e)
        record_fault(cx, p, e);
    return e;
}

enum tc_err tc_pipeline_call(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                             const struct tc_call_request *request, struct tc_call_result *ret_result)
{
    struct passage p = {
        .runtime = runtime,
        .invocation = invocation,
        .request = request,
        .key = {.agent = invocation->agent, .client = true, .answers = invocation->answers},
    };
    struct tc_str who = invocation->run.n ? invocation->run : invocation->principal.id;
    size_t *count;
    enum tc_err e = enter(cx, runtime, who, &count);

    if (e)
        return e;
    e = begin(cx, &p);
    if (!e)
        e = find_view(cx, &p);
    if (!e)
        e = travel(cx, &p, ret_result);
    leave(runtime, who, count);
    return e;
}

/* --- stored results --- */

static bool may_read(struct tc_cx *cx, const struct tc_principal *principal, struct tc_str agent,
                     const struct tc_result_row *row)
{
    if (principal->role == TC_ROLE_ADMIN)
        return true;
    return tc_str_eq(row->agent, agent) && row->token.n &&
           tc_str_eq(row->token, tc_access_holder(cx->arena, principal));
}

enum tc_err tc_pipeline_stored(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_principal *principal,
                               struct tc_str agent, struct tc_str id, struct tc_stored_result *ret)
{
    struct tc_json_limits limits = {.max_bytes = 4 * (size_t)TC_RESULT_BYTES_MAX};
    const struct tc_json *root;
    struct tc_result_row row;
    enum tc_err e = runtime->store->results->get(cx, runtime->store, id, &row);

    if (e && e != TC_E_STORE_NOT_FOUND)
        return e;
    if (e || !may_read(cx, principal, agent, &row))
        return tc_fail(cx, TC_E_RESULT_NOT_FOUND, "There is no stored result \"%.*s\" for you.", TC_STR_ARG(id));
    if (row.text.n) {
        *ret = (struct tc_stored_result){row.text, "text/plain"};
        return TC_OK;
    }
    e = tc_json_parse_root(cx, row.raw, &limits, &root);
    if (e)
        return e;
    *ret = (struct tc_stored_result){tc_json_text(cx->arena, tc_json_get_c(root, "result")), "application/json"};
    return ret->text.p ? TC_OK : tc_fail_memory(cx);
}

/* --- names on the command line --- */

/* "mcp/<server name>:<tool>" has the UUID put in. */
static enum tc_err with_uuid(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str tool, struct tc_str *ret_id)
{
    struct tc_str rest = tc_str_from(tool, 4), server, uuid;

    if (!tc_str_starts(tool, TC_STR("mcp/")) || !tc_str_split(&rest, ':', &server) || !rest.p)
        return TC_OK;
    uuid = tc_servers_uuid(runtime->servers, server);
    if (uuid.n == 0)
        return TC_OK;
    *ret_id = tc_arena_printf(cx->arena, "mcp/%.*s:%.*s", TC_STR_ARG(uuid), TC_STR_ARG(rest));
    return ret_id->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_pipeline_tool_id(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_view_key *key,
                                struct tc_str tool, struct tc_str *ret_id)
{
    struct tc_str id = tool;
    const struct tc_view *view;
    const struct tc_view_tool *offered;
    enum tc_err e = with_uuid(cx, runtime, tool, &id);

    if (e)
        return e;
    *ret_id = id;
    if (tc_catalog_find(tc_registry_get(runtime->registry).catalog, id) != SIZE_MAX ||
        tc_registry_row(runtime->registry, id))
        return TC_OK;
    if (key->agent.n) {
        e = tc_view_borrow(cx, runtime->views, key, &view);
        if (!e)
            e = tc_gate_name(cx, runtime->views, key, view, tool, &offered, ret_id);
        if (!e)
            *ret_id = offered->tool->id;
        if (!e || e == TC_E_TOOL_NOT_ALLOWED) {
            tc_fail_clear(cx);
            return TC_OK;
        }
        if (e != TC_E_MODEL_UNKNOWN_TOOL_CALL)
            return e;
        tc_fail_clear(cx);
    }
    tc_fail(cx, TC_E_TOOL_NOT_FOUND, "There is no tool \"%.*s\".", TC_STR_ARG(tool));
    return tc_fail_hint(cx, "toolcrib tools list shows them; name one by its id or call name.");
}
