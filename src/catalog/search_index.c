/*
 * Making an index: every field of every tool becomes a run of terms, then terms are
 * counted, and at last each term gets its postings in the order of the tools.
 * A builder that ran out of memory stays failed, so that it is asked once.
 */
#include "catalog/search_impl.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "catalog/thesaurus.h"

enum {
    FIELD_WORDS_MAX = 2000, /* of one field of one tool */
    SCHEMA_DEPTH = 8,
    NAME_MAX_BYTES = 512
};

static const struct {
    float weight, length; /* length: how much the length of a field counts against a word in it */
} tuning[TC_SEARCH_FIELDS] = {
    [TC_SEARCH_NAME] = {5.0f, 0.3f},
    [TC_SEARCH_TITLE] = {2.5f, 0.3f},
    [TC_SEARCH_DESCRIPTION] = {1.5f, 0.5f},
    [TC_SEARCH_HINT] = {2.5f, 0.3f},
    [TC_SEARCH_PARAMETER] = {1.0f, 0.45f},
    [TC_SEARCH_PARAMETER_TEXT] = {0.5f, 0.45f},
    [TC_SEARCH_VALUE] = {1.0f, 0.3f},
    [TC_SEARCH_SOURCE] = {1.0f, 0.3f},
};
static const float saturation = 0.9f; /* k1 of BM25 */

struct builder {
    struct tc_search *search;
    size_t texts_cap, terms_cap, words_cap, names_cap;
    double lengths[TC_SEARCH_FIELDS]; /* words, all tools together */
    size_t having[TC_SEARCH_FIELDS];  /* tools that have the field */
    bool failed;
};

static bool grow(struct builder *b, void **p, size_t *cap, size_t need, size_t size)
{
    size_t more = *cap ? *cap : 256;
    void *grown;

    if (need <= *cap || b->failed)
        return !b->failed;
    while (more < need)
        more *= 2;
    grown = tc_mem_realloc(*p, more * size);
    b->failed = !grown;
    if (!grown)
        return false;
    *p = grown;
    *cap = more;
    return true;
}

/* --- terms --- */

static size_t slot_of(const struct tc_search *search, struct tc_str text)
{
    size_t at = tc_hash_table(text) & (search->table_n - 1);

    while (search->table[at] && !tc_str_eq(tc_search_text(search, search->table[at] - 1), text))
        at = (at + 1) & (search->table_n - 1);
    return at;
}

uint32_t tc_search_term(const struct tc_search *search, struct tc_str text)
{
    return search->table[slot_of(search, text)] - 1; /* 0 becomes TC_SEARCH_NONE */
}

static bool widen_table(struct builder *b)
{
    struct tc_search *s = b->search;
    size_t n = s->table_n ? s->table_n * 2 : 2048;
    uint32_t *table = tc_mem_zalloc(n, sizeof *table);

    b->failed |= !table;
    if (!table)
        return false;
    tc_mem_free(s->table);
    s->table = table;
    s->table_n = n;
    for (size_t i = 0; i < s->terms_n; i++)
        s->table[slot_of(s, tc_search_text(s, (uint32_t)i))] = (uint32_t)i + 1;
    return true;
}

static uint32_t intern(struct builder *b, struct tc_str text)
{
    struct tc_search *s = b->search;
    size_t slot;

    b->failed |= s->texts_n + text.n > UINT32_MAX;
    if (b->failed || (s->terms_n * 2 >= s->table_n && !widen_table(b)))
        return TC_SEARCH_NONE;
    slot = slot_of(s, text);
    if (s->table[slot])
        return s->table[slot] - 1;
    if (!grow(b, (void **)&s->terms, &b->terms_cap, s->terms_n + 1, sizeof *s->terms) ||
        !grow(b, (void **)&s->texts, &b->texts_cap, s->texts_n + text.n, 1))
        return TC_SEARCH_NONE;
    s->terms[s->terms_n] = (struct tc_search_term){.text = (uint32_t)s->texts_n, .text_n = (uint32_t)text.n};
    memcpy(s->texts + s->texts_n, text.p, text.n);
    s->texts_n += text.n;
    s->table[slot] = (uint32_t)++s->terms_n;
    return (uint32_t)s->terms_n - 1;
}

/* --- words of a tool --- */

static void add_word(struct builder *b, uint32_t term)
{
    struct tc_search *s = b->search;

    if (grow(b, (void **)&s->words, &b->words_cap, s->words_n + 1, sizeof *s->words))
        s->words[s->words_n++] = term;
}

/* At most *left words. */
static void add_text(struct builder *b, struct tc_str text, size_t *left)
{
    struct tc_words words = tc_words(text);

    while (*left > 0 && !b->failed && tc_words_next(&words)) {
        size_t n = tc_words_stem(words.word, words.n);
        add_word(b, intern(b, tc_str_n(words.word, n)));
        --*left;
    }
}

