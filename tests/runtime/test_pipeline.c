#include "support/crib.h"

#include <stdio.h>

#include "base/mem.h"

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

/* --- calls that run --- */

static void reads(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    expect_int(test_crib_call(cx, crib, "note_echo", "{\"text\":\"hello\"}", &result), TC_OK);
    expect_text(result.content, "[{\"type\":\"text\",\"text\":\"hello\"}]");
    expect_text(result.tool_id, "builtin:note.echo");
    expect(!result.is_error);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect_text(row.raw, "{\"text\":\"hello\"}");
    expect_text(row.canonical, "{\"text\":\"hello\"}");
    expect_text(row.gate, "ok");
    expect_text(row.arguments, "ok");
    expect_text(row.schema, "ok");
    expect_text(row.permission, "ok");
    expect(tc_str_eq(row.id, result.audit_id));
}

void test_pipeline__a_call_runs_once_and_has_one_row(void **state)
{
    (void)state;
    run(reads);
}

static void repaired(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    expect_int(test_crib_call(cx, crib, "note_write", "\"{\\\"times\\\":\\\"5\\\"}\"", &result), TC_OK);
    expect_int(crib->written, 1);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect_text(row.raw, "\"{\\\"times\\\":\\\"5\\\"}\"");
    expect_text(row.canonical, "{\"times\":5}");
    expect_text(row.repair, "[{\"path\":\"/times\",\"from\":\"5\",\"to\":5}]");
    expect_text(row.effect, "{\"kind\":\"file_written\",\"path\":\"note.txt\"}");
}

void test_pipeline__a_repaired_call_keeps_what_was_written(void **state)
{
    (void)state;
    run(repaired);
}

/* --- refusals --- */

static void refused(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    expect_int(test_crib_call(cx, crib, "note_write", "{\"tetx\":\"a\"}", &result), TC_OK);
    expect(result.is_error);
    expect_text(result.error_code, "tool.invalid_arguments");
    expect_int(crib->written, 0);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect_text(row.schema, "tool.invalid_arguments");
    expect_text(row.permission, "");
    expect_int(row.exec_us, 0);
}

void test_pipeline__arguments_that_do_not_fit_run_nothing(void **state)
{
    (void)state;
    run(refused);
}

static void never_offered(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    expect_int(test_crib_call(cx, crib, "note_ekko", "{}", &result), TC_E_MODEL_UNKNOWN_TOOL_CALL);
    expect(tc_str_find(cx->err.message, TC_STR("note_ekko")) != SIZE_MAX);
    expect(tc_str_find(cx->err.hint, TC_STR("note_echo")) != SIZE_MAX);
    expect_int(crib->echoed, 0);
    expect_text(test_crib_row(cx, crib).error_code, "model.unknown_tool_call");
}

void test_pipeline__a_name_never_offered_is_refused_with_near_ones(void **state)
{
    (void)state;
    run(never_offered);
}

static void huge_name(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    char *name = tc_arena_alloc(cx->arena, 1 << 20);

    memset(name, 'n', (1 << 20) - 1);
    name[(1 << 20) - 1] = '\0';
    expect_int(test_crib_call(cx, crib, name, "{}", &result), TC_E_MODEL_UNKNOWN_TOOL_CALL);
    expect(cx->err.message.n < 4096);
    expect(test_crib_row(cx, crib).call_name.n <= 1024);
}

void test_pipeline__a_huge_name_is_neither_repeated_nor_recorded_whole(void **state)
{
    (void)state;
    run(huge_name);
}

static void no_agent(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    expect_int(tc_agents_remove(cx, crib->runtime->agents, TC_STR("default")), TC_OK);
    expect_int(test_crib_call(cx, crib, "note_echo", "{}", &result), TC_E_AGENT_NOT_FOUND);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect_text(row.error_code, "agent.not_found");
    expect_text(row.call_name, "note_echo");
}

void test_pipeline__a_call_of_a_removed_agent_has_a_row(void **state)
{
    (void)state;
    run(no_agent);
}

static void too_many(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    crib->runtime->calls_per_token = 0;
    expect_int(test_crib_call(cx, crib, "note_echo", "{}", &result), TC_E_BUSY);
    expect_int(crib->echoed, 0);
}

void test_pipeline__one_client_cannot_take_every_place(void **state)
{
    (void)state;
    run(too_many);
}

/* --- the world changes on the way --- */

static enum tc_err set_ask(struct tc_cx *cx, struct test_crib *crib)
{
    return test_crib_agent(cx, crib, "\"tools\":{\"permissions\":{\"builtin:note.write\":\"ask\"}},"
                                     "\"approvals\":{\"channels\":[]}");
}

static enum tc_err set_off(struct tc_cx *cx, struct test_crib *crib)
{
    return test_crib_agent(cx, crib, "\"tools\":{\"permissions\":{\"builtin:note.write\":\"off\"}}");
}

