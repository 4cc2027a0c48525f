/*
 * How well and how fast tools are found: the recall of the tool search and of plain
 * BM25 on the public set (TOOLCRIB_TEST_DATA), on the half of the requests that the
 * weights were chosen with and on the other; then a query among 10,000 tools with
 * both, and what it costs to make the index. The 10,000 are the set's, written down
 * several times with words of each copy's own.
 *
 * For instructions: valgrind --tool=callgrind --toggle-collect=tc_search_run … 10000 200 times
 * Usage: bench_search [tools] [queries] [times]; with the last one, without recall
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "catalog/words.h"
#include "support/search_data.h"

static struct tc_arena lasting;
static struct tc_cx setup = {.arena = &lasting};

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s: %.*s\n", what, TC_STR_ARG(setup.err.message));
        exit(1);
    }
}

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* --- plain BM25: name three times, description, parameters; plurals cut off --- */

enum { PLAIN_TERMS = 1 << 18, PLAIN_WORDS = 1 << 12 };

struct plain_posting {
    uint32_t tool, n;
};
struct plain_term {
    char text[52];
    size_t text_n;
    struct plain_posting *postings;
    size_t n, cap, seen; /* seen: the query that had it last */
};
struct plain {
    size_t n;
    struct plain_term *terms; /* [PLAIN_TERMS], by hash */
    double *lengths, mean, *scores;
    size_t query;
};

static struct plain_term *plain_term(struct plain *plain, struct tc_str text)
{
    size_t hash = 5381;

    for (size_t i = 0; i < text.n; i++)
        hash = hash * 33 + (unsigned char)text.p[i];
    for (hash &= PLAIN_TERMS - 1;; hash = (hash + 1) & (PLAIN_TERMS - 1)) {
        struct plain_term *term = &plain->terms[hash];
        if (term->text_n == 0 || tc_str_eq(tc_str_n(term->text, term->text_n), text))
            return term;
    }
}

static void plain_text(struct plain *plain, struct tc_str text, size_t tool)
{
    struct tc_words words = tc_words(text);

    while (tc_words_next(&words)) {
        struct tc_str word = tc_str_n(words.word, words.n);
        struct plain_term *term;
        if (word.n > 3 && word.p[word.n - 1] == 's' && word.p[word.n - 2] != 's')
            word.n--;
        term = plain_term(plain, word);
        if (!term->text_n)
            memcpy(term->text, word.p, term->text_n = word.n);
        if (term->n == term->cap)
            term->postings = realloc(term->postings, (term->cap = term->cap * 2 + 4) * sizeof *term->postings);
        need(term->postings != NULL, "memory");
        if (term->n && term->postings[term->n - 1].tool == tool)
            term->postings[term->n - 1].n++;
        else
            term->postings[term->n++] = (struct plain_posting){(uint32_t)tool, 1};
        plain->lengths[tool]++;
    }
}

static void plain_schema(struct plain *plain, const struct tc_json *schema, size_t tool)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *property;
    struct tc_str name;

    while (it.object && tc_json_next(&it, &name, &property)) {
        plain_text(plain, name, tool);
        plain_text(plain, tc_json_str(tc_json_get_c(property, "description")), tool);
        plain_schema(plain, property, tool);
        plain_schema(plain, tc_json_get_c(property, "items"), tool);
    }
}

static struct plain plain_make(const struct tc_search_tool *tools, size_t n)
{
    struct plain plain = {.n = n, .terms = calloc(PLAIN_TERMS, sizeof *plain.terms),
                          .lengths = calloc(n, sizeof *plain.lengths), .scores = calloc(n, sizeof *plain.scores)};

    need(plain.terms && plain.lengths && plain.scores, "memory");
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            plain_text(&plain, tools[i].tool->name_hint, i);
        plain_text(&plain, tools[i].description, i);
        plain_schema(&plain, tools[i].tool->input_schema, i);
        plain.mean += plain.lengths[i] / (double)n;
    }
    return plain;
}

static void plain_free(struct plain *plain)
{
    for (size_t i = 0; i < PLAIN_TERMS; i++)
        free(plain->terms[i].postings);
    free(plain->terms);
    free(plain->lengths);
    free(plain->scores);
}

