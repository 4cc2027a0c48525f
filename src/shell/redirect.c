/*
 * What a redirection opens, and where it is put. A descriptor's old file is kept by
 * reference in the undo list; {name}> has none, since bash leaves those open.
 */
#include "shell/redirect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include "shell/expand.h"

struct tc_sh_undo_row {
    int fd;
    struct tc_sh_file *file; /* NULL: it was closed */
};

enum { NAMED_FROM = 10, ROWS_EACH = 2 };

static enum tc_sh_flow failed(struct tc_sh_env *env, struct tc_sh_undo *undo)
{
    env->status = 1;
    undo->failed = true;
    return TC_SH_NEXT;
}

static enum tc_sh_flow failed_errno(struct tc_sh_env *env, struct tc_sh_undo *undo, struct tc_str what, int error)
{
    tc_sh_warn(env, "%.*s: %s", TC_STR_ARG(what), strerror(error));
    return failed(env, undo);
}

/* Puts the file (taken; NULL closes) at fd. undo NULL: it stays. */
static enum tc_sh_flow put(struct tc_sh_env *env, int fd, struct tc_sh_file *file, struct tc_sh_undo *undo, bool stays)
{
    struct tc_sh_file *old = fd < TC_SH_FDS_MAX ? tc_sh_fds_get(&env->fds, fd) : NULL;
    int64_t most = env->sh->budget.max.descriptors;

    if (fd >= TC_SH_FDS_MAX || (most && fd >= most)) {
        char text[16];
        snprintf(text, sizeof text, "%d", fd);
        tc_sh_file_unref(file);
        return failed_errno(env, undo, tc_str_of(text), EBADF);
    }
    if (!stays) {
        undo->rows[undo->n].fd = fd;
        undo->rows[undo->n].file = old ? tc_sh_file_ref(old) : NULL;
        undo->n++;
    }
    return tc_sh_fds_set(&env->fds, fd, file) ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

static bool parse_fd(struct tc_str text, int *ret_fd)
{
    int64_t value;

    if (!tc_str_int(text, &value) || value < 0 || value > INT_MAX)
        return false;
    *ret_fd = (int)value;
    return true;
}

/* {name}>…: the next free descriptor from 10 on, told in the variable; of {name}>&- the one that it has. */
static enum tc_sh_flow named_fd(struct tc_sh_env *env, const struct tc_sh_redirect *r, bool closes, int *ret_fd)
{
    struct tc_str value;
    char text[16];

    if (closes) {
        if (!tc_sh_expand_get(env, r->name, &value) || !parse_fd(value, ret_fd))
            *ret_fd = -1;
        return TC_SH_NEXT;
    }
    *ret_fd = tc_sh_fds_free(&env->fds, NAMED_FROM);
    if (*ret_fd < 0)
        return TC_SH_NEXT;
    snprintf(text, sizeof text, "%d", *ret_fd);
    return tc_sh_expand_set(env, r->name, tc_str_of(text));
}

static enum tc_sh_flow here(struct tc_sh_env *env, const struct tc_sh_redirect *r, struct tc_sh_file **ret_file)
{
    struct tc_str text = {0};
    enum tc_sh_flow flow = r->word ? tc_sh_expand_string(env, r->word, &text) : TC_SH_NEXT;

