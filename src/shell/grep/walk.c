/*
 * Which files grep looks into: the operands, and below directories with -r, in the
 * order of their names (GNU's is that of the directory). --include, --exclude and
 * --exclude-dir decide by the last pattern that matches.
 */
#include "shell/grep/grep.h"

#include <errno.h>

enum { DEPTH_MAX = 128 };

/* An operand matches by any of its endings that begin behind a slash, as does its whole. */
static bool glob_matches(const struct grep_glob *glob, const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        while (*p == '/')
            p++;
        if (*p && tc_cmd_pattern(glob->pattern, tc_str_of(p), 0))
            return true;
    }
    return tc_cmd_pattern(glob->pattern, tc_str_of(path), 0);
}

static bool excluded(const struct grep_glob *globs, const char *path)
{
    bool first_includes = false;

    for (const struct grep_glob *glob = globs; glob; glob = glob->next) {
        if (glob_matches(glob, path))
            return !glob->includes;
        first_includes = glob->includes;
    }
    return first_includes;
}

static void fault(struct grep *g, const char *path, int error)
{
    if (!g->no_messages)
        tc_cmd_fail_errno(g->c, path, error);
    g->failed = true;
}

static void report(struct grep *g, const char *name, int64_t selected)
{
    bool found = selected > 0;

    if (found)
        g->matched = true;
    if (g->count && g->list == GREP_LIST_NONE && !g->quiet) {
        if (g->names) {
            tc_grep_print_name(g, name);
            if (g->null_names)
                tc_cmd_putc(g->c->out, '\0');
            else
                tc_grep_print_colored(g, NULL, TC_STR(":"));
        }
        tc_cmd_printf(g->c->out, "%lld\n", (long long)selected);
    }
    if (!g->quiet && ((g->list == GREP_LIST_MATCHING && found) || (g->list == GREP_LIST_OTHERS && !found))) {
        tc_grep_print_name(g, name);
        tc_cmd_putc(g->c->out, g->null_names ? '\0' : '\n');
    }
    if (g->line_buffered)
        tc_cmd_flush(g->c->out);
}

static void search_file(struct grep *g, const char *path)
{
    bool in_is_stdin = strcmp(path, "-") == 0;
    const char *name = in_is_stdin ? (g->label ? g->label : "(standard input)") : path;
    struct tc_cmd_in *in;
    int64_t selected = 0;
    int error = tc_cmd_open(g->c, path, &in);

    if (!error) {
        error = tc_grep_stream(g, in, name, &selected);
        tc_cmd_close(g->c, in);
    }
    if (error) {
        fault(g, name, error);
        return;
    }
    report(g, name, selected);
}

static bool done(const struct grep *g)
{
    return tc_cmd_stopped(g->c) || (g->quiet && g->matched);
}

/* One file or folder that a folder holds; depth counts folders. */
static void visit(struct grep *g, const char *path, const char *name, int depth);

static void search_folder(struct grep *g, const char *path, int depth)
{
    bool here = strcmp(path, ".") == 0 && depth == 0 && g->c->at == g->c->argc;
    struct tc_arena_mark mark = tc_arena_mark(g->c->arena);
    char **names;
    size_t n, length = strlen(path);
    int error = tc_cmd_names(g->c, path, &names, &n);

    if (error) {
        fault(g, path, error);
        return;
    }
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (size_t i = 0; i < n && !done(g); i++) {
        struct tc_str below = here ? tc_arena_printf(g->c->arena, "%s", names[i])
                                   : tc_arena_printf(g->c->arena, "%.*s%s%s", (int)length, path,
                                                     path[length - 1] == '/' ? "" : "/", names[i]);

        if (!below.p) {
            tc_cmd_fail_memory(g->c);
            break;
        }
        visit(g, below.p, names[i], depth + 1);
    }
    tc_arena_rewind(g->c->arena, &mark);
}

static void visit(struct grep *g, const char *path, const char *name, int depth)
{
    struct stat st;
    int error = g->follow ? tc_cmd_stat(g->c, path, &st) : tc_cmd_lstat(g->c, path, &st);

    if (!tc_cmd_tick(g->c, 1))
        return;
    if (error) {
        fault(g, path, error);
    } else if (S_ISDIR(st.st_mode)) {
        if (depth > DEPTH_MAX)
            fault(g, path, ELOOP);
        else if (!excluded(g->dirs, name))
            search_folder(g, path, depth);
    } else if (S_ISREG(st.st_mode) && !excluded(g->files, name)) {
        search_file(g, path);
    }
}

void tc_grep_operand(struct grep *g, const char *path)
{
    struct stat st;
    bool is_stdin = strcmp(path, "-") == 0;
    bool known = !is_stdin && !tc_cmd_stat(g->c, path, &st);

    if (known && S_ISDIR(st.st_mode)) {
        if (g->directories == GREP_DIRS_SKIP || excluded(g->dirs, path))
            return;
        if (g->directories == GREP_DIRS_RECURSE)
            search_folder(g, path, 0);
        else
            fault(g, path, EISDIR);
        return;
    }
    if (!is_stdin && excluded(g->files, path))
        return;
    if (known && g->skip_devices && !S_ISREG(st.st_mode))
        return;
    search_file(g, path);
}
