/*
 * The records of calls in the journal: what store_audit's add, add_done and finish
 * were told, as bytes, and their way into the database.
 */
#ifndef TC_STORES_RECORD_H
#define TC_STORES_RECORD_H

#include "ports/store_audit.h"
#include "stores/db.h"
#include "toolcrib/buf.h"

enum tc_record_kind {
    TC_RECORD_ADD = 1, /* a row to insert, its result with it if there is one */
    TC_RECORD_FINISH   /* what finishing sets, and the result */
};

/* Appends the record's contents; result may be NULL. */
void tc_record_write(struct tc_buf *to, enum tc_record_kind kind, const struct tc_audit_row *row,
                     const struct tc_result_row *result);

struct tc_record {
    enum tc_record_kind kind;
    struct tc_audit_row row;     /* of a finish: id and what it sets */
    struct tc_result_row result; /* when has_result */
    bool has_result;
};
/* Strings are borrowed from the text. False when it is none. */
bool tc_record_read(struct tc_str text, struct tc_record *ret_record);

#endif
