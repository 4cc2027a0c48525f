/*
 * What the fuzzers of archives share: one command of the shell, without a script around
 * it, on a folder that is empty before and afterwards. A file beside that folder must
 * stay as it is whatever an archive says, and what the budget counts is what is there.
 */
#ifndef TESTS_FUZZ_SHELL_ARCHIVE_H
#define TESTS_FUZZ_SHELL_ARCHIVE_H

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell_folder.h"
#include "shell/cmd.h"
#include "shell/exec.h"

enum { ARCHIVE_INPUT_MAX = 1 << 14, ARCHIVE_OUTPUT_MAX = 1 << 20, ARCHIVE_WORDS_MAX = 12, IDLE_MAX = 32 };

struct archive_world {
    char base[64];
    struct stat self, secret;
    int work;             /* the folder */
    int64_t files, bytes; /* in it, as the budget has them */
    unsigned idle;        /* since it was last looked at, nothing was made by so many */
};

struct archive_run { /* of one command */
    struct tc_sh sh;
    const char *const *words; /* NULL at the end */
    struct tc_sh_file *in;
    struct tc_buf *out; /* standard output; NULL: thrown away */
    int status;
};

static inline char *archive_path(const struct archive_world *world, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", world->base, name);
    return path;
}

static inline struct archive_world *archive_world(void)
{
    static struct archive_world world;

    return &world;
}

static inline void archive_remove(void)
{
    char path[PATH_MAX];

    unlink(archive_path(archive_world(), "secret", path));
    rmdir(archive_path(archive_world(), "work", path));
    rmdir(archive_world()->base);
}

/* The folders are made once, in memory where that is possible, and go when the process ends. */
static inline struct archive_world *archive_begin(void)
{
    struct archive_world *world = archive_world();
    char path[PATH_MAX];
    int fd;

    if (*world->base)
        return world;
    atexit(archive_remove);
    snprintf(world->base, sizeof world->base, "/dev/shm/fuzz_archive_XXXXXX");
    if (!mkdtemp(world->base)) {
        snprintf(world->base, sizeof world->base, "/tmp/fuzz_archive_XXXXXX");
        folder_require(mkdtemp(world->base) != NULL, "mkdtemp", world->base);
    }
    folder_require(mkdir(archive_path(world, "work", path), 0755) == 0, "mkdir", path);
    fd = open(archive_path(world, "secret", path), O_WRONLY | O_CREAT | O_EXCL, 0644);
    folder_require(fd >= 0 && write(fd, "secret", 6) == 6 && fstat(fd, &world->secret) == 0 &&
                        lstat(world->base, &world->self) == 0,
                    "write", path);
    close(fd);
    world->work = open(archive_path(world, "work", path), O_PATH | O_DIRECTORY | O_CLOEXEC);
    return world;
}

static inline void archive_put(struct archive_world *world, const char *name, struct tc_str bytes)
{
    char path[PATH_MAX], below[NAME_MAX];
    int fd;

    snprintf(below, sizeof below, "work/%s", name);
    fd = open(archive_path(world, below, path), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    folder_require(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n, "write", path);
    world->files++;
    world->bytes += (int64_t)bytes.n;
    close(fd);
}

static inline int archive_first(struct tc_sh_env *unused, void *arg)
{
    struct archive_run *run = arg;
    struct tc_sh_env *env = tc_sh_env_create(&run->sh);
    struct tc_sh_file *out = run->out ? tc_sh_file_of_buf(run->out) : tc_sh_file_of_device(TC_SH_NULL);
    struct tc_str words[ARCHIVE_WORDS_MAX];
    const struct tc_cmd *cmd = tc_sh_cmd_find(tc_str_of(run->words[0]));
    size_t n = 0;

    (void)unused;
    folder_require(env && out && cmd && tc_sh_env_set_cwd(env, "/"), "begin", run->words[0]);
    for (; run->words[n]; n++)
        words[n] = tc_str_of(run->words[n]);
    env->proc = tc_sh_sched_current(run->sh.sched);
    tc_sh_fds_set(&env->fds, 0, run->in);
    tc_sh_fds_set(&env->fds, 1, out);
    tc_sh_fds_set(&env->fds, 2, tc_sh_file_of_device(TC_SH_NULL));
    run->status = tc_sh_cmd_run(env, cmd, words, n);
    tc_sh_env_destroy(env);
    return run->status;
}

static inline struct timespec archive_now(void *arg)
{
    (void)arg;
    return (struct timespec){.tv_sec = 1700000000};
}

/* Runs the words as a command over the input. Its status, -1 when a limit ended it. */
static inline int archive_command(struct archive_world *world, const char *const *words, struct tc_str input,
                                  struct tc_buf *out)
{
    struct tc_sh_limits limits = tc_sh_limits_default();
    struct archive_run run = {.words = words, .in = tc_sh_file_of_text(input), .out = out, .sh.now = archive_now};
    struct tc_sh_mount mount = {.path = "/"};

    limits.work = 100000;
    limits.wall_ns = 5000000000;
    limits.memory = 64 << 20;
    limits.files = 200;
    limits.bytes = limits.file_size = 1 << 20;
    tc_sh_budget_init(&run.sh.budget, &limits);
    run.sh.budget.files = world->files;
    run.sh.budget.bytes = world->bytes;
    run.sh.sched = tc_sh_sched_create(&run.sh.budget, tc_sh_env_destroy);
    run.sh.vfs = tc_sh_vfs_create(&run.sh.budget);
    mount.dirfd = fcntl(world->work, F_DUPFD_CLOEXEC, 0);
    folder_require(mount.dirfd >= 0 && tc_sh_vfs_mount(run.sh.vfs, &mount) == 0, "mount", world->base);
    tc_sh_sched_run(run.sh.sched, NULL, archive_first, &run);
    tc_sh_sched_destroy(run.sh.sched);
    tc_sh_vfs_destroy(run.sh.vfs);
    world->files = run.sh.budget.files;
    world->bytes = run.sh.budget.bytes;
    return run.sh.budget.spent ? -1 : run.status;
}

static inline bool archive_same(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_mode == b->st_mode &&
           a->st_nlink == b->st_nlink && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The secret is as it was, nothing is beside it, and all is counted. Empties the folder. Where nothing was
 * made that is looked at once in a while. */
static inline void archive_end(struct archive_world *world)
{
    int64_t names = 0, bytes = 0;
    char path[PATH_MAX];
    struct stat now;

    if (world->files == 0 && ++world->idle % IDLE_MAX != 0)
        return;
    world->idle = 0;
    folder_empty(archive_path(world, "work", path), &names, &bytes);
    folder_require(names == world->files, "names are miscounted", path);
    folder_require(bytes == world->bytes, "bytes are miscounted", path);
    world->files = world->bytes = 0;
    folder_require(lstat(archive_path(world, "secret", path), &now) == 0 && archive_same(&now, &world->secret) &&
                        lstat(world->base, &now) == 0 && archive_same(&now, &world->self),
                    "changed", path);
}

#endif
