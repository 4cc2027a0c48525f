/* Tapes and their windows, before and after what was said became a summary. */
#include "support/run_world.h"

#include "runtime/compact.h"
#include "runtime/tape.h"

static void cut(struct run_world *w)
{
    const char *text;
    struct tc_tape tape;

    w->request.session = TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "first question")), "completed");
    expect_text(tc_str_of(run_world_run(w, "second question")), "completed"); /* reported usage is over the mark */
    expect(tc_str_find(run_world_events(w), TC_STR("compacted")) != SIZE_MAX);
    expect_text(tc_str_of(run_world_run(w, "third question")), "completed");
    text = tc_arena_cstr(w->cx->arena, run_world_seen(w, w->models.turns - 1));
    expect(strstr(text, "Summary of the conversation before this point:\n\nThey asked twice.") != NULL);
    expect(strstr(text, "third question") != NULL);
    expect(strstr(text, "U: first question") == NULL);
    if (expect_ok(w->cx, tc_tape_open(w->cx, w->t.memory, w->row.tape, &tape))) {
        const struct tc_tape_item *summary = tc_tape_find_last(&tape, TC_TAPE_SUMMARY);
        expect(summary && tc_str_is(tc_json_str(tc_json_get_c(summary->body, "model")), "played"));
        expect(tape.items[0].kind == TC_TAPE_ANCHOR);
    }
    tc_tape_finish(&tape);
}

#define SUMMED_UP_EVENTS "model_request model_request model_reply compacted model_request"

static void full_once(struct run_world *w)
{
    w->request.session = TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "one")), "completed");
    expect_text(tc_str_of(run_world_run(w, "two")), "completed");
    expect(tc_str_find(run_world_events(w), TC_STR(SUMMED_UP_EVENTS)) != SIZE_MAX);
    expect_text(w->row.usage, "{\"input\":53,\"output\":12,\"cached\":0,\"cacheWritten\":0,\"reasoning\":0}");
    expect_int(w->row.steps, 2); /* the summary is no step */
}

/* Events about the summary, one a line: what its model was asked, what it took. */
static void recorded(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    struct tc_run_event *events;
    const struct tc_json *asked = NULL, *answered = NULL;
    int64_t bytes = 0, entry = 0, input = 0;
    size_t n;

    full_once(w);
    expect_ok(w->cx, store->runs->events(w->cx, store, w->id, 0, 0, 100, &events, &n));
    for (size_t i = 0; i < n; i++) {
        const struct tc_json *data;
        expect_ok(w->cx, tc_json_parse_root(w->cx, events[i].json, NULL, &data));
        if (!tc_json_bool(tc_json_get_c(data, "summary"), false))
            continue;
        expect(asked ? tc_str_is(events[i].type, "model_reply") : tc_str_is(events[i].type, "model_request"));
        *(asked ? &answered : &asked) = data;
    }
    expect(tc_json_int(tc_json_get_c(asked, "bytes"), &bytes) && bytes > 0);
    expect_int(tc_json_str(tc_json_get_c(asked, "hash")).n, 64);
    expect(tc_json_int(tc_json_get_c(asked, "entry"), &entry));
    expect_int(entry, 4); /* the tape's last one before the new window */
    expect_text(tc_json_str(tc_json_get_c(answered, "finish")), "stop");
    expect(tc_json_int(tc_json_get_c(tc_json_get_c(answered, "usage"), "input"), &input));
    expect_int(input, 50);
}

static void without_summary(struct run_world *w)
{
    w->request.session = TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "one")), "completed");
    expect_text(tc_str_of(run_world_run(w, "two")), "completed");
    expect(tc_str_find(run_world_events(w), TC_STR(SUMMED_UP_EVENTS)) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 3), TC_STR("Summary of the conversation")) != SIZE_MAX);
}

static void full_for_ever(struct run_world *w)
{
    w->request.session = TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "one")), "completed");
    expect_text(tc_str_of(run_world_run(w, "two")), "failed");
    expect_text(w->row.error_code, "model.context_exceeded");
}