    if (flow != TC_SH_NEXT)
        return flow;
    if (r->kind == TC_SH_REDIRECT_STRING) {
        text = tc_arena_printf(tc_sh_arena(env), "%.*s\n", TC_STR_ARG(text));
        if (!text.p)
            return tc_sh_out_of_memory(env);
    }
    *ret_file = tc_sh_file_of_text(text);
    return *ret_file ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

static int flags_of(enum tc_sh_redirect_kind kind)
{
    switch (kind) {
    case TC_SH_REDIRECT_IN:
        return O_RDONLY;
    case TC_SH_REDIRECT_RDWR:
        return O_RDWR | O_CREAT;
    case TC_SH_REDIRECT_APPEND:
    case TC_SH_REDIRECT_BOTH_APPEND:
        return O_WRONLY | O_CREAT | O_APPEND;
    default:
        return O_WRONLY | O_CREAT | O_TRUNC;
    }
}

static enum tc_sh_flow open_target(struct tc_sh_env *env, const struct tc_sh_redirect *r, struct tc_str target,
                                   struct tc_sh_undo *undo, struct tc_sh_file **ret_file)
{
    char path[PATH_MAX];
    struct stat st;
    int flags = flags_of(r->kind), error;
    bool guarded =
        (env->options & TC_SH_O_NOCLOBBER) && (r->kind == TC_SH_REDIRECT_OUT || r->kind == TC_SH_REDIRECT_BOTH);

    if (target.n == 0)
        return failed_errno(env, undo, target, ENOENT);
    if (!tc_sh_env_path(env, target, path))
        return failed_errno(env, undo, target, ENAMETOOLONG);
    if (guarded && tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st) == 0 && S_ISREG(st.st_mode)) {
        tc_sh_warn(env, "%.*s: cannot overwrite existing file", TC_STR_ARG(target));
        return failed(env, undo);
    }
    error = tc_sh_vfs_open(env->sh->vfs, &env->fds, path, flags, 0666 & ~env->umask, ret_file);
    return error ? failed_errno(env, undo, target, error) : TC_SH_NEXT;
}

/* n>&m, n>&m-, n>&-. */
static enum tc_sh_flow duplicate(struct tc_sh_env *env, struct tc_str target, int fd, struct tc_sh_undo *undo,
                                 bool stays)
{
    bool moves = target.n > 1 && target.p[target.n - 1] == '-';
    struct tc_sh_file *file = NULL;
    int from = -1;
    enum tc_sh_flow flow;

    if (tc_str_is(target, "-"))
        return put(env, fd, NULL, undo, stays);
    if (moves)
        target.n--;
    if (parse_fd(target, &from))
        file = tc_sh_fds_get(&env->fds, from);
    if (!file)
        return failed_errno(env, undo, target, EBADF);
    flow = put(env, fd, tc_sh_file_ref(file), undo, stays);
    return moves && flow == TC_SH_NEXT && !undo->failed && from != fd ? put(env, from, NULL, undo, stays) : flow;
}

/* What stands behind the operator, as one word; false: ambiguous, which is told. */
static enum tc_sh_flow target_of(struct tc_sh_env *env, const struct tc_sh_redirect *r, struct tc_sh_undo *undo,
                                 struct tc_str *ret_target)
{
    struct tc_sh_word *const words[1] = {r->word};
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow = tc_sh_expand_words(env, words, 1, &fields);

    if (flow != TC_SH_NEXT)
        return flow;
    if (fields.n != 1) {
        tc_sh_warn(env, "%.*s: ambiguous redirect", TC_STR_ARG(r->word->source));
        return failed(env, undo);
    }
    *ret_target = fields.v[0];
    return TC_SH_NEXT;
}

static bool is_descriptor(struct tc_str target)
{
    size_t i = 0;

    while (i < target.n && target.p[i] >= '0' && target.p[i] <= '9')
        i++;
    return target.n && (i == target.n || (i == target.n - 1 && target.p[i] == '-'));
}

static enum tc_sh_flow both(struct tc_sh_env *env, const struct tc_sh_redirect *r, struct tc_str target,
                            struct tc_sh_undo *undo)
{
    struct tc_sh_file *file = NULL;
    enum tc_sh_flow flow = open_target(env, r, target, undo, &file);

