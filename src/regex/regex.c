/*
 * The face of the engine: compiles, and chooses among the matchers.
 */
#include "regex/regex.h"

#include "base/mem.h"
#include "regex/backtrack.h"
#include "regex/dfa.h"
#include "regex/literal.h"
#include "regex/perl.h"
#include "regex/reverse.h"

enum { SCRATCH_MAX = 256 * 1024 * 1024, FIXED_PROGRAM_MAX = 1 << 20, PATIENCE = 256 };

struct tc_regex {
    struct tc_arena arena; /* of the program */
    struct tc_regex_program program;
    struct tc_regex_literal literal;
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
                                     &regex->program, &error) &&
               tc_regex_literal_find(&regex->arena, tree.root, &regex->literal);
    else
        error = tree.error;
    tc_arena_finish(&scratch);
    if (made) {
        size_t n = regex->program.groups + 1;
        struct tc_regex_match *both = TC_ARENA_NEW_N(&regex->arena, struct tc_regex_match, 2 * n);
        if (!both)
            return tc_fail_memory(cx);
        regex->captures = (struct tc_regex_captures){both, both + n, n};
        return TC_OK;
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

static struct tc_regex_match span_of(size_t start, size_t n)
{
    return (struct tc_regex_match){start, start + n};
}

/* Where the text occurs that each match begins with, at or behind `from`. */
static size_t find_prefix(const struct tc_regex *regex, struct tc_str subject, size_t from)
{
    size_t at = tc_str_find(tc_str_n(subject.p + from, subject.n - from), regex->literal.prefix);

    return at == SIZE_MAX ? at : from + at;
}

/* Forward to the end of the leftmost match, back to its begin. */
static enum tc_regex_found find_both_ways(struct tc_regex *regex, struct tc_str subject, size_t from,
                                          struct tc_regex_match *ret_span)
{
    size_t end = tc_regex_dfa_end(&regex->forward, subject, from), start;

    if (end >= SIZE_MAX - 1)
        return end == SIZE_MAX ? TC_REGEX_NONE : TC_REGEX_LIMIT;
    if (!ready_to_return(regex))
        return TC_REGEX_LIMIT;
    start = tc_regex_reverse_start(&regex->reverse, subject, from, end);
    *ret_span = (struct tc_regex_match){start, end};
    return start == SIZE_MAX ? TC_REGEX_LIMIT : TC_REGEX_FOUND;
}

/* Tries where the prefix occurs. What is read in vain may be read again by the next
 * try, so this is given up when it has come to more than a few times the way. */
static enum tc_regex_found find_by_prefix(struct tc_regex *regex, struct tc_str subject, size_t from,
                                          struct tc_regex_match *ret_span)
{
    size_t vain = 0;

    for (size_t at = from; (at = find_prefix(regex, subject, at)) != SIZE_MAX; at++) {
        size_t read, end = tc_regex_dfa_match(&regex->forward, subject, at, &read);
        if (end == SIZE_MAX - 1)
            return TC_REGEX_LIMIT;
        if (end != SIZE_MAX) {
            *ret_span = (struct tc_regex_match){at, end};
            return TC_REGEX_FOUND;
        }
        vain += read;
        if (vain > PATIENCE + 2 * (at - from))
            return find_both_ways(regex, subject, at + 1, ret_span);
    }
    return TC_REGEX_NONE;
}

/* The leftmost-longest match. */
static enum tc_regex_found find_span(struct tc_regex *regex, struct tc_str subject, size_t from,
                                     struct tc_regex_match *ret_span)
{
    const struct tc_regex_literal *literal = &regex->literal;
    size_t at, read;

    if (literal->exact) {
        at = find_prefix(regex, subject, from);
        *ret_span = span_of(at, literal->prefix.n);
        return at == SIZE_MAX ? TC_REGEX_NONE : TC_REGEX_FOUND;
    }
    if (!ready(regex, &regex->forward))
        return TC_REGEX_LIMIT;
    if (literal->anchored) {
        at = from ? SIZE_MAX : tc_regex_dfa_match(&regex->forward, subject, from, &read);
        *ret_span = (struct tc_regex_match){from, at};
        return at < SIZE_MAX - 1 ? TC_REGEX_FOUND : at == SIZE_MAX ? TC_REGEX_NONE : TC_REGEX_LIMIT;
    }
    if (literal->prefix.n)
        return find_by_prefix(regex, subject, from, ret_span);
    return find_both_ways(regex, subject, from, ret_span);
}

static enum tc_regex_found exists(struct tc_regex *regex, struct tc_str subject, size_t from)
{
    const struct tc_regex_literal *literal = &regex->literal;

    if (literal->anchored && from)
        return TC_REGEX_NONE;
    if (literal->prefix.n && !literal->anchored) {
        from = find_prefix(regex, subject, from);
        if (from == SIZE_MAX || literal->exact)
            return literal->exact && from != SIZE_MAX ? TC_REGEX_FOUND : TC_REGEX_NONE;
    }
    if (!ready(regex, &regex->exists))
        return TC_REGEX_LIMIT;
    return tc_regex_dfa_finds(&regex->exists, subject, from, literal->anchored);
}

static bool lacks_required(const struct tc_regex *regex, struct tc_str subject, size_t from)
{
    struct tc_str required = regex->literal.required;

    return required.n > regex->literal.prefix.n &&
           tc_str_find(tc_str_n(subject.p + from, subject.n - from), required) == SIZE_MAX;
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
    if (lacks_required(regex, subject, from))
        return TC_REGEX_NONE;
    if (regex->program.backrefs)
        return search_closely(regex, subject, from, groups, n);
    if (n == 0)
        return exists(regex, subject, from);
    found = find_span(regex, subject, from, groups);
    if (found != TC_REGEX_FOUND || n == 1)
        return found;
    if (regex->program.groups &&
        (!ready_to_return(regex) ||
         !tc_regex_reverse_groups(&regex->reverse, subject, groups[0], &regex->captures)))
        return TC_REGEX_LIMIT;
    copy_groups(regex, groups, n);
    return TC_REGEX_FOUND;
}

/* --- lines --- */

static struct tc_str line_at(struct tc_str text, size_t from)
{
    struct tc_str rest = tc_str_from(text, from), line;

    tc_str_split(&rest, '\n', &line);
    return line;
}

static size_t line_by_line(struct tc_regex *regex, struct tc_str text, size_t from)
{
    while (from < text.n) {
        struct tc_str line = line_at(text, from);
        enum tc_regex_found found = tc_regex_search(regex, line, 0, NULL, 0);
        if (found != TC_REGEX_NONE)
            return found == TC_REGEX_FOUND ? from : SIZE_MAX - 1;
        from += line.n + 1;
    }
    return SIZE_MAX;
}

/* Only lines with the required text are looked at; from where it stands, if matches
 * begin with it. */
static size_t line_by_literal(struct tc_regex *regex, struct tc_str text, size_t from)
{
    const struct tc_regex_literal *literal = &regex->literal;
    bool begins = literal->prefix.n == literal->required.n;

    while (from < text.n) {
        size_t at = tc_str_find(tc_str_from(text, from), literal->required);
        enum tc_regex_found found;
        const char *feed;
        struct tc_str line;
        if (at == SIZE_MAX)
            break;
        feed = memrchr(text.p + from, '\n', at);
        at += from;
        from = feed ? (size_t)(feed - text.p) + 1 : from;
        if (literal->exact)
            return from;
        line = line_at(text, from);
        if (regex->program.backrefs)
            found = search_closely(regex, line, begins && !literal->anchored ? at - from : 0, NULL, 0);
        else
            found = exists(regex, line, begins && !literal->anchored ? at - from : 0);
        if (found != TC_REGEX_NONE)
            return found == TC_REGEX_FOUND ? from : SIZE_MAX - 1;
        from += line.n + 1;
    }
    return SIZE_MAX;
}

size_t tc_regex_line(struct tc_regex *regex, struct tc_str text, size_t from)
{
    struct tc_str required = regex->literal.required;

    if (from >= text.n)
        return SIZE_MAX;
    if (regex->perl || tc_str_chr(required, '\n') != SIZE_MAX)
        return line_by_line(regex, text, from);
    if (required.n)
        return line_by_literal(regex, text, from);
    if (regex->program.backrefs)
        return line_by_line(regex, text, from);
    if (!ready(regex, &regex->exists))
        return SIZE_MAX - 1;
    return tc_regex_dfa_line(&regex->exists, text, from, regex->literal.anchored);
}
