/*
 * The schema of the SQLite store, as numbered steps forward. `user_version` of
 * the file counts the steps it has; each step and its count are one transaction.
 * A step that was released is never edited: a change is a new step.
 */
#ifndef TC_STORES_MIGRATIONS_H
#define TC_STORES_MIGRATIONS_H

#include "stores/db.h"

/* Marks the file as a store of this program (PRAGMA application_id). */
enum { TC_MIGRATIONS_APPLICATION_ID = 0x54435242 }; /* "TCRB" */

extern const char *const tc_migrations_steps[];
extern const size_t tc_migrations_n;

/* Looks at the file and changes nothing: how many steps it has. TC_E_STORE_BROKEN
 * when it is damaged or of another program, TC_E_STORE_NEWER when it has more
 * steps than are known here. */
enum tc_err tc_migrations_check(struct tc_cx *cx, struct tc_db *db, int64_t *ret_version);
/* Brings the file to `upto` steps, normally tc_migrations_n. */
enum tc_err tc_migrations_apply(struct tc_cx *cx, struct tc_db *db, size_t upto);

#endif