#define SUMMED_UP                                                                                                      \
    "{'text':'yes'}\n" FULL "{'text':'Summary.','usage':[50,10]}\n{'text':'done','usage':[3,2]}"
#define FULL "{'error':'model.context_exceeded','message':'Too long.'}\n"

void test_compact__a_full_window_is_summed_up_once_and_asked_again(void **state)
{
    (void)state;
    run_world(full_once, "", SUMMED_UP);
    run_world(full_for_ever, "", "{'text':'yes'}\n" FULL "{'text':'Summary.'}\n" FULL FULL);
}

void test_compact__what_the_summary_took_is_on_record(void **state)
{
    (void)state;
    run_world(recorded, "", SUMMED_UP);
    run_world(without_summary, "",
              "{'text':'yes'}\n" FULL "{'error':'model.overloaded','message':'Later.'}\n{'text':'done'}");
}

void test_compact__a_window_that_fills_is_summed_up_before_it_is_full(void **state)
{
    (void)state;
    run_world(cut, "",
              "{'text':'a','usage':[10,1]}\n"
              "{'calls':[{'name':'workspace_list_files','arguments':{}}],'usage':[120000,1]}\n"
              "{'text':'They asked twice.'}\n{'text':'b'}\n{'text':'c'}");
}

/* --- without a model --- */

static struct tc_tape_write write_of(struct run_world *w, enum tc_tape_kind kind, const char *json)
{
    return (struct tc_tape_write){kind, tc_json_text(w->cx->arena, test_runtime_json(&w->t, json))};
}

static void extractive(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    const struct tc_compact_writer writer = {.keep_tokens = 40};
    struct tc_tape_new new_tape = {TC_STR("work"), TC_STR("s"), TC_STR("")};
    struct tc_compacted done;
    struct tc_tape_row row;
    struct tc_tape tape;
    struct tc_str text;
    struct tc_tape_write writes[] = {
        write_of(w, TC_TAPE_MESSAGE, "{'role':'user','parts':[{'text':'Find the red file.'}]}"),
        write_of(w, TC_TAPE_MESSAGE,
                 "{'role':'assistant','parts':[{'call':{'id':'a','name':'look','arguments':{}}}]}"),
        write_of(w, TC_TAPE_LOADED, "{'tools':['mcp/x:one']}"),
        write_of(w, TC_TAPE_PLAN, "{'items':[{'text':'look','status':'done'}]}"),
        write_of(w, TC_TAPE_RESULT, "{'call':'a','name':'look','text':'There.'}"),
        write_of(w, TC_TAPE_MESSAGE, "{'role':'assistant','parts':[{'text':'It is there.'}]}"),
        write_of(w, TC_TAPE_MESSAGE, "{'role':'user','parts':[{'text':'And the blue one?'}]}"),
    };

    expect_ok(w->cx, tc_tape_create(w->cx, store, &new_tape, &row));
    expect_int(tc_tape_create(w->cx, store, &new_tape, &row), TC_E_TAPE_EXISTS);
    expect_ok(w->cx, tc_tape_session(w->cx, store, &new_tape, &row));
    expect_ok(w->cx, tc_tape_open(w->cx, store, row.id, &tape));
    expect_int(tc_compact_tape(w->cx, &tape, TC_STR(""), &writer, &done), TC_E_TAPE_TOO_SHORT);
    expect_ok(w->cx, tc_tape_append(w->cx, &tape, TC_STR(""), writes, 7));
    expect_ok(w->cx, tc_compact_tape(w->cx, &tape, TC_STR(""), &writer, &done));
    expect_int(done.from, 1);
    expect_int(done.to, 6); /* the rounds at the end stay */
    text = tc_json_str(tc_json_get_c(tc_tape_find_last(&tape, TC_TAPE_SUMMARY)->body, "text"));
    expect(tc_str_find(text, TC_STR("- user: Find the red file.")) != SIZE_MAX);
    expect(tc_str_find(text, TC_STR("- called look")) != SIZE_MAX);
    expect(tc_str_find(text, TC_STR("The to-do list:\n- [done] look")) != SIZE_MAX);
    expect(tape.items[0].kind == TC_TAPE_ANCHOR && tape.items[1].kind == TC_TAPE_SUMMARY);
    expect(tape.items[2].kind == TC_TAPE_MESSAGE && tape.items[3].kind == TC_TAPE_MESSAGE);
    expect_int(tape.items[3].seq, 8);
    expect(tc_tape_find_last(&tape, TC_TAPE_LOADED) != NULL);
    expect(tc_tape_find_last(&tape, TC_TAPE_PLAN) != NULL);
    expect_int(tape.n, 6);
    tc_tape_finish(&tape);
    expect_int(tc_tape_open(w->cx, store, TC_STR("nope"), &tape), TC_E_TAPE_NOT_FOUND);
    tc_tape_finish(&tape);
}

