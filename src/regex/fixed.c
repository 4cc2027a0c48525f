/*
 * Plain strings, one a line of the pattern, as a tree in which common beginnings
 * are shared: the search through thousands of words then costs what the search
 * for one costs.
 */
#include <stdlib.h>

#include "regex/ast.h"

struct word {
    const uint32_t *chars; /* in upper case with ICASE */
    size_t n;
};

struct fixed {
    struct tc_arena *arena;
    unsigned flags;
    struct word *words; /* sorted */
    bool too_deep;
};

static int by_chars(const void *a, const void *b)
{
    const struct word *x = a, *y = b;

    for (size_t i = 0; i < x->n && i < y->n; i++)
        if (x->chars[i] != y->chars[i])
            return x->chars[i] < y->chars[i] ? -1 : 1;
    return x->n < y->n ? -1 : x->n > y->n;
}

/* Splits the pattern into words. */
static size_t read_words(struct fixed *f, struct tc_str pattern)
{
    size_t lines = 1, n = 0;
    struct tc_str line;

    for (size_t i = 0; i < pattern.n; i++)
        lines += pattern.p[i] == '\n';
    f->words = TC_ARENA_NEW_N(f->arena, struct word, lines);
    while (f->words && tc_str_split(&pattern, '\n', &line)) {
        uint32_t *chars = TC_ARENA_NEW_N(f->arena, uint32_t, line.n + 1);
        if (!chars)
            return 0;
        f->words[n].chars = chars;
        for (size_t at = 0; at < line.n; chars++) {
            *chars = tc_regex_token_char(line, &at);
            if (f->flags & TC_REGEX_ICASE)
                *chars = tc_ctype_to_upper(*chars);
        }
        f->words[n].n = (size_t)(chars - f->words[n].chars);
        n++;
    }
    if (f->words)
        qsort(f->words, n, sizeof *f->words, by_chars);
    return n;
}

static struct tc_regex_node *build(struct fixed *f, size_t from, size_t to, size_t depth, unsigned level);

/* What may follow the characters that the words from `from` to `to` share. */
static struct tc_regex_node *build_branches(struct fixed *f, size_t from, size_t to, size_t depth, unsigned level)
{
    struct tc_regex_node *first = NULL, **tail = &first;

    if (f->words[from].n == depth) {
        first = tc_regex_ast_make(f->arena, TC_REGEX_NODE_EMPTY);
        if (!first)
            return NULL;
        tail = &first->next;
        while (from < to && f->words[from].n == depth)
            from++;
    }
    while (from < to) {
        size_t end = from + 1;
        while (end < to && f->words[end].chars[depth] == f->words[from].chars[depth])
            end++;
        *tail = build(f, from, end, depth, level + 1);
        if (!*tail)
            return NULL;
        tail = &(*tail)->next;
        from = end;
    }
    return first->next ? tc_regex_ast_above(f->arena, TC_REGEX_NODE_ALT, first) : first;
}

static struct tc_regex_node *build(struct fixed *f, size_t from, size_t to, size_t depth, unsigned level)
{
    struct tc_regex_node *first = NULL, **tail = &first;
    const struct word *a = &f->words[from], *b = &f->words[to - 1];

    if (level > TC_REGEX_DEPTH_MAX / 2) {
        f->too_deep = true;
        return NULL;
    }
    for (; depth < a->n && a->chars[depth] == b->chars[depth]; depth++) {
        *tail = tc_regex_ast_char(f->arena, a->chars[depth], f->flags);
        if (!*tail)
            return NULL;
        tail = &(*tail)->next;
    }
    if (b->n > depth) {
        *tail = build_branches(f, from, to, depth, level);
        if (!*tail)
            return NULL;
    }
    if (!first)
        return tc_regex_ast_make(f->arena, TC_REGEX_NODE_EMPTY);
    return first->next ? tc_regex_ast_above(f->arena, TC_REGEX_NODE_CAT, first) : first;
}

bool tc_regex_parse_fixed(struct tc_arena *arena, struct tc_str pattern, unsigned flags,
                          struct tc_regex_tree *ret_tree)
{
    struct fixed f = {.arena = arena, .flags = flags};
    size_t n;

    pattern.p = pattern.p ? pattern.p : "";
    n = read_words(&f, pattern);
    *ret_tree = (struct tc_regex_tree){.root = n ? build(&f, 0, n, 0, 0) : NULL};
    if (ret_tree->root)
        ret_tree->root = tc_regex_ast_around(arena, ret_tree->root, flags);
    ret_tree->error = f.too_deep ? "Regular expression too big" : NULL;
    return ret_tree->root != NULL;
}
