/*
 * ${x@Q} and its like: values quoted, unescaped, in another case, as assignments, and
 * the attributes of variables.
 */
#include "shell/expand_op.h"

#include <stdio.h>

void tc_sh_attributes(unsigned flags, char text[TC_SH_ATTRIBUTES_MAX])
{
    static const struct {
        unsigned flag;
        char letter;
    } letters[] = {{TC_SH_VAR_INDEXED, 'a'},  {TC_SH_VAR_ASSOC, 'A'},   {TC_SH_VAR_INTEGER, 'i'},
                   {TC_SH_VAR_NAMEREF, 'n'},  {TC_SH_VAR_READONLY, 'r'}, {TC_SH_VAR_TRACE, 't'},
                   {TC_SH_VAR_EXPORT, 'x'},   {TC_SH_VAR_CAPITAL, 'c'},  {TC_SH_VAR_LOWER, 'l'},
                   {TC_SH_VAR_UPPER, 'u'}};
    size_t n = 0;

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (flags & letters[i].flag)
            text[n++] = letters[i].letter;
    text[n] = '\0';
}

static enum tc_sh_flow take(struct tc_sh_env *env, struct tc_buf *buf, struct tc_str *ret_value)
{
    *ret_value = tc_buf_dup(buf, tc_sh_arena(env));
    tc_buf_finish(buf);
    return ret_value->p ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

/* --- @E: the escapes of $'…' --- */

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* At most `max` digits at *at. */
static uint32_t number(struct tc_str text, size_t *at, int base, int max)
{
    uint32_t value = 0;

    while (max-- > 0 && *at < text.n && digit(text.p[*at]) < base)
        value = value * (uint32_t)base + (uint32_t)digit(text.p[(*at)++]);
    return value;
}

/* One escape, *at behind its backslash. */
static void unescape_one(struct tc_buf *buf, struct tc_str text, size_t *at)
{
    static const char letters[] = "abeEfnrtv\\'\"?", values[] = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
    char c = text.p[*at];
    const char *known = c ? strchr(letters, c) : NULL;
    size_t begin = *at + 1;

    if (known) {
        tc_buf_char(buf, values[known - letters]);
        ++*at;
    } else if (c >= '0' && c <= '7') {
        tc_buf_char(buf, (char)number(text, at, 8, 3));
    } else if ((c == 'x' || c == 'u' || c == 'U') && begin < text.n && digit(text.p[begin]) < 16) {
        uint32_t value;
        *at = begin;
        value = number(text, at, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8);
        if (c == 'x')
            tc_buf_char(buf, (char)value);
        else
            tc_sh_char_put(buf, value & 0x1fffff);
    } else if (c == 'c' && begin < text.n) {
        tc_buf_char(buf, (char)(text.p[begin] & 0x1f));
        *at = begin + 1;
    } else {
        tc_buf_char(buf, '\\');
        tc_buf_char(buf, c);
        ++*at;
    }
}

static void unescape(struct tc_buf *buf, struct tc_str text)
{
    for (size_t at = 0; at < text.n;) {
        if (text.p[at] != '\\' || at + 1 == text.n) {
            tc_buf_char(buf, text.p[at++]);
            continue;
        }
        at++;
        unescape_one(buf, text, &at);
    }
}

/* --- @A --- */

/* "declare -ar name='value'", or "name='value'" of what has no attributes. */
static void assignment(struct tc_buf *buf, const struct tc_sh_target *target, struct tc_str value)
{
    char letters[TC_SH_ATTRIBUTES_MAX];

    tc_sh_attributes(target->flags, letters);
    if (letters[0])
        tc_buf_printf(buf, "declare -%s ", letters);
    tc_buf_str(buf, target->name);
    if (target->set) {
        tc_buf_char(buf, '=');
        tc_sh_quote(buf, value, TC_SH_QUOTE_AT_Q);
    }
}

enum tc_sh_flow tc_sh_transform(struct tc_sh_env *env, char letter, const struct tc_sh_target *target,
                                struct tc_str value, struct tc_str *ret_value)
{
    char letters[TC_SH_ATTRIBUTES_MAX];
    struct tc_buf buf;
    size_t length;