/* The words of the schema that belong to `field`. */
static void add_schema(struct builder *b, const struct tc_json *schema, enum tc_search_field field, int depth,
                       size_t *left)
{
    struct tc_json_iter it = tc_json_iter(schema), inner;
    const struct tc_json *value, *item;
    struct tc_str key, name;

    if (depth > SCHEMA_DEPTH || *left == 0)
        return;
    if (!tc_json_is(schema, TC_JSON_OBJECT)) { /* of anyOf and the like */
        while (tc_json_is(schema, TC_JSON_ARRAY) && tc_json_next(&it, NULL, &item))
            add_schema(b, item, field, depth + 1, left);
        return;
    }
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "properties") || tc_str_is(key, "$defs")) {
            for (inner = tc_json_iter(value); tc_json_next(&inner, &name, &item);) {
                if (field == TC_SEARCH_PARAMETER && tc_str_is(key, "properties"))
                    add_text(b, name, left);
                add_schema(b, item, field, depth + 1, left);
            }
        } else if (tc_str_is(key, "items") || tc_str_is(key, "anyOf") || tc_str_is(key, "oneOf") ||
                   tc_str_is(key, "allOf")) {
            add_schema(b, value, field, depth + 1, left);
        } else if (depth > 0 && field == TC_SEARCH_PARAMETER_TEXT && tc_str_is(key, "description")) {
            add_text(b, tc_json_str(value), left);
        } else if (field == TC_SEARCH_VALUE && tc_str_is(key, "enum")) {
            for (inner = tc_json_iter(value); tc_json_next(&inner, NULL, &item);)
                if (tc_json_is(item, TC_JSON_STRING))
                    add_text(b, tc_json_str(item), left);
        }
    }
}

static void add_field(struct builder *b, const struct tc_search_tool *tool, enum tc_search_field field, size_t *left)
{
    const struct tc_descriptor *d = tool->tool;

    switch (field) {
    case TC_SEARCH_NAME: add_text(b, d->name_hint, left); break;
    case TC_SEARCH_TITLE: add_text(b, d->title, left); break;
    case TC_SEARCH_DESCRIPTION: add_text(b, tool->description, left); break;
    case TC_SEARCH_HINT: add_text(b, d->search_hint, left); break;
    case TC_SEARCH_SOURCE: add_text(b, d->server.n ? d->server : d->toolset, left); break;
    default: add_schema(b, d->input_schema, field, 0, left); break;
    }
}

uint64_t tc_search_name_hash(struct tc_str name)
{
    struct tc_words words = tc_words(name);
    char squashed[NAME_MAX_BYTES];
    size_t n = 0;

    while (tc_words_next(&words)) {
        if (n + words.n > sizeof squashed)
            return 0;
        memcpy(squashed + n, words.word, words.n);
        n += words.n;
    }
    return n ? tc_hash_table(tc_str_n(squashed, n)) : 0;
}

static void add_name(struct builder *b, struct tc_str name, size_t tool)
{
    struct tc_search *s = b->search;
    uint64_t hash = tc_search_name_hash(name);

    if (hash && grow(b, (void **)&s->names, &b->names_cap, s->names_n + 1, sizeof *s->names))
        s->names[s->names_n++] = (struct tc_search_name){hash, (uint32_t)tool};
}

static void add_tool(struct builder *b, const struct tc_search_tool *tool, size_t i)
{
    b->search->rows[i].words = (uint32_t)b->search->words_n;
    for (enum tc_search_field field = 0; field < TC_SEARCH_FIELDS; field++) {
        size_t left = FIELD_WORDS_MAX;
        add_field(b, tool, field, &left);
        b->lengths[field] += FIELD_WORDS_MAX - left;
        b->having[field] += left < FIELD_WORDS_MAX;
        add_word(b, TC_SEARCH_NONE);
    }
    add_name(b, tool->name, i);
    add_name(b, tool->tool->id, i);
    if (!tc_str_eq(tool->name, tool->tool->name_hint))
        add_name(b, tool->tool->name_hint, i);
}

/* --- counting --- */

/* What one tool has of each term, while it is looked at. */
struct tally {
    float *weight;      /* [terms] */
    uint8_t *fields;    /* [terms] */
    uint32_t *touched;  /* terms of the tool */
    size_t n;
};