    if (flow != TC_SH_NEXT || undo->failed)
        return flow;
    flow = put(env, 1, tc_sh_file_ref(file), undo, false);
    if (flow != TC_SH_NEXT) {
        tc_sh_file_unref(file);
        return flow;
    }
    return put(env, 2, file, undo, false);
}

static int usual_fd(enum tc_sh_redirect_kind kind)
{
    switch (kind) {
    case TC_SH_REDIRECT_IN:
    case TC_SH_REDIRECT_RDWR:
    case TC_SH_REDIRECT_DUP_IN:
    case TC_SH_REDIRECT_HERE:
    case TC_SH_REDIRECT_STRING:
        return 0;
    default:
        return 1;
    }
}

static enum tc_sh_flow one(struct tc_sh_env *env, const struct tc_sh_redirect *r, struct tc_sh_undo *undo)
{
    bool dup = r->kind == TC_SH_REDIRECT_DUP_IN || r->kind == TC_SH_REDIRECT_DUP_OUT, named = r->name.n > 0;
    int fd = r->fd >= 0 ? r->fd : usual_fd(r->kind);
    struct tc_sh_file *file = NULL;
    struct tc_str target = {0};
    enum tc_sh_flow flow = TC_SH_NEXT;

    if (r->kind != TC_SH_REDIRECT_HERE && r->kind != TC_SH_REDIRECT_STRING)
        flow = target_of(env, r, undo, &target);
    if (flow != TC_SH_NEXT || undo->failed)
        return flow;
    if (named) {
        flow = named_fd(env, r, dup && tc_str_is(target, "-"), &fd);
        if (flow != TC_SH_NEXT)
            return flow;
        if (fd < 0)
            return failed_errno(env, undo, r->name, EBADF);
    }
    if (r->kind == TC_SH_REDIRECT_BOTH || r->kind == TC_SH_REDIRECT_BOTH_APPEND ||
        (r->kind == TC_SH_REDIRECT_DUP_OUT && r->fd < 0 && !named && !is_descriptor(target) && !tc_str_is(target, "-")))
        return both(env, r, target, undo);
    if (dup && !is_descriptor(target) && !tc_str_is(target, "-")) {
        tc_sh_warn(env, "%.*s: ambiguous redirect", TC_STR_ARG(r->word->source));
        return failed(env, undo);
    }
    if (dup)
        return duplicate(env, target, fd, undo, named);
    flow = r->kind == TC_SH_REDIRECT_HERE || r->kind == TC_SH_REDIRECT_STRING
               ? here(env, r, &file)
               : open_target(env, r, target, undo, &file);
    return flow == TC_SH_NEXT && !undo->failed ? put(env, fd, file, undo, named) : flow;
}

enum tc_sh_flow tc_sh_redirect(struct tc_sh_env *env, struct tc_sh_redirect *const *redirects, size_t n,
                               struct tc_sh_undo *ret_undo)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    *ret_undo = (struct tc_sh_undo){0};
    if (n == 0)
        return TC_SH_NEXT;
    ret_undo->rows = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_sh_undo_row, n * ROWS_EACH);
    if (!ret_undo->rows)
        return tc_sh_out_of_memory(env);
    for (size_t i = 0; i < n && flow == TC_SH_NEXT && !ret_undo->failed; i++)
        flow = one(env, redirects[i], ret_undo);
    return flow;
}

enum tc_sh_flow tc_sh_redirect_apart(struct tc_sh_env *env, struct tc_sh_redirect *const *redirects, size_t n,
                                     struct tc_sh_undo *ret_undo)
{
    enum tc_sh_flow flow = tc_sh_redirect(env, redirects, n, ret_undo);

    if (flow != TC_SH_ABORT && flow != TC_SH_EXIT)
        return flow;
    if (flow == TC_SH_ABORT)
        env->status = 1;
    ret_undo->failed = true;
    return TC_SH_NEXT;
}

void tc_sh_redirect_undo(struct tc_sh_env *env, struct tc_sh_undo *undo)
{
    while (undo->n > 0) {
        undo->n--;
        tc_sh_fds_set(&env->fds, undo->rows[undo->n].fd, undo->rows[undo->n].file);
    }
}

void tc_sh_redirect_keep(struct tc_sh_undo *undo)
{
    while (undo->n > 0)
        tc_sh_file_unref(undo->rows[--undo->n].file);
}
