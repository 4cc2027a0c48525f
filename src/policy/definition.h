/*
 * What the change of a tool's definition means to whoever has to approve it. Pure.
 *
 * The comparison is by consequence, not by line: hints with their defaults of MCP, the
 * properties of the input schema by name, texts that a model reads. What has no kind of its
 * own is a schemaChanged, so that no change of a schema goes without a word.
 */
#ifndef TC_POLICY_DEFINITION_H
#define TC_POLICY_DEFINITION_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum { TC_DEFINITION_CHANGES_MAX = 256 };

enum tc_severity { TC_SEVERITY_LOW, TC_SEVERITY_MEDIUM, TC_SEVERITY_HIGH };

struct tc_definition_change {
    const char *kind;               /* readOnlyRemoved, destructiveAdded, descriptionChanged, propertyAdded,
                                     * propertyRemoved, requiredAdded, defaultChanged, annotationsChanged,
                                     * outputChanged, titleChanged, schemaChanged */
    struct tc_str path;             /* JSON Pointer in the tools/list entry, 4 KiB at most */
    const struct tc_json *from, *to; /* NULL: not there */
    enum tc_severity severity;
    struct tc_str orders;           /* the words by which a new text gives orders to a model; empty: none */
};

/* From one tools/list entry to another, the gravest first, TC_DEFINITION_CHANGES_MAX at most.
 * Values are the entries'. */
enum tc_err tc_definition_compare(struct tc_cx *cx, const struct tc_json *before, const struct tc_json *after,
                                  struct tc_definition_change **ret_changes, size_t *ret_n);

/* Does a text give orders to the model that reads it, beyond saying what a tool is for?
 * The words that do, empty when none are found; p NULL without memory. It looks for a few
 * turns of phrase, any case and spacing: it finds what is careless or blunt, not what is
 * clever, and is a reason to read the text, never a verdict. */
struct tc_str tc_definition_orders(struct tc_cx *cx, struct tc_str text);

const char *tc_severity_name(enum tc_severity severity);

#endif
