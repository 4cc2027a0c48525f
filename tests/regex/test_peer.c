/* The engine against the C library's regcomp and regexec on generated patterns and
 * subjects: what is refused and in which words, the span, and each group. */
#include <locale.h>
#include <regex.h>
#include <signal.h>
#include <sys/time.h>

#include "regex/regex.h"
#include "support/test.h"

enum { GROUPS = 10, TEXT_MAX = 256, SUBJECTS = 6 };

struct generator {
    uint64_t seed;
    char text[TEXT_MAX];
    size_t n;
    bool basic, backrefs, edges;
    unsigned groups, closed;
};

static unsigned pick(struct generator *g, unsigned n)
{
    g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(g->seed >> 33) % n;
}

static void put(struct generator *g, const char *text)
{
    size_t n = strlen(text);

    if (g->n + n < TEXT_MAX) {
        memcpy(g->text + g->n, text, n + 1);
        g->n += n;
    }
}

#define PUT_ONE_OF(g, list) put(g, (list)[pick(g, sizeof(list) / sizeof *(list))])

/* --- patterns that are mostly right --- */

static void put_atom(struct generator *g, unsigned depth);

static void put_branch(struct generator *g, unsigned depth)
{
    static const char *const times[] = {"*", "*", "*", "{2}", "{0,2}", "{1,}", "{,3}", "{1,3}", "{0}"};
    static const char *const basic_times[] = {"*", "*", "*", "\\{2\\}", "\\{0,2\\}", "\\{1,\\}", "\\+", "\\?"};
    static const char *const more[] = {"+", "?", "?"};

    for (unsigned n = 1 + pick(g, 3); n > 0; n--) {
        put_atom(g, depth);
        if (pick(g, 3))
            continue;
        if (g->basic)
            PUT_ONE_OF(g, basic_times);
        else if (pick(g, 2))
            PUT_ONE_OF(g, times);
        else
            PUT_ONE_OF(g, more);
    }
}

static void put_alternatives(struct generator *g, unsigned depth)
{
    if (pick(g, 12))
        put_branch(g, depth);
    for (unsigned n = pick(g, 3); n > 0 && !pick(g, 2); n--) {
        put(g, g->basic ? "\\|" : "|");
        if (pick(g, 8))
            put_branch(g, depth);
    }
}

static void put_atom(struct generator *g, unsigned depth)
{
    static const char *const chars[] = {"a", "a", "b", "b", "c", "ab", "\xc3\xa9", "_", " "};
    static const char *const sets[] = {"[ab]", "[^a]", "[a-c]", "[[:alpha:]]", "[^b ]", ".", ".", "\\w", "\\W"};
    static const char *const edges[] = {"^", "$", "\\<", "\\>", "\\b", "\\B", "\\`", "\\'"};
    unsigned what = pick(g, 16);
    char reference[] = "\\1";

    if (what < 4 && depth > 0 && g->groups < GROUPS - 1) {
        g->groups++;
        put(g, g->basic ? "\\(" : "(");
        put_alternatives(g, depth - 1);
        put(g, g->basic ? "\\)" : ")");
        g->closed++;
    } else if (what < 6) {
        PUT_ONE_OF(g, sets);
    } else if (what == 6 && g->edges && !pick(g, 2)) {
        PUT_ONE_OF(g, edges);
    } else if (what == 7 && g->backrefs && g->closed) {
        reference[1] = (char)('1' + pick(g, g->closed < 9 ? g->closed : 9));
        put(g, reference);
    } else {
        PUT_ONE_OF(g, chars);
    }
}

static void make_pattern(struct generator *g)
{
    g->n = g->groups = g->closed = 0;
    g->text[0] = '\0';
    put_alternatives(g, 3);
}

/* --- patterns that are mostly wrong --- */

static void make_soup(struct generator *g)
{
    static const char *const tokens[] = {"a",     "b",     "(",   ")",    "|",   "*",     "+",         "?",
                                         "{1,2}", "{",     "}",   "[ab]", "[^a", "[",     "]",         "^",
                                         "$",     ".",     "\\<", "\\b",  "\\1", "\\(",   "\\)",       "\\|",
                                         "\\{",   "\\}",   "\\+", "\\?",  ",",   "2",     "[[:alpha:]", "[b-a]",
                                         "[a-",   "-",     "\\",  "{2",   ":",   "[[:x:]", "[[.a.]",    "[[=b=]"};

    g->n = 0;
    g->text[0] = '\0';
    for (unsigned n = 1 + pick(g, 6); n > 0; n--)
        PUT_ONE_OF(g, tokens);
}

