/*
 * One SQLite connection with its prepared statements. A connection is used by
 * one thread at a time; whoever owns it (the writer's thread, a reader that was
 * taken from the pool) needs no lock.
 */
#ifndef TC_STORES_DB_H
#define TC_STORES_DB_H

#include "toolcrib/cx.h"

struct sqlite3;
struct sqlite3_stmt;

/* More than there are statements in the sources; a power of two. */
enum { TC_DB_STATEMENTS = 128, TC_DB_BUSY_MS = 5000 };

struct tc_db_statement {
    const char *sql; /* its address is the key */
    struct sqlite3_stmt *stmt;
};

struct tc_db {
    struct sqlite3 *handle;
    struct tc_db_statement statements[TC_DB_STATEMENTS];
};

enum tc_db_mode {
    TC_DB_CREATE, /* made when it is not there, with mode 0600 */
    TC_DB_WRITE,
    TC_DB_READ
};

/* Sets SQLite up for a process that has it to itself, before anything uses it: its
 * memory is not counted, which would take a lock at each allocation. */
void tc_db_own_process(void);

/* Opens the file and sets what every connection has: foreign keys, a busy
 * timeout, no extension, no trust in the schema. Changes nothing in the file.
 * Errors: TC_E_STORE_BROKEN when it is no database, TC_E_STORE_FAILED. */
enum tc_err tc_db_open(struct tc_cx *cx, struct tc_db *db, const char *path, enum tc_db_mode mode);
/* Finalises and closes; safe on a zeroed struct and twice. */
void tc_db_close(struct tc_db *db);

/* Runs SQL without parameters and result. */
enum tc_err tc_db_exec(struct tc_cx *cx, struct tc_db *db, const char *sql);
/* The first column of the first row of `sql`, 0 without a row. */
enum tc_err tc_db_number(struct tc_cx *cx, struct tc_db *db, const char *sql, int64_t *ret_number);

/* Records the failure of the connection's last call: constraint
 * TC_E_STORE_EXISTS, _NOT_FOUND (foreign key) or _CONFLICT; a full disk or an
 * I/O error TC_E_STORE_FAILED; damage TC_E_STORE_BROKEN; another process
 * TC_E_STORE_LOCKED. */
enum tc_err tc_db_fail(struct tc_cx *cx, struct tc_db *db);

#endif
