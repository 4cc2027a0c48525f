/*
 * -exec and -execdir: a command a file, or with + one for as many as fit.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "shell/find/find.h"

enum { GATHERED_BYTES_MAX = 120000, GATHERED_MAX = 32768 };

bool tc_find_parse_exec(struct find *f, const char *name, struct find_node *node)
{
    struct find_exec *exec = TC_ARENA_NEW(f->c->arena, struct find_exec);
    int from = f->at, to = from;
    size_t braces = 0;

    if (!exec)
        return tc_cmd_fail_memory(f->c), false;
    for (; to < f->argc && strcmp(f->argv[to], ";") != 0; to++) {
        if (to > from && !strcmp(f->argv[to], "+") && !strcmp(f->argv[to - 1], "{}"))
            break;
        braces += strstr(f->argv[to], "{}") != NULL;
    }
    if (to == f->argc)
        return tc_cmd_fail(f->c, "missing argument to `%s'", name), false;
    if (to == from)
        return tc_cmd_fail(f->c, "invalid argument `;' to `%s'", name), false;
    exec->gathers = f->argv[to][0] == '+';
    if (exec->gathers && braces > 1)
        return tc_cmd_fail(f->c, "Only one instance of {} is supported with %s ... +", name), false;
    exec->in_folder = !strcmp(name, "-execdir");
    exec->argv = f->argv + from;
    exec->n = (size_t)(to - from);
    exec->next = f->execs;
    f->execs = exec;
    node->exec = exec;
    f->at = to + 1;
    return true;
}

static int spawn(struct find *f, char **argv, const char *folder)
{
    int status, error = 0;
    struct tc_cmd_run run = {.argv = argv, .cwd = folder, .ret_error = &error};

    tc_cmd_flush(f->c->out);
    status = tc_cmd_spawn(f->c, &run);
    if (error)
        tc_cmd_fail(f->c, "‘%s’: %s", argv[0], strerror(error));
    return status;
}

/* The folder of a file, and the file as seen from there. */
static bool split(struct find *f, const char *path, char **ret_folder, char **ret_name)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    struct tc_str name = tc_arena_printf(f->c->arena, "./%s", slash && slash[1] ? slash + 1 : path);

    *ret_folder = slash && slash[1] ? tc_arena_cstr(f->c->arena, tc_str_n(path, n ? n : 1))
                                    : tc_arena_cstr(f->c->arena, TC_STR("."));
    *ret_name = (char *)name.p;
    return *ret_folder && name.p;
}

/* An argument with each {} replaced. */
static char *replaced(struct find *f, char *text, const char *path)
{
    struct tc_buf buf;
    struct tc_str result;
    char *brace;

    if (!strstr(text, "{}"))
        return text;
    tc_buf_init(&buf, 1 << 20);
    for (; (brace = strstr(text, "{}")); text = brace + 2) {
        tc_buf_add(&buf, text, (size_t)(brace - text));
        tc_buf_cstr(&buf, path);
    }
    tc_buf_cstr(&buf, text);
    result = tc_buf_dup(&buf, f->c->arena);
    tc_buf_finish(&buf);
    return (char *)result.p;
}

static bool run_one(struct find *f, struct find_exec *exec, const struct find_file *file)
{
    struct tc_arena_mark mark = tc_arena_mark(f->c->arena);
    char **argv = TC_ARENA_NEW_N(f->c->arena, char *, exec->n + 1), *folder = NULL, *path = (char *)file->path;
    bool ok = argv && (!exec->in_folder || split(f, file->path, &folder, &path));
    int status;

    for (size_t i = 0; ok && i < exec->n; i++)
        ok = (argv[i] = replaced(f, exec->argv[i], path)) != NULL;
    if (!ok)
        return tc_cmd_fail_memory(f->c), false;
    status = spawn(f, argv, folder);
    tc_arena_rewind(f->c->arena, &mark);
    return status == 0;
}

void tc_find_exec_flush(struct find *f, struct find_exec *exec)
{
    char **argv;

    if (!exec->gathers || exec->paths_n == 0 || tc_cmd_stopped(f->c))
        return;
    argv = TC_ARENA_NEW_N(f->c->arena, char *, exec->n + exec->paths_n + 1);
    if (!argv) {
        tc_cmd_fail_memory(f->c);
        return;
    }
    memcpy(argv, exec->argv, (exec->n - 1) * sizeof *argv);
    memcpy(argv + exec->n - 1, exec->paths, exec->paths_n * sizeof *argv);
    if (spawn(f, argv, exec->folder) != 0)
        f->failed = true;
    for (size_t i = 0; i < exec->paths_n; i++)
        tc_mem_free(exec->paths[i]);
    exec->paths_n = exec->paths_bytes = 0;
}

static char *heap_copy(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = tc_mem_alloc(n);

    return copy ? memcpy(copy, text, n) : NULL;
}

/* Adds the file to those that wait; runs the command when no more would fit. */
static bool gather(struct find *f, struct find_exec *exec, const struct find_file *file)
{
    char *folder = NULL, *path = (char *)file->path;
    size_t bytes;

    if (exec->in_folder && !split(f, file->path, &folder, &path))
        return tc_cmd_fail_memory(f->c), false;
    bytes = strlen(path) + 1;
    if (exec->paths_bytes + bytes > GATHERED_BYTES_MAX || exec->paths_n == GATHERED_MAX ||
        (folder && exec->folder && strcmp(folder, exec->folder) != 0))
        tc_find_exec_flush(f, exec);
    if (folder && (!exec->folder || strcmp(folder, exec->folder) != 0)) {
        tc_mem_free(exec->folder);
        exec->folder = heap_copy(folder);
    }
    if (exec->paths_n == exec->paths_cap) {
        size_t cap = exec->paths_cap ? 2 * exec->paths_cap : 64;
        char **grown = tc_mem_realloc(exec->paths, cap * sizeof *grown);

        if (!grown)
            return tc_cmd_fail_memory(f->c), false;
        exec->paths = grown;
        exec->paths_cap = cap;
    }
    exec->paths[exec->paths_n] = heap_copy(path);
    if (!exec->paths[exec->paths_n] || (folder && !exec->folder))
        return tc_cmd_fail_memory(f->c), false;
    exec->paths_n++;
    exec->paths_bytes += bytes;
    return true;
}

bool tc_find_exec(struct find *f, struct find_exec *exec, const struct find_file *file)
{
    return exec->gathers ? gather(f, exec, file) : run_one(f, exec, file);
}
