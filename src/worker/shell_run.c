/*
 * One call of the interpreter: its view, its limits and its streams from the request,
 * and the hashes of what it changed.
 */
#include "worker/shell_run.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shell/shell.h"

enum { HASHED_MAX = 64 << 20, BLOCK = 64 * 1024, LINE_MAX_BYTES = 1 << 20 };

struct running {
    const struct shell_job *job;
    int64_t hashed; /* bytes of files that were hashed already */
    char *line;     /* room for one of an interactive shell */
};

/* --- what it gets --- */

static struct tc_sh_limits limits_of(const struct shell_job *job)
{
    const struct tc_sandbox_request *request = job->request;
    struct tc_sh_limits limits = job->unlimited ? tc_sh_limits_none() : tc_sh_limits_default();

    if (request->wall_ms)
        limits.wall_ns = request->wall_ms * 1000000;
    limits.bytes = request->bytes_max;
    limits.files = request->files_max;
    return limits;
}

/* The mounts of the request, and /tmp; NULL without memory. */
static struct tc_sh_mount *mounts_of(struct tc_arena *arena, const struct shell_job *job, size_t *ret_n)
{
    const struct tc_sandbox_request *request = job->request;
    struct tc_sh_mount *mounts = TC_ARENA_NEW_N(arena, struct tc_sh_mount, request->grants_n + 1);
    size_t n = 0;

    for (size_t i = 0; mounts && i < request->grants_n; i++) {
        const struct tc_sandbox_grant *grant = &request->grants[i];
        if (grant->flags & TC_SANDBOX_MOUNT)
            mounts[n++] = (struct tc_sh_mount){grant->path.p, grant->fd, !(grant->flags & TC_SANDBOX_WRITE),
                                               (grant->flags & TC_SANDBOX_UNLISTED) != 0};
        else
            close(grant->fd);
    }
    if (mounts && job->tmp >= 0)
        mounts[n++] = (struct tc_sh_mount){"/tmp", job->tmp, false, true};
    *ret_n = n;
    return mounts;
}

static const char **paths_of(struct tc_arena *arena, const struct tc_str *paths, size_t n)
{
    const char **list = TC_ARENA_NEW_N(arena, const char *, n + 1);

    for (size_t i = 0; list && i < n; i++)
        list[i] = paths[i].p; /* each is followed by a NUL */
    return list;
}

static void open_streams(const struct shell_job *job, struct tc_sh_call *call)
{
    if (job->answer) {
        call->in = tc_sh_file_of_device(TC_SH_NULL);
        call->out = tc_sh_file_of_sink(shell_answer_write, &job->answer->out);
        call->err = tc_sh_file_of_sink(shell_answer_write, &job->answer->err);
    } else {
        call->in = tc_sh_file_of_fd(STDIN_FILENO, false);
        call->out = tc_sh_file_of_fd(STDOUT_FILENO, false);
        call->err = tc_sh_file_of_fd(STDERR_FILENO, false);
    }
}

/* --- lines of an interactive shell --- */

/* Asks who edits them. "L": a line; "I": Ctrl-C; all else is the end. */
static int next_line(void *arg, struct tc_str prompt, struct tc_buf *line)
{
    struct running *running = arg;
    struct tc_wire_in in = {.p = running->line, .size = LINE_MAX_BYTES + 1};
    char signals[512];

    if (tc_wire_send(running->job->lines, prompt.n ? prompt : tc_str_n("", 1), 0, NULL, 0) != 0 ||
        tc_wire_recv(running->job->lines, 0, &in) != 0 || in.n == 0)
        return 0;
    while (read(running->job->stop, signals, sizeof signals) > 0) /* a Ctrl-C was meant for the line */
        continue;
    if (in.p[0] == 'I')
        return -1;
    if (in.p[0] != 'L')
        return 0;
    tc_buf_add(line, in.p + 1, in.n - 1);
    tc_buf_char(line, '\n');
    return 1;
}

/* --- what it changed --- */

static bool hash_file(int fd, char ret_hex[TC_SANDBOX_SHA_SIZE])
{
    unsigned char block[BLOCK], hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    off_t at = 0;
    ssize_t n;

    crypto_hash_sha256_init(&state);
    while ((n = pread(fd, block, sizeof block, at)) > 0) {
        crypto_hash_sha256_update(&state, block, (unsigned long long)n);
        at += n;
    }
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(ret_hex, TC_SANDBOX_SHA_SIZE, hash, sizeof hash);
    return n == 0;
}

