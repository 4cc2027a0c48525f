/*
 * install: copies with a mode of their own, and folders. What is there is removed
 * before, so a program that runs is not written over.
 */
#include <errno.h>
#include <string.h>

#include "shell/cmds/copy.h"
#include "toolcrib/shelltext.h"

static const struct tc_cmd_option options[] = {
    {TC_TARGET_BACKUP, "backup", TC_CMD_MAYBE, "CONTROL", "back up what is there: none, simple, existing, numbered"},
    {'b', "b", TC_CMD_NONE, NULL, "the same without a value"},
    {'c', "c", TC_CMD_NONE, NULL, "(ignored)"},
    {'C', "C,compare", TC_CMD_NONE, NULL, "leave what is there when it is the same"},
    {'d', "d,directory", TC_CMD_NONE, NULL, "make folders, with those above them"},
    {'D', "D", TC_CMD_NONE, NULL, "make the folders that DEST lies in, or DIRECTORY of -t"},
    {'m', "m,mode", TC_CMD_VALUE, "MODE", "the mode, instead of rwxr-xr-x"},
    {'p', "p,preserve-timestamps", TC_CMD_NONE, NULL, "the times of SOURCE"},
    {'S', "S,suffix", TC_CMD_VALUE, "SUFFIX", "of backups, instead of ~"},
    {'t', "t,target-directory", TC_CMD_VALUE, "DIRECTORY", "copy all operands into DIRECTORY"},
    {'T', "T,no-target-directory", TC_CMD_NONE, NULL, "the last operand is a file"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of each"},
    {0}};

enum { MODE_USUAL = 0755, CHUNK = 64 << 10 };

struct install {
    struct tc_cmd_call *c;
    struct tc_target target;
    struct tc_copy copy;
    mode_t mode;
    bool folders, above, compare;
};

static const char *quoted(struct install *w, const char *path)
{
    return tc_cmd_quote_name(w->c, path);
}

static int set_mode(struct install *w, const char *path, mode_t mode)
{
    int error = tc_cmd_chmod(w->c, path, mode);

    return error ? tc_cmd_fail(w->c, "cannot change permissions of %s: %s", quoted(w, path), strerror(error)) : 0;
}

/* One folder, if it is not there. */
static int make_folder(struct install *w, const char *path)
{
    struct stat stat;
    int error = tc_cmd_mkdir(w->c, path, MODE_USUAL);

    if (error == EEXIST && tc_cmd_stat(w->c, path, &stat) == 0 && S_ISDIR(stat.st_mode))
        return 0;
    if (error)
        return tc_cmd_fail(w->c, "cannot create directory %s: %s", tc_cmd_quote(w->c, path), strerror(error));
    if (w->copy.verbose)
        tc_cmd_printf(w->c->out, "%s: creating directory %s\n", w->c->argv[0], quoted(w, path));
    return set_mode(w, path, MODE_USUAL);
}

/* The folders that `path` lies in. */
static int make_above(struct install *w, const char *path)
{
    char *copy = tc_arena_cstr(w->c->arena, tc_str_of(path));

    if (!copy)
        return tc_cmd_fail_memory(w->c);
    for (char *at = copy + strspn(copy, "/"); (at = strchr(at, '/')); at += strspn(at, "/")) {
        if (!at[strspn(at, "/")])
            break;
        *at = '\0';
        if (make_folder(w, copy) != 0)
            return 1;
        *at = '/';
    }
    return 0;
}

static int install_folder(struct install *w, const char *path)
{
    return make_above(w, path) != 0 || make_folder(w, path) != 0 || set_mode(w, path, w->mode) != 0;
}

static int install_folders(struct install *w)
{
    struct tc_cmd_call *c = w->c;
    int status = c->at == c->argc;

    if (status)
        tc_cmd_fail_usage(c, "missing file operand");
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= install_folder(w, c->argv[i]);
    return status;
}

/* PARKS. Both hold the same bytes. */
static bool same_content(struct install *w, const char *a, const char *b)
{
    char *left = TC_ARENA_NEW_N(w->c->arena, char, 2 * CHUNK);
    struct tc_cmd_in *in_a, *in_b;
    ssize_t n = 0, m = 0;

    if (!left || tc_cmd_open(w->c, a, &in_a) != 0)
        return false;
    if (tc_cmd_open(w->c, b, &in_b) != 0) {
        tc_cmd_close(w->c, in_a);
        return false;
    }
    do {
        n = tc_cmd_read(w->c, in_a, left, CHUNK);
        m = n > 0 ? tc_cmd_read(w->c, in_b, left + CHUNK, (size_t)n) : tc_cmd_read(w->c, in_b, left + CHUNK, 1);
    } while (n > 0 && n == m && memcmp(left, left + CHUNK, (size_t)n) == 0 && tc_cmd_tick(w->c, 1));
    tc_cmd_close(w->c, in_a);
    tc_cmd_close(w->c, in_b);
    return n == 0 && m == 0;
}

/* What -C leaves as it is. */
static bool is_there(struct install *w, const char *from, const struct stat *stat, const char *to)
{
    struct stat there;

    return w->compare && S_ISREG(stat->st_mode) && tc_cmd_lstat(w->c, to, &there) == 0 && S_ISREG(there.st_mode) &&
           there.st_size == stat->st_size && (there.st_mode & 07777) == w->mode && same_content(w, from, to);
}

static int install_file(struct install *w, const char *from)
{
    char *to = tc_target_of(&w->target, from);
    struct stat stat;
    int error;

    if (!to)
        return tc_cmd_fail_memory(w->c);
    error = tc_cmd_stat(w->c, from, &stat);
    if (error)
        return tc_cmd_fail(w->c, "cannot stat %s: %s", quoted(w, from), strerror(error));
    if (S_ISDIR(stat.st_mode))
        return tc_cmd_fail(w->c, "omitting directory %s", quoted(w, from));
    if (w->above && !w->target.folder && make_above(w, to) != 0)
        return 1;
    if (is_there(w, from, &stat, to))
        return 0;
    return tc_copy(&w->copy, from, to) != 0 || set_mode(w, to, w->mode) != 0;
}

static int read_options(struct install *w)
{
    int option;
    bool ok = true;

    while ((option = tc_cmd_option_next(w->c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'm' && !tc_cmd_mode_apply(w->c->value, 0, 0, &w->mode))
            return tc_cmd_fail(w->c, "invalid mode %s", tc_cmd_quote(w->c, w->c->value));
        if (option != 'm' && !tc_target_option(&w->target, option, &ok)) {
            w->folders |= option == 'd';
            w->above |= option == 'D';
            w->compare |= option == 'C';
            w->copy.times |= option == 'p';
            w->copy.verbose |= option == 'v';
        }
        if (!ok)
            return 1;
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct install w = {.c = c, .target = {.c = c}, .mode = MODE_USUAL};
    struct stat stat;
    int status, error;

    w.copy = (struct tc_copy){.c = c, .target = &w.target, .remove_first = true, .no_mode = true};
    status = read_options(&w);
    if (!status && w.compare && w.copy.times) {
        tc_cmd_fail_usage(c, "options --compare (-C) and --preserve-timestamps are mutually exclusive");
        return 1;
    }
    if (!status)
        status = tc_target_take_backup(&w.target, false);
    if (status)
        return status;
    if (w.folders)
        return install_folders(&w);
    if (w.above && w.target.folder && (make_above(&w, w.target.folder) != 0 || make_folder(&w, w.target.folder) != 0))
        return 1;
    error = w.target.folder ? tc_cmd_stat(c, w.target.folder, &stat) : 0;
    if (w.target.folder && error == 0 && !S_ISDIR(stat.st_mode))
        error = ENOTDIR;
    if (error)
        return tc_cmd_fail(c, "failed to access %s: %s", quoted(&w, w.target.folder), strerror(error));
    status = tc_target_choose(&w.target);
    if (status)
        return status;
    for (int i = c->at; i < c->argc - !w.target.folder && tc_cmd_tick(c, 1); i++)
        status |= install_file(&w, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_install = {
    .name = "install",
    .usage = "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n[OPTION]... -t DIRECTORY SOURCE...\n"
             "[OPTION]... -d DIRECTORY...",
    .summary = "Copy files and set their modes, or make folders.",
    .options = options,
    .run = run,
};
