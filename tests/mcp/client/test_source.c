#include "support/mcp.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "mcp/client/source.h"
#include "toolcrib/jsonw.h"

struct fixture {
    struct test_mcp mcp;
    struct tc_tool_source_factory *factory;
    struct tc_tool_source *source;
    int ended, changed;
    char reason[256];
};

static void on_changed(void *arg, enum tc_source_kind kind)
{
    if (kind == TC_SOURCE_TOOLS)
        ((struct fixture *)arg)->changed++;
}

static void on_ended(void *arg, struct tc_str reason)
{
    struct fixture *f = arg;

    f->ended++;
    snprintf(f->reason, sizeof f->reason, "%.*s", TC_STR_ARG(reason));
}

static const struct tc_json *config_of(struct tc_cx *cx, const struct fixture *f, const char *script)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    const struct tc_json *config = NULL;

    tc_buf_init(&buf, 1 << 20);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "command", TC_TEST_MCP_SERVER);
    tc_jsonw_key(&w, "args");
    tc_jsonw_array(&w);
    tc_jsonw_cstr(&w, script);
    tc_jsonw_end(&w);
    tc_jsonw_key(&w, "env");
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "RECORD", f->mcp.record);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    expect_int(tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &config), TC_OK);
    tc_buf_finish(&buf);
    return config;
}

static void open_source(struct tc_cx *cx, struct fixture *f, const char *script)
{
    struct tc_mcp_source_options options = {.loop = tc_task_loop(cx)};
    struct tc_tool_source_events events = {.list_changed = on_changed, .ended = on_ended, .arg = f};

    *f = (struct fixture){0};
    test_mcp_init(cx, &f->mcp);
    options.guard = f->mcp.guard;
    options.rules.default_cwd = f->mcp.dir;
    options.start_ms = 5000;
    expect_int(tc_mcp_source_factory_create(cx, &options, &f->factory), TC_OK);
    expect_int(f->factory->open(cx, f->factory, TC_STR("script"), config_of(cx, f, script), &events, &f->source),
               TC_OK);
}

static void close_fixture(struct tc_cx *cx, struct fixture *f)
{
    if (f->source)
        f->source->ops->close(cx, f->source);
    tc_mcp_source_factory_destroy(f->factory);
    test_mcp_finish(cx, &f->mcp);
}

static struct tc_source_reply call(struct tc_cx *cx, struct fixture *f, const char *arguments, int64_t timeout_ms)
{
    struct tc_source_call what = {
        .tool = TC_STR("echo"), .arguments = test_mcp_json(cx, arguments), .timeout_ms = timeout_ms};
    struct tc_source_reply reply = {0};

    expect_int(f->source->ops->call(cx, f->source, &what, &reply), TC_OK);
    return reply;
}

static const struct tc_json *status_of(struct tc_cx *cx, struct fixture *f)
{
    struct tc_str text = f->source->ops->status(cx, f->source);
    const struct tc_json *status = NULL;

    expect_int(tc_json_parse_root(cx, text, NULL, &status), TC_OK);
    return status;
}

static int64_t number(const struct tc_json *status, const char *key)
{
    int64_t n = -1;

    tc_json_int(tc_json_get_c(status, key), &n);
    return n;
}