static void look_at(struct running *running, struct tc_sh_vfs *vfs, struct tc_sandbox_file *file)
{
    struct tc_sh_file *open = NULL;
    struct stat st;
    int error = tc_sh_vfs_stat(vfs, NULL, file->path.p, false, &st);

    file->state = error == ENOENT || error == ENOTDIR ? TC_SANDBOX_FILE_REMOVED : TC_SANDBOX_FILE_OTHER;
    if (error || !S_ISREG(st.st_mode) || st.st_size > HASHED_MAX - running->hashed ||
        tc_sh_vfs_open(vfs, NULL, file->path.p, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0, &open) != 0)
        return;
    running->hashed += st.st_size;
    if (hash_file(tc_sh_file_fd(open), file->sha256))
        file->state = TC_SANDBOX_FILE_HASHED;
    tc_sh_file_unref(open);
}

static void on_changed(void *arg, struct tc_sh_vfs *vfs, const char *path)
{
    struct running *running = arg;
    struct tc_sandbox_file file = {.path = tc_str_of(path)};

    look_at(running, vfs, &file);
    shell_answer_file(running->job->answer, &file);
}

/* --- the call --- */

static void fill_end(struct tc_arena *arena, const struct tc_sh_outcome *outcome, struct tc_sandbox_end *end)
{
    end->status = outcome->status & 0xff;
    end->limit = tc_str_of(outcome->limit ? tc_sh_limit_name(outcome->limit) : "");
    end->message = tc_arena_dup(arena, tc_str_of(outcome->message));
    end->work = outcome->work;
    end->wall_ns = outcome->wall_ns;
    end->cpu_ns = outcome->cpu_ns;
    end->peak_kib = outcome->peak_kib;
}

void shell_warm_up(void)
{
    struct tc_sh_outcome outcome;
    struct tc_sh_call call = {
        .limits = tc_sh_limits_default(),
        .cwd = "/",
        .script = TC_STR("f() { local x=${1%.*}; echo \"$x\"; }; for i in $(f a.b) *; do echo \"$i\" | cat; done"),
    };

    call.in = tc_sh_file_of_device(TC_SH_NULL);
    call.out = tc_sh_file_of_device(TC_SH_NULL);
    call.err = tc_sh_file_of_device(TC_SH_NULL);
    tc_sh_call_run(&call, &outcome, NULL, NULL);
}

struct tc_sh_start *shell_begin(void)
{
    struct tc_sh_limits limits = tc_sh_limits_default();

    return tc_sh_start_create(&limits, NULL);
}

void shell_run(struct tc_arena *arena, const struct shell_job *job, struct tc_sandbox_end *ret_end)
{
    const struct tc_sandbox_request *request = job->request;
    struct running running = {.job = job, .line = job->interactive ? tc_arena_alloc(arena, LINE_MAX_BYTES + 1) : NULL};
    struct tc_sh_outcome outcome;
    struct tc_sh_call call = {
        .start = job->start,
        .last = true,
        .limits = limits_of(job),
        .hidden = paths_of(arena, request->hidden, request->hidden_n),
        .hidden_n = request->hidden_n,
        .shown = paths_of(arena, request->shown, request->shown_n),
        .shown_n = request->shown_n,
        .cwd = request->cwd.p,
        .script = request->script,
        .name = job->name,
        .file = job->file,
        .args = job->args,
        .args_n = job->args_n,
        .cancel = &job->stop,
        .line = job->interactive ? next_line : NULL,
        .arg = &running,
        .bytes_used = request->bytes_used,
        .files_used = request->files_used,
    };

    call.mounts = mounts_of(arena, job, &call.mounts_n);
    open_streams(job, &call);
    if (!call.mounts || !call.hidden || !call.shown || (job->interactive && !running.line) || !call.in || !call.out ||
        !call.err) {
        *ret_end = (struct tc_sandbox_end){.failed = true, .message = TC_STR("There is no memory to begin with.")};
        return;
    }
    tc_sh_call_run(&call, &outcome, job->answer ? on_changed : NULL, &running);
    fill_end(arena, &outcome, ret_end);
}
