/*
 * What a client may post, as far as it is judged before a method runs: header
 * fields, an empty line, a body. Whatever comes, an error that is made of it is a
 * message, what passes is what it says it is, and an event id is read within its
 * bounds.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "mcp/server/content.h"
#include "mcp/server/dialog.h"
#include "mcp/server/feed.h"
#include "mcp/server/mirror.h"
#include "mcp/server/parked_state.h"
#include "runtime/offer.h"

enum { FIELDS = 16 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void error_is_message(struct tc_cx *cx, const struct tc_mcp_revision *revision, struct tc_str id)
{
    struct tc_buf buf;
    const struct tc_json *message;
    struct tc_rpc rpc;
    enum tc_err code = cx->err.code;

    tc_buf_init(&buf, 16 << 20);
    tc_dialog_error(cx, revision, id, &buf);
    check(tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &message) == TC_OK);
    check(tc_rpc_read(cx, message, &rpc) == TC_OK && rpc.kind == TC_RPC_ERROR && tc_str_eq(rpc.id, id));
    check(tc_str_is(tc_json_str(tc_json_get_c(rpc.data, "code")), tc_err_info(code)->name));
    tc_buf_finish(&buf);
    tc_fail_clear(cx);
}

static void judge_metadata(struct tc_cx *cx, const struct tc_rpc *rpc, struct tc_header_list headers)
{
    struct tc_envelope envelope;
    struct tc_str meant;

    if (tc_envelope_open(cx, rpc->params, &envelope)) {
        error_is_message(cx, NULL, rpc->id);
        return;
    }
    if (tc_mirror_check(cx, headers, rpc, envelope.version)) {
        error_is_message(cx, NULL, rpc->id);
    } else {
        check(tc_mirror_decode(cx, tc_str_trim(tc_header_get(headers, TC_STR("Mcp-Method"))), &meant));
        check(tc_str_eq(meant, rpc->method));
    }
    if (tc_envelope_settle(cx, &envelope))
        error_is_message(cx, NULL, rpc->id);
    else
        check(tc_mcp_revision_has(envelope.revision, TC_MCP_REQUEST_META));
}

static void judge(struct tc_cx *cx, const struct tc_rpc *rpc, struct tc_header_list headers)
{
    const struct tc_json *arguments = tc_json_get_c(rpc->params, "arguments");
    char first[TC_HASH_HEX_SIZE], again[TC_HASH_HEX_SIZE];

    if (tc_envelope_is_metadata(rpc, tc_header_get(headers, TC_STR("MCP-Protocol-Version"))))
        judge_metadata(cx, rpc, headers);
    tc_envelope_abilities(tc_json_get_c(rpc->params, "capabilities"), tc_mcp_revision_at(0));
    tc_envelope_progress_token(cx->arena, rpc->params);
    if (tc_mirror_check_arguments(cx, headers, tc_json_get_c(rpc->params, "schema"), arguments))
        error_is_message(cx, tc_mcp_revision_at(0), rpc->id);
    if (tc_parked_digest(cx, rpc, first) == TC_OK)
        check(tc_parked_digest(cx, rpc, again) == TC_OK && memcmp(first, again, sizeof first) == 0);
}

static struct tc_str as_client(struct tc_cx *cx, const void *arg, struct tc_str uri)
{
    return tc_arena_printf(cx->arena, "%s%.*s", (const char *)arg, TC_STR_ARG(uri));
}

/* What is written for old clients is an array again, of as many blocks. */
static void write_content(struct tc_cx *cx, struct tc_str body)
{
    struct tc_content_rules rules = {.revision = tc_mcp_revision_at(0), .uri = as_client, .arg = "x:"};
    const struct tc_json *before, *after;
    struct tc_buf buf;
    struct tc_jsonw w;

    if (tc_json_parse_root(cx, body, NULL, &before) || !tc_json_is(before, TC_JSON_ARRAY))
        return;
    tc_buf_init(&buf, 64 << 20);
    tc_jsonw_init(&w, &buf);
    if (tc_mcp_content_write(cx, &w, body, &rules) == TC_OK && !buf.failed) {
        check(tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &after) == TC_OK);
        check(tc_json_count(before) == tc_json_count(after));
    }
    tc_buf_finish(&buf);
}

static void read_last(struct tc_str id)
{
    uint32_t number;
    uint64_t seq;

    if (tc_feed_parse_id(id, &number, &seq))
        check(number >= 1 && id.n <= TC_FEED_ID_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str body = tc_str_n((const char *)data, size), line;
    struct tc_header fields[FIELDS];
    struct tc_header_list headers = {fields, 0};
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    const struct tc_json *root;
    struct tc_rpc rpc;

    tc_arena_init(&arena, 0);
    while (headers.n < FIELDS && tc_str_split(&body, '\n', &line) && line.n) {
        size_t colon = tc_str_chr(line, ':');
        if (colon != SIZE_MAX && tc_header_name_ok(tc_str_n(line.p, colon)))
            fields[headers.n++] = (struct tc_header){tc_str_n(line.p, colon), tc_str_from(line, colon + 1)};
    }
    if (!body.p)
        body = TC_STR("");
    read_last(tc_header_get(headers, TC_STR("Last-Event-ID")));
    if (headers.n > 1)
        tc_offer_matches(fields[0].value, fields[1].value);
    write_content(&cx, body);
    if (tc_json_parse_root(&cx, body, NULL, &root) == TC_OK && tc_rpc_read(&cx, root, &rpc) == TC_OK &&
        rpc.kind == TC_RPC_REQUEST)
        judge(&cx, &rpc, headers);
    tc_arena_finish(&arena);
    return 0;
}
