/*
 * /admin/channel: model endpoints. A key goes in and never comes out; the values of
 * further headers are for operators.
 */
#include "api/changed.h"
#include "api/sort.h"
#include "base/clock.h"

enum { LISTED_MAX = 1000, TEST_MS = 30 * 1000, TEST_OUTPUT = 512 };

/* Of a body, not of the document. */
static const char *const apart[] = {"version", "key", NULL};
static const char *const apart_without_key[] = {"version", "key", "secret", NULL};

/* --- looking --- */

static void write_headers(struct tc_jsonw *w, const struct tc_channel *channel, bool values)
{
    tc_jsonw_key(w, "headers");
    tc_jsonw_object(w);
    for (size_t i = 0; i < channel->headers_n; i++) {
        tc_jsonw_key_str(w, channel->headers[i].name);
        if (values)
            tc_jsonw_str(w, channel->headers[i].value);
        else
            tc_jsonw_null(w);
    }
    tc_jsonw_end(w);
}

static enum tc_err write_agents(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_agent **agents;
    size_t n;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    tc_jsonw_key(call->out, "agents");
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n && !e; i++)
        if (tc_str_eq(agents[i]->model_channel, id))
            tc_jsonw_str(call->out, agents[i]->id);
    tc_jsonw_end(call->out);
    return e;
}

/* The document with what is known beside it. */
static enum tc_err write_channel(struct tc_cx *cx, struct tc_api_call *call, const struct tc_channel *channel,
                                 const struct tc_change_row *last)
{
    struct tc_json_iter it = tc_json_iter(tc_json_doc_root(channel->doc));
    struct tc_jsonw *w = call->out;
    const struct tc_json *value;
    struct tc_str key;
    enum tc_err e;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "headers")) {
            write_headers(w, channel, tc_api_sees_bodies(call));
            continue;
        }
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_kbool(w, "hasKey", channel->secret.n > 0);
    e = write_agents(cx, call, channel->id);
    tc_jsonw_kint(w, "version", channel->version);
    tc_api_time(w, "createdAt", channel->created_at);
    tc_api_time(w, "updatedAt", channel->updated_at);
    tc_changed_by(call, last);
    tc_jsonw_end(w);
    return e;
}

/* They are held meanwhile: looking up their changes parks. */
static enum tc_err write_channels(struct tc_cx *cx, struct tc_api_call *call, const struct tc_channel *const *channels,
                                  size_t n)
{
    struct tc_str *ids = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = ids ? TC_OK : tc_fail_memory(cx);

    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        ids[i] = tc_channel_ref((struct tc_channel *)channels[i])->id;
    e = tc_changed_latest(cx, call, "channel", ids, n, &last);
    for (size_t i = 0; i < n; i++) {
        if (!e)
            e = write_channel(cx, call, channels[i], &last[i]);
        tc_channel_unref((struct tc_channel *)channels[i]);
    }
    return e;
}

