/*
 * Directories of cases: the inputs laid out, and a listing of what is there after a
 * run, one line a name with kind, path, mode, size and the beginning of its SHA-256.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "corpus/case.h"

enum { FILE_MAX = 64 << 20, DEPTH_MAX = 40 };

static bool make_parents(char *path, size_t root)
{
    for (char *p = path + root; (p = strchr(p, '/')); p++) {
        *p = '\0';
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            return false;
        *p = '/';
    }
    return true;
}

static bool write_file(const char *path, struct tc_str content, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    const char *bytes = content.p ? content.p : "";
    bool ok = fd >= 0 && write(fd, bytes, content.n) == (ssize_t)content.n && fchmod(fd, mode) == 0;

    if (fd >= 0)
        close(fd);
    return ok;
}

bool case_lay(const struct shell_case *item, const char *root)
{
    char path[PATH_MAX];
    struct tc_str target;
    bool ok;

    snprintf(path, sizeof path, "%s/w", root);
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return false;
    for (const struct case_input *f = item->files; f; f = f->next) {
        int n = snprintf(path, sizeof path, "%s/w/%.*s", root, TC_STR_ARG(f->path));
        if (n >= (int)sizeof path || !make_parents(path, strlen(root) + 3))
            return false;
        if (path[n - 1] == '/') /* an empty directory */
            continue;
        if (f->link) {
            char *to = strndup(f->content.p, f->content.n);
            ok = to && symlink(to, path) == 0;
            free(to);
        } else {
            target = f->content;
            ok = write_file(path, target, f->executable ? 0755 : 0644);
        }
        if (!ok)
            return false;
    }
    return true;
}

static void add_file(struct tc_buf *buf, const char *path)
{
    char hex[TC_HASH_HEX_SIZE] = "unreadable";
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char *bytes = NULL;
    ssize_t n = 0;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size <= FILE_MAX && (bytes = malloc((size_t)st.st_size + 1)))
        n = read(fd, bytes, (size_t)st.st_size);
    if (bytes && n >= 0)
        tc_hash_sha256_hex(tc_str_n(bytes, (size_t)n), hex);
    free(bytes);
    if (fd >= 0)
        close(fd);
    tc_buf_printf(buf, " %.16s", hex);
}

static void add_entry(struct tc_buf *buf, const char *path, const char *shown);

static void add_directory(struct tc_buf *buf, const char *path, const char *shown)
{
    struct dirent **names;
    int n = strlen(shown) < PATH_MAX / 2 ? scandir(path, &names, NULL, NULL) : -1;

    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (strcmp(names[k]->d_name, names[i]->d_name) < 0) {
                struct dirent *swap = names[i];
                names[i] = names[k];
                names[k] = swap;
            }
    for (int i = 0; i < n; i++) {
        char below[PATH_MAX], below_shown[PATH_MAX];
        const char *name = names[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            snprintf(below, sizeof below, "%s/%s", path, name);
            snprintf(below_shown, sizeof below_shown, "%s%s%s", shown, *shown ? "/" : "", name);
            add_entry(buf, below, below_shown);
        }
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

static void add_entry(struct tc_buf *buf, const char *path, const char *shown)
{
    char target[PATH_MAX];
    struct stat st;
    ssize_t n;

    if (lstat(path, &st) != 0)
        return;
    if (S_ISLNK(st.st_mode)) {
        n = readlink(path, target, sizeof target - 1);
        tc_buf_printf(buf, "l %s -> %.*s\n", shown, (int)(n < 0 ? 0 : n), target);
    } else if (S_ISDIR(st.st_mode)) {
        tc_buf_printf(buf, "d %s %o\n", shown, (unsigned)st.st_mode & 07777);
        add_directory(buf, path, shown);
    } else if (S_ISREG(st.st_mode)) {
        tc_buf_printf(buf, "f %s %o %lld", shown, (unsigned)st.st_mode & 07777, (long long)st.st_size);
        add_file(buf, path);
        tc_buf_char(buf, '\n');
    } else {
        tc_buf_printf(buf, "? %s\n", shown);
    }
}

struct tc_str case_tree(struct tc_arena *arena, const char *root)
{
    char path[PATH_MAX];
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, 16 << 20);
    snprintf(path, sizeof path, "%s/w", root);
    add_directory(&buf, path, "");
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return text;
}
