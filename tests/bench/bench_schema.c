/* Compile, validate and parse + validate on three schemas: small, nested, big. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "toolcrib/schema.h"

enum { ROUNDS = 7 };

struct data {
    struct tc_arena arena;
    struct tc_cx cx;
    struct tc_str text, schema_text;
    const struct tc_json *schema, *instance;
    struct tc_schema *compiled;
};

static double now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static struct tc_str read_file(struct tc_arena *arena, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *p;
    long n;

    if (!f) {
        fprintf(stderr, "cannot open %s\n", path);
        exit(2);
    }
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    p = tc_arena_alloc(arena, (size_t)n);
    if (!p || fread(p, 1, (size_t)n, f) != (size_t)n)
        exit(2);
    fclose(f);
    return tc_str_n(p, (size_t)n);
}

static void check(const struct data *d, enum tc_err err)
{
    if (!err)
        return;
    fprintf(stderr, "%.*s\n", TC_STR_ARG(d->cx.err.message));
    exit(1);
}

static bool validate(struct data *d)
{
    bool valid = false;

    check(d, tc_schema_validate(&d->cx, d->compiled, d->instance, &valid));
    return valid;
}

static bool parse_validate(struct data *d)
{
    struct tc_json_doc *doc;
    bool valid = false;

    check(d, tc_json_parse(&d->cx, d->text, NULL, &doc));
    check(d, tc_schema_validate(&d->cx, d->compiled, tc_json_doc_root(doc), &valid));
    tc_json_doc_unref(doc);
    return valid;
}

static bool compile(struct data *d)
{
    struct tc_schema *schema;

    check(d, tc_schema_compile(&d->cx, d->schema, NULL, &schema));
    tc_schema_unref(schema);
    return true;
}

/* Best of the rounds, in ns a call. */
static double measure(struct data *d, bool (*run)(struct data *), bool expected)
{
    double best = 1e18;
    unsigned calls = 1;

    for (double start = now_ns(); now_ns() - start < 2e6; calls++)
        if (run(d) != expected) {
            fprintf(stderr, "a wrong verdict\n");
            exit(1);
        }
    calls *= 20;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = now_ns(), each;
        for (unsigned i = 0; i < calls; i++)
            run(d);
        each = (now_ns() - start) / calls;
        best = each < best ? each : best;
    }
    return best;
}

static void bench(const char *dir, const char *name)
{
    struct data d = {.compiled = NULL};
    char path[1024];
    double compile_ns, valid_ns, both_ns, invalid_ns;

    tc_arena_init(&d.arena, 0);
    d.cx = (struct tc_cx){.arena = &d.arena};
    snprintf(path, sizeof path, "%s/%s.schema.2020.json", dir, name);
    check(&d, tc_json_parse_root(&d.cx, read_file(&d.arena, path), NULL, &d.schema));
    check(&d, tc_schema_compile(&d.cx, d.schema, NULL, &d.compiled));
    snprintf(path, sizeof path, "%s/%s.valid.json", dir, name);
    d.text = read_file(&d.arena, path);
    check(&d, tc_json_parse_root(&d.cx, d.text, NULL, &d.instance));
    compile_ns = measure(&d, compile, true);
    valid_ns = measure(&d, validate, true);
    both_ns = measure(&d, parse_validate, true);
    snprintf(path, sizeof path, "%s/%s.invalid.json", dir, name);
    check(&d, tc_json_parse_root(&d.cx, read_file(&d.arena, path), NULL, &d.instance));
    invalid_ns = measure(&d, validate, false);
    printf("%-8s %7zu bytes  compile %8.1f us  valid %9.1f ns  invalid %9.1f ns  parse+valid %9.1f ns\n", name,
           d.text.n, compile_ns / 1000, valid_ns, invalid_ns, both_ns);
    tc_schema_unref(d.compiled);
    tc_arena_finish(&d.arena);
}

int main(void)
{
    const char *dir = getenv("TOOLCRIB_BENCH_DATA");

    dir = dir && *dir ? dir : "../shared/bench/ajv/json";
    bench(dir, "small");
    bench(dir, "nested");
    bench(dir, "big");
    return 0;
}
