/*
 * One walk in either direction: the configuration is written anew, with the values
 * of two members changed.
 */
#include "runtime/server_seal.h"

#include "base/base64.h"
#include "toolcrib/jsonw.h"

enum { CONFIG_MAX = 8 << 20 };

struct walk {
    struct tc_cx *cx;
    struct tc_secrets *secrets;
    struct tc_str uuid;
    bool sealing;
    bool changed;
};

/* The name that a value is sealed under. */
static struct tc_str name_of(const struct walk *walk, struct tc_str group, struct tc_str key)
{
    return tc_arena_printf(walk->cx->arena, "server/%.*s/%.*s/%.*s", TC_STR_ARG(walk->uuid), TC_STR_ARG(group),
                           TC_STR_ARG(key));
}

static bool is_secret(const struct tc_json *value)
{
    struct tc_str text = tc_json_str(value);

    if (!tc_json_is(value, TC_JSON_STRING) || text.n == 0)
        return false;
    return !tc_str_starts(text, TC_STR("${")) || tc_str_chr(text, '}') != text.n - 1;
}

static enum tc_err seal_value(struct walk *walk, struct tc_jsonw *w, struct tc_str name, const struct tc_json *value)
{
    struct tc_cx *cx = walk->cx;
    struct tc_str sealed, text;
    enum tc_err e;

    if (!is_secret(value)) {
        tc_jsonw_value(w, value);
        return TC_OK;
    }
    e = walk->secrets->ops->seal(cx, walk->secrets, name, tc_json_str(value), &sealed);
    if (e)
        return e;
    text = tc_base64_encode(cx->arena, TC_BASE64_STANDARD, sealed);
    if (!text.p)
        return tc_fail_memory(cx);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "sealed", text);
    tc_jsonw_end(w);
    walk->changed = true;
    return TC_OK;
}

static enum tc_err unseal_value(struct walk *walk, struct tc_jsonw *w, struct tc_str name, const struct tc_json *value)
{
    struct tc_cx *cx = walk->cx;
    struct tc_str text = tc_json_str(tc_json_get_c(value, "sealed")), sealed = {NULL, 0}, plain;
    enum tc_err e = TC_E_SECRET_SEALED;

    if (text.n && tc_base64_decode(cx->arena, TC_BASE64_STANDARD, text, &sealed))
        e = walk->secrets->ops->unseal(cx, walk->secrets, name, sealed, &plain);
    if (e && e != TC_E_SECRET_SEALED)
        return e;
    if (e) {
        tc_fail_clear(cx);
        tc_jsonw_value(w, value);
        return TC_OK;
    }
    tc_jsonw_str(w, plain);
    walk->changed = true;
    return TC_OK;
}

static enum tc_err walk_group(struct walk *walk, struct tc_jsonw *w, struct tc_str group, const struct tc_json *values)
{
    struct tc_json_iter it = tc_json_iter(values);
    const struct tc_json *value;
    struct tc_str key, name;
    enum tc_err e = TC_OK;

    tc_jsonw_object(w);
    while (!e && tc_json_next(&it, &key, &value)) {
        name = name_of(walk, group, key);
        if (!name.p)
            return tc_fail_memory(walk->cx);
        tc_jsonw_key_str(w, key);
        e = walk->sealing ? seal_value(walk, w, name, value) : unseal_value(walk, w, name, value);
    }
    if (!e)
        tc_jsonw_end(w);
    return e;
}

static enum tc_err walk_config(struct walk *walk, struct tc_jsonw *w, const struct tc_json *root)
{
    struct tc_json_iter it = tc_json_iter(root);
    const struct tc_json *value;
    struct tc_str key;
    enum tc_err e = TC_OK;

    tc_jsonw_object(w);
    while (!e && tc_json_next(&it, &key, &value)) {
        bool group = (tc_str_is(key, "env") || tc_str_is(key, "headers")) && tc_json_is(value, TC_JSON_OBJECT);

        tc_jsonw_key_str(w, key);
        if (group)
            e = walk_group(walk, w, key, value);
        else
            tc_jsonw_value(w, value);
    }
    if (!e)
        tc_jsonw_end(w);
    return e;
}

static enum tc_err run(struct walk *walk, struct tc_str config, struct tc_str *ret_config)
{
    const struct tc_json *root;
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;
    enum tc_err e = tc_json_parse_root(walk->cx, config, NULL, &root);

    if (e)
        return e;
    if (!tc_json_is(root, TC_JSON_OBJECT)) {
        *ret_config = config;
        return TC_OK;
    }
    tc_buf_init(&buf, CONFIG_MAX);
    tc_jsonw_init(&w, &buf);
    e = walk_config(walk, &w, root);
    text = walk->changed ? tc_buf_dup(&buf, walk->cx->arena) : config;
    tc_buf_finish(&buf);
    if (e)
        return e;
    if (!text.p)
        return tc_fail_memory(walk->cx);
    *ret_config = text;
    return TC_OK;
}

enum tc_err tc_server_seal(struct tc_cx *cx, struct tc_secrets *secrets, struct tc_str uuid, struct tc_str config,
                           struct tc_str *ret_config)
{
    return run(&(struct walk){.cx = cx, .secrets = secrets, .uuid = uuid, .sealing = true}, config, ret_config);
}

enum tc_err tc_server_unseal(struct tc_cx *cx, struct tc_secrets *secrets, struct tc_str uuid, struct tc_str config,
                             struct tc_str *ret_config)
{
    return run(&(struct walk){.cx = cx, .secrets = secrets, .uuid = uuid}, config, ret_config);
}
