/*
 * The partition of all characters into classes. The bounds of all sets cut the code
 * points into intervals; where kinds matter, an interval beyond ASCII falls into a
 * part for each kind, otherwise it is one part. Each set then splits the classes of
 * which it has some parts and not others. Work and memory are capped, a pattern
 * beyond is too big.
 */
#include <stdlib.h>

#include "regex/program.h"

enum { ASCII_END = 0x80, WORK_MAX = 50000000, BITMAPS_MAX = 16 * 1024 * 1024 };

struct partition {
    struct tc_arena *scratch;
    uint32_t *firsts, *part; /* of each interval: its first character and part */
    size_t n;                /* intervals */
    bool by_kind;
    uint32_t parts;
    bool *inside;       /* of each part: it is in the set at hand */
    uint32_t *class_of; /* of each part */
    /* Of each class, from 1 on; `unused` are numbers of classes that have become empty. */
    uint32_t *size, *split, *parent, *unused;
    uint32_t classes, unused_n;
};

/* --- what the pattern has --- */

static void *grown(struct tc_arena *arena, const void *old, size_t n, size_t size)
{
    void *block = tc_arena_alloc(arena, (n ? 2 * n : 16) * size);

    if (block && n)
        memcpy(block, old, n * size);
    return block;
}

bool tc_regex_classes_add_char(struct tc_regex_classes *classes, uint32_t c)
{
    if (classes->chars_n == classes->chars_cap) {
        classes->chars = grown(classes->scratch, classes->chars, classes->chars_n, sizeof *classes->chars);
        if (!classes->chars)
            return false;
        classes->chars_cap = classes->chars_n ? 2 * classes->chars_n : 16;
    }
    classes->chars[classes->chars_n++] = c;
    return true;
}

static bool room_for_set(struct tc_regex_classes *classes)
{
    if (classes->sets_n < classes->sets_cap)
        return true;
    classes->sets = grown(classes->scratch, classes->sets, classes->sets_n, sizeof(struct tc_regex_set *));
    classes->same_hash = grown(classes->scratch, classes->same_hash, classes->sets_n, sizeof *classes->same_hash);
    classes->sets_cap = classes->sets_n ? 2 * classes->sets_n : 16;
    return classes->sets && classes->same_hash;
}

bool tc_regex_classes_add_set(struct tc_regex_classes *classes, const struct tc_regex_set *set, uint32_t *ret_id)
{
    uint32_t hash = set->n + set->kinds, *head;

    for (uint32_t i = 0; i < set->n; i++)
        hash = (hash ^ set->ranges[i].first) * 0x9e3779b1u ^ set->ranges[i].last;
    head = &classes->by_hash[hash % TC_REGEX_SET_HASHES];
    for (uint32_t id = *head; id; id = classes->same_hash[id - 1]) {
        if (tc_regex_set_same(classes->sets[id - 1], set)) {
            *ret_id = id - 1;
            return true;
        }
    }
    if (!room_for_set(classes))
        return false;
    classes->sets[classes->sets_n] = set;
    classes->same_hash[classes->sets_n] = *head;
    *ret_id = classes->sets_n++;
    *head = classes->sets_n;
    return true;
}

/* --- intervals and parts --- */

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static bool make_intervals(struct partition *p, const struct tc_regex_classes *classes)
{
    size_t n = 0, cap = 3 + 2 * classes->chars_n, kept = 0;

    for (uint32_t i = 0; i < classes->sets_n; i++)
        cap += 2 * (size_t)classes->sets[i]->n;
    p->firsts = tc_arena_alloc(p->scratch, cap * sizeof *p->firsts);
    if (!p->firsts)
        return false;
    p->firsts[n++] = 0;
    p->firsts[n++] = ASCII_END;
    p->firsts[n++] = TC_REGEX_BYTES;
    for (size_t i = 0; i < classes->chars_n; i++) {
        p->firsts[n++] = classes->chars[i];
        p->firsts[n++] = classes->chars[i] + 1;
    }
    for (uint32_t i = 0; i < classes->sets_n; i++) {
        for (uint32_t k = 0; k < classes->sets[i]->n; k++) {
            p->firsts[n++] = classes->sets[i]->ranges[k].first;
            p->firsts[n++] = classes->sets[i]->ranges[k].last + 1;
        }
        p->by_kind |= classes->sets[i]->kinds != 0;
    }
    qsort(p->firsts, n, sizeof *p->firsts, by_value);
    for (size_t i = 0; i < n && p->firsts[i] < TC_REGEX_END; i++)
        if (kept == 0 || p->firsts[i] != p->firsts[kept - 1])
            p->firsts[kept++] = p->firsts[i];
    p->n = kept;
    return true;
}

