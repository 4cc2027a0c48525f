/*
 * The index behind the tool search, for the files of this folder that make and read
 * it. Terms are stems; a term of the thesaurus is there even if no tool has it, so
 * that a request may use it.
 */
#ifndef TC_CATALOG_SEARCH_IMPL_H
#define TC_CATALOG_SEARCH_IMPL_H

#include "catalog/search.h"
#include "catalog/words.h"

enum { TC_SEARCH_NONE = 0xffffffff };

struct tc_search_term {
    uint32_t text;            /* offset in texts */
    uint32_t text_n;
    uint32_t post, post_n;    /* its postings */
    uint32_t group, group_n;  /* its groups of related words */
    float idf;
};

/* That a tool has a term, and what that counts: idf times saturated frequency. */
struct tc_search_posting {
    uint32_t tool : 24, fields : 8;
    float impact;
};

struct tc_search_span {
    uint32_t at, n;
};

struct tc_search_tool_row {
    uint32_t words;           /* where its words begin in `words` */
    float name_idf;           /* of the different terms of its name together */
};

struct tc_search_name {
    uint64_t hash;            /* of a name without case and punctuation */
    uint32_t tool;
};

struct tc_search {
    size_t n;
    struct tc_search_tool_row *rows; /* [n + 1] */
    uint32_t *words;          /* terms in their order, a TC_SEARCH_NONE behind each field */
    size_t words_n;
    char *texts;
    size_t texts_n;
    struct tc_search_term *terms;
    size_t terms_n;
    uint32_t *table;          /* term + 1 by hash, 0 where free; a power of two */
    size_t table_n;
    uint32_t *order;          /* terms that tools have, by text */
    size_t order_n;
    struct tc_search_posting *postings;
    size_t postings_n;
    struct tc_search_span *groups;   /* of related words, in group_terms */
    uint32_t *group_terms;
    uint32_t *term_groups;    /* groups of each term, see tc_search_term.group */
    size_t related_n;
    struct tc_search_name *names;    /* by hash, then tool */
    size_t names_n;
};

/* The term, or TC_SEARCH_NONE. */
uint32_t tc_search_term(const struct tc_search *search, struct tc_str text);
static inline struct tc_str tc_search_text(const struct tc_search *search, uint32_t term)
{
    return tc_str_n(search->texts + search->terms[term].text, search->terms[term].text_n);
}
/* --- queries --- */

enum {
    TC_SEARCH_QUERY_TERMS = 128, /* different ones that count */
    TC_SEARCH_QUERY_WORDS = 256  /* in all */
};

struct tc_search_query_term {
    uint32_t term;            /* TC_SEARCH_NONE: no tool and no group of related words has it */
    float weight;
    struct tc_str word;       /* where it stands in the query; empty: it was concluded */
    char text[TC_WORD_MAX + 4];
    size_t text_n;
};

struct tc_search_query {
    struct tc_search_query_term terms[TC_SEARCH_QUERY_TERMS]; /* different ones */
    size_t n;
    uint32_t words[TC_SEARCH_QUERY_WORDS]; /* terms in the order of the text */
    size_t words_n;
};

/* Reads a text as a query. Any bytes will do. */
void tc_search_query_read(const struct tc_search *search, struct tc_str text, struct tc_search_query *ret);

/* Hash of a name without case and punctuation; 0 for one that has no letter or digit
 * or is longer than a name can be. */
uint64_t tc_search_name_hash(struct tc_str name);

#endif
