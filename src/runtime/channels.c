/*
 * The channels by their ids, loading and saving. A save validates, writes the secret
 * and the store, then swaps the decoded form in: what is in memory was stored.
 * channels_model.c finds models in them.
 */
#include "runtime/channels.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ports/store_channels.h"
#include "ports/store_tokens.h"
#include "runtime/agents.h"
#include "runtime/channels_impl.h"
#include "toolcrib/jsonw.h"

/* Takes the channel over. */
static enum tc_err keep(struct tc_cx *cx, struct tc_channels *channels, struct tc_channel *channel)
{
    struct tc_channel *former = tc_map_remove(&channels->by_id, channel->id);
    bool kept = tc_map_put(&channels->by_id, channel->id, channel);

    tc_channel_unref(former);
    if (kept)
        return TC_OK;
    tc_channel_unref(channel);
    return tc_fail_memory(cx);
}

static enum tc_err load_one(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel_row *row)
{
    struct tc_channel *channel;
    struct tc_error fault;
    enum tc_err err = tc_channel_decode(cx, row->json, &channel);

    if (err == TC_E_NO_MEMORY)
        return err;
    if (err) {
        fault = cx->err;
        return tc_fail(cx, err, "The channel \"%.*s\" cannot be read: %.*s", TC_STR_ARG(row->id),
                       TC_STR_ARG(fault.message));
    }
    channel->version = row->version;
    channel->created_at = row->created_at;
    channel->updated_at = row->updated_at;
    return keep(cx, channels, channel);
}

static enum tc_err load(struct tc_cx *cx, struct tc_channels *channels)
{
    struct tc_channel_row *rows;
    size_t n;
    enum tc_err err = channels->store->channels->all(cx, channels->store, &rows, &n);

    for (size_t i = 0; i < n && !err; i++)
        err = load_one(cx, channels, &rows[i]);
    return err;
}

/* False without memory. */
static bool copy_environment(struct tc_channels *channels, const struct tc_channels_environment *from)
{
    struct tc_channels_environment *to = &channels->environment;

    to->model = tc_arena_dup(&channels->arena, from->model);
    to->key = tc_arena_dup(&channels->arena, from->key);
    to->base_url = tc_arena_dup(&channels->arena, from->base_url);
    to->provider = tc_arena_dup(&channels->arena, from->provider);
    to->capability = tc_arena_dup(&channels->arena, from->capability);
    to->context_window = tc_arena_dup(&channels->arena, from->context_window);
    return to->model.p && to->key.p && to->base_url.p && to->provider.p && to->capability.p && to->context_window.p;
}

enum tc_err tc_channels_create(struct tc_cx *cx, const struct tc_channels_options *options,
                               struct tc_channels **ret_channels)
{
    struct tc_channels *channels = tc_mem_zalloc(1, sizeof *channels);
    enum tc_err err;

    if (!channels)
        return tc_fail_memory(cx);
    tc_arena_init(&channels->arena, 0);
    channels->store = options->store;
    channels->secrets = options->secrets;
    channels->models = options->models;
    channels->agents = options->agents;
    channels->pulse = options->pulse;
    err = copy_environment(channels, &options->environment) ? load(cx, channels) : tc_fail_memory(cx);
    if (err) {
        tc_channels_destroy(channels);
        return err;
    }
    *ret_channels = channels;
    return TC_OK;
}

void tc_channels_destroy(struct tc_channels *channels)
{
    struct tc_str key;
    void *value;

    if (!channels)
        return;
    for (size_t at = 0; tc_map_next(&channels->by_id, &at, &key, &value);)
        tc_channel_unref(value);
    tc_map_finish(&channels->by_id);
    tc_arena_finish(&channels->arena);
    tc_mem_free(channels);
}

/* --- looking --- */

enum tc_err tc_channels_get(struct tc_cx *cx, struct tc_channels *channels, struct tc_str id,
                            const struct tc_channel **ret_channel)
{
    struct tc_str key, nearest = TC_STR("");
    size_t best = 4;
    void *value;

    *ret_channel = tc_map_get(&channels->by_id, id);
    if (*ret_channel)
        return TC_OK;
    for (size_t at = 0; tc_map_next(&channels->by_id, &at, &key, &value);) {
        size_t distance = tc_str_distance(id, key, best);

        if (distance < best) {
            best = distance;
            nearest = key;
        }
    }
    tc_fail(cx, TC_E_CHANNEL_NOT_FOUND, "There is no channel \"%.*s\".", TC_STR_ARG(id));
    if (nearest.n)
        return tc_fail_hint(cx, "Did you mean \"%.*s\"?", TC_STR_ARG(nearest));
    return tc_fail_hint(cx, "toolcrib channel list shows the channels; toolcrib channel add makes one.");
}

size_t tc_channels_count(const struct tc_channels *channels)
{
    return channels->by_id.n;
}

