/*
 * Two entries of tools/list from any bytes, a line each: what changed is found within the
 * bounds and in order, is nothing where both are the same, and is never nothing where the
 * schemas differ.
 */
#include <stdlib.h>

#include "policy/definition.h"

enum { PATH_MOST = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
    if (!ok)
        abort();
}

static size_t compare(struct tc_cx *cx, const struct tc_json *before, const struct tc_json *after)
{
    struct tc_definition_change *changes;
    size_t n;

    require(tc_definition_compare(cx, before, after, &changes, &n) == TC_OK);
    require(n <= TC_DEFINITION_CHANGES_MAX);
    for (size_t i = 0; i < n; i++) {
        require(changes[i].kind && changes[i].path.n > 1 && changes[i].path.n <= PATH_MOST);
        require(changes[i].path.p[0] == '/');
        /* What a hint says where it is not given, another one may have changed. */
        require(changes[i].from || changes[i].to || strcmp(changes[i].kind, "destructiveAdded") == 0);
        require(i == 0 || changes[i - 1].severity >= changes[i].severity);
        require(!changes[i].orders.n || changes[i].severity == TC_SEVERITY_HIGH);
    }
    return n;
}

static bool same(const struct tc_json *a, const struct tc_json *b)
{
    return (!a && !b) || (a && b && tc_json_equal(a, b));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct tc_json_limits clean = {.flags = TC_JSON_CLEAN};
    struct tc_str rest = tc_str_n((const char *)data, size), line;
    const struct tc_json *before, *after;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    if (size && tc_str_split(&rest, '\n', &line) && !tc_json_parse_root(&cx, line, &clean, &before) &&
        !tc_json_parse_root(&cx, rest, &clean, &after)) {
        size_t n = compare(&cx, before, after);
        require(compare(&cx, before, before) == 0 && compare(&cx, after, after) == 0);
        compare(&cx, after, before);
        require(n > 0 || same(tc_json_get_c(before, "inputSchema"), tc_json_get_c(after, "inputSchema")));
        require(n > 0 || same(tc_json_get_c(before, "outputSchema"), tc_json_get_c(after, "outputSchema")));
    }
    tc_arena_finish(&arena);
    return 0;
}
