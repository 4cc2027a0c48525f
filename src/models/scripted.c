/*
 * Playing a turn: the same builder as for real answers, fed from the script. Faults and
 * their retries are those of the driver in small, with its delays.
 */
#include "models/scripted.h"

#include "base/rand.h"
#include "models/builder.h"
#include "models/fault.h"
#include "models/openai_write.h"
#include "models/retry.h"
#include "models/script.h"

enum { DELAY_MAX_MS = 10 * 60 * 1000, TRIES = 3 };

const struct tc_model_caps tc_scripted_caps = {
    .schema = TC_SCHEMA_OPENAI,
    .name_max = 64,
    .result_images = TC_RESULT_IMAGES_NATIVE,
    .image_input = true,
    .forced_choice = true,
    .parallel_switch = true,
    .user_after_tool = true,
};

/* A turn that is being played. */
struct play {
    const struct tc_json *turn;
    const struct tc_model_request *request;
    struct tc_reply_builder *builder;
    int64_t delta_ms;
    int64_t left;  /* deltas until a fault; negative: there is none */
};

bool tc_scripted_is(const struct tc_model_target *target)
{
    return tc_str_is(target->provider, "scripted");
}

static int64_t number(const struct tc_json *object, const char *name, int64_t otherwise)
{
    int64_t value;

    return tc_json_int(tc_json_get_c(object, name), &value) ? value : otherwise;
}

static enum tc_err wait(struct tc_cx *cx, int64_t ms)
{
    if (ms <= 0)
        return tc_task_check(cx);
    return tc_task_sleep(cx, ms < DELAY_MAX_MS ? ms : DELAY_MAX_MS);
}

/* --- faults --- */

static enum tc_err fault(struct tc_cx *cx, const struct tc_json *fault)
{
    struct tc_str name = tc_json_str(tc_json_get_c(fault, "code"));
    struct tc_str message = tc_json_str(tc_json_get_c(fault, "message"));
    enum tc_err code = tc_err_find(name);

    if (!tc_str_starts(name, TC_STR("model.")) || !code)
        return tc_fail(cx, TC_E_MODEL_SCRIPT, "The script's fault \"%.*s\" is no code of a model.", TC_STR_ARG(name));
    if (message.n)
        return tc_fail(cx, code, "%.*s", TC_STR_ARG(message));
    return tc_fail(cx, code, "The scripted model failed as its script says.");
}

/* --- text --- */

static struct tc_str last_result(const struct tc_model_request *request)
{
    size_t i, j;

    for (i = request->messages_n; i > 0; i--)
        for (j = request->messages[i - 1].n; j > 0; j--)
            if (request->messages[i - 1].parts[j - 1].kind == TC_PART_RESULT)
                return request->messages[i - 1].parts[j - 1].text;
    return TC_STR("(no result)");
}

static enum tc_err fill(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str text,
                        struct tc_str *ret_text)
{
    static const struct tc_str mark = TC_STR_INIT("{{result}}");
    size_t at = tc_str_find(text, mark);
    struct tc_str result;

    *ret_text = text;
    if (at == SIZE_MAX)
        return TC_OK;
    result = last_result(request);
    *ret_text = tc_arena_printf(cx->arena, "%.*s%.*s%.*s", (int)at, text.p, TC_STR_ARG(result),
                                TC_STR_ARG(tc_str_from(text, at + mark.n)));
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err play_delta(struct tc_cx *cx, struct play *play, struct tc_str text)
{
    enum tc_err err;

    if (play->left == 0)
        return fault(cx, tc_json_get_c(play->turn, "fault"));
    play->left--;
    err = fill(cx, play->request, text, &text);
    if (!err)
        err = tc_builder_text(cx, play->builder, text);
    return err ? err : wait(cx, play->delta_ms);
}

static enum tc_err play_text(struct tc_cx *cx, struct play *play)
{
    const struct tc_json *text = tc_json_get_c(play->turn, "text"), *delta;
    struct tc_json_iter it = tc_json_iter(text);
    enum tc_err err = TC_OK;

