/*
 * The partition of all characters into classes: the bounds of all sets cut the code
 * points into intervals; each set then splits the classes that it has only a part
 * of. Work and memory are capped, a pattern beyond is too big.
 */
#include <stdlib.h>

#include "regex/program.h"

enum { SMALL_SET = 16, WORK_MAX = 20000000, BITMAPS_MAX = 16 * 1024 * 1024 };

struct partition {
    struct tc_arena *scratch;
    uint32_t *firsts, *class_of; /* of each interval */
    size_t n;
    uint32_t *size, *inside, *split, *parent; /* of each class */
    uint32_t classes;
    size_t work;
};

bool tc_regex_classes_add_char(struct tc_regex_classes *classes, uint32_t c)
{
    if (classes->chars_n == classes->chars_cap) {
        size_t cap = classes->chars_cap ? classes->chars_cap * 2 : 32;
        uint32_t *chars = tc_arena_alloc(classes->scratch, cap * sizeof *chars);
        if (!chars)
            return false;
        if (classes->chars_n)
            memcpy(chars, classes->chars, classes->chars_n * sizeof *chars);
        classes->chars = chars;
        classes->chars_cap = cap;
    }
    classes->chars[classes->chars_n++] = c;
    return true;
}

bool tc_regex_classes_add_set(struct tc_regex_classes *classes, const struct tc_regex_set *set, uint32_t *ret_id)
{
    uint32_t near = classes->sets_n > 32 ? classes->sets_n - 32 : 0;

    for (uint32_t i = classes->sets_n; i-- > near;) {
        const struct tc_regex_set *other = classes->sets[i];
        if (other->n == set->n && (set->n == 0 || !memcmp(other->ranges, set->ranges, set->n * sizeof *set->ranges))) {
            *ret_id = i;
            return true;
        }
    }
    if (classes->sets_n == classes->sets_cap) {
        uint32_t cap = classes->sets_cap ? classes->sets_cap * 2 : 16;
        const struct tc_regex_set **sets = tc_arena_alloc(classes->scratch, cap * sizeof *sets);
        if (!sets)
            return false;
        if (classes->sets_n)
            memcpy(sets, classes->sets, classes->sets_n * sizeof *sets);
        classes->sets = sets;
        classes->sets_cap = cap;
    }
    classes->sets[classes->sets_n] = set;
    *ret_id = classes->sets_n++;
    return true;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* --- intervals --- */

/* Adds the bounds of a large set, which are sorted, to those that are there. */
static bool merge_bounds(struct partition *p, const struct tc_regex_set *set)
{
    uint32_t *out = tc_arena_alloc(p->scratch, (p->n + 2 * (size_t)set->n) * sizeof *out);
    size_t i = 0, k = 0, n = 0;

    if (!out)
        return false;
    while (i < p->n || k < 2 * (size_t)set->n) {
        uint32_t theirs = k < 2 * (size_t)set->n ? (k % 2 ? set->ranges[k / 2].last + 1 : set->ranges[k / 2].first)
                                                 : UINT32_MAX;
        uint32_t ours = i < p->n ? p->firsts[i] : UINT32_MAX;
        i += ours <= theirs;
        k += theirs <= ours;
        out[n++] = ours < theirs ? ours : theirs;
    }
    p->firsts = out;
    p->n = n;
    return true;
}

/* Bounds of single characters and small sets, sorted in one go. */
static bool gather_bounds(struct partition *p, const struct tc_regex_classes *classes)
{
    size_t n = 0, cap = 1 + 2 * classes->chars_n, kept = 0;

    for (uint32_t i = 0; i < classes->sets_n; i++)
        cap += classes->sets[i]->n <= SMALL_SET ? 2 * (size_t)classes->sets[i]->n : 0;
    p->firsts = tc_arena_alloc(p->scratch, cap * sizeof *p->firsts);
    if (!p->firsts)
        return false;
    p->firsts[n++] = 0;
    for (size_t i = 0; i < classes->chars_n; i++) {
        p->firsts[n++] = classes->chars[i];
        p->firsts[n++] = classes->chars[i] + 1;
    }
    for (uint32_t i = 0; i < classes->sets_n; i++) {
        const struct tc_regex_set *set = classes->sets[i];
        for (uint32_t k = 0; set->n <= SMALL_SET && k < set->n; k++) {
            p->firsts[n++] = set->ranges[k].first;
            p->firsts[n++] = set->ranges[k].last + 1;
        }
    }
    qsort(p->firsts, n, sizeof *p->firsts, by_value);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || p->firsts[i] != p->firsts[kept - 1])
            p->firsts[kept++] = p->firsts[i];
    p->n = kept;
    return true;
}

