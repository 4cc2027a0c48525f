/*
 * Whose the files of a workspace are, where the daemon is root. What the runtime writes in a
 * folder of another belongs to that one, who can then change it by the shell, too. What
 * cannot be given away stays with who wrote it.
 */
#include <fcntl.h>
#include <unistd.h>

#include "runtime/workspace_impl.h"

static bool give(int fd, uid_t uid, gid_t gid)
{
    return fchownat(fd, "", uid, gid, AT_EMPTY_PATH) == 0;
}

void tc_workspace_owner_find(struct tc_workspace *workspace)
{
    struct stat st;

    workspace->foreign = geteuid() == 0 && fstat(workspace->root, &st) == 0 && st.st_uid != 0;
    if (workspace->foreign) {
        workspace->uid = st.st_uid;
        workspace->gid = st.st_gid;
    }
}

void tc_workspace_owner_set(const struct tc_workspace *workspace, int fd, const struct stat *former)
{
    if (former && geteuid() == 0)
        give(fd, former->st_uid, former->st_gid);
    else if (workspace->foreign)
        give(fd, workspace->uid, workspace->gid);
}
