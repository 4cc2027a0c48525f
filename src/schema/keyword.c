/*
 * The keyword table and its lookup.
 */
#include "schema/keyword.h"

static const struct tc_keyword_info ROWS[] = {
#define TC_KEYWORD(symbol, text, first, last, vocabulary, shape)                                                       \
    [TC_KW_##symbol] = {TC_STR_INIT(text), TC_SCHEMA_DRAFT_##first, TC_SCHEMA_DRAFT_##last,                            \
                        TC_VOCABULARY_##vocabulary, TC_SHAPE_##shape},
    TC_KEYWORD_ROWS
#undef TC_KEYWORD
};

const struct tc_keyword_info *tc_keyword_info(enum tc_keyword keyword)
{
    return &ROWS[keyword];
}

enum tc_keyword tc_keyword_find(struct tc_str text, struct tc_dialect dialect)
{
    for (unsigned i = 0; i < TC_KW_COUNT; i++) {
        const struct tc_keyword_info *row = &ROWS[i];
        if (row->text.n == text.n && memcmp(row->text.p, text.p, text.n) == 0 && row->first <= dialect.draft &&
            row->last >= dialect.draft && (row->vocabulary & dialect.vocabularies))
            return (enum tc_keyword)i;
    }
    return TC_KW_COUNT;
}
