/*
 * The scripted model: which turn is due, what it plays, its faults and delays.
 */
#include "models/scripted.h"

#include <stdio.h>

#include "base/clock.h"
#include "models/script.h"
#include "support/task.h"

/* Transcripts are written as lines: "u text", "a text", "c name" (an assistant's call),
 * "r text" (its result). */
struct stage {
    struct tc_model_request request;
    struct tc_message messages[16];
    struct tc_part parts[16];
    char heard[4096];
    const struct tc_clock *clock;
    int64_t first_us, last_us; /* when text was heard */
    int retries;
    struct tc_model_trouble trouble;
};

static void on_text(void *arg, struct tc_str delta)
{
    struct stage *stage = arg;

    if (stage->clock) {
        stage->last_us = tc_clock_mono_us(stage->clock);
        stage->first_us = stage->first_us ? stage->first_us : stage->last_us;
    }
    strncat(stage->heard, "|", sizeof stage->heard - strlen(stage->heard) - 1);
    strncat(stage->heard, delta.p, delta.n);
}

static void on_retry(void *arg, const struct tc_model_trouble *trouble)
{
    struct stage *stage = arg;

    stage->retries++;
    stage->trouble = *trouble;
    strncat(stage->heard, "#", sizeof stage->heard - strlen(stage->heard) - 1);
}

static void set(struct stage *stage, const char *const *lines)
{
    size_t n = 0;

    memset(stage, 0, sizeof *stage);
    for (; lines[n]; n++) {
        struct tc_part *part = &stage->parts[n];
        struct tc_str text = tc_str_of(lines[n] + 2);

        part->kind = lines[n][0] == 'c' ? TC_PART_CALL : lines[n][0] == 'r' ? TC_PART_RESULT : TC_PART_TEXT;
        part->text = text;
        part->id = TC_STR("abcdefghi");
        part->name = part->kind == TC_PART_CALL ? text : TC_STR("tool");
        stage->messages[n] = (struct tc_message){
            lines[n][0] == 'a' || lines[n][0] == 'c' ? TC_ROLE_ASSISTANT : TC_ROLE_USER, part, 1};
    }
    stage->request = (struct tc_model_request){.model = TC_STR("scripted"),
                                               .caps = &tc_scripted_caps,
                                               .system = TC_STR("Be brief."),
                                               .messages = stage->messages,
                                               .messages_n = n};
}

/* Puts the script into a file and plays the turn that is due. */
static enum tc_err play(struct tc_cx *cx, struct stage *stage, const char *script, struct tc_model_reply *ret_reply)
{
    struct tc_model_watch watch = {.sink = {.text = on_text, .arg = stage}, .retrying = on_retry};
    struct tc_model_target target = {.provider = TC_STR("scripted"), .base_url = TC_STR("embedded")};
    char *dir = test_tmpdir(cx->arena);
    enum tc_err err;

    if (script) {
        FILE *file;

        target.base_url = tc_arena_printf(cx->arena, "%s/script.json", dir);
        file = fopen(target.base_url.p, "w");
        fputs(script, file);
        fclose(file);
    }
    err = tc_scripted_turn(cx, &target, &stage->request, &watch, ret_reply);
    test_rmtree(dir);
    return err;
}

static struct tc_str text_of(const struct tc_model_reply *reply)
{
    return reply->n ? reply->items[0].text : TC_STR("(nothing)");
}

static const char sequence[] = "{\"turns\":[{\"text\":[\"a\",\"b\"]},{\"text\":\"two\",\"finish\":\"length\","
                               "\"usage\":{\"input\":5,\"output\":3}}]}";

static void turns_in_order(struct tc_cx *cx, void *arg)
{
    static const char *const first[] = {"u hello", NULL}, *const second[] = {"u hello", "a ab", "u on", NULL},
                      *const third[] = {"u hello", "a ab", "a two", "u on", NULL};
    struct tc_model_reply reply = {0};
    struct stage stage;

    (void)arg;
    set(&stage, first);
    expect_int(play(cx, &stage, sequence, &reply), TC_OK);
    expect_text(text_of(&reply), "ab");
    expect_text(tc_str_of(stage.heard), "|a|b");
    expect_text(reply.model, "scripted");
    set(&stage, second);
    expect_int(play(cx, &stage, sequence, &reply), TC_OK);
    expect_text(text_of(&reply), "two");
    expect_int(reply.finish, TC_FINISH_LENGTH);
    expect_int(reply.usage.output, 3);
    set(&stage, third);
    expect_int(play(cx, &stage, sequence, &reply), TC_E_MODEL_SCRIPT);
    expect_text(cx->err.message, "The script has no turn that is due.");
}

