/*
 * The tools port.
 */
#include "contract/store_contract.h"

static struct tc_tool_row tool(struct tc_cx *cx, const char *name, int seed)
{
    struct tc_tool_row row;

    store_contract_fill(cx, &tc_rows_tool, &row, seed);
    row.name = tc_str_of(name);
    return row;
}

static struct tc_tool_row stored(struct tc_cx *cx, struct tc_store *store, const char *name)
{
    struct tc_tool_row row = {0};

    assert_done(store->tools->get(cx, store, tc_str_of(name), &row));
    return row;
}

static void assert_tool(const struct tc_tool_row *actual, const struct tc_tool_row *expected)
{
    assert_true(tc_rows_equal(&tc_rows_tool, actual, expected));
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row rows[2] = {tool(cx, "builtin:a", 1), tool(cx, "builtin:b", 2)};

    assert_done(store->tools->mirror(cx, store, rows, 2, 500));
    for (int i = 0; i < 2; i++) {
        struct tc_tool_row got = {0};

        assert_done(store->tools->get(cx, store, rows[i].name, &got));
        assert_true(got.id > 0);
        rows[i].id = got.id;
        rows[i].detached = false;
        rows[i].version = 1;
        rows[i].created_at = rows[i].updated_at = 500;
        rows[i].deleted_at = 0;
        assert_tool(&got, &rows[i]);
    }
    assert_true(rows[0].id != rows[1].id);
}

static void tells_no_text_from_an_empty_one(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row rows[2] = {tool(cx, "builtin:a", 1), tool(cx, "builtin:b", 2)}, got;

    rows[0].description = rows[0].prompt_hint = rows[0].extra = tc_str_n(NULL, 0);
    rows[1].description = rows[1].prompt_hint = rows[1].extra = TC_STR("");
    assert_done(store->tools->mirror(cx, store, rows, 2, 1));
    got = stored(cx, store, "builtin:a");
    assert_null(got.description.p);
    assert_null(got.prompt_hint.p);
    assert_null(got.extra.p);
    got = stored(cx, store, "builtin:b");
    assert_non_null(got.description.p);
    assert_non_null(got.prompt_hint.p);
    assert_non_null(got.extra.p);
    assert_int_equal(got.description.n + got.prompt_hint.n + got.extra.n, 0);
}

static void passes_any_bytes(struct tc_cx *cx, struct tc_store *store)
{
    static const char bytes[] = "a\0b\xff'\"%_\\;--";
    struct tc_tool_row row = tool(cx, "builtin:a", 1), got;

    row.label = tc_str_n(bytes, sizeof bytes - 1);
    assert_done(store->tools->mirror(cx, store, &row, 1, 1));
    got = stored(cx, store, "builtin:a");
    assert_int_equal(got.label.n, sizeof bytes - 1);
    assert_memory_equal(got.label.p, bytes, sizeof bytes - 1);
}

static void mirroring_again_changes_nothing(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row row = tool(cx, "builtin:a", 1), before, after;

    assert_done(store->tools->mirror(cx, store, &row, 1, 500));
    before = stored(cx, store, "builtin:a");
    assert_done(store->tools->mirror(cx, store, &row, 1, 900));
    after = stored(cx, store, "builtin:a");
    assert_tool(&after, &before);
}

static void mirroring_refreshes_semantics_only(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row row = tool(cx, "builtin:a", 1), other = tool(cx, "builtin:a", 2), expected, got;

    assert_done(store->tools->mirror(cx, store, &row, 1, 500));
    expected = stored(cx, store, "builtin:a");
    assert_done(store->tools->mirror(cx, store, &other, 1, 900));
    got = stored(cx, store, "builtin:a");
    expected.toolset = other.toolset;
    expected.visibility = other.visibility;
    expected.capability = other.capability;
    expected.is_core = other.is_core;
    expected.can_disable = other.can_disable;
    expected.supports_prompt_hint = other.supports_prompt_hint;
    expected.updated_at = 900;
    assert_tool(&got, &expected);
}