void test_compact__without_a_model_it_is_made_of_extracts(void **state)
{
    (void)state;
    run_world(extractive, "", "");
}

/* What is kept has room for the result, and none for its call. */
static void between(struct run_world *w)
{
    const struct tc_compact_writer writer = {.keep_tokens = 40};
    struct tc_tape_new new_tape = {TC_STR("work"), TC_STR("s"), TC_STR("")};
    struct tc_compacted done;
    struct tc_tape_row row;
    struct tc_tape tape;
    struct tc_str of = tc_arena_printf(w->cx->arena, "%0400d", 0);
    struct tc_str call = tc_arena_printf(
        w->cx->arena, "{'role':'assistant','parts':[{'call':{'id':'a','name':'look','arguments':{'of':'%s'}}}]}", of.p);
    struct tc_tape_write writes[] = {
        write_of(w, TC_TAPE_MESSAGE, "{'role':'user','parts':[{'text':'Look.'}]}"),
        write_of(w, TC_TAPE_MESSAGE, call.p),
        write_of(w, TC_TAPE_RESULT, "{'call':'a','name':'look','text':'There.'}"),
    };

    expect_ok(w->cx, tc_tape_session(w->cx, w->t.memory, &new_tape, &row));
    expect_ok(w->cx, tc_tape_open(w->cx, w->t.memory, row.id, &tape));
    expect_ok(w->cx, tc_tape_append(w->cx, &tape, TC_STR(""), writes, 3));
    expect_ok(w->cx, tc_compact_tape(w->cx, &tape, TC_STR(""), &writer, &done));
    expect_int(done.to, tape.items[0].seq - 1); /* all of it, the result as well */
    expect(tc_tape_find_last(&tape, TC_TAPE_RESULT) == NULL);
    expect(tc_tape_find_last(&tape, TC_TAPE_MESSAGE) == NULL);
    tc_tape_finish(&tape);
}

void test_compact__row_68_a_result_is_not_parted_from_its_call(void **state)
{
    (void)state;
    run_world(between, "", "");
}

/* --- by hand --- */

static void hands_off(struct run_world *w)
{
    const struct tc_handoff handoff = {TC_STR("phase two"), TC_STR("The file is red.txt.")};
    const struct tc_handoff bare = {.name = TC_STR("end")};
    int64_t anchor;
    struct tc_tape tape;

    w->request.session = TC_STR("s");
    run_world_run(w, "one");
    expect_ok(w->cx, tc_handoff_stored(w->cx, w->t.runtime, w->row.tape, &handoff, &anchor));
    expect_int(anchor, 4); /* start, one, done */
    run_world_run(w, "two");
    expect_text(run_world_seen(w, 1), "U: The file is red.txt. two\n");
    expect_ok(w->cx, tc_handoff_stored(w->cx, w->t.runtime, w->row.tape, &bare, &anchor));
    run_world_run(w, "three");
    expect_text(run_world_seen(w, 2), "U: three\n");
    expect_ok(w->cx, tc_tape_open(w->cx, w->t.memory, w->row.tape, &tape));
    expect_text(tc_json_text(w->cx->arena, tape.items[0].body), "{\"name\":\"end\",\"reason\":\"handoff\"}");
    tc_tape_finish(&tape);
    expect_int(tc_handoff_stored(w->cx, w->t.runtime, TC_STR("nope"), &bare, &anchor), TC_E_TAPE_NOT_FOUND);
    expect_ok(w->cx, tc_tape_claim(w->cx, w->t.memory, w->row.tape, TC_STR("somebody")));
    expect_int(tc_handoff_stored(w->cx, w->t.runtime, w->row.tape, &bare, &anchor), TC_E_RUN_ACTIVE);
}