static int by_id(const void *a, const void *b)
{
    return tc_str_cmp((*(const struct tc_channel *const *)a)->id, (*(const struct tc_channel *const *)b)->id);
}

enum tc_err tc_channels_all(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel ***ret_channels,
                            size_t *ret_n)
{
    const struct tc_channel **all = TC_ARENA_NEW_N(cx->arena, const struct tc_channel *, channels->by_id.n + 1);
    struct tc_str key;
    void *value;
    size_t n = 0;

    if (!all)
        return tc_fail_memory(cx);
    for (size_t at = 0; tc_map_next(&channels->by_id, &at, &key, &value);)
        all[n++] = value;
    qsort(all, n, sizeof *all, by_id);
    *ret_channels = all;
    *ret_n = n;
    return TC_OK;
}

/* --- saving --- */

static struct tc_str own_secret(struct tc_cx *cx, struct tc_str id)
{
    return tc_arena_printf(cx->arena, "channel.%.*s", TC_STR_ARG(id));
}

static bool is_printable(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 127)
            return false;
    return true;
}

/* What the document lacks: the provider, which the host tells, and the secret that
 * holds the key. */
static void write_rest(struct tc_channels *channels, const struct tc_json *root, struct tc_str secret,
                       struct tc_jsonw *w)
{
    struct tc_str url = tc_json_str(tc_json_get_c(root, "baseUrl"));

    if (!tc_json_get_c(root, "provider") && channels->models)
        tc_jsonw_kstr(w, "provider", channels->models->ops->provider_of(channels->models, url));
    if (secret.n)
        tc_jsonw_kstr(w, "secret", secret);
}

static enum tc_err complete(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_edit *edit,
                            struct tc_str *ret_json)
{
    const struct tc_json_limits limits = {.max_bytes = TC_CHANNEL_MAX};
    struct tc_str key, secret = TC_STR("");
    const struct tc_json *root, *value;
    struct tc_json_iter it;
    struct tc_jsonw w;
    struct tc_buf buf;
    enum tc_err err = tc_json_parse_root(cx, edit->json, &limits, &root);

    if (!err && edit->key.n)
        secret = own_secret(cx, tc_json_str(tc_json_get_c(root, "id")));
    if (err || !secret.p)
        return err ? err : tc_fail_memory(cx);
    tc_buf_init(&buf, 2 * TC_CHANNEL_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &value);) {
        if (secret.n && tc_str_is(key, "secret"))
            continue;
        tc_jsonw_key_str(&w, key);
        tc_jsonw_value(&w, value);
    }
    write_rest(channels, root, secret, &w);
    tc_jsonw_end(&w);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_json->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err decode(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_edit *edit,
                          struct tc_channel **ret_channel)
{
    struct tc_str json;
    enum tc_err err;

    if (!is_printable(edit->key)) {
        tc_fail(cx, TC_E_CHANNEL_INVALID, "The key has a line end or another control character in it.");
        return tc_fail_field(cx, TC_STR("/key"));
    }
    err = complete(cx, channels, edit, &json);
    return err ? err : tc_channel_decode(cx, json, ret_channel);
}

static enum tc_err check_provider(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel *channel)
{
    const struct tc_model_target target = {.provider = channel->provider, .base_url = channel->base_url};
    struct tc_str model = channel->models_n ? channel->models[0].name : TC_STR("");
    struct tc_model_caps caps;

    return channels->models ? channels->models->ops->caps(cx, channels->models, &target, model, &caps) : TC_OK;
}

/* Found out before a secret is changed for an edit that will not be. */
static enum tc_err check_version(struct tc_cx *cx, const struct tc_channel *former, const struct tc_channel *channel,
                                 const struct tc_channels_edit *edit)
{
    if (former && edit->create)
        return tc_fail(cx, TC_E_STORE_EXISTS, "There is already a channel \"%.*s\".", TC_STR_ARG(channel->id));
    if (!edit->version || !former || edit->version == former->version)
        return TC_OK;
    tc_fail(cx, TC_E_STORE_CONFLICT, "The channel \"%.*s\" was changed meanwhile.", TC_STR_ARG(channel->id));
    return tc_fail_hint(cx, "Read it again, and make the edit on what it is now.");
}

static enum tc_err put_key(struct tc_cx *cx, struct tc_channels *channels, struct tc_str name, struct tc_str key)
{
    struct tc_secret_row row = {.name = name};
    enum tc_err err = channels->secrets->ops->seal(cx, channels->secrets, name, key, &row.sealed);

    return err ? err : channels->store->secrets->put(cx, channels->store, &row, tc_clock_wall_ms(cx->clock));
}

static bool is_named(const struct tc_channels *channels, struct tc_str secret, const struct tc_channel *except)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&channels->by_id, &at, &key, &value);)
        if (value != except && tc_str_eq(((const struct tc_channel *)value)->secret, secret))
            return true;
    return false;
}

