/*
 * Building sets of characters, and the kinds of those beyond ASCII.
 */
#include "regex/set.h"

#include <stdlib.h>

enum { ASCII_END = 0x80 };

/* --- kinds --- */

#define KIND(name) (1u << TC_REGEX_KIND_##name)
enum { LETTERS = KIND(LETTER) | KIND(LOWER) | KIND(UPPER) | KIND(TITLE) };

enum tc_regex_kind tc_regex_set_kind(uint32_t c)
{
    if (tc_ctype_is(c, TC_CTYPE_ALPHA)) {
        bool lower = tc_ctype_is(c, TC_CTYPE_LOWER), upper = tc_ctype_is(c, TC_CTYPE_UPPER);
        if (lower && upper)
            return TC_REGEX_KIND_TITLE;
        return lower ? TC_REGEX_KIND_LOWER : upper ? TC_REGEX_KIND_UPPER : TC_REGEX_KIND_LETTER;
    }
    if (tc_ctype_is(c, TC_CTYPE_PUNCT))
        return TC_REGEX_KIND_PUNCT;
    if (tc_ctype_is(c, TC_CTYPE_BLANK))
        return TC_REGEX_KIND_BLANK;
    if (tc_ctype_is(c, TC_CTYPE_CNTRL))
        return tc_ctype_is(c, TC_CTYPE_SPACE) ? TC_REGEX_KIND_SEPARATOR : TC_REGEX_KIND_CNTRL;
    return TC_REGEX_KIND_OTHER;
}

uint16_t tc_regex_set_kinds(enum tc_ctype type)
{
    static const uint16_t kinds[] = {[TC_CTYPE_ALPHA] = LETTERS,
                                     [TC_CTYPE_ALNUM] = LETTERS, /* digits beyond ASCII are letters here */
                                     [TC_CTYPE_DIGIT] = 0,
                                     [TC_CTYPE_XDIGIT] = 0,
                                     [TC_CTYPE_UPPER] = KIND(UPPER) | KIND(TITLE),
                                     [TC_CTYPE_LOWER] = KIND(LOWER) | KIND(TITLE),
                                     [TC_CTYPE_SPACE] = KIND(BLANK) | KIND(SEPARATOR),
                                     [TC_CTYPE_BLANK] = KIND(BLANK),
                                     [TC_CTYPE_PUNCT] = KIND(PUNCT),
                                     [TC_CTYPE_GRAPH] = LETTERS | KIND(PUNCT),
                                     [TC_CTYPE_PRINT] = LETTERS | KIND(PUNCT) | KIND(BLANK),
                                     [TC_CTYPE_CNTRL] = KIND(CNTRL) | KIND(SEPARATOR)};

    return kinds[type];
}

/* --- sets --- */

static bool grow(struct tc_arena *arena, struct tc_regex_set *set)
{
    uint32_t cap = set->cap ? set->cap * 2 : 8;
    struct tc_regex_range *ranges = tc_arena_alloc(arena, cap * sizeof *ranges);

    if (!ranges) {
        set->failed = true;
        return false;
    }
    if (set->n)
        memcpy(ranges, set->ranges, set->n * sizeof *ranges);
    set->ranges = ranges;
    set->cap = cap;
    return true;
}

void tc_regex_set_add(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last)
{
    struct tc_regex_range *before = set->n ? &set->ranges[set->n - 1] : NULL;

    if (set->failed)
        return;
    if (before && first >= before->first && first <= before->last + 1) {
        before->last = last > before->last ? last : before->last;
        return;
    }
    if (set->n == set->cap && !grow(arena, set))
        return;
    set->untidy |= set->n && first < set->ranges[set->n - 1].first;
    set->ranges[set->n++] = (struct tc_regex_range){first, last};
}

void tc_regex_set_add_class(struct tc_arena *arena, struct tc_regex_set *set, enum tc_ctype type)
{
    struct tc_ctype_table tables[TC_CTYPE_TABLES_MAX];

    tc_ctype_tables(type, tables);
    for (size_t t = 0; t < TC_CTYPE_TABLES_MAX && tables[t].runs; t++)
        for (size_t i = 0; i < tables[t].n && tables[t].runs[i].first < ASCII_END; i++)
            tc_regex_set_add(arena, set, tables[t].runs[i].first,
                             tables[t].runs[i].last < ASCII_END ? tables[t].runs[i].last : ASCII_END - 1);
    set->kinds |= tc_regex_set_kinds(type);
}

void tc_regex_set_add_word(struct tc_arena *arena, struct tc_regex_set *set)
{
    tc_regex_set_add_class(arena, set, TC_CTYPE_ALNUM);
    tc_regex_set_add(arena, set, '_', '_');
}

static void add_cases_of(struct tc_arena *arena, struct tc_regex_set *set, uint32_t c)
{
    uint32_t others[TC_CTYPE_CASES_MAX];
    size_t n = tc_ctype_cases(c, others);

    for (size_t i = 0; i < n; i++)
        tc_regex_set_add(arena, set, others[i], others[i]);
}

void tc_regex_set_add_cases(struct tc_arena *arena, struct tc_regex_set *set, uint32_t first, uint32_t last)
{
    last = last > TC_REGEX_LAST ? TC_REGEX_LAST : last;
    for (uint32_t c = first; c <= last && !set->failed; c++)
        if (tc_ctype_to_upper(c) != c || tc_ctype_to_lower(c) != c)
            add_cases_of(arena, set, c);
}

static int by_first(const void *a, const void *b)
{
    const struct tc_regex_range *x = a, *y = b;

    return x->first < y->first ? -1 : x->first > y->first;
}

void tc_regex_set_tidy(struct tc_regex_set *set)
{
    uint32_t n = 0;

    if (!set->untidy || set->failed)
        return;
    qsort(set->ranges, set->n, sizeof *set->ranges, by_first);
    for (uint32_t i = 1; i < set->n; i++) {
        struct tc_regex_range *last = &set->ranges[n], range = set->ranges[i];
        if (range.first > last->last + 1)
            set->ranges[++n] = range;
        else if (range.last > last->last)
            last->last = range.last;
    }
    set->n = n + 1;
    set->untidy = false;
}

bool tc_regex_set_same(const struct tc_regex_set *a, const struct tc_regex_set *b)
{
    return a->n == b->n && a->kinds == b->kinds && a->negated == b->negated &&
           (a->n == 0 || memcmp(a->ranges, b->ranges, a->n * sizeof *a->ranges) == 0);
}