static size_t plain_rank(void *arg, struct tc_str query, size_t max, size_t *ret_tools)
{
    struct plain *plain = arg;
    struct tc_words words = tc_words(query);
    size_t n = 0;

    plain->query++;
    memset(plain->scores, 0, plain->n * sizeof *plain->scores);
    while (tc_words_next(&words)) {
        struct tc_str word = tc_str_n(words.word, words.n);
        struct plain_term *term;
        double idf;
        if (word.n > 3 && word.p[word.n - 1] == 's' && word.p[word.n - 2] != 's')
            word.n--;
        term = plain_term(plain, word);
        if (term->seen == plain->query)
            continue;
        term->seen = plain->query;
        idf = log(1 + ((double)(plain->n - term->n) + 0.5) / ((double)term->n + 0.5));
        for (size_t i = 0; i < term->n; i++) {
            struct plain_posting at = term->postings[i];
            plain->scores[at.tool] += idf * at.n * 2.2 /
                                      (at.n + 1.2 * (0.25 + 0.75 * plain->lengths[at.tool] / plain->mean));
        }
    }
    for (size_t i = 0; i < plain->n; i++) {
        size_t at = n;
        if (plain->scores[i] <= 0)
            continue;
        for (; at > 0 && plain->scores[ret_tools[at - 1]] < plain->scores[i]; at--)
            if (at < max)
                ret_tools[at] = ret_tools[at - 1];
        if (at < max) {
            ret_tools[at] = i;
            n += n < max;
        }
    }
    return n;
}

/* --- ours --- */

static size_t ours_rank(void *arg, struct tc_str query, size_t max, size_t *ret_tools)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_search_hit *hits;
    size_t n;

    tc_arena_init(&arena, 0);
    need(!tc_search_run(&cx, arg, query, max, NULL, &hits, &n), "search");
    for (size_t i = 0; i < n; i++)
        ret_tools[i] = hits[i].tool;
    tc_arena_finish(&arena);
    return n;
}

/* --- measuring --- */

static void print_recall(const struct search_data *data, const char *what, search_ranker *rank, void *arg)
{
    for (int other = 0; other < 2; other++) {
        struct search_recall recall = search_data_recall(data, !other, rank, arg);
        printf("%-11s %-11s %5zu", what, other ? "other half" : "tuned half", recall.queries);
        for (int d = 0; d < SEARCH_DEPTHS; d++)
            printf("   .%03.0f", recall.at[d] * 1000);
        printf("\n");
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print_times(const struct search_data *data, size_t count, const char *what, search_ranker *rank, void *arg)
{
    double *us = calloc(count, sizeof *us);
    size_t tools[10];

    need(us != NULL, "memory");
    for (size_t i = 0; i < count; i++) {
        double start = now_us();
        rank(arg, data->queries[i % data->n].text, 5, tools);
        us[i] = now_us() - start;
    }
    qsort(us, count, sizeof *us, by_value);
    printf("%-11s p50 %7.1f us   p99 %7.1f us   most %7.1f us\n", what, us[count / 2], us[count * 99 / 100],
           us[count - 1]);
    free(us);
}

/* n tools: those of the set again and again, each copy with a word of its own. */
static struct tc_search_tool *multiply(const struct search_data *data, size_t n)
{
    struct tc_search_tool *tools = TC_ARENA_NEW_N(&lasting, struct tc_search_tool, n + 1);

    need(tools != NULL, "memory");
    for (size_t i = 0; i < n; i++) {
        tools[i] = data->tools[i % data->catalog->n];
        tools[i].description = tc_arena_printf(&lasting, "%.*s Variant%zu%c.", TC_STR_ARG(tools[i].description),
                                               i / data->catalog->n, (int)('a' + i % 26));
    }
    return tools;
}

static void measure_recall(const struct search_data *data)
{
    struct plain plain = plain_make(data->tools, data->catalog->n);
    struct tc_search *search;

    need(!tc_search_create(&setup, data->tools, data->catalog->n, &search), "index");
    printf("recall, %zu tools  queries     @1     @5    @10\n", data->catalog->n);
    print_recall(data, "plain BM25", plain_rank, &plain);
    print_recall(data, "tool.search", ours_rank, search);
    printf("index: %zu bytes a tool\n\n", tc_search_bytes(search) / data->catalog->n);
    tc_search_destroy(search);
    plain_free(&plain);
}

static void measure_times(const struct search_data *data, size_t n, size_t count)
{
    struct tc_search_tool *many = multiply(data, n);
    struct plain plain = plain_make(many, n);
    struct tc_search *search;
    double start = now_us();

    need(!tc_search_create(&setup, many, n, &search), "index");
    printf("%zu tools: index made in %.1f ms, %zu bytes a tool\n", n, (now_us() - start) / 1e3,
           tc_search_bytes(search) / n);
    print_times(data, count, "plain BM25", plain_rank, &plain);
    print_times(data, count, "tool.search", ours_rank, search);
    tc_search_destroy(search);
    plain_free(&plain);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000, count = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000;
    const char *dir = getenv("TOOLCRIB_TEST_DATA");
    struct search_data data;

    if (!dir || !*dir) {
        printf("not run: TOOLCRIB_TEST_DATA is not set\n");
        return 0;
    }
    tc_arena_init(&lasting, (size_t)1 << 30);
    need(!search_data_load(&setup, dir, &data), "data");
    if (argc <= 3)
        measure_recall(&data);
    measure_times(&data, n, count);
    tc_arena_finish(&lasting);
    return 0;
}
