#include "support/prison.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/shell_landlock.h"

/* What each attempt of tests/support/shell_escapes.c comes to: the errno, or the signal that ends the process.
 * "|" separates what different kernels say. */
static const struct attempt {
    const char *name, *outcome;
} attempts[] = {
    {"write-inside", "done"}, /* so that the rest is refused for what it is */

    {"open-host-file", "EACCES"},
    {"open-host-write", "EACCES"},
    {"list-host", "EACCES"},
    {"open-proc", "EACCES"},
    {"open-proc-fd", "EACCES"},
    {"open-dev", "EACCES"},
    {"open-parent", "EACCES"},
    {"open-parents-file", "EACCES"},
    {"openat2-unresolved", "EACCES"},
    {"openat2-beneath", "EXDEV"},
    {"symlink-to-host", "EACCES"},
    {"symlink-to-folder", "EACCES"},
    {"symlink-to-parent", "EACCES"},
    {"rename-in", "EACCES|EXDEV"},
    {"rename-out", "EACCES|EXDEV"},
    {"link-in", "EACCES|EXDEV"},
    {"link-host", "EACCES|EXDEV|EPERM"},
    {"unlink-outside", "EACCES"},
    {"mkdir-outside", "EACCES"},
    {"device", "EPERM"},
    {"handle", "SIGSYS"},
    {"chdir", "EPERM"},
    {"chroot", "SIGSYS"},
    {"mount", "SIGSYS"},
    {"open-tree", "SIGSYS"},

    {"execve", "SIGSYS"},
    {"execveat", "SIGSYS"},
    {"memfd-exec", "EPERM"},
#ifdef __x86_64__
    {"fork", "EPERM"},
    {"vfork", "EPERM"},
#endif
    {"clone", "EPERM"},
    {"clone-thread", "EPERM"},
    {"clone3", "ENOSYS"},
    {"unshare", "SIGSYS"},
    {"setns", "SIGSYS"},
    {"ptrace", "SIGSYS"},
    {"kill-parent", "EPERM"},
    {"kill-all", "EPERM"},
    {"tgkill", "EPERM"},
    {"pidfd", "SIGSYS"},
    {"process-vm", "SIGSYS"},
    {"setuid", "EPERM"},
    {"setresuid", "EPERM"},
    {"fchown", "EPERM"},

    {"socket", "EPERM"},
    {"socket-unix", "EPERM"},
    {"socketpair", "EPERM"},
    {"io-uring", "SIGSYS"},
    {"bpf", "SIGSYS"},
    {"userfaultfd", "SIGSYS"},
    {"keyctl", "SIGSYS"},
    {"personality", "SIGSYS"},
    {"perf", "SIGSYS"},
    {"prctl-dumpable", "ENOSYS"},
    {"raise-limit", "EPERM"},
    {"map-code", "ENOSYS"},
    {"make-code", "ENOSYS"},
    {"type-on-terminal", "ENOSYS"},
    {"signal-owner", "ENOSYS"},
    {"unknown-call", "ENOSYS"},
};

static bool is_one_of(struct tc_str outcome, const char *outcomes)
{
    struct tc_str rest = tc_str_of(outcomes), one;

    while (tc_str_split(&rest, '|', &one))
        if (tc_str_eq(outcome, one))
            return true;
    return false;
}

static struct tc_str outcome_of(struct tc_cx *cx, const char *name, const struct tc_sandbox_result *result)
{
    struct tc_str text = tc_str_trim(result->out), prefix = tc_arena_printf(cx->arena, "%s: ", name);

    if (result->how == TC_SANDBOX_EXITED && tc_str_starts(text, prefix))
        return tc_str_from(text, prefix.n);
    return tc_str_find(result->end.message, TC_STR("SIGSYS")) != SIZE_MAX ? TC_STR("SIGSYS") : result->end.message;
}

