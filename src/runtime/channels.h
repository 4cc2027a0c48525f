/*
 * Channels in memory, written through to the store, and the one way to an agent's
 * model: what it can do (for the resolver) and where it is (for one turn).
 *
 * Keys are sealed in the secret store and are in clear only in a target, in the arena
 * of the task that is about to send.
 */
#ifndef TC_RUNTIME_CHANNELS_H
#define TC_RUNTIME_CHANNELS_H

#include "io/task.h"
#include "policy/agent.h"
#include "policy/channel.h"
#include "ports/models.h"
#include "ports/secrets.h"
#include "ports/store.h"
#include "runtime/pulse.h"

struct tc_agents;
struct tc_channels;

/* The model of whoever configures nothing; each may be empty. */
struct tc_channels_environment {
    struct tc_str model, key, base_url, provider; /* AI_MODEL, AI_API_KEY, AI_API_BASE, AI_PROVIDER */
    struct tc_str capability, context_window;     /* AI_MODEL_CAPABILITY, AI_CONTEXT_WINDOW */
};

struct tc_channels_options {
    struct tc_store *store;
    struct tc_secrets *secrets;
    struct tc_models *models; /* NULL: nothing has a model */
    struct tc_agents *agents; /* who may name a channel */
    struct tc_channels_environment environment; /* is copied */
    struct tc_pulse *pulse; /* beats at each change; may be NULL */
};

/* Loads all. A channel that no longer decodes fails the start with its id. */
PARKS enum tc_err tc_channels_create(struct tc_cx *cx, const struct tc_channels_options *options,
                                     struct tc_channels **ret_channels);
void tc_channels_destroy(struct tc_channels *channels);

/* --- an agent's model --- */

struct tc_channels_ask {
    const struct tc_agent *agent; /* NULL: nobody, who looks at a channel, be it enabled or not */
    struct tc_str channel, model; /* instead of the agent's; may be empty */
    bool found;                   /* they were found so before: an empty channel is the environment's */
};

/* All of it lasts until cx->arena is finished. */
struct tc_channels_model {
    const struct tc_channel *channel;  /* NULL: the environment's */
    struct tc_model model;             /* for the resolver */
    struct tc_model_caps caps;
    struct tc_str provider, base_url;
    int64_t max_output;                /* tokens; 0: not known */
    bool has_inline_chars;
    int64_t inline_chars;              /* stands over the agent's, when has_inline_chars */
    int64_t max_steps, same_call;      /* guards: the agent's, else those of runs by the environment; 0: none */
    const struct tc_json *extra;       /* members of each request, or NULL */
};

/* Never parks. Without a channel in the question and in the agent it is AI_MODEL, else
 * the one channel that is enabled. What is not said of a model is known by its name, else
 * text and 128,000 tokens. TC_E_CHANNEL_NONE says how to get one, TC_E_CHANNEL_NOT_FOUND,
 * TC_E_CHANNEL_PROVIDER. */
enum tc_err tc_channels_model(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_ask *ask,
                              struct tc_channels_model *ret_model);
/* Where to send, with the key unsealed: for the next call only. TC_E_CHANNEL_INVALID when
 * its secret is gone. */
PARKS enum tc_err tc_channels_target(struct tc_cx *cx, struct tc_channels *channels,
                                     const struct tc_channels_model *model, struct tc_model_target *ret_target);

/* --- administration --- */

/* Borrowed until the next parking call. TC_E_CHANNEL_NOT_FOUND names the nearest id. */
enum tc_err tc_channels_get(struct tc_cx *cx, struct tc_channels *channels, struct tc_str id,
                            const struct tc_channel **ret_channel);
size_t tc_channels_count(const struct tc_channels *channels);
/* All by id, borrowed, the array in the arena. */
enum tc_err tc_channels_all(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel ***ret_channels,
                            size_t *ret_n);

struct tc_channels_edit {
    struct tc_str json; /* the document as it came, an object; the normalised form is stored. Without a provider it
                         * is that of the host */
    struct tc_str key;  /* sealed as the secret channel.<id>, which the document then names; empty: as it says */
    bool create;
    int64_t version;    /* of what was edited; 0: whatever it is */
};
/* TC_E_STORE_EXISTS, TC_E_STORE_CONFLICT, TC_E_CHANNEL_INVALID, TC_E_CHANNEL_PROVIDER. */
PARKS enum tc_err tc_channels_save(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_edit *edit);
/* With the secret channel.<id>. TC_E_CHANNEL_IN_USE names the agents that name it. */
PARKS enum tc_err tc_channels_remove(struct tc_cx *cx, struct tc_channels *channels, struct tc_str id);

#endif