static enum tc_err remove_agent(struct tc_cx *cx, struct test_crib *crib)
{
    return tc_agents_remove(cx, crib->runtime->agents, TC_STR("default"));
}

static void becomes_ask(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    crib->at = TEST_STORE_INTENT;
    crib->before = set_ask;
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_OK);
    expect_text(result.error_code, "approval.unavailable");
    expect_int(crib->written, 0);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect_text(row.permission, "approval.unavailable");
}

void test_pipeline__a_tool_that_meanwhile_needs_approval_does_not_run(void **state)
{
    (void)state;
    run(becomes_ask);
}

static void becomes_off(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    crib->at = TEST_STORE_INTENT;
    crib->before = set_off;
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_OK);
    expect_text(result.error_code, "tool.not_allowed");
    expect_int(crib->written, 0);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect_text(row.permission, "tool.not_allowed");
}

void test_pipeline__a_permission_taken_away_meanwhile_counts(void **state)
{
    (void)state;
    run(becomes_off);
}

static void agent_goes(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    enum tc_err e;

    crib->at = TEST_STORE_INTENT;
    crib->before = remove_agent;
    e = test_crib_call(cx, crib, "note_write", "{}", &result);
    expect(e == TC_E_AGENT_NOT_FOUND || result.is_error);
    expect_int(crib->written, 0);
    expect_text(test_crib_row(cx, crib).state, "done");
    expect(tc_str_find(result.content, TC_STR("toolcrib agent")) == SIZE_MAX);
}

void test_pipeline__an_agent_removed_meanwhile_runs_nothing(void **state)
{
    (void)state;
    run(agent_goes);
}

static enum tc_err cancel_me(struct tc_cx *cx, struct test_crib *crib)
{
    (void)crib;
    tc_task_cancel(cx->task, TC_E_CANCELED);
    return TC_OK;
}

struct cancelled {
    struct test_crib *crib;
    enum tc_err err;
};

static void call_and_be_cancelled(struct tc_cx *cx, void *arg)
{
    struct cancelled *c = arg;
    struct tc_call_result result;

    c->err = test_crib_call(cx, c->crib, "note_write", "{}", &result);
}

static void cancelled_early(struct tc_cx *cx, struct test_crib *crib)
{
    struct cancelled c = {.crib = crib};
    struct tc_task_group group;
    struct tc_audit_row row;

    crib->at = TEST_STORE_INTENT;
    crib->before = cancel_me;
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_and_be_cancelled, &c), TC_OK);
    tc_task_join(cx, &group);
    expect_int(c.err, TC_E_CANCELED);
    expect_int(crib->written, 0);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done"); /* it is known that nothing ran */
    expect_text(row.error_code, "canceled");
}

void test_pipeline__a_call_cancelled_before_it_left_is_known_not_to_have_run(void **state)
{
    (void)state;
    run(cancelled_early);
}

/* --- faults of the store --- */

static enum tc_err store_fails(struct tc_cx *cx, struct test_crib *crib)
{
    (void)crib;
    return tc_fail(cx, TC_E_STORE_FAILED, "The disk is full.");
}

static void intent_fails(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    crib->at = TEST_STORE_INTENT;
    crib->before = store_fails;
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_E_STORE_FAILED);
    expect_text(cx->err.message, "The disk is full.");
    expect_int(crib->written, 0);
    expect_text(test_crib_row(cx, crib).state, "done");
}

void test_pipeline__without_its_intent_on_record_nothing_runs(void **state)
{
    (void)state;
    run(intent_fails);
}

static void end_fails(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    crib->at = TEST_STORE_FINISH;
    crib->before = store_fails;
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_E_STORE_FAILED);
    expect_int(crib->written, 1);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "unknown");
    expect_text(row.error_code, "store.failed");
}

void test_pipeline__a_result_that_cannot_be_stored_is_of_unknown_outcome(void **state)
{
    (void)state;
    run(end_fails);
}

static void snapshot_fails(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    crib->at = TEST_STORE_SNAPSHOT;
    crib->before = store_fails;
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_E_STORE_FAILED);
    expect_int(crib->written, 0);
    expect_text(test_crib_row(cx, crib).state, "done");
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_OK); /* the next one stores it */
}

void test_pipeline__a_snapshot_that_cannot_be_stored_stops_the_call_only(void **state)
{
    (void)state;
    run(snapshot_fails);
}

/* --- sources --- */

static void outcome_unknown(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_audit_row row;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.outcome = TC_OUTCOME_UNKNOWN;
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect(result.is_error);
    expect_text(result.error_code, "mcp.call_outcome_unknown");
    expect_int(crib->up.calls, 1);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "unknown");
}

void test_pipeline__an_unknown_outcome_is_told_and_never_repeated(void **state)
{
    (void)state;
    run(outcome_unknown);
}

