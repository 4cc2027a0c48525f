/*
 * A walk over pages of the tape, forwards or backwards. A page is let go when it was
 * looked at: only what was found stays.
 */
#include "runtime/tape_query.h"

#include "runtime/tape.h"
#include "toolcrib/json.h"

enum { PAGE = 200, PAGE_ARENA_MAX = 1024 * 1024 * 1024 };

struct walk {
    struct tc_cx *cx;
    struct tc_store *store;
    struct tc_str id;
    int64_t from, to;              /* what is left to look at */
    bool backwards;
    struct tc_arena arena;         /* of the page */
    struct tc_tape_entry *entries; /* of the page, in order */
    size_t n;
};

static void walk_finish(struct walk *walk)
{
    tc_arena_finish(&walk->arena);
}

/* The next page; n is 0 behind the last one. */
static enum tc_err next_page(struct walk *walk)
{
    struct tc_cx cx = {.arena = &walk->arena, .clock = walk->cx->clock, .task = walk->cx->task};
    int64_t first = walk->from, last = walk->to;
    enum tc_err e;

    walk->n = 0;
    if (first > last)
        return TC_OK;
    if (walk->backwards && last - first >= PAGE)
        first = last - PAGE + 1;
    else if (last - first >= PAGE)
        last = first + PAGE - 1;
    tc_arena_finish(&walk->arena);
    tc_arena_init(&walk->arena, PAGE_ARENA_MAX);
    e = walk->store->tapes->entries(&cx, walk->store, walk->id, first, last, PAGE, &walk->entries, &walk->n);
    if (walk->backwards)
        walk->to = first - 1;
    else
        walk->from = last + 1;
    return e ? tc_fail(walk->cx, e, "%.*s", TC_STR_ARG(cx.err.message)) : TC_OK;
}

/* --- what passes --- */

static bool says(const struct tc_json *value, struct tc_str word)
{
    struct tc_json_iter it = tc_json_iter(value);
    const struct tc_json *inner;

    if (tc_json_is(value, TC_JSON_STRING))
        return tc_str_find_nocase(tc_json_str(value), word) != SIZE_MAX;
    while (tc_json_next(&it, NULL, &inner))
        if (says(inner, word))
            return true;
    return false;
}

static bool is_of_kind(const struct tc_json *kinds, struct tc_str kind)
{
    struct tc_json_iter it = tc_json_iter(kinds);
    const struct tc_json *name;

    while (tc_json_next(&it, NULL, &name))
        if (tc_str_eq(tc_json_str(name), kind))
            return true;
    return kinds == NULL;
}

static enum tc_err passes(struct tc_cx *cx, const struct tc_tape_query *query, const struct tc_tape_entry *entry,
                          bool *ret)
{
    const struct tc_json_limits limits = {.max_bytes = entry->json.n, .flags = TC_JSON_CLEAN};
    const struct tc_json *body;
    enum tc_err e;

    *ret = is_of_kind(query->kinds, entry->kind) && (!query->since || entry->at >= query->since) &&
           (!query->until || entry->at <= query->until);
    if (!*ret || query->text.n == 0)
        return TC_OK;
    e = tc_json_parse_root(cx, entry->json, &limits, &body);
    if (e == TC_E_NO_MEMORY)
        return e;
    *ret = !e && says(body, query->text);
    tc_fail_clear(cx);
    return TC_OK;
}

static bool dup_entry(struct tc_arena *arena, const struct tc_tape_entry *entry, struct tc_tape_entry *ret)
{
    *ret = *entry;
    ret->kind = tc_arena_dup(arena, entry->kind);
    ret->run = tc_arena_dup(arena, entry->run);
    ret->json = tc_arena_dup(arena, entry->json);
    return ret->kind.p && ret->run.p && ret->json.p;
}

/* --- anchors --- */

/* Narrows from and to to what stands behind the last anchor of that name. */
static enum tc_err find_anchor(struct walk *walk, struct tc_str name, int64_t *from, int64_t *to)
{
    int64_t next = 0; /* the anchor behind the one that is looked at */
    enum tc_err e = next_page(walk);

    while (!e && walk->n) {
        for (size_t i = walk->n; i > 0; i--) {
            const struct tc_tape_entry *entry = &walk->entries[i - 1];
            const struct tc_json_limits limits = {.max_bytes = entry->json.n, .flags = TC_JSON_CLEAN};
            struct tc_cx cx = {.arena = &walk->arena};
            const struct tc_json *body = NULL;
            if (tc_tape_kind_of(entry->kind) != TC_TAPE_ANCHOR)
                continue;
            if (tc_json_parse_root(&cx, entry->json, &limits, &body) == TC_E_NO_MEMORY)
                return tc_fail_memory(walk->cx);
            if (!tc_str_eq(tc_json_str(tc_json_get_c(body, "name")), name)) {
                next = entry->seq;
                continue;
            }
            *from = *from > entry->seq ? *from : entry->seq + 1;
            *to = next && next <= *to ? next - 1 : *to;
            return TC_OK;
        }
        e = next_page(walk);
    }
    return e ? e : tc_fail(walk->cx, TC_E_TAPE_NO_ANCHOR, "The tape has no anchor \"%.*s\".", TC_STR_ARG(name));
}

/* --- the walk --- */

static enum tc_err collect(struct walk *walk, const struct tc_tape_query *query, struct tc_tape_entry *found,
                           size_t *ret_n)
{
    struct tc_cx of_page = {.arena = &walk->arena, .clock = walk->cx->clock};
    size_t n = 0, max = (size_t)query->limit;
    enum tc_err e = next_page(walk);

    while (!e && walk->n && n < max) {
        for (size_t i = 0; !e && i < walk->n && n < max; i++) {
            const struct tc_tape_entry *entry = &walk->entries[walk->backwards ? walk->n - 1 - i : i];
            bool pass;
            e = passes(&of_page, query, entry, &pass);
            if (!e && pass && !dup_entry(walk->cx->arena, entry, &found[n++]))
                e = TC_E_NO_MEMORY;
        }
        if (!e)
            e = next_page(walk);
    }
    if (e == TC_E_NO_MEMORY)
        return tc_fail_memory(walk->cx);
    for (size_t i = 0; walk->backwards && i < n / 2; i++) {
        struct tc_tape_entry swap = found[i];
        found[i] = found[n - 1 - i];
        found[n - 1 - i] = swap;
    }
    *ret_n = n;
    return e;
}

enum tc_err tc_tape_query(struct tc_cx *cx, struct tc_store *store, struct tc_str id,
                          const struct tc_tape_query *query, struct tc_tape_entry **ret_entries, size_t *ret_n)
{
    struct tc_tape_entry *found = TC_ARENA_NEW_N(cx->arena, struct tc_tape_entry, (size_t)query->limit);
    struct walk walk = {.cx = cx, .store = store, .id = id, .from = 1, .backwards = true};
    struct tc_tape_row row;
    int64_t from = query->from > 0 ? query->from : 1, to;
    enum tc_err e = found ? store->tapes->get(cx, store, id, &row) : tc_fail_memory(cx);

    if (e)
        return e;
    to = query->to > 0 && query->to < row.last ? query->to : row.last;
    walk.to = row.last;
    tc_arena_init(&walk.arena, PAGE_ARENA_MAX);
    if (query->anchor.n)
        e = find_anchor(&walk, query->anchor, &from, &to);
    walk.from = from;
    walk.to = to;
    walk.backwards = query->newest;
    if (!e)
        e = collect(&walk, query, found, ret_n);
    walk_finish(&walk);
    if (!e)
        *ret_entries = found;
    return e;
}
