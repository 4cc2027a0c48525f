/*
 * Usage: corpus run FILE…      the cases must give what was recorded
 *        corpus report FILE…   the same, and every option and production must be used
 *        corpus record FILE…   records what bash and its tools give, in place
 *        corpus fill FILE…     as record, of cases that have nothing recorded yet
 *        corpus accept FILE…   fills what is ours where a case says that it differs
 *        corpus try FILE…      runs both now and shows where they differ
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "corpus/case.h"
#include "corpus/grammar.h"
#include "shell/used.h"
#include "support/test.h"

enum { LONG_LINES = 10, LONG_SCRIPTS = 60, DIFFERENT_PERCENT = 2, SHOWN = 1000, OPTIONS_MAX = 1 << 14 };

struct totals {
    size_t cases, failed, different, long_scripts;
};

struct corpus {
    struct tc_arena *arena;
    struct grammar grammar;
    unsigned char *used; /* a byte an option, shared with the children */
    struct totals totals;
};

/* The lines around the first byte that differs, of both. */
static void show(const char *what, struct tc_str text, size_t at)
{
    size_t from = at, to = at;

    for (int lines = 0; from > 0 && (lines += text.p[from - 1] == '\n') < 2;)
        from--;
    for (int lines = 0; to < text.n && (lines += text.p[to] == '\n') < 3;)
        to++;
    if (to - from > SHOWN)
        to = from + SHOWN;
    printf("    %s:\n%.*s\n", what, (int)(to - from), text.p ? text.p + from : "");
}

static void show_both(const char *name, struct tc_str wanted, struct tc_str got)
{
    size_t at = 0, line = 1;

    while (at < wanted.n && at < got.n && wanted.p[at] == got.p[at])
        line += wanted.p[at++] == '\n';
    printf("  %s, line %zu:\n", name, line);
    show("wanted", wanted, at);
    show("got", got, at);
}

/* Tells where the two differ; false when they do. */
static bool same(const struct case_result *want, const struct case_result *have)
{
    bool ok = true;

    if (want->status != have->status) {
        printf("  status %d, wanted %d\n", have->status, want->status);
        ok = false;
    }
    for (int i = 0; i < CASE_OUTPUTS; i++)
        if (!tc_str_eq(want->outputs[i], have->outputs[i])) {
            show_both(case_output_names[i], want->outputs[i], have->outputs[i]);
            ok = false;
        }
    return ok;
}

static size_t lines_of(struct tc_str script)
{
    struct tc_str line;
    size_t n = 0;

    while (tc_str_split(&script, '\n', &line))
        n += tc_str_trim(line).n > 0;
    return n;
}

static void wanted_of(const struct shell_case *item, struct case_result *ret_want)
{
    ret_want->status = item->differs_status ? item->ours_status : item->status;
    for (int i = 0; i < CASE_OUTPUTS; i++)
        ret_want->outputs[i] = item->differs[i] ? item->ours[i] : item->outputs[i];
}

static void run_case(struct corpus *c, const char *path, struct shell_case *item)
{
    struct case_result want, have;
    bool ok;

    wanted_of(item, &want);
    c->totals.cases++;
    c->totals.different += item->reason.n > 0;
    c->totals.long_scripts += lines_of(item->script) >= LONG_LINES;
    grammar_note(&c->grammar, c->arena, item->script);
    ok = item->recorded && case_run_ours(c->arena, item, c->used, &have) && same(&want, &have);
    if (!ok) {
        printf("%s:%d: FAILED: %.*s%s\n", path, item->line, TC_STR_ARG(item->name),
               item->recorded ? "" : " (nothing is recorded)");
        c->totals.failed++;
    }
}

static void try_case(struct corpus *c, const char *path, struct shell_case *item)
{
    struct case_result want, have;

    c->totals.cases++;
    if (!case_run_host(c->arena, item, &want) || !case_run_ours(c->arena, item, c->used, &have) ||
        !same(&want, &have)) {
        printf("%s:%d: differs: %.*s\n", path, item->line, TC_STR_ARG(item->name));
        c->totals.failed++;
    }
}

