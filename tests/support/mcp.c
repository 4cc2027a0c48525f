/*
 * Guard, client and scripted server of one test.
 */
#include "support/mcp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mcp/client/link_stdio.h"

static void on_changed(void *arg, enum tc_source_kind kind)
{
    if (kind == TC_SOURCE_TOOLS)
        ((struct test_mcp *)arg)->changed++;
}

static void on_ended(void *arg)
{
    ((struct test_mcp *)arg)->ended++;
}

/* --- a caller --- */

static void note(struct test_caller *caller, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void note(struct test_caller *caller, const char *fmt, ...)
{
    size_t n = strlen(caller->text);
    va_list args;

    va_start(args, fmt);
    vsnprintf(caller->text + n, sizeof caller->text - n, fmt, args);
    va_end(args);
}

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    note((struct test_caller *)self, "[%.*s/%.*s %.*s]", TC_STR_ARG(progress), TC_STR_ARG(total), TC_STR_ARG(message));
}

static void on_log(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data)
{
    note((struct test_caller *)self, "<%.*s %.*s %.*s>", TC_STR_ARG(level), TC_STR_ARG(logger),
         TC_STR_ARG(tc_json_str(data)));
}

static void on_elicited(struct tc_caller *self, struct tc_str id)
{
    note((struct test_caller *)self, "(%.*s)", TC_STR_ARG(id));
}

static enum tc_err on_ask(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    struct test_caller *caller = (struct test_caller *)self;
    enum tc_err code = TC_OK;

    caller->rounds++;
    for (size_t i = 0; i < n; i++) {
        caller->asked++;
        note(caller, "{%.*s %.*s}", TC_STR_ARG(questions[i].method),
             TC_STR_ARG(tc_json_text(cx->arena, questions[i].params)));
    }
    if (caller->delay_ms || !caller->answer)
        code = tc_task_sleep(cx, caller->answer ? caller->delay_ms : 3600 * 1000);
    caller->cancelled += code != TC_OK;
    for (size_t i = 0; i < n && code == TC_OK; i++)
        code = tc_json_parse_root(cx, tc_str_of(caller->answer), NULL, &questions[i].result);
    return code;
}

void test_caller_init(struct test_caller *caller, unsigned abilities)
{
    static const struct tc_caller_ops ops = {
        .progress = on_progress, .log = on_log, .ask = on_ask, .elicited = on_elicited};

    *caller = (struct test_caller){.base = {.ops = &ops, .abilities = abilities}};
}

/* --- the server --- */

void test_mcp_init(struct tc_cx *cx, struct test_mcp *mcp)
{
    *mcp = (struct test_mcp){.dir = test_tmpdir(cx->arena)};
    mcp->record = tc_arena_printf(cx->arena, "%s/record", mcp->dir).p;
    expect_int(tc_guard_create(cx, tc_task_loop(cx), TC_TEST_GUARD, &mcp->guard), TC_OK);
}

struct dialling {
    struct test_mcp *mcp;
    const char *script;
};

static enum tc_err dial(struct tc_cx *cx, void *arg, const struct tc_link_events *events, struct tc_link **ret_link)
{
    const struct dialling *dialling = arg;
    const struct test_mcp *mcp = dialling->mcp;
    const char *record = tc_arena_printf(cx->arena, "RECORD=%s", mcp->record).p;
    const char *const argv[] = {TC_TEST_MCP_SERVER, dialling->script, NULL}, *const env[] = {record, NULL};
    struct tc_guard_launch launch = {.argv = argv, .env = env, .cwd = mcp->dir};
    struct tc_link_stdio_options options = {
        .loop = tc_task_loop(cx), .guard = mcp->guard, .launch = &launch, .line_max = mcp->line_max};

    return tc_link_stdio_open(cx, &options, events, ret_link);
}

enum tc_err test_mcp_open(struct tc_cx *cx, struct test_mcp *mcp, const char *script)
{
    struct dialling dialling = {mcp, script};
    struct tc_peer_options options = {
        .loop = tc_task_loop(cx),
        .dial = dial,
        .dial_arg = &dialling,
        .start_ms = mcp->start_ms ? mcp->start_ms : 10000,
        .memory = &mcp->memory,
        .events = {.list_changed = on_changed, .ended = on_ended, .arg = mcp},
    };

    return tc_peer_open(cx, &options, &mcp->peer);
}

void test_mcp_finish(struct tc_cx *cx, struct test_mcp *mcp)
{
    if (mcp->peer) {
        tc_peer_close(mcp->peer);
        expect_int(tc_peer_join(cx, mcp->peer, 10000), TC_OK);
        tc_peer_unref(mcp->peer);
    }
    tc_guard_close(cx, mcp->guard);
    test_rmtree(mcp->dir);
}

const struct tc_json *test_mcp_json(struct tc_cx *cx, const char *text)
{
    const struct tc_json *v = NULL;

    expect_int(tc_json_parse_root(cx, tc_str_of(text), NULL, &v), TC_OK);
    return v;
}

struct tc_source_reply test_mcp_call_as(struct tc_cx *cx, struct test_mcp *mcp, struct test_caller *caller,
                                        const char *arguments, int64_t timeout_ms)
{
    struct tc_source_call call = {.tool = TC_STR("echo"),
                                  .arguments = test_mcp_json(cx, arguments),
                                  .caller = caller ? &caller->base : NULL,
                                  .timeout_ms = timeout_ms};
    struct tc_source_reply reply = {0};

    expect_int(tc_peer_call(cx, mcp->peer, &call, &reply), TC_OK);
    return reply;
}

struct tc_source_reply test_mcp_call(struct tc_cx *cx, struct test_mcp *mcp, const char *arguments, int64_t timeout_ms)
{
    return test_mcp_call_as(cx, mcp, NULL, arguments, timeout_ms);
}

struct tc_source_reply test_mcp_request(struct tc_cx *cx, struct test_mcp *mcp, const char *method, int64_t timeout_ms)
{
    struct tc_source_request request = {.method = method, .timeout_ms = timeout_ms};
    struct tc_source_reply reply = {0};

    expect_int(tc_peer_request(cx, mcp->peer, &request, &reply), TC_OK);
    return reply;
}

struct tc_str test_mcp_text(const struct tc_source_reply *reply)
{
    return tc_json_str(tc_json_get_c(tc_json_at(tc_json_get_c(reply->result, "content"), 0), "text"));
}

struct tc_str test_mcp_record(struct tc_cx *cx, const struct test_mcp *mcp)
{
    return access(mcp->record, R_OK) == 0 ? test_read_file(cx->arena, mcp->record) : tc_str_n("", 0);
}

int test_mcp_count(struct tc_cx *cx, const struct test_mcp *mcp, const char *part)
{
    struct tc_str rest = test_mcp_record(cx, mcp);
    size_t at;
    int n = 0;

    while ((at = tc_str_find(rest, tc_str_of(part))) != SIZE_MAX) {
        rest = tc_str_from(rest, at + 1);
        n++;
    }
    return n;
}

bool test_mcp_received(struct tc_cx *cx, struct test_mcp *mcp, const char *part)
{
    for (int i = 0; i < 200; i++) {
        if (tc_str_find(test_mcp_record(cx, mcp), tc_str_of(part)) != SIZE_MAX)
            return true;
        tc_task_sleep(cx, 10);
    }
    print_error("the server has not received: %s\n", part);
    return false;
}

bool test_mcp_alive(int pid)
{
    char path[64], state = 'Z';
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    fclose(file);
    return state != 'Z';
}
