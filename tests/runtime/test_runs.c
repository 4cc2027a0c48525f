#include "ports/store_approvals.h"
#include "support/run_world.h"

/* --- text --- */

static void speaks(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "hello")), "completed");
    expect_text(run_world_seen(w, 0), "U: hello\n");
    expect_text(run_world_events(w), "run_started snapshot model_request model_reply text run_ended");
    expect_text(run_world_event(w, "text"), "{\"turn\":1,\"text\":\"Hi.\"}");
    expect_text(run_world_event(w, "run_ended"), "{\"status\":\"completed\"}");
    expect_int(w->row.steps, 1);
    expect_text(w->row.usage, "{\"input\":7,\"output\":2,\"cached\":0,\"cacheWritten\":0,\"reasoning\":0}");
}

void test_runs__text_ends_a_run(void **state)
{
    (void)state;
    run_world(speaks, "", "{'text':'Hi.','usage':[7,2]}");
}

/* --- calls --- */

static void calls_one(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write it")), "completed");
    expect_text(run_world_seen(w, 1),
                "U: write it\nA: I write. call(abc123XYZ workspace_write_file {\"file_path\":\"a.txt\","
                "\"content\":\"hey\"})\nU: result(abc123XYZ: Created a.txt: 3 characters, 1 word.)\n");
    expect_text(run_world_events(w),
                "run_started snapshot model_request model_reply text tool_call_requested tool_call_started "
                "tool_call_completed model_request model_reply text run_ended");
    expect_text(run_world_file(w, "a.txt"), "hey");
    expect(tc_str_find(w->models.tools, TC_STR("workspace_write_file")) != SIZE_MAX);
}

void test_runs__a_call_runs_and_its_result_is_shown(void **state)
{
    (void)state;
    run_world(calls_one, "",
              "{'text':'I write.','calls':[{'id':'abc123XYZ','name':'workspace_write_file','arguments':"
              "{'file_path':'a.txt','content':'hey'}}]}\n{'text':'Done.'}");
}

static void calls_many(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("There is no tool \"nope\"; nothing ran.")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("U: result(aaaaaaaaa: ")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR(" error(bbbbbbbbb: There is no tool")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR(" error(ccccccccc: ")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR(" result(ddddddddd: ")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("call(ccccccccc dice_roll {})")) != SIZE_MAX);
    expect_text(run_world_file(w, "a.txt"), "1");
}

void test_runs__one_bad_call_never_voids_its_siblings(void **state)
{
    (void)state;
    run_world(calls_many, "'toolsets':['base','chat']",
              "{'calls':[{'id':'aaaaaaaaa','name':'workspace_list_files','arguments':{}},"
              "{'id':'bbbbbbbbb','name':'nope','arguments':{}},"
              "{'id':'ccccccccc','name':'dice_roll','arguments':'{cut'},"
              "{'id':'ddddddddd','name':'workspace_write_file','arguments':{'file_path':'a.txt','content':'1'}}]}");
}

static void cut_short(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(bbbbbbbbb: The output limit cut this call short; nothing "
                                                    "ran.\nSend it again in smaller pieces.)")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("result(aaaaaaaaa: Created a.txt")) != SIZE_MAX);
    expect(run_world_file(w, "b.txt").p == NULL); /* though its arguments read well */
}

void test_runs__row_17_the_last_call_before_the_output_limit_is_not_run(void **state)
{
    (void)state;
    run_world(cut_short, "",
              "{'finish':'length','calls':[{'id':'aaaaaaaaa','name':'workspace_write_file','arguments':"
              "{'file_path':'a.txt','content':'1'}},{'id':'bbbbbbbbb','name':'workspace_write_file','arguments':"
              "{'file_path':'b.txt','content':''}}]}");
}

static void given_ids(struct run_world *w)
{
    const char *text;

    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 2));
    expect(strstr(text, "call(call_0 dice_roll {\"formula\":\"d1\"})") != NULL);
    expect(strstr(text, "result(call_0: 1)") != NULL);
    expect(strstr(strstr(text, "result(call_0") + 9, "(call_0") == NULL); /* the second has another */
    expect(strstr(text, "call(!") == NULL);
}

