/*
 * Where an entry of an archive goes when it is extracted, or is looked for when it is
 * compared. No name leads out of the folder: a leading '/' is taken off, a name with
 * ".." is refused.
 */
#include <string.h>

#include "shell/archive/tar.h"

bool tc_tar_has_dots(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += strspn(at, "/");
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return true;
    }
    return false;
}

const char *tc_tar_stripped(const struct tc_tar *t, const char *name)
{
    for (int i = 0; i < t->strip; i++) {
        name = strchr(name, '/');
        if (!name)
            return NULL;
        name += strspn(name, "/");
    }
    return *name ? name : NULL;
}

/* In the folder of --one-top-level, unless it is there already. NULL without memory. */
static const char *in_top(const struct tc_tar *t, const char *name)
{
    size_t n = strlen(t->top);
    const char *first = name + strspn(name, "/.");

    if (!*first)
        return t->top;
    if (strncmp(first, t->top, n) == 0 && (first[n] == '/' || !first[n]))
        return name;
    return tc_arena_printf(t->c->arena, "%s/%s", t->top, name).p;
}

const char *tc_tar_place(struct tc_tar *t, const char *name)
{
    const char *kept;

    if (tc_tar_has_dots(name)) {
        tc_tar_fault(t, name, "Member name contains '..'");
        return NULL;
    }
    kept = tc_tar_stripped(t, tc_tar_relative(t, name));
    return kept && t->top ? in_top(t, kept) : kept;
}

static bool ends_archive(struct tc_str name, const char *suffix, size_t *ret_n)
{
    size_t n = strlen(suffix);

    if (name.n <= n + 1 || name.p[name.n - n - 1] != '.' || memcmp(name.p + name.n - n, suffix, n) != 0)
        return false;
    *ret_n = name.n - n - 1;
    return true;
}

const char *tc_tar_top_of(struct tc_cmd_call *c, const char *archive)
{
    static const char *const suffixes[] = {"tar", "gz",  "z",   "tgz",  "taz", "Z",  "taZ", "bz2", "tbz", "tbz2",
                                           "tz2", "lz", "lzma", "tlz", "lzo", "xz", "txz", "zst", "tzst"};
    const char *slash = strrchr(archive, '/');
    struct tc_str name = tc_str_of(slash ? slash + 1 : archive);
    size_t n;

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (!ends_archive(name, suffixes[i], &n))
            continue;
        name.n = n;
        if (suffixes[i][0] != 't' && ends_archive(name, "tar", &n))
            name.n = n;
        return tc_arena_cstr(c->arena, name);
    }
    return NULL;
}
