/*
 * Extraction. No name leads out of the folder: a leading '/' and ".." are taken off.
 * Links are made when all else is there, so nothing is written through them.
 */
#include "shell/archive/unzip.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct tc_unzip_late { /* a link, or a folder whose mode and time wait */
    struct tc_unzip_late *next;
    char *path, *target; /* target NULL: a folder */
    mode_t mode;
    int64_t mtime;
};

/* The path below the folder: no "..", no leading '/'. NULL when nothing is left of it. */
static char *safe_path(struct tc_unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_str rest = tc_str_of(entry->name), part;
    char *path = tc_arena_alloc(u->c->arena, strlen(u->folder) + rest.n + 2), *p = path;
    bool dots = false;
    size_t start;

    if (!path)
        return tc_cmd_fail_memory(u->c), NULL;
    if (*u->folder) {
        size_t n = strlen(u->folder);

        memcpy(p, u->folder, n);
        p[n] = '/';
        p += n + 1;
    }
    start = (size_t)(p - path);
    if (rest.n > 0 && rest.p[0] == '/' && !u->flat) {
        tc_cmd_printf(u->c->err, "warning:  stripped absolute path spec from %s\n", entry->name);
        tc_unzip_worse(u, TC_UNZIP_WARNING);
    }
    while (tc_str_split(&rest, '/', &part)) {
        if (tc_str_is(part, ".."))
            dots = true;
        if (part.n == 0 || tc_str_is(part, ".") || tc_str_is(part, ".."))
            continue;
        if (u->flat)
            p = path + start;
        if (p > path + start)
            *p++ = '/';
        memcpy(p, part.p, part.n);
        for (size_t i = 0; i < part.n; i++, p++)
            if ((u->lower > 1 || (u->lower && entry->made_by >> 8 == 0)) && *p >= 'A' && *p <= 'Z')
                *p += 'a' - 'A';
    }
    *p = '\0';
    if (dots && !u->flat) {
        tc_cmd_printf(u->c->out, "warning:  skipped \"../\" path component(s) in %s\n", entry->name);
        tc_unzip_worse(u, TC_UNZIP_WARNING);
    }
    return p > path + start ? path : NULL;
}

static void make_parents(struct tc_unzip *u, char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        tc_cmd_mkdir(u->c, path, 0777 & ~tc_cmd_umask(u->c));
        *slash = '/';
    }
}

static bool read_answer(struct tc_unzip *u, struct tc_str *ret_line)
{
    struct tc_cmd_in *in;

    return tc_cmd_open(u->c, NULL, &in) == 0 && tc_cmd_line(u->c, in, '\n', ret_line, NULL) > 0;
}

/* What [r]ename leads to: another name, which may be there as well. */
static void ask_name(struct tc_unzip *u, char **path)
{
    struct tc_str line;
    char *name;

    tc_cmd_puts(u->c->err, "new name: ");
    if (!read_answer(u, &line) || line.n == 0)
        return;
    name = tc_arena_cstr(u->c->arena, line);
    if (name)
        *path = name;
    else
        tc_cmd_fail_memory(u->c);
}

/* Whether a file that is there may be replaced; another path may be chosen. */
static bool may_replace(struct tc_unzip *u, char **path)
{
    struct tc_str line;
    struct stat there;

    if (u->old != 'o' && tc_cmd_lstat(u->c, *path, &there) == 0 && S_ISLNK(there.st_mode))
        tc_cmd_printf(u->c->out, "%s exists and is a symbolic link%s.\n", *path,
                      tc_cmd_stat(u->c, *path, &there) ? " with no real file" : "");
    while (u->old == '?') {
        tc_cmd_printf(u->c->err, "replace %s? [y]es, [n]o, [A]ll, [N]one, [r]ename: ", *path);
        if (!read_answer(u, &line)) {
            tc_cmd_puts(u->c->err, " NULL\n(EOF or read error, treating as \"[N]one\" ...)\n");
            u->old = 'n';
            tc_unzip_worse(u, TC_UNZIP_WARNING);
        } else if (line.n > 0 && (line.p[0] == 'y' || line.p[0] == 'Y')) {
            return true;
        } else if (line.n > 0 && line.p[0] == 'n') {
            return false;
        } else if (line.n > 0 && (line.p[0] == 'A' || line.p[0] == 'N')) {
            u->old = line.p[0] == 'A' ? 'o' : 'n';
        } else if (line.n > 0 && line.p[0] == 'r') {
            ask_name(u, path);
            if (tc_cmd_lstat(u->c, *path, &there) != 0)
                return true;
        } else {
            tc_cmd_printf(u->c->err, "error:  invalid response [%.*s]\n", TC_STR_ARG(line));
        }
    }
    return u->old == 'o';
}

