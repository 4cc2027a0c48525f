#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shell/vfs.h"

/* A folder of the host with "outside" beside what is mounted: "/", "/skills" (read-only), "/tmp" (not listed). */
struct world {
    struct test_cx test;
    char *base;
    struct tc_sh_budget budget;
    struct tc_sh_vfs *vfs;
};

static char *host(struct world *world, const char *path)
{
    return (char *)tc_arena_printf(&world->test.arena, "%s/%s", world->base, path).p;
}

static void host_file(struct world *world, const char *path, const char *text)
{
    int fd = open(host(world, path), O_WRONLY | O_CREAT | O_TRUNC, 0644);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void host_dir(struct world *world, const char *path)
{
    assert_int_equal(mkdir(host(world, path), 0755), 0);
}

static void host_link(struct world *world, const char *target, const char *path)
{
    assert_int_equal(symlink(target, host(world, path)), 0);
}

static void mount(struct world *world, const char *path, const char *from, bool read_only, bool hidden)
{
    struct tc_sh_mount mount = {path, open(host(world, from), O_PATH | O_DIRECTORY | O_CLOEXEC), read_only, hidden};

    assert_true(mount.dirfd >= 0);
    assert_int_equal(tc_sh_vfs_mount(world->vfs, &mount), 0);
}

static void begin(struct world *world)
{
    static const char *const dirs[] = {"work", "work/dir", "work/dir/sub", "skills", "skills/one", "tmp", "outside"};
    struct tc_sh_limits limits = tc_sh_limits_default();

    *world = (struct world){0};
    test_cx_init(&world->test);
    world->base = test_tmpdir(&world->test.arena);
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++)
        host_dir(world, dirs[i]);
    host_file(world, "work/file", "hello");
    host_file(world, "work/dir/sub/deep", "deep");
    host_file(world, "skills/one/SKILL.md", "skill");
    host_file(world, "outside/secret", "secret");
    host_file(world, "work/.toolcrib", "hidden");
    tc_sh_budget_init(&world->budget, &limits);
    world->vfs = tc_sh_vfs_create(&world->budget);
    mount(world, "/", "work", false, false);
    mount(world, "/skills", "skills", true, false);
    mount(world, "/tmp", "tmp", false, true);
    tc_sh_vfs_hide(world->vfs, "/.toolcrib");
}

static void end(struct world *world)
{
    tc_sh_vfs_destroy(world->vfs);
    test_rmtree(world->base);
    test_cx_finish(&world->test);
}

static int try_open(struct world *world, const char *path, int flags)
{
    struct tc_sh_file *file;
    int error = tc_sh_vfs_open(world->vfs, NULL, path, flags, 0644, &file);

    if (error == 0)
        tc_sh_file_unref(file);
    return error;
}

/* What is in the file, or "errno N". */
static const char *contents(struct world *world, const char *path)
{
    struct tc_sh_file *file;
    int error = tc_sh_vfs_open(world->vfs, NULL, path, O_RDONLY, 0, &file);
    char text[64];
    ssize_t n;

    if (error)
        return tc_arena_printf(&world->test.arena, "errno %d", error).p;
    n = read(tc_sh_file_fd(file), text, sizeof text - 1);
    tc_sh_file_unref(file);
    assert_true(n >= 0);
    return tc_arena_printf(&world->test.arena, "%.*s", (int)n, text).p;
}

