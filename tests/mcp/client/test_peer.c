#include "support/mcp.h"

#include <signal.h>
#include <stdio.h>

#include "base/mem.h"

static enum tc_err open_peer(struct tc_cx *cx, struct test_mcp *mcp, const char *script)
{
    test_mcp_init(cx, mcp);
    return test_mcp_open(cx, mcp, script);
}

static struct tc_peer_status status_of(const struct test_mcp *mcp)
{
    struct tc_peer_status status;

    tc_peer_status(mcp->peer, &status);
    return status;
}

static bool message_has(struct tc_str message, const char *part)
{
    if (tc_str_find(message, tc_str_of(part)) != SIZE_MAX)
        return true;
    print_error("\"%s\" is not in \"%.*s\"\n", part, TC_STR_ARG(message));
    return false;
}

/* --- the handshake --- */

static void shakes_hands(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_source_reply reply;
    struct tc_peer_status status;
    (void)arg;

    expect_int(open_peer(cx, &mcp, ""), TC_OK);
    status = status_of(&mcp);
    expect_text(tc_str_of(status.revision->name), "2025-11-25");
    expect_text(tc_json_str(tc_json_get_c(status.server, "name")), "script");
    expect(test_mcp_alive(status.link.pid));
    reply = test_mcp_call(cx, &mcp, "{\"a\":1.50}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_text(test_mcp_text(&reply), "{\"a\":1.50}");
    expect(test_mcp_received(
        cx, &mcp,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":"
        "{\"name\":\"toolcrib\",\"version\":\"" TC_VERSION "\"},\"io.modelcontextprotocol/clientCapabilities\":"
        "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-11-25\",\"capabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"context\":{},"
        "\"tools\":{}},\"roots\":{\"listChanged\":true}},\"clientInfo\":{\"name\":\"toolcrib\",\"version\":\""
        TC_VERSION "\"}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
        "\"arguments\":{\"a\":1.50}}}\n"));
    test_mcp_finish(cx, &mcp);
    expect(!test_mcp_alive(status.link.pid));
}

void test_peer__shakes_hands_and_calls(void **state)
{
    (void)state;
    test_task_run(shakes_hands, NULL);
}

static void takes_an_older_revision(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    (void)arg;

    expect_int(open_peer(cx, &mcp, "on initialize\nresult {\"protocolVersion\":\"2024-11-05\",\"capabilities\":{}}"),
               TC_OK);
    expect_text(tc_str_of(status_of(&mcp).revision->name), "2024-11-05");
    test_mcp_finish(cx, &mcp);
}

void test_peer__takes_an_older_revision(void **state)
{
    (void)state;
    test_task_run(takes_an_older_revision, NULL);
}

static void fails_to_start(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *script;
        enum tc_err code;
        const char *message, *more;
    } rows[] = {
        {"on initialize\nresult {\"protocolVersion\":\"1999-01-01\"}", TC_E_MCP_VERSION,
         "The server speaks revision \"1999-01-01\" of the protocol, which is not known.", ""},
        {"on initialize\nresult {}", TC_E_MCP_PROTOCOL, "without a protocolVersion", ""},
        {"on initialize\nerror -32000 no key", TC_E_MCP_PROTOCOL, "answered initialize with error -32000: no key", ""},
        {"start\nstderr first\nstderr API key is missing\nexit 3", TC_E_MCP_START_FAILED,
         "The server exited with status 3.", "Its last words: first\nAPI key is missing"},
        {"on initialize\nkill", TC_E_MCP_START_FAILED, "The server was ended by signal 9", ""},
        {"on initialize\nstderr thinking\ndeaf", TC_E_TIMEOUT, "did not answer within 300 ms.", "thinking"},
        {"start\nclose out\nstay", TC_E_MCP_START_FAILED, "The server closed its output.", ""},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_mcp mcp;

        test_mcp_init(cx, &mcp);
        mcp.start_ms = rows[i].code == TC_E_TIMEOUT ? 300 : 5000;
        expect_int(test_mcp_open(cx, &mcp, rows[i].script), rows[i].code);
        expect_int(cx->err.code, rows[i].code);
        expect(message_has(cx->err.message, rows[i].message));
        expect(message_has(cx->err.hint, rows[i].more));
        expect(!rows[i].more[0] || tc_str_find(cx->err.message, tc_str_of(rows[i].more)) == SIZE_MAX);
        test_mcp_finish(cx, &mcp);
    }
}

