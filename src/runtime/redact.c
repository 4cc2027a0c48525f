/*
 * A walk of arguments with the names of secret properties. A key looks like a
 * credential by its words, so that max_tokens and tokenizer do not.
 */
#include "runtime/redact.h"

#include "base/hash.h"
#include "toolcrib/jsonw.h"

enum { REFS = 8 /* followed one after another */ };

void tc_redact_init(struct tc_redaction *redaction, struct tc_str key)
{
    *redaction = (struct tc_redaction){.key = key};
}

/* --- keys --- */

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

static enum tc_err append(struct tc_cx *cx, struct tc_redact_list *list, struct tc_str item)
{
    if (list->n == list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 8;
        struct tc_str *grown = TC_ARENA_NEW_N(cx->arena, struct tc_str, cap);
        if (!grown)
            return tc_fail_memory(cx);
        if (list->n)
            memcpy(grown, list->items, list->n * sizeof *grown);
        list->items = grown;
        list->cap = cap;
    }
    list->items[list->n++] = item;
    return TC_OK;
}

bool tc_redact_is_secret(const struct tc_redaction *r, struct tc_str key)
{
    for (size_t i = 0; i < r->names.n; i++)
        if (tc_str_eq(r->names.items[i], key))
            return true;
    return tc_redact_key(key);
}

/* --- what a schema marks --- */

static bool marked(const struct tc_json *schema)
{
    return tc_json_bool(tc_json_get_c(schema, "writeOnly"), false) ||
           tc_json_bool(tc_json_get_c(schema, "x-secret"), false) ||
           tc_str_is(tc_json_str(tc_json_get_c(schema, "format")), "password");
}

/* The schema itself, what it refers to within the document, and the branches and
 * items right below it. */
static bool marks(const struct tc_json *root, const struct tc_json *schema, int depth)
{
    static const char *const branches[] = {"allOf", "anyOf", "oneOf"};
    const struct tc_json *branch;
    struct tc_str ref = tc_json_str(tc_json_get_c(schema, "$ref")), key;

    if (marked(schema))
        return true;
    if (depth == 0)
        return false;
    if (tc_str_starts(ref, TC_STR("#")) && marks(root, tc_json_pointer(root, tc_str_from(ref, 1)), depth - 1))
        return true;
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++) {
        struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, branches[i]));
        while (tc_json_next(&it, &key, &branch))
            if (marks(root, branch, depth - 1))
                return true;
    }
    branch = tc_json_get_c(schema, "items");
    return tc_json_is(branch, TC_JSON_OBJECT) && marks(root, branch, depth - 1);
}

/* Every "properties" of the document; the parser bounds the depth. */
static enum tc_err take_names(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *root,
                              const struct tc_json *schema)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *below;
    struct tc_str key;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, &key, &below))
        if (marks(root, below, REFS))
            e = append(cx, &r->names, key);
    for (it = tc_json_iter(schema); !e && tc_json_next(&it, &key, &below);)
        if (tc_json_is(below, TC_JSON_OBJECT) || tc_json_is(below, TC_JSON_ARRAY))
            e = take_names(cx, r, root, below);
    return e;
}

enum tc_err tc_redact_schema(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *schema)
{
    return schema ? take_names(cx, r, schema, schema) : TC_OK;
}

/* --- arguments --- */

/* Each value costs a search of every text, so their number has a limit. */
enum tc_err tc_redact_add(struct tc_cx *cx, struct tc_redaction *r, struct tc_str secret)
{
    size_t at;
    enum tc_err e;

    for (at = 0; at < r->secrets.n && !r->too_many; at++)
        if (tc_str_eq(r->secrets.items[at], secret))
            return TC_OK;
    r->too_many = r->too_many || r->secrets.n == TC_REDACT_SECRETS_MAX;
    e = r->too_many ? TC_OK : append(cx, &r->secrets, secret);
    if (e || r->too_many)
        return e;
    for (at = r->secrets.n - 1; at > 0 && r->secrets.items[at - 1].n < secret.n; at--)
        r->secrets.items[at] = r->secrets.items[at - 1];
    r->secrets.items[at] = secret;
    return TC_OK;
}

/* Strings and numbers of a secret value. */
static enum tc_err add_leaves(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *value)
{
    struct tc_json_iter it = tc_json_iter(value);
    const struct tc_json *below;
    struct tc_str key, text;
    enum tc_err e = TC_OK;