void test_runs__the_first_fit_id_of_a_provider_is_kept(void **state)
{
    (void)state;
    run_world(given_ids, "'toolsets':['chat']",
              "{'calls':[{'id':'call_0','name':'dice_roll','arguments':'{\\'formula\\':\\'d1\\'}'}]}\n"
              "{'calls':[{'id':'call_0','name':'dice_roll','arguments':{'formula':'d2'}},"
              "{'id':'!','name':'dice_roll','arguments':{'formula':'d3'}}]}");
}


static void in_parallel(struct run_world *w)
{
    const char *text;

    run_world_run(w, "go");
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 1));
    expect(strstr(text, "U: result(aaaaaaaaa: ") && strstr(text, " result(bbbbbbbbb: ") &&
           strstr(text, "result(aaaaaaaaa") < strstr(text, "result(bbbbbbbbb"));
}

void test_runs__results_of_calls_beside_each_other_keep_their_order(void **state)
{
    (void)state;
    run_world(in_parallel, "",
              "{'calls':[{'id':'aaaaaaaaa','name':'workspace_search_files','arguments':{'pattern':'x'}},"
              "{'id':'bbbbbbbbb','name':'workspace_list_files','arguments':{}}]}");
}
/* More than one client may have under way (8). */
static void very_many(struct run_world *w)
{
    struct tc_buf script;

    tc_buf_init(&script, 65536);
    tc_buf_cstr(&script, "{'calls':[");
    for (int i = 0; i < 40; i++)
        tc_buf_printf(&script, "%s{'id':'call%05d','name':'workspace_search_files','arguments':{'pattern':'x%d'}}",
                      i ? "," : "", i, i);
    tc_buf_cstr(&script, "]}");
    w->models.script = tc_buf_dup(&script, w->cx->arena).p;
    tc_buf_finish(&script);
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("result(call00039: ")) != SIZE_MAX);
    expect(tc_str_find(run_world_events(w), TC_STR("tool_call_failed")) == SIZE_MAX);
}

void test_runs__many_calls_beside_each_other_wait_for_their_turn(void **state)
{
    (void)state;
    run_world(very_many, "", "");
}

static struct tc_str long_echo(struct run_world *w, const char *id, size_t n)
{
    char *text = tc_arena_alloc(w->cx->arena, n + 1);

    memset(text, id[0], n);
    text[n] = '\0';
    return tc_arena_printf(w->cx->arena, "{'id':'%s','name':'mcp__box__echo','arguments':{'x':'%s'}}", id, text);
}

static void budget(struct run_world *w)
{
    static const char *const tools[] = {"echo", NULL};
    const char *text;

    test_runtime_server(&w->t, "box", tools);
    w->models.script = tc_arena_printf(w->cx->arena, "{'calls':[%s,%s,%s]}", long_echo(w, "aaaaaaaaa", 4000).p,
                                       long_echo(w, "bbbbbbbbb", 6000).p, long_echo(w, "ccccccccc", 2000).p).p;
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 1));
    expect(strstr(text, "result(aaaaaaaaa: {\"x\":\"aaaa") != NULL);
    expect(strstr(text, "result(bbbbbbbbb: This result is long: 6008 characters, saved as tool-results/") != NULL);
    expect(strstr(text, "result(ccccccccc: {\"x\":\"cccc") != NULL);
}

void test_runs__the_largest_results_of_a_turn_go_out_first(void **state)
{
    (void)state;
    run_world(budget, "'toolsets':['base','mcp-box'],'results':{'turnChars':10000}", "");
}

/* --- guards --- */

static void too_many(struct run_world *w)
{
    w->models.endless = true;
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    expect_text(w->row.error_code, "agent.max_steps");
    expect_int(w->row.steps, 3);
    expect_int(w->models.turns, 3);
}

void test_runs__turns_have_a_limit(void **state)
{
    (void)state;
    run_world(too_many, "'guards':{'maxSteps':3}",
              "{'calls':[{'name':'workspace_list_files','arguments':{}}]}\n");
}

