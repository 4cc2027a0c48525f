/*
 * Built-in tools for cases alone, beside the real ones: each has a trait that no
 * real one has yet. They are in toolsets that no agent has by itself.
 */
#ifndef TESTS_CASES_CASE_TOOLS_H
#define TESTS_CASES_CASE_TOOLS_H

#include "toolcrib/tool.h"

/* The real built-in tools and these, NULL-terminated, in the arena; NULL without memory. */
const struct tc_tool *const *case_tools(struct tc_arena *arena);

#endif
