/*
 * Text as words for the tool search: what a name, a description and a query have
 * in common once case, punctuation and word endings are gone. Pure, no allocation.
 *
 * "getUserIDs", "get_user_ids" and "Getting user ids" all give get, user, id.
 * Runs of Chinese, Japanese and Korean characters give their overlapping pairs.
 */
#ifndef TC_CATALOG_WORDS_H
#define TC_CATALOG_WORDS_H

#include "toolcrib/str.h"

enum { TC_WORD_MAX = 48 }; /* bytes of a word; the rest of a longer one is left out */

/* Walks a text: struct tc_words w = tc_words(text); while (tc_words_next(&w)) … */
struct tc_words {
    struct tc_str text;
    size_t at;
    bool paired;           /* the CJK character at `at` has been the second of a pair */
    char word[TC_WORD_MAX + 4]; /* in lower case, not stemmed */
    size_t n;
    size_t from, to;       /* where it stands in the text */
};
struct tc_words tc_words(struct tc_str text);
bool tc_words_next(struct tc_words *words);

/* The stem of a word in lower case, in place; returns its length. English plurals, -ing
 * and -ed; a word with anything but a to z is left alone. */
size_t tc_words_stem(char *word, size_t n);

#endif