static void again_and_again(struct run_world *w)
{
    const char *text;

    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 3));
    expect(strstr(text, "The same call was answered 2 times with the same result; it was not run.") != NULL);
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 5)); /* something was changed in between */
    expect(strstr(strstr(text, "Created b.txt"), "b.txt\n") || strstr(strstr(text, "Created b.txt"), "b.txt)"));
}

#define LIST "{'calls':[{'name':'workspace_list_files','arguments':{}}]}\n"

void test_runs__the_same_call_with_the_same_result_is_refused(void **state)
{
    (void)state;
    run_world(again_and_again, "'guards':{'sameCall':2}",
              LIST LIST LIST
              "{'calls':[{'name':'workspace_write_file','arguments':{'file_path':'b.txt','content':'b'}}]}\n" LIST);
}

/* --- answers that are none --- */

static void nothing_once(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_int(w->models.turns, 2);
    expect(tc_str_eq(run_world_seen(w, 0), run_world_seen(w, 1)));
}

static void nothing_twice(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    expect_text(w->row.error_code, "model.answer_empty");
}

static void unreadable(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(tc_str_starts(run_world_seen(w, 1), TC_STR("U: go Your last call could not be read, and nothing ran.")));
}

static void filtered(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    expect_text(w->row.error_code, "model.answer_filtered");
    expect(run_world_file(w, "a.txt").p == NULL);
}

static void pauses(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_text(run_world_seen(w, 1), "U: go\nA: so far\n");
}

void test_runs__answers_that_are_none_are_asked_for_again(void **state)
{
    (void)state;
    run_world(nothing_once, "", "{}\n{'text':'here'}");
    run_world(nothing_twice, "", "{}\n{}");
    run_world(unreadable, "", "{'finish':'malformed'}\n{'text':'here'}");
    run_world(filtered, "", "{'finish':'filter','calls':[{'name':'workspace_write_file','arguments':"
                            "{'file_path':'a.txt','content':'1'}}]}");
    run_world(pauses, "", "{'finish':'pause','text':'so far'}\n{'text':'done'}");
}

static void broken(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "failed");
    expect_text(w->row.error_code, "model.key_refused");
    expect_text(w->row.error_message, "The key is wrong.");
    expect_text(run_world_event(w, "run_ended"),
                "{\"status\":\"failed\",\"errorCode\":\"model.key_refused\",\"message\":\"The key is wrong.\"}");
}

void test_runs__what_a_model_cannot_do_ends_the_run_with_its_words(void **state)
{
    (void)state;
    run_world(broken, "", "{'error':'model.key_refused','message':'The key is wrong.'}");
}

/* --- stages of a chat --- */

static void commits(struct run_world *w)
{
    const char *text;

    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 1));
    expect(strstr(text, "Nothing is published yet, so the work is not done.") != NULL);
    expect(tc_str_find(w->models.system, TC_STR("publish with workspace_commit")) != SIZE_MAX);
    expect(tc_str_find(run_world_events(w), TC_STR("commit_requested commit_confirmed")) != SIZE_MAX);
    expect_text(run_world_event(w, "commit_confirmed"), "{\"path\":\"output/main.md\",\"mode\":\"replace\"}");
}

#define WRITE_MAIN "{'name':'workspace_write_file','arguments':{'file_path':'output/main.md','content':'It.'}}"

void test_runs__a_foreground_run_publishes_before_it_finishes(void **state)
{
    (void)state;
    run_world(commits, "'stage':'chat_foreground'",
              "{'calls':[" WRITE_MAIN ",{'name':'workspace_finish','arguments':{}}]}\n"
              "{'calls':[{'name':'workspace_commit','arguments':{}}]}\n"
              "{'calls':[{'name':'workspace_finish','arguments':{}}]}\n{'text':'never asked'}");
}

/* How often an event was noted. */
static int count_events(struct run_world *w, const char *type)
{
    struct tc_str rest = run_world_events(w), each;
    int n = 0;

    while (tc_str_split(&rest, ' ', &each))
        n += tc_str_is(each, type);
    return n;
}

#define PATCH_MAIN(from, to)                                                                                           \
    "{'name':'workspace_apply_patch','arguments':{'file_path':'output/main.md','old_string':'" from                   \
    "','new_string':'" to "'}}"
