/*
 * Each check asks for the thing itself, not for a version number.
 */
#include "cli/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/user.h"
#include "io/process.h"

enum { FILES_WANTED = 1024 };

const char *tc_cli_check_name(enum tc_cli_check_state state)
{
    return state == TC_CLI_CHECK_OK ? "ok" : state == TC_CLI_CHECK_WARN ? "warn" : "fail";
}

void tc_cli_check_add(struct tc_cli_checks *checks, const char *name, enum tc_cli_check_state state, struct tc_str hint,
                      const char *fmt, ...)
{
    struct tc_cli_check *check;
    va_list ap;

    if (checks->n == TC_CLI_CHECKS_MAX)
        return;
    check = &checks->items[checks->n++];
    va_start(ap, fmt);
    *check = (struct tc_cli_check){name, state, tc_arena_vprintf(checks->arena, fmt, ap), hint};
    va_end(ap);
}

bool tc_cli_checks_failed(const struct tc_cli_checks *checks)
{
    for (size_t i = 0; i < checks->n; i++)
        if (checks->items[i].state == TC_CLI_CHECK_FAIL)
            return true;
    return false;
}

/* --- kernel --- */

static bool has_openat2(void)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof how);

    if (fd >= 0)
        close(fd);
    return fd >= 0 || errno != ENOSYS;
}

