/*
 * What is looked up beside calls: a stored result, and which tool the command line means.
 */
#include "ports/store_audit.h"
#include "runtime/pipeline.h"
#include "runtime/result.h"
#include "runtime/servers.h"

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
