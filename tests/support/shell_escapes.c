/*
 * Nothing here goes through a library that might refuse by itself.
 */
#include "support/shell_escapes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int result(long rc)
{
    return rc < 0 ? errno : 0;
}

static int open_at(int dir, const char *path, int flags)
{
    long fd = syscall(SYS_openat, dir, path, flags | O_CLOEXEC, 0600);
    char byte;

    if (fd < 0)
        return errno;
    if ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_DIRECTORY | O_PATH)) && read((int)fd, &byte, 1) < 0)
        return errno;
    return 0;
}

static int open_resolved(int dir, const char *path, uint64_t resolve)
{
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = resolve};

    return result(syscall(SYS_openat2, dir, path, &how, sizeof how));
}

/* A link of the workspace that leads out, and then the way through it. */
static int through_link(int root, const char *target, const char *rest, int flags)
{
    char path[64];

    unlinkat(root, "way-out", 0);
    if (symlinkat(target, root, "way-out") != 0)
        return -2;
    snprintf(path, sizeof path, "way-out%s", rest);
    return open_at(root, path, flags);
}

static int files(const char *name, int root, int tmp)
{
    if (!strcmp(name, "open-host-file"))
        return open_at(AT_FDCWD, "/etc/passwd", O_RDONLY);
    if (!strcmp(name, "open-host-write"))
        return open_at(AT_FDCWD, "/tmp/toolcrib-escape", O_WRONLY | O_CREAT);
    if (!strcmp(name, "list-host"))
        return open_at(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
    if (!strcmp(name, "open-proc"))
        return open_at(AT_FDCWD, "/proc/self/maps", O_RDONLY);
    if (!strcmp(name, "open-proc-fd"))
        return open_at(AT_FDCWD, "/proc/self/fd/0", O_RDONLY);
    if (!strcmp(name, "open-dev"))
        return open_at(AT_FDCWD, "/dev/null", O_RDWR);
    if (!strcmp(name, "open-parent"))
        return open_at(root, "..", O_RDONLY | O_DIRECTORY);
    if (!strcmp(name, "open-parents-file"))
        return open_at(root, "../../../../../../../../etc/passwd", O_RDONLY);
    if (!strcmp(name, "openat2-unresolved"))
        return open_resolved(root, "../../../../../../../../etc/passwd", 0);
    if (!strcmp(name, "openat2-beneath"))
        return open_resolved(root, "../outside", RESOLVE_BENEATH);
    if (!strcmp(name, "symlink-to-host"))
        return through_link(root, "/etc/passwd", "", O_RDONLY);
    if (!strcmp(name, "symlink-to-folder"))
        return through_link(root, "/etc", "/passwd", O_RDONLY);
    if (!strcmp(name, "symlink-to-parent"))
        return through_link(root, "..", "/outside", O_RDONLY);
    if (!strcmp(name, "rename-in"))
        return result(syscall(SYS_renameat2, root, "../outside", root, "stolen", 0));
    if (!strcmp(name, "rename-out"))
        return result(syscall(SYS_renameat2, root, "inside", root, "../lost", 0));
    if (!strcmp(name, "rename-across"))
        return result(syscall(SYS_renameat2, root, "inside", tmp, "moved", 0));
    if (!strcmp(name, "link-in"))
        return result(syscall(SYS_linkat, root, "../outside", root, "linked", 0));
    if (!strcmp(name, "link-host"))
        return result(syscall(SYS_linkat, AT_FDCWD, "/etc/passwd", root, "linked", 0));
    if (!strcmp(name, "unlink-outside"))
        return result(syscall(SYS_unlinkat, root, "../outside", 0));
    if (!strcmp(name, "mkdir-outside"))
        return result(syscall(SYS_mkdirat, root, "../made", 0700));
    if (!strcmp(name, "fchown"))
        return result(syscall(SYS_fchown, tmp, 4711, 4711));
    if (!strcmp(name, "chmod-outside"))
        return result(syscall(SYS_fchmodat, root, "../outside", 0777));
    if (!strcmp(name, "device"))
        return result(syscall(SYS_mknodat, root, "dev", 0020666, 0x103));
    if (!strcmp(name, "handle"))
        return result(syscall(SYS_open_by_handle_at, root, NULL, O_RDONLY));
    if (!strcmp(name, "chdir"))
        return result(syscall(SYS_chdir, "/"));
    if (!strcmp(name, "chroot"))
        return result(syscall(SYS_chroot, "/"));
    if (!strcmp(name, "mount"))
        return result(syscall(SYS_mount, "none", "/", "tmpfs", 0, NULL));
    if (!strcmp(name, "open-tree"))
        return result(syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    if (!strcmp(name, "write-inside")) /* what must work */
        return open_at(root, "written", O_WRONLY | O_CREAT);
    return -1;
}

/* Of a workspace of which output/ can be written and tool-results/ be read, and no more. */
static int roots(const char *name, int root)
{
    if (!strcmp(name, "roots-write")) /* what must work */
        return open_at(root, "output/written", O_WRONLY | O_CREAT);
    if (!strcmp(name, "roots-read"))
        return open_at(root, "tool-results/result", O_RDONLY);
    if (!strcmp(name, "roots-new"))
        return open_at(root, "new", O_WRONLY | O_CREAT);
    if (!strcmp(name, "roots-mkdir"))
        return result(syscall(SYS_mkdirat, root, "skills", 0700));
    if (!strcmp(name, "roots-forge"))
        return open_at(root, "tool-results/result", O_WRONLY);
    if (!strcmp(name, "roots-forge-new"))
        return open_at(root, "tool-results/new", O_WRONLY | O_CREAT);
    if (!strcmp(name, "roots-truncate"))
        return open_at(root, "tool-results/result", O_RDONLY | O_TRUNC);
    if (!strcmp(name, "roots-unlink"))
        return result(syscall(SYS_unlinkat, root, "tool-results/result", 0));
    if (!strcmp(name, "roots-exchange"))
        return result(syscall(SYS_renameat2, root, "tool-results", root, "output/taken", 0));
    if (!strcmp(name, "roots-replace"))
        return result(syscall(SYS_renameat2, root, "output/written", root, "tool-results/result", 0));
    if (!strcmp(name, "roots-link"))
        return result(syscall(SYS_linkat, root, "tool-results/result", root, "output/result", 0));
    if (!strcmp(name, "roots-hidden"))
        return open_at(root, ".toolcrib/plan.json", O_RDONLY);
    if (!strcmp(name, "roots-inside"))
        return open_at(root, "inside", O_RDONLY);
    return -1;
}

static int run_memory(void)
{
    int fd = (int)syscall(SYS_memfd_create, "code", 0);

    if (fd < 0)
        return errno;
    return result(syscall(SYS_execveat, fd, "", NULL, NULL, AT_EMPTY_PATH));
}

static int processes(const char *name, int root)
{
    static char *const argv[] = {"/bin/true", NULL};

    if (!strcmp(name, "execve"))
        return result(syscall(SYS_execve, "/bin/true", argv, NULL));
    if (!strcmp(name, "execveat"))
        return result(syscall(SYS_execveat, root, "inside", argv, NULL, 0));
    if (!strcmp(name, "memfd-exec"))
        return run_memory();
#ifdef SYS_fork
    if (!strcmp(name, "fork"))
        return result(syscall(SYS_fork));
    if (!strcmp(name, "vfork"))
        return result(syscall(SYS_vfork));
#endif
    if (!strcmp(name, "clone"))
        return result(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
    if (!strcmp(name, "clone-thread"))
        return result(syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, NULL, NULL, NULL, NULL));
    if (!strcmp(name, "clone3")) {
        uint64_t args[8] = {0, 0, 0, 0, SIGCHLD};
        return result(syscall(SYS_clone3, args, sizeof args));
    }
    if (!strcmp(name, "unshare"))
        return result(syscall(SYS_unshare, CLONE_NEWUSER));
    if (!strcmp(name, "setns"))
        return result(syscall(SYS_setns, 0, 0));
    if (!strcmp(name, "ptrace"))
        return result(syscall(SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL));
    if (!strcmp(name, "kill-parent"))
        return result(syscall(SYS_kill, getppid(), 0));
    if (!strcmp(name, "kill-all"))
        return result(syscall(SYS_kill, -1, 0));
    if (!strcmp(name, "tgkill"))
        return result(syscall(SYS_tgkill, getppid(), getppid(), 0));
    if (!strcmp(name, "pidfd"))
        return result(syscall(SYS_pidfd_open, getppid(), 0));
    if (!strcmp(name, "process-vm"))
        return result(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
    if (!strcmp(name, "setresuid"))
        return result(syscall(SYS_setresuid, 4711, 4711, 4711));
    if (!strcmp(name, "setuid"))
        return result(syscall(SYS_setuid, 0)) || getuid() == 0 ? EPERM : 0;
    return -1;
}

static int kernel(const char *name)
{
    if (!strcmp(name, "socket"))
        return result(syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
    if (!strcmp(name, "socket-unix"))
        return result(syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
    if (!strcmp(name, "socketpair"))
        return result(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
    if (!strcmp(name, "io-uring")) {
        char params[120] = {0};
        return result(syscall(SYS_io_uring_setup, 1, params));
    }
    if (!strcmp(name, "bpf"))
        return result(syscall(SYS_bpf, 0, NULL, 0));
    if (!strcmp(name, "userfaultfd"))
        return result(syscall(SYS_userfaultfd, 0));
    if (!strcmp(name, "keyctl"))
        return result(syscall(SYS_keyctl, 0, 0, 0, 0, 0));
    if (!strcmp(name, "personality"))
        return result(syscall(SYS_personality, 0x0040000));
    if (!strcmp(name, "perf"))
        return result(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    if (!strcmp(name, "prctl-dumpable"))
        return result(syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0));
    if (!strcmp(name, "raise-limit")) {
        struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
        return result(syscall(SYS_prlimit64, 0, RLIMIT_NPROC, &more, NULL));
    }
    if (!strcmp(name, "map-code"))
        return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                   ? errno : 0;
    if (!strcmp(name, "make-code")) {
        void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
    }
    if (!strcmp(name, "type-on-terminal"))
        return result(syscall(SYS_ioctl, 0, TIOCSTI, "x"));
    if (!strcmp(name, "signal-owner"))
        return result(syscall(SYS_fcntl, 0, F_SETOWN, getppid()));
    if (!strcmp(name, "unknown-call"))
        return result(syscall(999));
    return -1;
}

int shell_escapes_try(const char *name, int root, int tmp)
{
    int rc = files(name, root, tmp);

    if (rc == -1)
        rc = roots(name, root);
    if (rc == -1)
        rc = processes(name, root);
    return rc == -1 ? kernel(name) : rc;
}
