/*
 * The contract of the tapes.
 */
#include "contract/store_contract.h"

static void make(struct tc_cx *cx, struct tc_store *store, const char *id, const char *name)
{
    const struct tc_tape_row row = {.id = tc_str_of(id), .name = tc_str_of(name), .agent = TC_STR("ann"),
                                    .owner = TC_STR("token-1"), .created_at = 1000, .updated_at = 1000};

    assert_done(store->tapes->create(cx, store, &row));
}

static void fork_it(struct tc_cx *cx, struct tc_store *store, const char *id, const char *parent, int64_t seq)
{
    const struct tc_tape_row row = {.id = tc_str_of(id), .agent = TC_STR("ann"), .parent = tc_str_of(parent),
                                    .parent_seq = seq, .created_at = 1000, .updated_at = 1000};

    assert_done(store->tapes->create(cx, store, &row));
}

static struct tc_tape_row tape(struct tc_cx *cx, struct tc_store *store, const char *id)
{
    struct tc_tape_row row;

    assert_done(store->tapes->get(cx, store, tc_str_of(id), &row));
    return row;
}

/* An entry for each letter, of which a capital one is an anchor; its JSON says it. */
static void add(struct tc_cx *cx, struct tc_store *store, const char *id, const char *letters)
{
    struct tc_tape_entry entries[16];
    int64_t last = tape(cx, store, id).last;
    size_t n = strlen(letters);

    for (size_t i = 0; i < n; i++) {
        bool anchor = letters[i] >= 'A' && letters[i] <= 'Z';

        entries[i] = (struct tc_tape_entry){.at = 2000 + last + (int64_t)i,
                                            .kind = anchor ? TC_STR("anchor") : TC_STR("message"),
                                            .run = TC_STR("run-1"),
                                            .json = tc_arena_printf(cx->arena, "{\"%c\":1}", letters[i])};
    }
    assert_done(store->tapes->append(cx, store, tc_str_of(id), last, entries, n));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(entries[i].seq, last + 1 + (int64_t)i);
}

/* The letters of entries from..to, whose numbers rise by one. */
static const char *letters(struct tc_cx *cx, struct tc_store *store, const char *id, int64_t from, int64_t to,
                           int64_t limit)
{
    struct tc_tape_entry *entries;
    char *text;
    size_t n = 99;

    assert_done(store->tapes->entries(cx, store, tc_str_of(id), from, to, limit, &entries, &n));
    text = tc_arena_zalloc(cx->arena, n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(entries[i].seq, (from < 1 ? 1 : from) + (int64_t)i);
        text[i] = entries[i].json.p[2];
    }
    return text;
}