static void make_subject(struct generator *g, bool lines)
{
    static const char *const chars[] = {"a", "a", "b", "b", "c", "\xc3\xa9", "_", " ", "A", "\n"};

    g->n = 0;
    g->text[0] = '\0';
    for (unsigned n = pick(g, 9); n > 0; n--)
        put(g, chars[pick(g, lines ? 10 : 9)]);
}

/* --- comparison --- */

struct tally {
    size_t compared, refused, matched, spans, groups, hung;
};

static sigjmp_buf hung;

static void on_alarm(int signal)
{
    (void)signal;
    siglongjmp(hung, 1);
}

static void set_alarm(long us)
{
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = us}}, NULL);
}

/* Some patterns send the C library's matcher round and round (nested repetitions of
 * what can be empty); then the answer is -1, and the expression is lost. The seeds are
 * such that it does not happen here. */
static int ask_peer(const regex_t *theirs, const char *subject, regmatch_t *groups)
{
    int found;

    if (sigsetjmp(hung, 1))
        return -1;
    set_alarm(300000);
    found = regexec(theirs, subject, GROUPS, groups, 0) == 0;
    set_alarm(0);
    return found;
}

/* With back-references the C library sometimes leaves a group without an end. */
static bool same_groups(const struct tc_regex_match *ours, const regmatch_t *theirs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool whole = (theirs[i].rm_so < 0) == (theirs[i].rm_eo < 0);
        if (whole && (ours[i].start != (size_t)(ssize_t)theirs[i].rm_so ||
                      ours[i].end != (size_t)(ssize_t)theirs[i].rm_eo))
            return false;
    }
    return true;
}

static void show(const char *what, const char *pattern, const char *subject, const struct tc_regex_match *ours,
                 const regmatch_t *theirs, size_t n)
{
    print_message("%s: /%s/ on \"%s\"", what, pattern, subject);
    for (size_t i = 0; i < n; i++)
        print_message(" %zd,%zd(%d,%d)", (ssize_t)ours[i].start, (ssize_t)ours[i].end, theirs[i].rm_so,
                      theirs[i].rm_eo);
    print_message("\n");
}

/* False when the peer hung. */
static bool compare(struct tally *tally, struct tc_regex *ours, const regex_t *theirs, const char *pattern,
                    const char *subject)
{
    struct tc_regex_match our_groups[GROUPS] = {{0, 0}};
    regmatch_t their_groups[GROUPS];
    size_t n = theirs->re_nsub + 1 < GROUPS ? theirs->re_nsub + 1 : GROUPS;
    int found = ask_peer(theirs, subject, their_groups);
    enum tc_regex_found got = tc_regex_search(ours, tc_str_of(subject), 0, our_groups, n);

    if (found < 0) {
        tally->hung++;
        return false;
    }
    tally->compared++;
    tally->matched += found == 1;
    if (got != (found ? TC_REGEX_FOUND : TC_REGEX_NONE)) {
        tally->spans++;
        print_message("%s: /%s/ on \"%s\": %d\n", found ? "not found" : "found", pattern, subject, (int)got);
    } else if (found && !same_groups(our_groups, their_groups, 1)) {
        tally->spans++;
        show("span", pattern, subject, our_groups, their_groups, 1);
    } else if (found && !same_groups(our_groups, their_groups, n)) {
        tally->groups++;
        show("groups", pattern, subject, our_groups, their_groups, n);
    }
    return true;
}

/* regcomp has one word for both parentheses, GNU's programs have two. */
static bool same_reason(struct tc_str ours, const char *theirs)
{
    return tc_str_is(tc_str_is(ours, "Unmatched ) or \\)") ? TC_STR("Unmatched ( or \\(") : ours, theirs);
}

struct kind {
    bool basic, backrefs, edges, soup;
    unsigned flags;
    int their_flags;
};

