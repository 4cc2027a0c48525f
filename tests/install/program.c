/*
 * A program of somebody else: parses JSON and prints it again, with nothing but
 * what an installation offers. Compiled as C and as C++.
 */
#include <stdio.h>
#include <toolcrib/json.h>
#include <toolcrib/schema.h>
#include <toolcrib/tool.h>

int main(void)
{
    struct tc_arena arena;
    struct tc_cx cx = {};
    const struct tc_json *root;
    struct tc_str text;

    tc_arena_init(&arena, 1 << 20);
    cx.arena = &arena;
    if (tc_json_parse_root(&cx, tc_str_of("{\"exact\": 12345678901234567890.10}"), NULL, &root)) {
        fprintf(stderr, "%.*s\n", TC_STR_ARG(cx.err.message));
        return 1;
    }
    text = tc_json_text(&arena, root);
    printf("%.*s\n", TC_STR_ARG(text));
    tc_arena_finish(&arena);
    return 0;
}
