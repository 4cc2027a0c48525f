/*
 * Operands of gzip and bzip2: each file becomes one with or without the suffix, and
 * goes when the other is whole.
 */
#include "shell/cmds/packer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static int pack_path(struct tc_cmd_call *c, struct tc_packer *p, const char *path);

const char *tc_packer_name(const struct tc_cmd_call *c, const struct tc_packer *p)
{
    return p->codec->kind == TC_FLOW_GZIP ? p->codec->name : tc_cmd_called(c);
}

void tc_packer_say(struct tc_cmd_call *c, const struct tc_packer *p, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    va_start(ap, fmt);
    text = tc_arena_vprintf(c->arena, fmt, ap);
    va_end(ap);
    if (text.p)
        tc_cmd_printf(c->err, "%s: %.*s\n", tc_packer_name(c, p), TC_STR_ARG(text));
}

int tc_packer_say_errno(struct tc_cmd_call *c, const struct tc_packer *p, const char *path, int error)
{
    bool gzip = p->codec->kind == TC_FLOW_GZIP;

    if (error != EINTR || !tc_cmd_stopped(c))
        tc_packer_say(c, p, gzip ? "%s: %s" : p->test ? "Can't open input %s: %s." : "Can't open input file %s: %s.",
                      path, strerror(error));
    return 1;
}

static int pass_over(struct tc_cmd_call *c, const struct tc_packer *p, const char *path,
                     const struct tc_packer_words *words)
{
    if (!p->quiet || p->codec->bad_status == 1)
        tc_packer_say(c, p, "%s%s%s", words->before, path, words->after);
    return p->codec->bad_status;
}

/* --- names --- */

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

/* The suffix that says that it is compressed already; NULL: none. */
static const char *packed_suffix(const struct tc_packer *p, const char *path)
{
    if (ends_with(path, p->suffix))
        return p->suffix;
    for (const char *const *pair = p->codec->pairs; *pair; pair += 2)
        if (ends_with(path, pair[0]))
            return pair[0];
    return NULL;
}

const char *tc_packer_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* --- files --- */

/* What -N makes of the output: the name and time that stand in the stream. */
static void restore(struct tc_cmd_call *c, struct tc_packer_job *job, struct timespec *mtime)
{
    const struct tc_flow_info *info;
    struct tc_cmd_in *in;
    struct tc_flow *flow;
    char byte;

    if (tc_cmd_open(c, job->path, &in))
        return;
    flow = tc_flow_read_from(c, in);
    if (flow && tc_flow_read(flow, &byte, 1) >= 0) {
        const char *name = tc_packer_base(job->path);

        info = tc_flow_info(flow);
        if (info->name && *tc_packer_base(info->name))
            job->to = tc_arena_printf(c->arena, "%.*s%s", (int)(name - job->path), job->path,
                                      tc_packer_base(info->name))
                          .p;
        if (info->mtime)
            *mtime = (struct timespec){.tv_sec = (time_t)info->mtime};
    }
    tc_flow_finish(flow);
    tc_cmd_close(c, in);
}

/* The output file, with what was known of the input; the input goes. */
static int replace(struct tc_cmd_call *c, struct tc_packer *p, struct tc_packer_job *job)
{
    struct timespec times[2] = {job->stat.st_atim, job->stat.st_mtim};
    struct tc_cmd_in *in;
    struct tc_cmd_out *out;
    struct stat there;
    int error, status;

    if (p->unpack && p->restore_name)
        restore(c, job, &times[1]);
    if (tc_cmd_lstat(c, job->to, &there) == 0) {
        if (!p->force) {
            tc_packer_say(c, p, "%s%s%s", p->codec->exists.before, job->to, p->codec->exists.after);
            return p->codec->bad_status;
        }
        tc_cmd_unlink(c, job->to);
    }
    if ((error = tc_cmd_open(c, job->path, &in)) != 0)
        return tc_packer_say_errno(c, p, job->path, error);
    if ((error = tc_cmd_create(c, job->to, O_WRONLY | O_CREAT | O_EXCL, job->stat.st_mode & 0777, &out)) != 0)
        return tc_packer_say_errno(c, p, job->to, error);
    status = tc_packer_convert(c, p, job, in, out);
    tc_cmd_close(c, in);
    error = tc_cmd_out_close(c, out);
    if (error) {
        status = tc_packer_say_errno(c, p, job->to, error);
        job->whole = false;
    }
    if (status && !job->whole) {
        tc_cmd_unlink(c, job->to);
        return status;
    }
    tc_cmd_chmod(c, job->to, job->stat.st_mode & 07777);
    tc_cmd_utimes(c, job->to, times, true);
    if (!p->keep && (error = tc_cmd_unlink(c, job->path)) != 0)
        return tc_packer_say_errno(c, p, job->path, error);
    return status;
}