static enum tc_err answer_channel(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    const struct tc_channel *channel;
    enum tc_err e = tc_channels_get(cx, call->runtime->channels, id, &channel);

    return e ? e : write_channels(cx, call, &channel, 1);
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_channel **channels;
    size_t n;
    enum tc_err e = tc_channels_all(cx, call->runtime->channels, &channels, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    e = write_channels(cx, call, channels, n);
    tc_jsonw_end(call->out);
    return e;
}

static bool holds(struct tc_str text, struct tc_str part)
{
    return tc_str_find_nocase(text, part) != SIZE_MAX;
}

static bool has_model(const struct tc_channel *channel, struct tc_str part)
{
    for (size_t i = 0; i < channel->models_n; i++)
        if (holds(channel->models[i].name, part) || holds(channel->models[i].label, part))
            return true;
    return false;
}

static bool matches(const struct tc_channel *channel, struct tc_str search, const struct tc_json *filters)
{
    struct tc_str provider = tc_json_str(tc_json_get_c(filters, "provider"));
    const struct tc_json *enabled = tc_json_get_c(filters, "enabled");

    return (!search.n || holds(channel->id, search) || holds(channel->label, search) ||
            holds(channel->provider, search) || holds(channel->base_url, search) || has_model(channel, search)) &&
           (!provider.n || tc_str_eq(channel->provider, provider)) &&
           (!enabled || channel->enabled == tc_json_bool(enabled, true));
}

static struct tc_api_rank rank(const void *row, struct tc_str by)
{
    const struct tc_channel *channel = row;
    struct tc_api_rank rank = {.text = TC_STR(""), .id = channel->id};

    if (tc_str_is(by, "models"))
        rank.number = (int64_t)channel->models_n;
    else if (tc_str_is(by, "updatedAt") || tc_str_is(by, "enabled"))
        rank.number = tc_str_is(by, "enabled") ? channel->enabled : channel->updated_at;
    else if (tc_str_is(by, "label") || tc_str_is(by, "provider"))
        rank.text = tc_str_is(by, "label") ? channel->label : channel->provider;
    return rank;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_store_page page = tc_api_page(call, false);
    struct tc_api_part part;
    const struct tc_channel **channels;
    size_t n, met = 0;
    enum tc_err e = tc_channels_all(cx, call->runtime->channels, &channels, &n);

    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        if (matches(channels[i], page.search, tc_json_get_c(call->body, "filters")))
            channels[met++] = channels[i];
    tc_api_sort(channels, met, rank, &page);
    part = tc_api_page_part(&page, met);
    tc_api_page_open(call);
    e = write_channels(cx, call, channels + part.from, part.n);
    tc_api_page_close(call, &page, (int64_t)met);
    return e;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : answer_channel(cx, call, id);
}

/* --- changing --- */

/* As a viewer sees it: headers without their values. */
static void write_document(struct tc_jsonw *w, const void *object)
{
    const struct tc_channel *channel = object;
    struct tc_json_iter it = tc_json_iter(tc_json_doc_root(channel->doc));
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "headers")) {
            write_headers(w, channel, false);
            continue;
        }
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
}

/* Notes what was done to the channel and answers with what it is now. */
static enum tc_err answer_changed(struct tc_cx *cx, struct tc_api_call *call, struct tc_changed *change)
{
    const struct tc_channel *channel;
    enum tc_err e = tc_channels_get(cx, call->runtime->channels, change->object, &channel);

    if (e)
        return e;
    change->version = channel->version;
    change->after = tc_changed_document(cx, write_document, channel);
    tc_changed_note(cx, call, change);
    return answer_channel(cx, call, change->object);
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "channel", .action = "create", .object = tc_api_field(call, "id")};
    struct tc_channels_edit edit = {.key = tc_api_field(call, "key"), .create = true};
    enum tc_err e = tc_api_document(cx, call, NULL, apart, &edit.json);

    if (!e)
        e = tc_channels_save(cx, call->runtime->channels, &edit);
    return e ? e : answer_changed(cx, call, &change);
}

/* Fields of the body replace those stored; null takes one out, the key as well. */
static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "channel", .action = "update", .object = tc_api_field(call, "id")};
    bool without_key = tc_json_is(tc_json_get_c(call->body, "key"), TC_JSON_NULL);
    struct tc_channels_edit edit = {.key = tc_api_field(call, "key")};
    const struct tc_channel *channel;
    enum tc_err e = tc_channels_get(cx, call->runtime->channels, change.object, &channel);

    if (e)
        return e;
    edit.version = channel->version; /* what was merged with is what must still be stored */
    change.before = tc_changed_document(cx, write_document, channel);
    tc_json_int(tc_json_get_c(call->body, "version"), &edit.version);
    e = tc_api_document(cx, call, tc_json_doc_root(channel->doc), without_key ? apart_without_key : apart, &edit.json);
    if (!e)
        e = tc_channels_save(cx, call->runtime->channels, &edit);
    return e ? tc_changed_conflict(cx, call, e, answer_channel, change.object) : answer_changed(cx, call, &change);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "channel", .action = "remove", .object = tc_api_field(call, "id")};
    const struct tc_channel *channel;
    enum tc_err e = tc_channels_get(cx, call->runtime->channels, change.object, &channel);

    if (!e) {
        change.before = tc_changed_document(cx, write_document, channel);
        e = tc_channels_remove(cx, call->runtime->channels, change.object);
    }
    if (e)
        return e;
    tc_changed_note(cx, call, &change);
    tc_api_done(call);
    return TC_OK;
}