void test_peer__says_why_a_start_failed_with_the_last_words(void **state)
{
    (void)state;
    test_task_run(fails_to_start, NULL);
}

static void start_cancelled(struct tc_cx *cx, void *arg)
{
    *(enum tc_err *)arg = tc_task_check(cx);
    if (*(enum tc_err *)arg == TC_OK) {
        struct test_mcp mcp;

        *(enum tc_err *)arg = open_peer(cx, &mcp, "on initialize\ndeaf");
        test_mcp_finish(cx, &mcp);
    }
}

static void cancels_a_start(struct tc_cx *cx, void *arg)
{
    struct tc_task_group group;
    enum tc_err code = TC_OK;
    (void)arg;

    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "start", start_cancelled, &code);
    tc_task_sleep(cx, 200);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect_int(code, TC_E_CANCELED);
}

void test_peer__gives_up_a_start_when_cancelled(void **state)
{
    (void)state;
    test_task_run(cancels_a_start, NULL);
}

/* --- requests --- */

struct caller {
    struct test_mcp *mcp;
    const char *arguments;
    int64_t timeout_ms;
    struct tc_source_reply reply;
    bool done;
    bool matches; /* the text is the arguments */
};

static void call_in_task(struct tc_cx *cx, void *arg)
{
    struct caller *caller = arg;

    caller->reply = test_mcp_call(cx, caller->mcp, caller->arguments, caller->timeout_ms);
    caller->matches = tc_str_is(test_mcp_text(&caller->reply), caller->arguments);
    caller->reply.message = tc_str_n(NULL, 0); /* goes with the task's arena */
    caller->reply.result = NULL;
    caller->done = true;
}

static void answers_out_of_order(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_task_group group;
    struct tc_source_reply reply;
    struct caller callers[40];
    char arguments[40][32];
    (void)arg;

    expect_int(open_peer(cx, &mcp, "on tools/call\nhold\non go\nrelease\nresult {}"), TC_OK);
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 40; i++) {
        snprintf(arguments[i], sizeof arguments[i], "{\"n\":%d}", i);
        callers[i] = (struct caller){.mcp = &mcp, .arguments = arguments[i], .timeout_ms = 5000};
        tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &callers[i]);
    }
    tc_task_sleep(cx, 50);
    expect_int(status_of(&mcp).link.in_flight, 40);
    reply = test_mcp_request(cx, &mcp, "go", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    tc_task_join(cx, &group);
    for (int i = 0; i < 40; i++)
        expect(callers[i].matches);
    expect_int(status_of(&mcp).link.in_flight, 0);
    test_mcp_finish(cx, &mcp);
}

void test_peer__gives_each_call_its_own_answer(void **state)
{
    (void)state;
    test_task_run(answers_out_of_order, NULL);
}

static void times_out(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_source_reply reply;
    (void)arg;

    expect_int(open_peer(cx, &mcp, "once tools/call\nhold\non go\nrelease\nresult {}"), TC_OK);
    reply = test_mcp_call(cx, &mcp, "{}", 100);
    expect_int(reply.outcome, TC_OUTCOME_UNKNOWN);
    expect_text(reply.message, "The server did not answer within 100 ms.");
    expect(test_mcp_received(cx, &mcp, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                       "\"params\":{\"requestId\":3}}"));
    reply = test_mcp_request(cx, &mcp, "go", 5000);
    expect_int(status_of(&mcp).link.late, 1);
    reply = test_mcp_call(cx, &mcp, "{\"b\":2}", 5000);
    expect_text(test_mcp_text(&reply), "{\"b\":2}");
    test_mcp_finish(cx, &mcp);
}

void test_peer__cancels_on_timeout_and_drops_the_late_answer(void **state)
{
    (void)state;
    test_task_run(times_out, NULL);
}

static void is_cancelled(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_task_group group;
    struct caller caller = {.mcp = &mcp, .arguments = "{}", .timeout_ms = 60000};
    (void)arg;

    expect_int(open_peer(cx, &mcp, "on tools/call\nhold"), TC_OK);
    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &caller);
    expect(test_mcp_received(cx, &mcp, "tools/call"));
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect(caller.done);
    expect_int(caller.reply.outcome, TC_OUTCOME_UNKNOWN);
    expect(test_mcp_received(cx, &mcp, "notifications/cancelled\",\"params\":{\"requestId\":3}"));
    test_mcp_finish(cx, &mcp);
}

