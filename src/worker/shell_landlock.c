/*
 * The rights are those of the youngest kernel that is known here; a kernel gets the
 * part that its version has. Declared here, since headers are older than kernels.
 */
#include "worker/shell_landlock.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3, REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5, MAKE_CHAR = 1 << 6, MAKE_DIR = 1 << 7, MAKE_REG = 1 << 8, MAKE_SOCK = 1 << 9,
    MAKE_FIFO = 1 << 10, MAKE_BLOCK = 1 << 11, MAKE_SYM = 1 << 12,
    REFER = 1 << 13,     /* ABI 2 */
    TRUNCATE = 1 << 14,  /* ABI 3 */
    IOCTL_DEV = 1 << 15, /* ABI 5 */

    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV, /* the only ones that fit a file */
    READ = READ_FILE | READ_DIR,
    WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE,

    TCP = 3,  /* ABI 4: bind and connect */
    SCOPE = 3 /* ABI 6: abstract Unix sockets, signals */
};

struct ruleset { /* a kernel reads as much of it as it is told to be there */
    uint64_t fs, net, scoped;
};

static uint64_t fs_of(int abi)
{
    uint64_t all = (1 << 13) - 1;

    if (abi >= 2)
        all |= REFER;
    if (abi >= 3)
        all |= TRUNCATE;
    if (abi >= 5)
        all |= IOCTL_DEV;
    return all;
}

int shell_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi > 0 ? (int)abi : 0;
}

int shell_landlock_open(int abi)
{
    struct ruleset all = {fs_of(abi), TCP, SCOPE};
    size_t size = abi >= 6 ? sizeof all : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);

    return (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
}

static int add(int set, uint64_t rights, int fd)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};

    if (!rights)
        return 0;
    return syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
}

int shell_landlock_add(int set, int abi, const struct shell_grant *grant)
{
    static const uint64_t rights[] = {
        [SHELL_GRANT_LIST] = READ_DIR, [SHELL_GRANT_READ] = READ, [SHELL_GRANT_WRITE] = WRITE};
    uint64_t allowed = rights[grant->kind] & fs_of(abi);
    int error = add(set, allowed, grant->fd);

    /* The rights of folders fit no file. */
    return error == EINVAL ? add(set, allowed & OF_FILES, grant->fd) : error;
}

int shell_landlock_enter(int set)
{
    return syscall(SYS_landlock_restrict_self, set, 0) == 0 ? 0 : errno;
}
