#include "support/mcp.h"
#include "support/staged.h"

#include <stdio.h>

#define LEGACY "on initialize\nresult {\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}\n"

static struct tc_peer_status status_of(const struct test_mcp *mcp)
{
    struct tc_peer_status status;

    tc_peer_status(mcp->peer, &status);
    return status;
}

static bool has(struct tc_str text, const char *part)
{
    if (tc_str_find(text, tc_str_of(part)) != SIZE_MAX)
        return true;
    print_error("\"%s\" is not in \"%.*s\"\n", part, TC_STR_ARG(text));
    return false;
}

static void finds_the_era(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *script, *revision;
        int initialized; /* how often it was */
    } rows[] = {
        {TEST_MCP_MODERN(""), "2026-07-28", 0},
        {"", "2025-11-25", 1},
        {LEGACY "on server/discover\nerror -32602 Invalid request parameters", "2025-06-18", 1},
        {LEGACY "on server/discover\nerror -32601 ?", "2025-06-18", 1},
        {LEGACY "on server/discover\nresult {}", "2025-06-18", 1}, /* it answers anything */
        {LEGACY "on server/discover\nresult {\"supportedVersions\":[\"2025-06-18\",\"2024-11-05\"]}", "2025-06-18", 1},
        {"on server/discover\nresult {\"supportedVersions\":[\"2025-11-25\",\"2026-07-28\",\"2031-01-01\"],"
         "\"capabilities\":{}}",
         "2026-07-28", 0},
        {LEGACY "on server/discover\nline {\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32022,\"message\":\"?\","
                "\"data\":{\"supported\":[\"2025-06-18\"],\"requested\":\"2026-07-28\"}}}",
         "2025-06-18", 1},
        {"once server/discover\nline {\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32022,\"message\":\"?\","
         "\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2026-07-28\"}}}\n"
         "on server/discover\nresult {\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}",
         "2026-07-28", 0}, /* it refuses what it speaks, once */
        {LEGACY "once server/discover\nexit 7", "2025-06-18", 1}, /* started again, and asked the old way */
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_mcp mcp;

        test_mcp_init(cx, &mcp);
        expect_int(test_mcp_open(cx, &mcp, rows[i].script), TC_OK);
        expect_text(tc_str_of(status_of(&mcp).revision->name), rows[i].revision);
        expect_text(tc_str_of(mcp.memory.revision->name), rows[i].revision);
        expect_int(test_mcp_count(cx, &mcp, "\"initialize\""), rows[i].initialized);
        expect(!rows[i].initialized || test_mcp_received(cx, &mcp, "notifications/initialized"));
        expect_int(test_mcp_count(cx, &mcp, "notifications/cancelled"), 0);
        expect_int(mcp.ended, 0);
        test_mcp_finish(cx, &mcp);
    }
}

void test_peer_greet__finds_out_in_which_era_a_server_lives(void **state)
{
    (void)state;
    test_task_run(finds_the_era, NULL);
}

static void silent(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    (void)arg;

    test_mcp_init(cx, &mcp);
    mcp.start_ms = 2000;
    expect_int(test_mcp_open(cx, &mcp, "on server/discover\nsleep 1"), TC_OK); /* after half of the time */
    expect_text(tc_str_of(status_of(&mcp).revision->name), "2025-11-25");
    expect_int(test_mcp_count(cx, &mcp, "notifications/cancelled"), 0);
    test_mcp_finish(cx, &mcp);
}

void test_peer_greet__takes_silence_for_the_old_era(void **state)
{
    (void)state;
    test_task_run(silent, NULL);
}

static void remembers(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    (void)arg;

    test_mcp_init(cx, &mcp);
    mcp.memory.revision = tc_mcp_revision_find(TC_STR("2025-06-18"));
    expect_int(test_mcp_open(cx, &mcp, LEGACY), TC_OK);
    expect_int(test_mcp_count(cx, &mcp, "server/discover"), 0);
    test_mcp_finish(cx, &mcp);

    test_mcp_init(cx, &mcp); /* it has moved on since */
    mcp.memory.revision = tc_mcp_revision_find(TC_STR("2025-06-18"));
    expect_int(test_mcp_open(cx, &mcp, TEST_MCP_MODERN("") "on initialize\nerror -32601 no such method"), TC_OK);
    expect_text(tc_str_of(status_of(&mcp).revision->name), "2026-07-28");
    expect_text(tc_str_of(mcp.memory.revision->name), "2026-07-28");
    test_mcp_finish(cx, &mcp);

    test_mcp_init(cx, &mcp); /* or back */
    mcp.memory.revision = tc_mcp_revision_find(TC_STR("2026-07-28"));
    expect_int(test_mcp_open(cx, &mcp, LEGACY), TC_OK);
    expect_text(tc_str_of(status_of(&mcp).revision->name), "2025-06-18");
    test_mcp_finish(cx, &mcp);
}

void test_peer_greet__goes_by_what_it_remembers_until_that_fails(void **state)
{
    (void)state;
    test_task_run(remembers, NULL);
}

