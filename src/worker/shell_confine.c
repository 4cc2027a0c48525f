/*
 * Each step either holds or ends the call: nothing is run half confined.
 */
#include "worker/shell_confine.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
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

const char *shell_confine_prepare(struct shell_confinement *confinement, bool weak)
{
    *confinement = (struct shell_confinement){.weak = weak, .landlock_abi = shell_landlock_abi()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    if (!shell_seccomp_prepare(&confinement->seccomp) && !weak)
        return "seccomp";
    for (unsigned long cap = 0; geteuid() == 0 && cap < CAPABILITIES_MAX; cap++)
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 && errno == EINVAL)
            break;
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
           set_limit(RLIMIT_MSGQUEUE, 0) && (!limits->cpu_s || set_limit(RLIMIT_CPU, limits->cpu_s)) &&
           (!limits->file_size || set_limit(RLIMIT_FSIZE, limits->file_size)) &&
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
    if (own >= 0 && fchown(own, st.st_uid, st.st_gid) != 0)
        return false;
    if (setgroups(0, NULL) != 0)
        return false;
    return st.st_uid == 0 || (setresgid(st.st_gid, st.st_gid, st.st_gid) == 0 &&
                              setresuid(st.st_uid, st.st_uid, st.st_uid) == 0);
}

static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && syscall(SYS_capset, &header, none) == 0;
}

static bool give_up_root(const struct shell_grant *grants, size_t n, int own)
{
    const unsigned long bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                               SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED | SECBIT_KEEP_CAPS_LOCKED;

    if (geteuid() != 0)
        return drop_capabilities();
    /* A container may have taken the right to set the bits: the bounding set is empty all the same. */
    if (prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) != 0 && errno != EPERM)
        return false;
    return (n == 0 || become_owner(grants[0].fd, own)) && drop_capabilities();
}

/* --- all of it --- */

const char *shell_confine_enter(const struct shell_confinement *confinement, const struct shell_confine_limits *limits,
                                const struct shell_grant *grants, size_t grants_n, int own)
{
    int error, follows = 0;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "no_new_privs";
    if (!set_limits(confinement, limits))
        return "limits";
    prctl(PR_GET_PDEATHSIG, &follows);
    if (!give_up_root(grants, grants_n, own) || prctl(PR_SET_PDEATHSIG, follows) != 0) /* another user has lost it */
        return "privileges";
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return "dumpable";
    error = confinement->landlock_abi ? shell_landlock_enter(confinement->landlock_abi, grants, grants_n) : 0;
    if (error) {
        errno = error;
        return "landlock";
    }
    error = confinement->seccomp.n ? shell_seccomp_enter(&confinement->seccomp) : 0;
    if (error && !confinement->weak) {
        errno = error;
        return "seccomp";
    }
    return confinement->seccomp.n || confinement->weak ? NULL : "seccomp";
}
