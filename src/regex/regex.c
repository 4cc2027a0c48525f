/*
 * The face of the engine: compiles, and chooses among the matchers.
 */
#include "regex/regex.h"

#include "base/mem.h"
#include "regex/backtrack.h"
#include "regex/dfa.h"
#include "regex/perl.h"
#include "regex/reverse.h"

enum { SCRATCH_MAX = 256 * 1024 * 1024, FIXED_PROGRAM_MAX = 1 << 20 };

struct tc_regex {
    struct tc_arena arena; /* of the program */
    struct tc_regex_program program;
    struct tc_regex_perl *perl; /* instead of the program */
    struct tc_regex_captures captures;
    /* Made when first needed. */
    struct tc_regex_dfa exists, forward;
    struct tc_regex_reverse reverse;
};

static enum tc_err compile_posix(struct tc_cx *cx, struct tc_regex *regex, struct tc_str pattern,
                                 enum tc_regex_syntax syntax, unsigned flags)
{
    struct tc_regex_tree tree = {.root = NULL};
    struct tc_arena scratch;
    const char *error = NULL;
    bool made = false;

    tc_arena_init(&scratch, SCRATCH_MAX);
    if (syntax == TC_REGEX_FIXED ? tc_regex_parse_fixed(&scratch, pattern, flags, &tree)
                                 : tc_regex_parse(&scratch, pattern, syntax, flags, &tree))
        made = tc_regex_program_make(&regex->arena, &scratch, &tree,
                                     syntax == TC_REGEX_FIXED ? FIXED_PROGRAM_MAX : TC_REGEX_PROGRAM_MAX,
                                     &regex->program, &error);
    else
        error = tree.error;
    tc_arena_finish(&scratch);
    if (made) {
        size_t n = regex->program.groups + 1;
        struct tc_regex_match *both = TC_ARENA_NEW_N(&regex->arena, struct tc_regex_match, 2 * n);
        regex->captures = (struct tc_regex_captures){both, both + n, n};
        return both ? TC_OK : tc_fail_memory(cx);
    }
    return error ? tc_fail(cx, TC_E_REGEX_PATTERN, "%s", error) : tc_fail_memory(cx);
}

enum tc_err tc_regex_compile(struct tc_cx *cx, struct tc_str pattern, enum tc_regex_syntax syntax, unsigned flags,
                             struct tc_regex **ret_regex)
{
    struct tc_regex *regex = tc_mem_zalloc(1, sizeof *regex);
    enum tc_err err;

    if (!regex)
        return tc_fail_memory(cx);
    tc_arena_init(&regex->arena, SCRATCH_MAX);
    if (syntax == TC_REGEX_PERL)
        err = tc_regex_perl_compile(cx, pattern, flags, &regex->perl);
    else
        err = compile_posix(cx, regex, pattern, syntax, flags);
    if (err) {
        tc_regex_destroy(regex);
        return err;
    }
    *ret_regex = regex;
    return TC_OK;
}

void tc_regex_destroy(struct tc_regex *regex)
{
    if (!regex)
        return;
    tc_regex_perl_destroy(regex->perl);
    tc_regex_dfa_finish(&regex->exists);
    tc_regex_dfa_finish(&regex->forward);
    tc_regex_reverse_finish(&regex->reverse);
    tc_arena_finish(&regex->arena);
    tc_mem_free(regex);
}

size_t tc_regex_groups(const struct tc_regex *regex)
{
    return regex->perl ? tc_regex_perl_groups(regex->perl) : regex->program.groups;
}

/* --- search --- */

static bool ready(struct tc_regex *regex, struct tc_regex_dfa *dfa)
{
    return dfa->program || tc_regex_dfa_init(dfa, &regex->program, dfa == &regex->forward);
}

static bool ready_to_return(struct tc_regex *regex)
{
    return regex->reverse.program || tc_regex_reverse_init(&regex->reverse, &regex->program);
}

