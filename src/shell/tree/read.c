/*
 * Reading a tree: folders in the order that is asked for, without what is not shown.
 * Depth is bounded by the length of a path.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "shell/sort/sort.h"
#include "shell/tree/tree.h"

struct tree_seen {
    dev_t device;
    ino_t inode;
    struct tree_seen *next;
};

static bool matches(const struct tree *t, const char *const *patterns, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        struct tc_str rest = tc_str_of(patterns[i]), one;

        while (tc_str_split(&rest, '|', &one))
            if (tc_cmd_pattern(one, tc_str_of(name), t->pattern_flags))
                return true;
    }
    return false;
}

bool tc_tree_is_folder(const struct tree_node *node)
{
    return S_ISDIR(node->stat.st_mode) || S_ISDIR(node->leads_to);
}

static bool is_shown(const struct tree *t, const struct tree_node *node, const char *name)
{
    bool open = S_ISDIR(node->stat.st_mode) || (t->follow && tc_tree_is_folder(node));

    if (t->wanted_n && !open && !matches(t, t->wanted, t->wanted_n, name))
        return false;
    return !matches(t, t->ignored, t->ignored_n, name) && (!t->folders || tc_tree_is_folder(node));
}

struct tree_node *tc_tree_look_at(struct tree *t, const char *path, const char *name)
{
    struct tree_node *node = TC_ARENA_NEW(t->c->arena, struct tree_node);
    struct stat stat;
    char *target;

    if (!node) {
        tc_cmd_fail_memory(t->c);
        return NULL;
    }
    *node = (struct tree_node){.name = t->full ? path : name, .path = path};
    if (tc_cmd_lstat(t->c, path, &node->stat))
        return node;
    node->size = (int64_t)node->stat.st_size;
    if (S_ISLNK(node->stat.st_mode)) {
        node->leads_to = tc_cmd_stat(t->c, path, &stat) ? 0 : stat.st_mode;
        node->target = tc_cmd_readlink(t->c, path, &target) ? "" : target;
    }
    return node;
}

static int by_time(struct timespec a, struct timespec b)
{
    if (a.tv_sec != b.tv_sec)
        return a.tv_sec < b.tv_sec ? -1 : 1;
    return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

static int compare(const void *left, const void *right, void *context)
{
    const struct tree_node *a = *(struct tree_node *const *)left, *b = *(struct tree_node *const *)right;
    const struct tree *t = context;
    int order = 0;

    if ((t->dirs_first || t->files_first) && tc_tree_is_folder(a) != tc_tree_is_folder(b))
        return tc_tree_is_folder(a) == t->dirs_first ? -1 : 1;
    if (t->sort == TREE_BY_CHANGE)
        order = by_time(a->stat.st_ctim, b->stat.st_ctim);
    else if (t->sort == TREE_BY_MODIFIED)
        order = by_time(a->stat.st_mtim, b->stat.st_mtim);
    else if (t->sort == TREE_BY_SIZE)
        order = (a->size < b->size) - (a->size > b->size);
    else if (t->sort == TREE_BY_VERSION)
        order = tc_sort_version(tc_str_of(a->name), tc_str_of(b->name));
    if (order == 0)
        order = strcmp(a->name, b->name);
    return t->reverse ? -order : order;
}

bool tc_tree_note_folder(struct tree *t, const struct tree_node *node)
{
    struct stat stat;
    struct tree_seen *seen;

    if (!t->follow || tc_cmd_stat(t->c, node->path, &stat))
        return true;
    for (seen = t->seen; seen; seen = seen->next)
        if (seen->inode == stat.st_ino && seen->device == stat.st_dev)
            return !node->target;
    seen = TC_ARENA_NEW(t->c->arena, struct tree_seen);
    if (seen) {
        *seen = (struct tree_seen){stat.st_dev, stat.st_ino, t->seen};
        t->seen = seen;
    }
    return true;
}

/* An entry; NULL when it is not shown. */
static struct tree_node *read_entry(struct tree *t, const struct tree_node *folder, const char *name)
{
    bool slash = folder->path[strlen(folder->path) - 1] == '/';
    struct tc_str path = tc_arena_printf(t->c->arena, "%s%s%s", folder->path, slash ? "" : "/", name);
    struct tree_node *node;

    if (!path.p || path.n >= PATH_MAX || (!t->all && name[0] == '.'))
        return NULL;
    node = tc_tree_look_at(t, path.p, name);
    return node && is_shown(t, node, name) ? node : NULL;
}

static void read_children(struct tree *t, struct tree_node *node, int64_t level)
{
    size_t kept = 0;

    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++) {
        struct tree_node *child = node->below[i];

        if (S_ISDIR(child->stat.st_mode) || (t->follow && tc_tree_is_folder(child))) {
            if (!tc_tree_note_folder(t, child))
                child->fault = "recursive, not followed";
            else if ((!t->level_max || level < t->level_max) &&
                     (!t->one_device || child->stat.st_dev == t->device))
                tc_tree_read_below(t, child, level + 1);
        }
        if (t->prune && !t->folders && tc_tree_is_folder(child) && child->n == 0 && !child->fault)
            continue;
        if (t->du)
            node->size += child->size;
        node->below[kept++] = child;
    }
    node->n = kept;
}

void tc_tree_read_below(struct tree *t, struct tree_node *node, int64_t level)
{
    char **names;
    size_t n;

    if (tc_cmd_names(t->c, node->path, &names, &n)) {
        node->fault = "error opening dir";
        t->status = TREE_FAILED;
        return;
    }
    node->below = TC_ARENA_NEW_N(t->c->arena, struct tree_node *, n + 1);
    if (!node->below) {
        tc_cmd_fail_memory(t->c);
        return;
    }
    for (size_t i = 0; i < n && tc_cmd_tick(t->c, 1); i++) {
        struct tree_node *child = read_entry(t, node, names[i]);

        if (child)
            node->below[node->n++] = child;
    }
    if (t->file_limit && (int64_t)node->n > t->file_limit) {
        node->fault = tc_arena_printf(t->c->arena, "%zu entries exceeds filelimit, not opening dir", node->n).p;
        node->n = 0;
        return;
    }
    if (node->n > 1)
        qsort_r(node->below, node->n, sizeof(struct tree_node *), compare, t);
    read_children(t, node, level);
}