static const char *whole(struct tc_cx *cx, struct tc_store *store, const char *id)
{
    return letters(cx, store, id, 1, INT64_MAX, 100);
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_row row, got;

    store_contract_fill(cx, &tc_rows_tape, &row, 1);
    row.parent = TC_STR("");
    assert_fails(store->tapes->get(cx, store, row.id, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->tapes->create(cx, store, &row));
    row.last = row.anchor = row.parent_seq = 0;
    assert_done(store->tapes->get(cx, store, row.id, &got));
    assert_true(tc_rows_equal(&tc_rows_tape, &got, &row));
    assert_done(store->tapes->find(cx, store, row.agent, row.name, &got));
    assert_true(tc_rows_equal(&tc_rows_tape, &got, &row));
    assert_fails(store->tapes->create(cx, store, &row), TC_E_STORE_EXISTS);
}

static void keeps_every_column_of_an_entry(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_entry entry, *got;
    size_t n;

    make(cx, store, "t", "");
    store_contract_fill(cx, &tc_rows_tape_entry, &entry, 1);
    assert_done(store->tapes->append(cx, store, TC_STR("t"), 0, &entry, 1));
    assert_int_equal(entry.seq, 1);
    assert_done(store->tapes->entries(cx, store, TC_STR("t"), 1, 1, 1, &got, &n));
    assert_int_equal(n, 1);
    assert_true(tc_rows_equal(&tc_rows_tape_entry, got, &entry));
    assert_int_equal(tape(cx, store, "t").updated_at, entry.at);
}

/* A name is one agent's; tapes without one are as many as there are runs. */
static void names_are_unique_among_the_agents(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_row other = {.id = TC_STR("t3"), .name = TC_STR("talk"), .agent = TC_STR("bob")}, got;

    make(cx, store, "t1", "talk");
    assert_done(store->tapes->create(cx, store, &other));
    other.id = TC_STR("t4");
    assert_fails(store->tapes->create(cx, store, &other), TC_E_STORE_EXISTS);
    assert_fails(store->tapes->get(cx, store, other.id, &got), TC_E_STORE_NOT_FOUND);
    make(cx, store, "t5", "");
    make(cx, store, "t6", "");
    assert_done(store->tapes->find(cx, store, TC_STR("bob"), TC_STR("talk"), &got));
    assert_str(got.id, "t3");
    assert_fails(store->tapes->find(cx, store, TC_STR("bob"), TC_STR("walk"), &got), TC_E_STORE_NOT_FOUND);
    assert_fails(store->tapes->find(cx, store, TC_STR("ann"), TC_STR(""), &got), TC_E_STORE_NOT_FOUND);
}

static void entries_are_appended_in_order(struct tc_cx *cx, struct tc_store *store)
{
    make(cx, store, "t", "");
    make(cx, store, "u", "");
    assert_string_equal(whole(cx, store, "t"), "");
    add(cx, store, "t", "Aab");
    add(cx, store, "u", "xyz");
    add(cx, store, "t", "cBd");
    assert_int_equal(tape(cx, store, "t").last, 6);
    assert_int_equal(tape(cx, store, "t").anchor, 5);
    assert_int_equal(tape(cx, store, "t").updated_at, 2005);
    assert_int_equal(tape(cx, store, "u").anchor, 0);
    assert_string_equal(whole(cx, store, "t"), "AabcBd");
    assert_string_equal(whole(cx, store, "u"), "xyz");
    assert_string_equal(letters(cx, store, "t", 3, 5, 100), "bcB");
    assert_string_equal(letters(cx, store, "t", -5, 2, 100), "Aa");
    assert_string_equal(letters(cx, store, "t", 2, 6, 2), "ab");
    assert_string_equal(letters(cx, store, "t", 5, 4, 2), "");
    assert_string_equal(letters(cx, store, "t", 7, 99, 2), "");
    add(cx, store, "t", "e");
    assert_int_equal(tape(cx, store, "t").anchor, 5);
}

/* Who appends knows the last entry; none of what comes too late is there. */
static void an_append_for_another_end_is_refused(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_entry two[] = {{.at = 1, .kind = TC_STR("anchor"), .json = TC_STR("{\"x\":1}")},
                                  {.at = 2, .kind = TC_STR("note"), .json = TC_STR("{\"y\":1}")}}, *got;
    size_t n;

    make(cx, store, "t", "");
    add(cx, store, "t", "abc");
    assert_fails(store->tapes->append(cx, store, TC_STR("t"), 2, two, 2), TC_E_STORE_CONFLICT);
    assert_fails(store->tapes->append(cx, store, TC_STR("t"), 4, two, 2), TC_E_STORE_CONFLICT);
    assert_fails(store->tapes->append(cx, store, TC_STR("none"), 0, two, 2), TC_E_STORE_NOT_FOUND);
    assert_int_equal(two[0].seq, 0);
    assert_string_equal(whole(cx, store, "t"), "abc");
    assert_int_equal(tape(cx, store, "t").anchor, 0);
    assert_fails(store->tapes->entries(cx, store, TC_STR("none"), 1, 2, 3, &got, &n), TC_E_STORE_NOT_FOUND);
    assert_fails(store->tapes->entries(cx, store, TC_STR("t"), 1, 2, 0, &got, &n), TC_E_USAGE);
}

static void forks_share_what_was_before(struct tc_cx *cx, struct tc_store *store)
{
    make(cx, store, "t", "");
    add(cx, store, "t", "aBcDe");
    fork_it(cx, store, "f", "t", 3);
    assert_int_equal(tape(cx, store, "f").last, 3);
    assert_int_equal(tape(cx, store, "f").anchor, 2);
    assert_string_equal(whole(cx, store, "f"), "aBc");
    add(cx, store, "f", "xy");
    add(cx, store, "t", "f");
    assert_string_equal(whole(cx, store, "f"), "aBcxy");
    assert_string_equal(whole(cx, store, "t"), "aBcDef");
    assert_string_equal(letters(cx, store, "f", 3, 4, 100), "cx");
    assert_string_equal(letters(cx, store, "f", 4, 9, 100), "xy");
    assert_string_equal(letters(cx, store, "f", 1, 9, 4), "aBcx");
    assert_string_equal(letters(cx, store, "f", 1, 9, 2), "aB");
    fork_it(cx, store, "g", "f", 5);
    fork_it(cx, store, "h", "f", 1);
    fork_it(cx, store, "empty", "f", 0);
    add(cx, store, "g", "Z");
    add(cx, store, "h", "p");
    add(cx, store, "empty", "q");
    assert_string_equal(whole(cx, store, "g"), "aBcxyZ");
    assert_string_equal(letters(cx, store, "g", 2, 6, 100), "BcxyZ");
    assert_string_equal(whole(cx, store, "h"), "ap");
    assert_string_equal(whole(cx, store, "empty"), "q");
    assert_int_equal(tape(cx, store, "g").anchor, 6);
    assert_int_equal(tape(cx, store, "h").anchor, 0);
    assert_str(tape(cx, store, "g").parent, "f");
}

static void forks_of_what_is_not_there_are_refused(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_row row = {.id = TC_STR("f"), .agent = TC_STR("ann"), .parent = TC_STR("t"), .parent_seq = 3}, got;

    assert_fails(store->tapes->create(cx, store, &row), TC_E_STORE_NOT_FOUND);
    make(cx, store, "t", "");
    add(cx, store, "t", "ab");
    assert_fails(store->tapes->create(cx, store, &row), TC_E_STORE_CONFLICT);
    row.parent_seq = -1;
    assert_fails(store->tapes->create(cx, store, &row), TC_E_STORE_CONFLICT);
    assert_fails(store->tapes->get(cx, store, row.id, &got), TC_E_STORE_NOT_FOUND);
}

static void one_run_is_active(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_str t = TC_STR("t");

    assert_fails(store->tapes->claim(cx, store, t, TC_STR("r1")), TC_E_STORE_NOT_FOUND);
    make(cx, store, "t", "talk");
    assert_done(store->tapes->claim(cx, store, t, TC_STR("r1")));
    assert_done(store->tapes->claim(cx, store, t, TC_STR("r1")));
    assert_fails(store->tapes->claim(cx, store, t, TC_STR("r2")), TC_E_STORE_CONFLICT);
    assert_true(tc_str_find(cx->err.message, TC_STR("r1")) != SIZE_MAX);
    assert_str(tape(cx, store, "t").run, "r1");
    assert_done(store->tapes->claim(cx, store, t, TC_STR("")));
    assert_done(store->tapes->claim(cx, store, t, TC_STR("")));
    assert_done(store->tapes->claim(cx, store, t, TC_STR("r2")));
    assert_str(tape(cx, store, "t").run, "r2");
}

static void removes_what_nobody_needs(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_entry *entries;
    size_t n;

    make(cx, store, "t", "talk");
    add(cx, store, "t", "abc");
    fork_it(cx, store, "f", "t", 2);
    add(cx, store, "f", "x");
    assert_fails(store->tapes->remove(cx, store, TC_STR("t")), TC_E_STORE_CONFLICT);
    assert_done(store->tapes->claim(cx, store, TC_STR("f"), TC_STR("r1")));
    assert_fails(store->tapes->remove(cx, store, TC_STR("f")), TC_E_STORE_CONFLICT);
    assert_done(store->tapes->claim(cx, store, TC_STR("f"), TC_STR("")));
    assert_string_equal(whole(cx, store, "f"), "abx");
    assert_done(store->tapes->remove(cx, store, TC_STR("f")));
    assert_done(store->tapes->remove(cx, store, TC_STR("t")));
    assert_fails(store->tapes->remove(cx, store, TC_STR("t")), TC_E_STORE_NOT_FOUND);
    assert_fails(store->tapes->entries(cx, store, TC_STR("t"), 1, 2, 3, &entries, &n), TC_E_STORE_NOT_FOUND);
    make(cx, store, "t", "talk");
    assert_string_equal(whole(cx, store, "t"), "");
}

/* Sessions, what a run is active on and what others share stay, however old. */
static void prunes_old_tapes_of_runs_alone(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_row got;
    int64_t n = -1;

    make(cx, store, "session", "talk");
    make(cx, store, "busy", "");
    make(cx, store, "parent", "");
    make(cx, store, "old", "");
    make(cx, store, "new", "");
    add(cx, store, "old", "a");
    add(cx, store, "parent", "a");
    add(cx, store, "new", "abc");
    fork_it(cx, store, "fork", "parent", 1);
    add(cx, store, "fork", "bcd");
    assert_done(store->tapes->claim(cx, store, TC_STR("busy"), TC_STR("r1")));
    assert_done(store->tapes->prune(cx, store, 1000, &n));
    assert_int_equal(n, 0);
    assert_done(store->tapes->prune(cx, store, 2002, &n));
    assert_int_equal(n, 1);
    assert_fails(store->tapes->get(cx, store, TC_STR("old"), &got), TC_E_STORE_NOT_FOUND);
    assert_string_equal(whole(cx, store, "fork"), "abcd");
    assert_string_equal(whole(cx, store, "new"), "abc");
    (void)tape(cx, store, "session");
    (void)tape(cx, store, "busy");
    assert_done(store->tapes->prune(cx, store, 9999, &n));
    assert_int_equal(n, 3);
}

static const char *listed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_page *page,
                          const struct tc_tape_filter *filter, int64_t expected)
{
    struct tc_tape_row *rows;
    char *names = tc_arena_zalloc(cx->arena, 32, 1);
    int64_t total = -1;
    size_t n;

    assert_done(store->tapes->page(cx, store, page, filter, &rows, &n, &total));
    assert_int_equal(total, expected);
    for (size_t i = 0; i < n; i++)
        names[i] = rows[i].id.p[rows[i].id.n - 1];
    return names;
}

