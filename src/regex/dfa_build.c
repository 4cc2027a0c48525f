/*
 * Building the states of the forward automaton: from the list of a state, what its
 * assertions say at a position, what has matched there, and the list behind the
 * next character.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "regex/dfa.h"

enum { CACHE_MAX = 4 * 1024 * 1024 };

/* The first number of a key. */
enum { SEARCHING = 1, BEFORE_SHIFT = 1 };
#define MARK UINT32_MAX

static void forget_starts(struct tc_regex_dfa *dfa)
{
    memset(dfa->starts, 0xff, sizeof dfa->starts);
    memset(dfa->stays, 0, sizeof dfa->stays);
    dfa->home = -1;
}

bool tc_regex_dfa_init(struct tc_regex_dfa *dfa, const struct tc_regex_program *program, bool leftmost)
{
    size_t n = program->n;

    *dfa = (struct tc_regex_dfa){.leftmost = leftmost};
    tc_regex_cache_init(&dfa->cache, program->columns, CACHE_MAX);
    forget_starts(dfa);
    memcpy(dfa->line_column, program->byte_column, sizeof dfa->line_column);
    dfa->line_column['\n'] = TC_REGEX_COLUMN_END;
    /* One block: seen, a stack that holds each instruction twice at most, two lists. */
    dfa->seen = tc_mem_zalloc(7 * n + 8, sizeof *dfa->seen);
    if (!dfa->seen)
        return false;
    dfa->program = program;
    dfa->stack = dfa->seen + n;
    dfa->from.items = dfa->stack + 2 * n + 3;
    dfa->made.items = dfa->from.items + 2 * n + 2;
    return true;
}

void tc_regex_dfa_finish(struct tc_regex_dfa *dfa)
{
    tc_mem_free(dfa->seen);
    tc_regex_cache_finish(&dfa->cache);
    *dfa = (struct tc_regex_dfa){.program = NULL};
}

/* What is known of a position: nothing of what is behind, or all. */
struct place {
    bool open;
    unsigned before, behind;
};

static void forget_seen(struct tc_regex_dfa *dfa)
{
    if (++dfa->stamp == 0) {
        memset(dfa->seen, 0, dfa->program->n * sizeof *dfa->seen);
        dfa->stamp = 1;
    }
}

