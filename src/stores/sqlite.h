/*
 * The store in an SQLite file: WAL, one writing thread that commits what
 * concurrent calls write together, a few connections for reading.
 */
#ifndef TC_STORES_SQLITE_H
#define TC_STORES_SQLITE_H

#include "io/task.h"
#include "ports/store.h"

struct tc_loop;

/* Opens the file, makes it (0600) when it is not there, and brings it to the
 * schema of this version. sync is "normal" (a commit survives the kill of the
 * process) or "full" (a power cut as well). loop NULL: no threads, operations
 * run where they are asked for, one at a time.
 *
 * A write is done and waited for also when the task is cancelled, so that no
 * record is lost; the cancellation shows at the next call that parks. A
 * cancelled read fails.
 *
 * Errors: TC_E_STORE_BROKEN (damaged, no database, of another program) and
 * TC_E_STORE_NEWER leave the file as it is; TC_E_STORE_LOCKED,
 * TC_E_STORE_FAILED; TC_E_CONFIG_INVALID for another word in sync. */
PARKS enum tc_err tc_sqlite_open(struct tc_cx *cx, struct tc_loop *loop, const char *path, const char *sync,
                                 struct tc_store **ret_store);

struct tc_sqlite_stats {
    uint64_t operations, commits; /* writes that were asked for; transactions that they took */
};
/* Of a store that tc_sqlite_open made. */
struct tc_sqlite_stats tc_sqlite_stats(const struct tc_store *store);

#endif
