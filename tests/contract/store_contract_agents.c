/*
 * The ports of agents, composite toolsets and the ledger of call names.
 */
#include "contract/store_contract.h"

/* The operations that agents and toolsets share. */
struct documents {
    enum tc_err (*all)(struct tc_cx *, struct tc_store *, struct tc_document_row **, size_t *);
    enum tc_err (*create)(struct tc_cx *, struct tc_store *, struct tc_str, struct tc_str, int64_t);
    enum tc_err (*update)(struct tc_cx *, struct tc_store *, struct tc_str, struct tc_str, int64_t, int64_t);
    enum tc_err (*remove)(struct tc_cx *, struct tc_store *, struct tc_str);
};

static struct documents agents_of(const struct tc_store *store)
{
    return (struct documents){store->agents->all, store->agents->create, store->agents->update, store->agents->remove};
}

static struct documents toolsets_of(const struct tc_store *store)
{
    return (struct documents){store->toolsets->all, store->toolsets->create, store->toolsets->update,
                              store->toolsets->remove};
}

static struct tc_document_row only(struct tc_cx *cx, struct tc_store *store, struct documents documents)
{
    struct tc_document_row *rows;
    size_t n;

    assert_done(documents.all(cx, store, &rows, &n));
    assert_int_equal(n, 1);
    return rows[0];
}

static void documents_come_and_go(struct tc_cx *cx, struct tc_store *store, struct documents documents)
{
    struct tc_document_row *rows;
    size_t n = 9;

    assert_done(documents.all(cx, store, &rows, &n));
    assert_int_equal(n, 0);
    assert_done(documents.create(cx, store, TC_STR("writer"), TC_STR("{\"id\":\"writer\"}"), 100));
    assert_done(documents.create(cx, store, TC_STR("coder"), TC_STR("{}"), 200));
    assert_done(documents.all(cx, store, &rows, &n));
    assert_int_equal(n, 2);
    assert_str(rows[0].id, "coder");
    assert_str(rows[1].id, "writer");
    assert_str(rows[1].json, "{\"id\":\"writer\"}");
    assert_int_equal(rows[1].version, 1);
    assert_int_equal(rows[1].created_at, 100);
    assert_int_equal(rows[1].updated_at, 100);
    assert_done(documents.remove(cx, store, TC_STR("writer")));
    assert_str(only(cx, store, documents).id, "coder");
    assert_fails(documents.remove(cx, store, TC_STR("writer")), TC_E_STORE_NOT_FOUND);
}

static void documents_are_made_once(struct tc_cx *cx, struct tc_store *store, struct documents documents)
{
    struct tc_document_row row;

    assert_done(documents.create(cx, store, TC_STR("a"), TC_STR("1"), 100));
    assert_fails(documents.create(cx, store, TC_STR("a"), TC_STR("2"), 200), TC_E_STORE_EXISTS);
    row = only(cx, store, documents);
    assert_str(row.json, "1");
    assert_int_equal(row.updated_at, 100);
}

static void documents_count_their_versions(struct tc_cx *cx, struct tc_store *store, struct documents documents)
{
    struct tc_document_row row;

    assert_fails(documents.update(cx, store, TC_STR("a"), TC_STR("2"), 0, 200), TC_E_STORE_NOT_FOUND);
    assert_fails(documents.update(cx, store, TC_STR("a"), TC_STR("2"), 1, 200), TC_E_STORE_NOT_FOUND);
    assert_done(documents.create(cx, store, TC_STR("a"), TC_STR("1"), 100));
    assert_done(documents.update(cx, store, TC_STR("a"), TC_STR("2"), 1, 200));
    assert_fails(documents.update(cx, store, TC_STR("a"), TC_STR("3"), 1, 300), TC_E_STORE_CONFLICT);
    assert_true(cx->err.hint.n > 0);
    assert_fails(documents.update(cx, store, TC_STR("a"), TC_STR("3"), 3, 300), TC_E_STORE_CONFLICT);
    row = only(cx, store, documents);
    assert_str(row.json, "2");
    assert_int_equal(row.version, 2);
    assert_int_equal(row.created_at, 100);
    assert_int_equal(row.updated_at, 200);
    assert_done(documents.update(cx, store, TC_STR("a"), TC_STR("4"), 0, 400));
    row = only(cx, store, documents);
    assert_str(row.json, "4");
    assert_int_equal(row.version, 3);
}

static void agents_come_and_go(struct tc_cx *cx, struct tc_store *store)
{
    documents_come_and_go(cx, store, agents_of(store));
}

static void agents_are_made_once(struct tc_cx *cx, struct tc_store *store)
{
    documents_are_made_once(cx, store, agents_of(store));
}

static void agents_count_their_versions(struct tc_cx *cx, struct tc_store *store)
{
    documents_count_their_versions(cx, store, agents_of(store));
}

static void toolsets_come_and_go(struct tc_cx *cx, struct tc_store *store)
{
    documents_come_and_go(cx, store, toolsets_of(store));
}

static void toolsets_are_made_once(struct tc_cx *cx, struct tc_store *store)
{
    documents_are_made_once(cx, store, toolsets_of(store));
}

static void toolsets_count_their_versions(struct tc_cx *cx, struct tc_store *store)
{
    documents_count_their_versions(cx, store, toolsets_of(store));
}

static void are_not_toolsets(struct tc_cx *cx, struct tc_store *store)
{
    assert_done(store->agents->create(cx, store, TC_STR("a"), TC_STR("1"), 1));
    assert_done(store->toolsets->create(cx, store, TC_STR("a"), TC_STR("2"), 1));
    assert_done(store->agents->remove(cx, store, TC_STR("a")));
    assert_str(only(cx, store, toolsets_of(store)).json, "2");
}