static enum tc_err tally_init(struct tc_cx *cx, struct tally *tally, size_t terms)
{
    *tally = (struct tally){
        .weight = tc_mem_zalloc(terms + 1, sizeof *tally->weight),
        .fields = tc_mem_zalloc(terms + 1, sizeof *tally->fields),
        .touched = tc_mem_zalloc(terms + 1, sizeof *tally->touched),
    };
    return tally->weight && tally->fields && tally->touched ? TC_OK : tc_fail_memory(cx);
}

static void tally_finish(struct tally *tally)
{
    tc_mem_free(tally->weight);
    tc_mem_free(tally->fields);
    tc_mem_free(tally->touched);
}

/* Adds up the words of tool i, the weight of each by its field and that one's length. */
static void tally_tool(struct tally *tally, const struct builder *b, size_t i)
{
    const struct tc_search *s = b->search;
    const uint32_t *at = s->words + s->rows[i].words;

    for (size_t k = 0; k < tally->n; k++) {
        tally->weight[tally->touched[k]] = 0;
        tally->fields[tally->touched[k]] = 0;
    }
    tally->n = 0;
    for (int field = 0; field < TC_SEARCH_FIELDS; field++) {
        size_t n = 0;
        float mean = (float)(b->lengths[field] / (b->having[field] ? (double)b->having[field] : 1)), each;
        while (at[n] != TC_SEARCH_NONE)
            n++;
        each = tuning[field].weight / (1 - tuning[field].length + tuning[field].length * (float)n / (mean + 1e-6f));
        for (size_t k = 0; k < n; k++) {
            if (!tally->fields[at[k]])
                tally->touched[tally->n++] = at[k];
            tally->weight[at[k]] += each;
            tally->fields[at[k]] |= (uint8_t)(1u << field);
        }
        at += n + 1;
    }
}

static void set_idf(struct tc_search *s)
{
    uint32_t post = 0;

    for (size_t t = 0; t < s->terms_n; t++) {
        struct tc_search_term *term = &s->terms[t];
        double having = term->post_n, tools = (double)s->n;
        term->idf = (float)log(1 + (tools - having + 0.5) / (having + 0.5));
        term->post = post;
        post += term->post_n;
        term->post_n = 0; /* counts up again while postings are put in */
    }
    s->postings_n = post;
}

static void put_postings(struct tc_search *s, const struct tally *tally, size_t i)
{
    for (size_t k = 0; k < tally->n; k++) {
        struct tc_search_term *term = &s->terms[tally->touched[k]];
        float weight = tally->weight[tally->touched[k]];
        uint8_t fields = tally->fields[tally->touched[k]];
        s->postings[term->post + term->post_n++] = (struct tc_search_posting){
            .tool = (uint32_t)i,
            .fields = fields,
            .impact = term->idf * weight * (saturation + 1) / (weight + saturation),
        };
        if (fields & 1u << TC_SEARCH_NAME)
            s->rows[i].name_idf += term->idf;
    }
}

static enum tc_err count(struct tc_cx *cx, struct builder *b)
{
    struct tc_search *s = b->search;
    struct tally tally;
    enum tc_err e = tally_init(cx, &tally, s->terms_n);

    for (size_t i = 0; !e && i < s->n; i++) {
        tally_tool(&tally, b, i);
        for (size_t k = 0; k < tally.n; k++)
            s->terms[tally.touched[k]].post_n++;
    }
    if (!e) {
        set_idf(s);
        s->postings = tc_mem_alloc((s->postings_n + 1) * sizeof *s->postings);
        e = s->postings ? TC_OK : tc_fail_memory(cx);
    }
    for (size_t i = 0; !e && i < s->n; i++) {
        tally_tool(&tally, b, i);
        put_postings(s, &tally, i);
    }
    tally_finish(&tally);
    return e;
}

/* --- related words --- */

/* Calls for each word of each group: fn(arg, group, term). */
static void each_related(struct builder *b, void (*fn)(struct tc_search *s, size_t group, uint32_t term))
{
    for (size_t g = 0; g < tc_thesaurus_groups_n && !b->failed; g++) {
        struct tc_words words = tc_words(tc_str_of(tc_thesaurus_groups[g]));
        while (!b->failed && tc_words_next(&words)) {
            uint32_t term = intern(b, tc_str_n(words.word, tc_words_stem(words.word, words.n)));
            if (term != TC_SEARCH_NONE)
                fn(b->search, g, term);
        }
    }
}

static void count_related(struct tc_search *s, size_t group, uint32_t term)
{
    s->groups[group].n++;
    s->terms[term].group_n++;
    s->related_n++;
}

static void put_related(struct tc_search *s, size_t group, uint32_t term)
{
    s->group_terms[s->groups[group].at + s->groups[group].n++] = term;
    s->term_groups[s->terms[term].group + s->terms[term].group_n++] = (uint32_t)group;
}

