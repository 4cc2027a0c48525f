/*
 * The blocks of tar: what an entry is, from and to its header. Reads ustar, GNU's long
 * names and pax; writes as GNU tar does by default.
 */
#ifndef TC_SHELL_ARCHIVE_TAR_HEAD_H
#define TC_SHELL_ARCHIVE_TAR_HEAD_H

#include "shell/archive/flow.h"

enum { TC_TAR_BLOCK = 512, TC_TAR_RECORD = 20 * TC_TAR_BLOCK, TC_TAR_NAME_MAX = 4096, TC_TAR_PAX_MAX = 64 * 1024 };

struct tc_tar_entry {
    char type; /* '0' file, '1' hard link, '2' symbolic link, '5' folder; others are passed over */
    char *name, *link; /* in the arena */
    mode_t mode;
    int64_t size, mtime;
    unsigned uid, gid;
    const char *user, *group;
};

/* NONE: it is no archive at all; that and BAD were told. */
enum tc_tar_read { TC_TAR_ENTRY, TC_TAR_END, TC_TAR_NONE, TC_TAR_BAD, TC_TAR_STOP };
/* The next entry; its data follows in the flow, padded to whole blocks. */
enum tc_tar_read tc_tar_read(struct tc_cmd_call *c, struct tc_flow *flow, struct tc_tar_entry *ret_entry);
/* Reads over the rest of an entry's data and padding; `left` of it was not read. */
bool tc_tar_skip(struct tc_flow *flow, int64_t size, int64_t left);
bool tc_tar_write(struct tc_cmd_call *c, struct tc_flow *flow, const struct tc_tar_entry *entry);
/* The zeros that fill up a block behind `size` bytes. */
bool tc_tar_pad(struct tc_flow *flow, int64_t size);

#endif
