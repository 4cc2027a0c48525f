/*
 * Secrets in JSON: each string is searched by itself, so that what comes out is
 * JSON again, whatever the secret was: a number, or a word of the format.
 */
#include "runtime/redact.h"

#include "toolcrib/jsonw.h"

struct copying {
    const struct tc_redaction *r;
    struct tc_jsonw w;
    bool found; /* something was replaced */
};

/* Keys that MCP and the record give a meaning: they stay, even where a secret is
 * such a word. */
static bool structural(struct tc_str key)
{
    static const char *const keys[] = {"content",  "structuredContent", "isError",  "error", "code",
                                       "message",  "hint",              "field",    "type",  "text",
                                       "resource", "data",              "mimeType", "_meta", "path",
                                       "sha256",   "leftOut",           "bytes",    "from",  "to"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (tc_str_is(key, keys[i]))
            return true;
    return false;
}

static enum tc_err clean(struct tc_cx *cx, struct copying *c, struct tc_str *text)
{
    struct tc_str former = *text;
    enum tc_err e = tc_redact_text(cx, c->r, former, text);

    c->found = c->found || text->p != former.p;
    return e;
}

static bool secret_number(const struct tc_redaction *r, struct tc_str lexeme)
{
    for (size_t i = 0; i < r->secrets.n; i++)
        if (tc_str_eq(r->secrets.items[i], lexeme))
            return true;
    return r->too_many;
}

/* The parser bounds the depth. */
static enum tc_err copy(struct tc_cx *cx, struct copying *c, const struct tc_json *value)
{
    struct tc_json_iter it = tc_json_iter(value);
    bool object = tc_json_is(value, TC_JSON_OBJECT);
    struct tc_str key, text = tc_json_str(value);
    const struct tc_json *below;
    enum tc_err e = TC_OK;

    if (tc_json_is(value, TC_JSON_STRING) || (tc_json_is(value, TC_JSON_NUMBER) && secret_number(c->r, text))) {
        e = clean(cx, c, &text);
        tc_jsonw_str(&c->w, text);
        return e;
    }
    if (!object && !tc_json_is(value, TC_JSON_ARRAY)) {
        tc_jsonw_value(&c->w, value);
        return TC_OK;
    }
    if (object)
        tc_jsonw_object(&c->w);
    else
        tc_jsonw_array(&c->w);
    while (!e && tc_json_next(&it, &key, &below)) {
        if (object && !structural(key))
            e = clean(cx, c, &key);
        if (object)
            tc_jsonw_key_str(&c->w, key);
        if (!e)
            e = copy(cx, c, below);
        else
            tc_jsonw_null(&c->w);
    }
    tc_jsonw_end(&c->w);
    return e;
}

enum tc_err tc_redact_json(struct tc_cx *cx, const struct tc_redaction *r, struct tc_str json, struct tc_str *ret_json)
{
    struct tc_json_limits limits = {.max_bytes = TC_REDACT_TEXT_MAX};
    struct copying c = {.r = r};
    const struct tc_json *root;
    struct tc_str text = json;
    struct tc_buf buf;
    enum tc_err e;

    if ((r->secrets.n == 0 && !r->too_many) || json.n == 0) {
        *ret_json = json;
        return TC_OK;
    }
    e = tc_json_parse_root(cx, json, &limits, &root);
    if (e)
        return e;
    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    tc_jsonw_init(&c.w, &buf);
    e = copy(cx, &c, root);
    if (!e && c.found)
        text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (e || !text.p)
        return e ? e : tc_fail_memory(cx);
    *ret_json = text;
    return TC_OK;
}
