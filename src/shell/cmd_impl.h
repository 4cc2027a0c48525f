/*
 * A command's call from the inside, for the files cmd*.c. The call that the command
 * sees is the first member. All of it is in the scratch arena of the process, but for
 * the buffers of streams, which must grow and go piecewise.
 */
#ifndef TC_SHELL_CMD_IMPL_H
#define TC_SHELL_CMD_IMPL_H

#include <limits.h>

#include "shell/cmd.h"
#include "toolcrib/shellfs.h"

struct tc_cmd_in {
    struct tc_sh_cmd *of;
    struct tc_sh_file *file; /* referenced; NULL when closed */
    char *buf;               /* owned */
    size_t at, n, cap;       /* bytes at … n - 1 are not yet taken */
    bool ended, exact;
    int error;
    struct tc_cmd_in *next;
};

struct tc_cmd_out {
    struct tc_sh_cmd *of;
    struct tc_sh_file *file; /* referenced by those of create and replace, borrowed by out and err */
    char *buf;               /* owned: the arena may go back to a mark that is older */
    size_t n, cap;
    bool by_line;
    int error;
    size_t tried; /* bytes that were handed on */
    char *path, *temporary; /* of replace: absolute */
    struct tc_cmd_out *next;
};

struct tc_sh_cmd {
    struct tc_cmd_call call;
    struct tc_cx cx;
    struct tc_sh_sched *sched;
    struct tc_sh_vfs *vfs;
    struct tc_cmd_out out, err;
    struct tc_cmd_in standard, *in; /* standard input; in is NULL until it was opened */
    struct tc_cmd_in *ins;   /* all that are open */
    struct tc_cmd_out *outs; /* of files */
    struct tc_cmd_dir *dirs;
    bool helped;
};

static inline struct tc_sh_cmd *tc_sh_cmd_of(const struct tc_cmd_call *c)
{
    return (struct tc_sh_cmd *)(void *)c;
}

/* Joins the working directory and a path. 0 or an errno. `absolute` has PATH_MAX bytes. */
int tc_sh_cmd_path(struct tc_cmd_call *c, const char *path, char *absolute);

void tc_sh_cmd_out_init(struct tc_sh_cmd *cmd, struct tc_cmd_out *out, struct tc_sh_file *file);
/* Tells that standard output could not be written. The status that is then right. */
int tc_sh_cmd_unwritten(struct tc_cmd_call *c, int status);
void tc_sh_cmd_out_finish(struct tc_cmd_out *out); /* frees the buffer; what is in it is lost */
/* Everything that is open is closed; what replaces a file is dropped. */
void tc_sh_cmd_close_ins(struct tc_sh_cmd *cmd);
void tc_sh_cmd_close_outs(struct tc_sh_cmd *cmd);
void tc_sh_cmd_close_dirs(struct tc_sh_cmd *cmd);

#endif
