/*
 * Ranking. Every tool that shares a term with the query is scored in one pass over
 * the postings; the best of them are looked at again, for words that stand side by
 * side, and put in order.
 */
#include "catalog/search.h"

#include "catalog/search_impl.h"

enum { CANDIDATES = 100, PREFIX_LEAST = 4, PREFIX_BACK = 3, PREFIX_TERMS = 8 };

static const float related_weight = 0.3f, prefix_weight = 0.4f, name_bonus = 0.2f, query_bonus = 0.3f,
                   beside_bonus = 1.0f, unknown_idf = 3.0f;
static const float named_bonus = 30, whole_bonus = 1e6f;

struct tally {
    float score;
    float name;   /* idf of the terms of its name that the query has */
    float query;  /* idf of the terms of the query that it has */
    float best;   /* of the term at hand: of the word itself or of a related one */
};

struct run {
    const struct tc_search *search;
    struct tc_search_query query;
    struct tally *tallies;   /* [tools] */
    float *direct, *related; /* [terms]: weight of a term in the query, of one that is related to one of it */
    uint32_t *touched;       /* [tools] with a `best` */
    size_t touched_n;
    float total;             /* idf of the query's terms */
};

static enum tc_err run_init(struct tc_cx *cx, const struct tc_search *search, struct tc_str query, struct run **ret)
{
    struct run *run = tc_arena_alloc(cx->arena, sizeof *run);

    if (!run)
        return tc_fail_memory(cx);
    run->search = search;
    run->touched_n = 0;
    run->total = 0;
    run->tallies = TC_ARENA_NEW_N(cx->arena, struct tally, search->n + 1);
    run->direct = TC_ARENA_NEW_N(cx->arena, float, search->terms_n + 1);
    run->related = TC_ARENA_NEW_N(cx->arena, float, search->terms_n + 1);
    run->touched = tc_arena_alloc(cx->arena, (search->n + 1) * sizeof *run->touched);
    if (!run->tallies || !run->direct || !run->related || !run->touched)
        return tc_fail_memory(cx);
    tc_search_query_read(search, query, &run->query);
    for (size_t i = 0; i < run->query.n; i++) {
        const struct tc_search_query_term *term = &run->query.terms[i];
        float idf = term->term == TC_SEARCH_NONE ? unknown_idf : search->terms[term->term].idf;
        if (term->term != TC_SEARCH_NONE && search->terms[term->term].post_n)
            run->direct[term->term] = term->weight;
        run->total += idf * term->weight;
    }
    *ret = run;
    return TC_OK;
}

/* --- the pass over the postings --- */

static void offer(struct run *run, uint32_t tool, float impact)
{
    struct tally *tally = &run->tallies[tool];

    if (impact <= 0)
        return;
    if (tally->best == 0)
        run->touched[run->touched_n++] = tool;
    if (tally->best < impact)
        tally->best = impact;
}

static void offer_term(struct run *run, const struct tc_search_term *term, float weight)
{
    const struct tc_search_posting *posting = &run->search->postings[term->post];

    for (size_t i = 0; i < term->post_n; i++)
        offer(run, posting[i].tool, posting[i].impact * weight);
}

static void offer_related(struct run *run, const struct tc_search_term *term, float weight)
{
    const struct tc_search *s = run->search;

    for (size_t g = 0; g < term->group_n; g++) {
        struct tc_search_span group = s->groups[s->term_groups[term->group + g]];
        for (size_t i = 0; i < group.n; i++) {
            uint32_t other = s->group_terms[group.at + i];
            if (run->direct[other] > 0 || s->terms[other].post_n == 0)
                continue;
            offer_term(run, &s->terms[other], related_weight);
            if (run->related[other] < weight * related_weight)
                run->related[other] = weight * related_weight;
        }
    }
}