    if (letter == 'P')
        return tc_sh_expand_prompt(env, value, ret_value);
    tc_buf_init(&buf, SIZE_MAX / 2);
    if (letter == 'Q' || letter == 'K' || letter == 'k') {
        tc_sh_quote(&buf, value, TC_SH_QUOTE_AT_Q);
    } else if (letter == 'E') {
        unescape(&buf, value);
    } else if (letter == 'U' || letter == 'L') {
        tc_sh_chars_case(&buf, value, letter == 'U' ? TC_SH_CASE_UPPER : TC_SH_CASE_LOWER);
    } else if (letter == 'u' && value.n) {
        tc_sh_char_put(&buf, tc_sh_char_upper(tc_sh_char_at(value.p, value.n, &length)));
        tc_buf_str(&buf, tc_str_from(value, length));
    } else if (letter == 'A') {
        assignment(&buf, target, value);
    } else if (letter == 'a') {
        tc_sh_attributes(target->flags, letters);
        tc_buf_cstr(&buf, letters);
    }
    return take(env, &buf, ret_value);
}

/* --- whole arrays --- */

static void element(struct tc_buf *buf, const struct tc_sh_target *target, struct tc_str key, struct tc_str value,
                    bool brackets)
{
    if (brackets)
        tc_buf_char(buf, '[');
    if (target->flags & TC_SH_VAR_ASSOC)
        tc_sh_quote_key(buf, key);
    else
        tc_buf_str(buf, key);
    tc_buf_cstr(buf, brackets ? "]=" : " ");
    tc_sh_quote(buf, value, TC_SH_QUOTE_DECLARE);
}

/* The elements as declare -p has them between ( and ), or as @K has them. */
static void elements(struct tc_buf *buf, const struct tc_sh_target *target, const struct tc_str *keys, bool brackets)
{
    bool assoc = target->flags & TC_SH_VAR_ASSOC;

    for (size_t i = 0; i < target->n; i++) {
        if (i > 0 && !assoc)
            tc_buf_char(buf, ' ');
        element(buf, target, keys[i], target->v[i], brackets);
        if (assoc)
            tc_buf_char(buf, ' ');
    }
}

bool tc_sh_quote_variable(struct tc_sh_env *env, struct tc_buf *buf, struct tc_str name)
{
    struct tc_sh_target target = {.kind = TC_SH_TARGET_SCALAR, .name = name};
    struct tc_str *keys;
    size_t n;

    target.flags = tc_sh_vars_flags(env->vars, name);
    if (!(target.flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC))) {
        if (tc_sh_target_read(env, &target) != TC_SH_NEXT || !target.set)
            return false;
        tc_sh_quote(buf, target.one, TC_SH_QUOTE_DECLARE);
        return true;
    }
    target.kind = TC_SH_TARGET_ALL;
    if (tc_sh_target_read(env, &target) != TC_SH_NEXT || tc_sh_target_keys(env, &target, &keys, &n) != TC_SH_NEXT)
        return false;
    if (target.n == 0 && !tc_sh_vars_has_value(env->vars, name))
        return false;
    tc_buf_char(buf, '(');
    elements(buf, &target, keys, true);
    tc_buf_char(buf, ')');
    return true;
}

static enum tc_sh_flow args_all(struct tc_sh_expansion *x, char letter, struct tc_sh_target *target, bool quoted)
{
    struct tc_str *v = TC_ARENA_NEW_N(x->arena, struct tc_str, target->n + 2);
    size_t n = 0;

    if (!v)
        return tc_sh_out_of_memory(x->env);
    if (letter == 'A') {
        v[n++] = TC_STR("set");
        v[n++] = TC_STR("--");
    }
    for (size_t i = 0; i < target->n && x->flow == TC_SH_NEXT; i++)
        x->flow = tc_sh_transform(x->env, 'Q', target, target->v[i], &v[n++]);
    if (x->flow == TC_SH_NEXT && target->n > 0)
        tc_sh_part_list(x, v, n, target->star, quoted);
    return x->flow;
}

static enum tc_sh_flow declared(struct tc_sh_expansion *x, struct tc_sh_target *target, const struct tc_str *keys,
                                bool quoted)
{
    struct tc_str v[3] = {TC_STR("declare")};
    char letters[TC_SH_ATTRIBUTES_MAX];
    struct tc_buf buf;

    tc_sh_attributes(target->flags, letters);
    v[1] = tc_arena_printf(x->arena, "-%s", letters);
    tc_buf_init(&buf, SIZE_MAX / 2);
    tc_buf_str(&buf, target->name);
    if (target->n > 0 || tc_sh_vars_has_value(x->env->vars, target->name)) {
        tc_buf_cstr(&buf, "=(");
        elements(&buf, target, keys, true);
        tc_buf_char(&buf, ')');
    }
    x->flow = take(x->env, &buf, &v[2]);
    if (!v[1].p)
        x->flow = tc_sh_out_of_memory(x->env);
    if (x->flow == TC_SH_NEXT)
        tc_sh_part_list(x, v, 3, target->star, quoted);
    return x->flow;
}

enum tc_sh_flow tc_sh_transform_all(struct tc_sh_expansion *x, char letter, struct tc_sh_target *target, bool quoted)
{
    struct tc_str *keys, *pairs, text;
    struct tc_buf buf;
    size_t n;

    if (target->kind == TC_SH_TARGET_ARGS)
        return args_all(x, letter, target, quoted);
    x->flow = tc_sh_target_keys(x->env, target, &keys, &n);
    if (x->flow != TC_SH_NEXT)
        return x->flow;
    if (letter == 'A')
        return declared(x, target, keys, quoted);
    if (letter == 'K') {
        tc_buf_init(&buf, SIZE_MAX / 2);
        elements(&buf, target, keys, false);
        x->flow = take(x->env, &buf, &text);
        if (x->flow == TC_SH_NEXT && target->n > 0)
            tc_sh_part_result(x, text, quoted, false);
        return x->flow;
    }
    pairs = TC_ARENA_NEW_N(x->arena, struct tc_str, 2 * n + 1);
    if (!pairs)
        return x->flow = tc_sh_out_of_memory(x->env);
    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = keys[i];
        pairs[2 * i + 1] = target->v[i];
    }
    tc_sh_part_list(x, pairs, 2 * n, target->star, quoted);
    return x->flow;
}
