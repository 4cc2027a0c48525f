/*
 * The shell's view of files against a model: random operations on a small tree with
 * links that lead everywhere. Whatever is done, nothing outside of the mounts changes,
 * a path leads where a plain walk of the host's tree says, and what the budget counts
 * is what is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell_folder.h"
#include "shell/vfs.h"

enum { OPERATIONS_MAX = 60, PARTS_MAX = 5, LINKS_MAX = 40 };

struct input {
    const uint8_t *p;
    size_t n;
};

struct world {
    char base[64];
    struct tc_sh_budget budget;
    struct tc_sh_vfs *vfs;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned next(struct input *in, unsigned below)
{
    if (in->n == 0)
        return 0;
    in->n--;
    return *in->p++ % below;
}

/* --- the model --- */

/* The host's path of a real path of the view. */
static void host_path(const struct world *world, const char *real, char *host)
{
    bool tmp = strncmp(real, "/tmp", 4) == 0 && (real[4] == '/' || !real[4]);
    bool ro = strncmp(real, "/ro", 3) == 0 && (real[3] == '/' || !real[3]);

    snprintf(host, PATH_MAX, "%s/%s%s", world->base, tmp ? "tmp" : ro ? "ro" : "work", real + (tmp ? 4 : ro ? 3 : 0));
}

/* Walks a path part by part; `real` is where it leads. 0 or an errno. */
static int walk(const struct world *world, const char *path, char *real)
{
    char rest[4 * PATH_MAX], host[PATH_MAX], target[PATH_MAX], joined[4 * PATH_MAX];
    struct stat stat;
    int links = 0;

    snprintf(rest, sizeof rest, "%s", path);
    real[0] = '\0';
    while (*rest) {
        size_t skip = strspn(rest, "/"), n = strcspn(rest + skip, "/"), real_n = strlen(real);
        ssize_t got;

        host_path(world, real, host);
        if (n && lstat(host, &stat) != 0)
            return errno;
        if (n && !S_ISDIR(stat.st_mode))
            return ENOTDIR;
        if (n == 2 && memcmp(rest + skip, "..", 2) == 0) {
            if (real_n)
                *strrchr(real, '/') = '\0';
        } else if (n && !(n == 1 && rest[skip] == '.')) {
            snprintf(real + real_n, PATH_MAX - real_n, "/%.*s", (int)n, rest + skip);
        }
        memmove(rest, rest + skip + n, strlen(rest + skip + n) + 1);
        if (strlen(real) <= real_n)
            continue;
        host_path(world, real, host);
        if (lstat(host, &stat) != 0)
            return errno;
        if (!S_ISLNK(stat.st_mode))
            continue;
        if (++links > LINKS_MAX || (got = readlink(host, target, sizeof target - 1)) < 0)
            return ELOOP;
        target[got] = '\0';
        snprintf(joined, sizeof joined, "%s/%s", target, rest);
        snprintf(rest, sizeof rest, "%s", *rest ? joined : target);
        real[target[0] == '/' ? 0 : real_n] = '\0';
    }
    if (!*real)
        strcpy(real, "/");
    return 0;
}

static void compare(struct world *world, const char *path)
{
    char expected[PATH_MAX], host[PATH_MAX], real[PATH_MAX];
    struct stat want, have;
    int error = walk(world, path, expected), got = tc_sh_vfs_stat(world->vfs, NULL, path, true, &have);

    folder_require((error == 0) == (got == 0), "one of two finds it", path);
    if (error)
        return;
    host_path(world, expected, host);
    folder_require(lstat(host, &want) == 0 && want.st_ino == have.st_ino && want.st_dev == have.st_dev,
                   "another file", path);
    folder_require(tc_sh_vfs_realpath(world->vfs, path, 0, real) == 0 && strcmp(real, expected) == 0,
                   "another path", path);
}

/* --- operations --- */

static void make_path(struct input *in, char *path, bool link)
{
    static const char *const parts[] = {"a", "b", "l", "..", ".", "tmp", "ro", "", "outside", "work"};
    unsigned n = 1 + next(in, PARTS_MAX);

    path[0] = '\0';
    if (!link || next(in, 2))
        strcat(path, "/");
    for (unsigned i = 0; i < n; i++) {
        strcat(path, parts[next(in, sizeof parts / sizeof parts[0])]);
        if (i + 1 < n)
            strcat(path, "/");
    }
    if (!*path)
        strcat(path, "a");
}

static void list(struct world *world, const char *path)
{
    struct tc_sh_dir *dir;
    const char *name;
    unsigned char type;
    ino_t inode;

    if (tc_sh_vfs_opendir(world->vfs, path, &dir) != 0)
        return;
    while (tc_sh_vfs_readdir(dir, &name, &type, &inode))
        folder_require(strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "secret") != 0,
                       "listed", path);
    tc_sh_vfs_closedir(dir);
}

