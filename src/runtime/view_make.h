/*
 * How views come into being; for view*.c.
 */
#ifndef TC_RUNTIME_VIEW_MAKE_H
#define TC_RUNTIME_VIEW_MAKE_H

#include "runtime/view.h"

/* Of a resolution without new names, at that version of the registry. */
enum tc_err tc_view_make(struct tc_cx *cx, const struct tc_resolution *resolution, uint64_t version,
                         struct tc_view **ret);

#endif
