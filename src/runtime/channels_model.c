/*
 * From an agent to its model. What a channel's row says stands over what is known of
 * the model by its name, and that over the defaults.
 */
#include "ports/store_tokens.h"
#include "runtime/channels_impl.h"

enum { UNKNOWN_WINDOW = 128000 };       /* tokens */
enum { MAX_STEPS = 50, SAME_CALL = 2 }; /* of runs by the environment (spec 5) */

#define TWO_WAYS                                                                                                       \
    "Set AI_MODEL and AI_API_KEY where the daemon starts, or add a channel: "                                          \
    "toolcrib channel add NAME --provider PROVIDER --model MODEL --key -"

/* --- which one --- */

static bool is_scripted(const struct tc_channels_environment *environment)
{
    return tc_str_is(environment->provider, "scripted");
}

/* The environment has a model, or can have the one that is named. */
static bool has_environment(const struct tc_channels_environment *environment, struct tc_str model)
{
    return environment->model.n || is_scripted(environment) ||
           (model.n && (environment->key.n || environment->base_url.n));
}

static enum tc_err fail_none(struct tc_cx *cx, const struct tc_channels_ask *ask, size_t enabled)
{
    struct tc_str agent = ask->agent ? ask->agent->id : TC_STR("");

    if (enabled && agent.n) {
        tc_fail(cx, TC_E_CHANNEL_NONE, "The agent \"%.*s\" does not say which of the %zu channels its model is in.",
                TC_STR_ARG(agent), enabled);
        return tc_fail_hint(cx, "toolcrib agent update %.*s --channel CHANNEL --model MODEL", TC_STR_ARG(agent));
    }
    if (agent.n)
        tc_fail(cx, TC_E_CHANNEL_NONE, "There is no model for the agent \"%.*s\".", TC_STR_ARG(agent));
    else
        tc_fail(cx, TC_E_CHANNEL_NONE, "There is no model.");
    return tc_fail_hint(cx, TWO_WAYS);
}

/* The one channel that is enabled. */
static enum tc_err find_only(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_ask *ask,
                             const struct tc_channel **ret_channel)
{
    const struct tc_channel *found = NULL;
    size_t enabled = 0;
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&channels->by_id, &at, &key, &value);) {
        const struct tc_channel *channel = value;

        if (channel->enabled) {
            found = channel;
            enabled++;
        }
    }
    if (enabled != 1)
        return fail_none(cx, ask, enabled);
    *ret_channel = found;
    return TC_OK;
}

static void unref(void *channel)
{
    tc_channel_unref(channel);
}

/* *ret_channel NULL: the environment. The channel is kept as long as the arena. */
static enum tc_err find_channel(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_ask *ask,
                                struct tc_str model, const struct tc_channel **ret_channel)
{
    struct tc_str id = ask->channel.n || ask->found || !ask->agent ? ask->channel : ask->agent->model_channel;
    const struct tc_channel *channel;
    enum tc_err err;

    if (!id.n && has_environment(&channels->environment, model)) {
        *ret_channel = NULL;
        return TC_OK;
    }
    if (!id.n && ask->found)
        return fail_none(cx, ask, 0);
    err = id.n ? tc_channels_get(cx, channels, id, &channel) : find_only(cx, channels, ask, &channel);
    if (err)
        return err;
    if (!channel->enabled && ask->agent) {
        tc_fail(cx, TC_E_CHANNEL_NONE, "The channel \"%.*s\" is switched off.", TC_STR_ARG(id));
        return tc_fail_hint(cx, "toolcrib channel update %.*s --enable", TC_STR_ARG(id));
    }
    if (!tc_arena_defer(cx->arena, unref, (void *)channel))
        return tc_fail_memory(cx);
    *ret_channel = tc_channel_ref((struct tc_channel *)channel);
    return TC_OK;
}