/* The channel's own secret goes when nothing names it any more. */
static enum tc_err drop_key(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel *former,
                            const struct tc_channel *channel)
{
    struct tc_str name = own_secret(cx, former->id);
    enum tc_err err = TC_OK;

    if (!name.p)
        return tc_fail_memory(cx);
    if (tc_str_eq(former->secret, name) && !(channel && tc_str_eq(channel->secret, name)) &&
        !is_named(channels, name, former))
        err = channels->store->secrets->remove(cx, channels->store, name);
    if (err != TC_E_STORE_NOT_FOUND)
        return err;
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err put_row(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channel *former,
                           struct tc_channel *channel)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    const struct tc_channel_row row = {
        .id = channel->id,
        .label = channel->label,
        .provider = channel->provider,
        .base_url = channel->base_url,
        .secret = channel->secret,
        .json = tc_json_text(cx->arena, tc_json_doc_root(channel->doc)),
        .enabled = channel->enabled,
        .version = former ? former->version : 0,
        .created_at = now,
        .updated_at = now,
    };

    if (!row.json.p)
        return tc_fail_memory(cx);
    channel->created_at = former ? former->created_at : now;
    channel->updated_at = now;
    return channels->store->channels->put(cx, channels->store, &row, &channel->version);
}

/* Under the lock; takes the channel over. */
static enum tc_err store_channel(struct tc_cx *cx, struct tc_channels *channels, struct tc_channel *channel,
                                 const struct tc_channels_edit *edit)
{
    const struct tc_channel *former = tc_map_get(&channels->by_id, channel->id);
    enum tc_err err = TC_OK;

    if (!former && !edit->create)
        err = tc_channels_get(cx, channels, channel->id, &former);
    if (!err)
        err = check_version(cx, former, channel, edit);
    if (!err)
        err = check_provider(cx, channels, channel);
    if (!err && edit->key.n)
        err = put_key(cx, channels, channel->secret, edit->key);
    if (!err)
        err = put_row(cx, channels, former, channel);
    if (!err && former)
        err = drop_key(cx, channels, former, channel);
    if (!err)
        return keep(cx, channels, channel);
    tc_channel_unref(channel);
    return err;
}

enum tc_err tc_channels_save(struct tc_cx *cx, struct tc_channels *channels, const struct tc_channels_edit *edit)
{
    struct tc_channel *channel;
    enum tc_err err = decode(cx, channels, edit, &channel);

    if (err)
        return err;
    err = tc_lock_take(cx, &channels->saving, -1);
    if (err) {
        tc_channel_unref(channel);
        return err;
    }
    err = store_channel(cx, channels, channel, edit);
    tc_lock_give(&channels->saving);
    if (!err)
        tc_pulse_beat(channels->pulse, TC_PULSE_CHANNELS);
    return err;
}

/* --- removing --- */

static enum tc_err check_unused(struct tc_cx *cx, struct tc_channels *channels, struct tc_str id)
{
    struct tc_str names = TC_STR("");
    struct tc_agent **agents;
    size_t n;
    enum tc_err err = tc_agents_all(cx, channels->agents, &agents, &n);

    if (err)
        return err;
    for (size_t i = 0; i < n && names.p; i++)
        if (tc_str_eq(agents[i]->model_channel, id))
            names = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(names), names.n ? ", " : "",
                                    TC_STR_ARG(agents[i]->id));
    if (!names.p)
        return tc_fail_memory(cx);
    if (!names.n)
        return TC_OK;
    tc_fail(cx, TC_E_CHANNEL_IN_USE, "The channel \"%.*s\" is the one of these agents: %.*s.", TC_STR_ARG(id),
            TC_STR_ARG(names));
    return tc_fail_hint(cx, "Give them another one first, or switch this one off.");
}

static enum tc_err drop(struct tc_cx *cx, struct tc_channels *channels, struct tc_str id)
{
    const struct tc_channel *channel;
    enum tc_err err = tc_channels_get(cx, channels, id, &channel);

    if (!err)
        err = check_unused(cx, channels, id);
    if (!err)
        err = channels->store->channels->remove(cx, channels->store, id);
    if (err)
        return err;
    err = drop_key(cx, channels, channel, NULL);
    tc_channel_unref(tc_map_remove(&channels->by_id, id));
    return err;
}

enum tc_err tc_channels_remove(struct tc_cx *cx, struct tc_channels *channels, struct tc_str id)
{
    enum tc_err err = tc_lock_take(cx, &channels->saving, -1);

    if (err)
        return err;
    err = drop(cx, channels, id);
    tc_lock_give(&channels->saving);
    if (!err)
        tc_pulse_beat(channels->pulse, TC_PULSE_CHANNELS);
    return err;
}
