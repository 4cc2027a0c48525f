/*
 * Model endpoints as data: who there is, which protocol each one speaks and what of it
 * it takes. A server that resembles another is a row here and nothing else.
 */
#ifndef TC_MODELS_ROWS_H
#define TC_MODELS_ROWS_H

#include "ports/models.h"
#include "toolcrib/provider.h"

struct tc_row {
    const char *name;         /* as channels name it: "deepseek" */
    const char *protocol;     /* name of the provider whose protocol it speaks */
    const char *title;        /* for people */
    const char *base_url;     /* used when a channel has none; NULL: it must have one */
    const char *key_variable; /* of its users; NULL: it takes no key */
    const char *places;       /* globs of "host/path", separated by '|'; NULL: found by name only */
    struct tc_model_caps caps;
    const struct tc_provider *provider;
};

/* By name, or by the base URL when that is empty. "openai" with the URL of another one that
 * speaks its protocol is that one. TC_E_CHANNEL_PROVIDER names those that there are. */
enum tc_err tc_rows_find(struct tc_cx *cx, struct tc_str name, struct tc_str base_url, struct tc_row *ret_row);
/* The name of the one at that URL, "openai" when it is nobody's. */
struct tc_str tc_rows_name_of(struct tc_str base_url);
/* What the row takes of that model. */
struct tc_model_caps tc_rows_caps(const struct tc_row *row, struct tc_str model);

#endif
