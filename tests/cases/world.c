/*
 * Putting the parts together, faults, variables.
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "case_tools.h"
#include "io/loop.h"
#include "ports/store_audit.h"
#include "ports/store_tools.h"
#include "runtime/servers.h"
#include "stores/memory.h"
#include "stores/sqlite.h"
#include "support/api_call.h"
#include "support/fake_secrets.h"

enum { RESULT_BYTES = 64 * 1024 * 1024, CALLS = 64, SETTLE_ROUNDS = 12, SETTLE_YIELDS = 40 };

/* --- faults --- */

bool world_lenient(struct world *w)
{
    return w->fired || w->store.fired;
}

void world_arm(struct world *w)
{
    if (w->options.fault != WORLD_MEMORY_FAULT || w->fired || w->armed)
        return;
    w->armed = true;
    tc_mem_fail_at(w->options.nth - w->counted, false);
}

void world_disarm(struct world *w)
{
    size_t n = tc_mem_count();

    if (!w->armed)
        return;
    w->armed = false;
    tc_mem_fail_at(0, false);
    w->fired = n >= w->options.nth - w->counted;
    w->counted += n;
    if (w->fired)
        scripted_hold_nothing(w->scripted);
}

void world_fail(struct world *w, const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "%s:%d: ", w->path, w->line);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    w->failures++;
}

/* --- the runtime --- */

/* Only a call whose intent is in the store may arrive anywhere. */
static void on_arrival(void *arg, struct tc_str server, struct tc_str tool)
{
    struct world *w = arg;

    (void)server, (void)tool;
    if (scripted_total(w->scripted) > w->store.intents_n)
        w->lost++;
}

static enum tc_err start(struct world *w)
{
    struct tc_runtime_options options = {
        .loop = w->loop,
        .store = &w->store.port,
        .secrets = &w->secrets,
        .sources = scripted_factory(w->scripted),
        .tools = case_tools(w->cx->arena),
        .data_dir = tc_str_of(w->dir),
        .result_bytes = RESULT_BYTES,
        .calls_per_token = w->calls_per_token,
        .stdio_from_api = true,
        .connect = true,
        .models = w->models,
        .environment = {.model = TC_STR("played"),
                        .provider = TC_STR("scripted"),
                        .base_url = tc_str_of(w->script)},
    };

    w->runtime = NULL;
    if (!options.tools)
        return tc_fail_memory(w->cx);
    return tc_runtime_create(w->cx, &options, &w->runtime);
}

enum tc_err world_restart(struct world *w)
{
    enum tc_err e;

    world_arm(w);
    tc_runtime_destroy(w->cx, w->runtime);
    e = start(w);
    world_disarm(w);
    if (e && world_lenient(w))
        e = start(w);
    world_settle(w);
    return e;
}

static enum tc_err open_store(struct world *w)
{
    struct tc_str path = tc_arena_printf(w->cx->arena, "%s/toolcrib.db", w->dir);

    if (w->options.store == WORLD_MEMORY)
        return tc_memory_open(w->cx, &w->inner);
    return tc_sqlite_open(w->cx, w->loop, path.p, "normal", &w->inner);
}

enum tc_err world_open(struct tc_cx *cx, struct world *w)
{
    enum tc_err e;

    w->cx = cx;
    w->calls_per_token = CALLS;
    w->secrets.ops = &fake_secrets_ops;
    w->scripted = scripted_create();
    scripted_watch(w->scripted, on_arrival, w);
    w->script = tc_arena_printf(cx->arena, "%s.model", w->dir).p;
    e = api_call_router(cx, &w->router);
    if (!e)
        e = tc_client_create(cx, w->loop, &w->client);
    if (!e)
        e = tc_driver_create(cx, w->client, &w->models);
    if (!e)
        e = open_store(w);
    if (e)
        return e;
    faulty_store_init(&w->store, w->inner);
    if (w->options.from_start) {
        if (w->options.fault == WORLD_STORE_FAULT)
            w->store.fail_at = w->options.nth;
        world_arm(w);
        e = start(w);
        world_disarm(w);
        if (e && world_lenient(w))
            e = start(w);
        return e;
    }
    e = start(w);
    if (w->options.fault == WORLD_STORE_FAULT)
        w->store.fail_at = w->store.count + w->options.nth;
    return e;
}

void world_close(struct world *w)
{
    tc_runtime_destroy(w->cx, w->runtime);
    if (w->inner)
        w->inner->close(w->cx, w->inner);
    faulty_store_finish(&w->store);
    tc_router_finish(&w->router);
    scripted_destroy(w->scripted);
    tc_driver_destroy(w->models);
    tc_client_destroy(w->client);
    unlink(w->script);
}

/* A round reads and writes once where the store has threads, so that a task in
 * the background gets at least one operation further. */
void world_settle(struct world *w)
{
    struct tc_tool_row row;
    int64_t n;

    if (w->options.store == WORLD_SQLITE) {
        for (int i = 0; i < SETTLE_ROUNDS; i++) {
            w->inner->tools->get(w->cx, w->inner, TC_STR("nothing"), &row);
            w->inner->audit->prune(w->cx, w->inner, 1, &n);
            tc_fail_clear(w->cx);
        }
        return;
    }
    world_arm(w);
    for (int i = 0; i < SETTLE_YIELDS; i++)
        tc_task_yield(w->cx);
    world_disarm(w);
}

/* --- variables --- */

bool world_set(struct world *w, struct tc_str name, struct tc_str value)
{
    struct world_variable *v;
    bool other;

    for (v = w->variables; v && !tc_str_eq(v->name, name); v = v->next) {
    }
    if (!v) {
        v = TC_ARENA_NEW(w->cx->arena, struct world_variable);
        v->name = tc_arena_dup(w->cx->arena, name);
        v->next = w->variables;
        w->variables = v;
    }
    other = !v->value.p || !tc_str_eq(v->value, value);
    v->value = tc_arena_dup(w->cx->arena, value);
    return other;
}

static struct tc_str value_of(struct world *w, struct tc_str name)
{
    for (struct world_variable *v = w->variables; v; v = v->next)
        if (tc_str_eq(v->name, name))
            return v->value;
    if (!world_lenient(w))
        world_fail(w, "there is no ${%.*s}", TC_STR_ARG(name));
    return TC_STR("unknown");
}

struct tc_str world_expand(struct world *w, struct tc_str text)
{
    struct tc_str result;
    struct tc_buf buf;
    size_t at, end;

    tc_buf_init(&buf, 16 * 1024 * 1024);
    while ((at = tc_str_find(text, TC_STR("${"))) != SIZE_MAX) {
        tc_buf_add(&buf, text.p, at);
        text = tc_str_from(text, at + 2);
        end = tc_str_chr(text, '}');
        if (end == SIZE_MAX)
            break;
        tc_buf_str(&buf, value_of(w, tc_str_n(text.p, end)));
        text = tc_str_from(text, end + 1);
    }
    tc_buf_str(&buf, text);
    result = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return result;
}