#define COMMIT "{'name':'workspace_commit','arguments':{}}"
#define FINISH "{'name':'workspace_finish','arguments':{}}"

static void candidates(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_int(count_events(w, "commit_candidate"), 1);
    expect_text(run_world_event(w, "commit_candidate"),
                "{\"turn\":1,\"callId\":\"patch\",\"path\":\"output/main.md\",\"sha256\":"
                "\"80544b0f00ec8eaea63ac13665ff612da67a139483e422de1ca20f3c8ee1e30f\",\"chars\":8}");
}

static void no_candidate(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_int(count_events(w, "commit_candidate"), 0);
}

static void later_candidate(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_int(count_events(w, "commit_candidate"), 2);
    expect(tc_str_find(run_world_event(w, "commit_candidate"), TC_STR("\"turn\":3,")) != SIZE_MAX);
}

void test_runs__a_changed_body_is_told_once_a_turn_until_it_is_published(void **state)
{
    (void)state;
    /* what is published first ends it; the event has what the turn left behind */
    run_world(candidates, "'stage':'chat_foreground'",
              "{'calls':[" WRITE_MAIN ",{'id':'patch','name':'workspace_apply_patch','arguments':{'file_path':"
              "'output/main.md','old_string':'It.','new_string':'It is so'}}]}\n"
              "{'calls':[" COMMIT "," PATCH_MAIN("so", "otherwise") "]}\n"
              "{'calls':[" PATCH_MAIN("otherwise", "thus") "," FINISH "]}\n");
    /* another file, the same text again, a stage that publishes nothing */
    run_world(no_candidate, "'stage':'chat_background'",
              "{'calls':[{'name':'workspace_write_file','arguments':{'file_path':'output/b.md','content':'It.'}},"
              FINISH "]}\n");
    run_world(no_candidate, "", "{'calls':[" WRITE_MAIN "]}\n{'text':'Done.'}");
    /* a failure behind it takes it back, until the body changes again */
    run_world(no_candidate, "'stage':'chat_background'",
              "{'calls':[" WRITE_MAIN "," PATCH_MAIN("nowhere", "x") "," FINISH "]}\n{'calls':[" FINISH "]}\n");
    run_world(later_candidate, "'stage':'chat_background'",
              "{'calls':[" WRITE_MAIN "]}\n{'calls':[" PATCH_MAIN("It", "That") "," PATCH_MAIN("nowhere", "x") "]}\n"
              "{'calls':[" PATCH_MAIN("That", "This") "," FINISH "]}\n");
}

static void keeps_to_its_roots(struct run_world *w)
{
    struct tc_str seen;

    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    seen = run_world_seen(w, 1);
    expect(tc_str_find(seen, TC_STR("result(one: Created scratch/a.txt")) != SIZE_MAX);
    expect(tc_str_find(seen, TC_STR("error(two: \"notes/a.txt\" cannot be written.")) != SIZE_MAX);
    expect(tc_str_find(seen, TC_STR("Files below these folders can be written: output/, scratch/, plan/, summaries/, "
                                    "persist/.")) != SIZE_MAX);
    expect(tc_str_find(seen, TC_STR("error(three: \"input\" is not visible here.")) != SIZE_MAX);
    expect(tc_str_find(w->models.system, TC_STR("Your own files stand below output/, scratch/, plan/, summaries/, "
                                                "persist/.")) != SIZE_MAX);
    expect(!run_world_file(w, "notes/a.txt").p);
}

