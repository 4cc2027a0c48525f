/*
 * Files have names of their own: several runs of a session share a workspace. They lie in
 * tool-results/, where tools read and nothing writes, since a tape shows them again.
 */
#include "runtime/run_input.h"

#include "base/clock.h"
#include "base/rand.h"
#include "runtime/image.h"
#include "runtime/workspaces.h"

/* --- taking --- */

struct taking {
    struct tc_run_input *input;
    size_t cap;
    char id[TC_RAND_ID_SIZE]; /* in the names of the files */
};

static bool is_image(const struct tc_json *part)
{
    return tc_json_get_c(part, "image") != NULL;
}

static size_t count_images(const struct tc_json *parts)
{
    struct tc_json_iter it = tc_json_iter(parts);
    const struct tc_json *part;
    size_t n = 0;

    while (tc_json_next(&it, NULL, &part))
        n += is_image(part);
    return n;
}

static enum tc_err take_image(struct tc_cx *cx, struct taking *t, const struct tc_json *image, struct tc_jsonw *w)
{
    struct tc_run_input *input = t->input;
    struct tc_str base64 = tc_json_str(tc_json_get_c(image, "data")), bytes, path;
    struct tc_image_info info;
    const char *refusal;
    enum tc_err e = tc_image_open(cx, base64, &info, &bytes, &refusal);

    if (e)
        return e;
    if (refusal)
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Image %zu is not taken: %s.", input->n + 1, refusal);
    path = tc_arena_printf(cx->arena, "tool-results/input-%s-image-%zu.%s", t->id, input->n + 1,
                           tc_image_extension(info.mime));
    if (!path.p)
        return tc_fail_memory(cx);
    input->files[input->n++] = (struct tc_run_input_file){path, base64};
    tc_jsonw_object(w);
    tc_jsonw_key(w, "image");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "path", path);
    tc_jsonw_kcstr(w, "mimeType", info.mime);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

/* Parts as a tape has them. */
static enum tc_err take_parts(struct tc_cx *cx, struct taking *t, const struct tc_json *parts, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(parts);
    const struct tc_json *part;
    enum tc_err e = TC_OK;

    tc_jsonw_array(w);
    while (!e && tc_json_next(&it, NULL, &part)) {
        if (is_image(part))
            e = take_image(cx, t, tc_json_get_c(part, "image"), w);
        else
            tc_jsonw_value(w, part);
    }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err take_history(struct tc_cx *cx, struct taking *t, const struct tc_json *history, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(history);
    const struct tc_json *message;
    enum tc_err e = TC_OK;

    tc_jsonw_array(w);
    while (!e && tc_json_next(&it, NULL, &message)) {
        const struct tc_json *content = tc_json_get_c(message, "content");
        tc_jsonw_object(w);
        tc_jsonw_kvalue(w, "role", tc_json_get_c(message, "role"));
        tc_jsonw_key(w, "content");
        if (tc_json_is(content, TC_JSON_ARRAY))
            e = take_parts(cx, t, content, w);
        else
            tc_jsonw_value(w, content);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err taken(struct tc_cx *cx, struct taking *t, const struct tc_json **json,
                         enum tc_err (*take)(struct tc_cx *cx, struct taking *t, const struct tc_json *json,
                                             struct tc_jsonw *w))
{
    struct tc_json_limits limits = {.max_bytes = TC_RUN_INPUT_MAX};
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, TC_RUN_INPUT_MAX);
    tc_jsonw_init(&w, &buf);
    e = take(cx, t, *json, &w);
    if (!e)
        e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), &limits, json);
    tc_buf_finish(&buf);
    return e;
}

enum tc_err tc_run_input_take(struct tc_cx *cx, const struct tc_run_request *request, struct tc_run_input *ret_input)
{
    struct tc_run_input input = {.request = *request};
    struct taking t = {.input = &input};
    struct tc_json_iter it = tc_json_iter(request->history);
    const struct tc_json *message;
    size_t images = count_images(request->parts);
    enum tc_err e = TC_OK;

    while (tc_json_next(&it, NULL, &message))
        images += count_images(tc_json_get_c(message, "content"));
    if (images) {
        tc_rand_id(tc_clock_wall_ms(cx->clock), t.id);
        input.files = TC_ARENA_NEW_N(cx->arena, struct tc_run_input_file, images);
        if (!input.files)
            return tc_fail_memory(cx);
        if (request->history)
            e = taken(cx, &t, &input.request.history, take_history);
        if (!e && request->parts)
            e = taken(cx, &t, &input.request.parts, take_parts);
    }
    if (!e)
        *ret_input = input;
    return e;
}

/* --- keeping --- */

enum tc_err tc_run_input_keep(struct tc_cx *cx, const struct tc_run *run, const struct tc_run_input *input)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < input->n && !e; i++)
        e = tc_workspaces_put_base64(cx, run->runtime->workspaces, &run->invocation, run->view->agent,
                                     input->files[i].path, input->files[i].base64);
    return e;
}

/* A message of that text, or of those parts. */
static enum tc_err write_message(struct tc_cx *cx, const char *role, struct tc_str text, const struct tc_json *parts,
                                 struct tc_tape_write *ret)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, TC_RUN_INPUT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "role", role);
    tc_jsonw_key(&w, "parts");
    if (parts) {
        tc_jsonw_value(&w, parts);
    } else {
        tc_jsonw_array(&w);
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "text", text);
        tc_jsonw_end(&w);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    *ret = (struct tc_tape_write){TC_TAPE_MESSAGE, tc_buf_dup(&buf, cx->arena)};
    tc_buf_finish(&buf);
    return ret->json.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err write_kept(struct tc_cx *cx, const struct tc_json *message, struct tc_tape_write *ret)
{
    bool said = tc_str_is(tc_json_str(tc_json_get_c(message, "role")), "assistant");
    const struct tc_json *content = tc_json_get_c(message, "content");

    return write_message(cx, said ? "assistant" : "user", tc_json_str(content),
                         tc_json_is(content, TC_JSON_ARRAY) ? content : NULL, ret);
}

enum tc_err tc_run_input_put(struct tc_cx *cx, struct tc_run *run)
{
    const struct tc_run_request *request = &run->request;
    struct tc_tape_write *writes =
        TC_ARENA_NEW_N(cx->arena, struct tc_tape_write, tc_json_count(request->history) + 1);
    struct tc_json_iter it = tc_json_iter(request->history);
    const struct tc_json *message;
    size_t n = 0;
    enum tc_err e = writes ? TC_OK : tc_fail_memory(cx);

    while (!e && tc_json_next(&it, NULL, &message))
        e = write_kept(cx, message, &writes[n++]);
    if (!e && (request->text.n || request->parts))
        e = write_message(cx, "user", request->text, request->parts, &writes[n++]);
    return e || n == 0 ? e : tc_run_journal_keep(cx, &run->journal, writes, n);
}
