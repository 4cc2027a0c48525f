/*
 * What a server may send, through every reader of the codec: nothing it says
 * may crash it, an id that was read can be sent back, and what was cleaned is
 * clean.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "http/header.h"
#include "mcp/codec/clean.h"
#include "mcp/codec/input.h"
#include "mcp/codec/param_header.h"
#include "mcp/codec/rpc.h"
#include "mcp/codec/task.h"
#include "mcp/codec/tools.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void answer(struct tc_cx *cx, struct tc_str id)
{
    struct tc_buf buf;
    const struct tc_json *message;
    struct tc_rpc rpc;

    tc_buf_init(&buf, 1 << 20);
    tc_rpc_write_error(&buf, id, -32601, TC_STR("no"), TC_STR(""));
    check(!buf.failed && tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &message) == TC_OK);
    check(tc_rpc_read(cx, message, &rpc) == TC_OK && rpc.kind == TC_RPC_ERROR && tc_str_eq(rpc.id, id));
    tc_buf_finish(&buf);
}

static void read_one(struct tc_cx *cx, const struct tc_json *message)
{
    struct tc_rpc rpc;
    struct tc_mcp_page page;
    struct tc_mcp_result result;

    if (tc_rpc_read(cx, message, &rpc) != TC_OK)
        return;
    check((rpc.kind == TC_RPC_INVALID) == (rpc.fault != NULL));
    if (rpc.id.n)
        answer(cx, rpc.id);
    tc_mcp_tools_page(cx, &(struct tc_mcp_list){"tools/list", "tools"}, rpc.result, &page);
    if (tc_mcp_tools_result(cx, rpc.result, tc_mcp_revision_newest(0), &result) == TC_OK)
        check(result.unknown_blocks <= tc_json_count(result.content));
}

/* What goes into a header field can be told from all else that goes there. */
static void check_headers(struct tc_cx *cx, const struct tc_json *schema)
{
    struct tc_mcp_param_headers headers;
    struct tc_str value;

    if (tc_mcp_param_headers_read(cx, schema, &headers) == TC_OK) {
        check(headers.n <= TC_MCP_PARAM_HEADERS_MAX);
        for (size_t i = 0; i < headers.n; i++)
            check(tc_header_name_ok(headers.items[i].name));
    }
    if (tc_mcp_param_header_value(cx, schema, &value) == TC_OK && value.p)
        check(tc_header_value_ok(value));
}

static void read_types(struct tc_cx *cx, const struct tc_json *result)
{
    struct tc_mcp_input input;
    struct tc_mcp_task task;

    tc_mcp_result_type(result, tc_mcp_revision_newest(0));
    if (tc_mcp_input_read(cx, result, &input) == TC_OK)
        check(input.requests || input.state);
    if (tc_mcp_task_read(cx, result, &task) == TC_OK)
        check(task.id.n && task.poll_ms >= 0);
}

static void check_clean(struct tc_cx *cx, const struct tc_json *v, bool suspect)
{
    const struct tc_json *clean, *again;

    if (tc_mcp_clean(cx, v, &clean) != TC_OK)
        return;
    check(suspect || clean == v);
    check(tc_mcp_clean(cx, clean, &again) == TC_OK && again == clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_str text = tc_str_n((const char *)data, size);
    const struct tc_json *message, *item;
    struct tc_json_iter it;
    struct tc_str key;

    tc_arena_init(&arena, 0);
    if (tc_json_parse_root(&cx, text, &(struct tc_json_limits){.flags = TC_JSON_CLEAN}, &message) == TC_OK) {
        read_one(&cx, message);
        read_types(&cx, message);
        check_headers(&cx, message);
        if (tc_json_is(message, TC_JSON_ARRAY)) {
            for (it = tc_json_iter(message); tc_json_next(&it, &key, &item);)
                read_one(&cx, item);
        }
        check_clean(&cx, message, tc_mcp_clean_suspect(text));
    }
    tc_arena_finish(&arena);
    return 0;
}
