/*
 * Arguments of a call: from what came over the wire to the object that a tool
 * may get, or a refusal (spec 5, arguments and schema). Pure.
 */
#ifndef TC_RUNTIME_ARGUMENTS_H
#define TC_RUNTIME_ARGUMENTS_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"
#include "toolcrib/schema.h"

enum { TC_ARGUMENTS_ECHO = 200, TC_ARGUMENTS_FAULTS = 5 };

/* One rule for every wire form: an object, or a string that encodes one, is that
 * object; absent (NULL), null, "", "null", "{}" and {} are the empty object; all
 * else is TC_E_TOOL_INVALID_ARGUMENTS with its first 200 characters. */
enum tc_err tc_arguments_read(struct tc_cx *cx, const struct tc_json *wire, const struct tc_json **ret_object);

struct tc_arguments_rules {
    const struct tc_schema *schema;
    const struct tc_json *input_schema; /* for names of parameters */
    struct tc_str renamed;              /* "old=new …", may be empty */
    bool repair;
};

struct tc_arguments_checked {
    const struct tc_json *object;        /* as it will run: repaired or as read */
    struct tc_schema_change *changes;    /* of the repair */
    size_t changes_n;
};

/* Validates, repairs where exactly one lossless reading is there; marks of the call inside a
 * value (markup.h) are refused, valid or not. A failure is
 * TC_E_TOOL_INVALID_ARGUMENTS: at most five lines a model can act on, the valid
 * names for an unknown key, and that nothing ran. TC_E_SCHEMA_BUDGET likewise. */
enum tc_err tc_arguments_check(struct tc_cx *cx, const struct tc_arguments_rules *rules, const struct tc_json *object,
                               struct tc_arguments_checked *ret);

/* JSON text of the changes: [{"path","from","to"}]; to is null when left out. */
struct tc_str tc_arguments_changes_text(struct tc_cx *cx, const struct tc_schema_change *changes, size_t n);

#endif