/* Groups that always have the bounds of another are given those. */
static void copy_groups(const struct tc_regex *regex, struct tc_regex_match *groups, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        size_t outer = i > regex->program.groups ? 0 : regex->program.outer[i];
        bool known = outer && regex->captures.now[outer].end != SIZE_MAX;
        groups[i] = known ? regex->captures.now[outer] : (struct tc_regex_match){SIZE_MAX, SIZE_MAX};
    }
}

/* The leftmost-longest match. */
static enum tc_regex_found find_span(struct tc_regex *regex, struct tc_str subject, size_t from,
                                     struct tc_regex_match *ret_span)
{
    size_t end, start;

    if (!ready(regex, &regex->forward))
        return TC_REGEX_LIMIT;
    end = tc_regex_dfa_end(&regex->forward, subject, from, false);
    if (end >= SIZE_MAX - 1)
        return end == SIZE_MAX ? TC_REGEX_NONE : TC_REGEX_LIMIT;
    if (!ready_to_return(regex))
        return TC_REGEX_LIMIT;
    start = tc_regex_reverse_start(&regex->reverse, subject, from, end);
    *ret_span = (struct tc_regex_match){start, end};
    return start == SIZE_MAX ? TC_REGEX_LIMIT : TC_REGEX_FOUND;
}

static enum tc_regex_found exists(struct tc_regex *regex, struct tc_str subject, size_t from)
{
    return ready(regex, &regex->exists) ? tc_regex_dfa_finds(&regex->exists, subject, from) : TC_REGEX_LIMIT;
}

/* The automaton takes a back-reference for any text: what it does not find is not
 * there, what it finds is looked at closely. */
static enum tc_regex_found search_closely(struct tc_regex *regex, struct tc_str subject, size_t from,
                                          struct tc_regex_match *groups, size_t n)
{
    enum tc_regex_found found = exists(regex, subject, from);

    if (found != TC_REGEX_FOUND)
        return found;
    found = tc_regex_backtrack_search(&regex->program, subject, from, regex->captures.now);
    if (found == TC_REGEX_FOUND && n > 0) {
        groups[0] = regex->captures.now[0];
        copy_groups(regex, groups, n);
    }
    return found;
}

enum tc_regex_found tc_regex_search(struct tc_regex *regex, struct tc_str subject, size_t from,
                                    struct tc_regex_match *groups, size_t n)
{
    enum tc_regex_found found;

    subject.p = subject.p ? subject.p : "";
    if (from > subject.n)
        return TC_REGEX_NONE;
    if (regex->perl)
        return tc_regex_perl_search(regex->perl, subject, from, groups, n);
    if (regex->program.backrefs)
        return search_closely(regex, subject, from, groups, n);
    if (n == 0)
        return exists(regex, subject, from);
    found = find_span(regex, subject, from, groups);
    if (found != TC_REGEX_FOUND || n == 1)
        return found;
    if (regex->program.groups &&
        !tc_regex_reverse_groups(&regex->reverse, subject, groups[0], &regex->captures))
        return TC_REGEX_LIMIT;
    copy_groups(regex, groups, n);
    return TC_REGEX_FOUND;
}

static size_t line_by_line(struct tc_regex *regex, struct tc_str text, size_t from)
{
    while (from < text.n) {
        struct tc_str rest = tc_str_from(text, from), line;
        enum tc_regex_found found;
        tc_str_split(&rest, '\n', &line);
        found = tc_regex_search(regex, line, 0, NULL, 0);
        if (found != TC_REGEX_NONE)
            return found == TC_REGEX_FOUND ? from : SIZE_MAX - 1;
        from += line.n + 1;
    }
    return SIZE_MAX;
}

size_t tc_regex_line(struct tc_regex *regex, struct tc_str text, size_t from)
{
    if (from >= text.n)
        return SIZE_MAX;
    if (regex->perl || regex->program.backrefs)
        return line_by_line(regex, text, from);
    return ready(regex, &regex->exists) ? tc_regex_dfa_line(&regex->exists, text, from) : SIZE_MAX - 1;
}
