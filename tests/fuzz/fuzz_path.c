/*
 * Fuzzes the path rules: what comes out of tc_workspace_path is clean, does not
 * change when put in again, and cannot slip past the rules on visibility.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "runtime/workspace_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
    if (!ok)
        abort();
}

static void check(struct tc_cx *cx, struct tc_str path)
{
    struct tc_workspace whole = {0};
    struct tc_str rest = path, part, again;
    size_t depth = 0;

    require(path.n <= TC_WORKSPACE_PATH_MAX && tc_utf8_valid(path) == path.n);
    while (path.n && tc_str_split(&rest, '/', &part)) {
        require(tc_workspace_path_name_ok(part));
        depth++;
    }
    require(depth <= TC_WORKSPACE_PATH_DEPTH);
    require(tc_workspace_path(cx, path, &again) == TC_OK && tc_str_eq(path, again));
    require(tc_workspace_path_cmp(path, again) == 0);
    if (tc_str_eq_nocase(tc_workspace_path_first(path), TC_STR(".toolcrib")))
        require(!tc_workspace_path_visible(&whole, path));
    if (tc_workspace_path_writable(&whole, path))
        require(tc_workspace_path_visible(&whole, path) && path.n > 0);
    again = tc_workspace_path_parent(path);
    require(path.n == 0 || tc_str_eq(tc_workspace_path_join(cx->arena, again, tc_workspace_path_last(path)), path));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str input = tc_str_n((const char *)data, size), path;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};

    tc_arena_init(&arena, 0);
    if (tc_workspace_path(&cx, input, &path) == TC_OK)
        check(&cx, path);
    else
        require(cx.err.code == TC_E_WS_INVALID_PATH);
    tc_arena_finish(&arena);
    return 0;
}
