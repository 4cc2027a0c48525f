/*
 * Opening SQLite connections, and SQLite's results in the words of the store.
 */
#include "stores/db.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "stores/holds.h"

static enum tc_err fail_constraint(struct tc_cx *cx, int extended, const char *detail)
{
    switch (extended) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID:
        return tc_fail(cx, TC_E_STORE_EXISTS, "There is a row with that key already (%s).", detail);
    case SQLITE_CONSTRAINT_FOREIGNKEY:
        return tc_fail(cx, TC_E_STORE_NOT_FOUND, "What the row belongs to is not in the store.");
    default:
        return tc_fail(cx, TC_E_STORE_CONFLICT, "The store refused a value (%s).", detail);
    }
}

static enum tc_err fail_broken(struct tc_cx *cx, const char *sentence)
{
    tc_fail(cx, TC_E_STORE_BROKEN, "%s", sentence);
    return tc_fail_hint(cx, "Put back a backup of the file, or move it away to start with an empty store.");
}

enum tc_err tc_db_fail(struct tc_cx *cx, struct tc_db *db)
{
    int extended = sqlite3_extended_errcode(db->handle);
    const char *detail = sqlite3_errmsg(db->handle);

    switch (extended & 0xff) {
    case SQLITE_CONSTRAINT:
        return fail_constraint(cx, extended, detail);
    case SQLITE_NOMEM:
        return tc_fail_memory(cx);
    case SQLITE_TOOBIG:
        return tc_fail(cx, TC_E_LIMIT, "A value is larger than the store can keep.");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        tc_fail(cx, TC_E_STORE_LOCKED, "Another process is using the store.");
        return tc_fail_hint(cx, "Try again when it is done.");
    case SQLITE_CORRUPT:
        return fail_broken(cx, "The store's file is damaged.");
    case SQLITE_NOTADB:
        return fail_broken(cx, "The store's file is no database.");
    case SQLITE_FULL:
        tc_fail(cx, TC_E_STORE_FAILED, "The disk of the store is full, nothing was written.");
        return tc_fail_hint(cx, "Free some space, then try again.");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        tc_fail(cx, TC_E_STORE_FAILED, "The store's file cannot be opened for writing (%s).", detail);
        return tc_fail_hint(cx, "Check owner and mode of the file and of its folder.");
    case SQLITE_IOERR:
        tc_fail(cx, TC_E_STORE_FAILED, "The disk of the store failed (%s).", detail);
        return tc_fail_hint(cx, "Check the disk; what was committed before is kept.");
    default:
        return tc_fail(cx, TC_E_STORE_FAILED, "The store failed (%s).", detail);
    }
}

void tc_db_own_process(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* SQLite would make the file with 0644; its journals take the file's mode. */
static enum tc_err create_file(struct tc_cx *cx, const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0) {
        tc_fail(cx, TC_E_STORE_FAILED, "The store's file %s cannot be made or opened: %s.", path, strerror(errno));
        return tc_fail_hint(cx, "Check owner and mode of the file and of its folder.");
    }
    close(fd);
    return TC_OK;
}

static enum tc_err set_up(struct tc_cx *cx, struct tc_db *db)
{
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, TC_DB_BUSY_MS);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    if (tc_holds_add(cx, db))
        return cx->err.code;
    return tc_db_exec(cx, db, "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;"
                               /* The system has the file in its memory too. */
                               "PRAGMA cache_size = -500;");
}

enum tc_err tc_db_open(struct tc_cx *cx, struct tc_db *db, const char *path, enum tc_db_mode mode)
{
    int flags = SQLITE_OPEN_NOMUTEX | (mode == TC_DB_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
    enum tc_err err;

    *db = (struct tc_db){0};
    if (mode == TC_DB_CREATE && (err = create_file(cx, path)))
        return err;
    if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK) {
        err = db->handle ? tc_db_fail(cx, db) : tc_fail_memory(cx);
        tc_db_close(db);
        return err;
    }
    err = set_up(cx, db);
    if (err)
        tc_db_close(db);
    return err;
}

void tc_db_close(struct tc_db *db)
{
    for (size_t i = 0; i < TC_DB_STATEMENTS; i++)
        sqlite3_finalize(db->statements[i].stmt);
    sqlite3_close_v2(db->handle);
    *db = (struct tc_db){0};
}

enum tc_err tc_db_exec(struct tc_cx *cx, struct tc_db *db, const char *sql)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? TC_OK : tc_db_fail(cx, db);
}

enum tc_err tc_db_number(struct tc_cx *cx, struct tc_db *db, const char *sql, int64_t *ret_number)
{
    sqlite3_stmt *stmt = NULL;
    int64_t number = 0;
    int rc = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK) {
        rc = sqlite3_step(stmt);
        if (rc == SQLITE_ROW)
            number = sqlite3_column_int64(stmt, 0);
        rc = sqlite3_finalize(stmt);
    }
    if (rc != SQLITE_OK)
        return tc_db_fail(cx, db);
    *ret_number = number;
    return TC_OK;
}
