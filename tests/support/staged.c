/*
 * The server of answers.
 */
#include "support/staged.h"

#include <stdio.h>
#include <string.h>

static void say(struct memory_link *link, const char *line, struct tc_str id)
{
    struct tc_str rest = tc_str_of(line);
    size_t at;

    while ((at = tc_str_find(rest, TC_STR("$ID"))) != SIZE_MAX) {
        tc_buf_str(&link->said, tc_str_n(rest.p, at));
        tc_buf_str(&link->said, id);
        rest = tc_str_from(rest, at + 3);
    }
    memory_link_say_str(link, rest);
}

static void serve(struct memory_link *link, const struct tc_rpc *message, void *arg)
{
    struct staged *staged = arg;
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < staged->n; i++) {
        if (!tc_str_is(message->method, staged->answers[i].method))
            continue;
        found = i;
        if (!(staged->used >> i & 1))
            break;
    }
    if (found == SIZE_MAX && message->kind == TC_RPC_REQUEST)
        say(link, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,\"message\":\"?\"}}", message->id);
    if (found == SIZE_MAX)
        return;
    staged->used |= UINT64_C(1) << found;
    if (staged->answers[found].line)
        say(link, staged->answers[found].line, message->id);
}

static void on_changed(void *arg, enum tc_source_kind kind)
{
    if (kind == TC_SOURCE_TOOLS)
        ((struct staged *)arg)->changed++;
}

static void on_updated(void *arg, struct tc_str uri)
{
    struct staged *staged = arg;
    size_t n = strlen(staged->updated);

    snprintf(staged->updated + n, sizeof staged->updated - n, "[%.*s]", TC_STR_ARG(uri));
}

void staged_prepare(struct staged *staged, struct tc_loop *loop, bool headers)
{
    memory_link_init(&staged->link, loop);
    staged->link.ops.takes_headers = headers;
    staged->link.serve = serve;
    staged->link.arg = staged;
}

void staged_open(struct tc_cx *cx, struct staged *staged, const struct staged_answer *answers, size_t n, bool headers)
{
    struct tc_peer_options options = {
        .loop = tc_task_loop(cx),
        .dial = memory_link_dial,
        .dial_arg = &staged->link,
        .memory = &staged->memory,
        .events = {.list_changed = on_changed, .resource_updated = on_updated, .arg = staged},
    };

    *staged = (struct staged){.answers = answers, .n = n};
    staged_prepare(staged, options.loop, headers);
    expect_int(tc_peer_open(cx, &options, &staged->peer), TC_OK);
}

void staged_close(struct tc_cx *cx, struct staged *staged)
{
    tc_peer_close(staged->peer);
    expect_int(tc_peer_join(cx, staged->peer, 1000), TC_OK);
    tc_peer_unref(staged->peer);
    expect_int(staged->link.refs, 0);
    memory_link_finish(&staged->link);
}

struct tc_source_reply staged_call(struct tc_cx *cx, struct staged *staged, const char *tool, const char *arguments,
                                   struct tc_caller *caller, int64_t timeout_ms)
{
    struct tc_source_call call = {.tool = tc_str_of(tool), .caller = caller, .timeout_ms = timeout_ms};
    struct tc_source_reply reply = {0};

    expect_int(tc_json_parse_root(cx, tc_str_of(arguments), NULL, &call.arguments), TC_OK);
    expect_int(tc_peer_call(cx, staged->peer, &call, &reply), TC_OK);
    return reply;
}

void staged_pass(struct tc_cx *cx, int64_t ms)
{
    for (int64_t left = ms; left > 0; left -= 10) {
        tc_task_yield(cx);
        tc_task_yield(cx);
        tc_loop_advance(tc_task_loop(cx), left < 10 ? left : 10);
        tc_task_yield(cx);
    }
    tc_task_yield(cx);
}
