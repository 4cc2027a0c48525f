/*
 * Secrets in text. What should have been JSON is searched for KEY: VALUE without a
 * parser, since it may break off anywhere: too much is cut rather than too little.
 */
#include "runtime/redact.h"

#include "base/utf8.h"
#include "toolcrib/jsonw.h"

enum { TEXT_MIN = 4, KEY_MAX = 64, ESCAPES = 2, NESTED = 3 };

/* --- known values in any text --- */

static size_t common(struct tc_str a, struct tc_str b)
{
    size_t n = 0;

    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    return n;
}

static bool breaks_off(struct tc_str rest)
{
    return rest.n == 0 || tc_str_starts(rest, TC_STR("…")) || tc_str_starts(rest, TC_STR("..."));
}

/* How much of `what` stands at the start of the text: all, or a beginning with
 * which the text breaks off; else 0. */
static size_t matches(struct tc_str text, struct tc_str what)
{
    size_t n = common(text, what);

    return n == what.n || (n >= TEXT_MIN && breaks_off(tc_str_from(text, n))) ? n : 0;
}

static enum tc_err replace(struct tc_cx *cx, struct tc_str what, struct tc_str by, struct tc_str *text)
{
    struct tc_str rest = *text, head = tc_str_n(what.p, TEXT_MIN);
    struct tc_buf buf;
    size_t at, n;
    bool found = false;

    if (what.n < TEXT_MIN || tc_str_find(rest, head) == SIZE_MAX)
        return TC_OK;
    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    while ((at = tc_str_find(rest, head)) != SIZE_MAX) {
        n = matches(tc_str_from(rest, at), what);
        tc_buf_add(&buf, rest.p, n ? at : at + 1);
        if (n)
            tc_buf_str(&buf, by);
        rest = tc_str_from(rest, at + (n ? n : 1));
        found |= n > 0;
    }
    tc_buf_str(&buf, rest);
    if (found)
        *text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text->p ? TC_OK : tc_fail_memory(cx);
}

/* As it stands within quotes. */
static enum tc_err escape(struct tc_cx *cx, struct tc_str text, struct tc_str *ret)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str quoted;

    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_str(&w, text);
    quoted = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!quoted.p)
        return tc_fail_memory(cx);
    *ret = tc_str_n(quoted.p + 1, quoted.n - 2);
    return TC_OK;
}

/* With all but ASCII escaped, as some write JSON. */
static enum tc_err escape_ascii(struct tc_cx *cx, struct tc_str text, struct tc_str *ret)
{
    struct tc_buf buf;
    size_t from, at;

    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    for (from = at = 0; at < text.n; from = at) {
        uint32_t c = tc_utf8_next(text, &at);
        if (c < 0x80)
            tc_buf_add(&buf, text.p + from, at - from);
        else if (c < 0x10000)
            tc_buf_printf(&buf, "\\u%04x", (unsigned)c);
        else
            tc_buf_printf(&buf, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(c >> 10), 0xdc00 + (unsigned)(c & 0x3ff));
    }
    *ret = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* The form as it is, and as often escaped as a string in a string is. */
static enum tc_err replace_escaped(struct tc_cx *cx, struct tc_str form, struct tc_str by, struct tc_str *text)
{
    struct tc_str next = form;
    enum tc_err e = TC_OK;

    for (int level = 0; !e && level <= ESCAPES; level++) {
        form = next;
        e = replace(cx, form, by, text);
        if (!e)
            e = escape(cx, form, &next);
        if (!e && tc_str_eq(form, next))
            break;
    }
    return e;
}

enum tc_err tc_redact_text(struct tc_cx *cx, const struct tc_redaction *r, struct tc_str text, struct tc_str *ret_text)
{
    if (r->too_many)
        text = TC_STR("hmac-sha256:too many secrets");
    for (size_t i = 0; i < r->secrets.n && !r->too_many; i++) {
        struct tc_str secret = r->secrets.items[i], escaped, by, ascii;
        enum tc_err e = tc_redact_hash(cx, r, secret, &by);
        if (!e)
            e = replace_escaped(cx, secret, by, &text);
        if (!e)
            e = escape(cx, secret, &escaped);
        if (!e)
            e = escape_ascii(cx, escaped, &ascii);
        if (!e && !tc_str_eq(ascii, escaped))
            e = replace_escaped(cx, ascii, by, &text);
        if (e)
            return e;
    }
    *ret_text = text;
    return TC_OK;
}

/* --- keys and values in text that is no JSON --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool ends_name(char c)
{
    return !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' ||
             c == '.');
}

/* The key before a colon or equals sign: quoted, at any level of escapes, or a word. */
static struct tc_str key_before(struct tc_str text, size_t colon)
{
    size_t end = colon, from;
    bool quoted;

