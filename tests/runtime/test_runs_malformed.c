/*
 * Calls that are none, through a whole run: what the model wrote, what ran, and what it is
 * shown in the next turn. Numbers in names are rows of tests/malformed.md.
 */
#include <stdio.h>

#include "support/run_world.h"

#define OPEN(tag) "<" tag ">"
#define CLOSE(tag) "</" tag ">"
#define WRITTEN(name) OPEN("tool_call") "{\\'name\\':\\'" name "\\',\\'arguments\\':{}}" CLOSE("tool_call")
#define HINT                                                                                                           \
    "Your last answer held a call that was written as text, and nothing ran. Make it as a call of the tool. What is "  \
    "only to be shown stands in a code fence."

/* What the model is shown in that turn. */
static const char *seen(struct run_world *w, int turn)
{
    return tc_arena_cstr(w->cx->arena, run_world_seen(w, turn));
}

/* --- calls that stand in a text --- */

static void written_once(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_int(w->models.turns, 2);
    expect_text(run_world_seen(w, 1), "U: go " HINT "\n"); /* the answer is not shown again */
    expect(tc_str_find(run_world_events(w), TC_STR("tool_call")) == SIZE_MAX);
}

static void written_twice(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_int(w->models.turns, 2); /* the second time it is an answer, and still no call */
    expect(tc_str_find(run_world_events(w), TC_STR("tool_call")) == SIZE_MAX);
}

static void only_text(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect_int(w->models.turns, 1);
}

void test_runs_malformed__rows_27_28_30_a_call_in_a_text_is_told_and_not_run(void **state)
{
    (void)state;
    run_world(written_once, "", "{'text':'I look. " WRITTEN("workspace_list_files") "'}\n{'text':'Done.'}");
    run_world(written_twice, "", "{'text':'" WRITTEN("workspace_list_files") "'}\n"
                                 "{'text':'" WRITTEN("workspace_list_files") "'}\n{'text':'never asked'}");
}

void test_runs_malformed__rows_31_32_what_is_no_call_of_an_offered_tool_is_an_answer(void **state)
{
    (void)state;
    run_world(only_text, "", "{'text':'I can use `workspace_list_files` and `workspace_read_file`.'}");
    run_world(only_text, "", "{'text':'" WRITTEN("some_other_tool") "'}");
    run_world(only_text, "", "{'text':'```\\n" WRITTEN("workspace_list_files") "\\n```'}");
    run_world(only_text, "'toolsets':[]", "{'text':'" WRITTEN("workspace_list_files") "'}"); /* no tools at all */
}

static void beside(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(strstr(seen(w, 1), "U: go\nA: I roll. call(aaaaaaaaa dice_roll {\"formula\":\"d1\"})\n"
                              "U: result(aaaaaaaaa: "));
    expect(strstr(seen(w, 1), "tool_call") == NULL);
    expect(strstr(strstr(seen(w, 1), "result(") + 1, "result(") == NULL);
}

void test_runs_malformed__row_29_a_copy_beside_the_call_is_left_out(void **state)
{
    (void)state;
    run_world(beside, "'toolsets':['chat']",
              "{'text':'I roll. " WRITTEN("dice_roll") "','calls':[{'id':'aaaaaaaaa','name':'dice_roll','arguments':"
              "{'formula':'d1'}}]}");
}

/* --- arguments --- */

#define WRITE(arguments) "{'calls':[{'id':'aaaaaaaaa','name':'workspace_write_file','arguments':" arguments "}]}\n"

static void marks_in_value(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(strstr(seen(w, 1), "error(aaaaaaaaa: \"content\" holds \"" CLOSE("parameter") "\", a mark that ends a part "
                              "of the call itself; nothing ran.\nSend each value without such marks."));
    expect(run_world_file(w, "a.txt").p == NULL);
}

void test_runs_malformed__rows_33_34_marks_of_the_call_in_a_value_are_refused(void **state)
{
    (void)state;
    run_world(marks_in_value, "", WRITE("{'file_path':'a.txt','content':'x" CLOSE("parameter") "'}"));
}

static void no_arguments(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(strstr(seen(w, 1), "call(aaaaaaaaa workspace_list_files {})"));
    expect(strstr(seen(w, 1), "result(aaaaaaaaa: "));
}

void test_runs_malformed__rows_1_4_5_7_no_arguments_are_the_empty_object(void **state)
{
    static const char *const forms[] = {"''", "'null'", "null", "'{}'", "{}", "' {} '"};
    char script[256];

    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(script, sizeof script,
                 "{'calls':[{'id':'aaaaaaaaa','name':'workspace_list_files','arguments':%s}]}", forms[i]);
        run_world(no_arguments, "", script);
    }
}

static void unreadable(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(strstr(seen(w, 1), "call(aaaaaaaaa workspace_list_files {})")); /* what cannot be read is shown as {} */
    expect(strstr(seen(w, 1), "error(aaaaaaaaa: The arguments are not an object but text that is no complete JSON; "
                              "nothing ran. They begin with: {cut\nThe JSON text is wrong at byte 1: "));
}

void test_runs_malformed__rows_18_26_a_tool_without_parameters_is_not_run_on_what_cannot_be_read(void **state)
{
    (void)state;
    run_world(unreadable, "", "{'calls':[{'id':'aaaaaaaaa','name':'workspace_list_files','arguments':'{cut'}]}");
}

static void a_key(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(strstr(seen(w, 1), "error(aaaaaaaaa: The arguments do not fit this tool; nothing ran.\n"));
    expect(strstr(seen(w, 1), "file_path"));
    expect(run_world_file(w, "a.txt").p == NULL);
}

void test_runs_malformed__row_11_an_object_that_became_a_key_is_refused(void **state)
{
    (void)state;
    run_world(a_key, "", WRITE("{'{\\'file_path\\':\\'a.txt\\',\\'content\\':\\'x\\'}':null}"));
}

/* --- the same again --- */

static void refused_again(struct run_world *w)
{
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(strstr(seen(w, 2), "The same call was answered") == NULL);
    expect(strstr(seen(w, 3), "The same call was answered 2 times with the same result; it was not run."));
    expect(run_world_file(w, "a.txt").p == NULL);
}

void test_runs_malformed__row_55_a_call_that_is_refused_again_and_again_is_told_so(void **state)
{
    (void)state;
    run_world(refused_again, "'guards':{'sameCall':2}",
              WRITE("{'file_path':'a.txt'}") WRITE("{'file_path':'a.txt'}") WRITE("{'file_path':'a.txt'}"));
    run_world(refused_again, "'guards':{'sameCall':2}", WRITE("'{cut'") WRITE("'{cut'") WRITE("'{cut'"));
    run_world(refused_again, "'guards':{'sameCall':2}", WRITE("''") WRITE("null") WRITE("{}"));
}
