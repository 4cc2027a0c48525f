#include "support/crib.h"

#include "base/clock.h"
#include "runtime/approvals.h"

static const struct tc_principal operator_ = {TC_ROLE_OPERATOR, TC_STR_INIT("token"), TC_STR_INIT("op"),
                                              TC_STR_INIT(""), 0};

/* --- calls that wait --- */

struct call {
    struct test_crib *crib;
    struct tc_str run, name;
    struct tc_str token; /* id of the token that calls; empty: another's */
    struct tc_call_result result;
    enum tc_err e;
    struct tc_event done;
};

static void call_task(struct tc_cx *cx, void *arg)
{
    struct call *call = arg;
    struct tc_invocation invocation = {
        .surface = "rest",
        .principal = {TC_ROLE_AGENT, TC_STR("oidc"), TC_STR("t1"), TC_STR("default"), 0},
        .agent = TC_STR("default"),
        .run = call->run,
    };
    struct tc_call_request request = {.name = call->name};

    if (call->token.n)
        invocation.principal = (struct tc_principal){TC_ROLE_AGENT, TC_STR("token"), call->token, TC_STR("default"), 0};
    call->e = tc_pipeline_call(cx, call->crib->runtime, &invocation, &request, &call->result);
    call->result.error_code = tc_str_of(call->e ? tc_err_info(call->e)->name : "");
    tc_event_set(&call->done);
}

static void begin(struct tc_cx *cx, struct test_crib *crib, struct call *call, const char *run)
{
    *call = (struct call){.crib = crib, .run = tc_str_of(run), .name = TC_STR("note_write")};
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "call", call_task, call), TC_OK);
    test_crib_settle(cx);
}

static void asks(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_agent(cx, crib, "\"tools\":{\"permissions\":{\"builtin:note.write\":\"ask\"}}"), TC_OK);
}

static struct tc_approval_row newest(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_store_page page = {.page = 1, .size = 1, .descending = true};
    struct tc_approval_row *rows;
    int64_t total;
    size_t n = 0;

    expect_int(crib->store->approvals->page(cx, crib->store, &page, &(struct tc_store_approvals_filter){0}, &rows, &n,
                                            &total),
               TC_OK);
    expect_int(n, 1);
    return n ? rows[0] : (struct tc_approval_row){.id = TC_STR("")};
}

static enum tc_err answer(struct tc_cx *cx, struct test_crib *crib, const char *choice)
{
    const struct tc_approvals_answer given = {
        .id = newest(cx, crib).id,
        .choice = tc_str_of(choice),
        .comment = TC_STR(""),
        .channel = TC_STR("operator"),
        .principal = &operator_,
    };
    struct tc_approval_row row;

    return tc_approvals_answer(cx, crib->runtime->approvals, &given, &row);
}