static void set_time(struct tc_unzip *u, const char *path, int64_t mtime)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = (time_t)mtime}};

    tc_cmd_utimes(u->c, path, times, false);
}

static void extract_file(struct tc_unzip *u, const struct tc_zip_entry *entry, const char *path)
{
    struct tc_cmd_call *c = u->c;
    struct tc_cmd_out *out;
    int error;

    tc_cmd_unlink(c, path);
    error = tc_cmd_create(c, path, O_WRONLY | O_CREAT | O_EXCL, 0600, &out);
    if (error) {
        tc_cmd_printf(c->err, "error:  cannot create %s\n        %s\n", path, strerror(error));
        tc_unzip_worse(u, TC_UNZIP_DISK);
        return;
    }
    if (!u->quiet)
        tc_cmd_printf(c->out, "%12s %-22s  ", entry->method == TC_ZIP_STORED ? " extracting:" : "  inflating:", path);
    if (tc_unzip_content(u, entry, path, out) && !u->quiet)
        tc_cmd_putc(c->out, '\n');
    error = tc_cmd_out_close(c, out);
    if (error) {
        tc_cmd_printf(c->err, "%s:  write error: %s\n", path, strerror(error));
        tc_unzip_worse(u, TC_UNZIP_DISK);
    }
    tc_cmd_chmod(c, path, tc_zip_mode(entry) & 0777);
    set_time(u, path, entry->mtime);
}

/* What waits until the end; the target is a link's content. */
static void put_off(struct tc_unzip *u, const struct tc_zip_entry *entry, char *path, bool link)
{
    struct tc_unzip_late *late = TC_ARENA_NEW(u->c->arena, struct tc_unzip_late);

    if (!late) {
        tc_cmd_fail_memory(u->c);
        return;
    }
    *late = (struct tc_unzip_late){.path = path, .mode = tc_zip_mode(entry), .mtime = entry->mtime};
    if (link) {
        if (entry->method != TC_ZIP_STORED || entry->size > TC_ZIP_NAME_MAX ||
            !tc_unzip_content(u, entry, entry->name, NULL))
            return tc_unzip_worse(u, TC_UNZIP_ERROR);
        late->target = tc_arena_cstr(u->c->arena, entry->packed);
        if (!late->target)
            return;
        if (!u->quiet)
            tc_cmd_printf(u->c->out, "    linking: %-22s  -> %s \n", path, late->target);
    }
    *u->late_end = late;
    u->late_end = &late->next;
}

void tc_unzip_extract(struct tc_unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_cmd_call *c = u->c;
    mode_t mode = tc_zip_mode(entry);
    char *path = S_ISDIR(mode) && u->flat ? NULL : safe_path(u, entry);
    struct stat there;
    bool exists;

    if (!path)
        return;
    exists = tc_cmd_lstat(c, path, &there) == 0;
    if (!S_ISDIR(mode) && u->newer && (exists ? entry->mtime <= there.st_mtim.tv_sec : u->newer == 'f'))
        return;
    make_parents(u, path);
    if (S_ISDIR(mode)) {
        if (exists)
            return;
        if (tc_cmd_mkdir(c, path, 0700)) {
            tc_cmd_printf(c->err, "checkdir error:  cannot create %s\n", path);
            return tc_unzip_worse(u, TC_UNZIP_ERROR);
        }
        if (!u->quiet)
            tc_cmd_printf(c->out, "   creating: %s/\n", path);
        put_off(u, entry, path, false);
        return;
    }
    if (exists && !S_ISDIR(there.st_mode) && !may_replace(u, &path))
        return;
    if (exists && S_ISLNK(mode))
        tc_cmd_unlink(c, path);
    if (S_ISLNK(mode))
        put_off(u, entry, path, true);
    else
        extract_file(u, entry, path);
}

void tc_unzip_finish(struct tc_unzip *u)
{
    bool told = u->quiet > 0;

    for (struct tc_unzip_late *late = u->late; late; late = late->next) {
        int error;

        if (!late->target) {
            tc_cmd_chmod(u->c, late->path, late->mode & 0777);
            set_time(u, late->path, late->mtime);
            continue;
        }
        if (!told)
            tc_cmd_puts(u->c->out, "finishing deferred symbolic links:\n");
        told = true;
        if (!u->quiet)
            tc_cmd_printf(u->c->out, "  %-22s -> %s\n", late->path, late->target);
        error = tc_cmd_symlink(u->c, late->target, late->path);
        if (error) {
            tc_cmd_printf(u->c->err, "symlink error: %s\n", strerror(error));
            tc_unzip_worse(u, TC_UNZIP_WARNING);
        }
    }
}
