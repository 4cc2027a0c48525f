/*
 * A key is a setting "tools.builtin:<name>.config.<key>": its schema and standard are the
 * tool's, its value the file's, and what is stored stands where the file has none.
 */
#include "runtime/tool_config.h"

#include "toolcrib/jsonw.h"

enum { CONFIG_MAX = 4 * 1024 * 1024, NEAR = 8 };

struct listing {
    const struct tc_tool *const *tools;
    struct tc_setting_spec *specs;
    size_t n;
};

static struct tc_str tool_place(struct tc_cx *cx, struct tc_str id)
{
    return tc_arena_printf(cx->arena, "tools.%.*s", TC_STR_ARG(id));
}

static struct tc_str setting_id(struct tc_cx *cx, const struct tc_tool *tool, const struct tc_tool_setting *key)
{
    return tc_arena_printf(cx->arena, "tools.builtin:%s.config.%s", tool->name, key->name);
}

/* --- what the file has and no tool takes --- */

static enum tc_err refuse(struct tc_cx *cx, enum tc_err code, struct tc_str where, const char *what)
{
    if (!where.p)
        return tc_fail_memory(cx);
    tc_fail(cx, code, "The configuration key \"%.*s\" %s.", TC_STR_ARG(where), what);
    return tc_fail_field(cx, where);
}

/* The nearer of both to a name that is not known. */
static void consider(struct tc_str name, const char *known, const char **nearest, size_t *best)
{
    size_t distance = tc_str_distance(name, tc_str_of(known), *best);

    if (distance >= *best)
        return;
    *best = distance;
    *nearest = known;
}

static enum tc_err unknown(struct tc_cx *cx, struct tc_str where, const char *prefix, const char *nearest)
{
    refuse(cx, TC_E_CONFIG_UNKNOWN_KEY, where, "is not known");
    return nearest ? tc_fail_hint(cx, "Did you mean \"%s%s\"?", prefix, nearest) : cx->err.code;
}

static enum tc_err check_keys(struct tc_cx *cx, const struct tc_tool *tool, const struct tc_json *config,
                              struct tc_str place)
{
    struct tc_json_iter it = tc_json_iter(config);
    const struct tc_json *value;
    struct tc_str name;

    if (!tc_json_is(config, TC_JSON_OBJECT))
        return refuse(cx, TC_E_CONFIG_INVALID, place, "must be an object");
    while (tc_json_next(&it, &name, &value)) {
        const struct tc_tool_setting *key = tool->config;
        const char *nearest = NULL;
        size_t best = NEAR;
        for (; key && key->name && !tc_str_is(name, key->name); key++)
            consider(name, key->name, &nearest, &best);
        if (!key || !key->name)
            return unknown(cx, tc_arena_printf(cx->arena, "%.*s.%.*s", TC_STR_ARG(place), TC_STR_ARG(name)), "",
                           nearest);
    }
    return TC_OK;
}

static enum tc_err check_tool(struct tc_cx *cx, const struct tc_tool *const *tools, struct tc_str id,
                              const struct tc_json *entry)
{
    const struct tc_str prefix = TC_STR("builtin:");
    struct tc_str native = tc_str_starts(id, prefix) ? tc_str_from(id, prefix.n) : id, place = tool_place(cx, id);
    struct tc_json_iter it = tc_json_iter(entry);
    const struct tc_json *config;
    const char *nearest = NULL;
    size_t best = NEAR;
    struct tc_str name;
    enum tc_err e = TC_OK;

    for (; *tools && !(native.p != id.p && tc_str_is(native, (*tools)->name)); tools++)
        consider(native, (*tools)->name, &nearest, &best);
    if (!*tools)
        return unknown(cx, place, "builtin:", nearest);
    if (!tc_json_is(entry, TC_JSON_OBJECT))
        return refuse(cx, TC_E_CONFIG_INVALID, place, "must be an object");
    while (!e && tc_json_next(&it, &name, &config)) {
        struct tc_str at = tc_arena_printf(cx->arena, "%.*s.%.*s", TC_STR_ARG(place), TC_STR_ARG(name));
        e = tc_str_is(name, "config") ? check_keys(cx, *tools, config, at) : unknown(cx, at, "", "config");
    }
    return e;
}

static enum tc_err check_file(struct tc_cx *cx, const struct tc_tool *const *tools, const struct tc_json *file)
{
    struct tc_json_iter it = tc_json_iter(file);
    const struct tc_json *entry;
    struct tc_str id;
    enum tc_err e = TC_OK;