static size_t lower_bound(const struct tc_search *s, struct tc_str text)
{
    size_t low = 0, high = s->order_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tc_str_cmp(tc_search_text(s, s->order[middle]), text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A word that no tool has: those that begin as it does, with up to three letters of it
 * left out. Of the CJK characters one alone begins a pair. */
static void offer_prefixed(struct run *run, struct tc_str word)
{
    const struct tc_search *s = run->search;
    bool cjk = word.n && (unsigned char)word.p[0] >= 0xe0;
    size_t least = cjk ? 3 : PREFIX_LEAST;

    for (size_t n = word.n; n >= least && n + PREFIX_BACK >= word.n && !(cjk && n < word.n); n--) {
        struct tc_str prefix = tc_str_n(word.p, n);
        size_t at = lower_bound(s, prefix), end = at;
        while (end < s->order_n && end - at < PREFIX_TERMS && tc_str_starts(tc_search_text(s, s->order[end]), prefix))
            offer_term(run, &s->terms[s->order[end++]], prefix_weight);
        if (end > at)
            return;
    }
}

static void take_best(struct run *run, float weight)
{
    for (size_t i = 0; i < run->touched_n; i++) {
        struct tally *tally = &run->tallies[run->touched[i]];
        tally->score += tally->best * weight;
        tally->best = 0;
    }
    run->touched_n = 0;
}

/* What a tool has of the query's terms, and the query of the terms of its name. */
static void cover(struct run *run, const struct tc_search_term *term, float weight, bool direct)
{
    const struct tc_search_posting *posting = &run->search->postings[term->post];

    for (size_t i = 0; i < term->post_n; i++) {
        struct tally *tally = &run->tallies[posting[i].tool];
        if (direct)
            tally->query += term->idf * weight;
        if (posting[i].fields & 1u << TC_SEARCH_NAME)
            tally->name += term->idf * weight;
    }
}

static void add_terms(struct run *run)
{
    const struct tc_search *s = run->search;

    for (size_t i = 0; i < run->query.n; i++) {
        const struct tc_search_query_term *term = &run->query.terms[i];
        const struct tc_search_term *own = term->term == TC_SEARCH_NONE ? NULL : &s->terms[term->term];
        if (own && own->post_n)
            offer_term(run, own, 1);
        else if (!own)
            offer_prefixed(run, tc_str_n(term->text, term->text_n));
        if (own)
            offer_related(run, own, term->weight);
        take_best(run, term->weight);
        if (own && own->post_n)
            cover(run, own, term->weight, true);
    }
    for (size_t i = 0; i < s->related_n; i++) {
        uint32_t term = s->group_terms[i];
        if (run->related[term] > 0)
            cover(run, &s->terms[term], run->related[term], false);
        run->related[term] = 0; /* a term stands in several groups */
    }
}

/* --- names --- */

static void add_named(struct run *run, struct tc_str name, float bonus)
{
    const struct tc_search *s = run->search;
    uint64_t hash = tc_search_name_hash(name);
    size_t low = 0, high = s->names_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->names[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t last = SIZE_MAX; hash && low < s->names_n && s->names[low].hash == hash; low++) {
        if (s->names[low].tool != last)
            run->tallies[s->names[low].tool].score += bonus;
        last = s->names[low].tool;
    }
}

/* Whether it looks like the name of a tool and not like a word of the language. */
static bool looks_named(struct tc_str chunk)
{
    for (size_t i = 1; i + 1 < chunk.n; i++) {
        char c = chunk.p[i];
        if (c == '_' || c == '.' || c == '-' || c == ':' || c == '/')
            return true;
        if (c >= 'A' && c <= 'Z' && chunk.p[i - 1] >= 'a' && chunk.p[i - 1] <= 'z')
            return true;
    }
    return false;
}

static void add_names(struct run *run, struct tc_str query)
{
    size_t from = 0;

    add_named(run, query, whole_bonus);
    for (size_t i = 0; i <= query.n; i++) {
        if (i < query.n && !strchr(" \t\r\n,;()[]{}<>'\"`", query.p[i]))
            continue;
        if (looks_named(tc_str_n(query.p + from, i - from)))
            add_named(run, tc_str_n(query.p + from, i - from), named_bonus);
        from = i + 1;
    }
}

/* --- the best --- */

struct candidate {
    float score;
    uint32_t tool;
};

static bool better(struct candidate a, struct candidate b)
{
    return a.score > b.score || (a.score == b.score && a.tool < b.tool);
}

static float factor(const struct run *run, size_t tool)
{
    const struct tally *tally = &run->tallies[tool];
    float all = run->search->rows[tool].name_idf, part = all > 0 ? tally->name / all : 0;

    return (1 + name_bonus * (part < 1 ? part : 1)) *
           (1 + query_bonus * (run->total > 0 ? tally->query / run->total : 0));
}

/* Keeps the worst of the heap at its top. */
static void sift_down(struct candidate *heap, size_t n, size_t at)
{
    for (;;) {
        size_t worst = at, left = 2 * at + 1;
        struct candidate swap;
        for (size_t child = left; child < n && child <= left + 1; child++)
            if (better(heap[worst], heap[child]))
                worst = child;
        if (worst == at)
            return;
        swap = heap[at];
        heap[at] = heap[worst];
        heap[worst] = swap;
        at = worst;
    }
}

static size_t choose(const struct run *run, const uint64_t *among, struct candidate heap[CANDIDATES])
{
    size_t n = 0;

    for (size_t i = 0; i < run->search->n; i++) {
        struct candidate it = {run->tallies[i].score, (uint32_t)i};
        if (it.score <= 0 || (among && !(among[i / 64] >> (i % 64) & 1)))
            continue;
        it.score *= factor(run, i);
        if (n < CANDIDATES) {
            heap[n++] = it;
            for (size_t k = n / 2; n == CANDIDATES && k-- > 0;)
                sift_down(heap, n, k);
        } else if (better(it, heap[0])) {
            heap[0] = it;
            sift_down(heap, n, 0);
        }
    }
    return n;
}

/* Pairs of the query's words that stand side by side in the tool as well. */
static float side_by_side(const struct run *run, size_t tool)
{
    const struct tc_search *s = run->search;
    const struct tc_search_query *query = &run->query;
    float found[TC_SEARCH_QUERY_WORDS] = {0}, bonus = 0;
    int field = 0;

    for (size_t at = s->rows[tool].words; at + 1 < s->rows[tool + 1].words; at++) {
        uint32_t a = s->words[at], b = s->words[at + 1];
        float weight = field == TC_SEARCH_NAME ? beside_bonus : 0.6f * beside_bonus;
        if (a == TC_SEARCH_NONE)
            field++;
        if (a == TC_SEARCH_NONE || b == TC_SEARCH_NONE || run->direct[a] <= 0 || run->direct[b] <= 0)
            continue;
        for (size_t i = 0; i + 1 < query->words_n; i++)
            if (query->words[i] == a && query->words[i + 1] == b && found[i] < weight) {
                bonus += (weight - found[i]) * (s->terms[a].idf + s->terms[b].idf) / 2;
                found[i] = weight;
            }
    }
    return bonus;
}

static void sort(struct candidate *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct candidate it = items[i];
        size_t at = i;
        for (; at > 0 && better(it, items[at - 1]); at--)
            items[at] = items[at - 1];
        items[at] = it;
    }
}

/* --- why --- */

static void explain_word(struct tc_search_hit *hit, float weights[TC_SEARCH_WORDS_MAX], struct tc_search_word word,
                         float weight)
{
    size_t at = hit->words_n < TC_SEARCH_WORDS_MAX ? hit->words_n++ : TC_SEARCH_WORDS_MAX;

    for (; at > 0 && weights[at - 1] < weight; at--)
        if (at < TC_SEARCH_WORDS_MAX) {
            weights[at] = weights[at - 1];
            hit->words[at] = hit->words[at - 1];
        }
    if (at < TC_SEARCH_WORDS_MAX) {
        weights[at] = weight;
        hit->words[at] = word;
    }
}

/* Fields of the tool that have a word related to the term. */
static unsigned related_fields(const struct tc_search *s, const struct tc_search_term *term, const uint8_t *fields)
{
    unsigned found = 0;

    for (size_t g = 0; g < term->group_n; g++) {
        struct tc_search_span group = s->groups[s->term_groups[term->group + g]];
        for (size_t i = 0; i < group.n; i++)
            found |= fields[s->group_terms[group.at + i]];
    }
    return found;
}

static void explain(const struct run *run, struct tc_search_hit *hit, uint8_t *fields)
{
    const struct tc_search *s = run->search;
    const uint32_t *words = s->words + s->rows[hit->tool].words;
    size_t n = s->rows[hit->tool + 1].words - s->rows[hit->tool].words;
    float weights[TC_SEARCH_WORDS_MAX];
    int field = 0;

    for (size_t i = 0; i < n; i++)
        if (words[i] == TC_SEARCH_NONE)
            field++;
        else
            fields[words[i]] |= (uint8_t)(1u << field);
    for (size_t i = 0; i < run->query.n; i++) {
        const struct tc_search_query_term *term = &run->query.terms[i];
        struct tc_search_word word = {.word = term->word};
        float weight;
        if (term->term == TC_SEARCH_NONE || term->word.n == 0 || term->weight < 1)
            continue;
        weight = s->terms[term->term].idf;
        word.fields = fields[term->term];
        if (!word.fields) {
            word.fields = related_fields(s, &s->terms[term->term], fields);
            word.related = true;
            weight *= related_weight;
        }
        if (word.fields)
            explain_word(hit, weights, word, weight);
    }
    for (size_t i = 0; i < n; i++)
        if (words[i] != TC_SEARCH_NONE)
            fields[words[i]] = 0;
}

static enum tc_err make_hits(struct tc_cx *cx, const struct run *run, const struct candidate *best, size_t n,
                             struct tc_search_hit **ret_hits)
{
    struct tc_search_hit *hits = TC_ARENA_NEW_N(cx->arena, struct tc_search_hit, n + 1);
    uint8_t *fields = TC_ARENA_NEW_N(cx->arena, uint8_t, run->search->terms_n + 1);

    if (!hits || !fields)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        hits[i].tool = best[i].tool;
        hits[i].score = (double)best[i].score;
        hits[i].exact = best[i].score >= whole_bonus;
        explain(run, &hits[i], fields);
    }
    *ret_hits = hits;
    return TC_OK;
}

enum tc_err tc_search_run(struct tc_cx *cx, const struct tc_search *search, struct tc_str query, size_t limit,
                          const uint64_t *among, struct tc_search_hit **ret_hits, size_t *ret_n)
{
    struct candidate best[CANDIDATES];
    struct run *run = NULL;
    size_t n;
    enum tc_err e = run_init(cx, search, query, &run);

    if (e)
        return e;
    query.n = query.n < TC_SEARCH_QUERY_MAX ? query.n : TC_SEARCH_QUERY_MAX;
    add_terms(run);
    add_names(run, query);
    n = choose(run, among, best);
    for (size_t i = 0; i < n; i++)
        best[i].score += side_by_side(run, best[i].tool) * factor(run, best[i].tool);
    sort(best, n);
    if (limit > TC_SEARCH_LIMIT_MAX)
        limit = TC_SEARCH_LIMIT_MAX;
    n = n < limit ? n : limit;
    e = make_hits(cx, run, best, n, ret_hits);
    if (!e)
        *ret_n = n;
    return e;
}