static void pages_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_page all = {.page = 1, .size = 200, .descending = true}, second = {.page = 2, .size = 2},
                         made = {.page = 1, .size = 200, .sort = TC_STR("createdAt")},
                         found = {.page = 1, .size = 200, .search = TC_STR("TALK-1")},
                         odd = {.page = 1, .size = 200, .sort = TC_STR("run")};
    struct tc_tape_filter any = {0};
    struct tc_tape_row *rows;
    int64_t total;
    size_t n;

    for (int i = 0; i < 6; i++) {
        const struct tc_tape_row row = {
            .id = tc_arena_printf(cx->arena, "tape-%d", i),
            .name = i % 2 ? tc_arena_printf(cx->arena, "talk-%d", i) : TC_STR(""),
            .agent = i < 3 ? TC_STR("ann") : TC_STR("bob"),
            .owner = i < 2 ? TC_STR("token-1") : TC_STR(""),
            .created_at = 100 + i,
            .updated_at = i == 0 ? 900 : 200 + i,
        };

        assert_done(store->tapes->create(cx, store, &row));
    }
    assert_string_equal(listed(cx, store, &all, &any, 6), "054321");
    assert_string_equal(listed(cx, store, &second, &any, 6), "34");
    assert_string_equal(listed(cx, store, &made, &any, 6), "012345");
    assert_string_equal(listed(cx, store, &all, &(struct tc_tape_filter){.sessions = true}, 3), "531");
    assert_string_equal(listed(cx, store, &all, &(struct tc_tape_filter){.agent = TC_STR("ann")}, 3), "021");
    assert_string_equal(listed(cx, store, &all, &(struct tc_tape_filter){.owner = TC_STR("token-1")}, 2), "01");
    assert_string_equal(listed(cx, store, &found, &any, 1), "1");
    assert_fails(store->tapes->page(cx, store, &odd, &any, &rows, &n, &total), TC_E_USAGE);
}

const struct store_contract_case store_contract_tapes[] = {
    {"keeps every column", keeps_every_column},
    {"keeps every column of an entry", keeps_every_column_of_an_entry},
    {"names are unique among the agent's", names_are_unique_among_the_agents},
    {"entries are appended in order", entries_are_appended_in_order},
    {"an append for another end is refused", an_append_for_another_end_is_refused},
    {"forks share what was before", forks_share_what_was_before},
    {"forks of what is not there are refused", forks_of_what_is_not_there_are_refused},
    {"one run is active", one_run_is_active},
    {"removes what nobody needs", removes_what_nobody_needs},
    {"prunes old tapes of runs alone", prunes_old_tapes_of_runs_alone},
    {"pages what the filter lets through", pages_what_the_filter_lets_through},
    {0},
};
