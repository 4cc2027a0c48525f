/*
 * The fields of a channel as data, and what is read out of them.
 */
#include "policy/channel.h"

#include "base/mem.h"
#include "policy/agent.h"
#include "policy/form.h"

enum { ARENA_MAX = 1024 * 1024 };

static const char *const capabilities[] = {"text", "vision", "multimodal", NULL};

/* --- checks of strings --- */

static bool is_id(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    return tc_agent_id_ok(s);
}

static bool is_printable(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 127)
            return false;
    return true;
}

static bool is_secret_name(struct tc_cx *cx, struct tc_str s)
{
    (void)cx;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_./-", c)) || !c)
            return false;
    }
    return true;
}

/* Those that the driver writes itself, and those whose value would be a secret. */
static bool is_header_name(struct tc_cx *cx, struct tc_str s)
{
    static const char *const others[] = {"host", "content-length", "content-type", "connection", "transfer-encoding",
                                         "accept", "authorization", "proxy-authorization", "cookie", "api-key",
                                         "x-api-key", "x-goog-api-key"};

    (void)cx;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'))
            return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (tc_str_eq_nocase(s, tc_str_of(others[i])))
            return false;
    return true;
}

/* --- the table --- */

static void write_true(struct tc_jsonw *w)
{
    tc_jsonw_bool(w, true);
}

static const struct tc_form_field model_fields[] = {
    {.name = "name", .kind = TC_FORM_TEXT, .min = 1, .max = 200, .required = true},
    {.name = "label", .kind = TC_FORM_TEXT, .min = 0, .max = 200},
    {.name = "capability", .kind = TC_FORM_CHOICE, .choices = capabilities},
    {.name = "imageInput", .kind = TC_FORM_FLAG},
    {.name = "contextWindow", .kind = TC_FORM_NUMBER, .min = 1, .max = TC_FORM_NUMBER_MAX},
    {.name = "maxOutput", .kind = TC_FORM_NUMBER, .min = 1, .max = TC_FORM_NUMBER_MAX},
    {.name = "maxTools", .kind = TC_FORM_NUMBER, .min = 0, .max = 100000},
    {.name = "inlineChars", .kind = TC_FORM_NUMBER, .min = -1, .max = TC_FORM_NUMBER_MAX},
    {.name = "extra", .kind = TC_FORM_ANY_OBJECT},
    {0},
};
static const struct tc_form_field channel_fields[] = {
    {.name = "id", .kind = TC_FORM_TEXT, .min = 1, .max = 64, .check = is_id,
     .what = "1 to 64 of the characters a to z, 0 to 9, _ and -", .required = true},
    {.name = "label", .kind = TC_FORM_TEXT, .min = 0, .max = 200},
    {.name = "provider", .kind = TC_FORM_TEXT, .min = 1, .max = 64, .check = is_id, .what = "the name of a provider",
     .required = true},
    {.name = "baseUrl", .kind = TC_FORM_TEXT, .min = 1, .max = 2048},
    {.name = "secret", .kind = TC_FORM_TEXT, .min = 1, .max = 128, .check = is_secret_name,
     .what = "the name of a secret"},
    {.name = "headers", .kind = TC_FORM_MAP_OF_TEXT, .min = 0, .max = 4096, .check = is_header_name,
     .what = "the name of an HTTP header that is neither for a key (give `key` instead) nor written by the runtime"},
    {.name = "models", .kind = TC_FORM_OBJECTS, .members = model_fields},
    {.name = "enabled", .kind = TC_FORM_FLAG, .otherwise = write_true},
    {0},
};
static const struct tc_form channel_form = {TC_E_CHANNEL_INVALID, "A channel", channel_fields, NULL};

/* --- reading --- */

static enum tc_err refuse(struct tc_cx *cx, struct tc_str field, const char *asked)
{
    return tc_form_refuse(cx, &channel_form, field, "%s", asked);
}

static int64_t number(const struct tc_json *json, const char *key)
{
    int64_t value = 0;

    tc_json_int(tc_json_get_c(json, key), &value);
    return value;
}