static bool make_intervals(struct partition *p, const struct tc_regex_classes *classes)
{
    if (!gather_bounds(p, classes))
        return false;
    for (uint32_t i = 0; i < classes->sets_n; i++)
        if (classes->sets[i]->n > SMALL_SET && !merge_bounds(p, classes->sets[i]))
            return false;
    while (p->n > 1 && p->firsts[p->n - 1] >= TC_REGEX_END)
        p->n--;
    p->class_of = TC_ARENA_NEW_N(p->scratch, uint32_t, p->n);
    p->size = TC_ARENA_NEW_N(p->scratch, uint32_t, p->n + 1);
    p->inside = TC_ARENA_NEW_N(p->scratch, uint32_t, p->n + 1);
    p->split = TC_ARENA_NEW_N(p->scratch, uint32_t, p->n + 1);
    p->parent = TC_ARENA_NEW_N(p->scratch, uint32_t, p->n + 1);
    if (!p->class_of || !p->size || !p->inside || !p->split || !p->parent)
        return false;
    p->size[0] = (uint32_t)p->n;
    p->classes = 1;
    return true;
}

/* --- classes --- */

static size_t interval_at(const struct partition *p, uint32_t first)
{
    size_t from = 0, to = p->n;

    while (to - from > 1) {
        size_t mid = (from + to) / 2;
        if (p->firsts[mid] <= first)
            from = mid;
        else
            to = mid;
    }
    return from;
}

static void split_by_char(struct partition *p, uint32_t c)
{
    size_t i = interval_at(p, c);

    if (p->size[p->class_of[i]] == 1)
        return;
    p->size[p->class_of[i]]--;
    p->size[p->classes] = 1;
    p->class_of[i] = p->classes++;
}

/* Moves an interval that is inside of the set out of a class that is not all inside. */
static void move_interval(struct partition *p, size_t i)
{
    uint32_t class = p->class_of[i];

    if (p->inside[class] == p->size[class])
        return;
    if (!p->split[class]) {
        p->parent[p->classes] = class;
        p->size[p->classes] = 0;
        p->split[class] = p->classes++;
    }
    p->inside[class]--;
    p->size[class]--;
    p->class_of[i] = p->split[class];
    p->size[p->split[class]]++;
}

static void split_by_set(struct partition *p, const struct tc_regex_set *set)
{
    enum { COUNT, MOVE, CLEAN, PASSES };
    uint32_t before = p->classes;
    bool near = (size_t)set->n * 8 > p->n; /* the next range is a few intervals on */
    size_t i = 0;

    for (int pass = COUNT; pass < PASSES; pass++) {
        for (uint32_t k = 0; k < set->n; k++) {
            i = near && k ? i : interval_at(p, set->ranges[k].first);
            while (p->firsts[i] < set->ranges[k].first)
                i++;
            for (; i < p->n && p->firsts[i] <= set->ranges[k].last; i++, p->work++) {
                if (pass == COUNT)
                    p->inside[p->class_of[i]]++;
                else if (pass == MOVE)
                    move_interval(p, i);
                else
                    p->inside[p->class_of[i]] = 0;
            }
        }
    }
    for (uint32_t class = before; class < p->classes; class++)
        p->split[p->parent[class]] = 0;
}

/* --- the result --- */

/* Classes become columns in the order of their first character, so ASCII has the
 * low ones. */
