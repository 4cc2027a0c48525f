/*
 * Classification and writing of JSON-RPC messages.
 */
#include "mcp/codec/rpc.h"

#include <limits.h>

static enum tc_err read_id(struct tc_cx *cx, const struct tc_json *id, struct tc_rpc *rpc)
{
    if (tc_json_str(id).n > TC_RPC_ID_MAX) {
        rpc->fault = "has an id of more than 1,024 bytes";
    } else if (tc_json_is(id, TC_JSON_NUMBER)) {
        rpc->id = tc_json_str(id);
    } else if (tc_json_is(id, TC_JSON_STRING)) {
        rpc->id = tc_json_text(cx->arena, id);
        if (!rpc->id.p)
            return tc_fail_memory(cx);
    } else if (id && !tc_json_is(id, TC_JSON_NULL)) {
        rpc->fault = "has an id that is neither a string nor a number";
    }
    return TC_OK;
}

static void read_call(const struct tc_json *message, const struct tc_json *method, bool has_id, struct tc_rpc *rpc)
{
    const struct tc_json *params = tc_json_get_c(message, "params");

    if (!tc_json_is(method, TC_JSON_STRING) || tc_json_str(method).n == 0) {
        rpc->fault = "has a method that is not a name";
        return;
    }
    if (params && !tc_json_is(params, TC_JSON_OBJECT) && !tc_json_is(params, TC_JSON_ARRAY) &&
        !tc_json_is(params, TC_JSON_NULL)) {
        rpc->fault = "has params that are no object";
        return;
    }
    if (has_id && rpc->id.n == 0) {
        rpc->fault = "is a request whose id is null";
        return;
    }
    rpc->kind = has_id ? TC_RPC_REQUEST : TC_RPC_NOTIFICATION;
    rpc->method = tc_json_str(method);
    rpc->params = tc_json_is(params, TC_JSON_NULL) ? NULL : params;
}

static void read_error(const struct tc_json *error, struct tc_rpc *rpc)
{
    int64_t code = 0;

    if (!tc_json_is(error, TC_JSON_OBJECT)) {
        rpc->fault = "has an error that is no object";
        return;
    }
    if (tc_json_int(tc_json_get_c(error, "code"), &code) && code >= INT_MIN && code <= INT_MAX)
        rpc->code = (int)code;
    if (tc_json_is(tc_json_get_c(error, "message"), TC_JSON_STRING))
        rpc->message = tc_json_str(tc_json_get_c(error, "message"));
    rpc->data = tc_json_get_c(error, "data");
    rpc->kind = TC_RPC_ERROR;
}

static void read_answer(const struct tc_json *message, struct tc_rpc *rpc)
{
    const struct tc_json *result = tc_json_get_c(message, "result"), *error = tc_json_get_c(message, "error");

    if (error && tc_json_is(error, TC_JSON_NULL) && result)
        error = NULL;
    if (result && tc_json_is(result, TC_JSON_NULL) && error)
        result = NULL;
    if (result && error) {
        rpc->fault = "has both a result and an error";
    } else if (error) {
        read_error(error, rpc);
    } else if (!result) {
        rpc->fault = "has neither method, result nor error";
    } else if (rpc->id.n == 0) {
        rpc->fault = "is a result without an id";
    } else {
        rpc->kind = TC_RPC_RESULT;
        rpc->result = result;
    }
}

enum tc_err tc_rpc_read(struct tc_cx *cx, const struct tc_json *message, struct tc_rpc *ret_rpc)
{
    struct tc_rpc rpc = {.kind = TC_RPC_INVALID};
    const struct tc_json *method = tc_json_get_c(message, "method"), *id = tc_json_get_c(message, "id");
    enum tc_err code;

    if (tc_json_is(message, TC_JSON_ARRAY)) {
        rpc.kind = tc_json_count(message) ? TC_RPC_BATCH : TC_RPC_INVALID;
        rpc.fault = tc_json_count(message) ? NULL : "is an empty batch";
        *ret_rpc = rpc;
        return TC_OK;
    }
    code = read_id(cx, id, &rpc);
    if (code != TC_OK)
        return code;
    if (!tc_json_is(message, TC_JSON_OBJECT))
        rpc.fault = "is no object";
    else if (!tc_json_is(tc_json_get_c(message, "jsonrpc"), TC_JSON_STRING) ||
             !tc_str_is(tc_json_str(tc_json_get_c(message, "jsonrpc")), "2.0"))
        rpc.fault = "does not say \"jsonrpc\": \"2.0\"";
    else if (!rpc.fault && method)
        read_call(message, method, id != NULL, &rpc);
    else if (!rpc.fault)
        read_answer(message, &rpc);
    *ret_rpc = rpc;
    return TC_OK;
}

/* Up to and with the method. */
static void open_call(struct tc_jsonw *w, struct tc_buf *buf, struct tc_str id, const char *method)
{
    tc_jsonw_init(w, buf);
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "jsonrpc", "2.0");
    if (id.n) {
        tc_jsonw_key(w, "id");
        tc_jsonw_raw(w, id);
    }
    tc_jsonw_kcstr(w, "method", method);
}

void tc_rpc_open_request(struct tc_jsonw *w, struct tc_buf *buf, struct tc_str id, const char *method)
{
    open_call(w, buf, id, method);
    tc_jsonw_key(w, "params");
}

void tc_rpc_open_result(struct tc_jsonw *w, struct tc_buf *buf, struct tc_str id)
{
    tc_jsonw_init(w, buf);
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "jsonrpc", "2.0");
    tc_jsonw_key(w, "id");
    tc_jsonw_raw(w, id);
    tc_jsonw_key(w, "result");
}

void tc_rpc_write_request(struct tc_buf *buf, struct tc_str id, const char *method, struct tc_str params)
{
    struct tc_jsonw w;

    open_call(&w, buf, id, method);
    if (params.n) {
        tc_jsonw_key(&w, "params");
        tc_jsonw_raw(&w, params);
    }
    tc_jsonw_end(&w);
}

void tc_rpc_write_result(struct tc_buf *buf, struct tc_str id, struct tc_str result)
{
    struct tc_jsonw w;

    tc_rpc_open_result(&w, buf, id);
    tc_jsonw_raw(&w, result);
    tc_jsonw_end(&w);
}

void tc_rpc_write_error(struct tc_buf *buf, struct tc_str id, int code, struct tc_str message, struct tc_str data)
{
    struct tc_jsonw w;

    tc_jsonw_init(&w, buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "jsonrpc", "2.0");
    if (id.n) {
        tc_jsonw_key(&w, "id");
        tc_jsonw_raw(&w, id);
    }
    tc_jsonw_key(&w, "error");
    tc_jsonw_object(&w);
    tc_jsonw_kint(&w, "code", code);
    tc_jsonw_kstr(&w, "message", message);
    if (data.n) {
        tc_jsonw_key(&w, "data");
        tc_jsonw_raw(&w, data);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
}
