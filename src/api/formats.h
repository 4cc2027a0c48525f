/*
 * /v1 in the shapes of model providers, for programs with their own loop: the list of
 * tools, and the calls of an assistant's message.
 */
#ifndef TC_API_FORMATS_H
#define TC_API_FORMATS_H

#include "api/api.h"
#include "runtime/run_offer.h"

/* The tools of a list. */
struct tc_api_tools {
    const struct tc_view *view;
    size_t *positions, n;                      /* in the view's tools */
};

/* What they become for a provider. */
struct tc_api_format {
    struct tc_str tools;                       /* JSON: the list in its shape */
    const struct tc_run_offer *offer;          /* of all tools of the view */
    int tools_max;                             /* of a request; 0: no limit known */
};

/* TC_E_HTTP_BAD_REQUEST names the formats that there are. */
enum tc_err tc_api_format_caps(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
                               struct tc_model_caps *ret_caps);
enum tc_err tc_api_format_tools(struct tc_cx *cx, struct tc_api_call *call, struct tc_str provider,
                                const struct tc_api_tools *tools, struct tc_api_format *ret_format);
/* Writes what of them the provider does not take as it is, one diagnostic each. */
void tc_api_format_diagnostics(struct tc_jsonw *w, const struct tc_api_format *format,
                               const struct tc_api_tools *tools);

/* POST /v1/tools/calls: in order, those that bear it beside each other (format_calls.c). */
PARKS enum tc_err tc_api_format_calls(struct tc_cx *cx, struct tc_api_call *call);

#endif
