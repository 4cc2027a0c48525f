/*
 * Running the forward automaton. The loop takes known transitions straight from the
 * table; each that is negative goes through take(), which has the next state built
 * if need be and tells what to do.
 */
#include "regex/dfa.h"

enum { WORK_MAX = 500000000 };

struct run {
    struct tc_regex_dfa *dfa;
    const unsigned char *p, *end; /* the rest of the subject */
    int32_t row;
};

enum taken { GOES_ON, DEAD, SPENT };

/* Takes the transition for what is at p, or for the end, and moves on. */
static enum taken take(struct run *run, uint32_t column, size_t length, bool *ret_matched)
{
    int32_t t = run->dfa->cache.table[(size_t)run->row + column];

    if (t == TC_REGEX_UNKNOWN) {
        t = run->dfa->work > WORK_MAX ? t : tc_regex_dfa_build(run->dfa, run->row, column);
        if (t == TC_REGEX_UNKNOWN)
            return SPENT;
    }
    *ret_matched = t & TC_REGEX_HIT && t < 0;
    run->row = t & TC_REGEX_ROW;
    run->p += length;
    return run->row ? GOES_ON : DEAD;
}

/* Follows what is known, up to a transition that needs a look or the end. Where the
 * search is at home no byte waits for the transition of the one before. */
static void follow(struct run *run, const uint8_t *columns)
{
    const struct tc_regex_dfa *dfa = run->dfa;
    const int32_t *table = dfa->cache.table;
    const unsigned char *p = run->p, *end = run->end;
    int32_t row = run->row, next;

    for (;;) {
        if (row == dfa->home)
            while (p < end && dfa->stays[*p])
                p++;
        if (p == end)
            break;
        next = table[(size_t)row + columns[*p]];
        if (next < 0)
            break;
        row = next;
        p++;
    }
    run->p = p;
    run->row = row;
}

/* The column of what is at p. */
static uint32_t column_at(const struct run *run, size_t *ret_length)
{
    if (run->p == run->end) {
        *ret_length = 0;
        return TC_REGEX_COLUMN_END;
    }
    return tc_regex_program_next(run->dfa->program, run->p, (size_t)(run->end - run->p), ret_length);
}

static bool begin(struct run *run, struct tc_regex_dfa *dfa, struct tc_str subject, size_t from, bool anchored)
{
    unsigned before = dfa->program->asserts ? tc_regex_program_beside_before(dfa->program, subject, from) : 0;

    dfa->work = 0;
    *run = (struct run){dfa, (const unsigned char *)subject.p + from, (const unsigned char *)subject.p + subject.n,
                        tc_regex_dfa_start(dfa, anchored, before)};
    return run->row >= 0;
}

static size_t find_end(struct run *run, const unsigned char *base)
{
    size_t end = SIZE_MAX, length = 1;

    while (run->row && length) {
        const unsigned char *at;
        bool matched = false;
        uint32_t column;
        follow(run, run->dfa->program->byte_column);
        at = run->p;
        column = column_at(run, &length);
        if (take(run, column, length, &matched) == SPENT)
            return SIZE_MAX - 1;
        if (matched)
            end = (size_t)(at - base);
    }
    return end;
}

size_t tc_regex_dfa_end(struct tc_regex_dfa *dfa, struct tc_str subject, size_t from)
{
    struct run run;

    if (!begin(&run, dfa, subject, from, false))
        return SIZE_MAX - 1;
    return find_end(&run, (const unsigned char *)subject.p);
}

size_t tc_regex_dfa_match(struct tc_regex_dfa *dfa, struct tc_str subject, size_t from, size_t *ret_read)
{
    const unsigned char *base = (const unsigned char *)subject.p;
    struct run run;
    size_t end;

    if (!begin(&run, dfa, subject, from, true))
        return SIZE_MAX - 1;
    end = find_end(&run, base);
    *ret_read = (size_t)(run.p - base) - from;
    return end;
}

enum tc_regex_found tc_regex_dfa_finds(struct tc_regex_dfa *dfa, struct tc_str subject, size_t from, bool anchored)
{
    size_t length = 1;
    struct run run;

    if (!begin(&run, dfa, subject, from, anchored))
        return TC_REGEX_LIMIT;
    while (run.row && length) {
        bool matched = false;
        uint32_t column;
        follow(&run, dfa->program->byte_column);
        column = column_at(&run, &length);
        if (take(&run, column, length, &matched) == SPENT)
            return TC_REGEX_LIMIT;
        if (matched)
            return TC_REGEX_FOUND;
    }
    return TC_REGEX_NONE;
}

/* Moves on to the end of the line. */
static void skip_line(struct run *run)
{
    const unsigned char *feed = memchr(run->p, '\n', (size_t)(run->end - run->p));

    run->p = feed ? feed : run->end;
}

size_t tc_regex_dfa_line(struct tc_regex_dfa *dfa, struct tc_str text, size_t from, bool anchored)
{
    const unsigned char *base = (const unsigned char *)text.p, *line = base + from;
    struct run run;

    if (!begin(&run, dfa, text, from, anchored))
        return SIZE_MAX - 1;
    while (line < run.end) {
        bool matched = false, fed = false;
        size_t length;
        uint32_t column;
        if (run.p == line)
            run.row = tc_regex_dfa_start(dfa, anchored, TC_REGEX_EDGE);
        if (run.row < 0)
            return SIZE_MAX - 1;
        follow(&run, dfa->line_column);
        fed = run.p < run.end && *run.p == '\n';
        column = fed ? TC_REGEX_COLUMN_END : column_at(&run, &length);
        if (take(&run, column, fed ? 0 : length, &matched) == SPENT)
            return SIZE_MAX - 1;
        if (matched)
            return (size_t)(line - base);
        if (run.row)
            continue;
        skip_line(&run); /* which may be where it stands */
        run.p += run.p < run.end;
        line = run.p;
    }
    return SIZE_MAX;
}