static void each_semantic_column_is_refreshed_alone(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row row = tool(cx, "builtin:a", 1);

    for (int i = 0; i < 6; i++) {
        struct tc_tool_row got;

        assert_done(store->tools->mirror(cx, store, &row, 1, 100 + i));
        if (i == 0)
            row.toolset = TC_STR("other");
        else if (i == 1)
            row.visibility = TC_STR("other");
        else if (i == 2)
            row.capability = TC_STR("other");
        else
            *(i == 3 ? &row.is_core : i == 4 ? &row.can_disable : &row.supports_prompt_hint) ^= true;
        assert_done(store->tools->mirror(cx, store, &row, 1, 200 + i));
        got = stored(cx, store, "builtin:a");
        assert_int_equal(got.updated_at, 200 + i);
        assert_str(got.toolset, tc_arena_cstr(cx->arena, row.toolset));
        assert_str(got.visibility, tc_arena_cstr(cx->arena, row.visibility));
        assert_str(got.capability, tc_arena_cstr(cx->arena, row.capability));
        assert_int_equal(got.is_core, row.is_core);
        assert_int_equal(got.can_disable, row.can_disable);
        assert_int_equal(got.supports_prompt_hint, row.supports_prompt_hint);
    }
}

static void detaches_until_mirrored_again(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row rows[2] = {tool(cx, "builtin:a", 1), tool(cx, "builtin:b", 2)};
    const struct tc_str names[] = {TC_STR_INIT("builtin:gone"), TC_STR_INIT("builtin:b")};

    assert_done(store->tools->mirror(cx, store, rows, 2, 1));
    assert_done(store->tools->detach(cx, store, names, 2, 700));
    assert_false(stored(cx, store, "builtin:a").detached);
    assert_true(stored(cx, store, "builtin:b").detached);
    assert_int_equal(stored(cx, store, "builtin:b").updated_at, 700);
    assert_int_equal(stored(cx, store, "builtin:b").version, 1);
    assert_done(store->tools->detach(cx, store, names, 2, 800));
    assert_int_equal(stored(cx, store, "builtin:b").updated_at, 700);
    assert_done(store->tools->mirror(cx, store, rows, 2, 900));
    assert_false(stored(cx, store, "builtin:b").detached);
    assert_int_equal(stored(cx, store, "builtin:b").updated_at, 900);
}

static void updates_the_chosen_columns(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row row = tool(cx, "builtin:a", 1), edit = tool(cx, "builtin:a", 8), expected, got;

    edit.status = !row.status;
    edit.version = 0;
    assert_done(store->tools->mirror(cx, store, &row, 1, 500));
    expected = stored(cx, store, "builtin:a");
    for (unsigned bit = 1; bit <= TC_TOOL_SET_EXTRA; bit <<= 1) {
        if (bit == TC_TOOL_SET_LABEL)
            expected.label = edit.label;
        else if (bit == TC_TOOL_SET_DESCRIPTION)
            expected.description = edit.description;
        else if (bit == TC_TOOL_SET_STATUS)
            expected.status = edit.status;
        else if (bit == TC_TOOL_SET_PROMPT_HINT)
            expected.prompt_hint = edit.prompt_hint;
        else if (bit == TC_TOOL_SET_SORT)
            expected.sort = edit.sort;
        else
            expected.extra = edit.extra;
        expected.version++;
        expected.updated_at = 600 + bit;
        assert_done(store->tools->update(cx, store, &edit, bit, expected.updated_at));
        got = stored(cx, store, "builtin:a");
        assert_tool(&got, &expected);
    }
    edit.description = edit.prompt_hint = tc_str_n(NULL, 0);
    assert_done(store->tools->update(cx, store, &edit, TC_TOOL_SET_DESCRIPTION | TC_TOOL_SET_PROMPT_HINT, 900));
    got = stored(cx, store, "builtin:a");
    assert_null(got.description.p);
    assert_null(got.prompt_hint.p);
    assert_int_equal(got.sort, edit.sort);
}

static void refuses_a_stale_edit(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row row = tool(cx, "builtin:a", 1), edit = {.name = TC_STR("builtin:a"), .sort = 5, .version = 1};
    struct tc_tool_row got;

    assert_fails(store->tools->update(cx, store, &edit, TC_TOOL_SET_SORT, 1), TC_E_STORE_NOT_FOUND);
    assert_done(store->tools->mirror(cx, store, &row, 1, 500));
    assert_done(store->tools->update(cx, store, &edit, TC_TOOL_SET_SORT, 600));
    edit.sort = 6;
    assert_fails(store->tools->update(cx, store, &edit, TC_TOOL_SET_SORT, 700), TC_E_STORE_CONFLICT);
    got = stored(cx, store, "builtin:a");
    assert_int_equal(got.sort, 5);
    assert_int_equal(got.version, 2);
    assert_int_equal(got.updated_at, 600);
    edit.version = 2;
    assert_done(store->tools->update(cx, store, &edit, TC_TOOL_SET_SORT, 800));
    assert_int_equal(stored(cx, store, "builtin:a").sort, 6);
}