static void open_file(struct world *world, const char *path, unsigned how)
{
    static const int flags[] = {O_RDONLY, O_WRONLY | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_EXCL,
                                O_WRONLY | O_APPEND, O_RDONLY | O_NOFOLLOW};
    struct tc_sh_file *file;

    if (tc_sh_vfs_open(world->vfs, NULL, path, flags[how % 6], 0644, &file) == 0)
        tc_sh_file_unref(file);
}

static void operate(struct world *world, struct input *in)
{
    unsigned what = next(in, 12), how = next(in, 6);
    struct timespec times[2] = {{1, 0}, {2, 0}};
    char path[256], other[256];

    make_path(in, path, false);
    make_path(in, other, what == 2);
    switch (what) {
    case 0: tc_sh_vfs_mkdir(world->vfs, path, 0755); break;
    case 1: open_file(world, path, how); break;
    case 2: tc_sh_vfs_symlink(world->vfs, other, path); break;
    case 3: tc_sh_vfs_rename(world->vfs, path, other, how & 1); break;
    case 4: tc_sh_vfs_unlink(world->vfs, path); break;
    case 5: tc_sh_vfs_rmdir(world->vfs, path); break;
    case 6: tc_sh_vfs_link(world->vfs, path, other); break;
    case 7: tc_sh_vfs_chmod(world->vfs, path, 0700 + how); break;
    case 8: tc_sh_vfs_truncate(world->vfs, path, how * 100); break;
    case 9: tc_sh_vfs_utimes(world->vfs, path, times, how & 1); break;
    case 10: list(world, path); break;
    default: tc_sh_vfs_access(world->vfs, path, how & 7); break;
    }
    compare(world, path);
    compare(world, other);
}

/* --- the world --- */

static void make_dir(const struct world *world, const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", world->base, name);
    folder_require(mkdir(path, 0755) == 0, "mkdir", path);
}

static void mount(struct world *world, const char *path, const char *from, bool read_only)
{
    char host[PATH_MAX];
    struct tc_sh_mount mount = {.path = path, .read_only = read_only, .hidden = path[1] == 't'};

    snprintf(host, sizeof host, "%s/%s", world->base, from);
    mount.dirfd = open(host, O_PATH | O_DIRECTORY | O_CLOEXEC);
    folder_require(mount.dirfd >= 0 && tc_sh_vfs_mount(world->vfs, &mount) == 0, "mount", path);
}

static void begin(struct world *world)
{
    static const char *const names[] = {"outside/secret", "ro/a"};
    struct tc_sh_limits limits = tc_sh_limits_default();

    snprintf(world->base, sizeof world->base, "/tmp/fuzz_shell_vfs_XXXXXX");
    folder_require(mkdtemp(world->base) != NULL, "mkdtemp", world->base);
    make_dir(world, "work");
    make_dir(world, "tmp");
    make_dir(world, "ro");
    make_dir(world, "outside");
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        int fd;

        snprintf(path, sizeof path, "%s/%s", world->base, names[i]);
        fd = open(path, O_WRONLY | O_CREAT, 0644);
        folder_require(fd >= 0 && write(fd, "secret", 6) == 6 && close(fd) == 0, "write", path);
    }
    limits.wall_ns = 0;
    tc_sh_budget_init(&world->budget, &limits);
    world->vfs = tc_sh_vfs_create(&world->budget);
    mount(world, "/", "work", false);
    mount(world, "/tmp", "tmp", false);
    mount(world, "/ro", "ro", true);
}

static void check_kept(const struct world *world, const char *name)
{
    char path[PATH_MAX], text[16];
    struct stat stat;
    int fd;

    snprintf(path, sizeof path, "%s/%s", world->base, name);
    fd = open(path, O_RDONLY);
    folder_require(fd >= 0 && read(fd, text, sizeof text) == 6 && memcmp(text, "secret", 6) == 0, "changed", path);
    folder_require(fstat(fd, &stat) == 0 && (stat.st_mode & 07777) == 0644 && stat.st_nlink == 1 && stat.st_mtime > 2,
            "attributes", path);
    close(fd);
}

static void end(struct world *world)
{
    int64_t names = 0, bytes = 0, others = 0;
    char path[PATH_MAX];

    check_kept(world, "outside/secret");
    check_kept(world, "ro/a");
    snprintf(path, sizeof path, "%s/work", world->base);
    folder_empty(path, &names, &bytes);
    rmdir(path);
    snprintf(path, sizeof path, "%s/tmp", world->base);
    folder_empty(path, &names, &bytes);
    rmdir(path);
    folder_require(names == world->budget.files, "names are miscounted", world->base);
    folder_require(bytes == world->budget.bytes, "bytes are miscounted", world->base);
    tc_sh_vfs_destroy(world->vfs);
    folder_empty(world->base, &others, &bytes);
    rmdir(world->base);
    folder_require(others == 4, "something is beside the mounts", world->base); /* outside, secret, ro, a */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct world world = {0};

    begin(&world);
    for (int i = 0; i < OPERATIONS_MAX && in.n > 0; i++)
        operate(&world, &in);
    end(&world);
    return 0;
}
