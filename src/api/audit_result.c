/*
 * GET /admin/audit/result, and the stored result for those who look into it.
 */
#include "api/audit_result.h"

#include "runtime/result.h"

enum tc_err tc_audit_result_find(struct tc_cx *cx, struct tc_store *store, struct tc_str id,
                                 struct tc_audit_result *ret_result)
{
    const struct tc_json_limits limits = {.max_bytes = 4 * (size_t)TC_RESULT_BYTES_MAX};
    struct tc_audit_row row;
    struct tc_result_row result;
    const struct tc_json *root;
    enum tc_err e = store->audit->get(cx, store, id, &row);

    if (!e)
        e = store->results->get(cx, store, row.result_id, &result);
    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_RESULT_NOT_FOUND, "There is no stored result of a call \"%.*s\".", TC_STR_ARG(id));
    if (!e)
        e = tc_json_parse_root(cx, result.raw, &limits, &root);
    if (!e)
        *ret_result = (struct tc_audit_result){row, result.text, tc_json_get_c(root, "result")};
    return e;
}

enum tc_err tc_audit_result(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_audit_result found;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = tc_audit_result_find(cx, call->runtime->store, id, &found);
    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kstr(call->out, "id", id);
    tc_jsonw_kstr(call->out, "text", found.text.n ? found.text : tc_str_n(NULL, 0));
    tc_jsonw_key(call->out, "result");
    tc_jsonw_value(call->out, found.digest);
    tc_jsonw_end(call->out);
    return TC_OK;
}
