/*
 * The tools of one snapshot as a provider is sent them. Made once for a snapshot and a
 * kind of schema, and shared by all runs and programs that have them; immutable.
 */
#ifndef TC_RUNTIME_RUN_OFFER_H
#define TC_RUNTIME_RUN_OFFER_H

#include "ports/models.h"
#include "runtime/view.h"

enum { TC_RUN_OFFER_LISTS = 8 };

struct tc_run_offer_list { /* all of them in the shape of a provider */
    struct tc_str provider, json;
};

struct tc_run_offer {
    struct tc_arena arena;
    struct tc_view *view;                     /* a reference */
    struct tc_model_tool *tools;              /* by position in the view, as are the others */
    struct tc_schema_projection *projections;
    size_t n, refs;
    int64_t tokens;                           /* of all, estimated */
    struct tc_run_offer_list lists[TC_RUN_OFFER_LISTS]; /* those that were asked for */
    size_t lists_n;
};

enum tc_err tc_run_offer_create(struct tc_cx *cx, const struct tc_view *view, enum tc_schema_provider provider,
                                struct tc_run_offer **ret_offer);
struct tc_run_offer *tc_run_offer_ref(struct tc_run_offer *offer);
void tc_run_offer_unref(struct tc_run_offer *offer);
/* Position of the call name, or SIZE_MAX. */
size_t tc_run_offer_find(const struct tc_run_offer *offer, struct tc_str name);

/* All of them as that provider lists tools: written when it is first asked for. Valid as
 * long as the offer. */
enum tc_err tc_run_offer_list(struct tc_cx *cx, struct tc_run_offer *offer, struct tc_models *models,
                              struct tc_str provider, struct tc_str *ret_json);

/* A cache of them, by snapshot and kind of schema. */
struct tc_run_offers;
enum tc_err tc_run_offers_create(struct tc_cx *cx, struct tc_run_offers **ret_offers);
void tc_run_offers_destroy(struct tc_run_offers *offers); /* NULL is fine */
/* A reference. */
enum tc_err tc_run_offers_get(struct tc_cx *cx, struct tc_run_offers *offers, const struct tc_view *view,
                              enum tc_schema_provider provider, struct tc_run_offer **ret_offer);
/* The same, given back when cx->arena is finished. */
enum tc_err tc_run_offers_borrow(struct tc_cx *cx, struct tc_run_offers *offers, const struct tc_view *view,
                                 enum tc_schema_provider provider, struct tc_run_offer **ret_offer);

#endif