static int try_stat(struct world *world, const char *path, bool follow)
{
    struct stat stat;

    return tc_sh_vfs_stat(world->vfs, NULL, path, follow, &stat);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, sorted, each with a blank behind; or "errno N". */
static const char *listing(struct world *world, const char *path)
{
    struct tc_sh_dir *dir;
    int error = tc_sh_vfs_opendir(world->vfs, path, &dir);
    const char *names[64], *name, *all = "";
    unsigned char type;
    ino_t inode;
    size_t n = 0;

    if (error)
        return tc_arena_printf(&world->test.arena, "errno %d", error).p;
    while (n < 64 && tc_sh_vfs_readdir(dir, &name, &type, &inode))
        names[n++] = tc_arena_printf(&world->test.arena, "%s%s", name, type == DT_DIR ? "/" : "").p;
    tc_sh_vfs_closedir(dir);
    qsort(names, n, sizeof *names, compare);
    for (size_t i = 0; i < n; i++)
        all = tc_arena_printf(&world->test.arena, "%s%s ", all, names[i]).p;
    return all;
}

void test_vfs__paths_lead_through_the_mounts(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    assert_string_equal(contents(&w, "/file"), "hello");
    assert_string_equal(contents(&w, "//dir/./sub//deep"), "deep");
    assert_string_equal(contents(&w, "/dir/sub/../../file"), "hello");
    assert_string_equal(contents(&w, "/skills/one/SKILL.md"), "skill");
    assert_string_equal(contents(&w, "/dir/../skills/one/SKILL.md"), "skill");
    assert_int_equal(try_open(&w, "/nope", O_RDONLY), ENOENT);
    assert_int_equal(try_open(&w, "/file/x", O_RDONLY), ENOTDIR);
    assert_int_equal(try_open(&w, "/file/", O_RDONLY), ENOTDIR);
    assert_int_equal(try_open(&w, "/file/.", O_RDONLY), ENOTDIR);
    assert_int_equal(try_open(&w, "/file/..", O_RDONLY), ENOTDIR);
    assert_int_equal(try_open(&w, "/nope/..", O_RDONLY), ENOENT);
    assert_int_equal(try_open(&w, "", O_RDONLY), ENOENT);
    assert_int_equal(try_open(&w, "/dir", O_WRONLY), EISDIR);
    assert_int_equal(try_open(&w, "/dir", O_RDONLY), 0);
    assert_int_equal(try_open(&w, "/", O_RDONLY), 0);
    assert_int_equal(try_open(&w, "/", O_WRONLY), EISDIR);
    assert_int_equal(try_stat(&w, "/dir/", true), 0);
    end(&w);
}

void test_vfs__dots_at_the_root_stay_there(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    assert_string_equal(contents(&w, "/../../../file"), "hello");
    assert_string_equal(contents(&w, "/skills/../../outside/secret"), "errno 2");
    assert_string_equal(contents(&w, "/tmp/../outside/secret"), "errno 2");
    assert_string_equal(contents(&w, "/skills/../file"), "hello");
    assert_int_equal(try_stat(&w, "/..", true), 0);
    end(&w);
}

void test_vfs__links_are_read_as_paths_of_the_view(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    host_link(&w, "../outside/secret", "work/out");
    host_link(&w, "../outside", "work/outdir");
    host_link(&w, host(&w, "outside/secret"), "work/abs");
    host_link(&w, "/etc/passwd", "work/passwd");
    host_link(&w, "/proc/self/root/etc/passwd", "work/magic");
    host_link(&w, "/proc/self/fd/0", "work/fd");
    host_link(&w, "/file", "work/dir/root");
    host_link(&w, "../../file", "work/dir/sub/up");
    host_link(&w, "dir/sub", "work/short");
    host_link(&w, "/skills/one", "work/skill");
    host_link(&w, "../../../../../file", "work/dir/far");
    host_link(&w, "loop", "work/loop");
    host_link(&w, "/skills", "tmp/s");
    host_link(&w, "../file", "tmp/f");
    assert_string_equal(contents(&w, "/out"), "errno 2");
    assert_string_equal(contents(&w, "/outdir/secret"), "errno 2");
    assert_string_equal(contents(&w, "/abs"), "errno 2");
    assert_string_equal(contents(&w, "/passwd"), "errno 2");
    assert_string_equal(contents(&w, "/magic"), "errno 2");
    assert_string_equal(contents(&w, "/fd"), "errno 2");
    assert_string_equal(contents(&w, "/dir/root"), "hello");
    assert_string_equal(contents(&w, "/dir/sub/up"), "hello");
    assert_string_equal(contents(&w, "/short/deep"), "deep");
    assert_string_equal(contents(&w, "/short/../../file"), "hello");
    assert_string_equal(contents(&w, "/skill/SKILL.md"), "skill");
    assert_string_equal(contents(&w, "/skill/../one/SKILL.md"), "skill");
    assert_string_equal(contents(&w, "/dir/far"), "hello");
    assert_string_equal(contents(&w, "/loop"), "errno 40");
    assert_string_equal(contents(&w, "/loop/x"), "errno 40");
    assert_string_equal(contents(&w, "/tmp/s/one/SKILL.md"), "skill");
    assert_string_equal(contents(&w, "/tmp/f"), "hello");
    assert_int_equal(try_stat(&w, "/out", false), 0);
    assert_int_equal(try_stat(&w, "/out", true), ENOENT);
    assert_int_equal(try_open(&w, "/dir/root", O_RDONLY | O_NOFOLLOW), ELOOP);
    end(&w);
}

void test_vfs__nothing_is_written_through_links_that_lead_out(void **state)
{
    struct world w;
    char byte;
    (void)state;

    begin(&w);
    host_link(&w, "../outside", "work/o");
    host_link(&w, "../outside/new", "work/new");
    host_link(&w, "/skills/one/new", "work/sk");
    host_link(&w, "made", "work/dangling");
    assert_int_equal(try_open(&w, "/o/x", O_WRONLY | O_CREAT), ENOENT);
    assert_int_equal(try_open(&w, "/new", O_WRONLY | O_CREAT), ENOENT); /* the view has no /outside */
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/o/d", 0755), ENOENT);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/o/secret"), ENOENT);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/o/stolen", false), ENOENT);
    assert_int_equal(tc_sh_vfs_link(w.vfs, "/o/secret", "/here"), ENOENT);
    assert_int_equal(tc_sh_vfs_chmod(w.vfs, "/o/secret", 0600), ENOENT);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/o/secret", 0), ENOENT);
    assert_int_equal(try_open(&w, "/sk", O_WRONLY | O_CREAT), EROFS);
    assert_int_equal(try_open(&w, "/dangling", O_WRONLY | O_CREAT | O_EXCL), EEXIST);
    assert_int_equal(try_open(&w, "/dangling", O_WRONLY | O_CREAT), 0);
    assert_int_equal(readlink(host(&w, "work/made"), &byte, 1), -1);
    assert_int_equal(access(host(&w, "work/made"), F_OK), 0);
    assert_int_equal(access(host(&w, "outside/new"), F_OK), -1);
    assert_string_equal(test_read_file(&w.test.arena, host(&w, "outside/secret")).p, "secret");
    end(&w);
}

