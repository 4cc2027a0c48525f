/*
 * The wrapper of SQLite's default VFS. The real file lies behind the wrapper's
 * own struct in the memory that SQLite gives for one file.
 */
#include "support/fault_vfs.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

struct file {
    sqlite3_file base;
    sqlite3_file *real;
};

static sqlite3_vfs vfs, *real_vfs;
static atomic_size_t count, fail_at;
static atomic_bool sticky_fail;
static atomic_int fail_kind;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct file *)file)->real;
}

static bool is_due(void)
{
    size_t at = atomic_load(&fail_at), now = atomic_fetch_add(&count, 1) + 1;

    return at != 0 && (now == at || (now > at && atomic_load(&sticky_fail)));
}

static int do_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int do_read(sqlite3_file *file, void *to, int n, sqlite3_int64 at)
{
    return real_of(file)->pMethods->xRead(real_of(file), to, n, at);
}

static int do_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 at)
{
    if (is_due()) {
        if (atomic_load(&fail_kind) == FAULT_VFS_FULL)
            return SQLITE_FULL;
        if (atomic_load(&fail_kind) == FAULT_VFS_TORN)
            real_of(file)->pMethods->xWrite(real_of(file), from, n / 2, at);
        return SQLITE_IOERR_WRITE;
    }
    return real_of(file)->pMethods->xWrite(real_of(file), from, n, at);
}

static int do_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return is_due() ? SQLITE_IOERR_TRUNCATE : real_of(file)->pMethods->xTruncate(real_of(file), size);
}

/* No power is cut in these tests, so a sync that does not fail costs nothing. */
static int do_sync(sqlite3_file *file, int flags)
{
    (void)file, (void)flags;
    return is_due() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int do_file_size(sqlite3_file *file, sqlite3_int64 *ret_size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), ret_size);
}

static int do_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int do_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int do_check_reserved_lock(sqlite3_file *file, int *ret_held)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), ret_held);
}

static int do_file_control(sqlite3_file *file, int op, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int do_sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int do_characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int do_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **ret_map)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), region, size, extend, ret_map);
}

static int do_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void do_shm_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int do_shm_unmap(sqlite3_file *file, int delete_it)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), delete_it);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = do_close,
    .xRead = do_read,
    .xWrite = do_write,
    .xTruncate = do_truncate,
    .xSync = do_sync,
    .xFileSize = do_file_size,
    .xLock = do_lock,
    .xUnlock = do_unlock,
    .xCheckReservedLock = do_check_reserved_lock,
    .xFileControl = do_file_control,
    .xSectorSize = do_sector_size,
    .xDeviceCharacteristics = do_characteristics,
    .xShmMap = do_shm_map,
    .xShmLock = do_shm_lock,
    .xShmBarrier = do_shm_barrier,
    .xShmUnmap = do_shm_unmap,
};

static int do_open(sqlite3_vfs *self, sqlite3_filename name, sqlite3_file *file, int flags, int *ret_flags)
{
    struct file *wrapped = (struct file *)file;
    int rc;

    (void)self;
    wrapped->real = (sqlite3_file *)(wrapped + 1);
    rc = real_vfs->xOpen(real_vfs, name, wrapped->real, flags, ret_flags);
    wrapped->base.pMethods = wrapped->real->pMethods ? &methods : NULL;
    return rc;
}

void fault_vfs_install(void)
{
    if (real_vfs)
        return;
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.pNext = NULL;
    vfs.zName = "fault";
    vfs.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
    vfs.xOpen = do_open;
    sqlite3_vfs_register(&vfs, 1);
}

void fault_vfs_fail_at(size_t nth, enum fault_vfs_kind kind, bool sticky)
{
    atomic_store(&fail_at, 0);
    atomic_store(&count, 0);
    atomic_store(&fail_kind, (int)kind);
    atomic_store(&sticky_fail, sticky);
    atomic_store(&fail_at, nth);
}

size_t fault_vfs_count(void)
{
    return atomic_load(&count);
}
