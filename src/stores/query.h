/*
 * One run of a statement: bind in order, step, read columns in order. The first
 * failure sticks and the rest does nothing, so callers look once, at the end.
 *
 * What is bound must stay until the query has ended. Texts that are read are
 * copied into cx->arena.
 */
#ifndef TC_STORES_QUERY_H
#define TC_STORES_QUERY_H

#include "ports/store.h"
#include "stores/db.h"
#include "stores/rows.h"

struct tc_query {
    struct tc_cx *cx;
    struct tc_db *db;
    struct sqlite3_stmt *stmt;
    int bound, read; /* parameters bound, columns read so far */
    size_t bytes;    /* of texts after which tc_query_rows has enough; 0: never */
    bool kept;       /* in the connection's table, not to be finalised */
    enum tc_err err;
};

/* sql of static storage: the statement is kept in the connection under its
 * address. */
void tc_query_start(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, const char *sql);
/* Composed SQL: prepared for this run only. */
void tc_query_start_once(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, struct tc_str sql);

void tc_query_text(struct tc_query *query, struct tc_str text);     /* p NULL is bound as empty */
void tc_query_optional(struct tc_query *query, struct tc_str text); /* p NULL is bound as NULL */
void tc_query_blob(struct tc_query *query, struct tc_str bytes);
void tc_query_int(struct tc_query *query, int64_t number);
/* Every column of a row, in the order of its type. */
void tc_query_row(struct tc_query *query, const struct tc_row_type *type, const void *row);

/* Steps to the next row; false at the end and on failure. */
bool tc_query_next(struct tc_query *query);
struct tc_str tc_query_read_text(struct tc_query *query);
/* The same without a copy: it is there until the next step. */
struct tc_str tc_query_peek_text(struct tc_query *query);
int64_t tc_query_read_int(struct tc_query *query);
void tc_query_read_row(struct tc_query *query, const struct tc_row_type *type, void *ret_row);

/* Ends the run and gives its failure. */
enum tc_err tc_query_end(struct tc_query *query);
/* A statement without result: steps and ends. *ret_changes, which may be NULL,
 * is the number of rows that it inserted, changed or removed. */
enum tc_err tc_query_run(struct tc_query *query, int64_t *ret_changes);
/* Ends after collecting every row that is left into the arena. ret_rows points
 * to a pointer to rows of that type. */
enum tc_err tc_query_rows(struct tc_query *query, const struct tc_row_type *type, void *ret_rows, size_t *ret_n);
/* Ends after the one row that is wanted; TC_E_STORE_NOT_FOUND without a row,
 * with no sentence recorded: the caller knows what was asked for. */
enum tc_err tc_query_one(struct tc_query *query, const struct tc_row_type *type, void *ret_row);

#endif
