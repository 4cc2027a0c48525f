/*
 * A walk that finds a dirty string, and one that writes the value anew. Both
 * recurse as deep as the parser allows (TC_JSON_DEPTH_MAX).
 */
#include "mcp/codec/clean.h"

#include "base/utf8.h"
#include "toolcrib/jsonw.h"

enum { COPY_MAX = 128 << 20 };

bool tc_mcp_clean_suspect(struct tc_str text)
{
    /* NUL is always escaped; a tag character is F3 A0 80 80 to F3 A0 81 BF. An
     * escape is suspect only when it makes one of them: NUL, or the pair that
     * begins with DB40. */
    struct tc_str rest = text, digits;
    size_t at;

    while ((at = tc_str_chr(rest, '\xf3')) != SIZE_MAX) {
        rest = tc_str_from(rest, at + 1);
        if (rest.n && rest.p[0] == '\xa0')
            return true;
    }
    rest = text;
    while ((at = tc_str_find(rest, TC_STR("\\u"))) != SIZE_MAX) {
        rest = tc_str_from(rest, at + 2);
        digits = tc_str_n(rest.p, rest.n < 4 ? rest.n : 4);
        if (tc_str_is(digits, "0000") || tc_str_eq_nocase(digits, TC_STR("db40")))
            return true;
    }
    return false;
}

static bool dirty(const struct tc_json *v)
{
    struct tc_json_iter it;
    const struct tc_json *item;
    struct tc_str key;

    if (tc_json_is(v, TC_JSON_STRING))
        return tc_utf8_dirty(tc_json_str(v));
    for (it = tc_json_iter(v); tc_json_next(&it, &key, &item);) {
        if ((it.object && tc_utf8_dirty(key)) || dirty(item))
            return true;
    }
    return false;
}

/* Writes v clean; `scratch` holds one string at a time. */
static void write_clean(struct tc_jsonw *w, struct tc_buf *scratch, const struct tc_json *v)
{
    struct tc_json_iter it;
    const struct tc_json *item;
    struct tc_str key;

    if (tc_json_is(v, TC_JSON_STRING)) {
        tc_buf_clear(scratch);
        tc_utf8_clean(scratch, tc_json_str(v));
        tc_jsonw_str(w, tc_buf_get(scratch));
    } else if (tc_json_is(v, TC_JSON_OBJECT)) {
        tc_jsonw_object(w);
        for (it = tc_json_iter(v); tc_json_next(&it, &key, &item);) {
            tc_buf_clear(scratch);
            tc_utf8_clean(scratch, key);
            tc_jsonw_key_str(w, tc_buf_get(scratch));
            write_clean(w, scratch, item);
        }
        tc_jsonw_end(w);
    } else if (tc_json_is(v, TC_JSON_ARRAY)) {
        tc_jsonw_array(w);
        for (it = tc_json_iter(v); tc_json_next(&it, &key, &item);)
            write_clean(w, scratch, item);
        tc_jsonw_end(w);
    } else {
        tc_jsonw_value(w, v);
    }
}

enum tc_err tc_mcp_clean(struct tc_cx *cx, const struct tc_json *v, const struct tc_json **ret_v)
{
    struct tc_buf buf, scratch;
    struct tc_jsonw w;
    enum tc_err code;

    if (!dirty(v)) {
        *ret_v = v;
        return TC_OK;
    }
    tc_buf_init(&buf, COPY_MAX);
    tc_buf_init(&scratch, COPY_MAX);
    tc_jsonw_init(&w, &buf);
    write_clean(&w, &scratch, v);
    if (buf.failed)
        code = tc_fail_memory(cx);
    else
        code = tc_json_parse_root(cx, tc_buf_get(&buf), &(struct tc_json_limits){.max_bytes = COPY_MAX}, ret_v);
    tc_buf_finish(&scratch);
    tc_buf_finish(&buf);
    return code;
}
