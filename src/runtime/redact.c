/*
 * A walk of arguments beside their schema. A key looks like a credential by its
 * words, so that max_tokens and tokenizer do not.
 */
#include "runtime/redact.h"

#include "base/hash.h"
#include "toolcrib/jsonw.h"

enum { TEXT_MIN = 4, DEPTH = TC_JSON_DEPTH_MAX, OUT_MAX = 256 * 1024 * 1024 };

void tc_redact_init(struct tc_redaction *redaction, struct tc_str key)
{
    *redaction = (struct tc_redaction){.key = key};
}

/* Cuts the next word of snake_case, kebab-case or camelCase off, lower-cased. */
static bool next_word(struct tc_str *rest, char *word, size_t size)
{
    size_t n = 0;

    while (rest->n && (rest->p[0] == '_' || rest->p[0] == '-' || rest->p[0] == '.' || rest->p[0] == ' '))
        *rest = tc_str_from(*rest, 1);
    while (rest->n && n + 1 < size) {
        char c = rest->p[0];
        bool upper = c >= 'A' && c <= 'Z', before = n && rest->p[-1] >= 'a' && rest->p[-1] <= 'z';
        if (c == '_' || c == '-' || c == '.' || c == ' ' || (upper && before))
            break;
        word[n++] = upper ? (char)(c + 32) : c;
        *rest = tc_str_from(*rest, 1);
    }
    word[n] = '\0';
    return n > 0;
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

bool tc_redact_key(struct tc_str key)
{
    static const char *const alone[] = {"password", "passwd", "pwd", "passphrase", "secret", "secrets", "apikey",
                                        "authorization", "credential", "credentials", "bearer", "cookie", NULL};
    static const char *const before_key[] = {"api", "access", "private", "secret", "signing", "encryption", NULL};
    char word[32], former[32] = "", last[32] = "";

    while (next_word(&key, word, sizeof word)) {
        if (one_of(word, alone))
            return true;
        if (strcmp(word, "key") == 0 && one_of(former, before_key))
            return true;
        memcpy(former, word, sizeof former);
        memcpy(last, word, sizeof last);
    }
    return strcmp(last, "token") == 0;
}

static bool schema_marks(const struct tc_json *schema)
{
    return tc_json_bool(tc_json_get_c(schema, "writeOnly"), false) ||
           tc_json_bool(tc_json_get_c(schema, "x-secret"), false) ||
           tc_str_is(tc_json_str(tc_json_get_c(schema, "format")), "password");
}

static enum tc_err add_secret(struct tc_cx *cx, struct tc_redaction *r, struct tc_str value)
{
    if (r->n == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 8;
        struct tc_str *grown = TC_ARENA_NEW_N(cx->arena, struct tc_str, cap);
        if (!grown)
            return tc_fail_memory(cx);
        if (r->n)
            memcpy(grown, r->secrets, r->n * sizeof *grown);
        r->secrets = grown;
        r->cap = cap;
    }
    r->secrets[r->n++] = value;
    return TC_OK;
}

static void write_hash(struct tc_jsonw *w, const struct tc_redaction *r, const struct tc_json *value)
{
    struct tc_buf text;
    uint8_t hash[TC_HASH_SIZE];
    char hex[TC_HASH_HEX_SIZE];

    tc_buf_init(&text, OUT_MAX);
    if (tc_json_is(value, TC_JSON_STRING))
        tc_buf_str(&text, tc_json_str(value));
    else
        tc_json_print(&text, value);
    tc_hash_hmac(r->key, tc_buf_get(&text), hash);
    tc_buf_finish(&text);
    tc_hash_hex(hash, 16, hex);
    tc_jsonw_printf(w, "hmac-sha256:%s", hex);
}

/* Walks with an explicit depth; the parser bounds it. w may be NULL (collect only). */
static enum tc_err walk(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *schema,
                        const struct tc_json *value, struct tc_jsonw *w)
{
    const struct tc_json *properties = tc_json_get_c(schema, "properties"), *items = tc_json_get_c(schema, "items"),
                         *inner;
    struct tc_json_iter it = tc_json_iter(value);
    bool object = tc_json_is(value, TC_JSON_OBJECT);
    struct tc_str key;
    enum tc_err e = TC_OK;

    if (w && object)
        tc_jsonw_object(w);
    else if (w)
        tc_jsonw_array(w);
    while (!e && tc_json_next(&it, &key, &inner)) {
        const struct tc_json *below = object ? tc_json_get(properties, key) : items;
        bool scalar = !tc_json_is(inner, TC_JSON_OBJECT) && !tc_json_is(inner, TC_JSON_ARRAY);
        bool secret = schema_marks(below) || (object && tc_redact_key(key) && scalar);
        if (w && object)
            tc_jsonw_key_str(w, key);
        if (secret && !tc_json_is(inner, TC_JSON_NULL)) {
            struct tc_str text = tc_json_is(inner, TC_JSON_STRING) ? tc_json_str(inner)
                                                                   : tc_json_text(cx->arena, inner);
            e = add_secret(cx, r, text);
            if (w)
                write_hash(w, r, inner);
        } else if (!scalar) {
            e = walk(cx, r, below, inner, w);
        } else if (w) {
            tc_jsonw_value(w, inner);
        }
    }
    if (w)
        tc_jsonw_end(w);
    return e;
}

enum tc_err tc_redact_collect(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *schema,
                              const struct tc_json *arguments)
{
    return tc_json_is(arguments, TC_JSON_OBJECT) ? walk(cx, r, schema, arguments, NULL) : TC_OK;
}

enum tc_err tc_redact_object(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *schema,
                             const struct tc_json *arguments, struct tc_str *ret_json)
{
    const struct tc_json *root;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, OUT_MAX);
    tc_jsonw_init(&w, &buf);
    e = walk(cx, r, schema, arguments, &w);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!e && !ret_json->p)
        e = tc_fail_memory(cx);
    if (!e)
        e = tc_json_parse_root(cx, *ret_json, NULL, &root);
    if (e)
        return e;
    tc_buf_init(&buf, OUT_MAX);
    e = tc_json_print_canonical(cx, &buf, root);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return e ? e : ret_json->p ? TC_OK : tc_fail_memory(cx);
}

