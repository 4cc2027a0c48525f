/*
 * What a call gave, as it is stored.
 */
#ifndef TC_API_AUDIT_RESULT_H
#define TC_API_AUDIT_RESULT_H

#include "api/api.h"
#include "ports/store_audit.h"

struct tc_audit_result {
    struct tc_audit_row row;
    struct tc_str text;             /* the readable text when it was long; may be empty */
    const struct tc_json *digest;   /* the result; images are {path, mimeType, …} */
};

/* In cx->arena. TC_E_RESULT_NOT_FOUND. */
PARKS enum tc_err tc_audit_result_find(struct tc_cx *cx, struct tc_store *store, struct tc_str id,
                                       struct tc_audit_result *ret_result);
/* A handler. */
PARKS enum tc_err tc_audit_result(struct tc_cx *cx, struct tc_api_call *call);

#endif