void test_peer__passes_a_cancellation_on(void **state)
{
    (void)state;
    test_task_run(is_cancelled, NULL);
}

static void deaf_server(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_task_group group;
    struct tc_source_reply reply;
    struct caller caller = {.mcp = &mcp, .timeout_ms = 60000};
    char *big = tc_arena_alloc(cx->arena, 300001);
    (void)arg;

    snprintf(big, 300001, "{\"x\":\"%0*d\"}", 299990, 7);
    caller.arguments = big;
    expect_int(open_peer(cx, &mcp, "on notifications/initialized\ndeaf"), TC_OK);
    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "call", call_in_task, &caller); /* fills the pipe */
    tc_task_sleep(cx, 100);
    reply = test_mcp_call(cx, &mcp, "{\"second\":1}", 100); /* waits behind it */
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    reply = test_mcp_call(cx, &mcp, "{\"third\":1}", 100);
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    kill(status_of(&mcp).link.pid, SIGKILL);
    tc_task_join(cx, &group);
    expect_int(caller.reply.outcome, TC_OUTCOME_NOT_SENT); /* its line was never whole */
    test_mcp_finish(cx, &mcp);
}

void test_peer__knows_that_a_call_has_not_left(void **state)
{
    (void)state;
    test_task_run(deaf_server, NULL);
}

static void answers_of_all_kinds(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *script;
        enum tc_outcome outcome;
        const char *message;
    } rows[] = {
        {"on tools/call\nresult {\"content\":[],\"isError\":true}", TC_OUTCOME_RESULT, ""},
        {"on tools/call\nerror -32602 unknown tool", TC_OUTCOME_SERVER_ERROR, "unknown tool"},
        {"on tools/call\nresult {}", TC_OUTCOME_UNSUPPORTED, "The result of the call has no content."},
        {"on tools/call\nresult 7", TC_OUTCOME_UNSUPPORTED, "The result of the call is no object."},
        {"on tools/call\nline {\"id\":$ID,\"result\":{\"content\":[]}}", TC_OUTCOME_UNSUPPORTED,
         "The answer of the server does not say \"jsonrpc\": \"2.0\"."},
        {"on tools/call\nline [{\"jsonrpc\":\"2.0\",\"method\":\"x\"},{\"jsonrpc\":\"2.0\",\"id\":$ID,"
         "\"result\":{\"content\":[]}}]",
         TC_OUTCOME_RESULT, ""},
        {"on tools/call\nline {\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":5,\"message\":\"a\\u0000b\\ud800\","
         "\"data\":\"\\udb40\\udc41x\"}}",
         TC_OUTCOME_SERVER_ERROR, "ab\xef\xbf\xbd"},
        {"on tools/call\nline {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[],\"x\":NaN}}",
         TC_OUTCOME_UNSUPPORTED, "The answer of the server is no valid JSON."},
        {"on tools/call\nexit 4", TC_OUTCOME_UNKNOWN, "The server exited with status 4."},
        {"on tools/call\nkill", TC_OUTCOME_UNKNOWN, "The server was ended by signal 9 (Killed)."},
        {"on tools/call\nclose out\nstay", TC_OUTCOME_UNKNOWN, "The server closed its output."},
        {"on tools/call\ndefault\nexit 0", TC_OUTCOME_RESULT, ""},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_mcp mcp;
        struct tc_source_reply reply;

        expect_int(open_peer(cx, &mcp, rows[i].script), TC_OK);
        reply = test_mcp_call(cx, &mcp, "{}", 5000);
        expect_int(reply.outcome, rows[i].outcome);
        expect_text(reply.message, rows[i].message);
        if (reply.rpc_code == 5)
            expect_text(tc_json_str(reply.data), "x");
        test_mcp_finish(cx, &mcp);
    }
}

void test_peer__tells_the_outcomes_apart(void **state)
{
    (void)state;
    test_task_run(answers_of_all_kinds, NULL);
}

/* --- what the server sends unasked --- */

