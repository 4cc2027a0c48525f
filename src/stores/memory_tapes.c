/*
 * Tapes in memory. All entries are in one table by tape and number; a fork has those
 * of its own only, and looks for the others at its parents'.
 */
#include "ports/store_tapes.h"

#include <assert.h>
#include <stdlib.h>

#include "stores/fault.h"
#include "stores/memory_private.h"

struct entry {
    struct tc_tape_entry entry; /* first */
    struct tc_str tape;
};

static const struct tc_column entry_columns[] = {
    {TC_COLUMN_INT, offsetof(struct entry, entry.seq)},  {TC_COLUMN_INT, offsetof(struct entry, entry.at)},
    {TC_COLUMN_TEXT, offsetof(struct entry, entry.kind)}, {TC_COLUMN_TEXT, offsetof(struct entry, entry.run)},
    {TC_COLUMN_TEXT, offsetof(struct entry, entry.json)}, {TC_COLUMN_TEXT, offsetof(struct entry, tape)},
};
const struct tc_row_type tc_memory_tape_entry = {sizeof(struct entry), sizeof entry_columns / sizeof *entry_columns,
                                                 entry_columns};

static struct tc_tape_row *tape_of(const struct tc_memory *memory, struct tc_str id)
{
    return tc_table_get(&memory->tapes, &id);
}

/* Where the tape's own entries from `seq` on begin. */
static size_t find_entry(const struct tc_memory *memory, struct tc_str tape, int64_t seq)
{
    const struct tc_str key[] = {tape, tc_str_n((const char *)&seq, sizeof seq)};

    return tc_table_find(&memory->tape_entries, key, 2);
}

static const struct tc_tape_row *named(const struct tc_memory *memory, struct tc_str agent, struct tc_str name)
{
    for (size_t i = 0; i < memory->tapes.n && name.n; i++) {
        const struct tc_tape_row *row = memory->tapes.rows[i];

        if (tc_str_eq(row->name, name) && tc_str_eq(row->agent, agent))
            return row;
    }
    return NULL;
}

/* The tape itself or the parent that holds entry `seq` of it. */
static const struct tc_tape_row *holder(const struct tc_memory *memory, const struct tc_tape_row *tape, int64_t seq)
{
    while (tape && tape->parent.n && seq <= tape->parent_seq)
        tape = tape_of(memory, tape->parent);
    return tape;
}

static const struct tc_tape_entry *entry_at(const struct tc_memory *memory, const struct tc_tape_row *tape, int64_t seq)
{
    const struct tc_tape_row *at = holder(memory, tape, seq);
    size_t i = at ? find_entry(memory, at->id, seq) : memory->tape_entries.n;
    const struct entry *found = i < memory->tape_entries.n ? memory->tape_entries.rows[i] : NULL;

    return found && tc_str_eq(found->tape, at->id) && found->entry.seq == seq ? &found->entry : NULL;
}

static int64_t last_anchor(const struct tc_memory *memory, const struct tc_tape_row *tape, int64_t seq)
{
    while (seq > 0) {
        const struct tc_tape_entry *entry = entry_at(memory, tape, seq);

        if (entry && tc_str_is(entry->kind, "anchor"))
            break;
        seq--;
    }
    return seq;
}

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_tape_row *row)
{
    struct tc_memory *memory = tc_memory_of(self);
    struct tc_tape_row next = *row;

    if (tape_of(memory, row->id) || named(memory, row->agent, row->name))
        return tc_fault_exists(cx, "tape", row->name.n ? row->name : row->id);
    next.last = next.anchor = 0;
    next.parent_seq = row->parent.n ? row->parent_seq : 0;
    if (row->parent.n) {
        const struct tc_tape_row *parent = tape_of(memory, row->parent);

        if (!parent)
            return tc_fault_not_found(cx, "tape", row->parent);
        if (row->parent_seq < 0 || row->parent_seq > parent->last)
            return tc_fault_tape_short(cx, parent->id, parent->last);
        next.last = row->parent_seq;
        next.anchor = last_anchor(memory, parent, row->parent_seq);
    }
    return tc_memory_put(cx, &memory->tapes, &next);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_tape_row *ret_row)
{
    const struct tc_memory *memory = tc_memory_of(self);
    const void *row = tape_of(memory, id);

    return row ? tc_memory_get(cx, &memory->tapes, row, ret_row) : tc_fault_not_found(cx, "tape", id);
}