    while (file && !e && tc_json_next(&it, &id, &entry))
        e = check_tool(cx, tools, id, entry);
    return e;
}

/* --- settings --- */

static enum tc_err check_value(struct tc_cx *cx, const struct tc_setting_spec *spec, const struct tc_json *value)
{
    enum tc_err e = tc_settings_check(cx, spec, value);

    if (e != TC_E_SETTING_INVALID)
        return e;
    tc_fail(cx, TC_E_CONFIG_INVALID, "%.*s", TC_STR_ARG(cx->err.message));
    return tc_fail_field(cx, tc_str_of(spec->id));
}

static enum tc_err add_key(struct tc_cx *cx, struct listing *listing, const struct tc_tool *tool,
                           const struct tc_tool_setting *key, const struct tc_json *given)
{
    struct tc_str standard = tc_str_of(key->standard ? key->standard : "null");
    struct tc_setting_spec *spec = &listing->specs[listing->n++];

    *spec = (struct tc_setting_spec){
        .id = setting_id(cx, tool, key).p,
        .description = key->description,
        .schema = tc_str_of(key->schema),
        .standard = standard,
        .value = given ? tc_json_text(cx->arena, given) : standard,
        .source = given ? "file" : "default",
        .live = true,
    };
    if (!spec->id || !spec->value.p)
        return tc_fail_memory(cx);
    return given ? check_value(cx, spec, given) : TC_OK;
}

static enum tc_err add_tool(struct tc_cx *cx, struct listing *listing, const struct tc_tool *tool,
                            const struct tc_json *file)
{
    struct tc_str id = tc_arena_printf(cx->arena, "builtin:%s", tool->name);
    const struct tc_json *config = tc_json_get_c(tc_json_get(file, id), "config");
    enum tc_err e = id.p ? TC_OK : tc_fail_memory(cx);

    for (const struct tc_tool_setting *key = tool->config; !e && key && key->name; key++)
        e = add_key(cx, listing, tool, key, tc_json_get_c(config, key->name));
    return e;
}

static size_t count_keys(const struct tc_tool *const *tools)
{
    size_t n = 0;

    for (; *tools; tools++)
        for (const struct tc_tool_setting *key = (*tools)->config; key && key->name; key++)
            n++;
    return n;
}

enum tc_err tc_tool_config_specs(struct tc_cx *cx, const struct tc_tool *const *tools, const struct tc_json *file,
                                 struct tc_setting_spec **specs, size_t *n)
{
    struct listing listing = {.n = *n};
    enum tc_err e = check_file(cx, tools, file);

    if (e)
        return e;
    listing.specs = TC_ARENA_NEW_N(cx->arena, struct tc_setting_spec, *n + count_keys(tools) + 1);
    if (!listing.specs)
        return tc_fail_memory(cx);
    if (*n)
        memcpy(listing.specs, *specs, *n * sizeof **specs);
    for (; !e && *tools; tools++)
        e = add_tool(cx, &listing, *tools, file);
    if (e)
        return e;
    *specs = listing.specs;
    *n = listing.n;
    return TC_OK;
}

/* --- looking --- */

enum tc_err tc_tool_config_setting(struct tc_cx *cx, const struct tc_settings *settings, const struct tc_tool *tool,
                                   const struct tc_tool_setting *key, const struct tc_setting **ret_setting)
{
    struct tc_str id = setting_id(cx, tool, key);

    return id.p ? tc_settings_get(cx, settings, id, ret_setting) : tc_fail_memory(cx);
}

bool tc_tool_config_lacks(const struct tc_setting *setting, const struct tc_tool_setting *key)
{
    return !key->standard && strcmp(setting->source, "default") == 0;
}

enum tc_err tc_tool_config_read(struct tc_cx *cx, const struct tc_settings *settings, const struct tc_tool *tool,
                                const struct tc_json **ret_config)
{
    const struct tc_setting *setting;
    struct tc_str text;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e = TC_OK;

    *ret_config = NULL;
    if (!tool->config)
        return TC_OK;
    tc_buf_init(&buf, CONFIG_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (const struct tc_tool_setting *key = tool->config; !e && key->name; key++) {
        e = tc_tool_config_setting(cx, settings, tool, key, &setting);
        if (e)
            break;
        tc_jsonw_key(&w, key->name);
        tc_jsonw_raw(&w, setting->value);
    }
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!e && !text.p)
        e = tc_fail_memory(cx);
    return e ? e : tc_json_parse_root(cx, text, NULL, ret_config);
}