void test_scripted__turns_come_one_after_the_other(void **state)
{
    (void)state;
    test_task_run(turns_in_order, NULL);
}

static void scenes(struct tc_cx *cx, void *arg)
{
    static const char script[] =
        "{\"scenes\":[{\"when\":\"weather\",\"turns\":[{\"calls\":[{\"name\":\"look\",\"arguments\":{\"a\":1.0}}]},"
        "{\"text\":\"It is {{result}}.\"}]},{\"when\":\"bye\",\"turns\":[{\"text\":\"Bye.\"}]}],"
        "\"otherwise\":{\"text\":\"What?\"}}";
    static const char *const ask[] = {"u The WEATHER?", NULL},
                      *const told[] = {"u weather", "c look", "r fine", NULL},
                      *const later[] = {"u weather", "c look", "r fine", "a It is fine.", "u bye", NULL},
                      *const reminded[] = {"u weather", "c look", "u Go on.", NULL},
                      *const over[] = {"u weather", "c look", "r fine", "a It is fine.", "u more", NULL};
    struct tc_model_reply reply = {0};
    struct stage stage;

    (void)arg;
    set(&stage, ask);
    expect_int(play(cx, &stage, script, &reply), TC_OK);
    expect_int(reply.finish, TC_FINISH_CALLS);
    expect_text(reply.items[0].name, "look");
    expect_text(reply.items[0].arguments, "{\"a\":1.0}");
    expect(reply.items[0].is_object);
    set(&stage, told);
    expect_int(play(cx, &stage, script, &reply), TC_OK);
    expect_text(text_of(&reply), "It is fine.");
    set(&stage, later);
    expect_int(play(cx, &stage, script, &reply), TC_OK);
    expect_text(text_of(&reply), "Bye.");
    set(&stage, reminded);
    expect_int(play(cx, &stage, script, &reply), TC_OK);
    expect_text(text_of(&reply), "It is (no result).");
    set(&stage, over);
    expect_int(play(cx, &stage, script, &reply), TC_OK);
    expect_text(text_of(&reply), "What?");
}

void test_scripted__scenes_begin_with_what_the_user_says(void **state)
{
    (void)state;
    test_task_run(scenes, NULL);
}

static void expectations(struct tc_cx *cx, void *arg)
{
    static const char *const ask[] = {"u hello", "c look", "r fine", NULL};
    struct tc_model_reply reply = {0};
    struct stage stage;

    (void)arg;
    set(&stage, ask);
    expect_int(play(cx, &stage, "{\"otherwise\":{\"text\":\"ok\",\"expect\":[\"system: Be brief.\",\"user: hello\","
                                "\"call look null\",\"result tool: fine\",\"choice: auto\"],\"absent\":\"cloud\"}}",
                    &reply), TC_OK);
    expect_int(play(cx, &stage, "{\"otherwise\":{\"text\":\"ok\",\"expect\":\"cloud\"}}", &reply), TC_E_MODEL_SCRIPT);
    expect_text(cx->err.message, "The script expects the model to be shown \"cloud\".");
    expect_int(play(cx, &stage, "{\"otherwise\":{\"text\":\"ok\",\"absent\":[\"x\",\"fine\"]}}", &reply),
               TC_E_MODEL_SCRIPT);
    expect_text(cx->err.message, "The script expects the model to be shown no \"fine\".");
}

void test_scripted__expects_what_the_model_is_shown(void **state)
{
    (void)state;
    test_task_run(expectations, NULL);
}

static void delays(struct tc_cx *cx, void *arg)
{
    static const char *const ask[] = {"u hello", NULL};
    struct tc_model_reply reply = {0};
    struct stage stage;
    int64_t start = tc_clock_mono_us(cx->clock);

    (void)arg;
    set(&stage, ask);
    stage.clock = cx->clock;
    expect_int(play(cx, &stage, "{\"turns\":[{\"delayMs\":20000,\"deltaMs\":5000,\"text\":[\"a\",\"b\",\"c\"]}]}",
                    &reply), TC_OK);
    expect(stage.first_us - start >= 20000 * 1000); /* and the clock went on while the script was read */
    expect_int(stage.last_us - stage.first_us, 10000 * 1000);
}