static void narrowed(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(one: \"scratch/a.txt\" cannot be written.")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(two: ")) != SIZE_MAX);
    expect(tc_str_find(w->models.system, TC_STR("Your own files stand below output/.")) != SIZE_MAX);
}

static void whole_tree(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_text(run_world_file(w, "notes/a.txt"), "x");
    expect(tc_str_find(w->models.system, TC_STR("Your own files")) == SIZE_MAX);
}

void test_runs__a_chat_has_its_roots_and_an_agent_narrows_them(void **state)
{
    static const char calls[] =
        "{'calls':[{'id':'one','name':'workspace_write_file','arguments':{'file_path':'scratch/a.txt','content':'x'}},"
        "{'id':'two','name':'workspace_write_file','arguments':{'file_path':'notes/a.txt','content':'x'}},"
        "{'id':'three','name':'workspace_list_files','arguments':{'path':'input'}}]}\n"
        "{'calls':[" FINISH "]}\n{'text':'Done.'}";

    (void)state;
    run_world(keeps_to_its_roots, "'stage':'chat_background'", calls);
    run_world(narrowed, "'stage':'chat_background','workspace':{'writable':['output','notes']}", calls);
    run_world(whole_tree, "", calls);
}

static void commit_and_finish(struct run_world *w)
{
    const char *text;

    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_int(w->models.turns, 3);
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 1));
    expect(strstr(text, "A call that ends the work has to be the last call of its turn; it was not run.") != NULL);
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, 2));
    expect(strstr(text, "output/main.md is published, but the work is not finished: an earlier call of this turn "
                        "failed.") != NULL);
}

void test_runs__what_ends_the_work_comes_last_and_after_nothing_failed(void **state)
{
    (void)state;
    run_world(commit_and_finish, "'stage':'chat_foreground'",
              "{'calls':[{'name':'workspace_commit','arguments':{'finish':true}}," WRITE_MAIN "]}\n"
              "{'calls':[{'name':'workspace_read_file','arguments':{'file_path':'nothing'}},"
              "{'name':'workspace_commit','arguments':{'finish':true}}]}\n"
              "{'calls':[{'name':'workspace_commit','arguments':{'finish':true}}]}\n");
}

static void drifts(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "completed");
    expect_text(run_world_file(w, "output/direct_output.md"), "My text.");
    expect_text(run_world_seen(w, 1), "U: write\nA: My text.\nU: Text alone does not end this work. Yours was saved as "
                                      "output/direct_output.md. When the work is done, call workspace_finish.\n");
    expect_text(run_world_event(w, "drift_recovery_attempted"),
                "{\"attempt\":1,\"max\":20,\"path\":\"output/direct_output.md\"}");
}

static void drifts_for_ever(struct run_world *w)
{
    w->models.endless = true;
    expect_text(tc_str_of(run_world_run(w, "write")), "failed");
    expect_text(w->row.error_code, "model.tool_call_required");
    expect_int(w->models.turns, 21);
}

static void partial(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "write")), "partial_success");
    expect_text(w->row.error_code, "model.overloaded");
}

void test_runs__text_where_a_call_is_due_is_saved_and_said(void **state)
{
    (void)state;
    run_world(drifts, "'stage':'chat_background'",
              "{'text':'My text.'}\n{'calls':[{'name':'workspace_finish','arguments':{}}]}");
    run_world(drifts_for_ever, "'stage':'chat_background'", "{'text':'My text.'}\n");
    run_world(partial, "'stage':'chat_foreground'",
              "{'calls':[" WRITE_MAIN ",{'name':'workspace_commit','arguments':{}}]}\n"
              "{'error':'model.overloaded','message':'Too much.'}");
}

static void returns(struct run_world *w)
{
    w->request.stage = TC_SCENE_CHILD;
    expect_text(tc_str_of(run_world_run(w, "look")), "completed");
    expect(tc_str_find(w->models.tools, TC_STR("task_return")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("Call task_return with what you have found.")) != SIZE_MAX);
    w->request.stage = 0;
    w->models.script = "{'calls':[{'name':'task_return','arguments':{'summary':'x'}}]}";
    expect_text(tc_str_of(run_world_run(w, "look")), "completed"); /* by the text after it */
    expect(tc_str_find(w->models.tools, TC_STR("task_return")) == SIZE_MAX);
}

void test_runs__a_task_ends_by_its_return_only(void **state)
{
    (void)state;
    run_world(returns, "",
              "{'text':'I found it.'}\n{'calls':[{'name':'task_return','arguments':{'summary':'Found.'}}]}");
}

/* --- questions --- */

static const struct tc_json *json(struct run_world *w, const char *text)
{
    return test_runtime_json(&w->t, text);
}

/* As who started the run. */
static enum tc_err answer(struct run_world *w, struct tc_str question, const struct tc_json *said)
{
    return tc_runs_answer(w->cx, w->runs, w->id, &(struct tc_run_answer){question, &w->request.principal, said});
}

