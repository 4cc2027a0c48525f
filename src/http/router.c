/*
 * Literal patterns are found by hash; patterns with names, and paths with
 * percent-encoding, are compared segment by segment.
 */
#include "http/router.h"

#include "base/mem.h"
#include "base/percent.h"
#include "http/header.h"

struct tc_router_entry {
    const struct tc_route *route;
    struct tc_str method, pattern;
    struct tc_router_entry *same; /* literal: other methods of the pattern */
    struct tc_router_entry *next; /* named: the one added next */
};

void tc_router_init(struct tc_router *router)
{
    *router = (struct tc_router){.named = NULL};
}

void tc_router_finish(struct tc_router *router)
{
    struct tc_router_entry *entry, *next;
    struct tc_str key;
    size_t at = 0;
    void *value;

    while (tc_map_next(&router->literal, &at, &key, &value))
        for (entry = value; entry; entry = next) {
            next = entry->same;
            tc_mem_free(entry);
        }
    tc_map_finish(&router->literal);
    for (entry = router->named; entry; entry = next) {
        next = entry->next;
        tc_mem_free(entry);
    }
    router->named = NULL;
}

/* Splits "{name}" and "{name*}"; false for a literal segment. */
static bool named(struct tc_str segment, struct tc_str *ret_name, bool *ret_rest)
{
    if (segment.n < 3 || segment.p[0] != '{' || segment.p[segment.n - 1] != '}')
        return false;
    *ret_rest = segment.p[segment.n - 2] == '*';
    *ret_name = tc_str_n(segment.p + 1, segment.n - 2 - *ret_rest);
    return true;
}

static bool pattern_ok(struct tc_str pattern)
{
    struct tc_str rest = tc_str_from(pattern, 1), segment, name;
    size_t params = 0;
    bool all = false;

    if (!tc_str_starts(pattern, TC_STR("/")))
        return false;
    while (tc_str_split(&rest, '/', &segment)) {
        bool is_named = named(segment, &name, &all);
        if (!is_named && (tc_str_chr(segment, '{') != SIZE_MAX || tc_str_chr(segment, '%') != SIZE_MAX))
            return false;
        if (is_named && (name.n == 0 || ++params > TC_ROUTER_PARAMS_MAX || (all && rest.p)))
            return false;
    }
    return true;
}

/* Where the new entry belongs, or NULL when the route is there already. */
static struct tc_router_entry **place(struct tc_router *router, struct tc_router_entry **first,
                                      const struct tc_router_entry *entry)
{
    struct tc_router_entry **at = first;

    while (*at) {
        if (tc_str_eq((*at)->method, entry->method) && tc_str_eq((*at)->pattern, entry->pattern))
            return NULL;
        at = first == &router->named ? &(*at)->next : &(*at)->same;
    }
    return at;
}

enum tc_err tc_router_add(struct tc_cx *cx, struct tc_router *router, const struct tc_route *route)
{
    struct tc_router_entry *entry = tc_mem_zalloc(1, sizeof *entry), *head, **at;
    bool literal = strchr(route->pattern, '{') == NULL;

    if (!entry)
        return tc_fail_memory(cx);
    *entry = (struct tc_router_entry){
        .route = route, .method = tc_str_of(route->method), .pattern = tc_str_of(route->pattern)};
    head = literal ? tc_map_get(&router->literal, entry->pattern) : NULL;
    at = place(router, literal ? &head : &router->named, entry);
    if (!at || !pattern_ok(entry->pattern)) {
        tc_mem_free(entry);
        return tc_fail(cx, TC_E_INTERNAL, "The route %s %s is malformed or there twice.", route->method,
                       route->pattern);
    }
    if (literal && !head) {
        if (tc_map_put(&router->literal, entry->pattern, entry))
            return TC_OK;
        tc_mem_free(entry);
        return tc_fail_memory(cx);
    }
    *at = entry;
    return TC_OK;
}

