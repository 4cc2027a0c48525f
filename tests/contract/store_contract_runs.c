/*
 * The contract of the runs and their journals.
 */
#include "contract/store_contract.h"

static struct tc_run_row run(struct tc_cx *cx, int seed)
{
    struct tc_run_row row;

    store_contract_fill(cx, &tc_rows_run, &row, seed);
    row.id = tc_arena_printf(cx->arena, "01JD%08d", seed);
    row.status = TC_STR("running");
    row.created_at = row.updated_at = 1700000000000 + seed;
    row.ended_at = 0;
    return row;
}

static struct tc_run_row stored(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_run_row row;

    assert_done(store->runs->get(cx, store, id, &row));
    return row;
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_row row = run(cx, 1), got;

    assert_fails(store->runs->get(cx, store, row.id, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->runs->create(cx, store, &row));
    row.events = 0;
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_run, &got, &row));
    assert_fails(store->runs->create(cx, store, &row), TC_E_STORE_EXISTS);
}

/* How it stands changes; what it was asked, and by whom, does not. */
static void an_update_sets_how_it_stands(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_row row = run(cx, 1), next = run(cx, 2), got;

    assert_fails(store->runs->update(cx, store, &row), TC_E_STORE_NOT_FOUND);
    assert_done(store->runs->create(cx, store, &row));
    next.id = row.id;
    next.status = TC_STR("completed");
    next.ended_at = 1700000000500;
    assert_done(store->runs->update(cx, store, &next));
    next.agent = row.agent;
    next.tape = row.tape;
    next.surface = row.surface;
    next.principal_kind = row.principal_kind;
    next.principal_id = row.principal_id;
    next.input = row.input;
    next.created_at = row.created_at;
    next.events = 0;
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_run, &got, &next));
}

static void append(struct tc_cx *cx, struct tc_store *store, struct tc_str id, int first, size_t n)
{
    struct tc_run_event events[16];
    struct tc_run_step step = {.run = id, .events = events, .events_n = n};

    for (size_t i = 0; i < n; i++)
        store_contract_fill(cx, &tc_rows_run_event, &events[i], first + (int)i);
    assert_done(store->runs->record(cx, store, &step));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(events[i].seq, first + (int)i);
}

/* Events first..last come, each as it was appended under its number. */
static void assert_events(struct tc_cx *cx, struct tc_store *store, struct tc_str id, const int64_t ask[3], int first,
                          int last)
{
    struct tc_run_event *events, expected;
    size_t n = 99;

    assert_done(store->runs->events(cx, store, id, ask[0], ask[1], ask[2], &events, &n));
    assert_int_equal(n, last - first + 1);
    for (size_t i = 0; i < n; i++) {
        store_contract_fill(cx, &tc_rows_run_event, &expected, first + (int)i);
        expected.seq = first + (int)i;
        assert_true(tc_rows_equal(&tc_rows_run_event, &events[i], &expected));
    }
}

static void events_are_numbered_in_each_run(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_row a = run(cx, 1), b = run(cx, 2);
    struct tc_run_event *events, lost = {.type = TC_STR("lost")};
    struct tc_run_step nobodys = {.run = TC_STR("none"), .events = &lost, .events_n = 1};
    size_t n;

    assert_done(store->runs->create(cx, store, &a));
    assert_done(store->runs->create(cx, store, &b));
    assert_events(cx, store, a.id, (int64_t[]){0, 0, 10}, 1, 0);
    append(cx, store, a.id, 1, 3);
    append(cx, store, b.id, 1, 2);
    append(cx, store, a.id, 4, 1);
    append(cx, store, a.id, 5, 5);
    assert_int_equal(stored(cx, store, a.id).events, 9);
    assert_int_equal(stored(cx, store, b.id).events, 2);
    assert_events(cx, store, a.id, (int64_t[]){0, 0, 100}, 1, 9);
    assert_events(cx, store, b.id, (int64_t[]){0, 0, 100}, 1, 2);
    assert_events(cx, store, a.id, (int64_t[]){3, 0, 4}, 4, 7);
    assert_events(cx, store, a.id, (int64_t[]){9, 0, 4}, 10, 9);
    assert_events(cx, store, a.id, (int64_t[]){0, 6, 3}, 3, 5);
    assert_events(cx, store, a.id, (int64_t[]){0, 3, 10}, 1, 2);
    assert_events(cx, store, a.id, (int64_t[]){0, 1, 10}, 1, 0);
    assert_events(cx, store, a.id, (int64_t[]){0, 99, 2}, 8, 9);
    assert_fails(store->runs->record(cx, store, &nobodys), TC_E_STORE_NOT_FOUND);
    assert_fails(store->runs->events(cx, store, TC_STR("none"), 0, 0, 1, &events, &n), TC_E_STORE_NOT_FOUND);
    assert_fails(store->runs->events(cx, store, a.id, 0, 0, 0, &events, &n), TC_E_USAGE);
    assert_fails(store->runs->events(cx, store, a.id, 0, 0, TC_RUN_EVENTS_MAX + 1, &events, &n), TC_E_USAGE);
}