/* --- testing --- */

struct probe {
    struct tc_channels_model model;
    struct tc_model_target target;
    struct tc_str *names; /* that the endpoint lists */
    size_t names_n;
    int64_t list_ms, turn_ms;
    struct tc_model_reply reply;
    struct tc_error list_fault, turn_fault; /* code TC_OK: it worked */
};

/* What failed is a part of the answer; a lack of memory and a cancellation are not. */
static enum tc_err take_fault(struct tc_cx *cx, enum tc_err e, struct tc_error *ret_fault)
{
    if (e == TC_E_NO_MEMORY || e == TC_E_CANCELED || e == TC_E_SHUTDOWN)
        return e;
    *ret_fault = (struct tc_error){0};
    if (e)
        *ret_fault = cx->err;
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err list_models(struct tc_cx *cx, struct tc_models *models, struct probe *probe)
{
    int64_t start = tc_clock_mono_us(cx->clock);
    enum tc_err e = models->ops->list(cx, models, &probe->target, &probe->names, &probe->names_n);

    probe->list_ms = (tc_clock_mono_us(cx->clock) - start) / 1000;
    if (e)
        probe->names_n = 0;
    return take_fault(cx, e, &probe->list_fault);
}

static enum tc_err take_turn(struct tc_cx *cx, struct tc_models *models, struct probe *probe)
{
    struct tc_part part = {.kind = TC_PART_TEXT, .text = TC_STR("Answer with the word ok.")};
    const struct tc_message message = {.role = TC_ROLE_USER, .parts = &part, .n = 1};
    const struct tc_model_request request = {
        .model = probe->model.model.name,
        .caps = &probe->model.caps,
        .messages = &message,
        .messages_n = 1,
        .stream = true,
        .max_output = TEST_OUTPUT,
        .extra = probe->model.extra,
    };
    int64_t start = tc_clock_mono_us(cx->clock);
    enum tc_err e = models->ops->turn(cx, models, &probe->target, &request, NULL, &probe->reply);

    probe->turn_ms = (tc_clock_mono_us(cx->clock) - start) / 1000;
    return take_fault(cx, e, &probe->turn_fault);
}

static void write_turn(struct tc_jsonw *w, const struct probe *probe)
{
    tc_jsonw_key(w, "turn");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "ms", probe->turn_ms);
    if (!probe->turn_fault.code) {
        struct tc_str text = TC_STR("");

        for (size_t i = 0; i < probe->reply.n && !text.n; i++)
            if (probe->reply.items[i].kind == TC_ITEM_TEXT)
                text = probe->reply.items[i].text;
        tc_jsonw_kstr(w, "text", text);
        tc_jsonw_kint(w, "inputTokens", probe->reply.usage.input);
        tc_jsonw_kint(w, "outputTokens", probe->reply.usage.output);
    }
    tc_api_fault(w, "error", &probe->turn_fault);
    tc_jsonw_end(w);
}

static void write_probe(struct tc_jsonw *w, struct tc_str id, const struct probe *probe)
{
    const struct tc_model *model = &probe->model.model;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", id);
    tc_jsonw_kbool(w, "ok", !probe->turn_fault.code);
    tc_jsonw_kstr(w, "provider", probe->model.provider);
    tc_jsonw_kstr(w, "model", model->name);
    tc_jsonw_kcstr(w, "capability", tc_capability_name(model->capability));
    tc_jsonw_kbool(w, "imageInput", model->image_input);
    tc_jsonw_kint(w, "contextWindow", model->context_window);
    tc_jsonw_key(w, "list");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "ms", probe->list_ms);
    tc_jsonw_key(w, "models");
    tc_jsonw_array(w);
    for (size_t i = 0; i < probe->names_n && i < LISTED_MAX; i++)
        tc_jsonw_str(w, probe->names[i]);
    tc_jsonw_end(w);
    tc_api_fault(w, "error", &probe->list_fault);
    tc_jsonw_end(w);
    write_turn(w, probe);
    tc_jsonw_end(w);
}