static bool has_pidfd(void)
{
    int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Not the old mode alone: filters that end the process. */
static bool has_seccomp(void)
{
    uint32_t action = SECCOMP_RET_KILL_PROCESS;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static void need(struct tc_cli_checks *checks, const char *name, bool there, enum tc_cli_check_state otherwise,
                 struct tc_str hint)
{
    tc_cli_check_add(checks, name, there ? TC_CLI_CHECK_OK : otherwise, there ? TC_STR("") : hint,
                     there ? "there" : "missing");
}

void tc_cli_check_kernel(struct tc_cli_checks *checks)
{
    long landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct rlimit files = {0};
    struct utsname name;
    int reaper = 0;

    if (uname(&name) == 0)
        tc_cli_check_add(checks, "kernel", TC_CLI_CHECK_OK, TC_STR(""), "%s %s", name.sysname, name.release);
    need(checks, "openat2", has_openat2(), TC_CLI_CHECK_FAIL,
         TC_STR("File tools need Linux 5.6 or newer, and a container that lets openat2 through."));
    need(checks, "pidfd", has_pidfd(), TC_CLI_CHECK_FAIL,
         TC_STR("MCP servers need Linux 5.3 or newer, and a container that lets pidfd_open through."));
    need(checks, "subreaper", prctl(PR_GET_CHILD_SUBREAPER, &reaper) == 0, TC_CLI_CHECK_FAIL,
         TC_STR("MCP servers need a kernel with PR_SET_CHILD_SUBREAPER."));
    need(checks, "seccomp", has_seccomp(), TC_CLI_CHECK_WARN,
         TC_STR("Sandboxed tools are off on a kernel without it, unless the configuration has \"sandbox\": \"weak\"."));
    if (landlock > 0)
        tc_cli_check_add(checks, "landlock", TC_CLI_CHECK_OK, TC_STR(""), "version %ld", landlock);
    else
        tc_cli_check_add(checks, "landlock", TC_CLI_CHECK_WARN,
                         TC_STR("Boot with landlock in lsm= for the second wall of the sandbox."), "missing");
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        tc_cli_check_add(checks, "open files", files.rlim_cur < FILES_WANTED ? TC_CLI_CHECK_WARN : TC_CLI_CHECK_OK,
                         files.rlim_cur < FILES_WANTED ? TC_STR("Raise it: ulimit -n 4096.") : TC_STR(""), "limit %llu",
                         (unsigned long long)files.rlim_cur);
}

/* --- helpers --- */

static const struct {
    const char *name, *purpose;
} helpers[] = {
    {"toolcrib-guard", "MCP servers that are commands cannot be started without it: install it beside toolcrib."},
    {"toolcrib-worker-shell", "workspace.shell and toolcrib shell are off without it: install it beside toolcrib."},
};

/* Root alone has a choice. */
static void check_scripts(struct tc_cli_checks *checks)
{
    struct tc_user user;

    if (geteuid() != 0)
        return;
    if (tc_user_unprivileged(&user))
        tc_cli_check_add(checks, "scripts", TC_CLI_CHECK_OK, TC_STR(""),
                         "run as %s in workspaces that the daemon makes, elsewhere as the folder's owner", user.name);
    else
        tc_cli_check_add(checks, "scripts", TC_CLI_CHECK_WARN,
                         TC_STR("Add a system user toolcrib, and let a container keep CAP_CHOWN, CAP_DAC_OVERRIDE, "
                                "CAP_FOWNER, CAP_SETGID and CAP_SETUID; or run the daemon as another user."),
                         "run as root, without its rights");
}

void tc_cli_check_helpers(struct tc_cli_checks *checks)
{
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const char *path = tc_process_helper(checks->arena, helpers[i].name);
        if (path && access(path, X_OK) == 0)
            tc_cli_check_add(checks, helpers[i].name, TC_CLI_CHECK_OK, TC_STR(""), "%s", path);
        else
            tc_cli_check_add(checks, helpers[i].name, TC_CLI_CHECK_WARN, tc_str_of(helpers[i].purpose), "not found");
    }
    check_scripts(checks);
}

/* --- data folder --- */

static void check_file(struct tc_cli_checks *checks, const char *name, const char *path, bool must)
{
    struct stat st;

    if (lstat(path, &st) != 0) {
        if (must || errno != ENOENT)
            tc_cli_check_add(checks, name, TC_CLI_CHECK_FAIL, TC_STR("Name another data folder with --data."),
                             "%s: %s", path, strerror(errno));
        return;
    }
    if (st.st_uid != geteuid())
        tc_cli_check_add(checks, name, geteuid() == 0 ? TC_CLI_CHECK_WARN : TC_CLI_CHECK_FAIL,
                         tc_arena_printf(checks->arena, "chown it, or run toolcrib as its owner: %s", path),
                         "%s belongs to user %u", path, (unsigned)st.st_uid);
    else if (st.st_mode & (S_IRWXG | S_IRWXO))
        tc_cli_check_add(checks, name, TC_CLI_CHECK_FAIL, tc_arena_printf(checks->arena, "chmod go= %s", path),
                         "%s is open to others (mode %03o)", path, (unsigned)(st.st_mode & 0777));
    else
        tc_cli_check_add(checks, name, TC_CLI_CHECK_OK, TC_STR(""), "%s", path);
}

static void check_space(struct tc_cli_checks *checks, const char *path)
{
    if (access(path, R_OK | W_OK | X_OK) != 0)
        tc_cli_check_add(checks, "data access", TC_CLI_CHECK_FAIL, TC_STR("Give this user its permissions."),
                         "%s: %s", path, strerror(errno));
}

void tc_cli_check_data(struct tc_cli_checks *checks, struct tc_str data_dir)
{
    static const struct {
        const char *name, *file;
    } files[] = {{"key", "key"}, {"database", "toolcrib.db"}, {"write-ahead log", "toolcrib.db-wal"}, {"lock", "lock"}};
    char *dir = tc_arena_cstr(checks->arena, data_dir);

    if (!dir)
        return;
    check_file(checks, "data folder", dir, true);
    check_space(checks, dir);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct tc_str path = tc_arena_printf(checks->arena, "%s/%s", dir, files[i].file);
        if (path.p)
            check_file(checks, files[i].name, path.p, false);
    }
    if (getenv("TOOLCRIB_KEY"))
        tc_cli_check_add(checks, "key", TC_CLI_CHECK_OK, TC_STR(""), "from TOOLCRIB_KEY");
}