/* The model that is named; an agent's name of one belongs to the agent's channel. */
static struct tc_str named(const struct tc_channels_ask *ask)
{
    if (ask->model.n || !ask->agent)
        return ask->model;
    if (ask->channel.n && !tc_str_eq(ask->channel, ask->agent->model_channel))
        return TC_STR("");
    return ask->agent->model_name;
}

/* *ret_row NULL: the channel has no rows, any model will do. */
static enum tc_err find_row(struct tc_cx *cx, const struct tc_channel *channel, struct tc_str name,
                            const struct tc_channel_model **ret_row)
{
    struct tc_str list = TC_STR("");

    *ret_row = name.n ? tc_channel_find(channel, name) : channel->models_n ? &channel->models[0] : NULL;
    if (*ret_row || (name.n && !channel->models_n))
        return TC_OK;
    if (!name.n) {
        tc_fail(cx, TC_E_CHANNEL_NONE, "The channel \"%.*s\" lists no models, and none was named.",
                TC_STR_ARG(channel->id));
        return tc_fail_hint(cx, "toolcrib channel update %.*s --model MODEL", TC_STR_ARG(channel->id));
    }
    for (size_t i = 0; i < channel->models_n && i < 10 && list.p; i++)
        list = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(list), list.n ? ", " : "",
                               TC_STR_ARG(channel->models[i].name));
    if (!list.p)
        return tc_fail_memory(cx);
    tc_fail(cx, TC_E_CHANNEL_NONE, "The channel \"%.*s\" has no model \"%.*s\".", TC_STR_ARG(channel->id),
            TC_STR_ARG(name));
    return tc_fail_hint(cx, "Its models are: %.*s%s.", TC_STR_ARG(list), channel->models_n > 10 ? ", …" : "");
}

/* --- what it can do --- */

static enum tc_err fail_variable(struct tc_cx *cx, const char *name, const char *asked)
{
    return tc_fail(cx, TC_E_CHANNEL_INVALID, "The environment variable %s must be %s.", name, asked);
}

/* What AI_MODEL_CAPABILITY and AI_CONTEXT_WINDOW say where nothing is known. */
static enum tc_err read_variables(struct tc_cx *cx, const struct tc_channels_environment *environment,
                                  struct tc_model *model)
{
    if (environment->capability.n && !tc_capability_of(environment->capability, &model->capability))
        return fail_variable(cx, "AI_MODEL_CAPABILITY", "text, vision or multimodal");
    if (environment->context_window.n && (!tc_str_int(environment->context_window, &model->context_window) ||
                                          model->context_window < 1))
        return fail_variable(cx, "AI_CONTEXT_WINDOW", "a number of tokens");
    return TC_OK;
}

static enum tc_err set_known(struct tc_cx *cx, struct tc_channels *channels, struct tc_channels_model *found)
{
    struct tc_model *model = &found->model;
    struct tc_model_known known = {0};
    bool is_known = channels->models->ops->known(channels->models, model->name, &known);
    enum tc_err err = TC_OK;

    model->capability = is_known && known.image_input ? TC_CAPABILITY_MULTIMODAL : TC_CAPABILITY_TEXT;
    model->context_window = known.context_window > 0 ? known.context_window : UNKNOWN_WINDOW;
    if (!is_known && !found->channel)
        err = read_variables(cx, &channels->environment, model);
    model->image_input = model->capability != TC_CAPABILITY_TEXT && found->caps.image_input;
    model->max_tools = found->caps.tools_max;
    found->max_output = known.max_output;
    return err;
}

static void set_row(const struct tc_channel_model *row, struct tc_channels_model *found)
{
    struct tc_model *model = &found->model;

    if (row->has_capability) {
        model->capability = row->capability;
        model->image_input = row->capability != TC_CAPABILITY_TEXT;
    }
    if (row->has_image_input)
        model->image_input = row->image_input;
    found->caps.image_input = model->image_input; /* the operator knows it better than a table */
    if (row->context_window)
        model->context_window = row->context_window;
    if (row->max_tools)
        model->max_tools = row->max_tools;
    if (row->max_output)
        found->max_output = row->max_output;
    found->has_inline_chars = row->has_inline_chars;
    found->inline_chars = row->inline_chars;
    found->extra = row->extra;
}

