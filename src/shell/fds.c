/*
 * The table of descriptors of an environment: references to open files by number.
 */
#include "base/mem.h"
#include "shell/file.h"

bool tc_sh_fds_copy(struct tc_sh_fds *to, const struct tc_sh_fds *from)
{
    *to = (struct tc_sh_fds){0};
    if (from->n == 0)
        return true;
    to->files = tc_mem_alloc(from->n * sizeof *to->files);
    if (!to->files)
        return false;
    to->n = from->n;
    for (size_t i = 0; i < from->n; i++)
        to->files[i] = from->files[i] ? tc_sh_file_ref(from->files[i]) : NULL;
    return true;
}

void tc_sh_fds_finish(struct tc_sh_fds *fds)
{
    for (size_t i = 0; i < fds->n; i++)
        tc_sh_file_unref(fds->files[i]);
    tc_mem_free(fds->files);
    *fds = (struct tc_sh_fds){0};
}

struct tc_sh_file *tc_sh_fds_get(const struct tc_sh_fds *fds, int fd)
{
    return fd >= 0 && (size_t)fd < fds->n ? fds->files[fd] : NULL;
}

static bool make_room(struct tc_sh_fds *fds, size_t n)
{
    struct tc_sh_file **files;

    n = n < 8 ? 8 : n;
    files = tc_mem_realloc(fds->files, n * sizeof *files);
    if (!files)
        return false;
    memset(files + fds->n, 0, (n - fds->n) * sizeof *files);
    fds->files = files;
    fds->n = n;
    return true;
}

bool tc_sh_fds_set(struct tc_sh_fds *fds, int fd, struct tc_sh_file *file)
{
    struct tc_sh_file *before;

    if (!file && (size_t)fd >= fds->n)
        return fd >= 0;
    if (fd < 0 || fd >= TC_SH_FDS_MAX || ((size_t)fd >= fds->n && !make_room(fds, (size_t)fd + 1))) {
        tc_sh_file_unref(file);
        return false;
    }
    before = fds->files[fd];
    fds->files[fd] = file;
    tc_sh_file_unref(before);
    return true;
}

int tc_sh_fds_free(const struct tc_sh_fds *fds, int from)
{
    int fd = from;

    while ((size_t)fd < fds->n && fds->files[fd])
        fd++;
    return fd < TC_SH_FDS_MAX ? fd : -1;
}
