/*
 * Ranked search among tools, without a network or a model: BM25 over weighted fields
 * (name, title, description, search hint, parameters and their values, server), word
 * stems, related words, and what of a tool's name and of the request is covered.
 * docs/internals/discovery.md has the measurements.
 *
 * An index is immutable, owns all that it needs and belongs to whoever created it.
 * It knows its tools by their position in what it was made of. The order of results
 * is a function of the tools and the query; ties go to the tool that came first, so
 * tools are handed over in the order of their ids.
 */
#ifndef TC_CATALOG_SEARCH_H
#define TC_CATALOG_SEARCH_H

#include "catalog/descriptor.h"

enum {
    TC_SEARCH_LIMIT_MAX = 25,
    TC_SEARCH_QUERY_MAX = 4096, /* bytes of a query that are looked at */
    TC_SEARCH_TOOLS_MAX = 1 << 20,
    TC_SEARCH_WORDS_MAX = 5     /* words that a hit is explained with */
};

/* Where a word was found. */
enum tc_search_field {
    TC_SEARCH_NAME,
    TC_SEARCH_TITLE,
    TC_SEARCH_DESCRIPTION,
    TC_SEARCH_HINT,
    TC_SEARCH_PARAMETER,       /* its name */
    TC_SEARCH_PARAMETER_TEXT,  /* its description */
    TC_SEARCH_VALUE,           /* of an enumeration */
    TC_SEARCH_SOURCE,          /* server, toolset */
    TC_SEARCH_FIELDS
};

struct tc_search_tool {
    const struct tc_descriptor *tool;
    struct tc_str name;        /* call name; may be empty */
    struct tc_str description; /* as it is offered */
};

struct tc_search_word {
    struct tc_str word;        /* of the query, borrowed from it */
    unsigned fields;           /* bits 1 << tc_search_field */
    bool related;              /* another word that means the same was found */
};

struct tc_search_hit {
    size_t tool;               /* position */
    double score;
    bool exact;                /* the query names it */
    struct tc_search_word words[TC_SEARCH_WORDS_MAX]; /* the weightiest first */
    size_t words_n;
};

struct tc_search;

/* TC_E_LIMIT above TC_SEARCH_TOOLS_MAX. */
enum tc_err tc_search_create(struct tc_cx *cx, const struct tc_search_tool *tools, size_t n,
                             struct tc_search **ret_search);
void tc_search_destroy(struct tc_search *search); /* NULL is fine */
/* Bytes that it holds. */
size_t tc_search_bytes(const struct tc_search *search);

/* The best `limit` (1 … TC_SEARCH_LIMIT_MAX) tools, best first, in the arena. A tool
 * whose name is the whole query comes first. Only tools whose bit is set in `among`
 * (bit i % 64 of word i / 64) are looked at; NULL: all. */
enum tc_err tc_search_run(struct tc_cx *cx, const struct tc_search *search, struct tc_str query, size_t limit,
                          const uint64_t *among, struct tc_search_hit **ret_hits, size_t *ret_n);

#endif
