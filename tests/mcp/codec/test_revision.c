#include "support/test.h"

#include "mcp/codec/revision.h"

void test_revision__finds_each_by_name_in_order_of_age(void **state)
{
    static const char *const names[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
    (void)state;

    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(tc_mcp_revision_at(i)->name, names[i]);
        assert_ptr_equal(tc_mcp_revision_find(tc_str_of(names[i])), tc_mcp_revision_at(i));
    }
    assert_null(tc_mcp_revision_at(5));
    assert_null(tc_mcp_revision_find(TC_STR("2025-11-26")));
    assert_null(tc_mcp_revision_find(TC_STR("")));
}

void test_revision__knows_what_came_and_went(void **state)
{
    (void)state;

    assert_string_equal(tc_mcp_revision_newest(TC_MCP_HANDSHAKE)->name, "2025-11-25");
    assert_string_equal(tc_mcp_revision_newest(TC_MCP_BATCH)->name, "2025-03-26");
    assert_string_equal(tc_mcp_revision_newest(0)->name, "2026-07-28");
    assert_null(tc_mcp_revision_newest(TC_MCP_BATCH | TC_MCP_STRUCTURED));
    assert_false(tc_mcp_revision_has(tc_mcp_revision_at(1), TC_MCP_STRUCTURED));
    assert_true(tc_mcp_revision_has(tc_mcp_revision_at(2), TC_MCP_STRUCTURED));
    assert_false(tc_mcp_revision_has(tc_mcp_revision_at(3), TC_MCP_STRUCTURED_ANY));
    assert_true(tc_mcp_revision_has(tc_mcp_revision_at(4), TC_MCP_STRUCTURED_ANY));
    assert_false(tc_mcp_revision_has(tc_mcp_revision_at(4), TC_MCP_HANDSHAKE));
}
