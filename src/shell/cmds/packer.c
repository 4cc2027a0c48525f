/*
 * Operands of gzip and bzip2: each file becomes one with or without the suffix, and
 * goes when the other is whole.
 */
#include "shell/cmds/packer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static int pack_path(struct tc_cmd_call *c, struct tc_packer *p, const char *path);

static bool ends_with(const char *text, const char *end)
{
    return tc_str_ends(tc_str_of(text), tc_str_of(end)) && strlen(text) > strlen(end);
}

/* The name without the suffix, or NULL when it has none that is known. */
static const char *plain_name(struct tc_cmd_call *c, const struct tc_packer *p, const char *path)
{
    size_t n = strlen(path);

    if (ends_with(path, p->suffix))
        return tc_arena_dup(c->arena, tc_str_n(path, n - strlen(p->suffix))).p;
    for (const char *const *pair = p->codec->pairs; *pair; pair += 2)
        if (ends_with(path, pair[0]))
            return tc_arena_printf(c->arena, "%.*s%s", (int)(n - strlen(pair[0])), path, pair[1]).p;
    return NULL;
}

static void show_ratio(struct tc_cmd_call *c, const struct tc_packer_sizes *sizes, struct tc_cmd_out *out)
{
    double ratio = sizes->plain ? 100.0 - 100.0 * (double)sizes->packed / (double)sizes->plain : 0;

    (void)c;
    tc_cmd_printf(out, "%5.1f%%", ratio);
}

static void show_row(struct tc_cmd_call *c, const struct tc_packer_sizes *sizes, const char *name)
{
    tc_cmd_printf(c->out, "%19lld %19lld ", (long long)sizes->packed, (long long)sizes->plain);
    show_ratio(c, sizes, c->out);
    tc_cmd_printf(c->out, " %s\n", name);
}

static void list_row(struct tc_cmd_call *c, struct tc_packer *p, const struct tc_packer_sizes *sizes, const char *name)
{
    if (p->listed++ == 0 && !p->quiet)
        tc_cmd_printf(c->out, "%19s %19s %6s %s\n", "compressed", "uncompressed", "ratio", "uncompressed_name");
    show_row(c, sizes, name);
    p->packed += sizes->packed;
    p->plain += sizes->plain;
}

/* Between two streams that are open. */
static int convert(struct tc_cmd_call *c, struct tc_packer *p, struct tc_cmd_in *in, struct tc_cmd_out *out,
                   const struct tc_packer_file *file, const char *shown)
{
    struct tc_packer_sizes sizes = {0};
    int status;

    if (!p->unpack)
        return p->codec->pack(c, in, out, file, &sizes);
    status = p->codec->unpack(c, in, p->test || p->list ? NULL : out, shown, &sizes);
    if (status == 0 && p->list)
        list_row(c, p, &sizes, shown);
    if (status == 0 && p->test && p->verbose)
        tc_cmd_printf(c->err, "%s:\t OK\n", shown);
    return status;
}

static int pass_over(struct tc_cmd_call *c, const struct tc_packer *p, const char *name, const char *why)
{
    if (!p->quiet)
        tc_cmd_fail(c, "%s%s", name, why);
    return p->codec->bad_status;
}

/* It is compressed already: no fault for gzip. */
static int suffixed(struct tc_cmd_call *c, const struct tc_packer *p, const char *path)
{
    if (!p->recurse && !p->quiet)
        tc_cmd_fail(c, "%s already has %s suffix -- unchanged", path, p->suffix);
    return p->recurse || p->codec->bad_status == 2 ? 0 : 1;
}

/* The output file, with what was known of the input; the input goes. */
static int replace(struct tc_cmd_call *c, struct tc_packer *p, const char *path, const char *to, struct stat *stat)
{
    struct tc_packer_file file = {.name = p->no_name ? NULL : path, .level = p->level};
    struct timespec times[2] = {stat->st_atim, stat->st_mtim};
    struct tc_cmd_in *in;
    struct tc_cmd_out *out;
    struct stat there;
    int error, status;

    if (tc_cmd_lstat(c, to, &there) == 0) {
        if (!p->force)
            return pass_over(c, p, to, " already exists;\tnot overwritten");
        tc_cmd_unlink(c, to);
    }
    if (!p->no_name)
        file.at = stat->st_mtim;
    if ((error = tc_cmd_open(c, path, &in)) != 0)
        return tc_cmd_fail_errno(c, path, error);
    if ((error = tc_cmd_create(c, to, O_WRONLY | O_CREAT | O_EXCL, stat->st_mode & 0777, &out)) != 0)
        return tc_cmd_fail_errno(c, to, error);
    status = convert(c, p, in, out, &file, path);
    tc_cmd_close(c, in);
    error = tc_cmd_out_close(c, out);
    if (status == 0 && error)
        status = tc_cmd_fail_errno(c, to, error);
    if (status) {
        tc_cmd_unlink(c, to);
        return status;
    }
    tc_cmd_chmod(c, to, stat->st_mode & 07777);
    tc_cmd_utimes(c, to, times, true);
    if (p->verbose)
        tc_cmd_printf(c->err, "%s:\t %s %s\n", path, p->keep ? "-- created" : "-- replaced with", to);
    if (!p->keep && (error = tc_cmd_unlink(c, path)) != 0)
        return tc_cmd_fail_errno(c, path, error);
    return 0;
}

