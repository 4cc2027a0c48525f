/*
 * See run_world.h.
 */
#include "support/run_world.h"

#include <stdio.h>
#include <unistd.h>

struct begin {
    run_world_fn *body;
    const char *agent, *script;
};

static void open_world(struct tc_cx *cx, void *arg)
{
    const struct begin *b = arg;
    struct run_world w = {.cx = cx};
    struct tc_str agent;

    played_models_init(&w.models, b->script);
    if (!test_runtime_open_models(cx, &w.t, &w.models.port))
        return;
    agent = tc_arena_printf(cx->arena, "{'id':'work'%s%s}", b->agent[0] ? "," : "", b->agent);
    test_runtime_agent(&w.t, agent.p);
    if (expect_ok(cx, tc_runs_create(cx, w.t.runtime, &w.runs)))
        b->body(&w);
    tc_runs_destroy(cx, w.runs);
    test_runtime_close(&w.t);
    played_models_finish(&w.models);
}

void run_world(run_world_fn *body, const char *agent, const char *script)
{
    struct begin b = {body, agent, script};

    test_task_run(open_world, &b);
}

void run_world_virtual(run_world_fn *body, const char *agent, const char *script)
{
    struct begin b = {body, agent, script};

    test_task_run_virtual(open_world, &b);
}

enum tc_err run_world_try(struct run_world *w, const char *text)
{
    w->request.agent = TC_STR("work");
    w->request.text = tc_str_of(text);
    if (!w->request.principal.kind.p)
        w->request.principal = (struct tc_principal){.role = TC_ROLE_ADMIN, .kind = TC_STR("socket"),
                                                     .id = TC_STR("0"), .agent = TC_STR("")};
    w->id = TC_STR("");
    return tc_runs_start(w->cx, w->runs, &w->request, &w->id);
}

void run_world_start(struct run_world *w, const char *text)
{
    expect_ok(w->cx, run_world_try(w, text));
}

const char *run_world_wait(struct run_world *w)
{
    if (!expect_ok(w->cx, tc_runs_wait(w->cx, w->runs, w->id, &w->row)))
        return "";
    return tc_arena_cstr(w->cx->arena, w->row.status);
}

const char *run_world_run(struct run_world *w, const char *text)
{
    run_world_start(w, text);
    return run_world_wait(w);
}

static size_t events(struct run_world *w, struct tc_run_event **ret)
{
    struct tc_store *store = w->t.runtime->store;
    size_t n = 0;

    expect_ok(w->cx, store->runs->events(w->cx, store, w->id, 0, 0, 500, ret, &n));
    return n;
}

struct tc_str run_world_events(struct run_world *w)
{
    struct tc_run_event *all;
    size_t n = events(w, &all);
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 1 << 20);
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(&buf, "%s%.*s", i ? " " : "", TC_STR_ARG(all[i].type));
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

struct tc_str run_world_event(struct run_world *w, const char *type)
{
    struct tc_run_event *all;

    for (size_t i = events(w, &all); i > 0; i--)
        if (tc_str_is(all[i - 1].type, type))
            return all[i - 1].json;
    return TC_STR("");
}

const struct tc_json *run_world_await(struct run_world *w, const char *type)
{
    const struct tc_json *root = NULL;
    struct tc_str json = TC_STR("");

    for (int i = 0; i < 2000 && json.n == 0; i++) {
        json = run_world_event(w, type);
        if (json.n == 0) { /* real time for what runs on threads, also on a virtual clock */
            usleep(500);
            tc_task_yield(w->cx);
        }
    }
    if (expect(json.n > 0))
        expect_ok(w->cx, tc_json_parse_root(w->cx, json, NULL, &root));
    else
        print_error("no event %s\n", type);
    return root;
}

struct tc_str run_world_file(struct run_world *w, const char *path)
{
    struct tc_str name = tc_arena_printf(w->cx->arena, "%s/workspaces/run/%.*s/%s", w->t.dir, TC_STR_ARG(w->id), path);
    char *text = tc_arena_alloc(w->cx->arena, 1 << 20);
    FILE *file = fopen(name.p, "rb");
    size_t n;

    if (!file)
        return tc_str_n(NULL, 0);
    n = fread(text, 1, 1 << 20, file);
    fclose(file);
    return tc_str_n(text, n);
}

void run_world_restart(struct run_world *w)
{
    tc_runs_destroy(w->cx, w->runs);
    w->runs = NULL;
    test_runtime_restart(&w->t);
    expect_ok(w->cx, tc_runs_create(w->cx, w->t.runtime, &w->runs));
}
