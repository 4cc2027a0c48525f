/*
 * Each step answers with the text that the record would hold. Values that were
 * redacted stand in both as their hash; the schema step is skipped where a hash
 * cannot satisfy a rule meant for the value.
 */
#include "runtime/replay.h"

#include "base/hash.h"
#include "ports/store_audit.h"
#include "runtime/arguments.h"
#include "runtime/result.h"

struct replaying {
    struct tc_runtime *runtime;
    struct tc_audit_row row;
    const struct tc_json *snapshot, *tool, *result;
    struct tc_replay *out;
};

static void add(struct replaying *r, const char *name, struct tc_str recorded, struct tc_str replayed)
{
    struct tc_replay_step *step = &r->out->steps[r->out->n++];

    *step = (struct tc_replay_step){name, recorded, replayed, tc_str_eq(recorded, replayed), false};
    r->out->same = r->out->same && step->same;
}

static void skip(struct replaying *r, const char *name, struct tc_str recorded, const char *why)
{
    r->out->steps[r->out->n++] = (struct tc_replay_step){name, recorded, tc_str_of(why), true, true};
}

static const struct tc_json *tool_named(const struct tc_json *snapshot, struct tc_str name, const char *field)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(snapshot, "tools"));
    const struct tc_json *tool;
    struct tc_str key;

    while (tc_json_next(&it, &key, &tool))
        if (tc_str_eq(tc_json_str(tc_json_get_c(tool, field)), name))
            return tool;
    return NULL;
}

static enum tc_err load(struct tc_cx *cx, struct replaying *r, struct tc_str audit_id)
{
    struct tc_store *store = r->runtime->store;
    struct tc_result_row result;
    struct tc_str json;
    enum tc_err e = store->audit->get(cx, store, audit_id, &r->row);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_AUDIT_NOT_FOUND, "There is no record of a call \"%.*s\".", TC_STR_ARG(audit_id));
    if (e)
        return e;
    if (r->row.snapshot.n) {
        e = store->results->get_snapshot(cx, store, r->row.snapshot, &json);
        if (!e)
            e = tc_json_parse_root(cx, json, NULL, &r->snapshot);
        if (e && e != TC_E_STORE_NOT_FOUND)
            return e;
        tc_fail_clear(cx);
    }
    if (r->row.result_id.n) {
        struct tc_json_limits limits = {.max_bytes = 4 * (size_t)TC_RESULT_BYTES_MAX};
        e = store->results->get(cx, store, r->row.result_id, &result);
        if (!e)
            e = tc_json_parse_root(cx, result.raw, &limits, &r->result);
        if (e && e != TC_E_STORE_NOT_FOUND)
            return e;
        tc_fail_clear(cx);
    }
    return TC_OK;
}

/* A name that is not in the snapshot: it was once given to the recorded tool, or to none. */
static enum tc_err refusal(const struct replaying *r)
{
    bool owned = r->row.tool_id.n && !tool_named(r->snapshot, r->row.tool_id, "id");

    return owned ? TC_E_TOOL_NOT_ALLOWED : TC_E_MODEL_UNKNOWN_TOOL_CALL;
}

static void replay_gate(struct replaying *r)
{
    if (!r->snapshot) {
        skip(r, "gate", r->row.gate, "no snapshot was stored: the call was refused before one was needed");
        return;
    }
    r->tool = tool_named(r->snapshot, r->row.call_name, "name");
    if (!r->tool && r->row.as_admin) {
        skip(r, "gate", r->row.gate, "called as admin: the tool was not offered");
        return;
    }
    if (tc_json_bool(tc_json_get_c(r->tool, "deferred"), false) && !tc_str_is(r->row.gate, "ok")) {
        skip(r, "gate", r->row.gate, "the snapshot does not hold what was loaded at the time");
        return;
    }
    add(r, "gate", r->row.gate, r->tool ? TC_STR("ok") : tc_str_of(tc_err_info(refusal(r))->name));
}

static bool redacted(const struct replaying *r)
{
    return tc_str_find(r->row.raw, TC_STR("hmac-sha256:")) != SIZE_MAX;
}

static enum tc_err raw_wire(struct tc_cx *cx, const struct replaying *r, const struct tc_json **ret_wire)
{
    *ret_wire = NULL;
    return r->row.raw.n ? tc_json_parse_root(cx, r->row.raw, NULL, ret_wire) : TC_OK;
}

static struct tc_str name_of(enum tc_err e)
{
    return e ? tc_str_of(tc_err_info(e)->name) : TC_STR("ok");
}

static enum tc_err replay_schema(struct tc_cx *cx, struct replaying *r, const struct tc_json *object)
{
    const struct tc_json *input = tc_json_get_c(r->tool, "inputSchema");
    struct tc_arguments_checked checked = {0};
    struct tc_schema *schema;
    struct tc_str canonical = TC_STR(""), changes = TC_STR("");
    struct tc_buf buf;
    enum tc_err e = tc_schema_compile(cx, input, NULL, &schema);

