/*
 * Digesting and shaping of results.
 */
#include "runtime/result.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "runtime/image.h"
#include "toolcrib/jsonw.h"

static enum tc_err parse_own(struct tc_cx *cx, struct tc_str json, const struct tc_json **ret)
{
    struct tc_json_limits limits = {.max_bytes = 2 * (size_t)TC_RESULT_BYTES_MAX};

    return tc_json_parse_root(cx, json, &limits, ret);
}

static enum tc_err take_text(struct tc_cx *cx, struct tc_buf *buf, struct tc_str *ret)
{
    *ret = tc_buf_dup(buf, cx->arena);
    tc_buf_finish(buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static bool is_kind(const struct tc_json *block, const char *kind)
{
    return tc_str_is(tc_json_str(tc_json_get_c(block, "type")), kind);
}

/* The text that a block shows: a text block, or an embedded text resource. */
static struct tc_str text_of(const struct tc_json *block)
{
    if (is_kind(block, "text"))
        return tc_json_str(tc_json_get_c(block, "text"));
    if (is_kind(block, "resource"))
        return tc_json_str(tc_json_get_c(tc_json_get_c(block, "resource"), "text"));
    return TC_STR("");
}

/* --- digest --- */

struct digesting {
    struct tc_digest *digest;
    struct tc_str stem;
    struct tc_jsonw w;
    size_t images; /* met so far, passing or not */
};

static enum tc_err digest_image(struct tc_cx *cx, struct digesting *d, const struct tc_json *block)
{
    struct tc_str base64 = tc_json_str(tc_json_get_c(block, "data"));
    struct tc_image_info info = {0};
    char hex[TC_HASH_HEX_SIZE];
    const char *refusal;
    struct tc_str path, bytes;
    enum tc_err e = tc_image_open(cx, base64, &info, &bytes, &refusal);

    if (e)
        return e;
    d->images++;
    tc_jsonw_object(&d->w);
    tc_jsonw_kcstr(&d->w, "type", "image");
    tc_jsonw_kint(&d->w, "bytes", (int64_t)bytes.n);
    if (refusal) {
        tc_jsonw_kstr(&d->w, "mimeType", tc_json_str(tc_json_get_c(block, "mimeType")));
        tc_jsonw_kcstr(&d->w, "leftOut", refusal);
    } else {
        tc_hash_sha256_hex(bytes, hex);
        path = tc_arena_printf(cx->arena, "%.*s-image-%zu.%s", TC_STR_ARG(d->stem), d->images,
                               tc_image_extension(info.mime));
        if (!path.p)
            return tc_fail_memory(cx);
        tc_jsonw_kcstr(&d->w, "mimeType", info.mime);
        tc_jsonw_kstr(&d->w, "path", path);
        tc_jsonw_kcstr(&d->w, "sha256", hex);
        d->digest->images[d->digest->images_n++] = (struct tc_result_image){path, base64, tc_str_of(info.mime)};
    }
    tc_jsonw_end(&d->w);
    return TC_OK;
}

static void write_rest(struct tc_jsonw *w, const struct tc_json *raw)
{
    struct tc_json_iter it = tc_json_iter(raw);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "content"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
}

static enum tc_err join_text(struct tc_cx *cx, struct tc_digest *digest)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(digest->root, "content"));
    const struct tc_json *block;
    struct tc_str key, text;
    struct tc_buf buf;
    size_t parts = 0;

    tc_buf_init(&buf, 2 * (size_t)TC_RESULT_BYTES_MAX);
    while (tc_json_next(&it, &key, &block)) {
        text = text_of(block);
        if (text.n == 0)
            continue;
        if (parts++)
            tc_buf_cstr(&buf, "\n\n");
        tc_buf_str(&buf, text);
    }
    if (take_text(cx, &buf, &digest->text))
        return cx->err.code;
    digest->chars = tc_utf8_count(digest->text);
    return TC_OK;
}

enum tc_err tc_result_restore(struct tc_cx *cx, struct tc_str json, struct tc_digest *ret_digest)
{
    enum tc_err e;

    *ret_digest = (struct tc_digest){.json = json};
    e = parse_own(cx, json, &ret_digest->root);
    return e ? e : join_text(cx, ret_digest);
}

bool tc_result_has_images(const struct tc_json *raw)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(raw, "content"));
    const struct tc_json *block;
    struct tc_str key;

    while (tc_json_next(&it, &key, &block))
        if (is_kind(block, "image"))
            return true;
    return false;
}

/* Nothing is replaced: the result is its own digest. */
static enum tc_err digest_as_it_is(struct tc_cx *cx, const struct tc_json *raw, struct tc_digest *ret_digest)
{
    struct tc_buf buf;

    *ret_digest = (struct tc_digest){.root = raw};
    tc_buf_init(&buf, 2 * (size_t)TC_RESULT_BYTES_MAX);
    tc_json_print(&buf, raw);
    return take_text(cx, &buf, &ret_digest->json) ? cx->err.code : join_text(cx, ret_digest);
}

