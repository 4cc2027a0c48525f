/*
 * The provider unit: one wire protocol of models. A file src/models/anthropic.c defines
 * `const struct tc_provider tc_provider_anthropic`; scripts/gen-tables finds it there.
 *
 * A provider is pure: it writes a request and reads an answer, and neither sends nor
 * waits. Servers that speak the protocol of another one are rows of capabilities
 * (src/models/rows.c), not providers.
 */
#ifndef TOOLCRIB_PROVIDER_H
#define TOOLCRIB_PROVIDER_H

#include "toolcrib/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Where an answer is put together; src/models/builder.h has what a provider does with it. */
struct tc_reply_builder;

struct tc_model_wire {
    struct tc_str path;                  /* behind the base URL, with a query where there is one */
    struct tc_model_header headers[6];   /* Content-Type and Accept are the driver's */
    size_t headers_n;
};

struct tc_provider {
    const char *name;                    /* "anthropic" */
    const char *title;
    const char *base_url;                /* used when a channel has none */
    const char *key_variable;            /* environment variable of its users, for hints: "ANTHROPIC_API_KEY" */
    struct tc_model_caps caps;           /* of its own endpoint */
    /* The body of a request, JSON text. Fails with TC_E_MODEL_REQUEST when the request
     * cannot be said in this protocol. */
    enum tc_err (*write)(struct tc_cx *cx, const struct tc_model_request *request, struct tc_buf *to);
    /* Path and headers; key may be empty. In the arena. */
    enum tc_err (*wire)(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str key,
                        struct tc_model_wire *ret_wire);
    /* Takes the data of one event of a stream; type may be empty. Fails with
     * TC_E_MODEL_PROTOCOL for what it cannot read, and with the error of an error event. */
    enum tc_err (*event)(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                         const struct tc_json *data);
    /* Takes a whole answer that was not streamed. */
    enum tc_err (*whole)(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body);
    /* The path that lists models, and their names in what it answers; NULL: it has none. */
    const char *models_path;
    enum tc_err (*models)(struct tc_cx *cx, const struct tc_json *body, struct tc_str **ret_names, size_t *ret_n);
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