/* Appends what can be reached from an instruction without a character. */
static void add(struct tc_regex_dfa *dfa, uint32_t pc, struct place place)
{
    const struct tc_regex_inst *insts = dfa->program->insts;
    uint32_t n = 0;

    dfa->stack[n++] = pc;
    while (n) {
        pc = dfa->stack[--n];
        dfa->work++;
        if (dfa->seen[pc] == dfa->stamp)
            continue;
        dfa->seen[pc] = dfa->stamp;
        switch (insts[pc].op) {
        case TC_REGEX_OP_SPLIT:
            dfa->stack[n++] = insts[pc].other; /* FALLTHROUGH */
        case TC_REGEX_OP_OPEN:
        case TC_REGEX_OP_CLOSE:
            dfa->stack[n++] = insts[pc].next;
            break;
        case TC_REGEX_OP_ASSERT:
            if (place.open)
                dfa->made.items[dfa->made.n++] = pc;
            else if (tc_regex_program_holds(&insts[pc], place.before, place.behind))
                dfa->stack[n++] = insts[pc].next;
            break;
        case TC_REGEX_OP_BACKREF: /* any text, the caller looks closer */
            dfa->stack[n++] = insts[pc].next; /* FALLTHROUGH */
        default:
            dfa->made.items[dfa->made.n++] = pc;
        }
    }
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void sort(uint32_t *items, uint32_t n)
{
    if (n > 24) {
        qsort(items, n, sizeof *items, by_value);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        uint32_t item = items[i], k = i;
        for (; k > 0 && items[k - 1] > item; k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

/* Ends the group that began at `first`, in the order that makes keys equal. */
static void end_group(struct tc_regex_dfa *dfa, uint32_t first)
{
    if (dfa->made.n == first)
        return;
    sort(dfa->made.items + first, dfa->made.n - first);
    if (dfa->leftmost)
        dfa->made.items[dfa->made.n++] = MARK;
}

static void swap_lists(struct tc_regex_dfa *dfa)
{
    uint32_t *items = dfa->from.items;

    dfa->from.items = dfa->made.items;
    dfa->from.n = dfa->made.n;
    dfa->made.items = items;
}

/* Replaces the assertions of the present list by what is behind those that hold. */
static void resolve(struct tc_regex_dfa *dfa, unsigned before, unsigned behind)
{
    struct place place = {false, before, behind};

    forget_seen(dfa);
    dfa->made.n = 0;
    for (uint32_t i = 0; i < dfa->from.n; i++) {
        if (dfa->from.items[i] == MARK)
            dfa->made.items[dfa->made.n++] = MARK;
        else
            add(dfa, dfa->from.items[i], place);
    }
    swap_lists(dfa);
}

/* Cuts the present list behind the first group that has matched. */
static bool cut_at_match(struct tc_regex_dfa *dfa)
{
    const struct tc_regex_inst *insts = dfa->program->insts;
    bool matched = false;

    for (uint32_t i = 0; i < dfa->from.n; i++) {
        if (dfa->from.items[i] == MARK) {
            if (matched) {
                dfa->from.n = i + 1;
                break;
            }
        } else if (insts[dfa->from.items[i]].op == TC_REGEX_OP_MATCH) {
            matched = true;
        }
    }
    return matched;
}

/* The list behind a character of this column, one group after the other. */
static void advance(struct tc_regex_dfa *dfa, uint32_t column)
{
    const struct tc_regex_inst *insts = dfa->program->insts;
    struct place open = {true, 0, 0};
    uint32_t first = 0;

    forget_seen(dfa);
    dfa->made.n = 0;
    for (uint32_t i = 0; i < dfa->from.n; i++) {
        uint32_t pc = dfa->from.items[i];
        dfa->work++;
        if (pc == MARK) {
            end_group(dfa, first);
            first = dfa->made.n;
        } else if (tc_regex_program_takes(dfa->program, &insts[pc], column)) {
            add(dfa, insts[pc].next, open);
        } else if (insts[pc].op == TC_REGEX_OP_BACKREF) {
            add(dfa, pc, open);
        }
    }
    if (!dfa->leftmost)
        return;
    end_group(dfa, first);
}

/* The row of the list under construction; the cache is emptied when it is full. */
static int32_t intern(struct tc_regex_dfa *dfa, bool searching, unsigned before)
{
    uint32_t *key = dfa->made.items - 1; /* one number is kept free before each list */
    bool waits = false;
    int32_t row;

    if (dfa->made.n == 0 && !searching)
        return 0;
    for (uint32_t i = 0; dfa->program->asserts && i < dfa->made.n && !waits; i++)
        waits = dfa->made.items[i] != MARK && dfa->program->insts[dfa->made.items[i]].op == TC_REGEX_OP_ASSERT;
    key[0] = (searching ? SEARCHING : 0) | (waits ? before << BEFORE_SHIFT : 0);
    row = tc_regex_cache_row(&dfa->cache, key, dfa->made.n + 1);
    if (row == TC_REGEX_CACHE_FULL) {
        tc_regex_cache_clear(&dfa->cache);
        forget_starts(dfa);
        row = tc_regex_cache_row(&dfa->cache, key, dfa->made.n + 1);
    }
    return row;
}

/* A new group for what begins here. */
static void add_start(struct tc_regex_dfa *dfa)
{
    uint32_t first = dfa->leftmost ? dfa->made.n : 0;

    add(dfa, dfa->program->start, (struct place){true, 0, 0});
    end_group(dfa, first);
}

int32_t tc_regex_dfa_start(struct tc_regex_dfa *dfa, bool anchored, unsigned before)
{
    int32_t *row = &dfa->starts[anchored][before];

    if (*row >= 0)
        return *row;
    forget_seen(dfa);
    dfa->made.n = 0;
    add_start(dfa);
    *row = intern(dfa, !anchored, before);
    if (!anchored && (before == TC_REGEX_OTHER || !dfa->program->asserts))
        dfa->home = *row;
    return *row;
}

/* A line feed is not noted: it may be the end of a line. */
static void note_stay(struct tc_regex_dfa *dfa, uint32_t column)
{
    for (unsigned c = 0; c < 0x80; c++)
        if (dfa->program->byte_column[c] == column && c != '\n')
            dfa->stays[c] = true;
}

int32_t tc_regex_dfa_build(struct tc_regex_dfa *dfa, int32_t row, uint32_t column)
{
    uint32_t n = tc_regex_cache_key_n(&dfa->cache, row), emptied = dfa->cache.emptied;
    const uint32_t *key = tc_regex_cache_key(&dfa->cache, row);
    unsigned before = key[0] >> BEFORE_SHIFT, behind = dfa->program->beside[column];
    bool searching = key[0] & SEARCHING, matched;
    int32_t next = 0, transition;

    memcpy(dfa->from.items, key + 1, (n - 1) * sizeof *key);
    dfa->from.n = n - 1;
    if (dfa->program->asserts)
        resolve(dfa, before, behind);
    matched = cut_at_match(dfa);
    if (column != TC_REGEX_COLUMN_END) {
        advance(dfa, column);
        searching = searching && !matched;
        if (searching)
            add_start(dfa);
        else if (!dfa->leftmost)
            end_group(dfa, 0);
        next = intern(dfa, searching, behind);
        if (next < 0)
            return TC_REGEX_UNKNOWN;
    }
    transition = next | (matched ? TC_REGEX_HIT : 0) | (matched || next == 0 ? TC_REGEX_LOOK : 0);
    if (dfa->cache.emptied != emptied) /* the row is gone */
        return transition;
    dfa->cache.table[(size_t)row + column] = transition;
    if (transition == row && row == dfa->home)
        note_stay(dfa, column);
    return transition;
}