static enum tc_err find(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str name,
                        struct tc_tape_row *ret_row)
{
    const struct tc_memory *memory = tc_memory_of(self);
    const void *row = named(memory, agent, name);

    return row ? tc_memory_get(cx, &memory->tapes, row, ret_row) : tc_fault_not_found(cx, "tape", name);
}

static bool passes(const struct tc_tape_row *row, struct tc_str search, const struct tc_tape_filter *filter)
{
    if (!tc_memory_is_or_any(row->agent, filter->agent) || !tc_memory_is_or_any(row->owner, filter->owner) ||
        (filter->sessions && !row->name.n))
        return false;
    return tc_memory_search(row->name, search) || tc_memory_search(row->id, search);
}

static const struct tc_tape_row *row_at(const void *element)
{
    return *(struct tc_tape_row *const *)element;
}

static int by_updated(const void *a, const void *b)
{
    int64_t x = row_at(a)->updated_at, y = row_at(b)->updated_at;

    return x != y ? (x < y ? -1 : 1) : tc_str_cmp(row_at(a)->id, row_at(b)->id);
}

static int by_created(const void *a, const void *b)
{
    int64_t x = row_at(a)->created_at, y = row_at(b)->created_at;

    return x != y ? (x < y ? -1 : 1) : tc_str_cmp(row_at(a)->id, row_at(b)->id);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_tape_filter *filter, struct tc_tape_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"updatedAt", "createdAt"};
    const struct tc_table *tapes = &tc_memory_of(self)->tapes;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, 2, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, tapes->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < tapes->n; i++)
        if (passes(tapes->rows[i], page->search, filter))
            rows[n++] = tapes->rows[i];
    qsort(rows, n, sizeof *rows, sort ? by_created : by_updated);
    err = tc_memory_page(cx, &tc_rows_tape, rows, n, page, ret_rows, ret_n);
    if (!err)
        *ret_total = (int64_t)n;
    return err;
}

/* Numbered copies of the entries, in room that the table has for them. */
static bool copy_entries(struct tc_memory *memory, struct tc_str tape, int64_t last,
                         const struct tc_tape_entry *entries, struct tc_memory_append *ret)
{
    if (!tc_table_reserve(&memory->tape_entries, ret->n))
        return false;
    for (size_t i = 0; i < ret->n; i++) {
        struct entry next = {entries[i], tape};

        next.entry.seq = last + 1 + (int64_t)i;
        ret->copies[i] = tc_rows_dup(&tc_memory_tape_entry, &next);
        if (!ret->copies[i])
            return false;
    }
    return true;
}

enum tc_err tc_memory_tape_prepare(struct tc_cx *cx, struct tc_memory *memory, struct tc_str id, int64_t last,
                                   const struct tc_tape_entry *entries, struct tc_memory_append *ret)
{
    struct tc_tape_row *stored = tape_of(memory, id);

    if (!stored)
        return tc_fault_not_found(cx, "tape", id);
    if (stored->last != last)
        return tc_fault_tape_moved(cx, id, stored->last, last);
    ret->copies = TC_ARENA_NEW_N(cx->arena, void *, ret->n);
    if (!ret->copies)
        return tc_fail_memory(cx);
    if (copy_entries(memory, stored->id, last, entries, ret))
        return TC_OK;
    tc_table_drop(ret->copies, ret->n);
    return tc_fail_memory(cx);
}

void tc_memory_tape_add(struct tc_memory *memory, struct tc_str id, struct tc_tape_entry *entries,
                        const struct tc_memory_append *append)
{
    struct tc_tape_row *tape = tape_of(memory, id);

    for (size_t i = 0; i < append->n; i++) {
        tc_table_put(&memory->tape_entries, append->copies[i]);
        entries[i].seq = ++tape->last;
        tape->updated_at = entries[i].at;
        if (tc_str_is(entries[i].kind, "anchor"))
            tape->anchor = tape->last;
    }
}

