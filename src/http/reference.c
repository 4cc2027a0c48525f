/*
 * The five forms: with a scheme, with a host, with a path from the root, with a
 * query only, with a path from here.
 */
#include "http/reference.h"

/* "scheme:" stands before any '/', '?' or '#'. */
static bool has_scheme(struct tc_str reference)
{
    for (size_t i = 0; i < reference.n; i++) {
        if (reference.p[i] == ':')
            return i > 0;
        if (strchr("/?#", reference.p[i]))
            return false;
    }
    return false;
}

/* The base's path up to and with its last '/'. */
static struct tc_str folder_of(struct tc_str path)
{
    while (path.n && path.p[path.n - 1] != '/')
        path.n--;
    return path.n ? path : TC_STR("/");
}

struct tc_str tc_reference_resolve(struct tc_arena *arena, const struct tc_url *base, struct tc_str reference)
{
    struct tc_str text = reference, folder = folder_of(base->path);
    struct tc_url url;

    if (has_scheme(reference))
        text = tc_arena_dup(arena, reference);
    else if (tc_str_starts(reference, TC_STR("//")))
        text = tc_arena_printf(arena, "%s:%.*s", base->https ? "https" : "http", TC_STR_ARG(reference));
    else if (tc_str_starts(reference, TC_STR("/")))
        text = tc_arena_printf(arena, "%.*s%.*s", TC_STR_ARG(base->origin), TC_STR_ARG(reference));
    else if (tc_str_starts(reference, TC_STR("?")))
        text = tc_arena_printf(arena, "%.*s%.*s%.*s", TC_STR_ARG(base->origin), TC_STR_ARG(base->path),
                               TC_STR_ARG(reference));
    else
        text = tc_arena_printf(arena, "%.*s%.*s%.*s", TC_STR_ARG(base->origin), TC_STR_ARG(folder),
                               TC_STR_ARG(reference));
    return text.p && tc_url_parse(text, &url) ? text : tc_str_n(NULL, 0);
}
