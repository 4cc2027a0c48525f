/*
 * Compile, validate, and parse + validate of three schemas: small, nested, big.
 * Alone it prints its own figures. With --serve it is one side of
 * bench_schema.mjs: each line "WHAT NAME MILLISECONDS" of standard input, WHAT
 * being compile, valid, invalid, parse or both, is answered with nanoseconds.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "toolcrib/schema.h"

enum { ROUNDS = 7, ROUND_MS = 40, BATCH_US = 500, HEAP_KEEP = 4 << 20 };

struct data {
    const char *name;
    struct tc_arena arena;
    struct tc_cx cx;
    struct tc_str text;
    const struct tc_json *schema, *valid, *invalid;
    struct tc_schema *compiled;
};

static void check(const struct data *d, enum tc_err err)
{
    if (!err)
        return;
    fprintf(stderr, "bench_schema: %.*s\n", TC_STR_ARG(d->cx.err.message));
    exit(1);
}

static struct tc_str read_file(struct data *d, const char *suffix)
{
    const char *dir = getenv("TOOLCRIB_BENCH_DATA");
    struct tc_str path = tc_arena_printf(&d->arena, "%s/%s.%s.json", dir && *dir ? dir : "../shared/bench/ajv/json",
                                         d->name, suffix);
    const char *cpath = tc_arena_cstr(&d->arena, path);
    FILE *f = cpath ? fopen(cpath, "rb") : NULL;
    char *p = NULL;
    long n = -1;

    if (f && fseek(f, 0, SEEK_END) == 0)
        n = ftell(f);
    if (n >= 0)
        p = tc_arena_alloc(&d->arena, (size_t)n);
    if (!p || fseek(f, 0, SEEK_SET) != 0 || fread(p, 1, (size_t)n, f) != (size_t)n) {
        fprintf(stderr, "bench_schema: not run, cannot read %.*s; set TOOLCRIB_BENCH_DATA\n", TC_STR_ARG(path));
        exit(1);
    }
    fclose(f);
    return tc_str_n(p, (size_t)n);
}

static void run_compile(struct data *d)
{
    struct tc_schema *schema;

    check(d, tc_schema_compile(&d->cx, d->schema, NULL, &schema));
    tc_schema_unref(schema);
}

static void expect(struct data *d, const struct tc_json *instance, bool expected)
{
    bool valid = !expected;

    check(d, tc_schema_validate(&d->cx, d->compiled, instance, &valid));
    if (valid != expected) {
        fprintf(stderr, "bench_schema: a wrong verdict\n");
        exit(1);
    }
}

static void run_valid(struct data *d)
{
    expect(d, d->valid, true);
}

static void run_invalid(struct data *d)
{
    expect(d, d->invalid, false);
}

static struct tc_json_doc *parse(struct data *d)
{
    struct tc_json_doc *doc;

    check(d, tc_json_parse(&d->cx, d->text, NULL, &doc));
    return doc;
}

static void run_parse(struct data *d)
{
    tc_json_doc_unref(parse(d));
}

static void run_both(struct data *d)
{
    struct tc_json_doc *doc = parse(d);

    expect(d, tc_json_doc_root(doc), true);
    tc_json_doc_unref(doc);
}

/* Nanoseconds a call: the best of batches of BATCH_US within so many milliseconds,
 * since what else runs on the machine only ever adds. */
static double measure(struct data *d, void (*run)(struct data *), int ms)
{
    const struct tc_clock *clock = &tc_clock_system;
    int64_t start = tc_clock_mono_us(clock), now = start, from;
    double best = 1e18;
    size_t batch = 1;

    do {
        double ns;
        from = now;
        for (size_t i = 0; i < batch; i++)
            run(d);
        now = tc_clock_mono_us(clock);
        ns = (double)(now - from) * 1000 / (double)batch;
        if (now - from < BATCH_US / 2)
            batch *= 2;
        else
            best = ns < best ? ns : best;
    } while (now - start < (int64_t)ms * 1000 || best == 1e18);
    return best;
}

static const struct {
    const char *name;
    void (*run)(struct data *);
} works[] = {
    {"compile", run_compile}, {"valid", run_valid}, {"invalid", run_invalid}, {"parse", run_parse}, {"both", run_both},
};

enum { WORKS_N = sizeof works / sizeof works[0], DATA_N = 3 };

static void load(struct data *d, const char *name)
{
    *d = (struct data){.name = name};
    tc_arena_init(&d->arena, 0);
    d->cx = (struct tc_cx){.arena = &d->arena, .clock = &tc_clock_system};
    check(d, tc_json_parse_root(&d->cx, read_file(d, "schema.2020"), NULL, &d->schema));
    check(d, tc_schema_compile(&d->cx, d->schema, NULL, &d->compiled));
    d->text = read_file(d, "valid");
    check(d, tc_json_parse_root(&d->cx, d->text, NULL, &d->valid));
    check(d, tc_json_parse_root(&d->cx, read_file(d, "invalid"), NULL, &d->invalid));
}

static void print(struct data *d)
{
    printf("%-7s %6zu bytes", d->name, d->text.n);
    for (unsigned w = 0; w < WORKS_N; w++) {
        double best = 1e18;
        for (unsigned round = 0; round < ROUNDS; round++) {
            double ns = measure(d, works[w].run, ROUND_MS);
            best = ns < best ? ns : best;
        }
        printf("  %s %.1f", works[w].name, best);
    }
    printf(" ns\n");
}

static int serve(struct data *all)
{
    char line[128], what[32], name[32];
    int ms;

    while (fgets(line, sizeof line, stdin)) {
        double ns = -1;
        if (sscanf(line, "%31s %31s %d", what, name, &ms) != 3)
            return 1;
        for (unsigned i = 0; i < DATA_N * WORKS_N; i++)
            if (!strcmp(what, works[i % WORKS_N].name) && !strcmp(name, all[i / WORKS_N].name))
                ns = measure(&all[i / WORKS_N], works[i % WORKS_N].run, ms);
        if (ns < 0)
            return 1;
        printf("%.2f\n", ns);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const names[DATA_N] = {"small", "nested", "big"};
    struct data all[DATA_N];
    int status = 0;

    mallopt(M_TRIM_THRESHOLD, HEAP_KEEP); /* as toolcrib has it */
    mallopt(M_MMAP_THRESHOLD, HEAP_KEEP);
    for (unsigned i = 0; i < DATA_N; i++)
        load(&all[i], names[i]);
    if (argc > 1 && !strcmp(argv[1], "--serve"))
        status = serve(all);
    else
        for (unsigned i = 0; i < DATA_N; i++)
            print(&all[i]);
    for (unsigned i = 0; i < DATA_N; i++) {
        tc_schema_unref(all[i].compiled);
        tc_arena_finish(&all[i].arena);
    }
    return status;
}
