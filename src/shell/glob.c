/*
 * Pathnames: each component of the pattern is looked for in the directories that the
 * ones before it gave. What is found is gathered, then sorted by bytes.
 */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

#include "shell/expand_parts.h"
#include "shell/pattern.h"

enum { COMPONENTS_MAX = 256, LEVELS_MAX = 200 };

struct component {
    struct tc_str pattern;
    struct tc_str slashes; /* behind it; none: the last */
    bool special, star_star;
};

struct glob {
    struct tc_sh_env *env;
    struct component *components;
    size_t n;
    unsigned flags;
    bool dots;          /* names that begin with one are found, too */
    struct tc_buf path; /* so far, as it will be a result */
    struct tc_sh_fields *fields;
    enum tc_sh_flow flow;
    int level;
};

static void search(struct glob *g, size_t i);

/* --- the pattern --- */

static size_t component_end(struct tc_str pattern, size_t at)
{
    while (at < pattern.n && pattern.p[at] != '/')
        at += pattern.p[at] == '\\' && at + 1 < pattern.n && pattern.p[at + 1] != '/' ? 2 : 1;
    return at < pattern.n ? at : pattern.n;
}

static bool cut(struct glob *g, struct tc_str pattern)
{
    bool deep = g->env->shopt & TC_SH_S_GLOBSTAR;

    g->components = TC_ARENA_NEW_N(tc_sh_arena(g->env), struct component, COMPONENTS_MAX);
    if (!g->components)
        return false;
    for (size_t at = 0; at < pattern.n && g->n < COMPONENTS_MAX;) {
        struct component *c = &g->components[g->n++];
        size_t end = component_end(pattern, at), next = end;
        while (next < pattern.n && pattern.p[next] == '/')
            next++;
        c->pattern = tc_str_n(pattern.p + at, end - at);
        if (c->pattern.n && c->pattern.p[c->pattern.n - 1] == '\\' && next > end) /* a quoted slash */
            c->pattern.n--;
        c->slashes = tc_str_n(pattern.p + end, next - end);
        c->special = tc_sh_pattern_special(c->pattern, g->flags);
        c->star_star = deep && tc_str_is(c->pattern, "**");
        if (c->star_star && g->n > 1 && g->components[g->n - 2].star_star) { /* two are as one */
            g->components[g->n - 2] = *c;
            g->n--;
        }
        at = next;
    }
    return true;
}

/* --- results --- */

/* The absolute path of what is in g->path, in `absolute` of PATH_MAX bytes. */
static bool absolute(const struct glob *g, char *to)
{
    struct tc_str path = tc_buf_get(&g->path);
    const char *cwd = path.n && path.p[0] == '/' ? "" : g->env->cwd;
    size_t n = strlen(cwd);

    if (n + path.n + 2 > PATH_MAX || tc_str_chr(path, '\0') != SIZE_MAX)
        return false;
    memcpy(to, cwd, n);
    if (n)
        to[n++] = '/';
    memcpy(to + n, path.p, path.n);
    to[n + path.n] = '\0';
    return true;
}

static bool status(const struct glob *g, bool follow, struct stat *ret_stat)
{
    char path[PATH_MAX];

    return absolute(g, path) && tc_sh_vfs_stat(g->env->sh->vfs, &g->env->fds, path, follow, ret_stat) == 0;
}

static void found(struct glob *g)
{
    if (g->flow == TC_SH_NEXT && !tc_sh_fields_add(g->env, g->fields, tc_buf_get(&g->path)))
        g->flow = TC_SH_STOP;
}

/* --- directories --- */

struct entry {
    struct tc_str name;
    bool dir, link; /* dir: also by a link, when that was asked for */
};

struct names {
    struct entry *v;
    size_t n, cap;
};

static bool add_name(struct glob *g, struct names *names, const char *name, unsigned char type, bool dir)
{
    struct tc_arena *arena = tc_sh_arena(g->env);

    if (names->n == names->cap) {
        size_t cap = names->cap * 2 + 32;
        struct entry *v = TC_ARENA_NEW_N(arena, struct entry, cap);
        if (!v)
            return false;
        if (names->n)
            memcpy(v, names->v, names->n * sizeof *v);
        names->v = v;
        names->cap = cap;
    }
    names->v[names->n] = (struct entry){tc_arena_dup(arena, tc_str_of(name)), dir, type == DT_LNK};
    return names->v[names->n++].name.p != NULL;
}

/* Is the entry a directory, or a link to one? */
static bool is_dir(struct glob *g, const char *name, unsigned char type)
{
    size_t n = g->path.n;
    struct stat st;
    bool dir;

    if (type != DT_UNKNOWN && type != DT_LNK)
        return type == DT_DIR;
    tc_buf_cstr(&g->path, name);
    dir = !g->path.failed && status(g, true, &st) && S_ISDIR(st.st_mode);
    g->path.n = n;
    return dir;
}