static int pack_directory(struct tc_cmd_call *c, struct tc_packer *p, const char *path)
{
    char **names;
    size_t n;
    int error = tc_cmd_names(c, path, &names, &n), status = 0;

    if (error)
        return tc_packer_say_errno(c, p, path, error);
    for (size_t i = 0; i < n && tc_cmd_tick(c, 1); i++) {
        const char *below = tc_arena_printf(c->arena, "%s/%s", path, names[i]).p;
        int one = below ? pack_path(c, p, below) : tc_cmd_fail_memory(c);
        status = one > status ? one : status;
    }
    return status;
}

/* The path that an operand means: "gunzip a" finds a.gz. 0 or an errno. */
static int find(struct tc_cmd_call *c, const struct tc_packer *p, struct tc_packer_job *job)
{
    bool follow = p->force || p->to_stdout || p->test || p->list;
    int error = follow ? tc_cmd_stat(c, job->path, &job->stat) : tc_cmd_lstat(c, job->path, &job->stat);
    const char *longer;

    if (error != ENOENT || !p->unpack || p->codec->guess || ends_with(job->path, p->suffix))
        return error;
    longer = tc_arena_printf(c->arena, "%s%s", job->path, p->suffix).p;
    if (!longer)
        return ENOMEM;
    job->path = job->shown = longer;
    return follow ? tc_cmd_stat(c, longer, &job->stat) : tc_cmd_lstat(c, longer, &job->stat);
}

/* What the file becomes; -1, or the status of why it is passed over. */
static int name_output(struct tc_cmd_call *c, struct tc_packer *p, struct tc_packer_job *job)
{
    const struct tc_packer_codec *codec = p->codec;
    const char *suffix = p->unpack ? NULL : packed_suffix(p, job->path);

    if (p->to_stdout && !p->list)
        return -1;
    job->to = p->unpack ? plain_name(c, p, job->path) : tc_arena_printf(c->arena, "%s%s", job->path, p->suffix).p;
    if (p->test || p->list) {
        job->to = job->to ? job->to : job->path;
        return -1;
    }
    if (suffix && codec->guess) {
        tc_packer_say(c, p, "%s%s already has %s suffix.", codec->suffixed.before, job->path, suffix);
        return 1;
    }
    if (suffix) { /* no fault for gzip */
        if (p->verbose || (!p->recurse && !p->quiet))
            tc_packer_say(c, p, "%s already has %s suffix -- unchanged", job->path, suffix);
        return 0;
    }
    if (!job->to && codec->guess) {
        job->to = tc_arena_printf(c->arena, "%s%s", job->path, codec->guess).p;
        if (!p->quiet)
            tc_packer_say(c, p, "Can't guess original name for %s -- using %s", job->path, job->to);
    }
    if (!job->to)
        return p->recurse || p->quiet ? 0 : pass_over(c, p, job->path, &codec->unsuffixed);
    return -1;
}

static int pack_path(struct tc_cmd_call *c, struct tc_packer *p, const char *path)
{
    struct tc_packer_job job = {.path = path, .shown = path};
    const struct tc_packer_codec *codec = p->codec;
    bool reads = p->to_stdout || p->test || p->list;
    struct tc_cmd_in *in;
    int error = find(c, p, &job), status;

    if (error)
        return tc_packer_say_errno(c, p, job.path, error);
    if (S_ISDIR(job.stat.st_mode))
        return p->recurse ? pack_directory(c, p, path) : pass_over(c, p, path, &codec->folder);
    if (S_ISLNK(job.stat.st_mode))
        return codec->special.after ? pass_over(c, p, path, &codec->special) : tc_packer_say_errno(c, p, path, ELOOP);
    status = name_output(c, p, &job);
    if (status >= 0)
        return status;
    if (!reads && job.stat.st_nlink > 1 && !p->force)
        return pass_over(c, p, path, &codec->linked);
    if (!reads)
        return replace(c, p, &job);
    if ((error = tc_cmd_open(c, job.path, &in)) != 0)
        return tc_packer_say_errno(c, p, job.path, error);
    status = tc_packer_convert(c, p, &job, in, c->out);
    tc_cmd_close(c, in);
    return status;
}

static int pack_standard(struct tc_cmd_call *c, struct tc_packer *p)
{
    struct tc_packer_job job = {.shown = p->codec->input, .to = "stdout"};
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, NULL, &in);

    return error ? tc_packer_say_errno(c, p, job.shown, error) : tc_packer_convert(c, p, &job, in, c->out);
}

/* --- the whole --- */

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
    int status = 0;

    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++) {
        int one = strcmp(c->argv[i], "-") == 0 ? pack_standard(c, p) : pack_path(c, p, c->argv[i]);
        status = one == 1 || (one > status && status != 1) ? one : status;
    }
    if (c->at == c->argc)
        status = pack_standard(c, p);
    if (p->listed > 1 && !p->quiet) {
        struct tc_flow_info all = {.packed = p->packed, .plain = p->plain, .frame = p->frame};

        tc_cmd_printf(c->out, "%*s%19lld %19lld %5.1f%% (totals)\n", p->verbose ? 28 : 0, "", (long long)all.packed,
                      (long long)all.plain, tc_packer_saved(&all));
    }
    return status;
}
