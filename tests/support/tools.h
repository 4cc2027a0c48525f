/*
 * Descriptors, catalogs and agents for tests, from JSON text. Everything made
 * is released with the test's arena; a fault fails the test.
 */
#ifndef TESTS_SUPPORT_TOOLS_H
#define TESTS_SUPPORT_TOOLS_H

#include "policy/agent.h"
#include "support/test.h"

#define TEST_UUID "0a1b2c3d-0000-4000-8000-000000000001"

/* An entry of tools/list of that server. */
struct tc_descriptor *test_mcp_tool(struct test_cx *test, const char *uuid, const char *server, struct tc_str entry);
/* An entry with that name alone. */
struct tc_descriptor *test_named_tool(struct test_cx *test, const char *uuid, const char *server, const char *name);
struct tc_descriptor *test_builtin(struct test_cx *test, const struct tc_tool *tool);
struct tc_catalog *test_catalog(struct test_cx *test, struct tc_descriptor *const *tools, size_t n);
struct tc_agent *test_agent(struct test_cx *test, const char *json);
/* Canonical UUID number n. */
const char *test_uuid(struct test_cx *test, unsigned n);

/* Parsed with double quotes written as single ones. */
struct tc_str test_quotes(struct test_cx *test, const char *text);

#endif