static void starts_on_use(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    const struct tc_json *tools, *status;
    struct tc_source_reply reply;
    int pid;
    (void)arg;

    open_source(cx, &f, "start\nstderr up");
    status = status_of(cx, &f);
    expect_text(tc_json_str(tc_json_get_c(status, "state")), "stopped");
    expect_int(f.source->ops->list(cx, f.source, TC_SOURCE_TOOLS, TC_STR(""), &tools), TC_OK);
    expect_text(tc_json_text(cx->arena, tools), "[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]");
    reply = call(cx, &f, "{\"x\":1}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_text(test_mcp_text(&reply), "{\"x\":1}");
    status = status_of(cx, &f);
    expect_text(tc_json_str(tc_json_get_c(status, "state")), "running");
    expect_text(tc_json_str(tc_json_get_c(status, "protocolVersion")), "2025-11-25");
    expect_text(tc_json_str(tc_json_get_c(status, "stderr")), "up\n");
    expect_int(number(status, "starts"), 1);
    expect_int(number(status, "calls"), 1);
    pid = (int)number(status, "pid");
    expect(test_mcp_alive(pid));
    f.source->ops->close(cx, f.source);
    f.source = NULL;
    expect(!test_mcp_alive(pid));
    expect_int(f.ended, 0);
    close_fixture(cx, &f);
}

void test_source__starts_on_first_use_and_leaves_nothing(void **state)
{
    (void)state;
    test_task_run(starts_on_use, NULL);
}

struct use {
    struct fixture *f;
    enum tc_outcome outcome;
};

static void use_in_task(struct tc_cx *cx, void *arg)
{
    struct use *use = arg;

    use->outcome = call(cx, use->f, "{}", 5000).outcome;
}

static void starts_once(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_task_group group;
    struct use uses[20];
    (void)arg;

    open_source(cx, &f, "start\nsleep 200");
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 20; i++) {
        uses[i] = (struct use){.f = &f, .outcome = TC_OUTCOME_UNKNOWN};
        tc_task_spawn(cx, tc_task_loop(cx), &group, "use", use_in_task, &uses[i]);
    }
    tc_task_sleep(cx, 50);
    expect_text(tc_json_str(tc_json_get_c(status_of(cx, &f), "state")), "starting");
    tc_task_join(cx, &group);
    for (int i = 0; i < 20; i++)
        expect_int(uses[i].outcome, TC_OUTCOME_RESULT);
    expect_int(number(status_of(cx, &f), "starts"), 1);
    close_fixture(cx, &f);
}

void test_source__starts_once_for_all_who_wait(void **state)
{
    (void)state;
    test_task_run(starts_once, NULL);
}

