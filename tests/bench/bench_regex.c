/*
 * Expressions over a generated log of 10 MB, line by line as grep and sed go, against
 * the C library's regexec in the same run (in C.UTF-8 and in C): both must find the
 * same number of lines. Rounds are interleaved and the median counts. Then the price
 * of small things: compiling, and searching one line of 100 bytes.
 */
#include <locale.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "regex/regex.h"
#include "toolcrib/buf.h"

enum { LOG_BYTES = 10 * 1024 * 1024, ROUNDS = 3, SMALL_US = 100000 };

static void die(const char *why)
{
    fprintf(stderr, "bench_regex: %s\n", why);
    exit(1);
}

static unsigned pick(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % n;
}

static struct tc_str make_log(struct tc_buf *buf)
{
    static const char *const levels[] = {"INFO", "WARN", "ERROR", "DEBUG"};
    uint64_t seed = 7;

    tc_buf_init(buf, 2 * LOG_BYTES);
    while (!buf->failed && buf->n < LOG_BYTES)
        tc_buf_printf(buf, "2026-01-%02u %02u:%02u:%02u %s service-%u request /api/v1/items/%u took %u ms\n",
                      1 + pick(&seed, 28), pick(&seed, 24), pick(&seed, 60), pick(&seed, 60), levels[pick(&seed, 4)],
                      pick(&seed, 40), pick(&seed, 1000), pick(&seed, 5000));
    if (buf->failed)
        die("no memory");
    return tc_str_n(buf->p, buf->n - 1); /* no empty line at the end */
}

/* --- the ways to go over the log; each returns how many lines match, or the bytes of
 * what is made of them --- */

struct side {
    const char *name;
    size_t (*run)(const struct side *side, struct tc_str log);
    struct tc_regex *ours;
    regex_t theirs;
};

static size_t lines_at_once(const struct side *side, struct tc_str log)
{
    size_t n = 0, at = 0;

    while ((at = tc_regex_line(side->ours, log, at)) < log.n) {
        const char *feed = memchr(log.p + at, '\n', log.n - at);
        n++;
        if (!feed)
            break;
        at = (size_t)(feed - log.p) + 1;
    }
    return n;
}

static size_t line_by_line(const struct side *side, struct tc_str log)
{
    struct tc_str line;
    size_t n = 0;

    while (tc_str_split(&log, '\n', &line))
        n += tc_regex_search(side->ours, line, 0, NULL, 0) == TC_REGEX_FOUND;
    return n;
}

static size_t peer_lines(const struct side *side, struct tc_str log)
{
    struct tc_str line;
    size_t n = 0;

    while (tc_str_split(&log, '\n', &line)) {
        regmatch_t span = {0, (regoff_t)line.n};
        n += regexec(&side->theirs, line.p ? line.p : "", 0, &span, REG_STARTEND) == 0;
    }
    return n;
}

/* Takes all matches and what group 1 is in them. */
static size_t all_matches(const struct side *side, struct tc_str log)
{
    struct tc_regex_match groups[2];
    struct tc_str line;
    size_t n = 0;

    while (tc_str_split(&log, '\n', &line)) {
        size_t at = 0;
        while (at <= line.n && tc_regex_search(side->ours, line, at, groups, 2) == TC_REGEX_FOUND) {
            n += groups[1].end - groups[1].start;
            at = groups[0].end + (groups[0].end == groups[0].start);
        }
    }
    return n;
}

