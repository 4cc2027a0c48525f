/*
 * Steps of runs: what the model says, runs from their start to where they end or wait,
 * their journals and tapes. ${run}, ${tape} and ${question} are of the latest.
 */
#include <stdio.h>
#include <unistd.h>

#include "expect.h"
#include "io/loop.h"
#include "ports/store_runs.h"
#include "step.h"
#include "toolcrib/jsonw.h"

enum { BODY_MAX = 16 * 1024 * 1024, PATIENCE = 100, PATIENCE_MS = 60 * 1000, PATIENCE_TIMES = 1000 };

/* The members of an object, with one before them. */
static struct tc_str with_member(struct world *w, const char *name, struct tc_str value, struct tc_str json)
{
    struct tc_json_iter it = tc_json_iter(expect_json(w, json.n ? json : TC_STR("{}")));
    const struct tc_json *member;
    struct tc_str key, text;
    struct tc_buf buf;
    struct tc_jsonw j;

    tc_buf_init(&buf, BODY_MAX);
    tc_jsonw_init(&j, &buf);
    tc_jsonw_object(&j);
    tc_jsonw_kstr(&j, name, value);
    while (tc_json_next(&it, &key, &member)) {
        tc_jsonw_key_str(&j, key);
        tc_jsonw_value(&j, member);
    }
    tc_jsonw_end(&j);
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static struct tc_str variable(struct world *w, const char *name)
{
    return world_expand(w, tc_str_of(name));
}

/* --- where it stands --- */

static bool goes_on(struct world *w, struct tc_str id)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = w->cx->clock, .task = w->cx->task};
    struct tc_run_row row;
    bool running;

    tc_arena_init(&arena, 0);
    running = w->inner->runs->get(&cx, w->inner, id, &row) == TC_OK && tc_str_is(row.status, "running");
    tc_arena_finish(&arena);
    return running;
}

/* Until it has ended or waits for somebody. */
static void rest(struct world *w, struct tc_str id)
{
    int times = 0;

    for (int i = 1; goes_on(w, id); i++) {
        world_arm(w);
        tc_task_yield(w->cx);
        world_disarm(w);
        if (i % PATIENCE || !world_lenient(w))
            continue;
        usleep(1000); /* real time for what runs on threads */
        tc_loop_advance(w->loop, PATIENCE_MS);
        if (++times == PATIENCE_TIMES) {
            world_fail(w, "the run %.*s counts as running, and nothing runs", TC_STR_ARG(id));
            break;
        }
    }
    world_settle(w);
}

static void note_question(struct world *w, struct tc_str id)
{
    const struct tc_json *data;
    struct tc_run_event *events;
    size_t n;

    if (w->inner->runs->events(w->cx, w->inner, id, 0, 0, TC_RUN_EVENTS_MAX, &events, &n)) {
        tc_fail_clear(w->cx);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (tc_str_is(events[i].type, "question_asked") &&
            tc_json_parse_root(w->cx, events[i].json, NULL, &data) == TC_OK)
            world_set(w, TC_STR("question"), tc_json_str(tc_json_get_c(data, "id")));
}

/* Sends it, waits until the run rests, and holds the run's row against the step. */
static void steer(struct world *w, const struct outline *step, struct reply *r)
{
    const struct tc_json *row;
    struct tc_str id;

    request_run(r, true);
    if (r->failed) {
        expect_reply(w, step, r);
        return;
    }
    if (tc_json_parse_root(w->cx, r->text, NULL, &row) == TC_OK && tc_json_get_c(row, "tape")) {
        world_set(w, TC_STR("run"), tc_json_str(tc_json_get_c(row, "id")));
        world_set(w, TC_STR("tape"), tc_json_str(tc_json_get_c(row, "tape")));
    }
    id = variable(w, "${run}");
    rest(w, id);
    note_question(w, id);
    r = request_to(w, "operator", "GET", "/admin/run/info", TC_STR(""));
    r->quiet = true;
    r->query = tc_arena_printf(w->cx->arena, "id=%.*s", TC_STR_ARG(id));
    request_run(r, true);
    expect_reply(w, step, r);
}

/* --- steps --- */

/* model JSON: what the scripted model plays from now on. */
static void do_model(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str text)
{
    struct tc_str script = tc_json_text(w->cx->arena, expect_json(w, text));
    FILE *file = fopen(w->script, "wb");

    (void)step, (void)subject;
    if (!file || fwrite(script.p, 1, script.n, file) != script.n)
        world_fail(w, "the script of the model cannot be written");
    if (file)
        fclose(file);
    world_set(w, TC_STR("script"), tc_str_of(w->script));
}

static void do_runs(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str fields)
{
    steer(w, step, request_to(w, "admin", "POST", "/admin/run/start", with_member(w, "agent", subject, fields)));
}

static void do_answers(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str answer)
{
    struct tc_str body = with_member(w, "question", variable(w, "${question}"), answer);

    (void)subject;
    body = with_member(w, "id", variable(w, "${run}"), body);
    steer(w, step, request_to(w, "admin", "POST", "/admin/run/answer", body));
}

static void do_resumes(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str fields)
{
    (void)subject;
    steer(w, step,
          request_to(w, "admin", "POST", "/admin/run/resume", with_member(w, "id", variable(w, "${run}"), fields)));
}

static void do_revises(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str input)
{
    struct tc_str body = with_member(w, "id", variable(w, "${run}"), input);

    (void)subject;
    steer(w, step, request_to(w, "admin", "POST", "/admin/run/revise", body));
}

static const struct tc_json *list_of(struct world *w, const char *path, const char *variable_name)
{
    struct tc_str body = with_member(w, "id", variable(w, variable_name), TC_STR("{\"limit\":500}"));
    struct reply *r = request_to(w, "operator", "POST", path, body);

    r->quiet = true;
    request_run(r, true);
    if (r->failed && !world_lenient(w))
        world_fail(w, "%s: %.*s", path, TC_STR_ARG(r->text));
    return expect_json(w, r->text);
}

static void do_events(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest_of_it)
{
    const struct tc_json *list = list_of(w, "/admin/run/events", "${run}");

    (void)subject, (void)rest_of_it;
    if (!world_lenient(w))
        expect_rows(w, step, list);
}

static void do_tape(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest_of_it)
{
    const struct tc_json *list = list_of(w, "/admin/tape/entries", "${tape}");

    (void)subject, (void)rest_of_it;
    if (!world_lenient(w))
        expect_rows(w, step, list);
}

const struct verb step_runs_plain[] = {
    {"model", do_model},     {"answers", do_answers}, {"resumes", do_resumes},
    {"revises", do_revises}, {"events", do_events},   {"tape", do_tape},
    {NULL, NULL},
};

const struct verb step_runs_of_subject[] = {{"runs", do_runs}, {NULL, NULL}};
