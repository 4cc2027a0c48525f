/*
 * Split, merge, remove dot segments, put together.
 */
#include "schema/uri.h"

struct parts {
    struct tc_str scheme, authority, path, query, fragment; /* p NULL: absent */
};

static const struct tc_str ABSENT = {NULL, 0};

/* Cuts what stands before the first of `stops`. */
static struct tc_str cut(struct tc_str *rest, const char *stops)
{
    size_t n = 0;
    struct tc_str part;

    while (n < rest->n && (rest->p[n] == '\0' || !strchr(stops, rest->p[n])))
        n++;
    part = tc_str_n(rest->p, n);
    *rest = tc_str_from(*rest, n);
    return part;
}

static struct parts split(struct tc_str uri)
{
    struct parts parts = {ABSENT, ABSENT, ABSENT, ABSENT, ABSENT};
    struct tc_str rest = uri, head = cut(&rest, ":/?#");

    if (rest.n && rest.p[0] == ':' && head.n) {
        parts.scheme = head;
        rest = tc_str_from(rest, 1);
    } else {
        rest = uri;
    }
    if (tc_str_starts(rest, TC_STR("//"))) {
        rest = tc_str_from(rest, 2);
        parts.authority = cut(&rest, "/?#");
    }
    parts.path = cut(&rest, "?#");
    if (rest.n && rest.p[0] == '?') {
        rest = tc_str_from(rest, 1);
        parts.query = cut(&rest, "#");
    }
    if (rest.n)
        parts.fragment = tc_str_from(rest, 1);
    return parts;
}

/* Writes the path without its dot segments (5.2.4) to `to`, which has room for it. */
static size_t remove_dots(struct tc_str path, char *to)
{
    size_t n = 0;

    while (path.n) {
        size_t next;
        if (tc_str_starts(path, TC_STR("../"))) {
            path = tc_str_from(path, 3);
        } else if (tc_str_starts(path, TC_STR("./")) || tc_str_starts(path, TC_STR("/./"))) {
            path = tc_str_from(path, 2);
        } else if (tc_str_is(path, "/.")) {
            path = TC_STR("/");
        } else if (tc_str_starts(path, TC_STR("/../")) || tc_str_is(path, "/..")) {
            path = path.n > 3 ? tc_str_from(path, 3) : TC_STR("/");
            while (n && to[--n] != '/')
                ;
        } else if (tc_str_is(path, ".") || tc_str_is(path, "..")) {
            break;
        } else {
            next = tc_str_chr(tc_str_from(path, 1), '/');
            next = next == SIZE_MAX ? path.n : next + 1;
            memcpy(to + n, path.p, next);
            n += next;
            path = tc_str_from(path, next);
        }
    }
    return n;
}

static size_t add(char *to, size_t n, const char *before, struct tc_str part, const char *after)
{
    size_t left = strlen(before), right = strlen(after);

    if (!part.p)
        return n;
    memcpy(to + n, before, left);
    memcpy(to + n + left, part.p, part.n);
    memcpy(to + n + left + part.n, after, right);
    return n + left + part.n + right;
}

/* base's path up to its last slash, then the reference's (5.2.3). */
static struct tc_str merge(struct tc_arena *arena, const struct parts *base, struct tc_str path)
{
    size_t keep = base->path.n;

    while (keep && base->path.p[keep - 1] != '/')
        keep--;
    if (keep == 0 && base->authority.p)
        return tc_arena_printf(arena, "/%.*s", TC_STR_ARG(path));
    return tc_arena_printf(arena, "%.*s%.*s", (int)keep, base->path.p ? base->path.p : "", TC_STR_ARG(path));
}

struct tc_str tc_uri_resolve(struct tc_arena *arena, struct tc_str base, struct tc_str reference)
{
    struct parts from = split(base), to = split(reference);
    char *out = tc_arena_alloc(arena, base.n + reference.n + 16);
    size_t n = 0;
    bool dots = true;

    if (!out)
        return ABSENT;
    if (!to.scheme.p) {
        to.scheme = from.scheme;
        if (!to.authority.p) {
            to.authority = from.authority;
            if (to.path.n == 0) {
                to.path = from.path;
                to.query = to.query.p ? to.query : from.query;
                dots = false;
            } else if (to.path.p[0] != '/') {
                to.path = merge(arena, &from, to.path);
                if (!to.path.p)
                    return ABSENT;
            }
        }
    }
    n = add(out, n, "", to.scheme, ":");
    n = add(out, n, "//", to.authority, "");
    n = dots ? n + remove_dots(to.path, out + n) : add(out, n, "", to.path, "");
    n = add(out, n, "?", to.query, "");
    n = add(out, n, "#", to.fragment, "");
    return tc_str_n(out, n);
}

void tc_uri_split(struct tc_str uri, struct tc_str *ret_document, struct tc_str *ret_fragment)
{
    size_t at = tc_str_chr(uri, '#');

    *ret_document = at == SIZE_MAX ? uri : tc_str_n(uri.p, at);
    *ret_fragment = at == SIZE_MAX ? tc_str_n("", 0) : tc_str_from(uri, at + 1);
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

struct tc_str tc_uri_decode(struct tc_arena *arena, struct tc_str text)
{
    char *to;
    size_t n = 0;

    if (tc_str_chr(text, '%') == SIZE_MAX)
        return text;
    to = tc_arena_alloc(arena, text.n);
    if (!to)
        return ABSENT;
    for (size_t i = 0; i < text.n; i++) {
        bool escaped = text.p[i] == '%' && i + 2 < text.n && hex(text.p[i + 1]) >= 0 && hex(text.p[i + 2]) >= 0;
        to[n++] = escaped ? (char)(hex(text.p[i + 1]) * 16 + hex(text.p[i + 2])) : text.p[i];
        i += escaped ? 2 : 0;
    }
    return tc_str_n(to, n);
}