static enum tc_err read_model(struct tc_cx *cx, struct tc_channel *channel, const struct tc_json *json)
{
    const struct tc_json *capability = tc_json_get_c(json, "capability"), *image = tc_json_get_c(json, "imageInput");
    struct tc_channel_model model = {
        .name = tc_json_str(tc_json_get_c(json, "name")),
        .label = tc_json_str(tc_json_get_c(json, "label")),
        .has_capability = capability != NULL,
        .has_image_input = image != NULL,
        .has_inline_chars = tc_json_get_c(json, "inlineChars") != NULL,
        .image_input = tc_json_bool(image, false),
        .context_window = number(json, "contextWindow"),
        .max_output = number(json, "maxOutput"),
        .max_tools = number(json, "maxTools"),
        .inline_chars = number(json, "inlineChars"),
        .extra = tc_json_get_c(json, "extra"),
    };

    if (tc_channel_find(channel, model.name))
        return refuse(cx, TC_STR("/models"), "must have each name once.");
    tc_capability_of(tc_json_str(capability), &model.capability);
    channel->models[channel->models_n++] = model;
    return TC_OK;
}

static enum tc_err read_models(struct tc_cx *cx, struct tc_channel *channel, const struct tc_json *models)
{
    struct tc_json_iter it = tc_json_iter(models);
    const struct tc_json *value;
    enum tc_err err = TC_OK;

    channel->models = TC_ARENA_NEW_N(&channel->arena, struct tc_channel_model, tc_json_count(models) + 1);
    if (!channel->models)
        return tc_fail_memory(cx);
    while (!err && tc_json_next(&it, NULL, &value))
        err = read_model(cx, channel, value);
    return err;
}

static enum tc_err read_headers(struct tc_cx *cx, struct tc_channel *channel, const struct tc_json *headers)
{
    struct tc_json_iter it = tc_json_iter(headers);
    const struct tc_json *value;
    struct tc_str key;

    channel->headers = TC_ARENA_NEW_N(&channel->arena, struct tc_model_header, tc_json_count(headers) + 1);
    if (!channel->headers)
        return tc_fail_memory(cx);
    while (tc_json_next(&it, &key, &value)) {
        if (!is_printable(tc_json_str(value)))
            return refuse(cx, TC_STR("/headers"), "must have no control characters.");
        channel->headers[channel->headers_n++] = (struct tc_model_header){key, tc_json_str(value)};
    }
    return TC_OK;
}

/* An address without user, query and fragment. The scripted model has the path of a
 * file here. */
static enum tc_err check_base_url(struct tc_cx *cx, const struct tc_channel *channel)
{
    struct tc_str url = channel->base_url, rest, host;
    size_t scheme = tc_str_starts(url, TC_STR("https://")) ? 8 : tc_str_starts(url, TC_STR("http://")) ? 7 : 0;

    if (!is_printable(url))
        return refuse(cx, TC_STR("/baseUrl"), "must have no control characters.");
    if (!url.n || tc_str_is(channel->provider, "scripted"))
        return TC_OK;
    rest = tc_str_from(url, scheme);
    if (!scheme || !tc_str_split(&rest, '/', &host) || !host.n || tc_str_chr(url, ' ') != SIZE_MAX)
        return refuse(cx, TC_STR("/baseUrl"), "must be an address such as https://api.example.com/v1.");
    if (tc_str_chr(host, '@') != SIZE_MAX)
        return refuse(cx, TC_STR("/baseUrl"), "must not have a name and password in it; the key is given as `key`.");
    if (tc_str_chr(url, '?') != SIZE_MAX || tc_str_chr(url, '#') != SIZE_MAX)
        return refuse(cx, TC_STR("/baseUrl"), "must end with the path, without ? or #.");
    return TC_OK;
}

static enum tc_err read_all(struct tc_cx *cx, struct tc_channel *channel)
{
    const struct tc_json *root = tc_json_doc_root(channel->doc);
    enum tc_err err;

    channel->id = tc_json_str(tc_json_get_c(root, "id"));
    channel->label = tc_json_str(tc_json_get_c(root, "label"));
    channel->provider = tc_json_str(tc_json_get_c(root, "provider"));
    channel->base_url = tc_json_str(tc_json_get_c(root, "baseUrl"));
    channel->secret = tc_json_str(tc_json_get_c(root, "secret"));
    channel->enabled = tc_json_bool(tc_json_get_c(root, "enabled"), true);
    if ((err = read_headers(cx, channel, tc_json_get_c(root, "headers"))) ||
        (err = read_models(cx, channel, tc_json_get_c(root, "models"))))
        return err;
    return check_base_url(cx, channel);
}