static void server_asks(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    (void)arg;

    expect_int(open_peer(cx, &mcp,
                           "on notifications/initialized\n"
                           "line {\"jsonrpc\":\"2.0\",\"id\":\"s-1\",\"method\":\"ping\"}\n"
                           "line {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\"}\n"
                           "line {\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"sampling/createMessage\",\"params\":{}}\n"),
               TC_OK);
    expect(test_mcp_received(cx, &mcp, "{\"jsonrpc\":\"2.0\",\"id\":\"s-1\",\"result\":{}}\n"));
    expect(test_mcp_received(cx, &mcp, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"roots\":[]}}"));
    expect(test_mcp_received(cx, &mcp, "{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32601,"));
    test_mcp_finish(cx, &mcp);
}

void test_peer__answers_what_the_server_asks(void **state)
{
    (void)state;
    test_task_run(server_asks, NULL);
}

struct listener {
    struct tc_caller base;
    char text[512];
};

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    struct listener *listener = (struct listener *)self;
    size_t n = strlen(listener->text);

    snprintf(listener->text + n, sizeof listener->text - n, "[%.*s/%.*s %.*s]", TC_STR_ARG(progress), TC_STR_ARG(total),
             TC_STR_ARG(message));
}

static void on_log(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data)
{
    struct listener *listener = (struct listener *)self;
    size_t n = strlen(listener->text);

    snprintf(listener->text + n, sizeof listener->text - n, "<%.*s %.*s %.*s>", TC_STR_ARG(level), TC_STR_ARG(logger),
             TC_STR_ARG(tc_json_str(data)));
}

static const struct tc_caller_ops listener_ops = {.progress = on_progress, .log = on_log};