    if (tc_json_is(value, TC_JSON_STRING))
        return tc_redact_add(cx, r, tc_json_str(value));
    if (tc_json_is(value, TC_JSON_NUMBER)) {
        text = tc_json_text(cx->arena, value);
        return text.p ? tc_redact_add(cx, r, text) : tc_fail_memory(cx);
    }
    while (!e && tc_json_next(&it, &key, &below))
        e = add_leaves(cx, r, below);
    return e;
}

enum tc_err tc_redact_hash(struct tc_cx *cx, const struct tc_redaction *r, struct tc_str secret, struct tc_str *ret)
{
    uint8_t hash[TC_HASH_SIZE];
    char hex[TC_HASH_HEX_SIZE];

    tc_hash_hmac(r->key, secret, hash);
    tc_hash_hex(hash, 16, hex);
    *ret = tc_arena_printf(cx->arena, "hmac-sha256:%s", hex);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err take_secret(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *value,
                               struct tc_jsonw *w)
{
    struct tc_str text = tc_json_is(value, TC_JSON_STRING) ? tc_json_str(value) : tc_json_text(cx->arena, value), hash;
    enum tc_err e = text.p ? add_leaves(cx, r, value) : tc_fail_memory(cx);

    r->found = true;
    if (!w)
        return e;
    if (!e)
        e = tc_redact_hash(cx, r, text, &hash);
    tc_jsonw_str(w, e ? TC_STR("") : hash); /* its key stands already */
    return e;
}

/* The parser bounds the depth. w may be NULL: collect only. */
static enum tc_err walk(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *value, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(value);
    bool object = tc_json_is(value, TC_JSON_OBJECT);
    const struct tc_json *below;
    struct tc_str key;
    enum tc_err e = TC_OK;

    if (w && object)
        tc_jsonw_object(w);
    else if (w)
        tc_jsonw_array(w);
    while (!e && tc_json_next(&it, &key, &below)) {
        if (w && object)
            tc_jsonw_key_str(w, key);
        if (object && !tc_json_is(below, TC_JSON_NULL) && tc_redact_is_secret(r, key))
            e = take_secret(cx, r, below, w);
        else if (tc_json_is(below, TC_JSON_OBJECT) || tc_json_is(below, TC_JSON_ARRAY))
            e = walk(cx, r, below, w);
        else if (w)
            tc_jsonw_value(w, below);
    }
    if (w)
        tc_jsonw_end(w);
    return e;
}

enum tc_err tc_redact_collect(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *arguments)
{
    return walk(cx, r, arguments, NULL);
}

/* The text is complete or there is none: half of it would get into a record. */
static enum tc_err print(struct tc_cx *cx, const struct tc_json *value, bool canonical, struct tc_str *ret_json)
{
    struct tc_str json;
    struct tc_buf buf;
    enum tc_err e = TC_OK;

    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    if (canonical)
        e = tc_json_print_canonical(cx, &buf, value);
    else
        tc_json_print(&buf, value);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (e || !json.p)
        return e ? e : tc_fail_memory(cx);
    *ret_json = json;
    return TC_OK;
}

enum tc_err tc_redact_value(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *arguments,
                            struct tc_str *ret_json)
{
    struct tc_str json;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    r->found = false;
    e = walk(cx, r, arguments, NULL);
    if (e || !r->found)
        return e ? e : print(cx, arguments, false, ret_json);
    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    e = walk(cx, r, arguments, &w);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (e || !json.p)
        return e ? e : tc_fail_memory(cx);
    *ret_json = json;
    return TC_OK;
}

/* Keys in order, in it and in all below. The parser bounds the depth. */
static bool in_order(const struct tc_json *value)
{
    struct tc_json_iter it = tc_json_iter(value);
    bool object = tc_json_is(value, TC_JSON_OBJECT), first = true;
    const struct tc_json *below;
    struct tc_str key, former = TC_STR("");

    while (tc_json_next(&it, &key, &below)) {
        if (object && !first && tc_str_cmp(former, key) > 0)
            return false;
        if (!in_order(below))
            return false;
        former = key;
        first = false;
    }
    return true;
}

enum tc_err tc_redact_canonical(struct tc_cx *cx, const struct tc_json *value, struct tc_str json,
                                struct tc_str *ret_json)
{
    struct tc_json_limits limits = {.max_bytes = TC_REDACT_TEXT_MAX};
    const struct tc_json *root;
    enum tc_err e;

    if (in_order(value)) {
        *ret_json = json;
        return TC_OK;
    }
    e = tc_json_parse_root(cx, json, &limits, &root);
    return e ? e : print(cx, root, true, ret_json);
}
