/*
 * The stage: everything in one virtual loop, the sockets real.
 */
#include "support/model_stage.h"

struct running {
    test_web_fn *serve;
    void (*fn)(struct tc_cx *cx, struct model_stage *stage);
};

static void on_text(void *arg, struct tc_str delta)
{
    tc_buf_str(&((struct model_stage *)arg)->heard, delta);
}

static void on_reasoning(void *arg, struct tc_str delta)
{
    tc_buf_printf(&((struct model_stage *)arg)->heard, "[%.*s]", TC_STR_ARG(delta));
}

static void on_call(void *arg, struct tc_str name)
{
    tc_buf_printf(&((struct model_stage *)arg)->heard, "<%.*s>", TC_STR_ARG(name));
}

static void on_retry(void *arg, const struct tc_model_trouble *trouble)
{
    struct model_stage *stage = arg;

    tc_buf_char(&stage->heard, '#');
    if (stage->retries < MODEL_STAGE_WAITS_MAX)
        stage->waits[stage->retries] = trouble->wait_ms;
    stage->retries++;
    stage->trouble = tc_arena_dup(&stage->web.arena, trouble->message);
}

static void run_clock(struct tc_cx *cx, void *arg)
{
    const struct model_stage *stage = arg;

    while (stage->clock) {
        tc_loop_advance(tc_task_loop(cx), 1);
        tc_task_yield(cx);
    }
}

static void set_up(struct tc_cx *cx, struct model_stage *stage)
{
    static const struct tc_part hello = {.kind = TC_PART_TEXT, .text = TC_STR_INIT("hello")};
    static const struct tc_message message = {TC_ROLE_USER, (struct tc_part *)&hello, 1};
    static const struct tc_model_tool tool = {.name = TC_STR_INIT("look"), .description = TC_STR_INIT("Looks.")};

    stage->target = (struct tc_model_target){.provider = TC_STR("openai"),
                                             .base_url = test_web_url(cx, &stage->web, "/v1"),
                                             .key = TC_STR("sk-secret-key")};
    expect_int(tc_driver_create(cx, stage->web.client, &stage->models), TC_OK);
    expect_int(stage->models->ops->caps(cx, stage->models, &stage->target, TC_STR("m1"), &stage->caps), TC_OK);
    stage->request = (struct tc_model_request){.model = TC_STR("m1"),
                                               .caps = &stage->caps,
                                               .messages = &message,
                                               .messages_n = 1,
                                               .tools = &tool,
                                               .tools_n = 1,
                                               .stream = true};
    stage->watch = (struct tc_model_watch){{on_text, on_reasoning, on_call, stage}, on_retry};
    tc_buf_init(&stage->heard, 64 << 20);
}

static void run(struct tc_cx *cx, void *arg)
{
    const struct running *running = arg;
    struct model_stage *stage = TC_ARENA_NEW(cx->arena, struct model_stage);

    test_web_init(cx, &stage->web, running->serve);
    stage->web.arg = stage;
    stage->clock = true;
    set_up(cx, stage);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "clock", run_clock, stage), TC_OK);
    running->fn(cx, stage);
    stage->clock = false;
    tc_task_yield(cx);
    tc_driver_destroy(stage->models);
    tc_buf_finish(&stage->heard);
    test_web_finish(cx, &stage->web);
}

void model_stage_run(test_web_fn *serve, void (*fn)(struct tc_cx *cx, struct model_stage *stage))
{
    struct running running = {serve, fn};

    test_task_run_virtual(run, &running);
}

enum tc_err model_stage_turn(struct tc_cx *cx, struct model_stage *stage)
{
    return stage->models->ops->turn(cx, stage->models, &stage->target, &stage->request, &stage->watch, &stage->reply);
}

struct tc_str model_stage_said(struct tc_cx *cx, const struct model_stage *stage)
{
    struct tc_str said = TC_STR("");
    size_t i;

    for (i = 0; i < stage->reply.n; i++) {
        const struct tc_item *item = &stage->reply.items[i];

        if (item->kind == TC_ITEM_CALL)
            said = tc_arena_printf(cx->arena, "%.*s%.*s(%.*s)", TC_STR_ARG(said), TC_STR_ARG(item->name),
                                   TC_STR_ARG(item->arguments));
        else if (item->kind == TC_ITEM_TEXT)
            said = tc_arena_printf(cx->arena, "%.*s%.*s", TC_STR_ARG(said), TC_STR_ARG(item->text));
    }
    return said;
}
