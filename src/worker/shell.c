/*
 * toolcrib-worker-shell: runs the scripts of workspace.shell and of `toolcrib shell`,
 * each in a process of its own that has given up all but the folders of the script.
 *
 *   toolcrib-worker-shell FOLDER [weak]    the zygote: started by the daemon
 *   toolcrib-worker-shell --once …         one script, on the caller's terminal
 *   toolcrib-worker-shell --check          whether a script can be confined here
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "worker/shell_confine.h"
#include "worker/shell_once.h"
#include "worker/shell_zygote.h"

enum { DAEMON_FD = 3 };

static int check(void)
{
    struct shell_confinement confinement;
    const char *missing = shell_confine_prepare(&confinement, false);

    printf("seccomp %s\nlandlock %d\n", missing ? "missing" : "there", confinement.landlock_abi);
    shell_seccomp_finish(&confinement.seccomp);
    return missing ? 1 : 0;
}

static bool has_socket(void)
{
    int type = 0;
    socklen_t length = sizeof type;

    return getsockopt(DAEMON_FD, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_SEQPACKET;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--once") == 0)
        return shell_once_main(argc - 2, argv + 2);
    if (argc == 2 && strcmp(argv[1], "--check") == 0)
        return check();
    if (argc < 2 || argv[1][0] != '/' || !has_socket()) {
        fputs("toolcrib-worker-shell: started by toolcrib, not by hand: descriptor 3 is not its socket\n", stderr);
        return 2;
    }
    return shell_zygote_run(argv[1], argc > 2 && strcmp(argv[2], "weak") == 0);
}