    if (e)
        return e;
    e = tc_arguments_check(cx,
                           &(struct tc_arguments_rules){schema, input, tc_json_str(tc_json_get_c(r->tool, "renamed")),
                                                        tc_json_bool(tc_json_get_c(r->snapshot, "repair"), true)},
                           object, &checked);
    tc_schema_unref(schema);
    if (e == TC_E_NO_MEMORY)
        return e;
    add(r, "schema", r->row.schema, name_of(e));
    tc_fail_clear(cx);
    if (checked.object && !e) {
        tc_buf_init(&buf, TC_RESULT_BYTES_MAX);
        e = tc_json_print_canonical(cx, &buf, checked.object);
        canonical = tc_buf_dup(&buf, cx->arena);
        tc_buf_finish(&buf);
        if (e || !canonical.p)
            return tc_fail_memory(cx);
        if (checked.changes_n)
            changes = tc_arguments_changes_text(cx, checked.changes, checked.changes_n);
    }
    add(r, "canonical", r->row.canonical, canonical);
    add(r, "repair", r->row.repair, changes);
    return TC_OK;
}

static enum tc_err replay_arguments(struct tc_cx *cx, struct replaying *r)
{
    const struct tc_json *wire, *object = NULL;
    enum tc_err e = raw_wire(cx, r, &wire);

    if (e) { /* raw text that is no JSON was recorded as it came */
        tc_fail_clear(cx);
        add(r, "arguments", r->row.arguments, TC_STR("tool.invalid_arguments"));
        return TC_OK;
    }
    if (r->row.arguments.n == 0) {
        skip(r, "arguments", r->row.arguments, "the gate refused the call before its arguments were read");
        return TC_OK;
    }
    e = tc_arguments_read(cx, wire, &object);
    if (e == TC_E_NO_MEMORY)
        return e;
    add(r, "arguments", r->row.arguments, name_of(e));
    tc_fail_clear(cx);
    if (e || !r->tool)
        return TC_OK;
    if (redacted(r)) {
        skip(r, "schema", r->row.schema, "a value was redacted");
        return TC_OK;
    }
    return replay_schema(cx, r, object);
}

static enum tc_err replay_shaping(struct tc_cx *cx, struct replaying *r)
{
    struct tc_str json, shaped, recorded = tc_json_str(tc_json_get_c(r->result, "shaped"));
    struct tc_shape shape = {.path = tc_json_str(tc_json_get_c(r->result, "path")), .result_id = r->row.result_id};
    struct tc_digest digest;
    const struct tc_json *read, *search;
    char hex[TC_HASH_HEX_SIZE];
    enum tc_err e;

    if (!r->result) {
        skip(r, "shaping", TC_STR(""), "no result was stored");
        return TC_OK;
    }
    tc_json_int(tc_json_get_c(r->result, "limit"), &shape.limit);
    tc_json_int(tc_json_get_c(r->result, "maxChars"), &shape.max_chars);
    shape.image_input = tc_json_bool(tc_json_get_c(r->result, "imageInput"), false);
    read = tool_named(r->snapshot, TC_STR("builtin:workspace.read_file"), "id");
    search = tool_named(r->snapshot, TC_STR("builtin:workspace.search_files"), "id");
    shape.read_tool = tc_json_str(tc_json_get_c(read, "name"));
    shape.search_tool = tc_json_str(tc_json_get_c(search, "name"));
    json = tc_json_text(cx->arena, tc_json_get_c(r->result, "result"));
    if (!json.p)
        return tc_fail_memory(cx);
    e = tc_result_restore(cx, json, &digest);
    if (!e)
        e = tc_result_shape(cx, &digest, &shape, false, &shaped);
    if (e)
        return e;
    if (redacted(r) && tc_str_find(json, TC_STR("hmac-sha256:")) != SIZE_MAX) {
        skip(r, "shaping", recorded, "a value in the result was redacted");
        return TC_OK;
    }
    tc_hash_sha256_hex(shaped, hex);
    shaped = tc_arena_dup(cx->arena, tc_str_of(hex));
    if (!shaped.p)
        return tc_fail_memory(cx);
    add(r, "shaping", recorded, shaped);
    return TC_OK;
}

enum tc_err tc_replay_call(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str audit_id, struct tc_replay *ret)
{
    struct replaying r = {.runtime = runtime, .out = ret};
    enum tc_err e;

    *ret = (struct tc_replay){.audit_id = audit_id, .same = true};
    e = load(cx, &r, audit_id);
    if (e)
        return e;
    replay_gate(&r);
    e = replay_arguments(cx, &r);
    return e ? e : replay_shaping(cx, &r);
}
