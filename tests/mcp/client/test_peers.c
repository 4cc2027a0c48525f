/*
 * Against the reference servers of the protocol's authors, as npm installs them:
 * TOOLCRIB_PEERS names a folder whose node_modules has
 * @modelcontextprotocol/server-everything and server-filesystem.
 */
#include "support/mcp.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mcp/client/source.h"

struct peer {
    const char *folder, *config;
    struct tc_guard *guard;
    struct tc_tool_source_factory *factory;
    struct tc_tool_source *source;
    int changed;
};

static bool find_folder(struct peer *peer)
{
    peer->folder = getenv("TOOLCRIB_PEERS");
    if (!peer->folder)
        printf("not run: TOOLCRIB_PEERS is not set\n");
    return peer->folder != NULL;
}

static void open_peer(struct tc_cx *cx, struct peer *peer)
{
    struct tc_mcp_source_options options = {.loop = tc_task_loop(cx), .rules.default_cwd = peer->folder};

    expect_int(tc_guard_create(cx, options.loop, TC_TEST_GUARD, &peer->guard), TC_OK);
    options.guard = peer->guard;
    expect_int(tc_mcp_source_factory_create(cx, &options, &peer->factory), TC_OK);
    expect_int(peer->factory->open(cx, peer->factory, TC_STR("peer"), test_mcp_json(cx, peer->config), NULL,
                                   &peer->source),
               TC_OK);
}

static void close_peer(struct tc_cx *cx, struct peer *peer)
{
    peer->source->ops->close(cx, peer->source);
    tc_mcp_source_factory_destroy(peer->factory);
    tc_guard_close(cx, peer->guard);
}

static struct tc_source_reply call(struct tc_cx *cx, struct peer *peer, const char *tool, const char *arguments,
                                   struct tc_caller *caller)
{
    struct tc_source_call what = {.tool = tc_str_of(tool),
                                  .arguments = test_mcp_json(cx, arguments),
                                  .caller = caller,
                                  .timeout_ms = 30000};
    struct tc_source_reply reply = {0};

    expect_int(peer->source->ops->call(cx, peer->source, &what, &reply), TC_OK);
    if (reply.outcome != TC_OUTCOME_RESULT)
        print_error("%s: %.*s\n", tool, TC_STR_ARG(reply.message));
    return reply;
}

static int progressed;

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    (void)self, (void)progress, (void)total, (void)message;
    progressed++;
}

static void everything(struct tc_cx *cx, void *arg)
{
    static const struct tc_caller_ops ops = {.progress = on_progress};
    struct tc_caller caller = {.ops = &ops};
    struct peer *peer = arg;
    const struct tc_json *tools = NULL;
    struct tc_source_reply reply;

    open_peer(cx, peer);
    expect_int(peer->source->ops->list(cx, peer->source, TC_SOURCE_TOOLS, TC_STR(""), &tools), TC_OK);
    expect(tc_json_count(tools) >= 10);
    reply = call(cx, peer, "echo", "{\"message\":\"hi \xe5\xa4\xa9\"}", NULL);
    expect_text(test_mcp_text(&reply), "Echo: hi \xe5\xa4\xa9");
    reply = call(cx, peer, "trigger-long-running-operation", "{\"duration\":1,\"steps\":4}", &caller);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect(progressed >= 4);
    reply = call(cx, peer, "get-tiny-image", "{}", NULL);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    reply = call(cx, peer, "get-structured-content", "{\"location\":\"New York\"}", NULL);
    expect(tc_json_is(tc_json_get_c(reply.result, "structuredContent"), TC_JSON_OBJECT));
    reply = call(cx, peer, "no-such-tool", "{}", NULL);
    expect(reply.outcome == TC_OUTCOME_SERVER_ERROR || tc_json_bool(tc_json_get_c(reply.result, "isError"), false));
    print_message("%.*s\n", TC_STR_ARG(tc_str_n(peer->source->ops->status(cx, peer->source).p, 300)));
    close_peer(cx, peer);
}

void test_peers__everything_by_node(void **state)
{
    struct peer peer = {.config = "{\"command\":\"node\",\"args\":[\"node_modules/@modelcontextprotocol/"
                                  "server-everything/dist/index.js\",\"stdio\"]}"};
    (void)state;

    if (find_folder(&peer))
        test_task_run(everything, &peer);
}

void test_peers__everything_by_npx(void **state)
{
    struct peer peer = {.config = "{\"command\":\"npx\","
                                  "\"args\":[\"-y\",\"@modelcontextprotocol/server-everything\"]}"};
    (void)state;

    if (find_folder(&peer))
        test_task_run(everything, &peer);
}

static void filesystem(struct tc_cx *cx, void *arg)
{
    struct peer *peer = arg;
    const struct tc_json *tools = NULL;
    struct tc_source_reply reply;
    const char *dir = test_tmpdir(cx->arena), *path = tc_arena_printf(cx->arena, "%s/a.txt", dir).p;

    peer->config = tc_arena_printf(cx->arena,
                                   "{\"command\":\"node\",\"args\":[\"node_modules/@modelcontextprotocol/"
                                   "server-filesystem/dist/index.js\",\"%s\"]}",
                                   dir)
                       .p;
    open_peer(cx, peer);
    expect_int(peer->source->ops->list(cx, peer->source, TC_SOURCE_TOOLS, TC_STR(""), &tools), TC_OK);
    expect(tc_json_count(tools) >= 10);
    reply = call(cx, peer, "write_file",
                 tc_arena_printf(cx->arena, "{\"path\":\"%s\",\"content\":\"written\"}", path).p, NULL);
    expect_int(reply.outcome, TC_OUTCOME_RESULT);
    expect_text(test_read_file(cx->arena, path), "written");
    reply = call(cx, peer, "read_text_file", "{\"path\":\"/etc/passwd\"}", NULL);
    expect(tc_json_bool(tc_json_get_c(reply.result, "isError"), false));
    close_peer(cx, peer);
    test_rmtree(dir);
}

void test_peers__filesystem(void **state)
{
    struct peer peer = {0};
    (void)state;

    if (find_folder(&peer))
        test_task_run(filesystem, &peer);
}
