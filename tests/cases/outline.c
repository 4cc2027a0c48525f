/*
 * Reading case files. Indentation is counted in spaces; a tab is none.
 */
#include "outline.h"

#include <stdio.h>

#include "toolcrib/buf.h"

enum { FILE_MAX = 4 * 1024 * 1024, DEPTH = 16 };

static bool read_all(struct tc_arena *arena, const char *path, struct tc_str *ret)
{
    FILE *f = fopen(path, "rb");
    struct tc_buf buf;
    char part[4096];
    size_t n;

    if (!f) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        return false;
    }
    tc_buf_init(&buf, FILE_MAX);
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        tc_buf_add(&buf, part, n);
    fclose(f);
    *ret = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return ret->p != NULL;
}

static size_t indentation(struct tc_str line)
{
    size_t n = 0;

    while (n < line.n && line.p[n] == ' ')
        n++;
    return n;
}

struct reading {
    struct tc_arena *arena;
    struct tc_str rest;
    int number;
    struct tc_str line; /* the next one that counts */
    bool more;
};

static void advance(struct reading *r)
{
    struct tc_str text;

    while ((r->more = tc_str_split(&r->rest, '\n', &r->line))) {
        r->number++;
        text = tc_str_trim(r->line);
        if (text.n && text.p[0] != '#')
            return;
    }
}

/* The lines from here on that are indented by at least so much, each with those
 * below it, that is indented deeper than itself. */
static struct outline *read_level(struct reading *r, size_t least, int depth)
{
    struct outline *first = NULL, **end = &first;

    while (r->more && indentation(r->line) >= least) {
        size_t indent = indentation(r->line);
        struct outline *node = TC_ARENA_NEW(r->arena, struct outline);
        node->text = tc_str_trim(r->line);
        node->line = r->number;
        *end = node;
        end = &node->next;
        advance(r);
        if (depth < DEPTH)
            node->below = read_level(r, indent + 1, depth + 1);
    }
    return first;
}

struct outline *outline_read(struct tc_arena *arena, const char *path)
{
    struct reading r = {.arena = arena};
    struct outline *first;

    if (!read_all(arena, path, &r.rest))
        return NULL;
    advance(&r);
    first = r.more ? read_level(&r, 0, 0) : NULL;
    if (!first)
        fprintf(stderr, "%s: has no steps\n", path);
    return first;
}

bool outline_arrow(const struct outline *node, struct tc_str *ret_text)
{
    if (!tc_str_starts(node->text, TC_STR("->")))
        return false;
    *ret_text = tc_str_trim(tc_str_from(node->text, 2));
    return true;
}

static void add_below(struct tc_buf *to, const struct outline *node)
{
    struct tc_str text;

    for (node = node->below; node; node = node->next) {
        if (outline_arrow(node, &text))
            continue;
        tc_buf_char(to, '\n');
        tc_buf_str(to, node->text);
        add_below(to, node);
    }
}

struct tc_str outline_text(struct tc_arena *arena, const struct outline *node, struct tc_str from)
{
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, FILE_MAX);
    tc_buf_str(&buf, from);
    add_below(&buf, node);
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return tc_str_trim(text);
}

struct tc_str outline_word(struct tc_str *text)
{
    size_t n = 0;
    struct tc_str word;

    while (n < text->n && text->p[n] != ' ' && text->p[n] != '\n')
        n++;
    word = tc_str_n(text->p, n);
    *text = tc_str_trim(tc_str_from(*text, n));
    return word;
}
