/*
 * Parse and print of a tools/list answer and of a tools/call request, against
 * jansson in the same run: rounds are interleaved and the median counts. Both
 * sides copy the input, build a tree, write compact text into fresh heap memory
 * and free all.
 */
#include <stdio.h>

#if __has_include(<jansson.h>)
#include <jansson.h>
#include <stdlib.h>

#include "base/clock.h"
#include "toolcrib/jsonw.h"

enum { ROUNDS = 21, ROUND_US = 20000 };

struct side {
    const char *name;
    void (*parse)(struct tc_cx *cx, struct tc_str text);
    void (*both)(struct tc_cx *cx, struct tc_str text);
};

static void die(const char *why)
{
    fprintf(stderr, "bench_json: %s\n", why);
    exit(1);
}

static struct tc_json_doc *parse(struct tc_cx *cx, struct tc_str text)
{
    struct tc_json_doc *doc;

    if (tc_json_parse(cx, text, NULL, &doc))
        die("toolcrib refused the text");
    return doc;
}

static void our_parse(struct tc_cx *cx, struct tc_str text)
{
    tc_json_doc_unref(parse(cx, text));
}

static void our_both(struct tc_cx *cx, struct tc_str text)
{
    struct tc_json_doc *doc = parse(cx, text);
    struct tc_buf buf;

    tc_buf_init(&buf, 64 * 1024 * 1024);
    tc_json_print(&buf, tc_json_doc_root(doc));
    if (buf.n != text.n)
        die("toolcrib printed something else");
    tc_buf_finish(&buf);
    tc_json_doc_unref(doc);
}

static json_t *peer(struct tc_str text)
{
    json_error_t error;
    json_t *root = json_loadb(text.p, text.n, JSON_ALLOW_NUL, &error);

    if (!root)
        die("jansson refused the text");
    return root;
}

static void peer_parse(struct tc_cx *cx, struct tc_str text)
{
    (void)cx;
    json_decref(peer(text));
}

static void peer_both(struct tc_cx *cx, struct tc_str text)
{
    json_t *root = peer(text);
    char *printed = json_dumps(root, JSON_COMPACT);

    (void)cx;
    if (!printed)
        die("jansson printed nothing");
    free(printed);
    json_decref(root);
}

/* Nanoseconds a call, over about ROUND_US. */
static double measure(void (*run)(struct tc_cx *, struct tc_str), struct tc_cx *cx, struct tc_str text)
{
    int64_t start = tc_clock_mono_us(cx->clock), end;
    size_t calls = 0, batch = 65536 / (text.n + 1) + 1;

    do {
        for (size_t i = 0; i < batch; i++)
            run(cx, text);
        calls += batch;
        end = tc_clock_mono_us(cx->clock);
    } while (end - start < ROUND_US);
    return (double)(end - start) * 1000 / (double)calls;
}

static int cmp_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void compare(struct tc_cx *cx, const char *name, struct tc_str text)
{
    static const struct side sides[] = {{"toolcrib", our_parse, our_both}, {"jansson", peer_parse, peer_both}};
    double times[4][ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        for (int s = 0; s < 2; s++) {
            times[s][round] = measure(sides[s].parse, cx, text);
            times[2 + s][round] = measure(sides[s].both, cx, text);
        }
    }
    for (int t = 0; t < 4; t++)
        qsort(times[t], ROUNDS, sizeof times[t][0], cmp_doubles);
    printf("%s, %zu bytes\n", name, text.n);
    for (int t = 0; t < 4; t++) {
        double ns = times[t][ROUNDS / 2];
        printf("  %-13s %-9s %10.2f us %8.0f MB/s\n", t < 2 ? "parse" : "parse + print", sides[t % 2].name, ns / 1000,
               (double)text.n * 1000 / ns);
    }
    printf("  parse x %.1f, parse + print x %.1f\n", times[1][ROUNDS / 2] / times[0][ROUNDS / 2],
           times[3][ROUNDS / 2] / times[2][ROUNDS / 2]);
}

/* The answer to tools/list that a server with all tools of the file gives. */
static struct tc_str tools_list(struct tc_cx *cx)
{
    const char *dir = getenv("TOOLCRIB_TEST_DATA");
    struct tc_buf file, list;
    struct tc_jsonw w;
    struct tc_str text;
    const struct tc_json *tools;
    FILE *f;
    char *path = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/tools/livemcp_tools.json", dir ? dir : "."));

    f = path ? fopen(path, "rb") : NULL;
    if (!f)
        die("set TOOLCRIB_TEST_DATA to the folder of test data");
    tc_buf_init(&file, 16 * 1024 * 1024);
    for (size_t n = 1; n > 0 && tc_buf_reserve(&file, 65536); file.n += n)
        n = fread(file.p + file.n, 1, 65536, f);
    fclose(f);
    if (tc_json_parse_root(cx, tc_buf_get(&file), NULL, &tools))
        die("the file of tools is not JSON");
    tc_buf_init(&list, 16 * 1024 * 1024);
    tc_jsonw_init(&w, &list);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "jsonrpc", "2.0");
    tc_jsonw_kint(&w, "id", 2);
    tc_jsonw_key(&w, "result");
    tc_jsonw_object(&w);
    tc_jsonw_kvalue(&w, "tools", tools);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    text = tc_buf_dup(&list, cx->arena);
    tc_buf_finish(&file);
    tc_buf_finish(&list);
    return text;
}

static const char call[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1742,\"method\":\"tools/call\",\"params\":{\"name\":\"files__search\",\"arguments\":"
    "{\"query\":\"invoices of the last quarter\",\"path\":\"/srv/reports/2026\",\"limit\":25,\"recursive\":true,"
    "\"pattern\":\"*.pdf\",\"sort\":{\"by\":\"modified\",\"descending\":true},\"exclude\":[\"drafts\",\"archive\"],"
    "\"note\":\"line one\\nline two\"},\"_meta\":{\"progressToken\":17}}}";

int main(void)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};

    tc_arena_init(&arena, 0);
    compare(&cx, "tools/list", tools_list(&cx));
    compare(&cx, "tools/call", tc_str_of(call));
    tc_arena_finish(&arena);
    return 0;
}
#else
int main(void)
{
    fprintf(stderr, "bench_json: not run, built without libjansson\n");
    return 1;
}
#endif
