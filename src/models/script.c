/*
 * Nothing of a script is kept between turns: it is read again for each one, so that it
 * can be changed while a run is under way.
 */
#include "models/script.h"

#include <fcntl.h>
#include <unistd.h>

#include "io/offload.h"

/* --- reading --- */

struct reading {
    const char *path;
    struct tc_buf text;
    bool failed;
};

static void read_file(void *arg)
{
    struct reading *reading = arg;
    int fd = open(reading->path, O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;
    char *to;

    while (fd >= 0 && (to = tc_buf_reserve(&reading->text, 64 * 1024)) && (n = read(fd, to, 64 * 1024)) > 0)
        reading->text.n += (size_t)n;
    reading->failed = fd < 0 || n != 0;
    if (fd >= 0)
        close(fd);
}

static enum tc_err load_file(struct tc_cx *cx, struct tc_str path, struct tc_str *ret_text)
{
    struct reading reading = {.path = tc_arena_cstr(cx->arena, path)};
    enum tc_err err;

    if (!reading.path)
        return tc_fail_memory(cx);
    tc_buf_init(&reading.text, TC_SCRIPT_MAX);
    err = tc_offload(cx, read_file, &reading);
    if (!err && reading.failed)
        err = tc_fail(cx, TC_E_MODEL_SCRIPT, "The script %s cannot be read, or is over %d MiB.", reading.path,
                      TC_SCRIPT_MAX / 1024 / 1024);
    if (!err) {
        *ret_text = tc_buf_dup(&reading.text, cx->arena);
        err = ret_text->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&reading.text);
    return err;
}

enum tc_err tc_script_load(struct tc_cx *cx, struct tc_str path, const struct tc_json **ret_script)
{
    struct tc_str text = tc_str_of(tc_script_demo), why;
    enum tc_err err = TC_OK;

    if (path.n && !tc_str_is(path, "embedded"))
        err = load_file(cx, path, &text);
    if (err)
        return err;
    err = tc_json_parse_root(cx, text, NULL, ret_script);
    if (!err || err == TC_E_NO_MEMORY)
        return err;
    why = cx->err.message;
    return tc_fail(cx, TC_E_MODEL_SCRIPT, "The script %.*s is no JSON: %.*s", TC_STR_ARG(path), TC_STR_ARG(why));
}

/* --- what the model is shown --- */

static void show_part(struct tc_buf *to, const struct tc_part *part, const char *role)
{
    size_t i;

    switch (part->kind) {
    case TC_PART_TEXT:
        tc_buf_printf(to, "%s: ", role);
        tc_buf_str(to, part->text);
        break;
    case TC_PART_CALL:
        tc_buf_printf(to, "call %.*s ", TC_STR_ARG(part->name));
        tc_json_print(to, part->arguments);
        break;
    case TC_PART_RESULT:
        tc_buf_printf(to, "%s %.*s: ", part->is_error ? "error" : "result", TC_STR_ARG(part->name));
        tc_buf_str(to, part->text);
        break;
    case TC_PART_OPAQUE:
        tc_buf_cstr(to, "reasoning: ");
        tc_buf_str(to, part->opaque);
        break;
    case TC_PART_IMAGE:
        break;
    }
    for (i = 0; i < part->images_n; i++)
        tc_buf_printf(to, "[image %.*s]", TC_STR_ARG(part->images[i].mime));
    tc_buf_char(to, '\n');
}

static void show_choice(struct tc_buf *to, const struct tc_model_request *request)
{
    static const char *const names[] = {"auto", "none", "required", "tool"};

    tc_buf_printf(to, "\nchoice: %s", names[request->choice]);
    if (request->choice == TC_CHOICE_TOOL)
        tc_buf_printf(to, " %.*s", TC_STR_ARG(request->choice_name));
    tc_buf_char(to, '\n');
}

enum tc_err tc_script_shown(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str *ret_text)
{
    struct tc_buf text;
    size_t i, j;

    tc_buf_init(&text, cx->arena->max ? cx->arena->max : TC_SCRIPT_MAX);
    tc_buf_cstr(&text, "system: ");
    tc_buf_str(&text, request->system);
    tc_buf_char(&text, '\n');
    for (i = 0; i < request->messages_n; i++)
        for (j = 0; j < request->messages[i].n; j++)
            show_part(&text, &request->messages[i].parts[j],
                      request->messages[i].role == TC_ROLE_USER ? "user" : "assistant");
    tc_buf_cstr(&text, "tools:");
    for (i = 0; i < request->tools_n; i++)
        tc_buf_printf(&text, " %.*s%s", TC_STR_ARG(request->tools[i].name), request->tools[i].deferred ? "?" : "");
    show_choice(&text, request);
    *ret_text = tc_buf_dup(&text, cx->arena);
    tc_buf_finish(&text);
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

/* --- the turn that is due --- */

static const struct tc_json *scene_of(const struct tc_json *script, struct tc_str said)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(script, "scenes"));
    const struct tc_json *scene;

    while (tc_json_next(&it, NULL, &scene))
        if (tc_str_find_nocase(said, tc_json_str(tc_json_get_c(scene, "when"))) != SIZE_MAX)
            return scene;
    return NULL;
}