static enum tc_err append(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t last,
                          struct tc_tape_entry *entries, size_t n)
{
    struct tc_memory *memory = tc_memory_of(self);
    struct tc_memory_append append = {.n = n};
    enum tc_err err = tc_memory_tape_prepare(cx, memory, id, last, entries, &append);

    assert(n > 0);
    if (!err)
        tc_memory_tape_add(memory, id, entries, &append);
    return err;
}

static enum tc_err entries(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t from, int64_t to,
                           int64_t limit, struct tc_tape_entry **ret_entries, size_t *ret_n)
{
    const struct tc_memory *memory = tc_memory_of(self);
    const struct tc_tape_row *tape = tape_of(memory, id);
    size_t n = 0;
    void **rows;
    enum tc_err err = tc_fault_limit(cx, limit, INT64_MAX);

    if (err)
        return err;
    if (!tape)
        return tc_fault_not_found(cx, "tape", id);
    from = from < 1 ? 1 : from;
    to = to > tape->last ? tape->last : to;
    if (to - from >= limit)
        to = from + limit - 1;
    rows = TC_ARENA_NEW_N(cx->arena, void *, to < from ? 0 : (size_t)(to - from + 1));
    if (!rows)
        return tc_fail_memory(cx);
    for (int64_t seq = from; seq <= to; seq++) {
        const struct tc_tape_entry *entry = entry_at(memory, tape, seq);

        if (entry)
            rows[n++] = (void *)entry;
    }
    return tc_table_copy(cx, &tc_rows_tape_entry, rows, n, ret_entries, ret_n);
}

static enum tc_err claim(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str run)
{
    struct tc_memory *memory = tc_memory_of(self);
    const struct tc_tape_row *stored = tape_of(memory, id);
    struct tc_tape_row next;

    if (!stored)
        return tc_fault_not_found(cx, "tape", id);
    if (run.n && stored->run.n && !tc_str_eq(stored->run, run))
        return tc_fault_tape_taken(cx, id, stored->run);
    next = *stored;
    next.run = run;
    return tc_memory_put(cx, &memory->tapes, &next);
}

static const struct tc_tape_row *fork_of(const struct tc_memory *memory, struct tc_str id)
{
    for (size_t i = 0; i < memory->tapes.n; i++) {
        const struct tc_tape_row *row = memory->tapes.rows[i];

        if (tc_str_eq(row->parent, id))
            return row;
    }
    return NULL;
}

static void drop(struct tc_memory *memory, size_t at)
{
    const struct tc_tape_row *tape = memory->tapes.rows[at];
    size_t from = find_entry(memory, tape->id, 0), n = 0;

    while (from + n < memory->tape_entries.n &&
           tc_table_matches(&memory->tape_entries, memory->tape_entries.rows[from + n], &tape->id, 1))
        n++;
    tc_table_remove(&memory->tape_entries, from, n);
    tc_table_remove(&memory->tapes, at, 1);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    struct tc_memory *memory = tc_memory_of(self);
    const struct tc_tape_row *stored = tape_of(memory, id), *fork = fork_of(memory, id);

    if (!stored)
        return tc_fault_not_found(cx, "tape", id);
    if (stored->run.n)
        return tc_fault_tape_taken(cx, id, stored->run);
    if (fork)
        return tc_fault_tape_forked(cx, id, fork->id);
    drop(memory, tc_table_find(&memory->tapes, &id, 1));
    return TC_OK;
}

static int64_t prune_once(struct tc_memory *memory, int64_t before)
{
    int64_t removed = 0;

    for (size_t i = memory->tapes.n; i-- > 0;) {
        const struct tc_tape_row *row = memory->tapes.rows[i];

        if (row->updated_at >= before || row->name.n || row->run.n || fork_of(memory, row->id))
            continue;
        drop(memory, i);
        removed++;
    }
    return removed;
}

/* A parent can go when the last of its forks has gone. */
static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    int64_t removed = 0, more;

    (void)cx;
    while ((more = prune_once(tc_memory_of(self), before)) > 0)
        removed += more;
    *ret_n = removed;
    return TC_OK;
}

const struct tc_store_tapes_ops tc_memory_tapes = {
    .create = create,
    .get = get,
    .find = find,
    .page = page,
    .append = append,
    .entries = entries,
    .claim = claim,
    .remove = remove_one,
    .prune = prune,
};
