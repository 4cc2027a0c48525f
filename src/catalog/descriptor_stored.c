/*
 * Descriptors of stored snapshots: of tools that have changed, or are gone, since a run
 * was offered them.
 */
#include "catalog/descriptor_build.h"
#include "toolcrib/jsonw.h"

static void write_stored(struct tc_buf *text, const struct tc_json *entry, const struct tc_descriptor *present)
{
    struct tc_str id = tc_json_str(tc_json_get_c(entry, "id")), rest = id, provider;
    struct tc_jsonw w;

    tc_str_split(&rest, ':', &provider);
    tc_jsonw_init(&w, text);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "id", id);
    tc_jsonw_kstr(&w, "name", present ? present->name_hint : rest);
    tc_jsonw_kopt(&w, "description", tc_json_str(tc_json_get_c(entry, "description")));
    tc_jsonw_kopt(&w, "renamed", tc_json_str(tc_json_get_c(entry, "renamed")));
    tc_jsonw_kvalue(&w, "inputSchema", tc_json_get_c(entry, "inputSchema"));
    if (present) {
        tc_jsonw_kopt(&w, "server", present->server);
        tc_jsonw_kopt(&w, "title", present->title);
        tc_jsonw_kopt(&w, "searchHint", present->search_hint);
        tc_jsonw_kopt(&w, "toolset", present->toolset);
    }
    tc_jsonw_end(&w);
}

static void set_traits(struct tc_descriptor *d, const struct tc_json *entry, const struct tc_descriptor *present)
{
    int64_t chars = 0;

    if (present) {
        d->flags = present->flags & ~(unsigned)TC_TOOL_SELF_BOUNDED;
        d->scenes = present->scenes;
        d->visibility = present->visibility;
        d->capability = present->capability;
        d->group = present->group;
        d->mirrored = present->mirrored;
        d->builtin = present->builtin;
    }
    if (tc_json_bool(tc_json_get_c(entry, "selfBounded"), false))
        d->flags |= TC_TOOL_SELF_BOUNDED;
    if (tc_json_int(tc_json_get_c(entry, "maxResultChars"), &chars))
        d->max_result_chars = (int)chars;
}

enum tc_err tc_descriptor_of_stored(struct tc_cx *cx, const struct tc_json *entry, const struct tc_descriptor *present,
                                    struct tc_descriptor **ret)
{
    struct tc_descriptor *d = NULL;
    struct tc_buf text;
    enum tc_err e;

    if (!tc_json_is(tc_json_get_c(entry, "inputSchema"), TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_STORE_BROKEN, "A stored snapshot has a tool without an input schema.");
    tc_buf_init(&text, TC_DESCRIPTOR_TEXT_MAX);
    write_stored(&text, entry, present);
    e = text.failed ? tc_fail_memory(cx) : tc_descriptor_build(cx, tc_buf_get(&text), &d);
    tc_buf_finish(&text);
    if (!e)
        e = tc_descriptor_compile_input(cx, d);
    if (!e)
        e = tc_descriptor_define(cx, d, d->description, d->input_schema);
    if (e) {
        tc_descriptor_unref(d);
        return e;
    }
    set_traits(d, entry, present);
    *ret = d;
    return TC_OK;
}
