/*
 * libseccomp writes the filter once; children hand the finished program to the kernel,
 * which takes microseconds.
 */
#include "worker/shell_seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

enum { FILTER_MAX = 64 * 1024, FCHMODAT2 = 452 /* younger than the headers; the same everywhere */ };

#define CALL(name) SCMP_SYS(name)

static const int allowed[] = {
    /* bytes, through descriptors that are there */
    CALL(read), CALL(write), CALL(readv), CALL(writev), CALL(pread64), CALL(pwrite64), CALL(preadv), CALL(pwritev),
    CALL(lseek), CALL(close), CALL(close_range), CALL(dup), CALL(dup3), CALL(copy_file_range), CALL(sendfile),
    CALL(sendto), CALL(sendmsg), CALL(recvfrom), CALL(recvmsg), CALL(ppoll), CALL(pselect6),
    /* files below the folders that landlock knows */
    CALL(openat), CALL(openat2), CALL(fstat), CALL(newfstatat), CALL(statx), CALL(fstatfs), CALL(getdents64),
    CALL(faccessat), CALL(faccessat2), CALL(readlinkat), CALL(mkdirat), CALL(unlinkat), CALL(renameat),
    CALL(renameat2), CALL(linkat), CALL(symlinkat), CALL(fchmod), CALL(fchmodat), FCHMODAT2, CALL(utimensat),
    CALL(ftruncate), CALL(fallocate), CALL(fsync), CALL(fdatasync), CALL(fadvise64),
    /* memory; nothing of it can be run, see below */
    CALL(brk), CALL(munmap), CALL(mremap), CALL(madvise),
    /* time and waiting */
    CALL(clock_gettime), CALL(clock_getres), CALL(clock_nanosleep), CALL(nanosleep), CALL(gettimeofday),
    CALL(times), CALL(getrusage), CALL(sched_yield), CALL(futex), CALL(restart_syscall),
    /* what it is itself */
    CALL(getpid), CALL(getppid), CALL(gettid), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid),
    CALL(getgroups), CALL(umask), CALL(getcwd), CALL(uname), CALL(sysinfo), CALL(getrandom), CALL(sched_getaffinity),
    CALL(rt_sigaction), CALL(rt_sigprocmask), CALL(rt_sigreturn), CALL(sigaltstack), CALL(exit), CALL(exit_group),
    /* the rest of the confinement: without capabilities they can only take away */
    CALL(setresuid), CALL(setresgid), CALL(setgroups), CALL(capset), CALL(fchown), CALL(setitimer),
    CALL(landlock_create_ruleset), CALL(landlock_add_rule), CALL(landlock_restrict_self),
#ifdef __x86_64__
    CALL(dup2), CALL(poll), CALL(select), CALL(time),
#endif
};

/* Refused in a way that a library understands. */
static const int refused[] = {
    CALL(clone), CALL(socket), CALL(socketpair), CALL(connect), CALL(bind), CALL(listen), CALL(accept),
    CALL(accept4), CALL(kill), CALL(tkill), CALL(tgkill), CALL(rt_sigqueueinfo), CALL(rt_tgsigqueueinfo),
    CALL(setuid), CALL(setgid), CALL(setreuid), CALL(setregid), CALL(setfsuid), CALL(setfsgid), CALL(setrlimit),
    CALL(setpriority), CALL(sched_setaffinity), CALL(setpgid), CALL(setsid), CALL(chdir),
    CALL(fchdir), CALL(mknodat), CALL(fchownat), CALL(fsetxattr), CALL(setxattr), CALL(lsetxattr),
    CALL(memfd_create), CALL(inotify_init1), CALL(fanotify_init), CALL(timer_create),
    CALL(mlock), CALL(mlockall), CALL(syslog), CALL(wait4), CALL(waitid),
#ifdef __x86_64__
    CALL(fork), CALL(vfork), CALL(open), CALL(creat), CALL(stat), CALL(lstat), CALL(access), CALL(readlink),
    CALL(rename), CALL(link), CALL(symlink), CALL(unlink), CALL(mkdir), CALL(rmdir), CALL(chmod), CALL(chown),
    CALL(lchown), CALL(mknod), CALL(truncate), CALL(getdents), CALL(alarm),
#endif
};