    while (end > 0 && is_blank(text.p[end - 1]))
        end--;
    quoted = end > 0 && (text.p[end - 1] == '"' || text.p[end - 1] == '\'');
    if (quoted)
        end--;
    while (quoted && end > 0 && text.p[end - 1] == '\\')
        end--;
    for (from = end; from > 0 && end - from < KEY_MAX; from--) {
        char c = text.p[from - 1];
        if (quoted ? c == '"' || c == '\'' || c == '\\' || c == ':' || c == ',' : ends_name(c))
            break;
    }
    return tc_str_n(text.p + from, end - from);
}

/* Where a string ends that opened with `slashes` backslashes and this quote: at a
 * quote that as many stand before. */
static size_t string_end(struct tc_str text, size_t from, char quote, size_t slashes)
{
    size_t run = 0;

    for (size_t i = from; i < text.n; i++) {
        if (text.p[i] == quote && run == slashes)
            return i - run;
        run = text.p[i] == '\\' ? run + 1 : 0;
    }
    return text.n;
}

/* The value behind a colon, without its quotes; an array or object is everything
 * that follows. */
static struct tc_str value_after(struct tc_str text, size_t colon)
{
    size_t from = colon + 1, slashes = 0, end;

    while (from < text.n && is_blank(text.p[from]))
        from++;
    while (from + slashes < text.n && text.p[from + slashes] == '\\')
        slashes++;
    end = from + slashes;
    if (end < text.n && (text.p[end] == '"' || text.p[end] == '\'')) {
        from = end + 1;
        end = string_end(text, from, text.p[from - 1], slashes);
    } else if (from < text.n && (text.p[from] == '[' || text.p[from] == '{')) {
        end = text.n;
    } else {
        for (end = from; end < text.n && !strchr(",}]\"\r\n", text.p[end]); end++) {
        }
    }
    return tc_str_n(text.p + from, end - from);
}

/* Cuts out what follows the key of a secret, and collects it. */
static enum tc_err scan(struct tc_cx *cx, struct tc_redaction *r, struct tc_str text, struct tc_buf *to)
{
    size_t from = 0;
    struct tc_str value, by;
    enum tc_err e = TC_OK;

    for (size_t i = 0; !e && i < text.n; i++) {
        if ((text.p[i] != ':' && text.p[i] != '=') || !tc_redact_is_secret(r, key_before(text, i)))
            continue;
        value = value_after(text, i);
        if (value.n == 0 || tc_str_is(value, "null"))
            continue;
        e = tc_redact_add(cx, r, value);
        if (!e)
            e = tc_redact_hash(cx, r, value, &by);
        if (e)
            return e;
        tc_buf_add(to, text.p + from, (size_t)(value.p - text.p) - from);
        tc_buf_str(to, by);
        from = (size_t)(value.p - text.p) + value.n;
        i = from - 1;
    }
    tc_buf_add(to, text.p + from, text.n - from);
    return e;
}

/* Collects from what the text says when it is JSON after all, in a string or in a
 * string in a string. */
static enum tc_err open_nested(struct tc_cx *cx, struct tc_redaction *r, struct tc_str text)
{
    const struct tc_json *root;

    for (int level = 0; level < NESTED; level++) {
        if (tc_json_parse_root(cx, text, NULL, &root)) {
            if (cx->err.code == TC_E_NO_MEMORY)
                return TC_E_NO_MEMORY;
            tc_fail_clear(cx);
            return TC_OK;
        }
        if (!tc_json_is(root, TC_JSON_STRING))
            return tc_redact_collect(cx, r, root);
        text = tc_json_str(root);
    }
    return TC_OK;
}

enum tc_err tc_redact_encoded(struct tc_cx *cx, struct tc_redaction *r, const struct tc_json *arguments)
{
    struct tc_json_iter it = tc_json_iter(arguments);
    struct tc_str text = tc_str_trim(tc_json_str(arguments)), key;
    const struct tc_json *below;
    enum tc_err e = TC_OK;

    if (text.n && (text.p[0] == '{' || text.p[0] == '['))
        return open_nested(cx, r, text);
    while (!e && tc_json_next(&it, &key, &below))
        e = tc_redact_encoded(cx, r, below);
    return e;
}

enum tc_err tc_redact_raw(struct tc_cx *cx, struct tc_redaction *r, struct tc_str text, struct tc_str *ret_text)
{
    struct tc_buf buf;
    enum tc_err e = open_nested(cx, r, text);

    tc_buf_init(&buf, TC_REDACT_TEXT_MAX);
    if (!e)
        e = scan(cx, r, text, &buf);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!e && !text.p)
        e = tc_fail_memory(cx);
    return e ? e : tc_redact_text(cx, r, text, ret_text);
}