struct swapper {
    const char *dir, *aside, *link;
    volatile bool stop;
};

/* A folder and a link that leads out take turns under one name. */
static void *swap(void *arg)
{
    struct swapper *swapper = arg;

    while (!swapper->stop) {
        rename(swapper->dir, swapper->aside);
        rename(swapper->link, swapper->dir);
        rename(swapper->dir, swapper->link);
        rename(swapper->aside, swapper->dir);
    }
    return NULL;
}

void test_vfs__a_folder_that_becomes_a_link_meanwhile_leads_nowhere(void **state)
{
    struct world w;
    struct swapper swapper = {0};
    pthread_t thread;
    int found = 0;
    (void)state;

    begin(&w);
    host_file(&w, "work/dir/secret", "mine");
    host_link(&w, "../outside", "work/link");
    swapper = (struct swapper){host(&w, "work/dir"), host(&w, "work/aside"), host(&w, "work/link"), false};
    assert_int_equal(pthread_create(&thread, NULL, swap, &swapper), 0);
    for (int i = 0; i < 3000; i++) {
        const char *text = contents(&w, i % 2 ? "/dir/secret" : "/dir/../dir/secret");
        assert_string_not_equal(text, "secret");
        found += strcmp(text, "mine") == 0;
        tc_sh_vfs_chmod(w.vfs, "/dir/secret", 0640);
        try_open(&w, "/dir/new", O_WRONLY | O_CREAT);
        tc_sh_vfs_unlink(w.vfs, "/dir/new");
    }
    swapper.stop = true;
    pthread_join(thread, NULL);
    assert_true(found > 0);
    end(&w);
}

