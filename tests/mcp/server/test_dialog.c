#include "support/runtime.h"

#include "io/loop.h"
#include "mcp/server/dialog.h"
#include "ports/store_audit.h"

static const struct tc_principal ada = {TC_ROLE_AGENT, TC_STR_INIT("token"), TC_STR_INIT("ada"),
                                        TC_STR_INIT("work"), 0};
static const char *const tools[] = {"add", "wait", NULL};

struct talk {
    struct test_runtime t;
    struct tc_sessions sessions;
    struct tc_session *session;
    struct tc_dialog dialog;
};

static bool open_talk(struct tc_cx *cx, struct talk *talk)
{
    struct scripted_answer held = {.kind = SCRIPTED_ECHO, .hold = true};
    struct tc_envelope envelope = {.revision = tc_mcp_revision_newest(TC_MCP_HANDSHAKE)};

    if (!test_runtime_open(cx, &talk->t))
        return false;
    test_runtime_server(&talk->t, "box", tools);
    test_runtime_agent(&talk->t, "{'id':'work','toolsets':['mcp-box']}");
    scripted_clear(scripted_server(talk->t.scripted, TC_STR("box")));
    scripted_answer(scripted_server(talk->t.scripted, TC_STR("box")), TC_STR("wait"), &held);
    tc_sessions_init(&talk->sessions, talk->t.runtime->servers, 1000);
    expect_ok(cx, tc_sessions_create(cx, &talk->sessions, &ada, TC_STR("work"), &envelope, &talk->session));
    talk->dialog = (struct tc_dialog){.runtime = talk->t.runtime,
                                      .principal = &ada,
                                      .agent = TC_STR("work"),
                                      .session = talk->session,
                                      .envelope = envelope};
    return true;
}

static void close_talk(struct talk *talk)
{
    if (talk->session)
        tc_sessions_leave(&talk->sessions, talk->session, 0);
    tc_sessions_finish(&talk->sessions);
    test_runtime_close(&talk->t);
}

/* The answer as text in the arena; message with double quotes written as single ones. */
static struct tc_str ask(struct tc_cx *cx, struct talk *talk, const char *message)
{
    struct tc_rpc rpc;
    struct tc_buf answer;
    struct tc_str text;

    tc_buf_init(&answer, 1024 * 1024);
    expect_ok(cx, tc_rpc_read(cx, test_runtime_json(&talk->t, message), &rpc));
    tc_dialog_answer(cx, &talk->dialog, &rpc, &answer);
    text = tc_buf_dup(&answer, cx->arena);
    tc_buf_finish(&answer);
    return text;
}

static void ids(struct tc_cx *cx, void *arg)
{
    struct talk talk = {.session = NULL};
    (void)arg;

    if (open_talk(cx, &talk)) {
        expect_text(ask(cx, &talk, "{'jsonrpc':'2.0','id':1.50,'method':'ping'}"),
                    "{\"jsonrpc\":\"2.0\",\"id\":1.50,\"result\":{}}");
        expect_text(ask(cx, &talk, "{'jsonrpc':'2.0','id':'a/b','method':'ping'}"),
                    "{\"jsonrpc\":\"2.0\",\"id\":\"a/b\",\"result\":{}}");
        expect(tc_str_starts(ask(cx, &talk, "{'jsonrpc':'2.0','id':7,'method':'no/such'}"),
                             TC_STR("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,")));
        expect_int(talk.session->requests.n, 0);
    }
    close_talk(&talk);
}

void test_dialog__answers_with_the_id_as_it_came(void **state)
{
    (void)state;
    test_task_run_virtual(ids, NULL);
}

static void revisions(struct tc_cx *cx, void *arg)
{
    (void)cx, (void)arg;
    expect(strcmp(tc_dialog_revision(TC_STR("2025-06-18"))->name, "2025-06-18") == 0);
    expect(tc_dialog_revision(TC_STR("")) == tc_mcp_revision_newest(TC_MCP_HANDSHAKE));
    expect(tc_dialog_revision(TC_STR("2099-01-01")) == tc_mcp_revision_newest(TC_MCP_HANDSHAKE));
    /* a revision without a handshake is not what initialize can agree on */
    for (size_t i = 0; tc_mcp_revision_at(i); i++)
        expect(tc_mcp_revision_has(tc_dialog_revision(tc_str_of(tc_mcp_revision_at(i)->name)), TC_MCP_HANDSHAKE));
}

void test_dialog__agrees_on_a_revision(void **state)
{
    (void)state;
    test_task_run_virtual(revisions, NULL);
}

struct request {
    struct talk *talk;
    const char *message;
    struct tc_str answer; /* in the arena of the test */
    struct tc_cx *cx;
};

static void request_task(struct tc_cx *cx, void *arg)
{
    struct request *request = arg;

    request->answer = tc_arena_dup(request->cx->arena, ask(cx, request->talk, request->message));
}

static void notice(struct tc_cx *cx, struct talk *talk, const char *message)
{
    struct tc_rpc rpc;

    expect_ok(cx, tc_rpc_read(cx, test_runtime_json(&talk->t, message), &rpc));
    tc_dialog_notice(cx, &talk->dialog, &rpc);
}

static void cancelling(struct tc_cx *cx, void *arg)
{
    struct tc_store_page page = {.page = 1, .size = 10};
    struct tc_store_audit_filter filter = {.is_error = -1};
    struct request request = {NULL, "{'jsonrpc':'2.0','id':5,'method':'tools/call','params':{'name':'box__wait'}}",
                              TC_STR(""), cx};
    struct talk talk = {.session = NULL};
    struct tc_audit_row *rows;
    struct tc_task_group group;
    int64_t total;
    size_t n;
    (void)arg;

    if (open_talk(cx, &talk)) {
        request.talk = &talk;
        tc_task_group_init(&group, tc_task_loop(cx));
        expect_ok(cx, tc_task_spawn(cx, tc_task_loop(cx), &group, "request", request_task, &request));
        test_runtime_settle(&talk.t);
        expect_int(scripted_total(talk.t.scripted), 1);
        expect(tc_str_find(ask(cx, &talk, "{'jsonrpc':'2.0','id':5,'method':'ping'}"), TC_STR("under way")) !=
               SIZE_MAX);
        notice(cx, &talk,
               "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'5'}}"); /* another */
        test_runtime_settle(&talk.t);
        expect_text(request.answer, "");
        notice(cx, &talk, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':5}}");
        expect_ok(cx, tc_task_join(cx, &group));
        expect(request.answer.n > 0);
        /* it left: what became of it is not known, and the record says so */
        expect_ok(cx, talk.t.memory->audit->page(cx, talk.t.memory, &page, &filter, &rows, &n, &total));
        expect_int(n, 1);
        expect_text(rows[0].state, "unknown");
        notice(cx, &talk, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':5}}");
        notice(cx, &talk, "{'jsonrpc':'2.0','method':'notifications/cancelled'}");
    }
    close_talk(&talk);
}

void test_dialog__a_notification_cancels_that_request(void **state)
{
    (void)state;
    test_task_run_virtual(cancelling, NULL);
}