static void a_caller_gives_up(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_source_reply reply;
    (void)arg;

    open_source(cx, &f, "start\nsleep 400");
    reply = call(cx, &f, "{}", 100); /* its time is up before the server is */
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    reply = call(cx, &f, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_int(number(status_of(cx, &f), "starts"), 1);
    close_fixture(cx, &f);
}

void test_source__goes_on_starting_when_one_caller_gives_up(void **state)
{
    (void)state;
    test_task_run(a_caller_gives_up, NULL);
}

static void restarts(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_source_reply reply;
    int64_t start;
    (void)arg;

    open_source(cx, &f, "once tools/call\ndefault\nonce tools/call\nexit 5");
    reply = call(cx, &f, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    start = tc_clock_mono_us(cx->clock);
    reply = call(cx, &f, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_UNKNOWN); /* it had left: never repeated */
    expect_text(reply.message, "The server exited with status 5.");
    expect_int(f.ended, 1);
    expect_text(tc_str_of(f.reason), "The server exited with status 5.");
    expect_text(tc_json_str(tc_json_get_c(status_of(cx, &f), "state")), "failed");
    reply = call(cx, &f, "{\"again\":1}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect(tc_clock_mono_us(cx->clock) - start >= 1000 * 1000); /* the pause of the first failure */
    expect_int(number(status_of(cx, &f), "starts"), 2);
    close_fixture(cx, &f);
}

void test_source__starts_again_after_a_crash_but_repeats_no_call(void **state)
{
    (void)state;
    test_task_run(restarts, NULL);
}

static void repeats_unsent(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_source_reply reply;
    struct tc_str record;
    char *big = tc_arena_alloc(cx->arena, 200001);
    int pid;
    (void)arg;

    snprintf(big, 200001, "{\"x\":\"%0*d\"}", 199990, 7);
    open_source(cx, &f, "");
    reply = call(cx, &f, "{}", 5000);
    pid = (int)number(status_of(cx, &f), "pid");
    kill(pid, SIGSTOP); /* so that the line cannot be taken as a whole */
    tc_task_shield(cx);
    expect_int(fork() == 0 ? (usleep(200000), kill(pid, SIGKILL), _exit(0), 0) : 0, 0);
    tc_task_unshield(cx);
    reply = call(cx, &f, big, 10000);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_int(test_mcp_text(&reply).n, 199998);
    expect_int(number(status_of(cx, &f), "starts"), 2);
    record = test_read_file(cx->arena, f.mcp.record);
    expect(tc_str_find(record, TC_STR("0000007")) != SIZE_MAX);
    close_fixture(cx, &f);
}

void test_source__repeats_a_call_that_provably_did_not_leave(void **state)
{
    (void)state;
    test_task_run(repeats_unsent, NULL);
}

static void backs_off(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_source_reply reply;
    const struct tc_json *tools;
    int64_t start = tc_clock_mono_us(cx->clock);
    (void)arg;

    open_source(cx, &f, "start\nstderr no licence\nexit 2");
    for (int i = 0; i < 3; i++) { /* at once, after 1 s, after 2 s more */
        reply = call(cx, &f, "{}", 5000);
        expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
        expect(tc_str_starts(reply.message, TC_STR("The server exited with status 2.")));
        expect(tc_str_find(reply.hint, TC_STR("no licence")) != SIZE_MAX);
    }
    expect(tc_clock_mono_us(cx->clock) - start >= 3000 * 1000);
    expect_int(f.source->ops->list(cx, f.source, TC_SOURCE_TOOLS, TC_STR(""), &tools),
               TC_E_MCP_START_FAILED); /* after 4 s */
    reply = call(cx, &f, "{}", 5000); /* 8 s are more than a caller is made to wait */
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    expect(tc_str_starts(reply.message, TC_STR("The server has failed 4 times in a row; the last time: The server ")));
    expect_int(number(status_of(cx, &f), "failures"), 4);
    close_fixture(cx, &f);
}

void test_source__holds_starts_back_after_failures(void **state)
{
    (void)state;
    test_task_run(backs_off, NULL);
}

static void refuses(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_tool_source *source = NULL;
    const struct tc_json *config;
    struct tc_source_reply reply;
    (void)arg;

    open_source(cx, &f, "");
    expect_int(f.factory->open(cx, f.factory, TC_STR("a"), test_mcp_json(cx, "{\"url\":\"ftp://x\"}"), NULL, &source),
               TC_E_MCP_SERVER_INVALID);
    expect_text(cx->err.field, "/url");
    expect(source == NULL);
    f.source->ops->close(cx, f.source);
    config = test_mcp_json(cx, "{\"command\":\"x\",\"args\":[\"${TC_TEST_SECRET}\"]}");
    expect_int(f.factory->open(cx, f.factory, TC_STR("a"), config, NULL, &f.source), TC_OK);
    reply = call(cx, &f, "{}", 5000);
    expect_int(reply.outcome, TC_OUTCOME_NOT_SENT);
    expect_text(reply.message, "args of the server takes ${TC_TEST_SECRET}, which the operator has not allowed.");
    expect_int(number(status_of(cx, &f), "failures"), 0); /* no reason to wait for the next try */
    close_fixture(cx, &f);
}

void test_source__refuses_bad_configurations(void **state)
{
    (void)state;
    test_task_run(refuses, NULL);
}

static void closes_while_starting(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_task_group group;
    struct use use = {.f = &f, .outcome = TC_OUTCOME_RESULT};
    (void)arg;

    open_source(cx, &f, "on initialize\ndeaf");
    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "use", use_in_task, &use);
    tc_task_sleep(cx, 200);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect_int(use.outcome, TC_OUTCOME_NOT_SENT);
    close_fixture(cx, &f);
}

void test_source__can_be_closed_while_it_starts(void **state)
{
    (void)state;
    test_task_run(closes_while_starting, NULL);
}

static void closes_while_called(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    struct tc_task_group group;
    struct use uses[3] = {{.f = &f}, {.f = &f}, {.f = &f}};
    (void)arg;

    open_source(cx, &f, "on tools/call\nhold");
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 3; i++)
        tc_task_spawn(cx, tc_task_loop(cx), &group, "use", use_in_task, &uses[i]);
    expect(test_mcp_received(cx, &f.mcp, "tools/call"));
    close_fixture(cx, &f);
    tc_task_join(cx, &group);
    for (int i = 0; i < 3; i++)
        expect_int(uses[i].outcome, TC_OUTCOME_UNKNOWN);
}

void test_source__can_be_closed_while_it_is_called(void **state)
{
    (void)state;
    test_task_run(closes_while_called, NULL);
}

static void passes_events(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    (void)arg;

    open_source(cx, &f,
                "on tools/call\nline {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\ndefault");
    call(cx, &f, "{}", 5000);
    tc_task_sleep(cx, 300);
    expect_int(f.changed, 1);
    close_fixture(cx, &f);
}

void test_source__passes_on_that_the_list_changed(void **state)
{
    (void)state;
    test_task_run(passes_events, NULL);
}

/* --- what is known of a server --- */

static enum tc_err list_tools(struct tc_cx *cx, struct fixture *f)
{
    const struct tc_json *tools;

    return f->source->ops->list(cx, f->source, TC_SOURCE_TOOLS, TC_STR(""), &tools);
}

static void recalls(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    (void)arg;

    open_source(cx, &f, "");
    expect_text(f.source->ops->found(cx, f.source), "");
    expect_int(list_tools(cx, &f), TC_OK);
    expect_int(test_mcp_count(cx, &f.mcp, "server/discover"), 1);
    expect_text(f.source->ops->found(cx, f.source), "{\"revision\":\"2025-11-25\"}");
    close_fixture(cx, &f);

    open_source(cx, &f, "");
    f.source->ops->recall(cx, f.source, TC_STR("{\"revision\":\"2025-11-25\"}"));
    expect_int(list_tools(cx, &f), TC_OK);
    expect_int(test_mcp_count(cx, &f.mcp, "server/discover"), 0);
    close_fixture(cx, &f);

    open_source(cx, &f, ""); /* what nobody has written, or another version */
    f.source->ops->recall(cx, f.source, TC_STR("{\"revision\":\"2031-01-01\",\"transport\":7}"));
    f.source->ops->recall(cx, f.source, TC_STR("[1"));
    expect_int(list_tools(cx, &f), TC_OK);
    expect_int(test_mcp_count(cx, &f.mcp, "server/discover"), 1);
    close_fixture(cx, &f);
}

void test_source__a_server_that_is_known_is_not_asked_for_its_era(void **state)
{
    (void)state;
    test_task_run(recalls, NULL);
}

/* It was known to shake hands, and ends when somebody tries. */
static void has_changed(struct tc_cx *cx, void *arg)
{
    struct fixture f;
    (void)arg;

    open_source(cx, &f, TEST_MCP_MODERN("\"tools\":{}") "on initialize\nexit 1");
    f.source->ops->recall(cx, f.source, TC_STR("{\"revision\":\"2025-11-25\"}"));
    expect_int(list_tools(cx, &f), TC_OK);
    expect_text(f.source->ops->found(cx, f.source), "{\"revision\":\"2026-07-28\"}");
    close_fixture(cx, &f);

    open_source(cx, &f, "on initialize\nexit 1\non server/discover\nexit 1");
    f.source->ops->recall(cx, f.source, TC_STR("{\"revision\":\"2025-11-25\"}"));
    expect_int(list_tools(cx, &f), TC_E_MCP_START_FAILED);
    expect_text(f.source->ops->found(cx, f.source), "");
    close_fixture(cx, &f);
}

void test_source__what_does_not_hold_any_more_is_found_out_anew(void **state)
{
    (void)state;
    test_task_run(has_changed, NULL);
}