static void set_place(struct tc_channels *channels, struct tc_channels_model *found, struct tc_str name)
{
    const struct tc_channels_environment *environment = &channels->environment;

    if (found->channel) {
        found->provider = found->channel->provider;
        found->base_url = found->channel->base_url;
        return;
    }
    found->model.name = name.n ? name : environment->model.n ? environment->model : TC_STR("scripted");
    found->base_url = environment->base_url;
    found->provider = environment->provider.n
                          ? environment->provider
                          : channels->models->ops->provider_of(channels->models, environment->base_url);
}

static void set_guards(const struct tc_agent *agent, struct tc_channels_model *found)
{
    int64_t max_steps = agent ? agent->max_steps : 0, same_call = agent ? agent->same_call : 0;

    found->max_steps = max_steps || found->channel ? max_steps : MAX_STEPS;
    found->same_call = same_call || found->channel ? same_call : SAME_CALL;
}

enum tc_err tc_channels_model(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_ask *ask,
                              struct tc_channels_model *ret_model)
{
    struct tc_channels_model found = {0};
    const struct tc_channel_model *row = NULL;
    struct tc_model_target target = {0};
    struct tc_str name = named(ask);
    enum tc_err err;

    if (!channels->models)
        return fail_none(cx, ask, 0);
    err = find_channel(cx, channels, ask, name, &found.channel);
    if (!err && found.channel)
        err = find_row(cx, found.channel, name, &row);
    if (err)
        return err;
    found.model.name = row ? row->name : name;
    set_place(channels, &found, name);
    if (!row) { /* it may be the agent's or the caller's, which the answer outlives */
        found.model.name = tc_arena_dup(cx->arena, found.model.name);
        if (!found.model.name.p)
            return tc_fail_memory(cx);
    }
    target.provider = found.provider;
    target.base_url = found.base_url;
    err = channels->models->ops->caps(cx, channels->models, &target, found.model.name, &found.caps);
    if (!err)
        err = set_known(cx, channels, &found);
    if (err)
        return err;
    if (row)
        set_row(row, &found);
    set_guards(ask->agent, &found);
    *ret_model = found;
    return TC_OK;
}

/* --- where it is --- */

static enum tc_err unseal(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel *channel,
                          struct tc_str *ret_key)
{
    struct tc_secret_row row;
    enum tc_err err = channels->store->secrets->get(cx, channels->store, channel->secret, &row);

    if (!err)
        err = channels->secrets->ops->unseal(cx, channels->secrets, channel->secret, row.sealed, ret_key);
    if (err != TC_E_STORE_NOT_FOUND && err != TC_E_SECRET_SEALED)
        return err;
    tc_fail(cx, TC_E_CHANNEL_INVALID, "The key of the channel \"%.*s\" %s.", TC_STR_ARG(channel->id),
            err == TC_E_STORE_NOT_FOUND ? "is not there any more" : "was sealed with another key of this program");
    return tc_fail_hint(cx, "Give it again: toolcrib channel update %.*s --key -", TC_STR_ARG(channel->id));
}

enum tc_err tc_channels_target(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_model *model,
                               struct tc_model_target *ret_target)
{
    const struct tc_channel *channel = model->channel;
    struct tc_model_target target = {.provider = model->provider, .base_url = model->base_url};
    enum tc_err err = TC_OK;

    if (!channel) {
        target.key = channels->environment.key;
    } else {
        target.channel = channel->id;
        target.headers = channel->headers;
        target.headers_n = channel->headers_n;
        if (channel->secret.n)
            err = unseal(cx, channels, channel, &target.key);
    }
    if (!err)
        *ret_target = target;
    return err;
}
