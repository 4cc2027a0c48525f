/*
 * What must hold of all runs at the end of a case, whatever happened: no call was run
 * twice, a run counts as running only while it runs, each can be gone on with, and then
 * every call on its tape has exactly one result.
 */
#include <unistd.h>

#include "io/loop.h"
#include "ports/store_audit.h"
#include "ports/store_runs.h"
#include "ports/store_tapes.h"
#include "request.h"
#include "step.h"

enum { ROWS = 200, ENTRIES = 500, PATIENCE = 100, PATIENCE_MS = 60 * 1000, PATIENCE_TIMES = 1000, RESTS = 4 };

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* --- calls --- */

static void check_calls(struct world *w)
{
    struct tc_store_page page = {.page = 1, .size = ROWS};
    struct tc_store_audit_filter filter = {.is_error = -1, .surface = TC_STR("run")};
    struct tc_audit_row *rows;
    int64_t total;
    size_t n;

    if (w->inner->audit->page(w->cx, w->inner, &page, &filter, &rows, &n, &total))
        world_fail(w, "the audit cannot be read");
    else
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++)
                if (tc_str_eq(rows[i].run, rows[k].run) && tc_str_eq(rows[i].call_id, rows[k].call_id))
                    world_fail(w, "the call %.*s of the run %.*s was made twice", TC_STR_ARG(rows[i].call_id),
                               TC_STR_ARG(rows[i].run));
}

/* --- tapes --- */

struct tape {
    struct world *world;
    struct tc_str id;
    struct tc_tape_entry *entries;
    const struct tc_json **bodies;
    size_t n;
};

static size_t results_of(const struct tape *tape, struct tc_str call, size_t *ret_first)
{
    size_t count = 0;

    for (size_t i = tape->n; i > 0; i--)
        if (tc_str_is(tape->entries[i - 1].kind, "result") && tc_str_eq(member(tape->bodies[i - 1], "call"), call)) {
            count++;
            *ret_first = i - 1;
        }
    return count;
}

static void check_call(const struct tape *tape, size_t at, const struct tc_json *call)
{
    struct tc_str id = member(call, "id");
    size_t first = 0, n = results_of(tape, id, &first);

    if (n != 1)
        world_fail(tape->world, "the call %.*s has %zu results on the tape %.*s", TC_STR_ARG(id), n,
                   TC_STR_ARG(tape->id));
    else if (first < at)
        world_fail(tape->world, "the call %.*s has a result before it was made", TC_STR_ARG(id));
    else if (member(tape->bodies[first], "text").n == 0)
        world_fail(tape->world, "the result of the call %.*s is empty", TC_STR_ARG(id));
}

static void check_entries(struct tape *tape)
{
    struct tc_json_limits limits = {.max_bytes = 64 * 1024 * 1024};

    tape->bodies = TC_ARENA_NEW_N(tape->world->cx->arena, const struct tc_json *, tape->n + 1);
    for (size_t i = 0; i < tape->n; i++) {
        if (tape->entries[i].seq != (int64_t)i + 1)
            world_fail(tape->world, "the tape has a gap before %zu", i + 1);
        if (tc_json_parse_root(tape->world->cx, tape->entries[i].json, &limits, &tape->bodies[i])) {
            world_fail(tape->world, "entry %zu of the tape is no JSON", i + 1);
            tape->n = i;
        }
    }
    for (size_t i = 0; i < tape->n; i++) {
        struct tc_json_iter parts = tc_json_iter(tc_json_get_c(tape->bodies[i], "parts"));
        const struct tc_json *part;
        while (tc_json_next(&parts, NULL, &part))
            if (tc_json_get_c(part, "call"))
                check_call(tape, i, tc_json_get_c(part, "call"));
    }
}

static void check_tapes(struct world *w)
{
    struct tc_store_page page = {.page = 1, .size = ROWS};
    struct tc_tape_row *rows;
    int64_t total;
    size_t n;

    if (w->inner->tapes->page(w->cx, w->inner, &page, &(struct tc_tape_filter){0}, &rows, &n, &total)) {
        world_fail(w, "the tapes cannot be read");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct tape tape = {.world = w, .id = rows[i].id};
        if (rows[i].run.n)
            world_fail(w, "the tape %.*s is held by a run that has ended", TC_STR_ARG(rows[i].id));
        if (w->inner->tapes->entries(w->cx, w->inner, rows[i].id, 1, rows[i].last, ENTRIES, &tape.entries, &tape.n))
            world_fail(w, "the tape %.*s cannot be read", TC_STR_ARG(rows[i].id));
        else
            check_entries(&tape);
    }
}