static enum tc_err digest_images(struct tc_cx *cx, const struct tc_json *raw, struct tc_str stem,
                                 struct tc_digest *ret_digest)
{
    const struct tc_json *content = tc_json_get_c(raw, "content"), *block;
    struct tc_json_iter it = tc_json_iter(content);
    struct digesting d = {.digest = ret_digest, .stem = stem};
    struct tc_str key, json;
    struct tc_buf buf;
    enum tc_err e = TC_OK;

    *ret_digest = (struct tc_digest){0};
    ret_digest->images = TC_ARENA_NEW_N(cx->arena, struct tc_result_image, tc_json_count(content) + 1);
    if (!ret_digest->images)
        return tc_fail_memory(cx);
    tc_buf_init(&buf, 2 * (size_t)TC_RESULT_BYTES_MAX);
    tc_jsonw_init(&d.w, &buf);
    tc_jsonw_object(&d.w);
    tc_jsonw_key(&d.w, "content");
    tc_jsonw_array(&d.w);
    while (!e && tc_json_next(&it, &key, &block)) {
        if (is_kind(block, "image"))
            e = digest_image(cx, &d, block);
        else
            tc_jsonw_value(&d.w, block);
    }
    tc_jsonw_end(&d.w);
    write_rest(&d.w, raw);
    tc_jsonw_end(&d.w);
    if (e) {
        tc_buf_finish(&buf);
        return e;
    }
    if (take_text(cx, &buf, &json))
        return cx->err.code;
    ret_digest->json = json;
    e = parse_own(cx, json, &ret_digest->root);
    return e ? e : join_text(cx, ret_digest);
}

enum tc_err tc_result_digest(struct tc_cx *cx, const struct tc_json *raw, struct tc_str stem,
                             struct tc_digest *ret_digest)
{
    bool as_it_is = tc_json_is(tc_json_get_c(raw, "content"), TC_JSON_ARRAY) && !tc_result_has_images(raw);

    return as_it_is ? digest_as_it_is(cx, raw, ret_digest) : digest_images(cx, raw, stem, ret_digest);
}

/* --- shape --- */

bool tc_result_is_long(const struct tc_digest *digest, const struct tc_shape *shape)
{
    return shape->limit >= 0 && digest->chars > (size_t)shape->limit;
}

static void write_text(struct tc_jsonw *w, struct tc_str text)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "text");
    tc_jsonw_kstr(w, "text", text);
    tc_jsonw_end(w);
}

/* How a model reads on, with the tools that it has. */
static void write_way(struct tc_buf *note, const struct tc_shape *shape)
{
    if (shape->path.n && shape->read_tool.n)
        tc_buf_printf(note, " Read it in parts with %.*s (file_path \"%.*s\", offset, limit).",
                      TC_STR_ARG(shape->read_tool), TC_STR_ARG(shape->path));
    if (shape->path.n && shape->search_tool.n)
        tc_buf_printf(note, " Search it with %.*s (path \"%.*s\").", TC_STR_ARG(shape->search_tool),
                      TC_STR_ARG(shape->path));
    if (shape->result_id.n)
        tc_buf_printf(note, " The whole text is the resource toolcrib://results/%.*s.", TC_STR_ARG(shape->result_id));
}

static enum tc_err write_preview(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_digest *digest,
                                 const struct tc_shape *shape)
{
    struct tc_str head = tc_utf8_head(digest->text, TC_RESULT_PREVIEW), text;
    struct tc_buf note;

    tc_buf_init(&note, 1024 * 1024);
    tc_buf_printf(&note, "This result is long: %zu characters", digest->chars);
    if (shape->path.n)
        tc_buf_printf(&note, ", saved as %.*s", TC_STR_ARG(shape->path));
    tc_buf_char(&note, '.');
    write_way(&note, shape);
    if (head.n == digest->text.n) /* the limit is below what a preview shows */
        tc_buf_printf(&note, "\n\nAll of it:\n\n%.*s", TC_STR_ARG(head));
    else
        tc_buf_printf(&note, "\n\nIncomplete preview, the first %zu characters:\n\n%.*s", tc_utf8_count(head),
                      TC_STR_ARG(head));
    if (take_text(cx, &note, &text))
        return cx->err.code;
    write_text(w, text);
    return TC_OK;
}

/* Without a workspace: head and tail. */
static enum tc_err write_ends(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_digest *digest,
                              const struct tc_shape *shape)
{
    size_t half = (size_t)shape->max_chars / 2;
    struct tc_str head = tc_utf8_head(digest->text, half), tail = tc_utf8_tail(digest->text, half), text;
    struct tc_buf note;

    if (shape->max_chars <= 0 || digest->chars <= (size_t)shape->max_chars) {
        write_text(w, digest->text);
        return TC_OK;
    }
    tc_buf_init(&note, 2 * (size_t)TC_RESULT_BYTES_MAX);
    tc_buf_str(&note, head);
    tc_buf_printf(&note, "\n\n[%zu characters in the middle are left out.", digest->chars - 2 * half);
    write_way(&note, shape);
    tc_buf_cstr(&note, "]\n\n");
    tc_buf_str(&note, tail);
    if (take_text(cx, &note, &text))
        return cx->err.code;
    write_text(w, text);
    return TC_OK;
}