static void for_a_run(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_approvals_counts counts;
    struct call call;

    asks(cx, crib);
    begin(cx, crib, &call, "run-1");
    expect_int(crib->written, 0);
    expect_int(answer(cx, crib, "run"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    expect_int(crib->written, 1);
    begin(cx, crib, &call, "run-1"); /* not asked again */
    expect(call.done.set);
    expect_int(crib->written, 2);
    begin(cx, crib, &call, "run-11"); /* another run is */
    expect(!call.done.set);
    expect_int(answer(cx, crib, "run"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    tc_approvals_end_run(crib->runtime->approvals, TC_STR("run-1"));
    begin(cx, crib, &call, "run-11");
    expect(call.done.set);
    begin(cx, crib, &call, "run-1"); /* it was another run of that name, if any */
    expect(!call.done.set);
    counts = tc_approvals_counts(crib->runtime->approvals);
    expect_int(counts.waiting, 1);
    expect_int(counts.asked, 3);
    expect_int(counts.approved, 2);
    expect_int(answer(cx, crib, "no"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    expect_int(tc_approvals_counts(crib->runtime->approvals).denied, 1);
    expect_int(tc_approvals_counts(crib->runtime->approvals).waiting, 0);
}

void test_approvals__what_is_approved_for_a_run_ends_with_it(void **state)
{
    (void)state;
    test_crib_run_virtual(for_a_run, NULL);
}

static void revoked(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_token_options options = {.role = TC_ROLE_AGENT, .agent = TC_STR("default")};
    struct tc_access *access = crib->runtime->access;
    struct tc_token_row row;
    struct tc_str token;
    struct call call;

    asks(cx, crib);
    expect_int(tc_access_create_token(cx, access, &options, &row, &token), TC_OK);
    call = (struct call){.crib = crib, .run = TC_STR(""), .name = TC_STR("note_write"), .token = row.id};
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "call", call_task, &call), TC_OK);
    test_crib_settle(cx);
    expect_int(tc_access_revoke(cx, access, row.id), TC_OK);
    expect_int(answer(cx, crib, "once"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    expect_text(call.result.error_code, "auth.token_ended");
    expect_int(crib->written, 0);
}

void test_approvals__a_yes_is_none_for_a_token_that_is_revoked_meanwhile(void **state)
{
    (void)state;
    test_crib_run_virtual(revoked, NULL);
}

static void a_request(struct tc_cx *cx, struct test_crib *crib)
{
    struct call call;

    asks(cx, crib);
    begin(cx, crib, &call, "");
    expect_int(answer(cx, crib, "run"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    begin(cx, crib, &call, ""); /* a request is a run of its own */
    expect(!call.done.set);
    expect_int(answer(cx, crib, "no"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
}

void test_approvals__a_request_is_a_run_of_its_own(void **state)
{
    (void)state;
    test_crib_run_virtual(a_request, NULL);
}

struct racer {
    struct test_crib *crib;
    const char *choice;
    enum tc_err e;
};

static void race_task(struct tc_cx *cx, void *arg)
{
    struct racer *racer = arg;

    racer->e = answer(cx, racer->crib, racer->choice);
}

static void two_answers(struct tc_cx *cx, struct test_crib *crib)
{
    struct racer racers[] = {{crib, "once", TC_OK}, {crib, "no", TC_OK}};
    struct call call;

    asks(cx, crib);
    begin(cx, crib, &call, "");
    for (int i = 0; i < 2; i++)
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "answer", race_task, &racers[i]), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    test_crib_settle(cx);
    expect_int((racers[0].e == TC_OK) + (racers[1].e == TC_OK), 1);
    expect(racers[0].e == TC_E_APPROVAL_CLOSED || racers[1].e == TC_E_APPROVAL_CLOSED);
    expect_int(crib->written, racers[0].e == TC_OK);
    expect_text(newest(cx, crib).state, racers[0].e == TC_OK ? "approved" : "denied");
}

void test_approvals__the_first_of_two_answers_stands(void **state)
{
    (void)state;
    test_crib_run_virtual(two_answers, NULL);
}

/* --- what is recorded --- */

static void recorded_before(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_audit_row row;
    struct call call;

    asks(cx, crib);
    begin(cx, crib, &call, "");
    row = test_crib_row(cx, crib);
    expect_text(row.state, "intent");
    expect(tc_str_find(row.approval, TC_STR("\"state\":\"waiting\"")) != SIZE_MAX);
    expect_int(answer(cx, crib, "once"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    row = test_crib_row(cx, crib);
    expect_text(row.state, "done");
    expect(tc_str_find(row.approval, TC_STR("\"by\":{\"kind\":\"token\",\"id\":\"op\"}")) != SIZE_MAX);
    expect(tc_str_find(row.approval, TC_STR("\"channel\":\"operator\"")) != SIZE_MAX);
}

void test_approvals__the_record_says_who_answered_when_and_how(void **state)
{
    (void)state;
    test_crib_run_virtual(recorded_before, NULL);
}

/* As a process leaves it that is killed while one call waits and another is under way. */
static void left_waiting(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_store *store = crib->store;
    struct tc_audit_row waiting = {.id = TC_STR("01A"), .at = 1, .state = TC_STR("intent"), .agent = TC_STR("default"),
                                   .gate = TC_STR("ok")},
                        running = {.id = TC_STR("01B"), .at = 2, .state = TC_STR("intent")}, row;
    struct tc_approval_row question = {.id = TC_STR("01Q"), .at = 1, .until = 300001, .state = TC_STR("waiting"),
                                       .audit_id = waiting.id, .agent = TC_STR("default")};

    expect_int(store->audit->add(cx, store, &waiting), TC_OK);
    expect_int(store->audit->add(cx, store, &running), TC_OK);
    expect_int(store->approvals->add(cx, store, &question), TC_OK);
    question.id = TC_STR("01R");
    question.audit_id = TC_STR("gone"); /* its call is older than the record goes back */
    expect_int(store->approvals->add(cx, store, &question), TC_OK);
    expect_int(test_crib_restart(cx, crib, NULL), TC_OK);
    expect_int(store->approvals->get(cx, store, TC_STR("01Q"), &question), TC_OK);
    expect_text(question.state, "expired");
    expect(question.answered_at > 0);
    expect_int(store->approvals->get(cx, store, TC_STR("01R"), &question), TC_OK);
    expect_text(question.state, "expired");
    expect_int(store->audit->get(cx, store, TC_STR("01A"), &row), TC_OK);
    expect_text(row.state, "done");
    expect_text(row.error_code, "approval.expired");
    expect_text(row.permission, "approval.expired");
    expect_text(row.gate, "ok");
    expect(row.is_error);
    expect(tc_str_find(row.approval, TC_STR("\"state\":\"expired\"")) != SIZE_MAX);
    expect_int(store->audit->get(cx, store, TC_STR("01B"), &row), TC_OK);
    expect_text(row.state, "unknown");
    expect_int(answer(cx, crib, "once"), TC_E_APPROVAL_CLOSED);
}

void test_approvals__what_a_former_process_left_waiting_is_expired(void **state)
{
    (void)state;
    test_crib_run_virtual(left_waiting, NULL);
}

static enum tc_err no_disk(struct tc_cx *cx, struct test_crib *crib)
{
    (void)crib;
    return tc_fail(cx, TC_E_STORE_FAILED, "The disk is full.");
}

static void cannot_record(struct tc_cx *cx, struct test_crib *crib)
{
    struct call call;

    asks(cx, crib);
    begin(cx, crib, &call, "");
    crib->at = TEST_STORE_FINISH; /* the answer cannot be recorded: then nothing runs */
    crib->before = no_disk;
    expect_int(answer(cx, crib, "once"), TC_OK);
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    expect_int(call.e, TC_E_STORE_FAILED);
    expect_int(crib->written, 0);
}

void test_approvals__an_answer_that_cannot_be_recorded_runs_nothing(void **state)
{
    (void)state;
    test_crib_run_virtual(cannot_record, NULL);
}

/* --- watching --- */

static void watching(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_approvals *approvals = crib->runtime->approvals;
    uint64_t at = tc_approvals_now(approvals), behind = at;
    struct tc_str id;
    struct call call;

    asks(cx, crib);
    expect_int(tc_approvals_next(cx, approvals, &at, 0, &id), TC_E_TIMEOUT);
    for (int i = 0; i < 200; i++) {
        begin(cx, crib, &call, "");
        expect_int(tc_approvals_next(cx, approvals, &at, 10, &id), TC_OK);
        expect(tc_str_eq(id, newest(cx, crib).id));
        expect_int(answer(cx, crib, "no"), TC_OK);
        expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
        expect_int(tc_approvals_next(cx, approvals, &at, 10, &id), TC_OK);
        expect(tc_str_eq(id, newest(cx, crib).id));
    }
    expect_int(tc_approvals_next(cx, approvals, &behind, 10, &id), TC_OK); /* 400 changes, 256 are kept */
    expect_text(id, "");
    expect_int(tc_approvals_next(cx, approvals, &behind, 0, &id), TC_E_TIMEOUT);
}

void test_approvals__who_watches_hears_of_each_change(void **state)
{
    (void)state;
    test_crib_run_virtual(watching, NULL);
}

static bool read_until(struct tc_cx *cx, struct peer *peer, const char *text)
{
    for (int i = 0; i < 1000; i++) {
        peer_read(peer);
        if (tc_str_find(tc_buf_get(&peer->got), tc_str_of(text)) != SIZE_MAX)
            return true;
        peer_turn(cx);
    }
    return false;
}

static void streaming(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str request;
    struct peer peer;
    struct call call;

    test_crib_listen(cx, crib);
    asks(cx, crib);
    begin(cx, crib, &call, "");
    request = tc_arena_printf(cx->arena,
                              "GET /admin/approval/events HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer "
                              "%.*s\r\n\r\n",
                              crib->port, TC_STR_ARG(crib->token));
    peer_open_tcp(cx, &peer, crib->port);
    peer_send(&peer, request);
    expect(read_until(cx, &peer, "text/event-stream"));
    expect(read_until(cx, &peer, "event: approval"));
    expect(read_until(cx, &peer, "\"state\":\"waiting\""));
    expect_int(answer(cx, crib, "no"), TC_OK);
    expect(read_until(cx, &peer, "\"state\":\"denied\""));
    expect_int(tc_task_wait(cx, &call.done, 1000), TC_OK);
    peer_close(&peer);
    test_crib_settle(cx);
}

void test_approvals__are_watched_as_server_sent_events(void **state)
{
    (void)state;
    test_crib_run(streaming, NULL);
}
