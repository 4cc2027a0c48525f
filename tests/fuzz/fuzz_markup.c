/*
 * Texts of a model, which may hold anything: what is found in them lies in them, and what is
 * left of a text is no longer than it was.
 */
#include <stdlib.h>

#include "runtime/markup.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tc_model_tool tools[] = {{.name = TC_STR_INIT("a")}, {.name = TC_STR_INIT("read_file")}};
    struct tc_str text = tc_str_n((const char *)data, size), left, mark;
    struct tc_markup_call call;
    struct tc_arena arena;
    bool found = tc_markup_find_call(text, tools, 2, &call);

    tc_arena_init(&arena, 64 << 20);
    if (found)
        check(call.begin < call.end && call.end <= size &&
              tc_str_starts(tc_str_from(text, call.begin), call.mark));
    left = tc_markup_without_calls(&arena, text, tools, 2);
    check(left.p && (found ? left.n < size : left.n == size));
    if (tc_markup_in_value(text, &mark))
        check(tc_str_find(text, mark) != SIZE_MAX);
    tc_arena_finish(&arena);
    return 0;
}