    if (tc_json_is(text, TC_JSON_STRING))
        err = play_delta(cx, play, tc_json_str(text));
    while (!err && tc_json_next(&it, NULL, &delta))
        err = play_delta(cx, play, tc_json_str(delta));
    if (!err && play->left >= 0) /* behind all of it */
        err = fault(cx, tc_json_get_c(play->turn, "fault"));
    return err;
}

static void play_reasoning(struct play *play)
{
    const struct tc_json *text = tc_json_get_c(play->turn, "reasoning"), *delta;
    struct tc_json_iter it = tc_json_iter(text);

    tc_builder_reasoning(play->builder, tc_json_str(text));
    while (tc_json_next(&it, NULL, &delta))
        tc_builder_reasoning(play->builder, tc_json_str(delta));
}

/* --- calls and the end --- */

static enum tc_err play_calls(struct tc_cx *cx, struct play *play)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(play->turn, "calls"));
    const struct tc_json *call;
    enum tc_err err = TC_OK;
    int64_t i = 0;

    while (!err && tc_json_next(&it, NULL, &call)) {
        struct tc_call_piece piece = {.index = i++,
                                      .id = tc_json_str(tc_json_get_c(call, "id")),
                                      .name = tc_json_str(tc_json_get_c(call, "name"))};

        err = tc_builder_piece_arguments(cx, &piece, tc_json_get_c(call, "arguments"));
        if (!err)
            err = tc_builder_call(cx, play->builder, &piece);
    }
    return err;
}

static enum tc_err play_end(struct tc_cx *cx, struct play *play)
{
    static const char *const words[] = {"stop", "calls", "length", "filter", "pause", "malformed", "context", "other"};
    const struct tc_json *usage = tc_json_get_c(play->turn, "usage");
    struct tc_usage told = tc_builder_usage_none;
    struct tc_str word = tc_json_str(tc_json_get_c(play->turn, "finish"));
    size_t finish = 0;

    while (word.n && finish < TC_FINISH_OTHER && !tc_str_is(word, words[finish]))
        finish++;
    told.input = number(usage, "input", -1);
    told.output = number(usage, "output", -1);
    tc_builder_usage(play->builder, &told);
    return tc_builder_end(cx, play->builder, (enum tc_finish)finish, word.n ? word : TC_STR("stop"));
}

/* --- turns --- */

static enum tc_err play_once(struct tc_cx *cx, struct play *play, struct tc_model_reply *ret_reply)
{
    enum tc_err err = wait(cx, number(play->turn, "delayMs", 0));

    if (err)
        return err;
    play_reasoning(play);
    err = play_text(cx, play);
    if (!err)
        err = play_calls(cx, play);
    if (!err)
        err = tc_builder_origin(cx, play->builder, play->request->model, TC_STR(""));
    if (!err)
        err = play_end(cx, play);
    return err ? err : tc_builder_reply(cx, play->builder, play->request->max_output, ret_reply);
}

/* One try; the first `times` of them have the fault. */
static enum tc_err try_once(struct tc_cx *cx, struct play *play, const struct tc_model_watch *watch, int tried,
                            struct tc_model_reply *ret_reply)
{
    const struct tc_json *what = tc_json_get_c(play->turn, "fault");
    int64_t times = number(what, "times", 1);
    enum tc_err err = tc_builder_create(cx, watch ? &watch->sink : NULL, &play->builder);

    if (err)
        return err;
    play->left = what && (times <= 0 || tried < times) ? number(what, "after", 0) : -1;
    err = play_once(cx, play, ret_reply);
    tc_builder_destroy(play->builder);
    return err;
}

static enum tc_err pause_before_retry(struct tc_cx *cx, const struct tc_model_watch *watch, int tried)
{
    struct tc_model_trouble trouble = {.code = cx->err.code,
                                       .message = cx->err.message,
                                       .tried = tried,
                                       .wait_ms = tc_retry_wait(tried, -1, tc_rand_below(1001))};

    if (watch && watch->retrying)
        watch->retrying(watch->sink.arg, &trouble);
    return tc_task_sleep(cx, trouble.wait_ms);
}

enum tc_err tc_scripted_turn(struct tc_cx *cx, const struct tc_model_target *target,
                             const struct tc_model_request *request, const struct tc_model_watch *watch,
                             struct tc_model_reply *ret_reply)
{
    int tries = target->tries > 0 ? target->tries : TRIES, tried = 0;
    struct play play = {.request = request};
    const struct tc_json *script;
    enum tc_err err = tc_script_load(cx, target->base_url, &script), ended;

    if (!err)
        err = tc_script_turn(cx, script, request, &play.turn);
    if (err)
        return err;
    play.delta_ms = number(play.turn, "deltaMs", 0);
    for (;;) {
        err = try_once(cx, &play, watch, tried++, ret_reply);
        if (!err || tried >= tries || !tc_fault_passes(err, 0))
            return err;
        ended = pause_before_retry(cx, watch, tried);
        if (ended)
            return ended;
    }
}

enum tc_err tc_scripted_body(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str *ret_body)
{
    struct tc_buf body;
    enum tc_err err;

    tc_buf_init(&body, TC_MODELS_REQUEST_MAX);
    err = tc_openai_write(cx, request, &body);
    if (!err) {
        *ret_body = tc_buf_dup(&body, cx->arena);
        err = ret_body->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&body);
    return err;
}