void test_vfs__special_files_of_the_host_are_refused(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct world w;
    int fd;
    (void)state;

    begin(&w);
    assert_int_equal(mkfifo(host(&w, "work/fifo"), 0644), 0);
    assert_int_equal(try_open(&w, "/fifo", O_RDONLY), EACCES);
    assert_int_equal(try_open(&w, "/fifo", O_WRONLY), EACCES);
    assert_int_equal(try_open(&w, "/fifo", O_RDWR), EACCES);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", host(&w, "work/socket"));
    if (bind(fd, (void *)&address, sizeof address) == 0)
        assert_int_equal(try_open(&w, "/socket", O_RDONLY), EACCES);
    close(fd);
    if (mknod(host(&w, "work/null"), S_IFCHR | 0666, 0x103) == 0)
        assert_int_equal(try_open(&w, "/null", O_RDONLY), EACCES);
    end(&w);
}

void test_vfs__listings_have_mounts_and_not_what_is_hidden(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    host_dir(&w, "work/skills"); /* covered by the mount */
    host_file(&w, "work/skills/covered", "x");
    assert_string_equal(listing(&w, "/"), "dir/ file skills/ ");
    assert_string_equal(listing(&w, "/dir/.."), "dir/ file skills/ ");
    assert_string_equal(listing(&w, "/skills"), "one/ ");
    assert_string_equal(listing(&w, "/dir"), "sub/ ");
    assert_string_equal(listing(&w, "/file"), "errno 20");
    assert_string_equal(listing(&w, "/nope"), "errno 2");
    assert_string_equal(listing(&w, "/tmp"), "");
    assert_string_equal(listing(&w, "/dev"),
                        "fd/ full null random stderr stdin stdout tty urandom zero ");
    assert_int_equal(try_stat(&w, "/.toolcrib", true), ENOENT);
    assert_string_equal(contents(&w, "/dir/../.toolcrib"), "errno 2");
    assert_int_equal(try_open(&w, "/.toolcrib", O_WRONLY | O_CREAT), ENOENT);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/.toolcrib", "/seen", false), ENOENT);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/.toolcrib", false), ENOENT);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/.toolcrib"), ENOENT);
    end(&w);
}

void test_vfs__read_only_mounts_and_roots_stay_as_they_are(void **state)
{
    struct timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
    struct world w;
    (void)state;

    begin(&w);
    assert_int_equal(try_open(&w, "/skills/one/SKILL.md", O_WRONLY), EROFS);
    assert_int_equal(try_open(&w, "/skills/new", O_WRONLY | O_CREAT), EROFS);
    assert_int_equal(try_open(&w, "/skills/new", O_RDONLY | O_CREAT), EROFS);
    assert_int_equal(try_open(&w, "/skills/one/SKILL.md", O_RDONLY | O_TRUNC), EROFS);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/skills/new", 0755), EROFS);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/skills/one", 0755), EEXIST);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/skills/one/SKILL.md"), EROFS);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/skills/one", "/two", false), EROFS);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/skills/file", false), EROFS);
    assert_int_equal(tc_sh_vfs_link(w.vfs, "/skills/one/SKILL.md", "/x"), EROFS);
    assert_int_equal(tc_sh_vfs_symlink(w.vfs, "x", "/skills/x"), EROFS);
    assert_int_equal(tc_sh_vfs_chmod(w.vfs, "/skills/one", 0700), EROFS);
    assert_int_equal(tc_sh_vfs_utimes(w.vfs, "/skills/one", times, true), EROFS);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/skills/one/SKILL.md", 0), EROFS);
    assert_int_equal(tc_sh_vfs_access(w.vfs, "/skills/one", R_OK), 0);
    assert_int_equal(tc_sh_vfs_access(w.vfs, "/skills/one", W_OK), EROFS);
    assert_int_equal(tc_sh_vfs_rmdir(w.vfs, "/"), EBUSY);
    assert_int_equal(tc_sh_vfs_rmdir(w.vfs, "/tmp"), EBUSY);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/tmp", "/other", false), EBUSY);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/tmp", false), EBUSY);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/", 0755), EEXIST);
    assert_int_equal(try_open(&w, "/file", O_WRONLY), 0);
    end(&w);
}

