/*
 * GET /admin/audit/image: an image of what a call gave.
 */
#ifndef TC_API_AUDIT_IMAGE_H
#define TC_API_AUDIT_IMAGE_H

#include "api/api.h"

#define TC_AUDIT_IMAGE_TYPES "image/png, image/jpeg, image/webp"

extern const struct tc_api_param tc_audit_image_query[];

/* A handler. */
PARKS enum tc_err tc_audit_image(struct tc_cx *cx, struct tc_api_call *call);

#endif
