/*
 * Each step either holds or ends the call: nothing is run half confined.
 */
#include "worker/shell_confine.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0 /* a sanitizer maps terabytes: no bound on address space holds */
#endif

enum {
    CAPABILITIES_MAX = 64,
    DESCRIPTORS_OWN = 32 /* beside those of the script */
};

static uint64_t mapped_now(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");

    if (file && fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (pages ? pages : 16384) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* What is in none of the sets of a process any more, its children cannot have. */
static void empty_bounding_set(void)
{
    for (unsigned long cap = 0; cap < CAPABILITIES_MAX; cap++)
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 && errno == EINVAL)
            break;
}

const char *shell_confine_prepare(struct shell_confinement *confinement, bool weak)
{
    *confinement = (struct shell_confinement){.weak = weak, .landlock_abi = shell_landlock_abi()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    if (!shell_seccomp_prepare(&confinement->seccomp) && !weak)
        return "seccomp";
    if (geteuid() == 0) {
        empty_bounding_set();
        if (setgroups(0, NULL) != 0)
            return "the right to leave groups";
    }
    confinement->mapped = mapped_now();
    return NULL;
}

/* --- limits --- */

static bool set_limit(int what, int64_t most)
{
    struct rlimit limit;

    if (getrlimit(what, &limit) != 0)
        return false;
    if (limit.rlim_max > (rlim_t)most)
        limit.rlim_max = (rlim_t)most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(what, &limit) == 0;
}

static bool set_limits(const struct shell_confinement *confinement, const struct shell_confine_limits *limits)
{
    return set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_NPROC, 0) && set_limit(RLIMIT_MEMLOCK, 0) &&
           set_limit(RLIMIT_MSGQUEUE, 0) && (!limits->file_size || set_limit(RLIMIT_FSIZE, limits->file_size)) &&
           (!limits->descriptors || set_limit(RLIMIT_NOFILE, limits->descriptors + DESCRIPTORS_OWN)) &&
           (!limits->memory || SHADOWED ||
            set_limit(RLIMIT_AS, (int64_t)confinement->mapped + limits->memory));
}

/* --- who it is --- */

/* As the owner of the workspace, where that is another than root. */
static bool become_owner(int workspace, int own)
{
    struct stat st;

    if (fstat(workspace, &st) != 0)
        return false;
    if (st.st_uid == 0)
        return true;
    if (own >= 0 && fchown(own, st.st_uid, st.st_gid) != 0)
        return false;
    return setresgid(st.st_gid, st.st_gid, st.st_gid) == 0 && setresuid(st.st_uid, st.st_uid, st.st_uid) == 0;
}

static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    return syscall(SYS_capset, &header, none) == 0;
}

/* Nothing that root is gives capabilities back. A container may have taken the right to say so: the bounding
 * set is empty all the same. */
static bool lock_capabilities(void)
{
    const unsigned long bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                               SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED | SECBIT_KEEP_CAPS_LOCKED;

    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
        return false;
    return geteuid() != 0 || prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) == 0 || errno == EPERM;
}

static bool give_up_root(const struct shell_grant *grants, size_t n, int own)
{
    return (geteuid() != 0 || n == 0 || become_owner(grants[0].fd, own)) && drop_capabilities();
}

/* --- the steps --- */

const char *shell_confine_begin(const struct shell_confinement *confinement, const struct shell_confine_limits *limits,
                                int *ret_set)
{
    int error;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return "dumpable";
    if (!set_limits(confinement, limits))
        return "limits";
    if (!lock_capabilities())
        return "privileges";
    *ret_set = confinement->landlock_abi ? shell_landlock_open(confinement->landlock_abi) : -1;
    if (confinement->landlock_abi && *ret_set < 0)
        return "landlock";
    if (!confinement->seccomp.n)
        return confinement->weak ? NULL : "seccomp";
    error = shell_seccomp_enter(&confinement->seccomp);
    errno = error;
    return error && !confinement->weak ? "seccomp" : NULL;
}

static int enter_landlock(int abi, const struct shell_confine_call *call)
{
    int error = 0;

    for (size_t i = 0; i < call->grants_n && !error; i++)
        error = shell_landlock_add(call->set, abi, &call->grants[i]);
    if (!error)
        error = shell_landlock_enter(call->set);
    close(call->set);
    return error;
}

const char *shell_confine_finish(const struct shell_confinement *confinement, const struct shell_confine_call *call)
{
    int error;

    if (call->cpu_s && !set_limit(RLIMIT_CPU, call->cpu_s))
        return "limits";
    if (!give_up_root(call->grants, call->grants_n, call->own))
        return "privileges";
    /* Another user has lost these. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return "privileges";
    error = confinement->landlock_abi ? enter_landlock(confinement->landlock_abi, call) : 0;
    errno = error;
    return error ? "landlock" : NULL;
}
