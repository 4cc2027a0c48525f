/* Every question of a run is over once, and whoever watches hears how. */
#include "support/run_world.h"

#include "runtime/approvals.h"

/* Types of the events on questions and states, in order. */
static struct tc_str waiting_events(struct run_world *w)
{
    struct tc_store *store = w->t.runtime->store;
    struct tc_run_event *all;
    struct tc_buf buf;
    struct tc_str text;
    size_t n = 0;

    expect_ok(w->cx, store->runs->events(w->cx, store, w->id, 0, 0, 500, &all, &n));
    tc_buf_init(&buf, 1 << 20);
    for (size_t i = 0; i < n; i++) {
        const struct tc_json *data = NULL;
        expect_ok(w->cx, tc_json_parse_root(w->cx, all[i].json, NULL, &data));
        if (tc_str_is(all[i].type, "question_asked"))
            tc_buf_cstr(&buf, "asked ");
        else if (tc_str_is(all[i].type, "question_answered"))
            tc_buf_printf(&buf, "%.*s ", TC_STR_ARG(tc_json_str(tc_json_get_c(data, "outcome"))));
        else if (tc_str_is(all[i].type, "status_changed"))
            tc_buf_printf(&buf, "%.*s ", TC_STR_ARG(tc_json_str(tc_json_get_c(data, "status"))));
        else if (tc_str_is(all[i].type, "tool_call_completed") || tc_str_is(all[i].type, "tool_call_failed"))
            tc_buf_cstr(&buf, "call ");
    }
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static struct tc_str asked(struct run_world *w)
{
    struct tc_str id;

    run_world_start(w, "go");
    id = tc_json_str(tc_json_get_c(run_world_await(w, "question_asked"), "id"));
    run_world_await(w, "status_changed");
    return id;
}

static void answer(struct run_world *w, struct tc_str id, const char *said)
{
    const struct tc_run_answer answer = {id, &w->request.principal, test_runtime_json(&w->t, said)};

    expect_ok(w->cx, tc_runs_answer(w->cx, w->runs, w->id, &answer));
}

#define ASK "{'calls':[{'id':'aaaaaaaaa','name':'clarify','arguments':{'question':'Which?'}}]}"

static void answered(struct run_world *w)
{
    w->request.answers = true;
    answer(w, asked(w), "{'text':'this'}");
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(waiting_events(w), "asked waiting answered running call ");
}

static void declined(struct run_world *w)
{
    w->request.answers = true;
    answer(w, asked(w), "{'declined':true}");
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(waiting_events(w), "asked waiting declined running call ");
}

static void in_vain(struct run_world *w)
{
    w->request.answers = true;
    asked(w);
    tc_loop_advance(tc_task_loop(w->cx), 300 * 1000);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(waiting_events(w), "asked waiting timeout running call ");
}

static void withdrawn(struct run_world *w)
{
    w->request.answers = true;
    asked(w);
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id));
    expect_text(tc_str_of(run_world_wait(w)), "cancelled");
    expect_text(waiting_events(w), "asked waiting withdrawn running call ");
}

void test_run_questions__are_over_once_however_they_end(void **state)
{
    (void)state;
    run_world(answered, "", ASK);
    run_world(declined, "", ASK);
    run_world_virtual(in_vain, "", ASK);
    run_world(withdrawn, "", ASK);
}

#define ASKED_FOR "'tools':{'permissions':{'builtin:workspace.write_file':'ask'}}"
#define WRITE "{'calls':[{'name':'workspace_write_file','arguments':{'file_path':'output/main.md','content':'It.'}}]}"

/* Not through the run: who answers there need not know of it. */
static void approve(struct run_world *w, struct tc_str id, const char *choice)
{
    const struct tc_principal operator = {.role = TC_ROLE_OPERATOR, .kind = TC_STR("socket"), .id = TC_STR("0")};
    const struct tc_approvals_answer said = {
        .id = id,
        .choice = tc_str_of(choice),
        .comment = TC_STR(""),
        .channel = TC_STR("operator"),
        .principal = &operator,
    };
    struct tc_approval_row row;

    expect_ok(w->cx, tc_approvals_answer(w->cx, w->t.runtime->approvals, &said, &row));
}

static void approved(struct run_world *w)
{
    approve(w, asked(w), "once");
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(waiting_events(w), "asked waiting answered running call ");
}

static void denied(struct run_world *w)
{
    approve(w, asked(w), "no");
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(waiting_events(w), "asked waiting declined running call ");
}

static void expired(struct run_world *w)
{
    asked(w);
    tc_loop_advance(tc_task_loop(w->cx), 300 * 1000);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(waiting_events(w), "asked waiting timeout running call ");
}

static void ended(struct run_world *w)
{
    asked(w);
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id));
    expect_text(tc_str_of(run_world_wait(w)), "cancelled");
    expect_text(waiting_events(w), "asked waiting withdrawn running call ");
}

void test_run_questions__of_approval_too_wherever_they_are_answered(void **state)
{
    (void)state;
    run_world(approved, ASKED_FOR, WRITE);
    run_world(denied, ASKED_FOR, WRITE);
    run_world_virtual(expired, ASKED_FOR, WRITE);
    run_world(ended, ASKED_FOR, WRITE);
}