static void write_link(struct tc_jsonw *w, const struct tc_digest *digest, const struct tc_shape *shape)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "resource_link");
    tc_jsonw_key(w, "uri");
    tc_jsonw_printf(w, "toolcrib://results/%.*s", TC_STR_ARG(shape->result_id));
    tc_jsonw_kcstr(w, "name", "Whole result");
    tc_jsonw_kcstr(w, "mimeType", "text/plain");
    tc_jsonw_kint(w, "size", (int64_t)digest->text.n);
    tc_jsonw_end(w);
}

struct shaping {
    const struct tc_digest *digest;
    const struct tc_shape *shape;
    struct tc_jsonw w;
    struct tc_buf missing; /* lines about images left out */
    bool cut, with_bytes;
    size_t blocks, image, passed;
};

static void shape_image(struct shaping *s, const struct tc_json *block)
{
    struct tc_str refusal = tc_json_str(tc_json_get_c(block, "leftOut")),
                  mime = tc_json_str(tc_json_get_c(block, "mimeType"));

    s->image++;
    if (refusal.n || !s->shape->image_input) {
        if (s->missing.n)
            tc_buf_char(&s->missing, '\n');
        tc_buf_printf(&s->missing, "Image %zu (%.*s) is left out: %.*s.", s->image,
                      TC_STR_ARG(mime.n ? mime : TC_STR("unknown kind")),
                      TC_STR_ARG(refusal.n ? refusal : TC_STR("this model takes no images")));
        s->passed += !refusal.n;
        return;
    }
    tc_jsonw_object(&s->w);
    tc_jsonw_kcstr(&s->w, "type", "image");
    if (s->with_bytes && s->passed < s->digest->images_n)
        tc_jsonw_kstr(&s->w, "data", s->digest->images[s->passed].base64);
    else
        tc_jsonw_kvalue(&s->w, "sha256", tc_json_get_c(block, "sha256"));
    tc_jsonw_kstr(&s->w, "mimeType", mime);
    tc_jsonw_end(&s->w);
    s->passed++;
    s->blocks++;
}

static void shape_block(struct shaping *s, const struct tc_json *block)
{
    if (is_kind(block, "image")) {
        shape_image(s, block);
    } else if (!s->cut || text_of(block).n == 0) {
        if (!is_kind(block, "text") || text_of(block).n) {
            tc_jsonw_value(&s->w, block);
            s->blocks++;
        }
    }
}

enum tc_err tc_result_shape(struct tc_cx *cx, const struct tc_digest *digest, const struct tc_shape *shape,
                            bool with_bytes, struct tc_str *ret_content)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(digest->root, "content"));
    struct shaping s = {.digest = digest, .shape = shape, .with_bytes = with_bytes};
    const struct tc_json *block;
    struct tc_str key;
    struct tc_buf buf;
    enum tc_err e = TC_OK;

    s.cut = tc_result_is_long(digest, shape);
    tc_buf_init(&buf, 3 * (size_t)TC_RESULT_BYTES_MAX);
    tc_buf_init(&s.missing, 1024 * 1024);
    tc_jsonw_init(&s.w, &buf);
    tc_jsonw_array(&s.w);
    if (s.cut) {
        e = shape->path.n ? write_preview(cx, &s.w, digest, shape) : write_ends(cx, &s.w, digest, shape);
        if (shape->result_id.n)
            write_link(&s.w, digest, shape);
        s.blocks++;
    }
    while (!e && tc_json_next(&it, &key, &block))
        shape_block(&s, block);
    if (s.missing.n)
        write_text(&s.w, tc_buf_get(&s.missing));
    else if (s.blocks == 0 && !tc_json_get_c(digest->root, "structuredContent"))
        write_text(&s.w, TC_STR("The tool ran and returned no output."));
    tc_jsonw_end(&s.w);
    tc_buf_finish(&s.missing);
    if (e) {
        tc_buf_finish(&buf);
        return e;
    }
    return take_text(cx, &buf, ret_content);
}

enum tc_err tc_result_of_text(struct tc_cx *cx, struct tc_str text, struct tc_str structured, bool is_error,
                              const struct tc_json **ret_raw)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str json;

    tc_buf_init(&buf, 2 * (size_t)TC_RESULT_BYTES_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "content");
    tc_jsonw_array(&w);
    if (text.n)
        write_text(&w, text);
    tc_jsonw_end(&w);
    if (structured.n) {
        tc_jsonw_key(&w, "structuredContent");
        tc_jsonw_raw(&w, structured);
    }
    if (is_error)
        tc_jsonw_kbool(&w, "isError", true);
    tc_jsonw_end(&w);
    if (take_text(cx, &buf, &json))
        return cx->err.code;
    return parse_own(cx, json, ret_raw);
}