static void not_sent(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.outcome = TC_OUTCOME_NOT_SENT;
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect_text(result.error_code, "mcp.not_sent");
    expect_text(test_crib_row(cx, crib).state, "done");
}

void test_pipeline__a_call_that_did_not_leave_is_done(void **state)
{
    (void)state;
    run(not_sent);
}

/* What a model reads carries no ids of ours and no commands of the operator. */
static void texts(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;
    struct tc_str uuid;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK); /* gives the name */
    uuid = tc_arena_dup(cx->arena, tc_servers_uuid(crib->runtime->servers, TC_STR("s")));
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"base\",\"mcp-s\"],\"tools\":{\"permissions\":{\"mcp/*\":"
                                         "\"off\"}}"),
               TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect_text(result.error_code, "tool.not_allowed");
    expect(tc_str_find(result.content, TC_STR("permission_off")) != SIZE_MAX);
    expect(tc_str_find(result.content, uuid) == SIZE_MAX);
    expect(tc_str_find(result.content, TC_STR("mcp/")) == SIZE_MAX);
    expect(tc_str_find(result.content, TC_STR("toolcrib ")) == SIZE_MAX);
}

void test_pipeline__refusals_name_no_internal_ids(void **state)
{
    (void)state;
    run(texts);
}

static void server_words(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_call_result result;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    crib->up.fails = TC_E_MCP_START_FAILED;
    expect_int(tc_servers_refresh(cx, crib->runtime->servers, TC_STR("s")), TC_E_MCP_START_FAILED);
    expect_int(test_crib_call(cx, crib, "s__one", "{}", &result), TC_OK);
    expect(tc_str_find(result.content, TC_STR("server_down")) != SIZE_MAX);
    expect(tc_str_find(result.content, TC_STR("does not start")) == SIZE_MAX); /* it may hold the words of a program */
}

void test_pipeline__the_error_output_of_a_server_is_for_operators(void **state)
{
    (void)state;
    run(server_words);
}

/* --- stored results --- */

static void stored(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_principal mine = {TC_ROLE_AGENT, TC_STR("token"), TC_STR("t1"), TC_STR("default"), 0};
    struct tc_principal other = {TC_ROLE_AGENT, TC_STR("token"), TC_STR("t2"), TC_STR("default"), 0};
    struct tc_principal admin = {TC_ROLE_ADMIN, TC_STR("token"), TC_STR("t3"), TC_STR(""), 0};
    struct tc_call_result result;
    struct tc_stored_result found;

    expect_int(test_crib_call(cx, crib, "note_echo", "{\"text\":\"kept\"}", &result), TC_OK);
    expect_int(tc_pipeline_stored(cx, crib->runtime, &mine, TC_STR("default"), result.result_id, &found), TC_OK);
    expect_text(found.text, "{\"content\":[{\"type\":\"text\",\"text\":\"kept\"}]}");
    expect_int(tc_pipeline_stored(cx, crib->runtime, &other, TC_STR("default"), result.result_id, &found),
               TC_E_RESULT_NOT_FOUND);
    expect_int(tc_pipeline_stored(cx, crib->runtime, &admin, TC_STR("default"), result.result_id, &found), TC_OK);
    expect_int(tc_pipeline_stored(cx, crib->runtime, &mine, TC_STR("default"), TC_STR("nothing"), &found),
               TC_E_RESULT_NOT_FOUND);
}

void test_pipeline__a_result_is_read_by_its_token_and_by_an_admin(void **state)
{
    (void)state;
    run(stored);
}

/* --- memory --- */

/* Whichever allocation fails: the call says so, nothing ran without an intent, and
 * no row stays open. */
static void starved(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_json *arguments = test_crib_json(cx, "{\"times\":\"1\"}");
    struct tc_call_result result;
    struct tc_audit_row *rows;
    enum tc_err e = TC_E_NO_MEMORY;

    expect_int(test_crib_call_json(cx, crib, "note_write", arguments, &result), TC_OK);
    for (size_t nth = 1; e && nth < 2000; nth++) {
        size_t n, before = test_crib_rows(cx, crib, &rows);
        tc_mem_fail_at(nth, false);
        e = test_crib_call_json(cx, crib, "note_write", arguments, &result);
        tc_mem_fail_at(0, false);
        expect(e == TC_OK || e == TC_E_NO_MEMORY);
        n = test_crib_rows(cx, crib, &rows);
        expect(n <= before + 1);
        for (size_t i = before; i < n; i++)
            expect(!tc_str_is(rows[i].state, "intent"));
        expect_int(crib->runtime->calls.n, 0);
    }
    expect_int(e, TC_OK);
}

void test_pipeline__without_memory_no_row_stays_open(void **state)
{
    (void)state;
    run(starved);
}
