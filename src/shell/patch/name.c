/*
 * Which file a patch is for: of the names in its header, without their leading parts,
 * the one that is there and has the fewest parts.
 */
#include "shell/patch/patch.h"

const char *tc_patch_path(struct patch *p, const char *name)
{
    const char *path = name;

    if (p->folder && *name != '/')
        path = tc_arena_printf(p->c->arena, "%s/%s", p->folder, name).p;
    if (!path)
        tc_cmd_fail_memory(p->c);
    return path;
}

/* The name without leading parts; NULL when it has not so many. */
static const char *stripped(struct patch *p, struct tc_str name)
{
    char *text = name.p ? tc_arena_cstr(p->c->arena, name) : NULL, *at = text;

    if (!text || tc_str_is(name, "/dev/null"))
        return NULL;
    if (p->strip < 0) {
        char *slash = strrchr(text, '/');

        return slash ? slash + 1 : text;
    }
    for (int64_t i = 0; i < p->strip; i++) {
        at = strchr(at, '/');
        if (!at)
            return NULL;
        at += strspn(at, "/");
    }
    return *at ? at : NULL;
}

static size_t parts(const char *name)
{
    size_t n = 1;

    for (; *name; name++)
        n += *name == '/';
    return n;
}

/* Relative and without "..", so that a patch changes nothing elsewhere. */
static bool is_safe(const char *name)
{
    for (const char *p = name; *p; p += *p == '/') {
        size_t n = strcspn(p, "/");

        if (n == 2 && p[0] == '.' && p[1] == '.')
            return false;
        p += n;
    }
    return *name && *name != '/';
}

const char *tc_patch_name(struct patch *p, const struct patch_file *file)
{
    const char *names[3] = {stripped(p, p->reverse ? file->new_name : file->old_name),
                            stripped(p, p->reverse ? file->old_name : file->new_name), NULL};
    const char *best = NULL, *path, *any;
    struct stat st;

    if (!names[0] && !names[1])
        names[2] = stripped(p, file->index);
    any = names[1] ? names[1] : names[0] ? names[0] : names[2];
    for (int i = 0; i < 3; i++) {
        if (!names[i] || !is_safe(names[i]) || !(path = tc_patch_path(p, names[i])) || tc_cmd_stat(p->c, path, &st))
            continue;
        if (!best || parts(names[i]) < parts(best) ||
            (parts(names[i]) == parts(best) && strlen(names[i]) < strlen(best)))
            best = names[i];
    }
    if (!best && any && is_safe(any))
        best = any;
    return best;
}
