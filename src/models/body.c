/*
 * Pieces of requests that more than one protocol has. All of them only append; what
 * does not fit makes the buffer fail, which tc_body_end looks at once.
 */
#include "models/body.h"

bool tc_body_key(struct tc_jsonw *w, const struct tc_model_request *request, const char *key)
{
    if (tc_json_get_c(request->extra, key))
        return false;
    tc_jsonw_key(w, key);
    return true;
}

void tc_body_extra(struct tc_jsonw *w, const struct tc_json *extra, const char *but)
{
    struct tc_json_iter it = tc_json_iter(extra);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        if (but && tc_str_is(key, but))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
}

void tc_body_data_uri(struct tc_jsonw *w, const struct tc_image_data *image)
{
    tc_jsonw_printf(w, "data:%.*s;base64,%.*s", TC_STR_ARG(image->mime), TC_STR_ARG(image->base64));
}

void tc_body_result_text(struct tc_jsonw *w, const struct tc_model_request *request, const struct tc_part *result,
                         bool errors_in_text)
{
    bool error = errors_in_text && result->is_error && !tc_str_starts(result->text, TC_STR("Error"));
    bool follow = result->images_n && request->caps->result_images == TC_RESULT_IMAGES_USER_MESSAGE;
    const char *lead = error ? "Error: " : "";

    if (follow)
        tc_jsonw_printf(w, "%s%.*s\n\n[%zu image%s of this result: see below, behind the results.]", lead,
                        TC_STR_ARG(result->text), result->images_n, result->images_n == 1 ? "" : "s");
    else if (error)
        tc_jsonw_printf(w, "%s%.*s", lead, TC_STR_ARG(result->text));
    else
        tc_jsonw_str(w, result->text);
}

void tc_body_image_label(struct tc_jsonw *w, const struct tc_part *result, size_t call, size_t i)
{
    tc_jsonw_printf(w, "Image %zu of %zu from the result of call %zu (%.*s):", i + 1, result->images_n, call,
                    TC_STR_ARG(result->name));
}

size_t tc_body_results(const struct tc_message *message)
{
    size_t n = 0;

    while (n < message->n && message->parts[n].kind == TC_PART_RESULT)
        n++;
    return n;
}

enum tc_err tc_body_signature(struct tc_cx *cx, const struct tc_part *part, const struct tc_json **ret_signature)
{
    *ret_signature = NULL;
    return part->opaque.n ? tc_json_parse_root(cx, part->opaque, NULL, ret_signature) : TC_OK;
}

enum tc_err tc_body_call_signature(struct tc_cx *cx, const struct tc_message *calls, size_t n,
                                   const struct tc_json **ret_signature)
{
    *ret_signature = NULL;
    for (size_t i = 0; calls && i < calls->n; i++)
        if (calls->parts[i].kind == TC_PART_CALL && n-- == 0)
            return tc_body_signature(cx, &calls->parts[i], ret_signature);
    return TC_OK;
}

enum tc_err tc_body_bearer(struct tc_cx *cx, struct tc_str key, struct tc_model_wire *ret_wire)
{
    struct tc_str value = tc_arena_printf(cx->arena, "Bearer %.*s", TC_STR_ARG(key));

    if (!value.p)
        return tc_fail_memory(cx);
    if (key.n)
        ret_wire->headers[ret_wire->headers_n++] = (struct tc_model_header){TC_STR("Authorization"), value};
    return TC_OK;
}

enum tc_err tc_body_names(struct tc_cx *cx, const struct tc_json *list, const char *key, struct tc_str **ret_names,
                          size_t *ret_n)
{
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, tc_json_count(list) + 1);
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *item;
    size_t n = 0;

    if (!names)
        return tc_fail_memory(cx);
    while (tc_json_next(&it, NULL, &item)) {
        struct tc_str name = tc_json_str(tc_json_get_c(item, key));
        if (name.n)
            names[n++] = name;
    }
    *ret_names = names;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_body_end(struct tc_cx *cx, const struct tc_buf *to)
{
    return to->failed ? tc_fail_memory(cx) : TC_OK;
}