static size_t peer_matches(const struct side *side, struct tc_str log)
{
    struct tc_str line;
    size_t n = 0;

    while (tc_str_split(&log, '\n', &line)) {
        regmatch_t groups[2] = {{0, (regoff_t)line.n}};
        while (regexec(&side->theirs, line.p ? line.p : "", 2, groups, REG_STARTEND) == 0) {
            n += (size_t)(groups[1].rm_eo - groups[1].rm_so);
            groups[0].rm_so = groups[0].rm_eo + (groups[0].rm_eo == groups[0].rm_so);
            groups[0].rm_eo = (regoff_t)line.n;
            if (groups[0].rm_so > groups[0].rm_eo)
                break;
        }
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void prepare(struct side *side, const char *pattern, unsigned flags)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    setlocale(LC_ALL, strstr(side->name, "UTF") ? "C.UTF-8" : "C");
    if (tc_regex_compile(&cx, tc_str_of(pattern), TC_REGEX_EXTENDED, flags, &side->ours) ||
        regcomp(&side->theirs, pattern, REG_EXTENDED | (flags & TC_REGEX_ICASE ? REG_ICASE : 0)))
        die("a pattern was refused");
    tc_arena_finish(&arena);
}

static void compare(struct tc_str log, const char *pattern, unsigned flags, bool matches)
{
    struct side sides[4] = {{.name = "at once", .run = lines_at_once},
                            {.name = "by line", .run = matches ? all_matches : line_by_line},
                            {.name = "regexec UTF-8", .run = matches ? peer_matches : peer_lines},
                            {.name = "regexec C", .run = matches ? peer_matches : peer_lines}};
    double times[4][ROUNDS];
    size_t n = 0;

    for (int s = 0; s < 4; s++)
        prepare(&sides[s], pattern, flags);
    for (int round = 0; round < ROUNDS; round++) {
        for (int s = matches ? 1 : 0; s < 4; s++) {
            int64_t start = tc_clock_mono_us(&tc_clock_system);
            size_t found = sides[s].run(&sides[s], log);
            times[s][round] = (double)(tc_clock_mono_us(&tc_clock_system) - start) / 1000;
            n = s == (matches ? 1 : 0) ? found : n;
            if (found != n)
                die(pattern);
        }
    }
    printf("%-42s %7zu", pattern, n);
    for (int s = 0; s < 4; s++) {
        qsort(times[s], ROUNDS, sizeof times[s][0], by_value);
        if (s == 0 && matches)
            printf(" %8s", "");
        else
            printf(" %8.1f", times[s][ROUNDS / 2]);
        tc_regex_destroy(sides[s].ours);
        regfree(&sides[s].theirs);
    }
    printf("   x %.1f, x %.1f\n", times[2][ROUNDS / 2] / times[1][ROUNDS / 2],
           times[3][ROUNDS / 2] / times[1][ROUNDS / 2]);
}

/* --- small things --- */

static void measure_compile(const char *pattern)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    int64_t start = tc_clock_mono_us(&tc_clock_system), end;
    double ours, theirs;
    size_t n = 0;

    tc_arena_init(&arena, 0);
    do {
        struct tc_regex *regex;
        if (tc_regex_compile(&cx, tc_str_of(pattern), TC_REGEX_EXTENDED, 0, &regex))
            die(pattern);
        tc_regex_destroy(regex);
        n++;
        end = tc_clock_mono_us(&tc_clock_system);
    } while (end - start < SMALL_US);
    ours = (double)(end - start) / (double)n;
    n = 0;
    start = end;
    do {
        regex_t regex;
        if (regcomp(&regex, pattern, REG_EXTENDED))
            die(pattern);
        regfree(&regex);
        n++;
        end = tc_clock_mono_us(&tc_clock_system);
    } while (end - start < SMALL_US);
    theirs = (double)(end - start) / (double)n;
    printf("compile %-34s %8.2f us, regcomp %8.2f us\n", pattern, ours, theirs);
    tc_arena_finish(&arena);
}

static void measure_search(const char *pattern, size_t groups)
{
    static const char line[] = "2026-01-17 10:11:12 ERROR service-12 request /api/v1/items/123 took 4711 ms, "
                               "and some more of it all";
    struct tc_regex_match found[10];
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_regex *regex;
    int64_t start, end;
    size_t n = 0, hits = 0;

    tc_arena_init(&arena, 0);
    if (tc_regex_compile(&cx, tc_str_of(pattern), TC_REGEX_EXTENDED, 0, &regex))
        die(pattern);
    start = tc_clock_mono_us(&tc_clock_system);
    do {
        for (int i = 0; i < 100; i++)
            hits += tc_regex_search(regex, tc_str_of(line), 0, found, groups) == TC_REGEX_FOUND;
        n += 100;
        end = tc_clock_mono_us(&tc_clock_system);
    } while (end - start < SMALL_US);
    printf("search %-35s %8.0f ns, %zu bounds, %s\n", pattern, (double)(end - start) * 1000 / (double)n, groups,
           hits ? "found" : "not found");
    tc_regex_destroy(regex);
    tc_arena_finish(&arena);
}

int main(void)
{
    static const char *const greps[] = {"ERROR",
                                        "service-[0-9]+5 ",
                                        "(WARN|ERROR).*took 4[0-9]{3}",
                                        "[a-z]+-1[0-9] request",
                                        "^2026-01-1[0-9] .*INFO",
                                        "\\<took\\> 1",
                                        "[0-9]+ ms$",
                                        "\\w+-\\w+ request",
                                        "nowhere",
                                        "x*"};
    static const char *const seds[] = {"service-([0-9]+)", "([a-z]+)/", "(INFO|WARN|ERROR|DEBUG)", "([0-9]+) ms"};
    static const char *const small[] = {"abc", "service-([0-9]+)", "^[[:alpha:]_][[:alnum:]_]*$", "\\w+ \\w+",
                                        "(a|b)*c{1,20}"};
    struct tc_buf buf;
    struct tc_str log = make_log(&buf);

    printf("%-42s %7s %8s %8s %8s %8s\n", "ms", "lines", "at once", "by line", "peer", "peer, C");
    for (size_t i = 0; i < sizeof greps / sizeof *greps; i++)
        compare(log, greps[i], 0, false);
    compare(log, "error", TC_REGEX_ICASE, false);
    printf("\n%-42s %7s\n", "all matches and group 1", "bytes");
    for (size_t i = 0; i < sizeof seds / sizeof *seds; i++)
        compare(log, seds[i], 0, true);
    printf("\n");
    setlocale(LC_ALL, "C.UTF-8");
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        measure_compile(small[i]);
    measure_search("took 4[0-9]+", 0);
    measure_search("took 4[0-9]+", 1);
    measure_search("took ([0-9]+) (ms)", 3);
    measure_search("([a-z]+)-([0-9]+)", 3);
    measure_search("^([0-9]+)-([0-9]+)-([0-9]+) ", 4);
    measure_search("x+y", 1);
    tc_buf_finish(&buf);
    return 0;
}