/* --- steps --- */

static void make_tape(struct tc_cx *cx, struct tc_store *store, struct tc_str id, struct tc_str run)
{
    const struct tc_tape_row tape = {.id = id, .agent = TC_STR("ann")};

    assert_done(store->tapes->create(cx, store, &tape));
    assert_done(store->tapes->claim(cx, store, id, run));
}

static struct tc_tape_row tape_of(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_tape_row row;

    assert_done(store->tapes->get(cx, store, id, &row));
    return row;
}

/* Two events and two entries behind `last`, and that the run stands at `steps`. */
struct step {
    struct tc_run_row row;
    struct tc_run_event events[2];
    struct tc_tape_entry entries[2];
    struct tc_run_step step;
};

static struct tc_run_step *step_of(struct step *s, struct tc_run_row row, int64_t steps, int64_t last)
{
    *s = (struct step){
        .row = row,
        .events = {{.at = 5, .type = TC_STR("model_reply"), .json = TC_STR("{}")}, {.type = TC_STR("text")}},
        .entries = {{.at = 7, .kind = TC_STR("message"), .run = row.id, .json = TC_STR("{}")},
                    {.at = 8, .kind = TC_STR("anchor"), .run = row.id}},
    };
    s->row.steps = steps;
    s->step = (struct tc_run_step){.run = row.id, .row = &s->row, .events = s->events, .events_n = 2,
                                   .tape = TC_STR("t"), .last = last, .entries = s->entries, .entries_n = 2};
    return &s->step;
}

static void a_step_is_recorded_at_once(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_row row = run(cx, 1), got;
    struct tc_tape_entry *entries;
    struct tc_run_event *events;
    struct tc_tape_row tape;
    struct step s;
    size_t n;

    assert_done(store->runs->create(cx, store, &row));
    make_tape(cx, store, TC_STR("t"), row.id);
    assert_done(store->runs->record(cx, store, step_of(&s, row, 1, 0)));
    assert_done(store->runs->record(cx, store, step_of(&s, row, 2, 2)));
    assert_int_equal(s.events[0].seq, 3);
    assert_int_equal(s.events[1].seq, 4);
    assert_int_equal(s.entries[0].seq, 3);
    assert_int_equal(s.entries[1].seq, 4);
    got = stored(cx, store, row.id);
    assert_int_equal(got.steps, 2);
    assert_int_equal(got.events, 4);
    tape = tape_of(cx, store, TC_STR("t"));
    assert_int_equal(tape.last, 4);
    assert_int_equal(tape.anchor, 4);
    assert_int_equal(tape.updated_at, 8);
    assert_str(tape.run, tc_arena_cstr(cx->arena, row.id));
    assert_done(store->runs->events(cx, store, row.id, 2, 0, 9, &events, &n));
    assert_int_equal(n, 2);
    assert_str(events[0].type, "model_reply");
    assert_done(store->tapes->entries(cx, store, TC_STR("t"), 3, 9, 9, &entries, &n));
    assert_int_equal(n, 2);
    assert_str(entries[0].run, tc_arena_cstr(cx->arena, row.id));
    step_of(&s, row, 3, 4)->let_go = true;
    assert_done(store->runs->record(cx, store, &s.step));
    assert_str(tape_of(cx, store, TC_STR("t")).run, "");
}

/* Nothing of a step that is refused is there. */
static void assert_as_before(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_tape_row tape = tape_of(cx, store, TC_STR("t"));
    struct tc_run_row row = stored(cx, store, id);

    assert_int_equal(row.steps, 1);
    assert_int_equal(row.events, 2);
    assert_int_equal(tape.last, 2);
    assert_int_equal(tape.anchor, 2);
    assert_str(tape.run, tc_arena_cstr(cx->arena, id));
}