static bool make_columns(struct partition *p, struct tc_arena *arena, struct tc_regex_program *program)
{
    struct tc_regex_interval *intervals = tc_arena_alloc(arena, p->n * sizeof *intervals);
    uint32_t n = 0, columns = TC_REGEX_COLUMN_FIRST;

    if (!intervals)
        return false;
    memset(p->split, 0, (p->n + 1) * sizeof *p->split);
    for (size_t i = 0; i < p->n; i++) {
        uint32_t *column = &p->split[p->class_of[i]];
        if (!*column)
            *column = columns++;
        if (n == 0 || intervals[n - 1].column != *column)
            intervals[n++] = (struct tc_regex_interval){p->firsts[i], *column};
    }
    program->intervals = intervals;
    program->intervals_n = n;
    program->columns = columns;
    for (uint32_t i = 0, c = 0; c < 256; c++) {
        while (i + 1 < n && intervals[i + 1].first <= c)
            i++;
        program->byte_column[c] = (uint8_t)(c < 0x80 ? intervals[i].column : TC_REGEX_COLUMN_DECODE);
    }
    return true;
}

static void fill_set(const struct tc_regex_program *program, const struct tc_regex_set *set, uint32_t *bits)
{
    uint32_t i = 0;

    for (uint32_t k = 0; k < set->n; k++) {
        while (i + 1 < program->intervals_n && program->intervals[i + 1].first <= set->ranges[k].first)
            i++;
        for (; i < program->intervals_n && program->intervals[i].first <= set->ranges[k].last; i++)
            bits[program->intervals[i].column / 32] |= 1u << program->intervals[i].column % 32;
        i -= i > 0;
    }
}

static void fill_beside(const struct tc_regex_program *program, const struct tc_regex_classes *classes,
                        uint8_t *beside)
{
    beside[TC_REGEX_COLUMN_END] = TC_REGEX_EDGE;
    for (uint32_t i = 0; i < program->intervals_n; i++) {
        const struct tc_regex_interval *interval = &program->intervals[i];
        if (classes->words && (interval->first == '_' || tc_ctype_is(interval->first, TC_CTYPE_ALNUM)))
            beside[interval->column] = TC_REGEX_IN_WORD;
        else if (classes->feeds && interval->first == '\n')
            beside[interval->column] = TC_REGEX_FEED;
    }
}

static bool split_classes(struct partition *p, const struct tc_regex_classes *classes)
{
    for (size_t i = 0; i < classes->chars_n; i++)
        split_by_char(p, classes->chars[i]);
    for (uint32_t i = 0; i < classes->sets_n && p->work < WORK_MAX; i++)
        split_by_set(p, classes->sets[i]);
    return p->work < WORK_MAX;
}

enum tc_regex_classes_result tc_regex_classes_make(struct tc_regex_classes *classes, struct tc_arena *arena,
                                                   struct tc_regex_program *program)
{
    struct partition p = {.scratch = classes->scratch};
    uint32_t *bits;
    uint8_t *beside;

    if (!make_intervals(&p, classes))
        return TC_REGEX_CLASSES_NO_MEMORY;
    if (!split_classes(&p, classes))
        return TC_REGEX_CLASSES_MANY;
    if (!make_columns(&p, arena, program))
        return TC_REGEX_CLASSES_NO_MEMORY;
    program->set_words = (program->columns + 31) / 32;
    if ((uint64_t)program->set_words * classes->sets_n * 4 > BITMAPS_MAX)
        return TC_REGEX_CLASSES_MANY;
    bits = TC_ARENA_NEW_N(arena, uint32_t, (size_t)program->set_words * classes->sets_n + 1);
    beside = TC_ARENA_NEW_N(arena, uint8_t, program->columns);
    if (!bits || !beside)
        return TC_REGEX_CLASSES_NO_MEMORY;
    for (uint32_t i = 0; i < classes->sets_n; i++)
        fill_set(program, classes->sets[i], bits + (size_t)i * program->set_words);
    fill_beside(program, classes, beside);
    program->sets = bits;
    program->beside = beside;
    return TC_REGEX_CLASSES_OK;
}
