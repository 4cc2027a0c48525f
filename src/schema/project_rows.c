/*
 * What each provider takes, one row each, by allow-list: what is not named is
 * moved into the description, so that a keyword nobody thought of never makes a
 * request fail.
 */
#include "schema/project_row.h"

#define W(symbol) TC_WORD_BIT(symbol)

#define OBJECTS (W(TYPE) | W(DESCRIPTION) | W(PROPERTIES) | W(REQUIRED) | W(ITEMS) | W(ENUM) | W(ANY_OF))
#define NUMBERS (W(MINIMUM) | W(MAXIMUM) | W(EXCLUSIVE_MINIMUM) | W(EXCLUSIVE_MAXIMUM) | W(MULTIPLE_OF))
#define LENGTHS (W(MIN_LENGTH) | W(MAX_LENGTH))
#define COUNTS (W(MIN_ITEMS) | W(MAX_ITEMS))
/* Providers that hand the schema to the model as it is. */
#define ALL                                                                                                            \
    (OBJECTS | NUMBERS | LENGTHS | COUNTS | W(CONST) | W(TITLE) | W(DEFAULT) | W(EXAMPLES) | W(FORMAT) | W(PATTERN) |  \
     W(PREFIX_ITEMS) | W(CONTAINS) | W(MIN_CONTAINS) | W(MAX_CONTAINS) | W(UNIQUE_ITEMS) | W(ADDITIONAL_PROPERTIES) |  \
     W(PATTERN_PROPERTIES) | W(PROPERTY_NAMES) | W(MIN_PROPERTIES) | W(MAX_PROPERTIES) | W(DEPENDENT_REQUIRED) |       \
     W(ONE_OF) | W(ALL_OF) | W(NOT) | W(REF))

static const struct tc_project_row rows[] = {
    [TC_SCHEMA_OPENAI] = {.name = "openai", .words = ALL, .traits = TC_PROJECT_NEED_ITEMS},
    [TC_SCHEMA_OPENAI_STRICT] = {.name = "openai-strict",
                                 .words = OBJECTS | NUMBERS | COUNTS | W(CONST) | W(FORMAT) | W(PATTERN) |
                                          W(ADDITIONAL_PROPERTIES) | W(REF),
                                 .traits = TC_PROJECT_STRICT | TC_PROJECT_TYPED | TC_PROJECT_ALONE |
                                           TC_PROJECT_NEED_ITEMS | TC_PROJECT_NO_MAPS,
                                 .formats = " date-time time date duration email hostname ipv4 ipv6 uuid ",
                                 .depth_max = 10,
                                 .enum_max = 1000},
    [TC_SCHEMA_RESPONSES] = {.name = "responses", .words = ALL, .traits = TC_PROJECT_NEED_ITEMS},
    [TC_SCHEMA_ANTHROPIC] = {.name = "anthropic", .words = ALL, .names = TC_PROJECT_NAMES_DOTTED},
    [TC_SCHEMA_GEMINI] = {.name = "gemini",
                          .words = OBJECTS | W(TITLE) | W(FORMAT) | W(PATTERN) | LENGTHS | COUNTS | W(MINIMUM) |
                                   W(MAXIMUM) | W(NULLABLE),
                          .traits = TC_PROJECT_INLINE | TC_PROJECT_TYPED | TC_PROJECT_ONE_TYPE | TC_PROJECT_NULLABLE |
                                    TC_PROJECT_ALONE | TC_PROJECT_BARE_ANY | TC_PROJECT_TEXT_ENUM |
                                    TC_PROJECT_NEED_ITEMS | TC_PROJECT_NO_MAPS | TC_PROJECT_NO_EMPTY,
                          .formats = " date-time enum float double int32 int64 ",
                          .names = TC_PROJECT_NAMES_WORD},
    [TC_SCHEMA_GEMINI_JSON] = {.name = "gemini-json",
                               .words = OBJECTS | W(TITLE) | W(FORMAT) | COUNTS | W(MINIMUM) | W(MAXIMUM) |
                                        W(PREFIX_ITEMS) | W(ADDITIONAL_PROPERTIES) | W(REF),
                               .traits = TC_PROJECT_ALONE | TC_PROJECT_NEED_ITEMS,
                               .names = TC_PROJECT_NAMES_WORD},
    [TC_SCHEMA_OLLAMA] = {.name = "ollama",
                          .words = OBJECTS,
                          .traits = TC_PROJECT_INLINE | TC_PROJECT_ALONE | TC_PROJECT_NEED_ITEMS},
    /* the whole list of tools becomes one grammar, and what that cannot say makes every tool fail */
    [TC_SCHEMA_LLAMA_CPP] = {.name = "llama.cpp",
                             .words = OBJECTS | LENGTHS | COUNTS | W(CONST) | W(MINIMUM) | W(MAXIMUM) |
                                      W(EXCLUSIVE_MINIMUM) | W(EXCLUSIVE_MAXIMUM) | W(PREFIX_ITEMS) |
                                      W(ADDITIONAL_PROPERTIES) | W(DEFAULT) | W(TITLE),
                             .traits = TC_PROJECT_INLINE | TC_PROJECT_ALONE | TC_PROJECT_WHOLE_BOUNDS,
                             .bound_max = 500},
    [TC_SCHEMA_DEEPSEEK_STRICT] = {.name = "deepseek-strict",
                                   .words = OBJECTS | NUMBERS | W(CONST) | W(DEFAULT) | W(FORMAT) | W(PATTERN) |
                                            W(ADDITIONAL_PROPERTIES),
                                   .traits = TC_PROJECT_INLINE | TC_PROJECT_STRICT | TC_PROJECT_TYPED |
                                             TC_PROJECT_ONE_TYPE | TC_PROJECT_ALONE | TC_PROJECT_NEED_ITEMS |
                                             TC_PROJECT_NO_MAPS,
                                   .formats = " email hostname ipv4 ipv6 uuid "},
    [TC_SCHEMA_MISTRAL] = {.name = "mistral", .words = ALL, .traits = TC_PROJECT_NEED_ITEMS},
};

_Static_assert(sizeof rows / sizeof *rows == TC_SCHEMA_PROVIDERS_N, "a row a provider");

static const struct {
    struct tc_str text;
    uint8_t types;
    const char *phrase;
} words[] = {
#define TC_WORD(symbol, text, types, phrase) [TC_WORD_##symbol] = {TC_STR_INIT(text), TC_PROJECT_##types, phrase},
    TC_WORD_ROWS
#undef TC_WORD
};

const struct tc_project_row *tc_project_row(enum tc_schema_provider provider)
{
    return &rows[provider];
}

struct tc_str tc_schema_provider_name(enum tc_schema_provider provider)
{
    return tc_str_of(rows[provider].name);
}

bool tc_schema_provider_of(struct tc_str name, enum tc_schema_provider *ret_provider)
{
    for (unsigned i = 0; i < TC_SCHEMA_PROVIDERS_N; i++) {
        if (tc_str_is(name, rows[i].name)) {
            *ret_provider = (enum tc_schema_provider)i;
            return true;
        }
    }
    return false;
}

struct tc_str tc_word_text(enum tc_word word)
{
    return words[word].text;
}

unsigned tc_word_types(enum tc_word word)
{
    return words[word].types;
}

const char *tc_word_phrase(enum tc_word word)
{
    return words[word].phrase;
}

enum tc_word tc_word_find(struct tc_str text)
{
    unsigned word = 0;

    while (word < TC_WORD_N && !tc_str_eq(words[word].text, text))
        word++;
    return (enum tc_word)word;
}