static void refuses(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *script;
        enum tc_err code;
        const char *message;
    } rows[] = {
        {"on server/discover\nline {\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32022,\"message\":\"?\","
         "\"data\":{\"supported\":[\"2031-01-01\"],\"requested\":\"2026-07-28\"}}}",
         TC_E_MCP_VERSION, "The server speaks revisions of the protocol that are not known here: [\"2031-01-01\"]"},
        {"on server/discover\nresult {\"supportedVersions\":[\"2031-01-01\"]}", TC_E_MCP_VERSION, "2031-01-01"},
        {"on server/discover\nerror -32021 elicitation is a must", TC_E_MCP_PROTOCOL,
         "The server answered server/discover with error -32021: elicitation is a must"},
        {"on server/discover\nexit 3", TC_E_MCP_START_FAILED, "The server exited with status 0."},
    };
    (void)arg;

    for (size_t i = 0; i < 3; i++) {
        struct test_mcp mcp;

        test_mcp_init(cx, &mcp);
        expect_int(test_mcp_open(cx, &mcp, rows[i].script), rows[i].code);
        expect(has(cx->err.message, rows[i].message));
        expect_int(test_mcp_count(cx, &mcp, "\"initialize\""), 0);
        test_mcp_finish(cx, &mcp);
    }
}

void test_peer_greet__does_not_fall_back_from_a_server_of_the_new_era(void **state)
{
    (void)state;
    test_task_run(refuses, NULL);
}

static void no_server(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_str flood;
    char *script = tc_arena_alloc(cx->arena, 40000);
    size_t n = (size_t)sprintf(script, "start\n");
    (void)arg;

    for (int i = 0; i < 1100; i++)
        n += (size_t)sprintf(script + n, "line usage: cat [FILE]\n");
    snprintf(script + n, 40000 - n, "on server/discover\ndeaf");
    test_mcp_init(cx, &mcp);
    mcp.start_ms = 60000;
    expect_int(test_mcp_open(cx, &mcp, script), TC_E_MCP_PROTOCOL);
    flood = cx->err.message;
    expect_text(flood, "What the program writes is no MCP. It wrote: usage: cat [FILE]");
    test_mcp_finish(cx, &mcp);
}

void test_peer_greet__gives_up_a_program_that_floods_what_is_no_message(void **state)
{
    (void)state;
    test_task_run(no_server, NULL);
}

static void shows_who_it_is(struct tc_cx *cx, void *arg)
{
    struct test_mcp mcp;
    struct tc_peer_status status;
    (void)arg;

    test_mcp_init(cx, &mcp);
    expect_int(test_mcp_open(cx, &mcp, TEST_MCP_MODERN("\"tools\":{}")), TC_OK);
    status = status_of(&mcp);
    expect_text(tc_json_text(cx->arena, status.server), "{\"name\":\"modern\",\"version\":\"2\"}");
    expect_text(tc_json_text(cx->arena, status.capabilities), "{\"tools\":{}}");
    expect_text(tc_str_of(status.transport), "stdio");
    test_mcp_finish(cx, &mcp);
}

void test_peer_greet__shows_who_the_server_is(void **state)
{
    (void)state;
    test_task_run(shows_who_it_is, NULL);
}

/* --- time passes --- */

struct opening {
    struct memory_link link;
    enum tc_err code;
    char message[256];
    bool done;
};

static void open_in_task(struct tc_cx *cx, void *arg)
{
    struct opening *opening = arg;
    struct tc_peer_options options = {.loop = tc_task_loop(cx), .dial = memory_link_dial, .dial_arg = &opening->link};
    struct tc_peer *peer = NULL;

    opening->code = tc_peer_open(cx, &options, &peer);
    snprintf(opening->message, sizeof opening->message, "%.*s", TC_STR_ARG(cx->err.message));
    opening->done = true;
    expect(!peer);
}

static void begin_opening(struct tc_cx *cx, struct opening *opening)
{
    *opening = (struct opening){0};
    memory_link_init(&opening->link, tc_task_loop(cx));
    opening->link.status.pid = 1;
    tc_task_spawn(cx, tc_task_loop(cx), NULL, "open", open_in_task, opening);
}

static void end_opening(struct opening *opening, const char *message)
{
    expect(opening->done);
    expect_int(opening->code, TC_E_MCP_PROTOCOL);
    expect_text(tc_str_of(opening->message), message);
    expect_int(opening->link.refs, 0);
    memory_link_finish(&opening->link);
}

static void says_nothing(struct tc_cx *cx, void *arg)
{
    struct opening opening;
    (void)arg;

    begin_opening(cx, &opening);
    staged_pass(cx, 11000);
    expect_int(memory_link_count(&opening.link, "\"initialize\""), 1);
    staged_pass(cx, 18000);
    expect(!opening.done);
    staged_pass(cx, 2000);
    end_opening(&opening, "The program has said nothing for 30 s: it seems to be no MCP server.");

    begin_opening(cx, &opening); /* one that works, as its stderr shows, has the whole minute */
    for (int i = 0; i < 50; i++) {
        opening.link.status.heard++;
        staged_pass(cx, 1000);
    }
    expect(!opening.done);
    staged_pass(cx, 12000);
    expect(opening.done);
    expect_int(opening.code, TC_E_TIMEOUT);
    memory_link_finish(&opening.link);
}

void test_peer_greet__gives_up_a_program_that_says_nothing(void **state)
{
    (void)state;
    test_task_run_virtual(says_nothing, NULL);
}

static void says_something_else(struct tc_cx *cx, void *arg)
{
    struct opening opening;
    (void)arg;

    begin_opening(cx, &opening);
    opening.link.status.skipped = 2;
    opening.link.status.skipped_line = TC_STR("$ ");
    for (int i = 0; i < 16; i++) {
        expect(i < 15 || opening.done);
        opening.link.status.heard++;
        staged_pass(cx, 1000);
    }
    end_opening(&opening, "What the program writes is no MCP. It wrote: $ ");
}

void test_peer_greet__gives_up_a_program_that_says_something_else(void **state)
{
    (void)state;
    test_task_run_virtual(says_something_else, NULL);
}
