/*
 * Reading windows, and the few ways to make a tape.
 */
#include "runtime/tape.h"

#include "base/clock.h"
#include "base/rand.h"
#include "base/tokens.h"

enum { PAGE = 500, ARENA_MAX = 256 * 1024 * 1024, ENTRY_MAX = 64 * 1024 * 1024 };

static const char *const kind_names[] = {"message", "result", "note",  "anchor", "summary",
                                         "plan",    "loaded", "fork", "error",  "other"};

const char *tc_tape_kind_name(enum tc_tape_kind kind)
{
    return kind_names[kind];
}

enum tc_tape_kind tc_tape_kind_of(struct tc_str name)
{
    for (size_t i = 0; i < TC_TAPE_OTHER; i++)
        if (tc_str_is(name, kind_names[i]))
            return (enum tc_tape_kind)i;
    return TC_TAPE_OTHER;
}

/* --- the window in memory --- */

static enum tc_err grow(struct tc_cx *cx, struct tc_tape *tape)
{
    size_t cap = tape->cap ? 2 * tape->cap : 32;
    struct tc_tape_item *wider;

    if (tape->n < tape->cap)
        return TC_OK;
    wider = TC_ARENA_NEW_N(&tape->arena, struct tc_tape_item, cap);
    if (!wider)
        return tc_fail_memory(cx);
    if (tape->n)
        memcpy(wider, tape->items, tape->n * sizeof *wider);
    tape->items = wider;
    tape->cap = cap;
    return TC_OK;
}

static enum tc_err keep(struct tc_cx *cx, struct tc_tape *tape, const struct tc_tape_entry *entry)
{
    struct tc_json_limits limits = {.max_bytes = ENTRY_MAX, .flags = TC_JSON_CLEAN};
    struct tc_cx kept = {.arena = &tape->arena, .clock = cx->clock};
    struct tc_tape_item *item;
    enum tc_err e = grow(cx, tape);

    if (e)
        return e;
    item = &tape->items[tape->n];
    *item = (struct tc_tape_item){.seq = entry->seq, .at = entry->at, .kind = tc_tape_kind_of(entry->kind)};
    item->run = tc_arena_dup(&tape->arena, entry->run);
    if (!item->run.p)
        return tc_fail_memory(cx);
    e = tc_json_parse_root(&kept, entry->json, &limits, &item->body);
    if (e == TC_E_NO_MEMORY)
        return tc_fail_memory(cx);
    if (e)
        return tc_fail(cx, TC_E_STORE_BROKEN, "Entry %lld of the tape \"%.*s\" is no JSON.", (long long)entry->seq,
                       TC_STR_ARG(tape->id));
    if (item->kind <= TC_TAPE_NOTE || item->kind == TC_TAPE_SUMMARY)
        item->tokens = (int64_t)tc_tokens_estimate(entry->json);
    tape->tokens += item->tokens;
    tape->n++;
    return TC_OK;
}

/* What stands for itself before the anchor that a compaction set. */
static bool is_kept_before(const struct tc_tape_entry *entry)
{
    enum tc_tape_kind kind = tc_tape_kind_of(entry->kind);

    return kind == TC_TAPE_MESSAGE || kind == TC_TAPE_RESULT || kind == TC_TAPE_NOTE;
}

static enum tc_err read_range(struct tc_cx *cx, struct tc_tape *tape, int64_t from, int64_t to, bool before)
{
    while (from <= to) {
        struct tc_tape_entry *entries;
        size_t n;
        enum tc_err e = tape->store->tapes->entries(cx, tape->store, tape->id, from, to, PAGE, &entries, &n);
        if (e || n == 0)
            return e;
        for (size_t i = 0; i < n && !e; i++)
            if (!before || is_kept_before(&entries[i]))
                e = keep(cx, tape, &entries[i]);
        if (e)
            return e;
        from = entries[n - 1].seq + 1;
    }
    return TC_OK;
}

static enum tc_err read_window(struct tc_cx *cx, struct tc_tape *tape)
{
    int64_t first = tape->anchor ? tape->anchor : 1, to;
    struct tc_tape_entry *entries;
    const struct tc_tape_item *summary;
    size_t n;
    enum tc_err e;

    if (tape->last < first)
        return TC_OK;
    e = tape->store->tapes->entries(cx, tape->store, tape->id, first, tape->last, 2, &entries, &n);
    if (!e && n)
        e = keep(cx, tape, &entries[0]);
    if (e || n < 2)
        return e;
    if (tc_tape_kind_of(entries[1].kind) != TC_TAPE_SUMMARY)
        return read_range(cx, tape, entries[1].seq, tape->last, false);
    e = keep(cx, tape, &entries[1]);
    if (e)
        return e;
    summary = &tape->items[tape->n - 1];
    if (tc_json_int(tc_json_get_c(summary->body, "to"), &to) && to > 0 && to < first)
        e = read_range(cx, tape, to + 1, first - 1, true);
    return e ? e : read_range(cx, tape, entries[1].seq + 1, tape->last, false);
}