static const struct tc_json *scene_of_message(const struct tc_json *script, const struct tc_message *message)
{
    const struct tc_json *scene = NULL;
    size_t i;

    for (i = message->n; i > 0 && !scene; i--)
        if (message->parts[i - 1].kind == TC_PART_TEXT)
            scene = scene_of(script, message->parts[i - 1].text);
    return scene;
}

static const struct tc_json *due(const struct tc_json *script, const struct tc_model_request *request)
{
    const struct tc_json *scene, *turn;
    size_t i, said = 0;

    for (i = request->messages_n; i > 0; i--) {
        const struct tc_message *message = &request->messages[i - 1];

        if (message->role == TC_ROLE_ASSISTANT) {
            said++;
            continue;
        }
        scene = scene_of_message(script, message);
        turn = tc_json_at(tc_json_get_c(scene, "turns"), said);
        if (scene)
            return turn ? turn : tc_json_get_c(script, "otherwise");
    }
    turn = tc_json_at(tc_json_get_c(script, "turns"), said);
    return turn ? turn : tc_json_get_c(script, "otherwise");
}

static bool found(struct tc_str shown, const struct tc_json *wanted)
{
    return tc_str_find(shown, tc_json_str(wanted)) != SIZE_MAX;
}

/* Every text of `member` has to be, or must not be, in what is shown. */
static enum tc_err expect(struct tc_cx *cx, const struct tc_json *turn, struct tc_str shown, bool there)
{
    const struct tc_json *wanted = tc_json_get_c(turn, there ? "expect" : "absent"), *item;
    struct tc_json_iter it = tc_json_iter(wanted);
    const struct tc_json *missed = NULL;

    if (tc_json_is(wanted, TC_JSON_STRING) && found(shown, wanted) != there)
        missed = wanted;
    while (!missed && tc_json_next(&it, NULL, &item))
        if (found(shown, item) != there)
            missed = item;
    if (!missed)
        return TC_OK;
    return tc_fail(cx, TC_E_MODEL_SCRIPT, "The script expects the model to be shown %s\"%.*s\".", there ? "" : "no ",
                   TC_STR_ARG(tc_json_str(missed)));
}

enum tc_err tc_script_turn(struct tc_cx *cx, const struct tc_json *script, const struct tc_model_request *request,
                           const struct tc_json **ret_turn)
{
    const struct tc_json *turn = due(script, request);
    struct tc_str shown;
    enum tc_err err = TC_OK;

    if (!tc_json_is(turn, TC_JSON_OBJECT)) {
        tc_fail(cx, TC_E_MODEL_SCRIPT, "The script has no turn that is due.");
        return tc_fail_hint(cx, "Add one to its turns or to a scene, or \"otherwise\".");
    }
    if (tc_json_get_c(turn, "expect") || tc_json_get_c(turn, "absent")) {
        err = tc_script_shown(cx, request, &shown);
        if (!err)
            err = expect(cx, turn, shown, true);
        if (!err)
            err = expect(cx, turn, shown, false);
    }
    if (!err)
        *ret_turn = turn;
    return err;
}