/* Compares path and pattern; the params are raw views of the path. */
static bool fits(struct tc_arena *arena, struct tc_str pattern, struct tc_str path, struct tc_router_match *match)
{
    struct tc_str wanted, segment, name;
    bool all;

    match->params = 0;
    if (!tc_str_starts(path, TC_STR("/")))
        return false;
    pattern = tc_str_from(pattern, 1);
    path = tc_str_from(path, 1);
    while (tc_str_split(&pattern, '/', &wanted)) {
        struct tc_str left = path;

        if (!tc_str_split(&path, '/', &segment))
            return false;
        if (!named(wanted, &name, &all)) {
            if (!tc_str_eq(wanted, tc_percent_decode(arena, segment)))
                return false;
            continue;
        }
        if (all) {
            segment = left;
            path = tc_str_n(NULL, 0);
        }
        if (segment.n == 0)
            return false;
        match->names[match->params] = name;
        match->values[match->params++] = segment;
    }
    return path.p == NULL;
}

static bool serves(const struct tc_router_entry *entry, struct tc_str method)
{
    return tc_str_eq(entry->method, method) || (tc_str_is(method, "HEAD") && tc_str_is(entry->method, "GET"));
}

static enum tc_err found(struct tc_cx *cx, const struct tc_router_entry *entry, struct tc_router_match *match)
{
    match->route = entry->route;
    for (size_t i = 0; i < match->params; i++) {
        match->values[i] = tc_percent_decode(cx->arena, match->values[i]);
        if (!match->values[i].p)
            return tc_fail_memory(cx);
    }
    return TC_OK;
}

/* The first entry of a literal pattern equal to the path when decoded. */
static const struct tc_router_entry *literal_of(struct tc_cx *cx, const struct tc_router *router, struct tc_str path)
{
    struct tc_router_match unused;
    struct tc_str key;
    size_t at = 0;
    void *value;

    if (tc_str_chr(path, '%') == SIZE_MAX)
        return tc_map_get(&router->literal, path);
    while (tc_map_next(&router->literal, &at, &key, &value))
        if (fits(cx->arena, key, path, &unused))
            return value;
    return NULL;
}

static void add_method(struct tc_buf *methods, struct tc_str method)
{
    if (tc_header_has(tc_buf_get(methods), method))
        return;
    tc_buf_cstr(methods, methods->n ? ", " : "");
    tc_buf_str(methods, method);
    if (tc_str_is(method, "GET"))
        tc_buf_cstr(methods, ", HEAD");
}

static enum tc_err refuse(struct tc_cx *cx, const struct tc_router *router, struct tc_str path,
                          struct tc_router_match *ret_match)
{
    struct tc_buf methods;

    tc_buf_init(&methods, 4096);
    for (const struct tc_router_entry *e = literal_of(cx, router, path); e; e = e->same)
        add_method(&methods, e->method);
    for (const struct tc_router_entry *e = router->named; e; e = e->next)
        if (fits(cx->arena, e->pattern, path, ret_match))
            add_method(&methods, e->method);
    ret_match->params = 0;
    ret_match->allow = tc_buf_dup(&methods, cx->arena);
    tc_buf_finish(&methods);
    if (!ret_match->allow.p)
        return tc_fail_memory(cx);
    if (ret_match->allow.n > 0)
        return tc_fail(cx, TC_E_HTTP_METHOD, "This path does not take that method; it takes %.*s.",
                       TC_STR_ARG(ret_match->allow));
    return tc_fail(cx, TC_E_HTTP_NOT_FOUND, "Nothing is served at this path.");
}

enum tc_err tc_router_match(struct tc_cx *cx, const struct tc_router *router, struct tc_str method, struct tc_str path,
                            struct tc_router_match *ret_match)
{
    ret_match->params = 0;
    for (const struct tc_router_entry *e = literal_of(cx, router, path); e; e = e->same)
        if (serves(e, method))
            return found(cx, e, ret_match);
    for (const struct tc_router_entry *e = router->named; e; e = e->next)
        if (serves(e, method) && fits(cx->arena, e->pattern, path, ret_match))
            return found(cx, e, ret_match);
    return refuse(cx, router, path, ret_match);
}

struct tc_str tc_router_param(const struct tc_router_match *match, struct tc_str name)
{
    for (size_t i = 0; i < match->params; i++)
        if (tc_str_eq(match->names[i], name))
            return match->values[i];
    return tc_str_n(NULL, 0);
}
