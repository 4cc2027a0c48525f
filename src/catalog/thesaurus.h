/*
 * What the tool search knows of language: words that are used for the same thing,
 * and words that say little in a request. Constant data, in lower case.
 */
#ifndef TC_CATALOG_THESAURUS_H
#define TC_CATALOG_THESAURUS_H

#include "toolcrib/str.h"

/* Each a line of related words, with single spaces between them. */
extern const char *const tc_thesaurus_groups[];
extern const size_t tc_thesaurus_groups_n;

/* Words of a request that seldom tell one tool from another: "please", "the". */
bool tc_thesaurus_weak(struct tc_str word);

#endif