/* No library of the shell's has an honest use for these. */
static const int deadly[] = {
    CALL(execve), CALL(execveat), CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(kcmp),
    CALL(bpf), CALL(perf_event_open), CALL(userfaultfd), CALL(io_uring_setup), CALL(io_uring_enter),
    CALL(io_uring_register), CALL(io_setup), CALL(keyctl), CALL(add_key), CALL(request_key), CALL(mount),
    CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(unshare), CALL(setns), CALL(open_tree), CALL(move_mount),
    CALL(fsopen), CALL(fsmount), CALL(fspick), CALL(mount_setattr), CALL(name_to_handle_at),
    CALL(open_by_handle_at), CALL(pidfd_open), CALL(pidfd_getfd), CALL(pidfd_send_signal), CALL(personality),
    CALL(init_module), CALL(finit_module), CALL(delete_module), CALL(kexec_load), CALL(reboot), CALL(swapon),
    CALL(swapoff), CALL(quotactl), CALL(acct), CALL(settimeofday), CALL(clock_settime), CALL(adjtimex),
    CALL(sethostname), CALL(setdomainname), CALL(vhangup), CALL(seccomp),
#ifdef __x86_64__
    CALL(iopl), CALL(ioperm), CALL(modify_ldt),
#endif
};

static bool add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (calls[i] < 0 || seccomp_rule_add(filter, action, calls[i], 0) != 0)
            return false;
    return true;
}

static bool add_one_of(scmp_filter_ctx filter, int call, unsigned argument, const unsigned long *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct scmp_arg_cmp same = {.arg = argument, .op = SCMP_CMP_EQ, .datum_a = values[i]};
        if (seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &same) != 0)
            return false;
    }
    return true;
}

static bool add_prctl(scmp_filter_ctx filter, unsigned long option, unsigned long value)
{
    struct scmp_arg_cmp same[] = {{.arg = 0, .op = SCMP_CMP_EQ, .datum_a = option},
                                  {.arg = 1, .op = SCMP_CMP_EQ, .datum_a = value}};

    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, CALL(prctl), 2, same) == 0;
}

/* Calls of which only some forms are harmless. F_SETOWN would send signals, TIOCSTI
 * would type on the terminal of `toolcrib shell`. */
static bool add_forms(scmp_filter_ctx filter)
{
    static const unsigned long fcntls[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
    static const unsigned long ioctls[] = {TCGETS, TIOCGWINSZ, FIONREAD};
    struct scmp_arg_cmp no_code = {
        .arg = 2, .op = SCMP_CMP_MASKED_EQ, .datum_a = PROT_EXEC, .datum_b = 0};
    struct scmp_arg_cmp self = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = 0};

    return add_one_of(filter, CALL(fcntl), 1, fcntls, sizeof fcntls / sizeof *fcntls) &&
           add_one_of(filter, CALL(ioctl), 1, ioctls, sizeof ioctls / sizeof *ioctls) &&
           seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, CALL(mmap), 1, &no_code) == 0 &&
           seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, CALL(mprotect), 1, &no_code) == 0 &&
           seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, CALL(prlimit64), 1, &self) == 0 &&
           add_prctl(filter, PR_SET_PDEATHSIG, SIGKILL) && add_prctl(filter, PR_SET_DUMPABLE, 0);
}

/* Reads the program of the filter back from a file in memory. */
static bool export(scmp_filter_ctx filter, struct shell_seccomp *seccomp)
{
    int fd = memfd_create("seccomp", MFD_CLOEXEC);
    struct stat st;
    void *program = NULL;
    bool ok = fd >= 0 && seccomp_export_bpf(filter, fd) == 0 && fstat(fd, &st) == 0 && st.st_size <= FILTER_MAX &&
              (program = tc_mem_alloc((size_t)st.st_size)) && pread(fd, program, (size_t)st.st_size, 0) == st.st_size;

    if (fd >= 0)
        close(fd);
    if (!ok) {
        tc_mem_free(program);
        return false;
    }
    *seccomp = (struct shell_seccomp){program, (size_t)st.st_size / sizeof(struct sock_filter)};
    return true;
}

static bool has_filters(void)
{
    uint32_t action = SECCOMP_RET_KILL_PROCESS;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool shell_seccomp_prepare(struct shell_seccomp *seccomp)
{
    scmp_filter_ctx filter = has_filters() ? seccomp_init(SCMP_ACT_ERRNO(ENOSYS)) : NULL;
    bool ok = filter && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
              seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0 &&
              add(filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed) &&
              add(filter, SCMP_ACT_ERRNO(EPERM), refused, sizeof refused / sizeof *refused) &&
              add(filter, SCMP_ACT_KILL_PROCESS, deadly, sizeof deadly / sizeof *deadly) && add_forms(filter) &&
              export(filter, seccomp);

    if (filter)
        seccomp_release(filter);
    return ok;
}

void shell_seccomp_finish(struct shell_seccomp *seccomp)
{
    tc_mem_free(seccomp->filter);
    *seccomp = (struct shell_seccomp){0};
}

int shell_seccomp_enter(const struct shell_seccomp *seccomp)
{
    struct sock_fprog program = {(unsigned short)seccomp->n, seccomp->filter};

    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}
