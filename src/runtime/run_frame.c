/*
 * Frames as JSON. Two executions that differ in nothing have the same one.
 */
#include "runtime/run_frame.h"

#include "base/hash.h"
#include "ports/store_audit.h"

enum { FRAME_MAX = 64 * 1024 * 1024 };

static enum tc_err write_frame(struct tc_cx *cx, const struct tc_run *run, struct tc_str *ret_json)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, FRAME_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "snapshot", run->view->snapshot);
    tc_jsonw_kstr(&w, "system", run->system);
    tc_jsonw_kstr(&w, "provider", run->model.provider);
    tc_jsonw_kopt(&w, "baseUrl", run->model.base_url);
    tc_jsonw_kstr(&w, "model", run->model.model.name);
    tc_jsonw_kbool(&w, "imageInput", run->model.caps.image_input);
    tc_jsonw_kint(&w, "maxOutput", run->model.max_output);
    tc_jsonw_kint(&w, "contextWindow", run->model.model.context_window);
    if (run->model.extra)
        tc_jsonw_kvalue(&w, "extra", run->model.extra);
    tc_jsonw_end(&w);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_json->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_run_frame_put(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_store *store = run->runtime->store;
    char hash[TC_HASH_HEX_SIZE];
    struct tc_str json;
    enum tc_err e = write_frame(cx, run, &json);

    if (e)
        return e;
    tc_hash_sha256_hex(json, hash);
    run->row.frame = tc_arena_dup(&run->arena, tc_str_of(hash));
    if (!run->row.frame.p)
        return tc_fail_memory(cx);
    e = store->results->put_snapshot(cx, store, tc_str_of(run->view->snapshot), run->view->snapshot_json,
                                     run->started_at);
    return e ? e : store->results->put_snapshot(cx, store, run->row.frame, json, run->started_at);
}

static enum tc_err get_text(struct tc_cx *cx, struct tc_store *store, struct tc_str hash, const char *what,
                            struct tc_str *ret_json)
{
    enum tc_err e = hash.n ? store->results->get_snapshot(cx, store, hash, ret_json) : TC_E_STORE_NOT_FOUND;

    if (e != TC_E_STORE_NOT_FOUND)
        return e;
    tc_fail(cx, TC_E_RUN_MATERIAL, "The %s that this run began with is not kept any more.", what);
    return tc_fail_hint(cx, "retention.auditDays and retention.journalDays say how long such things are kept.");
}

enum tc_err tc_run_frame_get(struct tc_cx *cx, struct tc_store *store, struct tc_str hash,
                             struct tc_run_frame *ret_frame)
{
    const struct tc_json_limits limits = {.max_bytes = FRAME_MAX};
    char found[TC_HASH_HEX_SIZE];
    const struct tc_json *root;
    struct tc_str json;
    enum tc_err e = get_text(cx, store, hash, "prompt", &json);

    if (e)
        return e;
    tc_hash_sha256_hex(json, found);
    if (!tc_str_is(hash, found))
        return tc_fail(cx, TC_E_STORE_BROKEN, "The stored frame %.*s is damaged: its text has another hash.",
                       TC_STR_ARG(hash));
    e = tc_json_parse_root(cx, json, &limits, &root);
    if (e)
        return e;
    *ret_frame = (struct tc_run_frame){
        .snapshot = tc_json_str(tc_json_get_c(root, "snapshot")),
        .system = tc_json_str(tc_json_get_c(root, "system")),
        .provider = tc_json_str(tc_json_get_c(root, "provider")),
        .base_url = tc_json_str(tc_json_get_c(root, "baseUrl")),
        .model = tc_json_str(tc_json_get_c(root, "model")),
        .image_input = tc_json_bool(tc_json_get_c(root, "imageInput"), false),
        .extra = tc_json_get_c(root, "extra"),
    };
    tc_json_int(tc_json_get_c(root, "maxOutput"), &ret_frame->max_output);
    tc_json_int(tc_json_get_c(root, "contextWindow"), &ret_frame->context_window);
    return TC_OK;
}

enum tc_err tc_run_frame_snapshot(struct tc_cx *cx, struct tc_store *store, const struct tc_run_frame *frame,
                                  struct tc_str *ret_json)
{
    return get_text(cx, store, frame->snapshot, "snapshot of the tools", ret_json);
}