enum tc_err tc_tape_get(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_tape_row *ret_row)
{
    enum tc_err e = store->tapes->get(cx, store, id, ret_row);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_TAPE_NOT_FOUND, "There is no tape \"%.*s\".", TC_STR_ARG(id));
    return e;
}

static enum tc_err begin(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_tape *tape)
{
    struct tc_tape_row row;
    enum tc_err e;

    *tape = (struct tc_tape){.store = store};
    tc_arena_init(&tape->arena, ARENA_MAX);
    tape->id = tc_arena_dup(&tape->arena, id);
    if (!tape->id.p)
        return tc_fail_memory(cx);
    e = tc_tape_get(cx, store, id, &row);
    if (e)
        return e;
    tape->last = row.last;
    tape->anchor = row.anchor;
    return TC_OK;
}

enum tc_err tc_tape_open(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_tape *tape)
{
    enum tc_err e = begin(cx, store, id, tape);

    return e ? e : read_window(cx, tape);
}

/* The last anchor up to tape->last; 0 when there is none. */
static enum tc_err find_anchor(struct tc_cx *cx, struct tc_tape *tape)
{
    enum tc_err e = TC_OK;

    tape->anchor = 0;
    for (int64_t from = 1; !e && from <= tape->last;) {
        struct tc_tape_entry *entries;
        size_t n;
        e = tape->store->tapes->entries(cx, tape->store, tape->id, from, tape->last, PAGE, &entries, &n);
        if (e || n == 0)
            return e;
        for (size_t i = 0; i < n; i++)
            if (tc_tape_kind_of(entries[i].kind) == TC_TAPE_ANCHOR)
                tape->anchor = entries[i].seq;
        from = entries[n - 1].seq + 1;
    }
    return e;
}

enum tc_err tc_tape_open_at(struct tc_cx *cx, struct tc_store *store, struct tc_str id, int64_t last,
                            struct tc_tape *tape)
{
    enum tc_err e = begin(cx, store, id, tape);

    if (e || last >= tape->last)
        return e ? e : read_window(cx, tape);
    tape->last = last;
    if (tape->anchor > last)
        e = find_anchor(cx, tape);
    return e ? e : read_window(cx, tape);
}

void tc_tape_finish(struct tc_tape *tape)
{
    tc_arena_finish(&tape->arena);
    *tape = (struct tc_tape){0};
}

enum tc_err tc_tape_reopen(struct tc_cx *cx, struct tc_tape *tape)
{
    struct tc_tape fresh;
    enum tc_err e = tc_tape_open(cx, tape->store, tape->id, &fresh);

    if (e) {
        tc_tape_finish(&fresh);
        return e;
    }
    tc_tape_finish(tape);
    *tape = fresh;
    return TC_OK;
}

enum tc_err tc_tape_take(struct tc_cx *cx, struct tc_tape *tape, struct tc_tape_entry *entries, size_t n)
{
    const struct tc_tape before = *tape;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < n && !e; i++) {
        entries[i].seq = ++tape->last;
        if (tc_tape_kind_of(entries[i].kind) == TC_TAPE_ANCHOR)
            tape->anchor = tape->last;
        e = keep(cx, tape, &entries[i]);
    }
    if (e) {
        tape->n = before.n;
        tape->tokens = before.tokens;
        tape->last = before.last;
        tape->anchor = before.anchor;
    }
    return e;
}

enum tc_err tc_tape_append(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                           const struct tc_tape_write *writes, size_t n)
{
    struct tc_tape_entry *entries = TC_ARENA_NEW_N(cx->arena, struct tc_tape_entry, n + 1);
    int64_t now = tc_clock_wall_ms(cx->clock);
    enum tc_err e;

    if (!entries)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        entries[i] = (struct tc_tape_entry){
            .at = now, .kind = tc_str_of(kind_names[writes[i].kind]), .run = run, .json = writes[i].json};
    e = tape->store->tapes->append(cx, tape->store, tape->id, tape->last, entries, n);
    return e ? e : tc_tape_take(cx, tape, entries, n);
}

const struct tc_tape_item *tc_tape_find_last(const struct tc_tape *tape, enum tc_tape_kind kind)
{
    for (size_t i = tape->n; i > 0; i--)
        if (tape->items[i - 1].kind == kind)
            return &tape->items[i - 1];
    return NULL;
}

