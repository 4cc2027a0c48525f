/*
 * From texts to lines and classes. What -i, -b, -w, -E and -Z ignore is taken out of a
 * copy of the line, so that equal lines are equal bytes.
 */
#include "shell/diff/diff.h"

#include "base/hash.h"
#include "base/mem.h"

enum { KEY_MAX = 64 << 20 };

struct slot {
    uint64_t hash;
    uint32_t class; /* 0 free */
    struct tc_str key;
};

struct table {
    struct slot *slots;
    size_t mask;
    uint32_t n;
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool tc_diff_keeps_lines(const struct diff_options *o)
{
    return !(o->ignore_case || o->ignore_space || o->ignore_space_change || o->ignore_trailing_space || o->ignore_tabs);
}

/* Blanks to as many as reach the next multiple of a tab's width. */
static void expand_tab(struct tc_buf *key, size_t *column, size_t tab)
{
    size_t to = *column - *column % tab + tab;

    for (; *column < to; (*column)++)
        tc_buf_char(key, ' ');
}

void tc_diff_line_key(const struct diff_options *o, struct tc_str line, struct tc_buf *key)
{
    bool ended = line.n && line.p[line.n - 1] == '\n';
    bool trims = o->ignore_trailing_space || o->ignore_space_change || o->ignore_space;
    size_t column = 0;

    tc_buf_clear(key);
    line.n -= ended;
    while (trims && line.n && is_space(line.p[line.n - 1]))
        line.n--;
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];

        if (o->ignore_space && is_space(c))
            continue;
        if (o->ignore_space_change && is_space(c)) {
            while (i + 1 < line.n && is_space(line.p[i + 1]))
                i++;
            c = ' ';
        }
        if (o->ignore_tabs && c == '\t') {
            expand_tab(key, &column, (size_t)o->tab);
            continue;
        }
        if (o->ignore_case && c >= 'A' && c <= 'Z')
            c += 32;
        tc_buf_char(key, c);
        column++;
    }
    if (ended || trims)
        tc_buf_char(key, '\n');
}

/* Splits a text; memory of the heap. */
static bool split(struct diff *d, struct diff_file *file)
{
    const char *p = file->text.p, *end = p + file->text.n;
    size_t n = 0;

    for (const char *q = p; q && q < end; n++)
        q = (q = memchr(q, '\n', (size_t)(end - q))) ? q + 1 : NULL;
    file->lines = TC_ARENA_NEW_N(d->c->arena, struct tc_str, n + 1);
    if (!file->lines)
        return false;
    while (p < end) {
        const char *next = memchr(p, '\n', (size_t)(end - p));

        next = next ? next + 1 : end;
        file->lines[file->n++] = tc_str_n(p, (size_t)(next - p));
        p = next;
    }
    file->missing_end = file->n && end[-1] != '\n';
    return true;
}

/* How many lines both begin and end with, but for those that a hunk shows around it. */
static void trim_ends(struct diff *d)
{
    struct diff_file *a = &d->files[0], *b = &d->files[1];
    size_t prefix = 0, suffix = 0, least = a->n < b->n ? a->n : b->n;
    size_t horizon = (size_t)(d->o->horizon > d->o->context ? d->o->horizon : d->o->context);

    while (prefix < least && tc_str_eq(a->lines[prefix], b->lines[prefix]))
        prefix++;
    while (suffix < least - prefix && tc_str_eq(a->lines[a->n - 1 - suffix], b->lines[b->n - 1 - suffix]))
        suffix++;
    prefix -= prefix < horizon ? prefix : horizon;
    suffix -= suffix < horizon ? suffix : horizon;
    a->from = b->from = prefix;
    a->count = a->n - prefix - suffix;
    b->count = b->n - prefix - suffix;
}

/* The class of a line; 0 without memory. */
static uint32_t class_of(struct diff *d, struct table *table, struct tc_str line, struct tc_buf *key)
{
    bool kept = tc_diff_keeps_lines(d->o);
    uint64_t hash;
    size_t at;

    if (!kept) {
        tc_diff_line_key(d->o, line, key);
        line = tc_buf_get(key);
    }
    hash = tc_hash_table(line);
    for (at = hash & table->mask; table->slots[at].class; at = (at + 1) & table->mask)
        if (table->slots[at].hash == hash && tc_str_eq(table->slots[at].key, line))
            return table->slots[at].class;
    if (!kept)
        line = tc_arena_dup(d->c->arena, line);
    if (!line.p || key->failed)
        return 0;
    table->slots[at] = (struct slot){hash, ++table->n, line};
    return table->n;
}

static bool classify(struct diff *d, struct table *table, struct tc_buf *key)
{
    for (int f = 0; f < 2; f++) {
        struct diff_file *file = &d->files[f];

        file->classes = TC_ARENA_NEW_N(d->c->arena, uint32_t, file->count + 1);
        file->changed = tc_arena_zalloc(d->c->arena, file->count + 2, 1);
        if (!file->classes || !file->changed)
            return false;
        file->changed++;
        for (size_t i = 0; i < file->count; i++) {
            file->classes[i] = class_of(d, table, file->lines[file->from + i], key);
            if (!file->classes[i])
                return false;
        }
        if (!tc_cmd_tick(d->c, 1 + (unsigned)(file->count / 8)))
            return true;
    }
    return true;
}

bool tc_diff_lines(struct diff *d)
{
    struct table table = {0};
    struct tc_buf key;
    size_t size = 64;
    bool ok = split(d, &d->files[0]) && split(d, &d->files[1]);

    tc_buf_init(&key, KEY_MAX);
    if (ok) {
        trim_ends(d);
        while (size < 2 * (d->files[0].count + d->files[1].count))
            size *= 2;
        table.mask = size - 1;
        table.slots = tc_mem_zalloc(size, sizeof *table.slots);
        ok = table.slots && classify(d, &table, &key);
        d->classes_n = table.n + 1;
    }
    tc_mem_free(table.slots);
    tc_buf_finish(&key);
    if (!ok)
        tc_cmd_fail_memory(d->c);
    return ok;
}
