/* A run acts no longer than the token that started it. */
#include "support/run_world.h"

#include <unistd.h>

#include "base/clock.h"
#include "runtime/approvals.h"

/* The next run is started with a token of the agent. */
static void use_token(struct run_world *w, int64_t expires_at)
{
    const struct tc_token_options options = {
        .role = TC_ROLE_AGENT, .agent = TC_STR("work"), .label = TC_STR(""), .expires_at = expires_at};
    struct tc_token_row row;
    struct tc_str token;

    expect_ok(w->cx, tc_access_create_token(w->cx, w->t.runtime->access, &options, &row, &token));
    w->request.principal = (struct tc_principal){
        .role = TC_ROLE_AGENT, .kind = TC_STR("token"), .id = row.id, .agent = TC_STR("work")};
}

static void revoke_token(struct run_world *w)
{
    expect_ok(w->cx, tc_access_revoke(w->cx, w->t.runtime->access, w->request.principal.id));
}

static void expect_ended(struct run_world *w, const char *message)
{
    expect_text(tc_str_of(run_world_wait(w)), "cancelled");
    expect_text(w->row.error_code, "auth.token_ended");
    expect_text(w->row.error_message, message);
    expect(tc_str_starts(run_world_event(w, "run_ended"),
                         TC_STR("{\"status\":\"cancelled\",\"errorCode\":\"auth.token_ended\"")));
}

#define REVOKED "The token that this was started with was revoked."
#define EXPIRED "The token that this was started with has expired."

static void while_asked(struct run_world *w)
{
    use_token(w, 0);
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    revoke_token(w);
    expect_ended(w, REVOKED);
    expect_int(tc_runs_resume(w->cx, w->runs, w->id, true), TC_E_AUTH_ENDED);
    expect_int(tc_runs_revise(w->cx, w->runs, w->id, TC_STR("shorter")), TC_E_AUTH_ENDED);
    expect_text(w->cx->err.message, REVOKED);
    expect_int(w->models.turns, 1);
}

void test_run_token__ends_a_run_at_once_when_it_is_revoked(void **state)
{
    (void)state;
    run_world(while_asked, "", "{'hold':true,'text':'never'}");
}

/* Another one's, and the operator's own command line. */
static void others(struct run_world *w)
{
    use_token(w, 0);
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    use_token(w, 0);
    revoke_token(w);
    played_models_release(&w->models);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    w->request.principal = (struct tc_principal){0};
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
}

void test_run_token__of_somebody_else_ends_nothing(void **state)
{
    (void)state;
    run_world(others, "", "{'hold':true}");
}

static void while_called(struct run_world *w)
{
    static const char *const tools[] = {"send", NULL};
    struct scripted_answer held = {.kind = SCRIPTED_ECHO, .hold = true};

    struct scripted_server *box;

    test_runtime_server(&w->t, "box", tools);
    box = scripted_server(w->t.scripted, TC_STR("box"));
    scripted_answer(box, TC_STR("send"), &held);
    use_token(w, 0);
    run_world_start(w, "go");
    for (int i = 0; i < 2000 && scripted_calls(box) < 2; i++) {
        usleep(500);
        tc_task_yield(w->cx);
    }
    revoke_token(w);
    expect_ended(w, REVOKED " It is not known whether the call aaaaaaaaa of \"mcp__box__send\" took effect.");
    expect_int(w->models.turns, 2);
    /* the call behind it was requested, so it ends */
    expect(tc_str_starts(run_world_event(w, "tool_call_failed"), TC_STR("{\"callId\":\"bbbbbbbbb\"")));
    expect(tc_str_find(run_world_event(w, "tool_call_failed"), TC_STR("\"agent.tool_not_started\"")) != SIZE_MAX);
}

void test_run_token__says_what_its_end_has_left_unknown(void **state)
{
    (void)state;
    run_world(while_called, "'toolsets':['mcp-box']",
              "{'calls':[{'name':'mcp__box__send','arguments':{}}]}\n"
              "{'calls':[{'id':'aaaaaaaaa','name':'mcp__box__send','arguments':{}},"
              "{'id':'bbbbbbbbb','name':'mcp__box__send','arguments':{}}]}");
}

static void expires(struct run_world *w)
{
    use_token(w, tc_clock_wall_ms(w->cx->clock) + 1000);
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    tc_loop_advance(tc_task_loop(w->cx), 2000);
    played_models_release(&w->models);
    expect_ended(w, EXPIRED);
    expect_int(w->models.turns, 1);
    /* what the model wanted was not run, and is no result for it to mend */
    expect(tc_str_find(run_world_event(w, "tool_call_failed"), TC_STR("\"errorCode\":\"auth.token_ended\"")) !=
           SIZE_MAX);
    expect(!run_world_file(w, "output/main.md").p);
}

#define WRITE "'calls':[{'name':'workspace_write_file','arguments':{'file_path':'output/main.md','content':'It.'}}]"

void test_run_token__that_has_expired_makes_no_more_calls(void **state)
{
    (void)state;
    run_world_virtual(expires, "", "{'hold':true," WRITE "}");
}

static void expires_between(struct run_world *w)
{
    use_token(w, tc_clock_wall_ms(w->cx->clock) + 1000);
    w->request.answers = true;
    run_world_start(w, "go");
    run_world_await(w, "status_changed");
    tc_loop_advance(tc_task_loop(w->cx), 300 * 1000);
    expect_ended(w, EXPIRED);
    expect_int(w->models.turns, 1);
}

void test_run_token__that_has_expired_asks_no_model(void **state)
{
    (void)state;
    run_world_virtual(expires_between, "",
                      "{'calls':[{'name':'clarify','arguments':{'question':'Which?'}}]}");
}

/* Approved in time by somebody, and too late for the token. */
static void expires_while_asking(struct run_world *w)
{
    const struct tc_principal operator = {.role = TC_ROLE_OPERATOR, .kind = TC_STR("socket"), .id = TC_STR("0")};
    struct tc_approvals_answer said = {
        .choice = TC_STR("once"), .comment = TC_STR(""), .channel = TC_STR("operator"), .principal = &operator};
    struct tc_approval_row row;

    use_token(w, tc_clock_wall_ms(w->cx->clock) + 1000);
    run_world_start(w, "go");
    said.id = tc_json_str(tc_json_get_c(run_world_await(w, "question_asked"), "id"));
    run_world_await(w, "status_changed");
    tc_loop_advance(tc_task_loop(w->cx), 2000);
    expect_ok(w->cx, tc_approvals_answer(w->cx, w->t.runtime->approvals, &said, &row));
    expect_ended(w, EXPIRED);
    expect(!run_world_file(w, "output/main.md").p);
}

static void revoked_while_asking(struct run_world *w)
{
    use_token(w, 0);
    run_world_start(w, "go");
    run_world_await(w, "status_changed");
    revoke_token(w);
    expect_ended(w, REVOKED);
    expect(!run_world_file(w, "output/main.md").p);
}

void test_run_token__that_ends_during_a_question_ends_the_call(void **state)
{
    (void)state;
    run_world_virtual(expires_while_asking, "'tools':{'permissions':{'builtin:workspace.write_file':'ask'}}",
                      "{" WRITE "}");
    run_world(revoked_while_asking, "'tools':{'permissions':{'builtin:workspace.write_file':'ask'}}", "{" WRITE "}");
}