bool tc_tape_answered(const struct tc_tape *tape, size_t from, struct tc_str call)
{
    for (size_t i = from; i < tape->n; i++)
        if (tape->items[i].kind == TC_TAPE_RESULT &&
            tc_str_eq(tc_json_str(tc_json_get_c(tape->items[i].body, "call")), call))
            return true;
    return false;
}

/* --- tapes in the store --- */

static enum tc_err new_row(struct tc_cx *cx, const struct tc_tape_new *new_tape, struct tc_tape_row *row)
{
    char id[TC_RAND_ID_SIZE];
    int64_t now = tc_clock_wall_ms(cx->clock);

    tc_rand_id(now, id);
    *row = (struct tc_tape_row){
        .id = tc_arena_dup(cx->arena, tc_str_of(id)),
        .name = new_tape->name.n ? new_tape->name : TC_STR(""),
        .agent = new_tape->agent,
        .owner = new_tape->owner.n ? new_tape->owner : TC_STR(""),
        .parent = TC_STR(""),
        .run = TC_STR(""),
        .created_at = now,
        .updated_at = now,
    };
    return row->id.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err put_row(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_row *row)
{
    enum tc_err e = store->tapes->create(cx, store, row);

    if (e == TC_E_STORE_EXISTS)
        return tc_fail(cx, TC_E_TAPE_EXISTS, "The agent \"%.*s\" has a session \"%.*s\" already.",
                       TC_STR_ARG(row->agent), TC_STR_ARG(row->name));
    return e;
}

static enum tc_err put_first(struct tc_cx *cx, struct tc_store *store, struct tc_tape_row *row, const char *kind,
                             struct tc_str json)
{
    struct tc_tape_entry first = {
        .at = row->created_at, .kind = tc_str_of(kind), .run = TC_STR(""), .json = json};
    enum tc_err e = store->tapes->append(cx, store, row->id, row->last, &first, 1);

    if (e)
        return e;
    row->last = first.seq;
    return TC_OK;
}

enum tc_err tc_tape_create(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_new *new_tape,
                           struct tc_tape_row *ret_row)
{
    struct tc_tape_row row;
    enum tc_err e = new_row(cx, new_tape, &row);

    if (!e)
        e = put_row(cx, store, &row);
    if (!e)
        e = put_first(cx, store, &row, "anchor", TC_STR("{\"name\":\"start\",\"reason\":\"start\"}"));
    if (e)
        return e;
    row.anchor = row.last;
    *ret_row = row;
    return TC_OK;
}

enum tc_err tc_tape_session(struct tc_cx *cx, struct tc_store *store, const struct tc_tape_new *session,
                            struct tc_tape_row *ret_row)
{
    enum tc_err e = store->tapes->find(cx, store, session->agent, session->name, ret_row);

    if (e != TC_E_STORE_NOT_FOUND)
        return e;
    tc_fail_clear(cx);
    e = tc_tape_create(cx, store, session, ret_row);
    if (e != TC_E_TAPE_EXISTS)
        return e;
    tc_fail_clear(cx); /* made by somebody else meanwhile */
    return store->tapes->find(cx, store, session->agent, session->name, ret_row);
}

enum tc_err tc_tape_claim(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_str run)
{
    enum tc_err e = store->tapes->claim(cx, store, id, run);

    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_TAPE_NOT_FOUND, "There is no tape \"%.*s\".", TC_STR_ARG(id));
    if (e != TC_E_STORE_CONFLICT)
        return e;
    tc_fail(cx, TC_E_RUN_ACTIVE, "Another run is active on this session.");
    return tc_fail_hint(cx, "Wait until it has ended, or cancel it.");
}

enum tc_err tc_tape_fork(struct tc_cx *cx, struct tc_store *store, struct tc_str id, int64_t seq, struct tc_str name,
                         struct tc_tape_row *ret_row)
{
    struct tc_tape_row from, row;
    struct tc_str json;
    enum tc_err e = tc_tape_get(cx, store, id, &from);

    if (e)
        return e;
    if (seq < 0 || seq > from.last)
        return tc_fail(cx, TC_E_USAGE, "The tape has the entries 1 to %lld.", (long long)from.last);
    e = new_row(cx, &(struct tc_tape_new){from.agent, name, from.owner}, &row);
    if (e)
        return e;
    row.parent = from.id;
    row.parent_seq = row.last = seq ? seq : from.last;
    row.anchor = from.anchor <= row.last ? from.anchor : 0;
    json = tc_arena_printf(cx->arena, "{\"tape\":\"%.*s\",\"seq\":%lld}", TC_STR_ARG(from.id),
                           (long long)row.parent_seq);
    if (!json.p)
        return tc_fail_memory(cx);
    e = put_row(cx, store, &row);
    if (!e)
        e = put_first(cx, store, &row, "fork", json);
    if (!e)
        *ret_row = row;
    return e;
}
