/*
 * Any script for the scripted model, and a conversation with its turns: it answers as the
 * script says or fails with a sentence, twice the same, and a reply can be shown to it
 * again. The script is the input up to the first zero byte, what is said the rest.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "models/scripted.h"

enum { TURNS = 4, PATIENCE_MS = 11 * 60 * 1000 };

struct play {
    struct tc_model_target target;
    struct tc_message messages[2 * TURNS + 1];
    struct tc_model_request request;
    bool over;
};

#define check(holds) check_at((holds), __LINE__)
static void check_at(bool holds, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d does not hold\n", line);
    abort();
}

/* Waiting takes no time. */
static void run_clock(struct tc_cx *cx, void *arg)
{
    const struct play *play = arg;

    while (!play->over) {
        tc_loop_advance(tc_task_loop(cx), PATIENCE_MS);
        tc_task_yield(cx);
    }
}

static void check_same(const struct tc_model_reply *a, const struct tc_model_reply *b)
{
    check(a->n == b->n && a->finish == b->finish && a->usage.input == b->usage.input);
    for (size_t i = 0; i < a->n; i++) {
        check(a->items[i].kind == b->items[i].kind && tc_str_eq(a->items[i].text, b->items[i].text));
        check(tc_str_eq(a->items[i].name, b->items[i].name) && tc_str_eq(a->items[i].arguments, b->items[i].arguments));
    }
}

static void check_failure(struct tc_cx *cx, enum tc_err e)
{
    check(cx->err.message.n > 0 && tc_str_starts(tc_str_of(tc_err_info(e)->name), TC_STR("model.")));
    tc_fail_clear(cx);
}

/* What was said, and a result for each call. */
static void go_on(struct tc_cx *cx, struct play *play, const struct tc_model_reply *reply)
{
    struct tc_message *said = &play->messages[play->request.messages_n++],
                      *answer = &play->messages[play->request.messages_n++];

    *said = (struct tc_message){TC_ROLE_ASSISTANT, TC_ARENA_NEW_N(cx->arena, struct tc_part, reply->n + 1), 0};
    *answer = (struct tc_message){TC_ROLE_USER, TC_ARENA_NEW_N(cx->arena, struct tc_part, reply->n + 1), 0};
    for (size_t i = 0; i < reply->n; i++) {
        const struct tc_item *item = &reply->items[i];
        struct tc_part part = {.kind = TC_PART_TEXT, .text = item->text};
        if (item->kind == TC_ITEM_CALL) {
            part = (struct tc_part){.kind = TC_PART_CALL, .name = item->name};
            part.id = tc_arena_printf(cx->arena, "c%zu", i);
            check(tc_json_parse_root(cx, TC_STR("{}"), NULL, &part.arguments) == TC_OK);
        }
        said->parts[said->n++] = part;
        part.kind = TC_PART_RESULT;
        part.text = TC_STR("done");
        if (item->kind == TC_ITEM_CALL)
            answer->parts[answer->n++] = part;
    }
    answer->parts[answer->n++] = (struct tc_part){.kind = TC_PART_TEXT, .text = TC_STR("and?")};
}

static void converse(struct tc_cx *cx, void *arg)
{
    struct play *play = arg;
    struct tc_model_reply reply, again;
    struct tc_str body;
    enum tc_err e = TC_OK;

    for (int i = 0; i < TURNS && !e; i++) {
        e = tc_scripted_turn(cx, &play->target, &play->request, NULL, &reply);
        if (e)
            check_failure(cx, e);
        check(tc_scripted_turn(cx, &play->target, &play->request, NULL, &again) == e);
        tc_fail_clear(cx);
        if (e)
            break;
        check_same(&reply, &again);
        go_on(cx, play, &reply);
        check(tc_scripted_body(cx, &play->request, &body) == TC_OK);
    }
    play->over = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    size_t script = strnlen((const char *)data, size);
    struct tc_part part = {.kind = TC_PART_TEXT,
                           .text = tc_str_n((const char *)data + script, size > script ? size - script : 0)};
    struct play play = {.target = {.provider = TC_STR("scripted")}};
    char path[64];
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;

    if (fd < 0)
        fd = memfd_create("script", MFD_CLOEXEC);
    check(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, script, 0) == (ssize_t)script);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    tc_arena_init(&arena, 0);
    play.target.base_url = tc_str_of(path);
    if (part.text.n == 0)
        part.text = TC_STR("hello");
    play.messages[0] = (struct tc_message){TC_ROLE_USER, &part, 1};
    play.request = (struct tc_model_request){.model = TC_STR("m"), .caps = &tc_scripted_caps,
                                             .messages = play.messages, .messages_n = 1};
    check(tc_loop_create_virtual(&cx, 1000000, &loop) == TC_OK);
    check(tc_task_spawn(&cx, loop, NULL, "turns", converse, &play) == TC_OK);
    check(tc_task_spawn(&cx, loop, NULL, "clock", run_clock, &play) == TC_OK);
    tc_loop_run(loop);
    tc_loop_destroy(loop);
    tc_arena_finish(&arena);
    return 0;
}
