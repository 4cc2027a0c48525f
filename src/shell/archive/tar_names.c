/*
 * The names that tar works on, in the order in which the command line has them, each
 * with the folder of the -C before it; and the patterns of what is left out.
 */
#include <errno.h>
#include <string.h>

#include "shell/archive/tar.h"

enum { LIST_MAX = 16 << 20 };

int tc_tar_cannot_open(struct tc_cmd_call *c, const char *what, int error)
{
    tc_cmd_fail(c, "%s: Cannot open: %s", what, strerror(error));
    tc_cmd_fail(c, "Error is not recoverable: exiting now");
    return 2;
}

static bool add_name(struct tc_tar *t, char *text)
{
    if (t->names_n == t->names_cap) {
        size_t cap = t->names_cap ? 2 * t->names_cap : 16;
        struct tc_tar_name *names = TC_ARENA_NEW_N(t->c->arena, struct tc_tar_name, cap);

        if (!names)
            return tc_cmd_fail_memory(t->c), false;
        if (t->names_n)
            memcpy(names, t->names, t->names_n * sizeof *names);
        t->names = names;
        t->names_cap = cap;
    }
    t->names[t->names_n++] = (struct tc_tar_name){.text = text, .folder = t->folder};
    return true;
}

bool tc_tar_take_operands(struct tc_tar *t, int n)
{
    for (; t->taken < n; t->taken++)
        if (!add_name(t, t->c->argv[1 + t->taken]))
            return false;
    return true;
}

/* A file of -T or -X. */
static int read_parts(struct tc_tar *t, const char *path, struct tc_str *ret_text)
{
    struct tc_cmd_in *in;
    int error = tc_cmd_open(t->c, path, &in);

    if (!error)
        error = tc_cmd_read_all(t->c, in, LIST_MAX, ret_text);
    return error ? tc_tar_cannot_open(t->c, path, error) : 0;
}

int tc_tar_add_names(struct tc_tar *t, const char *path)
{
    struct tc_str text, line;
    int status = read_parts(t, path, &text);

    while (!status && tc_str_split(&text, t->separator, &line)) {
        char *name = line.n ? tc_arena_cstr(t->c->arena, line) : NULL;

        if (line.n && (!name || !add_name(t, name)))
            return tc_cmd_fail_memory(t->c);
    }
    return status;
}

int tc_tar_add_patterns(struct tc_tar *t, const char *path)
{
    struct tc_str text, line;
    char **longer;
    size_t lines = 1;
    int status = read_parts(t, path, &text);

    if (status)
        return status;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    longer = TC_ARENA_NEW_N(t->c->arena, char *, t->excludes_n + lines + (size_t)t->c->argc);
    if (!longer)
        return tc_cmd_fail_memory(t->c);
    memcpy(longer, t->excludes, t->excludes_n * sizeof *longer);
    while (tc_str_split(&text, '\n', &line))
        if (line.n > 0 && !(longer[t->excludes_n++] = tc_arena_cstr(t->c->arena, line)))
            return tc_cmd_fail_memory(t->c);
    t->excludes = longer;
    return 0;
}

int tc_tar_set_folder(struct tc_tar *t, const char *value)
{
    struct stat stat;
    int error;

    t->folder = tc_tar_path(t, value);
    if (!t->folder)
        return tc_cmd_fail_memory(t->c);
    error = tc_cmd_stat(t->c, t->folder, &stat);
    if (!error && !S_ISDIR(stat.st_mode))
        error = ENOTDIR;
    return error ? tc_tar_cannot_open(t->c, value, error) : 0;
}