static void hears_progress(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct listener listener = {.base.ops = &listener_ops};
    struct tc_source_call call = {.tool = TC_STR("echo"), .caller = &listener.base, .timeout_ms = 5000};
    struct tc_source_reply reply;
    (void)arg;

    expect_int(open_peer(cx, &mcp,
                           "on tools/call\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                           "{\"progressToken\":$TOKEN,\"progress\":0.50,\"total\":1,\"message\":\"ha\\u0000lf\"}}\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                           "{\"progressToken\":\"client-token\",\"progress\":9}}\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":"
                           "{\"level\":\"info\",\"logger\":\"db\",\"data\":\"ready\"}}\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                           "{\"progressToken\":$TOKEN,\"progress\":1}}\n"
                           "default\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                           "{\"progressToken\":$TOKEN,\"progress\":2}}\n"),
               TC_OK);
    call.arguments = test_mcp_json(cx, "{}");
    call.meta = test_mcp_json(cx, "{\"progressToken\":\"client-token\",\"traceparent\":\"00-1\"}");
    expect_int(tc_peer_call(cx, mcp.peer, &call, &reply), TC_OK);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_text(tc_str_of(listener.text), "[0.50/1 half]<info db ready>[1/ ]");
    expect(test_mcp_received(cx, &mcp, "\"_meta\":{\"traceparent\":\"00-1\",\"progressToken\":3}"));
    call.caller = NULL;
    expect_int(tc_peer_call(cx, mcp.peer, &call, &reply), TC_OK);
    expect(test_mcp_received(cx, &mcp, "\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
                                       "\"arguments\":{},\"_meta\":{\"traceparent\":\"00-1\"}}"));
    test_mcp_finish(cx, &mcp);
}

void test_peer__routes_progress_by_its_own_token(void **state)
{
    (void)state;
    test_task_run(hears_progress, NULL);
}

static void skips_noise(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_source_reply reply;
    (void)arg;

    expect_int(open_peer(cx, &mcp,
                           "start\nline Server running on stdio\nline {\"level\":\"info\",\"id\":1}\nline \n"
                           "line {broken\nline [1,2]\n"
                           "on tools/call\nline   \nline {\"id\":3,\"msg\":\"working\"}\nline last noise\ndefault"),
               TC_OK);
    reply = test_mcp_call(cx, &mcp, "{\"a\":1}", 5000);
    expect_text(test_mcp_text(&reply), "{\"a\":1}");
    expect_int(status_of(&mcp).link.skipped, 6);
    expect_text(status_of(&mcp).link.skipped_line, "last noise");
    expect_int(status_of(&mcp).link.late, 0);
    test_mcp_finish(cx, &mcp);
}

void test_peer__skips_lines_that_are_no_messages_and_counts_them(void **state)
{
    (void)state;
    test_task_run(skips_noise, NULL);
}

static void long_lines(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_source_reply reply;
    (void)arg;

    test_mcp_init(cx, &mcp);
    mcp.line_max = 1 << 20;
    expect_int(test_mcp_open(cx, &mcp, "once tools/call\nbig 1048000\nonce tools/call\nbig 2000000"), TC_OK);
    reply = test_mcp_call(cx, &mcp, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_int(test_mcp_text(&reply).n, 1048000);
    reply = test_mcp_call(cx, &mcp, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_UNSUPPORTED);
    expect_text(reply.message, "The answer of the server is longer than allowed.");
    expect_int(status_of(&mcp).link.too_long, 1);
    reply = test_mcp_call(cx, &mcp, "{\"a\":1}", 5000);
    expect_text(test_mcp_text(&reply), "{\"a\":1}");
    test_mcp_finish(cx, &mcp);
}

void test_peer__survives_an_answer_over_the_limit(void **state)
{
    (void)state;
    test_task_run(long_lines, NULL);
}

static void keeps_stderr(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_str output;
    (void)arg;

    expect_int(open_peer(cx, &mcp, "start\ntalk 2500"), TC_OK);
    tc_task_sleep(cx, 100);
    output = status_of(&mcp).link.output;
    expect(output.n <= 64 << 10 && output.n > 60 << 10);
    expect(tc_str_ends(output, TC_STR("line 2499 of a server that talks a lot, far more than anybody will read\n")));
    test_mcp_finish(cx, &mcp);
}

void test_peer__keeps_the_end_of_stderr(void **state)
{
    (void)state;
    test_task_run(keeps_stderr, NULL);
}

static void tells_changes(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    (void)arg;

    expect_int(open_peer(cx, &mcp,
                           "on change\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
                           "line {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
                           "result {}"),
               TC_OK);
    test_mcp_request(cx, &mcp, "change", 5000);
    tc_task_sleep(cx, 100);
    expect_int(mcp.changed, 0);
    test_mcp_request(cx, &mcp, "change", 5000);
    tc_task_sleep(cx, 250);
    expect_int(mcp.changed, 1);
    test_mcp_request(cx, &mcp, "change", 5000);
    tc_task_sleep(cx, 300);
    expect_int(mcp.changed, 2);
    test_mcp_request(cx, &mcp, "change", 5000);
    test_mcp_finish(cx, &mcp);
    expect_int(mcp.changed, 2); /* none after the close */
}

void test_peer__tells_of_changes_once_in_200_ms(void **state)
{
    (void)state;
    test_task_run(tells_changes, NULL);
}

/* --- tools/list --- */

static void lists_tools(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *script, *tools, *message; /* tools NULL: fails */
    } rows[] = {
        {"", "[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]", ""},
        {"on tools/list\nresult {\"tools\":[]}", "[]", ""},
        {"on tools/list\nresult {\"tools\":null}", "[]", ""},
        {"on tools/list\nerror -32601 Method not found", "[]", ""},
        {"once tools/list\nresult {\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"p2\"}\n"
         "once tools/list\nresult {\"tools\":[],\"nextCursor\":\"p3\"}\n"
         "once tools/list\nresult {\"tools\":[7,{\"name\":\"b\\u0000\"}],\"nextCursor\":\"\"}",
         "[{\"name\":\"a\"},7,{\"name\":\"b\"}]", ""},
        {"on tools/list\nresult {\"tools\":[],\"nextCursor\":\"same\"}", NULL,
         "The server's list of tools never ends: a cursor came twice."},
        {"on tools/list\nline {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[],\"nextCursor\":\"c$ID\"}}", NULL,
         "The server's list of tools has more than 100 pages."},
        {"on tools/list\nresult {}", NULL, "The answer to tools/list has no array \"tools\"."},
        {"on tools/list\nerror -32603 broken", NULL, "The server answered tools/list with error -32603: broken"},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_mcp mcp;
        const struct tc_json *tools = NULL;
        enum tc_err code;

        expect_int(open_peer(cx, &mcp, rows[i].script), TC_OK);
        code = tc_peer_list(cx, mcp.peer, TC_SOURCE_TOOLS, 5000, &tools);
        expect_int(code, rows[i].tools ? TC_OK : TC_E_MCP_PROTOCOL);
        if (rows[i].tools)
            expect_text(tc_json_text(cx->arena, tools), rows[i].tools);
        else
            expect_text(cx->err.message, rows[i].message);
        if (i == 4)
            expect(test_mcp_received(cx, &mcp, "\"method\":\"tools/list\",\"params\":{\"cursor\":\"p3\"}"));
        test_mcp_finish(cx, &mcp);
    }
}

void test_peer__lists_all_pages_and_never_for_ever(void **state)
{
    (void)state;
    test_task_run(lists_tools, NULL);
}

/* --- the end --- */

static void ends_unasked(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_source_reply reply;
    (void)arg;

    expect_int(open_peer(cx, &mcp, "on tools/call\ndefault\nexit 9"), TC_OK);
    reply = test_mcp_call(cx, &mcp, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_int(tc_peer_join(cx, mcp.peer, 5000), TC_OK);
    expect_int(mcp.ended, 1);
    expect(!tc_peer_alive(mcp.peer));
    expect_text(status_of(&mcp).link.reason, "The server exited with status 9.");
    reply = test_mcp_call(cx, &mcp, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    expect_text(reply.message, "The server exited with status 9.");
    test_mcp_finish(cx, &mcp);
    expect_int(mcp.ended, 1);
}

void test_peer__reports_an_end_that_nobody_asked_for(void **state)
{
    (void)state;
    test_task_run(ends_unasked, NULL);
}

static void closes(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    int pid;
    (void)arg;

    expect_int(open_peer(cx, &mcp, "start\nstubborn\nstay"), TC_OK);
    pid = status_of(&mcp).link.pid;
    tc_peer_close(mcp.peer);
    expect_int(tc_peer_join(cx, mcp.peer, 500), TC_E_TIMEOUT);
    expect_int(tc_peer_join(cx, mcp.peer, 6000), TC_OK);
    expect(!test_mcp_alive(pid));
    expect_int(mcp.ended, 0);
    test_mcp_finish(cx, &mcp);
}

void test_peer__ends_a_stubborn_server_when_closed(void **state)
{
    (void)state;
    test_task_run(closes, NULL);
}

static void stop_soon(struct tc_cx *cx, void *arg)
{
    struct caller *caller = arg;

    tc_task_sleep(cx, 100);
    expect_int(status_of(caller->mcp).link.in_flight, 1);
    tc_loop_stop(tc_task_loop(cx));
}

static void shuts_down(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct caller caller = {.mcp = &mcp};
    struct tc_source_reply reply;
    int pid;
    (void)arg;

    expect_int(open_peer(cx, &mcp, "on tools/call\nhold"), TC_OK);
    pid = status_of(&mcp).link.pid;
    tc_task_spawn(cx, tc_task_loop(cx), NULL, "stop", stop_soon, &caller);
    reply = test_mcp_call(cx, &mcp, "{}", 60000);
    expect_int(reply.outcome, TC_OUTCOME_UNKNOWN);
    tc_task_shield(cx);
    test_mcp_finish(cx, &mcp);
    tc_task_unshield(cx);
    expect(!test_mcp_alive(pid));
}

void test_peer__ends_in_order_while_the_loop_stops(void **state)
{
    (void)state;
    test_task_run(shuts_down, NULL);
}

/* --- allocation failures --- */

static void no_memory(struct tc_cx *cx, void *arg)
{
    bool through = false;
    (void)arg;

    if (!tc_mem_fail_at(0, false)) {
        print_message("not run: built without TC_FAULTS\n");
        return;
    }
    for (size_t nth = 1; nth < 400 && !through; nth++) {
        struct test_mcp mcp;
        struct tc_source_call call = {.tool = TC_STR("echo"), .timeout_ms = 400};
        struct tc_source_reply reply;
        const struct tc_json *tools;
        enum tc_err code;

        test_mcp_init(cx, &mcp);
        mcp.start_ms = 400;
        call.arguments = test_mcp_json(cx, "{\"a\":\"b\"}");
        tc_mem_fail_at(nth, false);
        code = test_mcp_open(cx, &mcp, "");
        if (code == TC_OK)
            code = tc_peer_list(cx, mcp.peer, TC_SOURCE_TOOLS, 400, &tools);
        if (code == TC_OK)
            code = tc_peer_call(cx, mcp.peer, &call, &reply);
        through = tc_mem_count() < nth;
        if (through) {
            expect_int(code, TC_OK);
            expect_int(reply.outcome, TC_OUTCOME_RESULT);
        }
        tc_mem_fail_at(0, false);
        test_mcp_finish(cx, &mcp);
    }
    expect(through);
}

void test_peer__survives_every_failed_allocation(void **state)
{
    (void)state;
    test_task_run(no_memory, NULL);
}