static void try_all(struct tc_cx *cx, struct prison *prison, const struct attempt *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *script = tc_arena_printf(cx->arena, "try %s", all[i].name).p;
        struct tc_sandbox_result result;
        struct tc_str outcome;
        if (!expect_int(prison_run(cx, prison, script, &result), TC_OK))
            break;
        outcome = outcome_of(cx, all[i].name, &result);
        if (!is_one_of(outcome, all[i].outcome))
            print_message("%s: %.*s\n", all[i].name, TC_STR_ARG(outcome));
        expect(is_one_of(outcome, all[i].outcome));
    }
}

static void run_table(struct tc_cx *cx, void *arg)
{
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    try_all(cx, &prison, attempts, sizeof attempts / sizeof *attempts);
    prison_close(cx, &prison);
}

void test_escape__every_attempt_is_refused(void **state)
{
    (void)state;
    if (!shell_landlock_abi()) {
        print_message("not run: this kernel has no landlock\n");
        return;
    }
    test_task_run(run_table, NULL);
}

/* The same where a stage names roots, as those of a chat: what the view keeps from a script the kernel keeps
 * from its process. */
static const struct attempt of_roots[] = {
    {"roots-write", "done"},
    {"roots-read", "done"},
    {"roots-new", "EACCES"},
    {"roots-mkdir", "EACCES"},
    {"roots-forge", "EACCES"},
    {"roots-forge-new", "EACCES"},
    {"roots-truncate", "EACCES"},
    {"roots-unlink", "EACCES"},
    {"roots-exchange", "EACCES|EXDEV"},
    {"roots-replace", "EACCES|EXDEV"},
    {"roots-link", "EACCES|EXDEV"},
    {"roots-hidden", "EACCES"},
    {"roots-inside", "EACCES"},
    {"open-parents-file", "EACCES"},
};

static void run_roots(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_grant grants[] = {{TC_STR("/"), TC_SANDBOX_MOUNT | TC_SANDBOX_NAMES, -1},
                                        {TC_STR("/tool-results"), TC_SANDBOX_MOUNT, -1},
                                        {TC_STR("/output"), TC_SANDBOX_MOUNT | TC_SANDBOX_WRITE, -1}};
    static const char *const files[] = {"tool-results/result", ".toolcrib/plan.json"};
    struct prison prison;

    (void)arg;
    prison_open(cx, &prison);
    grants[0].fd = prison.root;
    mkdirat(prison.root, "output", 0700);
    mkdirat(prison.root, "tool-results", 0700);
    mkdirat(prison.root, ".toolcrib", 0700);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        close(openat(prison.root, files[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (size_t i = 1; i < sizeof grants / sizeof *grants; i++)
        grants[i].fd = openat(prison.root, grants[i].path.p + 1, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    prison.grants = grants;
    prison.grants_n = sizeof grants / sizeof *grants;
    try_all(cx, &prison, of_roots, sizeof of_roots / sizeof *of_roots);
    for (size_t i = 1; i < sizeof grants / sizeof *grants; i++)
        close(grants[i].fd);
    prison_close(cx, &prison);
}

void test_escape__roots_of_a_stage_are_the_kernels_as_well(void **state)
{
    (void)state;
    if (!shell_landlock_abi()) {
        print_message("not run: this kernel has no landlock\n");
        return;
    }
    test_task_run(run_roots, NULL);
}

static void run_who(struct tc_cx *cx, void *arg)
{
    struct tc_sandbox_result result;
    struct prison prison;
    char path[4096];

    (void)arg;
    prison_open(cx, &prison);
    if (geteuid() == 0) {
        snprintf(path, sizeof path, "%s/home", prison.dir);
        expect_int(chown(path, 65534, 65533), 0);
    }
    expect_int(prison_run(cx, &prison, "who\ntry write-inside\nlimits", &result), TC_OK);
    if (geteuid() == 0)
        expect_text(result.out, "uid 65534 gid 65533 groups 0 owner 65534 proc closed\nwrite-inside: done\n"
                                "core 0\nnproc 0\nfsize 268435456\ncpu 7\n");
    else
        expect(tc_str_find(result.out, TC_STR("write-inside: done\ncore 0\nnproc 0\n")) != SIZE_MAX);
    prison_close(cx, &prison);
}

void test_escape__a_child_of_root_is_the_workspaces_owner(void **state)
{
    (void)state;
    test_task_run(run_who, NULL);
}