void test_vfs__names_are_made_moved_and_removed(void **state)
{
    struct stat stat;
    struct world w;
    char target[PATH_MAX];
    (void)state;

    begin(&w);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/new", 0750), 0);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/new/", 0750), EEXIST);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/other/", 0750), 0);
    assert_int_equal(tc_sh_vfs_stat(w.vfs, NULL, "/new", true, &stat), 0);
    assert_int_equal(stat.st_mode & 07777, 0750);
    assert_int_equal(tc_sh_vfs_symlink(w.vfs, "../file", "/new/link"), 0);
    assert_int_equal(tc_sh_vfs_readlink(w.vfs, "/new/link", target, sizeof target), 0);
    assert_string_equal(target, "../file");
    assert_int_equal(tc_sh_vfs_readlink(w.vfs, "/file", target, sizeof target), EINVAL);
    assert_int_equal(tc_sh_vfs_link(w.vfs, "/file", "/new/hard"), 0);
    assert_int_equal(tc_sh_vfs_link(w.vfs, "/file", "/tmp/hard"), EXDEV);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/tmp/file", false), EXDEV);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/new/hard", true), EEXIST);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/moved/", false), ENOTDIR);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/moved", false), 0);
    assert_string_equal(contents(&w, "/moved"), "hello");
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/dir", "/dir/sub/in", false), EINVAL);
    assert_int_equal(tc_sh_vfs_rmdir(w.vfs, "/new"), ENOTEMPTY);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/new"), EISDIR);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/new/link"), 0);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/new/hard"), 0);
    assert_int_equal(tc_sh_vfs_rmdir(w.vfs, "/new"), 0);
    assert_int_equal(tc_sh_vfs_chmod(w.vfs, "/moved", 0600), 0);
    assert_int_equal(tc_sh_vfs_chmod(w.vfs, "/moved", 04755), EPERM);
    assert_int_equal(tc_sh_vfs_chmod(w.vfs, "/", 0755), 0);
    assert_int_equal(tc_sh_vfs_stat(w.vfs, NULL, "/moved", true, &stat), 0);
    assert_int_equal(stat.st_mode & 07777, 0600);
    end(&w);
}

void test_vfs__changed_paths_are_noted_once_in_order(void **state)
{
    const char *const *paths;
    struct world w;
    bool more;
    (void)state;

    begin(&w);
    host_link(&w, "dir/sub/deep", "work/link");
    assert_int_equal(try_open(&w, "/file", O_RDONLY), 0);
    assert_int_equal(tc_sh_vfs_changed(w.vfs, &paths, &more), 0);
    assert_int_equal(try_open(&w, "/link", O_WRONLY | O_APPEND), 0);
    assert_int_equal(try_open(&w, "/b", O_RDONLY | O_CREAT), 0);
    assert_int_equal(try_open(&w, "/dir/../b", O_WRONLY), 0);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/b", "/c", false), 0);
    assert_int_equal(try_open(&w, "/tmp/x", O_WRONLY | O_CREAT), 0); /* goes with the call */
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/nope"), ENOENT);
    assert_int_equal(tc_sh_vfs_changed(w.vfs, &paths, &more), 3);
    assert_string_equal(paths[0], "/dir/sub/deep");
    assert_string_equal(paths[1], "/b");
    assert_string_equal(paths[2], "/c");
    assert_false(more);
    end(&w);
}