static void a_step_is_recorded_whole_or_not(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_row row = run(cx, 1), nobody = run(cx, 2);
    struct step s;

    assert_done(store->runs->create(cx, store, &row));
    make_tape(cx, store, TC_STR("t"), row.id);
    assert_done(store->runs->record(cx, store, step_of(&s, row, 1, 0)));
    assert_fails(store->runs->record(cx, store, step_of(&s, row, 2, 1)), TC_E_STORE_CONFLICT);
    assert_as_before(cx, store, row.id);
    assert_fails(store->runs->record(cx, store, step_of(&s, nobody, 2, 2)), TC_E_STORE_NOT_FOUND);
    assert_as_before(cx, store, row.id);
    step_of(&s, nobody, 2, 2)->events_n = 0; /* entries alone belong to a run as well */
    s.step.row = NULL;
    assert_fails(store->runs->record(cx, store, &s.step), TC_E_STORE_NOT_FOUND);
    assert_as_before(cx, store, row.id);
    step_of(&s, row, 2, 0)->tape = TC_STR("none");
    assert_fails(store->runs->record(cx, store, &s.step), TC_E_STORE_NOT_FOUND);
    s.step.entries_n = 0;
    s.step.let_go = true;
    assert_fails(store->runs->record(cx, store, &s.step), TC_E_STORE_NOT_FOUND);
    assert_as_before(cx, store, row.id);
    assert_done(store->runs->record(cx, store, step_of(&s, row, 2, 2)));
}

static void create_in(struct tc_cx *cx, struct tc_store *store, int seed, const char *status, int64_t ended_at)
{
    struct tc_run_row row = run(cx, seed);

    row.status = tc_str_of(status);
    row.ended_at = ended_at;
    assert_done(store->runs->create(cx, store, &row));
    append(cx, store, row.id, 1, 3);
}

static void closes_what_a_former_process_left(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_row tape = {.id = TC_STR("t"), .agent = TC_STR("ann")};
    int64_t n = -1;

    create_in(cx, store, 1, "running", 0);
    create_in(cx, store, 2, "waiting", 0);
    create_in(cx, store, 3, "completed", 1700000000900);
    assert_done(store->tapes->create(cx, store, &tape));
    assert_done(store->tapes->claim(cx, store, tape.id, run(cx, 1).id));
    assert_done(store->runs->close_open(cx, store, 1800000000000, &n));
    assert_int_equal(n, 2);
    for (int i = 1; i <= 2; i++) {
        struct tc_run_row row = stored(cx, store, run(cx, i).id);

        assert_str(row.status, "interrupted");
        assert_int_equal(row.ended_at, 1800000000000);
        assert_int_equal(row.updated_at, 1800000000000);
        assert_int_equal(row.events, 3);
    }
    assert_str(stored(cx, store, run(cx, 3).id).status, "completed");
    assert_int_equal(stored(cx, store, run(cx, 3).id).ended_at, 1700000000900);
    assert_done(store->tapes->get(cx, store, tape.id, &tape));
    assert_str(tape.run, "");
    assert_done(store->runs->close_open(cx, store, 1900000000000, &n));
    assert_int_equal(n, 0);
}

static void prunes_what_ended_before(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_event *events;
    struct tc_run_row row;
    int64_t n = -1;
    size_t count;

    for (int i = 1; i <= 50; i++)
        create_in(cx, store, i, "failed", 5000 + i);
    create_in(cx, store, 60, "waiting", 0);
    assert_done(store->runs->prune(cx, store, 5001, &n));
    assert_int_equal(n, 0);
    assert_done(store->runs->prune(cx, store, 5046, &n));
    assert_int_equal(n, 45);
    assert_fails(store->runs->get(cx, store, run(cx, 45).id, &row), TC_E_STORE_NOT_FOUND);
    assert_fails(store->runs->events(cx, store, run(cx, 45).id, 0, 0, 5, &events, &count), TC_E_STORE_NOT_FOUND);
    assert_events(cx, store, run(cx, 46).id, (int64_t[]){0, 0, 10}, 1, 3);
    assert_events(cx, store, run(cx, 60).id, (int64_t[]){0, 0, 10}, 1, 3);
    create_in(cx, store, 45, "running", 0); /* its number begins anew */
}

static const char *listed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_page *page,
                          const struct tc_run_filter *filter, int64_t expected)
{
    struct tc_run_row *rows;
    char *names = tc_arena_zalloc(cx->arena, 32, 1);
    int64_t total = -1;
    size_t n;

    assert_done(store->runs->page(cx, store, page, filter, &rows, &n, &total));
    assert_int_equal(total, expected);
    for (size_t i = 0; i < n; i++) {
        names[i] = rows[i].id.p[rows[i].id.n - 1];
        assert_int_equal(rows[i].events, names[i] - '0');
    }
    return names;
}

