/*
 * Images of a transcript: on the tape they are paths in the workspace. Their bytes are
 * read for each request and go with it; where one cannot be shown a line says so.
 */
#include "runtime/transcript_impl.h"

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* A line in the place of an image that cannot be shown. */
static struct tc_str line_of(struct tc_cx *cx, size_t number, struct tc_str mime, struct tc_str path, bool takes)
{
    return tc_arena_printf(cx->arena, "Image %zu (%.*s, %.*s) is left out: %s.", number, TC_STR_ARG(mime),
                           TC_STR_ARG(path), takes ? "its file is not there any more" : "this model takes no images");
}

/* The bytes, or a line that stands in their place. */
static enum tc_err load(struct tc_cx *cx, const struct tc_transcript_options *o, const struct tc_json *image,
                        size_t number, struct tc_image_data *ret, struct tc_str *ret_line)
{
    struct tc_str path = member(image, "path"), mime = member(image, "mimeType"), base64 = {NULL, 0};
    bool takes = o->caps->image_input && o->image;
    enum tc_err e = takes ? o->image(cx, o->arg, path, &base64) : TC_OK;

    if (e)
        return e;
    *ret_line = base64.p ? TC_STR("") : line_of(cx, number, mime, path, takes);
    *ret = (struct tc_image_data){mime, base64};
    return ret_line->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err load_image(struct tc_cx *cx, const struct tc_transcript_options *o,
                              const struct tc_transcript_image *image, struct tc_part *part)
{
    struct tc_image_data *data = TC_ARENA_NEW(cx->arena, struct tc_image_data);
    struct tc_str line;
    enum tc_err e = data ? load(cx, o, image->images, image->number, data, &line) : tc_fail_memory(cx);

    if (e)
        return e;
    if (line.n)
        *part = (struct tc_part){.kind = TC_PART_TEXT, .text = line};
    else
        *part = (struct tc_part){.kind = TC_PART_IMAGE, .images = data, .images_n = 1};
    return TC_OK;
}

static enum tc_err load_result(struct tc_cx *cx, const struct tc_transcript_options *o,
                               const struct tc_transcript_image *image, struct tc_part *part)
{
    struct tc_json_iter it = tc_json_iter(image->images);
    const struct tc_json *one;
    size_t number = 0;

    part->images = TC_ARENA_NEW_N(cx->arena, struct tc_image_data, tc_json_count(image->images));
    if (!part->images)
        return tc_fail_memory(cx);
    while (tc_json_next(&it, NULL, &one)) {
        struct tc_str line;
        enum tc_err e = load(cx, o, one, ++number, &part->images[part->images_n], &line);
        if (e)
            return e;
        part->images_n += line.n == 0;
        if (line.n)
            part->text = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(part->text), part->text.n ? "\n" : "",
                                         TC_STR_ARG(line));
        if (!part->text.p && line.n)
            return tc_fail_memory(cx);
    }
    if (tc_str_trim(part->text).n == 0)
        part->text = tc_str_of(tc_transcript_silent);
    return TC_OK;
}

static enum tc_err copy_parts(struct tc_cx *cx, struct tc_message *message)
{
    struct tc_part *parts = TC_ARENA_NEW_N(cx->arena, struct tc_part, message->n);

    if (!parts)
        return tc_fail_memory(cx);
    memcpy(parts, message->parts, message->n * sizeof *parts);
    message->parts = parts;
    return TC_OK;
}

enum tc_err tc_transcript_load(struct tc_cx *cx, const struct tc_transcript *t,
                               const struct tc_transcript_options *options)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < t->images_n && !e; i++) {
        const struct tc_transcript_image *image = &t->images[i];
        struct tc_message *message = &t->messages[image->message];
        struct tc_part *part;
        if (i == 0 || t->images[i - 1].message != image->message)
            e = copy_parts(cx, message);
        if (e)
            break;
        part = &message->parts[image->part];
        e = part->kind == TC_PART_RESULT ? load_result(cx, options, image, part)
                                         : load_image(cx, options, image, part);
    }
    return e;
}
