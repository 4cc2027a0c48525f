/*
 * Who changed what. A handler notes its change when it has been made; listings, forms
 * and refused edits say who made the last one.
 */
#ifndef TC_API_CHANGED_H
#define TC_API_CHANGED_H

#include "api/api.h"
#include "ports/store_approvals.h"
#include "ports/store_changes.h"

struct tc_changed {
    const char *resource, *action;
    struct tc_str object;
    int64_t version;             /* that came of it; 0: it has none */
    struct tc_str before, after; /* JSON text as a viewer may read it; empty: there was, there is nothing */
};

/* Records a change that was made. It stands whether that can be stored or not: a failure
 * is logged and forgotten, since the caller would take it for one of the change itself
 * and make that again. Also when the caller has gone meanwhile. */
PARKS void tc_changed_note(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_changed *change);

/* The same for an answer that outlasts its call: it changed the permission of the tool. */
PARKS void tc_changed_lasting(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_approval_row *row);

/* What an object was changed by last, for each of n, in their order; a row without id
 * where nothing is known. */
PARKS enum tc_err tc_changed_latest(struct tc_cx *cx, const struct tc_api_call *call, const char *resource,
                                    const struct tc_str *objects, size_t n, struct tc_change_row **ret_rows);
/* What the token of a principal is called now, else its role; those of the machine are its admin.
 * Borrowed until the next parking call. */
struct tc_str tc_changed_label(const struct tc_api_call *call, struct tc_str kind, struct tc_str id);
/* {kind, id, label}: whose change it was. */
void tc_changed_principal(struct tc_api_call *call, const char *key, const struct tc_change_row *row);
/* {kind, id, label, at}: who made it and when; null where the row is NULL or has no id. */
void tc_changed_made(struct tc_api_call *call, const char *key, const struct tc_change_row *row);
/* The same as "updatedBy". */
void tc_changed_by(struct tc_api_call *call, const struct tc_change_row *row);

/* JSON text in the arena of what `write` writes; p NULL without memory. */
typedef void tc_changed_write(struct tc_jsonw *w, const void *object);
struct tc_str tc_changed_document(struct tc_cx *cx, tc_changed_write *write, const void *object);

/* Writes an object to call->out, as its info does. */
typedef enum tc_err tc_changed_show(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);
/* Passes e on. Where the edit was made from another version than the stored one, the
 * failure gets details for who merges: {version, updatedBy, current}. */
PARKS enum tc_err tc_changed_conflict(struct tc_cx *cx, const struct tc_api_call *call, enum tc_err e,
                                      tc_changed_show *show, struct tc_str id);

#endif