void test_compact__a_handoff_begins_a_window_with_its_text(void **state)
{
    (void)state;
    run_world(hands_off, "", "");
}

static void keeps_what_is_open(struct run_world *w)
{
    const struct tc_compact_writer writer = {0};
    const struct tc_handoff handoff = {TC_STR("h"), TC_STR("Go on.")};
    struct tc_tape_new new_tape = {TC_STR("work"), TC_STR("s"), TC_STR("")};
    struct tc_tape_row row;
    struct tc_tape tape;
    struct tc_str text;
    struct tc_tape_write writes[] = {
        write_of(w, TC_TAPE_MESSAGE, "{'role':'user','parts':[{'text':'Pay them.'}]}"),
        write_of(w, TC_TAPE_LOADED, "{'tools':['mcp/x:pay']}"),
        write_of(w, TC_TAPE_PLAN, "{'items':[{'text':'pay','status':'in_progress'}]}"),
        write_of(w, TC_TAPE_MESSAGE, "{'role':'assistant','parts':["
                                     "{'call':{'id':'a','name':'look','toolId':'builtin:look','arguments':{}}},"
                                     "{'call':{'id':'b','name':'pay','toolId':'mcp/x:pay','arguments':{'to':'x'}}}]}"),
        write_of(w, TC_TAPE_RESULT, "{'call':'a','name':'look','text':'two'}"),
    };

    expect_ok(w->cx, tc_tape_create(w->cx, w->t.memory, &new_tape, &row));
    expect_ok(w->cx, tc_tape_open(w->cx, w->t.memory, row.id, &tape));
    expect_ok(w->cx, tc_tape_append(w->cx, &tape, TC_STR(""), writes, 5));
    expect_ok(w->cx, tc_compact_handoff(w->cx, &tape, TC_STR(""), &writer, &handoff));
    expect_int(tape.n, 4);
    expect(tape.items[1].kind == TC_TAPE_NOTE && tape.items[2].kind == TC_TAPE_LOADED &&
           tape.items[3].kind == TC_TAPE_PLAN);
    text = tc_json_str(tc_json_get_c(tape.items[1].body, "text"));
    expect(tc_str_starts(text, TC_STR("Go on.\n\nThe to-do list:\n- [in_progress] pay")));
    expect(tc_str_find(text, TC_STR("[calls pay {\"to\":\"x\"}]")) != SIZE_MAX);
    expect(tc_str_find(text, TC_STR("calls look")) == SIZE_MAX);
    tc_tape_finish(&tape);
}

void test_compact__what_is_open_goes_over_into_the_new_window(void **state)
{
    (void)state;
    run_world(keeps_what_is_open, "", "");
}

static void forks(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    struct tc_tape_row fork;
    struct tc_tape tape;

    w->request.session = TC_STR("s");
    run_world_run(w, "one");
    run_world_run(w, "two");
    expect_int(tc_tape_fork(w->cx, store, w->row.tape, 99, TC_STR("f"), &fork), TC_E_USAGE);
    expect_ok(w->cx, tc_tape_fork(w->cx, store, w->row.tape, 3, TC_STR("f"), &fork));
    expect_ok(w->cx, tc_tape_open(w->cx, store, fork.id, &tape));
    expect_int(tape.n, 4); /* anchor, one, done, fork */
    expect(tape.items[3].kind == TC_TAPE_FORK);
    tc_tape_finish(&tape);
    w->request.session = TC_STR("f");
    expect_text(tc_str_of(run_world_run(w, "three")), "completed");
    expect_text(run_world_seen(w, 2), "U: one\nA: done\nU: three\n");
}

void test_compact__a_fork_shares_what_was_before_it(void **state)
{
    (void)state;
    run_world(forks, "", "");
}
