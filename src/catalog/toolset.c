/*
 * The fixed toolsets and the expansion of what an agent lists. Expansion walks
 * composites with a work list and visits each at most once, so cycles end and
 * diamonds cost nothing.
 */
#include "catalog/toolset.h"

#include <stdlib.h>


const struct tc_toolset_info tc_toolset_builtin[] = {
    {"base", "Files and shell", "List, search, read, write and patch files of the workspace, and run shell commands."},
    {"planning", "Planning", "Keep a to-do list of the work at hand."},
    {"interaction", "Interaction", "Ask the caller, publish output and end a run."},
    {"chat", "Chat", "Search and read the chat, read activated world info, roll dice."},
    {"memory", "Memory", "Save, search and forget facts across conversations."},
    {"skill", "Skills", "Read skill packages and manage them."},
    {"crew", "Crew", "Delegate to other agents, wait for them, hand over to them."},
    {"vision", "Vision", "Read text from images."},
    {"document", "Documents", "Extract text and page images from documents."},
};
const size_t tc_toolset_builtin_n = sizeof tc_toolset_builtin / sizeof *tc_toolset_builtin;

const char *const tc_toolset_defaults[] = {"base", "planning", "interaction"};
const size_t tc_toolset_defaults_n = sizeof tc_toolset_defaults / sizeof *tc_toolset_defaults;

enum { UNKNOWN_MAX = 100 };

struct expansion {
    struct tc_cx *cx;
    const struct tc_catalog *catalog;
    const struct tc_toolset **sorted; /* composites by name */
    bool *visited;                    /* [n] of sorted */
    size_t *pending;                  /* [n] work list of sorted */
    size_t n, pending_n;
    uint16_t *ranks;
    struct tc_str *unknown;
    size_t unknown_n, unknown_cap;
};

bool tc_toolset_name_ok(struct tc_str name)
{
    if (name.n == 0 || name.n > 64 || name.p[0] == '_' || name.p[0] == '-')
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
            return false;
    }
    return true;
}

static bool is_builtin(struct tc_str name)
{
    for (size_t i = 0; i < tc_toolset_builtin_n; i++)
        if (tc_str_is(name, tc_toolset_builtin[i].name))
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    const struct tc_toolset *x = *(const struct tc_toolset *const *)a, *y = *(const struct tc_toolset *const *)b;

    return tc_str_cmp(x->name, y->name);
}

static size_t find_composite(const struct expansion *x, struct tc_str name)
{
    size_t low = 0, high = x->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = tc_str_cmp(x->sorted[middle]->name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

static void reach(struct expansion *x, size_t toolset, uint16_t rank)
{
    if (x->ranks[toolset] == 0)
        x->ranks[toolset] = rank;
}

static bool note_unknown(struct expansion *x, struct tc_str name)
{
    for (size_t i = 0; i < x->unknown_n; i++)
        if (tc_str_eq(x->unknown[i], name))
            return true;
    if (x->unknown_n == UNKNOWN_MAX)
        return true;
    if (x->unknown_n == x->unknown_cap) {
        size_t cap = x->unknown_cap ? x->unknown_cap * 2 : 8;
        struct tc_str *more = TC_ARENA_NEW_N(x->cx->arena, struct tc_str, cap);
        if (!more)
            return false;
        if (x->unknown_n)
            memcpy(more, x->unknown, x->unknown_n * sizeof *more);
        x->unknown = more;
        x->unknown_cap = cap;
    }
    x->unknown[x->unknown_n++] = name;
    return true;
}

static bool visit(struct expansion *x, struct tc_str name, uint16_t rank)
{
    size_t toolset = tc_catalog_toolset(x->catalog, name), composite;

    if (toolset != SIZE_MAX) {
        reach(x, toolset, rank);
        return true;
    }
    if (tc_str_is(name, "all") || tc_str_is(name, "*")) {
        for (size_t i = 0; i < x->catalog->toolsets_n; i++)
            reach(x, i, rank);
        return true;
    }
    if (is_builtin(name))
        return true;
    composite = find_composite(x, name);
    if (composite == SIZE_MAX)
        return note_unknown(x, name);
    if (!x->visited[composite]) {
        x->visited[composite] = true;
        x->pending[x->pending_n++] = composite;
    }
    return true;
}

static bool prepare(struct expansion *x, const struct tc_toolsets *composites)
{
    if (!composites || composites->n == 0)
        return true;
    x->n = composites->n;
    x->sorted = TC_ARENA_NEW_N(x->cx->arena, const struct tc_toolset *, x->n);
    x->visited = TC_ARENA_NEW_N(x->cx->arena, bool, x->n);
    x->pending = TC_ARENA_NEW_N(x->cx->arena, size_t, x->n);
    if (!x->sorted || !x->visited || !x->pending)
        return false;
    for (size_t i = 0; i < x->n; i++)
        x->sorted[i] = &composites->items[i];
    qsort(x->sorted, x->n, sizeof *x->sorted, by_name);
    return true;
}

enum tc_err tc_toolset_expand(struct tc_cx *cx, const struct tc_catalog *catalog, const struct tc_toolsets *composites,
                              const struct tc_str *names, size_t n, uint16_t *ranks, struct tc_str **ret_unknown,
                              size_t *ret_unknown_n)
{
    struct expansion x = {.cx = cx, .catalog = catalog, .ranks = ranks};

    memset(ranks, 0, catalog->toolsets_n * sizeof *ranks);
    if (!prepare(&x, composites))
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        uint16_t rank = (uint16_t)(i + 1 < TC_TOOLSET_RANK_MAX ? i + 1 : TC_TOOLSET_RANK_MAX);
        bool room = visit(&x, names[i], rank);
        while (room && x.pending_n > 0) {
            const struct tc_toolset *composite = x.sorted[x.pending[--x.pending_n]];
            for (size_t k = 0; room && k < composite->includes_n; k++)
                room = visit(&x, composite->includes[k], rank);
        }
        if (!room)
            return tc_fail_memory(cx);
    }
    *ret_unknown = x.unknown;
    *ret_unknown_n = x.unknown_n;
    return TC_OK;
}

enum tc_err tc_toolset_reaches(struct tc_cx *cx, const struct tc_toolsets *composites, const struct tc_str *names,
                               size_t n, struct tc_str toolset, bool *ret_reaches)
{
    struct tc_str one[] = {toolset};
    struct tc_catalog alone = {.toolsets_n = 1, .toolsets = one};
    struct tc_str *unknown;
    uint16_t rank;
    size_t unknown_n;
    enum tc_err e = tc_toolset_expand(cx, &alone, composites, names, n, &rank, &unknown, &unknown_n);

    if (!e)
        *ret_reaches = rank != 0;
    return e;
}
