/*
 * Splitting and stemming. The stemmer is light on purpose: it joins the forms that
 * a request and a description of the same thing differ in, and leaves alone what
 * would join two things.
 */
#include "catalog/words.h"

#include "base/utf8.h"

static bool is_upper(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Lower case of the letters of ASCII, Latin, Greek, Cyrillic and of full width. */
static uint32_t lower(uint32_t c)
{
    if (is_upper(c))
        return c + 0x20;
    if (c < 0xc0)
        return c;
    if (c <= 0xde)
        return c == 0xd7 ? c : c + 0x20;
    if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177) || (c >= 0x1e00 && c <= 0x1eff))
        return c | 1;
    if ((c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
        return c + 0x20;
    if (c >= 0x400 && c <= 0x40f)
        return c + 0x50;
    if (c >= 0xff10 && c <= 0xff19)
        return c - 0xff10 + '0';
    if (c >= 0xff21 && c <= 0xff3a)
        return c - 0xff21 + 'a';
    if (c >= 0xff41 && c <= 0xff5a)
        return c - 0xff41 + 'a';
    return c;
}

struct tc_words tc_words(struct tc_str text)
{
    return (struct tc_words){.text = text};
}

static uint32_t peek(const struct tc_words *words, size_t at)
{
    return at < words->text.n ? tc_utf8_next(words->text, &at) : 0;
}

static void put(struct tc_words *words, uint32_t c)
{
    if (words->n < TC_WORD_MAX)
        words->n += tc_utf8_put(c, words->word + words->n);
}

/* Whether a word ends between `before` and the upper-case letter at `at`: aB, and ABc
 * before the B, unless what follows is no more than the s of a plural: "IDs". */
static bool breaks(const struct tc_words *words, uint32_t before, size_t at)
{
    uint32_t next = peek(words, at + 1);

    if (is_lower(before))
        return true;
    return is_upper(before) && next >= 'a' && next <= 'z' &&
           !(next == 's' && !tc_utf8_is_word(peek(words, at + 2)));
}

/* A pair, or a character that stands alone; false when it was the end of a pair. */
static bool take_cjk(struct tc_words *words, uint32_t c)
{
    size_t end = words->at;
    uint32_t next = end < words->text.n ? tc_utf8_next(words->text, &end) : 0;
    bool was_paired = words->paired;

    words->paired = false;
    put(words, c);
    words->to = words->at;
    if (tc_utf8_is_cjk(next)) {
        put(words, next);
        words->to = end;
        words->paired = true;
        return true;
    }
    return !was_paired;
}

static void take_word(struct tc_words *words, uint32_t c)
{
    for (;;) {
        size_t at = words->at;
        uint32_t next = peek(words, at);
        put(words, lower(c));
        if (!tc_utf8_is_word(next) || tc_utf8_is_cjk(next) || (is_upper(next) && breaks(words, c, at)))
            break;
        tc_utf8_next(words->text, &words->at);
        c = next;
    }
    words->to = words->at;
}

bool tc_words_next(struct tc_words *words)
{
    while (words->at < words->text.n) {
        size_t from = words->at;
        uint32_t c = tc_utf8_next(words->text, &words->at);
        words->n = 0;
        words->from = from;
        if (tc_utf8_is_cjk(c)) {
            if (take_cjk(words, c))
                return true;
        } else if (tc_utf8_is_word(c)) {
            take_word(words, c);
            return true;
        }
    }
    return false;
}

/* --- stems --- */

static bool ends(const char *word, size_t n, const char *suffix)
{
    size_t m = strlen(suffix);

    return n >= m && memcmp(word + n - m, suffix, m) == 0;
}

static bool has_vowel(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("aeiouy", word[i]))
            return true;
    return false;
}

static size_t singular(char *word, size_t n)
{
    if (n > 4 && ends(word, n, "ies")) {
        word[n - 3] = 'y';
        return n - 2;
    }
    if (ends(word, n, "sses") || ends(word, n, "shes") || ends(word, n, "ches") || ends(word, n, "xes"))
        return n - 2;
    if (word[n - 1] == 's' && !ends(word, n, "ss") && !ends(word, n, "us") && !ends(word, n, "is"))
        return n - 1;
    return n;
}

/* Without -ing or -ed, and without the letter that was doubled for it. */
static size_t infinitive(const char *word, size_t n)
{
    static const char *const suffixes[] = {"ingly", "edly", "ing", "ed"};

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t left = n - strlen(suffixes[i]);
        if (!ends(word, n, suffixes[i]) || left < 3 || !has_vowel(word, left))
            continue;
        if (left > 3 && word[left - 1] == word[left - 2] && !strchr("lsz", word[left - 1]))
            left--;
        return left;
    }
    return n;
}

size_t tc_words_stem(char *word, size_t n)
{
    if (n < 4)
        return n;
    for (size_t i = 0; i < n; i++)
        if (word[i] < 'a' || word[i] > 'z')
            return n;
    n = infinitive(word, singular(word, n));
    if (n > 4 && word[n - 1] == 'e')
        n--;
    if (n > 3 && word[n - 1] == 'y')
        word[n - 1] = 'i';
    return n;
}
