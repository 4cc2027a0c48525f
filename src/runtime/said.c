/*
 * What a model said and what it is told.
 */
#include "runtime/said.h"

#include "runtime/arguments.h"
#include "toolcrib/jsonw.h"

enum { ARGUMENTS_MAX = 8 * 1024 * 1024, RESULT_MAX = 192 * 1024 * 1024 };

/* Arguments */

static enum tc_err quote(struct tc_cx *cx, struct tc_str text, const struct tc_json **ret_string)
{
    struct tc_json_limits limits = {.max_bytes = 6 * (size_t)ARGUMENTS_MAX};
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, limits.max_bytes);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_str(&w, text);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), &limits, ret_string);
    tc_buf_finish(&buf);
    return e;
}

static enum tc_err read_wire(struct tc_cx *cx, const struct tc_item *call, const struct tc_json **ret_wire)
{
    struct tc_json_limits limits = {.max_bytes = ARGUMENTS_MAX, .flags = TC_JSON_CLEAN};
    enum tc_err e;

    *ret_wire = NULL;
    if (!call->arguments.p)
        return TC_OK;
    if (call->is_object) {
        e = tc_json_parse_root(cx, call->arguments, &limits, ret_wire);
        if (!e || e == TC_E_NO_MEMORY)
            return e;
        tc_fail_clear(cx);
    }
    return quote(cx, call->arguments, ret_wire);
}

enum tc_err tc_said_arguments(struct tc_cx *cx, const struct tc_item *call,
                              const struct tc_schema_projection *projection, const struct tc_json **ret_arguments)
{
    const struct tc_json *wire, *object;
    enum tc_err e = read_wire(cx, call, &wire);

    if (e)
        return e;
    *ret_arguments = wire;
    if (!projection || (projection->renames_n == 0 && projection->nulls_n == 0))
        return TC_OK;
    e = tc_arguments_read(cx, wire, &object);
    if (e == TC_E_NO_MEMORY)
        return e;
    if (e) { /* the pipeline refuses them, and says why */
        tc_fail_clear(cx);
        return TC_OK;
    }
    return tc_schema_names_back(cx, projection, object, ret_arguments);
}

/* Results */

static struct tc_str text_of(const struct tc_json *block)
{
    struct tc_str kind = tc_json_str(tc_json_get_c(block, "type"));

    if (tc_str_is(kind, "text"))
        return tc_json_str(tc_json_get_c(block, "text"));
    if (tc_str_is(kind, "resource"))
        return tc_json_str(tc_json_pointer(block, TC_STR("/resource/text")));
    if (tc_str_is(kind, "resource_link"))
        return tc_json_str(tc_json_get_c(block, "uri"));
    return TC_STR("");
}

static void add_block(struct tc_buf *text, struct tc_part *part, const struct tc_json *block)
{
    struct tc_str more = text_of(block);

    if (tc_str_is(tc_json_str(tc_json_get_c(block, "type")), "image"))
        part->images[part->images_n++] = (struct tc_image_data){tc_json_str(tc_json_get_c(block, "mimeType")),
                                                                tc_json_str(tc_json_get_c(block, "data"))};
    if (text->n && more.n)
        tc_buf_cstr(text, "\n\n");
    tc_buf_str(text, more);
}

enum tc_err tc_said_result(struct tc_cx *cx, const struct tc_call_result *result, struct tc_part *ret_part)
{
    struct tc_json_limits limits = {.max_bytes = RESULT_MAX};
    struct tc_part part = {.kind = TC_PART_RESULT, .is_error = result->is_error};
    const struct tc_json *blocks, *block;
    struct tc_json_iter it;
    struct tc_buf text;
    enum tc_err e = tc_json_parse_root(cx, result->content, &limits, &blocks);

    if (e)
        return e;
    part.images = TC_ARENA_NEW_N(cx->arena, struct tc_image_data, tc_json_count(blocks) + 1);
    if (!part.images)
        return tc_fail_memory(cx);
    tc_buf_init(&text, RESULT_MAX);
    for (it = tc_json_iter(blocks); tc_json_next(&it, NULL, &block);)
        add_block(&text, &part, block);
    if (text.n == 0)
        tc_buf_str(&text, result->structured);
    if (text.n == 0)
        tc_buf_cstr(&text, part.images_n ? "(an image)" : "(no output)");
    part.text = tc_buf_dup(&text, cx->arena);
    tc_buf_finish(&text);
    if (!part.text.p)
        return tc_fail_memory(cx);
    *ret_part = part;
    return TC_OK;
}
