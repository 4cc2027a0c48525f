/*
 * Fuzzes splitting, stemming and ranking: a name, a description and a schema become an
 * index, the rest is the query. Whatever comes in, hits are in order, within bounds,
 * explained with words of the query, and the same a second time.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "catalog/search.h"
#include "catalog/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TOOLS = 3 };

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void check_words(struct tc_str text)
{
    struct tc_words words = tc_words(text);
    size_t last = 0;

    while (tc_words_next(&words)) {
        require(words.n > 0 && words.n <= sizeof words.word && words.from < words.to && words.to <= text.n);
        require(words.from >= last && words.at > last);
        last = words.from;
        require(tc_words_stem(words.word, words.n) <= words.n);
    }
}

static void check_hits(const struct tc_search_hit *hits, size_t n, size_t limit, struct tc_str query)
{
    require(n <= limit && n <= TOOLS);
    for (size_t i = 0; i < n; i++) {
        require(hits[i].tool < TOOLS && hits[i].score > 0 && hits[i].words_n <= TC_SEARCH_WORDS_MAX);
        require(i == 0 || hits[i - 1].score > hits[i].score ||
                (hits[i - 1].score == hits[i].score && hits[i - 1].tool < hits[i].tool));
        for (size_t k = 0; k < hits[i].words_n; k++) {
            struct tc_str word = hits[i].words[k].word;
            require(word.n > 0 && word.p >= query.p && word.p + word.n <= query.p + query.n);
            require(hits[i].words[k].fields != 0);
        }
    }
}

static void check_search(struct tc_cx *cx, const struct tc_search *search, struct tc_str query, size_t limit)
{
    const uint64_t among = 5;
    struct tc_search_hit *hits, *again;
    size_t n, n_again;

    require(!tc_search_run(cx, search, query, limit, NULL, &hits, &n));
    check_hits(hits, n, limit, query);
    require(!tc_search_run(cx, search, query, limit, NULL, &again, &n_again) && n == n_again);
    for (size_t i = 0; i < n; i++)
        require(hits[i].tool == again[i].tool && hits[i].score == again[i].score);
    require(!tc_search_run(cx, search, query, limit, &among, &hits, &n));
    check_hits(hits, n, limit, query);
    for (size_t i = 0; i < n; i++)
        require(hits[i].tool != 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str rest = tc_str_n((const char *)data, size), part = {0};
    struct tc_descriptor descriptors[TOOLS] = {0};
    struct tc_search_tool tools[TOOLS];
    struct tc_search *search;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    check_words(rest);
    for (int i = 0; i < TOOLS; i++) {
        struct tc_descriptor *d = &descriptors[i];
        d->id = tc_arena_printf(&arena, "host:%d", i);
        tc_str_split(&rest, '\n', &part);
        d->name_hint = part;
        tc_str_split(&rest, '\n', &part);
        d->search_hint = d->server = part;
        if (tc_str_split(&rest, '\n', &part) && tc_json_parse_root(&cx, part, NULL, &d->input_schema))
            d->input_schema = NULL;
        tools[i] = (struct tc_search_tool){d, d->name_hint, part};
    }
    if (!rest.p)
        rest = part;
    require(!tc_search_create(&cx, tools, TOOLS, &search) && tc_search_bytes(search) > 0);
    check_search(&cx, search, rest, size % TC_SEARCH_LIMIT_MAX + 1);
    tc_search_destroy(search);
    tc_arena_finish(&arena);
    return 0;
}
