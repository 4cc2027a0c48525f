/*
 * Reading a request: its words with what each weighs, two words that a tool writes as
 * one, and what the form of a value tells of the parameter that takes it: "19:30" is a
 * time, "a@b.c" an email.
 */
#include "catalog/search_impl.h"
#include "catalog/thesaurus.h"

static const float weak_weight = 0.3f, number_weight = 0.3f, joined_weight = 0.6f, form_weight = 0.5f;

/* Nothing is added twice; the greater weight counts. */
static void add_term(const struct tc_search *search, struct tc_search_query *query,
                     const struct tc_search_query_term *term)
{
    struct tc_str text = tc_str_n(term->text, term->text_n);

    for (size_t i = 0; i < query->n; i++)
        if (tc_str_eq(tc_str_n(query->terms[i].text, query->terms[i].text_n), text)) {
            if (query->terms[i].weight < term->weight)
                query->terms[i].weight = term->weight;
            return;
        }
    if (query->n == TC_SEARCH_QUERY_TERMS)
        return;
    query->terms[query->n] = *term;
    query->terms[query->n++].term = tc_search_term(search, text);
}

static void set_text(struct tc_search_query_term *term, struct tc_str text)
{
    term->text_n = text.n < TC_WORD_MAX ? text.n : TC_WORD_MAX;
    memcpy(term->text, text.p, term->text_n);
    term->text_n = tc_words_stem(term->text, term->text_n);
}

/* A word that the query does not have but means. */
static void conclude(const struct tc_search *search, struct tc_search_query *query, const char *word)
{
    struct tc_search_query_term term = {.weight = form_weight};

    set_text(&term, tc_str_of(word));
    add_term(search, query, &term);
}

static bool is_number(struct tc_str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < '0' || word.p[i] > '9')
            return false;
    return true;
}

/* "zip code" is looked for as "zipcode" as well, where a tool has that. */
static void add_joined(const struct tc_search *search, struct tc_search_query *query, struct tc_str before,
                       struct tc_str word)
{
    struct tc_search_query_term term = {.weight = joined_weight, .word = word};
    char both[2 * TC_WORD_MAX];
    uint32_t found;

    if (before.n == 0 || before.n + word.n < 4 || before.n + word.n > TC_WORD_MAX)
        return;
    memcpy(both, before.p, before.n);
    memcpy(both + before.n, word.p, word.n);
    set_text(&term, tc_str_n(both, before.n + word.n));
    found = tc_search_term(search, tc_str_n(term.text, term.text_n));
    if (found != TC_SEARCH_NONE && search->terms[found].post_n)
        add_term(search, query, &term);
}

static void read_words(const struct tc_search *search, struct tc_str text, struct tc_search_query *query)
{
    struct tc_words words = tc_words(text);
    char before[TC_WORD_MAX + 4];
    size_t before_n = 0;

    while (query->words_n < TC_SEARCH_QUERY_WORDS && tc_words_next(&words)) {
        struct tc_str word = tc_str_n(words.word, words.n);
        struct tc_search_query_term term = {.word = tc_str_n(text.p + words.from, words.to - words.from)};
        term.weight = tc_thesaurus_weak(word) ? weak_weight : is_number(word) ? number_weight : 1;
        set_text(&term, word);
        query->words[query->words_n++] = tc_search_term(search, tc_str_n(term.text, term.text_n));
        add_term(search, query, &term);
        add_joined(search, query, tc_str_n(before, before_n), word);
        memcpy(before, word.p, word.n);
        before_n = word.n;
    }
}

/* --- forms of values --- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The byte at `at`, a space for what lies outside. */
static char at_byte(struct tc_str text, size_t at)
{
    return at < text.n ? text.p[at] : ' ';
}

/* The nearest byte before or behind `at` that is no space. */
static char beside(struct tc_str text, size_t at, bool before)
{
    size_t i = before ? at - 1 : at + 1;

    while (i < text.n && text.p[i] == ' ')
        i += before ? (size_t)-1 : 1;
    return at_byte(text, i);
}

/* 2024-05-01, 1/5/2024, 1.5.2024: at its first separator. */
static bool is_date(struct tc_str text, size_t at)
{
    size_t i = at + 1;

    while (is_digit(at_byte(text, i)))
        i++;
    return is_digit(at_byte(text, at - 1)) && i > at + 1 && at_byte(text, i) == text.p[at] &&
           is_digit(at_byte(text, i + 1));
}

/* ", CA": a place with its state or country. */
static bool is_place(struct tc_str text, size_t at)
{
    char a = at_byte(text, at + 2), b = at_byte(text, at + 3), end = at_byte(text, at + 4);

    return at_byte(text, at + 1) == ' ' && a >= 'A' && a <= 'Z' && b >= 'A' && b <= 'Z' && !is_letter(end) &&
           !is_digit(end);
}

static bool is_ordinal(struct tc_str text, size_t at)
{
    static const char *const ends[] = {"st", "nd", "rd", "th"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (tc_str_starts(tc_str_from(text, at + 1), tc_str_of(ends[i])) && !is_letter(at_byte(text, at + 3)))
            return true;
    return false;
}

static void conclude_sign(const struct tc_search *search, struct tc_search_query *query, struct tc_str text, size_t at)
{
    bool numbers = is_digit(beside(text, at, true)) && is_digit(beside(text, at, false));

    switch (text.p[at]) {
    case '@':
        if (is_letter(at_byte(text, at + 1)) && at > 0 && !tc_str_starts(tc_str_from(text, at - 1), TC_STR(" ")))
            conclude(search, query, "email");
        break;
    case '$':
        if (is_digit(beside(text, at, false))) {
            conclude(search, query, "amount");
            conclude(search, query, "price");
        }
        break;
    case '%':
        conclude(search, query, "percentage");
        conclude(search, query, "rate");
        break;
    case '*':
        if (numbers) {
            conclude(search, query, "multiply");
            conclude(search, query, "product");
        }
        break;
    case '+':
        if (numbers) {
            conclude(search, query, "add");
            conclude(search, query, "sum");
        }
        break;
    default:
        break;
    }
}

static void read_forms(const struct tc_search *search, struct tc_str text, struct tc_search_query *query)
{
    for (size_t at = 0; at < text.n; at++) {
        char c = text.p[at];
        if (c == ':' && is_digit(at_byte(text, at - 1)) && is_digit(at_byte(text, at + 1)))
            conclude(search, query, "time");
        else if (c == ':' && tc_str_starts(tc_str_from(text, at), TC_STR("://")))
            conclude(search, query, "url");
        else if ((c == '-' || c == '/' || c == '.') && is_date(text, at))
            conclude(search, query, "date");
        else if (is_digit(c) && is_ordinal(text, at))
            conclude(search, query, "date");
        else if (c == ',' && is_place(text, at)) {
            conclude(search, query, "city");
            conclude(search, query, "location");
        } else
            conclude_sign(search, query, text, at);
    }
}

void tc_search_query_read(const struct tc_search *search, struct tc_str text, struct tc_search_query *ret)
{
    text = tc_str_n(text.p, text.n < TC_SEARCH_QUERY_MAX ? text.n : TC_SEARCH_QUERY_MAX);
    ret->n = ret->words_n = 0;
    read_words(search, text, ret);
    read_forms(search, text, ret);
}
