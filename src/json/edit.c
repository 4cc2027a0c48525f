/*
 * The recursion is as deep as the path.
 */
#include "json/edit.h"

enum { EDITED_MAX = 64 * 1024 * 1024 };

/* The member on the path: the end of it, or what is below. */
static void write_member(struct tc_jsonw *w, const struct tc_json *value, const struct tc_str *path, size_t n,
                         struct tc_str json)
{
    if (n == 1 && json.n == 0)
        return;
    tc_jsonw_key_str(w, path[0]);
    if (n == 1)
        tc_jsonw_raw(w, json);
    else
        tc_json_edit(w, value, path + 1, n - 1, json);
}

void tc_json_edit(struct tc_jsonw *w, const struct tc_json *object, const struct tc_str *path, size_t n,
                  struct tc_str json)
{
    struct tc_json_iter it = tc_json_iter(tc_json_is(object, TC_JSON_OBJECT) ? object : NULL);
    const struct tc_json *value;
    struct tc_str key;
    bool found = false;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_eq(key, path[0])) {
            found = true;
            write_member(w, value, path, n, json);
        } else {
            tc_jsonw_key_str(w, key);
            tc_jsonw_value(w, value);
        }
    }
    if (!found && json.n)
        write_member(w, NULL, path, n, json);
    tc_jsonw_end(w);
}

struct tc_str tc_json_edited(struct tc_arena *arena, const struct tc_json *object, const struct tc_str *path, size_t n,
                             struct tc_str json)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;

    tc_buf_init(&buf, EDITED_MAX);
    tc_jsonw_init(&w, &buf);
    tc_json_edit(&w, object, path, n, json);
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return text;
}

static void write_merged(struct tc_jsonw *w, struct tc_str key, const struct tc_json *former,
                         const struct tc_json *patch)
{
    if (tc_json_is(patch, TC_JSON_NULL))
        return;
    tc_jsonw_key_str(w, key);
    if (tc_json_is(patch, TC_JSON_OBJECT))
        tc_json_merge(w, former, patch);
    else
        tc_jsonw_value(w, patch);
}

void tc_json_merge(struct tc_jsonw *w, const struct tc_json *object, const struct tc_json *patch)
{
    const struct tc_json *former = tc_json_is(object, TC_JSON_OBJECT) ? object : NULL, *value, *change;
    struct tc_json_iter it = tc_json_iter(former);
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        change = tc_json_get(patch, key);
        if (change) {
            write_merged(w, key, value, change);
        } else {
            tc_jsonw_key_str(w, key);
            tc_jsonw_value(w, value);
        }
    }
    for (it = tc_json_iter(patch); tc_json_next(&it, &key, &change);)
        if (!tc_json_get(former, key))
            write_merged(w, key, NULL, change);
    tc_jsonw_end(w);
}
