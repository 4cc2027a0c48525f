/*
 * The view: its mounts, what is hidden, and what was changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"
#include "shell/vfs_impl.h"

struct tc_sh_vfs *tc_sh_vfs_create(struct tc_sh_budget *budget)
{
    struct tc_sh_vfs *vfs = tc_mem_zalloc(1, sizeof *vfs);

    if (!vfs)
        return NULL;
    vfs->disk.budget = budget;
    umask(0); /* modes come with the shell's own mask taken off */
    return vfs;
}

void tc_sh_vfs_destroy(struct tc_sh_vfs *vfs)
{
    if (!vfs)
        return;
    tc_sh_vfs_deep_finish(vfs);
    for (size_t i = 0; i < vfs->mounts_n; i++) {
        close(vfs->mounts[i].dirfd);
        tc_mem_free(vfs->mounts[i].path);
    }
    for (size_t i = 0; i < vfs->hidden_n; i++)
        tc_mem_free(vfs->hidden[i]);
    for (size_t i = 0; i < vfs->shown_n; i++)
        tc_mem_free(vfs->shown[i]);
    for (size_t i = 0; i < vfs->changed_n; i++)
        tc_mem_free(vfs->changed[i]);
    tc_mem_free(vfs->changed);
    tc_map_finish(&vfs->changed_set);
    tc_mem_free(vfs);
}

static char *copy(const char *text)
{
    size_t n = strlen(text) + 1;
    char *p = tc_mem_alloc(n);

    return p ? memcpy(p, text, n) : NULL;
}

int tc_sh_vfs_mount(struct tc_sh_vfs *vfs, const struct tc_sh_mount *mount)
{
    const char *path = strcmp(mount->path, "/") == 0 ? "" : mount->path;
    struct tc_sh_mounted new = {copy(path), strlen(path), mount->dirfd, mount->read_only, mount->hidden};
    size_t at = 0;

    if (!new.path || vfs->mounts_n == TC_SH_MOUNTS_MAX) {
        tc_mem_free(new.path);
        close(mount->dirfd);
        return new.path ? ENFILE : ENOMEM;
    }
    while (at < vfs->mounts_n && vfs->mounts[at].path_n >= new.path_n)
        at++;
    memmove(&vfs->mounts[at + 1], &vfs->mounts[at], (vfs->mounts_n - at) * sizeof new);
    vfs->mounts[at] = new;
    vfs->mounts_n++;
    if (new.path_n == 0)
        vfs->own_dev = faccessat(new.dirfd, "dev", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    return 0;
}

/* Rather nothing runs than that something is seen that should not. */
static void note_rule(struct tc_sh_vfs *vfs, const char *path, char **rules, size_t *n, size_t max)
{
    char *own = *n < max ? copy(path) : NULL;

    if (own)
        rules[(*n)++] = own;
    else
        tc_sh_budget_spend(vfs->disk.budget, TC_SH_LIMIT_MEMORY);
}

void tc_sh_vfs_hide(struct tc_sh_vfs *vfs, const char *path)
{
    note_rule(vfs, path, vfs->hidden, &vfs->hidden_n, TC_SH_HIDDEN_MAX);
}

void tc_sh_vfs_show(struct tc_sh_vfs *vfs, const char *path)
{
    note_rule(vfs, path, vfs->shown, &vfs->shown_n, TC_SH_SHOWN_MAX);
}

int tc_sh_vfs_count_file(struct tc_sh_vfs *vfs)
{
    struct tc_sh_budget *budget = vfs->disk.budget;

    if (budget->max.files && budget->files >= budget->max.files) {
        tc_sh_budget_met(budget, TC_SH_LIMIT_FILES);
        return EDQUOT;
    }
    budget->files++;
    return 0;
}

static bool room_for_change(struct tc_sh_vfs *vfs)
{
    size_t max = vfs->changed_max ? vfs->changed_max * 2 : 16;
    char **changed;

    if (vfs->changed_n < vfs->changed_max)
        return true;
    changed = tc_mem_realloc(vfs->changed, max * sizeof *changed);
    if (!changed)
        return false;
    vfs->changed = changed;
    vfs->changed_max = max;
    return true;
}

void tc_sh_vfs_note(struct tc_sh_vfs *vfs, const struct tc_sh_place *place)
{
    struct tc_str path = tc_str_of(place->path);
    char *own;

    if (place->mount->hidden || tc_map_get(&vfs->changed_set, path))
        return;
    own = vfs->changed_n < TC_SH_CHANGED_MAX && room_for_change(vfs) ? copy(place->path) : NULL;
    if (!own || !tc_map_put(&vfs->changed_set, path, own)) {
        tc_mem_free(own);
        vfs->changed_more = true;
        return;
    }
    vfs->changed[vfs->changed_n++] = own;
}

size_t tc_sh_vfs_changed(const struct tc_sh_vfs *vfs, const char *const **ret_paths, bool *ret_more)
{
    *ret_paths = (const char *const *)vfs->changed;
    *ret_more = vfs->changed_more;
    return vfs->changed_n;
}

void tc_sh_vfs_usage(struct tc_sh_vfs *vfs, const char *path, int64_t ret[4])
{
    const struct tc_sh_budget *budget = vfs->disk.budget;

    (void)path; /* all places are counted together */
    ret[0] = budget->bytes;
    ret[1] = budget->max.bytes;
    ret[2] = budget->files;
    ret[3] = budget->max.files;
}
