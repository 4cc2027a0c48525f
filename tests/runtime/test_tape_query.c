/* Looking something up on a tape. */
#include "support/run_world.h"

#include "runtime/tape.h"
#include "runtime/tape_query.h"

static struct tc_str tape_id = {"t", 1};

/* 600 messages, "word 0" on; an anchor "half" behind the first 300, "late" behind 500. */
static void fill(struct run_world *w)
{
    struct tc_store *store = w->t.memory;
    const struct tc_tape_row row = {.id = tape_id, .agent = TC_STR("work")};

    expect_int(store->tapes->create(w->cx, store, &row), TC_OK);
    for (int64_t i = 0, last = 0; i < 600; i++) {
        struct tc_tape_entry entry = {.at = 1000 + i, .kind = TC_STR("message"), .run = TC_STR("r")};
        struct tc_tape_entry anchor = {.at = 1000 + i, .kind = TC_STR("anchor")};
        if (i == 300 || i == 500) {
            anchor.json = tc_arena_printf(w->cx->arena, "{\"name\":\"%s\"}", i == 300 ? "half" : "late");
            expect_int(store->tapes->append(w->cx, store, tape_id, last++, &anchor, 1), TC_OK);
        }
        entry.json = tc_arena_printf(w->cx->arena,
                                     "{\"role\":\"user\",\"parts\":[{\"text\":\"Word \\\"%d\\\"\"}]}", (int)i);
        expect_int(store->tapes->append(w->cx, store, tape_id, last++, &entry, 1), TC_OK);
    }
}

/* Numbers of what is found, with spaces between. */
static struct tc_str find(struct run_world *w, struct tc_tape_query query)
{
    struct tc_tape_entry *entries;
    struct tc_str said = TC_STR("");
    size_t n = 0;

    query.limit = query.limit ? query.limit : 3;
    expect_ok(w->cx, tc_tape_query(w->cx, w->t.memory, tape_id, &query, &entries, &n));
    for (size_t i = 0; i < n; i++)
        said = tc_arena_printf(w->cx->arena, "%.*s%s%lld", TC_STR_ARG(said), i ? " " : "", (long long)entries[i].seq);
    return said;
}

static void queries(struct run_world *w)
{
    const struct tc_json *anchors = test_runtime_json(&w->t, "['anchor']");
    const struct tc_tape_query nowhere = {.anchor = TC_STR("never"), .limit = 1};
    struct tc_tape_entry *entries;
    size_t n;

    fill(w);
    expect_text(find(w, (struct tc_tape_query){0}), "1 2 3");
    expect_text(find(w, (struct tc_tape_query){.newest = true}), "600 601 602");
    expect_text(find(w, (struct tc_tape_query){.newest = true, .to = 2}), "1 2");
    expect_text(find(w, (struct tc_tape_query){.from = 250, .limit = 1}), "250");
    expect_text(find(w, (struct tc_tape_query){.from = 603}), "");
    expect_text(find(w, (struct tc_tape_query){.kinds = anchors}), "301 502");
    expect_text(find(w, (struct tc_tape_query){.kinds = anchors, .newest = true, .limit = 1}), "502");
    expect_text(find(w, (struct tc_tape_query){.text = TC_STR("wOrD \"59")}), "60 593 594"); /* 59, 590, 591 */
    expect_text(find(w, (struct tc_tape_query){.text = TC_STR("role")}), ""); /* a key is not said */
    expect_text(find(w, (struct tc_tape_query){.since = 1598}), "601 602");
    expect_text(find(w, (struct tc_tape_query){.since = 1001, .until = 1002}), "2 3");
    expect_text(find(w, (struct tc_tape_query){.anchor = TC_STR("half"), .limit = 2}), "302 303");
    expect_text(find(w, (struct tc_tape_query){.anchor = TC_STR("half"), .newest = true, .limit = 2}), "500 501");
    expect_text(find(w, (struct tc_tape_query){.anchor = TC_STR("late"), .newest = true, .limit = 1}), "602");
    expect_int(tc_tape_query(w->cx, w->t.memory, tape_id, &nowhere, &entries, &n), TC_E_TAPE_NO_ANCHOR);
    expect_int(tc_tape_query(w->cx, w->t.memory, TC_STR("no"), &nowhere, &entries, &n), TC_E_STORE_NOT_FOUND);
}

void test_tape_query__finds_by_number_time_kind_words_and_anchor(void **state)
{
    (void)state;
    run_world(queries, "", "");
}