static int pack_directory(struct tc_cmd_call *c, struct tc_packer *p, const char *path)
{
    char **names;
    size_t n;
    int error = tc_cmd_names(c, path, &names, &n), status = 0;

    if (error)
        return tc_cmd_fail_errno(c, path, error);
    for (size_t i = 0; i < n && tc_cmd_tick(c, 1); i++) {
        const char *below = tc_arena_printf(c->arena, "%s/%s", path, names[i]).p;
        int one = below ? pack_path(c, p, below) : tc_cmd_fail_memory(c);
        status = one > status ? one : status;
    }
    return status;
}

static int pack_path(struct tc_cmd_call *c, struct tc_packer *p, const char *path)
{
    struct tc_packer_file file = {.name = p->no_name ? NULL : path, .level = p->level};
    bool reads = p->to_stdout || p->test || p->list;
    const char *to = path;
    struct tc_cmd_in *in;
    struct stat stat;
    int error = tc_cmd_stat(c, path, &stat);

    if (error == ENOENT && p->unpack) { /* "gunzip a" finds a.gz */
        path = tc_arena_printf(c->arena, "%s%s", path, p->suffix).p;
        if (path && tc_cmd_stat(c, path, &stat) == 0)
            error = 0;
        else
            path = to;
    }
    if (error)
        return tc_cmd_fail_errno(c, path, error);
    if (S_ISDIR(stat.st_mode))
        return p->recurse ? pack_directory(c, p, path) : pass_over(c, p, path, " is a directory -- ignored");
    if (p->unpack)
        to = plain_name(c, p, path);
    else if (ends_with(path, p->suffix) && !p->to_stdout)
        return suffixed(c, p, path);
    else
        to = tc_arena_printf(c->arena, "%s%s", path, p->suffix).p;
    if (!to && !reads)
        return p->recurse ? 0 : pass_over(c, p, path, ": unknown suffix -- ignored");
    if (!reads)
        return replace(c, p, path, to, &stat);
    if ((error = tc_cmd_open(c, path, &in)) != 0)
        return tc_cmd_fail_errno(c, path, error);
    if (!p->no_name)
        file.at = stat.st_mtim;
    error = convert(c, p, in, c->out, &file, p->list && to ? to : path);
    tc_cmd_close(c, in);
    return error;
}

bool tc_packer_option(struct tc_packer *p, int option)
{
    switch (option) {
    case 'c':
        return p->to_stdout = true;
    case 'd':
        return p->unpack = true;
    case 'f':
        return p->force = true;
    case 'k':
        return p->keep = true;
    case 'q':
        return p->quiet = true;
    case 't':
        return p->test = p->unpack = true;
    case 'v':
        return p->verbose = true;
    default:
        return false;
    }
}

int tc_packer_run(struct tc_cmd_call *c, struct tc_packer *p)
{
    struct tc_packer_file file = {.level = p->level};
    struct tc_cmd_in *in;
    int status = 0;

    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++) {
        int one = strcmp(c->argv[i], "-") == 0 ? -1 : pack_path(c, p, c->argv[i]);
        if (one < 0)
            one = tc_cmd_open(c, NULL, &in) ? 1 : convert(c, p, in, c->out, &file, "stdin");
        status = one > status ? one : status;
    }
    if (c->at == c->argc)
        status = tc_cmd_open(c, NULL, &in) ? 1 : convert(c, p, in, c->out, &file, "stdin");
    if (p->listed > 1 && !p->quiet)
        show_row(c, &(struct tc_packer_sizes){p->packed, p->plain}, "(totals)");
    return status;
}