/* Moves the virtual clock while the test waits. */
static void advance(struct tc_cx *cx, void *arg)
{
    int *more = arg;

    while (*more) {
        tc_loop_advance(tc_task_loop(cx), 1);
        tc_task_yield(cx);
    }
}

static void with_clock(struct tc_cx *cx, tc_task_fn *fn)
{
    int more = 1;

    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "clock", advance, &more), TC_OK);
    fn(cx, NULL);
    more = 0;
    tc_task_yield(cx);
    tc_task_yield(cx);
}

static void delays_in_virtual_time(struct tc_cx *cx, void *arg)
{
    (void)arg;
    with_clock(cx, delays);
}

void test_scripted__delays(void **state)
{
    (void)state;
    test_task_run_virtual(delays_in_virtual_time, NULL);
}

static void faults(struct tc_cx *cx, void *arg)
{
    static const char *const ask[] = {"u hello", NULL};
    struct tc_model_reply reply = {0};
    struct stage stage;

    (void)arg;
    set(&stage, ask);
    expect_int(play(cx, &stage, "{\"turns\":[{\"text\":[\"a\",\"b\"],\"fault\":{\"code\":\"model.stream_broken\","
                                "\"after\":1}}]}", &reply), TC_OK);
    expect_text(text_of(&reply), "ab");
    expect_text(tc_str_of(stage.heard), "|a#|a|b");
    expect_int(stage.trouble.code, TC_E_MODEL_BROKEN);
    expect_int(stage.trouble.tried, 1);

    set(&stage, ask);
    expect_int(play(cx, &stage, "{\"turns\":[{\"text\":\"a\",\"fault\":{\"code\":\"model.rate_limited\","
                                "\"message\":\"Slow down.\",\"times\":0}}]}", &reply), TC_E_MODEL_RATE);
    expect_text(cx->err.message, "Slow down.");
    expect_int(stage.retries, 2);

    set(&stage, ask);
    expect_int(play(cx, &stage, "{\"turns\":[{\"fault\":{\"code\":\"model.key_refused\"}}]}", &reply), TC_E_MODEL_AUTH);
    expect_int(stage.retries, 0);
    expect_int(play(cx, &stage, "{\"turns\":[{\"fault\":{\"code\":\"store.locked\"}}]}", &reply), TC_E_MODEL_SCRIPT);
}

static void faults_in_virtual_time(struct tc_cx *cx, void *arg)
{
    (void)arg;
    with_clock(cx, faults);
}

void test_scripted__faults_and_their_retries(void **state)
{
    (void)state;
    test_task_run_virtual(faults_in_virtual_time, NULL);
}

static void bad_scripts(struct tc_cx *cx, void *arg)
{
    static const char *const ask[] = {"u hello", NULL};
    struct tc_model_target target = {.provider = TC_STR("scripted"), .base_url = TC_STR("/nowhere/script.json")};
    struct tc_model_reply reply = {0};
    struct stage stage;

    (void)arg;
    set(&stage, ask);
    expect_int(tc_scripted_turn(cx, &target, &stage.request, NULL, &reply), TC_E_MODEL_SCRIPT);
    expect_int(play(cx, &stage, "{\"turns\":[", &reply), TC_E_MODEL_SCRIPT);
    expect_int(play(cx, &stage, "[]", &reply), TC_E_MODEL_SCRIPT);
}

void test_scripted__a_bad_script_says_what_is_wrong(void **state)
{
    (void)state;
    test_task_run(bad_scripts, NULL);
}

static void embedded(struct tc_cx *cx, void *arg)
{
    static const char *const ask[] = {"u Please roll the dice", NULL}, *const other[] = {"u Who are you?", NULL};
    struct tc_model_reply reply = {0};
    struct stage stage;

    (void)arg;
    set(&stage, ask);
    expect_int(play(cx, &stage, NULL, &reply), TC_OK);
    expect_int(reply.n, 2);
    expect_text(reply.items[1].name, "dice_roll");
    set(&stage, other);
    expect_int(play(cx, &stage, NULL, &reply), TC_OK);
    expect_int(reply.finish, TC_FINISH_STOP);
}

void test_scripted__the_demo_is_compiled_in(void **state)
{
    (void)state;
    test_task_run(embedded, NULL);
}