/* The names in the directory g->path that the component takes. */
static bool list(struct glob *g, const struct component *c, struct names *names)
{
    unsigned flags = g->flags | (g->dots ? 0 : TC_SH_PATTERN_PERIOD);
    struct tc_str pattern = c->star_star ? TC_STR("*") : c->pattern;
    struct tc_sh_dir *dir;
    unsigned char type;
    char path[PATH_MAX];
    const char *name;
    bool ok = true;
    ino_t inode;

    if (!absolute(g, path) || tc_sh_vfs_opendir(g->env->sh->vfs, path, &dir) != 0)
        return false;
    while (ok && tc_sh_vfs_readdir(dir, &name, &type, &inode)) {
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            !tc_sh_pattern_match(pattern, tc_str_of(name), flags))
            continue;
        ok = add_name(g, names, name, type, (c->slashes.n || c->star_star) && is_dir(g, name, type));
    }
    tc_sh_vfs_closedir(dir);
    if (!ok)
        g->flow = tc_sh_out_of_memory(g->env);
    else if (!tc_sh_tick(g->env, 1 + (unsigned)names->n / 4))
        g->flow = TC_SH_STOP;
    return g->flow == TC_SH_NEXT;
}

/* What a last ** begins at: with its slash, but not behind a component that was a pattern. */
static void found_base(struct glob *g, size_t i)
{
    size_t n = g->path.n;

    if (i > 0 && g->components[i - 1].special)
        g->path.n -= g->components[i - 1].slashes.n;
    found(g);
    g->path.n = n;
}

/* ** : the directory itself, and all below it; links are not gone into. */
static void search_deep(struct glob *g, size_t i, bool first)
{
    const struct component *c = &g->components[i];
    struct names names = {0};
    size_t n = g->path.n;

    if (++g->level > LEVELS_MAX) {
        g->level--;
        return;
    }
    if (list(g, c, &names)) {
        if (c->slashes.n && (i + 1 < g->n || n > 0))
            search(g, i + 1);
        else if (first && n > 0)
            found_base(g, i);
        for (size_t j = 0; j < names.n && g->flow == TC_SH_NEXT; j++) {
            const struct entry *entry = &names.v[j];
            tc_buf_str(&g->path, entry->name);
            if (!c->slashes.n)
                found(g);
            tc_buf_cstr(&g->path, "/");
            if (entry->dir && entry->link && c->slashes.n && i + 1 == g->n)
                found(g);
            else if (entry->dir && !entry->link && !g->path.failed)
                search_deep(g, i, false);
            g->path.n = n;
        }
    }
    g->level--;
}

static void search_names(struct glob *g, size_t i)
{
    const struct component *c = &g->components[i];
    struct names names = {0};
    size_t n = g->path.n;

    if (!list(g, c, &names))
        return;
    for (size_t j = 0; j < names.n && g->flow == TC_SH_NEXT; j++) {
        if (c->slashes.n && !names.v[j].dir)
            continue;
        tc_buf_str(&g->path, names.v[j].name);
        tc_buf_str(&g->path, c->slashes);
        search(g, i + 1);
        g->path.n = n;
    }
}

/* A component without special characters is taken as it is; whether it exists shows later. */
static void search_literal(struct glob *g, size_t i)
{
    const struct component *c = &g->components[i];
    size_t n = g->path.n;

    for (size_t j = 0; j < c->pattern.n; j++) {
        if (c->pattern.p[j] == '\\' && j + 1 < c->pattern.n)
            j++;
        tc_buf_char(&g->path, c->pattern.p[j]);
    }
    tc_buf_str(&g->path, c->slashes);
    search(g, i + 1);
    g->path.n = n;
}

static void search(struct glob *g, size_t i)
{
    struct stat st;

    if (g->flow != TC_SH_NEXT || g->path.failed)
        return;
    if (i == g->n) {
        const struct component *last = &g->components[g->n - 1];
        if (last->special || status(g, last->slashes.n > 0, &st))
            found(g);
    } else if (g->components[i].star_star) {
        search_deep(g, i, true);
    } else if (g->components[i].special) {
        search_names(g, i);
    } else {
        search_literal(g, i);
    }
}

/* --- GLOBIGNORE --- */

static bool ignored(struct tc_str patterns, struct tc_str path, unsigned flags)
{
    struct tc_str one;

    while (tc_str_split(&patterns, ':', &one))
        if (one.n && tc_sh_pattern_match(one, path, flags | TC_SH_PATTERN_PATH))
            return true;
    return false;
}

static int by_bytes(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

enum tc_sh_flow tc_sh_glob(struct tc_sh_env *env, struct tc_str pattern, struct tc_sh_fields *fields)
{
    struct glob g = {.env = env, .fields = fields};
    size_t before = fields->n, kept = fields->n;
    struct tc_str ignore = TC_STR("");

    g.flags = (env->shopt & TC_SH_S_EXTGLOB ? TC_SH_PATTERN_EXT : 0) |
              (env->shopt & TC_SH_S_NOCASEGLOB ? TC_SH_PATTERN_ICASE : 0);
    if (!tc_sh_pattern_special(pattern, g.flags))
        return TC_SH_NEXT;
    if (!cut(&g, pattern))
        return tc_sh_out_of_memory(env);
    tc_sh_vars_get(env->vars, TC_STR("GLOBIGNORE"), &ignore);
    g.dots = env->shopt & TC_SH_S_DOTGLOB || ignore.n > 0;
    tc_buf_init(&g.path, PATH_MAX);
    search(&g, 0);
    tc_buf_finish(&g.path);
    if (g.flow != TC_SH_NEXT)
        return g.flow;
    for (size_t i = before; i < fields->n; i++)
        if (ignore.n == 0 || !ignored(ignore, fields->v[i], g.flags))
            fields->v[kept++] = fields->v[i];
    fields->n = kept;
    if (fields->n > before)
        qsort(fields->v + before, fields->n - before, sizeof *fields->v, by_bytes);
    return TC_SH_NEXT;
}
