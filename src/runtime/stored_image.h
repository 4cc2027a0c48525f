/*
 * Images of stored results. The record names the file in the workspace of its call and
 * the hash of its bytes: these are given back, or none.
 */
#ifndef TC_RUNTIME_STORED_IMAGE_H
#define TC_RUNTIME_STORED_IMAGE_H

#include "ports/store_audit.h"
#include "runtime/runtime.h"

struct tc_stored_image {
    const char *mime; /* by a look at the bytes: "image/png", "image/jpeg", "image/webp" */
    struct tc_str bytes;
};

/* Image `number`, from 1, of the result of the call; in cx->arena. TC_E_RESULT_NOT_FOUND, and why. Nothing is made
 * where a workspace is not there any more. */
PARKS enum tc_err tc_stored_image_load(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_audit_row *row,
                                       const struct tc_json *result, int64_t number,
                                       struct tc_stored_image *ret_image);

#endif
