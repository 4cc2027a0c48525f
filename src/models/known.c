/*
 * The table of known models; the first line that fits counts.
 */
#include "models/known.h"

static const struct {
    const char *models;
    bool image_input;
    int64_t context_window, max_output;
} known[] = {
    {"gpt-5-chat*|chatgpt-*", true, 128000, 16384},
    {"gpt-5*|gpt-6*", true, 400000, 128000},
    {"gpt-4.1*", true, 1047576, 32768},
    {"gpt-4o*", true, 128000, 16384},
    {"gpt-4-turbo*", true, 128000, 4096},
    {"gpt-4*", false, 8192, 4096},
    {"gpt-3.5*", false, 16385, 4096},
    {"gpt-oss*", false, 131072, 32768},
    {"o1-mini*|o3-mini*", false, 128000, 65536},
    {"o1*|o3*|o4*", true, 200000, 100000},
    {"claude-3-5-haiku*|claude-3-5-sonnet*", true, 200000, 8192},
    {"claude-3-7*", true, 200000, 64000},
    {"claude-3*", true, 200000, 4096},
    {"claude-opus-4-1*|claude-opus-4-0*|claude-opus-4-2025*", true, 200000, 32000},
    {"claude*", true, 200000, 64000},
    {"gemini-1.5*|gemini-2.0*", true, 1048576, 8192},
    {"gemini*", true, 1048576, 65536},
    {"gemma-3*|gemma3*", true, 128000, 8192},
    {"deepseek-reasoner*|deepseek-r*", false, 128000, 32768},
    {"deepseek*", false, 128000, 8192},
    {"qwen*-vl*|qwen*omni*|qvq*", true, 131072, 8192},
    {"qwen3-max*|qwen3-coder*|qwen3.*", false, 262144, 32768},
    {"qwen*|qwq*", false, 131072, 8192},
    {"pixtral*|mistral-medium*|mistral-small*|mistral-large-3*|mistral-large-25*", true, 128000, 8192},
    {"codestral*|devstral*", false, 128000, 8192},
    {"mistral*|magistral*|ministral*|open-mi*", false, 128000, 8192},
    {"llama-4*|llama4*", true, 131072, 8192},
    {"llama-3.2-11b*|llama-3.2-90b*|llama3.2-vision*", true, 128000, 8192},
    {"llama-3*|llama3*|meta-llama-3*", false, 128000, 8192},
    {"grok-4*|grok-5*", true, 256000, 32768},
    {"grok*", false, 131072, 16384},
    {"kimi-k2.5*|kimi-k3*", true, 262144, 32768},
    {"kimi*|moonshot*", false, 131072, 16384},
    {"glm-*v*", true, 65536, 8192},
    {"glm-*", false, 128000, 32768},
    {"minimax*", false, 196608, 32768},
    {"phi-*", false, 16384, 4096},
    {"command-*", false, 128000, 4096},
};

bool tc_known_matches(const char *globs, struct tc_str text)
{
    struct tc_str rest = tc_str_of(globs), glob;

    while (globs && tc_str_split(&rest, '|', &glob))
        if (tc_str_glob(glob, text))
            return true;
    return false;
}

struct tc_str tc_known_lowered(struct tc_str s, char *to, size_t size)
{
    size_t i;

    if (s.n > size)
        return TC_STR("");
    for (i = 0; i < s.n; i++)
        to[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + 32 : s.p[i]);
    return tc_str_n(to, s.n);
}

struct tc_str tc_known_name(struct tc_str model, char to[TC_KNOWN_NAME_MAX])
{
    struct tc_str part = model;

    while (tc_str_split(&model, '/', &part))
        continue;
    return tc_known_lowered(part, to, TC_KNOWN_NAME_MAX);
}

bool tc_known_find(struct tc_str model, struct tc_model_known *ret_known)
{
    char text[TC_KNOWN_NAME_MAX];
    struct tc_str name = tc_known_name(model, text);
    size_t i;

    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (tc_known_matches(known[i].models, name)) {
            *ret_known = (struct tc_model_known){known[i].image_input, known[i].context_window, known[i].max_output};
            return true;
        }
    }
    return false;
}