static void asks(struct run_world *w)
{
    const struct tc_json *asked;
    struct tc_str id;

    w->request.answers = true;
    run_world_start(w, "go");
    asked = run_world_await(w, "question_asked");
    id = tc_json_str(tc_json_get_c(asked, "id"));
    expect_text(tc_json_str(tc_json_get_c(asked, "kind")), "clarify");
    expect_text(tc_json_str(tc_json_get_c(asked, "question")), "Which?");
    expect_text(tc_json_str(tc_json_at(tc_json_get_c(asked, "options"), 1)), "b");
    run_world_await(w, "status_changed");
    expect_text(run_world_event(w, "status_changed"), "{\"status\":\"waiting\"}");
    expect_int(answer(w, TC_STR("other"), json(w, "{'text':'x'}")), TC_E_QUESTION_CLOSED);
    expect_int(answer(w, id, json(w, "{'option':3}")), TC_E_USAGE);
    expect_int(answer(w, id, json(w, "{'option':0}")), TC_E_USAGE);
    expect_ok(w->cx, answer(w, id, json(w, "{'option':2}")));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("result(aaaaaaaaa: b)")) != SIZE_MAX);
    expect_int(answer(w, id, json(w, "{'text':'x'}")), TC_E_QUESTION_CLOSED);
}

static void declines(struct run_world *w)
{
    const struct tc_json *asked;

    w->request.answers = true;
    run_world_start(w, "go");
    asked = run_world_await(w, "question_asked");
    expect_ok(w->cx, answer(w, tc_json_str(tc_json_get_c(asked, "id")), json(w, "{'declined':true}")));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(aaaaaaaaa: The question was not answered")) != SIZE_MAX);
}

static void nobody(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(tc_str_find(w->models.tools, TC_STR("clarify")) == SIZE_MAX);
}

static void in_vain(struct run_world *w)
{
    w->request.answers = true;
    run_world_start(w, "go");
    run_world_await(w, "status_changed");
    tc_loop_advance(tc_task_loop(w->cx), 300 * 1000);
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("error(aaaaaaaaa: Nobody answered the question in time.")) !=
           SIZE_MAX);
}

#define ASK "{'calls':[{'id':'aaaaaaaaa','name':'clarify','arguments':{'question':'Which?','options':['a','b']}}]}"

void test_runs__a_question_waits_for_its_answer(void **state)
{
    (void)state;
    run_world(asks, "", ASK);
    run_world(declines, "", ASK);
    run_world(nobody, "", "{'text':'ok'}");
    run_world_virtual(in_vain, "", ASK);
}

static void confirms(struct run_world *w)
{
    const struct tc_json *asked;

    w->request.confirms = true;
    run_world_start(w, "write");
    asked = run_world_await(w, "question_asked");
    expect_text(tc_json_str(tc_json_get_c(asked, "kind")), "confirmation");
    expect_text(tc_json_str(tc_json_get_c(asked, "path")), "output/main.md");
    expect_ok(w->cx, answer(w, tc_json_str(tc_json_get_c(asked, "id")),
                            json(w, "{'confirmed':false,'comment':'Shorter.'}")));
    expect_text(tc_str_of(run_world_wait(w)), "failed");
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("It was not taken; nothing was published. The answer was: "
                                                    "Shorter.")) != SIZE_MAX);
    expect_text(run_world_event(w, "commit_rejected"), "{\"comment\":\"Shorter.\"}");
}

void test_runs__a_commit_can_be_rejected(void **state)
{
    (void)state;
    run_world(confirms, "'stage':'chat_foreground'",
              "{'calls':[" WRITE_MAIN ",{'name':'workspace_commit','arguments':{}}]}\n"
              "{'error':'model.overloaded','message':'x'}");
}

static void approves(struct run_world *w)
{
    const struct tc_json *asked;

    w->request.attended = true;
    run_world_start(w, "go");
    asked = run_world_await(w, "question_asked");
    expect_text(tc_json_str(tc_json_get_c(asked, "kind")), "approval");
    expect_text(tc_json_str(tc_json_get_c(asked, "name")), "workspace_write_file");
    run_world_await(w, "status_changed");
    expect_text(run_world_event(w, "status_changed"), "{\"status\":\"waiting\"}");
    expect_ok(w->cx, answer(w, tc_json_str(tc_json_get_c(asked, "id")), json(w, "{'choice':'once'}")));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(run_world_file(w, "output/main.md"), "It.");
}

