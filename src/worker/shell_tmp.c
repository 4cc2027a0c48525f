/*
 * A tree is removed with one folder open at a time, down into what is not empty and back
 * by "..", so that no depth of it needs a stack of ours. Nobody else is in it any more.
 */
#include "worker/shell_tmp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rand.h"

static void make_name(char name[SHELL_TMP_NAME])
{
    snprintf(name, SHELL_TMP_NAME, "toolcrib-%016llx", (unsigned long long)tc_rand_u64());
}

static bool is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static DIR *open_folder(int at, const char *name)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir;

    if (fd < 0 && errno == EACCES && fchmodat(at, name, 0700, 0) == 0)
        fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    fchmod(fd, 0700); /* a script may have taken the right to change it */
    dir = fdopendir(fd);
    if (!dir)
        close(fd);
    return dir;
}

static bool remove_entry(DIR *dir, const char *name)
{
    return unlinkat(dirfd(dir), name, 0) == 0 || unlinkat(dirfd(dir), name, AT_REMOVEDIR) == 0;
}

/* Removes what can be removed at once, up to a folder that holds something: that one, or NULL when
 * nothing is left, or only what cannot be removed. Counts what it removed. */
static DIR *thin_out(DIR *dir, size_t *removed)
{
    struct dirent *entry;
    DIR *below;

    while ((entry = readdir(dir))) {
        if (!is_entry(entry))
            continue;
        if (remove_entry(dir, entry->d_name)) {
            ++*removed;
            continue;
        }
        below = open_folder(dirfd(dir), entry->d_name);
        if (below)
            return below;
    }
    return NULL;
}

void shell_tmp_remove(int base, const char *name)
{
    DIR *dir = open_folder(base, name), *next;
    size_t depth = 1;
    bool back = false; /* from a folder that should be empty now */

    while (dir) {
        size_t removed = 0;
        next = thin_out(dir, &removed);
        if (back && !removed) { /* it is not, and would not be the next time */
            if (next)
                closedir(next);
            break;
        }
        back = !next;
        if (next)
            depth++;
        else if (--depth)
            next = open_folder(dirfd(dir), "..");
        closedir(dir);
        dir = next;
    }
    if (dir)
        closedir(dir);
    unlinkat(base, name, AT_REMOVEDIR);
}

bool shell_tmp_drop(int base, const char *name)
{
    return unlinkat(base, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

static bool is_empty(int fd)
{
    char entries[1024];
    ssize_t n = getdents64(fd, entries, sizeof entries);
    size_t found = 0;

    for (ssize_t at = 0; at < n; found++)
        at += ((struct dirent64 *)(entries + at))->d_reclen;
    return n > 0 && found == 2; /* "." and ".." */
}

int shell_tmp_again(int base, const char *name)
{
    int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (is_empty(fd) && lseek(fd, 0, SEEK_SET) == 0 && fchown(fd, geteuid(), getegid()) == 0 && fchmod(fd, 0700) == 0)
        return fd;
    close(fd);
    return -1;
}

int shell_tmp_make(int base, char ret_name[SHELL_TMP_NAME])
{
    int fd;

    make_name(ret_name);
    if (mkdirat(base, ret_name, 0700) != 0)
        return -1;
    fd = openat(base, ret_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        unlinkat(base, ret_name, AT_REMOVEDIR);
    return fd;
}

int shell_tmp_open(const char *path)
{
    struct dirent *entry;
    int fd, copy;
    DIR *dir;

    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return -1;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    dir = copy < 0 ? NULL : fdopendir(copy);
    while (dir && (entry = readdir(dir)))
        if (is_entry(entry) && unlinkat(fd, entry->d_name, 0) != 0)
            shell_tmp_remove(fd, entry->d_name);
    if (dir)
        closedir(dir);
    else if (copy >= 0)
        close(copy);
    return fd;
}