/* Parts of the interval: one, or one a kind. */
static uint32_t parts_of(const struct partition *p, size_t i)
{
    return p->by_kind && p->firsts[i] >= ASCII_END && p->firsts[i] < TC_REGEX_BYTES ? TC_REGEX_KINDS : 1;
}

/* At first there are two classes: 1, characters, and 2, bytes that are none. */
static bool make_parts(struct partition *p)
{
    uint32_t *numbers;

    p->part = tc_arena_alloc(p->scratch, p->n * sizeof *p->part);
    if (!p->part)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        p->part[i] = p->parts;
        p->parts += parts_of(p, i);
    }
    p->inside = TC_ARENA_NEW_N(p->scratch, bool, p->parts);
    numbers = TC_ARENA_NEW_N(p->scratch, uint32_t, 5 * ((size_t)p->parts + 3));
    if (!p->inside || !numbers)
        return false;
    p->class_of = numbers;
    p->size = p->class_of + p->parts + 3;
    p->split = p->size + p->parts + 3;
    p->parent = p->split + p->parts + 3;
    p->unused = p->parent + p->parts + 3;
    p->classes = 3;
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < parts_of(p, i); k++)
            p->size[p->class_of[p->part[i] + k] = p->firsts[i] < TC_REGEX_BYTES ? 1 : 2]++;
    return true;
}

/* Marks the parts that a set has. */
static void mark(struct partition *p, const struct tc_regex_set *set)
{
    uint32_t k = 0;

    for (size_t i = 0; i < p->n; i++) {
        uint32_t first = p->firsts[i], n = parts_of(p, i);
        bool named;
        while (k < set->n && set->ranges[k].last < first)
            k++;
        named = k < set->n && set->ranges[k].first <= first;
        for (uint32_t kind = 0; kind < n; kind++) {
            bool has = named || (n > 1 && set->kinds >> kind & 1);
            p->inside[p->part[i] + kind] = first >= TC_REGEX_BYTES ? has && !set->negated : has != set->negated;
        }
    }
}

/* --- classes --- */

/* Moves a part to the class that is split off its present one. */
static void move(struct partition *p, uint32_t part, uint32_t *made, uint32_t *made_n)
{
    uint32_t class = p->class_of[part], to = p->split[class];

    if (!to) {
        to = p->unused_n ? p->unused[--p->unused_n] : p->classes++;
        p->split[class] = to;
        p->parent[to] = class;
        made[(*made_n)++] = to;
    }
    p->size[class]--;
    p->size[to]++;
    p->class_of[part] = to;
}

static void split_by_set(struct partition *p, const struct tc_regex_set *set, uint32_t *made)
{
    uint32_t made_n = 0;

    mark(p, set);
    for (uint32_t part = 0; part < p->parts; part++)
        if (p->inside[part])
            move(p, part, made, &made_n);
    for (uint32_t i = 0; i < made_n; i++) {
        uint32_t parent = p->parent[made[i]];
        p->split[parent] = 0;
        if (p->size[parent] == 0)
            p->unused[p->unused_n++] = parent;
    }
}

static size_t interval_at(const struct partition *p, uint32_t c)
{
    size_t from = 0, to = p->n;

    while (to - from > 1) {
        size_t mid = (from + to) / 2;
        if (p->firsts[mid] <= c)
            from = mid;
        else
            to = mid;
    }
    return from;
}

/* A character that stands alone is an interval, and of one kind. */
static void split_by_char(struct partition *p, uint32_t c)
{
    size_t i = interval_at(p, c);

    for (uint32_t part = p->part[i]; part < p->part[i] + parts_of(p, i); part++) {
        uint32_t class = p->class_of[part];
        if (p->size[class] == 1)
            continue;
        p->size[class]--;
        p->class_of[part] = p->unused_n ? p->unused[--p->unused_n] : p->classes++;
        p->size[p->class_of[part]] = 1;
    }
}

static enum tc_regex_classes_result split_classes(struct partition *p, const struct tc_regex_classes *classes)
{
    uint32_t *made = TC_ARENA_NEW_N(p->scratch, uint32_t, (size_t)p->parts + 3);

    if (!made)
        return TC_REGEX_CLASSES_NO_MEMORY;
    if ((uint64_t)p->parts * classes->sets_n > WORK_MAX)
        return TC_REGEX_CLASSES_MANY;
    for (uint32_t i = 0; i < classes->sets_n; i++)
        split_by_set(p, classes->sets[i], made);
    for (size_t i = 0; i < classes->chars_n; i++)
        split_by_char(p, classes->chars[i]);
    return TC_REGEX_CLASSES_OK;
}