static void run_pattern(struct tc_cx *cx, struct tally *tally, struct generator *g, const struct kind *kind)
{
    char pattern[TEXT_MAX], reason[TEXT_MAX];
    struct tc_regex *ours = NULL;
    regex_t theirs;
    bool usable = true;
    int refused;
    enum tc_err err;

    if (kind->soup)
        make_soup(g);
    else
        make_pattern(g);
    memcpy(pattern, g->text, g->n + 1);
    /* A [ or [^ at the very end is "Invalid regular expression" there. */
    if (kind->soup && (tc_str_ends(tc_str_of(pattern), TC_STR("[")) || tc_str_ends(tc_str_of(pattern), TC_STR("[^"))))
        return;
    refused = regcomp(&theirs, pattern, kind->their_flags | (kind->basic ? 0 : REG_EXTENDED));
    err = tc_regex_compile(cx, tc_str_of(pattern), kind->basic ? TC_REGEX_BASIC : TC_REGEX_EXTENDED, kind->flags,
                           &ours);
    if (refused)
        regerror(refused, &theirs, reason, sizeof reason);
    tally->refused += refused != 0;
    if ((err != TC_OK) != (refused != 0) || (refused && !same_reason(cx->err.message, reason))) {
        struct tc_str message = err ? cx->err.message : TC_STR("ok");
        print_message("refusal: /%s/: %.*s, theirs %s\n", pattern, TC_STR_ARG(message), refused ? reason : "ok");
        tally->spans++;
    }
    for (unsigned i = 0; i < SUBJECTS && !err && !refused && usable; i++) {
        make_subject(g, kind->flags & TC_REGEX_LINES);
        usable = compare(tally, ours, &theirs, pattern, g->text);
    }
    if (!refused && usable)
        regfree(&theirs);
    if (!err)
        tc_regex_destroy(ours);
}

static struct tally run(const struct kind *kind, uint64_t seed, size_t patterns)
{
    struct generator g = {.seed = seed, .basic = kind->basic, .backrefs = kind->backrefs, .edges = kind->edges};
    struct tally tally = {0};
    struct test_cx test;

    assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
    assert_int_equal(sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL), 0);
    test_cx_init(&test);
    for (size_t i = 0; i < patterns; i++)
        run_pattern(&test.cx, &tally, &g, kind);
    test_cx_finish(&test);
    print_message("%zu compared, %zu matched, %zu refused; differ: %zu spans, %zu groups; %zu hung\n",
                  tally.compared, tally.matched, tally.refused, tally.spans, tally.groups, tally.hung);
    return tally;
}

static void run_same(const struct kind *kind, uint64_t seed, size_t patterns)
{
    struct tally tally = run(kind, seed, patterns);

    assert_true(tally.compared > patterns && tally.matched > tally.compared / 20);
    assert_int_equal(tally.spans, 0);
    assert_int_equal(tally.groups, 0);
}

void test_peer__extended(void **state)
{
    (void)state;
    run_same(&(struct kind){.basic = false}, 1, 5000);
}

void test_peer__basic(void **state)
{
    (void)state;
    run_same(&(struct kind){.basic = true}, 14, 5000);
}

void test_peer__case_ignored(void **state)
{
    (void)state;
    run_same(&(struct kind){.flags = TC_REGEX_ICASE, .their_flags = REG_ICASE}, 3, 3000);
}

/* The C library contradicts itself about a repeated group that may be empty and is
 * referred to: /\( \|[[:alpha:]]*\)\{1,\}\1/ takes the last, empty, round for \1 on
 * "ca  bA", and not on "AcA". It also leaves groups without bounds that took part,
 * such as the second of /\(\)*\(a\)\(\1\)\?/. */
void test_peer__back_references(void **state)
{
    struct tally tally;

    (void)state;
    run_same(&(struct kind){.backrefs = true}, 4, 3000);
    tally = run(&(struct kind){.backrefs = true, .basic = true}, 5, 3000);
    assert_true(tally.spans <= 2 && tally.groups < 20);
}

/* The C library is wrong about some assertions in repeated groups, such as
 * /((b$b||a){1,}b)/ on "bbb", and prefers to leave out an optional group that begins
 * with one. Few patterns are of that kind. */
void test_peer__assertions(void **state)
{
    struct tally tally;

    (void)state;
    tally = run(&(struct kind){.edges = true}, 112, 3000);
    assert_true(tally.spans < 10 && tally.groups < 100);
    tally = run(&(struct kind){.edges = true, .basic = true}, 7, 3000);
    assert_true(tally.spans < 10 && tally.groups < 100);
    tally = run(&(struct kind){.edges = true, .flags = TC_REGEX_LINES, .their_flags = REG_NEWLINE}, 8, 3000);
    assert_true(tally.spans < 10 && tally.groups < 100);
}

void test_peer__what_is_refused(void **state)
{
    (void)state;
    run_same(&(struct kind){.soup = true}, 9, 10000);
    run_same(&(struct kind){.soup = true, .basic = true}, 10, 10000);
}
