/*
 * A word has visible ASCII without '"' and '\'.
 */
#include "oauth/scope.h"

enum { SCOPE_MAX = 8 * 1024 };

static bool is_word_char(char c)
{
    return c > ' ' && c <= '~' && c != '"' && c != '\\';
}

static bool next_word(struct tc_str *rest, struct tc_str *ret_word)
{
    size_t from = 0, to;

    while (from < rest->n && !is_word_char(rest->p[from]))
        from++;
    for (to = from; to < rest->n && is_word_char(rest->p[to]);)
        to++;
    *ret_word = tc_str_n(rest->p + from, to - from);
    *rest = tc_str_from(*rest, to);
    return ret_word->n > 0;
}

bool tc_scope_has(struct tc_str scope, struct tc_str word)
{
    struct tc_str each;

    while (next_word(&scope, &each))
        if (tc_str_eq(each, word))
            return true;
    return false;
}

bool tc_scope_covers(struct tc_str whole, struct tc_str part)
{
    struct tc_str word;

    while (next_word(&part, &word))
        if (!tc_scope_has(whole, word))
            return false;
    return true;
}

static void add(struct tc_buf *to, struct tc_str scope)
{
    struct tc_str word;

    while (next_word(&scope, &word)) {
        if (tc_scope_has(tc_buf_get(to), word))
            continue;
        if (to->n)
            tc_buf_char(to, ' ');
        tc_buf_str(to, word);
    }
}

static enum tc_err finish(struct tc_cx *cx, struct tc_buf *buf, struct tc_str *ret_scope)
{
    struct tc_str scope = tc_buf_dup(buf, cx->arena);

    tc_buf_finish(buf);
    if (!scope.p)
        return tc_fail(cx, TC_E_LIMIT, "The scopes together are over %d bytes.", SCOPE_MAX);
    *ret_scope = scope;
    return TC_OK;
}

enum tc_err tc_scope_join(struct tc_cx *cx, struct tc_str a, struct tc_str b, struct tc_str *ret_scope)
{
    struct tc_buf buf;

    tc_buf_init(&buf, SCOPE_MAX);
    add(&buf, a);
    add(&buf, b);
    return finish(cx, &buf, ret_scope);
}

enum tc_err tc_scope_without(struct tc_cx *cx, struct tc_str scope, struct tc_str word, struct tc_str *ret_scope)
{
    struct tc_str each;
    struct tc_buf buf;

    tc_buf_init(&buf, SCOPE_MAX);
    while (next_word(&scope, &each))
        if (!tc_str_eq(each, word))
            add(&buf, each);
    return finish(cx, &buf, ret_scope);
}

enum tc_err tc_scope_of(struct tc_cx *cx, const struct tc_json *array, struct tc_str *ret_scope)
{
    struct tc_json_iter it = tc_json_iter(array);
    const struct tc_json *item;
    struct tc_buf buf;

    tc_buf_init(&buf, SCOPE_MAX);
    while (tc_json_next(&it, NULL, &item))
        add(&buf, tc_json_str(item));
    return finish(cx, &buf, ret_scope);
}
