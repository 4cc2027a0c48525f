/*
 * The separators of IFS, and the splitting of `read`, where a backslash takes from the
 * next character its meaning.
 */
#include "shell/split.h"

#include "shell/chars.h"
#include "shell/expand.h"
#include "shell/expand_parts.h"

static const unsigned char usual[256] = {[' '] = 1, ['\t'] = 1, ['\n'] = 1}, none[256];

void tc_sh_ifs_read(struct tc_sh_env *env, struct tc_sh_ifs *ifs)
{
    struct tc_arena *arena = tc_sh_arena(env);
    unsigned char *kind;
    struct tc_str value;
    size_t length;

    *ifs = (struct tc_sh_ifs){usual, TC_STR(" \t\n"), TC_STR(" ")};
    if (!tc_sh_vars_get(env->vars, TC_STR("IFS"), &value) || tc_str_eq(value, ifs->text))
        return;
    *ifs = (struct tc_sh_ifs){none, TC_STR(""), TC_STR("")};
    kind = tc_arena_zalloc(arena, 1, sizeof usual);
    value = tc_arena_dup(arena, value);
    if (!kind || !value.p) {
        tc_sh_out_of_memory(env);
        return;
    }
    for (size_t at = 0; at < value.n; at += length) {
        unsigned char byte = (unsigned char)value.p[at];
        tc_sh_char_at(value.p + at, value.n - at, &length);
        if (at == 0)
            ifs->joint = tc_str_n(value.p, length);
        kind[byte] = length > 1 ? 3 : byte == ' ' || byte == '\t' || byte == '\n' ? 1 : 2;
    }
    ifs->kind = kind;
    ifs->text = value;
}

int tc_sh_ifs_at(const struct tc_sh_ifs *ifs, struct tc_str text, size_t at, size_t *ret_n)
{
    unsigned char kind = ifs->kind[(unsigned char)text.p[at]];

    *ret_n = 1;
    if (kind < 3)
        return kind;
    tc_sh_char_at(text.p + at, text.n - at, ret_n);
    return tc_str_find(ifs->text, tc_str_n(text.p + at, *ret_n)) != SIZE_MAX ? 2 : 0;
}

/* --- read --- */

struct reader {
    const struct tc_sh_ifs *ifs;
    struct tc_str text; /* the line, and which of its bytes a backslash protects */
    const bool *literal;
};

static int kind_at(const struct reader *r, size_t at, size_t *ret_n)
{
    *ret_n = 1;
    return r->literal && r->literal[at] ? 0 : tc_sh_ifs_at(r->ifs, r->text, at, ret_n);
}

static size_t skip_blanks(const struct reader *r, size_t at)
{
    size_t n;

    while (at < r->text.n && kind_at(r, at, &n) == 1)
        at += n;
    return at;
}

/* The word at `at`; returns where the next begins: behind its separator and the blanks around that. */
static size_t next_word(const struct reader *r, size_t at, size_t *ret_end)
{
    size_t n = 1;

    while (at < r->text.n && kind_at(r, at, &n) == 0)
        at += n;
    *ret_end = at;
    at = skip_blanks(r, at);
    if (at < r->text.n && kind_at(r, at, &n) == 2)
        at = skip_blanks(r, at + n);
    return at;
}

static size_t without_blanks(const struct reader *r, size_t from)
{
    size_t end = r->text.n, n;

    while (end > from && kind_at(r, end - 1, &n) == 1)
        end--;
    return end;
}

/* The line without its backslashes, and where they were. */
static bool unescape(struct tc_arena *arena, struct reader *r)
{
    char *text = tc_arena_alloc(arena, r->text.n + 1);
    bool *literal = tc_arena_zalloc(arena, r->text.n + 1, sizeof *literal);
    size_t n = 0;

    if (!text || !literal)
        return false;
    for (size_t i = 0; i < r->text.n; i++) {
        if (r->text.p[i] == '\\') {
            if (++i == r->text.n)
                break;
            literal[n] = true;
        }
        text[n++] = r->text.p[i];
    }
    r->text = tc_str_n(text, n);
    r->literal = literal;
    return true;
}

enum tc_sh_flow tc_sh_expand_read(struct tc_sh_env *env, struct tc_str line, bool raw, size_t max,
                                  struct tc_sh_fields *ret_fields)
{
    struct tc_sh_ifs ifs;
    struct reader r = {.ifs = &ifs, .text = line};
    struct tc_sh_fields fields = {0};
    size_t at, end, next;

    tc_sh_ifs_read(env, &ifs);
    if (!raw && tc_str_chr(line, '\\') != SIZE_MAX && !unescape(tc_sh_arena(env), &r))
        return tc_sh_out_of_memory(env);
    for (at = skip_blanks(&r, 0); at < r.text.n || fields.n == 0; at = next) {
        next = next_word(&r, at, &end);
        if (fields.n + 1 >= max && next < r.text.n) { /* the last takes the rest */
            next = r.text.n;
            end = without_blanks(&r, at);
        }
        if (max == SIZE_MAX && at == r.text.n)
            break;
        if (!tc_sh_fields_add(env, &fields, tc_str_n(r.text.p + at, end - at)))
            return TC_SH_STOP;
        if (fields.n >= max)
            break;
    }
    *ret_fields = fields;
    return TC_SH_NEXT;
}