static void gives_all_by_name(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row rows[3] = {tool(cx, "mcp/x:b", 1), tool(cx, "builtin:z", 2), tool(cx, "builtin:B", 3)}, *got;
    size_t n = 9;

    assert_done(store->tools->all(cx, store, &got, &n));
    assert_int_equal(n, 0);
    assert_done(store->tools->mirror(cx, store, rows, 3, 1));
    assert_done(store->tools->all(cx, store, &got, &n));
    assert_int_equal(n, 3);
    assert_str(got[0].name, "builtin:B");
    assert_str(got[1].name, "builtin:z");
    assert_str(got[2].name, "mcp/x:b");
    assert_fails(store->tools->get(cx, store, TC_STR("builtin:none"), &got[0]), TC_E_STORE_NOT_FOUND);
}

/* Names of a page as one text. */
static const char *listed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_page *page,
                          const struct tc_store_tools_filter *filter, int64_t total)
{
    struct tc_tool_row *rows;
    struct tc_str text = TC_STR("");
    size_t n;
    int64_t got_total = -1;

    assert_done(store->tools->page(cx, store, page, filter, &rows, &n, &got_total));
    assert_int_equal(got_total, total);
    for (size_t i = 0; i < n; i++)
        text = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(text), i ? " " : "", TC_STR_ARG(rows[i].name));
    return text.p;
}

static void four_tools(struct tc_cx *cx, struct tc_store *store)
{
    static const struct tc_tool_row rows[] = {
        {.name = TC_STR_INIT("a"),
         .label = TC_STR_INIT("Zeta"),
         .toolset = TC_STR_INIT("base"),
         .capability = TC_STR_INIT("text"),
         .status = true,
         .sort = 2},
        {.name = TC_STR_INIT("b"),
         .label = TC_STR_INIT("Eta"),
         .toolset = TC_STR_INIT("vision"),
         .description = TC_STR_INIT("Reads 图片 100%_"),
         .capability = TC_STR_INIT("vision"),
         .sort = 1},
        {.name = TC_STR_INIT("c"),
         .label = TC_STR_INIT("Alpha"),
         .toolset = TC_STR_INIT("base"),
         .capability = TC_STR_INIT("text"),
         .status = true,
         .sort = 2},
        {.name = TC_STR_INIT("d"),
         .label = TC_STR_INIT("Beta"),
         .toolset = TC_STR_INIT("chat"),
         .capability = TC_STR_INIT("text"),
         .sort = -1},
    };

    assert_done(store->tools->mirror(cx, store, rows, 4, 1));
    assert_done(store->tools->update(cx, store, &rows[2], TC_TOOL_SET_SORT, 9));
    assert_done(store->tools->detach(cx, store, &rows[3].name, 1, 5));
}

static void pages_in_each_order(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const expected[][3] = {
        {"", "d b a c", "c a b d"},        {"sort", "d b a c", "c a b d"},    {"name", "a b c d", "d c b a"},
        {"label", "c d b a", "a b d c"},   {"toolset", "a c d b", "b d c a"}, {"updatedAt", "a b d c", "c d b a"},
    };
    const struct tc_store_tools_filter any = {.status = -1, .detached = -1};

    four_tools(cx, store);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct tc_store_page page = {.page = 1, .size = 200, .sort = tc_str_of(expected[i][0])};

        assert_string_equal(listed(cx, store, &page, &any, 4), expected[i][1]);
        page.descending = true;
        assert_string_equal(listed(cx, store, &page, &any, 4), expected[i][2]);
    }
}

static void pages_part_by_part(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_tools_filter any = {.status = -1, .detached = -1};
    struct tc_store_page page = {.page = 1, .size = 3, .sort = TC_STR("name")};

    assert_string_equal(listed(cx, store, &page, &any, 0), "");
    four_tools(cx, store);
    assert_string_equal(listed(cx, store, &page, &any, 4), "a b c");
    page.page = 2;
    assert_string_equal(listed(cx, store, &page, &any, 4), "d");
    page.page = 3;
    assert_string_equal(listed(cx, store, &page, &any, 4), "");
    page.page = INT64_MAX / 200;
    assert_string_equal(listed(cx, store, &page, &any, 4), "");
}