/* --- the ledger --- */

static void two_agents(struct tc_cx *cx, struct tc_store *store)
{
    assert_done(store->agents->create(cx, store, TC_STR("a"), TC_STR("{}"), 1));
    assert_done(store->agents->create(cx, store, TC_STR("ab"), TC_STR("{}"), 1));
}

static struct tc_name_row name_row(const char *agent, const char *style, const char *tool, const char *name)
{
    return (struct tc_name_row){tc_str_of(agent), tc_str_of(style), tc_str_of(tool), tc_str_of(name)};
}

/* "tool=name tool=name" of one ledger. */
static const char *ledger(struct tc_cx *cx, struct tc_store *store, const char *agent, const char *style)
{
    struct tc_name_row *rows;
    struct tc_str text = TC_STR("");
    size_t n;

    assert_done(store->names->of(cx, store, tc_str_of(agent), tc_str_of(style), &rows, &n));
    for (size_t i = 0; i < n; i++) {
        assert_str(rows[i].agent, agent);
        assert_str(rows[i].style, style);
        text = tc_arena_printf(cx->arena, "%.*s%s%.*s=%.*s", TC_STR_ARG(text), i ? " " : "",
                               TC_STR_ARG(rows[i].tool_id), TC_STR_ARG(rows[i].name));
    }
    return text.p;
}

static void keeps_ledgers_apart(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_name_row rows[] = {
        name_row("a", "mcp", "x:2", "two"), name_row("a", "mcp", "x:1", "one"), name_row("a", "server", "x:1", "one"),
        name_row("ab", "mcp", "x:9", "one"),
    };

    two_agents(cx, store);
    assert_string_equal(ledger(cx, store, "a", "mcp"), "");
    assert_done(store->names->add(cx, store, rows, 4, 100));
    assert_string_equal(ledger(cx, store, "a", "mcp"), "x:1=one x:2=two");
    assert_string_equal(ledger(cx, store, "a", "server"), "x:1=one");
    assert_string_equal(ledger(cx, store, "ab", "mcp"), "x:9=one");
    assert_string_equal(ledger(cx, store, "b", "mcp"), "");
    assert_done(store->names->add(cx, store, NULL, 0, 100));
}

static void gives_a_name_once(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_name_row first = name_row("a", "mcp", "x:1", "one");
    const struct tc_name_row same_name[] = {name_row("a", "mcp", "x:0", "zero"), name_row("a", "mcp", "x:2", "one")};
    const struct tc_name_row same_tool[] = {name_row("a", "mcp", "x:0", "zero"), name_row("a", "mcp", "x:1", "two")};
    const struct tc_name_row among_them[] = {name_row("a", "mcp", "x:5", "five"), name_row("a", "mcp", "x:6", "five")};

    two_agents(cx, store);
    assert_done(store->names->add(cx, store, &first, 1, 100));
    assert_fails(store->names->add(cx, store, same_name, 2, 200), TC_E_STORE_CONFLICT);
    assert_fails(store->names->add(cx, store, same_tool, 2, 200), TC_E_STORE_CONFLICT);
    assert_fails(store->names->add(cx, store, among_them, 2, 200), TC_E_STORE_CONFLICT);
    assert_fails(store->names->add(cx, store, &first, 1, 200), TC_E_STORE_CONFLICT);
    assert_string_equal(ledger(cx, store, "a", "mcp"), "x:1=one");
    assert_done(store->names->add(cx, store, same_name, 1, 300));
    assert_string_equal(ledger(cx, store, "a", "mcp"), "x:0=zero x:1=one");
}

static void belongs_to_its_agent(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_name_row rows[] = {name_row("a", "mcp", "x:1", "one"), name_row("ab", "mcp", "x:1", "one"),
                                       name_row("a", "bare", "x:1", "one")};
    const struct tc_name_row stray[] = {name_row("ab", "mcp", "x:2", "two"), name_row("none", "mcp", "x:1", "one")};

    two_agents(cx, store);
    assert_done(store->names->add(cx, store, rows, 3, 100));
    assert_fails(store->names->add(cx, store, stray, 2, 100), TC_E_STORE_NOT_FOUND);
    assert_string_equal(ledger(cx, store, "ab", "mcp"), "x:1=one");
    assert_done(store->agents->remove(cx, store, TC_STR("a")));
    assert_string_equal(ledger(cx, store, "a", "mcp"), "");
    assert_string_equal(ledger(cx, store, "a", "bare"), "");
    assert_string_equal(ledger(cx, store, "ab", "mcp"), "x:1=one");
    assert_done(store->agents->create(cx, store, TC_STR("a"), TC_STR("{}"), 1));
    assert_string_equal(ledger(cx, store, "a", "mcp"), "");
    assert_done(store->names->add(cx, store, rows, 1, 200));
}

const struct store_contract_case store_contract_agents[] = {
    {"agents come and go", agents_come_and_go},
    {"agents are made once", agents_are_made_once},
    {"agents count their versions", agents_count_their_versions},
    {"agents are not toolsets", are_not_toolsets},
    {0},
};

const struct store_contract_case store_contract_toolsets[] = {
    {"toolsets come and go", toolsets_come_and_go},
    {"toolsets are made once", toolsets_are_made_once},
    {"toolsets count their versions", toolsets_count_their_versions},
    {0},
};

const struct store_contract_case store_contract_names[] = {
    {"keeps ledgers apart", keeps_ledgers_apart},
    {"gives a name once", gives_a_name_once},
    {"a ledger belongs to its agent", belongs_to_its_agent},
    {0},
};
