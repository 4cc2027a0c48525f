/*
 * Entries of tools/list from any bytes: a tool either has a name and becomes a
 * descriptor, usable or with a fault, and has a legal call name; or it is refused.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "catalog/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(struct tc_cx *cx, const struct tc_descriptor *tool, enum tc_style style, size_t max)
{
    struct tc_names ledger = {0};
    struct tc_names_round round;
    struct tc_str name;

    tc_names_round_init(&round, &ledger, style, max);
    if (tc_names_give(cx, &round, tool, &name) || name.n == 0 || name.n > max)
        abort();
    for (size_t i = 0; i < name.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", name.p[i]) || !name.p[i])
            abort();
    tc_names_round_finish(&round);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct tc_json_limits clean = {.flags = TC_JSON_CLEAN};
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_descriptor *tool;
    const struct tc_json *entry;

    tc_arena_init(&arena, 0);
    if (!tc_json_parse_root(&cx, tc_str_n((const char *)data, size), &clean, &entry) &&
        !tc_descriptor_of_mcp(&cx, TC_STR("00000000-0000-4000-8000-000000000001"), TC_STR("server"), entry, &tool)) {
        if ((tool->schema == NULL) != (tool->schema_fault.n > 0) || tool->description.n > 4096 ||
            tc_utf8_dirty(tool->description) || !tc_json_is(tool->input_schema, TC_JSON_OBJECT))
            abort();
        check_name(&cx, tool, TC_STYLE_MCP, TC_NAMES_MAX_RUN);
        check_name(&cx, tool, TC_STYLE_BARE, TC_NAMES_MAX_LEAST);
        tc_descriptor_unref(tool);
    }
    tc_arena_finish(&arena);
    return 0;
}
