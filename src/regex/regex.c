/*
 * The face of the engine: compiles, and chooses among the matchers.
 */
#include "regex/regex.h"

#include "base/mem.h"
#include "regex/backtrack.h"
#include "regex/perl.h"
#include "regex/program.h"

enum { SCRATCH_MAX = 256 * 1024 * 1024, FIXED_PROGRAM_MAX = 1 << 20 };

struct tc_regex {
    struct tc_arena arena; /* of the program */
    struct tc_regex_program program;
    struct tc_regex_perl *perl; /* instead of the program */
    struct tc_regex_match *all; /* room for all groups */
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
        regex->all = TC_ARENA_NEW_N(&regex->arena, struct tc_regex_match, regex->program.groups + 1);
        return regex->all ? TC_OK : tc_fail_memory(cx);
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
    tc_arena_finish(&regex->arena);
    tc_mem_free(regex);
}

size_t tc_regex_groups(const struct tc_regex *regex)
{
    return regex->perl ? tc_regex_perl_groups(regex->perl) : regex->program.groups;
}

/* Groups that always have the bounds of another are given those. */
static void copy_groups(const struct tc_regex *regex, struct tc_regex_match *groups, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t outer = i == 0 || i > regex->program.groups ? i : regex->program.outer[i];
        bool known = i <= regex->program.groups && regex->all[outer].end != SIZE_MAX;
        groups[i] = known ? regex->all[outer] : (struct tc_regex_match){SIZE_MAX, SIZE_MAX};
    }
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
    found = tc_regex_backtrack_search(&regex->program, subject, from, regex->all);
    if (found == TC_REGEX_FOUND)
        copy_groups(regex, groups, n);
    return found;
}

size_t tc_regex_line(struct tc_regex *regex, struct tc_str text, size_t from)
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
