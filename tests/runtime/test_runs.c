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