static void pages_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_tools_filter filter = {.status = 1, .detached = -1};
    const struct tc_store_page page = {.page = 1, .size = 10, .sort = TC_STR("name")};

    four_tools(cx, store);
    assert_string_equal(listed(cx, store, &page, &filter, 2), "a c");
    filter.status = 0;
    assert_string_equal(listed(cx, store, &page, &filter, 2), "b d");
    filter.detached = 0;
    assert_string_equal(listed(cx, store, &page, &filter, 1), "b");
    filter = (struct tc_store_tools_filter){.status = -1, .detached = 1};
    assert_string_equal(listed(cx, store, &page, &filter, 1), "d");
    filter = (struct tc_store_tools_filter){.status = -1, .detached = -1, .toolset = TC_STR("base")};
    assert_string_equal(listed(cx, store, &page, &filter, 2), "a c");
    filter.capability = TC_STR("vision");
    assert_string_equal(listed(cx, store, &page, &filter, 0), "");
    filter.toolset = TC_STR("");
    assert_string_equal(listed(cx, store, &page, &filter, 1), "b");
}

static void searches_parts_of_words_in_any_case(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const cases[][2] = {
        {"eTA", "a b d"}, {"ALPH", "c"}, {"reads", "b"}, {"图", "b"}, {"图片", "b"}, {"%", "b"}, {"_", "b"},
        {"a%a", ""},      {"'", ""},     {"zzz", ""},
    };
    const struct tc_store_tools_filter any = {.status = -1, .detached = -1};

    four_tools(cx, store);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tc_store_page page = {.page = 1, .size = 10, .search = tc_str_of(cases[i][0]), .sort = TC_STR("name")};
        int64_t total = cases[i][1][0] ? (int64_t)(strlen(cases[i][1]) + 1) / 2 : 0;

        assert_string_equal(listed(cx, store, &page, &any, total), cases[i][1]);
    }
}

static void refuses_pages_that_are_none(struct tc_cx *cx, struct tc_store *store)
{
    static const struct tc_store_page pages[] = {
        {.page = 0, .size = 10},           {.page = -1, .size = 10}, {.page = 1, .size = 0}, {.page = 1, .size = 201},
        {.page = INT64_MAX, .size = 200}, {.page = 1, .size = 10, .sort = TC_STR_INIT("id; DROP TABLE tools")},
    };
    const struct tc_store_tools_filter any = {.status = -1, .detached = -1};
    struct tc_tool_row *rows;
    size_t n;
    int64_t total;

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        assert_fails(store->tools->page(cx, store, &pages[i], &any, &rows, &n, &total), TC_E_USAGE);
        assert_true(cx->err.field.n > 1);
    }
}

static void holds_ten_thousand(struct tc_cx *cx, struct tc_store *store)
{
    enum { N = 10000 };
    struct tc_tool_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_tool_row, N), *got;
    size_t n;

    for (int i = 0; i < N; i++) {
        rows[i] = (struct tc_tool_row){.label = TC_STR("x"), .status = true};
        rows[i].name = tc_arena_printf(cx->arena, "host:%05d", (i * 7919) % N);
    }
    assert_done(store->tools->mirror(cx, store, rows, N, 1));
    assert_done(store->tools->all(cx, store, &got, &n));
    assert_int_equal(n, N);
    assert_str(got[0].name, "host:00000");
    assert_str(got[N - 1].name, "host:09999");
}

const struct store_contract_case store_contract_tools[] = {
    {"keeps every column", keeps_every_column},
    {"tells no text from an empty one", tells_no_text_from_an_empty_one},
    {"passes any bytes", passes_any_bytes},
    {"mirroring again changes nothing", mirroring_again_changes_nothing},
    {"mirroring refreshes semantics only", mirroring_refreshes_semantics_only},
    {"each semantic column is refreshed alone", each_semantic_column_is_refreshed_alone},
    {"detaches until mirrored again", detaches_until_mirrored_again},
    {"updates the chosen columns", updates_the_chosen_columns},
    {"refuses a stale edit", refuses_a_stale_edit},
    {"gives all by name", gives_all_by_name},
    {"pages in each order", pages_in_each_order},
    {"pages part by part", pages_part_by_part},
    {"pages what the filter lets through", pages_what_the_filter_lets_through},
    {"searches parts of words in any case", searches_parts_of_words_in_any_case},
    {"refuses pages that are none", refuses_pages_that_are_none},
    {"holds ten thousand", holds_ten_thousand},
    {0},
};
