/*
 * Where the operands of cp, mv and ln go, and backups.
 */
#include "shell/cmds/target.h"

#include <errno.h>

#include "toolcrib/shelltext.h"

bool tc_target_option(struct tc_target *target, int option, bool *ret_ok)
{
    struct tc_cmd_call *c = target->c;

    *ret_ok = true;
    switch (option) {
    case 'b':
    case TC_TARGET_BACKUP:
        target->backs_up = true;
        if (option == TC_TARGET_BACKUP && c->value)
            target->control = c->value;
        return true;
    case 'S':
        target->backs_up = true;
        target->suffix = c->value;
        return true;
    case 't':
        if (target->folder)
            tc_cmd_fail(c, "multiple target directories specified");
        *ret_ok = !target->folder;
        target->folder = c->value;
        return true;
    case 'T':
        target->no_folder = true;
        return true;
    case TC_TARGET_STRIP:
        target->strip = true;
        return true;
    default:
        return false;
    }
}

static int usage(struct tc_target *target, const char *text)
{
    tc_cmd_fail_usage(target->c, "%s", text);
    return 1;
}

static bool is_folder(struct tc_target *target, const char *path, int *ret_error)
{
    struct stat stat;

    *ret_error = tc_cmd_stat(target->c, path, &stat);
    if (*ret_error == 0 && !S_ISDIR(stat.st_mode))
        *ret_error = ENOTDIR;
    return *ret_error == 0;
}

int tc_target_choose(struct tc_target *target)
{
    struct tc_cmd_call *c = target->c;
    int n = c->argc - c->at, error;

    if (n == 0)
        return usage(target, "missing file operand");
    if (target->folder && target->no_folder)
        return tc_cmd_fail(c, target->one_is_enough
                                  ? "cannot combine --target-directory and --no-target-directory"
                                  : "cannot combine --target-directory (-t) and --no-target-directory (-T)");
    if (target->folder) {
        if (is_folder(target, target->folder, &error))
            return 0;
        if (target->one_is_enough && error == ENOTDIR)
            return tc_cmd_fail(c, "target %s is not a directory", tc_cmd_quote_name(c, target->folder));
        if (target->one_is_enough)
            return tc_cmd_fail(c, "failed to access %s: %s", tc_cmd_quote_name(c, target->folder), strerror(error));
        return tc_cmd_fail(c, "target directory %s: %s", tc_cmd_quote_name(c, target->folder), strerror(error));
    }
    if (n == 1 && target->one_is_enough && !target->no_folder) {
        target->folder = ".";
        return 0;
    }
    if (n == 1) {
        tc_cmd_fail_usage(c, "missing destination file operand after %s", tc_cmd_quote_name(c, c->argv[c->at]));
        return 1;
    }
    if (target->no_folder && n > 2) {
        tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote_name(c, c->argv[c->at + 2]));
        return 1;
    }
    if (target->no_folder)
        return 0;
    if (is_folder(target, c->argv[c->argc - 1], &error)) {
        target->folder = c->argv[--c->argc];
        return 0;
    }
    if (n > 2)
        return tc_cmd_fail(c, "target %s: %s", tc_cmd_quote_name(c, c->argv[c->argc - 1]), strerror(error));
    return 0;
}

struct tc_str tc_target_last_part(const char *path)
{
    size_t n = strlen(path), from;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from > 0 && path[from - 1] != '/';)
        from--;
    return from < n ? tc_str_n(path + from, n - from) : tc_str_n(path, n);
}

char *tc_target_of(struct tc_target *target, const char *operand)
{
    struct tc_cmd_call *c = target->c;
    struct tc_str last = tc_target_last_part(operand);
    size_t n;

    if (!target->folder)
        return c->argv[c->argc - 1];
    if (tc_str_is(last, ".."))
        last = TC_STR(".");
    n = strlen(target->folder);
    return (char *)tc_arena_printf(c->arena, "%s%s%.*s", target->folder,
                                   n && target->folder[n - 1] == '/' ? "" : "/", TC_STR_ARG(last))
        .p;
}

/* The highest N of NAME.~N~ in the folder of the path. */
static int64_t highest_backup(struct tc_target *target, const char *path)
{
    struct tc_str last = tc_target_last_part(path), number;
    struct tc_str folder = tc_str_n(path, (size_t)(last.p - path));
    struct tc_cmd_dirent entry;
    struct tc_cmd_dir *dir;
    int64_t highest = 0, n;

    if (tc_cmd_opendir(target->c, folder.n ? tc_arena_cstr(target->c->arena, folder) : ".", &dir) != 0)
        return 0;
    while (tc_cmd_readdir(dir, &entry)) {
        struct tc_str name = tc_str_of(entry.name);

        if (name.n < last.n + 4 || !tc_str_starts(name, last) || memcmp(name.p + last.n, ".~", 2) != 0 ||
            name.p[name.n - 1] != '~')
            continue;
        number = tc_str_n(name.p + last.n + 2, name.n - last.n - 3);
        if (tc_str_int(number, &n) && n > highest)
            highest = n;
    }
    tc_cmd_closedir(dir);
    return highest;
}

int tc_target_take_backup(struct tc_target *target, bool no_clobber)
{
    static const char *const choices[] = {"none,off", "simple,never", "existing,nil", "numbered,t", NULL};
    static const enum tc_target_backup kinds[] = {TC_TARGET_NO_BACKUP, TC_TARGET_SIMPLE, TC_TARGET_EXISTING,
                                                  TC_TARGET_NUMBERED};
    const char *control = target->control, *what = "backup type";
    int found = 2;

    if (!target->backs_up)
        return 0;
    if (no_clobber)
        return usage(target, "options --backup and --no-clobber are mutually exclusive");
    if (!control || !*control) {
        control = tc_cmd_getenv(target->c, "VERSION_CONTROL");
        what = "$VERSION_CONTROL";
    }
    if (control && *control)
        found = tc_cmd_choose(target->c, what, control, choices);
    if (found < 0)
        return 1;
    target->backup = kinds[found];
    return 0;
}

const char *tc_target_backup_name(struct tc_target *target, const char *path)
{
    struct tc_cmd_call *c = target->c;
    const char *suffix = target->suffix ? target->suffix : tc_cmd_getenv(c, "SIMPLE_BACKUP_SUFFIX");
    int64_t highest = target->backup == TC_TARGET_SIMPLE ? 0 : highest_backup(target, path);

    if (target->backup == TC_TARGET_NUMBERED || highest > 0)
        return tc_arena_printf(c->arena, "%s.~%lld~", path, (long long)highest + 1).p;
    return tc_arena_printf(c->arena, "%s%s", path, suffix && *suffix && !strchr(suffix, '/') ? suffix : "~").p;
}

int tc_target_back_up(struct tc_target *target, const char *path, const char **ret_name)
{
    struct stat stat;
    const char *name;
    int error;

    *ret_name = NULL;
    if (!target->backup || tc_cmd_lstat(target->c, path, &stat) != 0)
        return 0;
    name = tc_target_backup_name(target, path);
    if (!name)
        return ENOMEM;
    error = tc_cmd_rename(target->c, path, name, false);
    if (error)
        return error;
    *ret_name = name;
    if (tc_cmd_lstat(target->c, path, &stat) == 0) /* two names of one file, which the system leaves as they are */
        error = tc_cmd_unlink(target->c, path);
    return error;
}