void test_runs__an_approval_is_asked_for_in_the_run(void **state)
{
    (void)state;
    run_world(approves, "'tools':{'permissions':{'builtin:workspace.write_file':'ask'}}", "{'calls':[" WRITE_MAIN "]}");
}

/* Nobody approves in another one's name. */
static void approved_by_another(struct run_world *w)
{
    const struct tc_principal client = {.role = TC_ROLE_AGENT, .kind = TC_STR("token"), .id = TC_STR("c")};
    const struct tc_principal operator = {.role = TC_ROLE_OPERATOR, .kind = TC_STR("token"), .id = TC_STR("o")};
    struct tc_store *store = w->t.runtime->store;
    struct tc_run_answer answer_of = {.answer = json(w, "{'choice':'once'}")};
    struct tc_approval_row row;

    w->request.attended = true;
    run_world_start(w, "go");
    answer_of.question = tc_json_str(tc_json_get_c(run_world_await(w, "question_asked"), "id"));
    answer_of.principal = &client;
    expect_int(tc_runs_answer(w->cx, w->runs, w->id, &answer_of), TC_E_APPROVAL_CHANNEL);
    answer_of.principal = &operator;
    expect_ok(w->cx, tc_runs_answer(w->cx, w->runs, w->id, &answer_of));
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_ok(w->cx, store->approvals->get(w->cx, store, answer_of.question, &row));
    expect_text(row.channel, "operator");
    expect_text(row.by_id, "o");
}

void test_runs__an_approval_is_recorded_as_of_who_gave_it(void **state)
{
    (void)state;
    run_world(approved_by_another, "'tools':{'permissions':{'builtin:workspace.write_file':'ask'}}",
              "{'calls':[" WRITE_MAIN "]}");
}

/* --- ending --- */

static void cancelled(struct run_world *w)
{
    run_world_start(w, "go");
    run_world_await(w, "model_request");
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id));
    expect_text(tc_str_of(run_world_wait(w)), "cancelled");
    expect_ok(w->cx, tc_runs_cancel(w->cx, w->runs, w->id)); /* nothing happens to one that has ended */
    expect_int(tc_runs_cancel(w->cx, w->runs, TC_STR("nope")), TC_E_RUN_NOT_FOUND);
    expect(tc_str_starts(run_world_event(w, "run_ended"),
                         TC_STR("{\"status\":\"cancelled\",\"errorCode\":\"canceled\"")));
}

void test_runs__a_run_can_be_cancelled(void **state)
{
    (void)state;
    run_world(cancelled, "", "{'hold':true}");
}

static void one_at_a_time(struct run_world *w)
{
    struct tc_str first, other;

    w->request.session = TC_STR("s");
    run_world_start(w, "one");
    first = w->id;
    run_world_await(w, "model_request");
    expect_int(tc_runs_start(w->cx, w->runs, &w->request, &other), TC_E_RUN_ACTIVE);
    played_models_release(&w->models);
    w->id = first;
    expect_text(tc_str_of(run_world_wait(w)), "completed");
    expect_text(tc_str_of(run_world_run(w, "two")), "completed");
    expect_text(run_world_seen(w, 1), "U: one\nA: done\nU: two\n");
}

void test_runs__a_session_has_one_active_run(void **state)
{
    (void)state;
    run_world(one_at_a_time, "", "{'hold':true,'text':'done'}");
}

static void keeps_history(struct run_world *w)
{
    w->request.history = json(w, "[{'role':'user','content':'a'},{'role':'assistant','content':'b'}]");
    expect_text(tc_str_of(run_world_run(w, "c")), "completed");
    expect_text(run_world_seen(w, 0), "U: a\nA: b\nU: c\n");
}

void test_runs__a_caller_can_keep_the_conversation_itself(void **state)
{
    (void)state;
    run_world(keeps_history, "", "");
}
