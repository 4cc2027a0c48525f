/*
 * One file of gzip or bzip2 between two streams that are open.
 */
#include "shell/cmds/packer.h"

enum { CHUNK = 64 * 1024 };

double tc_packer_saved(const struct tc_flow_info *info)
{
    int64_t packed = info->packed - info->frame;

    return info->plain ? 100.0 * (double)(info->plain - packed) / (double)info->plain : 0;
}

static void list_row(struct tc_cmd_call *c, struct tc_packer *p, const struct tc_packer_job *job,
                     const struct tc_flow_info *info)
{
    const char *name = job->to;
    struct tm tm = {0};
    char when[32];

    if (p->restore_name && info->name)
        name = tc_packer_base(info->name);
    if (p->listed++ == 0 && !p->quiet)
        tc_cmd_printf(c->out, "%s%19s %19s %6s %s\n", p->verbose ? "method  crc     date  time  " : "", "compressed",
                      "uncompressed", "ratio", "uncompressed_name");
    if (p->verbose) {
        gmtime_r(&job->stat.st_mtim.tv_sec, &tm);
        strftime(when, sizeof when, "%b %e %H:%M", &tm);
        tc_cmd_printf(c->out, "defla %08x %s ", info->crc, when);
    }
    tc_cmd_printf(c->out, "%19lld %19lld %5.1f%% %s\n", (long long)info->packed, (long long)info->plain,
                  tc_packer_saved(info), name);
    p->frame = info->frame;
    p->packed += info->packed;
    p->plain += info->plain;
}

static int pack_stream(struct tc_cmd_call *c, struct tc_packer *p, const struct tc_packer_job *job,
                       struct tc_cmd_in *in, struct tc_cmd_out *out)
{
    struct tc_flow_form form = {.kind = p->codec->kind, .level = p->level};
    struct tc_flow *flow;
    struct tc_str bytes;
    ssize_t got = 0;
    bool ok = true;

    if (job->path && !p->no_name) {
        form.name = tc_packer_base(job->path);
        form.mtime = job->stat.st_mtim.tv_sec;
    }
    flow = tc_flow_write_to(c, out, &form);
    while (flow && ok && (got = tc_cmd_peek(c, in, &bytes)) > 0) {
        ok = tc_flow_write(flow, bytes.p, bytes.n);
        tc_cmd_took(in, bytes.n);
    }
    if (!tc_flow_finish(flow) || !flow || !ok || tc_cmd_stopped(c))
        return 1;
    if (got < 0)
        return tc_packer_say_errno(c, p, job->shown, tc_cmd_in_error(in));
    if (p->verbose)
        p->codec->told_done(c, p, job, tc_flow_info(flow));
    return 0;
}

/* A NULL `out` only looks at it. */
static int unpack_stream(struct tc_cmd_call *c, struct tc_packer *p, struct tc_packer_job *job, struct tc_cmd_in *in,
                         struct tc_cmd_out *out, const struct tc_flow_info **ret_info)
{
    struct tc_flow *flow = tc_flow_read_from(c, in);
    char *chunk = tc_arena_alloc(c->arena, CHUNK);
    enum tc_flow_fault fault;
    enum tc_flow_kind kind;
    struct tc_str bytes;
    ssize_t got;

    if (!flow || !chunk)
        return tc_cmd_fail_memory(c);
    kind = tc_flow_see(flow);
    if (kind != p->codec->kind && tc_cmd_peek(c, in, &bytes) == 0)
        return p->codec->told_fault(c, p, job, TC_FLOW_CUT);
    if (kind != p->codec->kind && !(p->force && p->to_stdout))
        return tc_cmd_in_error(in) ? tc_packer_say_errno(c, p, job->shown, tc_cmd_in_error(in))
                                   : p->codec->told_fault(c, p, job, TC_FLOW_FINE);
    while (!(out && tc_cmd_out_error(out)) && (got = tc_flow_read(flow, chunk, CHUNK)) > 0)
        if (out)
            tc_cmd_write(out, chunk, (size_t)got);
    fault = tc_flow_fault(flow);
    tc_flow_finish(flow);
    *ret_info = tc_flow_info(flow);
    if (fault == TC_FLOW_STOPPED || tc_cmd_stopped(c))
        return 1;
    if (fault == TC_FLOW_UNREADABLE)
        return tc_packer_say_errno(c, p, job->shown, tc_cmd_in_error(in));
    return fault ? p->codec->told_fault(c, p, job, fault) : 0;
}

int tc_packer_convert(struct tc_cmd_call *c, struct tc_packer *p, struct tc_packer_job *job, struct tc_cmd_in *in,
                   struct tc_cmd_out *out)
{
    struct tc_arena_mark mark = tc_arena_mark(c->arena);
    const struct tc_flow_info *info = NULL;
    int status;

    if (!p->unpack) {
        status = pack_stream(c, p, job, in, out);
        tc_arena_rewind(c->arena, &mark);
        return status;
    }
    status = unpack_stream(c, p, job, in, p->test || p->list ? NULL : out, &info);
    if (status)
        return status;
    if (p->list)
        list_row(c, p, job, info);
    else if (p->verbose)
        p->codec->told_done(c, p, job, info);
    job->whole = true;
    return info->trailing ? p->codec->told_trailing(c, p, job) : 0;
}
