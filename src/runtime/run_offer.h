/*
 * The tools of one snapshot as a provider is sent them. Made once for a snapshot and a
 * kind of schema, and shared by all runs that have them; immutable.
 */
#ifndef TC_RUNTIME_RUN_OFFER_H
#define TC_RUNTIME_RUN_OFFER_H

#include "base/map.h"
#include "runtime/view.h"
#include "toolcrib/model.h"

struct tc_run_offer {
    struct tc_arena arena;
    struct tc_view *view;                     /* a reference */
    struct tc_model_tool *tools;              /* by position in the view, as are the others */
    struct tc_schema_projection *projections;
    size_t n, refs;
    int64_t tokens;                           /* of all, estimated */
};

enum tc_err tc_run_offer_create(struct tc_cx *cx, struct tc_view *view, enum tc_schema_provider provider,
                                struct tc_run_offer **ret_offer);
struct tc_run_offer *tc_run_offer_ref(struct tc_run_offer *offer);
void tc_run_offer_unref(struct tc_run_offer *offer);
/* Position of the call name, or SIZE_MAX. */
size_t tc_run_offer_find(const struct tc_run_offer *offer, struct tc_str name);

/* A cache of them, by snapshot and provider. */
struct tc_run_offers {
    struct tc_map offers;
};
void tc_run_offers_finish(struct tc_run_offers *offers);
/* A reference. */
enum tc_err tc_run_offers_get(struct tc_cx *cx, struct tc_run_offers *offers, struct tc_view *view,
                              enum tc_schema_provider provider, struct tc_run_offer **ret_offer);

#endif