static enum tc_err relate(struct tc_cx *cx, struct builder *b)
{
    struct tc_search *s = b->search;
    uint32_t at = 0;

    s->groups = tc_mem_zalloc(tc_thesaurus_groups_n, sizeof *s->groups);
    if (!s->groups)
        return tc_fail_memory(cx);
    each_related(b, count_related);
    s->group_terms = tc_mem_zalloc(s->related_n + 1, sizeof *s->group_terms);
    s->term_groups = tc_mem_zalloc(s->related_n + 1, sizeof *s->term_groups);
    if (b->failed || !s->group_terms || !s->term_groups)
        return tc_fail_memory(cx);
    for (size_t g = 0; g < tc_thesaurus_groups_n; g++) {
        s->groups[g].at = at;
        at += s->groups[g].n;
        s->groups[g].n = 0;
    }
    at = 0;
    for (size_t t = 0; t < s->terms_n; t++) {
        s->terms[t].group = at;
        at += s->terms[t].group_n;
        s->terms[t].group_n = 0;
    }
    each_related(b, put_related);
    return TC_OK;
}

/* --- order --- */

static int by_text(const void *a, const void *b, void *arg)
{
    return tc_str_cmp(tc_search_text(arg, *(const uint32_t *)a), tc_search_text(arg, *(const uint32_t *)b));
}

static int by_hash(const void *a, const void *b)
{
    const struct tc_search_name *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->tool > y->tool) - (x->tool < y->tool);
}

static enum tc_err sort(struct tc_cx *cx, struct tc_search *s)
{
    s->order = tc_mem_alloc((s->terms_n + 1) * sizeof *s->order);
    if (!s->order)
        return tc_fail_memory(cx);
    for (size_t t = 0; t < s->terms_n; t++)
        if (s->terms[t].post_n)
            s->order[s->order_n++] = (uint32_t)t;
    qsort_r(s->order, s->order_n, sizeof *s->order, by_text, s);
    if (s->names_n)
        qsort(s->names, s->names_n, sizeof *s->names, by_hash);
    return TC_OK;
}

static enum tc_err build(struct tc_cx *cx, struct builder *b, const struct tc_search_tool *tools)
{
    struct tc_search *s = b->search;
    enum tc_err e;

    for (size_t i = 0; i < s->n && !b->failed; i++)
        add_tool(b, &tools[i], i);
    if (b->failed || s->words_n >= TC_SEARCH_NONE)
        return b->failed ? tc_fail_memory(cx) : tc_fail(cx, TC_E_LIMIT, "The tools have too much text to search it.");
    s->rows[s->n].words = (uint32_t)s->words_n;
    e = relate(cx, b);
    if (!e)
        e = count(cx, b);
    return e ? e : sort(cx, s);
}

enum tc_err tc_search_create(struct tc_cx *cx, const struct tc_search_tool *tools, size_t n,
                             struct tc_search **ret_search)
{
    struct builder b = {.search = tc_mem_zalloc(1, sizeof *b.search)};
    enum tc_err e = TC_OK;

    if (!b.search)
        return tc_fail_memory(cx);
    if (n > TC_SEARCH_TOOLS_MAX)
        e = tc_fail(cx, TC_E_LIMIT, "At most %d tools can be searched.", TC_SEARCH_TOOLS_MAX);
    b.search->n = n;
    if (!e) {
        b.search->rows = tc_mem_zalloc(n + 1, sizeof *b.search->rows);
        e = b.search->rows && widen_table(&b) ? build(cx, &b, tools) : tc_fail_memory(cx);
    }
    if (e) {
        tc_search_destroy(b.search);
        return e;
    }
    *ret_search = b.search;
    return TC_OK;
}

void tc_search_destroy(struct tc_search *search)
{
    if (!search)
        return;
    tc_mem_free(search->rows);
    tc_mem_free(search->words);
    tc_mem_free(search->texts);
    tc_mem_free(search->terms);
    tc_mem_free(search->table);
    tc_mem_free(search->order);
    tc_mem_free(search->postings);
    tc_mem_free(search->groups);
    tc_mem_free(search->group_terms);
    tc_mem_free(search->term_groups);
    tc_mem_free(search->names);
    tc_mem_free(search);
}

size_t tc_search_bytes(const struct tc_search *s)
{
    return sizeof *s + (s->n + 1) * sizeof *s->rows + s->words_n * sizeof *s->words + s->texts_n +
           s->terms_n * sizeof *s->terms + s->table_n * sizeof *s->table + s->terms_n * sizeof *s->order +
           s->postings_n * sizeof *s->postings + tc_thesaurus_groups_n * sizeof *s->groups +
           2 * s->related_n * sizeof *s->group_terms + s->names_n * sizeof *s->names;
}