static enum tc_err normalise(struct tc_cx *cx, struct tc_str json, struct tc_json_doc **ret_doc)
{
    const struct tc_json_limits limits = {.max_bytes = TC_CHANNEL_MAX};
    struct tc_json_doc *doc;
    struct tc_buf text;
    enum tc_err err = tc_json_parse(cx, json, &limits, &doc);

    if (err)
        return err;
    tc_buf_init(&text, 2 * TC_CHANNEL_MAX);
    err = tc_form_write(cx, &channel_form, tc_json_doc_root(doc), &text);
    if (!err)
        err = tc_json_parse(cx, tc_buf_get(&text), NULL, ret_doc);
    tc_buf_finish(&text);
    tc_json_doc_unref(doc);
    return err;
}

enum tc_err tc_channel_decode(struct tc_cx *cx, struct tc_str json, struct tc_channel **ret_channel)
{
    struct tc_channel *channel = tc_mem_zalloc(1, sizeof *channel);
    enum tc_err err;

    if (!channel)
        return tc_fail_memory(cx);
    channel->refs = 1;
    tc_arena_init(&channel->arena, ARENA_MAX);
    err = normalise(cx, json, &channel->doc);
    if (!err)
        err = read_all(cx, channel);
    if (err) {
        tc_channel_unref(channel);
        return err;
    }
    *ret_channel = channel;
    return TC_OK;
}

struct tc_channel *tc_channel_ref(struct tc_channel *channel)
{
    channel->refs++;
    return channel;
}

void tc_channel_unref(struct tc_channel *channel)
{
    if (!channel || --channel->refs > 0)
        return;
    tc_json_doc_unref(channel->doc);
    tc_arena_finish(&channel->arena);
    tc_mem_free(channel);
}

const struct tc_channel_model *tc_channel_find(const struct tc_channel *channel, struct tc_str name)
{
    for (size_t i = 0; i < channel->models_n; i++)
        if (tc_str_eq(channel->models[i].name, name))
            return &channel->models[i];
    return NULL;
}

/* --- the same as JSON Schema --- */

#define TEXT(min, max) "{\"type\":\"string\",\"minLength\":" min ",\"maxLength\":" max "}"
#define WHOLE(min, max) "{\"type\":\"integer\",\"minimum\":" min ",\"maximum\":" max "}"
#define ID "{\"type\":\"string\",\"pattern\":\"^[a-z0-9_-]{1,64}$\"}"

const char tc_channel_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\"Channel\",\"type\":\"object\","
    "\"required\":[\"id\",\"provider\"],\"additionalProperties\":false,\"properties\":{"
    "\"id\":" ID ",\"label\":" TEXT("0", "200") ",\"provider\":" ID ","
    "\"baseUrl\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":2048,"
        "\"pattern\":\"^[^\\\\u0000-\\\\u001f\\\\u007f]*$\"},"
    "\"secret\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z0-9_./-]{1,128}$\"},"
    "\"headers\":{\"type\":\"object\",\"maxProperties\":1000,"
        "\"propertyNames\":{\"pattern\":\"^[A-Za-z0-9_-]{1,512}$\"},"
        "\"additionalProperties\":{\"type\":\"string\",\"maxLength\":4096,"
        "\"pattern\":\"^[^\\\\u0000-\\\\u001f\\\\u007f]*$\"}},"
    "\"models\":{\"type\":\"array\",\"maxItems\":1000,\"items\":{\"type\":\"object\",\"required\":[\"name\"],"
        "\"additionalProperties\":false,\"properties\":{"
        "\"name\":" TEXT("1", "200") ",\"label\":" TEXT("0", "200") ","
        "\"capability\":{\"enum\":[\"text\",\"vision\",\"multimodal\"]},"
        "\"imageInput\":{\"type\":\"boolean\"},"
        "\"contextWindow\":" WHOLE("1", "1000000000") ",\"maxOutput\":" WHOLE("1", "1000000000") ","
        "\"maxTools\":" WHOLE("0", "100000") ",\"inlineChars\":" WHOLE("-1", "1000000000") ","
        "\"extra\":{\"type\":\"object\"}}}},"
    "\"enabled\":{\"type\":\"boolean\",\"default\":true}}}";