void test_vfs__quotas_count_names_and_bytes(void **state)
{
    struct world w;
    int64_t usage[4];
    (void)state;

    begin(&w);
    w.budget.max.files = 2;
    w.budget.max.bytes = 1000;
    w.budget.max.file_size = 800;
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/d", 0755), 0);
    assert_int_equal(try_open(&w, "/d/f", O_WRONLY | O_CREAT), 0);
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/d/f", 0755), EEXIST);
    assert_int_equal(w.budget.files, 2);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/d/f", 700), 0);
    assert_int_equal(w.budget.bytes, 700);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/d/f", 600), 0);
    tc_sh_vfs_usage(w.vfs, "/", usage);
    assert_int_equal(usage[0], 600);
    assert_int_equal(usage[1], 1000);
    assert_int_equal(usage[2], 2);
    assert_int_equal(usage[3], 2);
    assert_int_equal(try_open(&w, "/d/f", O_WRONLY | O_TRUNC), 0);
    assert_int_equal(w.budget.bytes, 0);
    assert_int_equal(w.budget.spent, TC_SH_LIMIT_NONE);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/d/f", 900), EFBIG);
    assert_int_equal(w.budget.quota, TC_SH_LIMIT_FILE_SIZE);
    assert_int_equal(tc_sh_vfs_symlink(w.vfs, "x", "/d/l"), EDQUOT);
    assert_int_equal(w.budget.quota, TC_SH_LIMIT_FILE_SIZE); /* the first */
    w.budget.quota = TC_SH_LIMIT_NONE;
    assert_int_equal(tc_sh_vfs_mkdir(w.vfs, "/d/e", 0755), EDQUOT);
    assert_int_equal(w.budget.quota, TC_SH_LIMIT_FILES);
    assert_int_equal(w.budget.files, 2);
    w.budget.quota = TC_SH_LIMIT_NONE;
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/d/f", 600), 0);
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/d/f"), 0);
    assert_int_equal(w.budget.bytes, 0);
    assert_int_equal(tc_sh_vfs_rmdir(w.vfs, "/d"), 0);
    assert_int_equal(w.budget.files, 0);
    assert_int_equal(try_open(&w, "/nope/f", O_WRONLY | O_CREAT), ENOENT);
    assert_int_equal(w.budget.files, 0);
    assert_int_equal(try_open(&w, "/a", O_WRONLY | O_CREAT), 0);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/a", 700), 0);
    assert_int_equal(try_open(&w, "/b", O_WRONLY | O_CREAT), 0);
    assert_int_equal(tc_sh_vfs_truncate(w.vfs, "/b", 301), EDQUOT);
    assert_int_equal(w.budget.quota, TC_SH_LIMIT_BYTES);
    assert_int_equal(w.budget.spent, TC_SH_LIMIT_NONE); /* the script goes on */
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/b", "/a", false), 0);
    assert_int_equal(w.budget.bytes, 0);
    assert_int_equal(w.budget.files, 1);
    end(&w);
}

void test_vfs__devices_have_no_files_below(void **state)
{
    struct tc_sh_fds fds = {0};
    struct tc_sh_file *text = tc_sh_file_of_text(TC_STR("x")), *file;
    struct stat stat;
    struct world w;
    (void)state;

    begin(&w);
    host_link(&w, "/dev/null", "work/null");
    assert_true(tc_sh_fds_set(&fds, 3, text));
    assert_int_equal(try_open(&w, "/dev/null", O_WRONLY | O_CREAT | O_TRUNC), 0);
    assert_int_equal(try_open(&w, "/null", O_WRONLY), 0);
    assert_int_equal(try_open(&w, "/dir/../dev/zero", O_RDONLY), 0);
    assert_int_equal(try_open(&w, "/dev/tty", O_RDWR), ENXIO);
    assert_int_equal(try_open(&w, "/dev/sda", O_RDONLY), ENOENT);
    assert_int_equal(try_open(&w, "/dev/new", O_WRONLY | O_CREAT), ENOENT);
    assert_int_equal(try_open(&w, "/dev/null/x", O_RDONLY), ENOENT);
    assert_int_equal(tc_sh_vfs_open(w.vfs, &fds, "/dev/fd/3", O_RDONLY, 0, &file), 0);
    assert_ptr_equal(file, text);
    tc_sh_file_unref(file);
    assert_int_equal(tc_sh_vfs_open(w.vfs, &fds, "/dev/fd/4", O_RDONLY, 0, &file), ENOENT);
    assert_int_equal(tc_sh_vfs_open(w.vfs, &fds, "/dev/fd/03", O_RDONLY, 0, &file), ENOENT);
    assert_int_equal(tc_sh_vfs_open(w.vfs, &fds, "/dev/stdin", O_RDONLY, 0, &file), ENOENT);
    assert_int_equal(tc_sh_vfs_stat(w.vfs, &fds, "/dev/null", false, &stat), 0);
    assert_true(S_ISCHR(stat.st_mode));
    assert_int_equal(tc_sh_vfs_stat(w.vfs, &fds, "/dev/fd/3", true, &stat), 0);
    assert_true(S_ISFIFO(stat.st_mode));
    assert_int_equal(tc_sh_vfs_unlink(w.vfs, "/dev/null"), EACCES);
    assert_int_equal(tc_sh_vfs_rename(w.vfs, "/file", "/dev/null", false), EACCES);
    tc_sh_fds_finish(&fds);
    end(&w);
}

