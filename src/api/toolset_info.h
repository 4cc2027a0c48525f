/*
 * What is known of a toolset by its name, whoever made it: the code, a source of tools, the
 * operator.
 */
#ifndef TC_API_TOOLSET_INFO_H
#define TC_API_TOOLSET_INFO_H

#include "api/api.h"

struct tc_toolset_facts {
    struct tc_str name, label, description;
    const char *source; /* "builtin", "mcp", "extension", "host", "composite", "all"; NULL: nobody knows it */
    size_t index;       /* in the catalog's toolsets; SIZE_MAX: no tool is of it */
    const struct tc_toolset *composite; /* or NULL */
};
/* All borrowed until the next parking call. */
struct tc_toolset_facts tc_toolset_look(const struct tc_api_call *call, struct tc_str name);
/* Every toolset that can be given to an agent: those of the code in their order, of sources and of the operator by
 * name. The array in the arena. */
enum tc_err tc_toolset_names(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str **ret_names,
                             size_t *ret_n);
/* reached[i] for each toolset of the catalog that it holds, itself or through others; in the arena. */
enum tc_err tc_toolset_reached(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_toolset_facts *toolset,
                               const uint16_t **ret_reached);

#endif