/* --- the result --- */

/* Classes become columns in the order of their first character, so ASCII has the
 * low ones. */
static bool make_columns(struct partition *p, struct tc_arena *arena, struct tc_regex_program *program)
{
    struct tc_regex_interval *intervals = tc_arena_alloc(arena, p->n * sizeof *intervals);
    uint32_t *column_of = tc_arena_alloc(arena, p->parts * sizeof *column_of), *columns = p->split;

    if (!intervals || !column_of)
        return false;
    program->columns = TC_REGEX_COLUMN_FIRST;
    for (uint32_t part = 0; part < p->parts; part++) {
        uint32_t *column = &columns[p->class_of[part]];
        if (!*column)
            *column = program->columns++;
        column_of[part] = *column;
    }
    for (size_t i = 0; i < p->n; i++)
        intervals[i] = (struct tc_regex_interval){p->firsts[i], p->part[i]};
    program->intervals = intervals;
    program->intervals_n = (uint32_t)p->n;
    program->column_of = column_of;
    for (uint32_t i = 0, c = 0; c < 256; c++) {
        while (i + 1 < p->n && p->firsts[i + 1] <= c)
            i++;
        program->byte_column[c] = (uint8_t)(c < ASCII_END ? column_of[p->part[i]] : TC_REGEX_COLUMN_DECODE);
    }
    return true;
}

static void fill_beside(const struct partition *p, const struct tc_regex_classes *classes,
                        const struct tc_regex_program *program, uint8_t *beside)
{
    beside[TC_REGEX_COLUMN_END] = TC_REGEX_EDGE;
    for (size_t i = 0; i < p->n && p->firsts[i] < TC_REGEX_BYTES; i++) {
        uint32_t first = p->firsts[i];
        for (uint32_t kind = 0; kind < parts_of(p, i); kind++) {
            bool word = first < ASCII_END ? first == '_' || tc_ctype_is(first, TC_CTYPE_ALNUM)
                                          : tc_regex_set_kinds(TC_CTYPE_ALNUM) >> kind & 1;
            if (classes->words && word)
                beside[program->column_of[p->part[i] + kind]] = TC_REGEX_IN_WORD;
            else if (classes->feeds && first == '\n')
                beside[program->column_of[p->part[i] + kind]] = TC_REGEX_FEED;
        }
    }
}

static void fill_set(struct partition *p, const struct tc_regex_set *set, const uint32_t *column_of, uint32_t *bits)
{
    mark(p, set);
    for (uint32_t part = 0; part < p->parts; part++)
        if (p->inside[part])
            bits[column_of[part] / 32] |= 1u << column_of[part] % 32;
}

static enum tc_regex_classes_result fill(struct partition *p, const struct tc_regex_classes *classes,
                                         struct tc_arena *arena, struct tc_regex_program *program)
{
    size_t words = (program->columns + 31) / 32;
    uint32_t *bits;
    uint8_t *beside;

    if (words * classes->sets_n * sizeof *bits > BITMAPS_MAX)
        return TC_REGEX_CLASSES_MANY;
    bits = TC_ARENA_NEW_N(arena, uint32_t, words * classes->sets_n + 1);
    beside = TC_ARENA_NEW_N(arena, uint8_t, program->columns);
    if (p->by_kind)
        program->recent = TC_ARENA_NEW_N(arena, struct tc_regex_recent, TC_REGEX_RECENT);
    if (!bits || !beside || (p->by_kind && !program->recent))
        return TC_REGEX_CLASSES_NO_MEMORY;
    for (uint32_t i = 0; i < classes->sets_n; i++)
        fill_set(p, classes->sets[i], program->column_of, bits + i * words);
    fill_beside(p, classes, program, beside);
    program->sets = bits;
    program->set_words = (uint32_t)words;
    program->beside = beside;
    return TC_REGEX_CLASSES_OK;
}

enum tc_regex_classes_result tc_regex_classes_make(struct tc_regex_classes *classes, struct tc_arena *arena,
                                                   struct tc_regex_program *program)
{
    struct partition p = {.scratch = classes->scratch};
    enum tc_regex_classes_result result;

    if (!make_intervals(&p, classes) || !make_parts(&p))
        return TC_REGEX_CLASSES_NO_MEMORY;
    result = split_classes(&p, classes);
    if (result != TC_REGEX_CLASSES_OK)
        return result;
    if (!make_columns(&p, arena, program))
        return TC_REGEX_CLASSES_NO_MEMORY;
    return fill(&p, classes, arena, program);
}
