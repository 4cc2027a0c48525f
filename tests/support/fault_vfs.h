/*
 * A disk that fails on demand: an SQLite VFS over the system's, made the default
 * one, that counts writes, truncations and syncs and lets the chosen one fail.
 */
#ifndef TESTS_SUPPORT_FAULT_VFS_H
#define TESTS_SUPPORT_FAULT_VFS_H

#include <stdbool.h>
#include <stddef.h>

enum fault_vfs_kind {
    FAULT_VFS_IO,   /* the operation fails with an I/O error */
    FAULT_VFS_FULL, /* writes fail since the disk is full */
    FAULT_VFS_TORN  /* a write puts down half of its bytes and fails */
};

/* Makes it the default of this process; repeats are harmless. */
void fault_vfs_install(void);
/* The nth operation from now fails (1 is the next), and all after it when
 * `sticky`; 0 turns it off. */
void fault_vfs_fail_at(size_t nth, enum fault_vfs_kind kind, bool sticky);
/* Operations since the last fault_vfs_fail_at. */
size_t fault_vfs_count(void);

#endif