void test_vfs__a_dev_of_the_workspace_is_seen_behind_the_devices(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    tc_sh_vfs_destroy(w.vfs);
    host_dir(&w, "work/dev");
    host_file(&w, "work/dev/mine", "mine");
    w.vfs = tc_sh_vfs_create(&w.budget);
    mount(&w, "/", "work", false, false);
    assert_string_equal(contents(&w, "/dev/mine"), "mine");
    assert_string_equal(listing(&w, "/dev"), "mine ");
    assert_int_equal(try_open(&w, "/dev/null", O_RDONLY), 0);
    end(&w);
}

static const char *real(struct world *world, const char *path, int missing)
{
    char text[PATH_MAX];
    int error = tc_sh_vfs_realpath(world->vfs, path, missing, text);

    return error ? tc_arena_printf(&world->test.arena, "errno %d", error).p
                 : tc_arena_printf(&world->test.arena, "%s", text).p;
}

void test_vfs__real_paths(void **state)
{
    struct world w;
    (void)state;

    begin(&w);
    host_link(&w, "dir/sub", "work/short");
    host_link(&w, "nowhere/x", "work/dangling");
    assert_string_equal(real(&w, "/short/deep", 0), "/dir/sub/deep");
    assert_string_equal(real(&w, "/short/..", 0), "/dir");
    assert_string_equal(real(&w, "//skills/./one/", 0), "/skills/one");
    assert_string_equal(real(&w, "/", 0), "/");
    assert_string_equal(real(&w, "/nope", 0), "errno 2");
    assert_string_equal(real(&w, "/nope", 1), "/nope");
    assert_string_equal(real(&w, "/short/nope/", 1), "/dir/sub/nope");
    assert_string_equal(real(&w, "/nope/x", 1), "errno 2");
    assert_string_equal(real(&w, "/nope/../short/y/z", -1), "/dir/sub/y/z");
    assert_string_equal(real(&w, "/dangling", 1), "errno 2");
    assert_string_equal(real(&w, "/dangling", -1), "/nowhere/x");
    assert_string_equal(real(&w, "/file/x", 0), "errno 20");
    end(&w);
}

void test_vfs__absolute_paths_by_text(void **state)
{
    static const struct {
        const char *cwd, *path, *absolute;
    } rows[] = {
        {"/a/b", "c", "/a/b/c"},   {"/a/b", "../c", "/a/c"},   {"/a/b", "../../../..", "/"},
        {"/", "x//y/./z/", "/x/y/z"}, {"/a", "/b/../c", "/c"}, {"/a", ".", "/a"},
        {"/a", "...", "/a/..."},   {"/", "", "/"},            {"/a/b", "", "/a/b"},
    };
    char text[PATH_MAX], big[2 * PATH_MAX];
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tc_sh_vfs_absolute(rows[i].cwd, rows[i].path, text), 0);
        assert_string_equal(text, rows[i].absolute);
    }
    memset(big, 'x', sizeof big);
    big[300] = '\0';
    assert_int_equal(tc_sh_vfs_absolute("/", big, text), ENAMETOOLONG);
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = i % 100 ? 'x' : '/';
    big[sizeof big - 1] = '\0';
    assert_int_equal(tc_sh_vfs_absolute("/", big, text), ENAMETOOLONG);
}

void test_vfs__long_paths_are_refused(void **state)
{
    char big[2 * PATH_MAX];
    struct stat stat;
    struct world w;
    (void)state;

    begin(&w);
    memset(big, '/', sizeof big);
    big[sizeof big - 1] = '\0';
    assert_int_equal(tc_sh_vfs_stat(w.vfs, NULL, big, true, &stat), 0); /* the root */
    for (size_t i = 0; i + 1 < sizeof big; i++)
        big[i] = i % 100 ? 'x' : '/';
    assert_int_equal(tc_sh_vfs_stat(w.vfs, NULL, big, true, &stat), ENAMETOOLONG);
    big[1] = big[2] = '.';
    big[3] = '/';
    assert_int_equal(tc_sh_vfs_stat(w.vfs, NULL, big, true, &stat), ENAMETOOLONG);
    end(&w);
}