static void record_case(struct corpus *c, const char *path, struct shell_case *item)
{
    struct case_result have;

    if (!case_run_host(c->arena, item, &have)) {
        fprintf(stderr, "%s:%d: cannot be run here\n", path, item->line);
        c->totals.failed++;
        return;
    }
    item->status = have.status;
    memcpy(item->outputs, have.outputs, sizeof have.outputs);
    item->recorded = true;
}

static void fill_case(struct corpus *c, const char *path, struct shell_case *item)
{
    if (!item->recorded)
        record_case(c, path, item);
}

static void accept_case(struct corpus *c, const char *path, struct shell_case *item)
{
    struct case_result have;

    if (item->reason.n == 0)
        return;
    if (!case_run_ours(c->arena, item, NULL, &have)) {
        fprintf(stderr, "%s:%d: cannot be run\n", path, item->line);
        c->totals.failed++;
        return;
    }
    item->ours_status = have.status;
    memcpy(item->ours, have.outputs, sizeof have.outputs);
}

static bool write_back(const char *path, struct tc_str head, const struct shell_case *items)
{
    struct tc_buf buf;
    FILE *out;
    bool ok;

    tc_buf_init(&buf, 64 << 20);
    tc_buf_str(&buf, head);
    for (; items; items = items->next)
        case_print(&buf, items);
    out = fopen(path, "w");
    ok = !buf.failed && out && fwrite(buf.p, 1, buf.n, out) == buf.n && fclose(out) == 0;
    tc_buf_finish(&buf);
    return ok;
}

struct verb {
    const char *name;
    void (*each)(struct corpus *c, const char *path, struct shell_case *item);
    bool writes, reports;
};

static const struct verb verbs[] = {
    {"run", run_case, false, false},  {"report", run_case, false, true},    {"record", record_case, true, false},
    {"fill", fill_case, true, false}, {"accept", accept_case, true, false}, {"try", try_case, false, false},
};

static bool do_file(struct corpus *c, const struct verb *verb, const char *path)
{
    struct tc_arena_mark mark = tc_arena_mark(c->arena);
    struct tc_str head, text = test_read_file(c->arena, path);
    struct shell_case *items = case_parse(c->arena, path, text, &head);
    bool ok = items != NULL;

    for (struct shell_case *item = items; item; item = item->next)
        verb->each(c, path, item);
    if (ok && verb->writes)
        ok = write_back(path, head, items);
    tc_arena_rewind(c->arena, &mark);
    return ok;
}

/* One line an option or production that no case has used. */
static size_t report(const struct corpus *c)
{
    size_t missing = 0, options = 0;
    struct tc_sh_used_row row;

    for (; tc_sh_used_row(options, &row); options++)
        if (!c->used[options]) {
            printf("not used: %s %s\n", row.cmd->name, row.option->name);
            missing++;
        }
    for (size_t i = 0; i < c->grammar.n; i++)
        if (!c->grammar.seen[i]) {
            printf("not used: %s\n", c->grammar.names[i]);
            missing++;
        }
    printf("%zu options and %zu productions, %zu not used; %zu cases, %zu of them of %d lines and more, %zu differ "
           "by intent\n",
           options, c->grammar.n, missing, c->totals.cases, c->totals.long_scripts, (int)LONG_LINES,
           c->totals.different);
    return missing + (c->totals.long_scripts < LONG_SCRIPTS) +
           (c->totals.different * 100 > c->totals.cases * DIFFERENT_PERCENT);
}

int main(int argc, char **argv)
{
    const struct verb *verb = NULL;
    struct corpus c = {0};
    struct tc_arena arena;
    bool ok = true;

    for (size_t i = 0; argc > 2 && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            verb = &verbs[i];
    if (!verb) {
        fprintf(stderr, "usage: corpus run|report|record|fill|accept|try FILE…\n");
        return 2;
    }
    tc_arena_init(&arena, 1 << 30);
    c.arena = &arena;
    c.used = mmap(NULL, OPTIONS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    grammar_init(&c.grammar, &arena);
    for (int i = 2; i < argc; i++)
        ok = do_file(&c, verb, argv[i]) && ok;
    if (verb->reports)
        ok = report(&c) == 0 && ok;
    printf("%zu cases, %zu failed\n", c.totals.cases, c.totals.failed);
    tc_arena_finish(&arena);
    return ok && c.totals.failed == 0 ? 0 : 1;
}