static enum tc_err test(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_channels_ask ask = {.channel = tc_api_field(call, "id"), .model = tc_api_field(call, "model")};
    struct tc_channels *channels = call->runtime->channels;
    struct tc_models *models = call->runtime->models;
    struct probe probe = {0};
    enum tc_err e = tc_channels_model(cx, channels, &ask, &probe.model);

    if (!e)
        e = tc_channels_target(cx, channels, &probe.model, &probe.target);
    if (e)
        return e;
    probe.target.tries = 1;
    probe.target.first_ms = probe.target.idle_ms = TEST_MS;
    e = list_models(cx, models, &probe);
    if (!e)
        e = take_turn(cx, models, &probe);
    if (!e)
        write_probe(call->out, ask.channel, &probe);
    return e;
}

#define KEY(types) "\"key\":{\"type\":" types ",\"minLength\":1,\"maxLength\":65536}"

/* The document itself is checked where it is decoded, with better words. */
#define DOCUMENT_INPUT(key)                                                                                            \
    "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"string\"},"                         \
    KEY(key) ",\"version\":{\"type\":\"integer\"}}}"
#define ID_INPUT                                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"      \
    "\"string\"}}}"

static const struct tc_api_component components[] = {
    {"ChannelDocument", TC_API_CLOSED("", KEY("\"string\"") ",\"version\":" TC_API_INTEGER), tc_channel_schema},
    {"ChannelChange", TC_API_CLOSED("", KEY("[\"string\",\"null\"]") ",\"version\":" TC_API_INTEGER),
     tc_channel_schema, true},
    {"Channel",
     "{headers? {* string|null}, hasKey boolean, agents [string], version integer, createdAt time|null, "
     "updatedAt time|null, updatedBy UpdatedBy|null}", tc_channel_schema},
    {"ChannelTest",
     "{id string, ok boolean, provider string, model string, capability (text|vision|multimodal), "
     "imageInput boolean, contextWindow integer, list {ms integer, models [string], error Fault|null}, "
     "turn {ms integer, text? string, inputTokens? integer, outputTokens? integer, error Fault|null}}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/channel/page"}, TC_API_VIEWER, "Channels by page",
     TC_API_SORTED_PAGE_INPUT("\"id\",\"label\",\"provider\",\"models\",\"enabled\",\"updatedAt\"",
                              "\"provider\":{\"type\":\"string\"},\"enabled\":{\"type\":\"boolean\"}"),
     "{list [Channel], pagination Pagination}", get_page},
    {{"GET", "/admin/channel/all"}, TC_API_VIEWER, "All channels", NULL, "[Channel]", get_all},
    {{"GET", "/admin/channel/info"}, TC_API_VIEWER, "One channel", NULL, "Channel", get_info,
     .query = tc_api_by_id},
    {{"POST", "/admin/channel/create"}, TC_API_ADMIN, "Make a channel; its key is sealed and never shown",
     DOCUMENT_INPUT("\"string\""), "Channel", create, .described = "ChannelDocument"},
    {{"POST", "/admin/channel/update"}, TC_API_ADMIN, "Change fields of a channel; null takes one out",
     DOCUMENT_INPUT("[\"string\",\"null\"]"), "Channel", update,
     .described = "ChannelChange"},
    {{"POST", "/admin/channel/remove"}, TC_API_ADMIN, "Remove a channel that no agent names, and its key", ID_INPUT,
     "Done", remove_one},
    {{"POST", "/admin/channel/test"}, TC_API_OPERATOR, "List its models and take one small turn",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
     "\"string\",\"minLength\":1},\"model\":{\"type\":\"string\"}}}",
     "ChannelTest", test},
};

const struct tc_api_resource tc_api_channel = {"channel", "Model endpoints", routes,
                                               sizeof routes / sizeof *routes, components};
