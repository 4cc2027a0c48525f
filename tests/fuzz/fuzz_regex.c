/*
 * Patterns of any bytes in any dialect. The first two bytes choose dialect and
 * flags, the pattern goes to the first 0xff, the subject follows. Whatever is found
 * lies where it can; existence, span, groups and lines agree with each other; a
 * match is found again by a search that begins where it begins.
 */
#include "regex/regex.h"

enum { GROUPS = 12, SUBJECT_MAX = 4096 };

static void demand(bool truth)
{
    if (!truth)
        __builtin_trap();
}

static void check_bounds(const struct tc_regex_match *groups, size_t n, struct tc_str subject, size_t from)
{
    demand(groups[0].start >= from && groups[0].start <= groups[0].end && groups[0].end <= subject.n);
    for (size_t i = 1; i < n; i++) {
        demand((groups[i].start == SIZE_MAX) == (groups[i].end == SIZE_MAX));
        if (groups[i].start != SIZE_MAX)
            demand(groups[i].start <= groups[i].end && groups[i].end <= groups[0].end);
    }
}

/* All matches of a subject. */
static void check_matches(struct tc_regex *regex, struct tc_str subject)
{
    size_t n = tc_regex_groups(regex) + 1 < GROUPS ? tc_regex_groups(regex) + 1 : GROUPS;

    for (size_t at = 0; at <= subject.n;) {
        struct tc_regex_match groups[GROUPS], span;
        enum tc_regex_found exists = tc_regex_search(regex, subject, at, NULL, 0);
        enum tc_regex_found found = tc_regex_search(regex, subject, at, &span, 1);
        if (exists == TC_REGEX_LIMIT || found == TC_REGEX_LIMIT)
            return;
        demand(exists == found);
        if (found == TC_REGEX_NONE)
            return;
        if (tc_regex_search(regex, subject, at, groups, n) == TC_REGEX_LIMIT)
            return;
        demand(groups[0].start == span.start && groups[0].end == span.end);
        check_bounds(groups, n, subject, at);
        at = span.end > span.start ? span.end : span.end + 1;
        while (at < subject.n && (subject.p[at] & 0xc0) == 0x80) /* not into a character */
            at++;
    }
}

/* The first line, found by going over them and by asking for it. */
static void check_lines(struct tc_regex *regex, struct tc_str text)
{
    size_t line = tc_regex_line(regex, text, 0), at = 0;

    while (line != SIZE_MAX - 1 && at < text.n) {
        struct tc_str rest = tc_str_from(text, at), one;
        enum tc_regex_found found;
        tc_str_split(&rest, '\n', &one);
        found = tc_regex_search(regex, one, 0, NULL, 0);
        if (found == TC_REGEX_LIMIT)
            return;
        if (found == TC_REGEX_FOUND) {
            demand(line == at);
            return;
        }
        at += one.n + 1;
    }
    demand(line >= SIZE_MAX - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_str pattern, subject;
    struct tc_regex *regex;
    size_t cut;

    if (size < 2)
        return 0;
    pattern = tc_str_n((const char *)data + 2, size - 2);
    cut = tc_str_chr(pattern, '\xff');
    subject = cut == SIZE_MAX ? TC_STR("") : tc_str_from(pattern, cut + 1);
    subject.n = subject.n > SUBJECT_MAX ? SUBJECT_MAX : subject.n;
    pattern.n = cut == SIZE_MAX ? pattern.n : cut;
    tc_arena_init(&arena, 0);
    if (tc_regex_compile(&cx, pattern, (enum tc_regex_syntax)(data[0] % 5), data[1] & 0x3f, &regex) == TC_OK) {
        check_matches(regex, subject);
        check_lines(regex, subject);
        tc_regex_destroy(regex);
    } else {
        demand(cx.err.message.n > 0);
    }
    tc_arena_finish(&arena);
    return 0;
}