/* --- runs --- */

static bool is_over(const struct tc_run_row *row)
{
    return !tc_str_is(row->status, "running") && !tc_str_is(row->status, "waiting");
}

static bool goes_on(struct world *w, struct tc_str id)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = w->cx->clock, .task = w->cx->task};
    struct tc_run_row row;
    bool over;

    tc_arena_init(&arena, 0);
    over = w->inner->runs->get(&cx, w->inner, id, &row) || is_over(&row);
    tc_arena_finish(&arena);
    return !over;
}

/* One that did not complete is gone on with, now that nothing fails any more. */
static void go_on(struct world *w, struct tc_str id)
{
    struct tc_str body = tc_arena_printf(w->cx->arena, "{\"id\":\"%.*s\",\"acceptUnknown\":true}", TC_STR_ARG(id));
    struct reply *r = request_to(w, "admin", "POST", "/admin/run/resume", body);

    r->quiet = true;
    request_run(r, true);
    if (r->failed)
        world_fail(w, "the run %.*s cannot be resumed: %.*s", TC_STR_ARG(id), TC_STR_ARG(r->text));
    for (int i = 1; !r->failed && goes_on(w, id); i++) {
        tc_task_yield(w->cx);
        if (i % PATIENCE == 0) {
            usleep(1000); /* real time for what runs on threads */
            tc_loop_advance(w->loop, PATIENCE_MS);
        }
        if (i == PATIENCE * PATIENCE_TIMES) {
            world_fail(w, "the run %.*s goes on for ever", TC_STR_ARG(id));
            return;
        }
    }
    world_settle(w);
}

static void check_journal(struct world *w, const struct tc_run_row *row)
{
    struct tc_run_event *events;
    struct tc_str last = TC_STR("");
    size_t n;

    if (w->inner->runs->events(w->cx, w->inner, row->id, 0, 0, TC_RUN_EVENTS_MAX, &events, &n)) {
        world_fail(w, "the journal of the run %.*s cannot be read", TC_STR_ARG(row->id));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (events[i].seq != (int64_t)i + 1)
            world_fail(w, "the journal has a gap before %zu", i + 1);
        last = events[i].type;
    }
    if (!tc_str_is(last, "run_ended"))
        world_fail(w, "the journal of a run that is %.*s ends with %.*s", TC_STR_ARG(row->status), TC_STR_ARG(last));
}

static size_t all_runs(struct world *w, struct tc_run_row **ret_rows)
{
    struct tc_store_page page = {.page = 1, .size = ROWS};
    int64_t total;
    size_t n;

    if (w->inner->runs->page(w->cx, w->inner, &page, &(struct tc_run_filter){0}, ret_rows, &n, &total)) {
        world_fail(w, "the runs cannot be read");
        return 0;
    }
    return n;
}

static void check_claim(struct world *w, const struct tc_run_row *run)
{
    struct tc_tape_row tape;

    if (w->inner->tapes->get(w->cx, w->inner, run->tape, &tape))
        world_fail(w, "the run %.*s has no tape", TC_STR_ARG(run->id));
    else if (is_over(run) && tc_str_eq(tape.run, run->id))
        world_fail(w, "the run %.*s is over and holds its tape", TC_STR_ARG(run->id));
}

void step_runs_rest(struct world *w)
{
    struct tc_run_row *rows;
    size_t n;

    for (int i = 0; i < RESTS && world_lenient(w); i++) { /* what failed is tried again */
        tc_loop_advance(w->loop, PATIENCE_MS);
        world_settle(w);
    }
    n = all_runs(w, &rows);
    for (size_t i = 0; i < n; i++)
        check_claim(w, &rows[i]);
}

void step_runs_finish(struct world *w)
{
    struct tc_run_row *rows;
    size_t n = all_runs(w, &rows);

    for (size_t i = 0; i < n; i++) {
        if (!is_over(&rows[i]))
            world_fail(w, "the run %.*s counts as %.*s behind a start", TC_STR_ARG(rows[i].id),
                       TC_STR_ARG(rows[i].status));
        else if (!tc_str_is(rows[i].status, "completed"))
            go_on(w, rows[i].id);
        check_journal(w, &rows[i]);
    }
    check_calls(w);
    check_tapes(w);
}
