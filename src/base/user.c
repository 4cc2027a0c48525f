/*
 * The capabilities are asked for, not tried: what is given away cannot be taken back without
 * them.
 */
#include "base/user.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PASSWD_MAX = 16 * 1024 };

/* To give files away, to reach them afterwards, and to become whom they were given to. */
static bool is_able(void)
{
    static const int needed[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_SETGID, CAP_SETUID};
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct now[_LINUX_CAPABILITY_U32S_3];

    if (geteuid() != 0 || syscall(SYS_capget, &header, now) != 0)
        return false;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(now[0].effective & (1u << needed[i])))
            return false;
    return true;
}

static bool find(const char *name, struct tc_user *ret_user)
{
    char room[PASSWD_MAX];
    struct passwd user, *found = NULL;

    if (getpwnam_r(name, &user, room, sizeof room, &found) != 0 || !found || user.pw_uid == 0 || user.pw_gid == 0)
        return false;
    *ret_user = (struct tc_user){.uid = user.pw_uid, .gid = user.pw_gid};
    snprintf(ret_user->name, sizeof ret_user->name, "%s", name);
    return true;
}

bool tc_user_unprivileged(struct tc_user *ret_user)
{
    return is_able() && (find("toolcrib", ret_user) || find("nobody", ret_user));
}

bool tc_user_give(int fd)
{
    struct tc_user user;

    return tc_user_unprivileged(&user) && fchownat(fd, "", user.uid, user.gid, AT_EMPTY_PATH) == 0;
}
