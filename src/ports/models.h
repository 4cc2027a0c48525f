/*
 * Models as the runtime has them: one turn of one. Implemented by src/models, over
 * HTTP for the providers and from a file for the scripted model; and by tests.
 */
#ifndef TC_PORTS_MODELS_H
#define TC_PORTS_MODELS_H

#include "io/task.h"
#include "toolcrib/model.h"

struct tc_models;

enum { TC_MODELS_REQUEST_MAX = 48 * 1024 * 1024 /* bytes of a request */ };

/* Which model, through what. */
struct tc_model_target {
    struct tc_str provider;        /* "openai", "scripted", … */
    struct tc_str base_url;        /* empty: the provider's */
    struct tc_str key;             /* in clear: never logged, stored or shown; may be empty */
    struct tc_str channel;         /* that it is of, for hints; empty: of the AI_ variables */
    struct tc_model_header *headers; /* further ones of the channel */
    size_t headers_n;
    int64_t first_ms, idle_ms;     /* until an answer begins, between two pieces of it; 0: 120 s, 60 s */
    int tries;                     /* at most; 0: 3 */
};

/* How a turn is going, for a person who waits: a retry that is on its way. */
struct tc_model_trouble {
    enum tc_err code;
    struct tc_str message;
    int tried;
    int64_t wait_ms;
};

struct tc_model_watch {
    struct tc_model_sink sink;
    /* With sink.arg, before the wait; what was heard is void. May park, leaves the failure
     * alone. May be NULL. */
    void (*retrying)(void *arg, const struct tc_model_trouble *trouble);
};

/* What is known of a model by its name. */
struct tc_model_known {
    bool image_input;
    int64_t context_window, max_output; /* tokens */
};

struct tc_models_ops {
    /* MUST. What a target takes, found by provider, host and model. Constant data.
     * TC_E_CHANNEL_PROVIDER names the providers that there are. */
    enum tc_err (*caps)(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str model, struct tc_model_caps *ret_caps);
    /* MUST. The provider that a base URL belongs to by its host, "openai" when none does. */
    struct tc_str (*provider_of)(struct tc_models *self, struct tc_str base_url);
    /* MUST. False: nothing is known of it. */
    bool (*known)(struct tc_models *self, struct tc_str model, struct tc_model_known *ret_known);
    /* MUST, PARKS. One turn: sends the request, again where that is right and nothing can
     * have happened, and puts the answer together in cx->arena. watch may be NULL.
     * Fails with a TC_E_MODEL_ code whose sentence is for a person, its hint the next step. */
    enum tc_err (*turn)(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, const struct tc_model_watch *watch,
                        struct tc_model_reply *ret_reply);
    /* MUST. The bytes that turn would send, for a replay. */
    enum tc_err (*body)(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, struct tc_str *ret_body);
    /* MUST, PARKS. The models that the endpoint lists; none where it lists none. */
    enum tc_err (*list)(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str **ret_names, size_t *ret_n);

    /* For a program with a loop of its own, in the shapes of the provider that it names. */
    /* MUST. The tools as a request of that provider has them: a JSON array. */
    enum tc_err (*tools)(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                         const struct tc_model_tool *tools, size_t n, struct tc_str *ret_json);
    /* MUST. What a message of an assistant says, as the provider sent it; provider empty: the
     * one of its form. TC_E_HTTP_BAD_REQUEST where it is none. */
    enum tc_err (*read)(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                        const struct tc_json *message, struct tc_str *ret_provider, struct tc_model_reply *ret_reply);
    /* MUST. The messages that answer the calls of that reply, one result a call in their order
     * (text, is_error and images): a JSON array. */
    enum tc_err (*answer)(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                          const struct tc_model_reply *reply, const struct tc_part *results, struct tc_str *ret_json);
};

struct tc_models {
    const struct tc_models_ops *ops;
};

#endif
