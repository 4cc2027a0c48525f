/*
 * The configuration as settings to show: their schemas come from the table of its keys.
 */
#include "daemon/config_keys.h"

#include "toolcrib/jsonw.h"

enum { TEXT_MAX = 4 * 1024 * 1024 };

struct listing {
    const struct tc_config *config;
    struct tc_config standard;
    struct tc_setting_spec *specs;
    size_t n;
};

/* A value as JSON text; an empty text is none. */
static struct tc_str value_of(struct tc_cx *cx, const struct tc_config_key *key, const struct tc_config *config)
{
    const void *at = (const char *)config + key->offset;
    const struct tc_config_trust *trust = at;
    const struct tc_config_list *list = key->kind == TC_CONFIG_TRUST ? &trust->list : at;
    struct tc_str text = {NULL, 0}, json;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    switch (key->kind == TC_CONFIG_TRUST && !list->n ? TC_CONFIG_FLAG : key->kind) {
    case TC_CONFIG_TEXT:
        text = *(const struct tc_str *)at;
        tc_jsonw_str(&w, text.n ? text : tc_str_n(NULL, 0));
        break;
    case TC_CONFIG_FLAG:
        tc_jsonw_bool(&w, *(const bool *)at);
        break;
    case TC_CONFIG_COUNT:
        tc_jsonw_int(&w, *(const int64_t *)at);
        break;
    default:
        tc_jsonw_array(&w);
        for (size_t i = 0; i < list->n; i++)
            tc_jsonw_str(&w, list->items[i]);
        tc_jsonw_end(&w);
    }
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return json;
}

static void write_words(struct tc_jsonw *w, const char *words)
{
    struct tc_str rest = tc_str_of(words), word;

    tc_jsonw_key(w, "enum");
    tc_jsonw_array(w);
    while (tc_str_split(&rest, ' ', &word))
        tc_jsonw_str(w, word);
    tc_jsonw_end(w);
}

static struct tc_str schema_of(struct tc_cx *cx, const struct tc_config_key *key)
{
    static const char *const types[] = {[TC_CONFIG_TEXT] = "[\"string\",\"null\"]",
                                        [TC_CONFIG_FLAG] = "\"boolean\"",
                                        [TC_CONFIG_COUNT] = "\"integer\"",
                                        [TC_CONFIG_TRUST] = "[\"boolean\",\"array\"]",
                                        [TC_CONFIG_LIST] = "\"array\""};
    struct tc_str json;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "type");
    tc_jsonw_raw(&w, tc_str_of(key->words ? "\"string\"" : types[key->kind]));
    if (key->words)
        write_words(&w, key->words);
    if (key->kind == TC_CONFIG_COUNT) {
        tc_jsonw_kint(&w, "minimum", key->least);
        tc_jsonw_kint(&w, "maximum", key->most);
    }
    if (key->kind == TC_CONFIG_LIST || key->kind == TC_CONFIG_TRUST) {
        tc_jsonw_key(&w, "items");
        tc_jsonw_raw(&w, TC_STR("{\"type\":\"string\"}"));
    }
    tc_jsonw_end(&w);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return json;
}

/* object: what the file has there, or NULL. */
static enum tc_err list_keys(struct tc_cx *cx, struct listing *listing, const struct tc_config_key *table,
                             const struct tc_json *object, const char *prefix)
{
    enum tc_err e = TC_OK;

    for (const struct tc_config_key *key = table; key->name && !e; key++) {
        const struct tc_json *given = tc_json_get_c(object, key->name);
        const char *id = tc_arena_printf(cx->arena, "%s%s%s", prefix, *prefix ? "." : "", key->name).p;
        struct tc_setting_spec *spec = &listing->specs[listing->n];

        if (!id)
            return tc_fail_memory(cx);
        if (key->kind == TC_CONFIG_SECTION)
            e = list_keys(cx, listing, key->section, given, id);
        if (!key->what)
            continue;
        *spec = (struct tc_setting_spec){
            .id = id,
            .description = key->what,
            .schema = schema_of(cx, key),
            .standard = value_of(cx, key, &listing->standard),
            .value = value_of(cx, key, listing->config),
            .source = given ? "file" : "default",
        };
        if (key->offset == offsetof(struct tc_config, listen) && listing->config->listen_given)
            spec->source = "option";
        listing->n++;
        if (!spec->schema.p || !spec->standard.p || !spec->value.p)
            e = tc_fail_memory(cx);
    }
    return e;
}

static size_t count_keys(const struct tc_config_key *table)
{
    size_t n = 0;

    for (; table->name; table++)
        n += 1 + (table->kind == TC_CONFIG_SECTION ? count_keys(table->section) : 0);
    return n;
}

enum tc_err tc_config_settings(struct tc_cx *cx, const struct tc_config *config, struct tc_setting_spec **ret_specs,
                               size_t *ret_n)
{
    struct listing listing = {.config = config};
    enum tc_err e;

    tc_config_defaults(&listing.standard);
    listing.specs = TC_ARENA_NEW_N(cx->arena, struct tc_setting_spec, count_keys(tc_config_keys));
    if (!listing.specs)
        return tc_fail_memory(cx);
    e = list_keys(cx, &listing, tc_config_keys, config->root, "");
    if (e)
        return e;
    *ret_specs = listing.specs;
    *ret_n = listing.n;
    return TC_OK;
}