static void replace_all(struct tc_buf *to, struct tc_str text, struct tc_str what, struct tc_str by)
{
    size_t at;

    while ((at = tc_str_find(text, what)) != SIZE_MAX) {
        tc_buf_add(to, text.p, at);
        tc_buf_str(to, by);
        text = tc_str_from(text, at + what.n);
    }
    tc_buf_str(to, text);
}

static enum tc_err replace(struct tc_cx *cx, struct tc_str what, struct tc_str by, struct tc_str *text)
{
    struct tc_buf buf;

    if (what.n < TEXT_MIN || tc_str_find(*text, what) == SIZE_MAX)
        return TC_OK;
    tc_buf_init(&buf, OUT_MAX);
    replace_all(&buf, *text, what, by);
    *text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err hash_text(struct tc_cx *cx, const struct tc_redaction *r, struct tc_str secret, struct tc_str *ret)
{
    uint8_t hash[TC_HASH_SIZE];
    char hex[TC_HASH_HEX_SIZE];

    tc_hash_hmac(r->key, secret, hash);
    tc_hash_hex(hash, 16, hex);
    *ret = tc_arena_printf(cx->arena, "hmac-sha256:%s", hex);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_redact_text(struct tc_cx *cx, const struct tc_redaction *r, struct tc_str text, struct tc_str *ret_text)
{
    for (size_t i = 0; i < r->n; i++) {
        struct tc_str by, escaped;
        struct tc_buf buf;
        struct tc_jsonw w;
        enum tc_err e = hash_text(cx, r, r->secrets[i], &by);
        if (e)
            return e;
        tc_buf_init(&buf, OUT_MAX);
        tc_jsonw_init(&w, &buf);
        tc_jsonw_str(&w, r->secrets[i]);
        escaped = tc_buf_dup(&buf, cx->arena);
        tc_buf_finish(&buf);
        if (!escaped.p)
            return tc_fail_memory(cx);
        e = replace(cx, r->secrets[i], by, &text);
        if (!e && escaped.n > 2)
            e = replace(cx, tc_str_n(escaped.p + 1, escaped.n - 2), by, &text);
        if (e)
            return e;
    }
    *ret_text = text;
    return TC_OK;
}

/* The end of the value that starts at `from`: a quoted string (or what there is
 * of it), or a run up to a comma, brace or white space. */
static size_t value_end(struct tc_str text, size_t from)
{
    size_t i = from;

    if (i < text.n && text.p[i] == '"') {
        for (i++; i < text.n && text.p[i] != '"'; i++)
            if (text.p[i] == '\\')
                i++;
        return i < text.n ? i + 1 : text.n;
    }
    while (i < text.n && !strchr(",}] \t\r\n", text.p[i]))
        i++;
    return i;
}

/* Text that is no JSON: "key": value pairs whose key looks like a credential
 * lose their value. Finds quoted keys only, as JSON writes them. */
enum tc_err tc_redact_raw(struct tc_cx *cx, const struct tc_redaction *r, struct tc_str text, struct tc_str *ret_text)
{
    struct tc_buf buf;
    size_t from = 0, i = 0;
    bool found = false;

    tc_buf_init(&buf, OUT_MAX);
    while (i < text.n) {
        size_t end, colon;
        if (text.p[i] != '"') {
            i++;
            continue;
        }
        end = value_end(text, i);
        for (colon = end; colon < text.n && strchr(" \t\r\n", text.p[colon]); colon++) {
        }
        if (colon >= text.n || text.p[colon] != ':' || !tc_redact_key(tc_str_n(text.p + i + 1, end - i - 2))) {
            i = end;
            continue;
        }
        for (colon++; colon < text.n && strchr(" \t\r\n", text.p[colon]); colon++) {
        }
        tc_buf_add(&buf, text.p + from, colon - from);
        tc_buf_cstr(&buf, "\"hmac-sha256:\"");
        from = i = value_end(text, colon);
        found = true;
    }
    tc_buf_add(&buf, text.p + from, text.n - from);
    if (found)
        text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text.p || !found ? tc_redact_text(cx, r, text, ret_text) : tc_fail_memory(cx);
}