static void pages_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_page all = {.page = 1, .size = 200, .descending = true}, second = {.page = 2, .size = 2},
                         found = {.page = 1, .size = 200, .search = TC_STR("MODEL-4")},
                         odd = {.page = 1, .size = 200, .sort = TC_STR("input")};
    struct tc_run_filter any = {0};
    struct tc_run_row *rows;
    int64_t total;
    size_t n;

    for (int i = 1; i <= 6; i++) {
        struct tc_run_row row = run(cx, i);

        row.agent = i < 4 ? TC_STR("ann") : TC_STR("bob");
        row.status = i % 2 ? TC_STR("running") : TC_STR("failed");
        row.tape = i < 3 ? TC_STR("t1") : TC_STR("t2");
        row.principal_id = i == 5 ? TC_STR("p1") : TC_STR("p2");
        row.model = tc_arena_printf(cx->arena, "model-%d", i);
        assert_done(store->runs->create(cx, store, &row));
        append(cx, store, row.id, 1, (size_t)i);
    }
    assert_string_equal(listed(cx, store, &all, &any, 6), "654321");
    assert_string_equal(listed(cx, store, &second, &any, 6), "34");
    assert_string_equal(listed(cx, store, &all, &(struct tc_run_filter){.agent = TC_STR("bob")}, 3), "654");
    assert_string_equal(listed(cx, store, &all, &(struct tc_run_filter){.status = TC_STR("running")}, 3), "531");
    assert_string_equal(listed(cx, store, &all, &(struct tc_run_filter){.tape = TC_STR("t1")}, 2), "21");
    assert_string_equal(listed(cx, store, &all, &(struct tc_run_filter){.principal_id = TC_STR("p1")}, 1), "5");
    assert_string_equal(listed(cx, store, &found, &any, 1), "4");
    assert_fails(store->runs->page(cx, store, &odd, &any, &rows, &n, &total), TC_E_USAGE);
}

/* "runs live failed" of the span, and of the one before; then agent:runs:failed */
static const char *summed(struct tc_cx *cx, struct tc_store *store, int64_t from, int64_t to, int64_t limit)
{
    const struct tc_run_sums_query query = {from, to, limit};
    struct tc_run_sums sums = {0};
    struct tc_str text;

    assert_done(store->runs->sums(cx, store, &query, &sums));
    text = tc_arena_printf(cx->arena, "%d %d %d, %d %d, %d:", (int)sums.totals.runs, (int)sums.live,
                           (int)sums.totals.by_status[TC_RUN_FAILED], (int)sums.previous.runs,
                           (int)sums.previous.by_status[TC_RUN_FAILED], (int)sums.groups_total);
    for (size_t i = 0; i < sums.groups_n; i++)
        text = tc_arena_printf(cx->arena, "%.*s %.*s:%d:%d", TC_STR_ARG(text), TC_STR_ARG(sums.groups[i].agent),
                               (int)sums.groups[i].figures.runs, (int)sums.groups[i].figures.by_status[TC_RUN_FAILED]);
    return text.p;
}

static void sums_a_span_and_the_one_before(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const statuses[] = {"failed", "running", "waiting", "completed"};
    static const struct tc_run_sums_query wrong[] = {{0, 5, 1}, {5, 5, 1}, {5, 4, 1}, {1, 2, -1}, {1, 2, 20001}};
    struct tc_run_sums sums;

    assert_string_equal(summed(cx, store, 1, 9, 1), "0 0 0, 0 0, 0:");
    for (int i = 0; i < 12; i++) {
        struct tc_run_row row = run(cx, i);

        row.id = tc_arena_printf(cx->arena, "run-%02d", i);
        row.agent = i % 3 ? TC_STR("ann") : TC_STR("bob");
        row.status = tc_str_of(statuses[i % 4]);
        row.created_at = 1000 + i;
        assert_done(store->runs->create(cx, store, &row));
    }
    assert_string_equal(summed(cx, store, 1000, 1012, 5), "12 6 3, 0 0, 2: ann:8:2 bob:4:1");
    assert_string_equal(summed(cx, store, 1006, 1012, 1), "6 6 1, 6 2, 2: ann:4:1");
    assert_string_equal(summed(cx, store, 1004, 1005, 0), "1 6 1, 1 0, 1:");
    assert_string_equal(summed(cx, store, 5000, 9000, 5), "0 6 0, 12 3, 0:");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(store->runs->sums(cx, store, &wrong[i], &sums), TC_E_USAGE);
}

const struct store_contract_case store_contract_runs[] = {
    {"keeps every column", keeps_every_column},
    {"an update sets how it stands", an_update_sets_how_it_stands},
    {"events are numbered in each run", events_are_numbered_in_each_run},
    {"a step is recorded at once", a_step_is_recorded_at_once},
    {"a step is recorded whole or not", a_step_is_recorded_whole_or_not},
    {"closes what a former process left", closes_what_a_former_process_left},
    {"prunes what ended before", prunes_what_ended_before},
    {"pages what the filter lets through", pages_what_the_filter_lets_through},
    {"sums a span and the one before", sums_a_span_and_the_one_before},
    {0},
};
