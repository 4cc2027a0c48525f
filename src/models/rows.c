/*
 * The rows, and how one is found. A provider is a row by itself; the table below has the
 * servers that speak like one. Where a fact is not certain the row says less: what is
 * not claimed is not used.
 */
#include "models/rows.h"

#include "http/url.h"
#include "models/known.h"
#include "toolcrib/buf.h"

extern const struct tc_provider *const tc_providers_table[];

/* What those that speak Chat Completions have in common. */
#define BASICS .name_max = 64, .tools_max = 128, .result_images = TC_RESULT_IMAGES_USER_MESSAGE
#define CHAT BASICS, .schema = TC_SCHEMA_OPENAI, .user_after_tool = true

static const struct tc_row rows[] = {
    {.name = "deepseek",
     .protocol = "openai",
     .title = "DeepSeek",
     .base_url = "https://api.deepseek.com",
     .key_variable = "DEEPSEEK_API_KEY",
     .places = "api.deepseek.com/*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .empty_content = true, .replays_reasoning = true,
              .empty_reasoning = true}},
    {.name = "openrouter",
     .protocol = "openai",
     .title = "OpenRouter",
     .base_url = "https://openrouter.ai/api/v1",
     .key_variable = "OPENROUTER_API_KEY",
     .places = "openrouter.ai/*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .forced_choice = true, .parallel_switch = true,
              .replays_reasoning = true}},
    {.name = "mistral",
     .protocol = "openai",
     .title = "Mistral",
     .base_url = "https://api.mistral.ai/v1",
     .key_variable = "MISTRAL_API_KEY",
     .places = "*.mistral.ai/*",
     .caps = {BASICS, .schema = TC_SCHEMA_MISTRAL, .ids = TC_ID_NINE, .old_limit = true, .forced_choice = true,
              .parallel_switch = true, .empty_content = true, .replays_reasoning = true}},
    {.name = "qwen",
     .protocol = "openai",
     .title = "Qwen (Model Studio)",
     .base_url = "https://dashscope.aliyuncs.com/compatible-mode/v1",
     .key_variable = "DASHSCOPE_API_KEY",
     .places = "dashscope*.aliyuncs.com/*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .parallel_switch = true, .serial_unless_asked = true,
              .empty_content = true}},
    {.name = "groq",
     .protocol = "openai",
     .title = "Groq",
     .base_url = "https://api.groq.com/openai/v1",
     .key_variable = "GROQ_API_KEY",
     .places = "api.groq.com/*",
     .caps = {CHAT, .usage_in_stream = true, .forced_choice = true, .parallel_switch = true, .empty_content = true}},
    {.name = "xai",
     .protocol = "openai",
     .title = "xAI",
     .base_url = "https://api.x.ai/v1",
     .key_variable = "XAI_API_KEY",
     .places = "api.x.ai/*",
     .caps = {CHAT, .usage_in_stream = true, .forced_choice = true, .parallel_switch = true}},
    {.name = "moonshot",
     .protocol = "openai",
     .title = "Moonshot",
     .base_url = "https://api.moonshot.ai/v1",
     .key_variable = "MOONSHOT_API_KEY",
     .places = "api.moonshot.*/*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .empty_content = true, .replays_reasoning = true}},
    {.name = "zhipu",
     .protocol = "openai",
     .title = "Zhipu",
     .base_url = "https://open.bigmodel.cn/api/paas/v4",
     .key_variable = "ZHIPUAI_API_KEY",
     .places = "open.bigmodel.cn/*|api.z.ai/*",
     .caps = {CHAT, .old_limit = true, .empty_content = true, .replays_reasoning = true}},
    {.name = "together",
     .protocol = "openai",
     .title = "Together",
     .base_url = "https://api.together.xyz/v1",
     .key_variable = "TOGETHER_API_KEY",
     .places = "api.together.xyz/*|api.together.ai/*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .forced_choice = true, .empty_content = true}},
    {.name = "fireworks",
     .protocol = "openai",
     .title = "Fireworks",
     .base_url = "https://api.fireworks.ai/inference/v1",
     .key_variable = "FIREWORKS_API_KEY",
     .places = "api.fireworks.ai/*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .forced_choice = true, .empty_content = true}},
    {.name = "ollama",
     .protocol = "openai",
     .title = "Ollama",
     .base_url = "http://127.0.0.1:11434/v1",
     .places = "*:11434/*|ollama.com/*",
     .caps = {BASICS, .schema = TC_SCHEMA_OLLAMA, .user_after_tool = true, .usage_in_stream = true,
              .old_limit = true, .empty_content = true}},
    {.name = "llama.cpp",
     .protocol = "openai",
     .title = "llama.cpp",
     .base_url = "http://127.0.0.1:8080/v1",
     .caps = {BASICS, .schema = TC_SCHEMA_LLAMA_CPP, .user_after_tool = true, .usage_in_stream = true,
              .old_limit = true, .forced_choice = true, .parallel_switch = true, .serial_unless_asked = true,
              .empty_content = true, .replays_reasoning = true}},
    {.name = "vllm",
     .protocol = "openai",
     .title = "vLLM",
     .base_url = "http://127.0.0.1:8000/v1",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .forced_choice = true, .empty_content = true}},
    {.name = "lmstudio",
     .protocol = "openai",
     .title = "LM Studio",
     .base_url = "http://127.0.0.1:1234/v1",
     .places = "*:1234/*",
     .caps = {BASICS, .schema = TC_SCHEMA_LLAMA_CPP, .user_after_tool = true, .usage_in_stream = true,
              .old_limit = true, .empty_content = true}},
    {.name = "gemini-chat",
     .protocol = "openai",
     .title = "Google Gemini",
     .base_url = "https://generativelanguage.googleapis.com/v1beta/openai",
     .key_variable = "GEMINI_API_KEY",
     .places = "generativelanguage.googleapis.com/*/openai*",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .forced_choice = true, .empty_content = true}},
    {.name = "openai-compatible",
     .protocol = "openai",
     .title = "The model server",
     .caps = {CHAT, .usage_in_stream = true, .old_limit = true, .empty_content = true}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* --- single models that differ from their row --- */

enum trait {
    FORCED_CHOICE,
    NO_FORCED_CHOICE,
    OLD_LIMIT,
    NATIVE_DEFERRAL,
    IMAGES_FOLLOW,
    UNSIGNED_CALLS,
    NO_PARALLEL,
    REASONING,
    NO_REASONING,
    NINE_IDS
};

static const struct {
    const char *row, *models; /* a name, or * for any; globs, separated by '|' */
    enum trait trait;
} traits[] = {
    {"openai", "gpt-3.5*|gpt-4|gpt-4-*", OLD_LIMIT},
    {"openai", "o1*|o3-mini*", NO_PARALLEL},
    {"responses", "gpt-5.4*|gpt-5.5*|gpt-5.6*|gpt-6*", NATIVE_DEFERRAL},
    {"responses", "o1*|o3-mini*", NO_PARALLEL},
    {"responses", "gpt-3*|gpt-4*|chatgpt-4*", NO_REASONING},
    {"anthropic", "claude-3*|claude-opus-4*|claude-sonnet-4*|claude-haiku-4*", FORCED_CHOICE},
    {"anthropic", "claude-opus-5-5*|claude-fable-5*", NO_FORCED_CHOICE},
    {"anthropic", "claude-opus-4*|claude-sonnet-4*|claude-haiku-4*", NATIVE_DEFERRAL},
    {"anthropic", "claude-opus-5*|claude-sonnet-5*|claude-haiku-5*|claude-fable-*", NATIVE_DEFERRAL},
    {"gemini", "gemini-1*|gemini-2*|gemma*", IMAGES_FOLLOW},
    {"gemini", "gemini-1*|gemini-2*|gemma*", UNSIGNED_CALLS},
    {"qwen", "qwen3.6*|qwen3.7*|qwen3.8*", REASONING},
    {"*", "mistral*|mixtral*|ministral*|magistral*|codestral*|devstral*|pixtral*", NINE_IDS}, /* by their templates */
};

/* --- finding --- */

/* "host/path", with the port where one was written, in lower case; empty when it is no
 * URL or longer than any place. */
static struct tc_str place_of(struct tc_str base_url, char *to, size_t size)
{
    struct tc_url url;
    struct tc_str place;
    size_t scheme;

    if (!tc_url_parse(base_url, &url))
        return TC_STR("");
    scheme = url.https ? strlen("https://") : strlen("http://");
    place = tc_str_from(tc_str_n(url.origin.p, url.origin.n + url.path.n), scheme);
    place = tc_known_lowered(place, to, size - 1);
    if (place.n && url.path.n == 0)
        to[place.n++] = '/';
    return place;
}

/* A provider's own endpoint as a row. */
static struct tc_row own_row(const struct tc_provider *provider)
{
    return (struct tc_row){.name = provider->name,
                           .protocol = provider->name,
                           .title = provider->title,
                           .base_url = provider->base_url,
                           .key_variable = provider->key_variable,
                           .caps = provider->caps,
                           .provider = provider};
}

static const struct tc_provider *provider_of(const char *protocol)
{
    size_t i;

    for (i = 0; tc_providers_table[i]; i++)
        if (strcmp(tc_providers_table[i]->name, protocol) == 0)
            return tc_providers_table[i];
    return NULL;
}

static struct tc_row known_row(size_t i)
{
    struct tc_row row = rows[i];

    row.provider = provider_of(row.protocol);
    return row;
}

static bool by_name(struct tc_str name, struct tc_row *ret_row)
{
    size_t i;

    for (i = 0; tc_providers_table[i]; i++) {
        if (tc_str_is(name, tc_providers_table[i]->name)) {
            *ret_row = own_row(tc_providers_table[i]);
            return true;
        }
    }
    for (i = 0; i < ROWS; i++) {
        if (tc_str_is(name, rows[i].name)) {
            *ret_row = known_row(i);
            return true;
        }
    }
    return false;
}

/* The rows first: their places may be parts of a provider's. */
static bool by_place(struct tc_str base_url, struct tc_row *ret_row)
{
    char text[512];
    struct tc_str place = place_of(base_url, text, sizeof text);
    struct tc_url url, own;
    size_t i;

    for (i = 0; place.n && i < ROWS; i++) {
        if (tc_known_matches(rows[i].places, place)) {
            *ret_row = known_row(i);
            return true;
        }
    }
    for (i = 0; place.n && tc_providers_table[i]; i++) {
        if (tc_url_parse(base_url, &url) && tc_url_parse(tc_str_of(tc_providers_table[i]->base_url), &own) &&
            tc_url_same_host(&url, &own)) {
            *ret_row = own_row(tc_providers_table[i]);
            return true;
        }
    }
    return false;
}

static enum tc_err unknown(struct tc_cx *cx, struct tc_str name)
{
    struct tc_buf names;
    size_t i;

    tc_buf_init(&names, 4096);
    for (i = 0; tc_providers_table[i]; i++)
        tc_buf_printf(&names, "%s, ", tc_providers_table[i]->name);
    for (i = 0; i < ROWS; i++)
        tc_buf_printf(&names, "%s, ", rows[i].name);
    tc_buf_cstr(&names, "scripted");
    tc_fail(cx, TC_E_CHANNEL_PROVIDER, "There is no provider \"%.*s\".", TC_STR_ARG(name));
    tc_fail_hint(cx, "There are %.*s.", TC_STR_ARG(tc_buf_get(&names)));
    tc_buf_finish(&names);
    return TC_E_CHANNEL_PROVIDER;
}

enum tc_err tc_rows_find(struct tc_cx *cx, struct tc_str name, struct tc_str base_url, struct tc_row *ret_row)
{
    bool chat = name.n == 0 || tc_str_is(name, "openai") || tc_str_is(name, "openai-compatible");
    struct tc_row row;

    if (!by_name(name.n ? name : TC_STR("openai"), &row))
        return unknown(cx, name);
    if (base_url.n && chat) {
        struct tc_row place;

        if (by_place(base_url, &place) && (name.n == 0 || place.provider == row.provider))
            row = place;
        else
            by_name(TC_STR("openai-compatible"), &row);
    }
    *ret_row = row;
    return TC_OK;
}

struct tc_str tc_rows_name_of(struct tc_str base_url)
{
    struct tc_row row;

    return by_place(base_url, &row) ? tc_str_of(row.name) : TC_STR("openai");
}

/* --- what they take --- */

static void apply(struct tc_model_caps *caps, enum trait trait)
{
    switch (trait) {
    case FORCED_CHOICE:
        caps->forced_choice = true;
        break;
    case NO_FORCED_CHOICE:
        caps->forced_choice = false;
        break;
    case OLD_LIMIT:
        caps->old_limit = true;
        break;
    case NATIVE_DEFERRAL:
        caps->native_deferral = true;
        break;
    case IMAGES_FOLLOW:
        caps->result_images = TC_RESULT_IMAGES_USER_MESSAGE;
        break;
    case UNSIGNED_CALLS:
        caps->signed_calls = false;
        break;
    case REASONING:
        caps->replays_reasoning = true;
        break;
    case NO_REASONING:
        caps->replays_reasoning = false;
        break;
    case NINE_IDS:
        caps->ids = TC_ID_NINE;
        break;
    case NO_PARALLEL:
        caps->parallel_switch = false;
        break;
    }
}

struct tc_model_caps tc_rows_caps(const struct tc_row *row, struct tc_str model)
{
    struct tc_model_caps caps = row->caps;
    struct tc_model_known fact;
    char text[TC_KNOWN_NAME_MAX];
    struct tc_str name = tc_known_name(model, text);
    size_t i;

    for (i = 0; i < sizeof traits / sizeof traits[0]; i++)
        if (tc_str_glob(tc_str_of(traits[i].row), tc_str_of(row->name)) && tc_known_matches(traits[i].models, name))
            apply(&caps, traits[i].trait);
    if (tc_known_find(model, &fact))
        caps.image_input = fact.image_input;
    return caps;
}
