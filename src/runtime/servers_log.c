/*
 * Writing into a server's history and reading it. A line wakes everybody who follows any
 * server: they are few, and compare numbers.
 */
#include "runtime/servers_log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "io/loop.h"
#include "runtime/servers_impl.h"

enum { SAID_MAX = 512 };

static int64_t now_of(const struct tc_upstream *server)
{
    return tc_clock_wall_ms(tc_loop_clock(server->owner->options.loop));
}

static void wake(struct tc_servers *servers)
{
    tc_event_set(&servers->said);
    tc_event_clear(&servers->said);
}

void tc_upstream_say(struct tc_upstream *server, const char *level, const char *kind, struct tc_str text)
{
    tc_server_history_say(&server->history, now_of(server), level, kind, text);
    wake(server->owner);
}

void tc_upstream_sayf(struct tc_upstream *server, const char *level, const char *kind, const char *fmt, ...)
{
    char text[SAID_MAX];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n >= 0)
        tc_upstream_say(server, level, kind, tc_str_n(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1));
}

void tc_upstream_said(void *arg, struct tc_str line)
{
    tc_upstream_say(arg, "info", "stderr", line);
}

void tc_upstream_say_found(struct tc_upstream *server, int64_t ms)
{
    size_t present = 0, held = 0, refused = 0;

    for (size_t i = 0; i < server->tools_n; i++) {
        const struct tc_definition_row *tool = &server->tools[i];
        present += !tool->absent;
        held += !tool->absent && !tc_str_eq(tool->definition, tool->approved);
        refused += !tool->absent && !tc_upstream_rules_include(server->config, tool->name);
    }
    tc_server_history_list(&server->history, now_of(server), ms);
    tc_upstream_sayf(server, held ? "warn" : "info", "discovery", "%zu tools, %zu held, %zu excluded, in %lld ms",
                     present, held, refused, (long long)ms);
}

enum tc_err tc_servers_log(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, int64_t after,
                           struct tc_server_line **ret_lines, size_t *ret_n)
{
    struct tc_upstream *server;
    enum tc_err e = tc_upstream_lookup(cx, servers, name, &server);

    return e ? e : tc_server_history_lines(cx, &server->history, after, ret_lines, ret_n);
}

enum tc_err tc_servers_log_next(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, int64_t after,
                                int64_t timeout_ms, struct tc_server_line **ret_lines, size_t *ret_n)
{
    int64_t until_us = tc_clock_mono_us(cx->clock) + timeout_ms * 1000, left_ms;
    enum tc_err e;

    for (;;) {
        e = tc_servers_log(cx, servers, name, after, ret_lines, ret_n);
        if (e || *ret_n)
            return e;
        if (servers->said_closed)
            return tc_fail(cx, TC_E_SHUTDOWN, "The daemon stops.");
        left_ms = (until_us - tc_clock_mono_us(cx->clock) + 999) / 1000;
        e = tc_task_wait(cx, &servers->said, left_ms > 0 ? left_ms : 0);
        if (e)
            return e;
    }
}

void tc_servers_log_close(struct tc_servers *servers)
{
    servers->said_closed = true;
    wake(servers);
}

enum tc_err tc_servers_minutes(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                               struct tc_server_minute ret_minutes[TC_SERVER_MINUTES])
{
    struct tc_upstream *server;
    enum tc_err e = tc_upstream_lookup(cx, servers, name, &server);

    if (!e)
        tc_server_history_minutes(&server->history, tc_clock_wall_ms(cx->clock), ret_minutes);
    return e;
}

enum tc_err tc_servers_spans(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                             struct tc_server_span **ret_spans, size_t *ret_n)
{
    struct tc_upstream *server;
    enum tc_err e = tc_upstream_lookup(cx, servers, name, &server);

    return e ? e : tc_server_history_spans(cx, &server->history, ret_spans, ret_n);
}

void tc_servers_note_call(struct tc_cx *cx, struct tc_servers *servers, const struct tc_servers_call_note *note)
{
    struct tc_upstream *server = tc_map_get(&servers->by_uuid, note->uuid);

    if (!server)
        return;
    if (note->sent)
        tc_server_history_call(&server->history, tc_clock_wall_ms(cx->clock), note->us / 1000, note->failed);
    tc_upstream_sayf(server, note->failed ? "warn" : "info", "call", "%.*s %lld ms %.*s",
                     (int)(note->tool.n < 200 ? note->tool.n : 200), note->tool.p, (long long)(note->us / 1000),
                     TC_STR_ARG(note->outcome));
}
