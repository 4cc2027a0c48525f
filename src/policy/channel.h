/*
 * A channel: a model endpoint with its models (spec 1). Decoded once from its stored
 * JSON; immutable and reference counted. The key of an endpoint is never in it: it
 * names the sealed secret that holds it.
 */
#ifndef TC_POLICY_CHANNEL_H
#define TC_POLICY_CHANNEL_H

#include "catalog/descriptor.h"
#include "toolcrib/json.h"
#include "toolcrib/model.h"

enum { TC_CHANNEL_MAX = 1024 * 1024 }; /* bytes of its JSON */

struct tc_channel_model {
    struct tc_str name, label;      /* as the endpoint calls it; for people, may be empty */
    bool has_capability, has_image_input, has_inline_chars;
    enum tc_capability capability;  /* when has_capability */
    bool image_input;               /* when has_image_input */
    int64_t context_window, max_output; /* tokens; 0: not said */
    int64_t max_tools;              /* 0: not said */
    int64_t inline_chars;           /* when has_inline_chars; -1 never */
    const struct tc_json *extra;    /* members of every request, or NULL */
};

struct tc_channel {
    struct tc_json_doc *doc;        /* the normalised JSON: this is what is stored; fields below borrow from it */
    struct tc_str id, label;
    struct tc_str provider, base_url; /* base_url empty: the provider's own */
    struct tc_str secret;           /* name of the secret with the key; may be empty */
    struct tc_model_header *headers; size_t headers_n;
    struct tc_channel_model *models; size_t models_n;
    bool enabled;
    int64_t version, created_at, updated_at; /* of the stored row; who loads it sets them */
    size_t refs;
    struct tc_arena arena;          /* owns the arrays */
};

/* Decodes and normalises: keys in one order, unset fields left out, `enabled` written
 * out. Anything else is TC_E_CHANNEL_INVALID with the field at fault and, for an unknown
 * key, the nearest right one; JSON that does not parse is TC_E_JSON_*. Whether there is
 * such a provider is not looked at. */
enum tc_err tc_channel_decode(struct tc_cx *cx, struct tc_str json, struct tc_channel **ret_channel);
struct tc_channel *tc_channel_ref(struct tc_channel *channel);
void tc_channel_unref(struct tc_channel *channel);
/* The row of that model, or NULL. */
const struct tc_channel_model *tc_channel_find(const struct tc_channel *channel, struct tc_str name);
/* The JSON Schema of the stored form, for the API and the docs. */
extern const char tc_channel_schema[];

#endif
