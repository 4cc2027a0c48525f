/*
 * Pipes between processes of the shell: a ring of 64 KiB that readers and writers
 * wait at. A write of up to 4 KiB goes in as one piece.
 */
#include <errno.h>

#include "base/mem.h"
#include "shell/file_impl.h"

bool tc_sh_file_pipe(struct tc_sh_file **ret_read, struct tc_sh_file **ret_write)
{
    struct tc_sh_pipe *pipe = tc_mem_zalloc(1, sizeof *pipe);
    struct tc_sh_file *in = tc_sh_file_create(TC_SH_READ_END), *out = tc_sh_file_create(TC_SH_WRITE_END);

    if (!pipe || !in || !out) {
        tc_mem_free(pipe);
        tc_mem_free(in);
        tc_mem_free(out);
        return false;
    }
    pipe->read_open = pipe->write_open = true;
    in->pipe = out->pipe = pipe;
    *ret_read = in;
    *ret_write = out;
    return true;
}

void tc_sh_pipe_close(struct tc_sh_pipe *pipe, bool read_end)
{
    if (read_end)
        pipe->read_open = false;
    else
        pipe->write_open = false;
    tc_sh_sched_wake(read_end ? &pipe->writers : &pipe->readers);
    if (pipe->read_open || pipe->write_open)
        return;
    tc_mem_free(pipe->ring);
    tc_mem_free(pipe);
}

int tc_sh_pipe_lend(struct tc_sh_sched *sched, struct tc_sh_pipe *pipe, int64_t until, struct tc_str *ret_bytes)
{
    while (pipe->n == 0) {
        if (!pipe->write_open)
            return 0;
        if (until && tc_sh_sched_now(sched) >= until)
            return -ETIMEDOUT;
        if (!tc_sh_sched_wait(sched, &pipe->readers, until))
            return -EINTR;
    }
    *ret_bytes = tc_str_n(pipe->ring + pipe->at,
                          pipe->n < TC_SH_PIPE_SIZE - pipe->at ? pipe->n : TC_SH_PIPE_SIZE - pipe->at);
    return 1;
}

void tc_sh_pipe_consume(struct tc_sh_pipe *pipe, size_t n)
{
    pipe->n -= n;
    pipe->at = pipe->n ? (pipe->at + n) % TC_SH_PIPE_SIZE : 0;
    tc_sh_sched_wake(&pipe->writers);
}

static void put(struct tc_sh_pipe *pipe, const char *p, size_t n)
{
    size_t end = (pipe->at + pipe->n) % TC_SH_PIPE_SIZE;
    size_t first = n < TC_SH_PIPE_SIZE - end ? n : TC_SH_PIPE_SIZE - end;

    memcpy(pipe->ring + end, p, first);
    memcpy(pipe->ring, p + first, n - first);
    pipe->n += n;
}

ssize_t tc_sh_pipe_write(struct tc_sh_sched *sched, struct tc_sh_pipe *pipe, const char *p, size_t n)
{
    size_t done = 0;

    if (!pipe->ring && pipe->read_open && !(pipe->ring = tc_mem_alloc(TC_SH_PIPE_SIZE))) {
        tc_sh_budget_spend(tc_sh_sched_budget(sched), TC_SH_LIMIT_MEMORY);
        return -ENOMEM;
    }
    while (done < n) {
        size_t left = n - done, room = TC_SH_PIPE_SIZE - pipe->n;

        if (!pipe->read_open)
            return -EPIPE;
        if (room >= left || (room && n > TC_SH_PIPE_ATOMIC)) {
            size_t part = left < room ? left : room;
            put(pipe, p + done, part);
            done += part;
            tc_sh_sched_wake(&pipe->readers);
        } else if (!tc_sh_sched_wait(sched, &pipe->writers, 0)) {
            return -EINTR;
        }
    }
    return (ssize_t)n;
}