enum { DEEP = 300 };

/* "/d/d…/NAME" with that many folders. */
static char *deep(struct world *world, int folders, const char *name)
{
    char *path = tc_arena_alloc(&world->test.arena, (size_t)folders * 2 + strlen(name) + 2);

    assert_non_null(path);
    for (int i = 0; i < folders; i++)
        memcpy(path + 2 * i, "/d", 2);
    sprintf(path + 2 * folders, "/%s", name);
    return path;
}

static int there(struct world *world, const char *path)
{
    struct stat stat;

    return tc_sh_vfs_stat(world->vfs, NULL, path, false, &stat);
}

/* What is held open of a deep path is never mistaken for what is there by now. */
void test_vfs__deep_folders_are_found_where_they_are(void **state)
{
    struct world world;

    (void)state;
    begin(&world);
    for (int i = 0; i < DEEP; i++)
        assert_int_equal(tc_sh_vfs_mkdir(world.vfs, deep(&world, i, "d"), 0755), 0);
    assert_int_equal(try_open(&world, deep(&world, DEEP, "file"), O_WRONLY | O_CREAT), 0);
    for (int i = DEEP; i > 0; i -= 7)
        assert_int_equal(there(&world, deep(&world, i, "none")), ENOENT);
    assert_int_equal(there(&world, deep(&world, DEEP, "file")), 0);
    /* one above is renamed, and another takes its place */
    assert_int_equal(tc_sh_vfs_rename(world.vfs, deep(&world, 100, "d"), deep(&world, 100, "e"), false), 0);
    assert_int_equal(there(&world, deep(&world, DEEP, "file")), ENOENT);
    for (int i = 100; i < DEEP; i++)
        assert_int_equal(tc_sh_vfs_mkdir(world.vfs, deep(&world, i, "d"), 0755), 0);
    assert_int_equal(there(&world, deep(&world, DEEP, "file")), ENOENT);
    /* the last one goes and comes again */
    assert_int_equal(tc_sh_vfs_rmdir(world.vfs, deep(&world, DEEP - 1, "d")), 0);
    assert_int_equal(there(&world, deep(&world, DEEP, "file")), ENOENT);
    assert_int_equal(tc_sh_vfs_mkdir(world.vfs, deep(&world, DEEP - 1, "d"), 0755), 0);
    assert_int_equal(try_open(&world, deep(&world, DEEP, "file"), O_WRONLY | O_CREAT), 0);
    /* a link in the middle is followed, one that takes the place of a folder leads nowhere else */
    assert_int_equal(tc_sh_vfs_rename(world.vfs, deep(&world, 50, "d"), deep(&world, 50, "f"), false), 0);
    assert_int_equal(tc_sh_vfs_symlink(world.vfs, "f", deep(&world, 50, "d")), 0);
    assert_int_equal(there(&world, deep(&world, DEEP, "file")), 0);
    tc_sh_vfs_forget(world.vfs);
    assert_int_equal(there(&world, deep(&world, DEEP, "file")), 0);
    end(&world);
}

/* Without descriptors that could be held, paths are opened as others are. */
void test_vfs__deep_folders_need_no_descriptors_of_their_own(void **state)
{
    struct world world;
    struct rlimit before, few;
    int fds[256], n = 0;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){sizeof fds / sizeof *fds, before.rlim_max};
    begin(&world);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int i = 0; i < DEEP; i++)
        assert_int_equal(tc_sh_vfs_mkdir(world.vfs, deep(&world, i, "d"), 0755), 0);
    tc_sh_vfs_forget(world.vfs);
    while ((fds[n] = dup(0)) >= 0)
        n++;
    for (int free = 3; free > 0 && n > 0; free--)
        close(fds[--n]);
    assert_int_equal(there(&world, deep(&world, DEEP - 1, "d")), 0);
    assert_int_equal(there(&world, deep(&world, 200, "d")), 0);
    while (n > 0)
        close(fds[--n]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    end(&world);
}
